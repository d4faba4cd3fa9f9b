//! Columns: which node stands left of which.

/// Gives each of `count` nodes a column so that every edge leads to the right, and says which edges had to be turned round for that. Columns begin at 0.
///
/// Edges from a node to itself must not be among them.
pub(super) fn ranks(count: usize, edges: &[(usize, usize)]) -> (Vec<usize>, Vec<bool>) {
    let turned = turn_back_edges(count, edges);
    let forward: Vec<(usize, usize)> =
        edges.iter().zip(&turned).map(|(&(from, to), &turned)| if turned { (to, from) } else { (from, to) }).collect();
    (tighten(longest_paths(count, &forward), &forward), turned)
}

/// Which edges lead back in an order of the nodes that was chosen to have few such edges: what nothing leads to comes first, what leads nowhere last, and of the
/// rest the one that acts most on others is next. Source: P. Eades, X. Lin, W. F. Smyth, "A fast and effective heuristic for the feedback arc set problem" (1993).
fn turn_back_edges(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut leaving = vec![Vec::new(); count];
    let mut entering = vec![Vec::new(); count];
    for &(from, to) in edges {
        leaving[from].push(to);
        entering[to].push(from);
    }
    let mut out: Vec<usize> = leaving.iter().map(Vec::len).collect();
    let mut into: Vec<usize> = entering.iter().map(Vec::len).collect();
    let mut place: Vec<Option<usize>> = vec![None; count];
    let (mut first, mut last) = (0, count);
    // Nodes that became free of arrows in one direction, still to be looked at.
    let mut free: Vec<usize> = (0..count).rev().collect();
    let mut left = count;
    while left > 0 {
        let node = match free.pop() {
            Some(node) if place[node].is_some() || (out[node] > 0 && into[node] > 0) => continue,
            Some(node) => node,
            None => {
                let open = (0..count).filter(|&node| place[node].is_none());
                // The first of the best, so that the order of the author decides.
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

/// The length of the longest way to each node. There are no circles.
fn longest_paths(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut leaving = vec![Vec::new(); count];
    let mut waiting = vec![0usize; count];
    for &(from, to) in edges {
        leaving[from].push(to);
        waiting[to] += 1;
    }
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

/// Moves nodes within the room that their neighbours leave, while that makes the edges shorter in all.
fn tighten(mut ranks: Vec<usize>, edges: &[(usize, usize)]) -> Vec<usize> {
    let last = ranks.iter().copied().max().unwrap_or(0);
    let mut leaving = vec![Vec::new(); ranks.len()];
    let mut entering = vec![Vec::new(); ranks.len()];
    for &(from, to) in edges {
        leaving[from].push(to);
        entering[to].push(from);
    }
    // Each turn shortens the sum of lengths or moves nothing; the bound keeps large graphs quick.
    for _ in 0..16 {
        let mut moved = false;
        for node in 0..ranks.len() {
            let lowest = entering[node].iter().map(|&other| ranks[other] + 1).max().unwrap_or(0);
            let highest = leaving[node].iter().map(|&other| ranks[other] - 1).min().unwrap_or(last);
            // Each arrow that leaves pulls to the right, each that enters to the left.
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
    for rank in &mut ranks {
        *rank -= first;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::ranks;

    #[test]
    fn arrows_lead_to_the_right() {
        assert_eq!(ranks(3, &[(0, 1), (1, 2), (0, 2)]), (vec![0, 1, 2], vec![false, false, false]));
    }

    #[test]
    fn one_arrow_of_a_circle_is_turned() {
        let (ranks, turned) = ranks(3, &[(0, 1), (1, 2), (2, 0)]);
        assert_eq!(turned.iter().filter(|turned| **turned).count(), 1);
        assert_eq!(ranks, [0, 1, 2]);
    }

    #[test]
    fn those_that_act_stand_beside_what_they_act_on() {
        // 4 only calls 3, which stands at the end of a chain.
        assert_eq!(ranks(5, &[(0, 1), (1, 2), (2, 3), (4, 3)]).0, [0, 1, 2, 3, 2]);
    }
}
