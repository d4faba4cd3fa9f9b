//! Parses YAML to [`Node`]s, and reports every mistake that a parser can detect.

mod source_range;
mod syntax_errors;

use std::{collections::BTreeMap, sync::Arc};

use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span as Marked};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    node::{ListItem, MapEntry, Node, NodeValue, Scalar, ScalarKind},
    text::Span,
};
pub use source_range::source_range;

use syntax_errors::SyntaxError;

/// The maximum nesting of lists and maps. Facts have up to six levels.
const MAX_DEPTH: usize = 40;

/// The maximum number of values of a file after its aliases are expanded. The largest facts file of a real knowledge base has a few hundred.
const MAX_NODES: usize = 100_000;

/// Parses one YAML document that begins at byte `offset` of the file: front matter is part of a Markdown file.
///
/// Mistakes are added to `diagnostics`. `None` if the text is not YAML, and, without a finding, if it contains no value.
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

/// A list or map whose end is not parsed yet.
struct OpenCollection {
    start: Span,
    anchor: usize,
    items: Vec<ListItem>,
    entries: Vec<MapEntry>,
    /// In a map, the key whose value is not parsed yet.
    key: Option<(String, Span)>,
    is_map: bool,
    /// The keys of the entries, once there are [`MANY_KEYS`].
    keys: FxHashMap<String, Span>,
}

/// With at least this many keys, a map is searched by an index.
const MANY_KEYS: usize = 32;

impl OpenCollection {
    /// The span of a key that already exists in the map.
    fn earlier(&mut self, key: &str) -> Option<Span> {
        if self.entries.len() < MANY_KEYS {
            return self.entries.iter().find(|entry| entry.key == key).map(|entry| entry.key_span);
        }
        let new = self.entries.get(self.keys.len()..).unwrap_or_default();
        self.keys.extend(new.iter().map(|entry| (entry.key.clone(), entry.key_span)));
        self.keys.get(key).copied()
    }
}

/// The builder cannot continue; the reason is already reported.
struct Stopped;

struct Builder<'a> {
    file: &'a Arc<str>,
    text: &'a str,
    offset: usize,
    bytes: CharOffsets,
    diagnostics: &'a mut Diagnostics,
    open: Vec<OpenCollection>,
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
                let node = Node { span, value: NodeValue::Scalar(scalar(&text, style)) };
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
                None => self.stop(Rule::YamlSyntax, span, "an alias is inside of the value that it repeats", "write the value out"),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => Ok(()),
        }
    }

    fn begin(&mut self, start: Span, anchor: usize, is_map: bool) -> Result<(), Stopped> {
        if self.open.len() == MAX_DEPTH {
            return self.too_deep(start);
        }
        self.open.push(OpenCollection {
            start,
            anchor,
            items: Vec::new(),
            entries: Vec::new(),
            key: None,
            is_map,
            keys: FxHashMap::default(),
        });
        Ok(())
    }

    fn end(&mut self, end: Span) -> Result<(), Stopped> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let size = 1 + open.items.len() + open.entries.len();
        // For the scanner, a block collection ends where the next token begins; for readers, it ends with its last value.
        let last = open.items.last().map(|item| item.node.span).or_else(|| open.entries.last().map(|entry| entry.node.span));
        let end = if end.end > end.start { end.end } else { last.map_or(open.start.end, |span| span.end) };
        let value = if open.is_map { NodeValue::Map(open.entries) } else { NodeValue::List(open.items) };
        self.finish(Node { span: Span::new(open.start.start, end), value }, open.anchor, size)
    }

    /// Adds a complete value of `size` nodes to the innermost open list or map, or makes it the root.
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
            open.items.push(ListItem { number, node });
            return Ok(());
        }
        match (open.key.take(), node) {
            (None, Node { span, value: NodeValue::Scalar(scalar) }) => open.key = Some((scalar.text, span)),
            (None, Node { span, .. }) => {
                return self.stop(Rule::YamlSyntax, span, "a key must be a single word or text", "text with `{`, `[` or `: ` needs quotes");
            }
            (Some((key, key_span)), node) => match open.earlier(&key) {
                Some(earlier) => self.duplicate(&key, key_span, earlier),
                None => open.entries.push(MapEntry { number, key, key_span, node }),
            },
        }
        Ok(())
    }

    fn duplicate(&mut self, key: &str, span: Span, earlier: Span) {
        let found = Diagnostic::new(Rule::DuplicateKey, self.place(span), format!("duplicate key `{key}`"))
            .related(self.place(earlier), "first here")
            .help("remove one of them, or join their values");
        self.diagnostics.push(found);
    }

    fn stop(&mut self, rule: Rule, span: Span, message: &str, help: &str) -> Result<(), Stopped> {
        self.diagnostics.report(rule, self.place(span), message, help);
        Err(Stopped)
    }

    fn syntax_error(&mut self, error: &ScanError) {
        let at = self.marker(*error.marker());
        if error.info().contains("recursion limit") {
            let _ = self.too_deep(Span::at(at + self.offset));
            return;
        }
        let SyntaxError { span, message, help } = syntax_errors::explain(self.text, at, error.info());
        let place = self.place(span.shifted(self.offset));
        self.diagnostics.report(Rule::YamlSyntax, place, message, help);
    }

    fn too_deep(&mut self, span: Span) -> Result<(), Stopped> {
        let message = format!("values are nested more than {MAX_DEPTH} deep");
        self.stop(Rule::TooComplex, span, &message, "no file of a knowledge base needs this; look for a bracket that is not closed")
    }

    fn place(&self, span: Span) -> Place {
        Place::new(self.file.clone(), span)
    }

    fn span(&self, span: Marked) -> Span {
        let (start, mut end) = (self.marker(span.start), self.marker(span.end));
        // The scanner includes trailing white space in some tokens.
        let trimmed = self.text.get(start..end).map_or(0, |token| token.len() - token.trim_end().len());
        end -= trimmed;
        Span::new(start, end).shifted(self.offset)
    }

    fn marker(&self, marker: Marker) -> usize {
        self.bytes.byte(marker.index()).min(self.text.len())
    }
}

/// The number of values in a node that is repeated. A long text counts as several.
fn count(node: &Node) -> usize {
    const TEXT: usize = 64;
    match &node.value {
        NodeValue::Scalar(scalar) => 1 + scalar.text.len() / TEXT,
        NodeValue::List(items) => 1 + items.iter().map(|item| count(&item.node)).sum::<usize>(),
        NodeValue::Map(entries) => 1 + entries.iter().map(|entry| count(&entry.node)).sum::<usize>(),
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Scalar {
    let text = text.to_owned();
    if style == ScalarStyle::Plain { Scalar::plain(text) } else { Scalar { text, kind: ScalarKind::Text } }
}

/// Converts the scanner's character indexes to byte offsets.
enum CharOffsets {
    /// The two are equal.
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
        assert_eq!(problems(text), ["2:11: duplicate-key: duplicate key `x`", "3:1: duplicate-key: duplicate key `a`"]);
    }

    #[test]
    fn duplicates_of_many_keys_are_found() {
        let keys = |number: usize| (0..number).map(|key| format!("k{key}: 1\n")).collect::<Vec<_>>().concat();
        let found = problems(&format!("{}{}", keys(1_000), keys(500)));
        assert_eq!(found.len(), 101);
        assert_eq!(found[1], "1002:1: duplicate-key: duplicate key `k1`");
        assert_eq!(found[100], "1101:1: duplicate-key: … and 400 more findings of this rule in this file");
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
        let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a, ".repeat(1_000));
        assert!(problems(&text)[0].contains("too-complex: aliases"), "{:?}", problems(&text));
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
        assert_eq!(node.entry("since").unwrap().node.value, NodeValue::Scalar(Scalar { text: "1.10".into(), kind: ScalarKind::Float }));
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(parse(&"x".into(), "# only a comment\n", 0, &mut Diagnostics::new()), None);
    }
}
