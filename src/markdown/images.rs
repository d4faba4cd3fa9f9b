//! Images and figures.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::{render::Renderer, writer::escape};
use crate::diagnostic::Rule;

impl Renderer<'_> {
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
