//! SVG path data.

use crate::diagram::format_number;

/// A point, in units of the drawing.
pub(super) type Point = (f64, f64);

/// A part of a path, with absolute coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PathSegment {
    Move(Point),
    Line(Point),
    /// A cubic curve: two control points and the end.
    Curve(Point, Point, Point),
    /// Half of an ellipse: its radii, whether it is drawn clockwise, and the end.
    Arc(Point, bool, Point),
    Close,
}

/// A path.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SvgPath {
    segments: Vec<PathSegment>,
}

impl SvgPath {
    pub(super) fn new(segments: Vec<PathSegment>) -> Self {
        Self { segments }
    }

    /// Straight lines from point to point.
    pub(super) fn line(points: &[Point]) -> Self {
        let segments =
            points.iter().enumerate().map(|(index, point)| if index == 0 { PathSegment::Move(*point) } else { PathSegment::Line(*point) });
        Self { segments: segments.collect() }
    }

    /// The last point, and the direction in which the path arrives there as a vector of length 1. `None` if it has fewer than two points.
    pub(super) fn end(&self) -> Option<(Point, Point)> {
        end_of(self.points().into_iter().rev())
    }

    /// The first point, and the direction that leads out of the path there.
    pub(super) fn start(&self) -> Option<(Point, Point)> {
        end_of(self.points().into_iter())
    }

    /// Moves the last point.
    pub(super) fn set_end(&mut self, point: Point) {
        if let Some(PathSegment::Move(end) | PathSegment::Line(end) | PathSegment::Curve(_, _, end) | PathSegment::Arc(_, _, end)) =
            self.segments.last_mut()
        {
            *end = point;
        }
    }

    /// Moves the first point.
    pub(super) fn set_start(&mut self, point: Point) {
        if let Some(PathSegment::Move(start)) = self.segments.first_mut() {
            *start = point;
        }
    }

    /// Points whose bounding box contains the path: ends, control points, and the corners around arcs.
    pub(super) fn points(&self) -> Vec<Point> {
        let mut points = Vec::new();
        for segment in &self.segments {
            match *segment {
                PathSegment::Move(end) | PathSegment::Line(end) => points.push(end),
                PathSegment::Curve(first, second, end) => points.extend([first, second, end]),
                PathSegment::Arc(radii, _, end) => {
                    let start = points.last().copied().unwrap_or(end);
                    let middle = (f64::midpoint(start.0, end.0), f64::midpoint(start.1, end.1));
                    points.extend([(middle.0 - radii.0, middle.1 - radii.1), (middle.0 + radii.0, middle.1 + radii.1), end]);
                }
                PathSegment::Close => {}
            }
        }
        points
    }

    /// The value of the attribute `d`.
    pub(super) fn data(&self) -> String {
        let pair = |(x, y): Point| format!("{} {}", format_number(x), format_number(y));
        let write = |segment: &PathSegment| match *segment {
            PathSegment::Move(end) => format!("M{}", pair(end)),
            PathSegment::Line(end) => format!("L{}", pair(end)),
            PathSegment::Curve(first, second, end) => format!("C{} {} {}", pair(first), pair(second), pair(end)),
            PathSegment::Arc(radii, clockwise, end) => format!("A{} 0 0 {} {}", pair(radii), u8::from(clockwise), pair(end)),
            PathSegment::Close => "Z".to_owned(),
        };
        self.segments.iter().map(write).collect()
    }
}

/// The first of the points, and the direction towards it from the next one that differs.
fn end_of(mut points: impl Iterator<Item = Point>) -> Option<(Point, Point)> {
    let end = points.next()?;
    let apart = |point: &Point| (end.0 - point.0).hypot(end.1 - point.1);
    let before = points.find(|point| apart(point) > 0.01)?;
    let length = apart(&before);
    Some((end, ((end.0 - before.0) / length, (end.1 - before.1) / length)))
}

#[cfg(test)]
mod tests {
    use super::{PathSegment, SvgPath};

    #[test]
    fn numbers_have_one_decimal() {
        let path = SvgPath::new(vec![
            PathSegment::Move((1.25, 2.0)),
            PathSegment::Curve((0.5, 0.5), (1.0, 1.0), (2.0, -4.0)),
            PathSegment::Arc((1.0, 2.0), true, (5.0, 5.04)),
            PathSegment::Close,
        ]);
        assert_eq!(path.data(), "M1.3 2C0.5 0.5 1 1 2 -4A1 2 0 0 1 5 5Z");
    }

    #[test]
    fn ends_have_the_direction_of_the_path() {
        let curve = PathSegment::Curve((0.0, 10.0), (20.0, 10.0), (20.0, 20.0));
        let path = SvgPath::new(vec![PathSegment::Move((0.0, 0.0)), curve, PathSegment::Line((20.0, 20.0))]);
        assert_eq!(path.end(), Some(((20.0, 20.0), (0.0, 1.0))));
        assert_eq!(path.start(), Some(((0.0, 0.0), (0.0, -1.0))));
        assert_eq!(SvgPath::line(&[(0.0, 0.0), (0.0, 0.0)]).end(), None);
    }
}
