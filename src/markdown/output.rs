//! The output of the renderer: headings, links, raw HTML and all other parts of a page write to it.

use std::ops::Range;

use super::{
    destination::classify,
    html::{HoleKind, Html, escape_url},
    ids::PageIds,
    parsed::ParsedPage,
    prose::{Embedded, Link, NamedLink, Problem, Target, TextSection},
};
use crate::{
    diagnostic::Rule,
    text::{Span, escape_into},
};

/// HTML, plain text, links, ids and problems of a page that is being rendered.
pub(super) struct PageOutput<'a> {
    pub(super) page: ParsedPage<'a>,
    pub(super) html: Html,
    /// The heading that is being written; `None` outside headings.
    pub(super) heading: Option<HeadingText>,
    pub(super) sections: Vec<TextSection>,
    pub(super) links: Vec<Link>,
    /// How many links are open, written in Markdown or raw HTML. HTML does not allow a link inside a link.
    pub(super) open_links: usize,
    pub(super) ids: PageIds,
    /// Ids of raw HTML elements.
    pub(super) anchors: Vec<String>,
    pub(super) problems: Vec<Problem>,
    /// Whether a class of a raw HTML element was reported.
    pub(super) reported_class: bool,
    /// Whether the page has a picture.
    has_picture: bool,
    /// The last visible character of the current block.
    pub(super) previous: Option<char>,
}

/// A heading as shown outside of its page.
#[derive(Default)]
pub(super) struct HeadingText {
    /// Inline HTML without links, images and holes.
    pub(super) html: String,
    /// Plain text.
    pub(super) plain: String,
}

impl<'a> PageOutput<'a> {
    pub(super) fn new(page: ParsedPage<'a>) -> Self {
        Self {
            page,
            html: Html { text: String::with_capacity(page.source.text.len() * 3 / 2), holes: Vec::new() },
            heading: None,
            sections: vec![TextSection::default()],
            links: Vec::new(),
            open_links: 0,
            ids: PageIds::without(page.options.reserved),
            anchors: Vec::new(),
            problems: Vec::new(),
            reported_class: false,
            has_picture: false,
            previous: None,
        }
    }

    /// Writes the opening tag of a block.
    pub(super) fn block(&mut self, markup: &str) {
        self.html.fresh_line();
        self.end_block(markup);
    }

    /// Writes the closing tag of a block.
    pub(super) fn end_block(&mut self, markup: &str) {
        self.html.raw(markup);
        self.end_block_text();
    }

    /// Ends a block in the plain text, where blocks are separated by a line break.
    pub(super) fn end_block_text(&mut self) {
        self.previous = None;
        if let Some(section) = self.sections.last_mut() {
            let kept = section.text.trim_end_matches(['\t', ' ', '\n']).len();
            section.text.truncate(kept);
            if kept > 0 {
                section.text.push('\n');
            }
        }
    }

    /// The current section; `None` in a heading, which is not part of its section's text.
    fn section(&mut self) -> Option<&mut TextSection> {
        self.sections.last_mut().filter(|_| self.heading.is_none())
    }

    /// Adds plain text to the current section.
    pub(super) fn section_text(&mut self, text: &str) {
        if let Some(section) = self.section() {
            section.text.push_str(text);
        }
    }

    /// Records that the text which follows in the current section is an id, shown as the name of a link's target.
    pub(super) fn section_name(&mut self, id: &str, link: usize) {
        if let Some(section) = self.section() {
            let start = section.text.len();
            section.names.push(NamedLink { span: Span::from(start..start + id.len()), link });
        }
    }

    /// Adds to the plain text of the heading or section.
    pub(super) fn plain_text(&mut self, text: &str) {
        match &mut self.heading {
            Some(heading) => heading.plain.push_str(text),
            None => self.section_text(text),
        }
    }

    /// Writes escaped text, but no plain text.
    pub(super) fn inline_text(&mut self, text: &str) {
        self.html.escaped(text);
        self.heading_text(text);
    }

    /// Writes an inline tag.
    pub(super) fn inline_markup(&mut self, markup: &str) {
        self.html.raw(markup);
        if let Some(heading) = &mut self.heading {
            heading.html.push_str(markup);
        }
    }

    /// Adds escaped text to the HTML of the heading only.
    pub(super) fn heading_text(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            escape_into(text, &mut heading.html);
        }
    }

    pub(super) const fn in_link(&self) -> bool {
        self.open_links > 0
    }

    /// Classifies a destination. Reports one that is not allowed, which gets no address.
    pub(super) fn target(&mut self, destination: &str, range: &Range<usize>) -> Option<Target> {
        match classify(destination) {
            Ok(target) => Some(target),
            Err(scheme) if self.page.plain && scheme != "javascript" => Some(Target::External(destination.to_owned())),
            Err(scheme) => {
                let message = format!("links with the scheme `{scheme}:` are not allowed");
                let help = if matches!(scheme.as_str(), "javascript" | "vbscript" | "data" | "blob" | "file") {
                    "link to a page or a file of the knowledge base, or to an `https:` address".to_owned()
                } else {
                    format!("use https, http, mailto, tel or ftp; a file whose name contains a colon is written `./{destination}`")
                };
                self.report(Rule::UnsafeLink, range.clone(), message, help);
                None
            }
        }
    }

    /// Adds a link to the list of links.
    pub(super) fn link(&mut self, target: Target, embedded: Option<Embedded>, range: &Range<usize>) {
        self.links.push(Link { target, embedded, span: self.page.source.span(range.clone()) });
    }

    /// Writes ` href="…"` or ` src="…"` for a target and adds the link to the list of links.
    pub(super) fn address(&mut self, attribute: &str, target: Target, embedded: Option<Embedded>, range: &Range<usize>) {
        self.html.raw(&format!(" {attribute}=\""));
        if let Target::External(url) = &target {
            self.html.raw(&escape_url(url));
            let is_web = url.starts_with(['h', 'H', '/', '\\']);
            self.html.raw(if embedded.is_some() || self.page.plain || !is_web { "\"" } else { "\" rel=\"external noreferrer\"" });
        } else {
            self.html.hole(HoleKind::Address(self.links.len()));
            self.html.raw("\"");
        }
        self.link(target, embedded, range);
    }

    /// Writes the source of a picture, with its size if the browser would not know it before the picture is loaded.
    pub(super) fn picture(&mut self, target: Target, range: &Range<usize>) {
        let is_ours = !matches!(target, Target::External(_)) && !self.page.plain;
        let index = self.links.len();
        self.address("src", target, Some(Embedded::Picture), range);
        if is_ours {
            self.html.hole(HoleKind::Size(index));
        }
    }

    /// The attributes that determine when a picture is loaded. The first picture of a page may be visible at once and is loaded with the page;
    /// the others are loaded when they are near the window.
    pub(super) fn picture_loading(&mut self) -> &'static str {
        let is_first = !std::mem::replace(&mut self.has_picture, true);
        if is_first { " decoding=\"async\"" } else { " loading=\"lazy\" decoding=\"async\"" }
    }

    /// Reports a problem at a range of the parsed text.
    pub(super) fn report(&mut self, rule: Rule, range: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let span = self.page.span(range);
        self.problems.push(Problem { rule, span, message: message.into(), help: help.into() });
    }
}
