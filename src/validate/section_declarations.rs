//! The sections that facts files declare, before they are checked.

use std::sync::Arc;

use super::entity_facts::{EntityFacts, SectionHead};
use crate::{
    id::Id,
    layout::EntityKind,
    load::{ComponentDraft, Draft, Loaded},
};

pub(super) struct SectionDeclaration<'a> {
    pub(super) kind: EntityKind,
    pub(super) owner: &'a Id,
    pub(super) file: &'a Arc<str>,
    pub(super) head: SectionHead<'a>,
}

/// The declarations of a draft, in the order of its files.
pub(super) fn of_draft(draft: &Draft) -> impl Iterator<Item = SectionDeclaration<'_>> {
    fn of<T: EntityFacts>(loaded: &[Arc<Loaded<T>>]) -> impl Iterator<Item = SectionDeclaration<'_>> {
        loaded.iter().flat_map(|loaded| {
            let (owner, file) = (&loaded.id, &loaded.file);
            loaded.facts.iter().flat_map(T::sections).map(move |head| SectionDeclaration { kind: T::KIND, owner, file, head })
        })
    }
    of(&draft.components).chain(of(&draft.providers)).chain(of(&draft.concepts))
}

/// The declarations of a component whose facts are not decoded yet.
pub(super) fn of_component(component: &ComponentDraft) -> impl Iterator<Item = SectionDeclaration<'_>> {
    let (kind, owner, file) = (EntityKind::Component, &component.id, &component.file);
    component.sections.iter().map(move |(id, name)| SectionDeclaration { kind, owner, file, head: SectionHead { id, name, aka: &[] } })
}
