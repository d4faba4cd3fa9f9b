//! A position in a source, from which parsers read.

use std::ops::Range;

use super::drawing::DrawError;

#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    /// Whether the statement ends here: with a line break, a semicolon or the source.
    pub(super) fn is_at_end_of_statement(&self) -> bool {
        self.peek().is_none_or(|character| matches!(character, '\n' | ';'))
    }

    /// Passes a text if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    /// Passes a word if it is next, and no letter, digit or underscore follows.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let is_next = self.rest().strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        if is_next {
            self.at += word.len();
        }
        is_next
    }

    /// Passes all characters that fulfil a condition, and returns them.
    pub(super) fn take_while(&mut self, condition: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|character| !condition(character)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Passes a name, and returns it. `belongs` decides for each character, from its offset in the name and what is behind it.
    pub(super) fn take_name(&mut self, belongs: impl Fn(usize, char, &str) -> bool) -> &'a str {
        let rest = self.rest();
        let ends = |(at, character): &(usize, char)| !belongs(*at, *character, &rest[at + character.len_utf8()..]);
        let length = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        self.at += length;
        &rest[..length]
    }

    /// Passes spaces within a line.
    pub(super) fn skip_spaces(&mut self) {
        self.take_while(|character| character.is_whitespace() && character != '\n');
    }

    /// Passes spaces and line breaks.
    pub(super) fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
    }

    /// Passes everything up to the end of the line.
    pub(super) fn take_line(&mut self) -> &'a str {
        self.take_while(|character| character != '\n')
    }

    /// The rest of the line, without the spaces around it; at the end of a line, the last visible text before. For the place of a problem.
    pub(super) fn rest_of_line(&self) -> Range<usize> {
        let line = self.rest().lines().next().unwrap_or_default();
        let start = self.at + (line.len() - line.trim_start().len());
        let end = start + line.trim().len();
        if start < end {
            return start..end;
        }
        let before = self.text[..self.at].trim_end();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let start = start + (before[start..].len() - before[start..].trim_start().len());
        start..before.len()
    }

    /// The next word or character, for the place of a problem.
    pub(super) fn next_word(&self) -> Range<usize> {
        let rest = self.rest_of_line();
        let text = &self.text[rest.clone()];
        let length = text.find(|character: char| character.is_whitespace() || character == ';').filter(|length| *length > 0);
        rest.start..rest.start + length.unwrap_or(text.len())
    }

    /// A problem with the next word.
    pub(super) fn unexpected(&self, help: impl Into<String>) -> DrawError {
        let span = self.next_word();
        let shown: String = self.text[span.clone()].chars().take(30).collect();
        let message = if shown.is_empty() { "unexpected end of the diagram".to_owned() } else { format!("unexpected `{shown}`") };
        DrawError::new(span, message, help)
    }
}

/// `accTitle` and `accDescr`, which all kinds of diagrams have.
#[derive(Clone, Debug, Default)]
pub(super) struct Accessibility {
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
}

impl Accessibility {
    /// Reads a statement if it is next.
    pub(super) fn read(&mut self, scanner: &mut Scanner<'_>) -> bool {
        let mut ahead = scanner.clone();
        let is_title = ahead.eat("accTitle");
        if !is_title && !ahead.eat("accDescr") {
            return false;
        }
        ahead.skip_spaces();
        let text = if ahead.eat(":") {
            ahead.take_line()
        } else if !is_title && ahead.eat("{") {
            let text = ahead.take_while(|character| character != '}');
            ahead.eat("}");
            text
        } else {
            return false;
        };
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let slot = if is_title { &mut self.title } else { &mut self.description };
        *slot = Some(text).filter(|text| !text.is_empty());
        *scanner = ahead;
        true
    }
}

/// Reads all statements to the end of the source: those about accessibility, which it returns, and the others with `statement`.
pub(super) fn statements<B>(
    scanner: &mut Scanner<'_>,
    builder: &mut B,
    statement: fn(&mut Scanner<'_>, &mut B) -> Result<(), DrawError>,
) -> Result<Accessibility, DrawError> {
    let mut accessibility = Accessibility::default();
    loop {
        scanner.take_while(|character| character.is_whitespace() || character == ';');
        if scanner.is_at_end() {
            return Ok(accessibility);
        }
        if !accessibility.read(scanner) {
            statement(scanner, builder)?;
        }
    }
}

/// The pairs of `@{ name: value, other: "value" }`, read from behind the brace. `None` if it isn't closed.
pub(super) fn properties(scanner: &mut Scanner<'_>) -> Option<Vec<(String, String)>> {
    let mut pairs = Vec::new();
    loop {
        scanner.take_while(|character| character.is_whitespace() || character == ',');
        if scanner.eat("}") {
            return Some(pairs);
        }
        let key = scanner.take_while(|character| !matches!(character, ':' | '}' | '\n' | ',')).trim().trim_matches(['"', '\'']).to_owned();
        scanner.skip_spaces();
        if !scanner.eat(":") {
            if scanner.is_at_end() || scanner.peek() != Some('}') && key.is_empty() {
                return None;
            }
            continue;
        }
        scanner.skip_spaces();
        let value = match scanner.peek() {
            Some(quote @ ('"' | '\'')) => {
                scanner.at += 1;
                let value = scanner.take_while(|character| character != quote);
                if scanner.is_at_end() {
                    return None;
                }
                scanner.at += 1;
                value
            }
            _ => scanner.take_while(|character| !matches!(character, ',' | '}' | '\n')).trim(),
        };
        pairs.push((key, value.to_owned()));
    }
}
