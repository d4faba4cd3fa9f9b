//! Pages in their languages, and how far translations have fallen behind.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    id::{Id, Lang},
    layout::EntityKind,
    load::{PageDraft, TOP},
};

/// What a page is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The home page.
    Home,
    /// A component, provider or concept.
    Entity(EntityKind, Id),
    /// The author's words on a generated page, such as the list of components.
    Generated,
    /// Anything else.
    Ordinary,
}

/// A page in the languages it was written in; at least one.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its address without the language.
    pub path: Arc<str>,
    /// What it is about.
    pub kind: PageKind,
    /// Its texts.
    pub texts: BTreeMap<Lang, Arc<PageDraft>>,
}

impl Page {
    /// The text to show to readers of a language: their own, else the default language's, else any.
    #[must_use]
    pub fn text(&self, lang: &Lang, default: &Lang) -> Option<&PageDraft> {
        self.texts.get(lang).or_else(|| self.texts.get(default)).or_else(|| self.texts.values().next()).map(AsRef::as_ref)
    }
}

/// A section of a translation that no longer says what the original says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleSection<'a> {
    /// The anchor of the section in the original, or [`TOP`].
    pub anchor: &'a str,
    /// What happened to it.
    pub how: Staleness,
}

/// How a translation fell behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// The original has changed.
    Changed,
    /// The original is gone, or has another id.
    Gone,
    /// The original came later.
    New,
}

/// The sections in which a translation has fallen behind. A translation that was never stamped has promised nothing, and is never stale.
#[must_use]
pub fn stale_sections<'a>(original: &'a PageDraft, translation: &'a PageDraft) -> Vec<StaleSection<'a>> {
    let remembered = &translation.front.translates;
    if remembered.is_empty() {
        return Vec::new();
    }
    let behind = remembered.iter().filter_map(|(anchor, hash)| {
        let how = match original.hashes.iter().find(|section| section.anchor == *anchor) {
            Some(section) if section.hash == hash.value.0 => return None,
            Some(_) => Staleness::Changed,
            None => Staleness::Gone,
        };
        Some(StaleSection { anchor, how })
    });
    let new = original.hashes.iter().filter(|section| !remembered.contains_key(&section.anchor));
    behind.chain(new.map(|section| StaleSection { anchor: &section.anchor, how: Staleness::New })).collect()
}

impl StaleSection<'_> {
    /// The section in words.
    #[must_use]
    pub fn part(&self) -> String {
        if self.anchor == TOP { "the beginning".to_owned() } else { format!("the section `#{}`", self.anchor) }
    }
}
