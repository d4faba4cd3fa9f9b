//! A common interface to the facts of components, providers and concepts.

use std::sync::Arc;

use crate::{
    decode::{Ordered, Spanned},
    facts::{ComponentFacts, ConceptFacts, EvidenceFacts, EvidenceKeys, LifecycleFacts, ProviderFacts, RelationFacts, SectionFacts},
    id::Id,
    layout::EntityKind,
    load::{ComponentDraft, Draft, Loaded},
};

/// The parts that all facts files share.
pub(super) trait EntityFacts {
    const KIND: EntityKind;

    fn evidence(&self) -> &Ordered<Spanned<Id>, EvidenceFacts>;

    /// Every `evidence` list of the file.
    fn citations(&self) -> Vec<&EvidenceKeys>;

    fn sections(&self) -> Vec<SectionHead<'_>>;
}

/// The part of a section that other files depend on.
#[derive(PartialEq)]
pub(super) struct SectionHead<'a> {
    pub(super) id: &'a Spanned<Id>,
    pub(super) name: &'a str,
    pub(super) aka: &'a [String],
}

/// A section as a facts file declares it, before it is checked.
pub(super) struct SectionDeclaration<'a> {
    pub(super) kind: EntityKind,
    pub(super) owner: &'a Id,
    pub(super) file: &'a Arc<str>,
    pub(super) head: SectionHead<'a>,
}

/// The sections that facts files declare, in the order of the files.
pub(super) fn declared_sections(draft: &Draft) -> impl Iterator<Item = SectionDeclaration<'_>> {
    fn of<T: EntityFacts>(loaded: &[Arc<Loaded<T>>]) -> impl Iterator<Item = SectionDeclaration<'_>> {
        loaded.iter().flat_map(|loaded| {
            let (owner, file) = (&loaded.id, &loaded.file);
            loaded.facts.iter().flat_map(T::sections).map(move |head| SectionDeclaration { kind: T::KIND, owner, file, head })
        })
    }
    of(&draft.components).chain(of(&draft.providers)).chain(of(&draft.concepts))
}

/// The sections of a component whose facts are not decoded yet.
pub(super) fn declared_sections_of(component: &ComponentDraft) -> impl Iterator<Item = SectionDeclaration<'_>> {
    let (kind, owner, file) = (EntityKind::Component, &component.id, &component.file);
    component.sections.iter().map(move |(id, name)| SectionDeclaration { kind, owner, file, head: SectionHead { id, name, aka: &[] } })
}

impl EntityFacts for ComponentFacts {
    const KIND: EntityKind = EntityKind::Component;

    fn evidence(&self) -> &Ordered<Spanned<Id>, EvidenceFacts> {
        &self.evidence
    }

    fn citations(&self) -> Vec<&EvidenceKeys> {
        let of_sections = self.sections.0.iter().filter_map(|(_, section)| section.removal.as_ref());
        let removals = self.removal.iter().chain(of_sections).flat_map(|removal| {
            let providers = removal.providers.0.iter().map(|(_, provider)| &provider.evidence);
            std::iter::once(&removal.evidence).chain(providers)
        });
        let restarts = self.sections.0.iter().filter_map(|(_, section)| section.restart.as_ref()).chain(&self.restart);
        citations(self.lifecycle.as_ref(), &self.relations)
            .chain(removals)
            .chain(restarts.map(|restart| &restart.evidence))
            .chain(self.ports.iter().map(|port| &port.evidence))
            .chain(self.flags.iter().map(|flag| &flag.evidence))
            .chain(self.names.iter().map(|names| &names.evidence))
            .chain(self.support.iter().map(|support| &support.evidence))
            .collect()
    }

    fn sections(&self) -> Vec<SectionHead<'_>> {
        self.sections.0.iter().map(|(id, section)| SectionHead { id, name: &section.name, aka: &section.aka }).collect()
    }
}

impl EntityFacts for ProviderFacts {
    const KIND: EntityKind = EntityKind::Provider;

    fn evidence(&self) -> &Ordered<Spanned<Id>, EvidenceFacts> {
        &self.evidence
    }

    fn citations(&self) -> Vec<&EvidenceKeys> {
        self.claims.iter().map(|claim| &claim.evidence).collect()
    }

    fn sections(&self) -> Vec<SectionHead<'_>> {
        sections(&self.sections)
    }
}

impl EntityFacts for ConceptFacts {
    const KIND: EntityKind = EntityKind::Concept;

    fn evidence(&self) -> &Ordered<Spanned<Id>, EvidenceFacts> {
        &self.evidence
    }

    fn citations(&self) -> Vec<&EvidenceKeys> {
        citations(self.lifecycle.as_ref(), &self.relations).collect()
    }

    fn sections(&self) -> Vec<SectionHead<'_>> {
        sections(&self.sections)
    }
}

fn citations<'a>(lifecycle: Option<&'a LifecycleFacts>, relations: &'a [Spanned<RelationFacts>]) -> impl Iterator<Item = &'a EvidenceKeys> {
    lifecycle.into_iter().map(|lifecycle| &lifecycle.evidence).chain(relations.iter().map(|relation| &relation.evidence))
}

fn sections(sections: &Ordered<Spanned<Id>, SectionFacts>) -> Vec<SectionHead<'_>> {
    sections.0.iter().map(|(id, section)| SectionHead { id, name: &section.name, aka: &section.aka }).collect()
}

#[derive(Clone, Copy)]
pub(super) struct FactsFile<'a> {
    pub(super) kind: EntityKind,
    pub(super) id: &'a Id,
    pub(super) file: &'a Arc<str>,
    pub(super) whole: bool,
}

pub(super) fn facts_files(draft: &Draft) -> impl Iterator<Item = FactsFile<'_>> {
    fn of<T: EntityFacts>(loaded: &[Arc<Loaded<T>>]) -> impl Iterator<Item = FactsFile<'_>> {
        loaded.iter().map(|loaded| FactsFile { kind: T::KIND, id: &loaded.id, file: &loaded.file, whole: loaded.whole })
    }
    of(&draft.components).chain(of(&draft.providers)).chain(of(&draft.concepts))
}
