//! YAML text to [`Node`]s, with every mistake that a parser can see.

mod trouble;

use std::{collections::BTreeMap, sync::Arc};

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span as Marked};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    node::{Entry, Item, Node, Scalar, ScalarKind, Value},
    text::Span,
};

/// Lists and maps may lie this deep in each other. The facts format needs six.
const MAX_DEPTH: usize = 40;

/// Aliases may multiply a file to this many values. The largest facts file of a real knowledge base has a few hundred.
const MAX_NODES: usize = 100_000;

/// Parses one YAML document that begins at byte `offset` of the file (front matter lies inside a Markdown file).
///
/// Reports everything that is wrong into `diagnostics`; `None` means that nothing could be read, or that there is nothing (no finding then).
pub fn parse(file: &Arc<str>, text: &str, offset: usize, diagnostics: &mut Diagnostics) -> Option<Node> {
    let mut builder = Builder {
        file,
        text,
        offset,
        bytes: CharOffsets::new(text),
        diagnostics,
        open: Vec::new(),
        anchors: BTreeMap::new(),
        numbers: 0,
        nodes: 0,
        root: None,
    };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        match event {
            Err(error) => {
                builder.syntax_error(&error);
                return None;
            }
            Ok((Event::DocumentStart(_), span)) => {
                documents += 1;
                if documents > 1 {
                    let place = builder.place(builder.span(span));
                    let found = Diagnostic::new(Rule::YamlSyntax, place, "a second document begins here")
                        .help("keep one document per file: remove the line `---`");
                    builder.diagnostics.push(found);
                    return None;
                }
            }
            Ok((event, span)) => builder.event(event, span).ok()?,
        }
    }
    builder.root
}

/// A list or map that is not closed yet.
struct Open {
    start: Span,
    anchor: usize,
    items: Vec<Item>,
    entries: Vec<Entry>,
    /// In a map, the key that waits for its value.
    key: Option<(String, Span)>,
    is_map: bool,
}

/// Says that building stopped; the reason is already reported.
struct Stopped;

struct Builder<'a> {
    file: &'a Arc<str>,
    text: &'a str,
    offset: usize,
    bytes: CharOffsets,
    diagnostics: &'a mut Diagnostics,
    open: Vec<Open>,
    anchors: BTreeMap<usize, (Node, usize)>,
    numbers: u32,
    nodes: usize,
    root: Option<Node>,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, span: Marked) -> Result<(), Stopped> {
        let span = self.span(span);
        match event {
            Event::Scalar(text, style, anchor, _) => {
                let node = Node { span, value: Value::Scalar(scalar(&text, style)) };
                self.finish(node, anchor, 1)
            }
            Event::SequenceStart(anchor, _) => self.begin(span, anchor, false),
            Event::MappingStart(anchor, _) => self.begin(span, anchor, true),
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            Event::Alias(anchor) => match self.anchors.get(&anchor) {
                Some((node, size)) => {
                    let (node, size) = (Node { span, value: node.value.clone() }, *size);
                    self.finish(node, 0, size)
                }
                None => self.stop(Rule::YamlSyntax, span, "an alias stands inside the value that it repeats", "write the value out"),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => Ok(()),
        }
    }

    fn begin(&mut self, start: Span, anchor: usize, is_map: bool) -> Result<(), Stopped> {
        if self.open.len() == MAX_DEPTH {
            return self.too_deep(start);
        }
        self.open.push(Open { start, anchor, items: Vec::new(), entries: Vec::new(), key: None, is_map });
        Ok(())
    }

    fn end(&mut self, end: Span) -> Result<(), Stopped> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let size = 1 + open.items.len() + open.entries.len();
        // Block collections end where the next token begins; the last value inside ends where people see the end.
        let last = open.items.last().map(|item| item.node.span).or_else(|| open.entries.last().map(|entry| entry.node.span));
        let end = if end.end > end.start { end.end } else { last.map_or(open.start.end, |span| span.end) };
        let value = if open.is_map { Value::Map(open.entries) } else { Value::List(open.items) };
        self.finish(Node { span: Span::new(open.start.start, end), value }, open.anchor, size)
    }

    /// Puts a finished value where it belongs: into the open list or map, or at the root.
    fn finish(&mut self, node: Node, anchor: usize, size: usize) -> Result<(), Stopped> {
        self.nodes += size;
        if self.nodes > MAX_NODES {
            let message = format!("aliases blow this file up to more than {MAX_NODES} values");
            return self.stop(Rule::TooComplex, node.span, &message, "write the values out instead of repeating an alias of aliases");
        }
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), count(&node)));
        }
        self.numbers += 1;
        let number = self.numbers;
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        if !open.is_map {
            open.items.push(Item { number, node });
            return Ok(());
        }
        match (open.key.take(), node) {
            (None, Node { span, value: Value::Scalar(scalar) }) => open.key = Some((scalar.text, span)),
            (None, Node { span, .. }) => {
                return self.stop(Rule::YamlSyntax, span, "a key must be a single word or text", "text with `{`, `[` or `: ` needs quotes");
            }
            (Some((key, key_span)), node) => {
                let earlier = open.entries.iter().find(|entry| entry.key == key).map(|entry| entry.key_span);
                match earlier {
                    Some(earlier) => self.duplicate(&key, key_span, earlier),
                    None => open.entries.push(Entry { number, key, key_span, node }),
                }
            }
        }
        Ok(())
    }

    fn duplicate(&mut self, key: &str, span: Span, earlier: Span) {
        let found = Diagnostic::new(Rule::DuplicateKey, self.place(span), format!("the key `{key}` stands twice in one map"))
            .related(self.place(earlier), "first here")
            .help("remove one of them, or join their values");
        self.diagnostics.push(found);
    }

    fn stop(&mut self, rule: Rule, span: Span, message: &str, help: &str) -> Result<(), Stopped> {
        self.diagnostics.push(Diagnostic::new(rule, self.place(span), message).help(help));
        Err(Stopped)
    }

    fn syntax_error(&mut self, error: &ScanError) {
        let at = self.marker(*error.marker());
        if error.info().contains("recursion limit") {
            let _ = self.too_deep(Span::at(at + self.offset));
            return;
        }
        let (span, message, help) = explain(self.text, at, error.info());
        let place = self.place(span.shifted(self.offset));
        self.diagnostics.push(Diagnostic::new(Rule::YamlSyntax, place, message).help(help));
    }

    fn too_deep(&mut self, span: Span) -> Result<(), Stopped> {
        let message = format!("values lie more than {MAX_DEPTH} deep in each other");
        self.stop(Rule::TooComplex, span, &message, "no file of a knowledge base needs this; look for a bracket that is not closed")
    }

    fn place(&self, span: Span) -> Place {
        Place::new(self.file.clone(), span)
    }

    fn span(&self, span: Marked) -> Span {
        let (start, mut end) = (self.marker(span.start), self.marker(span.end));
        // The scanner lets some tokens run on into white space.
        let trimmed = self.text.get(start..end).map_or(0, |token| token.len() - token.trim_end().len());
        end -= trimmed;
        Span::new(start, end).shifted(self.offset)
    }

    fn marker(&self, marker: Marker) -> usize {
        self.bytes.byte(marker.index()).min(self.text.len())
    }
}

/// How many values lie in a value, itself included.
fn count(node: &Node) -> usize {
    match &node.value {
        Value::Scalar(_) => 1,
        Value::List(items) => 1 + items.iter().map(|item| count(&item.node)).sum::<usize>(),
        Value::Map(entries) => 1 + entries.iter().map(|entry| count(&entry.node)).sum::<usize>(),
    }
}

/// The first tab that stands before anything else on its line.
fn indenting_tab(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if let Some(tab) = line[..indent].find('\t').filter(|_| !line.trim().is_empty()) {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

/// Says in plain words what the scanner means.
fn explain(text: &str, at: usize, info: &str) -> (Span, String, String) {
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    // The scanner notices a tab only after it has begun something else, so look for it from that line on.
    let searched = if info.contains("tab") { text.len() } else { line_end };
    if let Some(tab) = indenting_tab(&text[line_start..searched]) {
        let start = line_start + tab;
        return (Span::new(start, start + 1), "a tab cannot indent YAML".to_owned(), "indent with two spaces".to_owned());
    }
    if let Some(trouble) = trouble::find(text, at) {
        return (trouble.span, trouble.message, trouble.help.to_owned());
    }
    let help = if info.contains("mapping values are not allowed") {
        "text that contains `: ` needs quotes around it"
    } else if info.contains("simple key") || info.contains("block mapping") || info.contains("block end") {
        "check the indentation of this line and the line above, and that each key is followed by `: `"
    } else if info.contains("flow") || info.contains(',') {
        "check that every `{` and `[` is closed, and quote text that contains `,`, `{` or `[`"
    } else if info.contains("quot") || info.contains("scalar") {
        "check that every quote is closed"
    } else {
        "see https://yaml.org/spec/1.2.2/ for the format"
    };
    (Span::new(at, (at + 1).min(line_end).max(at)), format!("this is not YAML: {info}"), help.to_owned())
}

fn scalar(text: &str, style: ScalarStyle) -> Scalar {
    let text = text.to_owned();
    if style == ScalarStyle::Plain { Scalar::plain(text) } else { Scalar { text, kind: ScalarKind::Text } }
}

/// Turns the scanner's character counts into byte offsets.
enum CharOffsets {
    /// They are the same.
    Ascii,
    /// The byte offset of each character, and of the end.
    Wide(Vec<usize>),
}

impl CharOffsets {
    fn new(text: &str) -> Self {
        if text.is_ascii() { Self::Ascii } else { Self::Wide(text.char_indices().map(|(byte, _)| byte).chain([text.len()]).collect()) }
    }

    fn byte(&self, index: usize) -> usize {
        match self {
            Self::Ascii => index,
            Self::Wide(offsets) => offsets.get(index).or(offsets.last()).copied().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let mut diagnostics = Diagnostics::new();
        let _ = parse(&"x.yaml".into(), text, 0, &mut diagnostics);
        diagnostics
            .sorted()
            .into_iter()
            .map(|found| {
                let place = found.place.unwrap();
                let at = crate::text::line_column(text, place.span.start);
                format!("{}:{}: {}: {}", at.line, at.column, found.rule.name(), found.message)
            })
            .collect()
    }

    #[test]
    fn every_duplicate_key_is_found() {
        let text = "a: 1\nb: {x: 1, x: 2}\na: 3\n";
        assert_eq!(
            problems(text),
            ["2:11: duplicate-key: the key `x` stands twice in one map", "3:1: duplicate-key: the key `a` stands twice in one map"]
        );
    }

    #[test]
    fn tabs_are_named() {
        assert_eq!(problems("a:\n\tb: 1\n"), ["2:1: yaml-syntax: a tab cannot indent YAML"]);
        assert_eq!(problems("a: b\n\tc: 1\n"), ["2:1: yaml-syntax: a tab cannot indent YAML"]);
        assert_eq!(problems("a:\n  - b\n \t- c\n"), ["3:2: yaml-syntax: a tab cannot indent YAML"]);
    }

    #[test]
    fn bombs_and_towers_are_refused() {
        let mut bomb = String::from("a: &a [x, x, x, x, x, x, x, x, x]\n");
        for (previous, next) in ('a'..='h').zip('b'..='i') {
            bomb.extend([next.to_string(), format!(": &{next} ["), vec![format!("*{previous}"); 9].join(", "), "]\n".to_owned()]);
        }
        assert!(problems(&bomb)[0].contains("too-complex: aliases"), "{:?}", problems(&bomb));
        assert!(problems(&"[".repeat(20_000))[0].contains("too-complex"), "{:?}", problems(&"[".repeat(20_000)));
        assert!(problems(&"- ".repeat(20_000))[0].contains("too-complex"));
        assert!(problems(&"{a: ".repeat(20_000))[0].contains("too-complex"));
    }

    #[test]
    fn spans_count_bytes_in_japanese() {
        let text = "名前: {en: 値, ja: 値}\n";
        let node = parse(&"x".into(), text, 0, &mut Diagnostics::new()).unwrap();
        let entry = node.entry("名前").unwrap();
        assert_eq!(&text[entry.key_span.range()], "名前");
        assert_eq!(&text[entry.node.span.range()], "{en: 値, ja: 値}");
        assert_eq!(&text[entry.node.entry("ja").unwrap().node.span.range()], "値");
    }

    #[test]
    fn versions_keep_their_digits() {
        let node = parse(&"x".into(), "since: 1.10\n", 0, &mut Diagnostics::new()).unwrap();
        assert_eq!(node.entry("since").unwrap().node.value, Value::Scalar(Scalar { text: "1.10".into(), kind: ScalarKind::Float }));
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(parse(&"x".into(), "# only a comment\n", 0, &mut Diagnostics::new()), None);
    }
}
