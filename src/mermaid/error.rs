//! Why a diagram cannot be drawn.

use std::ops::Range;

/// Why a source cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawError {
    /// Bytes of the source, on character boundaries.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// Whether the source may be valid, but is of a kind that is not built in.
    pub unsupported: bool,
}

impl DrawError {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: help.into(), unsupported: false }
    }
}
