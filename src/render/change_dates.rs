//! The dates on which pages last changed.

use std::{collections::BTreeMap, sync::Arc};

use crate::kb::{Kb, Page, PageKind};

/// The date of the last change of each file (ISO 8601), if it is known.
pub type ChangeDates = BTreeMap<Arc<str>, String>;

pub(super) fn facts_file<'a>(kb: &'a Kb, page: &Page) -> Option<&'a Arc<str>> {
    let PageKind::Entity(_, id) = &page.kind else { return None };
    kb.file_of(id)
}

/// The last date on which a page changed, in any language or in its facts.
pub(super) fn last_change<'a>(kb: &Kb, changes: &'a ChangeDates, page: &Page) -> Option<&'a str> {
    let files = page.texts.values().map(|text| &text.file).chain(facts_file(kb, page));
    files.filter_map(|file| changes.get(file)).max().map(String::as_str)
}
