//! Images and figures, and videos that are written as images.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::{media, output::PageOutput, parsed::LocatedEvent};
use crate::diagnostic::Rule;

/// Writes the image that starts at `index`.
pub(super) fn image(kind: LinkType, destination: &str, title: &str, index: usize, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let page = out.page;
    let alt = match kind {
        LinkType::WikiLink { has_pothole: false } => String::new(),
        _ => alternative_text(page.content(index)),
    };
    let alt = page.clean(&alt);
    let destination = page.clean(destination);
    let media = media::of_file(&destination).filter(|_| !page.plain);
    if alt.trim().is_empty() && !page.plain {
        let (what, example) = media.map_or(("image", "three Pods on two Nodes"), |kind| (kind.noun(), "a Pod is evicted"));
        let shown = if media.is_some() { what } else { "picture" };
        let help = format!("describe the {shown} between the square brackets: `![{example}](…)`");
        out.report(Rule::MissingAltText, range.clone(), format!("the {what} has no alternative text"), help);
    }
    let target = out.target(&destination, range);
    if let Some(kind) = media {
        if out.in_link() {
            let message = format!("a link cannot contain controls; the alternative text of the {} is shown", kind.noun());
            out.report(Rule::RawHtml, range.clone(), message, format!("write the {} outside of the link", kind.noun()));
            out.inline_text(&alt);
        } else {
            media::file(kind, target, &alt, &page.clean(title), range, out);
            out.heading_text(&alt);
        }
        out.plain_text(&alt);
        out.previous = alt.chars().next_back();
        return;
    }
    out.html.raw("<img");
    if let Some(target) = target {
        out.picture(target, range);
    }
    out.html.attribute("alt", &alt);
    if !title.is_empty() {
        out.html.attribute("title", &page.clean(title));
    }
    if !page.plain {
        let loading = out.picture_loading();
        out.html.raw(loading);
    }
    out.html.raw(">");
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
