//! Texts: byte spans, lines and columns, suggestions for misspelt words, scripts without spaces, HTML escapes.

use std::ops::Range;

use serde::Deserialize;

/// A half-open range of bytes in one source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`; empty if the end is before the start.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end: if end < start { start } else { end } }
    }

    /// The empty span at one byte.
    #[must_use]
    pub const fn at(start: usize) -> Self {
        Self { start, end: start }
    }

    /// The span `by` bytes further on: converts a span in a part of a file to one in the file.
    #[must_use]
    pub const fn shifted(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// The span as a standard range.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// A line and a column, both counted from 1; a column is a Unicode scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

/// The line and column of a byte offset, in time linear in the offset. An offset inside a character counts as its start, one past the end as the end.
#[must_use]
pub fn line_column(text: &str, offset: usize) -> LineColumn {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    LineColumn { line: before.bytes().filter(|byte| *byte == b'\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}

/// The candidate that `typed` most resembles, for "did you mean".
///
/// At most a quarter of the letters may differ, at least one and at most four (Damerau–Levenshtein: swapped neighbours count once), ignoring case and the
/// difference between `-` and `_`. Otherwise, it is the only candidate that begins with `typed` and a dash.
#[must_use]
pub fn did_you_mean<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| word.to_lowercase().replace('_', "-");
    let typed = plain(typed);
    let allowed = (typed.chars().count() / 4).clamp(1, 4);
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let begun = format!("{typed}-");
    let mut longer = candidates.iter().filter(|candidate| typed.len() > 2 && plain(candidate).starts_with(&begun));
    let only = longer.next().filter(|_| longer.next().is_none()).copied();
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&typed, &plain(candidate)), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, candidate)| (*distance, *candidate))
        .map(|(_, candidate)| candidate)
        .or(only)
}

/// Whether a line break between these two characters adds no space: both belong to scripts written without spaces.
#[must_use]
pub fn joins_without_space(before: char, after: char) -> bool {
    is_wide(before) && is_wide(after)
}

/// Whether a character belongs to the scripts and punctuation written without spaces (Chinese, Japanese), full-width forms included.
///
/// Ranges are those of the Unicode blocks. Hangul is left out: Korean separates words by spaces.
#[must_use]
pub fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{2E80}'..='\u{2FDF}'      // CJK radicals, Kangxi radicals
        | '\u{2FF0}'..='\u{303F}'    // ideographic description, CJK symbols and punctuation
        | '\u{3040}'..='\u{30FF}'    // hiragana, katakana
        | '\u{3100}'..='\u{312F}'    // bopomofo
        | '\u{3190}'..='\u{4DBF}'    // kanbun … CJK extension A, enclosed forms
        | '\u{4E00}'..='\u{9FFF}'    // CJK unified ideographs
        | '\u{F900}'..='\u{FAFF}'    // CJK compatibility ideographs
        | '\u{FE30}'..='\u{FE4F}'    // CJK compatibility forms
        | '\u{FF00}'..='\u{FFEF}'    // half-width and full-width forms
        | '\u{1B000}'..='\u{1B16F}'  // kana supplements
        | '\u{1F200}'..='\u{1F2FF}'  // enclosed ideographic supplement
        | '\u{20000}'..='\u{3FFFF}') // CJK extensions B and later
}

/// Escapes text for element content and for attribute values in double quotes.
#[must_use]
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    escape_into(text, &mut out);
    out
}

pub(crate) fn escape_into(text: &str, out: &mut String) {
    let mut done = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'&' => "&amp;",
            b'"' => "&quot;",
            // HTML has no escape for NUL.
            b'\0' => "\u{FFFD}",
            _ => continue,
        };
        out.push_str(&text[done..at]);
        out.push_str(entity);
        done = at + 1;
    }
    out.push_str(&text[done..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_from_one() {
        let text = "ab\nあい\n";
        assert_eq!(line_column(text, 0), LineColumn { line: 1, column: 1 });
        assert_eq!(line_column(text, 3), LineColumn { line: 2, column: 1 });
        assert_eq!(line_column(text, 6), LineColumn { line: 2, column: 2 });
        assert_eq!(line_column(text, 7), LineColumn { line: 2, column: 2 }, "inside a character");
        assert_eq!(line_column(text, 99), LineColumn { line: 3, column: 1 }, "past the end");
    }

    #[test]
    fn suggests_what_was_meant() {
        let ids = ["kube-scheduler", "kubelet", "kube-proxy"];
        assert_eq!(did_you_mean("kube-schedulr", ids), Some("kube-scheduler"));
        assert_eq!(did_you_mean("kube_proxy", ids), Some("kube-proxy"));
        assert_eq!(did_you_mean("coredns", ids), None);
        assert_eq!(did_you_mean("breaks", ["safe", "breaks-feature"]), Some("breaks-feature"));
        assert_eq!(did_you_mean("kube", ids), None, "three begin with it");
    }

    #[test]
    fn japanese_joins_without_space_and_korean_does_not() {
        assert!(joins_without_space('。', '次'));
        assert!(!joins_without_space('a', '次'));
        assert!(!joins_without_space('한', '국'));
    }
}
