//! The text of a page, with its holes filled for a reader.

use std::fmt::Write as _;

use super::{
    facts_block, listing,
    reader::{Reader, escape},
    templates::RenderResult,
};
use crate::{diagnostic::Diagnostic, layout::GeneratedPage, link::Resolved, load::PageDraft, markdown::HoleKind};

/// The longest side of a picture, in pixels, whose size is written.
const MAX_SIDE: usize = 20_000;

/// The HTML of a text with its links, names, listings and code.
pub(super) fn prose<'a>(reader: &Reader<'a>, text: &'a PageDraft) -> RenderResult {
    Ok(sections(reader, text)?.0)
}

/// A section of a text: its position in the HTML, and that of its heading in the headings of the text.
#[derive(Clone, Copy)]
pub(super) struct SectionStart {
    pub(super) at: usize,
    pub(super) heading: usize,
}

/// The HTML of a text, and where its sections begin.
pub(super) fn sections<'a>(reader: &Reader<'a>, text: &'a PageDraft) -> Result<(String, Vec<SectionStart>), Box<Diagnostic>> {
    let mut starts = Vec::new();
    let context = reader.context;
    let resolved = context.links.of(text);
    let explained = context.links.listings_of(text);
    let listings = text.prose.listings.iter().zip(explained);
    let listings: Vec<String> =
        listings.map(|(block, explained)| listing::render(reader, block, explained, &text.lang)).collect::<Result<_, _>>()?;
    let facts: Vec<String> = text.prose.facts.iter().map(|block| facts_block::render(reader, &block.query)).collect::<Result<_, _>>()?;
    let html = text.body.html().fill(|hole, html| {
        let index = match hole {
            HoleKind::Section(heading) => return starts.push(SectionStart { at: html.len(), heading }),
            HoleKind::Address(index) | HoleKind::Size(index) | HoleKind::Name(index) | HoleKind::Number(index) => index,
            HoleKind::Facts(index) => return html.push_str(facts.get(index).map_or("", String::as_str)),
            HoleKind::Listing(index) => return html.push_str(listings.get(index).map_or("", String::as_str)),
            HoleKind::Code(index) => {
                let code = text.prose.codes.get(index).map(|code| code.html(context.highlighter));
                return html.push_str(&code.unwrap_or_default());
            }
        };
        let Some(target) = resolved.get(index) else { return };
        match (hole, target) {
            // A link without a target has no address, if the site is built in spite of it: what is written there was not checked as an address.
            (HoleKind::Name(_) | HoleKind::Number(_), Resolved::Nowhere) => {
                let written = text.prose.links.get(index).map(|link| link.target.written()).unwrap_or_default();
                html.push_str(&escape(&written));
            }
            (HoleKind::Address(_), target) => html.push_str(&escape(&reader.address(target))),
            (HoleKind::Size(_), Resolved::File(path)) => {
                let bytes = context.kb.assets.get(path);
                let size = bytes.and_then(|bytes| imagesize::blob_size(bytes).ok());
                // A damaged file can have any numbers.
                if let Some(size) = size.filter(|size| (1..=MAX_SIDE).contains(&size.width) && (1..=MAX_SIDE).contains(&size.height)) {
                    let _ = write!(html, " width=\"{}\" height=\"{}\"", size.width, size.height);
                }
            }
            (HoleKind::Number(_), Resolved::Citation(number)) => html.push_str(&number.to_string()),
            (HoleKind::Name(_), target) => html.push_str(&escape(&reader.name_in(text, target))),
            (_, _) => {}
        }
    });
    Ok((html, starts))
}

/// The author's introduction of a generated page; empty if there is none.
pub(super) fn introduction(reader: &Reader<'_>, page: GeneratedPage) -> RenderResult {
    reader.page_text(page.path()).map_or_else(|| Ok(String::new()), |text| prose(reader, text))
}
