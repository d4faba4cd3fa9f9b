//! The shapes of nodes: their size around a label, their outline, and their names in the source.

use super::path::Point;

/// The shape of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum NodeShapeKind {
    #[default]
    Rectangle,
    Rounded,
    Stadium,
    Subroutine,
    Cylinder,
    Circle,
    DoubleCircle,
    Flag,
    Diamond,
    Hexagon,
    LeanRight,
    LeanLeft,
    /// Wider below.
    Trapezoid,
    /// Wider above.
    InvertedTrapezoid,
    Document,
    Triangle,
    /// A text without a box.
    Plain,
    Note,
    /// A filled circle, where a state diagram begins.
    Start,
    /// A circle in a circle, where it ends.
    End,
    /// A bar where arrows fork or join.
    Bar,
    /// A group without members.
    EmptyGroup,
}

/// The space between a label and the outline.
const PADDING: Point = (12.0, 9.0);
/// How far slanted sides lean.
const LEAN: f64 = 12.0;
/// The distance of the inner lines of a subroutine from its sides.
pub(super) const RULE: f64 = 7.0;
/// The size of the folded corner of a document.
pub(super) const FOLD: f64 = 11.0;
/// The radius of the circles at the start and end.
const DOT: f64 = 7.0;
/// The length and the thickness of a bar.
const BAR: Point = (72.0, 6.0);

impl NodeShapeKind {
    /// A shape by its name in `@{ shape: name }`: the nearest of those that are drawn.
    pub(super) fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "rect" | "proc" | "process" | "rectangle" | "square" | "squareRect" | "div-rect" | "div-proc" | "divided-process"
            | "divided-rectangle" | "st-rect" | "procs" | "processes" | "stacked-rectangle" | "tag-rect" | "tag-proc"
            | "tagged-process" | "tagged-rectangle" | "card" | "notch-rect" | "notched-rectangle" => Self::Rectangle,
            "rounded" | "event" | "roundedRect" | "cloud" | "bang" | "rounded-rect" => Self::Rounded,
            "stadium" | "terminal" | "pill" | "delay" | "half-rounded-rectangle" | "curv-trap" | "curved-trapezoid" | "display" => {
                Self::Stadium
            }
            "fr-rect" | "framed-rectangle" | "subproc" | "subprocess" | "subroutine" | "lin-rect" | "lin-proc" | "lined-process"
            | "lined-proc" | "lined-rectangle" | "shaded-process" | "win-pane" | "internal-storage" | "window-pane" => Self::Subroutine,
            "cyl"
            | "cylinder"
            | "database"
            | "db"
            | "das"
            | "h-cyl"
            | "horizontal-cylinder"
            | "disk"
            | "lin-cyl"
            | "lined-cylinder"
            | "bow-rect"
            | "bow-tie-rectangle"
            | "stored-data"
            | "datastore"
            | "data-store" => Self::Cylinder,
            "circle" | "circ" => Self::Circle,
            "dbl-circ" | "double-circle" | "doublecircle" => Self::DoubleCircle,
            "odd" | "flag" | "paper-tape" => Self::Flag,
            "diam" | "diamond" | "decision" | "question" | "hourglass" | "collate" => Self::Diamond,
            "hex" | "hexagon" | "prepare" | "notch-pent" | "notched-pentagon" | "loop-limit" => Self::Hexagon,
            "lean-r" | "lean-right" | "in-out" => Self::LeanRight,
            "lean-l" | "lean-left" | "out-in" => Self::LeanLeft,
            "trap-b" | "trapezoid" | "trapezoid-bottom" | "priority" | "sl-rect" | "sloped-rectangle" | "manual-input" => Self::Trapezoid,
            "trap-t" | "inv-trapezoid" | "inv_trapezoid" | "trapezoid-top" | "manual" => Self::InvertedTrapezoid,
            "doc" | "document" | "docs" | "documents" | "st-doc" | "stacked-document" | "lin-doc" | "lined-document" | "tag-doc"
            | "tagged-document" => Self::Document,
            "tri" | "triangle" | "extract" | "flip-tri" | "flipped-triangle" | "manual-file" => Self::Triangle,
            "text" => Self::Plain,
            "brace" | "brace-l" | "brace-r" | "braces" | "comment" | "note" => Self::Note,
            "sm-circ" | "small-circle" | "start" | "f-circ" | "filled-circle" | "junction" => Self::Start,
            "fr-circ" | "framed-circle" | "stop" | "cross-circ" | "crossed-circle" | "summary" => Self::End,
            "fork" | "join" => Self::Bar,
            _ => return None,
        })
    }

    /// Whether the label is written.
    pub(super) const fn has_label(self) -> bool {
        !matches!(self, Self::Start | Self::End | Self::Bar)
    }

    /// The width and height around a label of this size. A bar is across the arrows.
    pub(super) fn size(self, (wide, high): Point, is_horizontal: bool) -> Point {
        let (across, down) = (2.0f64.mul_add(PADDING.0, wide), 2.0f64.mul_add(PADDING.1, high));
        match self {
            Self::Rectangle | Self::Rounded | Self::Note | Self::EmptyGroup => (across, down),
            Self::Stadium => (0.3f64.mul_add(down, across), down),
            Self::Subroutine => (2.0f64.mul_add(RULE, across), down),
            Self::Cylinder => (across, 2.0f64.mul_add(cylinder_cap(across), down)),
            Self::Circle | Self::DoubleCircle => {
                let more = if self == Self::Circle { 10.0 } else { 20.0 };
                let diameter = wide.hypot(high).max(14.0) + more;
                (diameter, diameter)
            }
            Self::Flag | Self::LeanRight | Self::LeanLeft => (across + LEAN, down),
            Self::Trapezoid | Self::InvertedTrapezoid | Self::Hexagon => (1.5f64.mul_add(LEAN, across), down),
            Self::Diamond => {
                // A label of size w × h fits in a diamond of size W × H if w / W + h / H is at most 1.
                let (wide, high) = (wide + 8.0, high + 6.0);
                let across = (wide * 1.5).max(high + wide).max(34.0);
                (across, (high / (1.0 - wide / across)).max(30.0))
            }
            Self::Document => (across + FOLD, down),
            Self::Triangle => (1.2f64.mul_add(high, wide) + 36.0, high + wide / 2.0 + 26.0),
            Self::Plain => (wide + 8.0, high + 8.0),
            Self::Start | Self::End => (2.0 * DOT, 2.0 * DOT),
            Self::Bar if is_horizontal => (BAR.1, BAR.0),
            Self::Bar => BAR,
        }
    }

    /// The corners, relative to the middle, of a shape that is a polygon.
    pub(super) fn corners(self, (wide, high): Point) -> Option<Vec<Point>> {
        let (x, y) = (wide / 2.0, high / 2.0);
        Some(match self {
            Self::Flag => vec![(-x, -y), (x, -y), (x, y), (-x, y), (LEAN - x, 0.0)],
            Self::Diamond => vec![(0.0, -y), (x, 0.0), (0.0, y), (-x, 0.0)],
            Self::Hexagon => vec![(LEAN - x, -y), (x - LEAN, -y), (x, 0.0), (x - LEAN, y), (LEAN - x, y), (-x, 0.0)],
            Self::LeanRight => vec![(LEAN - x, -y), (x, -y), (x - LEAN, y), (-x, y)],
            Self::LeanLeft => vec![(-x, -y), (x - LEAN, -y), (x, y), (LEAN - x, y)],
            Self::Trapezoid => vec![(LEAN - x, -y), (x - LEAN, -y), (x, y), (-x, y)],
            Self::InvertedTrapezoid => vec![(-x, -y), (x, -y), (x - LEAN, y), (LEAN - x, y)],
            Self::Document => vec![(-x, -y), (x - FOLD, -y), (x, FOLD - y), (x, y), (-x, y)],
            Self::Triangle => vec![(0.0, -y), (x, y), (-x, y)],
            _ => return None,
        })
    }

    /// The distance from the middle to the outline, to the right or down (`sign` 1) or to the left or up (-1), at a distance from the middle to the side.
    pub(super) fn reach(self, (wide, high): Point, is_horizontal: bool, offset: f64, sign: f64) -> f64 {
        let (along, across) = if is_horizontal { (wide / 2.0, high / 2.0) } else { (high / 2.0, wide / 2.0) };
        if let Some(corners) = self.corners((wide, high)) {
            let turned: Vec<Point> = if is_horizontal { corners.into_iter().map(|(x, y)| (y, x)).collect() } else { corners };
            return polygon_reach(&turned, offset, sign).unwrap_or(along);
        }
        let round = |radius: f64, offset: f64| (radius * radius - offset * offset).max(0.0).sqrt();
        match self {
            Self::Circle | Self::DoubleCircle | Self::Start | Self::End => round(along, offset),
            Self::Stadium if is_horizontal => along - across + round(across, offset),
            Self::Cylinder if !is_horizontal => {
                let cap = cylinder_cap(wide);
                along - cap + cap * round(1.0, offset / across.max(1.0))
            }
            _ => along,
        }
    }

    /// The greatest distance from the middle at which an arrow may end.
    pub(super) fn port_room(self, (wide, high): Point, is_horizontal: bool) -> f64 {
        let across = if is_horizontal { high / 2.0 } else { wide / 2.0 };
        let room = match self {
            Self::Diamond | Self::Triangle => across * 0.3,
            Self::Start | Self::End => 0.0,
            Self::Stadium if !is_horizontal => across - high / 2.0,
            Self::Circle | Self::DoubleCircle | Self::Stadium => across * 0.5,
            Self::Hexagon | Self::LeanLeft | Self::LeanRight | Self::Trapezoid | Self::InvertedTrapezoid | Self::Document
                if !is_horizontal =>
            {
                across - LEAN - 2.0
            }
            Self::Cylinder if is_horizontal => across - 2.0 * cylinder_cap(wide),
            Self::Bar => across - 4.0,
            _ if is_horizontal => across - 7.0,
            _ => across - 10.0,
        };
        room.max(0.0)
    }
}

/// Half of the height of a cylinder's upper end.
pub(super) fn cylinder_cap(wide: f64) -> f64 {
    (wide / 16.0).clamp(4.0, 9.0)
}

/// The greatest distance in the second coordinate at which the line at `offset` in the first one meets the polygon.
fn polygon_reach(corners: &[Point], offset: f64, sign: f64) -> Option<f64> {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1));
    let meets = sides.filter_map(|(a, b)| {
        let (left, right) = if a.0 <= b.0 { (a, b) } else { (b, a) };
        if offset < left.0 || offset > right.0 {
            return None;
        }
        let part = if right.0 > left.0 { (offset - left.0) / (right.0 - left.0) } else { 0.5 };
        Some(sign * part.mul_add(right.1 - left.1, left.1))
    });
    meets.max_by(f64::total_cmp).filter(|reach| *reach > 0.0)
}

#[cfg(test)]
mod tests {
    use super::NodeShapeKind;

    #[test]
    fn outlines_are_where_arrows_end() {
        let reach = |shape: NodeShapeKind, horizontal, offset| shape.reach((40.0, 20.0), horizontal, offset, 1.0);
        assert!((reach(NodeShapeKind::Rectangle, false, 7.0) - 10.0).abs() < 1e-9);
        assert!((reach(NodeShapeKind::Diamond, false, 10.0) - 5.0).abs() < 1e-9);
        assert!((reach(NodeShapeKind::Diamond, true, 0.0) - 20.0).abs() < 1e-9);
        assert!((reach(NodeShapeKind::Stadium, true, 10.0) - 10.0).abs() < 1e-9);
        // The notch of a flag is on its left.
        assert!((NodeShapeKind::Flag.reach((40.0, 20.0), true, 0.0, -1.0) - 8.0).abs() < 1e-9);
    }

    #[test]
    fn a_label_fits_a_diamond() {
        for (wide, high) in [(10.0, 15.6), (200.0, 15.6), (90.0, 62.0)] {
            let (across, down) = NodeShapeKind::Diamond.size((wide, high), false);
            assert!(wide / across + high / down <= 1.0, "{wide} {high}");
        }
    }
}
