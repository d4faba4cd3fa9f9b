//! Relations and replacements as a graph: both directions, no circles where a circle is a mistake.

use std::collections::BTreeMap;

use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{LifecycleFacts, RelationFacts},
    id::Id,
    kb::{Component, Concept, Vocabulary},
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
    components: &mut BTreeMap<Id, Component>,
    concepts: &mut BTreeMap<Id, Concept>,
    diagnostics: &mut Diagnostics,
) {
    incoming(components, concepts);
    for verb in vocabulary.verbs.iter().filter(|verb| verb.acyclic) {
        let edges = relation_edges(draft, &verb.id);
        report_circles(&edges, &format!("`{}`", verb.id), diagnostics);
    }
    report_circles(&replacement_edges(draft), "`replaced-by`", diagnostics);
}

fn incoming(components: &mut BTreeMap<Id, Component>, concepts: &mut BTreeMap<Id, Concept>) {
    let from_components = components.values().map(|component| (&component.id, &component.relations));
    let from_concepts = concepts.values().map(|concept| (&concept.id, &concept.relations));
    let mut edges: Vec<(Id, Id, usize)> = Vec::new();
    for (from, relations) in from_components.chain(from_concepts) {
        edges.extend(relations.iter().enumerate().map(|(index, relation)| (relation.to.clone(), from.clone(), index)));
    }
    let replaced_in = |lifecycle: &Option<crate::kb::Lifecycle>| lifecycle.iter().flat_map(|l| l.replaced_by.clone()).collect::<Vec<_>>();
    let replaced: Vec<(Id, Id)> =
        components.values().flat_map(|old| replaced_in(&old.lifecycle).into_iter().map(|new| (new, old.id.clone()))).collect();
    for (to, from, index) in edges {
        if let Some(component) = components.get_mut(&to) {
            component.incoming.push((from, index));
        } else if let Some(concept) = concepts.get_mut(&to) {
            concept.incoming.push((from, index));
        }
    }
    for (new, old) in replaced {
        if let Some(component) = components.get_mut(&new) {
            component.replaces.push(old);
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
