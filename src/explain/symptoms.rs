//! The symptoms that the page of a component describes, and the one that fits an unhealthy object.

use std::collections::BTreeMap;

use super::trouble::Trouble;
use crate::{
    layout::SYMPTOMS,
    listing::{MIN_MESSAGE_WORDS, Row, message_parts},
};

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

/// A symptom that the status of one of the component's own objects can show.
#[derive(Clone, Debug)]
pub(super) struct StatusSymptom<'a> {
    /// For each trouble that it is a symptom of, how well it fits; 0 is best.
    pub(super) ranks: BTreeMap<Trouble, usize>,
    /// Code in the symptom, which the reason of an unhealthy object may contain.
    pub(super) codes: Vec<&'a str>,
    /// The symptom in the language of the reader.
    pub(super) shown: &'a Symptom,
}

/// The least length of code that is specific enough to be found in a reason.
const MIN_CODE: usize = 9;

/// The symptoms of a table that a status can show. The words of the original decide; `shown` has the same rows in the language of the reader.
pub(super) fn of_status<'a>(original: &'a [Symptom], shown: &'a [Symptom]) -> Vec<StatusSymptom<'a>> {
    let own = original.iter().zip(shown).filter(|(symptom, _)| !is_about_others(&symptom.symptom));
    let found = own.map(|(symptom, shown)| {
        let rank = |trouble: Trouble| trouble.words().iter().position(|word| symptom.symptom.contains(word));
        let codes = symptom.symptom.split('`').skip(1).step_by(2);
        StatusSymptom {
            ranks: Trouble::ALL.into_iter().filter_map(|trouble| Some((trouble, rank(trouble)?))).collect(),
            codes: codes.filter(|code| code.len() >= MIN_CODE).collect(),
            shown,
        }
    });
    found.filter(|symptom| !symptom.ranks.is_empty()).collect()
}

/// The symptom that fits an unhealthy object: one whose code is in the reason that Kubernetes states, else the one that fits its status best.
pub(super) fn fitting<'a>(symptoms: &[StatusSymptom<'a>], trouble: Trouble, row: &Row) -> Option<&'a Symptom> {
    let reason = row.health.as_ref().and_then(|health| health.reason.as_deref()).unwrap_or_default();
    let is_quoted = |symptom: &StatusSymptom<'_>| symptom.codes.iter().any(|code| reason.contains(code));
    let fitting = symptoms.iter().filter_map(|symptom| Some((!is_quoted(symptom), *symptom.ranks.get(&trouble)?, symptom)));
    fitting.min_by_key(|(is_unquoted, rank, _)| (*is_unquoted, *rank)).map(|(.., symptom)| symptom.shown)
}

/// The symptom that quotes a message, whole or in part, or is a part of it.
pub(super) fn of_message<'a>(original: &[Symptom], shown: &'a [Symptom], message: &str) -> Option<&'a Symptom> {
    let words = |text: &str| message_parts(text).concat();
    let message = words(message);
    let contains =
        |long: &[String], short: &[String]| short.len() >= MIN_MESSAGE_WORDS && long.windows(short.len()).any(|part| part == short);
    let is_of_message = |symptom: &Symptom| {
        let quoted = symptom.symptom.split('`').skip(1).step_by(2).map(words);
        quoted.into_iter().any(|quoted| contains(&message, &quoted) || contains(&quoted, &message))
    };
    original.iter().zip(shown).find(|(symptom, _)| is_of_message(symptom)).map(|(_, shown)| shown)
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
    fn the_symptom_of_a_message() {
        let symptoms = [("`CrashLoopBackOff`, log: `no such device`", "a"), ("`error adding pod to network: … not found`, `a b`", "b")];
        let symptoms = symptoms.map(|(symptom, action)| Symptom { symptom: symptom.into(), action: action.into() });
        let found = |message| of_message(&symptoms, &symptoms, message).map(|symptom| symptom.action.as_str());
        assert_eq!(found("open /dev/fuse: No such device"), Some("a"));
        assert_eq!(found("adding pod to network: …"), Some("b"));
        assert_eq!(found("no such"), None);
        assert_eq!(found("a b c d"), None);
    }

    #[test]
    fn the_symptom_that_fits() {
        let found = symptoms(PAGE);
        let row = |reason: &str| Row { health: Some(Health { reason: Some(reason.into()), ..Health::default() }), ..Row::default() };
        let own = of_status(&found, &found);
        assert_eq!(fitting(&own, Trouble::CrashLoop, &row("")), Some(&found[1]));
        assert_eq!(fitting(&own, Trouble::CrashLoop, &row("Error (exit code 1): no such device")), Some(&found[2]));
        assert_eq!(fitting(&own, Trouble::Unscheduled, &row("")), None);
    }
}
