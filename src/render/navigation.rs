//! The order of pages, which is computed once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use tera::Value;

use super::outline::Outline;
use crate::{
    id::{Id, Lang},
    kb::{Kb, Page, PageKind},
    layout::{COMPONENTS, EntityKind},
};

/// The pages of each folder, in order.
pub(super) struct Navigation {
    sections: BTreeMap<String, Vec<Arc<str>>>,
    /// The position of a page in its folder.
    pub(super) positions: BTreeMap<Arc<str>, usize>,
    /// The tree of ordinary pages.
    pub(super) outline: Outline,
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
        // The core components of an area come first, then those of several providers, those without a provider, and those of a single provider.
        let core: BTreeMap<&Id, usize> = kb.vocabulary.core.iter().enumerate().map(|(position, id)| (id, position)).collect();
        let spread = |id: &Id| match kb.components.get(id).map_or(0, |component| component.providers().len()) {
            0 => 1,
            1 => 2,
            _ => 0,
        };
        let core_position = |page: &Page| match &page.kind {
            PageKind::Entity(EntityKind::Component, id) => core.get(id).copied().unwrap_or(core.len() + spread(id)),
            _ => core.len(),
        };
        let mut sections: BTreeMap<String, Vec<(SortKey, Arc<str>)>> = BTreeMap::new();
        let pages = kb.pages.values().filter(|page| !page.path.is_empty() && !page.is_hidden()).map(|page| {
            let order = page.text(default, default).and_then(|text| text.front.order);
            (&page.path, area_of(page), core_position(page), order)
        });
        for (path, area, core, order) in pages.chain(kb.folders.iter().map(|path| (path, 0, core.len(), None))) {
            let title = kb.title_at(path, default).unwrap_or_default().to_lowercase();
            let number = order.is_none().then(|| leading_number(name(path))).flatten();
            let key = (area, core, order.is_none(), order, number.is_none(), number, title);
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
        Self { outline: Outline::new(kb, &sections), sections, positions, areas, items: Mutex::default() }
    }

    /// The pages of a folder.
    pub(super) fn section(&self, parent: &str) -> &[Arc<str>] {
        self.sections.get(parent).map_or(&[], Vec::as_slice)
    }

    /// The pages before and after a page: for an entity, in its folder; for others, in reading order.
    pub(super) fn neighbours(&self, path: &str) -> (Option<&str>, Option<&str>) {
        if let Some(neighbours) = self.outline.neighbours(path) {
            return neighbours;
        }
        let Some(at) = self.positions.get(path) else { return (None, None) };
        let pages = self.section(parent(path));
        let before = at.checked_sub(1).and_then(|before| pages.get(before));
        (before.map(AsRef::as_ref), pages.get(at + 1).map(AsRef::as_ref))
    }
}

/// Area, then core components before the others by the number of their providers, then pages with an order before those without, then order, then names that begin with a number before those without, then the number, then title.
type SortKey = (usize, usize, bool, Option<i64>, bool, Option<u64>, String);

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
