//! Tokens of an expression of Jinja.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpressionToken<'t> {
    /// A text without its quotes, or a number.
    Text(&'t str),
    /// A variable, a filter or a keyword.
    Name(&'t str),
    /// A bracket or an operator.
    Symbol(&'t str),
}

/// The symbols; longer ones are before those that they begin with.
const SYMBOLS: [&str; 9] = ["==", "!=", "(", ")", "[", "]", "|", ",", "."];

/// Splits an expression; `None` if it has anything else.
pub(super) fn tokens(text: &str) -> Option<Vec<ExpressionToken<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = if let '\'' | '"' = first {
            let (text, _) = rest[1..].split_once(first)?;
            (ExpressionToken::Text(text), text.len() + 2)
        } else if first.is_ascii_alphanumeric() || first == '_' {
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let word = &rest[..length];
            (if first.is_ascii_digit() { ExpressionToken::Text(word) } else { ExpressionToken::Name(word) }, length)
        } else {
            let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol))?;
            (ExpressionToken::Symbol(symbol), symbol.len())
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}
