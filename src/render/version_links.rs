//! Links to the pages with versions of components.

use super::{
    reader::{LinkView, Reader},
    routes::component_versions_path,
};
use crate::id::Id;

/// A link to the page of a component or a provider with its versions; `None` if none are known.
pub(super) fn link(reader: &Reader<'_>, id: &Id) -> Option<LinkView> {
    let kb = reader.kb();
    let is_known =
        kb.versions.contains_key(id) || kb.versions.values().flat_map(|it| &it.sources).any(|source| source.of(id).next().is_some());
    is_known.then(|| LinkView { href: reader.href(&component_versions_path(id)), name: title_of(reader, id), ..LinkView::default() })
}

/// The title of the page of a component or a provider.
pub(super) fn title_of(reader: &Reader<'_>, id: &Id) -> String {
    let key = if reader.kb().versions.contains_key(id) { "component_versions_in" } else { "component_versions_of" };
    reader.strings().with(key, &[("name", &reader.link(id).name)])
}
