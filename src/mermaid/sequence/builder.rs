//! A sequence diagram under construction.

use std::{collections::BTreeMap, ops::Range};

use super::{
    super::{
        drawing::DrawError,
        label::{label_lines, reference},
        scanner::Scanner,
    },
    model::{MOST_PARTICIPANTS, MOST_STEPS, Participant, Sequence, Step},
};
use crate::diagram::measure::LABEL_SIZE;

/// The width at which the names of participants are broken into lines.
const NAME_ROOM: f64 = 150.0;

/// What is open, with the keyword that opened it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OpenBlock {
    Box(Range<usize>),
    /// A frame, and the keyword of its sections.
    Frame(Range<usize>, &'static str),
}

/// A diagram under construction.
#[derive(Debug, Default)]
pub(super) struct SequenceBuilder {
    pub(super) sequence: Sequence,
    pub(super) open: Vec<OpenBlock>,
    names: BTreeMap<String, usize>,
    /// The next number and the difference between numbers, if messages are numbered.
    pub(super) numbers: Option<(f64, f64)>,
}

impl SequenceBuilder {
    /// The participant with a name, which is added if it is new.
    pub(super) fn participant(&mut self, name: &str, span: Range<usize>) -> Result<usize, DrawError> {
        if let Some(&index) = self.names.get(name) {
            return Ok(index);
        }
        let index = self.sequence.participants.len();
        if index == MOST_PARTICIPANTS {
            let message = format!("this diagram is too large to be drawn: it has more than {MOST_PARTICIPANTS} participants");
            return Err(DrawError::new(span, message, "divide it into several diagrams"));
        }
        let label = label_lines(name, LABEL_SIZE, NAME_ROOM);
        self.sequence.participants.push(Participant { label, ..Participant::default() });
        self.names.insert(name.to_owned(), index);
        Ok(index)
    }

    pub(super) fn is_known(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    pub(super) fn set_label(&mut self, participant: usize, label: &str) {
        let unquoted = label.strip_prefix('"').and_then(|label| label.strip_suffix('"'));
        let lines = label_lines(unquoted.unwrap_or(label), LABEL_SIZE, NAME_ROOM);
        if !lines.is_empty() {
            self.sequence.participants[participant].label = lines;
        }
    }

    pub(super) fn push(&mut self, step: Step, span: &Range<usize>) -> Result<(), DrawError> {
        if self.sequence.steps.len() == MOST_STEPS {
            let message = format!("this diagram is too large to be drawn: it has more than {MOST_STEPS} steps");
            return Err(DrawError::new(span.clone(), message, "divide it into several diagrams"));
        }
        self.sequence.steps.push(step);
        Ok(())
    }
}

/// Reads the rest of a statement. A semicolon ends it, unless it is part of a character reference.
pub(super) fn rest_of_statement(scanner: &mut Scanner<'_>) -> String {
    let start = scanner.at;
    while let Some(character) = scanner.peek().filter(|character| !matches!(character, '\n' | ';')) {
        scanner.at += reference(scanner.rest()).map_or(character.len_utf8(), |(_, length)| length);
    }
    let text = scanner.text[start..scanner.at].trim();
    let text = text.strip_prefix(':').map_or(text, str::trim_start);
    let without_wrap = ["wrap:", "nowrap:"].iter().find_map(|prefix| text.strip_prefix(prefix));
    without_wrap.unwrap_or(text).trim().to_owned()
}
