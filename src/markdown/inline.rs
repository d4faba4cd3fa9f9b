//! Text, breaks, code, links and images inside a block.

use std::{borrow::Cow, collections::BTreeMap, ops::Range};

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::{
    HoleKind, Link, Target,
    abbreviations::Terms,
    autolinks,
    links::{classify, classify_wiki},
    render::Renderer,
    writer::{escape, escape_url},
};
use crate::{diagnostic::Rule, text::joins_without_space};

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
    closing: Vec<&'static str>,
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

    fn link_markup(&mut self, markup: &str) {
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

    pub(super) fn start_link(&mut self, kind: LinkType, destination: &str, title: &str, range: &Range<usize>, index: usize) -> usize {
        let destination = self.clean(destination).into_owned();
        let title = self.clean(title).into_owned();
        if let LinkType::WikiLink { has_pothole } = kind {
            return self.wiki_link(&destination, has_pothole, range, index);
        }
        let destination = if kind == LinkType::Email { format!("mailto:{destination}") } else { destination };
        self.raw.enter();
        // HTML knows no link inside a link: the inner one keeps its text.
        if self.inline.in_link() || self.raw.in_link() {
            self.inline.closing.push("");
            return index + 1;
        }
        self.open_link(&destination, range);
        if !title.is_empty() {
            self.out.attribute("title", &title);
        }
        self.out.raw(">");
        self.inline.closing.push("</a>");
        index + 1
    }

    /// Writes `<a href="…"`, left open for more attributes.
    fn open_link(&mut self, destination: &str, range: &Range<usize>) {
        self.out.raw("<a");
        if let Some(target) = self.target(destination, range) {
            self.address("href", target, false, range);
        }
    }

    /// Sorts a destination; one that is not allowed is reported and leads nowhere.
    pub(super) fn target(&mut self, destination: &str, range: &Range<usize>) -> Option<Target> {
        match classify(destination) {
            Ok(target) => Some(target),
            Err(scheme) if self.plain && scheme != "javascript" => Some(Target::External(destination.to_owned())),
            Err(scheme) => {
                let message = format!("links with the scheme `{scheme}:` are not allowed");
                let help = if matches!(scheme.as_str(), "javascript" | "vbscript" | "data" | "blob" | "file") {
                    "link to a page or a file of the knowledge base, or to an `https:` address".to_owned()
                } else {
                    format!("use https, http, mailto, tel or ftp; a file whose name contains a colon is written `./{destination}`")
                };
                self.report(Rule::UnsafeLink, range.clone(), message, Some(help));
                None
            }
        }
    }

    /// Writes ` href="…"` or ` src="…"` for a target and remembers the link.
    pub(super) fn address(&mut self, attribute: &str, target: Target, image: bool, range: &Range<usize>) {
        self.out.raw(&format!(" {attribute}=\""));
        if let Target::External(url) = &target {
            self.out.raw(&escape_url(url));
            let leaves = url.starts_with(['h', 'H', '/', '\\']);
            self.out.raw(if image || self.plain || !leaves { "\"" } else { "\" rel=\"external noreferrer\"" });
        } else {
            self.out.hole(HoleKind::Address(self.links.len()));
            self.out.raw("\"");
        }
        self.links.push(Link { target, image, span: self.source.span(range.clone()) });
    }

    fn wiki_link(&mut self, name: &str, has_text: bool, range: &Range<usize>, index: usize) -> usize {
        let target = classify_wiki(name);
        let number = self.links.len();
        let nested = self.inline.in_link() || self.raw.in_link();
        if !matches!(target, Target::Citation(_)) && has_text {
            self.raw.enter();
            self.inline.closing.push(if nested { "" } else { "</a>" });
            if !nested {
                self.out.raw("<a");
                self.address("href", target, false, range);
                self.out.raw(">");
            }
            return index + 1;
        }
        match &target {
            Target::Citation(_) if nested => {}
            Target::Citation(key) => {
                let key = key.clone();
                self.citation(&key, number);
                self.links.push(Link { target, image: false, span: self.source.span(range.clone()) });
            }
            Target::Id { id, anchor } => {
                let shown = anchor.clone().filter(|_| id.is_empty()).unwrap_or_else(|| id.clone());
                if nested {
                    self.links.push(Link { target, image: false, span: self.source.span(range.clone()) });
                    self.out.hole(HoleKind::Name(number));
                } else {
                    self.out.raw("<a");
                    self.address("href", target, false, range);
                    self.out.raw(">");
                    self.out.hole(HoleKind::Name(number));
                    self.out.raw("</a>");
                }
                if let Some(outline) = &mut self.outline {
                    outline.escaped(&shown);
                }
                self.plain_text(&shown);
                self.inline.previous = shown.chars().next_back();
            }
            _ => {}
        }
        self.end_of(index) + 1
    }

    fn citation(&mut self, key: &str, number: usize) {
        let fragment = crate::url::encode_fragment(&format!("source-{key}"));
        self.out.raw("<sup class=\"cite\"><a");
        self.out.attribute("href", &format!("#{fragment}"));
        self.out.raw(" aria-label=\"");
        self.out.escaped(&self.options.labels.citation);
        self.out.raw(" ");
        self.out.hole(HoleKind::Number(number));
        self.out.raw("\">[");
        self.out.hole(HoleKind::Number(number));
        self.out.raw("]</a></sup>");
    }

    pub(super) fn end_link(&mut self) {
        if let Some(closing) = self.inline.closing.pop() {
            self.link_markup(closing);
        }
    }

    pub(super) fn image(&mut self, kind: LinkType, destination: &str, title: &str, range: &Range<usize>, index: usize) -> usize {
        let destination = self.clean(destination).into_owned();
        let title = self.clean(title).into_owned();
        let end = self.end_of(index);
        let alt = match kind {
            LinkType::WikiLink { has_pothole: false } => String::new(),
            _ => self.alternative_text(index + 1..end),
        };
        if alt.trim().is_empty() && !self.plain {
            let help = "say between the square brackets what the picture shows: `![three Pods on two Nodes](…)`".to_owned();
            self.report(Rule::MissingAltText, range.clone(), "the image has no alternative text".to_owned(), Some(help));
        }
        self.out.raw("<img");
        if let Some(target) = self.target(&destination, range) {
            self.address("src", target, true, range);
        }
        self.out.attribute("alt", &alt);
        if !title.is_empty() {
            self.out.attribute("title", &title);
        }
        self.out.raw(if self.plain { ">" } else { " loading=\"lazy\" decoding=\"async\">" });
        if let Some(outline) = &mut self.outline {
            outline.raw(&escape(&alt));
        }
        self.plain_text(&alt);
        self.inline.previous = alt.chars().next_back();
        end + 1
    }

    fn alternative_text(&self, range: Range<usize>) -> String {
        let mut alt = String::new();
        for (event, _) in self.events.get(range).unwrap_or_default() {
            match event {
                Event::Text(text) | Event::Code(text) => alt.push_str(&self.clean(text)),
                Event::SoftBreak | Event::HardBreak => alt.push('\n'),
                _ => {}
            }
        }
        alt
    }

    /// A paragraph that holds only an image with a title becomes a figure with the title as its caption.
    pub(super) fn figure(&mut self, index: usize) -> Option<usize> {
        let (Event::Start(Tag::Image { link_type, dest_url, title, .. }), range) = self.events.get(index + 1)? else { return None };
        if self.plain || title.is_empty() {
            return None;
        }
        let end = self.end_of(index + 1);
        if !matches!(self.events.get(end + 1), Some((Event::End(TagEnd::Paragraph), _))) {
            return None;
        }
        self.end_of_block_text();
        self.out.fresh_line();
        self.out.raw("<figure>");
        self.image(*link_type, dest_url, "", range, index + 1);
        let title = self.clean(title).into_owned();
        self.out.raw("<figcaption>");
        self.out.escaped(&title);
        self.out.raw("</figcaption></figure>\n");
        self.plain_text("\n");
        self.plain_text(&title);
        self.end_of_block_text();
        Some(end + 2)
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
