//! The order of pages, which is computed once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use tera::Value;

use crate::{
    id::Lang,
    kb::{Kb, Page, PageKind},
    layout::{COMPONENTS, EntityKind},
};

/// The pages of each folder, in order.
pub(super) struct Navigation {
    sections: BTreeMap<String, Vec<Arc<str>>>,
    /// The position of a page in its folder.
    pub(super) positions: BTreeMap<Arc<str>, usize>,
    /// All pages and folders except entities, each before the pages below it.
    reading_order: Vec<Arc<str>>,
    /// The position of a page in [`Self::reading_order`].
    reading_positions: BTreeMap<Arc<str>, usize>,
    /// Components by area, in the order of the vocabulary; areas without any are left out.
    pub(super) areas: Vec<(usize, Vec<Arc<str>>)>,
    /// The items of the sidebar as templates read them, by language and by the first page of the folder. All pages of a folder share them.
    pub(super) items: Mutex<CachedItems>,
}

type CachedItems = BTreeMap<(Lang, Arc<str>), Arc<Vec<Value>>>;

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
        let pages = kb.pages.values().filter(|page| !page.path.is_empty()).map(|page| {
            let order = page.text(default, default).and_then(|text| text.front.order);
            (&page.path, area_of(page), order)
        });
        for (path, area, order) in pages.chain(kb.folders.iter().map(|path| (path, 0, None))) {
            let title = kb.title_at(path, default).unwrap_or_default().to_lowercase();
            let number = order.is_none().then(|| leading_number(name(path))).flatten();
            let key = (area, order.is_none(), order, number.is_none(), number, title);
            match sections.get_mut(parent(path)) {
                Some(section) => section.push((key, path.clone())),
                None => drop(sections.insert(parent(path).to_owned(), vec![(key, path.clone())])),
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
        let sections: BTreeMap<String, Vec<Arc<str>>> = sections.collect();
        let reading_order = reading_order(kb, &sections);
        let reading_positions = reading_order.iter().cloned().zip(0..).collect();
        Self { sections, positions, reading_order, reading_positions, areas, items: Mutex::default() }
    }

    /// The pages of a folder.
    pub(super) fn section(&self, parent: &str) -> &[Arc<str>] {
        self.sections.get(parent).map_or(&[], Vec::as_slice)
    }

    /// The pages before and after a page: for an entity, in its folder; for others, in reading order.
    pub(super) fn neighbours(&self, path: &str) -> (Option<&str>, Option<&str>) {
        let (pages, at) = match self.reading_positions.get(path) {
            Some(at) => (self.reading_order.as_slice(), *at),
            None => match self.positions.get(path) {
                Some(at) => (self.section(parent(path)), *at),
                None => return (None, None),
            },
        };
        let before = at.checked_sub(1).and_then(|before| pages.get(before));
        (before.map(AsRef::as_ref), pages.get(at + 1).map(AsRef::as_ref))
    }
}

/// All pages and folders except entities and introductions of generated pages, depth first. Cost: linear.
fn reading_order(kb: &Kb, sections: &BTreeMap<String, Vec<Arc<str>>>) -> Vec<Arc<str>> {
    let is_read = |path: &Arc<str>| kb.pages.get(path).is_none_or(|page| page.kind == PageKind::Ordinary);
    let below = |folder: &str| sections.get(folder).into_iter().flatten().rev().cloned();
    let mut order = Vec::new();
    let mut open: Vec<Arc<str>> = below("").collect();
    while let Some(path) = open.pop() {
        open.extend(below(&path));
        if is_read(&path) {
            order.push(path);
        }
    }
    order
}

/// Area, then pages with an order before those without, then order, then names that begin with a number before those without, then the number, then title.
type SortKey = (usize, bool, Option<i64>, bool, Option<u64>, String);

/// The number that a name begins with, such as `01-install`.
fn leading_number(name: &str) -> Option<u64> {
    let digits = name.find(|c: char| !c.is_ascii_digit())?;
    name[..digits].parse().ok().filter(|_| name[digits..].starts_with(['-', '_', '.', ' ']))
}

/// The address of the folder of a page; empty for the top level.
pub(super) fn parent(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// The last part of an address, which is the id on the page of an entity.
pub(super) fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
