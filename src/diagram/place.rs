//! The heights within columns: neighbours at the same height where there is space.

use super::order::ColumnItem;

/// The space between blocks, one above the other.
pub(super) const BLOCK_GAP: f64 = 16.0;
/// The space between a line that passes and its neighbours.
pub(super) const LINE_GAP: f64 = 8.0;

/// The height of the middle of each item, within its band.
pub(super) fn centres(items: &[ColumnItem], columns: &[Vec<usize>], steps: &[(usize, usize)], tall: &impl Fn(usize) -> f64) -> Vec<f64> {
    let mut neighbours: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
    for &(from, to) in steps.iter().filter(|(from, to)| items[*from].band == items[*to].band) {
        neighbours[from].push(to);
        neighbours[to].push(from);
    }
    let gap = |above: usize, below: usize| {
        let between = if tall(above) > 0.0 && tall(below) > 0.0 { BLOCK_GAP } else { LINE_GAP };
        f64::midpoint(tall(above), tall(below)) + between
    };
    // The items of each column by band.
    let runs: Vec<&[usize]> =
        columns.iter().flat_map(|column| column.chunk_by(|above, below| items[*above].band == items[*below].band)).collect();
    let mut at = vec![0.0; items.len()];
    for run in &runs {
        let mut y = tall(run[0]) / 2.0;
        at[run[0]] = y;
        for pair in run.windows(2) {
            y += gap(pair[0], pair[1]);
            at[pair[1]] = y;
        }
    }
    for turn in 0..12 {
        let forward = turn % 2 == 0;
        for step in 0..runs.len() {
            let run = runs[if forward { step } else { runs.len() - 1 - step }];
            #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 items")]
            let wanted: Vec<(f64, f64)> = run
                .iter()
                .map(|&item| match neighbours[item].as_slice() {
                    [] => (at[item], 0.05),
                    // Straight lines are more important than centred boxes.
                    others => {
                        (others.iter().map(|&other| at[other]).sum::<f64>() / others.len() as f64, if tall(item) > 0.0 { 1.0 } else { 2.0 })
                    }
                })
                .collect();
            let gaps: Vec<f64> = run.windows(2).map(|pair| gap(pair[0], pair[1])).collect();
            for (&item, y) in run.iter().zip(spread(&wanted, &gaps)) {
                at[item] = y;
            }
        }
    }
    // Every band begins at 0.
    let bands = items.iter().map(|item| item.band + 1).max().unwrap_or(0);
    let mut top = vec![f64::INFINITY; bands];
    for (index, item) in items.iter().enumerate() {
        top[item.band] = top[item.band].min(at[index] - tall(index) / 2.0);
    }
    items.iter().zip(at).map(|(item, y)| (y - top[item.band]).round()).collect()
}

/// Neighbours at one position.
struct Pool {
    value: f64,
    weight: f64,
    members: usize,
}

/// The positions nearest to the desired ones (each with its weight, least squares) that keep the gaps, by the pool-adjacent-violators algorithm.
fn spread(wanted: &[(f64, f64)], gaps: &[f64]) -> Vec<f64> {
    let mut offset = 0.0;
    let mut offsets = vec![0.0];
    for gap in gaps {
        offset += gap;
        offsets.push(offset);
    }
    let mut pools: Vec<Pool> = Vec::new();
    for (&(y, weight), offset) in wanted.iter().zip(&offsets) {
        pools.push(Pool { value: y - offset, weight, members: 1 });
        while let [.., above, below] = pools.as_slice()
            && above.value > below.value
        {
            let weight = above.weight + below.weight;
            let value = above.value.mul_add(above.weight, below.value * below.weight) / weight;
            let joined = Pool { value, weight, members: above.members + below.members };
            pools.truncate(pools.len() - 2);
            pools.push(joined);
        }
    }
    let placed = pools.into_iter().flat_map(|pool| std::iter::repeat_n(pool.value, pool.members));
    placed.zip(offsets).map(|(value, offset)| value + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn positions_are_kept_where_there_is_space() {
        assert_eq!(spread(&[(0.0, 1.0), (100.0, 1.0)], &[10.0]), [0.0, 100.0]);
    }

    #[test]
    fn deviations_are_shared_where_there_is_none() {
        assert_eq!(spread(&[(50.0, 1.0), (50.0, 1.0)], &[10.0]), [45.0, 55.0]);
    }
}
