//! Mermaid diagrams, drawn at build time.
//!
//! ```text
//! text ──source──▶ DiagramSource ──flowchart, state──▶ Chart ──chart_layout, layered──▶ ChartBlock ──chart_drawing──▶ MermaidDrawing
//!                                └─sequence──▶ Sequence ──sequence::layout──▶ MermaidDrawing
//! ```
//!
//! [`svg_writer`] writes the markup of a page from numbers, text and a fixed set of class names. No style, script, id, address or element of an author can
//! be in it, and the style sheet defines the colours of Mermaid diagrams as for all other diagrams.
//!
//! [`draw`] is deterministic: the same source gives the same bytes on every machine. No source makes it panic or run for more than a few
//! seconds, because sizes and work are limited. Links have no address until the caller has checked them.

mod chart;
mod chart_block;
mod chart_drawing;
mod chart_layout;
mod chart_sizes;
mod drawing;
mod flowchart;
mod label;
mod layered;
mod path;
mod scanner;
mod sequence;
mod shape;
mod source;
mod state;
mod svg_writer;

pub use drawing::{DrawError, MermaidDrawing, NODE_CLASS, NodeLink, SvgFragment};

use chart::Chart;
use source::{DiagramKind, DiagramSource};
use svg_writer::SvgWriter;

/// Draws a diagram.
///
/// # Errors
///
/// A source that is not valid, of a kind that is not built in, or too large.
pub fn draw(source: &str) -> Result<MermaidDrawing, DrawError> {
    let diagram = DiagramSource::parse(source)?;
    let drawing = match diagram.kind {
        DiagramKind::Flowchart => draw_chart(flowchart::parse(&diagram)?)?,
        DiagramKind::State => draw_chart(state::parse(&diagram)?)?,
        DiagramKind::Sequence => sequence::draw(&diagram)?,
    };
    let drawing = drawing.ok_or_else(|| {
        let message = "there is nothing to draw in this diagram";
        DrawError::new(diagram.first_line.clone(), message, "write at least one statement below this line")
    })?;
    Ok(MermaidDrawing { title: drawing.title.clone().or(diagram.title), ..drawing })
}

/// Draws a flowchart or a state diagram; `None` if it is empty.
fn draw_chart(chart: Chart) -> Result<Option<MermaidDrawing>, DrawError> {
    let block = chart_layout::layout(&chart)?;
    let mut out = SvgWriter::default();
    chart_drawing::draw(&chart, &block, &mut out);
    Ok(out.finish().map(|drawing| MermaidDrawing { title: chart.title, description: chart.description, links: chart.links, ..drawing }))
}

#[cfg(test)]
pub(crate) mod geometry;
#[cfg(test)]
pub(crate) mod parser_tests;
#[cfg(test)]
pub(crate) mod properties;
#[cfg(test)]
mod tests;
