//! The text that is parsed, with the original offset of each byte.
//!
//! Some syntax is rewritten before parsing (notes become block quotes, marks are inserted next to Japanese emphasis). Every offset that the parser reports is
//! mapped back, so that a diagnostic points to the original text.

use std::ops::Range;

use crate::text::Span;

/// A text derived from an original by edits.
#[derive(Clone, Debug)]
pub(super) struct MappedSource {
    /// The text to parse.
    pub(super) text: String,
    copied: Vec<CopiedRange>,
    original_len: usize,
}

/// Bytes that were copied unchanged.
#[derive(Clone, Copy, Debug)]
struct CopiedRange {
    at: usize,
    original: usize,
    len: usize,
}

/// Replaces a range of the current text.
#[derive(Clone, Debug)]
pub(super) struct TextEdit {
    pub(super) range: Range<usize>,
    pub(super) with: String,
}

/// Offsets, in ascending order, after edits. Text inserted at an offset comes before it.
pub(super) fn moved(offsets: impl Iterator<Item = usize>, edits: &[TextEdit]) -> Vec<usize> {
    let mut edits = edits.iter().peekable();
    let (mut added, mut removed) = (0, 0);
    offsets
        .map(|offset| {
            while let Some(edit) = edits.next_if(|edit| edit.range.start < offset || (edit.range.is_empty() && edit.range.start == offset))
            {
                added += edit.with.len();
                removed += edit.range.len();
            }
            offset + added - removed
        })
        .collect()
}

impl MappedSource {
    /// The unchanged text.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), copied: vec![CopiedRange { at: 0, original: 0, len: text.len() }], original_len: text.len() }
    }

    /// Applies edits, which must be sorted and must not overlap. Takes time proportional to the text, not to text times edits.
    pub(super) fn edited(&self, edits: &[TextEdit]) -> Self {
        let mut next = Self { text: String::with_capacity(self.text.len() + 16), copied: Vec::new(), original_len: self.original_len };
        let mut next_range = 0;
        let mut done = 0;
        for edit in edits {
            self.copy(done..edit.range.start, &mut next_range, &mut next);
            next.text.push_str(&edit.with);
            done = edit.range.end.max(done);
        }
        self.copy(done..self.text.len(), &mut next_range, &mut next);
        next
    }

    fn copy(&self, range: Range<usize>, index: &mut usize, next: &mut Self) {
        let Some(kept) = self.text.get(range.clone()).filter(|kept| !kept.is_empty()) else { return };
        let shift = next.text.len();
        next.text.push_str(kept);
        while let Some(&CopiedRange { at, original, len }) = self.copied.get(*index) {
            let start = at.max(range.start);
            let end = (at + len).min(range.end);
            if start < end {
                next.copied.push(CopiedRange { at: shift + start - range.start, original: original + start - at, len: end - start });
            }
            if at + len > range.end {
                break;
            }
            *index += 1;
        }
    }

    /// The original offset of a byte. Inserted text counts as the end of the text before it.
    pub(super) fn original(&self, offset: usize) -> usize {
        match self.copied[..self.ranges_until(offset)].last() {
            Some(range) => range.original + (offset - range.at).min(range.len),
            None => self.copied.first().map_or(0, |range| range.original),
        }
    }

    /// The original span of a range.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let range = self.text.floor_char_boundary(range.start)..self.text.floor_char_boundary(range.end);
        // The end is looked up by the last byte in the range, so that deleted text after the range stays outside.
        let start = self.original_start(range.start);
        let end = if range.end > range.start { self.original(range.end - 1) + 1 } else { start };
        // A byte inside an inserted character maps to a boundary, which `+ 1` would cross.
        let end = if range.end > range.start && !self.is_copied(range.end - 1) { end - 1 } else { end };
        Span::new(start.min(self.original_len), end.max(start).min(self.original_len))
    }

    /// Like [`Self::original`], but inserted text counts as the start of the text after it.
    fn original_start(&self, offset: usize) -> usize {
        if self.is_copied(offset) {
            return self.original(offset);
        }
        self.copied.get(self.ranges_until(offset)).map_or(self.original(offset), |range| range.original)
    }

    /// The number of copied ranges that begin at or before an offset.
    fn ranges_until(&self, offset: usize) -> usize {
        self.copied.partition_point(|range| range.at <= offset)
    }

    fn is_copied(&self, offset: usize) -> bool {
        self.copied[..self.ranges_until(offset)].last().is_some_and(|range| offset < range.at + range.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_survive_two_rounds_of_edits() {
        let source = MappedSource::new("abcdef");
        let once = source.edited(&[TextEdit { range: 1..2, with: "XY".into() }, TextEdit { range: 4..4, with: "Z".into() }]);
        assert_eq!(once.text, "aXYcdZef");
        let twice = once.edited(&[TextEdit { range: 0..0, with: "!!".into() }, TextEdit { range: 6..7, with: String::new() }]);
        assert_eq!(twice.text, "!!aXYcdZf");
        assert_eq!(twice.original(2), 0);
        assert_eq!(twice.original(5), 2);
        assert_eq!(twice.span(5..7), Span::new(2, 4));
        assert_eq!(twice.span(8..9), Span::new(5, 6));
        assert_eq!(twice.span(0..9), Span::new(0, 6));
    }
}
