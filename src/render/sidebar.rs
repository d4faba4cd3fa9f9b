//! The sidebar: the part of the navigation that a page shows. Its size is bounded.

use std::sync::{Arc, PoisonError};

use serde::Serialize;
use tera::{Map, Value};

use super::{
    navigation::{name, parent},
    reader::Reader,
};
use crate::{
    kb::{Area, Page, PageKind},
    layout::{COMPONENTS, EntityKind},
    url::encode_path,
};

/// The sidebar shows at most this many neighbors of a page.
const MAX_NEIGHBOURS: usize = 120;

/// Below this many components, every page's navigation lists all of them.
const MAX_LISTED: usize = 240;

#[derive(Clone, Debug, Serialize)]
pub(super) struct NavItem {
    pub(super) label: String,
    pub(super) href: String,
    pub(super) current: bool,
}

/// Entries under one heading, as a value, because pages share the items.
fn group(reader: &Reader<'_>, label: String, href: String, area: Option<&Area>, open: bool, items: Vec<Value>) -> Value {
    let fields: [(&str, Value); 7] = [
        ("label", label.into()),
        ("href", href.into()),
        ("area", area.map(|area| area.id.to_string()).unwrap_or_default().into()),
        ("colour", area.map_or(0, |area| reader.colour(&area.id)).into()),
        ("mark", area.map(|area| area.mark.clone()).unwrap_or_default().into()),
        ("open", open.into()),
        ("items", items.into()),
    ];
    fields.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map>().into()
}

/// The sidebar of a page without one.
pub(super) fn no_sidebar() -> Value {
    Value::from(Vec::<Value>::new())
}

/// The sidebar of a page: a list of groups, each with its entries.
pub(super) fn sidebar(reader: &Reader<'_>, page: &Page) -> Value {
    match &page.kind {
        PageKind::Home => no_sidebar(),
        PageKind::Entity(EntityKind::Component, _) => component_groups(reader, Some(&page.path)),
        PageKind::Entity(..) | PageKind::Ordinary | PageKind::Generated => folder_groups(reader, &page.path),
    }
}

pub(super) fn component_groups(reader: &Reader<'_>, current: Option<&str>) -> Value {
    let kb = reader.kb();
    let navigation = reader.context.navigation;
    let all = navigation.section(COMPONENTS).len();
    let current_area = current.and_then(|path| kb.components.get(name(path))).map(|component| &component.area);
    let groups = navigation.areas.iter().filter_map(|(position, pages)| Some((kb.vocabulary.areas.get(*position)?, pages)));
    let groups = groups.map(|(area, pages)| {
        let open = current_area == Some(&area.id);
        let items = if open || all <= MAX_LISTED { entries(reader, pages, current) } else { Vec::new() };
        let href = reader.href_section(COMPONENTS, &format!("area-{}", area.id));
        group(reader, reader.text(&area.label).to_owned(), href, Some(area), open, items)
    });
    Value::from(groups.collect::<Vec<_>>())
}

/// The pages of the same folder, and those below the page.
pub(super) fn folder_groups(reader: &Reader<'_>, path: &str) -> Value {
    let kb = reader.kb();
    let navigation = reader.context.navigation;
    let has_children = !navigation.section(path).is_empty();
    let folder = if has_children { path } else { parent(path) };
    let pages = navigation.section(folder);
    let label = kb.title_at(folder, reader.lang);
    let generated = kb.generated_at(folder).map(|page| reader.words(page.title_key()).to_owned());
    let items = entries(reader, pages, Some(path));
    let has_page = !folder.is_empty() && (label.is_some() || generated.is_some());
    let href = if has_page { reader.href(folder) } else { String::new() };
    let label = generated.or(label).unwrap_or_else(|| reader.language().title.clone());
    vec![group(reader, label, href, None, true, items)].into()
}

/// At most [`MAX_NEIGHBOURS`] of these pages of one folder as entries, around the current page if it is one of them.
fn entries(reader: &Reader<'_>, pages: &[Arc<str>], current: Option<&str>) -> Vec<Value> {
    let Some(first) = pages.first() else { return Vec::new() };
    let navigation = reader.context.navigation;
    let position = |path: &str| navigation.positions.get(path).copied();
    // They are consecutive in their folder.
    let at = current.and_then(|current| position(current)?.checked_sub(position(first)?));
    let at = at.filter(|at| pages.get(*at).map(AsRef::as_ref) == current);
    let start = at.unwrap_or(0).saturating_sub(MAX_NEIGHBOURS / 2).min(pages.len().saturating_sub(MAX_NEIGHBOURS));
    let end = pages.len().min(start + MAX_NEIGHBOURS);
    if current.is_none_or(|current| parent(current) != parent(first)) {
        let items = pages[start..end].iter().filter_map(|path| item(reader, path, current));
        return items.map(|item| Value::from_serializable(&item)).collect();
    }
    let key = (reader.lang.clone(), first.clone());
    let known = navigation.items.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    let all = known.unwrap_or_else(|| {
        // The links are relative to another page of the same folder.
        let item = |path: &Arc<str>| item(reader, path, None).map(|item| NavItem { href: href_beside(path), ..item });
        let all: Arc<Vec<Value>> = Arc::new(pages.iter().map(|path| Value::from_serializable(&item(path))).collect());
        navigation.items.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&all));
        all
    });
    let entry = |index: usize| match pages.get(index).filter(|_| at == Some(index)) {
        Some(path) => Value::from_serializable(&item(reader, path, current)),
        None => all.get(index).cloned().unwrap_or_else(Value::none),
    };
    (start..end).map(entry).filter(|entry| !entry.is_none()).collect()
}

/// A link to a page from any other page of its folder.
fn href_beside(path: &str) -> String {
    format!("../{}/", encode_path(name(path)))
}

pub(super) fn item(reader: &Reader<'_>, path: &str, current: Option<&str>) -> Option<NavItem> {
    Some(NavItem { label: reader.title_at(path)?, href: reader.href(path), current: current == Some(path) })
}
