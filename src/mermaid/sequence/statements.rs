//! The statements of sequence diagrams.

use std::ops::Range;

use super::{
    super::{
        drawing::DrawError,
        label::label_lines,
        scanner::{Scanner, properties},
    },
    arrow,
    builder::{OpenBlock, SequenceBuilder, rest_of_statement},
    model::{DEEPEST_FRAME, FrameKind, NotePlace, ParticipantBox, SequenceMessage, Step},
};
use crate::diagram::measure::SMALL_SIZE;

const MESSAGE: &str = "write a message as `A->>B: words`, a note as `Note over A,B: words`, each on a separate line";
const NOTE: &str = "write `Note over A,B: words`, `Note left of A: words` or `Note right of A: words`";

/// The frames by their keywords, and the keyword of their sections.
const FRAMES: [(&str, FrameKind, &str); 8] = [
    ("loop", FrameKind::Named("loop"), ""),
    ("alt", FrameKind::Named("alt"), "else"),
    ("opt", FrameKind::Named("opt"), ""),
    ("par_over", FrameKind::Named("par"), "and"),
    ("par", FrameKind::Named("par"), "and"),
    ("critical", FrameKind::Named("critical"), "option"),
    ("break", FrameKind::Named("break"), ""),
    ("rect", FrameKind::Area, ""),
];

/// The width at which titles of boxes are broken into lines.
const BOX_ROOM: f64 = 300.0;

pub(super) fn statement(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder) -> Result<(), DrawError> {
    let start = scanner.at;
    let first = scanner.clone().take_while(|character| character.is_ascii_alphabetic() || character == '_').to_ascii_lowercase();
    // A participant can have the name of a keyword if a message begins with it.
    let mut ahead = scanner.clone();
    ahead.at += first.len();
    let behind = ahead.rest().trim_start_matches([' ', '\t']);
    let is_message = arrow::find(behind).is_some_and(|(at, _)| at == 0);
    let is_whole_word = behind.len() < ahead.rest().len() || ahead.is_at_end_of_statement() || ahead.peek() == Some(':');
    if is_message || !is_whole_word {
        return message(scanner, parser);
    }
    if let Some(&(_, kind, sections)) = FRAMES.iter().find(|(keyword, ..)| *keyword == first) {
        *scanner = ahead;
        return open(scanner, parser, start..start + first.len(), (kind, sections));
    }
    match first.as_str() {
        "participant" | "actor" => {
            *scanner = ahead;
            declaration(scanner, parser, first == "actor", false)
        }
        "create" => {
            *scanner = ahead;
            scanner.skip_spaces();
            let is_person = scanner.eat_word("actor");
            if !is_person && !scanner.eat_word("participant") {
                return Err(scanner.unexpected("write `create participant A`, and then a message to it"));
            }
            declaration(scanner, parser, is_person, true)
        }
        "destroy" | "activate" | "deactivate" => {
            *scanner = ahead;
            lifeline(scanner, parser, &first)
        }
        "box" => {
            *scanner = ahead;
            let title = box_title(&rest_of_statement(scanner));
            parser.open.push(OpenBlock::Box(start..start + first.len()));
            parser.sequence.boxes.push(ParticipantBox { title: label_lines(&title, SMALL_SIZE, BOX_ROOM) });
            Ok(())
        }
        "else" | "and" | "option" => {
            *scanner = ahead;
            section(scanner, parser, start..start + first.len(), &first)
        }
        "end" => {
            *scanner = ahead;
            let span = start..start + 3;
            match parser.open.pop() {
                Some(OpenBlock::Frame(..)) => parser.push(Step::Close, &span),
                Some(OpenBlock::Box(_)) => Ok(()),
                None => Err(DrawError::new(span, "there is nothing that this `end` could close", "remove it")),
            }
        }
        "note" => {
            *scanner = ahead;
            note(scanner, parser)
        }
        "autonumber" => {
            *scanner = ahead;
            autonumber(scanner, parser)
        }
        "title" => {
            *scanner = ahead;
            parser.sequence.title = Some(rest_of_statement(scanner)).filter(|title| !title.is_empty());
            Ok(())
        }
        // Menus of participants, which need a script.
        "links" | "link" | "properties" | "details" => {
            scanner.take_line();
            Ok(())
        }
        _ => message(scanner, parser),
    }
}

/// Opens a frame, whose keyword is in `span`.
fn open(
    scanner: &mut Scanner<'_>,
    parser: &mut SequenceBuilder,
    span: Range<usize>,
    (kind, sections): (FrameKind, &'static str),
) -> Result<(), DrawError> {
    let title = rest_of_statement(scanner);
    parser.open.push(OpenBlock::Frame(span.clone(), sections));
    if parser.open.len() > DEEPEST_FRAME {
        let message = format!("this diagram is too large to be drawn: more than {DEEPEST_FRAME} frames are nested");
        return Err(DrawError::new(span, message, "divide it into several diagrams"));
    }
    parser.push(Step::Open { kind, title }, &span)
}

/// Begins a section of the innermost frame.
fn section(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder, span: Range<usize>, keyword: &str) -> Result<(), DrawError> {
    if matches!(parser.open.last(), Some(OpenBlock::Frame(_, sections)) if *sections == keyword) {
        let title = rest_of_statement(scanner);
        return parser.push(Step::Section { title }, &span);
    }
    let frame = match keyword {
        "and" => "par",
        "option" => "critical",
        _ => "alt",
    };
    let message = format!("`{keyword}` is not in `{frame}`");
    Err(DrawError::new(span, message, format!("write it between `{frame}` and its `end`")))
}

/// Reads `activate`, `deactivate` or `destroy`.
fn lifeline(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder, keyword: &str) -> Result<(), DrawError> {
    scanner.skip_spaces();
    let span = scanner.rest_of_line();
    let name = rest_of_statement(scanner);
    if name.is_empty() {
        return Err(DrawError::new(span, format!("`{keyword}` needs a participant"), format!("write `{keyword} A`")));
    }
    let participant = parser.participant(&name, span.clone())?;
    let step = match keyword {
        "destroy" => Step::Destroy(participant),
        "activate" => Step::Activate(participant),
        _ => Step::Deactivate(participant),
    };
    parser.push(step, &span)
}

/// The title of a box without its colour.
fn box_title(text: &str) -> String {
    let function = text.split_once(')').filter(|(start, _)| {
        let name = start.split('(').next().unwrap_or_default().trim();
        matches!(name.to_ascii_lowercase().as_str(), "rgb" | "rgba" | "hsl" | "hsla")
    });
    if let Some((_, title)) = function {
        return title.trim().to_owned();
    }
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_colour = color::parse_color(&word.to_ascii_lowercase()).is_ok();
    if is_colour { rest.trim().to_owned() } else { text.to_owned() }
}

/// Reads the declaration of a participant.
fn declaration(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder, is_person: bool, is_created: bool) -> Result<(), DrawError> {
    scanner.skip_spaces();
    let span = scanner.rest_of_line();
    let mut ahead = scanner.clone();
    let mut text = rest_of_statement(&mut ahead);
    let mut is_person = is_person;
    let mut alias = None;
    if let Some(at) = text.find("@{") {
        let mut inner = scanner.clone();
        inner.at += inner.rest().find("@{").unwrap_or(0) + 2;
        let Some(pairs) = properties(&mut inner) else {
            let help = "write `participant A@{ \"type\": \"database\" }`";
            return Err(DrawError::new(span, "these properties are not closed", help));
        };
        for (key, value) in pairs {
            match key.as_str() {
                "type" => is_person |= value == "actor",
                "alias" => alias = Some(value),
                _ => {}
            }
        }
        ahead = inner;
        let rest = rest_of_statement(&mut ahead);
        text = format!("{} {rest}", text[..at].trim());
    }
    *scanner = ahead;
    let parts = text.split_once(" as ").map(|(name, label)| (name.trim(), label.trim()));
    let (name, label) = parts.map_or((text.trim(), None), |(name, label)| (name, Some(label.to_owned())));
    if name.is_empty() {
        return Err(DrawError::new(span, "a participant needs a name", "write `participant A` or `participant A as words`"));
    }
    let is_new = !parser.is_known(name);
    let participant = parser.participant(name, span)?;
    let group = parser.open.iter().any(|open| matches!(open, OpenBlock::Box(_))).then(|| parser.sequence.boxes.len() - 1);
    let entry = &mut parser.sequence.participants[participant];
    entry.is_person |= is_person;
    entry.is_created |= is_created && is_new;
    entry.group = entry.group.or(group);
    if let Some(label) = label.or(alias) {
        parser.set_label(participant, &label);
    }
    Ok(())
}

fn note(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder) -> Result<(), DrawError> {
    scanner.skip_spaces();
    let word = scanner.take_while(char::is_alphabetic).to_ascii_lowercase();
    scanner.skip_spaces();
    if word != "over" && !(matches!(word.as_str(), "left" | "right") && eat_ignoring_case(scanner, "of")) {
        return Err(DrawError::new(scanner.rest_of_line(), "a note is over, left of or right of participants", NOTE));
    }
    scanner.skip_spaces();
    let span = scanner.rest_of_line();
    let names = scanner.take_while(|character| !matches!(character, ':' | '\n' | ';')).trim().to_owned();
    if names.is_empty() || scanner.peek() != Some(':') {
        return Err(DrawError::new(span, "this note has no text", NOTE));
    }
    let mut participants = Vec::new();
    for name in names.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        participants.push(parser.participant(name, span.clone())?);
    }
    let text = rest_of_statement(scanner);
    let place = match (word.as_str(), participants.as_slice()) {
        ("left", [one]) => NotePlace::LeftOf(*one),
        ("right", [one]) => NotePlace::RightOf(*one),
        ("over", [one]) => NotePlace::Over(*one, *one),
        ("over", [one, other]) => NotePlace::Over(*one.min(other), *one.max(other)),
        _ => return Err(DrawError::new(span, "a note is at one participant, or over two", NOTE)),
    };
    parser.push(Step::Note { place, text }, &span)
}

fn eat_ignoring_case(scanner: &mut Scanner<'_>, word: &str) -> bool {
    let is_next = scanner.rest().get(..word.len()).is_some_and(|next| next.eq_ignore_ascii_case(word));
    if is_next {
        scanner.at += word.len();
    }
    is_next
}

fn autonumber(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder) -> Result<(), DrawError> {
    scanner.skip_spaces();
    let span = scanner.rest_of_line();
    let text = rest_of_statement(scanner);
    let words: Vec<&str> = text.split_whitespace().collect();
    let numbers: Vec<Option<f64>> = words.iter().map(|word| word.parse().ok().filter(|number: &f64| number.abs() < 1e6)).collect();
    parser.numbers = match (words.as_slice(), numbers.as_slice()) {
        ([], _) => Some(parser.numbers.unwrap_or((1.0, 1.0))),
        (["off"], _) => None,
        (_, [Some(first)]) => Some((*first, 1.0)),
        (_, [Some(first), Some(step)]) => Some((*first, *step)),
        _ => return Err(DrawError::new(span, "`autonumber` needs numbers", "write `autonumber`, `autonumber 10 5` or `autonumber off`")),
    };
    Ok(())
}

fn message(scanner: &mut Scanner<'_>, parser: &mut SequenceBuilder) -> Result<(), DrawError> {
    let span = scanner.rest_of_line();
    let line = scanner.rest().split(['\n', ';']).next().unwrap_or_default();
    let head = line.split(':').next().unwrap_or_default();
    let Some((at, arrow)) = arrow::find(head) else {
        return Err(scanner.unexpected(MESSAGE));
    };
    // Small circles at the ends of arrows mark central connections, which are drawn like others.
    let sender = head[..at].trim().trim_end_matches("()").trim_end();
    let receiver = head[at + arrow.text.len()..].trim().trim_start_matches("()").trim_start();
    let (activates, deactivates) = (receiver.starts_with('+'), receiver.starts_with('-'));
    let receiver = receiver.trim_start_matches(['+', '-']).trim_start_matches("()").trim();
    if sender.is_empty() || receiver.is_empty() {
        let message = if sender.is_empty() { "this message has no sender" } else { "this message has no receiver" };
        return Err(DrawError::new(span, message, MESSAGE));
    }
    if receiver.contains(['<', '>']) {
        return Err(DrawError::new(span, "this message has two arrows", MESSAGE));
    }
    if head.len() == line.len() {
        return Err(DrawError::new(span, "this message has no text", "write `A->>B: words`; the text can be empty, but not the colon"));
    }
    let from = parser.participant(sender, span.clone())?;
    let to = parser.participant(receiver, span.clone())?;
    scanner.at += head.len();
    let text = rest_of_statement(scanner);
    let number = parser.numbers.as_mut().map(|(next, step)| {
        let number = (*next * 100.0).round() / 100.0;
        *next += *step;
        number.to_string()
    });
    let (is_dashed, heads) = (arrow.is_dashed, arrow.heads);
    parser.push(Step::Message(SequenceMessage { from, to, is_dashed, heads, text, number, activates, deactivates }), &span)
}
