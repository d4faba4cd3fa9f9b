//! Notes, folded blocks and tabs: blocks whose body is Markdown.
//!
//! `!!! note "Title"` with an indented body is rewritten to a block quote whose first line is a heading, and so is `> [!NOTE] Title`. The parser then handles
//! the nesting, and the [`MappedSource`] maps every offset back. Only the parser can distinguish text from code, so each pass parses the text to find markers;
//! each rewrite exposes the markers one level deeper.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::{
    abbreviations,
    indentation::{Prefix, Stripped, line_ranges},
    mapped_source::{MappedSource, TextEdit, moved},
    marker::{self, ContainerKind, Marker, MarkerProblem, Title},
    options::{Labels, Options},
    parsed::{is_inline, parser_options},
    prose::Problem,
};
use crate::{diagnostic::Rule, text::Span};

/// The deepest nesting that is supported. Each level costs one more pass over the text.
const MAX_DEPTH: usize = 10;

/// A note, a folded block or a tab.
#[derive(Clone, Debug)]
pub(super) struct Container {
    /// The offset of its block quote in the rewritten text.
    pub(super) at: usize,
    pub(super) kind: ContainerKind,
    pub(super) title: Title,
}

impl Container {
    /// The title of a container without one.
    pub(super) fn default_title(&self, labels: &Labels) -> Option<String> {
        let (ContainerKind::Note { kind } | ContainerKind::Details { kind, .. }) = &self.kind else { return None };
        (self.title == Title::Default).then(|| labels.notes.get(kind).cloned().unwrap_or_else(|| marker::capitalised(kind)))
    }
}

/// A text whose containers are block quotes.
pub(super) struct Rewritten {
    pub(super) source: MappedSource,
    /// Sorted by `at`.
    pub(super) containers: Vec<Container>,
    /// Terms and meanings that the page defines: `*[HPA]: Horizontal Pod Autoscaler`.
    pub(super) abbreviations: Vec<(String, String)>,
    pub(super) problems: Vec<Problem>,
}

/// Rewrites all containers.
pub(super) fn rewrite(source: MappedSource, options: &Options<'_>) -> Rewritten {
    let mut rewritten = Rewritten { source, containers: Vec::new(), abbreviations: Vec::new(), problems: Vec::new() };
    for depth in 0..=MAX_DEPTH {
        if !marker::may_occur(&rewritten.source.text) {
            break;
        }
        let found = Pass::over(&rewritten.source, &rewritten.containers, options).found;
        if found.edits.is_empty() {
            break;
        }
        if depth == MAX_DEPTH && !found.containers.is_empty() {
            let span = found.containers.first().map_or(Span::default(), |container| rewritten.source.span(container.at..container.at));
            let message = format!("blocks are nested more than {MAX_DEPTH} deep; the inner ones are shown as text");
            rewritten.problems.push(Problem { rule: Rule::BadBlock, span, message, help: "nest fewer notes and tabs".into() });
            break;
        }
        rewritten.apply(found);
    }
    rewritten
}

impl Rewritten {
    fn apply(&mut self, found: PassResult) {
        let PassResult { edits, containers, abbreviations, problems } = found;
        self.abbreviations.extend(abbreviations);
        self.problems.extend(problems);
        self.containers.extend(containers);
        self.containers.sort_by_key(|container| container.at);
        // The marker of a container is replaced from its first byte on, which does not move it.
        let offsets = moved(self.containers.iter().map(|container| container.at), &edits);
        for (container, at) in self.containers.iter_mut().zip(offsets) {
            container.at = at;
        }
        self.source = self.source.edited(&edits);
    }
}

/// The result of one pass over the text.
#[derive(Default)]
struct PassResult {
    edits: Vec<TextEdit>,
    containers: Vec<Container>,
    abbreviations: Vec<(String, String)>,
    problems: Vec<Problem>,
}

/// One pass over the text.
struct Pass<'s> {
    source: &'s MappedSource,
    found: PassResult,
    /// The end of the container that was found last.
    done: usize,
}

impl<'s> Pass<'s> {
    /// `containers` are those of earlier passes, sorted by `at`.
    fn over(source: &'s MappedSource, containers: &[Container], options: &Options<'_>) -> Self {
        let mut pass = Self { source, found: PassResult::default(), done: 0 };
        let mut line_starts = true;
        let mut quote = None;
        for (event, range) in Parser::new_ext(&source.text, parser_options(options)).into_offset_iter() {
            match event {
                Event::Start(Tag::BlockQuote(_)) => {
                    // The block quote of a container is not an alert.
                    quote = containers.binary_search_by_key(&range.start, |container| container.at).is_err().then_some(range.start);
                    line_starts = true;
                }
                Event::Start(Tag::Paragraph) => line_starts = true,
                Event::Text(_) | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. }) if line_starts => {
                    pass.line(range.start, quote.take());
                    line_starts = false;
                }
                Event::SoftBreak
                | Event::HardBreak
                | Event::Start(Tag::Item | Tag::DefinitionListDefinition | Tag::FootnoteDefinition(_))
                | Event::End(_) => {
                    line_starts = !matches!(event, Event::End(end) if is_inline(end));
                    quote = None;
                }
                _ => {
                    line_starts = false;
                    quote = None;
                }
            }
        }
        pass
    }

    /// Reads a line of a paragraph, from its first byte after all list and quote markers.
    fn line(&mut self, at: usize, quote: Option<usize>) {
        if at < self.done {
            return;
        }
        let text = &self.source.text;
        let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let line = &text[at..line_end];
        if let Some((term, meaning)) = abbreviations::definition(line) {
            self.found.abbreviations.push((term.to_owned(), meaning.to_owned()));
            self.found.edits.push(TextEdit { range: at..line_end, with: String::new() });
            self.done = line_end;
        } else if let Some(marker) = quote.and_then(|_| marker::alert(line)) {
            self.alert(&marker, at, quote.unwrap_or(at), line_end);
        } else if let Some(marker) = marker::parse(line) {
            self.indented(&marker, at, line_end);
        }
    }

    /// `> [!NOTE] Title`: already a quote; its first line becomes the title.
    fn alert(&mut self, marker: &Marker, at: usize, quote: usize, line_end: usize) {
        self.check(marker, at);
        self.found.containers.push(Container { at: quote, kind: marker.kind.clone(), title: marker.title.clone() });
        self.title(marker, at, line_end, "");
        self.done = line_end;
    }

    /// Replaces the marker by the title as a heading, because the content of a heading is always inline.
    fn title(&mut self, marker: &Marker, at: usize, line_end: usize, quote: &str) {
        if let Title::Own(title) = &marker.title {
            self.found.edits.push(TextEdit { range: at..at + title.start, with: format!("{quote}# ") });
            self.found.edits.push(TextEdit { range: at + title.end..line_end, with: String::new() });
        } else {
            self.found.edits.push(TextEdit { range: at..line_end, with: quote.trim_end().to_owned() });
        }
    }

    /// `!!! note "Title"` and an indented body.
    fn indented(&mut self, marker: &Marker, at: usize, line_end: usize) {
        let text = &self.source.text;
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let Some(outer) = Prefix::of(&text[line_start..at]) else { return };
        let mut body: Vec<(Range<usize>, Option<usize>)> = Vec::new();
        let mut end = line_end;
        let mut kept = 0;
        for line in line_ranges(text, line_end + 1) {
            match outer.strip(&text[line.clone()]) {
                Stripped::Blank => body.push((line.start..line.end, None)),
                Stripped::Indented { bytes, columns } => {
                    end = line.end;
                    body.push((line.start..line.start + bytes, Some(columns)));
                    kept = body.len();
                }
                Stripped::Outside => break,
            }
        }
        body.truncate(kept);
        if body.is_empty() && marker.problem.is_some() {
            return;
        }
        self.check(marker, at);
        self.separate_from_quote(&outer, line_start, at);
        if body.is_empty() {
            let help = "indent the lines that belong to it by four spaces".to_owned();
            self.problem(at..line_end, "the block has no body".to_owned(), help);
        }
        self.found.containers.push(Container { at, kind: marker.kind.clone(), title: marker.title.clone() });
        self.title(marker, at, line_end, "> ");
        for (range, columns) in body {
            let with =
                columns.map_or_else(|| format!("{}>", outer.repeated), |columns| format!("{}> {}", outer.repeated, " ".repeat(columns)));
            self.found.edits.push(TextEdit { range, with });
        }
        self.separate_from_next_line(&outer, end);
        self.done = end;
    }

    /// Keeps a container from becoming part of the quote that ends on the line before it.
    fn separate_from_quote(&mut self, outer: &Prefix, line_start: usize, at: usize) {
        let text = &self.source.text;
        let Some(before) = text[..line_start].lines().next_back() else { return };
        let quotes = |markers: &str| markers.matches('>').count();
        let own = &text[line_start..at];
        let begins_item = own.contains(|c: char| c != '>' && !c.is_whitespace());
        // The quote and list markers of the line before.
        let markers =
            before.len() - before.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || ">-+*.)".contains(c)).len();
        if !begins_item && quotes(&before[..markers]) > quotes(own) {
            self.found.edits.push(TextEdit { range: line_start..line_start, with: format!("{}\n", outer.repeated.trim_end()) });
        }
    }

    /// Keeps the line after a container from being read as a lazy continuation of its last paragraph.
    fn separate_from_next_line(&mut self, outer: &Prefix, end: usize) {
        let text = &self.source.text;
        let Some(next) = line_ranges(text, end + 1).next() else { return };
        let line = &text[next.clone()];
        // A line that consists of quote markers separates as well.
        if line.contains(|c: char| c != '>' && !c.is_whitespace()) {
            self.found.edits.push(TextEdit { range: next.start..next.start, with: format!("{}\n", outer.shared(line).trim_end()) });
        }
    }

    fn check(&mut self, marker: &Marker, at: usize) {
        if let Some(MarkerProblem { range, message, help }) = &marker.problem {
            self.problem(at + range.start..at + range.end, message.clone(), help.clone());
        }
    }

    fn problem(&mut self, range: Range<usize>, message: String, help: String) {
        self.found.problems.push(Problem { rule: Rule::BadBlock, span: self.source.span(range), message, help });
    }
}
