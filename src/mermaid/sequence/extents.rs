//! The left and right ends of frames: around everything that is in them.

use super::{
    super::label::{LabelLine, label_lines, label_size},
    columns::{Columns, LOOP},
    model::{FrameKind, Sequence, Step},
};
use crate::diagram::measure::SMALL_SIZE;

/// The space between a frame and what is in it.
const AROUND: f64 = 16.0;
/// The space between a frame and a frame in it.
const AROUND_FRAME: f64 = 8.0;
/// The space around the word in the corner of a frame.
const AROUND_WORD: f64 = 14.0;
/// The width at which titles of frames are broken into lines, unless the frame is wider.
const TITLE_ROOM: f64 = 260.0;

/// The left and the right end of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FrameExtent {
    pub(super) left: f64,
    pub(super) right: f64,
}

impl FrameExtent {
    const EMPTY: Self = Self { left: f64::INFINITY, right: f64::NEG_INFINITY };

    fn include(&mut self, left: f64, right: f64) {
        self.left = self.left.min(left);
        self.right = self.right.max(right);
    }
}

/// The ends of each frame, by the index of the step that opens it.
pub(super) fn extents(sequence: &Sequence, columns: &Columns) -> Vec<FrameExtent> {
    let mut extents = vec![FrameExtent::EMPTY; sequence.steps.len()];
    let mut open: Vec<usize> = Vec::new();
    let mut titles: Vec<f64> = Vec::new();
    for (index, step) in sequence.steps.iter().enumerate() {
        match step {
            Step::Open { kind, title } => {
                open.push(index);
                titles.push(needed(*kind, title));
            }
            Step::Section { title } => {
                if let Some(widest) = titles.last_mut() {
                    *widest = widest.max(needed(FrameKind::Named(""), title));
                }
            }
            Step::Close => {
                let (Some(opening), Some(title)) = (open.pop(), titles.pop()) else { continue };
                if extents[opening].left > extents[opening].right {
                    let (first, last) = (columns.at.first().copied().unwrap_or(0.0), columns.at.last().copied().unwrap_or(0.0));
                    extents[opening].include(first - AROUND, last + AROUND);
                }
                let FrameExtent { left, right } = extents[opening];
                extents[opening].right = right.max(left + title);
                if let Some(&outer) = open.last() {
                    let right = extents[opening].right;
                    extents[outer].include(left - AROUND_FRAME, right + AROUND_FRAME);
                }
            }
            _ => {
                if let Some(&frame) = open.last() {
                    include(&mut extents[frame], step, columns);
                }
            }
        }
    }
    extents
}

fn include(extent: &mut FrameExtent, step: &Step, columns: &Columns) {
    match step {
        Step::Message(message) => {
            let (from, to) = (columns.at[message.from], columns.at[message.to]);
            extent.include(from.min(to) - AROUND, from.max(to) + AROUND);
            let (wide, _) = label_size(&columns.message(message), SMALL_SIZE);
            if message.from == message.to {
                extent.include(from, from + LOOP + wide + AROUND);
            } else {
                let middle = f64::midpoint(from, to);
                extent.include(middle - wide / 2.0 - AROUND_FRAME, middle + wide / 2.0 + AROUND_FRAME);
            }
        }
        Step::Note { place, text } => {
            let (left, wide, _) = columns.note(*place, text);
            extent.include(left - AROUND_FRAME, left + wide + AROUND_FRAME);
        }
        _ => {}
    }
}

/// The width of the area for the word in the corner of a frame.
pub(super) fn word_width(kind: FrameKind) -> f64 {
    match kind {
        FrameKind::Named(word) => crate::diagram::measure::width(word, SMALL_SIZE).mul_add(1.1, AROUND_WORD),
        FrameKind::Area => 0.0,
    }
}

/// The width that a frame needs for its word and its title.
fn needed(kind: FrameKind, title: &str) -> f64 {
    if kind == FrameKind::Area {
        return 0.0;
    }
    word_width(kind) + label_size(&title_lines(title, TITLE_ROOM), SMALL_SIZE).0 + 2.0 * AROUND_FRAME
}

/// The lines of the title of a frame or a section.
pub(super) fn title_lines(title: &str, room: f64) -> Vec<LabelLine> {
    if title.is_empty() { Vec::new() } else { label_lines(&format!("[{title}]"), SMALL_SIZE, room.max(TITLE_ROOM)) }
}
