//! The tracks of arrows: straight to the hub, straight to the next block, or through a lane next to the column.
//!
//! A lane is a vertical line. Arrows with the same block at one end and the same style share a port there and the lane that leads to it: a trunk. Trunks
//! that overlap have different lanes, the shorter ones nearer to the boxes. Source: interval graph colouring, first fit.

use std::collections::BTreeMap;

use super::{
    blocks::{BlockEdge, BlockGraph},
    columns::Stacks,
    graph::LineStyle,
};

/// How an arrow reaches its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Track {
    /// Horizontally to the bus of the hub.
    Hub,
    /// Down from this block to the next, or up.
    Straight { upper: usize },
    /// Through a lane, with the index of the arrow's own port and of the trunk's port in [`Tracks::ports`].
    Lane { lane: usize, own: usize, shared: usize },
}

/// A place at the outer side of a block where arrows begin or end.
#[derive(Clone, Debug)]
pub(super) struct EdgePort {
    pub(super) block: usize,
    /// The arrow whose text is here; `None` for the shared end of a trunk.
    pub(super) edge: Option<usize>,
    trunk: usize,
    /// The row of the other end: of the most distant one if there are several.
    far: usize,
}

/// The tracks of all arrows.
pub(super) struct Tracks {
    /// By edge.
    pub(super) of_edge: Vec<Track>,
    pub(super) ports: Vec<EdgePort>,
    /// The ports of each block, from top to bottom, as indices.
    pub(super) of_block: Vec<Vec<usize>>,
    /// The number of lanes of each column.
    pub(super) lanes: Vec<usize>,
    /// The arrow between each block and the next one below, if there is one.
    pub(super) below: Vec<Option<usize>>,
}

struct Trunk {
    column: usize,
    shared: usize,
    /// The arrows with their own ports.
    members: Vec<(usize, usize)>,
}

/// Finds a track for each arrow.
pub(super) fn tracks(graph: &BlockGraph, stacks: &Stacks) -> Tracks {
    let mut below = vec![None; graph.blocks.len()];
    let pairs: BTreeMap<(usize, usize), usize> =
        graph.edges.iter().enumerate().map(|(index, edge)| ((edge.from.min(edge.to), edge.from.max(edge.to)), index)).collect();
    let mut of_edge = vec![Track::Hub; graph.edges.len()];
    let mut is_straight = vec![false; graph.edges.len()];
    for pair in stacks.iter().flatten().flat_map(|stack| stack.windows(2)) {
        let (upper, lower) = (pair[0], pair[1]);
        if let Some(&edge) = pairs.get(&(upper.min(lower), upper.max(lower))) {
            below[upper] = Some(edge);
            of_edge[edge] = Track::Straight { upper };
            is_straight[edge] = true;
        }
    }
    let mut place = vec![(0, 0); graph.blocks.len()];
    for (column, stack) in stacks.iter().enumerate() {
        for (row, &block) in stack.iter().flatten().enumerate() {
            place[block] = (column, row);
        }
    }
    let in_lanes =
        |&(index, edge): &(usize, &BlockEdge)| !is_straight[index] && graph.hub.is_none_or(|hub| edge.from != hub && edge.to != hub);
    let arcs: Vec<(usize, &BlockEdge)> = graph.edges.iter().enumerate().filter(in_lanes).collect();
    let (ports, mut trunks) = trunks(&arcs, &place);
    let mut of_block = vec![Vec::new(); graph.blocks.len()];
    for (index, port) in ports.iter().enumerate() {
        of_block[port.block].push(index);
    }
    for (block, of_block) in of_block.iter_mut().enumerate() {
        // In this order, arrows of a block don't cross each other: the nearest of those above first, the most distant of those below first.
        let row = place[block].1;
        of_block.sort_by_key(|&port| (ports[port].far > row, std::cmp::Reverse(ports[port].far), ports[port].trunk));
    }
    let mut position = vec![0; ports.len()];
    let sorted = stacks.iter().flatten().flatten().flat_map(|&block| of_block[block].iter().copied());
    for (at, port) in sorted.enumerate() {
        position[port] = at;
    }
    let lanes = lanes(&mut trunks, &position, stacks.len(), |edge, track| of_edge[edge] = track);
    Tracks { of_edge, ports, of_block, lanes, below }
}

/// Joins arrows to trunks. `place` is the column and the row of each block.
fn trunks(arcs: &[(usize, &BlockEdge)], place: &[(usize, usize)]) -> (Vec<EdgePort>, Vec<Trunk>) {
    let (mut leaving, mut entering) = (vec![0_usize; place.len()], vec![0_usize; place.len()]);
    for (_, edge) in arcs {
        leaving[edge.from] += 1;
        entering[edge.to] += 1;
    }
    let mut ports: Vec<EdgePort> = Vec::new();
    let mut trunks: Vec<Trunk> = Vec::new();
    let mut known: BTreeMap<(usize, bool, LineStyle, bool), usize> = BTreeMap::new();
    for &(index, edge) in arcs {
        let at_end = entering[edge.to] >= leaving[edge.from];
        let shared = if at_end { edge.to } else { edge.from };
        let own = edge.other(shared);
        let trunk = *known.entry((shared, at_end, edge.line(), edge.back.is_empty())).or_insert_with(|| {
            ports.push(EdgePort { block: shared, edge: None, trunk: trunks.len(), far: place[own].1 });
            trunks.push(Trunk { column: place[shared].0, shared: ports.len() - 1, members: Vec::new() });
            trunks.len() - 1
        });
        let port = &mut ports[trunks[trunk].shared];
        let row = place[shared].1;
        if place[own].1.abs_diff(row) > port.far.abs_diff(row) {
            port.far = place[own].1;
        }
        trunks[trunk].members.push((index, ports.len()));
        ports.push(EdgePort { block: own, edge: Some(index), trunk, far: row });
    }
    (ports, trunks)
}

/// Assigns lanes, and returns their number in each column. `position` is the order of the ports in their column.
fn lanes(trunks: &mut [Trunk], position: &[usize], columns: usize, mut assign: impl FnMut(usize, Track)) -> Vec<usize> {
    let span = |trunk: &Trunk| {
        let all = || trunk.members.iter().map(|&(_, port)| position[port]).chain([position[trunk.shared]]);
        (all().min().unwrap_or(0), all().max().unwrap_or(0))
    };
    trunks.sort_by_key(|trunk| {
        let (first, last) = span(trunk);
        (last - first, first)
    });
    // The spans in each lane: the last position by the first.
    let mut used: Vec<Vec<BTreeMap<usize, usize>>> = vec![Vec::new(); columns];
    for trunk in trunks.iter() {
        let (first, last) = span(trunk);
        let used = &mut used[trunk.column];
        let is_free = |spans: &BTreeMap<usize, usize>| spans.range(..=last).next_back().is_none_or(|(_, &end)| end < first);
        let lane = used.iter().position(is_free).unwrap_or_else(|| {
            used.push(BTreeMap::new());
            used.len() - 1
        });
        used[lane].insert(first, last);
        for &(edge, own) in &trunk.members {
            assign(edge, Track::Lane { lane, own, shared: trunk.shared });
        }
    }
    used.iter().map(Vec::len).collect()
}
