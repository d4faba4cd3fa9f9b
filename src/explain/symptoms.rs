//! The symptoms that the page of a component describes, and the one that fits an unhealthy object.

use super::trouble::Trouble;
use crate::{layout::SYMPTOMS, listing::Row};

/// A row of the table of symptoms of a page, without the markup of links and sources. Code is between backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symptom {
    /// What the reader sees.
    pub symptom: String,
    /// What to do about it, the last column.
    pub action: String,
}

/// The symptoms of a page, from its text in Markdown: the first table in the section with the id `symptoms`.
#[must_use]
pub fn symptoms(markdown: &str) -> Vec<Symptom> {
    let anchor = format!("{{#{SYMPTOMS}}}");
    let section = markdown.lines().skip_while(|line| !(line.starts_with('#') && line.trim_end().ends_with(&anchor))).skip(1);
    let table = section.take_while(|line| !line.starts_with("## ")).skip_while(|line| !line.starts_with('|'));
    // The title and the line below it.
    table.take_while(|line| line.starts_with('|')).skip(2).filter_map(symptom).collect()
}

fn symptom(line: &str) -> Option<Symptom> {
    let cells = cells(line);
    let [first, .., last] = cells.as_slice() else { return None };
    Some(Symptom { symptom: plain(first), action: plain(last) })
}

/// The cells of a row of a table. `\|` is part of a cell.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in line.trim().trim_start_matches('|').chars() {
        match (c, cells.last_mut()) {
            ('|', _) if !escaped => cells.push(String::new()),
            (_, Some(cell)) => {
                if escaped && c != '|' {
                    cell.push('\\');
                }
                if c != '\\' || escaped {
                    cell.push(c);
                }
            }
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    // The line ends in `|`.
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells
}

/// Text without links and sources: `[[id|text]]` and `[text](address)` become their text, `[[^source]]` and `[^source]` nothing.
fn plain(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut rest = cell.trim();
    while let Some(at) = rest.find('[') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((inner, after)) = rest.strip_prefix("[[").and_then(|rest| rest.split_once("]]")) {
            if !inner.starts_with('^') {
                out.push_str(inner.split_once('|').map_or(inner, |(_, text)| text));
            }
            rest = after;
        } else if let Some((_, after)) = rest.strip_prefix("[^").and_then(|rest| rest.split_once(']')) {
            rest = after;
        } else if let Some((text, after)) = rest[1..].split_once("](").and_then(|(text, rest)| Some((text, rest.split_once(')')?.1))) {
            out.push_str(text);
            rest = after;
        } else {
            out.push('[');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out.trim().to_owned()
}

/// The index of the symptom that fits an unhealthy object: one that names its status and is about the component's own Pods. One whose code is also in the reason
/// that Kubernetes states comes first.
pub(super) fn fitting(symptoms: &[Symptom], trouble: Trouble, row: &Row) -> Option<usize> {
    let reason = row.health.as_ref().and_then(|health| health.reason.as_deref()).unwrap_or_default();
    let fits = |symptom: &Symptom| trouble.words().iter().position(|word| symptom.symptom.contains(word));
    let is_quoted = |symptom: &Symptom| symptom.symptom.split('`').skip(1).step_by(2).any(|code| code.len() > 8 && reason.contains(code));
    let candidates = symptoms.iter().enumerate().filter(|(_, symptom)| !is_about_others(&symptom.symptom));
    let fitting = candidates.filter_map(|(at, symptom)| Some((!is_quoted(symptom), fits(symptom)?, at)));
    fitting.min().map(|(.., at)| at)
}

/// Beginnings and words of symptoms of Pods, claims and Nodes that use a component.
const OTHERS: [&str; 10] =
    ["PVC", "laim", "EXTERNAL-IP", "LoadBalancer", "New Pods", "new Pod", "A Pod stays", "Pod Pending", "Pods stay", "other Pods"];

/// Whether a symptom is about objects that use the component.
fn is_about_others(symptom: &str) -> bool {
    OTHERS.iter().any(|word| symptom.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Health;

    const PAGE: &str = "# Page\n\n## Troubleshooting {#symptoms}\n\nText.\n\n| Symptom | Likely cause | What to do |\n| --- | --- | --- |\n\
        | New Pods stay `Pending` | a | b |\n| `CrashLoopBackOff`, log: `a\\|b` | Cause[[^source]] | See [[etcd\\|the store]] and [the page](https://x.example/a). |\n\
        | `CrashLoopBackOff`, `no such device` | c | Load the module. |\n\n## Next\n\n| a | b |\n| --- | --- |\n| c | d |\n";

    #[test]
    fn the_table_of_a_page() {
        let found = symptoms(PAGE);
        assert_eq!(found.len(), 3);
        assert_eq!(found[1], Symptom { symptom: "`CrashLoopBackOff`, log: `a|b`".into(), action: "See the store and the page.".into() });
        assert_eq!(symptoms("# No table\n\n| a |\n"), []);
    }

    #[test]
    fn the_symptom_that_fits() {
        let found = symptoms(PAGE);
        let row = |reason: &str| Row { health: Some(Health { reason: Some(reason.into()), ..Health::default() }), ..Row::default() };
        assert_eq!(fitting(&found, Trouble::CrashLoop, &row("")), Some(1));
        assert_eq!(fitting(&found, Trouble::CrashLoop, &row("Error (exit code 1): no such device")), Some(2));
        assert_eq!(fitting(&found, Trouble::Unscheduled, &row("")), None);
    }
}
