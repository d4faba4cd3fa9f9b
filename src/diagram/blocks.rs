//! Nodes that share their arrows as blocks, the arrows between blocks, and the hub.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{EdgeVerb, Graph, LineStyle};

/// The fewest neighbours of a hub.
const HUB_DEGREE: usize = 3;

/// Nodes of one band that have the same arrows.
pub(super) struct NodeBlock {
    /// Indices of its nodes, at least one.
    pub(super) members: Vec<usize>,
    pub(super) band: usize,
}

/// An arrow between two blocks. There is at most one between each pair.
pub(super) struct BlockEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) verbs: Vec<EdgeVerb>,
    /// The verbs of the opposite edge, which is drawn as a second head.
    pub(super) back: Vec<EdgeVerb>,
}

impl BlockEdge {
    /// The most conspicuous style of its relations.
    pub(super) fn line(&self) -> LineStyle {
        self.verbs.iter().chain(&self.back).map(|verb| verb.line).max().unwrap_or_default()
    }

    /// The block at the other end.
    pub(super) const fn other(&self, block: usize) -> usize {
        if self.from == block { self.to } else { self.from }
    }
}

pub(super) fn joined_labels(verbs: &[EdgeVerb]) -> String {
    verbs.iter().map(|verb| verb.label.as_str()).collect::<Vec<_>>().join(", ")
}

/// A graph of blocks.
pub(super) struct BlockGraph {
    pub(super) blocks: Vec<NodeBlock>,
    pub(super) edges: Vec<BlockEdge>,
    /// The index of the block of the hub, which has only one member.
    pub(super) hub: Option<usize>,
    /// For each block, its arrow to or from the hub.
    pub(super) hub_edges: Vec<Option<usize>>,
}

/// All edges between two nodes.
struct MergedEdge {
    from: usize,
    to: usize,
    verbs: Vec<EdgeVerb>,
    back: Vec<EdgeVerb>,
}

/// Merges the edges between each pair of nodes. Edges from a node to itself are left out.
fn merged_edges(graph: &Graph) -> Vec<MergedEdge> {
    let mut merged: Vec<MergedEdge> = Vec::new();
    let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for edge in graph.edges.iter().filter(|edge| edge.from != edge.to && edge.from.max(edge.to) < graph.nodes.len()) {
        if let Some(&index) = known.get(&(edge.from, edge.to)) {
            add_new(&mut merged[index].verbs, &edge.verbs);
        } else if let Some(&index) = known.get(&(edge.to, edge.from)) {
            add_new(&mut merged[index].back, &edge.verbs);
        } else {
            known.insert((edge.from, edge.to), merged.len());
            merged.push(MergedEdge { from: edge.from, to: edge.to, verbs: edge.verbs.clone(), back: Vec::new() });
        }
    }
    merged
}

fn add_new(known: &mut Vec<EdgeVerb>, more: &[EdgeVerb]) {
    for verb in more {
        if !known.contains(verb) {
            known.push(verb.clone());
        }
    }
}

/// The node with the most neighbours, if at least a third of all edges begin or end there.
fn hub(merged: &[MergedEdge], nodes: usize) -> Option<usize> {
    let mut degrees = vec![0_usize; nodes];
    for edge in merged {
        degrees[edge.from] += 1;
        degrees[edge.to] += 1;
    }
    let hub = (0..nodes).max_by_key(|&node| (degrees[node], std::cmp::Reverse(node)))?;
    (degrees[hub] >= HUB_DEGREE && 3 * degrees[hub] >= merged.len()).then_some(hub)
}

/// An edge from the point of view of one of its nodes. Nodes with equal connections share a block.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Connection<'a> {
    other: usize,
    leaves: bool,
    verbs: Vec<&'a str>,
    back: Vec<&'a str>,
}

/// The connections of each node, sorted. Verbs are equal if their labels are; their ids if no labels are shown.
fn connections<'a>(graph: &Graph, merged: &'a [MergedEdge]) -> Vec<Vec<Connection<'a>>> {
    let sorted = |verbs: &'a [EdgeVerb]| {
        let mut texts: Vec<&str> = verbs.iter().map(|verb| if graph.show_verbs { &*verb.label } else { &*verb.id }).collect();
        texts.sort_unstable();
        texts
    };
    let mut connections = vec![Vec::new(); graph.nodes.len()];
    for edge in merged {
        let (verbs, back) = (sorted(&edge.verbs), sorted(&edge.back));
        connections[edge.from].push(Connection { other: edge.to, leaves: true, verbs: verbs.clone(), back: back.clone() });
        connections[edge.to].push(Connection { other: edge.from, leaves: false, verbs, back });
    }
    for connections in &mut connections {
        connections.sort_unstable();
    }
    connections
}

/// Joins nodes with the same connections. `band_of` is the band of each node. The hub and nodes without connections are alone in their blocks.
pub(super) fn blocks(graph: &Graph, band_of: &[usize]) -> BlockGraph {
    let merged = merged_edges(graph);
    let hub = hub(&merged, graph.nodes.len());
    let connections = connections(graph, &merged);
    let mut blocks: Vec<NodeBlock> = Vec::new();
    let mut block_of = Vec::new();
    let mut known: BTreeMap<(usize, &[Connection<'_>]), usize> = BTreeMap::new();
    for (node, connections) in connections.iter().enumerate() {
        let key = (band_of[node], connections.as_slice());
        let can_share = Some(node) != hub && !connections.is_empty();
        let block = known.get(&key).copied().filter(|_| can_share).unwrap_or_else(|| {
            blocks.push(NodeBlock { members: Vec::new(), band: band_of[node] });
            blocks.len() - 1
        });
        if can_share {
            known.insert(key, block);
        }
        blocks[block].members.push(node);
        block_of.push(block);
    }
    let mut seen: BTreeSet<(usize, usize)> = BTreeSet::new();
    let mut edges: Vec<BlockEdge> = Vec::new();
    for MergedEdge { from, to, verbs, back } in merged {
        let (from, to) = (block_of[from], block_of[to]);
        if seen.insert((from, to)) {
            edges.push(BlockEdge { from, to, verbs, back });
        }
    }
    let hub = hub.map(|hub| block_of[hub]);
    let mut hub_edges = vec![None; blocks.len()];
    for (index, edge) in edges.iter().enumerate().filter(|(_, edge)| hub == Some(edge.from) || hub == Some(edge.to)) {
        hub_edges[if hub == Some(edge.from) { edge.to } else { edge.from }] = Some(index);
    }
    BlockGraph { blocks, edges, hub, hub_edges }
}
