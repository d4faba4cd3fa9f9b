//! Colours code while building: a dozen classes, no colours in the HTML.

/// Colours code. Creating one unpacks the grammars; share it.
#[derive(Debug, Default)]
pub struct Highlighter {}
