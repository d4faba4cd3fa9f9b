//! Positions within the rows: arrows as straight as possible, without overlaps.
//!
//! The positions are the solution of a network simplex: order and distances are conditions, and bends have a cost. Of all best solutions, the one in the middle
//! between the leftmost and the rightmost is taken, so that a node is above the middle of those that it leads to.

use super::{
    graph::LayeredGraph,
    layers::{Layers, Vertex, VertexKind},
    simplex::{Distance, optimize},
};

/// Distances between what is next to each other in a row.
const BETWEEN_NODES: f64 = 28.0;
const BETWEEN_BENDS: f64 = 14.0;
const BETWEEN_OTHERS: f64 = 18.0;
const BETWEEN_GROUPS: f64 = 20.0;
/// What a unit of a group's width costs, in units of a slanted arrow.
const GROUP_WEIGHT: i64 = 5;

/// The positions in the rows.
pub(super) struct Across {
    /// The middle of each vertex.
    pub(super) vertex: Vec<f64>,
    /// The borders of each group.
    pub(super) group: Vec<(f64, f64)>,
}

pub(super) fn positions(graph: &LayeredGraph, layers: &Layers) -> Across {
    let vertices = layers.vertices.len();
    let numbers = vertices + 2 * graph.groups.len();
    let mut conditions = conditions(graph, layers);
    // One unit of a bend costs more than all positions together, so that the side only decides between equal solutions.
    let unit = 2 * signed(vertices) + 2;
    for (group, layered) in graph.groups.iter().enumerate() {
        let (start, end) = borders(vertices, group);
        conditions.push(Distance { from: start, to: end, min: whole(layered.min_across), weight: GROUP_WEIGHT * unit });
    }
    let mut count = numbers;
    for link in &layers.links {
        for to in [link.upper, link.lower] {
            conditions.push(Distance { from: count, to, min: 0, weight: link.weight * unit });
        }
        count += 1;
    }
    let (left, right) = (count, count + 1);
    let sides = [(1, 0), (0, 1)].map(|(to_left, to_right)| {
        let mut conditions = conditions.clone();
        for vertex in 0..count {
            let weight = |side: i64| if vertex < vertices { side } else { 0 };
            conditions.push(Distance { from: left, to: vertex, min: 0, weight: weight(to_left) });
            conditions.push(Distance { from: vertex, to: right, min: 0, weight: weight(to_right) });
        }
        let found: Vec<f64> = optimize(count + 2, &conditions).into_iter().map(float).collect();
        let start = extent_start(graph, layers, &found);
        found.into_iter().map(|position| position - start).collect::<Vec<f64>>()
    });
    let middle = |number: usize| f64::midpoint(sides[0][number], sides[1][number]);
    let all: Vec<f64> = (0..numbers).map(middle).collect();
    let start = extent_start(graph, layers, &all);
    Across {
        vertex: all[..vertices].iter().map(|position| position - start).collect(),
        group: (0..graph.groups.len())
            .map(|group| {
                let (first, last) = borders(vertices, group);
                (all[first] - start, all[last] - start)
            })
            .collect(),
    }
}

/// Where the first box, bend or group begins.
fn extent_start(graph: &LayeredGraph, layers: &Layers, positions: &[f64]) -> f64 {
    let vertices = layers.vertices.iter().zip(positions).map(|(vertex, position)| position - vertex.start);
    let groups = (0..graph.groups.len()).map(|group| positions[borders(layers.vertices.len(), group).0]);
    vertices.chain(groups).fold(f64::INFINITY, f64::min)
}

/// The numbers of a group's borders.
const fn borders(vertices: usize, group: usize) -> (usize, usize) {
    (vertices + 2 * group, vertices + 2 * group + 1)
}

/// The order in the rows, and what groups contain.
fn conditions(graph: &LayeredGraph, layers: &Layers) -> Vec<Distance> {
    let count = layers.vertices.len();
    let mut conditions = Vec::new();
    let mut add = |from, to, distance: f64| conditions.push(Distance { from, to, min: whole(distance), weight: 0 });
    for (index, vertex) in layers.vertices.iter().enumerate() {
        let Some(group) = vertex.group else { continue };
        let (start, end) = borders(count, group);
        let layered = &graph.groups[group];
        add(start, index, layered.start + vertex.start);
        add(index, end, layered.end + vertex.end);
    }
    for (group, layered) in graph.groups.iter().enumerate() {
        let Some(parent) = layered.parent else { continue };
        let (outer, inner) = (borders(count, parent), borders(count, group));
        add(outer.0, inner.0, graph.groups[parent].start);
        add(inner.1, outer.1, graph.groups[parent].end);
    }
    for row in &layers.order {
        let solid: Vec<usize> = row.iter().copied().filter(|&vertex| layers.vertices[vertex].kind != VertexKind::Anchor).collect();
        for pair in solid.windows(2) {
            let (left, right) = (&layers.vertices[pair[0]], &layers.vertices[pair[1]]);
            let groups = [graph.outermost_apart(left.group, right.group), graph.outermost_apart(right.group, left.group)];
            let (from, before) = groups[0].map_or((pair[0], left.end), |group| (borders(count, group).1, 0.0));
            let (to, after) = groups[1].map_or((pair[1], right.start), |group| (borders(count, group).0, 0.0));
            add(from, to, before + after + distance(left, right, groups));
        }
    }
    conditions
}

fn distance(left: &Vertex, right: &Vertex, groups: [Option<usize>; 2]) -> f64 {
    let is_free = |vertex: &Vertex, group: Option<usize>| group.is_none() && !vertex.is_obstacle();
    match (groups, left.kind, right.kind) {
        ([Some(_), Some(_)], ..) => BETWEEN_GROUPS,
        ([None, None], VertexKind::Node, VertexKind::Node) => BETWEEN_NODES,
        _ if is_free(left, groups[0]) && is_free(right, groups[1]) => BETWEEN_BENDS,
        _ => BETWEEN_OTHERS,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a label has less than a million pixels")]
fn whole(distance: f64) -> i64 {
    distance.ceil().clamp(0.0, 1e6) as i64
}

fn float(position: i64) -> f64 {
    i32::try_from(position).map_or(0.0, f64::from)
}

fn signed(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
