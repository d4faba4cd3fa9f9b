//! What is true of the layout of every flowchart and state diagram, for tests.

use super::{
    chart::{Chart, ChartEnd},
    chart_block::{ChartBlock, Course},
    chart_drawing, chart_layout,
    chart_sizes::node_size,
    flowchart,
    label::{BOLD, label_size},
    path::Point,
    source::{DiagramKind, DiagramSource},
    state,
};
use crate::diagram::measure::SMALL_SIZE;

/// Left, top, right, bottom.
type Corners = [f64; 4];

fn around((x, y): Point, (wide, high): Point) -> Corners {
    [x - wide / 2.0, y - high / 2.0, x + wide / 2.0, y + high / 2.0]
}

fn overlap(a: &Corners, b: &Corners) -> bool {
    a[0] < b[2] - 0.2 && b[0] < a[2] - 0.2 && a[1] < b[3] - 0.2 && b[1] < a[3] - 0.2
}

fn contains(outer: &Corners, inner: &Corners) -> bool {
    inner[0] > outer[0] - 0.2 && inner[1] > outer[1] - 0.2 && inner[2] < outer[2] + 0.2 && inner[3] < outer[3] + 0.2
}

fn holds(area: &Corners, (x, y): Point, margin: f64) -> bool {
    x > area[0] + margin && x < area[2] - margin && y > area[1] + margin && y < area[3] - margin
}

/// Points along the course of an arrow.
fn samples(course: &Course) -> Vec<Point> {
    let mut all = Vec::new();
    for pair in course.points.windows(2) {
        let (a, b) = (pair[0], pair[1]);
        for step in 0..=12 {
            let part = f64::from(step) / 12.0;
            // Both coordinates of the curves of a drawing change in the same direction, so their middle is between the ends.
            let slow = part * part * (3.0 - 2.0 * part);
            let (along, across) = (1.5f64.mul_add(part * (1.0 - part) * (1.0 - 2.0 * part), part), slow);
            let (x, y) = if course.is_horizontal { (along, across) } else { (across, along) };
            all.push((x.mul_add(b.0 - a.0, a.0), y.mul_add(b.1 - a.1, a.1)));
        }
    }
    all
}

/// What is wrong with the layout of a source; nothing if it can't be drawn.
pub(crate) fn violations(source: &str) -> Vec<String> {
    let Ok(diagram) = DiagramSource::parse(source) else { return Vec::new() };
    let chart = match diagram.kind {
        DiagramKind::Flowchart => flowchart::parse(&diagram),
        DiagramKind::State => state::parse(&diagram),
        DiagramKind::Sequence => return Vec::new(),
    };
    let Ok(chart) = chart else { return Vec::new() };
    let Ok(block) = chart_layout::layout(&chart) else { return Vec::new() };
    check(&chart, &block)
}

fn check(chart: &Chart, block: &ChartBlock) -> Vec<String> {
    let mut found = Vec::new();
    let horizontal = chart_drawing::horizontal_nodes(chart, block);
    let name = |node: usize| format!("`{}`", chart.nodes[node].name);
    let nodes: Vec<(usize, Corners)> =
        block.nodes.iter().map(|&(node, middle)| (node, around(middle, node_size(&chart.nodes[node], horizontal[node])))).collect();
    let groups: Vec<(usize, Corners)> =
        block.groups.iter().map(|&(group, (x, y), (wide, high))| (group, [x, y, x + wide, y + high])).collect();
    let labels: Vec<(usize, Corners)> = block
        .courses
        .iter()
        .filter_map(|course| Some((course.edge, around(course.label?, label_size(&chart.edges[course.edge].label, SMALL_SIZE)))))
        .collect();
    let whole = [0.0, 0.0, block.size.0, block.size.1];
    if nodes.len() != chart.nodes.len() || groups.len() != chart.groups.len() {
        found.push(format!("{} of {} nodes, {} of {} groups", nodes.len(), chart.nodes.len(), groups.len(), chart.groups.len()));
    }
    let loops = chart.edges.iter().filter(|edge| edge.from == edge.to).count();
    if block.courses.len() + loops != chart.edges.len() {
        found.push(format!("{} of {} arrows", block.courses.len() + loops, chart.edges.len()));
    }
    for (index, (node, area)) in nodes.iter().enumerate() {
        if !contains(&whole, area) {
            found.push(format!("{} is outside", name(*node)));
        }
        for (other, second) in nodes[..index].iter().filter(|(_, second)| overlap(area, second)) {
            found.push(format!("{} overlaps {} {second:?}", name(*node), name(*other)));
        }
        for (label, second) in labels.iter().filter(|(_, second)| overlap(area, second)) {
            found.push(format!("{} overlaps the label of arrow {label} {second:?}", name(*node)));
        }
        let ancestors: Vec<usize> = chart.ancestors(chart.nodes[*node].group).collect();
        for (group, second) in &groups {
            let is_member = ancestors.contains(group);
            if (is_member && !contains(second, area)) || (!is_member && overlap(second, area)) {
                found.push(format!("{} and the group `{}` (member: {is_member})", name(*node), chart.groups[*group].name));
            }
        }
    }
    for (index, (label, area)) in labels.iter().enumerate() {
        if !contains(&whole, area) {
            found.push(format!("the label of arrow {label} is outside"));
        }
        for (other, _) in labels[..index].iter().filter(|(_, second)| overlap(area, second)) {
            found.push(format!("the labels of arrows {label} and {other} overlap"));
        }
    }
    for (index, (group, area)) in groups.iter().enumerate() {
        for (other, second) in &groups[..index] {
            let is_nested =
                chart.ancestors(Some(*group)).any(|outer| outer == *other) || chart.ancestors(Some(*other)).any(|outer| outer == *group);
            if !is_nested && overlap(area, second) {
                found.push(format!("the groups `{}` and `{}` overlap", chart.groups[*group].name, chart.groups[*other].name));
            }
        }
    }
    for (group, area) in &groups {
        let (wide, high) = label_size(&chart.groups[*group].title, SMALL_SIZE);
        let place = [area[0] + 12.0, area[1] + 9.0, area[0] + 12.0 + BOLD * wide, area[1] + 9.0 + high];
        if labels.iter().any(|(_, label)| overlap(label, &place)) || nodes.iter().any(|(_, node)| overlap(node, &place)) {
            found.push(format!("something is over the title of `{}`", chart.groups[*group].name));
        }
        if BOLD * wide > area[2] - area[0] - 12.0 {
            found.push(format!("the title of `{}` is wider than the group", chart.groups[*group].name));
        }
    }
    for course in &block.courses {
        let edge = &chart.edges[course.edge];
        for (end, at) in [(edge.from, course.points.first()), (edge.to, course.points.last())] {
            let area = match end {
                ChartEnd::Node(node) => nodes.iter().find(|(other, _)| *other == node),
                ChartEnd::Group(group) => groups.iter().find(|(other, _)| *other == group),
            };
            let (Some((_, area)), Some(at)) = (area, at) else { continue };
            if !holds(area, *at, -0.3) {
                found.push(format!("arrow {} doesn't end at {end:?}: {at:?} {area:?}", course.edge));
            }
        }
        let points = samples(course);
        for (node, area) in nodes.iter().filter(|(node, _)| ![edge.from, edge.to].contains(&ChartEnd::Node(*node))) {
            if points.iter().any(|point| holds(area, *point, 0.5)) {
                found.push(format!("arrow {} crosses {}", course.edge, name(*node)));
            }
        }
        for (label, area) in labels.iter().filter(|(label, _)| *label != course.edge) {
            if points.iter().any(|point| holds(area, *point, 0.5)) {
                found.push(format!("arrow {} crosses the label of arrow {label}", course.edge));
            }
        }
    }
    found
}
