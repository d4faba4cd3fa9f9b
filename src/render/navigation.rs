//! The order of pages: who stands beside whom. Computed once; what a page shows of it is bounded.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;

use super::reader::Reader;
use crate::{
    kb::{Kb, Page, PageKind},
    layout::{COMPONENTS, EntityKind},
};

/// At most this many neighbours are shown beside a page.
const MAX_NEIGHBOURS: usize = 120;

/// Below this many components, every page's navigation lists all of them.
const MAX_LISTED: usize = 240;

/// The pages of each folder, in order.
pub(super) struct Navigation {
    sections: BTreeMap<String, Vec<Arc<str>>>,
    /// Where a page stands in its folder.
    positions: BTreeMap<Arc<str>, usize>,
    /// Components by area, in the order of the vocabulary; areas without any are left out.
    areas: Vec<(usize, Vec<Arc<str>>)>,
}

/// One entry of the navigation.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NavItem {
    pub(super) label: String,
    pub(super) href: String,
    pub(super) current: bool,
}

/// Entries under one heading.
#[derive(Clone, Debug, Serialize)]
pub(super) struct NavGroup {
    pub(super) label: String,
    pub(super) href: String,
    pub(super) area: String,
    pub(super) colour: usize,
    pub(super) mark: String,
    pub(super) open: bool,
    pub(super) items: Vec<NavItem>,
}

impl Navigation {
    pub(super) fn new(kb: &Kb) -> Self {
        let default = kb.config.default_language();
        let area_of = |page: &Page| match &page.kind {
            PageKind::Entity(EntityKind::Component, id) => {
                kb.components.get(id).map_or(0, |component| kb.vocabulary.area_position(&component.area))
            }
            _ => 0,
        };
        let mut sections: BTreeMap<String, Vec<(SortKey, Arc<str>)>> = BTreeMap::new();
        for page in kb.pages.values().filter(|page| !page.path.is_empty()) {
            let order = page.text(default, default).and_then(|text| text.front.order);
            let title = kb.title_of(page, default).unwrap_or_default().to_lowercase();
            let key = (area_of(page), order.is_none(), order, title);
            match sections.get_mut(parent(&page.path)) {
                Some(section) => section.push((key, page.path.clone())),
                None => drop(sections.insert(parent(&page.path).to_owned(), vec![(key, page.path.clone())])),
            }
        }
        let mut areas: Vec<(usize, Vec<Arc<str>>)> = Vec::new();
        let mut positions = BTreeMap::new();
        for (folder, pages) in &mut sections {
            pages.sort();
            for (position, ((area, ..), path)) in pages.iter().enumerate() {
                positions.insert(path.clone(), position);
                if folder == COMPONENTS && kb.components.contains_key(name(path)) && *area < kb.vocabulary.areas.len() {
                    match areas.last_mut() {
                        Some((last, paths)) if last == area => paths.push(path.clone()),
                        _ => areas.push((*area, vec![path.clone()])),
                    }
                }
            }
        }
        let sections = sections.into_iter().map(|(folder, pages)| (folder, pages.into_iter().map(|(_, path)| path).collect()));
        Self { sections: sections.collect(), positions, areas }
    }

    /// The pages of a folder.
    pub(super) fn section(&self, parent: &str) -> &[Arc<str>] {
        self.sections.get(parent).map_or(&[], Vec::as_slice)
    }

    /// The pages before and after a page.
    pub(super) fn neighbours(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let section = self.section(parent(path));
        let Some(at) = self.positions.get(path).copied() else { return (None, None) };
        let before = at.checked_sub(1).and_then(|before| section.get(before));
        (before.map(AsRef::as_ref), section.get(at + 1).map(AsRef::as_ref))
    }
}

/// Area, then those with an order, then by order, then by title.
type SortKey = (usize, bool, Option<i64>, String);

/// The address of the folder that a page lies in; empty for the top.
pub(super) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// What stands beside a page.
pub(super) fn sidebar(reader: &Reader<'_>, page: &Page) -> Vec<NavGroup> {
    match &page.kind {
        PageKind::Home => Vec::new(),
        PageKind::Entity(EntityKind::Component, _) => component_groups(reader, Some(&page.path)),
        PageKind::Entity(..) | PageKind::Ordinary | PageKind::Generated => folder_groups(reader, &page.path),
    }
}

/// Components by area.
pub(super) fn component_groups(reader: &Reader<'_>, current: Option<&str>) -> Vec<NavGroup> {
    let kb = reader.kb();
    let navigation = reader.context.navigation;
    let all = navigation.section(COMPONENTS).len();
    let current_area = current.and_then(|path| kb.components.get(name(path))).map(|component| &component.area);
    let groups = navigation.areas.iter().filter_map(|(position, pages)| Some((kb.vocabulary.areas.get(*position)?, pages)));
    groups
        .map(|(area, pages)| {
            let open = current_area == Some(&area.id);
            let shown: &[Arc<str>] = if open || all <= MAX_LISTED { window(pages, current.filter(|_| open)) } else { &[] };
            NavGroup {
                label: reader.text(&area.label).to_owned(),
                href: reader.href_section(COMPONENTS, &format!("area-{}", area.id)),
                area: area.id.to_string(),
                colour: reader.colour(&area.id),
                mark: area.mark.clone(),
                open,
                items: shown.iter().filter_map(|path| item(reader, path, current)).collect(),
            }
        })
        .collect()
}

/// The pages of the same folder, and those below.
fn folder_groups(reader: &Reader<'_>, path: &str) -> Vec<NavGroup> {
    let kb = reader.kb();
    let navigation = reader.context.navigation;
    let has_children = !navigation.section(path).is_empty();
    let folder = if has_children { path } else { parent(path) };
    let pages = navigation.section(folder);
    let label = kb.pages.get(folder).and_then(|page| kb.title_of(page, reader.lang));
    let generated = crate::layout::GENERATED.contains(&folder).then(|| reader.words(generated_title(folder)).to_owned());
    let items = window(pages, Some(path)).iter().filter_map(|page| item(reader, page, Some(path))).collect();
    vec![NavGroup {
        href: if folder.is_empty() || (label.is_none() && generated.is_none()) { String::new() } else { reader.href(folder) },
        label: generated.or(label).unwrap_or_else(|| reader.language().title.clone()),
        area: String::new(),
        colour: 0,
        mark: String::new(),
        open: true,
        items,
    }]
}

/// The last part of an address, which is the id of what has facts.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The key of the title of a generated page.
pub(super) fn generated_title(path: &str) -> &'static str {
    match path {
        "components" => "components",
        "providers" => "providers",
        "concepts" => "concepts",
        "architecture" => "architecture",
        "compare" => "compare",
        "coverage" => "coverage",
        "explain" => "explain",
        "search" => "search",
        "api" => "api",
        _ => "timeline",
    }
}

/// At most [`MAX_NEIGHBOURS`] pages, around the current one.
fn window<'a>(pages: &'a [Arc<str>], current: Option<&str>) -> &'a [Arc<str>] {
    let at = current.and_then(|current| pages.iter().position(|page| **page == *current)).unwrap_or(0);
    let start = at.saturating_sub(MAX_NEIGHBOURS / 2).min(pages.len().saturating_sub(MAX_NEIGHBOURS));
    &pages[start..pages.len().min(start + MAX_NEIGHBOURS)]
}

/// A page as an entry.
pub(super) fn item(reader: &Reader<'_>, path: &str, current: Option<&str>) -> Option<NavItem> {
    let page = reader.kb().pages.get(path)?;
    Some(NavItem {
        label: reader.kb().title_of(page, reader.lang).unwrap_or_else(|| path.to_owned()),
        href: reader.href(path),
        current: current == Some(path),
    })
}
