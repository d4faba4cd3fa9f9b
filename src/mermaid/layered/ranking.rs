//! The row of each node, so that arrows lead to later rows where possible and are short.
//!
//! Each group has a row for its upper and one for its lower border, between which its members are. To leave room for them, `unit` rows lie between the
//! rows of nodes. Source: Sander, "Layout of Compound Directed Graphs", 1996.

use super::{
    graph::{LayeredEnd, LayeredGraph},
    simplex::{Distance, optimize},
};

/// The index of an edge that can lead neither to a later nor to an earlier row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::mermaid) struct RankingError(pub(super) usize);

/// The rows of nodes and borders.
pub(super) struct Ranking {
    /// Nodes and labels are in rows that are multiples of this.
    pub(super) unit: i64,
    /// By node.
    pub(super) node: Vec<i64>,
    /// The rows of the borders of each group.
    pub(super) before: Vec<i64>,
    pub(super) after: Vec<i64>,
    /// The distance of a group's border from the nearest row of nodes, in rows.
    pub(super) inset: Vec<i64>,
    /// Whether each edge leads from a later row to an earlier one.
    pub(super) is_reversed: Vec<bool>,
}

impl Ranking {
    /// The row of nodes from which an edge leaves its first end, or where it reaches its second one.
    pub(super) fn row_of(&self, end: LayeredEnd, is_first: bool) -> i64 {
        match end {
            LayeredEnd::Node(node) => self.node[node],
            LayeredEnd::Group(group) if is_first => self.after[group] - self.inset[group],
            LayeredEnd::Group(group) => self.before[group] + self.inset[group],
        }
    }
}

pub(super) fn rank(graph: &LayeredGraph) -> Result<Ranking, RankingError> {
    let nodes = graph.nodes.len();
    let groups = graph.groups.len();
    let depths: Vec<i64> = (0..groups).map(|group| signed(graph.depth(Some(group)))).collect();
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let unit = 2 * deepest + 1;
    let has_labels = graph.edges.iter().any(|edge| edge.label.is_some());
    // A label has a row between those of the ends.
    let step = if has_labels { 2 * unit } else { unit };
    let inset: Vec<i64> = depths.iter().map(|depth| deepest - depth + 1).collect();
    let numbers = RankNumbers { nodes };
    let is_reversed = directions(graph, numbers)?;

    let root = nodes + 2 * groups;
    let mut distances = Vec::new();
    let mut add = |from, to, min, weight| distances.push(Distance { from, to, min, weight });
    for (edge, &is_reversed) in graph.edges.iter().zip(&is_reversed) {
        let (first, second) = if is_reversed { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let insets = [first, second].map(|end| if let LayeredEnd::Group(group) = end { inset[group] } else { 0 });
        add(numbers.first(first), numbers.second(second), signed(edge.rows) * step - insets[0] - insets[1], 1);
    }
    // Members are as near to the borders as possible, whatever arrows lead out of the group.
    let near = signed(graph.edges.len()) + 1;
    for (node, parent) in graph.nodes.iter().map(|node| node.group).enumerate() {
        match parent {
            Some(group) => {
                add(numbers.before(group), node, inset[group], 2 * near);
                add(node, numbers.after(group), inset[group], 2 * near);
            }
            None => add(root, node, unit, 0),
        }
    }
    for (group, parent) in graph.groups.iter().map(|group| group.parent).enumerate() {
        match parent {
            Some(parent) => {
                add(numbers.before(parent), numbers.before(group), 1, near);
                add(numbers.after(group), numbers.after(parent), 1, near);
            }
            None => add(root, numbers.before(group), unit - inset[group], 0),
        }
        add(numbers.before(group), numbers.after(group), 2 * inset[group], 0);
    }
    let rows = optimize(root + 1, &distances);
    Ok(Ranking {
        unit,
        node: rows[..nodes].to_vec(),
        before: (0..groups).map(|group| rows[numbers.before(group)]).collect(),
        after: (0..groups).map(|group| rows[numbers.after(group)]).collect(),
        inset,
        is_reversed,
    })
}

/// The indices of borders among the numbers of the optimization: after those of the nodes.
#[derive(Clone, Copy)]
struct RankNumbers {
    nodes: usize,
}

impl RankNumbers {
    const fn before(self, group: usize) -> usize {
        self.nodes + 2 * group
    }

    const fn after(self, group: usize) -> usize {
        self.nodes + 2 * group + 1
    }

    /// The number from which an edge leads to a later row.
    const fn first(self, end: LayeredEnd) -> usize {
        match end {
            LayeredEnd::Node(node) => node,
            LayeredEnd::Group(group) => self.after(group),
        }
    }

    const fn second(self, end: LayeredEnd) -> usize {
        match end {
            LayeredEnd::Node(node) => node,
            LayeredEnd::Group(group) => self.before(group),
        }
    }
}

/// Finds out which edges lead to earlier rows. An edge does so if the edges before it in the source require it, so the first edges of a cycle keep their direction.
fn directions(graph: &LayeredGraph, numbers: RankNumbers) -> Result<Vec<bool>, RankingError> {
    let mut later = vec![Vec::new(); graph.nodes.len() + 2 * graph.groups.len()];
    for (node, group) in graph.nodes.iter().enumerate().filter_map(|(node, layered)| Some((node, layered.group?))) {
        later[numbers.before(group)].push(node);
        later[node].push(numbers.after(group));
    }
    for (group, layered) in graph.groups.iter().enumerate() {
        later[numbers.before(group)].push(numbers.after(group));
        if let Some(parent) = layered.parent {
            later[numbers.before(parent)].push(numbers.before(group));
            later[numbers.after(group)].push(numbers.after(parent));
        }
    }
    let mut is_reversed = Vec::with_capacity(graph.edges.len());
    for (index, edge) in graph.edges.iter().enumerate() {
        let ways = [(edge.from, edge.to), (edge.to, edge.from)];
        let way = ways.iter().position(|&(first, second)| !leads(&later, numbers.second(second), numbers.first(first)));
        let way = way.ok_or(RankingError(index))?;
        later[numbers.first(ways[way].0)].push(numbers.second(ways[way].1));
        is_reversed.push(way == 1);
    }
    Ok(is_reversed)
}

fn leads(later: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; later.len()];
    let mut open = vec![from];
    while let Some(number) = open.pop() {
        if number == to {
            return true;
        }
        if !std::mem::replace(&mut seen[number], true) {
            open.extend(&later[number]);
        }
    }
    false
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
