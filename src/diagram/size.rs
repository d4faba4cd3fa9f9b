//! Sizes in CSS pixels: the parts of the columns within a given width, and the heights of blocks.

use super::{
    blocks::{BlockEdge, BlockGraph, joined_labels},
    columns::Stacks,
    drawing::LINE_HEIGHT,
    graph::{Graph, GraphNode},
    measure::{LABEL_SIZE, SMALL_SIZE, width, wrap},
    tracks::Tracks,
};

/// The least height of a box.
pub(super) const BOX: f64 = 28.0;
/// The space between the boxes of a block.
pub(super) const INNER_GAP: f64 = 6.0;
/// The space between the frame of a block and its boxes.
pub(super) const FRAME: f64 = 8.0;
/// The width of the bus of a hub.
pub(super) const BUS: f64 = 8.0;
/// The space between the border of a box and the nearest lane.
pub(super) const STUB: f64 = 16.0;
/// The distance between lanes.
const LANE: f64 = 9.0;
/// The space between columns without a hub.
pub(super) const COLUMN_GAP: f64 = 24.0;
/// The height of a line of a label.
pub(super) const LABEL_LINE: f64 = 16.0;
/// The space between a text and its arrow.
const TEXT_GAP: f64 = 5.0;
/// The height of a port without a text.
const PORT: f64 = 10.0;
/// The space around texts on an arrow to a hub: for the heads.
pub(super) const HEADS: f64 = 24.0;
/// The least width of boxes in subgraphs, whose labels have the same width.
const SUBGRAPH: f64 = 100.0;
/// The length of an arrow to a hub without a text.
const CONNECTOR: f64 = 40.0;
/// The space at both ends of a label in its box.
const BOX_PADDING: f64 = 10.0;
/// The width of a mark.
const MARK: f64 = 20.0;
/// The width of a text beyond which it is broken, if there is room.
const TEXT_WIDTH: f64 = 120.0;

/// The texts above and below an arrow; each may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ArrowText {
    pub(super) above: Vec<String>,
    pub(super) below: Vec<String>,
}

impl ArrowText {
    /// The texts of a horizontal arrow at one of its blocks, within a width. `to_right` is whether the line leaves the block to the right.
    fn at(edge: &BlockEdge, block: usize, to_right: bool, room: f64) -> Self {
        let (forth, back) = (joined_labels(&edge.verbs), joined_labels(&edge.back));
        let (away, towards) = if block == edge.from { (forth, back) } else { (back, forth) };
        let broken = |text: &str| if text.is_empty() { Vec::new() } else { wrap(text, SMALL_SIZE, room) };
        if away.is_empty() || towards.is_empty() {
            return Self { above: broken(&format!("{away}{towards}")), below: Vec::new() };
        }
        let (right, left) = if to_right { (away, towards) } else { (towards, away) };
        Self { above: broken(&format!("{right} →")), below: broken(&format!("← {left}")) }
    }

    /// The heights above and below the line.
    pub(super) fn heights(&self) -> (f64, f64) {
        (text_height(&self.above), text_height(&self.below))
    }

    fn width(&self) -> f64 {
        self.above.iter().chain(&self.below).map(|line| width(line, SMALL_SIZE)).fold(0.0, f64::max).ceil()
    }
}

#[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 things are drawn")]
pub(super) const fn as_f64(count: usize) -> f64 {
    count as f64
}

pub(super) fn text_height(lines: &[String]) -> f64 {
    if lines.is_empty() { 0.0 } else { as_f64(lines.len()).mul_add(LINE_HEIGHT, TEXT_GAP) }
}

/// The widths of the parts of a column, from the hub outwards.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ColumnWidths {
    /// The arrows to the hub with their texts.
    pub(super) connectors: f64,
    pub(super) boxes: f64,
    /// The texts of arrows in lanes.
    pub(super) texts: f64,
    pub(super) lanes: f64,
}

impl ColumnWidths {
    pub(super) const fn total(&self) -> f64 {
        self.connectors + self.boxes + self.texts + self.lanes
    }

    fn parts(&self) -> [f64; 4] {
        [self.connectors, self.boxes, self.texts, self.lanes]
    }
}

/// What all sizes are computed from.
pub(super) struct Sizes<'a> {
    pub(super) graph: &'a Graph,
    pub(super) blocks: &'a BlockGraph,
    pub(super) tracks: &'a Tracks,
}

impl Sizes<'_> {
    /// The widths of the columns, not more than `room` together if that is possible at all.
    pub(super) fn columns(&self, stacks: &Stacks, room: f64) -> Vec<ColumnWidths> {
        let boxes = if self.graph.subgraphs.is_empty() { 0.0 } else { SUBGRAPH };
        let mut natural = vec![ColumnWidths { boxes, ..ColumnWidths::default() }; stacks.len()];
        for ((widths, stack), &lanes) in natural.iter_mut().zip(stacks).zip(&self.tracks.lanes) {
            for &block in stack.iter().flatten() {
                let members = &self.blocks.blocks[block].members;
                let frame = if members.len() > 1 { 2.0 * FRAME } else { 0.0 };
                let widest = members.iter().map(|&member| box_width(&self.graph.nodes[member])).fold(0.0, f64::max);
                widths.boxes = widths.boxes.max(widest + frame);
                if let Some(edge) = self.blocks.hub_edges[block] {
                    let text = self.hub_text(&self.blocks.edges[edge], block, true, TEXT_WIDTH).width();
                    widths.connectors = widths.connectors.max(if text > 0.0 { text + HEADS } else { CONNECTOR });
                }
                for port in &self.tracks.of_block[block] {
                    widths.texts = widths.texts.max(self.port_text(*port, true, TEXT_WIDTH).width());
                }
            }
            widths.lanes = if lanes == 0 { 0.0 } else { as_f64(lanes).mul_add(LANE, STUB) };
            widths.texts += if widths.texts > 0.0 { 2.0 } else { 0.0 };
        }
        // Both sides of a hub look the same.
        if self.blocks.hub.is_some() {
            let boxes = natural.iter().map(|widths| widths.boxes).fold(0.0, f64::max);
            for widths in &mut natural {
                widths.boxes = boxes;
            }
        }
        shared(&natural, room)
    }

    /// The texts at a port.
    pub(super) fn port_text(&self, port: usize, to_right: bool, room: f64) -> ArrowText {
        let port = &self.tracks.ports[port];
        let Some(edge) = port.edge.filter(|_| self.graph.show_verbs) else { return ArrowText::default() };
        ArrowText::at(&self.blocks.edges[edge], port.block, to_right, room)
    }

    /// The texts of an arrow between a block and the hub.
    pub(super) fn hub_text(&self, edge: &BlockEdge, block: usize, to_right: bool, room: f64) -> ArrowText {
        if self.graph.show_verbs { ArrowText::at(edge, block, to_right, room) } else { ArrowText::default() }
    }

    /// The text next to an arrow that leads straight down or up from a block.
    pub(super) fn straight_text(&self, edge: &BlockEdge, upper: usize, room: f64) -> Vec<String> {
        if !self.graph.show_verbs {
            return Vec::new();
        }
        let (forth, back) = (joined_labels(&edge.verbs), joined_labels(&edge.back));
        let (down, up) = if upper == edge.from { (forth, back) } else { (back, forth) };
        let text = if down.is_empty() || up.is_empty() { format!("{down}{up}") } else { format!("↓ {down}, ↑ {up}") };
        if text.is_empty() { Vec::new() } else { wrap(&text, SMALL_SIZE, room) }
    }

    /// The lines of the label of a node in a box of this width.
    pub(super) fn label(node: &GraphNode, boxes: f64) -> Vec<String> {
        let mark = if node.mark.is_empty() { 0.0 } else { MARK };
        wrap(&node.label, LABEL_SIZE, boxes - mark - 2.0 * BOX_PADDING)
    }

    /// The height of a box of this width.
    pub(super) fn box_height(node: &GraphNode, boxes: f64) -> f64 {
        as_f64(Self::label(node, boxes).len()).mul_add(LABEL_LINE, BOX - LABEL_LINE)
    }

    /// The heights of the members of a block in a column.
    pub(super) fn member_heights(&self, block: usize, boxes: f64) -> Vec<f64> {
        let members = &self.blocks.blocks[block].members;
        let inner = if members.len() > 1 { boxes - 2.0 * FRAME } else { boxes };
        members.iter().map(|&member| Self::box_height(&self.graph.nodes[member], inner)).collect()
    }

    /// The heights above and below the line of each port of a block. `to_right` is whether lines leave it to the right.
    pub(super) fn port_heights(&self, block: usize, to_right: bool, widths: &ColumnWidths) -> Vec<(f64, f64)> {
        let heights = |&port: &usize| {
            let (above, below) = self.port_text(port, to_right, widths.texts).heights();
            (f64::max(above, PORT / 2.0), f64::max(below, PORT / 2.0))
        };
        self.tracks.of_block[block].iter().map(heights).collect()
    }
}

/// The width of a box with its label in one line.
pub(super) fn box_width(node: &GraphNode) -> f64 {
    let mark = if node.mark.is_empty() { 0.0 } else { MARK };
    (width(&node.label, LABEL_SIZE) + mark + 2.0 * BOX_PADDING).ceil()
}

/// Reduces the widths so that they fit: first down to the least widths at which texts are easy to read, then further.
fn shared(natural: &[ColumnWidths], room: f64) -> Vec<ColumnWidths> {
    let least = |widths: &ColumnWidths| {
        let connectors = if widths.connectors > CONNECTOR { 84.0 } else { 24.0 };
        [connectors, 116.0, 66.0, 52.0].into_iter().zip(widths.parts()).map(|(least, part)| f64::min(least, part)).collect::<Vec<_>>()
    };
    let wanted: f64 = natural.iter().map(ColumnWidths::total).sum();
    let needed: f64 = natural.iter().flat_map(least).sum();
    let part = |natural: f64, least: f64| {
        let width = if wanted <= room {
            natural
        } else if needed <= room {
            least + (natural - least) * (room - needed) / (wanted - needed)
        } else {
            least * room / needed
        };
        width.floor()
    };
    natural
        .iter()
        .map(|widths| {
            let least = least(widths);
            let [connectors, boxes, texts, lanes] = widths.parts();
            ColumnWidths {
                connectors: part(connectors, least[0]),
                boxes: part(boxes, least[1]),
                texts: part(texts, least[2]),
                lanes: part(lanes, least[3]),
            }
        })
        .collect()
}
