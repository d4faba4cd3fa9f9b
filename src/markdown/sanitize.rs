//! Raw HTML: only what is harmless passes.
//!
//! Tags are never copied. They are read into tokens, looked up in a list of harmless elements and attributes, and written anew, so that a
//! browser reads exactly what was checked. Elements are balanced inside the block that they stand in: nothing that an author writes can close
//! an element of the page around it, or leave one open.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::{
    Html,
    elements::{self, Group},
    entities::{decode_entities, escape_text},
    html_tokens::{Token, TokenKind, tokens},
    inline::{position, push_clean},
    raw_tags::Opening,
    render::Renderer,
    writer::Mark,
};
use crate::{diagnostic::Rule, text::floor_char_boundary};

/// Deeper than anybody writes; a limit keeps the search for the element that a tag closes short.
pub(super) const MAX_DEPTH: usize = 64;

/// Raw elements that are open.
#[derive(Debug, Default)]
pub(super) struct RawHtml {
    open: Vec<RawElement>,
    /// For each of our own elements that are open, how many raw ones were open when it began.
    frames: Vec<usize>,
    /// Elements whose opening tags were refused: their closing tags go without another word.
    refused: Vec<String>,
    /// An inline element whose content is to be dropped.
    dropping: Option<Dropping>,
}

#[derive(Debug)]
struct Dropping {
    name: String,
    /// In which of our elements it stands.
    frame: usize,
    /// What had been written of the page before it.
    page: Mark,
    /// The length of the section's text before it.
    section: usize,
    /// What had been written of the heading's outline before it.
    outline: Mark,
    /// The length of the heading's text before it.
    heading: usize,
}

#[derive(Debug)]
struct RawElement {
    name: String,
    group: Group,
    /// In the parsed text.
    range: Range<usize>,
}

impl RawHtml {
    /// An element of ours begins.
    pub(super) fn enter(&mut self) {
        self.frames.push(self.open.len());
    }

    fn base(&self) -> usize {
        self.frames.last().copied().unwrap_or(0)
    }

    fn is_open(&self, name: &str) -> bool {
        self.open.iter().any(|element| element.name == name)
    }

    pub(super) fn in_link(&self) -> bool {
        self.is_open("a")
    }

    pub(super) fn in_abbreviation(&self) -> bool {
        self.is_open("abbr")
    }

    fn refuse(&mut self, name: &str) {
        if self.refused.len() < MAX_DEPTH {
            self.refused.push(name.to_owned());
        }
    }

    /// The innermost raw element of this frame.
    fn top(&self) -> Option<&RawElement> {
        self.open.get(self.base()..)?.last()
    }
}

impl Renderer<'_> {
    /// One tag, comment or declaration inside a line.
    pub(super) fn inline_html(&mut self, html: &str, range: &Range<usize>) {
        self.flush();
        let html = self.clean(html).into_owned();
        if self.options.allow_html {
            self.collect_anchors(&html);
            self.out.raw(&html);
            return;
        }
        for token in tokens(&html) {
            if self.raw.dropping.is_some() {
                self.end_dropping(&token.kind);
            } else {
                self.token(&html, &token, range.clone(), true);
            }
        }
    }

    /// Takes back what was written since an element whose content is to be dropped. Until then other tags do nothing.
    fn end_dropping(&mut self, token: &TokenKind) {
        let TokenKind::End { name } = token else { return };
        let frame = self.raw.frames.len();
        if let Some(before) = self.raw.dropping.take_if(|dropping| dropping.name == *name && dropping.frame == frame) {
            self.out.split_off(before.page);
            if let Some(outline) = &mut self.outline {
                outline.split_off(before.outline);
                self.inline.plain_heading.truncate(before.heading);
            } else if let Some(section) = self.sections.last_mut() {
                let kept = floor_char_boundary(&section.text, before.section);
                section.text.truncate(kept);
                section.names.retain(|name| name.span.end <= kept);
            }
        }
    }

    /// A block of raw HTML.
    pub(super) fn html_block(&mut self, index: usize) -> usize {
        let end = self.end_of(index);
        let mut html = String::new();
        let mut pieces = Vec::new();
        for (event, range) in self.events.get(index + 1..end).unwrap_or_default() {
            // The parser reports the blanks before a block as text.
            if let Event::Html(text) | Event::Text(text) = event {
                push_clean(text, range.start, self.mark, &mut html, &mut pieces);
            }
        }
        self.out.fresh_line();
        if self.options.allow_html {
            self.collect_anchors(&html);
            self.out.raw(&html);
            return end + 1;
        }
        self.end_of_block_text();
        let from = self.out.text.len();
        self.sanitized_block(&html, &pieces);
        // Of a comment nothing is left but the line break behind it.
        if self.out.text[from..].trim_ascii().is_empty() {
            self.out.text.truncate(from);
        }
        let followed_by_html = matches!(self.events.get(end + 1), Some((Event::Start(Tag::HtmlBlock), _)));
        self.close_lines(followed_by_html);
        self.out.fresh_line();
        self.end_of_block_text();
        end + 1
    }

    fn sanitized_block(&mut self, html: &str, pieces: &[(usize, usize)]) {
        // ASCII case does not change offsets.
        let lower = html.to_ascii_lowercase();
        let mut tokens = tokens(html);
        while let Some(token) = tokens.next() {
            let range = position(pieces, token.range.start)..position(pieces, token.range.end - 1) + 1;
            match &token.kind {
                TokenKind::Start { name, closed, .. }
                    if elements::drops_content(name) && !(*closed && matches!(name.as_str(), "svg" | "math")) =>
                {
                    let closing = lower[token.range.end..].find(&format!("</{name}")).map(|at| token.range.end + at);
                    // What is not closed reaches to the end of the block.
                    tokens.at = closing.and_then(|at| lower[at..].find('>').map(|end| at + end + 1)).unwrap_or(html.len());
                    self.refuse_element(name, range);
                }
                _ => self.token(html, &token, range, false),
            }
        }
    }

    fn token(&mut self, html: &str, token: &Token, range: Range<usize>, inline: bool) {
        match &token.kind {
            TokenKind::Text => self.raw_text(&html[token.range.clone()]),
            TokenKind::Comment => {}
            TokenKind::Other => self.refuse(range, "the markup was dropped".to_owned()),
            TokenKind::End { name } => self.close_tag(name, range),
            TokenKind::Start { name, attributes, closed } => self.open_tag(&Opening { name, attributes, closed: *closed, inline, range }),
        }
    }

    fn raw_text(&mut self, text: &str) {
        let dropped = self.raw.top().is_some_and(|top| elements::holds_only_parts(&top.name)) && !text.trim_ascii().is_empty();
        if dropped {
            return;
        }
        escape_text(text, &mut self.out.text);
        self.section_text(&decode_entities(text));
    }

    fn open_tag(&mut self, tag: &Opening<'_>) {
        let Some(group) = elements::group(tag.name) else {
            if tag.inline && elements::drops_content(tag.name) && !tag.closed {
                let section = self.sections.last().map_or(0, |section| section.text.len());
                let (page, outline) = (self.out.mark(), self.outline.as_ref().map(Html::mark).unwrap_or_default());
                let (frame, heading) = (self.raw.frames.len(), self.inline.plain_heading.len());
                self.raw.dropping = Some(Dropping { name: tag.name.to_owned(), frame, page, section, outline, heading });
            }
            self.refuse_element(tag.name, tag.range.clone());
            return;
        };
        if tag.inline && !matches!(group, Group::Phrase | Group::VoidPhrase) {
            self.raw.refuse(tag.name);
            self.refuse(tag.range.clone(), format!("`<{}>` inside a line was dropped; it must begin a line of its own", tag.name));
            return;
        }
        self.close_before(tag.name, group);
        if let Some(reason) = self.misplaced(tag.name) {
            self.raw.refuse(tag.name);
            self.refuse(tag.range.clone(), format!("`<{}>` was dropped: {reason}", tag.name));
            return;
        }
        if !matches!(group, Group::Phrase | Group::VoidPhrase) {
            self.end_of_block_text();
        }
        self.write_tag(tag);
        if tag.name == "br" {
            self.plain_text("\n");
            self.inline.previous = None;
        }
        let void = matches!(group, Group::VoidPhrase | Group::VoidBlock);
        if tag.closed && !void {
            self.close_markup(tag.name);
        } else if !void {
            self.raw.open.push(RawElement { name: tag.name.to_owned(), group, range: tag.range.clone() });
        }
    }

    /// Closes what an opening tag closes by itself.
    fn close_before(&mut self, name: &str, group: Group) {
        while let Some(top) = self.raw.top() {
            let block = !matches!(group, Group::Phrase | Group::VoidPhrase);
            let phrase_before_block = block && matches!(top.group, Group::Phrase | Group::Line);
            if !(elements::ends(name, &top.name) || phrase_before_block) {
                break;
            }
            self.close_top(false);
        }
    }

    /// Why an element cannot stand here.
    fn misplaced(&self, name: &str) -> Option<String> {
        let top = self.raw.top().map(|top| top.name.as_str());
        let parents = elements::parents(name);
        if !parents.is_empty() && !top.is_some_and(|top| parents.contains(&top)) {
            return Some(format!("it must stand in `<{}>`", parents.first().unwrap_or(&"div")));
        }
        if top.is_some_and(elements::holds_only_parts) && parents.is_empty() {
            return Some("a table holds only rows and cells".to_owned());
        }
        if name == "a" && (self.raw.in_link() || self.inline.in_link()) {
            return Some("a link cannot stand in a link".to_owned());
        }
        (self.raw.open.len() >= MAX_DEPTH).then(|| format!("elements are nested more than {MAX_DEPTH} deep"))
    }

    fn close_tag(&mut self, name: &str, range: Range<usize>) {
        let base = self.raw.base();
        let open = self.raw.open.get(base..).unwrap_or_default().iter().rposition(|element| element.name == name);
        match open {
            Some(at) => {
                while self.raw.open.len() > base + at + 1 {
                    self.close_top(true);
                }
                self.close_top(false);
            }
            // `</p>` and `</br>` open elements in browsers; here they do nothing, like the closing tag of what was refused.
            None if self.raw.refused.iter().position(|refused| refused == name).map(|at| self.raw.refused.swap_remove(at)).is_some() => {}
            None if elements::group(name).is_some() => self.refuse(range, format!("`</{name}>` closes nothing and was dropped")),
            None => {}
        }
    }

    fn close_top(&mut self, report: bool) {
        let Some(element) = self.raw.open.pop() else { return };
        self.close_markup(&element.name);
        if report && !elements::may_stay_open(&element.name) {
            let message = format!("`<{}>` is not closed; it ends here with the block around it", element.name);
            self.report(Rule::RawHtml, element.range, message, Some(format!("add `</{}>`", element.name)));
        }
    }

    fn close_markup(&mut self, name: &str) {
        self.out.raw(&format!("</{name}>"));
        if let Some(outline) = &mut self.outline
            && name != "a"
        {
            outline.raw(&format!("</{name}>"));
        }
    }

    /// Before a block, and after a block of raw HTML, closes what cannot hold blocks. Parts of tables stay open if more raw HTML follows.
    pub(super) fn close_lines(&mut self, followed_by_html: bool) {
        self.raw.dropping = None;
        while let Some(top) = self.raw.top() {
            let keeps = match top.group {
                Group::Flow => true,
                Group::Structure => followed_by_html || !elements::holds_only_parts(&top.name),
                Group::Phrase | Group::VoidPhrase | Group::Line | Group::VoidBlock => false,
            };
            if keeps {
                break;
            }
            self.close_top(true);
        }
    }

    /// An element of ours ends: closes the raw elements in it.
    pub(super) fn close_raw(&mut self) {
        let frame = self.raw.frames.len();
        self.raw.dropping.take_if(|dropping| dropping.frame >= frame);
        let base = self.raw.frames.pop().unwrap_or(0);
        while self.raw.open.len() > base {
            self.close_top(true);
        }
    }
}
