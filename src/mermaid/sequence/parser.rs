//! Parses sequence diagrams.
//!
//! Source: the grammar in Mermaid's documentation, <https://mermaid.js.org/syntax/sequenceDiagram.html>.

use super::{
    super::{
        drawing::DrawError,
        scanner::{self, Accessibility, Scanner},
        source::DiagramSource,
    },
    builder::{OpenBlock, SequenceBuilder},
    model::Sequence,
    statements,
};

pub(super) fn parse(source: &DiagramSource) -> Result<(Sequence, Accessibility), DrawError> {
    let mut scanner = Scanner::new(&source.text, source.start);
    let mut parser = SequenceBuilder::default();
    let accessibility = scanner::statements(&mut scanner, &mut parser, |scanner, parser| {
        // Comments of Mermaid's first versions.
        if scanner.rest().starts_with('#') {
            scanner.take_line();
            return Ok(());
        }
        statements::statement(scanner, parser)
    })?;
    match parser.open.pop() {
        Some(OpenBlock::Box(opening) | OpenBlock::Frame(opening, _)) => {
            let word = &source.text[opening.clone()];
            let message = format!("this `{word}` is not closed");
            Err(DrawError::new(opening, message, "write `end` on a line after its last statement"))
        }
        None => Ok((parser.sequence, accessibility)),
    }
}
