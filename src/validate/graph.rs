//! Relations and replacements as a graph: both directions, no circles where a circle is a mistake.

use std::{collections::BTreeMap, sync::Arc};

use super::Things;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::{LifecycleFacts, RelationFacts},
    id::Id,
    kb::{Component, Concept, Lifecycle, Relation, Vocabulary},
    load::Draft,
};

/// An edge and where it is written.
struct Edge<'a> {
    from: &'a Id,
    to: &'a Id,
    place: Place,
}

/// Fills in the directions that nobody wrote, and reports circles.
pub(super) fn check(
    draft: &Draft,
    vocabulary: &Vocabulary,
    components: &mut Things<Component>,
    concepts: &mut Things<Concept>,
    diagnostics: &mut Diagnostics,
) {
    let outer = diagnostics.enter(Scope::Graph);
    incoming(components, concepts);
    for verb in vocabulary.verbs.iter().filter(|verb| verb.acyclic) {
        let edges = relation_edges(draft, &verb.id);
        report_circles(&edges, &format!("`{}`", verb.id), diagnostics);
    }
    report_circles(&replacement_edges(draft), "`replaced-by`", diagnostics);
    diagnostics.enter(outer);
}

/// What relations say about the graph.
pub(super) fn edges(relations: &[Relation]) -> Vec<(&Id, &Id)> {
    relations.iter().map(|relation| (&relation.verb, &relation.to)).collect()
}

/// What comes after something.
pub(super) fn successors(lifecycle: Option<&Lifecycle>) -> &[Id] {
    lifecycle.map_or(&[], |lifecycle| &lifecycle.replaced_by)
}

/// Only what differs is written: the rest stays shared with the knowledge base before.
fn incoming(components: &mut Things<Component>, concepts: &mut Things<Concept>) {
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
        for new in old.lifecycle.iter().flat_map(|lifecycle| &lifecycle.replaced_by) {
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

fn relation_edges<'a>(draft: &'a Draft, verb: &Id) -> Vec<Edge<'a>> {
    let of = |from: &'a Id, file: &std::sync::Arc<str>, relations: &'a [Spanned<RelationFacts>]| {
        let file = file.clone();
        let same = relations.iter().filter(move |relation| relation.verb.value == *verb && relation.to.value != *from);
        same.map(move |relation| Edge { from, to: &relation.to.value, place: Place::new(file.clone(), relation.span) }).collect::<Vec<_>>()
    };
    let components = draft.components.iter().filter_map(|loaded| Some(of(&loaded.id, &loaded.file, &loaded.facts.as_ref()?.relations)));
    let concepts = draft.concepts.iter().filter_map(|loaded| Some(of(&loaded.id, &loaded.file, &loaded.facts.as_ref()?.relations)));
    components.chain(concepts).flatten().collect()
}

fn replacement_edges(draft: &Draft) -> Vec<Edge<'_>> {
    let lifecycles = draft.components.iter().filter_map(|loaded| {
        let lifecycle: &LifecycleFacts = loaded.facts.as_ref()?.lifecycle.as_ref()?;
        Some((loaded, lifecycle))
    });
    lifecycles
        .flat_map(|(loaded, lifecycle)| {
            lifecycle.replaced_by.iter().map(|to| Edge { from: &loaded.id, to: &to.value, place: Place::new(loaded.file.clone(), to.span) })
        })
        .collect()
}

/// Reports each circle once, at its edge from the smallest id. Depth-first without recursion: a chain may be as long as the knowledge base.
fn report_circles(edges: &[Edge<'_>], what: &str, diagnostics: &mut Diagnostics) {
    let mut out: BTreeMap<&Id, Vec<&Edge<'_>>> = BTreeMap::new();
    for edge in edges {
        out.entry(edge.from).or_default().push(edge);
    }
    // Absent: not seen. false: on the path. true: done.
    let mut done: BTreeMap<&Id, bool> = BTreeMap::new();
    for start in out.keys() {
        if done.contains_key(*start) {
            continue;
        }
        let mut path: Vec<(&Id, usize)> = vec![(start, 0)];
        done.insert(start, false);
        while let Some((node, next)) = path.last_mut() {
            let Some(edge) = out.get(*node).and_then(|edges| edges.get(*next)) else {
                done.insert(node, true);
                path.pop();
                continue;
            };
            *next += 1;
            match done.get(edge.to) {
                None => {
                    done.insert(edge.to, false);
                    path.push((edge.to, 0));
                }
                Some(false) => {
                    let from = path.iter().position(|(node, _)| *node == edge.to).unwrap_or(0);
                    let circle: Vec<&str> = path[from..].iter().map(|(node, _)| node.as_str()).chain([edge.to.as_str()]).collect();
                    let message = format!("{what} leads in a circle: `{}`", circle.join("` → `"));
                    diagnostics.push(Diagnostic::new(Rule::RelationCycle, edge.place.clone(), message).help("remove one of these steps"));
                }
                Some(true) => {}
            }
        }
    }
}
