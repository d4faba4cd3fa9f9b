//! Images and figures.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::{output::PageOutput, parsed::LocatedEvent};
use crate::diagnostic::Rule;

/// Writes the image that starts at `index`.
pub(super) fn image(kind: LinkType, destination: &str, title: &str, index: usize, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let page = out.page;
    let alt = match kind {
        LinkType::WikiLink { has_pothole: false } => String::new(),
        _ => alternative_text(page.content(index)),
    };
    let alt = page.clean(&alt);
    if alt.trim().is_empty() && !page.plain {
        let help = "describe the picture between the square brackets: `![three Pods on two Nodes](…)`";
        out.report(Rule::MissingAltText, range.clone(), "the image has no alternative text", help);
    }
    out.html.raw("<img");
    if let Some(target) = out.target(&page.clean(destination), range) {
        out.picture(target, range);
    }
    out.html.attribute("alt", &alt);
    if !title.is_empty() {
        out.html.attribute("title", &page.clean(title));
    }
    out.html.raw(if page.plain { ">" } else { " loading=\"lazy\" decoding=\"async\">" });
    out.heading_text(&alt);
    out.plain_text(&alt);
    out.previous = alt.chars().next_back();
}

fn alternative_text(content: &[LocatedEvent<'_>]) -> String {
    let mut text = String::new();
    for (event, _) in content {
        match event {
            Event::Text(piece) | Event::Code(piece) | Event::InlineMath(piece) | Event::DisplayMath(piece) => text.push_str(piece),
            Event::SoftBreak | Event::HardBreak => text.push('\n'),
            _ => {}
        }
    }
    text
}

/// Writes a paragraph that contains only an image with a title as a figure, with the title as its caption. `false` for any other paragraph.
pub(super) fn figure(paragraph: usize, out: &mut PageOutput<'_>) -> bool {
    let page = out.page;
    let index = paragraph + 1;
    let Some((Event::Start(Tag::Image { link_type, dest_url, title, .. }), range)) = page.events.get(index) else { return false };
    if page.plain || title.is_empty() || !matches!(page.event(page.end_of(index) + 1), Some(Event::End(TagEnd::Paragraph))) {
        return false;
    }
    out.block("<figure>");
    image(*link_type, dest_url, "", index, range, out);
    let title = page.clean(title);
    out.html.raw("<figcaption>");
    out.html.escaped(&title);
    out.html.raw("</figcaption></figure>\n");
    out.plain_text("\n");
    out.plain_text(&title);
    out.end_block_text();
    true
}
