//! The parts of the drawing of a sequence diagram, and their markup.

use super::{
    super::{
        label::{LabelLine, LabelRun, label_lines, label_size},
        path::{Point, SvgPath},
        svg_writer::{Arrowhead, SvgWriter, TextRole},
    },
    columns::{Columns, IN_BOX},
    model::Sequence,
};
use crate::diagram::measure::{SMALL_SIZE, width};

/// The height of the word in the corner of a frame.
pub(super) const WORD: f64 = 19.0;
/// The height of the number of a message.
const NUMBER: f64 = 18.0;

/// A part of the drawing.
pub(super) enum Part {
    Area { corner: Point, size: Point, title: Vec<LabelLine> },
    Lifeline { x: f64, from: f64, to: f64 },
    End { x: f64, y: f64 },
    Bar { corner: Point, size: Point },
    Frame { corner: Point, size: Point, word: &'static str, word_width: f64, titles: Vec<(Point, Vec<LabelLine>)>, sections: Vec<f64> },
    Note { corner: Point, size: Point, lines: Vec<LabelLine> },
    Arrow { path: SvgPath, is_dashed: bool, heads: [Option<Arrowhead>; 2] },
    Text { at: Point, lines: Vec<LabelLine> },
    Number { at: Point, text: String },
    Participant { index: usize, top: f64 },
}

/// Writes the parts in layers: areas, lifelines, bars of activations, frames, notes and messages, participants.
pub(super) fn write(sequence: &Sequence, columns: &Columns, parts: Vec<Part>, high: f64, out: &mut SvgWriter) {
    let mut layers: [Vec<Part>; 6] = Default::default();
    for part in parts {
        let layer = match part {
            Part::Area { .. } => 0,
            Part::Lifeline { .. } => 1,
            Part::Bar { .. } => 2,
            Part::Frame { .. } => 3,
            Part::Note { .. } | Part::Arrow { .. } | Part::Text { .. } | Part::Number { .. } | Part::End { .. } => 4,
            Part::Participant { .. } => 5,
        };
        layers[layer].push(part);
    }
    // The outer of two areas, and the outer of two bars, was finished after the inner one.
    layers[0].reverse();
    layers[2].reverse();
    let areas: Vec<(Point, Point)> = layers[0]
        .iter()
        .filter_map(|part| if let Part::Area { corner, size, .. } = part { Some((*corner, *size)) } else { None })
        .collect();
    let is_in_area = |(x, y): Point| {
        areas.iter().any(|(corner, size)| (corner.0..corner.0 + size.0).contains(&x) && (corner.1..corner.1 + size.1).contains(&y))
    };
    let caption = |at: Point| if is_in_area(at) { TextRole::GroundCaption } else { TextRole::Caption };
    for part in layers.into_iter().flatten() {
        match part {
            Part::Area { corner, size, title } => {
                out.open_group("ground");
                out.rect("area", corner, size, 0.0);
                let (_, high) = label_size(&title, SMALL_SIZE);
                out.text(TextRole::Cluster, &title, (corner.0 + IN_BOX, corner.1 + IN_BOX + high / 2.0));
                out.close_group();
            }
            Part::Lifeline { x, from, to } => out.path("lifeline", &SvgPath::line(&[(x, from), (x, to)])),
            Part::End { x, y } => {
                for side in [6.0, -6.0] {
                    out.path("line", &SvgPath::line(&[(x - side, y - 6.0), (x + side, y + 6.0)]));
                }
            }
            Part::Bar { corner, size } => out.rect("active", corner, size, 0.0),
            Part::Frame { corner, size, word, word_width, titles, sections } => {
                frame(corner, size, (word, word_width), &sections, out);
                for (at, lines) in &titles {
                    out.text(caption(*at), lines, *at);
                }
                out.close_group();
            }
            Part::Note { corner, size, lines } => {
                out.open_group("note");
                out.rect("slip", corner, size, 0.0);
                out.text(TextRole::Caption, &lines, (corner.0 + size.0 / 2.0, corner.1 + size.1 / 2.0));
                out.close_group();
            }
            Part::Arrow { path, is_dashed, heads } => out.arrow(if is_dashed { "line dashed" } else { "line" }, path, heads),
            Part::Text { at, lines } => out.text(caption(at), &lines, at),
            Part::Number { at, text } => number(at, &text, out),
            Part::Participant { index, top } => {
                let (participant, wide) = (&sequence.participants[index], columns.width[index]);
                out.open_node("", None);
                out.rect("box", (columns.at[index] - wide / 2.0, top), (wide, high), if participant.is_person { high / 2.0 } else { 2.0 });
                out.text(TextRole::Label, &participant.label, (columns.at[index], top + high / 2.0));
                out.close_node(None);
            }
        }
    }
}

fn frame(corner: Point, size: Point, (word, wide): (&str, f64), sections: &[f64], out: &mut SvgWriter) {
    let (left, top) = corner;
    let (right, bottom) = (left + size.0, top + size.1);
    out.open_group("frame");
    out.path("edge", &SvgPath::line(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]));
    for &y in sections {
        out.path("edge dashed", &SvgPath::line(&[(left, y), (right, y)]));
    }
    let cut = 6.0;
    out.polygon(
        "tab",
        &[(left, top), (left + wide, top), (left + wide, top + WORD - cut), (left + wide - cut, top + WORD), (left, top + WORD)],
    );
    let run = LabelRun { text: word.to_owned(), ..LabelRun::default() };
    out.text(TextRole::Tab, &[vec![run]], (left + (wide - 2.0) / 2.0, top + WORD / 2.0));
}

fn number((x, y): Point, text: &str, out: &mut SvgWriter) {
    let wide = (width(text, SMALL_SIZE) + 8.0).max(NUMBER);
    out.rect("number", (x - wide / 2.0, y - NUMBER / 2.0), (wide, NUMBER), NUMBER / 2.0);
    out.text(TextRole::Number, &label_lines(text, SMALL_SIZE, wide), (x, y));
}
