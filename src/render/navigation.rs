//! The order of pages: who stands beside whom. Computed once; what a page shows of it is bounded.

use std::collections::BTreeMap;

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

/// The pages of each folder, in order, by address.
pub(super) struct Navigation {
    sections: BTreeMap<String, Vec<String>>,
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
        let mut sections: BTreeMap<String, Vec<(SortKey, String)>> = BTreeMap::new();
        for page in kb.pages.values().filter(|page| !page.path.is_empty()) {
            let parent = parent(&page.path).to_owned();
            let order = page.text(default, default).and_then(|text| text.front.order);
            let area = match &page.kind {
                PageKind::Entity(EntityKind::Component, id) => {
                    kb.components.get(id).map_or(0, |component| kb.vocabulary.area_position(&component.area))
                }
                _ => 0,
            };
            let title = kb.title_of(page, default).unwrap_or_default().to_lowercase();
            sections.entry(parent).or_default().push(((area, order.is_none(), order, title), page.path.clone()));
        }
        let sections = sections.into_iter().map(|(parent, mut pages)| {
            pages.sort();
            (parent, pages.into_iter().map(|(_, path)| path).collect())
        });
        Self { sections: sections.collect() }
    }

    /// The pages of a folder.
    pub(super) fn section(&self, parent: &str) -> &[String] {
        self.sections.get(parent).map_or(&[], Vec::as_slice)
    }

    /// The pages before and after a page.
    pub(super) fn neighbours(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let section = self.section(parent(path));
        let Some(at) = section.iter().position(|page| page == path).filter(|_| !path.is_empty()) else { return (None, None) };
        let before = at.checked_sub(1).and_then(|before| section.get(before));
        (before.map(String::as_str), section.get(at + 1).map(String::as_str))
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
    let section = reader.context.navigation.section(COMPONENTS);
    let component_of = |path: &str| kb.components.get(path.rsplit('/').next().unwrap_or_default());
    let current_area = current.and_then(component_of).map(|component| &component.area);
    let mut groups = Vec::new();
    for area in &kb.vocabulary.areas {
        let of_area: Vec<&String> =
            section.iter().filter(|path| component_of(path).is_some_and(|component| component.area == area.id)).collect();
        if of_area.is_empty() {
            continue;
        }
        let open = current_area == Some(&area.id);
        let shown = if open || section.len() <= MAX_LISTED { window(&of_area, current) } else { Vec::new() };
        groups.push(NavGroup {
            label: reader.text(&area.label).to_owned(),
            href: reader.href_section(COMPONENTS, &format!("area-{}", area.id)),
            area: area.id.to_string(),
            colour: reader.colour(&area.id),
            mark: area.mark.clone(),
            open,
            items: shown.into_iter().filter_map(|path| item(reader, path, current)).collect(),
        });
    }
    groups
}

/// The pages of the same folder, and those below.
fn folder_groups(reader: &Reader<'_>, path: &str) -> Vec<NavGroup> {
    let kb = reader.kb();
    let navigation = &reader.context.navigation;
    let has_children = !navigation.section(path).is_empty();
    let folder = if has_children { path } else { parent(path) };
    let pages: Vec<&String> = navigation.section(folder).iter().collect();
    let label = kb.pages.get(folder).and_then(|page| kb.title_of(page, reader.lang));
    let generated = crate::layout::GENERATED.contains(&folder).then(|| reader.words(generated_title(folder)).to_owned());
    let items = window(&pages, Some(path)).into_iter().filter_map(|page| item(reader, page, Some(path))).collect();
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

/// The key of the title of a generated page.
pub(super) fn generated_title(path: &str) -> &'static str {
    match path {
        "components" => "components",
        "providers" => "providers",
        "concepts" => "concepts",
        "architecture" => "architecture",
        "compare" => "compare",
        "coverage" => "coverage",
        "search" => "search",
        _ => "timeline",
    }
}

/// At most [`MAX_NEIGHBOURS`] pages, around the current one.
fn window<'a>(pages: &[&'a String], current: Option<&str>) -> Vec<&'a str> {
    let at = pages.iter().position(|page| Some(page.as_str()) == current).unwrap_or(0);
    let start = at.saturating_sub(MAX_NEIGHBOURS / 2).min(pages.len().saturating_sub(MAX_NEIGHBOURS));
    pages.iter().skip(start).take(MAX_NEIGHBOURS).map(|page| page.as_str()).collect()
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
