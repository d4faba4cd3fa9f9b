//! The table of symptoms on a component's page: symptom, likely cause, what to do.

use crate::text::Span;

/// The id of the section with the table.
const SECTION: &str = "{#symptoms}";

/// What a table of symptoms contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symptoms {
    /// The number of its rows.
    pub rows: usize,
    /// The rows without an action in the third column.
    pub without_action: Vec<Span>,
}

/// The first table in the section with the id `symptoms`; `None` without a table. `body` is the Markdown of a page.
#[must_use]
pub fn find(body: &str) -> Option<Symptoms> {
    let mut at = 0;
    let lines = body.split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len(), line.trim_end())
    });
    let mut lines = lines.skip_while(|(_, line)| !(line.starts_with('#') && line.ends_with(SECTION))).skip(1);
    // The next heading ends the section.
    lines.by_ref().take_while(|(_, line)| !line.starts_with('#')).find(|(_, line)| is_row(line))?;
    let mut symptoms = Symptoms::default();
    for (start, row) in lines.take_while(|(_, line)| is_row(line)).skip(1) {
        symptoms.rows += 1;
        if cells(row).nth(2).is_none_or(|cell| cell.trim().is_empty()) {
            symptoms.without_action.push(Span::new(start, start + row.len()));
        }
    }
    Some(symptoms)
}

fn is_row(line: &str) -> bool {
    line.starts_with('|')
}

/// The cells of a row. A bar inside of a cell is escaped, in code too (GFM, tables).
fn cells(row: &str) -> impl Iterator<Item = &str> {
    let row = row.trim().trim_start_matches('|');
    let mut rest = Some(row.strip_suffix('|').filter(|row| !row.ends_with('\\')).unwrap_or(row));
    std::iter::from_fn(move || {
        let text = rest?;
        let end = text.match_indices('|').map(|(at, _)| at).find(|at| !text[..*at].ends_with('\\'));
        rest = end.map(|at| &text[at + 1..]);
        Some(&text[..end.unwrap_or(text.len())])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_actions_are_counted() {
        let page = |table: &str| {
            format!(
                "Text.\n\n| a | b | c |\n| - | - | - |\n\n## Troubleshooting {{#symptoms}}\n\n{table}\n\n## Notes\n\n| x |\n| - |\n| y |\n"
            )
        };
        let of = |table: &str| find(&page(table)).map(|symptoms| (symptoms.rows, symptoms.without_action.len()));
        assert_eq!(
            of("| S | C | W |\n| --- | --- | --- |\n| a | b | c |\n| a | b | |\n| `x \\| y` | b |\n| `x \\| y` | b | c"),
            Some((4, 2))
        );
        assert_eq!(of("Words first.\n\n| S | C |\n| --- | --- |\n| a | b |"), Some((1, 1)));
        assert_eq!(of("| S | C | W |\n| --- | --- | --- |"), Some((0, 0)));
        assert_eq!(of("Nothing is known."), None);
        let page = page("| S | C | W |\n| - | - | - |\n| a | b | c |\n| a | b | |");
        let found = find(&page).map(|symptoms| symptoms.without_action.into_iter().map(|span| &page[span.range()]).collect::<Vec<_>>());
        assert_eq!(found, Some(vec!["| a | b | |"]));
        assert_eq!(find("No such section.\n| a |\n| - |\n"), None);
    }
}
