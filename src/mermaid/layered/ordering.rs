//! The order within each row: few crossings, and the members of a group next to each other.
//!
//! Rows are sorted by the average position of neighbours, alternately from the first and from the last row; the best order is kept. Source: Sugiyama, Tagawa,
//! Toda, "Methods for Visual Understanding of Hierarchical System Structures", 1981. Groups keep one order in all rows, so that they can be rectangles.

use std::collections::BTreeMap;

use super::{graph::LayeredGraph, layers::Layers};

/// The number of passes over all rows.
const PASSES: usize = 24;
/// The number of passes without an improvement after which the search ends.
const PATIENCE: usize = 6;
/// The limit for exchanges of neighbours, in pairs of links.
const EXCHANGE_WORK: usize = 2_000_000;

pub(super) fn order(graph: &LayeredGraph, layers: &mut Layers) {
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    let start = start(layers);
    let mut failures = 0;
    for pass in 0..PASSES {
        let mut groups = GroupOrder::default();
        let count = layers.order.len();
        for step in 0..count {
            let downwards = pass % 2 == 0;
            let layer = if downwards { step } else { count - 1 - step };
            let keys = if pass == 0 { by_start(&start, &layers.order[layer]) } else { by_neighbours(layers, layer, downwards, pass) };
            let vertices = layers.order[layer].clone();
            layers.order[layer] = groups.arrange(graph, layers, None, &vertices, &keys);
        }
        exchange(layers);
        let found = crossings(layers);
        if best.as_ref().is_none_or(|(least, _)| found < *least) {
            best = Some((found, layers.order.clone()));
            failures = 0;
        } else {
            failures += 1;
        }
        if failures == PATIENCE || best.as_ref().is_some_and(|(least, _)| *least == 0 && pass > 1) {
            break;
        }
    }
    if let Some((_, order)) = best {
        layers.order = order;
    }
}

/// Numbers vertices by a search from the first row, in the order of the source.
fn start(layers: &Layers) -> Vec<usize> {
    let mut number = vec![usize::MAX; layers.vertices.len()];
    let mut next = 0;
    for root in layers.order.iter().flatten() {
        let mut open = vec![*root];
        while let Some(vertex) = open.pop() {
            if number[vertex] == usize::MAX {
                number[vertex] = next;
                next += 1;
                open.extend(layers.below[vertex].iter().rev());
            }
        }
    }
    number
}

/// The position at which a vertex should be; `None` if it can be anywhere.
type Keys = BTreeMap<usize, Option<f64>>;

fn by_start(start: &[usize], vertices: &[usize]) -> Keys {
    vertices.iter().map(|&vertex| (vertex, Some(to_float(start[vertex])))).collect()
}

fn by_neighbours(layers: &Layers, layer: usize, downwards: bool, pass: usize) -> Keys {
    let fixed = if downwards { layer.checked_sub(1) } else { Some(layer + 1) };
    let fixed = fixed.and_then(|fixed| layers.order.get(fixed)).map(Vec::as_slice).unwrap_or_default();
    let position: BTreeMap<usize, usize> = fixed.iter().enumerate().map(|(position, &vertex)| (vertex, position)).collect();
    let key = |vertex: usize| {
        let neighbours = if downwards { &layers.above[vertex] } else { &layers.below[vertex] };
        let sum: usize = neighbours.iter().filter_map(|neighbour| position.get(neighbour)).sum();
        (!neighbours.is_empty()).then(|| to_float(sum) / to_float(neighbours.len()))
    };
    // In every other round, equal vertices change their order, which can open a way to a better one.
    let turn: f64 = if pass % 4 >= 2 { -1e-6 } else { 1e-6 };
    let keys = layers.order[layer].iter().enumerate();
    keys.map(|(position, &vertex)| (vertex, key(vertex).map(|key| turn.mul_add(to_float(position), key)))).collect()
}

/// The order of groups in the rows of one pass.
#[derive(Default)]
struct GroupOrder {
    sequence: Vec<usize>,
}

impl GroupOrder {
    /// Sorts the vertices of a row that are in a group.
    fn arrange(&mut self, graph: &LayeredGraph, layers: &Layers, within: Option<usize>, vertices: &[usize], keys: &Keys) -> Vec<usize> {
        let mut entries: Vec<RowEntry> = Vec::new();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        for &vertex in vertices {
            let child = child_group(graph, within, layers.vertices[vertex].group);
            if let Some(&entry) = child.and_then(|child| known.get(&child)) {
                entries[entry].vertices.push(vertex);
            } else {
                known.extend(child.map(|child| (child, entries.len())));
                entries.push(RowEntry { group: child, vertices: vec![vertex], key: None });
            }
        }
        for entry in &mut entries {
            let found: Vec<f64> = entry.vertices.iter().filter_map(|vertex| keys.get(vertex).copied().flatten()).collect();
            entry.key = (!found.is_empty()).then(|| found.iter().sum::<f64>() / to_float(found.len()));
        }
        let mut entries = sorted(entries);
        self.keep_sequence(&mut entries);
        let mut arranged = Vec::with_capacity(vertices.len());
        for entry in entries {
            match entry.group {
                Some(group) => arranged.extend(self.arrange(graph, layers, Some(group), &entry.vertices, keys)),
                None => arranged.extend(entry.vertices),
            }
        }
        arranged
    }

    /// Restores the order that groups have in earlier rows, and adds new groups to it.
    fn keep_sequence(&mut self, entries: &mut [RowEntry]) {
        let places: Vec<usize> = (0..entries.len()).filter(|&place| entries[place].group.is_some()).collect();
        let mut previous: Option<usize> = None;
        for group in places.iter().filter_map(|&place| entries[place].group) {
            if !self.sequence.contains(&group) {
                let after = previous.and_then(|previous| self.sequence.iter().position(|&other| other == previous));
                let next = places.iter().filter_map(|&place| entries[place].group).skip_while(|&other| other != group);
                let before = next.filter_map(|next| self.sequence.iter().position(|&other| other == next)).min();
                let at = after.map(|after| after + 1).or(before).unwrap_or(self.sequence.len());
                self.sequence.insert(at, group);
            }
            previous = Some(group);
        }
        let mut order: Vec<usize> = places.clone();
        order.sort_by_key(|&place| self.sequence.iter().position(|&group| Some(group) == entries[place].group));
        let moved: Vec<RowEntry> = order.iter().map(|&place| entries[place].clone()).collect();
        for (place, entry) in places.into_iter().zip(moved) {
            entries[place] = entry;
        }
    }
}

/// A vertex or the vertices of a group.
#[derive(Clone)]
struct RowEntry {
    group: Option<usize>,
    vertices: Vec<usize>,
    key: Option<f64>,
}

/// The group directly in `within` that contains a place in `group`; `None` if the place is directly in `within`.
fn child_group(graph: &LayeredGraph, within: Option<usize>, group: Option<usize>) -> Option<usize> {
    graph.ancestors(group).take_while(|&ancestor| Some(ancestor) != within).last()
}

/// Entries by their keys; those without a key keep their places.
fn sorted(entries: Vec<RowEntry>) -> Vec<RowEntry> {
    let has_key: Vec<bool> = entries.iter().map(|entry| entry.key.is_some()).collect();
    let (mut with, without): (Vec<RowEntry>, Vec<RowEntry>) = entries.into_iter().partition(|entry| entry.key.is_some());
    with.sort_by(|a, b| a.key.unwrap_or_default().total_cmp(&b.key.unwrap_or_default()));
    let (mut with, mut without) = (with.into_iter(), without.into_iter());
    has_key.into_iter().filter_map(|has_key| if has_key { with.next() } else { without.next() }).collect()
}

/// Exchanges neighbours in a row where that removes crossings.
fn exchange(layers: &mut Layers) {
    let mut work = 0;
    let mut position = vec![0; layers.vertices.len()];
    for row in &layers.order {
        for (at, &vertex) in row.iter().enumerate() {
            position[vertex] = at;
        }
    }
    for _ in 0..4 {
        let mut improved = false;
        for layer in 0..layers.order.len() {
            for at in 1..layers.order[layer].len() {
                let (left, right) = (layers.order[layer][at - 1], layers.order[layer][at]);
                if layers.vertices[left].group != layers.vertices[right].group {
                    continue;
                }
                let mut gain = 0_i64;
                for neighbours in [&layers.above, &layers.below] {
                    for &a in &neighbours[left] {
                        for &b in &neighbours[right] {
                            gain += i64::from(position[a] > position[b]) - i64::from(position[a] < position[b]);
                        }
                    }
                    work += neighbours[left].len() * neighbours[right].len();
                }
                if gain > 0 {
                    layers.order[layer].swap(at - 1, at);
                    position.swap(left, right);
                    improved = true;
                }
            }
        }
        if !improved || work > EXCHANGE_WORK {
            return;
        }
    }
}

/// The number of crossings between neighbouring rows.
fn crossings(layers: &Layers) -> usize {
    let mut position = vec![0; layers.vertices.len()];
    for row in &layers.order {
        for (at, &vertex) in row.iter().enumerate() {
            position[vertex] = at;
        }
    }
    let mut count = 0;
    for row in &layers.order {
        let mut ends = vec![0_usize; layers.vertices.len() + 2];
        // A binary indexed tree over the positions in the next row.
        let mut total = 0;
        for &vertex in row {
            let mut lower: Vec<usize> = layers.below[vertex].iter().map(|&below| position[below]).collect();
            lower.sort_unstable();
            for &end in &lower {
                count += total - sum(&ends, end + 1);
            }
            for &end in &lower {
                let mut at = end + 1;
                while at < ends.len() {
                    ends[at] += 1;
                    at += at & at.wrapping_neg();
                }
                total += 1;
            }
        }
    }
    count
}

fn sum(tree: &[usize], mut at: usize) -> usize {
    let mut total = 0;
    while at > 0 {
        total += tree[at];
        at &= at - 1;
    }
    total
}

fn to_float(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}
