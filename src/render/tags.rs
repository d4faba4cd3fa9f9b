//! The list of tags, and the pages of each.

use serde::Serialize;

use super::{
    frame::frame,
    generated,
    reader::{LinkView, Reader},
    routes::tag_path,
    tag_links::tag_link,
    templates::RenderResult,
};
use crate::{
    kb::{Page, PageKind},
    layout::GeneratedPage,
};

#[derive(Serialize)]
struct TagsView {
    /// All tags; empty on the page of one.
    tags: Vec<TagView>,
    /// The pages of a tag.
    pages: Vec<TaggedPage>,
}

#[derive(Serialize)]
struct TagView {
    link: LinkView,
    number: usize,
}

#[derive(Serialize)]
struct TaggedPage {
    link: LinkView,
    summary: String,
}

/// The list of all tags.
pub(super) fn all(reader: &Reader<'_>) -> RenderResult {
    let tags = reader.kb().tags.iter();
    let mut tags: Vec<TagView> = tags.map(|(name, tag)| TagView { link: tag_link(reader, name), number: tag.pages.len() }).collect();
    tags.sort_by_key(|tag| tag.link.name.to_lowercase());
    generated::render(reader, GeneratedPage::Tags, "tags.html", &TagsView { tags, pages: Vec::new() })
}

/// The pages of a tag.
pub(super) fn one(reader: &Reader<'_>, name: &str) -> RenderResult {
    let kb = reader.kb();
    let label = kb.tags.get(name).map_or(name, |tag| &tag.label);
    let tagged = kb.tags.get(name).into_iter().flat_map(|tag| &tag.pages).filter_map(|path| kb.pages.get(path));
    let mut pages: Vec<TaggedPage> = tagged.map(|page| tagged_page(reader, page)).collect();
    pages.sort_by_key(|page| page.link.name.to_lowercase());
    let frame = frame(reader, &tag_path(name), &reader.strings().with("tag", &[("name", label)]), reader.words("tags_description"));
    generated::render_below(reader, &frame, "tags.html", &TagsView { tags: Vec::new(), pages })
}

fn tagged_page(reader: &Reader<'_>, page: &Page) -> TaggedPage {
    let link = match &page.kind {
        PageKind::Entity(_, id) => reader.link(id),
        _ => LinkView { href: reader.href(&page.path), name: reader.title(page), ..LinkView::default() },
    };
    TaggedPage { link, summary: reader.summary(&page.path).to_owned() }
}
