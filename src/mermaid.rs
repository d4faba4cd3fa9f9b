//! Mermaid diagrams, drawn while building.
//!
//! ```text
//! source ──parts──▶ what merman may see ──engine──▶ merman's SVG ──graph, sequence──▶ Drawing
//! ```
//!
//! The crate merman reads the language and says where everything lies. Its SVG is only read, never passed on: what ends up in a page is written by
//! [`pen`] from numbers, words and a dozen class names of ours, so no style, script, id, address or element of anybody else can be in it, and the
//! style sheet colours Mermaid's diagrams like all others.
//!
//! What [`draw`] promises: the same source gives the same bytes on every machine; no source makes it panic, and none keeps it busy for more than a
//! few seconds, because sizes and work are limited; links lead nowhere until the caller has judged them.

mod engine;
mod graph;
mod measurer;
mod parts;
mod path;
mod pen;
mod sequence;
mod svg;
mod text;

use std::ops::Range;

/// The kinds of diagrams that are built in, as their first word.
pub const KINDS: [&str; 3] = ["flowchart", "sequenceDiagram", "stateDiagram-v2"];

/// Why a source cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the source, in bytes; on boundaries of characters.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to type instead.
    pub help: String,
    /// Whether the source may be right, and is of a kind that is not built in.
    pub unsupported: bool,
}

/// A diagram that has its place in every detail.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// What its author calls it (`accTitle`, or `title` of its front matter).
    pub title: Option<String>,
    /// What its author says of it (`accDescr`).
    pub description: Option<String>,
    /// The words in it, in the order in which they are drawn.
    pub words: Vec<String>,
    /// Boxes that lead somewhere.
    pub links: Vec<Link>,
    width: f64,
    height: f64,
    pieces: Vec<Piece>,
    /// Left and top of what is visible.
    origin: (f64, f64),
}

/// A box that leads somewhere (`click A href "…"`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where, as written.
    pub address: String,
    /// Where that is written in the source, in bytes.
    pub span: Range<usize>,
}

/// A part of the markup.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// Markup.
    Markup(String),
    /// A box begins that leads where [`Drawing::links`] says.
    Open(usize),
    /// It ends.
    Close(usize),
}

/// A part of a drawing's markup as its caller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// To be copied.
    Markup(&'a str),
    /// Here begins a box that leads where the link of this number says: an element with the class [`NODE`].
    Open(usize),
    /// Here it ends.
    Close(usize),
}

/// The class of the element around a box.
pub const NODE: &str = "node";

/// Draws a diagram.
///
/// # Errors
///
/// A source that is not understood, that is of a kind that is not built in, or that is too large.
pub fn draw(source: &str) -> Result<Drawing, Problem> {
    let parts = parts::Parts::of(source)?;
    let svg = engine::render(source, &parts)?;
    svg::read(&svg, &parts).ok_or_else(|| Problem {
        span: parts.first_line.clone(),
        message: "this diagram cannot be drawn".to_owned(),
        help: "draw a smaller part of it, or say it in words".to_owned(),
        unsupported: false,
    })
}

impl Drawing {
    /// The opening tag of the `<svg>` element, up to where its title stands.
    #[must_use]
    pub fn opening(&self) -> String {
        let mut out = format!("<svg class=\"diagram mermaid {}", crate::diagram::size_class(self.width));
        // The content of an image has no parts, so one could not reach the links in it.
        out.push_str(if self.links.is_empty() { "\" role=\"img\"" } else { "\" role=\"group\"" });
        let mut number = |name: &str, value: f64| {
            out.push_str(name);
            path::push_number(&mut out, value);
        };
        number(" width=\"", self.width);
        number("\" height=\"", self.height);
        number("\" viewBox=\"", self.origin.0);
        number(" ", self.origin.1);
        number(" ", self.width);
        number(" ", self.height);
        out.push_str("\" text-anchor=\"middle\">");
        out
    }

    /// The markup between the title and the end of the `<svg>` element.
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.pieces.iter().map(|piece| match piece {
            Piece::Markup(text) => Part::Markup(text),
            Piece::Open(link) => Part::Open(*link),
            Piece::Close(link) => Part::Close(*link),
        })
    }
}

#[cfg(test)]
pub(crate) mod laws;
#[cfg(test)]
mod tests;
