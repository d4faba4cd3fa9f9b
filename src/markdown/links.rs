//! Links and citations.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType};

use super::{destination::classify_wiki, html::HoleKind, output::PageOutput, prose::Target};
use crate::{diagnostic::Rule, url};

/// Begins a link. `false` if it has no text and is written as a whole; otherwise [`end`] must follow.
pub(super) fn start(kind: LinkType, destination: &str, title: &str, range: &Range<usize>, out: &mut PageOutput<'_>) -> bool {
    let destination = out.page.clean(destination);
    let target = match kind {
        LinkType::WikiLink { has_pothole } => {
            let target = classify_wiki(&destination);
            if !has_pothole || matches!(target, Target::Citation(_)) {
                textless_link(target, range, out);
                return false;
            }
            Some(target)
        }
        _ if out.in_link() => None,
        LinkType::Email => out.target(&format!("mailto:{destination}"), range),
        _ => out.target(&destination, range),
    };
    // Inside another link, only the text is written.
    if !out.in_link() {
        out.html.raw("<a");
        if let Some(target) = target {
            out.address("href", target, None, range);
        }
        if !title.is_empty() {
            let title = out.page.clean(title);
            out.html.attribute("title", &title);
        }
        out.html.raw(">");
    }
    out.open_links += 1;
    true
}

/// Reports a link whose text doesn't describe its target: screen readers list the links of a page without the sentences around them.
pub(super) fn check_text(index: usize, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let mut text = String::new();
    for (event, _) in out.page.content(index) {
        match event {
            Event::Text(piece) => text.push_str(&out.page.clean(piece)),
            Event::SoftBreak => text.push(' '),
            // Code, pictures and other markup are specific enough.
            _ => return,
        }
    }
    let text = text.trim().trim_end_matches(['.', '。', ':', '：', '!']).to_lowercase();
    if out.page.options.labels.vague_links.split('|').any(|vague| !vague.is_empty() && vague == text) {
        let message = format!("the text of this link, `{text}`, doesn't show where it leads");
        out.report(Rule::VagueLink, range.clone(), message, "write the title or the subject of the target as the text of the link");
    }
}

/// Ends a link.
pub(super) fn end(out: &mut PageOutput<'_>) {
    out.open_links -= 1;
    if !out.in_link() {
        out.html.raw("</a>");
    }
}

/// `[[id]]`, which is shown as the name of its target, or `[[^key]]`.
fn textless_link(target: Target, range: &Range<usize>, out: &mut PageOutput<'_>) {
    let number = out.links.len();
    let nested = out.in_link();
    match &target {
        Target::Citation(key) if !nested => {
            citation(key, number, out);
            out.link(target, None, range);
        }
        Target::Id { id, anchor } => {
            let shown = anchor.as_ref().filter(|_| id.is_empty()).unwrap_or(id).clone();
            if nested {
                out.link(target, None, range);
            } else {
                out.html.raw("<a");
                out.address("href", target, None, range);
                out.html.raw(">");
            }
            out.html.hole(HoleKind::Name(number));
            out.html.raw(if nested { "" } else { "</a>" });
            out.heading_text(&shown);
            out.section_name(&shown, number);
            out.plain_text(&shown);
            out.previous = shown.chars().next_back();
        }
        _ => {}
    }
}

fn citation(key: &str, number: usize, out: &mut PageOutput<'_>) {
    let html = &mut out.html;
    html.raw("<sup class=\"cite\"><a");
    html.attribute("href", &format!("#{}", url::encode_fragment(&format!("source-{key}"))));
    html.raw(" aria-label=\"");
    html.escaped(&out.page.options.labels.citation);
    html.raw(" ");
    html.hole(HoleKind::Number(number));
    html.raw("\">[");
    html.hole(HoleKind::Number(number));
    html.raw("]</a></sup>");
}
