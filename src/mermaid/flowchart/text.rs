//! Texts in quotes.

use super::super::{drawing::DrawError, scanner::Scanner};

/// Reads a text in quotes.
pub(super) fn quoted(scanner: &mut Scanner<'_>) -> Result<String, DrawError> {
    let start = scanner.at;
    scanner.eat("\"");
    let text = scanner.take_while(|character| character != '"');
    if scanner.eat("\"") {
        return Ok(text.to_owned());
    }
    let span = Scanner::new(scanner.text, start).rest_of_line();
    Err(DrawError::new(span, "this text is not closed", "write `\"` at its end, and `#quot;` for a quote in it"))
}
