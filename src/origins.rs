//! Text that is assembled from parts of several files, with the file and the offset of each part.

use std::{ops::Range, sync::Arc};

use crate::{diagnostic::Place, text::Span};

/// The files that a text comes from. Empty if all of it comes from one file, unchanged.
#[derive(Clone, Debug, Default)]
pub struct Origins(Vec<Piece>);

/// Bytes that were copied from a file.
#[derive(Clone, Debug)]
struct Piece {
    at: usize,
    length: usize,
    file: Arc<str>,
    offset: usize,
}

impl Origins {
    /// The origins of the unchanged text of a file.
    #[must_use]
    pub fn of(file: &Arc<str>, text: &str) -> Self {
        Self(vec![Piece { at: 0, length: text.len(), file: file.clone(), offset: 0 }])
    }

    /// The place of a span of the text. `file` is the file of a text without parts of others. Bytes that come from no file have the place of the bytes before
    /// them; a span that extends over several files ends with the first. Cost: logarithmic.
    #[must_use]
    pub fn place(&self, file: &Arc<str>, span: Span) -> Place {
        let after = self.0.partition_point(|piece| piece.at <= span.start);
        let Some(piece) = self.0[..after].last() else {
            // Bytes before the first piece begin the file.
            return Place::new(file.clone(), if self.0.is_empty() { span } else { Span::at(0) });
        };
        let inside = |at: usize| piece.offset + at.saturating_sub(piece.at).min(piece.length);
        Place::new(piece.file.clone(), Span::new(inside(span.start), inside(span.end)))
    }

    /// The origins of a text that was edited: lines that are the same have the same origin, and other lines have none. `before` is the text that these are the
    /// origins of, and `file` is its file.
    #[must_use]
    pub fn after_edit(&self, file: &Arc<str>, before: &str, after: &str) -> Self {
        let (old, new): (Vec<&str>, Vec<&str>) = (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
        let starts = |lines: &[&str]| -> Vec<usize> {
            let ends = lines.iter().scan(0, |end, line| {
                *end += line.len();
                Some(*end)
            });
            std::iter::once(0).chain(ends).collect()
        };
        let (old_starts, new_starts) = (starts(&old), starts(&new));
        let mut pieces = Vec::new();
        for operation in similar::capture_diff_slices(similar::Algorithm::Myers, &old, &new) {
            let similar::DiffOp::Equal { old_index, new_index, len } = operation else { continue };
            for line in 0..len {
                let Place { file, span } = self.place(file, Span::at(old_starts[old_index + line]));
                pieces.push(Piece { at: new_starts[new_index + line], length: new[new_index + line].len(), file, offset: span.start });
            }
        }
        if pieces.is_empty() {
            pieces.push(Piece { at: 0, length: 0, file: file.clone(), offset: 0 });
        }
        Self(pieces)
    }

    /// The files other than `file`, each once.
    #[must_use]
    pub fn others<'a>(&'a self, file: &str) -> Vec<&'a Arc<str>> {
        let mut files: Vec<&Arc<str>> = self.0.iter().map(|piece| &piece.file).filter(|other| ***other != *file).collect();
        files.sort();
        files.dedup();
        files
    }
}

/// A text that is being assembled.
#[derive(Debug, Default)]
pub struct AssembledText {
    /// The text so far.
    pub text: String,
    origins: Origins,
    /// Four spaces for each level of indentation, which every line that is not empty gets.
    indent: String,
    /// Whether the next character begins a line.
    at_line_start: bool,
}

impl AssembledText {
    /// Changes the indentation of the lines that follow.
    pub fn set_indent(&mut self, levels: usize) {
        self.indent = "    ".repeat(levels);
        self.at_line_start = self.text.is_empty() || self.text.ends_with('\n');
    }

    /// Adds text that comes from no file, without indentation.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.at_line_start = text.ends_with('\n');
    }

    /// Adds text that comes from no file; at the beginning of a line, indented like the others.
    pub fn push_indented(&mut self, text: &str) {
        if self.at_line_start {
            self.text.push_str(&self.indent);
        }
        self.push(text);
    }

    /// Adds bytes of a file.
    pub fn copy(&mut self, file: &Arc<str>, text: &str, range: Range<usize>) {
        let Some(mut rest) = text.get(range.clone()) else { return };
        let mut offset = range.start;
        while !rest.is_empty() {
            let length = if self.indent.is_empty() { rest.len() } else { rest.find('\n').map_or(rest.len(), |end| end + 1) };
            let (line, after) = rest.split_at(length);
            if self.at_line_start && line != "\n" {
                self.text.push_str(&self.indent);
            }
            self.origins.0.push(Piece { at: self.text.len(), length, file: file.clone(), offset });
            self.text.push_str(line);
            self.at_line_start = line.ends_with('\n');
            (rest, offset) = (after, offset + length);
        }
    }

    /// The text and its origins.
    #[must_use]
    pub fn finish(self) -> (String, Origins) {
        (self.text, self.origins)
    }
}
