//! Sequence diagrams: a column for each participant, a row for each message.
//!
//! ```text
//! text ──parser──▶ Sequence ──columns──▶ positions of lifelines ──extents──▶ widths of frames ──rows──▶ drawing
//! ```

mod arrow;
mod builder;
mod columns;
mod extents;
mod model;
mod parser;
mod parts;
mod rows;
mod statements;

use super::{
    drawing::{DrawError, MermaidDrawing},
    label::label_lines,
    source::DiagramSource,
    svg_writer::SvgWriter,
};
use crate::diagram::measure::LABEL_SIZE;

/// The width at which the title is broken into lines.
const TITLE_ROOM: f64 = 600.0;

/// Draws a sequence diagram; `None` if it is empty.
///
/// # Errors
///
/// A source that is not valid or too large.
pub(super) fn draw(source: &DiagramSource) -> Result<Option<MermaidDrawing>, DrawError> {
    let (sequence, accessibility) = parser::parse(source)?;
    let columns = columns::columns(&sequence);
    let extents = extents::extents(&sequence, &columns);
    let mut out = SvgWriter::default();
    out.heading = sequence.title.as_deref().map(|title| label_lines(title, LABEL_SIZE, TITLE_ROOM)).unwrap_or_default();
    rows::draw(&sequence, &columns, &extents, &mut out);
    Ok(out.finish().map(|drawing| MermaidDrawing { title: accessibility.title, description: accessibility.description, ..drawing }))
}
