//! Raw HTML: only harmless elements are kept.
//!
//! Tags are never copied. They are parsed to tokens, looked up in a list of harmless elements and attributes, and serialized again, so that a browser parses
//! exactly what was checked. Elements are balanced inside the Markdown block that contains them: an author can neither close an element of the page around it
//! nor leave one open.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::{
    elements::{self, ElementGroup},
    entities::{decode_entities, escape_text},
    html::HtmlPosition,
    html_tokens::{Token, TokenKind, tokens},
    media,
    output::PageOutput,
    parsed::CollectedText,
    raw_tags::{RawTag, collect_ids, refuse, refuse_element, write_end_tag, write_tag},
};
use crate::diagnostic::Rule;

/// The maximum number of open raw elements. The limit bounds the search for the element that a tag closes.
const MAX_DEPTH: usize = 64;

/// The open raw elements.
#[derive(Debug, Default)]
pub(super) struct RawHtml {
    open: Vec<RawElement>,
    /// The open Markdown elements.
    frames: Vec<OpenMarkdown>,
    /// Elements whose opening tags were dropped: their closing tags are dropped without a report.
    refused: Vec<String>,
    /// The inline element whose content is being dropped.
    dropping: Option<DroppedElement>,
}

/// An open Markdown element.
#[derive(Debug)]
struct OpenMarkdown {
    /// The number of raw elements that were open at its start.
    base: usize,
    /// Whether it is a cell of a table, which may contain blocks although it is written in one line.
    is_cell: bool,
}

#[derive(Debug)]
struct RawElement {
    name: String,
    group: ElementGroup,
    /// The opening tag in the parsed text.
    range: Range<usize>,
    /// Whether it is a video or an audio file that has no text alternative so far.
    needs_track: bool,
}

/// An element whose content is dropped, and the lengths of the output before it.
#[derive(Debug)]
struct DroppedElement {
    name: String,
    /// The number of open Markdown elements.
    frame: usize,
    html: HtmlPosition,
    section: usize,
    heading_html: usize,
    heading_text: usize,
}

impl DroppedElement {
    fn new(name: &str, frame: usize, out: &PageOutput<'_>) -> Self {
        let heading = out.heading.as_ref();
        Self {
            name: name.to_owned(),
            frame,
            html: out.html.end(),
            section: out.sections.last().map_or(0, |section| section.text.len()),
            heading_html: heading.map_or(0, |heading| heading.html.len()),
            heading_text: heading.map_or(0, |heading| heading.plain.len()),
        }
    }

    /// Removes everything that was written since its start.
    fn drop_content(&self, out: &mut PageOutput<'_>) {
        out.html.split_off(self.html);
        if let Some(heading) = &mut out.heading {
            heading.html.truncate(self.heading_html);
            heading.plain.truncate(self.heading_text);
        } else if let Some(section) = out.sections.last_mut() {
            let kept = section.text.floor_char_boundary(self.section);
            section.text.truncate(kept);
            section.names.retain(|name| name.span.end <= kept);
        }
    }
}

impl RawHtml {
    /// Begins a Markdown element, which may be a cell of a table.
    pub(super) fn enter(&mut self, is_cell: bool) {
        self.frames.push(OpenMarkdown { base: self.open.len(), is_cell });
    }

    /// Ends a Markdown element: closes the raw elements in it.
    pub(super) fn leave(&mut self, out: &mut PageOutput<'_>) {
        let frame = self.frames.len();
        self.dropping.take_if(|dropping| dropping.frame >= frame);
        let base = self.frames.pop().map_or(0, |frame| frame.base);
        while self.open.len() > base {
            self.close_top(true, out);
        }
    }

    /// Whether no element is open, neither of Markdown nor of raw HTML.
    pub(super) const fn is_outermost(&self) -> bool {
        self.frames.is_empty() && self.open.is_empty()
    }

    pub(super) fn in_abbreviation(&self) -> bool {
        self.open.iter().any(|element| element.name == "abbr")
    }

    fn base(&self) -> usize {
        self.frames.last().map_or(0, |frame| frame.base)
    }

    /// The innermost raw element of the current Markdown element.
    fn top(&self) -> Option<&RawElement> {
        self.open.get(self.base()..)?.last()
    }

    /// Writes one tag, comment or declaration inside a line.
    pub(super) fn inline(&mut self, html: &str, range: &Range<usize>, out: &mut PageOutput<'_>) {
        let html = out.page.clean(html);
        if out.page.options.allow_html {
            collect_ids(&html, out);
            out.html.raw(&html);
            return;
        }
        for token in tokens(&html) {
            match (&self.dropping, &token.kind) {
                (None, _) => self.token(&html, &token, range.clone(), true, out),
                (Some(dropping), TokenKind::End { name }) if dropping.name == *name && dropping.frame == self.frames.len() => {
                    dropping.drop_content(out);
                    self.dropping = None;
                }
                // Other tags inside a dropped element have no effect.
                (Some(_), _) => {}
            }
        }
    }

    /// Writes the block of raw HTML that starts at `index`.
    pub(super) fn block(&mut self, index: usize, out: &mut PageOutput<'_>) {
        let page = out.page;
        let mut html = CollectedText::default();
        for (event, range) in page.content(index) {
            // The parser reports the white space before a block as text.
            if let Event::Html(text) | Event::Text(text) = event {
                html.push(text, range.start, page.mark);
            }
        }
        out.html.fresh_line();
        if page.options.allow_html {
            collect_ids(&html.text, out);
            out.html.raw(&html.text);
            return;
        }
        out.end_block_text();
        let from = out.html.text.len();
        self.sanitized_block(&html, out);
        // Only the line break after a comment remains.
        if out.html.text[from..].trim_ascii().is_empty() {
            out.html.text.truncate(from);
        }
        let followed_by_html = matches!(page.event(page.end_of(index) + 1), Some(Event::Start(Tag::HtmlBlock)));
        self.close_lines(followed_by_html, out);
        out.html.fresh_line();
        out.end_block_text();
    }

    fn sanitized_block(&mut self, html: &CollectedText, out: &mut PageOutput<'_>) {
        let text = &html.text;
        // ASCII case does not change offsets.
        let lower = text.to_ascii_lowercase();
        let mut tokens = tokens(text);
        while let Some(token) = tokens.next() {
            let range = html.parsed_offset(token.range.start)..html.parsed_offset(token.range.end - 1) + 1;
            match &token.kind {
                TokenKind::Start { name, closed, .. }
                    if elements::drops_content(name) && !(*closed && matches!(name.as_str(), "svg" | "math")) =>
                {
                    let closing = lower[token.range.end..].find(&format!("</{name}")).map(|at| token.range.end + at);
                    // An element that is not closed extends to the end of the block.
                    tokens.at = closing.and_then(|at| lower[at..].find('>').map(|end| at + end + 1)).unwrap_or(text.len());
                    refuse_element(name, range, out);
                }
                _ => self.token(text, &token, range, false, out),
            }
        }
    }

    fn token(&mut self, html: &str, token: &Token, range: Range<usize>, inline: bool, out: &mut PageOutput<'_>) {
        match &token.kind {
            TokenKind::Text => self.text(&html[token.range.clone()], out),
            TokenKind::Comment => {}
            TokenKind::Other => refuse(range, "the markup was dropped", out),
            TokenKind::End { name } => self.close(name, range, out),
            TokenKind::Start { name, attributes, closed } => self.open(&RawTag { name, attributes, closed: *closed, inline, range }, out),
        }
    }

    fn text(&self, text: &str, out: &mut PageOutput<'_>) {
        let misplaced = self.top().is_some_and(|top| elements::holds_only_parts(&top.name)) && !text.trim_ascii().is_empty();
        if !misplaced {
            escape_text(text, &mut out.html.text);
            out.section_text(&decode_entities(text));
        }
    }

    fn open(&mut self, tag: &RawTag<'_>, out: &mut PageOutput<'_>) {
        let Some(group) = elements::group(tag.name) else {
            if tag.inline && elements::drops_content(tag.name) && !tag.closed {
                self.dropping = Some(DroppedElement::new(tag.name, self.frames.len(), out));
            }
            refuse_element(tag.name, tag.range.clone(), out);
            return;
        };
        let in_cell = self.frames.last().is_some_and(|frame| frame.is_cell) && !elements::is_part_of_table(tag.name);
        if tag.inline && !group.is_phrase() && !in_cell {
            // The words around it stay apart.
            out.html.raw(" ");
            out.plain_text(" ");
            self.drop_tag(tag, format!("`<{}>` inside a line was dropped; it must be at the start of a separate line", tag.name), out);
            return;
        }
        self.close_before(tag.name, group, out);
        // The parts of a dropped element are not reported as well.
        if group.is_void() && self.refused.iter().any(|refused| elements::parents(tag.name).contains(&refused.as_str())) {
            return;
        }
        if let Some(reason) = self.misplaced(tag.name, out) {
            self.drop_tag(tag, format!("`<{}>` was dropped: {reason}", tag.name), out);
            return;
        }
        if !group.is_phrase() {
            out.end_block_text();
        }
        write_tag(tag, out);
        if tag.name == "br" {
            out.plain_text("\n");
            out.previous = None;
        }
        if media::is_text_alternative(tag.name, tag.attributes)
            && let Some(parent) = self.open.last_mut()
        {
            parent.needs_track = false;
        }
        if group.is_void() {
            return;
        }
        out.open_links += usize::from(tag.name == "a");
        self.open.push(RawElement {
            name: tag.name.to_owned(),
            group,
            range: tag.range.clone(),
            needs_track: media::needs_track(tag.name, tag.attributes),
        });
        if tag.closed {
            self.close_top(false, out);
        }
    }

    /// Reports an opening tag that is dropped.
    fn drop_tag(&mut self, tag: &RawTag<'_>, message: String, out: &mut PageOutput<'_>) {
        if self.refused.len() < MAX_DEPTH {
            self.refused.push(tag.name.to_owned());
        }
        refuse(tag.range.clone(), message, out);
    }

    /// Closes the elements that an opening tag ends implicitly.
    fn close_before(&mut self, name: &str, group: ElementGroup, out: &mut PageOutput<'_>) {
        while let Some(top) = self.top() {
            let phrase_before_block = !group.is_phrase() && matches!(top.group, ElementGroup::Phrase | ElementGroup::Line);
            if !(elements::ends(name, &top.name) || phrase_before_block) {
                break;
            }
            self.close_top(false, out);
        }
    }

    /// Why an element is not allowed here.
    fn misplaced(&self, name: &str, out: &PageOutput<'_>) -> Option<String> {
        let top = self.top().map(|top| top.name.as_str());
        let parents = elements::parents(name);
        if !parents.is_empty() && !top.is_some_and(|top| parents.contains(&top)) {
            return Some(format!("it must be inside of `<{}>`", parents.first().unwrap_or(&"div")));
        }
        if top.is_some_and(elements::holds_only_parts) && parents.is_empty() {
            return Some("a table can contain only rows and cells".to_owned());
        }
        if name == "a" && out.in_link() {
            return Some("a link cannot contain a link".to_owned());
        }
        if elements::is_media(name) && out.in_link() {
            return Some("a link cannot contain controls".to_owned());
        }
        if elements::is_media(name) && self.open.iter().any(|element| elements::is_media(&element.name)) {
            return Some("it cannot be inside of another video or audio file".to_owned());
        }
        (self.open.len() >= MAX_DEPTH).then(|| format!("elements are nested more than {MAX_DEPTH} deep"))
    }

    fn close(&mut self, name: &str, range: Range<usize>, out: &mut PageOutput<'_>) {
        let base = self.base();
        if let Some(at) = self.open.get(base..).unwrap_or_default().iter().rposition(|element| element.name == name) {
            while self.open.len() > base + at + 1 {
                self.close_top(true, out);
            }
            self.close_top(false, out);
        } else if let Some(at) = self.refused.iter().position(|refused| refused == name) {
            self.refused.swap_remove(at);
        } else if elements::group(name).is_some() {
            // `</p>` and `</br>` open elements in browsers; here they have no effect.
            refuse(range, format!("`</{name}>` has no opening tag and was dropped"), out);
        }
    }

    fn close_top(&mut self, report: bool, out: &mut PageOutput<'_>) {
        let Some(element) = self.open.pop() else { return };
        out.open_links -= usize::from(element.name == "a");
        write_end_tag(&element.name, out);
        if element.needs_track {
            media::report_missing_text(&element.name, element.range.clone(), out);
        }
        if report && !elements::may_stay_open(&element.name) {
            let message = format!("`<{}>` is not closed; it ends here with the block around it", element.name);
            out.report(Rule::RawHtml, element.range, message, format!("add `</{}>`", element.name));
        }
    }

    /// Before a block, and after a block of raw HTML, closes elements that cannot contain blocks. Parts of tables stay open if more raw
    /// HTML follows.
    pub(super) fn close_lines(&mut self, followed_by_html: bool, out: &mut PageOutput<'_>) {
        self.dropping = None;
        while let Some(top) = self.top() {
            let keeps = match top.group {
                ElementGroup::Flow => true,
                ElementGroup::Structure => followed_by_html || !elements::holds_only_parts(&top.name),
                ElementGroup::Phrase | ElementGroup::VoidPhrase | ElementGroup::Line | ElementGroup::VoidBlock => false,
            };
            if keeps {
                break;
            }
            self.close_top(true, out);
        }
    }
}
