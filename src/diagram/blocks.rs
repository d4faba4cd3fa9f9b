//! Nodes that share their arrows as blocks, and the arrows between blocks.

use std::collections::BTreeMap;

use super::{
    graph::{EdgeVerb, Graph, GraphNode},
    measure::{LABEL_SIZE, width},
    order::ColumnItem,
};

/// The height of a box.
pub(super) const BOX: f64 = 28.0;
/// The space between the boxes of a block.
pub(super) const INNER_GAP: f64 = 6.0;
/// The space between the frame of a block and its boxes.
pub(super) const FRAME: f64 = 8.0;
/// The height of a lane: an arrow that leaves a block next to others, with the text above it.
const LANE: f64 = 19.0;
/// The additional height of a lane with text below the arrow.
const LANE_BELOW: f64 = 13.0;
/// The distance of the arrow from the top of its lane.
pub(super) const LANE_LINE: f64 = 15.0;
/// The space at both ends of a label in its box.
const BOX_PADDING: f64 = 10.0;
/// The width of a mark.
const MARK: f64 = 20.0;
/// The most boxes in a column of a block.
const TALLEST: usize = 22;

/// Nodes of one band that have the same arrows.
pub(super) struct NodeBlock {
    pub(super) members: Vec<usize>,
    pub(super) band: usize,
    /// The number of columns of boxes in it.
    pub(super) columns: usize,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// An arrow between blocks, from left to right.
pub(super) struct BlockEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    /// Whether the arrow points from `to` to `from`.
    pub(super) reversed: bool,
    pub(super) verbs: Vec<EdgeVerb>,
    /// The verbs of the opposite edge, which is drawn as a second head.
    pub(super) back: Vec<EdgeVerb>,
    /// The items at which it passes columns.
    pub(super) stops: Vec<usize>,
    pub(super) placement: LabelPlacement,
}

/// The position of an arrow's text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LabelPlacement {
    /// It has none.
    None,
    /// At its left end, the only arrow there.
    Left,
    /// At its left end, in a separate lane.
    Lane,
    /// At its right end.
    Right,
}

/// The text above and below an arrow; each may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArrowText {
    pub(super) above: String,
    pub(super) below: String,
}

impl ArrowText {
    /// The verbs of an edge, with their direction if there are two.
    pub(super) fn of(edge: &BlockEdge) -> Self {
        let (forth, back) = (joined_labels(&edge.verbs), joined_labels(&edge.back));
        if back.is_empty() {
            return Self { above: forth, below: String::new() };
        }
        let (right, left) = if edge.reversed { (back, forth) } else { (forth, back) };
        Self { above: format!("{right} →"), below: format!("← {left}") }
    }

    /// The height of a lane with this text.
    pub(super) const fn lane_height(&self) -> f64 {
        if self.below.is_empty() { LANE } else { LANE + LANE_BELOW }
    }
}

pub(super) fn joined_labels(verbs: &[EdgeVerb]) -> String {
    verbs.iter().map(|verb| verb.label.as_str()).collect::<Vec<_>>().join(", ")
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

/// A graph of blocks.
pub(super) struct BlockGraph {
    pub(super) blocks: Vec<NodeBlock>,
    pub(super) edges: Vec<BlockEdge>,
    /// Nodes without edges, by band.
    pub(super) isolated: Vec<Vec<usize>>,
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

/// Joins nodes with the same connections. `band_of` is the band of each node.
pub(super) fn blocks(graph: &Graph, band_of: &[usize], bands: usize) -> BlockGraph {
    let merged = merged_edges(graph);
    let connections = connections(graph, &merged);
    let mut blocks: Vec<NodeBlock> = Vec::new();
    let mut isolated = vec![Vec::new(); bands];
    let mut block_of = vec![None; graph.nodes.len()];
    let mut known: BTreeMap<(usize, &[Connection<'_>]), usize> = BTreeMap::new();
    for (index, connections) in connections.iter().enumerate() {
        let band = band_of[index];
        if connections.is_empty() {
            isolated[band].push(index);
            continue;
        }
        let block = *known.entry((band, connections)).or_insert_with(|| {
            blocks.push(NodeBlock { members: Vec::new(), band, columns: 1, width: 0.0, height: 0.0 });
            blocks.len() - 1
        });
        blocks[block].members.push(index);
        block_of[index] = Some(block);
    }
    for block in &mut blocks {
        let count = block.members.len();
        block.columns = count.div_ceil(TALLEST);
        let frame = if count > 1 { 2.0 * FRAME } else { 0.0 };
        block.width = frame + stacked(block.columns, widest(graph, &block.members));
        block.height = frame + stacked(count.div_ceil(block.columns), BOX);
    }
    let edges = block_edges(&merged, &block_of);
    BlockGraph { blocks, edges, isolated }
}

/// The length of `count` boxes of one size with gaps between.
#[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 boxes")]
pub(super) fn stacked(count: usize, size: f64) -> f64 {
    (count as f64) * (size + INNER_GAP) - INNER_GAP
}

/// The width of the widest box.
pub(super) fn widest(graph: &Graph, members: &[usize]) -> f64 {
    members.iter().map(|&member| box_width(&graph.nodes[member])).fold(0.0, f64::max)
}

/// The width of a box.
pub(super) fn box_width(node: &GraphNode) -> f64 {
    let mark = if node.mark.is_empty() { 0.0 } else { MARK };
    (width(&node.label, LABEL_SIZE) + mark + 2.0 * BOX_PADDING).ceil()
}

/// Merges the edges between each pair of blocks.
fn block_edges(merged: &[MergedEdge], block_of: &[Option<usize>]) -> Vec<BlockEdge> {
    let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut edges: Vec<BlockEdge> = Vec::new();
    for edge in merged {
        let (Some(from), Some(to)) = (block_of[edge.from], block_of[edge.to]) else { continue };
        if let Some(&index) = known.get(&(from, to)) {
            add_new(&mut edges[index].verbs, &edge.verbs);
            add_new(&mut edges[index].back, &edge.back);
            continue;
        }
        known.insert((from, to), edges.len());
        let (verbs, back) = (edge.verbs.clone(), edge.back.clone());
        edges.push(BlockEdge { from, to, reversed: false, verbs, back, stops: Vec::new(), placement: LabelPlacement::None });
    }
    edges
}

/// Places the text of each arrow at an end without other arrows, or else in a lane, and increases the height of blocks for their lanes.
pub(super) fn place_labels(edges: &mut [BlockEdge], blocks: &mut [NodeBlock]) {
    let (leaving, entering) = degrees(edges, blocks.len());
    for edge in edges.iter_mut() {
        edge.placement = match (leaving[edge.from], entering[edge.to]) {
            (1, _) => LabelPlacement::Left,
            (_, 1) => LabelPlacement::Right,
            _ => LabelPlacement::Lane,
        };
    }
    for (index, block) in blocks.iter_mut().enumerate() {
        let mut lanes: Vec<ArrowText> =
            edges.iter().filter(|edge| edge.from == index && edge.placement == LabelPlacement::Lane).map(ArrowText::of).collect();
        lanes.sort_unstable();
        lanes.dedup();
        // Arrows with their text at the other end share one more lane.
        let others = edges.iter().any(|edge| edge.from == index && edge.placement == LabelPlacement::Right);
        if others && !lanes.is_empty() {
            lanes.push(ArrowText::default());
        }
        block.height = block.height.max(lanes.iter().map(ArrowText::lane_height).sum::<f64>() + 8.0);
    }
}

/// The numbers of arrows that leave and enter each block.
fn degrees(edges: &[BlockEdge], blocks: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut leaving, mut entering) = (vec![0usize; blocks], vec![0usize; blocks]);
    for edge in edges {
        leaving[edge.from] += 1;
        entering[edge.to] += 1;
    }
    (leaving, entering)
}

/// Adds an item for each arrow in each column that it passes, and returns the steps between neighbouring columns as pairs of items.
pub(super) fn add_stops(edges: &mut [BlockEdge], items: &mut Vec<ColumnItem>, blocks: usize) -> Vec<(usize, usize)> {
    let (leaving, entering) = degrees(edges, blocks);
    let mut known: BTreeMap<(usize, bool, usize, bool, bool), usize> = BTreeMap::new();
    let mut steps = Vec::new();
    for edge in edges.iter_mut() {
        let (first, last) = (items[edge.from].column, items[edge.to].column);
        // The block at which it joins others.
        let at_end = entering[edge.to] >= leaving[edge.from];
        let block = if at_end { edge.to } else { edge.from };
        let band = items[block].band;
        let mut previous = edge.from;
        for column in first + 1..last {
            let stop = *known.entry((block, at_end, column, edge.reversed, edge.back.is_empty())).or_insert_with(|| {
                items.push(ColumnItem { column, band });
                items.len() - 1
            });
            edge.stops.push(stop);
            steps.push((previous, stop));
            previous = stop;
        }
        steps.push((previous, edge.to));
    }
    steps.sort_unstable();
    steps.dedup();
    steps
}
