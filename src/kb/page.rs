//! Pages in their languages, and outdated sections of translations.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    id::{Id, Lang},
    layout::EntityKind,
    load::{PageDraft, TOP},
};

/// The subject of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The home page.
    Home,
    /// A component, provider or concept.
    Entity(EntityKind, Id),
    /// A generated page, such as the list of components, with an author's text.
    Generated,
    /// Any other page.
    Ordinary,
}

/// A page with its translations.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its address without the language.
    pub path: Arc<str>,
    /// Its subject.
    pub kind: PageKind,
    /// The page by language; at least one.
    pub texts: BTreeMap<Lang, Arc<PageDraft>>,
}

impl Page {
    /// Whether the page is left out of navigation, search and lists: its author asked for it in any language.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.texts.values().any(|text| text.front.hidden)
    }

    /// The text in a language, else in the default language, else in any.
    #[must_use]
    pub fn text(&self, lang: &Lang, default: &Lang) -> Option<&PageDraft> {
        self.texts.get(lang).or_else(|| self.texts.get(default)).or_else(|| self.texts.values().next()).map(AsRef::as_ref)
    }
}

/// A section in which a translation differs from the original.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleSection<'a> {
    /// The anchor of the section in the original, or [`TOP`].
    pub anchor: &'a str,
    /// The kind of change.
    pub how: Staleness,
}

/// Why a section of a translation is outdated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// The section of the original changed.
    Changed,
    /// The original no longer has the section, or has it under another id.
    Gone,
    /// The section was added to the original.
    New,
}

/// The outdated sections of a translation; none for a translation that was never stamped.
#[must_use]
pub fn stale_sections<'a>(original: &'a PageDraft, translation: &'a PageDraft) -> Vec<StaleSection<'a>> {
    let stamps = &translation.front.translates;
    if stamps.is_empty() {
        return Vec::new();
    }
    let outdated = stamps.iter().filter_map(|(anchor, hash)| {
        let how = match original.hashes.iter().find(|section| section.anchor == *anchor) {
            Some(section) if section.hash == hash.value.0 => return None,
            Some(_) => Staleness::Changed,
            None => Staleness::Gone,
        };
        Some(StaleSection { anchor, how })
    });
    let new = original.hashes.iter().filter(|section| !stamps.contains_key(&section.anchor));
    outdated.chain(new.map(|section| StaleSection { anchor: &section.anchor, how: Staleness::New })).collect()
}

impl StaleSection<'_> {
    /// The section as a noun phrase for messages.
    #[must_use]
    pub fn part(&self) -> String {
        if self.anchor == TOP { "the beginning".to_owned() } else { format!("the section `#{}`", self.anchor) }
    }
}
