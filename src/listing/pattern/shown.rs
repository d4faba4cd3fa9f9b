//! Name patterns as shown to readers.

use super::{super::segment::Segment, Pattern};

impl Pattern {
    /// The names as shown to readers, for each kind of row: literal text, and placeholders for variable parts.
    #[must_use]
    pub fn shown(&self) -> Vec<ShownName> {
        self.names()
            .iter()
            .map(|name| ShownName {
                kind: name.kind.to_string(),
                pieces: name
                    .parts
                    .iter()
                    .map(|part| match part {
                        Segment::Literal(text) => ShownPiece { text: text.clone(), variable: false },
                        other => ShownPiece { text: other.shown().to_owned(), variable: true },
                    })
                    .collect(),
            })
            .collect()
    }
}

/// A name in `kubectl` output, with its variable parts marked.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ShownName {
    /// The kind of the row.
    pub kind: String,
    /// The pieces in order.
    pub pieces: Vec<ShownPiece>,
}

/// A piece of such a name.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ShownPiece {
    /// Literal text, or the placeholder of a variable part.
    pub text: String,
    /// Whether it is a variable part.
    pub variable: bool,
}
