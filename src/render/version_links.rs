//! Links to the pages with versions of components.

use super::{
    reader::{LinkView, Reader},
    routes::component_versions_path,
};
use crate::id::Id;

/// A link to the page with the versions of a component or a provider, under its name.
pub(super) fn named(reader: &Reader<'_>, id: &Id) -> LinkView {
    LinkView { href: reader.href(&component_versions_path(id)), ..reader.link(id) }
}

/// The same under the title of the page; `None` if no versions are known.
pub(super) fn link(reader: &Reader<'_>, id: &Id) -> Option<LinkView> {
    let link = || LinkView { href: reader.href(&component_versions_path(id)), name: title_of(reader, id), ..LinkView::default() };
    reader.kb().has_versions(id).then(link)
}

/// The title of the page of a component or a provider.
pub(super) fn title_of(reader: &Reader<'_>, id: &Id) -> String {
    let key = if reader.kb().versions.contains_key(id) { "component_versions_in" } else { "component_versions_of" };
    reader.strings().with(key, &[("name", &reader.link(id).name)])
}
