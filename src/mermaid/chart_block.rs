//! Parts of a drawing that are laid out separately and then placed next to each other or in a frame.

use super::path::Point;

/// The distance between parts that are not connected.
const BETWEEN: f64 = 30.0;
/// The widths that several parts side by side may have.
const NARROWEST: f64 = 240.0;
const WIDEST: f64 = 660.0;
/// The width of a row of parts, relative to the height of all rows.
const ASPECT: f64 = 3.0;

/// The course of an arrow.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) edge: usize,
    /// The start and the end, and between them an even number of points: from the first to the second, from the third to the fourth … the arrow may
    /// bend, otherwise it is straight.
    pub(super) points: Vec<Point>,
    /// Whether the straight parts are horizontal.
    pub(super) is_horizontal: bool,
    /// The middle of its label.
    pub(super) label: Option<Point>,
}

/// Positions of nodes, groups and arrows, relative to the upper left corner.
#[derive(Clone, Debug, Default)]
pub(super) struct ChartBlock {
    pub(super) size: Point,
    /// The middle of each node.
    pub(super) nodes: Vec<(usize, Point)>,
    /// The corner and the size of each group.
    pub(super) groups: Vec<(usize, Point, Point)>,
    pub(super) courses: Vec<Course>,
    /// The groups that were laid out separately.
    pub(super) closed: Vec<usize>,
}

impl ChartBlock {
    /// Adds another block at an offset.
    pub(super) fn insert(&mut self, other: Self, by: Point) {
        let moved = |(x, y): Point| (x + by.0, y + by.1);
        self.size = (self.size.0.max(by.0 + other.size.0), self.size.1.max(by.1 + other.size.1));
        self.nodes.extend(other.nodes.into_iter().map(|(node, middle)| (node, moved(middle))));
        self.groups.extend(other.groups.into_iter().map(|(group, corner, size)| (group, moved(corner), size)));
        self.closed.extend(other.closed);
        self.courses.extend(other.courses.into_iter().map(|course| Course {
            points: course.points.into_iter().map(moved).collect(),
            label: course.label.map(moved),
            ..course
        }));
    }
}

/// Places blocks in rows, in their order. In a chart with horizontal arrows, each has a row.
pub(super) fn pack(blocks: Vec<ChartBlock>, is_horizontal: bool) -> ChartBlock {
    let widest = blocks.iter().map(|block| block.size.0).fold(0.0, f64::max);
    let area: f64 = blocks.iter().map(|block| (block.size.0 + BETWEEN) * (block.size.1 + BETWEEN)).sum();
    let limit = if is_horizontal { widest } else { (area * ASPECT).sqrt().clamp(NARROWEST, WIDEST).max(widest) };
    let mut all = ChartBlock::default();
    let (mut left, mut top, mut bottom) = (0.0, 0.0, 0.0);
    for block in blocks {
        if left > 0.0 && left + block.size.0 > limit {
            (left, top) = (0.0, bottom + BETWEEN);
        }
        let (wide, high) = block.size;
        all.insert(block, (left, top));
        left += wide + BETWEEN;
        bottom = f64::max(bottom, top + high);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{ChartBlock, pack};

    #[test]
    fn rows_have_a_limited_width() {
        let block = |wide: f64| ChartBlock { size: (wide, 50.0), ..ChartBlock::default() };
        let all = pack(vec![block(500.0), block(300.0), block(500.0)], false);
        assert!(all.size.0 <= 660.0 && all.size.1 > 150.0, "{:?}", all.size);
        assert!(pack(vec![block(100.0), block(100.0)], true).size.1 > 100.0);
    }
}
