//! The column of each block, and the order in it.
//!
//! Blocks that are connected without the hub are in one column, so no arrow leads from one column to another.

use super::blocks::BlockGraph;

/// The blocks of each column and band, from top to bottom.
pub(super) type Stacks = Vec<Vec<Vec<usize>>>;

/// Distributes blocks over at most `count` columns so that the bands are low. `height` is the approximate height of a block in pixels.
///
/// With a hub between two columns, blocks with arrows to it are preferred in the first one, and blocks with arrows from it in the second.
pub(super) fn columns(graph: &BlockGraph, bands: usize, count: usize, height: impl Fn(usize) -> f64) -> Stacks {
    let BlockGraph { blocks, edges, hub, .. } = graph;
    let order = flow_order(graph);
    let groups = groups(graph, &order);
    let mut side = vec![None; blocks.len()];
    for edge in edges.iter().filter(|edge| hub.is_some() && edge.back.is_empty()) {
        if Some(edge.to) == *hub {
            side[edge.from] = Some(0);
        } else if Some(edge.from) == *hub {
            side[edge.to] = Some(1);
        }
    }
    let count = count.clamp(1, groups.len().max(1));
    let mut column_of = vec![0; blocks.len()];
    let mut heights = vec![vec![0.0_f64; bands]; count];
    let mut by_size: Vec<(f64, &Vec<usize>)> = groups.iter().map(|group| (group.iter().map(|&block| height(block)).sum(), group)).collect();
    by_size.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (size, group) in by_size {
        let wanted = if let [only] = group.as_slice() { side[*only] } else { None };
        let mut added = vec![0.0; bands];
        for &block in group {
            added[blocks[block].band] += height(block);
        }
        let cost = |column: usize| {
            let tallest = |band: usize| {
                let others = heights.iter().map(|heights| heights[band]).fold(0.0, f64::max);
                f64::max(others, heights[column][band] + added[band])
            };
            let misplaced = if hub.is_some() && wanted.is_some_and(|side| side != column) { size / 2.0 } else { 0.0 };
            ((0..bands).map(tallest).sum::<f64>() + misplaced, heights[column].iter().sum::<f64>())
        };
        let best = (0..count).map(|column| (cost(column), column)).min_by(|(a, _), (b, _)| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let column = best.map_or(0, |(_, column)| column);
        for &block in group {
            column_of[block] = column;
            heights[column][blocks[block].band] += height(block);
        }
    }
    let mut stacks = vec![vec![Vec::new(); bands]; count];
    for block in order {
        stacks[column_of[block]][blocks[block].band].push(block);
    }
    stacks
}

/// The blocks at the other ends of arrows from each block, in the order of the input. The hub is left out.
fn targets(graph: &BlockGraph) -> Vec<Vec<usize>> {
    let mut targets = vec![Vec::new(); graph.blocks.len()];
    for edge in graph.edges.iter().filter(|edge| graph.hub.is_none_or(|hub| edge.from != hub && edge.to != hub)) {
        targets[edge.from].push(edge.to);
    }
    targets
}

/// All blocks except the hub in the reverse postorder of a depth-first search: arrows lead down except in cycles, and chains are contiguous.
fn flow_order(graph: &BlockGraph) -> Vec<usize> {
    let targets = targets(graph);
    let mut is_target = vec![false; targets.len()];
    for &target in targets.iter().flatten() {
        is_target[target] = true;
    }
    // Blocks that are only on cycles are roots, too, after all others.
    let is_block = |block: &usize| graph.hub != Some(*block);
    let (inner, roots): (Vec<usize>, Vec<usize>) = (0..targets.len()).filter(is_block).partition(|&block| is_target[block]);
    let mut seen = vec![false; targets.len()];
    let mut order = Vec::new();
    let mut search = |root: usize| {
        let mut open = vec![(root, targets[root].len())];
        if std::mem::replace(&mut seen[root], true) {
            return;
        }
        while let Some((block, left)) = open.pop() {
            let Some(next) = left.checked_sub(1) else {
                order.push(block);
                continue;
            };
            open.push((block, next));
            let target = targets[block][next];
            if !std::mem::replace(&mut seen[target], true) {
                open.push((target, targets[target].len()));
            }
        }
    };
    roots.into_iter().rev().for_each(&mut search);
    inner.into_iter().rev().for_each(search);
    order.reverse();
    order
}

/// The blocks that are connected without the hub, each group in this order.
fn groups(graph: &BlockGraph, order: &[usize]) -> Vec<Vec<usize>> {
    let mut parents: Vec<usize> = (0..graph.blocks.len()).collect();
    fn root(parents: &mut [usize], mut block: usize) -> usize {
        while parents[block] != block {
            parents[block] = parents[parents[block]];
            block = parents[block];
        }
        block
    }
    for (from, targets) in targets(graph).into_iter().enumerate() {
        for to in targets {
            let (a, b) = (root(&mut parents, from), root(&mut parents, to));
            parents[a.max(b)] = a.min(b);
        }
    }
    let mut group_of = vec![None; graph.blocks.len()];
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &block in order {
        let root = root(&mut parents, block);
        let group = *group_of[root].get_or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(block);
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::{columns, flow_order};
    use crate::diagram::blocks::{BlockEdge, BlockGraph, NodeBlock};

    fn graph(blocks: usize, edges: &[(usize, usize)], hub: Option<usize>) -> BlockGraph {
        BlockGraph {
            blocks: (0..blocks).map(|node| NodeBlock { members: vec![node], band: 0 }).collect(),
            edges: edges.iter().map(|&(from, to)| BlockEdge { from, to, verbs: Vec::new(), back: Vec::new() }).collect(),
            hub,
            hub_edges: vec![None; blocks],
        }
    }

    #[test]
    fn arrows_lead_down_and_chains_are_contiguous() {
        assert_eq!(flow_order(&graph(6, &[(4, 1), (1, 5), (4, 2), (2, 0)], None)), [3, 4, 1, 5, 2, 0]);
    }

    #[test]
    fn a_cycle_has_an_order() {
        assert_eq!(flow_order(&graph(3, &[(0, 1), (1, 2), (2, 0)], None)).len(), 3);
    }

    #[test]
    fn what_is_connected_without_the_hub_shares_a_column() {
        let stacks = columns(&graph(5, &[(1, 0), (0, 2), (3, 4), (3, 0)], Some(0)), 1, 2, |_| 28.0);
        assert_eq!(stacks, [[vec![3, 4]], [vec![1, 2]]]);
    }

    #[test]
    fn arrows_to_the_hub_come_from_the_left() {
        let stacks = columns(&graph(3, &[(1, 0), (0, 2)], Some(0)), 1, 2, |_| 28.0);
        assert_eq!(stacks, [[vec![1]], [vec![2]]]);
    }
}
