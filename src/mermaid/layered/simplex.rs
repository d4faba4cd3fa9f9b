//! The network simplex method: whole numbers with minimum distances, as close together as possible.
//!
//! Source: Gansner, Koutsofios, North, Vo, "A Technique for Drawing Directed Graphs", 1993.

use std::collections::VecDeque;

/// The limit for the work of one optimization. When it is reached, the numbers fulfil all distances, but may be further apart than necessary.
const WORK: usize = 60_000_000;

/// A condition on two numbers: `to` is at least `min` greater than `from`. Each unit of their distance costs `weight`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Distance {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) min: i64,
    pub(super) weight: i64,
}

/// Finds `count` numbers that fulfil all conditions at the lowest cost. Together, the conditions must connect all numbers and contain no cycle; otherwise the
/// result does not fulfil them.
pub(super) fn optimize(count: usize, distances: &[Distance]) -> Vec<i64> {
    if count == 0 {
        return Vec::new();
    }
    let mut simplex = Simplex::new(count, distances);
    if simplex.grow_tree() {
        simplex.improve();
    }
    let least = simplex.values.iter().copied().min().unwrap_or(0);
    simplex.values.iter().map(|value| value - least).collect()
}

struct Simplex<'a> {
    distances: &'a [Distance],
    /// The conditions at each number.
    incident: Vec<Vec<usize>>,
    values: Vec<i64>,
    in_tree: Vec<bool>,
    /// The condition that connects a number with its parent in the tree.
    parent: Vec<Option<usize>>,
    /// The numbers in the order in which the search leaves them.
    postorder: Vec<usize>,
    /// The position in that order, and the lowest position in its subtree.
    lim: Vec<usize>,
    low: Vec<usize>,
    cut: Vec<i64>,
}

impl<'a> Simplex<'a> {
    fn new(count: usize, distances: &'a [Distance]) -> Self {
        let mut incident = vec![Vec::new(); count];
        for (index, distance) in distances.iter().enumerate() {
            incident[distance.from].push(index);
            incident[distance.to].push(index);
        }
        let mut simplex = Self {
            distances,
            incident,
            values: vec![0; count],
            in_tree: vec![false; distances.len()],
            parent: vec![None; count],
            postorder: Vec::with_capacity(count),
            lim: vec![0; count],
            low: vec![0; count],
            cut: vec![0; distances.len()],
        };
        simplex.start();
        simplex
    }

    /// The lowest numbers that fulfil all conditions.
    fn start(&mut self) {
        let mut waits = vec![0_usize; self.values.len()];
        for distance in self.distances {
            waits[distance.to] += 1;
        }
        let mut ready: VecDeque<usize> = (0..self.values.len()).filter(|&number| waits[number] == 0).collect();
        while let Some(number) = ready.pop_front() {
            for &index in &self.incident[number] {
                let Distance { from, to, min, .. } = self.distances[index];
                if from == number {
                    self.values[to] = self.values[to].max(self.values[from] + min);
                    waits[to] -= 1;
                    if waits[to] == 0 {
                        ready.push_back(to);
                    }
                }
            }
        }
    }

    fn slack(&self, index: usize) -> i64 {
        let Distance { from, to, min, .. } = self.distances[index];
        self.values[to] - self.values[from] - min
    }

    const fn other(&self, index: usize, number: usize) -> usize {
        let distance = &self.distances[index];
        if distance.from == number { distance.to } else { distance.from }
    }

    /// Connects all numbers by conditions without slack. `false` if the conditions don't connect all numbers.
    fn grow_tree(&mut self) -> bool {
        let mut reached = vec![false; self.values.len()];
        let mut members = vec![0];
        reached[0] = true;
        let mut pending = vec![0];
        loop {
            while let Some(number) = pending.pop() {
                for position in 0..self.incident[number].len() {
                    let index = self.incident[number][position];
                    let other = self.other(index, number);
                    if !reached[other] && self.slack(index) == 0 {
                        reached[other] = true;
                        self.in_tree[index] = true;
                        members.push(other);
                        pending.push(other);
                    }
                }
            }
            if members.len() == reached.len() {
                return true;
            }
            let leaving = |index: &usize| reached[self.distances[*index].from] != reached[self.distances[*index].to];
            let Some(index) = (0..self.distances.len()).filter(leaving).min_by_key(|&index| self.slack(index)) else { return false };
            let Distance { from, to, .. } = self.distances[index];
            let slack = self.slack(index);
            let (inner, by) = if reached[from] { (from, slack) } else { (to, -slack) };
            for &number in &members {
                self.values[number] += by;
            }
            pending.push(inner);
        }
    }

    /// Exchanges conditions of the tree as long as that lowers the cost.
    fn improve(&mut self) {
        let cost = self.values.len() + self.distances.len();
        let mut left = WORK / cost.max(1);
        let mut from = 0;
        self.number_tree();
        while left > 0 {
            left -= 1;
            let count = self.distances.len();
            let negative = |index: &usize| self.in_tree[*index] && self.cut[*index] < 0;
            let Some(leaving) = (from..count).chain(0..from).find(negative) else { return };
            from = (leaving + 1) % count.max(1);
            let Some((entering, moved, by)) = self.entering(leaving) else { return };
            for number in 0..self.values.len() {
                if self.is_below(number, moved) {
                    self.values[number] += by;
                }
            }
            self.in_tree[leaving] = false;
            self.in_tree[entering] = true;
            self.number_tree();
        }
    }

    fn is_below(&self, number: usize, root: usize) -> bool {
        self.low[root] <= self.lim[number] && self.lim[number] <= self.lim[root]
    }

    /// The condition that replaces another one in the tree, the root of the subtree that moves, and how far it moves.
    fn entering(&self, leaving: usize) -> Option<(usize, usize, i64)> {
        let Distance { from, to, .. } = self.distances[leaving];
        let head_is_below = self.lim[from] > self.lim[to];
        let root = if head_is_below { to } else { from };
        let crosses = |index: &usize| {
            let Distance { from, to, .. } = self.distances[*index];
            self.is_below(from, root) == head_is_below && self.is_below(to, root) != head_is_below
        };
        let entering = (0..self.distances.len()).filter(crosses).min_by_key(|&index| self.slack(index))?;
        let slack = self.slack(entering);
        Some((entering, root, if head_is_below { slack } else { -slack }))
    }

    /// Computes the order of the tree and the cut values of its conditions.
    fn number_tree(&mut self) {
        self.postorder.clear();
        let mut open = vec![(0_usize, 0_usize, 0_usize)];
        self.parent[0] = None;
        while let Some((number, position, low)) = open.pop() {
            let next = self.incident[number][position..]
                .iter()
                .position(|&index| self.in_tree[index] && self.parent[number] != Some(index))
                .map(|more| position + more);
            if let Some(at) = next {
                let index = self.incident[number][at];
                let child = self.other(index, number);
                open.push((number, at + 1, low));
                self.parent[child] = Some(index);
                open.push((child, 0, self.postorder.len()));
            } else {
                self.low[number] = low;
                self.lim[number] = self.postorder.len();
                self.postorder.push(number);
            }
        }
        for position in 0..self.postorder.len() {
            let number = self.postorder[position];
            if let Some(tree) = self.parent[number] {
                self.cut[tree] = self.cut_value(number, tree);
            }
        }
    }

    /// What it costs to lengthen a condition of the tree by one.
    fn cut_value(&self, child: usize, tree: usize) -> i64 {
        let child_is_tail = self.distances[tree].from == child;
        let mut cut = self.distances[tree].weight;
        for &index in self.incident[child].iter().filter(|&&index| index != tree) {
            let distance = &self.distances[index];
            let sign = if (distance.from == child) == child_is_tail { 1 } else { -1 };
            cut += sign * distance.weight;
            if self.in_tree[index] {
                cut -= sign * self.cut[index];
            }
        }
        cut
    }
}

#[cfg(test)]
mod tests {
    use super::{Distance, optimize};

    fn distances(list: &[(usize, usize, i64, i64)]) -> Vec<Distance> {
        list.iter().map(|&(from, to, min, weight)| Distance { from, to, min, weight }).collect()
    }

    #[test]
    fn numbers_are_as_close_as_possible() {
        // A source that is needed late is next to where it is needed.
        let all = distances(&[(0, 1, 1, 1), (1, 2, 1, 1), (2, 3, 1, 1), (4, 3, 1, 1)]);
        assert_eq!(optimize(5, &all), [0, 1, 2, 3, 2]);
    }

    #[test]
    fn heavy_distances_are_short() {
        let all = distances(&[(0, 1, 1, 1), (0, 2, 5, 0), (1, 2, 1, 9)]);
        assert_eq!(optimize(3, &all), [0, 4, 5]);
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(optimize(0, &[]), Vec::<i64>::new());
        assert_eq!(optimize(1, &[]), [0]);
    }
}
