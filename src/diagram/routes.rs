//! The routes of arrows and the positions of their texts.

use super::{
    blocks::{BlockEdge, joined_labels},
    drawing::{Anchor, Arrow, Drawing, LINE_HEIGHT, PlacedText, Rect},
    graph::{EdgeVerb, GraphNode},
    positions::{Positions, STRAIGHT_X, straight_room},
    size::{ArrowText, BUS, STUB, as_f64},
    tracks::Track,
};

/// The distance of a text from the box at which its arrow begins, so that it is clear of a head.
const TEXT_X: f64 = 10.0;
/// The distance of the base line of a text from the line below it, and from the line above it.
const ABOVE: f64 = 6.0;
const BELOW: f64 = 14.0;
/// The length of the bus beyond the first and the last arrow.
const BUS_END: f64 = 8.0;

/// Adds the arrows and the bus of the hub.
pub(super) fn arrows(positions: &Positions<'_>, drawing: &mut Drawing) {
    let mut bus: Option<(f64, f64)> = None;
    let lines = port_heights(positions);
    for (index, edge) in positions.sizes.blocks.edges.iter().enumerate() {
        let route = match positions.sizes.tracks.of_edge[index] {
            Track::Hub => positions.to_hub(edge),
            Track::Straight { upper } => positions.straight(edge, upper),
            Track::Lane { lane, own, shared } => positions.through_lane(edge, lane, [own, shared], &lines),
        };
        let Some(route) = route else { continue };
        if positions.sizes.tracks.of_edge[index] == Track::Hub {
            let y = route.0[0].1;
            bus = Some(bus.map_or((y, y), |(first, last)| (f64::min(first, y), f64::max(last, y))));
        }
        drawing.arrows.push(positions.arrow(edge, route));
    }
    if let (Some(hub), Some((first, last))) = (positions.sizes.blocks.hub, bus) {
        let hub = positions.rects[hub].0;
        let (top, bottom) = (f64::min(hub.y + hub.height, first - BUS_END), f64::max(hub.y, last + BUS_END));
        drawing.bus = Some(Rect { x: positions.bus, y: top, width: BUS, height: bottom - top });
    }
}

type RoutedEdge = (Vec<(f64, f64)>, Vec<PlacedText>);

/// The height of the line of each port.
fn port_heights(positions: &Positions<'_>) -> Vec<f64> {
    let mut lines = vec![0.0; positions.sizes.tracks.ports.len()];
    for (block, &(rect, column)) in positions.rects.iter().enumerate() {
        let Some(column) = column.map(|column| &positions.columns[column]) else { continue };
        let heights = positions.sizes.port_heights(block, column.outwards > 0.0, &column.widths);
        let used: f64 = heights.iter().map(|(above, below)| above + below).sum();
        let mut y = rect.y + ((rect.height - used) / 2.0).floor();
        for (&port, (above, below)) in positions.sizes.tracks.of_block[block].iter().zip(heights) {
            lines[port] = y + above;
            y += above + below;
        }
    }
    lines
}

impl Positions<'_> {
    fn to_hub(&self, edge: &BlockEdge) -> Option<RoutedEdge> {
        let block = edge.other(self.sizes.blocks.hub?);
        let (column, y) = (self.column_of(block)?, self.hub_lines[block]);
        let text = self.hub_text(block, column).unwrap_or_default();
        let (x, bus) = (column.inner(), if column.outwards > 0.0 { self.bus + BUS } else { self.bus });
        let mut points = vec![(x, y), (bus, y)];
        if edge.from != block {
            points.reverse();
        }
        Some((points, texts(text, f64::midpoint(x, bus), y, Anchor::Middle)))
    }

    fn straight(&self, edge: &BlockEdge, upper: usize) -> Option<RoutedEdge> {
        let lower = edge.other(upper);
        let (above, below, column) = (self.rects[upper].0, self.rects[lower].0, self.column_of(upper)?);
        let x = column.x + STRAIGHT_X.min((column.widths.boxes / 2.0).floor());
        let (top, bottom) = (above.y + above.height, below.y);
        let mut points = vec![(x, top), (x, bottom)];
        if edge.from != upper {
            points.reverse();
        }
        let lines = self.sizes.straight_text(edge, upper, straight_room(&column.widths));
        let middle = f64::midpoint(top, bottom) - as_f64(lines.len().saturating_sub(1)) * LINE_HEIGHT / 2.0;
        let text = PlacedText { lines, x: x + 8.0, y: middle + 4.0, anchor: Anchor::Start };
        Some((points, if text.lines.is_empty() { Vec::new() } else { vec![text] }))
    }

    /// `own` and `shared` are ports, and `heights` those of all ports.
    fn through_lane(&self, edge: &BlockEdge, lane: usize, [own, shared]: [usize; 2], heights: &[f64]) -> Option<RoutedEdge> {
        let block = self.sizes.tracks.ports[own].block;
        let index = self.rects[block].1?;
        let column = &self.columns[index];
        let lanes = self.sizes.tracks.lanes[index];
        let outer = column.outer();
        // If there are too many lanes, they are closer together.
        let distance = (column.widths.lanes - STUB).max(0.0) / as_f64(lanes.max(1));
        let x = column.outwards.mul_add(as_f64(lane).mul_add(distance, column.widths.texts + STUB.min(column.widths.lanes)), outer);
        let mut points = vec![(outer, heights[own]), (x, heights[own]), (x, heights[shared]), (outer, heights[shared])];
        if edge.from != block {
            points.reverse();
        }
        let text = self.sizes.port_text(own, column.outwards > 0.0, column.widths.texts);
        let anchor = if column.outwards > 0.0 { Anchor::Start } else { Anchor::End };
        Some((points, texts(text, column.outwards.mul_add(TEXT_X, outer), heights[own], anchor)))
    }

    fn arrow(&self, edge: &BlockEdge, (points, texts): RoutedEdge) -> Arrow {
        let verb_ids = |verbs: &[EdgeVerb]| verbs.iter().map(|verb| verb.id.clone()).collect();
        Arrow {
            from: self.members(edge.from).map(|node| node.id.clone()).collect(),
            to: self.members(edge.to).map(|node| node.id.clone()).collect(),
            verbs: verb_ids(&edge.verbs),
            verbs_back: verb_ids(&edge.back),
            line: edge.line(),
            points,
            texts,
            title: self.arrow_title(edge),
        }
    }

    fn members(&self, block: usize) -> impl Iterator<Item = &GraphNode> {
        self.sizes.blocks.blocks[block].members.iter().map(|&member| &self.sizes.graph.nodes[member])
    }

    fn arrow_title(&self, edge: &BlockEdge) -> String {
        let labels = |block: usize| self.members(block).map(|node| node.label.as_str()).collect::<Vec<_>>().join(", ");
        let (from, to) = (labels(edge.from), labels(edge.to));
        let forth = format!("{from} → {to}: {}", joined_labels(&edge.verbs));
        if edge.back.is_empty() { forth } else { format!("{forth}; {to} → {from}: {}", joined_labels(&edge.back)) }
    }
}

/// The texts of a horizontal line at this height.
fn texts(text: ArrowText, x: f64, y: f64, anchor: Anchor) -> Vec<PlacedText> {
    let first = y - ABOVE - as_f64(text.above.len().saturating_sub(1)) * LINE_HEIGHT;
    let texts = [PlacedText { lines: text.above, x, y: first, anchor }, PlacedText { lines: text.below, x, y: y + BELOW, anchor }];
    texts.into_iter().filter(|text| !text.lines.is_empty()).collect()
}
