//! Incremental validation: checks only what depends on a changed page or on changed facts.

use std::sync::Arc;

use super::{
    FactsContext, SymbolTable, claims, entities, entity_facts::EntityFacts, evidence, generated::GeneratedContent, graph, listings, pages,
};
use crate::{
    diagnostic::{Diagnostics, Scope},
    facts::{ComponentFacts, ConceptFacts, ProviderFacts},
    kb::{EntityMap, Kb, Page},
    load::{Draft, Edited, Loaded},
};

/// Facts files whose values changed.
#[derive(Debug, Default)]
pub struct ChangedFacts {
    /// Facts of components.
    pub components: Vec<Edited<Loaded<ComponentFacts>>>,
    /// Facts of providers.
    pub providers: Vec<Edited<Loaded<ProviderFacts>>>,
    /// Facts of concepts.
    pub concepts: Vec<Edited<Loaded<ConceptFacts>>>,
}

impl ChangedFacts {
    /// Whether no file changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.components.is_empty() && self.providers.is_empty() && self.concepts.is_empty()
    }

    /// Whether all files declare the same ids and sections as before, and could be read completely then and now.
    fn same_symbols(&self) -> bool {
        fn same<T: EntityFacts>(was: &Edited<Loaded<T>>) -> bool {
            let (old, new) = (&was.old, &was.new);
            let same_sections = || old.facts.as_ref().map(T::sections) == new.facts.as_ref().map(T::sections);
            old.id == new.id && old.whole && new.whole && same_sections()
        }
        self.components.iter().all(same) && self.providers.iter().all(same) && self.concepts.iter().all(same)
    }
}

/// The change affects more than an update can check: [`validate`](super::validate) has to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullValidationRequired;

/// Checks the translations of a changed page. Its previous findings are replaced.
pub fn update_page(kb: &Kb, page: &Page, diagnostics: &mut Diagnostics) {
    diagnostics.forget(&Scope::Page(page.path.clone()));
    pages::check_translations(page, &kb.config, diagnostics);
}

/// Checks changed facts and replaces them in `kb`, a knowledge base without errors. `draft` already holds the new facts, and `symbols` those of the last
/// validation.
///
/// # Errors
/// If an update is not enough. `kb` and `diagnostics` are unspecified then.
pub fn update_facts(
    symbols: &SymbolTable,
    draft: &Draft,
    changed: &ChangedFacts,
    kb: &mut Kb,
    diagnostics: &mut Diagnostics,
) -> Result<(), FullValidationRequired> {
    if !changed.same_symbols() {
        return Err(FullValidationRequired);
    }
    let (mut components, mut providers, mut concepts) =
        (EntityMap::clone(&kb.components), EntityMap::clone(&kb.providers), EntityMap::clone(&kb.concepts));
    let mut graph_changed = !diagnostics.is_clean(&Scope::Graph);
    let mut rows_changed = !diagnostics.is_clean(&Scope::Rows);
    let mut context = FactsContext { symbols, vocabulary: &kb.vocabulary, sections: &kb.sections, thorough: true, diagnostics };
    for Edited { new, .. } in &changed.components {
        let facts = start(new, kb, context.diagnostics)?;
        let old = components.get(&new.id).ok_or(FullValidationRequired)?;
        let mut component = entities::component(new, facts, &mut context);
        (component.incoming, component.replaces, component.claims) = (old.incoming.clone(), old.replaces.clone(), old.claims.clone());
        graph_changed |= !graph::same_edges(&component.relations, &old.relations)
            || graph::successors(component.lifecycle.as_ref()) != graph::successors(old.lifecycle.as_ref());
        rows_changed |= component.listing != old.listing
            || component.images != old.images
            || component.names != old.names
            || component.examples != old.examples
            || component.counter_examples != old.counter_examples;
        components.insert(new.id.clone(), Arc::new(component));
    }
    for Edited { new, .. } in &changed.providers {
        let facts = start(new, kb, context.diagnostics)?;
        let provider = entities::provider(new, facts, &mut context);
        providers.insert(new.id.clone(), Arc::new(provider)).ok_or(FullValidationRequired)?;
    }
    for Edited { new, .. } in &changed.concepts {
        let facts = start(new, kb, context.diagnostics)?;
        let old = concepts.get(&new.id).ok_or(FullValidationRequired)?;
        let mut concept = entities::concept(new, facts, &mut context);
        concept.incoming.clone_from(&old.incoming);
        graph_changed |= !graph::same_edges(&concept.relations, &old.relations);
        concepts.insert(new.id.clone(), Arc::new(concept));
    }
    if graph_changed {
        diagnostics.forget(&Scope::Graph);
        graph::check(draft, &kb.vocabulary, &mut components, &mut concepts, diagnostics);
    }
    if !changed.providers.is_empty() {
        claims::attach(&mut components, &providers);
    }
    if rows_changed {
        diagnostics.forget(&Scope::Rows);
        kb.recogniser = Arc::new(listings::check(draft, &components, diagnostics));
    }
    let (vocabulary, diagrams) = (&kb.vocabulary, &kb.diagrams);
    let input = GeneratedContent {
        components: &components,
        providers: &providers,
        concepts: &concepts,
        versions: &kb.versions,
        vocabulary,
        diagrams,
        has_tags: !kb.tags.is_empty(),
    };
    if input.pages() != kb.generated {
        return Err(FullValidationRequired);
    }
    (kb.components, kb.providers, kb.concepts) = (Arc::new(components), Arc::new(providers), Arc::new(concepts));
    Ok(())
}

/// Discards the findings of a facts file and checks the use of its evidence. Returns the facts.
fn start<'a, T: EntityFacts>(loaded: &'a Loaded<T>, kb: &Kb, diagnostics: &mut Diagnostics) -> Result<&'a T, FullValidationRequired> {
    diagnostics.forget(&Scope::Facts(loaded.file.clone()));
    let page = kb.pages.get(format!("{}/{}", T::KIND.folder(), loaded.id).as_str());
    let cited = page.into_iter().flat_map(|page| page.texts.values()).flat_map(|text| text.prose.citations());
    evidence::report_unused_in(loaded, &cited.collect::<Vec<_>>(), diagnostics);
    loaded.facts.as_ref().ok_or(FullValidationRequired)
}
