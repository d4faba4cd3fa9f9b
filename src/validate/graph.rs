//! The graph of relations and replacements: incoming edges, and no cycles where a cycle is an error.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    decode::Spanned,
    diagnostic::{Diagnostics, Place, Rule, Scope},
    facts::{RelationFacts, Verdict},
    id::Id,
    kb::{Component, Concept, EntityMap, Lifecycle, Relation, Vocabulary},
    load::Draft,
};

/// An edge and the place that states it.
struct StatedEdge<'a> {
    from: &'a Id,
    to: &'a Id,
    place: Place,
}

/// Sets the incoming edges of all entities, and reports cycles.
pub(super) fn check(
    draft: &Draft,
    vocabulary: &Vocabulary,
    components: &mut EntityMap<Component>,
    concepts: &mut EntityMap<Concept>,
    diagnostics: &mut Diagnostics,
) {
    set_incoming(components, concepts);
    diagnostics.within(Scope::Graph, |diagnostics| {
        for verb in vocabulary.verbs.iter().filter(|verb| verb.acyclic) {
            report_cycles(&relation_edges(draft, &verb.id), &format!("`{}`", verb.id), diagnostics);
        }
        report_cycles(&replacement_edges(draft), "`replaced-by`", diagnostics);
        report_safe_with_users(draft, vocabulary, components, diagnostics);
    });
}

/// Reports components that are safe to delete, although others depend on them.
fn report_safe_with_users(draft: &Draft, vocabulary: &Vocabulary, components: &EntityMap<Component>, diagnostics: &mut Diagnostics) {
    for loaded in &draft.components {
        let removal = loaded.facts.as_ref().and_then(|facts| facts.removal.as_ref());
        let Some(removal) = removal.filter(|removal| removal.verdict == Verdict::Safe) else { continue };
        let Some(component) = components.get(&loaded.id) else { continue };
        let depends = |(from, index): &&(Id, usize)| {
            let source = components.get(from).filter(|source| !source.is_gone());
            let relation = source.and_then(|source| source.relations.get(*index));
            relation.and_then(|relation| vocabulary.verb(&relation.verb)).is_some_and(|verb| verb.depends)
        };
        if let Some((user, _)) = component.incoming.iter().find(depends) {
            let place = Place::new(loaded.file.clone(), removal.span);
            let message = format!("`{}` is safe to delete, but `{user}` depends on it", loaded.id);
            diagnostics.report(
                Rule::ContradictoryDeletion,
                place,
                message,
                "write `safe-if-unused` or `breaks-feature`, or fix the relation",
            );
        }
    }
}

/// Whether two lists of relations have the same verbs and targets, in order.
pub(super) fn same_edges(some: &[Relation], others: &[Relation]) -> bool {
    some.iter().map(|relation| (&relation.verb, &relation.to)).eq(others.iter().map(|relation| (&relation.verb, &relation.to)))
}

pub(super) fn successors(lifecycle: Option<&Lifecycle>) -> &[Id] {
    lifecycle.map_or(&[], |lifecycle| &lifecycle.replaced_by)
}

/// Entities whose incoming edges did not change stay shared with the previous knowledge base.
fn set_incoming(components: &mut EntityMap<Component>, concepts: &mut EntityMap<Concept>) {
    let mut incoming: BTreeMap<Id, Vec<(Id, usize)>> = BTreeMap::new();
    let mut replaces: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    let from_components = components.values().map(|component| (&component.id, &component.relations));
    let from_concepts = concepts.values().map(|concept| (&concept.id, &concept.relations));
    for (from, relations) in from_components.chain(from_concepts) {
        for (index, relation) in relations.iter().enumerate() {
            incoming.entry(relation.to.clone()).or_default().push((from.clone(), index));
        }
    }
    for old in components.values() {
        for new in successors(old.lifecycle.as_ref()) {
            replaces.entry(new.clone()).or_default().push(old.id.clone());
        }
    }
    for (id, component) in components.iter_mut() {
        let incoming = incoming.remove(id).unwrap_or_default();
        let replaces = replaces.remove(id).unwrap_or_default();
        if component.incoming != incoming || component.replaces != replaces {
            let component = Arc::make_mut(component);
            (component.incoming, component.replaces) = (incoming, replaces);
        }
    }
    for (id, concept) in concepts.iter_mut() {
        let incoming = incoming.remove(id).unwrap_or_default();
        if concept.incoming != incoming {
            Arc::make_mut(concept).incoming = incoming;
        }
    }
}

fn relation_edges<'a>(draft: &'a Draft, verb: &Id) -> Vec<StatedEdge<'a>> {
    let edges = |from: &'a Id, file: &Arc<str>, relations: &'a [Spanned<RelationFacts>]| {
        let stated = relations.iter().filter(|relation| relation.verb.value == *verb && relation.to.value != *from);
        stated
            .map(|relation| StatedEdge { from, to: &relation.to.value, place: Place::new(file.clone(), relation.span) })
            .collect::<Vec<_>>()
    };
    let components = draft.components.iter().filter_map(|loaded| Some(edges(&loaded.id, &loaded.file, &loaded.facts.as_ref()?.relations)));
    let concepts = draft.concepts.iter().filter_map(|loaded| Some(edges(&loaded.id, &loaded.file, &loaded.facts.as_ref()?.relations)));
    components.chain(concepts).flatten().collect()
}

fn replacement_edges(draft: &Draft) -> Vec<StatedEdge<'_>> {
    let stated = draft.components.iter().flat_map(|loaded| {
        let lifecycle = loaded.facts.as_ref().and_then(|facts| facts.lifecycle.as_ref());
        let successors = lifecycle.into_iter().flat_map(|lifecycle| &lifecycle.replaced_by);
        successors.map(|to| StatedEdge { from: &loaded.id, to: &to.value, place: Place::new(loaded.file.clone(), to.span) })
    });
    stated.collect()
}

/// The progress of the search for cycles at a node; a node that it has not reached has none.
#[derive(PartialEq)]
enum Visit {
    OnPath,
    Done,
}

/// Reports each cycle once, at its edge back to the smallest id. The depth-first search keeps its own stack, since a chain can have as many nodes as the
/// knowledge base has entities. `relation` names the relation in messages.
fn report_cycles(edges: &[StatedEdge<'_>], relation: &str, diagnostics: &mut Diagnostics) {
    let mut outgoing: BTreeMap<&Id, Vec<&StatedEdge<'_>>> = BTreeMap::new();
    for edge in edges {
        outgoing.entry(edge.from).or_default().push(edge);
    }
    let mut visits: BTreeMap<&Id, Visit> = BTreeMap::new();
    for start in outgoing.keys() {
        if visits.contains_key(*start) {
            continue;
        }
        // Nodes, each with the index of its next edge.
        let mut path: Vec<(&Id, usize)> = vec![(start, 0)];
        visits.insert(start, Visit::OnPath);
        while let Some((node, next)) = path.last_mut() {
            let Some(edge) = outgoing.get(*node).and_then(|edges| edges.get(*next)) else {
                visits.insert(node, Visit::Done);
                path.pop();
                continue;
            };
            *next += 1;
            match visits.get(edge.to) {
                None => {
                    visits.insert(edge.to, Visit::OnPath);
                    path.push((edge.to, 0));
                }
                Some(Visit::OnPath) => {
                    let from = path.iter().position(|(node, _)| *node == edge.to).unwrap_or(0);
                    let cycle: Vec<&str> = path[from..].iter().map(|(node, _)| node.as_str()).chain([edge.to.as_str()]).collect();
                    let message = format!("{relation} forms a cycle: `{}`", cycle.join("` → `"));
                    diagnostics.report(Rule::RelationCycle, edge.place.clone(), message, "remove one of these steps");
                }
                Some(Visit::Done) => {}
            }
        }
    }
}
