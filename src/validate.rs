//! Drafts to a knowledge base whose parts fit together. Reports everything that does not.

mod alone;
mod diagrams;
mod entities;
mod evidence;
mod graph;
mod lifecycle;
mod listings;
mod names;
mod pages;
mod sections;
mod vocabulary;

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    diagnostic::{Diagnostics, Scope},
    facts::{ComponentFacts, ConceptFacts, ProviderFacts},
    id::Id,
    kb::{Kb, Page},
    layout::EntityKind,
    load::{Draft, Edited, Loaded},
};

pub use alone::{Components, Facts, facts_only};
use names::Names;

/// A knowledge base with errors: good for finding more of them, not for making a site.
#[derive(Debug)]
pub struct Broken(Kb);

impl Broken {
    /// What could be made of it.
    #[must_use]
    pub const fn rest(&self) -> &Kb {
        &self.0
    }
}

/// Things by id, shared with the knowledge bases before and after.
pub type Things<T> = BTreeMap<Id, Arc<T>>;

/// What exists, whatever its facts say: enough to check the facts of one file again.
#[derive(Debug)]
pub struct SymbolTable(Names);

/// Checks that everything fits together.
///
/// # Errors
/// If this stage or an earlier one found an error.
pub fn validate(draft: &Draft, diagnostics: &mut Diagnostics) -> Result<(Kb, SymbolTable), Box<Broken>> {
    let names = Names::collect(draft, diagnostics);
    let vocabulary = vocabulary::check(draft, &names, diagnostics);
    let diagrams = diagrams::check(draft, &names, diagnostics);
    let sections = sections::collect(sections::declared(draft), &names, diagnostics);
    let mut context = entities::Context { names: &names, vocabulary: &vocabulary, sections: &sections, wants_evidence: true, diagnostics };
    let mut components = shared(entities::components(draft, &mut context));
    let providers = shared(entities::providers(draft, &mut context));
    let mut concepts = shared(entities::concepts(draft, &mut context));
    graph::check(draft, &vocabulary, &mut components, &mut concepts, diagnostics);
    entities::claims_of(&mut components, &providers);
    let broken = names.broken(draft, &components, &providers, &concepts);
    let recogniser = listings::check(draft, &components, diagnostics);
    evidence::check_use(draft, diagnostics);
    let (pages, assets) = pages::check(draft, &names, &sections, diagnostics);
    sections::check_headings(draft, &sections, &pages, diagnostics);
    let kb = Kb {
        config: draft.config.clone(),
        theme: draft.theme.clone(),
        vocabulary: Arc::new(vocabulary),
        diagrams: Arc::new(diagrams),
        components: Arc::new(components),
        providers: Arc::new(providers),
        concepts: Arc::new(concepts),
        sections: Arc::new(sections),
        broken: Arc::new(broken),
        pages,
        assets: Arc::new(assets),
        additional_assets: draft.additional_assets.clone(),
        recogniser: Arc::new(recogniser),
    };
    if diagnostics.has_errors() { Err(Box::new(Broken(kb))) } else { Ok((kb, SymbolTable(names))) }
}

fn shared<T>(things: BTreeMap<Id, T>) -> Things<T> {
    things.into_iter().map(|(id, thing)| (id, Arc::new(thing))).collect()
}

/// Checks again what has changed in the texts of a page, in a knowledge base in which the page is already replaced.
pub fn update_page(kb: &Kb, page: &Page, diagnostics: &mut Diagnostics) {
    diagnostics.forget(&Scope::Page(page.path.clone()));
    pages::translations(page, &kb.config, diagnostics);
}

/// The facts of some files that say something else now.
#[derive(Debug, Default)]
pub struct ChangedFacts {
    /// Of components.
    pub components: Vec<Edited<Loaded<ComponentFacts>>>,
    /// Of providers.
    pub providers: Vec<Edited<Loaded<ProviderFacts>>>,
    /// Of concepts.
    pub concepts: Vec<Edited<Loaded<ConceptFacts>>>,
}

impl ChangedFacts {
    /// Whether nothing has changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.components.is_empty() && self.providers.is_empty() && self.concepts.is_empty()
    }

    /// Whether the same things and the same sections exist as before, each read whole: then only what is said of them has changed.
    fn name_the_same(&self) -> bool {
        fn same<T>(was: &Edited<Loaded<T>>, sections: impl Fn(&T) -> sections::Gist<'_>) -> bool {
            let same_sections = || was.old.facts.as_ref().map(&sections) == was.new.facts.as_ref().map(&sections);
            was.old.id == was.new.id && was.old.whole && was.new.whole && same_sections()
        }
        self.components.iter().all(|it| same(it, sections::of_component))
            && self.providers.iter().all(|it| same(it, |facts| sections::of_others(&facts.sections)))
            && self.concepts.iter().all(|it| same(it, |facts| sections::of_others(&facts.sections)))
    }
}

/// Checks changed facts again, in a knowledge base without errors. `draft` already holds them. `None`, with the knowledge base in no useful state, if more than this has to
/// be checked.
pub fn update_facts(ground: &SymbolTable, draft: &Draft, changed: &ChangedFacts, kb: &mut Kb, diagnostics: &mut Diagnostics) -> Option<()> {
    if !changed.name_the_same() {
        return None;
    }
    let (mut components, mut providers, mut concepts) =
        (Things::clone(&kb.components), Things::clone(&kb.providers), Things::clone(&kb.concepts));
    let mut other_graph = !diagnostics.is_clean(&Scope::Graph);
    let mut other_rows = !diagnostics.is_clean(&Scope::Rows);
    let mut context =
        entities::Context { names: &ground.0, vocabulary: &kb.vocabulary, sections: &kb.sections, wants_evidence: true, diagnostics };
    for Edited { new, .. } in &changed.components {
        let old = components.get(&new.id)?;
        context.diagnostics.forget(&Scope::Facts(new.file.clone()));
        let mut component = entities::component(new, new.facts.as_ref()?, &mut context);
        (component.incoming, component.replaces, component.claims) = (old.incoming.clone(), old.replaces.clone(), old.claims.clone());
        evidence::check_component(new, &citations(kb, EntityKind::Component, &new.id), context.diagnostics);
        other_graph |= graph::edges(&component.relations) != graph::edges(&old.relations)
            || graph::successors(component.lifecycle.as_ref()) != graph::successors(old.lifecycle.as_ref());
        other_rows |=
            component.listing != old.listing || component.examples != old.examples || component.counter_examples != old.counter_examples;
        components.insert(new.id.clone(), Arc::new(component));
    }
    for Edited { new, .. } in &changed.providers {
        context.diagnostics.forget(&Scope::Facts(new.file.clone()));
        let provider = entities::provider(new, new.facts.as_ref()?, &mut context);
        evidence::check_provider(new, &citations(kb, EntityKind::Provider, &new.id), context.diagnostics);
        providers.insert(new.id.clone(), Arc::new(provider))?;
    }
    for Edited { new, .. } in &changed.concepts {
        let old = concepts.get(&new.id)?;
        context.diagnostics.forget(&Scope::Facts(new.file.clone()));
        let mut concept = entities::concept(&new.id, &new.file, new.facts.as_ref()?, new.whole, &mut context);
        concept.incoming.clone_from(&old.incoming);
        evidence::check_concept(new, &citations(kb, EntityKind::Concept, &new.id), context.diagnostics);
        other_graph |= graph::edges(&concept.relations) != graph::edges(&old.relations);
        concepts.insert(new.id.clone(), Arc::new(concept));
    }
    if other_graph {
        diagnostics.forget(&Scope::Graph);
        graph::check(draft, &kb.vocabulary, &mut components, &mut concepts, diagnostics);
    }
    if !changed.providers.is_empty() {
        entities::claims_of(&mut components, &providers);
    }
    if other_rows {
        diagnostics.forget(&Scope::Rows);
        kb.recogniser = Arc::new(listings::check(draft, &components, diagnostics));
    }
    (kb.components, kb.providers, kb.concepts) = (Arc::new(components), Arc::new(providers), Arc::new(concepts));
    Some(())
}

/// The evidence that the page of a thing cites.
fn citations<'a>(kb: &'a Kb, kind: EntityKind, id: &Id) -> Vec<&'a str> {
    let page = kb.pages.get(format!("{}/{id}", kind.folder()).as_str());
    page.into_iter().flat_map(|page| page.texts.values()).flat_map(|text| text.prose.citations()).collect()
}
