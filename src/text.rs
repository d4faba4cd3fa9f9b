//! Texts: byte spans, lines and columns, suggestions for misspelt words, scripts without spaces, HTML escapes, control characters.

use std::{borrow::Cow, ops::Range};

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

/// A text that begins with a capital letter.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The line and column of a byte offset, in time linear in the offset. An offset inside a character counts as its start, one past the end as the end.
#[must_use]
pub fn line_column(text: &str, offset: usize) -> LineColumn {
    let before = &text[..text.floor_char_boundary(offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    LineColumn { line: before.bytes().filter(|byte| *byte == b'\n').count() + 1, column: before[line_start..].chars().count() + 1 }
}

/// The lines of a text, for many lookups: building it is linear in the text, and a lookup does not depend on the length of the text or of its lines.
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    /// The byte where each line begins.
    starts: Vec<usize>,
    /// The number of characters before each block of [`Self::BLOCK`] bytes.
    characters: Vec<usize>,
}

impl<'t> LineIndex<'t> {
    const BLOCK: usize = 256;

    /// The index of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        let mut before = 0;
        let characters = text.as_bytes().chunks(Self::BLOCK).map(|block| {
            let here = before;
            before += count_characters(block);
            here
        });
        Self { text, starts: std::iter::once(0).chain(newlines).collect(), characters: characters.collect() }
    }

    /// The text.
    #[must_use]
    pub const fn text(&self) -> &'t str {
        self.text
    }

    /// The line and column of a byte offset; the same as [`line_column`].
    #[must_use]
    pub fn line_column(&self, offset: usize) -> LineColumn {
        let offset = self.text.floor_char_boundary(offset);
        let line = self.line(offset);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        LineColumn { line, column: self.characters_before(offset) - self.characters_before(start) + 1 }
    }

    /// The bytes of the line that holds an offset, without its line feed.
    #[must_use]
    pub fn line_range(&self, offset: usize) -> Range<usize> {
        let line = self.line(offset);
        let start = self.starts.get(line - 1).copied().unwrap_or_default();
        start..self.starts.get(line).map_or(self.text.len(), |next| next - 1)
    }

    /// The line that holds an offset, from 1.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).max(1)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / Self::BLOCK;
        // The end of a text of whole blocks begins no block.
        let Some(before) = self.characters.get(block) else { return self.total() };
        before + count_characters(&self.text.as_bytes()[block * Self::BLOCK..offset])
    }

    fn total(&self) -> usize {
        let last = self.characters.len().saturating_sub(1);
        self.characters.last().copied().unwrap_or_default() + count_characters(&self.text.as_bytes()[last * Self::BLOCK..])
    }
}

/// The number of characters that begin in some bytes of UTF-8.
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

/// Text for one line of a terminal or a log, where characters that control the output are visible and do nothing.
///
/// Each is replaced by one character, so that columns stay the same: a control character of ASCII by its picture (`␛`), all others by `�`. These are C1 controls,
/// line and paragraph separators, and invisible characters that change the direction of text or have no width. Joiners remain, which some scripts need.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    replace_controls(text, |_| false)
}

/// [`printable`] for text of several lines: line feeds and tabs remain.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    replace_controls(text, |c| matches!(c, '\n' | '\t'))
}

fn replace_controls(text: &str, keep: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_replaced = |c: char| is_control(c) && !keep(c);
    // Most texts have no such characters.
    if !text.bytes().any(|byte| !(0x20..0x7f).contains(&byte)) || !text.contains(is_replaced) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match u32::from(c) {
        code @ 0..0x20 => char::from_u32(0x2400 + code).unwrap_or(char::REPLACEMENT_CHARACTER),
        0x7f => '␡',
        _ => char::REPLACEMENT_CHARACTER,
    };
    Cow::Owned(text.chars().map(|c| if is_replaced(c) { picture(c) } else { c }).collect())
}

/// Whether a character is not printed itself but changes how others are printed.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' // direction of text
            | '\u{200B}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'                               // without width
            | '\u{2028}' | '\u{2029}'                                                         // separators
            | '\u{206A}'..='\u{206F}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}') // deprecated, annotations, tags
}

/// The maximum length in bytes of a word for which suggestions are computed: longer ones are not misspelt names.
const MAX_MISSPELT: usize = 256;

/// The candidate that `typed` most resembles, for "did you mean".
///
/// At most a quarter of the letters may differ, at least one and at most four (Damerau–Levenshtein: swapped neighbours count once), ignoring case and the
/// difference between `-` and `_`. Otherwise, it is the only candidate that begins with `typed` and a dash.
#[must_use]
pub fn did_you_mean<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if typed.len() > MAX_MISSPELT {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace('_', "-");
    let typed = plain(typed);
    let length = typed.chars().count();
    let allowed = (length / 4).clamp(1, 4);
    let begun = format!("{typed}-");
    // Longer candidates are never compared completely.
    let most = 4 * (begun.len() + allowed);
    let (mut nearest, mut longer, mut others): (Option<(usize, &'a str)>, Option<&'a str>, bool) = (None, None, false);
    for candidate in candidates {
        // The distance is at least the difference of the lengths, so most candidates need no copy.
        let least = if candidate.is_ascii() { candidate.len() } else { candidate.len() / 4 };
        let may_be_near = least <= length + allowed && candidate.len() + allowed >= length;
        let may_be_longer = typed.len() > 2 && candidate.len() > typed.len();
        if !may_be_near && !may_be_longer {
            continue;
        }
        let word = plain(&candidate[..candidate.floor_char_boundary(most)]);
        if may_be_longer && word.starts_with(&begun) {
            others |= longer.is_some();
            longer = longer.or(Some(candidate));
        }
        if may_be_near && word.chars().count().abs_diff(length) <= allowed {
            let found = (strsim::damerau_levenshtein(&typed, &word), candidate);
            if found.0 <= allowed && nearest.is_none_or(|nearest| found < nearest) {
                nearest = Some(found);
            }
        }
    }
    nearest.map(|(_, candidate)| candidate).or(longer.filter(|_| !others))
}

/// Names in backticks, separated by commas. Of many, only the first are listed.
#[must_use]
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 40;
    let mut list = String::new();
    for (number, name) in names.into_iter().enumerate() {
        if number == MOST {
            list.push_str(", …");
            break;
        }
        list.push_str(if number == 0 { "`" } else { ", `" });
        list.push_str(name);
        list.push('`');
    }
    list
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

/// The parts of a text in which code between backticks is the only markup, and whether each is code. A backtick without a partner is text.
pub fn code_spans(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut rest = text;
    let mut code = None;
    std::iter::from_fn(move || {
        if let Some(code) = code.take() {
            return Some((code, true));
        }
        if rest.is_empty() {
            return None;
        }
        let span = rest.find('`').and_then(|start| Some((start, start + 1 + rest[start + 1..].find('`')?)));
        let Some((start, end)) = span.filter(|(start, end)| end - start > 1) else { return Some((std::mem::take(&mut rest), false)) };
        let before = &rest[..start];
        code = Some(&rest[start + 1..end]);
        rest = &rest[end + 1..];
        Some((before, false))
    })
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
    fn an_index_finds_the_same_lines_and_columns() {
        let long = "aあ𝒳\u{301}".repeat(500);
        for text in ["", "\n", "ab\nあい\n", "a\r\nb", &long, &format!("{long}\n\n{long}"), &"x".repeat(512), &"あ\n".repeat(300)] {
            let index = LineIndex::new(text);
            for offset in 0..text.len() + 3 {
                assert_eq!(index.line_column(offset), line_column(text, offset), "{offset}");
                let line = index.line_range(text.floor_char_boundary(offset));
                assert_eq!(text.split('\n').nth(line_column(text, offset).line - 1), Some(&text[line]), "{offset}");
            }
        }
    }

    #[test]
    fn controls_are_visible_and_keep_their_column() {
        assert!(matches!(printable("plain text, 日本語 – ok"), Cow::Borrowed(_)));
        assert_eq!(printable("a\u{1b}[2Jb\r\n\t\u{7}\0\u{7f}"), "a␛[2Jb␍␊␉␇␀␡");
        assert_eq!(printable("\u{9b}2J\u{85}\u{202e}x\u{2066}\u{200b}\u{feff}\u{2028}"), "�2J��x����");
        assert_eq!(printable_lines("a\tb\r\n\u{1b}"), "a\tb␍\n␛");
        assert_eq!(printable("نمی\u{200c}خواهم 👩\u{200d}🚀"), "نمی\u{200c}خواهم 👩\u{200d}🚀", "joiners are a part of words");
        for c in ('\0'..='\u{2ff}').chain('\u{2000}'..='\u{20ff}') {
            assert_eq!(printable(&c.to_string()).chars().count(), 1);
            assert!(!printable(&c.to_string()).contains(char::is_control));
        }
    }

    #[test]
    fn suggests_what_was_meant() {
        let ids = ["kube-scheduler", "kubelet", "kube-proxy"];
        assert_eq!(did_you_mean("kube-schedulr", ids), Some("kube-scheduler"));
        assert_eq!(did_you_mean("kube_proxy", ids), Some("kube-proxy"));
        assert_eq!(did_you_mean("coredns", ids), None);
        assert_eq!(did_you_mean("breaks", ["safe", "breaks-feature"]), Some("breaks-feature"));
        assert_eq!(did_you_mean("kube", ids), None, "three begin with it");
        assert_eq!(did_you_mean("core", ["dns", "core-dns"]), Some("core-dns"), "one begins with it");
        assert_eq!(did_you_mean("ÀÉÎ", ["àéï", "x"]), Some("àéï"));
        assert_eq!(did_you_mean(&"a".repeat(1_000_000), ["a"]), None);
        assert_eq!(did_you_mean("a", [&*"a".repeat(1_000_000)]), None);
    }

    #[test]
    fn long_lists_end_early() {
        assert_eq!((listed([]), listed(["a"]), listed(["a", "b"])), (String::new(), "`a`".to_owned(), "`a`, `b`".to_owned()));
        assert_eq!(listed(["x"; 40]).matches('x').count(), 40);
        assert!(!listed(["x"; 40]).contains('…') && listed(["x"; 41]).ends_with("`x`, …"));
    }

    #[test]
    fn japanese_joins_without_space_and_korean_does_not() {
        assert!(joins_without_space('。', '次'));
        assert!(!joins_without_space('a', '次'));
        assert!(!joins_without_space('한', '국'));
    }
}
