//! Facts without pages, for those who only ask: whether everything fits together is for `check` to say, and parts that do not are left out.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use rayon::prelude::*;

use super::{
    Things, entities,
    names::Names,
    sections::{self, Declared},
    vocabulary,
};
use crate::{
    diagnostic::Diagnostics,
    id::Id,
    kb::{Component, Provider, Section, Vocabulary},
    layout::EntityKind,
    listing::{OwnedPattern, Pattern, Recogniser},
    load::{FactsDraft, LazyComponent},
};

/// What facts say, as far as it can be used.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Components by id.
    pub components: Components,
    /// Providers by id.
    pub providers: Arc<Things<Provider>>,
    /// The words.
    pub vocabulary: Arc<Vocabulary>,
    /// Smaller things that have a section of a page.
    pub sections: Arc<BTreeMap<Id, Section>>,
    /// Whose row is it?
    pub recogniser: Arc<Recogniser>,
}

/// Components by id: those of a knowledge base, or those of facts alone, each made when somebody first asks for it.
#[derive(Clone, Debug)]
pub struct Components(Made);

#[derive(Clone, Debug)]
enum Made {
    All(Arc<Things<Component>>),
    AsAsked(Arc<AsAsked>),
}

/// Components that are made of their outlines.
#[derive(Debug)]
struct AsAsked {
    names: Names,
    vocabulary: Arc<Vocabulary>,
    sections: Arc<BTreeMap<Id, Section>>,
    components: BTreeMap<Id, (LazyComponent, OnceLock<Option<Component>>)>,
}

impl Components {
    /// The component of that id.
    #[must_use]
    pub fn get(&self, id: &Id) -> Option<&Component> {
        match &self.0 {
            Made::All(all) => all.get(id).map(Arc::as_ref),
            Made::AsAsked(later) => {
                let (outline, made) = later.components.get(id)?;
                made.get_or_init(|| later.make(outline)).as_ref()
            }
        }
    }

    /// Whether there is a component of that id.
    #[must_use]
    pub fn contains(&self, id: &Id) -> bool {
        match &self.0 {
            Made::All(all) => all.contains_key(id),
            Made::AsAsked(later) => later.components.contains_key(id),
        }
    }

    /// All ids, sorted.
    #[must_use]
    pub fn ids(&self) -> Vec<&Id> {
        match &self.0 {
            Made::All(all) => all.keys().collect(),
            Made::AsAsked(later) => later.components.keys().collect(),
        }
    }
}

impl From<Arc<Things<Component>>> for Components {
    fn from(all: Arc<Things<Component>>) -> Self {
        Self(Made::All(all))
    }
}

impl AsAsked {
    fn make(&self, outline: &LazyComponent) -> Option<Component> {
        let loaded = outline.loaded();
        let diagnostics = &mut Diagnostics::new();
        let (names, vocabulary, sections) = (&self.names, self.vocabulary.as_ref(), self.sections.as_ref());
        let context = &mut entities::Context { names, vocabulary, sections, wants_evidence: false, diagnostics };
        Some(entities::component(&loaded, loaded.facts.as_ref()?, context))
    }
}

/// Components, providers and words of facts alone.
#[must_use]
pub fn facts_only(draft: FactsDraft) -> Facts {
    let FactsDraft { rest, components: outlines } = draft;
    let diagnostics = &mut Diagnostics::new();
    let declared = || outlines.iter().flat_map(declared).chain(sections::declared(&rest));
    let names = Names::with(outlines.iter().map(|outline| (&outline.id, &outline.file)), declared(), &rest, diagnostics);
    let vocabulary = Arc::new(vocabulary::check(&rest, &names, diagnostics));
    let sections = Arc::new(sections::collect(declared(), &names, diagnostics));
    let provider = |diagnostics: &mut Diagnostics| {
        let context =
            &mut entities::Context { names: &names, vocabulary: &vocabulary, sections: &sections, wants_evidence: false, diagnostics };
        entities::providers(&rest, context)
    };
    let patterns = || {
        let mut patterns: Vec<OwnedPattern> = outlines.par_iter().flat_map_iter(|outline| patterns(outline, &names)).collect();
        patterns.sort_by(|a, b| a.component.cmp(&b.component));
        Recogniser::new(patterns)
    };
    let (recogniser, providers) = rayon::join(patterns, || super::shared(provider(&mut Diagnostics::new())));
    let components = outlines.into_iter().map(|outline| (outline.id.clone(), (outline, OnceLock::new()))).collect();
    let later = AsAsked { names, vocabulary: vocabulary.clone(), sections: sections.clone(), components };
    Facts {
        components: Components(Made::AsAsked(Arc::new(later))),
        providers: Arc::new(providers),
        vocabulary,
        sections,
        recogniser: Arc::new(recogniser),
    }
}

/// The sections of a component.
fn declared(outline: &LazyComponent) -> impl Iterator<Item = Declared<'_>> {
    let section = |(id, name)| Declared { kind: EntityKind::Component, owner: &outline.id, file: &outline.file, id, name, aka: &[] };
    outline.sections.iter().map(|(id, name)| (id, name.as_str())).map(section)
}

/// The patterns of a component, counted as [`entities::component`] counts them: without those that are none.
fn patterns(outline: &LazyComponent, names: &Names) -> Vec<OwnedPattern> {
    let patterns = outline.rows().into_iter().filter_map(|row| {
        let pattern = Pattern::new(row.kind, row.name, row.namespace).ok()?.needing_namespace(row.needs_namespace);
        let providers = row.providers.into_iter().filter_map(|id| names.id(id, EntityKind::Provider).cloned());
        Some((providers.collect(), Arc::new(pattern)))
    });
    let owned = |(entry, (providers, pattern))| OwnedPattern { component: outline.id.clone(), entry, providers, pattern };
    patterns.enumerate().map(owned).collect()
}
