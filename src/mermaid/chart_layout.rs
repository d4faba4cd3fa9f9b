//! The layout of flowcharts and state diagrams.
//!
//! A group without arrows across its border is laid out separately, in its own direction, and is a box for what is around it. What is not connected is
//! laid out separately, too. Everything else is a layout of rows.

use std::collections::BTreeMap;

use super::{
    chart::{Chart, ChartEdge, ChartEnd, Direction},
    chart_block::{ChartBlock, Course, pack},
    chart_sizes::{GroupFrame, NodeSpace, group_frame, node_space},
    drawing::DrawError,
    label::label_size,
    layered::{self, LayeredEdge, LayeredEnd, LayeredGraph, LayeredGroup, LayeredLayout, LayeredNode, LayoutError},
    path::Point,
};
use crate::diagram::measure::SMALL_SIZE;

/// The space around the label of an arrow.
const AROUND_LABEL: Point = (12.0, 4.0);

/// Computes the positions of everything.
///
/// # Errors
///
/// An arrow that can't be drawn, or a chart that is too large.
pub(super) fn layout(chart: &Chart) -> Result<ChartBlock, DrawError> {
    for edge in &chart.edges {
        let is_inside = |outer: ChartEnd, inner: ChartEnd| matches!(outer, ChartEnd::Group(group) if chart.ancestors(chart.group_of(inner)).any(|ancestor| ancestor == group));
        if matches!(edge.from, ChartEnd::Group(group) if !is_closed(chart, group)) && edge.from == edge.to {
            let message = "this arrow cannot be drawn: it connects a group with itself";
            return Err(DrawError::new(edge.span.clone(), message, "connect a node with itself, or describe it in the label of the group"));
        }
        if is_inside(edge.from, edge.to) || is_inside(edge.to, edge.from) {
            let message = "this arrow cannot be drawn: it connects a group with what is in it";
            return Err(DrawError::new(edge.span.clone(), message, "connect two nodes, or a node outside of the group with the group"));
        }
    }
    let is_closed = (0..chart.groups.len()).map(|group| is_closed(chart, group)).collect();
    ChartLayouter { chart, is_closed }.block(None, chart.direction)
}

/// Whether no arrow crosses the border of a group.
fn is_closed(chart: &Chart, group: usize) -> bool {
    let contains = |end: ChartEnd| chart.ancestors(chart.group_of(end)).any(|ancestor| ancestor == group);
    chart.edges.iter().all(|edge| contains(edge.from) == contains(edge.to))
}

struct ChartLayouter<'a> {
    chart: &'a Chart,
    /// By group.
    is_closed: Vec<bool>,
}

/// What is a box in a layout of rows.
#[derive(Clone, Debug)]
enum ChartBox {
    Node(usize, NodeSpace),
    Closed(usize, ChartBlock, NodeSpace),
}

impl ChartLayouter<'_> {
    /// The innermost closed group that contains a place in `group`.
    fn enclosing(&self, group: Option<usize>) -> Option<usize> {
        self.chart.ancestors(group).find(|&group| self.is_closed[group])
    }

    /// Lays out the content of a closed group, or of the chart.
    fn block(&self, root: Option<usize>, direction: Direction) -> Result<ChartBlock, DrawError> {
        let is_here = |group: Option<usize>| self.enclosing(group) == root;
        let mut boxes: Vec<ChartBox> = Vec::new();
        let mut ends: BTreeMap<ChartEnd, usize> = BTreeMap::new();
        let edges: Vec<usize> =
            (0..self.chart.edges.len()).filter(|&edge| is_here(self.chart.group_of(self.chart.edges[edge].from))).collect();
        let loops = |end: ChartEnd| -> Vec<&ChartEdge> {
            edges.iter().map(|&edge| &self.chart.edges[edge]).filter(|edge| edge.from == end && edge.to == end).collect()
        };
        for (node, chart_node) in self.chart.nodes.iter().enumerate().filter(|(_, node)| is_here(node.group)) {
            ends.insert(ChartEnd::Node(node), boxes.len());
            boxes.push(ChartBox::Node(node, node_space(chart_node, &loops(ChartEnd::Node(node)), direction.is_horizontal())));
        }
        for (group, chart_group) in self.chart.groups.iter().enumerate().filter(|(_, group)| is_here(group.parent)) {
            if self.is_closed[group] {
                let inner = self.block(Some(group), chart_group.direction.unwrap_or(direction))?;
                ends.insert(ChartEnd::Group(group), boxes.len());
                let frame = framed(group, inner, &group_frame(chart_group));
                let space = NodeSpace::of_frame(frame.size, &loops(ChartEnd::Group(group)), direction.is_horizontal());
                boxes.push(ChartBox::Closed(group, frame, space));
            }
        }
        let open: Vec<usize> =
            (0..self.chart.groups.len()).filter(|&group| !self.is_closed[group] && is_here(self.chart.groups[group].parent)).collect();
        let mut blocks = Vec::new();
        for part in self.parts(&boxes, &ends, &edges, &open) {
            blocks.push(self.part(&part, &boxes, direction)?);
        }
        Ok(pack(blocks, direction.is_horizontal()))
    }

    /// The open group around a box.
    fn group_of_box(&self, chart_box: &ChartBox) -> Option<usize> {
        let group = match chart_box {
            ChartBox::Node(node, _) => self.chart.nodes[*node].group,
            ChartBox::Closed(group, ..) => self.chart.groups[*group].parent,
        };
        group.filter(|&group| !self.is_closed[group])
    }

    /// Divides boxes, arrows and open groups into connected parts, in the order of their first boxes.
    fn parts(&self, boxes: &[ChartBox], ends: &BTreeMap<ChartEnd, usize>, edges: &[usize], open: &[usize]) -> Vec<ChartPart> {
        // Boxes, and then open groups.
        let mut leader: Vec<usize> = (0..boxes.len() + open.len()).collect();
        let group_number: BTreeMap<usize, usize> = open.iter().enumerate().map(|(index, &group)| (group, boxes.len() + index)).collect();
        let number = |end: ChartEnd| match end {
            ChartEnd::Group(group) => group_number.get(&group).or_else(|| ends.get(&end)).copied(),
            ChartEnd::Node(_) => ends.get(&end).copied(),
        };
        for (index, chart_box) in boxes.iter().enumerate() {
            if let Some(&group) = self.group_of_box(chart_box).and_then(|group| group_number.get(&group)) {
                join(&mut leader, index, group);
            }
        }
        for &group in open {
            if let Some(&parent) = self.chart.groups[group].parent.and_then(|parent| group_number.get(&parent)) {
                join(&mut leader, group_number[&group], parent);
            }
        }
        for &edge in edges {
            if let (Some(from), Some(to)) = (number(self.chart.edges[edge].from), number(self.chart.edges[edge].to)) {
                join(&mut leader, from, to);
            }
        }
        let mut parts: Vec<ChartPart> = Vec::new();
        let mut part_of: BTreeMap<usize, usize> = BTreeMap::new();
        for index in 0..boxes.len() {
            let leader = find(&mut leader, index);
            let part = *part_of.entry(leader).or_insert_with(|| {
                parts.push(ChartPart::default());
                parts.len() - 1
            });
            parts[part].boxes.push(index);
        }
        for &group in open {
            if let Some(&part) = part_of.get(&find(&mut leader, group_number[&group])) {
                parts[part].groups.push(group);
            }
        }
        for &edge in edges {
            let part = number(self.chart.edges[edge].from).and_then(|number| part_of.get(&find(&mut leader, number)));
            if let Some(&part) = part {
                parts[part].edges.push(edge);
            }
        }
        parts
    }

    /// Lays out a connected part.
    fn part(&self, part: &ChartPart, boxes: &[ChartBox], direction: Direction) -> Result<ChartBlock, DrawError> {
        let horizontal = direction.is_horizontal();
        let group_index: BTreeMap<usize, usize> = part.groups.iter().enumerate().map(|(index, &group)| (group, index)).collect();
        let mut ends: BTreeMap<ChartEnd, LayeredEnd> =
            group_index.iter().map(|(&group, &index)| (ChartEnd::Group(group), LayeredEnd::Group(index))).collect();
        let mut graph = LayeredGraph::default();
        for (index, &chart_box) in part.boxes.iter().enumerate() {
            let group = self.group_of_box(&boxes[chart_box]).and_then(|group| group_index.get(&group)).copied();
            let (end, node) = match &boxes[chart_box] {
                ChartBox::Node(node, space) => (ChartEnd::Node(*node), space.layered(horizontal)),
                ChartBox::Closed(group, _, space) => (ChartEnd::Group(*group), space.layered(horizontal)),
            };
            ends.insert(end, LayeredEnd::Node(index));
            graph.nodes.push(LayeredNode { group, ..node });
        }
        graph.groups = part.groups.iter().map(|&group| self.layered_group(group, direction, &group_index)).collect();
        let mut edges = Vec::new();
        for &index in &part.edges {
            let edge = &self.chart.edges[index];
            let (Some(&from), Some(&to)) = (ends.get(&edge.from), ends.get(&edge.to)) else { continue };
            if from == to {
                continue;
            }
            let label = (!edge.label.is_empty()).then(|| {
                let (wide, high) = label_size(&edge.label, SMALL_SIZE);
                let (wide, high) = (wide + AROUND_LABEL.0, high + AROUND_LABEL.1);
                if horizontal { (high, wide) } else { (wide, high) }
            });
            graph.edges.push(LayeredEdge { from, to, rows: edge.rows, label });
            edges.push(index);
        }
        let layout = layered::layout(&graph).map_err(|error| self.error(error, &edges))?;
        Ok(self.placed(part, boxes, &edges, &layout, direction))
    }

    fn error(&self, error: LayoutError, edges: &[usize]) -> DrawError {
        match error {
            LayoutError::TooLarge => {
                let span = self.chart.edges.first().map_or(0..0, |edge| edge.span.clone());
                DrawError::new(span, "this diagram is too large to be drawn", "divide it into several diagrams")
            }
            LayoutError::Edge(edge) => {
                let message = "this arrow cannot be drawn: arrows between the nodes of its group lead to its other end and come from there";
                DrawError::new(
                    self.chart.edges[edges[edge]].span.clone(),
                    message,
                    "connect it with a node of the group instead of the group",
                )
            }
        }
    }

    fn layered_group(&self, group: usize, direction: Direction, index: &BTreeMap<usize, usize>) -> LayeredGroup {
        let chart_group = &self.chart.groups[group];
        let GroupFrame { padding, title, min_width } = group_frame(chart_group);
        let parent = chart_group.parent.and_then(|parent| index.get(&parent)).copied();
        let plain = LayeredGroup { parent, start: padding, end: padding, before: padding, after: padding, ..LayeredGroup::default() };
        match direction {
            Direction::Down => LayeredGroup { before: padding + title, min_across: min_width, ..plain },
            Direction::Up => LayeredGroup { after: padding + title, min_across: min_width, ..plain },
            Direction::Right | Direction::Left => LayeredGroup { start: padding + title, min_along: min_width, ..plain },
        }
    }

    /// A layout of rows as a part of the drawing.
    fn placed(&self, part: &ChartPart, boxes: &[ChartBox], edges: &[usize], layout: &LayeredLayout, direction: Direction) -> ChartBlock {
        let horizontal = direction.is_horizontal();
        let turn = |(across, along): (f64, f64)| match direction {
            Direction::Down => (across, along),
            Direction::Up => (across, layout.along - along),
            Direction::Right => (along, across),
            Direction::Left => (layout.along - along, across),
        };
        let size = if horizontal { (layout.along, layout.across) } else { (layout.across, layout.along) };
        let mut block = ChartBlock { size, ..ChartBlock::default() };
        for (&chart_box, &middle) in part.boxes.iter().zip(&layout.nodes) {
            let (x, y) = turn(middle);
            match &boxes[chart_box] {
                ChartBox::Node(node, _) => block.nodes.push((*node, (x, y))),
                ChartBox::Closed(_, inner, _) => block.insert(inner.clone(), (x - inner.size.0 / 2.0, y - inner.size.1 / 2.0)),
            }
        }
        for (&group, extent) in part.groups.iter().zip(&layout.groups) {
            let (a, b) = (turn((extent.start, extent.before)), turn((extent.end, extent.after)));
            block.groups.push((group, (a.0.min(b.0), a.1.min(b.1)), ((a.0 - b.0).abs(), (a.1 - b.1).abs())));
        }
        let outlines: BTreeMap<ChartEnd, (Point, NodeSpace)> = part
            .boxes
            .iter()
            .zip(&layout.nodes)
            .map(|(&chart_box, &middle)| match &boxes[chart_box] {
                ChartBox::Node(node, space) => (ChartEnd::Node(*node), (turn(middle), space.clone())),
                ChartBox::Closed(group, _, space) => (ChartEnd::Group(*group), (turn(middle), space.clone())),
            })
            .collect();
        for (&edge, route) in edges.iter().zip(&layout.routes) {
            let mut points: Vec<Point> = route.points.iter().copied().map(turn).collect();
            let ends = [self.chart.edges[edge].from, self.chart.edges[edge].to];
            for (index, end) in ends.into_iter().enumerate() {
                let Some(&near) = (if index == 0 { points.first() } else { points.last() }) else { continue };
                let at = outlines.get(&end).map_or(near, |(middle, space)| space.outline(*middle, near, horizontal));
                points.insert(if index == 0 { 0 } else { points.len() }, at);
            }
            block.courses.push(Course { edge, points, is_horizontal: horizontal, label: route.label.map(turn) });
        }
        block
    }
}

/// A connected part: indices of boxes, open groups and edges.
#[derive(Debug, Default)]
struct ChartPart {
    boxes: Vec<usize>,
    groups: Vec<usize>,
    edges: Vec<usize>,
}

/// A closed group around its content.
fn framed(group: usize, inner: ChartBlock, frame: &GroupFrame) -> ChartBlock {
    let wide = 2.0f64.mul_add(frame.padding, inner.size.0).max(frame.min_width);
    let high = 2.0f64.mul_add(frame.padding, inner.size.1) + frame.title;
    let by = ((wide - inner.size.0) / 2.0, frame.padding + frame.title);
    let mut block =
        ChartBlock { size: (wide, high), groups: vec![(group, (0.0, 0.0), (wide, high))], closed: vec![group], ..ChartBlock::default() };
    block.insert(inner, by);
    block
}

fn find(leader: &mut [usize], mut number: usize) -> usize {
    while leader[number] != number {
        leader[number] = leader[leader[number]];
        number = leader[number];
    }
    number
}

fn join(leader: &mut [usize], a: usize, b: usize) {
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b)] = a.min(b);
}
