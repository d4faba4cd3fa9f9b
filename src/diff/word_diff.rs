//! The words that differ between two texts. Word boundaries are those of Unicode, since Japanese has no spaces.

use std::fmt::Write as _;

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::cell;

/// Texts of fewer characters are shown whole.
const SHORT: usize = 30;

/// The number of unchanged characters shown on either side of a change.
const AROUND: usize = 30;

/// The number of characters shown of one change.
const MOST: usize = 600;

/// Both texts as Markdown, with changed words in `<del>` and `<ins>` and shortened unchanged text. `None` if they have too little in common, or are too short, to be
/// compared by words. HTML elements are used because asterisks between letters and 「 are not emphasis in Markdown.
pub(super) fn side_by_side(before: &str, after: &str) -> Option<(String, String)> {
    let (mut left, mut right) = (String::new(), String::new());
    for fragment in fragments(before, after)? {
        match fragment {
            DiffFragment::Same(same) => {
                left.push_str(&same);
                right.push_str(&same);
            }
            DiffFragment::Differs(from, to) => {
                mark(&mut left, "del", &from);
                mark(&mut right, "ins", &to);
            }
        }
    }
    Some((left, right))
}

/// One text as Markdown, with removed and added words next to each other; either text may be empty.
pub(super) fn in_one(before: &str, after: &str) -> String {
    let mut text = String::new();
    for fragment in fragments(before, after).unwrap_or_else(|| vec![DiffFragment::Differs(before.to_owned(), after.to_owned())]) {
        match fragment {
            DiffFragment::Same(same) => text.push_str(&same),
            DiffFragment::Differs(from, to) => {
                mark(&mut text, "del", &from);
                mark(&mut text, "ins", &to);
            }
        }
    }
    text
}

/// A fragment of two texts.
enum DiffFragment {
    /// Unchanged text, shortened, as Markdown.
    Same(String),
    /// The removed and the added text.
    Differs(String, String),
}

/// The fragments of two texts; `None` if the shorter text is too short, or less than a third of the longer one is unchanged.
fn fragments(before: &str, after: &str) -> Option<Vec<DiffFragment>> {
    let length = |text: &str| text.chars().count();
    let (long, short) = (length(before).max(length(after)), length(before).min(length(after)));
    if short < SHORT {
        return None;
    }
    let (old, new) = (words(before), words(after));
    let ops = joined(&capture_diff_slices(Algorithm::Myers, &old, &new), &old);
    let same: usize = ops.iter().filter(|op| matches!(op, DiffOp::Equal { .. })).map(|op| length(&old[op.old_range()].concat())).sum();
    let fragment = |(number, op): (usize, &DiffOp)| {
        let (from, to) = (old[op.old_range()].concat(), new[op.new_range()].concat());
        let is_same = matches!(op, DiffOp::Equal { .. });
        if is_same { DiffFragment::Same(around(&from, number == 0, number + 1 == ops.len())) } else { DiffFragment::Differs(from, to) }
    };
    (same * 3 >= long).then(|| ops.iter().enumerate().map(fragment).collect())
}

fn words(text: &str) -> Vec<&str> {
    text.split_word_bounds().collect()
}

/// Merges changes with at most three unchanged characters between them: text that changes with each word is hard to read.
fn joined(ops: &[DiffOp], old: &[&str]) -> Vec<DiffOp> {
    let mut all: Vec<DiffOp> = Vec::new();
    let last = ops.len().saturating_sub(1);
    for (number, op) in ops.iter().enumerate() {
        let is_bridge = || old[op.old_range()].concat().chars().count() <= 3;
        let is_same = matches!(op, DiffOp::Equal { .. }) && !(number > 0 && number < last && is_bridge());
        match all.last_mut() {
            Some(known) if !is_same && !matches!(known, DiffOp::Equal { .. }) => {
                *known = change(known.old_range().start, op.old_range().end, known.new_range().start, op.new_range().end);
            }
            _ if is_same => all.push(*op),
            _ => all.push(change(op.old_range().start, op.old_range().end, op.new_range().start, op.new_range().end)),
        }
    }
    all
}

const fn change(old_index: usize, old_end: usize, new_index: usize, new_end: usize) -> DiffOp {
    DiffOp::Replace { old_index, old_len: old_end - old_index, new_index, new_len: new_end - new_index }
}

/// The beginning and the end of unchanged text, as context of the changes.
fn around(text: &str, is_first: bool, is_last: bool) -> String {
    let count = text.chars().count();
    let words = words(text);
    let fitting = |words: &mut dyn Iterator<Item = &&str>| {
        let mut length = 0;
        words
            .take_while(|word| {
                length += word.chars().count();
                length <= AROUND
            })
            .count()
    };
    let start = words[..fitting(&mut words.iter())].concat();
    let end = words[words.len() - fitting(&mut words.iter().rev())..].concat();
    let (start, end) = (start.trim_end(), end.trim_start());
    match (is_first, is_last) {
        (true, false) if count > AROUND => format!("… {}", cell(end)),
        (false, true) if count > AROUND => format!("{} …", cell(start)),
        (false, false) if count > 2 * AROUND => format!("{} … {}", cell(start), cell(end)),
        _ => cell(text),
    }
}

fn mark(out: &mut String, element: &str, text: &str) {
    if text.is_empty() {
        return;
    }
    let shown: String = text.chars().take(MOST).collect();
    let more = if shown.len() < text.len() { " …" } else { "" };
    let _ = write!(out, "<{element}>{}{more}</{element}>", cell(&shown));
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_changed_word_is_shown_with_what_is_around_it() {
        let before = "The Pods come back within a minute, since the controller of the Deployment makes new ones as long as it is there.";
        let after = "The Pods come back within an hour, since the controller of the Deployment makes new ones as long as it is there.";
        let (left, right) = side_by_side(before, after).unwrap();
        assert_eq!(left, "The Pods come back within <del>a minute</del>, since the controller of the …");
        assert_eq!(right, "The Pods come back within <ins>an hour</ins>, since the controller of the …");
        assert_eq!(in_one(before, after), "The Pods come back within <del>a minute</del><ins>an hour</ins>, since the controller of the …");
    }

    #[test]
    fn japanese_is_compared_by_letters_and_runs() {
        let before = "削除しても、数秒後にコントローラーが同じ名前の Pod を作り直します。設定は失われません。";
        let after = "削除しても、数分後にコントローラーが同じ名前の Pod を作り直します。設定は失われません。";
        assert_eq!(
            in_one(before, after),
            "削除しても、数<del>秒</del><ins>分</ins>後にコントローラーが同じ名前の Pod を作り直します。設定 …"
        );
    }

    #[test]
    fn texts_with_little_in_common_are_shown_whole() {
        assert_eq!(side_by_side("short", "shorter"), None);
        assert_eq!(side_by_side(&"one two three ".repeat(4), &"vier fünf sechs ".repeat(4)), None);
        assert_eq!(in_one("gone <b>", ""), "<del>gone &lt;b></del>");
        assert_eq!(in_one("", &"x ".repeat(400)).chars().filter(|c| *c == 'x').count(), 300);
    }
}
