//! Which ids exist, so that a broken file is one finding and not one for each reference to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Things,
    sections::{self, Declared},
};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    id::{Id, Lang},
    kb::{Component, Concept, Provider},
    layout::{EntityKind, entity_of},
    load::Draft,
    text::{Span, did_you_mean},
};

/// Every id and word that can be referred to.
#[derive(Debug)]
pub(super) struct Names {
    ids: BTreeMap<Id, (EntityKind, Arc<str>)>,
    /// Sections, and whose page they are on.
    sections: BTreeMap<Id, Id>,
    pub(super) areas: Vec<Id>,
    pub(super) places: Vec<Id>,
    pub(super) roles: Vec<Id>,
    pub(super) verbs: Vec<Id>,
    pub(super) provider_kinds: Vec<Id>,
    /// Whether the vocabulary was read whole, so that a word that is not in it does not exist.
    pub(super) words_known: bool,
    pub(super) languages: Vec<Lang>,
    pub(super) languages_known: bool,
    /// The day of the reading, if it matters.
    pub(super) today: Option<jiff::civil::Date>,
}

impl Names {
    /// Collects the ids of all drafts; the same id for two things is an error.
    pub(super) fn collect(draft: &Draft, diagnostics: &mut Diagnostics) -> Self {
        let components = draft.components.iter().map(|loaded| (&loaded.id, &loaded.file));
        Self::with(components, sections::declared(draft), draft, diagnostics)
    }

    /// The same where the components and the sections come from elsewhere.
    pub(super) fn with<'a>(
        components: impl Iterator<Item = (&'a Id, &'a Arc<str>)>,
        sections: impl Iterator<Item = Declared<'a>>,
        draft: &'a Draft,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let facts = (components.map(|(id, file)| (EntityKind::Component, id, file)))
            .chain(draft.providers.iter().map(|loaded| (EntityKind::Provider, &loaded.id, &loaded.file)))
            .chain(draft.concepts.iter().map(|loaded| (EntityKind::Concept, &loaded.id, &loaded.file)));
        let mut ids: BTreeMap<Id, (EntityKind, Arc<str>)> = BTreeMap::new();
        // The pages of a thing in several languages are one thing.
        let mut reported: BTreeSet<(EntityKind, Id)> = BTreeSet::new();
        let mut add = |kind: EntityKind, id: &Id, file: &Arc<str>, diagnostics: &mut Diagnostics| match ids.get(id) {
            Some((known, _)) if *known == kind => {}
            Some((known, first)) if reported.insert((kind, id.clone())) => {
                let message = format!("`{id}` is the id of a {} and of a {}", known.name(), kind.name());
                let found = Diagnostic::new(Rule::DuplicateId, Place::new(file.clone(), Span::at(0)), message);
                let found = found.related(Place::new(first.clone(), Span::at(0)), "the other one");
                diagnostics.push(found.help("rename one of the folders; an id names one thing in the whole knowledge base"));
            }
            Some(_) => {}
            None => {
                ids.insert(id.clone(), (kind, file.clone()));
            }
        };
        for (kind, id, file) in facts {
            add(kind, id, file, diagnostics);
        }
        // A folder with pages and no facts is a thing, too: a concept may do without, for the others it is reported with the pages.
        for page in &draft.pages {
            if let Some((kind, folder)) = entity_of(&page.path)
                && let Ok(id) = Id::new(folder)
            {
                add(kind, &id, &page.file, diagnostics);
            }
        }
        let keys = |ids: Vec<&Spanned<Id>>| ids.into_iter().map(|id| id.value.clone()).collect();
        Self {
            ids,
            sections: sections.map(|section| (section.id.value.clone(), section.owner.clone())).collect(),
            areas: keys(draft.vocabulary.areas.0.iter().map(|(id, _)| id).collect()),
            places: keys(draft.vocabulary.places.0.iter().map(|(id, _)| id).collect()),
            roles: keys(draft.vocabulary.roles.0.iter().map(|(id, _)| id).collect()),
            verbs: keys(draft.vocabulary.verbs.0.iter().map(|(id, _)| id).collect()),
            provider_kinds: keys(draft.vocabulary.provider_kinds.0.iter().map(|(id, _)| id).collect()),
            words_known: draft.vocabulary_whole,
            languages_known: draft.languages_known,
            today: draft.config.today,
            languages: draft.config.languages.iter().map(|language| language.lang.clone()).collect(),
        }
    }

    /// The things that exist and could not be made whole.
    pub(super) fn broken(
        &self,
        draft: &Draft,
        components: &Things<Component>,
        providers: &Things<Provider>,
        concepts: &Things<Concept>,
    ) -> BTreeMap<Id, EntityKind> {
        let partial: BTreeSet<&Id> = (draft.components.iter().filter(|loaded| !loaded.whole).map(|loaded| &loaded.id))
            .chain(draft.providers.iter().filter(|loaded| !loaded.whole).map(|loaded| &loaded.id))
            .chain(draft.concepts.iter().filter(|loaded| !loaded.whole).map(|loaded| &loaded.id))
            .collect();
        let made = |id: &Id, kind: EntityKind| match kind {
            EntityKind::Component => components.contains_key(id),
            EntityKind::Provider => providers.contains_key(id),
            EntityKind::Concept => concepts.contains_key(id),
        };
        let broken = self.ids.iter().filter(|(id, (kind, _))| partial.contains(id) || !made(id, *kind));
        broken.map(|(id, (kind, _))| (id.clone(), *kind)).collect()
    }

    /// What kind of thing an id is.
    pub(super) fn kind(&self, id: &str) -> Option<EntityKind> {
        self.ids.get(id).map(|(kind, _)| *kind)
    }

    /// The id of that text, if it is one of this kind.
    pub(super) fn id(&self, text: &str, kind: EntityKind) -> Option<&Id> {
        self.ids.get_key_value(text).filter(|(_, (own, _))| *own == kind).map(|(id, _)| id)
    }

    /// The ids of one of these kinds.
    pub(super) fn of<'a>(&'a self, kinds: &'a [EntityKind]) -> impl Iterator<Item = &'a str> {
        self.ids.iter().filter(|(_, (kind, _))| kinds.contains(kind)).map(|(id, _)| id.as_str())
    }

    /// Whether an id is of one of these kinds; reports it otherwise.
    pub(super) fn require(&self, id: &Spanned<Id>, kinds: &[EntityKind], file: &Arc<str>, diagnostics: &mut Diagnostics) -> bool {
        let words = || kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
        let place = Place::new(file.clone(), id.span);
        match self.kind(id.as_str()) {
            Some(kind) if kinds.contains(&kind) => true,
            Some(kind) => {
                let message = format!("`{}` is a {}, and a {} is needed here", id.value, kind.name(), words());
                diagnostics.push(Diagnostic::new(Rule::UnknownId, place, message).help("name another id"));
                false
            }
            None if self.sections.contains_key(&id.value) => {
                let owner = &self.sections[&id.value];
                let message = format!("`{}` is a section of `{owner}`, and a {} is needed here", id.value, words());
                diagnostics
                    .push(Diagnostic::new(Rule::UnknownId, place, message).help(format!("name `{owner}`, or give it a page of its own")));
                false
            }
            None => {
                let folder = kinds.first().map_or("", |kind| kind.folder());
                let found = Diagnostic::new(Rule::UnknownId, place, format!("there is no {} `{}`", words(), id.value));
                let otherwise = format!("check the id, or add `{folder}/{}/facts.yaml`", id.value);
                diagnostics.push(found.suggest(did_you_mean(id.as_str(), self.of(kinds)), otherwise));
                false
            }
        }
    }

    /// Whether a word is in a list of the vocabulary; reports it otherwise.
    pub(super) fn require_word(&self, word: &Spanned<Id>, list: &[Id], what: &str, file: &Arc<str>, diagnostics: &mut Diagnostics) -> bool {
        if list.contains(&word.value) {
            return true;
        }
        if !self.words_known {
            return false;
        }
        let found = Diagnostic::new(
            Rule::UnknownWord,
            Place::new(file.clone(), word.span),
            format!("the vocabulary has no {what} `{}`", word.value),
        );
        let known: Vec<&str> = list.iter().map(Id::as_str).collect();
        let otherwise = match known.as_slice() {
            [] => format!("add it to `{}`", crate::layout::VOCABULARY),
            known => format!("it has `{}`; a new one goes into `{}`", known.join("`, `"), crate::layout::VOCABULARY),
        };
        diagnostics.push(found.suggest(did_you_mean(word.as_str(), known.iter().copied()), otherwise));
        false
    }
}
