//! What a sequence diagram consists of.

use super::super::{label::LabelLine, svg_writer::Arrowhead};

/// The limits for the parts of a diagram.
pub(super) const MOST_PARTICIPANTS: usize = 60;
pub(super) const MOST_STEPS: usize = 1_000;
pub(super) const DEEPEST_FRAME: usize = 12;

/// A sequence diagram.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub(super) title: Option<String>,
    pub(super) participants: Vec<Participant>,
    pub(super) boxes: Vec<ParticipantBox>,
    pub(super) steps: Vec<Step>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Participant {
    pub(super) label: Vec<LabelLine>,
    /// Whether it is a person, whose box has round ends.
    pub(super) is_person: bool,
    /// The box around it.
    pub(super) group: Option<usize>,
    /// Whether it begins with a message to it.
    pub(super) is_created: bool,
}

/// A box around neighbouring participants.
#[derive(Clone, Debug, Default)]
pub(super) struct ParticipantBox {
    pub(super) title: Vec<LabelLine>,
}

#[derive(Clone, Debug)]
pub(super) struct SequenceMessage {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) is_dashed: bool,
    /// The heads at its start and its end.
    pub(super) heads: [Option<Arrowhead>; 2],
    pub(super) text: String,
    pub(super) number: Option<String>,
    /// Whether the receiver becomes active, and whether the sender stops being active.
    pub(super) activates: bool,
    pub(super) deactivates: bool,
}

/// Where a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotePlace {
    LeftOf(usize),
    RightOf(usize),
    /// From the first to the last participant.
    Over(usize, usize),
}

/// The kind of a frame around steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// A frame with this word in its corner.
    Named(&'static str),
    /// A coloured area.
    Area,
}

#[derive(Clone, Debug)]
pub(super) enum Step {
    Message(SequenceMessage),
    Note {
        place: NotePlace,
        text: String,
    },
    Open {
        kind: FrameKind,
        title: String,
    },
    /// Another section of the innermost frame.
    Section {
        title: String,
    },
    Close,
    Activate(usize),
    Deactivate(usize),
    /// The next message with this participant is its last one.
    Destroy(usize),
}
