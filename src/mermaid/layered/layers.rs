//! The rows as lists of vertices, and arrows as chains through the rows that they pass.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    MOST_VERTICES,
    graph::{LayeredEnd, LayeredGraph},
    ranking::Ranking,
};

/// What is at a place of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexKind {
    Node,
    /// The label of an edge, through which its line passes.
    Label,
    /// An arrow passes.
    Bend,
    /// An arrow ends at the border of a group. It has no size.
    Anchor,
    /// Keeps the place of a group in a row without its members.
    Filler,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) kind: VertexKind,
    pub(super) layer: usize,
    pub(super) group: Option<usize>,
    /// How far it extends from its middle to the start and the end of its row.
    pub(super) start: f64,
    pub(super) end: f64,
    /// Its size along the arrows.
    pub(super) along: f64,
}

impl Vertex {
    pub(super) fn is_node(&self) -> bool {
        self.kind == VertexKind::Node
    }

    /// Whether an arrow must not cross it.
    pub(super) const fn is_obstacle(&self) -> bool {
        matches!(self.kind, VertexKind::Node | VertexKind::Label)
    }
}

/// A part of an arrow between neighbouring rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChainLink {
    pub(super) upper: usize,
    pub(super) lower: usize,
    /// How important it is that it is straight.
    pub(super) weight: i64,
}

pub(super) struct Layers {
    /// Nodes, in the order of the graph, and other vertices.
    pub(super) vertices: Vec<Vertex>,
    /// The row of each layer in the ranking.
    pub(super) rows: Vec<i64>,
    /// The vertices of each layer in their order.
    pub(super) order: Vec<Vec<usize>>,
    /// The vertices of each edge, from the earlier to the later row.
    pub(super) chains: Vec<Vec<usize>>,
    pub(super) links: Vec<ChainLink>,
    /// The neighbours of each vertex in the row before and after its own.
    pub(super) above: Vec<Vec<usize>>,
    pub(super) below: Vec<Vec<usize>>,
}

pub(super) fn build(graph: &LayeredGraph, ranking: &Ranking) -> Layers {
    let labels: Vec<Option<i64>> = label_rows(graph, ranking);
    let mut rows: BTreeSet<i64> = ranking.node.iter().copied().chain(labels.iter().copied().flatten()).collect();
    for (edge, &is_reversed) in graph.edges.iter().zip(&ranking.is_reversed) {
        rows.extend([ranking.row_of(edge.from, !is_reversed), ranking.row_of(edge.to, is_reversed)]);
    }
    let rows: Vec<i64> = rows.into_iter().collect();
    let layer_of: BTreeMap<i64, usize> = rows.iter().enumerate().map(|(layer, &row)| (row, layer)).collect();
    let vertices = graph.nodes.iter().zip(&ranking.node).map(|(node, row)| Vertex {
        kind: VertexKind::Node,
        layer: layer_of[row],
        group: node.group,
        start: node.start,
        end: node.end,
        along: node.along,
    });
    let mut layers = Layers {
        vertices: vertices.collect(),
        order: vec![Vec::new(); rows.len()],
        rows,
        chains: Vec::new(),
        links: Vec::new(),
        above: Vec::new(),
        below: Vec::new(),
    };
    for (index, edge) in graph.edges.iter().enumerate() {
        let ends = if ranking.is_reversed[index] { [edge.to, edge.from] } else { [edge.from, edge.to] };
        let label = labels[index].and_then(|row| Some((layer_of[&row], edge.label?)));
        let chain = layers.chain(graph, ranking, ends, label, &layer_of);
        layers.chains.push(chain);
        if layers.vertices.len() > MOST_VERTICES {
            break;
        }
    }
    layers.add_fillers(graph, ranking);
    layers.connect();
    layers
}

/// The row of the label of each edge: as near to its middle as possible, without nodes if there is such a row.
fn label_rows(graph: &LayeredGraph, ranking: &Ranking) -> Vec<Option<i64>> {
    let taken: BTreeSet<i64> = ranking.node.iter().copied().collect();
    let rows = graph.edges.iter().zip(&ranking.is_reversed).map(|(edge, &is_reversed)| {
        edge.label?;
        let (first, second) = if is_reversed { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let (upper, lower) = (ranking.row_of(first, true), ranking.row_of(second, false));
        let step = usize::try_from(ranking.unit).unwrap_or(1);
        (upper + ranking.unit..lower).step_by(step).min_by_key(|row| (taken.contains(row), (2 * row - upper - lower).abs(), *row))
    });
    rows.collect()
}

impl Layers {
    fn add(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    fn chain(
        &mut self,
        graph: &LayeredGraph,
        ranking: &Ranking,
        ends: [LayeredEnd; 2],
        label: Option<(usize, (f64, f64))>,
        layer_of: &BTreeMap<i64, usize>,
    ) -> Vec<usize> {
        let [first, last] = [(ends[0], true), (ends[1], false)].map(|(end, is_first)| match end {
            LayeredEnd::Node(node) => node,
            LayeredEnd::Group(group) => {
                let layer = layer_of[&ranking.row_of(end, is_first)];
                self.add(Vertex { kind: VertexKind::Anchor, layer, group: Some(group), start: 0.0, end: 0.0, along: 0.0 })
            }
        });
        let (from, to) = (self.vertices[first], self.vertices[last]);
        let mut chain = vec![first];
        for layer in from.layer + 1..to.layer {
            // A group's border is not part of the group.
            let inner = |end: LayeredEnd, group: Option<usize>| {
                if matches!(end, LayeredEnd::Group(_)) { group.and_then(|group| graph.groups[group].parent) } else { group }
            };
            let group = passed_group(graph, ranking, inner(ends[0], from.group), inner(ends[1], to.group), self.rows[layer]);
            let size = label.filter(|(row, _)| *row == layer).map(|(_, size)| size);
            let (kind, (across, along)) = size.map_or((VertexKind::Bend, (0.0, 0.0)), |size| (VertexKind::Label, size));
            chain.push(self.add(Vertex { kind, layer, group, start: across / 2.0, end: across / 2.0, along }));
        }
        chain.push(last);
        chain
    }

    /// Adds a vertex for each group and each row that the group extends over without a member.
    fn add_fillers(&mut self, graph: &LayeredGraph, ranking: &Ranking) {
        let mut present: BTreeSet<(usize, usize)> = BTreeSet::new();
        for vertex in self.vertices.iter().filter(|vertex| vertex.kind != VertexKind::Anchor) {
            present.extend(graph.ancestors(vertex.group).map(|group| (group, vertex.layer)));
        }
        // Inner groups first: their fillers are in the outer groups, too.
        let mut groups: Vec<usize> = (0..graph.groups.len()).collect();
        groups.sort_by_key(|&group| std::cmp::Reverse(graph.depth(Some(group))));
        for group in groups {
            for layer in 0..self.rows.len() {
                let inside = (ranking.before[group]..ranking.after[group]).contains(&self.rows[layer]);
                if inside && !present.contains(&(group, layer)) {
                    self.add(Vertex { kind: VertexKind::Filler, layer, group: Some(group), start: 0.0, end: 0.0, along: 0.0 });
                    present.extend(graph.ancestors(Some(group)).map(|group| (group, layer)));
                }
            }
        }
    }

    fn connect(&mut self) {
        self.above = vec![Vec::new(); self.vertices.len()];
        self.below = vec![Vec::new(); self.vertices.len()];
        for (index, vertex) in self.vertices.iter().enumerate() {
            self.order[vertex.layer].push(index);
        }
        for pair in self.chains.iter().flat_map(|chain| chain.windows(2)) {
            let (upper, lower) = (pair[0], pair[1]);
            self.below[upper].push(lower);
            self.above[lower].push(upper);
        }
        for pair in self.chains.iter().flat_map(|chain| chain.windows(2)) {
            let (upper, lower) = (pair[0], pair[1]);
            let is_box = |vertex: usize| usize::from(self.vertices[vertex].is_node());
            let weight = [16, 4, 2][is_box(upper) + is_box(lower)];
            // If an arrow must bend, it bends where several arrows meet.
            let is_only = self.below[upper].len() == 1 && self.above[lower].len() == 1;
            self.links.push(ChainLink { upper, lower, weight: if is_only { 2 * weight + 1 } else { weight } });
        }
    }
}

/// The group in which an arrow passes a row: one of those around its start as long as they extend so far, then one of those around its end.
fn passed_group(graph: &LayeredGraph, ranking: &Ranking, from: Option<usize>, to: Option<usize>, row: i64) -> Option<usize> {
    let targets: Vec<usize> = graph.ancestors(to).collect();
    let leaving = graph.ancestors(from).take_while(|group| !targets.contains(group)).find(|&group| row < ranking.after[group]);
    if leaving.is_some() {
        return leaving;
    }
    let common = graph.ancestors(from).find(|group| targets.contains(group));
    let entered = targets.iter().copied().take_while(|group| Some(*group) != common).find(|&group| row > ranking.before[group]);
    entered.or(common)
}
