//! The assignment of nodes to columns.

/// The columns of nodes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ranking {
    /// The column of each node, from 0.
    pub(super) ranks: Vec<usize>,
    /// For each edge, whether it leads to the left.
    pub(super) reversed: Vec<bool>,
}

/// Assigns columns to `count` nodes so that edges lead to the right; in a graph with cycles some must be reversed for that.
///
/// Edges from a node to itself must not be among them.
pub(super) fn ranks(count: usize, edges: &[(usize, usize)]) -> Ranking {
    let reversed = back_edges(count, edges);
    let forward: Vec<(usize, usize)> =
        edges.iter().zip(&reversed).map(|(&(from, to), &reversed)| if reversed { (to, from) } else { (from, to) }).collect();
    Ranking { ranks: tighten(longest_paths(count, &forward), &forward), reversed }
}

/// For each of `count` nodes, the targets of its outgoing edges and the sources of its incoming edges.
pub(super) fn neighbours(count: usize, edges: &[(usize, usize)]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut leaving = vec![Vec::new(); count];
    let mut entering = vec![Vec::new(); count];
    for &(from, to) in edges {
        leaving[from].push(to);
        entering[to].push(from);
    }
    (leaving, entering)
}

/// Computes an order of the nodes with few backward edges, and returns whether each edge leads backwards. In the order, sources are first, sinks are last, and
/// the next of the other nodes is the one with the greatest difference of out-degree and in-degree. Source: P. Eades, X. Lin, W. F. Smyth, "A fast and
/// effective heuristic for the feedback arc set problem" (1993).
fn back_edges(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let (leaving, entering) = neighbours(count, edges);
    let mut out: Vec<usize> = leaving.iter().map(Vec::len).collect();
    let mut into: Vec<usize> = entering.iter().map(Vec::len).collect();
    let mut place: Vec<Option<usize>> = vec![None; count];
    let (mut first, mut last) = (0, count);
    // Nodes to check for remaining edges in both directions.
    let mut free: Vec<usize> = (0..count).rev().collect();
    let mut left = count;
    while left > 0 {
        let node = match free.pop() {
            Some(node) if place[node].is_some() || (out[node] > 0 && into[node] > 0) => continue,
            Some(node) => node,
            None => {
                let open = (0..count).filter(|&node| place[node].is_none());
                // Of equal nodes the first, so that the result follows the order of the input.
                match open.max_by_key(|&node| (out[node] + count - into[node].min(count), std::cmp::Reverse(node))) {
                    Some(node) => node,
                    None => break,
                }
            }
        };
        let at_end = out[node] == 0 && into[node] > 0;
        if at_end {
            last -= 1;
        }
        place[node] = Some(if at_end { last } else { first });
        if !at_end {
            first += 1;
        }
        left -= 1;
        for &to in &leaving[node] {
            into[to] = into[to].saturating_sub(1);
            free.push(to);
        }
        for &from in &entering[node] {
            out[from] = out[from].saturating_sub(1);
            free.push(from);
        }
    }
    edges.iter().map(|&(from, to)| place[from] > place[to]).collect()
}

/// The length of the longest path to each node. There must be no cycles.
fn longest_paths(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (leaving, entering) = neighbours(count, edges);
    let mut waiting: Vec<usize> = entering.iter().map(Vec::len).collect();
    let mut ranks = vec![0usize; count];
    let mut ready: Vec<usize> = (0..count).filter(|&node| waiting[node] == 0).collect();
    while let Some(node) = ready.pop() {
        for &to in &leaving[node] {
            ranks[to] = ranks[to].max(ranks[node] + 1);
            waiting[to] -= 1;
            if waiting[to] == 0 {
                ready.push(to);
            }
        }
    }
    ranks
}

/// Moves nodes between their neighbours as long as that reduces the total length of the edges.
fn tighten(mut ranks: Vec<usize>, edges: &[(usize, usize)]) -> Vec<usize> {
    let last = ranks.iter().copied().max().unwrap_or(0);
    let (leaving, entering) = neighbours(ranks.len(), edges);
    // Each iteration reduces the total length or moves nothing; the limit keeps large graphs fast.
    for _ in 0..16 {
        let mut moved = false;
        for node in 0..ranks.len() {
            let lowest = entering[node].iter().map(|&other| ranks[other] + 1).max().unwrap_or(0);
            let highest = leaving[node].iter().map(|&other| ranks[other] - 1).min().unwrap_or(last);
            // Each edge that leaves pulls to the right, each that enters to the left.
            let best = match leaving[node].len().cmp(&entering[node].len()) {
                std::cmp::Ordering::Greater => highest,
                std::cmp::Ordering::Less => lowest,
                std::cmp::Ordering::Equal => ranks[node],
            };
            if best != ranks[node] {
                ranks[node] = best;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    let first = ranks.iter().copied().min().unwrap_or(0);
    ranks.into_iter().map(|rank| rank - first).collect()
}

#[cfg(test)]
mod tests {
    use super::{Ranking, ranks};

    #[test]
    fn arrows_lead_to_the_right() {
        assert_eq!(ranks(3, &[(0, 1), (1, 2), (0, 2)]), Ranking { ranks: vec![0, 1, 2], reversed: vec![false, false, false] });
    }

    #[test]
    fn one_edge_of_a_cycle_is_reversed() {
        let Ranking { ranks, reversed } = ranks(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(reversed.iter().filter(|reversed| **reversed).count(), 1);
        assert_eq!(ranks, [0, 1, 2]);
    }

    #[test]
    fn sources_are_next_to_their_targets() {
        // 4 only leads to 3, the end of a chain.
        assert_eq!(ranks(5, &[(0, 1), (1, 2), (2, 3), (4, 3)]).ranks, [0, 1, 2, 3, 2]);
    }
}
