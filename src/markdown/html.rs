//! HTML under construction: holes keep their positions while ranges are removed and inserted.

use percent_encoding::utf8_percent_encode;

use crate::{text::escape_into, url::ILLEGAL};

/// HTML with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html {
    /// The HTML without the content of the holes.
    pub text: String,
    /// Where to insert, in ascending order of `at`.
    pub holes: Vec<Hole>,
}

/// A place in the HTML to fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Byte offset in [`Html::text`].
    pub at: usize,
    /// The content to insert.
    pub kind: HoleKind,
}

/// The content of a hole. The number is an index into [`super::Prose::links`], [`super::Prose::listings`], [`super::Prose::facts`] or [`super::Prose::codes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleKind {
    /// The address of a link, as the value of a quoted attribute.
    Address(usize),
    /// The width and the height of the picture that a link leads to, as attributes; nothing if they aren't known.
    Size(usize),
    /// The name of the page that `[[id]]` links to, as text.
    Name(usize),
    /// The number of a citation, as text.
    Number(usize),
    /// A part of the facts, as a block of HTML.
    Facts(usize),
    /// A listing with its explanation, as a block of HTML.
    Listing(usize),
    /// The highlighted lines of a code block: they are more than half of a site's HTML, and not needed before the page is shown.
    Code(usize),
    /// Nothing: the beginning of a section, which is the position of its heading in [`super::Prose::headings`]. Only headings of level 2 that are in no other
    /// element begin a section. The footnotes are the last section, with the number of headings as their position.
    Section(usize),
}

/// An offset in [`Html`]. Because a hole has no text, the number of holes determines whether a hole at this byte is before or after it.
/// after it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HtmlPosition {
    text: usize,
    holes: usize,
}

impl Html {
    /// The HTML with every hole filled by `fill`, which must append text that is already escaped, or HTML for a listing or code.
    pub fn fill(&self, mut fill: impl FnMut(HoleKind, &mut String)) -> String {
        let mut filled = String::with_capacity(self.text.len() + 32 * self.holes.len());
        let mut done = 0;
        for hole in &self.holes {
            filled.push_str(&self.text[done..hole.at]);
            fill(hole.kind, &mut filled);
            done = hole.at;
        }
        filled.push_str(&self.text[done..]);
        filled
    }

    /// Appends markup without escaping it.
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

    /// Appends a hole.
    pub(super) fn hole(&mut self, kind: HoleKind) {
        self.holes.push(Hole { at: self.text.len(), kind });
    }

    /// Marks the beginning of a section.
    pub(super) fn begin_section(&mut self, heading: usize) {
        self.fresh_line();
        self.hole(HoleKind::Section(heading));
    }

    /// Appends a line break, unless the text is empty or ends with one.
    pub(super) fn fresh_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    /// The current end.
    pub(super) const fn end(&self) -> HtmlPosition {
        HtmlPosition { text: self.text.len(), holes: self.holes.len() }
    }

    /// Removes and returns everything after a position.
    pub(super) fn split_off(&mut self, from: HtmlPosition) -> Self {
        let mut holes = self.holes.split_off(from.holes);
        for hole in &mut holes {
            hole.at -= from.text;
        }
        Self { text: self.text.split_off(from.text), holes }
    }

    /// Appends other HTML with its holes.
    pub(super) fn append(&mut self, other: Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.holes.extend(other.holes.into_iter().map(|hole| Hole { at: hole.at + shift, kind: hole.kind }));
    }
}

/// A URL as the value of an attribute: characters that are not allowed in a URL are percent-encoded, existing escapes are kept.
pub(super) fn escape_url(url: &str) -> String {
    utf8_percent_encode(url, ILLEGAL).to_string().replace('&', "&amp;").replace('\'', "&#x27;")
}
