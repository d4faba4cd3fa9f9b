//! Facts without pages, for commands that only query facts: invalid parts are left out and not reported.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;

use super::{FactsContext, entities, entity_facts, sections, symbols::SymbolTable, versions, vocabulary};
use crate::{
    diagnostic::Diagnostics,
    id::Id,
    kb::{Component, EntityMap, Provider, ProviderVersions, Section, Vocabulary},
    layout::EntityKind,
    listing::{OwnedPattern, Pattern, Recogniser},
    load::{ComponentDraft, FactsDraft, VersionsDraft},
};

/// The part of a knowledge base that follows from facts.
#[derive(Clone, Debug)]
pub struct FactsOnlyKb {
    /// Components by id.
    pub components: ComponentStore,
    /// Providers by id.
    pub providers: Arc<EntityMap<Provider>>,
    /// The vocabulary.
    pub vocabulary: Arc<Vocabulary>,
    /// Sections by id.
    pub sections: Arc<BTreeMap<Id, Section>>,
    /// Matches rows of `kubectl` output to components.
    pub recogniser: Arc<Recogniser>,
    /// The versions of components by provider.
    pub versions: VersionStore,
}

/// The versions of components by provider: those of a [`Kb`](crate::kb::Kb), or those of facts, each checked at its first use.
#[derive(Clone, Debug)]
pub struct VersionStore(Versions);

#[derive(Clone, Debug)]
enum Versions {
    Checked(Arc<BTreeMap<Id, ProviderVersions>>),
    Lazy(Arc<LazyVersions>),
}

/// Versions that are decoded and checked at their first use.
#[derive(Debug)]
struct LazyVersions {
    context: Arc<LazyContext>,
    providers: BTreeMap<Id, (VersionsDraft, OnceLock<Option<ProviderVersions>>)>,
}

impl VersionStore {
    /// The versions of a provider; `None` if none are known.
    #[must_use]
    pub fn get(&self, provider: &Id) -> Option<&ProviderVersions> {
        match &self.0 {
            Versions::Checked(providers) => providers.get(provider),
            Versions::Lazy(lazy) => {
                let (draft, checked) = lazy.providers.get(provider)?;
                let check = || {
                    let loaded = draft.loaded();
                    Some(versions::provider(&loaded, loaded.facts.as_ref()?, &mut lazy.context.facts(&mut Diagnostics::new())))
                };
                checked.get_or_init(check).as_ref()
            }
        }
    }
}

impl From<Arc<BTreeMap<Id, ProviderVersions>>> for VersionStore {
    fn from(providers: Arc<BTreeMap<Id, ProviderVersions>>) -> Self {
        Self(Versions::Checked(providers))
    }
}

/// What facts that are checked later are checked against.
#[derive(Debug)]
struct LazyContext {
    symbols: SymbolTable,
    vocabulary: Arc<Vocabulary>,
    sections: Arc<BTreeMap<Id, Section>>,
}

impl LazyContext {
    fn facts<'a>(&'a self, diagnostics: &'a mut Diagnostics) -> FactsContext<'a> {
        FactsContext { symbols: &self.symbols, vocabulary: &self.vocabulary, sections: &self.sections, thorough: false, diagnostics }
    }
}

/// Components by id: those of a [`Kb`](crate::kb::Kb), or those of facts, each checked at its first use.
#[derive(Clone, Debug)]
pub struct ComponentStore(Store);

#[derive(Clone, Debug)]
enum Store {
    Checked(Arc<EntityMap<Component>>),
    Lazy(Arc<LazyComponents>),
}

/// Components whose facts are decoded and checked at their first use.
#[derive(Debug)]
struct LazyComponents {
    context: Arc<LazyContext>,
    /// Drafts, and the results of checking them: the inner `None` if the facts are unusable.
    components: BTreeMap<Id, (ComponentDraft, OnceLock<Option<Component>>)>,
}

impl ComponentStore {
    /// The component of that id; `None` also if its facts are unusable.
    #[must_use]
    pub fn get(&self, id: &Id) -> Option<&Component> {
        match &self.0 {
            Store::Checked(components) => components.get(id).map(Arc::as_ref),
            Store::Lazy(lazy) => {
                let (draft, checked) = lazy.components.get(id)?;
                checked.get_or_init(|| lazy.check(draft)).as_ref()
            }
        }
    }

    /// Whether there is a component of that id, usable or not.
    #[must_use]
    pub fn contains(&self, id: &Id) -> bool {
        match &self.0 {
            Store::Checked(components) => components.contains_key(id),
            Store::Lazy(lazy) => lazy.components.contains_key(id),
        }
    }

    /// All ids, sorted.
    #[must_use]
    pub fn ids(&self) -> Vec<&Id> {
        match &self.0 {
            Store::Checked(components) => components.keys().collect(),
            Store::Lazy(lazy) => lazy.components.keys().collect(),
        }
    }
}

impl From<Arc<EntityMap<Component>>> for ComponentStore {
    fn from(components: Arc<EntityMap<Component>>) -> Self {
        Self(Store::Checked(components))
    }
}

impl LazyComponents {
    fn check(&self, draft: &ComponentDraft) -> Option<Component> {
        let loaded = draft.loaded();
        Some(entities::component(&loaded, loaded.facts.as_ref()?, &mut self.context.facts(&mut Diagnostics::new())))
    }
}

/// Checks providers and vocabulary; components are checked when they are used.
#[must_use]
pub fn facts_only(draft: FactsDraft) -> FactsOnlyKb {
    let FactsDraft { rest, components: drafts, versions } = draft;
    let diagnostics = &mut Diagnostics::new();
    let declarations = || drafts.iter().flat_map(entity_facts::declared_sections_of).chain(entity_facts::declared_sections(&rest));
    let symbols = SymbolTable::with_drafts(&rest, &drafts, declarations(), diagnostics);
    let vocabulary = Arc::new(vocabulary::check(&rest, &symbols, diagnostics));
    let sections = Arc::new(sections::collect(declarations(), &symbols, diagnostics));
    let recogniser = || {
        let mut patterns: Vec<OwnedPattern> = drafts.par_iter().flat_map_iter(|draft| patterns(draft, &symbols)).collect();
        patterns.sort_by(|a, b| a.component.cmp(&b.component));
        let images = |draft: &ComponentDraft| -> Vec<(String, Id)> {
            draft.images().into_iter().map(|image| (image.to_owned(), draft.id.clone())).collect()
        };
        let names = drafts.iter().flat_map(|draft| {
            draft.known_names().into_iter().map(|(kind, name)| (kind, name.to_owned(), draft.id.clone())).collect::<Vec<_>>()
        });
        Recogniser::new(patterns).with_images(drafts.iter().flat_map(images)).with_known_names(names)
    };
    let providers = || {
        let diagnostics = &mut Diagnostics::new();
        let (symbols, vocabulary, sections) = (&symbols, &vocabulary, &sections);
        entities::providers(&rest, &mut FactsContext { symbols, vocabulary, sections, thorough: false, diagnostics })
    };
    let (recogniser, providers) = rayon::join(recogniser, providers);
    let components = drafts.into_iter().map(|draft| (draft.id.clone(), (draft, OnceLock::new()))).collect();
    let context = Arc::new(LazyContext { symbols, vocabulary: vocabulary.clone(), sections: sections.clone() });
    let lazy = LazyComponents { context: context.clone(), components };
    let versions = versions.into_iter().map(|draft| (draft.id.clone(), (draft, OnceLock::new()))).collect();
    let versions = VersionStore(Versions::Lazy(Arc::new(LazyVersions { context, providers: versions })));
    FactsOnlyKb {
        components: ComponentStore(Store::Lazy(Arc::new(lazy))),
        providers: Arc::new(providers),
        vocabulary,
        sections,
        recogniser: Arc::new(recogniser),
        versions,
    }
}

/// The valid patterns of a component, numbered in the same way as in [`entities::component`]: invalid ones are not counted.
fn patterns(draft: &ComponentDraft, symbols: &SymbolTable) -> Vec<OwnedPattern> {
    let patterns = draft.rows().into_iter().filter_map(|row| {
        let pattern = Pattern::new(row.kind, row.name, row.namespace).ok()?.needing_namespace(row.needs_namespace);
        let providers = row.providers.into_iter().filter_map(|id| symbols.id(id, EntityKind::Provider).cloned());
        Some((providers.collect(), Arc::new(pattern)))
    });
    let owned = |(entry, (providers, pattern))| OwnedPattern { component: draft.id.clone(), entry, providers, pattern };
    patterns.enumerate().map(owned).collect()
}
