//! The symbol table: every id and term that a file can refer to.
//!
//! It also holds the ids of entities whose facts cannot be read, so that a broken file is one finding instead of one for each reference to it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::entity_facts::{SectionDeclaration, declared_sections, facts_files};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    id::{Id, Lang},
    kb::{Component, Concept, EntityMap, Provider},
    layout::{EntityKind, VOCABULARY, entity_of},
    load::{ComponentDraft, Draft},
    text::{Span, listed},
};

/// Every id and term that can be referred to, whether or not its facts are valid.
#[derive(Debug)]
pub struct SymbolTable {
    entities: BTreeMap<Id, EntitySymbol>,
    /// Sections by id, with the entity whose page has them.
    section_owners: BTreeMap<Id, Id>,
    /// The ids of the vocabulary, in the order of its file.
    terms: BTreeMap<TermKind, Vec<Id>>,
    /// Whether the vocabulary was read completely; if not, unknown terms are not reported.
    pub(super) vocabulary_complete: bool,
    pub(super) languages: Vec<Lang>,
    /// Whether the languages of `book.toml` were read completely.
    pub(super) languages_known: bool,
    /// The date of the build, if checks depend on it.
    pub(super) today: Option<jiff::civil::Date>,
}

#[derive(Debug)]
struct EntitySymbol {
    kind: EntityKind,
    file: Arc<str>,
}

/// A list of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermKind {
    Area,
    Place,
    Role,
    Verb,
    ProviderKind,
}

impl TermKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Area => "area",
            Self::Place => "place",
            Self::Role => "role",
            Self::Verb => "verb",
            Self::ProviderKind => "provider kind",
        }
    }
}

impl SymbolTable {
    /// Collects the ids of all components; reports ids that name two entities.
    pub(super) fn collect(draft: &Draft, diagnostics: &mut Diagnostics) -> Self {
        Self::with_drafts(draft, &[], declared_sections(draft), diagnostics)
    }

    /// Collects the ids of components and of components whose facts are not decoded yet.
    pub(super) fn with_drafts<'a>(
        draft: &'a Draft,
        components: &'a [ComponentDraft],
        sections: impl Iterator<Item = SectionDeclaration<'a>>,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let vocabulary = &draft.vocabulary;
        let terms = BTreeMap::from([
            (TermKind::Area, ids(vocabulary.areas.0.iter().map(|(id, _)| id))),
            (TermKind::Place, ids(vocabulary.places.0.iter().map(|(id, _)| id))),
            (TermKind::Role, ids(vocabulary.roles.0.iter().map(|(id, _)| id))),
            (TermKind::Verb, ids(vocabulary.verbs.0.iter().map(|(id, _)| id))),
            (TermKind::ProviderKind, ids(vocabulary.provider_kinds.0.iter().map(|(id, _)| id))),
        ]);
        Self {
            entities: entities(draft, components, diagnostics),
            section_owners: sections.map(|section| (section.head.id.value.clone(), section.owner.clone())).collect(),
            terms,
            vocabulary_complete: draft.vocabulary_whole,
            languages_known: draft.languages_known,
            today: draft.config.today,
            languages: draft.config.languages.iter().map(|language| language.lang.clone()).collect(),
        }
    }

    /// The entities that exist and whose facts are unusable or incomplete.
    pub(super) fn broken(
        &self,
        draft: &Draft,
        components: &EntityMap<Component>,
        providers: &EntityMap<Provider>,
        concepts: &EntityMap<Concept>,
    ) -> BTreeMap<Id, EntityKind> {
        let partial: BTreeSet<&Id> = facts_files(draft).filter(|file| !file.whole).map(|file| file.id).collect();
        let is_usable = |id: &Id, kind: EntityKind| match kind {
            EntityKind::Component => components.contains_key(id),
            EntityKind::Provider => providers.contains_key(id),
            EntityKind::Concept => concepts.contains_key(id),
        };
        let broken = self.entities.iter().filter(|(id, symbol)| partial.contains(id) || !is_usable(id, symbol.kind));
        broken.map(|(id, symbol)| (id.clone(), symbol.kind)).collect()
    }

    pub(super) fn kind(&self, id: &str) -> Option<EntityKind> {
        self.entities.get(id).map(|symbol| symbol.kind)
    }

    pub(super) fn id(&self, text: &str, kind: EntityKind) -> Option<&Id> {
        self.entities.get_key_value(text).filter(|(_, symbol)| symbol.kind == kind).map(|(id, _)| id)
    }

    /// Whether an id names an entity of one of these kinds; reports it otherwise.
    pub(super) fn require(&self, id: &Spanned<Id>, kinds: &[EntityKind], file: &Arc<str>, diagnostics: &mut Diagnostics) -> bool {
        let expected = kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(" or ");
        let unknown = |message: String| Diagnostic::new(Rule::UnknownId, Place::new(file.clone(), id.span), message);
        let diagnostic = match (self.kind(id.as_str()), self.section_owners.get(&id.value)) {
            (Some(kind), _) if kinds.contains(&kind) => return true,
            (Some(kind), _) => {
                unknown(format!("`{}` is a {}, and a {expected} is needed here", id.value, kind.name())).help("name another id")
            }
            (None, Some(owner)) => unknown(format!("`{}` is a section of `{owner}`, and a {expected} is needed here", id.value))
                .help(format!("use `{owner}`, or create a separate page for it")),
            (None, None) => {
                let folder = kinds.first().map_or("", |kind| kind.folder());
                let candidates = self.entities.iter().filter(|(_, symbol)| kinds.contains(&symbol.kind)).map(|(id, _)| id.as_str());
                let meant = diagnostics.did_you_mean((Rule::UnknownId, file), id.as_str(), candidates);
                unknown(format!("no {expected} `{}`", id.value))
                    .suggest(meant, format!("check the id, or add `{folder}/{}/facts.yaml`", id.value))
            }
        };
        diagnostics.push(diagnostic);
        false
    }

    /// Whether the vocabulary has a term; reports it otherwise.
    pub(super) fn require_term(&self, term: &Spanned<Id>, kind: TermKind, file: &Arc<str>, diagnostics: &mut Diagnostics) -> bool {
        let known = self.terms.get(&kind).map_or(&[][..], Vec::as_slice);
        if known.contains(&term.value) {
            return true;
        }
        if self.vocabulary_complete {
            let message = format!("the vocabulary has no {} `{}`", kind.name(), term.value);
            let unknown = Diagnostic::new(Rule::UnknownWord, Place::new(file.clone(), term.span), message);
            let otherwise = match known {
                [] => format!("add it to `{VOCABULARY}`"),
                known => format!("it has {}; a new one goes into `{VOCABULARY}`", listed(known.iter().map(Id::as_str))),
            };
            let meant = diagnostics.did_you_mean((Rule::UnknownWord, file), term.as_str(), known.iter().map(Id::as_str));
            diagnostics.push(unknown.suggest(meant, otherwise));
        }
        false
    }
}

fn ids<'a>(written: impl Iterator<Item = &'a Spanned<Id>>) -> Vec<Id> {
    written.map(|id| id.value.clone()).collect()
}

/// Collects the ids of entities from their facts and pages; reports each id that names entities of two kinds.
fn entities(draft: &Draft, components: &[ComponentDraft], diagnostics: &mut Diagnostics) -> BTreeMap<Id, EntitySymbol> {
    let components = components.iter().map(|component| (EntityKind::Component, component.id.clone(), &component.file));
    let facts = facts_files(draft).map(|facts| (facts.kind, facts.id.clone(), facts.file));
    // A folder with pages and without facts is an entity, too. Where facts are missing, the checks of pages report it.
    let pages = draft.pages.iter().filter_map(|page| {
        let (kind, folder) = entity_of(&page.path, &draft.config)?;
        Some((kind, Id::new(folder).ok()?, &page.file))
    });
    let mut entities: BTreeMap<Id, EntitySymbol> = BTreeMap::new();
    // One finding for all pages of an entity.
    let mut reported: BTreeSet<(EntityKind, Id)> = BTreeSet::new();
    for (kind, id, file) in components.chain(facts).chain(pages) {
        match entities.get(&id) {
            None => {
                entities.insert(id, EntitySymbol { kind, file: file.clone() });
            }
            Some(first) if first.kind != kind && reported.insert((kind, id.clone())) => {
                let message = format!("`{id}` is the id of a {} and of a {}", first.kind.name(), kind.name());
                let duplicate = Diagnostic::new(Rule::DuplicateId, Place::new(file.clone(), Span::at(0)), message);
                let duplicate = duplicate.related(Place::new(first.file.clone(), Span::at(0)), "the other one");
                diagnostics.push(duplicate.help("rename one of the folders; an id names one thing in the whole knowledge base"));
            }
            Some(_) => {}
        }
    }
    entities
}
