//! Links to the pages of tags.

use super::{
    reader::{LinkView, Reader},
    routes::tag_path,
};
use crate::kb::{Page, tag_name};

/// Links to the tags of a page.
pub(super) fn tag_links(reader: &Reader<'_>, page: &Page) -> Vec<LinkView> {
    let labels = page.texts.values().flat_map(|text| &text.front.tags);
    let mut names: Vec<String> = labels.map(|label| tag_name(&label.value.0)).filter(|name| reader.kb().tags.contains_key(name)).collect();
    names.sort();
    names.dedup();
    names.iter().map(|name| tag_link(reader, name)).collect()
}

/// A link to the page of a tag.
pub(super) fn tag_link(reader: &Reader<'_>, name: &str) -> LinkView {
    let label = reader.kb().tags.get(name).map_or(name, |tag| &tag.label);
    LinkView { href: reader.href(&tag_path(name)), name: label.to_owned(), ..LinkView::default() }
}
