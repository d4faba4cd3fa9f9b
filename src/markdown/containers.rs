//! Notes, folded blocks and tabs: blocks whose body is Markdown.
//!
//! `!!! note "Title"` with an indented body is rewritten into a block quote whose first line is a heading, and so is `> [!NOTE] Title`. The
//! parser then does the nesting, and the [`Source`] leads every offset back. Only the parser knows what is code and what is text, so it is
//! asked where markers stand; each round of rewriting uncovers the markers one level deeper.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::{
    Labels, Problem, abbreviations,
    indentation::{Lines, Prefix, Stripped},
    marker::{self, Marker, Title},
    source::{Edit, Source, moved},
};
use crate::{diagnostic::Rule, text::Span};

/// Deeper than anybody writes. Each level costs one more look at the text.
const MAX_DEPTH: usize = 10;

/// A note, a folded block or a tab.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Where the block quote that stands for it begins, in the rewritten text.
    pub(super) at: usize,
    pub(super) kind: Kind,
    pub(super) title: Title,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An aside of a kind such as `warning`.
    Note { kind: String },
    /// A block that the reader can fold.
    Details { kind: String, open: bool },
    /// One of several alternatives, chosen by its label.
    Tab { label: String },
}

impl Block {
    /// The title of a block whose author gave none.
    pub(super) fn default_title(&self, labels: &Labels) -> Option<String> {
        let (Kind::Note { kind } | Kind::Details { kind, .. }) = &self.kind else { return None };
        (self.title == Title::Default).then(|| labels.notes.get(kind).cloned().unwrap_or_else(|| marker::capitalised(kind)))
    }
}

/// A text whose blocks are block quotes.
pub(super) struct Rewritten {
    pub(super) source: Source,
    pub(super) blocks: Vec<Block>,
    /// Terms that the page explains itself: `*[HPA]: Horizontal Pod Autoscaler`.
    pub(super) abbreviations: Vec<(String, String)>,
    pub(super) problems: Vec<Problem>,
}

/// Rewrites all blocks.
pub(super) fn rewrite(source: Source) -> Rewritten {
    let mut rewritten = Rewritten { source, blocks: Vec::new(), abbreviations: Vec::new(), problems: Vec::new() };
    for depth in 0..=MAX_DEPTH {
        if !marker::may_occur(&rewritten.source.text) {
            break;
        }
        let round = Round::over(&rewritten.source, &rewritten.blocks).found;
        if round.edits.is_empty() {
            break;
        }
        if depth == MAX_DEPTH && !round.blocks.is_empty() {
            let span = round.blocks.first().map_or(Span::default(), |block| rewritten.source.span(block.at..block.at));
            let message = format!("blocks are nested more than {MAX_DEPTH} deep; the rest is shown as text");
            rewritten.problems.push(Problem { rule: Rule::BadBlock, span, message, help: Some("nest fewer notes and tabs".into()) });
            break;
        }
        rewritten.apply(round);
    }
    rewritten
}

impl Rewritten {
    fn apply(&mut self, round: Found) {
        let Found { edits, blocks, abbreviations, problems } = round;
        self.abbreviations.extend(abbreviations);
        self.problems.extend(problems);
        self.blocks.extend(blocks);
        self.blocks.sort_by_key(|block| block.at);
        // A block's own marker is replaced from its first byte on, which does not move it.
        let positions = moved(self.blocks.iter().map(|block| block.at), &edits);
        for (block, at) in self.blocks.iter_mut().zip(positions) {
            block.at = at;
        }
        self.source = self.source.edited(&edits);
    }
}

/// What one look at the text found.
#[derive(Default)]
struct Found {
    edits: Vec<Edit>,
    blocks: Vec<Block>,
    abbreviations: Vec<(String, String)>,
    problems: Vec<Problem>,
}

/// One look at the text.
struct Round<'s> {
    source: &'s Source,
    /// Blocks of earlier looks, by their place.
    blocks: &'s [Block],
    found: Found,
    /// Up to where the text belongs to a block that was just found.
    done: usize,
}

impl<'s> Round<'s> {
    fn over(source: &'s Source, blocks: &'s [Block]) -> Self {
        let mut round = Self { source, blocks, found: Found::default(), done: 0 };
        let mut line_starts = true;
        let mut quote = None;
        for (event, range) in Parser::new_ext(&source.text, super::parser_options()).into_offset_iter() {
            match event {
                Event::Start(Tag::BlockQuote(_)) => {
                    // What stands for a block is no alert as well.
                    quote = round.blocks.binary_search_by_key(&range.start, |block| block.at).is_err().then_some(range.start);
                    line_starts = true;
                }
                Event::Start(Tag::Paragraph) => line_starts = true,
                Event::Text(_) | Event::Start(Tag::Emphasis | Tag::Strong | Tag::Link { .. }) if line_starts => {
                    round.line(range.start, quote.take());
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
        round
    }

    /// Looks at a line of a paragraph, from its first byte after all list and quote markers.
    fn line(&mut self, at: usize, quote: Option<usize>) {
        if at < self.done {
            return;
        }
        let text = &self.source.text;
        let line_end = text[at..].find('\n').map_or(text.len(), |length| at + length);
        let line = &text[at..line_end];
        if let Some((term, meaning)) = abbreviations::definition(line) {
            self.found.abbreviations.push((term.to_owned(), meaning.to_owned()));
            self.found.edits.push(Edit { range: at..line_end, with: String::new() });
            self.done = line_end;
        } else if let Some(marker) = quote.and_then(|_| marker::alert(line)) {
            self.alert(&marker, at, quote.unwrap_or(at), line_end);
        } else if let Some(marker) = marker::parse(line) {
            self.indented(&marker, at, line_end);
        }
    }

    /// `> [!NOTE] Title`: the quote is there, its first line becomes the title.
    fn alert(&mut self, marker: &Marker, at: usize, quote: usize, line_end: usize) {
        self.check(marker, at);
        self.found.blocks.push(Block { at: quote, kind: marker.kind.clone(), title: marker.title.clone() });
        self.title(marker, at, line_end, "");
        self.done = line_end;
    }

    /// Replaces the marker by the title as a heading, whose text is always inline.
    fn title(&mut self, marker: &Marker, at: usize, line_end: usize, quote: &str) {
        if let Title::Own(title) = &marker.title {
            self.found.edits.push(Edit { range: at..at + title.start, with: format!("{quote}# ") });
            self.found.edits.push(Edit { range: at + title.end..line_end, with: String::new() });
        } else {
            self.found.edits.push(Edit { range: at..line_end, with: quote.trim_end().to_owned() });
        }
    }

    /// `!!! note "Title"` and an indented body.
    fn indented(&mut self, marker: &Marker, at: usize, line_end: usize) {
        let text = &self.source.text;
        let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let Ok(outer) = Prefix::of(&text[line_start..at]) else { return };
        let mut body: Vec<(Range<usize>, Option<usize>)> = Vec::new();
        let mut end = line_end;
        let mut kept = 0;
        for line in (Lines { text, at: line_end + 1 }) {
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
        if body.is_empty() && !marker.known {
            return;
        }
        self.check(marker, at);
        self.part(&outer, line_start, at);
        if body.is_empty() {
            let help = "indent the lines that belong to it by four spaces".to_owned();
            self.problem(at..line_end, "the block has no body".to_owned(), help);
        }
        self.found.blocks.push(Block { at, kind: marker.kind.clone(), title: marker.title.clone() });
        self.title(marker, at, line_end, "> ");
        for (range, columns) in body {
            let with =
                columns.map_or_else(|| format!("{}>", outer.repeated), |columns| format!("{}> {}", outer.repeated, " ".repeat(columns)));
            self.found.edits.push(Edit { range, with });
        }
        self.separate(&outer, end);
        self.done = end;
    }

    /// Keeps a block from becoming a part of the quote that ends on the line before it.
    fn part(&mut self, outer: &Prefix, line_start: usize, at: usize) {
        let text = &self.source.text;
        let Some(before) = text[..line_start].lines().next_back() else { return };
        let quotes = |markers: &str| markers.matches('>').count();
        let own = &text[line_start..at];
        let begins_item = own.contains(|c: char| c != '>' && !c.is_whitespace());
        // What stands before the words of that line: markers of quotes and lists.
        let markers =
            before.len() - before.trim_start_matches(|c: char| c.is_whitespace() || c.is_ascii_digit() || ">-+*.)".contains(c)).len();
        if !begins_item && quotes(&before[..markers]) > quotes(own) {
            self.found.edits.push(Edit { range: line_start..line_start, with: format!("{}\n", outer.repeated.trim_end()) });
        }
    }

    /// Keeps the line after a block from being read as a lazy continuation of its last paragraph.
    fn separate(&mut self, outer: &Prefix, end: usize) {
        let text = &self.source.text;
        let Some(next) = (Lines { text, at: end + 1 }).next() else { return };
        let line = &text[next.clone()];
        // A line of nothing but quote markers separates as well.
        if line.contains(|c: char| c != '>' && !c.is_whitespace()) {
            self.found.edits.push(Edit { range: next.start..next.start, with: format!("{}\n", outer.shared(line).trim_end()) });
        }
    }

    fn check(&mut self, marker: &Marker, at: usize) {
        if let Some((range, message, help)) = &marker.problem {
            self.problem(at + range.start..at + range.end, message.clone(), help.clone());
        }
    }

    fn problem(&mut self, range: Range<usize>, message: String, help: String) {
        self.found.problems.push(Problem { rule: Rule::BadBlock, span: self.source.span(range), message, help: Some(help) });
    }
}

fn is_inline(end: pulldown_cmark::TagEnd) -> bool {
    use pulldown_cmark::TagEnd::{Emphasis, Image, Link, Strikethrough, Strong, Subscript, Superscript};
    matches!(end, Emphasis | Strong | Strikethrough | Link | Image | Superscript | Subscript)
}
