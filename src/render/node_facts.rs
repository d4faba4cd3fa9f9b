//! The facts that components and concepts have in common: they are the nodes of the graph of relations.

use crate::{
    id::Id,
    kb::{Component, Concept, Evidence, FieldEntry, Kb, Lifecycle, Relation},
    layout::EntityKind,
};

/// The facts of a component or a concept.
pub(super) struct NodeFacts<'a> {
    pub(super) kind: EntityKind,
    pub(super) id: &'a Id,
    pub(super) area: Option<&'a Id>,
    pub(super) place: Option<&'a Id>,
    pub(super) aka: &'a [String],
    pub(super) lifecycle: Option<&'a Lifecycle>,
    pub(super) relations: &'a [Relation],
    pub(super) incoming: &'a [(Id, usize)],
    pub(super) fields: &'a [FieldEntry],
    pub(super) evidence: &'a [Evidence],
}

/// A relation from the point of view of one of its ends.
pub(super) struct NodeRelation<'a> {
    pub(super) relation: &'a Relation,
    /// The other end.
    pub(super) other: &'a Id,
    /// Whether the other end is the source.
    pub(super) is_incoming: bool,
}

impl<'a> From<&'a Component> for NodeFacts<'a> {
    fn from(it: &'a Component) -> Self {
        Self {
            kind: EntityKind::Component,
            id: &it.id,
            area: Some(&it.area),
            place: it.place.as_ref(),
            aka: &it.aka,
            lifecycle: it.lifecycle.as_ref(),
            relations: &it.relations,
            incoming: &it.incoming,
            fields: &it.fields,
            evidence: &it.evidence,
        }
    }
}

impl<'a> From<&'a Concept> for NodeFacts<'a> {
    fn from(it: &'a Concept) -> Self {
        Self {
            kind: EntityKind::Concept,
            id: &it.id,
            area: it.area.as_ref(),
            place: it.place.as_ref(),
            aka: &it.aka,
            lifecycle: it.lifecycle.as_ref(),
            relations: &it.relations,
            incoming: &it.incoming,
            fields: &it.fields,
            evidence: &it.evidence,
        }
    }
}

impl<'a> NodeFacts<'a> {
    /// The facts of a component or a concept; `None` for any other id.
    pub(super) fn of(kb: &'a Kb, id: &Id) -> Option<Self> {
        let component = kb.components.get(id).map(|it| Self::from(it.as_ref()));
        component.or_else(|| kb.concepts.get(id).map(|it| Self::from(it.as_ref())))
    }

    /// The facts of the component or concept of that name.
    pub(super) fn named(kb: &'a Kb, id: &str) -> Option<Self> {
        Self::of(kb, &Id::new(id).ok()?)
    }

    /// The facts of all components, then of all concepts.
    pub(super) fn all(kb: &'a Kb) -> impl Iterator<Item = Self> {
        kb.components.values().map(|it| Self::from(it.as_ref())).chain(kb.concepts.values().map(|it| Self::from(it.as_ref())))
    }

    /// The outgoing relations, then the incoming ones.
    pub(super) fn relations(&self, kb: &'a Kb) -> impl Iterator<Item = NodeRelation<'a>> + use<'a> {
        let outgoing = self.relations.iter().map(|relation| NodeRelation { relation, other: &relation.to, is_incoming: false });
        let incoming = self
            .incoming
            .iter()
            .filter_map(|(other, index)| Some(NodeRelation { relation: kb.relations_of(other).0.get(*index)?, other, is_incoming: true }));
        outgoing.chain(incoming)
    }
}
