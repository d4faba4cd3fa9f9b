//! The courses of arrows, and the finished layout.

use super::{
    across::Across,
    along::Along,
    graph::{GroupExtent, LayeredEnd, LayeredGraph, LayeredLayout, Route},
    layers::{Layers, VertexKind},
    ports::ports,
    ranking::Ranking,
};

pub(super) fn assemble(graph: &LayeredGraph, ranking: &Ranking, layers: &Layers, across: &Across, along: &Along) -> LayeredLayout {
    let middle = |vertex: usize| {
        let (start, end) = along.layer[layers.vertices[vertex].layer];
        (across.vertex[vertex], f64::midpoint(start, end))
    };
    let groups: Vec<GroupExtent> =
        across.group.iter().zip(&along.group).map(|(&(start, end), &(before, after))| GroupExtent { start, end, before, after }).collect();
    let has_obstacle: Vec<bool> = layers.order.iter().map(|row| row.iter().any(|&vertex| layers.vertices[vertex].is_obstacle())).collect();
    let ports = ports(graph, layers, across);
    let routes = graph.edges.iter().enumerate().map(|(index, edge)| {
        let is_reversed = ranking.is_reversed[index];
        let (first, second) = if is_reversed { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let chain = &layers.chains[index];
        let mut points = Vec::with_capacity(2 * chain.len());
        let mut label = None;
        for (place, &vertex) in chain.iter().enumerate() {
            let at = across.vertex[vertex];
            let layer = layers.vertices[vertex].layer;
            let (start, end) = along.layer[layer];
            if place == 0 {
                points.push((ports[index][0], border(first, &groups, true).unwrap_or(end)));
            } else if place + 1 == chain.len() {
                points.push((ports[index][1], border(second, &groups, false).unwrap_or(start)));
            } else if has_obstacle[layer] {
                points.extend([(at, start), (at, end)]);
            }
            if layers.vertices[vertex].kind == VertexKind::Label {
                label = Some(middle(vertex));
            }
        }
        if is_reversed {
            points.reverse();
        }
        Route { points, label }
    });
    let routes = routes.collect();
    let vertex_end = |vertex: usize| across.vertex[vertex] + layers.vertices[vertex].end;
    let widest = (0..layers.vertices.len()).map(vertex_end).chain(groups.iter().map(|group| group.end)).fold(0.0, f64::max);
    LayeredLayout { nodes: (0..graph.nodes.len()).map(middle).collect(), groups, routes, across: widest, along: along.total }
}

/// The border of a group at which an arrow ends.
fn border(end: LayeredEnd, groups: &[GroupExtent], is_first: bool) -> Option<f64> {
    match end {
        LayeredEnd::Node(_) => None,
        LayeredEnd::Group(group) => groups.get(group).map(|group| if is_first { group.after } else { group.before }),
    }
}
