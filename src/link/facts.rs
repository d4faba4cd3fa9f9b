//! Checks the ids in `facts` blocks.

use super::Linker;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Rule},
    facts::{LifecycleState, Verdict},
    id::Id,
    kb::{FieldKind, Kb},
    layout::{EntityKind, VOCABULARY},
    markdown::{FactsBlock, FactsFilter, FactsQuery, FilterKey, ListedKind},
    text::{did_you_mean, listed},
};

impl ListedKind {
    /// The kind of the entities in the list.
    #[must_use]
    pub const fn entity(self) -> EntityKind {
        match self {
            Self::Components => EntityKind::Component,
            Self::Providers => EntityKind::Provider,
            Self::Concepts => EntityKind::Concept,
        }
    }
}

impl Linker<'_> {
    /// Reports ids and values that don't exist.
    pub(super) fn facts(&mut self, block: &FactsBlock) {
        let vocabulary = &self.kb.vocabulary;
        match &block.query {
            FactsQuery::Comparison { role, providers } => {
                self.one_of("role", role, vocabulary.roles.iter().map(|role| role.id.as_str()));
                for provider in providers {
                    self.entity(provider, &[EntityKind::Provider]);
                }
            }
            FactsQuery::Relations(of) => self.entity(of, &[EntityKind::Component, EntityKind::Concept]),
            FactsQuery::List { kind, filters } => {
                for filter in filters {
                    self.filter(*kind, filter);
                }
            }
        }
    }

    fn filter(&mut self, listed: ListedKind, filter: &FactsFilter) {
        let vocabulary = &self.kb.vocabulary;
        let FactsFilter { key, value } = filter;
        let of: &[ListedKind] = match key {
            FilterKey::Area | FilterKey::State => &[ListedKind::Components, ListedKind::Concepts],
            FilterKey::Role | FilterKey::Provider | FilterKey::Verdict => &[ListedKind::Components],
            FilterKey::Kind => &[ListedKind::Providers],
            FilterKey::Field(_) => &[ListedKind::Components, ListedKind::Providers, ListedKind::Concepts],
        };
        if !of.contains(&listed) {
            let kinds = of.iter().map(|kind| kind.entity().folder()).collect::<Vec<_>>().join(" and ");
            let message = format!("only lists of {kinds} have this condition");
            self.diagnostics.report(Rule::InvalidValue, self.text.place(value.span), message, "remove it, or list something else");
            return;
        }
        match key {
            FilterKey::Area => self.one_of("area", value, vocabulary.areas.iter().map(|area| area.id.as_str())),
            FilterKey::Role => self.one_of("role", value, vocabulary.roles.iter().map(|role| role.id.as_str())),
            FilterKey::Provider => self.entity(value, &[EntityKind::Provider]),
            FilterKey::State => self.one_of("state", value, LifecycleState::ALL.iter().map(|state| state.name())),
            FilterKey::Verdict => self.one_of("verdict", value, Verdict::ALL.iter().map(|verdict| verdict.name())),
            FilterKey::Kind => self.one_of("provider kind", value, vocabulary.provider_kinds.iter().map(|kind| kind.id.as_str())),
            FilterKey::Field(name) => {
                let fields = || vocabulary.fields.iter().filter(|field| field.of.contains(&listed.entity()));
                self.one_of("field", name, fields().map(|field| field.id.as_str()));
                if let Some(FieldKind::Enum(values)) = fields().find(|field| field.id.as_str() == name.value).map(|field| &field.kind) {
                    self.one_of("value", value, values.iter().map(|value| value.id.as_str()));
                }
            }
        }
    }

    /// Reports a word that isn't one of these.
    fn one_of<'w>(&mut self, noun: &str, written: &Spanned<String>, known: impl Iterator<Item = &'w str> + Clone) {
        if known.clone().any(|known| known == written.value) {
            return;
        }
        let found = Diagnostic::new(Rule::UnknownWord, self.text.place(written.span), format!("no {noun} `{}`", written.value));
        let otherwise = match listed(known.clone()).as_str() {
            "" => format!("declare it in `{VOCABULARY}`"),
            known => format!("known are {known}"),
        };
        self.diagnostics.push(found.suggest(did_you_mean(&written.value, known), otherwise));
    }

    /// Reports an id that names no entity of these kinds.
    fn entity(&mut self, written: &Spanned<String>, kinds: &[EntityKind]) {
        if self.kb.kind_of(&written.value).is_some_and(|kind| kinds.contains(&kind)) {
            return;
        }
        let nouns = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
        let found = Diagnostic::new(Rule::UnknownId, self.text.place(written.span), format!("no {nouns} `{}`", written.value));
        let folder = kinds.first().map_or("", |kind| kind.folder());
        let meant = did_you_mean(&written.value, ids(self.kb, kinds).map(Id::as_str));
        self.diagnostics.push(found.suggest(meant, format!("write the name of a folder in `{folder}`")));
    }
}

fn ids<'a>(kb: &'a Kb, kinds: &'a [EntityKind]) -> impl Iterator<Item = &'a Id> {
    let of = |kind| kinds.contains(&kind);
    let components = kb.components.keys().filter(move |_| of(EntityKind::Component));
    let providers = kb.providers.keys().filter(move |_| of(EntityKind::Provider));
    components.chain(providers).chain(kb.concepts.keys().filter(move |_| of(EntityKind::Concept)))
}
