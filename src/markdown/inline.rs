//! Text, breaks, code, links and images inside a block.

use std::{borrow::Cow, collections::BTreeMap};

use pulldown_cmark::{Event, Tag, TagEnd};

use super::{Link, Target, abbreviations::Terms, autolinks, render::Renderer, writer::escape_url};
use crate::text::joins_without_space;

/// What is remembered between the pieces of a line.
pub(super) struct Inline<'a> {
    /// Text that was not written yet: the parser cuts text at every character that might have been markup.
    pending: String,
    /// Where pieces of `pending` stand in the parsed text.
    pieces: Vec<(usize, usize)>,
    /// The last visible character of this block.
    pub(super) previous: Option<char>,
    /// Plain text of the heading being written.
    pub(super) plain_heading: String,
    /// How each open link ends.
    pub(super) closing: Vec<&'static str>,
    terms: Terms<'a>,
}

impl<'a> Inline<'a> {
    pub(super) fn new(glossary: &'a BTreeMap<String, String>, abbreviations: &'a [(String, String)]) -> Self {
        let own = abbreviations.iter().map(|(term, meaning)| (term.as_str(), meaning.as_str()));
        let terms = Terms::new(glossary.iter().map(|(term, meaning)| (term.as_str(), meaning.as_str())).chain(own));
        Self { pending: String::new(), pieces: Vec::new(), previous: None, plain_heading: String::new(), closing: Vec::new(), terms }
    }

    /// Whether text stands inside a link.
    pub(super) fn in_link(&self) -> bool {
        !self.closing.is_empty()
    }
}

impl Renderer<'_> {
    /// Text without the mark that was put beside Japanese emphasis.
    pub(super) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.mark {
            Some(mark) if text.contains(mark) => Cow::Owned(text.replace(mark, "")),
            _ => Cow::Borrowed(text),
        }
    }

    pub(super) fn text(&mut self, text: &str, at: usize) {
        push_clean(text, at, self.mark, &mut self.inline.pending, &mut self.inline.pieces);
        if let Some(last) = self.inline.pending.chars().next_back() {
            self.inline.previous = Some(last);
        }
    }

    /// Writes the text that was collected.
    pub(super) fn flush(&mut self) {
        if self.inline.pending.is_empty() {
            return;
        }
        let pending = std::mem::take(&mut self.inline.pending);
        let pieces = std::mem::take(&mut self.inline.pieces);
        self.plain_text(&pending);
        if self.plain || self.inline.in_link() || self.raw.in_link() {
            self.write_text(&pending);
            return;
        }
        self.report_undefined_footnotes(&pending, &pieces);
        let mut done = 0;
        for range in autolinks::find(&pending) {
            self.write_prose(&pending[done..range.start]);
            let url = &pending[range.clone()];
            let place = position(&pieces, range.start)..position(&pieces, range.end - 1) + 1;
            self.links.push(Link { target: Target::External(url.to_owned()), image: false, span: self.source.span(place) });
            self.link_markup(&format!("<a href=\"{}\" rel=\"external noreferrer\">", escape_url(url)));
            self.write_text(url);
            self.link_markup("</a>");
            done = range.end;
        }
        self.write_prose(&pending[done..]);
    }

    /// Writes text in which terms of the glossary are explained at their first use.
    fn write_prose(&mut self, text: &str) {
        if self.outline.is_some() || self.inline.terms.is_empty() || self.raw.in_abbreviation() {
            self.write_text(text);
            return;
        }
        let mut done = 0;
        for (range, term, meaning) in self.inline.terms.find(text) {
            self.write_text(&text[done..range.start]);
            self.out.raw("<abbr tabindex=\"0\"");
            self.out.attribute("title", meaning);
            self.out.raw(">");
            self.out.escaped(term);
            self.out.raw("</abbr>");
            done = range.end;
        }
        self.write_text(&text[done..]);
    }

    fn write_text(&mut self, text: &str) {
        self.out.escaped(text);
        if let Some(outline) = &mut self.outline {
            outline.escaped(text);
        }
    }

    /// Adds to what is read without markup.
    pub(super) fn plain_text(&mut self, text: &str) {
        if self.outline.is_some() {
            self.inline.plain_heading.push_str(text);
        } else {
            self.section_text(text);
        }
    }

    /// Writes a tag; in headings also to the outline.
    pub(super) fn inline_markup(&mut self, markup: &str) {
        self.out.raw(markup);
        if let Some(outline) = &mut self.outline {
            outline.raw(markup);
        }
    }

    pub(super) fn link_markup(&mut self, markup: &str) {
        self.out.raw(markup);
    }

    /// A line break in the source is a space, except between characters that are written without spaces.
    pub(super) fn soft_break(&mut self, index: usize) {
        let next = self.next_character(index + 1);
        let joined =
            !self.plain && matches!((self.inline.previous, next), (Some(before), Some(after)) if joins_without_space(before, after));
        if !joined {
            self.inline.pieces.push((self.inline.pending.len(), self.events.get(index).map_or(0, |(_, range)| range.start)));
            self.inline.pending.push('\n');
            self.inline.previous = Some(' ');
        }
    }

    /// The first visible character of the next line. Looks no further than the line, so a text of many breaks takes linear time.
    fn next_character(&self, from: usize) -> Option<char> {
        for (event, _) in self.events.get(from..)? {
            match event {
                Event::Text(text) | Event::Code(text) => {
                    if let Some(first) = text.chars().find(|c| Some(*c) != self.mark) {
                        return Some(first);
                    }
                }
                Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
                | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link)
                | Event::InlineHtml(_) => {}
                _ => return None,
            }
        }
        None
    }

    pub(super) fn hard_break(&mut self) {
        self.flush();
        self.inline_markup("<br>\n");
        self.plain_text("\n");
        self.inline.previous = None;
    }

    pub(super) fn inline_code(&mut self, code: &str) {
        self.flush();
        let code = self.clean(code);
        self.inline_markup("<code>");
        self.write_text(&code);
        self.inline_markup("</code>");
        self.plain_text(&code);
        self.inline.previous = code.chars().next_back();
    }
}

/// Collects text without marks, and where its pieces stand in the parsed text.
pub(super) fn push_clean(text: &str, at: usize, mark: Option<char>, collected: &mut String, pieces: &mut Vec<(usize, usize)>) {
    let mut from = 0;
    if let Some(mark) = mark {
        for (index, _) in text.match_indices(mark) {
            pieces.push((collected.len(), at + from));
            collected.push_str(&text[from..index]);
            from = index + mark.len_utf8();
        }
    }
    pieces.push((collected.len(), at + from));
    collected.push_str(&text[from..]);
}

/// The offset in the parsed text of a byte of the collected text.
pub(super) fn position(pieces: &[(usize, usize)], at: usize) -> usize {
    let after = pieces.partition_point(|(from, _)| *from <= at);
    after.checked_sub(1).and_then(|index| pieces.get(index)).map_or(0, |(from, source)| source + at - from)
}
