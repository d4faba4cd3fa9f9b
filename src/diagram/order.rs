//! The order within columns, with few crossings of lines.

use super::rank::neighbours;

/// An item of a column: a block, or the place where an arrow passes.
#[derive(Clone, Debug)]
pub(super) struct ColumnItem {
    pub(super) column: usize,
    /// From the top.
    pub(super) band: usize,
}

/// The items of each column from top to bottom. Bands keep their order; within them the order is chosen.
pub(super) fn order(items: &[ColumnItem], links: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let count = items.iter().map(|item| item.column + 1).max().unwrap_or(0);
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (index, item) in items.iter().enumerate() {
        columns[item.column].push(index);
    }
    for column in &mut columns {
        column.sort_by_key(|&item| items[item].band);
    }
    let mut sweep = Sweep::new(items, links, columns);
    let mut best = (sweep.crossings(), sweep.columns.clone());
    for turn in 0..24 {
        sweep.run(turn % 2 == 0);
        sweep.swap_neighbours();
        let crossings = sweep.crossings();
        if crossings < best.0 {
            best = (crossings, sweep.columns.clone());
        }
        if best.0 == 0 {
            break;
        }
    }
    best.1
}

struct Sweep<'a> {
    items: &'a [ColumnItem],
    /// Neighbours in the column to the left, by item.
    left: Vec<Vec<usize>>,
    /// Neighbours in the column to the right.
    right: Vec<Vec<usize>>,
    columns: Vec<Vec<usize>>,
    /// The position of each item in its column.
    at: Vec<usize>,
}

impl<'a> Sweep<'a> {
    fn new(items: &'a [ColumnItem], links: &[(usize, usize)], columns: Vec<Vec<usize>>) -> Self {
        let (right, left) = neighbours(items.len(), links);
        let mut sweep = Self { items, left, right, at: vec![0; items.len()], columns };
        (0..sweep.columns.len()).for_each(|column| sweep.place(column));
        sweep
    }

    fn place(&mut self, column: usize) {
        for (at, &item) in self.columns[column].iter().enumerate() {
            self.at[item] = at;
        }
    }

    /// Sorts the items of each column by the mean position of their neighbours, column by column, to the right or to the left.
    fn run(&mut self, rightwards: bool) {
        let last = self.columns.len();
        for step in 1..last {
            let column = if rightwards { step } else { last - 1 - step };
            let neighbours = if rightwards { &self.left } else { &self.right };
            let mut keyed: Vec<(usize, f64, usize)> = self.columns[column]
                .iter()
                .map(|&item| (self.items[item].band, self.middle(&neighbours[item], self.at[item]), item))
                .collect();
            keyed.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
            self.columns[column] = keyed.into_iter().map(|(_, _, item)| item).collect();
            self.place(column);
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "columns have far fewer than 2^52 items")]
    fn middle(&self, neighbours: &[usize], otherwise: usize) -> f64 {
        if neighbours.is_empty() {
            return otherwise as f64;
        }
        neighbours.iter().map(|&other| self.at[other] as f64).sum::<f64>() / neighbours.len() as f64
    }

    /// Swaps adjacent items of a column where that removes crossings.
    fn swap_neighbours(&mut self) {
        for column in 0..self.columns.len() {
            for at in 1..self.columns[column].len() {
                let (above, below) = (self.columns[column][at - 1], self.columns[column][at]);
                if self.items[above].band != self.items[below].band {
                    continue;
                }
                let now = self.crossings_of(&self.left, above, below) + self.crossings_of(&self.right, above, below);
                let then = self.crossings_of(&self.left, below, above) + self.crossings_of(&self.right, below, above);
                if then < now {
                    self.columns[column].swap(at - 1, at);
                    self.at.swap(above, below);
                }
            }
        }
    }

    /// How often the lines of two items cross on one side if the first is above the second.
    fn crossings_of(&self, neighbours: &[Vec<usize>], above: usize, below: usize) -> usize {
        let lower = &neighbours[below];
        neighbours[above].iter().map(|&one| lower.iter().filter(|&&other| self.at[other] < self.at[one]).count()).sum()
    }

    /// All crossings between neighbouring columns.
    fn crossings(&self) -> usize {
        self.columns.iter().map(|column| self.crossings_right_of(column)).sum()
    }

    /// Counts inversions: for each line the lines of items above that end further down.
    fn crossings_right_of(&self, column: &[usize]) -> usize {
        let mut seen: Vec<usize> = Vec::new();
        let mut crossings = 0;
        for &item in column {
            let ends = || self.right[item].iter().map(|&other| self.at[other]);
            crossings += ends().map(|end| seen.len() - seen.partition_point(|other| *other <= end)).sum::<usize>();
            seen.extend(ends());
            seen.sort_unstable();
        }
        crossings
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnItem, order};

    fn item(column: usize, band: usize) -> ColumnItem {
        ColumnItem { column, band }
    }

    #[test]
    fn avoidable_crossings_are_avoided() {
        let items = [item(0, 0), item(0, 0), item(1, 0), item(1, 0)];
        assert_eq!(order(&items, &[(0, 3), (1, 2)]).concat().len(), 4);
        let columns = order(&items, &[(0, 3), (1, 2)]);
        let at = |wanted: usize| columns.iter().find_map(|column| column.iter().position(|&item| item == wanted));
        assert_eq!(at(0) < at(1), at(3) < at(2));
    }

    #[test]
    fn bands_keep_their_order() {
        let items = [item(0, 1), item(0, 0), item(1, 0), item(1, 1)];
        assert_eq!(order(&items, &[(0, 2), (1, 3)]), [[1, 0], [2, 3]]);
    }
}
