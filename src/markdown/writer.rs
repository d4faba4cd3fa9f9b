//! HTML under construction: escaping, and holes that stay in place while parts are taken out and put back.

use percent_encoding::utf8_percent_encode;

use super::{Hole, HoleKind, Html};
pub(super) use crate::text::{escape, escape_into};
use crate::url::ILLEGAL;

/// A place in what is written. A hole has no text, so its length alone does not say whether one that lies there was before it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    text: usize,
    holes: usize,
}

impl Html {
    /// Appends markup as it is.
    pub(super) fn raw(&mut self, markup: &str) {
        self.text.push_str(markup);
    }

    /// Appends text.
    pub(super) fn escaped(&mut self, text: &str) {
        escape_into(text, &mut self.text);
    }

    /// Appends ` name="value"`.
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        self.text.push(' ');
        self.text.push_str(name);
        self.text.push_str("=\"");
        self.escaped(value);
        self.text.push('"');
    }

    /// Leaves a hole here.
    pub(super) fn hole(&mut self, kind: HoleKind) {
        self.holes.push(Hole { at: self.text.len(), kind });
    }

    /// Begins a line, unless one has just begun.
    pub(super) fn fresh_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// Where writing goes on.
    pub(super) const fn mark(&self) -> Mark {
        Mark { text: self.text.len(), holes: self.holes.len() }
    }

    /// Takes away what was written since.
    pub(super) fn split_off(&mut self, from: Mark) -> Self {
        let mut holes = self.holes.split_off(from.holes);
        for hole in &mut holes {
            hole.at -= from.text;
        }
        Self { text: self.text.split_off(from.text), holes }
    }

    /// Appends another piece.
    pub(super) fn append(&mut self, other: Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.holes.extend(other.holes.into_iter().map(|hole| Hole { at: hole.at + shift, kind: hole.kind }));
    }
}

/// Writes a URL as an attribute's value: what may not stand in a URL is percent-encoded, the rest is left as the author wrote it.
pub(super) fn escape_url(url: &str) -> String {
    utf8_percent_encode(url, ILLEGAL).to_string().replace('&', "&amp;").replace('\'', "&#x27;")
}
