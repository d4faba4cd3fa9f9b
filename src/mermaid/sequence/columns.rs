//! The positions of lifelines: as near to each other as texts and boxes allow.

use super::{
    super::label::{LabelLine, label_lines, label_size},
    model::{NotePlace, Sequence, SequenceMessage, Step},
};
use crate::diagram::measure::{LABEL_SIZE, SMALL_SIZE};

/// The least width of a participant's box, and the space around its name.
const NARROWEST: f64 = 84.0;
const AROUND_NAME: f64 = 24.0;
/// The distance between the boxes of participants.
const BETWEEN: f64 = 28.0;
/// The space between the border of a box around participants and their boxes.
pub(super) const IN_BOX: f64 = 10.0;
/// The widths at which texts are broken into lines, unless there is more room.
const TEXT_ROOM: f64 = 210.0;
const NOTE_ROOM: f64 = 180.0;
/// The space around a text between two lifelines.
const AROUND_TEXT: f64 = 34.0;
/// The space between the text of a note and its border.
pub(super) const IN_NOTE: f64 = 9.0;
/// The distance of a note from the lifeline next to it.
pub(super) const BESIDE: f64 = 12.0;
/// How far a note over several lifelines extends beyond them.
pub(super) const BEYOND: f64 = 22.0;
/// The width of a message to its sender.
pub(super) const LOOP: f64 = 30.0;

/// The columns.
pub(super) struct Columns {
    /// The positions of the lifelines.
    pub(super) at: Vec<f64>,
    /// The widths of the participants' boxes.
    pub(super) width: Vec<f64>,
}

pub(super) fn columns(sequence: &Sequence) -> Columns {
    let width: Vec<f64> = sequence
        .participants
        .iter()
        .map(|participant| (label_size(&participant.label, LABEL_SIZE).0 + AROUND_NAME).max(NARROWEST))
        .collect();
    let count = width.len();
    // The least distances between pairs of lifelines, by the later one.
    let mut distances: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
    let mut left: f64 = width.first().map_or(0.0, |width| width / 2.0);
    for index in 1..count {
        let (before, after) = (&sequence.participants[index - 1], &sequence.participants[index]);
        let border = |group: Option<usize>| if group.is_some() { IN_BOX } else { 0.0 };
        let borders = if before.group == after.group { 0.0 } else { border(before.group) + border(after.group) };
        distances[index].push((index - 1, f64::midpoint(width[index - 1], width[index]) + BETWEEN + borders));
    }
    let mut between = |a: usize, b: usize, distance: f64| {
        if a < b && b < count {
            distances[b].push((a, distance));
        }
    };
    for step in &sequence.steps {
        match step {
            Step::Message(SequenceMessage { from, to, text, .. }) => {
                let (wide, _) = label_size(&label_lines(text, SMALL_SIZE, TEXT_ROOM), SMALL_SIZE);
                if from == to {
                    between(*from, *from + 1, LOOP + wide + AROUND_TEXT);
                } else {
                    between(*from.min(to), *from.max(to), wide + AROUND_TEXT);
                }
            }
            Step::Note { place, text } => {
                let wide = note_size(&note_lines(text, NOTE_ROOM)).0;
                match *place {
                    NotePlace::LeftOf(0) => left = left.max(wide + BESIDE),
                    NotePlace::LeftOf(participant) => between(participant - 1, participant, wide + 2.0 * BESIDE),
                    NotePlace::RightOf(participant) => between(participant, participant + 1, wide + 2.0 * BESIDE),
                    NotePlace::Over(first, last) if first == last => {
                        let half = wide / 2.0 + BESIDE;
                        if first > 0 {
                            between(first - 1, first, half);
                        }
                        between(first, first + 1, half);
                    }
                    NotePlace::Over(first, last) => between(first, last, (wide - 2.0 * BEYOND).min(NOTE_ROOM)),
                }
            }
            _ => {}
        }
    }
    let mut at: Vec<f64> = Vec::with_capacity(count);
    for (index, distances) in distances.iter().enumerate() {
        let reached = distances.iter().map(|&(before, distance)| at[before] + distance).fold(0.0, f64::max);
        at.push(if index == 0 { left } else { reached });
    }
    Columns { at, width }
}

impl Columns {
    /// The left end and the width of a note, and its lines.
    pub(super) fn note(&self, place: NotePlace, text: &str) -> (f64, f64, Vec<LabelLine>) {
        if let NotePlace::Over(first, last) = place
            && first != last
        {
            let span = self.at[last] - self.at[first] + 2.0 * BEYOND;
            let lines = note_lines(text, span - 2.0 * IN_NOTE);
            return (self.at[first] - BEYOND, span, lines);
        }
        let lines = note_lines(text, NOTE_ROOM);
        let wide = note_size(&lines).0;
        match place {
            NotePlace::LeftOf(participant) => (self.at[participant] - BESIDE - wide, wide, lines),
            NotePlace::RightOf(participant) => (self.at[participant] + BESIDE, wide, lines),
            NotePlace::Over(participant, _) => (self.at[participant] - wide / 2.0, wide, lines),
        }
    }

    /// The lines of a message's text.
    pub(super) fn message(&self, message: &SequenceMessage) -> Vec<LabelLine> {
        let span = (self.at[message.from] - self.at[message.to]).abs() - AROUND_TEXT;
        label_lines(&message.text, SMALL_SIZE, span.max(TEXT_ROOM))
    }
}

fn note_lines(text: &str, room: f64) -> Vec<LabelLine> {
    label_lines(text, SMALL_SIZE, room)
}

/// The size of a note with these lines.
pub(super) fn note_size(lines: &[LabelLine]) -> (f64, f64) {
    let (wide, high) = label_size(lines, SMALL_SIZE);
    (2.0f64.mul_add(IN_NOTE, wide), 2.0f64.mul_add(IN_NOTE - 2.0, high))
}
