//! Values that several objects of the API have: texts by language, ids, releases.

use std::collections::BTreeMap;

use crate::{
    id::Id,
    kb::{Kb, ReleaseIndex, Text},
};

/// A text by language.
pub(super) type Texts<'a> = BTreeMap<&'a str, &'a str>;

pub(super) fn texts(text: Option<&Text>) -> Texts<'_> {
    text.into_iter().flat_map(Text::iter).map(|(lang, text)| (lang.as_str(), text)).collect()
}

pub(super) fn ids(ids: &[Id]) -> Vec<&str> {
    ids.iter().map(Id::as_str).collect()
}

pub(super) fn release(kb: &Kb, release: Option<ReleaseIndex>) -> Option<&str> {
    release.map(|release| kb.vocabulary.release(release).name.as_str())
}
