//! The sidebar: the part of the navigation that a page shows. Its size is bounded.

use std::sync::{Arc, PoisonError};

use serde::Serialize;
use tera::{Map, Value};

use super::{
    area_links::area_href,
    navigation::{name, parent},
    outline::{OutlineEntry, OutlineKind},
    reader::Reader,
};
use crate::{
    kb::{Area, Page, PageKind},
    layout::{COMPONENTS, EntityKind},
    url::encode_path,
};

/// The sidebar shows at most this many neighbors of a page.
const MAX_NEIGHBOURS: usize = 120;

/// The sidebar shows at most this many components of an area, and a link to all of them.
const MAX_IN_AREA: usize = 24;

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
        PageKind::Home if reader.kb().config.summary.is_some() => tree(reader, &page.path),
        PageKind::Home => no_sidebar(),
        PageKind::Entity(EntityKind::Component, _) => component_groups(reader, Some(&page.path)),
        PageKind::Ordinary => tree(reader, &page.path),
        PageKind::Entity(..) | PageKind::Generated => folder_groups(reader, &page.path),
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
        let href = area_href(reader, &area.id);
        let mut items = if open || all <= MAX_LISTED { entries(reader, pages, current, MAX_IN_AREA) } else { Vec::new() };
        if let Some(more) = pages.len().checked_sub(MAX_IN_AREA).filter(|more| *more > 0 && !items.is_empty()) {
            let label = reader.strings().with("sidebar_more", &[("n", &more.to_string())]);
            items.push(Value::from_serializable(&NavItem { label, href: href.clone(), current: false }));
        }
        group(reader, reader.text(&area.label).to_owned(), href, Some(area), open, items)
    });
    Value::from(groups.collect::<Vec<_>>())
}

/// An entry of the tree of ordinary pages.
#[derive(Debug, Default, Serialize)]
struct TreeItem {
    label: String,
    /// Empty for an entry without a page.
    href: String,
    current: bool,
    /// The number of a chapter.
    number: String,
    /// `page`, `part`, `separator`, or `end`: the end of the list below an entry.
    kind: &'static str,
    /// Whether a list of the entries below it follows.
    opens: bool,
}

/// The tree of ordinary pages around a page: at each level, the neighbors of the entries above it, and the entries below the page. The size depends on the depth,
/// and not on the number of pages.
pub(super) fn tree(reader: &Reader<'_>, path: &str) -> Value {
    let outline = &reader.context.navigation.outline;
    let mut items = Vec::new();
    add_level(reader, outline.top(), &outline.branch(path), path, &mut items);
    vec![group(reader, String::new(), String::new(), None, true, items)].into()
}

/// Adds these entries, and those below the first of `branch`.
fn add_level(reader: &Reader<'_>, level: &[usize], branch: &[usize], current: &str, items: &mut Vec<Value>) {
    let outline = &reader.context.navigation.outline;
    let at = branch.first().and_then(|open| level.binary_search(open).ok()).unwrap_or(0);
    let start = at.saturating_sub(MAX_NEIGHBOURS / 2).min(level.len().saturating_sub(MAX_NEIGHBOURS));
    let shared = if branch.len() == 1 { shared_items(reader, level, current) } else { None };
    for (position, index) in level.iter().enumerate().skip(start).take(MAX_NEIGHBOURS) {
        let Some(entry) = outline.entry(*index) else { continue };
        let is_open = branch.first() == Some(index);
        let opens = is_open && !entry.children.is_empty();
        match shared.as_ref().and_then(|shared| shared.get(position)).filter(|_| !is_open) {
            Some(item) => items.push(item.clone()),
            None => items.push(Value::from_serializable(&tree_item(reader, entry, Some(current), opens))),
        }
        if opens {
            add_level(reader, &entry.children, &branch[1..], current, items);
            items.push(Value::from_serializable(&TreeItem { kind: "end", ..TreeItem::default() }));
        }
    }
}

fn tree_item(reader: &Reader<'_>, entry: &OutlineEntry, current: Option<&str>, opens: bool) -> TreeItem {
    match &entry.kind {
        OutlineKind::Page { path, title, number } => TreeItem {
            label: title.as_ref().map(ToString::to_string).or_else(|| reader.title_at(path)).unwrap_or_default(),
            href: reader.href(path),
            current: current == Some(&**path),
            number: number.clone().unwrap_or_default(),
            kind: "page",
            opens,
        },
        OutlineKind::Draft { title, number } => {
            let number = number.clone().unwrap_or_default();
            TreeItem { label: title.to_string(), number, kind: "page", opens, ..TreeItem::default() }
        }
        OutlineKind::Part(title) => TreeItem { label: title.to_string(), kind: "part", ..TreeItem::default() },
        OutlineKind::Separator => TreeItem { kind: "separator", ..TreeItem::default() },
    }
}

/// The entries of the level of a page, which the pages in its folder share: the same links are valid on all of them, except for the link to the page itself. `None`
/// if the level begins in another folder.
fn shared_items(reader: &Reader<'_>, level: &[usize], current: &str) -> Option<Arc<Vec<Value>>> {
    let navigation = reader.context.navigation;
    let entries = || level.iter().filter_map(|index| navigation.outline.entry(*index));
    let first = entries().find_map(|entry| if let OutlineKind::Page { path, .. } = &entry.kind { Some(path) } else { None })?;
    if parent(first) != parent(current) {
        return None;
    }
    let key = (reader.lang.clone(), first.clone());
    if let Some(items) = navigation.items.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Some(items.clone());
    }
    // Links from a page of the folder that doesn't exist, so none is a link to the page itself.
    let beside = format!("{}/_{}", parent(current), if current.ends_with(".html") { ".html" } else { "" });
    let beside = Reader::new(reader.context, reader.lang, reader.kb().config.page_url(&beside, reader.lang));
    let items = entries().map(|entry| Value::from_serializable(&tree_item(&beside, entry, None, false)));
    let items: Arc<Vec<Value>> = Arc::new(items.collect());
    navigation.items.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&items));
    Some(items)
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
    let items = entries(reader, pages, Some(path), MAX_NEIGHBOURS);
    let has_page = !folder.is_empty() && (label.is_some() || generated.is_some());
    let href = if has_page { reader.href(folder) } else { String::new() };
    let label = generated.or(label).unwrap_or_else(|| reader.language().title.clone());
    vec![group(reader, label, href, None, true, items)].into()
}

/// At most `most` of these pages of one folder as entries, around the current page if it is one of them.
fn entries(reader: &Reader<'_>, pages: &[Arc<str>], current: Option<&str>, most: usize) -> Vec<Value> {
    let Some(first) = pages.first() else { return Vec::new() };
    let navigation = reader.context.navigation;
    let position = |path: &str| navigation.positions.get(path).copied();
    // They are consecutive in their folder.
    let at = current.and_then(|current| position(current)?.checked_sub(position(first)?));
    let at = at.filter(|at| pages.get(*at).map(AsRef::as_ref) == current);
    let start = at.unwrap_or(0).saturating_sub(most / 2).min(pages.len().saturating_sub(most));
    let end = pages.len().min(start + most);
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
