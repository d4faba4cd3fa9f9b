//! Draws flowcharts and state diagrams: the areas of groups, then arrows, titles and labels, and nodes.

use super::{
    chart::{ArrowLine, Chart, ChartEdge, ChartEnd, ChartNode},
    chart_block::{ChartBlock, Course},
    chart_sizes::{BODY_PADDING, LOOP, LOOP_LABEL, NOTE_GAP, loop_side, node_size, note_size},
    label::label_size,
    path::{PathSegment, Point, SvgPath},
    shape::{FOLD, NodeShapeKind, RULE, cylinder_cap},
    svg_writer::{SvgWriter, TextRole},
};
use crate::diagram::measure::{LABEL_SIZE, SMALL_SIZE};

/// The position of a group's title, from its corner.
const TITLE: Point = (12.0, 9.0);

pub(super) fn draw(chart: &Chart, block: &ChartBlock, out: &mut SvgWriter) {
    let mut groups = block.groups.clone();
    groups.sort_by_key(|(group, ..)| (chart.ancestors(Some(*group)).count(), *group));
    for &(group, corner, size) in &groups {
        out.open_group("ground");
        out.rect(if chart.groups[group].is_region { "region" } else { "area" }, corner, size, 0.0);
        out.close_group();
    }
    let mut courses: Vec<&Course> = block.courses.iter().collect();
    courses.sort_by_key(|course| course.edge);
    for course in &courses {
        draw_arrow(&chart.edges[course.edge], path(course), out);
    }
    let horizontal = horizontal_nodes(chart, block);
    let mut nodes: Vec<(usize, Point)> = block.nodes.clone();
    nodes.sort_by_key(|(node, _)| *node);
    for &(node, middle) in &nodes {
        let (chart_node, is_horizontal) = (&chart.nodes[node], horizontal[node]);
        let sign = if loop_side(chart_node) == 0 { -1.0 } else { 1.0 };
        let (end, size) = (ChartEnd::Node(node), node_size(chart_node, is_horizontal));
        draw_loops(chart, &LoopBox { end, middle, size, shape: chart_node.shape, sign, is_horizontal }, out);
        draw_note_lines(&chart.nodes[node], middle, horizontal[node], out);
    }
    for &(group, (x, y), size) in &groups {
        let is_horizontal = is_horizontal(chart, block, chart.groups[group].parent);
        let (end, middle) = (ChartEnd::Group(group), (x + size.0 / 2.0, y + size.1 / 2.0));
        draw_loops(chart, &LoopBox { end, middle, size, shape: NodeShapeKind::Rectangle, sign: 1.0, is_horizontal }, out);
    }
    // An arrow passes behind a title.
    for &(group, corner, _) in &groups {
        let title = &chart.groups[group].title;
        let (_, high) = label_size(title, SMALL_SIZE);
        out.text(TextRole::Cluster, title, (corner.0 + TITLE.0, corner.1 + TITLE.1 + high / 2.0));
    }
    for course in courses {
        if let Some(at) = course.label {
            let is_in_group =
                groups.iter().any(|&(_, (x, y), (wide, high))| (x..x + wide).contains(&at.0) && (y..y + high).contains(&at.1));
            let role = if is_in_group { TextRole::GroundCaption } else { TextRole::Caption };
            out.text(role, &chart.edges[course.edge].label, at);
        }
    }
    for (node, middle) in nodes {
        draw_node(chart, node, middle, horizontal[node], out);
    }
}

/// Whether the arrows around each node are horizontal.
pub(super) fn horizontal_nodes(chart: &Chart, block: &ChartBlock) -> Vec<bool> {
    chart.nodes.iter().map(|node| is_horizontal(chart, block, node.group)).collect()
}

/// Whether the arrows in a group are horizontal: a closed group has its own direction, or that of the nearest closed group around it that has one.
fn is_horizontal(chart: &Chart, block: &ChartBlock, group: Option<usize>) -> bool {
    let closed = chart.ancestors(group).filter(|group| block.closed.contains(group));
    let direction = { closed }.find_map(|group| chart.groups[group].direction);
    direction.unwrap_or(chart.direction).is_horizontal()
}

fn path(course: &Course) -> SvgPath {
    let mut segments = Vec::with_capacity(course.points.len());
    let mut at = (0.0, 0.0);
    for (index, &point) in course.points.iter().enumerate() {
        let (across, along) = if course.is_horizontal { (point.1 - at.1, point.0 - at.0) } else { (point.0 - at.0, point.1 - at.1) };
        if index == 0 {
            segments.push(PathSegment::Move(point));
        } else if across.abs() < 0.5 {
            if along.abs() > 0.05 {
                segments.push(PathSegment::Line(point));
            }
        } else if course.is_horizontal {
            let middle = f64::midpoint(at.0, point.0);
            segments.push(PathSegment::Curve((middle, at.1), (middle, point.1), point));
        } else {
            let middle = f64::midpoint(at.1, point.1);
            segments.push(PathSegment::Curve((at.0, middle), (point.0, middle), point));
        }
        at = point;
    }
    SvgPath::new(segments)
}

fn draw_arrow(edge: &ChartEdge, path: SvgPath, out: &mut SvgWriter) {
    let class = match edge.line {
        ArrowLine::Solid => "line",
        ArrowLine::Dashed => "line dashed",
        ArrowLine::Thick => "line thick",
        ArrowLine::Invisible => return,
    };
    out.arrow(class, path, edge.heads);
}

/// A box with arrows to itself.
struct LoopBox {
    end: ChartEnd,
    middle: Point,
    size: Point,
    shape: NodeShapeKind,
    /// 1 for arrows on the right or below, -1 for the other side.
    sign: f64,
    is_horizontal: bool,
}

/// Arrows from a box to itself, each further out than the one before.
fn draw_loops(chart: &Chart, LoopBox { end, middle, size, shape, sign, is_horizontal }: &LoopBox, out: &mut SvgWriter) {
    let turn = |across: f64, along: f64| {
        let (x, y) = if *is_horizontal { (along, sign * across) } else { (sign * across, along) };
        (middle.0 + x, middle.1 + y)
    };
    let half = if *is_horizontal { size.1 } else { size.0 } / 2.0;
    let mut reach = half;
    for edge in chart.edges.iter().filter(|edge| edge.from == *end && edge.to == *end) {
        let at = shape.reach(*size, !is_horizontal, LOOP.1, *sign).min(half);
        // A curve reaches three quarters of the way to its control points.
        let control = (reach + LOOP.0 - 6.0 - at) / 0.75 + at;
        let curve = PathSegment::Curve(turn(control, -1.4 * LOOP.1), turn(control, 1.4 * LOOP.1), turn(at, LOOP.1));
        draw_arrow(edge, SvgPath::new(vec![PathSegment::Move(turn(at, -LOOP.1)), curve]), out);
        reach += LOOP.0;
        if !edge.label.is_empty() {
            let (wide, high) = label_size(&edge.label, SMALL_SIZE);
            let across = if *is_horizontal { high } else { wide };
            let role = if chart.group_of(*end).is_some() { TextRole::GroundCaption } else { TextRole::Caption };
            out.text(role, &edge.label, turn(reach + across / 2.0, 0.0));
            reach += across + LOOP_LABEL;
        }
    }
}

/// The middle of each note of a state.
fn note_places(node: &ChartNode, middle: Point, is_horizontal: bool) -> Vec<Point> {
    let size = node_size(node, is_horizontal);
    let along = |size: Point| if is_horizontal { size.0 } else { size.1 };
    let total = |is_left: bool| {
        let sizes = node.notes.iter().filter(|note| note.is_left == is_left).map(|note| along(note_size(note)) + 7.0);
        sizes.sum::<f64>() - 7.0
    };
    let mut next = [true, false].map(|is_left| -total(is_left) / 2.0);
    let place = |note: &super::chart::ChartNote| {
        let (wide, high) = note_size(note);
        let next = &mut next[usize::from(!note.is_left)];
        let at = *next + along((wide, high)) / 2.0;
        *next += along((wide, high)) + 7.0;
        let sign = if note.is_left { -1.0 } else { 1.0 };
        if is_horizontal {
            (middle.0 + at, middle.1 + sign * (f64::midpoint(size.1, high) + NOTE_GAP))
        } else {
            (middle.0 + sign * (f64::midpoint(size.0, wide) + NOTE_GAP), middle.1 + at)
        }
    };
    node.notes.iter().map(place).collect()
}

fn draw_note_lines(node: &ChartNode, middle: Point, is_horizontal: bool, out: &mut SvgWriter) {
    let size = node_size(node, is_horizontal);
    for (note, place) in node.notes.iter().zip(note_places(node, middle, is_horizontal)) {
        let (wide, high) = note_size(note);
        let sign = if note.is_left { -1.0 } else { 1.0 };
        let reach = sign * node.shape.reach(size, !is_horizontal, 0.0, sign);
        let line = if is_horizontal {
            [(middle.0, middle.1 + reach), (place.0, place.1 - sign * high / 2.0)]
        } else {
            [(middle.0 + reach, middle.1), (place.0 - sign * wide / 2.0, place.1)]
        };
        out.arrow("line dashed", SvgPath::line(&line), [None, None]);
    }
}

fn draw_node(chart: &Chart, index: usize, middle: Point, is_horizontal: bool, out: &mut SvgWriter) {
    let node = &chart.nodes[index];
    let link = chart.links.iter().rposition(|link| link.node == node.name);
    out.open_node(if node.shape == NodeShapeKind::Note { " note" } else { "" }, link);
    let size = node_size(node, is_horizontal);
    draw_shape(node.shape, middle, size, out);
    if !node.body.is_empty() {
        let (_, label) = label_size(&node.label, LABEL_SIZE);
        let top = middle.1 - size.1 / 2.0;
        let rule = top + label + 2.0 * BODY_PADDING;
        let half = size.0 / 2.0;
        out.path("rule", &SvgPath::line(&[(middle.0 - half, rule), (middle.0 + half, rule)]));
        out.text(TextRole::Label, &node.label, (middle.0, f64::midpoint(top, rule)));
        out.text(TextRole::Label, &node.body, (middle.0, f64::midpoint(rule, middle.1 + size.1 / 2.0)));
    } else if node.shape.has_label() {
        out.text(TextRole::Label, &node.label, label_place(node.shape, middle, size));
    }
    out.close_node(link);
    for (note, place) in node.notes.iter().zip(note_places(node, middle, is_horizontal)) {
        let (wide, high) = note_size(note);
        out.open_node(" note", None);
        out.rect("box", (place.0 - wide / 2.0, place.1 - high / 2.0), (wide, high), 0.0);
        out.text(TextRole::Label, &note.text, place);
        out.close_node(None);
    }
}

/// The middle of the label, which is not the middle of every shape.
fn label_place(shape: NodeShapeKind, (x, y): Point, (wide, high): Point) -> Point {
    match shape {
        NodeShapeKind::Flag => (x + 5.0, y),
        NodeShapeKind::Cylinder => (x, y + cylinder_cap(wide)),
        NodeShapeKind::Document => (x - FOLD / 2.0, y),
        NodeShapeKind::Triangle => (x, y + high / 5.0),
        _ => (x, y),
    }
}

fn draw_shape(shape: NodeShapeKind, (x, y): Point, (wide, high): Point, out: &mut SvgWriter) {
    let (left, top) = (x - wide / 2.0, y - high / 2.0);
    let (right, bottom) = (left + wide, top + high);
    if let Some(corners) = shape.corners((wide, high)) {
        let corners: Vec<Point> = corners.into_iter().map(|corner| (x + corner.0, y + corner.1)).collect();
        out.polygon("box", &corners);
        if shape == NodeShapeKind::Document {
            out.path("rule", &SvgPath::line(&[(right - FOLD, top), (right - FOLD, top + FOLD), (right, top + FOLD)]));
        }
        return;
    }
    match shape {
        NodeShapeKind::Circle => out.circle("box", (x, y), wide / 2.0),
        NodeShapeKind::DoubleCircle => {
            out.circle("box", (x, y), wide / 2.0);
            out.circle("over", (x, y), wide / 2.0 - 4.0);
        }
        NodeShapeKind::Start => out.circle("start", (x, y), wide / 2.0),
        NodeShapeKind::End => {
            out.circle("box", (x, y), wide / 2.0);
            out.circle("start", (x, y), wide / 4.0);
        }
        NodeShapeKind::Bar => out.rect("bar", (left, top), (wide, high), 2.0),
        NodeShapeKind::Stadium => out.rect("box", (left, top), (wide, high), high / 2.0),
        NodeShapeKind::Rounded => out.rect("box", (left, top), (wide, high), 8.0),
        NodeShapeKind::Note => out.rect("box", (left, top), (wide, high), 0.0),
        NodeShapeKind::Subroutine => {
            out.rect("box", (left, top), (wide, high), 2.0);
            for at in [left + RULE, right - RULE] {
                out.path("rule", &SvgPath::line(&[(at, top), (at, bottom)]));
            }
        }
        NodeShapeKind::Cylinder => {
            let cap = cylinder_cap(wide);
            let radii = (wide / 2.0, cap);
            let side = vec![
                PathSegment::Move((left, top + cap)),
                PathSegment::Arc(radii, true, (right, top + cap)),
                PathSegment::Line((right, bottom - cap)),
                PathSegment::Arc(radii, true, (left, bottom - cap)),
                PathSegment::Close,
            ];
            out.path("box", &SvgPath::new(side));
            out.path("rule", &SvgPath::new(vec![PathSegment::Move((left, top + cap)), PathSegment::Arc(radii, false, (right, top + cap))]));
        }
        NodeShapeKind::EmptyGroup => {
            out.open_group("ground");
            out.rect("area", (left, top), (wide, high), 0.0);
            out.close_group();
        }
        NodeShapeKind::Plain => {}
        _ => out.rect("box", (left, top), (wide, high), 2.0),
    }
}
