//! Where arrows leave and reach a node, next to each other on its side.

use super::{
    across::Across,
    graph::LayeredGraph,
    layers::{Layers, VertexKind},
};

/// The distance between the ends of two arrows, if there is room for it.
const BETWEEN: f64 = 14.0;
/// How much more the position of a straight arrow counts than that of another one.
const STRAIGHT: f64 = 20.0;

/// An end of an arrow at a node.
#[derive(Clone, Copy, Debug)]
struct ChainEnd {
    edge: usize,
    /// Whether the node is in the earlier of the rows.
    is_upper: bool,
    node: usize,
    /// The next vertex of the arrow.
    next: usize,
}

/// The positions of the two ends of each edge, in the order of its chain.
pub(super) fn ports(graph: &LayeredGraph, layers: &Layers, across: &Across) -> Vec<[f64; 2]> {
    let mut ports: Vec<[f64; 2]> = layers
        .chains
        .iter()
        .map(|chain| [chain.first(), chain.last()].map(|end| end.map_or(0.0, |&vertex| across.vertex[vertex])))
        .collect();
    let mut sides: Vec<[Vec<ChainEnd>; 2]> = vec![[Vec::new(), Vec::new()]; graph.nodes.len()];
    for (edge, chain) in layers.chains.iter().enumerate() {
        let (Some([first, second]), Some([before, last])) = (chain.first_chunk::<2>(), chain.last_chunk::<2>()) else { continue };
        for (node, next, is_upper) in [(*first, *second, true), (*last, *before, false)] {
            if let Some(side) = sides.get_mut(node) {
                side[usize::from(is_upper)].push(ChainEnd { edge, is_upper, node, next });
            }
        }
    }
    for side in sides.iter().flatten() {
        let wanted = |end: &ChainEnd| wanted(graph, layers, across, end);
        spread(graph, across, side, wanted, &mut ports);
    }
    // A single arrow follows the position that its other end has got.
    for side in sides.iter().flatten().filter(|side| side.len() == 1) {
        let opposite = |end: &ChainEnd| ports[end.edge][usize::from(end.is_upper)];
        let at: Vec<f64> = side.iter().map(opposite).collect();
        let is_direct = side.iter().all(|end| layers.vertices[end.next].kind == VertexKind::Node);
        if is_direct {
            spread(graph, across, side, |_| at[0], &mut ports);
        }
    }
    ports
}

/// The best place for an end: straight above or below the next vertex.
fn wanted(graph: &LayeredGraph, layers: &Layers, across: &Across, end: &ChainEnd) -> f64 {
    let (middle, other) = (across.vertex[end.node], across.vertex[end.next]);
    if layers.vertices[end.next].kind != VertexKind::Node {
        return other;
    }
    let rooms = [end.node, end.next].map(|node| graph.nodes[node].port_room);
    let common = (f64::max(middle - rooms[0], other - rooms[1]), f64::min(middle + rooms[0], other + rooms[1]));
    if common.0 <= common.1 { f64::midpoint(middle, other).clamp(common.0, common.1) } else { other }
}

/// Places the ends on a side of a node as near as possible to where they should be, in the order of the vertices that they lead to.
fn spread(graph: &LayeredGraph, across: &Across, side: &[ChainEnd], wanted: impl Fn(&ChainEnd) -> f64, ports: &mut [[f64; 2]]) {
    let Some(first) = side.first() else { return };
    let (middle, room) = (across.vertex[first.node], graph.nodes[first.node].port_room);
    let mut ends: Vec<(f64, ChainEnd)> = side.iter().map(|end| (across.vertex[end.next], *end)).collect();
    ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.edge.cmp(&b.1.edge)));
    let gaps = to_float(ends.len() - 1);
    let most = if gaps > 0.0 { 2.0 * room / gaps } else { 0.0 };
    let (gap, least_gap) = (f64::min(BETWEEN, most), f64::min(BETWEEN / 2.0, most));
    // Without the gaps, the positions must not decrease: neighbours in the wrong order get their common average, in which straight arrows count more.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for (index, (_, end)) in ends.iter().enumerate() {
        let at = wanted(end);
        let weight = if (at - middle).abs() <= room { STRAIGHT } else { 1.0 };
        let at = at.clamp(middle - room, middle + room);
        pools.push((gap.mul_add(-to_float(index), at), weight, 1));
        while let [.., (before, a, count), (last, b, more)] = pools.as_slice()
            && before > last
        {
            let joined = (before.mul_add(*a, last * b) / (a + b), a + b, count + more);
            pools.truncate(pools.len() - 2);
            pools.push(joined);
        }
    }
    let places = pools.into_iter().flat_map(|(at, _, count)| std::iter::repeat_n(at, count));
    for (index, ((_, end), place)) in ends.iter().zip(places).enumerate() {
        let index = to_float(index);
        let least = least_gap.mul_add(index, middle - room);
        let most = least_gap.mul_add(index - gaps, middle + room);
        ports[end.edge][usize::from(!end.is_upper)] = gap.mul_add(index, place).clamp(least, most.max(least));
    }
}

fn to_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
