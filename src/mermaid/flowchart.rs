//! Parses flowcharts.
//!
//! Source: the grammar in Mermaid's documentation, <https://mermaid.js.org/syntax/flowchart.html>. Styles are read and ignored, because the style sheet of the
//! site decides how diagrams look.

mod arrow;
mod builder;
mod node;
mod text;

use super::{
    chart::{Chart, DEEPEST_GROUP, Direction},
    drawing::{DrawError, NodeLink},
    scanner::{Scanner, statements},
    source::DiagramSource,
};
use builder::ChartBuilder;

const STATEMENT: &str = "write a box as `A[words]`, an arrow as `A --> B` or `A -->|words| B`, each on a separate line";

/// Parses a flowchart.
///
/// # Errors
///
/// A source that is not valid, or has too many nodes or arrows.
pub(super) fn parse(source: &DiagramSource) -> Result<Chart, DrawError> {
    let mut scanner = Scanner::new(&source.text, source.start);
    scanner.skip_spaces();
    let mut builder = ChartBuilder::default();
    let word = scanner.clone().take_while(|character| !character.is_whitespace() && character != ';');
    if !word.is_empty() {
        let Some(direction) = Direction::parse(word) else {
            let span = scanner.next_word();
            let message = format!("`{}` is not a direction", word.chars().take(30).collect::<String>());
            return Err(DrawError::new(span, message, "write `TB`, `BT`, `LR` or `RL` after the word `flowchart`"));
        };
        builder.direction = direction;
        scanner.at += word.len();
        scanner.skip_spaces();
        if !scanner.is_at_end_of_statement() {
            return Err(scanner.unexpected("begin the first statement on the next line"));
        }
    }
    let accessibility = statements(&mut scanner, &mut builder, statement)?;
    if let Some(opening) = builder.unclosed() {
        return Err(DrawError::new(opening, "this `subgraph` is not closed", "write `end` on a line after its last node"));
    }
    let mut chart = builder.finish();
    chart.title = accessibility.title;
    chart.description = accessibility.description;
    Ok(chart)
}

fn statement(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder) -> Result<(), DrawError> {
    let start = scanner.at;
    if scanner.eat_word("subgraph") {
        return subgraph(scanner, builder, start);
    }
    if is_word_alone(scanner, "end") {
        scanner.eat_word("end");
        if !builder.close() {
            return Err(DrawError::new(start..start + 3, "there is no `subgraph` that this `end` could close", "remove it"));
        }
        return end_of_statement(scanner);
    }
    let mut ahead = scanner.clone();
    if ahead.eat_word("direction") {
        ahead.skip_spaces();
        let word = ahead.take_while(|character| !character.is_whitespace() && character != ';');
        if let Some(direction) = Direction::parse(word) {
            *scanner = ahead;
            builder.set_direction(direction);
            return end_of_statement(scanner);
        }
    }
    if is_followed_by_name(scanner, "click") {
        return click(scanner, builder);
    }
    for style in ["style", "classDef", "class", "linkStyle"] {
        if is_followed_by_name(scanner, style) {
            skip_style(scanner);
            return Ok(());
        }
    }
    chain(scanner, builder)
}

/// Whether a word is next and the statement ends after it.
fn is_word_alone(scanner: &Scanner<'_>, word: &str) -> bool {
    let mut ahead = scanner.clone();
    ahead.eat_word(word) && {
        ahead.skip_spaces();
        ahead.is_at_end_of_statement()
    }
}

/// Whether a keyword is next, and behind it something that is not an arrow.
fn is_followed_by_name(scanner: &Scanner<'_>, keyword: &str) -> bool {
    let mut ahead = scanner.clone();
    let is_next = ahead.eat(keyword) && ahead.peek().is_some_and(|character| character == ' ' || character == '\t');
    ahead.skip_spaces();
    is_next && !ahead.is_at_end_of_statement() && !arrow::begins(&ahead)
}

/// Passes a style, whose values can be quoted.
fn skip_style(scanner: &mut Scanner<'_>) {
    let mut is_quoted = false;
    while let Some(character) = scanner.peek() {
        if character == '\n' || (character == ';' && !is_quoted) {
            return;
        }
        is_quoted ^= character == '"';
        scanner.at += character.len_utf8();
    }
}

fn end_of_statement(scanner: &mut Scanner<'_>) -> Result<(), DrawError> {
    scanner.skip_spaces();
    if scanner.is_at_end_of_statement() { Ok(()) } else { Err(scanner.unexpected(STATEMENT)) }
}

fn subgraph(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder, start: usize) -> Result<(), DrawError> {
    let keyword = start..scanner.at;
    scanner.skip_spaces();
    let quoted = |scanner: &mut Scanner<'_>| -> Result<Option<String>, DrawError> {
        let opening = scanner.at;
        if !scanner.eat("\"") {
            return Ok(None);
        }
        let text = scanner.take_while(|character| character != '"').to_owned();
        if !scanner.eat("\"") {
            let span = Scanner::new(scanner.text, opening).rest_of_line();
            return Err(DrawError::new(span, "this text is not closed", "write `\"` at its end"));
        }
        Ok(Some(text))
    };
    let name = match quoted(scanner)? {
        Some(text) => text,
        None => scanner.take_while(|character| !matches!(character, '\n' | ';' | '[' | '"')).trim().to_owned(),
    };
    let mut title = name.clone();
    scanner.skip_spaces();
    let opening = scanner.at;
    if scanner.eat("[") {
        scanner.skip_spaces();
        title = match quoted(scanner)? {
            Some(text) => text,
            None => scanner.take_while(|character| !matches!(character, '\n' | ']')).trim().to_owned(),
        };
        scanner.skip_spaces();
        if !scanner.eat("]") {
            let span = Scanner::new(scanner.text, opening).rest_of_line();
            return Err(DrawError::new(span, "the title of this subgraph is not closed", "write `subgraph name [\"title\"]`"));
        }
    }
    scanner.skip_spaces();
    if !scanner.is_at_end_of_statement() {
        return Err(scanner.unexpected("write `subgraph name [\"title\"]`, and its nodes on the next lines"));
    }
    // As in Mermaid, a title of several words is not a name.
    let name = if name == title && name.contains(char::is_whitespace) { String::new() } else { name };
    if builder.open(name, title, keyword.clone()) > DEEPEST_GROUP {
        let message = format!("this diagram is too large to be drawn: more than {DEEPEST_GROUP} subgraphs are nested");
        return Err(DrawError::new(keyword, message, "divide it into several diagrams"));
    }
    Ok(())
}

/// Reads the link of a node. Calls of scripts and tooltips are dropped.
fn click(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder) -> Result<(), DrawError> {
    scanner.eat("click");
    scanner.skip_spaces();
    let node = scanner.take_while(|character| !character.is_whitespace()).to_owned();
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
        builder.links.push(NodeLink { node, address: address.to_owned(), span: start..start + address.len() });
    }
    scanner.take_line();
    Ok(())
}

/// Reads nodes and the arrows between them: `A & B --> C -->|words| D`.
fn chain(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder) -> Result<(), DrawError> {
    let start = scanner.at;
    let mut before = node::list(scanner, builder)?;
    loop {
        let mut ahead = scanner.clone();
        // An arrow can be on the next line.
        ahead.skip_blanks();
        let Some(arrow) = arrow::read(&mut ahead)? else { break };
        *scanner = ahead;
        scanner.skip_blanks();
        let after = node::list(scanner, builder)?;
        builder.connect(&before, &after, &arrow, start..scanner.at)?;
        before = after;
    }
    end_of_statement(scanner)
}
