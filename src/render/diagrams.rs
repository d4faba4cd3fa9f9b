//! Diagrams of facts: the subgraph of each entity, and the relations that are drawn as arrows.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    diagram_nodes::{diagram_nodes, lifecycle, status_today},
    labels::{self, TermView, state},
    node_facts::{NodeFacts, NodeRelation},
    reader::{LinkView, Reader},
};
use crate::{
    diagram::{self, Caption, Edge, EdgeVerb, Graph, GraphNode, LineStyle, Status, Subgraph},
    facts::{LifecycleState, Presence},
    id::Id,
    kb::{Component, Diagram, Kb, Provider, Relation, ReleaseIndex},
};

/// A drawing with its heading and a text alternative.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FigureView {
    /// The prefix of its ids, unique on the page.
    name: String,
    title: String,
    what: String,
    /// The drawing for wide screens and on paper.
    svg: String,
    /// The drawing for narrow screens; empty if the other one fits.
    narrow: String,
    /// The drawing as nested lists; empty if the page has the same information nearby.
    grounds: Vec<GroundView>,
    /// Further entities that have no room in the drawing.
    more: Vec<LinkView>,
    /// The labels of the relations by the style of their lines, without those that the arrows have in the drawing.
    lines: BTreeMap<&'static str, String>,
    /// The entries of the legend: `added`, `deprecated`, `gone` and `hidden`, if they occur in the drawing.
    legend: Vec<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
struct GroundView {
    label: String,
    nodes: Vec<NodeView>,
}

#[derive(Clone, Debug, Serialize)]
struct NodeView {
    link: LinkView,
    state: Option<TermView>,
    relations: Vec<VerbView>,
}

#[derive(Clone, Debug, Serialize)]
struct VerbView {
    label: String,
    links: Vec<LinkView>,
}

/// The maximum number of boxes in a drawing of relations or of a provider. More are hard to follow; the others are listed.
const MAX_NODES: usize = 24;

/// The width of a phone in CSS pixels, without margins.
const NARROW: f64 = 358.0;
/// The width of the column of text of components and concepts.
const COLUMN: f64 = 688.0;
/// The width of pages without a column of text. Those of providers have a navigation on the left.
const PAGE: f64 = 1024.0;

struct DiagramNode<'a> {
    id: &'a Id,
    status: Status,
    /// The index of its subgraph.
    ground: Option<usize>,
}

fn relations<'a>(kb: &'a Kb, id: &Id) -> &'a [Relation] {
    kb.relations_of(id).0
}

fn place<'a>(kb: &'a Kb, id: &Id) -> Option<&'a Id> {
    NodeFacts::of(kb, id)?.place
}

/// Whether a relation is drawn. `verbs` are the verbs to draw; empty means all drawable verbs.
fn is_drawn(kb: &Kb, verb: &Id, verbs: &[Id]) -> bool {
    kb.vocabulary.verb(verb).is_some_and(|known| known.drawn) && (verbs.is_empty() || verbs.contains(verb))
}

/// A diagram of the architecture page, of the current system or of a release.
pub(super) fn named<'a>(reader: &Reader<'a>, diagram: &'a Diagram, release: Option<ReleaseIndex>) -> FigureView {
    drawn(reader, diagram, diagram_nodes(reader.kb(), diagram, release))
}

/// A diagram with the nodes of two releases, which marks those that only one of them has.
pub(super) fn compared<'a>(reader: &Reader<'a>, diagram: &'a Diagram, from: ReleaseIndex, to: ReleaseIndex) -> FigureView {
    let nodes = |release| diagram_nodes(reader.kb(), diagram, Some(release));
    let (before, after) = (nodes(from), nodes(to));
    let status = |nodes: &[(&'a Id, Status)], id: &Id| nodes.iter().find(|(of, _)| *of == id).map(|(_, status)| *status);
    let all = diagram.nodes.iter().filter_map(|id| {
        let status = match (status(&before, id), status(&after, id)) {
            (None, None) => return None,
            (Some(_), None) => Status::Gone,
            (None, Some(Status::Present)) => Status::Added,
            // What was deprecated before has not changed.
            (Some(Status::Deprecated), Some(Status::Deprecated)) => Status::Present,
            (_, Some(status)) => status,
        };
        Some((id, status))
    });
    let all = all.collect();
    // The lists of changes above the drawing have what is marked in it.
    FigureView { grounds: Vec::new(), ..drawn(reader, diagram, all) }
}

fn drawn<'a>(reader: &Reader<'a>, diagram: &'a Diagram, nodes: Vec<(&'a Id, Status)>) -> FigureView {
    let (grounds, ground_of) = places(reader, diagram.nodes.iter());
    let things: Vec<DiagramNode<'_>> =
        nodes.into_iter().map(|(id, status)| DiagramNode { id, status, ground: ground_of.get(id).copied() }).collect();
    let graph = graph(reader, &things, grounds, &diagram.verbs, diagram.words);
    let name = format!("diagram-{}", diagram.id);
    figure(reader, &name, reader.text(&diagram.title), reader.optional(diagram.what.as_ref()), &graph, PAGE)
}

/// The subgraphs for the places of these entities, in the order of the vocabulary, and the index of the subgraph of each entity.
fn places<'a>(reader: &Reader<'a>, ids: impl Iterator<Item = &'a Id>) -> (Vec<Subgraph>, BTreeMap<&'a Id, usize>) {
    let kb = reader.kb();
    let of: Vec<(&Id, &Id)> = ids.filter_map(|id| Some((id, place(kb, id)?))).collect();
    let used: Vec<_> = kb.vocabulary.places.iter().filter(|place| of.iter().any(|(_, at)| **at == place.id)).collect();
    let grounds = used.iter().map(|place| Subgraph { label: reader.text(&place.label).to_owned(), hidden: false }).collect();
    let index = |at: &Id| used.iter().position(|place| place.id == *at);
    (grounds, of.into_iter().filter_map(|(id, at)| Some((id, index(at)?))).collect())
}

/// The architecture of a provider. Optional components are left out; provider-managed components have their own subgraph.
pub(super) fn provider<'a>(reader: &Reader<'a>, provider: &'a Provider) -> Option<FigureView> {
    let kb = reader.kb();
    if !kb.has_architecture(provider) {
        return None;
    }
    let mut seen: BTreeMap<&Id, (bool, Status)> = BTreeMap::new();
    let mut order: Vec<&Id> = Vec::new();
    for claim in provider.claims.iter().filter(|claim| claim.presence.is_shipped()) {
        let Some(component) = claim.component.as_ref().filter(|id| kb.components.contains_key(*id)) else { continue };
        let status = if claim.until.is_some() { Status::Deprecated } else { Status::Present };
        let hidden = claim.presence == Presence::Hidden;
        let entry = seen.entry(component).or_insert_with(|| {
            order.push(component);
            (hidden, status)
        });
        // A newer claim about the same component determines its current status.
        entry.1 = entry.1.min(status);
        entry.0 &= hidden;
    }
    let gone = |id: &Id| kb.components.get(id).is_some_and(|component| component.is_gone());
    // Parts, modes and variants of other nodes would be redundant.
    let is_structure = |verb: &Id| kb.vocabulary.verb(verb).is_some_and(|verb| verb.acyclic);
    let inside = |id: &Id| {
        relations(kb, id).iter().any(|relation| is_structure(&relation.verb) && seen.contains_key(&relation.to) && !gone(&relation.to))
    };
    order.retain(|id| !gone(id) && !inside(id));
    // Core components and those with a role have room.
    let weight = |id: &&Id| (!kb.vocabulary.core.contains(*id), kb.components.get(*id).is_none_or(|it| it.roles.is_empty()));
    let mut by_weight = order.clone();
    by_weight.sort_by_key(weight);
    let more: Vec<&Id> = by_weight.split_off(by_weight.len().min(MAX_NODES));
    order.retain(|id| !more.contains(id));
    let (hidden, visible): (Vec<&Id>, Vec<&Id>) = order.iter().copied().partition(|id| seen[id].0);
    let (mut grounds, mut ground_of) = places(reader, visible.iter().copied());
    if !hidden.is_empty() {
        // The subgraph is where most of these components would be if they were visible.
        let at = |id: &Id| place(kb, id).and_then(|place| kb.vocabulary.places.iter().position(|known| known.id == *place)).unwrap_or(0);
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for id in &hidden {
            *counts.entry(at(id)).or_default() += 1;
        }
        let most = counts.into_iter().max_by_key(|(place, count)| (*count, std::cmp::Reverse(*place))).map_or(0, |(place, _)| place);
        let before = visible.iter().filter(|id| place(kb, id).is_some()).map(|id| at(id)).filter(|place| *place < most);
        let index = before.collect::<BTreeSet<_>>().len();
        grounds.insert(index, Subgraph { label: reader.words("ground_hidden").to_owned(), hidden: true });
        for ground in ground_of.values_mut().filter(|ground| **ground >= index) {
            *ground += 1;
        }
        ground_of.extend(hidden.into_iter().map(|id| (id, index)));
    }
    let things: Vec<DiagramNode<'_>> =
        order.into_iter().map(|id| DiagramNode { id, status: seen[id].1, ground: ground_of.get(id).copied() }).collect();
    let graph = graph(reader, &things, grounds, &kb.diagrams.provider_verbs, false);
    let title = reader.strings().with("architecture_of", &[("name", &provider.name)]);
    let figure = figure(reader, "diagram-provider", &title, reader.words("architecture_of_what"), &graph, PAGE);
    Some(FigureView { more: more.into_iter().map(|id| reader.link(id)).collect(), ..figure })
}

/// The relations of a component or concept, one step in both directions.
pub(super) fn neighbourhood<'a>(reader: &Reader<'a>, facts: &NodeFacts<'a>) -> Option<FigureView> {
    let (kb, id) = (reader.kb(), facts.id);
    let arrows: Vec<NodeRelation<'_>> = facts.relations(kb).filter(|edge| is_drawn(kb, &edge.relation.verb, &[])).collect();
    if arrows.is_empty() {
        return None;
    }
    // The most important ones have room: those that one of the two depends on, and core components.
    let depends = |edge: &&NodeRelation<'_>| kb.vocabulary.verb(&edge.relation.verb).is_some_and(|verb| verb.depends);
    let mut by_weight: Vec<&NodeRelation<'_>> = arrows.iter().collect();
    by_weight.sort_by_key(|edge| (!kb.vocabulary.core.contains(edge.other), edge.is_incoming, !depends(edge)));
    let mut drawn: BTreeSet<&Id> = BTreeSet::from([id]);
    for edge in &by_weight {
        if drawn.len() < MAX_NODES {
            drawn.insert(edge.other);
        }
    }
    let mut ids: Vec<&Id> = vec![id];
    let mut more: Vec<&Id> = Vec::new();
    let mut seen: BTreeSet<&Id> = BTreeSet::from([id]);
    for edge in arrows.iter().filter(|edge| seen.insert(edge.other)) {
        if drawn.contains(edge.other) { ids.push(edge.other) } else { more.push(edge.other) }
    }
    let arrows: Vec<NodeRelation<'_>> = arrows.into_iter().filter(|edge| drawn.contains(edge.other)).collect();
    let node = |id: &Id, status| node(reader, id, status, None);
    let status = |other: &Id| lifecycle(kb, other).map_or(Status::Present, |lifecycle| status_today(lifecycle.state));
    let mut graph = Graph { show_verbs: true, ..Graph::default() };
    graph.nodes.extend(ids.iter().enumerate().map(|(index, other)| node(other, if index == 0 { Status::Subject } else { status(other) })));
    let at = |wanted: &Id| ids.iter().position(|id| *id == wanted).unwrap_or_default();
    let source = |relation: &NodeRelation<'_>| if relation.is_incoming { at(relation.other) } else { 0 };
    graph.edges = arrows.iter().map(|it| edge(reader, it.relation, source(it), at(&it.relation.to))).collect();
    let title = reader.strings().with("neighbourhood_of", &[("name", &kb.name_of(id.as_str(), reader.lang))]);
    let mut figure = figure(reader, "diagram-relations", &title, "", &graph, COLUMN);
    // The section around the drawing lists the same relations with more detail.
    figure.grounds = Vec::new();
    figure.more = more.into_iter().map(|id| reader.link(id)).collect();
    Some(figure)
}

/// The predecessors and successors of a component, direct and indirect.
pub(super) fn chain<'a>(reader: &Reader<'a>, component: &'a Component) -> Option<FigureView> {
    let members = chain_of(reader.kb(), &component.id);
    if members.len() < 2 {
        return None;
    }
    let title = reader.strings().with("chain_of", &[("name", &component.name)]);
    let mut figure = chain_figure(reader, "diagram-chain", &title, &members, Some(&component.id));
    // The text next to the drawing has the same content.
    figure.grounds = Vec::new();
    Some(figure)
}

/// All replacements, chain by chain, the longest first.
pub(super) fn chains(reader: &Reader<'_>) -> Option<FigureView> {
    let kb = reader.kb();
    let mut seen: BTreeSet<&Id> = BTreeSet::new();
    let mut families: Vec<Vec<&Id>> = Vec::new();
    for id in kb.components.keys().filter(|id| !successors(kb, id).is_empty()) {
        if !seen.contains(id) {
            let members = family(kb, id);
            seen.extend(members.iter().copied());
            families.push(members);
        }
    }
    // A chain can end in a single concept; a drawing requires at least two components.
    families.retain(|members| members.len() > 1);
    families.sort_by_key(|members| std::cmp::Reverse(members.len()));
    let mut room = MAX_NODES;
    let drawn = families.iter().take_while(|members| {
        let fits = members.len() <= room;
        room = room.saturating_sub(members.len());
        fits
    });
    let members: Vec<&Id> = drawn.flatten().copied().collect();
    let more: Vec<&Id> = families.concat().split_off(members.len());
    (!members.is_empty()).then(|| FigureView {
        more: more.into_iter().map(|id| reader.link(id)).collect(),
        ..chain_figure(reader, "diagram-chains", reader.words("timeline_chains"), &members, None)
    })
}

fn successors<'a>(kb: &'a Kb, id: &Id) -> &'a [Id] {
    lifecycle(kb, id).map_or(&[], |lifecycle| lifecycle.replaced_by.as_slice())
}

fn predecessors<'a>(kb: &'a Kb, id: &Id) -> &'a [Id] {
    kb.components.get(id).map_or(&[], |component| component.replaces.as_slice())
}

/// All predecessors and successors of a component.
fn chain_of<'a>(kb: &'a Kb, id: &'a Id) -> Vec<&'a Id> {
    let mut members = reach(id, |id| predecessors(kb, id).iter());
    members.extend(reach(id, |id| successors(kb, id).iter()));
    members.into_iter().filter(|id| kb.components.contains_key(*id)).collect()
}

/// All components that are connected with a component by replacements, in either direction.
fn family<'a>(kb: &'a Kb, id: &'a Id) -> Vec<&'a Id> {
    let is_component = |id: &&Id| kb.components.contains_key(*id);
    reach(id, |id| successors(kb, id).iter().chain(predecessors(kb, id)).filter(is_component)).into_iter().collect()
}

fn reach<'a, I: Iterator<Item = &'a Id>>(id: &'a Id, next: impl Fn(&'a Id) -> I) -> BTreeSet<&'a Id> {
    let mut members = BTreeSet::from([id]);
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        open.extend(next(id).filter(|id| members.insert(*id)));
    }
    members
}

fn chain_figure<'a>(reader: &Reader<'a>, name: &str, title: &str, members: &[&'a Id], subject: Option<&Id>) -> FigureView {
    let kb = reader.kb();
    let status = |id: &Id| match lifecycle(kb, id) {
        _ if subject == Some(id) => Status::Subject,
        Some(lifecycle) => status_today(lifecycle.state),
        None => Status::Present,
    };
    let mut graph = Graph { nodes: members.iter().map(|id| node(reader, id, status(id), None)).collect(), ..Graph::default() };
    let at = |wanted: &Id| members.iter().position(|id| *id == wanted);
    for (from, id) in members.iter().enumerate() {
        let targets = successors(kb, id).iter().filter_map(at);
        graph.edges.extend(targets.map(|to| Edge {
            from,
            to,
            verbs: vec![EdgeVerb { id: "replaced-by".to_owned(), label: reader.words("replaced_by").to_owned(), line: LineStyle::Solid }],
        }));
    }
    figure(reader, name, title, "", &graph, if subject.is_some() { COLUMN } else { PAGE })
}

/// The graph of these nodes, with all relations between them that are drawn.
fn graph<'a>(reader: &Reader<'a>, things: &[DiagramNode<'a>], grounds: Vec<Subgraph>, verbs: &[Id], words: bool) -> Graph {
    let kb = reader.kb();
    let at: BTreeMap<&Id, usize> = things.iter().enumerate().map(|(index, thing)| (thing.id, index)).collect();
    let nodes = things.iter().map(|thing| node(reader, thing.id, thing.status, thing.ground)).collect();
    let edges = things.iter().enumerate().flat_map(|(from, thing)| {
        let drawn = relations(kb, thing.id).iter().filter(|relation| is_drawn(kb, &relation.verb, verbs));
        let inside: Vec<(usize, &Relation)> = drawn.filter_map(|relation| Some((*at.get(&relation.to)?, relation))).collect();
        inside.into_iter().map(move |(to, relation)| edge(reader, relation, from, to))
    });
    Graph { subgraphs: grounds, nodes, edges: edges.collect(), show_verbs: words }
}

fn node(reader: &Reader<'_>, id: &Id, status: Status, ground: Option<usize>) -> GraphNode {
    let link = reader.link(id);
    GraphNode { id: link.id, label: link.name, mark: link.mark, colour: link.colour, href: link.href, status, subgraph: ground }
}

fn edge(reader: &Reader<'_>, relation: &Relation, from: usize, to: usize) -> Edge {
    let mut label = labels::verb(reader, &relation.verb, false).to_owned();
    if let Some(port) = &relation.port {
        label.push_str(" :");
        label.push_str(port);
    }
    Edge {
        from,
        to,
        verbs: vec![EdgeVerb {
            id: relation.verb.to_string(),
            label,
            line: reader.kb().vocabulary.verb(&relation.verb).map_or(LineStyle::Solid, |verb| verb.line),
        }],
    }
}

fn figure(reader: &Reader<'_>, name: &str, title: &str, what: &str, graph: &Graph, width: f64) -> FigureView {
    let key = if what.is_empty() { "diagram_desc" } else { "diagram_desc_list" };
    let caption = Caption { name, title, description: reader.words(key) };
    let drawing = diagram::layout(graph, width);
    let svg = diagram::svg(&drawing, caption);
    let is_narrow = drawing.width <= NARROW;
    let narrow = if is_narrow { String::new() } else { diagram::narrow_svg(&diagram::layout(graph, NARROW), caption) };
    let any = |status: Status| graph.nodes.iter().any(|node| node.status == status);
    let legend = [
        ("added", any(Status::Added)),
        ("deprecated", any(Status::Deprecated)),
        ("gone", any(Status::Gone)),
        ("hidden", graph.subgraphs.iter().any(|ground| ground.hidden)),
    ];
    let legend = legend.into_iter().filter(|(_, is_shown)| *is_shown).map(|(word, _)| word).collect();
    let styled = |style: LineStyle| {
        let verbs = graph.edges.iter().flat_map(|edge| &edge.verbs).filter(|verb| verb.line == style);
        // The label on the arrow can have a port.
        let ids: BTreeSet<Id> = verbs.filter_map(|verb| Id::new(&verb.id).ok()).collect();
        let labels: Vec<&str> = ids.iter().map(|id| labels::verb(reader, id, false)).collect();
        (!labels.is_empty()).then(|| (style.name(), labels.join(reader.words("list_separator"))))
    };
    // Where the verbs are on the arrows, a plain line needs no explanation.
    let first = if graph.show_verbs { LineStyle::Dashed } else { LineStyle::Solid };
    let lines =
        [LineStyle::Solid, LineStyle::Dashed, LineStyle::Thick].into_iter().filter(|line| *line >= first).filter_map(styled).collect();
    FigureView {
        name: name.to_owned(),
        title: title.to_owned(),
        what: what.to_owned(),
        svg,
        narrow,
        grounds: lists(reader, graph),
        more: Vec::new(),
        lines,
        legend,
    }
}

/// The drawing as nested lists: subgraphs, their nodes, and the relations of the nodes.
fn lists(reader: &Reader<'_>, graph: &Graph) -> Vec<GroundView> {
    let of_ground = |ground: Option<usize>| {
        let nodes = graph.nodes.iter().enumerate().filter(move |(_, node)| node.subgraph == ground);
        nodes.map(|(index, node)| node_view(reader, graph, index, node)).collect::<Vec<_>>()
    };
    let bare = GroundView { label: String::new(), nodes: of_ground(None) };
    let grounds =
        graph.subgraphs.iter().enumerate().map(|(index, ground)| GroundView { label: ground.label.clone(), nodes: of_ground(Some(index)) });
    std::iter::once(bare).chain(grounds).filter(|ground| !ground.nodes.is_empty()).collect()
}

fn node_view(reader: &Reader<'_>, graph: &Graph, index: usize, node: &GraphNode) -> NodeView {
    let state = match node.status {
        Status::Deprecated => Some(state(reader, LifecycleState::Deprecated)),
        Status::Gone => Some(state(reader, LifecycleState::Removed)),
        Status::Present | Status::Added | Status::Subject => None,
    };
    let mut relations: Vec<VerbView> = Vec::new();
    for edge in graph.edges.iter().filter(|edge| edge.from == index) {
        for verb in &edge.verbs {
            let link = link_of(&graph.nodes[edge.to]);
            match relations.iter_mut().find(|known| known.label == verb.label) {
                Some(known) => known.links.push(link),
                None => relations.push(VerbView { label: verb.label.clone(), links: vec![link] }),
            }
        }
    }
    NodeView { link: link_of(node), state, relations }
}

fn link_of(node: &GraphNode) -> LinkView {
    LinkView {
        id: node.id.clone(),
        href: node.href.clone(),
        name: node.label.clone(),
        colour: node.colour,
        mark: node.mark.clone(),
        ..LinkView::default()
    }
}
