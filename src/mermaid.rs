//! Mermaid diagrams, drawn at build time.
//!
//! ```text
//! text ──source──▶ DiagramSource ──engine──▶ merman's SVG ──graph, sequence──▶ MermaidDrawing
//! ```
//!
//! The crate merman parses the language and computes the layout. Its SVG is only read, never copied: [`svg_writer`] writes the markup of a page from numbers,
//! text and a fixed set of class names. No style, script, id, address or element of merman or of an author can be in it, and the style sheet defines the
//! colours of Mermaid diagrams as for all other diagrams.
//!
//! [`draw`] is deterministic: the same source gives the same bytes on every machine. No source makes it panic or run for more than a few
//! seconds, because sizes and work are limited. Links have no address until the caller has checked them.

mod drawing;
mod engine;
mod graph;
mod measurer;
mod path;
mod sequence;
mod source;
mod svg_reader;
mod svg_writer;

pub use drawing::{DrawError, MermaidDrawing, NODE_CLASS, NodeLink, SvgFragment};

use roxmltree::{Document, ParsingOptions};

use source::{DiagramKind, DiagramSource};
use svg_writer::SvgWriter;

/// The limit for elements in merman's SVG; no diagram within the other limits has that many.
const MOST_ELEMENTS: u32 = 200_000;

/// Draws a diagram.
///
/// # Errors
///
/// A source that is not valid, of a kind that is not built in, or too large.
pub fn draw(source: &str) -> Result<MermaidDrawing, DrawError> {
    let diagram = DiagramSource::parse(source)?;
    let svg = engine::render(source, &diagram)?;
    read(&svg, &diagram).ok_or_else(|| {
        DrawError::new(diagram.first_line.clone(), "this diagram cannot be drawn", "draw a smaller part of it, or describe it in words")
    })
}

/// The drawing in merman's SVG; `None` if there are no known elements in it.
fn read(svg: &str, diagram: &DiagramSource) -> Option<MermaidDrawing> {
    let options = ParsingOptions { nodes_limit: MOST_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(svg, options).ok()?;
    let root = document.root_element();
    let mut out = SvgWriter::default();
    match diagram.kind {
        DiagramKind::Flowchart | DiagramKind::State => graph::read(root, diagram, &mut out),
        DiagramKind::Sequence => sequence::read(root, &mut out),
    }
    let text_of = |name: &str| {
        let element = root.children().find(|child| child.has_tag_name((root.tag_name().namespace().unwrap_or_default(), name)))?;
        Some(element.text()?.trim().to_owned()).filter(|text| !text.is_empty())
    };
    let drawing = out.finish()?;
    Some(MermaidDrawing {
        title: text_of("title").or_else(|| diagram.title.clone()),
        description: text_of("desc"),
        links: diagram.links.clone(),
        ..drawing
    })
}

#[cfg(test)]
pub(crate) mod properties;
#[cfg(test)]
mod tests;
