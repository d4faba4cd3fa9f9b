//! Unfinished places: `TODO:` in facts, their comments, and the text of pages.

use std::sync::Arc;

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    text::Span,
};

const MARK: &str = "TODO:";

/// Reports each mark in a file. Marks in the code of a page are ignored.
pub(super) fn report(file: &Arc<str>, text: &str, is_page: bool, diagnostics: &mut Diagnostics) {
    if !text.contains(MARK) {
        return;
    }
    let (mut start, mut fence) = (0, None::<&str>);
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        let here = ["```", "~~~"].into_iter().find(|mark| is_page && trimmed.starts_with(mark));
        match (fence, here) {
            (None, Some(_)) => fence = here,
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        for at in marks(line, is_page).filter(|_| fence.is_none()) {
            let rest = line[at + MARK.len()..].split(MARK).next().unwrap_or_default().trim_end();
            let what = rest.split(['"', '\'']).next().unwrap_or_default().trim();
            let span = Span::new(start + at, start + at + MARK.len() + rest.len());
            let message = if what.is_empty() { "this isn't written yet".to_owned() } else { format!("to be written: {what}") };
            let found = Diagnostic::new(Rule::Unfinished, Place::new(file.clone(), span), message);
            diagnostics.push(
                found.help("write it and remove `TODO:`; if the fact isn't known, write `unknown`; if it doesn't apply, leave it out"),
            );
        }
        start += line.len();
    }
}

/// The offsets of the marks in a line. A mark inside code of a page (after an odd number of backticks) and a part of a word are ignored.
fn marks(line: &str, is_page: bool) -> impl Iterator<Item = usize> {
    let (mut counted, mut backticks) = (0, 0);
    line.match_indices(MARK).map(|(at, _)| at).filter(move |at| {
        let before = &line[..*at];
        backticks += before[counted..].matches('`').count();
        counted = *at;
        let in_code = is_page && backticks % 2 == 1;
        !in_code && !before.ends_with(|c: char| c.is_alphanumeric() || c == '.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, is_page: bool) -> Vec<(usize, String)> {
        let mut diagnostics = Diagnostics::new();
        report(&"a".into(), text, is_page, &mut diagnostics);
        diagnostics.sorted().into_iter().map(|it| (it.place.map_or(0, |place| place.span.start), it.message)).collect()
    }

    #[test]
    fn marks_are_found_where_they_are_meant() {
        let facts = "name: x # TODO: as people write it\nwhat: {en: \"TODO: why\", ja: y}\nflag: --context.TODO:1\n";
        assert_eq!(found(facts, false), [(10, "to be written: as people write it".to_owned()), (47, "to be written: why".to_owned())]);
        let page = "TODO:\n\n`TODO: no`\n\n```yaml\nTODO: no\n```\n\nText. TODO: 続き\n";
        let said: Vec<String> = found(page, true).into_iter().map(|(_, message)| message).collect();
        assert_eq!(said, ["this isn't written yet", "to be written: 続き"]);
        assert_eq!(found("nothing to do", true), []);
    }
}
