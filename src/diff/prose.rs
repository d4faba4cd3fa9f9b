//! Changed paragraphs of pages.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::{address, code, details, word_diff::in_one};
use crate::kb::Kb;

/// The number of changed paragraphs shown.
const MOST_PARAGRAPHS: usize = 60;

/// The changed paragraphs of pages, with their changed words.
pub(super) fn prose(text: &mut String, before: &Kb, after: &Kb) {
    let mut lines: Vec<String> = Vec::new();
    for (path, page) in &after.pages {
        let Some(known) = before.pages.get(path) else { continue };
        for lang in after.config.languages.iter().map(|language| &language.lang) {
            let (Some(old), Some(new)) = (known.texts.get(lang), page.texts.get(lang)) else { continue };
            let (Some(from), Some(to)) = (old.source.get(old.body_at..), new.source.get(new.body_at..)) else { continue };
            if from == to {
                continue;
            }
            let (from, to) = (paragraphs(from), paragraphs(to));
            for op in capture_diff_slices(Algorithm::Myers, &from, &to).iter().filter(|op| !matches!(op, DiffOp::Equal { .. })) {
                let (from, to) = (&from[op.old_range()], &to[op.new_range()]);
                for number in 0..from.len().max(to.len()) {
                    let side = |side: &[&str]| side.get(number).copied().unwrap_or_default().to_owned();
                    lines.push(format!("- {} ({lang}): {}", code(&address(path)), in_one(&side(from), &side(to))));
                }
            }
        }
    }
    details(text, "Paragraphs that differ", lines, MOST_PARAGRAPHS);
}

/// The blocks between blank lines; a code block is not split.
fn paragraphs(source: &str) -> Vec<&str> {
    let (mut all, mut start, mut end, mut fence) = (Vec::new(), None::<usize>, 0, None::<&str>);
    for line in source.split_inclusive('\n') {
        let (at, bare) = (end, line.trim());
        end += line.len();
        let marks = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        fence = match (fence, marks) {
            (None, found) => found,
            (Some(open), Some(found)) if open == found => None,
            (open, _) => open,
        };
        if !bare.is_empty() || fence.is_some() {
            start.get_or_insert(at);
        } else if let Some(start) = start.take() {
            all.extend(source.get(start..at).map(str::trim_end));
        }
    }
    all.extend(start.and_then(|start| source.get(start..)).map(str::trim_end));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_of_code_is_one_piece() {
        let source = "One\nline.\n\n```text\na\n\n~~~\nb\n```\n\n\nLast";
        assert_eq!(paragraphs(source), ["One\nline.", "```text\na\n\n~~~\nb\n```", "Last"]);
        assert_eq!(paragraphs("\n \n"), Vec::<&str>::new());
        assert_eq!(paragraphs("```\nopen\n\nto the end\n"), ["```\nopen\n\nto the end"]);
    }
}
