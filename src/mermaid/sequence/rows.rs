//! The rows from top to bottom: the positions of everything.

use super::{
    super::{
        label::{BOLD, LabelLine, label_size},
        path::{PathSegment, Point, SvgPath},
        svg_writer::SvgWriter,
    },
    columns::{BESIDE, Columns, IN_BOX, LOOP, note_size},
    extents::{FrameExtent, title_lines, word_width},
    model::{FrameKind, NotePlace, Sequence, SequenceMessage, Step},
    parts::{Part, WORD, write},
};
use crate::diagram::measure::{LABEL_SIZE, SMALL_SIZE};

/// The space above and below the name of a participant.
const AROUND_NAME: f64 = 18.0;
/// The distances between steps, and between a text and its arrow.
const BETWEEN: f64 = 14.0;
const ABOVE_ARROW: f64 = 5.0;
/// The space around the steps of a frame.
const IN_FRAME: f64 = 8.0;
/// Half of the width of an activation, and how far one in another is moved.
const BAR: f64 = 5.0;
/// The height of a message to its sender.
const LOOP_HEIGHT: f64 = 20.0;

/// A frame that is open.
struct OpenFrame {
    step: usize,
    kind: FrameKind,
    top: f64,
    titles: Vec<(Point, Vec<LabelLine>)>,
    sections: Vec<f64>,
}

struct RowLayout<'a> {
    sequence: &'a Sequence,
    columns: &'a Columns,
    extents: &'a [FrameExtent],
    parts: Vec<Part>,
    y: f64,
    /// The height of the boxes of participants.
    high: f64,
    /// Where the lifeline of each participant begins, if it has begun and has not ended.
    begins: Vec<Option<f64>>,
    /// The starts of the activations of each participant.
    active: Vec<Vec<f64>>,
    destroyed: Vec<usize>,
    frames: Vec<OpenFrame>,
    /// The y of the last message.
    last: f64,
}

pub(super) fn draw(sequence: &Sequence, columns: &Columns, extents: &[FrameExtent], out: &mut SvgWriter) {
    let count = sequence.participants.len();
    let high =
        sequence.participants.iter().map(|participant| label_size(&participant.label, LABEL_SIZE).1).fold(0.0, f64::max) + AROUND_NAME;
    let mut rows = RowLayout {
        sequence,
        columns,
        extents,
        parts: Vec::new(),
        y: 0.0,
        high,
        begins: vec![None; count],
        active: vec![Vec::new(); count],
        destroyed: Vec::new(),
        frames: Vec::new(),
        last: 0.0,
    };
    rows.start();
    for (index, step) in sequence.steps.iter().enumerate() {
        rows.step(index, step);
    }
    rows.finish();
    write(sequence, columns, rows.parts, high, out);
}

impl RowLayout<'_> {
    /// The boxes of the participants that are there from the beginning.
    fn start(&mut self) {
        let titles = self.sequence.boxes.iter().map(|group| label_size(&group.title, SMALL_SIZE).1).fold(0.0, f64::max);
        self.y = if self.sequence.boxes.is_empty() { 0.0 } else { titles + 2.0 * IN_BOX };
        for (index, participant) in self.sequence.participants.iter().enumerate() {
            if !participant.is_created {
                self.parts.push(Part::Participant { index, top: self.y });
                self.begins[index] = Some(self.y + self.high);
            }
        }
        self.y += self.high;
        self.last = self.y;
    }

    fn step(&mut self, index: usize, step: &Step) {
        match step {
            Step::Message(message) if message.from == message.to => self.loop_message(message),
            Step::Message(message) => self.message(message),
            Step::Note { place, text } => self.note(*place, text),
            Step::Open { kind, title } => self.open(index, *kind, title),
            Step::Section { title } => self.section(title),
            Step::Close => self.close(),
            Step::Activate(participant) => self.active[*participant].push(self.last),
            Step::Deactivate(participant) => self.deactivate(*participant, self.last),
            Step::Destroy(participant) => self.destroyed.push(*participant),
        }
    }

    /// The side of a lifeline, or of the activations on it, to the right (1) or left (-1).
    fn edge(&self, participant: usize, side: f64) -> f64 {
        let depth = self.active[participant].len();
        let bars = if depth == 0 { 0.0 } else { BAR + if side > 0.0 { BAR * (to_float(depth) - 1.0) } else { 0.0 } };
        side.mul_add(bars, self.columns.at[participant])
    }

    fn message(&mut self, message: &SequenceMessage) {
        let lines = self.columns.message(message);
        let (_, text) = label_size(&lines, SMALL_SIZE);
        let is_creation = self.begins[message.to].is_none() && self.sequence.participants[message.to].is_created;
        self.y += BETWEEN + text + ABOVE_ARROW;
        if is_creation {
            // The box of the new participant is at the end of the arrow.
            self.y = self.y.max(self.last + BETWEEN + self.high / 2.0);
        }
        let y = self.y;
        if message.activates {
            self.active[message.to].push(y);
        }
        let side = if self.columns.at[message.to] > self.columns.at[message.from] { 1.0 } else { -1.0 };
        let start = self.edge(message.from, side);
        let end = if is_creation {
            self.parts.push(Part::Participant { index: message.to, top: y - self.high / 2.0 });
            self.begins[message.to] = Some(y + self.high / 2.0);
            self.columns.at[message.to] - side * self.columns.width[message.to] / 2.0
        } else {
            self.edge(message.to, -side)
        };
        let (path, heads) = (SvgPath::line(&[(start, y), (end, y)]), message.heads);
        self.parts.push(Part::Arrow { path, is_dashed: message.is_dashed, heads });
        if !lines.is_empty() {
            self.parts.push(Part::Text { at: (f64::midpoint(start, end), y - ABOVE_ARROW - text / 2.0), lines });
        }
        self.after_message(message, (self.columns.at[message.from], y));
        if is_creation {
            self.y += self.high / 2.0;
        }
    }

    fn loop_message(&mut self, message: &SequenceMessage) {
        let lines = self.columns.message(message);
        let (wide, text) = label_size(&lines, SMALL_SIZE);
        let high = LOOP_HEIGHT.max(text);
        self.y += BETWEEN;
        let (top, bottom) = (self.y + (high - LOOP_HEIGHT) / 2.0, self.y + f64::midpoint(high, LOOP_HEIGHT));
        let start = self.edge(message.from, 1.0);
        if message.activates {
            self.active[message.to].push(bottom);
        }
        let end = self.edge(message.to, 1.0);
        let far = start + LOOP - 6.0;
        let middle = f64::midpoint(top, bottom);
        let path = SvgPath::new(vec![
            PathSegment::Move((start, top)),
            PathSegment::Line((far - 6.0, top)),
            PathSegment::Curve((far, top), (far, top), (far, middle)),
            PathSegment::Curve((far, bottom), (far, bottom), (far - 6.0, bottom)),
            PathSegment::Line((end, bottom)),
        ]);
        self.parts.push(Part::Arrow { path, is_dashed: message.is_dashed, heads: message.heads });
        if !lines.is_empty() {
            self.parts.push(Part::Text { at: (far + 6.0 + wide / 2.0, middle), lines });
        }
        self.y = bottom.max(self.y + high);
        self.after_message(message, (self.columns.at[message.from], bottom));
        if let Some(Part::Number { at, .. }) = self.parts.last_mut().filter(|part| matches!(part, Part::Number { .. })) {
            at.1 = top;
        }
    }

    fn after_message(&mut self, message: &SequenceMessage, (x, y): Point) {
        self.last = y;
        if message.deactivates {
            self.deactivate(message.from, y);
        }
        for participant in std::mem::take(&mut self.destroyed) {
            if participant != message.from && participant != message.to {
                self.destroyed.push(participant);
                continue;
            }
            while !self.active[participant].is_empty() {
                self.deactivate(participant, y);
            }
            if let Some(from) = self.begins[participant].take() {
                let x = self.columns.at[participant];
                self.parts.extend([Part::Lifeline { x, from, to: y }, Part::End { x, y }]);
            }
            self.y += 4.0;
        }
        if let Some(text) = message.number.clone() {
            self.parts.push(Part::Number { at: (x, y), text });
        }
    }

    fn deactivate(&mut self, participant: usize, y: f64) {
        if let Some(from) = self.active[participant].pop() {
            let depth = to_float(self.active[participant].len());
            let corner = (BAR.mul_add(depth - 1.0, self.columns.at[participant]), from);
            self.parts.push(Part::Bar { corner, size: (2.0 * BAR, (y - from).max(8.0)) });
        }
    }

    fn note(&mut self, place: NotePlace, text: &str) {
        let (mut left, wide, lines) = self.columns.note(place, text);
        let (_, high) = note_size(&lines);
        // Not over the activations of its lifeline.
        if let NotePlace::RightOf(participant) = place {
            left = left.max(self.edge(participant, 1.0) + BESIDE / 2.0);
        }
        self.y += BETWEEN;
        self.parts.push(Part::Note { corner: (left, self.y), size: (wide, high), lines });
        self.y += high;
        self.last = self.y;
    }

    fn open(&mut self, step: usize, kind: FrameKind, title: &str) {
        let extent = self.extents[step];
        self.y += BETWEEN;
        let top = self.y;
        let mut titles = Vec::new();
        if let FrameKind::Named(_) = kind {
            let room = extent.right - extent.left - word_width(kind) - 2.0 * IN_FRAME;
            let lines = title_lines(title, room);
            let (wide, high) = label_size(&lines, SMALL_SIZE);
            if !lines.is_empty() {
                let left = extent.left + word_width(kind) + IN_FRAME;
                titles.push(((left + wide / 2.0, top + (high / 2.0).max(WORD / 2.0) + 1.0), lines));
            }
            self.y += high.max(WORD) + 2.0;
        }
        self.last = self.y;
        self.frames.push(OpenFrame { step, kind, top, titles, sections: Vec::new() });
    }

    fn section(&mut self, title: &str) {
        self.y += BETWEEN;
        let y = self.y;
        let Some(frame) = self.frames.last_mut() else { return };
        let extent = self.extents[frame.step];
        let lines = title_lines(title, extent.right - extent.left - 2.0 * IN_FRAME);
        let (wide, high) = label_size(&lines, SMALL_SIZE);
        frame.sections.push(y);
        if !lines.is_empty() {
            frame.titles.push(((extent.left + IN_FRAME + wide / 2.0, y + high / 2.0 + 4.0), lines));
        }
        self.y += high + 4.0;
        self.last = self.y;
    }

    fn close(&mut self) {
        self.y += BETWEEN;
        self.last = self.y;
        let Some(OpenFrame { step, kind, top, titles, sections }) = self.frames.pop() else { return };
        let FrameExtent { left, right } = self.extents[step];
        let (corner, size) = ((left, top), (right - left, self.y - top));
        self.parts.push(match kind {
            FrameKind::Named(word) => Part::Frame { corner, size, word, word_width: word_width(kind), titles, sections },
            FrameKind::Area => Part::Area { corner, size, title: Vec::new() },
        });
    }

    fn finish(&mut self) {
        self.y += BETWEEN + 4.0;
        for participant in 0..self.sequence.participants.len() {
            while !self.active[participant].is_empty() {
                self.deactivate(participant, self.y - 8.0);
            }
            match self.begins[participant].take() {
                Some(from) => self.parts.push(Part::Lifeline { x: self.columns.at[participant], from, to: self.y }),
                // Created, but without a message.
                None if !self.parts.iter().any(|part| matches!(part, Part::Participant { index, .. } if *index == participant)) => {
                    self.parts.push(Part::Participant { index: participant, top: 0.0 });
                }
                None => {}
            }
        }
        for (group, title) in self.sequence.boxes.iter().enumerate().map(|(group, entry)| (group, entry.title.clone())) {
            let members = (0..self.sequence.participants.len()).filter(|&index| self.sequence.participants[index].group == Some(group));
            let ends = members.map(|index| (self.columns.at[index], self.columns.width[index] / 2.0));
            let (left, right) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(left, right), (x, half)| {
                (left.min(x - half - IN_BOX), right.max(x + half + IN_BOX))
            });
            if left < right {
                let right = right.max(left + BOLD * label_size(&title, SMALL_SIZE).0 + 2.0 * IN_BOX);
                self.parts.push(Part::Area { corner: (left, 0.0), size: (right - left, self.y + 4.0), title });
            }
        }
    }
}

fn to_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
