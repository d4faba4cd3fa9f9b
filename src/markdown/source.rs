//! The text that is parsed, and where each of its bytes came from.
//!
//! Some syntax is rewritten before parsing (notes become block quotes, marks are put beside Japanese emphasis). Every offset that the parser
//! reports is mapped back, so that a finding points at what the author typed.

use std::ops::Range;

use crate::text::{Span, floor_char_boundary};

/// A text made from an original by edits.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// What is parsed.
    pub(super) text: String,
    pieces: Vec<Piece>,
    original_len: usize,
}

/// Bytes that were copied unchanged.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: usize,
    original: usize,
    len: usize,
}

/// Replaces a range of the current text.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) with: String,
}

/// Where offsets, in ascending order, are after edits. Text inserted at an offset comes before it.
pub(super) fn moved(offsets: impl Iterator<Item = usize>, edits: &[Edit]) -> Vec<usize> {
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

impl Source {
    /// The text as it was written.
    pub(super) fn new(text: &str) -> Self {
        Self { text: text.to_owned(), pieces: vec![Piece { at: 0, original: 0, len: text.len() }], original_len: text.len() }
    }

    /// Applies edits, which must be sorted and must not overlap. Takes time proportional to the text, not to text times edits.
    pub(super) fn edited(&self, edits: &[Edit]) -> Self {
        let mut next = Self { text: String::with_capacity(self.text.len() + 16), pieces: Vec::new(), original_len: self.original_len };
        let mut piece = 0;
        let mut done = 0;
        for edit in edits {
            self.copy(done..edit.range.start, &mut piece, &mut next);
            next.text.push_str(&edit.with);
            done = edit.range.end.max(done);
        }
        self.copy(done..self.text.len(), &mut piece, &mut next);
        next
    }

    fn copy(&self, range: Range<usize>, piece: &mut usize, next: &mut Self) {
        let Some(kept) = self.text.get(range.clone()).filter(|kept| !kept.is_empty()) else { return };
        let shift = next.text.len();
        next.text.push_str(kept);
        while let Some(&Piece { at, original, len }) = self.pieces.get(*piece) {
            let start = at.max(range.start);
            let end = (at + len).min(range.end);
            if start < end {
                next.pieces.push(Piece { at: shift + start - range.start, original: original + start - at, len: end - start });
            }
            if at + len > range.end {
                break;
            }
            *piece += 1;
        }
    }

    /// The original offset of a byte. What was inserted counts as the end of what stands before it.
    pub(super) fn original(&self, offset: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.at <= offset);
        match after.checked_sub(1).and_then(|index| self.pieces.get(index)) {
            Some(piece) => piece.original + (offset - piece.at).min(piece.len),
            None => self.pieces.first().map_or(0, |piece| piece.original),
        }
    }

    /// The original span of a range.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let range = floor_char_boundary(&self.text, range.start)..floor_char_boundary(&self.text, range.end);
        // The end is looked up by the last byte inside, so that deleted text after the range stays outside.
        let start = self.original_start(range.start);
        let end = if range.end > range.start { self.original(range.end - 1) + 1 } else { start };
        // A byte in the middle of an inserted character maps to a boundary, which `+ 1` would leave.
        let end = if range.end > range.start && !self.copied(range.end - 1) { end - 1 } else { end };
        Span::new(start.min(self.original_len), end.max(start).min(self.original_len))
    }

    /// Like [`Self::original`], but what was inserted counts as the start of what stands after it.
    fn original_start(&self, offset: usize) -> usize {
        if self.copied(offset) {
            return self.original(offset);
        }
        let after = self.pieces.partition_point(|piece| piece.at <= offset);
        self.pieces.get(after).map_or(self.original(offset), |piece| piece.original)
    }

    fn copied(&self, offset: usize) -> bool {
        let after = self.pieces.partition_point(|piece| piece.at <= offset);
        after.checked_sub(1).and_then(|index| self.pieces.get(index)).is_some_and(|piece| offset < piece.at + piece.len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_survive_two_rounds_of_edits() {
        let source = Source::new("abcdef");
        let once = source.edited(&[Edit { range: 1..2, with: "XY".into() }, Edit { range: 4..4, with: "Z".into() }]);
        assert_eq!(once.text, "aXYcdZef");
        let twice = once.edited(&[Edit { range: 0..0, with: "!!".into() }, Edit { range: 6..7, with: String::new() }]);
        assert_eq!(twice.text, "!!aXYcdZf");
        assert_eq!(twice.original(2), 0);
        assert_eq!(twice.original(5), 2);
        assert_eq!(twice.span(5..7), Span::new(2, 4));
        assert_eq!(twice.span(8..9), Span::new(5, 6));
        assert_eq!(twice.span(0..9), Span::new(0, 6));
    }
}
