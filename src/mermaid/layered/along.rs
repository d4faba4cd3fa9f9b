//! Positions of the rows, and the borders of groups between them.

use std::collections::BTreeMap;

use super::{across::Across, graph::LayeredGraph, layers::Layers, ranking::Ranking};

/// The distance between two rows of nodes.
const BETWEEN_ROWS: f64 = 44.0;
/// The distance of a row of labels from the rows of nodes around it.
const AROUND_LABELS: f64 = 23.0;
/// The distance of the border of a group from what is outside of it.
const AROUND_GROUPS: f64 = 28.0;
/// An arrow that is longer than this in the direction of the rows needs more room for its curve.
const LONG: f64 = 140.0;
/// How much more, for each pixel, and at most.
const MORE: f64 = 0.07;
const MOST_MORE: f64 = 40.0;

pub(super) struct Along {
    /// The start and the end of each layer.
    pub(super) layer: Vec<(f64, f64)>,
    /// The borders of each group.
    pub(super) group: Vec<(f64, f64)>,
    pub(super) total: f64,
}

/// What is in a row.
#[derive(Clone, Debug)]
enum RowKind {
    Layer(usize),
    Before(Vec<usize>),
    After(Vec<usize>),
}

pub(super) fn positions(graph: &LayeredGraph, ranking: &Ranking, layers: &Layers, across: &Across) -> Along {
    let rows = rows(graph, ranking, layers);
    let mut paddings: Vec<(f64, f64)> = graph.groups.iter().map(|group| (group.before, group.after)).collect();
    let mut along = place(&rows, graph, layers, across, &paddings);
    // Inner groups first, because they make the outer ones longer.
    let mut groups: Vec<usize> = (0..graph.groups.len()).collect();
    groups.sort_by_key(|&group| std::cmp::Reverse(graph.depth(Some(group))));
    for group in groups {
        let (before, after) = along.group[group];
        let missing = graph.groups[group].min_along - (after - before);
        if missing > 0.0 {
            paddings[group].0 += missing / 2.0;
            paddings[group].1 += missing / 2.0;
            along = place(&rows, graph, layers, across, &paddings);
        }
    }
    along
}

/// All rows in their order.
fn rows(graph: &LayeredGraph, ranking: &Ranking, layers: &Layers) -> Vec<RowKind> {
    let mut rows: BTreeMap<i64, RowKind> = layers.rows.iter().enumerate().map(|(layer, &row)| (row, RowKind::Layer(layer))).collect();
    for group in 0..graph.groups.len() {
        if let RowKind::Before(groups) = rows.entry(ranking.before[group]).or_insert(RowKind::Before(Vec::new())) {
            groups.push(group);
        }
    }
    for group in 0..graph.groups.len() {
        if let RowKind::After(groups) = rows.entry(ranking.after[group]).or_insert(RowKind::After(Vec::new())) {
            groups.push(group);
        }
    }
    rows.into_values().collect()
}

fn place(rows: &[RowKind], graph: &LayeredGraph, layers: &Layers, across: &Across, paddings: &[(f64, f64)]) -> Along {
    let mut along = Along { layer: vec![(0.0, 0.0); layers.order.len()], group: vec![(0.0, 0.0); graph.groups.len()], total: 0.0 };
    let mut at = 0.0;
    let mut previous: Option<&RowKind> = None;
    for row in rows {
        at += previous.map_or(0.0, |previous| gap(previous, row, layers, across));
        match row {
            RowKind::Layer(layer) => {
                let size = layers.order[*layer].iter().map(|&vertex| layers.vertices[vertex].along).fold(0.0, f64::max);
                along.layer[*layer] = (at, at + size);
                at += size;
            }
            RowKind::Before(groups) => {
                let size = groups.iter().map(|&group| paddings[group].0).fold(0.0, f64::max);
                at += size;
                for &group in groups {
                    along.group[group].0 = at - paddings[group].0;
                }
            }
            RowKind::After(groups) => {
                for &group in groups {
                    along.group[group].1 = at + paddings[group].1;
                }
                at += groups.iter().map(|&group| paddings[group].1).fold(0.0, f64::max);
            }
        }
        previous = Some(row);
    }
    along.total = at;
    along
}

/// The distance between two neighbouring rows.
fn gap(upper: &RowKind, lower: &RowKind, layers: &Layers, across: &Across) -> f64 {
    let has_nodes = |layer: usize| layers.order[layer].iter().any(|&vertex| layers.vertices[vertex].is_node());
    match (upper, lower) {
        (RowKind::Layer(upper), RowKind::Layer(lower)) => {
            let usual = if has_nodes(*upper) && has_nodes(*lower) { BETWEEN_ROWS } else { AROUND_LABELS };
            usual + for_curves(*upper, layers, across)
        }
        (RowKind::Layer(upper), RowKind::Before(_)) => {
            if has_nodes(*upper) {
                AROUND_GROUPS
            } else {
                AROUND_LABELS
            }
        }
        (RowKind::After(_), RowKind::Layer(lower)) => {
            if has_nodes(*lower) {
                AROUND_GROUPS
            } else {
                AROUND_LABELS
            }
        }
        (RowKind::After(_), RowKind::Before(_)) => AROUND_GROUPS,
        (RowKind::Before(_), _) | (_, RowKind::After(_)) => 0.0,
    }
}

/// Additional room for arrows that change their place by much.
fn for_curves(layer: usize, layers: &Layers, across: &Across) -> f64 {
    let links = layers.order[layer].iter().flat_map(|&upper| layers.below[upper].iter().map(move |&lower| (upper, lower)));
    let longest = links.map(|(upper, lower)| (across.vertex[upper] - across.vertex[lower]).abs()).fold(0.0, f64::max);
    (MORE * (longest - LONG)).clamp(0.0, MOST_MORE)
}
