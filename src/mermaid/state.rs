//! Parses state diagrams.
//!
//! Source: the grammar in Mermaid's documentation, <https://mermaid.js.org/syntax/stateDiagram.html>. Styles are read and ignored.

mod builder;

use super::{
    chart::{Chart, DEEPEST_GROUP, Direction},
    drawing::{DrawError, NodeLink},
    scanner::{Scanner, statements},
    shape::NodeShapeKind,
    source::DiagramSource,
};
use builder::StateBuilder;

const STATEMENT: &str = "write a transition as `A --> B : words`, begin and end as `[*]`, each on a separate line";

/// Parses a state diagram.
///
/// # Errors
///
/// A source that is not valid, or has too many states or transitions.
pub(super) fn parse(source: &DiagramSource) -> Result<Chart, DrawError> {
    let mut scanner = Scanner::new(&source.text, source.start);
    let mut builder = StateBuilder::default();
    let accessibility = statements(&mut scanner, &mut builder, statement)?;
    if let Some(opening) = builder.unclosed() {
        return Err(DrawError::new(opening, "this state is not closed", "write `}` on a line after its last transition"));
    }
    let mut chart = builder.finish();
    chart.title = accessibility.title;
    chart.description = accessibility.description;
    Ok(chart)
}

fn statement(scanner: &mut Scanner<'_>, builder: &mut StateBuilder) -> Result<(), DrawError> {
    let start = scanner.at;
    if scanner.rest().starts_with('#') {
        scanner.take_line();
        return Ok(());
    }
    if scanner.eat("}") {
        let is_open = builder.close();
        return if is_open {
            Ok(())
        } else {
            Err(DrawError::new(start..start + 1, "there is no state that this `}` could close", "remove it"))
        };
    }
    let mut ahead = scanner.clone();
    if ahead.take_while(|character| character == '-').len() >= 2 {
        ahead.skip_spaces();
        if ahead.is_at_end_of_statement() {
            *scanner = ahead;
            let message = "`--` divides a state, and none is open here";
            let error = || DrawError::new(start..start + 2, message, "write it between `state A {` and `}`");
            return builder.divide().then_some(()).ok_or_else(error);
        }
    }
    if let Some(direction) = direction(scanner) {
        builder.set_direction(direction);
        return end_of_statement(scanner);
    }
    if is_followed_by_name(scanner, "state") {
        scanner.eat("state");
        return state(scanner, builder, start);
    }
    if is_followed_by_name(scanner, "note") {
        scanner.eat("note");
        return note(scanner, builder, start);
    }
    if is_followed_by_name(scanner, "click") {
        return click(scanner, builder);
    }
    let without_effect = ["style", "classDef", "class", "scale"].iter().any(|word| is_followed_by_name(scanner, word));
    if without_effect || scanner.rest().starts_with("hide empty description") {
        scanner.take_line();
        return Ok(());
    }
    transition(scanner, builder)
}

fn direction(scanner: &mut Scanner<'_>) -> Option<Direction> {
    let mut ahead = scanner.clone();
    if !ahead.eat_word("direction") {
        return None;
    }
    ahead.skip_spaces();
    let direction = Direction::parse(ahead.take_while(|character| !character.is_whitespace()))?;
    *scanner = ahead;
    Some(direction)
}

/// Whether a keyword is next, and behind it something that is neither an arrow nor a description.
fn is_followed_by_name(scanner: &Scanner<'_>, keyword: &str) -> bool {
    let mut ahead = scanner.clone();
    let is_next = ahead.eat(keyword) && ahead.peek().is_some_and(|character| character == ' ' || character == '\t');
    ahead.skip_spaces();
    is_next && !ahead.is_at_end_of_statement() && !ahead.rest().starts_with(['-', ':'])
}

fn end_of_statement(scanner: &mut Scanner<'_>) -> Result<(), DrawError> {
    scanner.skip_spaces();
    if scanner.rest().starts_with("%%") {
        scanner.take_line();
    }
    if scanner.is_at_end_of_statement() || scanner.rest().starts_with('}') { Ok(()) } else { Err(scanner.unexpected(STATEMENT)) }
}

/// Reads the name of a state.
fn name<'a>(scanner: &mut Scanner<'a>) -> &'a str {
    scanner.take_name(|at, character, after| match character {
        ':' | '{' | '}' | ';' | '"' | '<' | '>' => false,
        // A single hyphen within a word.
        '-' => at > 0 && after.starts_with(|next: char| next.is_alphanumeric() || next == '_'),
        '%' => !after.starts_with('%'),
        _ => !character.is_whitespace(),
    })
}

/// Passes a class behind a name, which has no effect.
fn skip_class(scanner: &mut Scanner<'_>) {
    if scanner.eat(":::") {
        scanner.skip_spaces();
        scanner.take_while(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | ','));
    }
}

/// Reads a text behind a colon, up to the end of the statement.
fn description(scanner: &mut Scanner<'_>) -> Option<String> {
    let mut ahead = scanner.clone();
    ahead.skip_spaces();
    if ahead.rest().starts_with(":::") || !ahead.eat(":") {
        return None;
    }
    // A semicolon ends the text, unless it is part of a character reference.
    let mut text = String::new();
    while let Some(character) = ahead.peek().filter(|character| *character != '\n') {
        if character == ';' {
            break;
        }
        let length = super::label::reference(ahead.rest()).map_or(character.len_utf8(), |(_, length)| length);
        text.push_str(&ahead.rest()[..length]);
        ahead.at += length;
    }
    *scanner = ahead;
    Some(text.trim().to_owned())
}

/// Reads a declaration, from behind the word `state`.
fn state(scanner: &mut Scanner<'_>, builder: &mut StateBuilder, start: usize) -> Result<(), DrawError> {
    scanner.skip_spaces();
    let mut label = None;
    if scanner.peek() == Some('"') {
        let opening = scanner.at;
        scanner.at += 1;
        let text = scanner.take_while(|character| character != '"');
        if !scanner.eat("\"") {
            let span = Scanner::new(scanner.text, opening).rest_of_line();
            return Err(DrawError::new(span, "this text is not closed", "write `state \"words\" as A`"));
        }
        label = Some(text.to_owned());
        scanner.skip_spaces();
        if !scanner.eat_word("as") && !scanner.is_at_end_of_statement() && scanner.peek() != Some('{') {
            return Err(scanner.unexpected("write `state \"words\" as A`"));
        }
        scanner.skip_spaces();
    }
    let span = scanner.next_word();
    let name = match (name(scanner), &label) {
        ("", Some(label)) => label.clone(),
        ("", None) => return Err(scanner.unexpected("write `state A`, `state \"words\" as A` or `state A {`")),
        (name, _) => name.to_owned(),
    };
    let state = builder.state(&name, &span)?;
    skip_class(scanner);
    scanner.skip_spaces();
    if let Some(label) = label {
        builder.describe(state, label);
    }
    if let Some(text) = description(scanner) {
        builder.describe(state, text);
    }
    scanner.skip_spaces();
    for (word, shape) in [("fork", NodeShapeKind::Bar), ("join", NodeShapeKind::Bar), ("choice", NodeShapeKind::Diamond)] {
        if scanner.eat(&format!("<<{word}>>")) || scanner.eat(&format!("[[{word}]]")) {
            builder.set_shape(state, shape);
            return end_of_statement(scanner);
        }
    }
    let mut ahead = scanner.clone();
    ahead.skip_blanks();
    if ahead.eat("{") {
        let opening = start..scanner.rest_of_line().end.max(scanner.at);
        *scanner = ahead;
        if builder.open(state, opening.clone()) > DEEPEST_GROUP {
            let message = format!("this diagram is too large to be drawn: more than {DEEPEST_GROUP} states are nested");
            return Err(DrawError::new(opening, message, "divide it into several diagrams"));
        }
        return Ok(());
    }
    end_of_statement(scanner)
}

/// Reads a note, from behind the word `note`.
fn note(scanner: &mut Scanner<'_>, builder: &mut StateBuilder, start: usize) -> Result<(), DrawError> {
    const HELP: &str = "write `note right of A : words`, or the words on the next lines and then `end note`";
    scanner.skip_spaces();
    if scanner.eat("\"") {
        let text = scanner.take_while(|character| !matches!(character, '"' | '\n')).to_owned();
        if scanner.eat("\"") {
            scanner.skip_spaces();
            if scanner.eat_word("as") {
                scanner.skip_spaces();
                let span = scanner.next_word();
                let name = name(scanner).to_owned();
                builder.free_note(&name, text, &span)?;
                return end_of_statement(scanner);
            }
        }
        return Err(DrawError::new(
            Scanner::new(scanner.text, start).rest_of_line(),
            "this note has no name",
            "write `note \"words\" as A`",
        ));
    }
    let is_left = scanner.eat_word("left");
    if !is_left && !scanner.eat_word("right") {
        return Err(scanner.unexpected(HELP));
    }
    scanner.skip_spaces();
    if !scanner.eat_word("of") {
        return Err(scanner.unexpected(HELP));
    }
    scanner.skip_spaces();
    let span = scanner.next_word();
    let name = name(scanner).to_owned();
    if name.is_empty() {
        return Err(scanner.unexpected(HELP));
    }
    let text = match description(scanner) {
        Some(text) => text,
        None => lines_of_note(scanner, start)?,
    };
    builder.note(&name, is_left, text, &span)?;
    end_of_statement(scanner)
}

/// Reads the lines of a note up to `end note`.
fn lines_of_note(scanner: &mut Scanner<'_>, start: usize) -> Result<String, DrawError> {
    scanner.skip_spaces();
    let rest = scanner.rest();
    let is_end = |line: &str| line.split_whitespace().eq(["end", "note"]);
    let mut lines = rest.split_inclusive('\n').scan(0, |at, line| {
        *at += line.len();
        Some((*at - line.len(), line))
    });
    let Some((at, line)) = lines.find(|(_, line)| is_end(line)) else {
        let span = Scanner::new(scanner.text, start).rest_of_line();
        return Err(DrawError::new(span, "this note is not closed", "write `end note` on a line after it"));
    };
    scanner.at += at + line.trim_end().len();
    Ok(rest[..at].trim().to_owned())
}

/// Reads the link of a state.
fn click(scanner: &mut Scanner<'_>, builder: &mut StateBuilder) -> Result<(), DrawError> {
    scanner.eat("click");
    scanner.skip_spaces();
    let node = name(scanner).to_owned();
    scanner.skip_spaces();
    if scanner.eat_word("href") {
        scanner.skip_spaces();
    }
    if scanner.eat("\"") {
        let start = scanner.at;
        let address = scanner.take_while(|character| !matches!(character, '"' | '\n'));
        if !scanner.eat("\"") {
            let span = Scanner::new(scanner.text, start - 1).rest_of_line();
            return Err(DrawError::new(span, "this address is not closed", "write `click A href \"…\"`"));
        }
        builder.link(NodeLink { node, address: address.to_owned(), span: start..start + address.len() });
    }
    scanner.take_line();
    Ok(())
}

/// Reads a transition, or a state with its description.
fn transition(scanner: &mut Scanner<'_>, builder: &mut StateBuilder) -> Result<(), DrawError> {
    let start = scanner.at;
    let span = scanner.next_word();
    let first = name(scanner).to_owned();
    if first.is_empty() {
        return Err(scanner.unexpected(STATEMENT));
    }
    skip_class(scanner);
    scanner.skip_spaces();
    if !scanner.eat("-->") {
        if scanner.rest().starts_with('-') {
            return Err(DrawError::new(scanner.next_word(), "this arrow is not complete", "write `A --> B : words`"));
        }
        if first == "[*]" {
            return Err(scanner.unexpected(STATEMENT));
        }
        let state = builder.state(&first, &span)?;
        if let Some(text) = description(scanner) {
            builder.describe(state, text);
        }
        return end_of_statement(scanner);
    }
    scanner.skip_spaces();
    let next = scanner.next_word();
    let second = name(scanner).to_owned();
    if second.is_empty() {
        return Err(scanner.unexpected(STATEMENT));
    }
    skip_class(scanner);
    let from = if first == "[*]" { builder.terminal(NodeShapeKind::Start, &span)? } else { builder.state(&first, &span)? };
    let to = if second == "[*]" { builder.terminal(NodeShapeKind::End, &next)? } else { builder.state(&second, &next)? };
    let text = description(scanner).unwrap_or_default();
    builder.connect(from, to, &text, start..scanner.at)?;
    end_of_statement(scanner)
}
