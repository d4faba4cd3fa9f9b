//! The positions of blocks: columns from left to right, bands from top to bottom.

use super::{
    columns::Stacks,
    drawing::{Anchor, Drawing, LINE_HEIGHT, NodeShape, PlacedText, Rect, SubgraphShape},
    measure::{SMALL_SIZE, wrap},
    size::{ArrowText, BOX, BUS, COLUMN_GAP, ColumnWidths, FRAME, HEADS, INNER_GAP, Sizes, as_f64, text_height},
};

/// The space inside the border of a subgraph.
pub(super) const SUBGRAPH_PADDING: f64 = 12.0;
/// The space above and below the label of a subgraph.
const SUBGRAPH_LABEL: f64 = 13.0;
/// The space around a drawing without subgraphs, for the text and the border of a box.
pub(super) const BARE_PADDING: f64 = 2.0;
/// The space between subgraphs.
const SUBGRAPH_GAP: f64 = 8.0;
/// The space between blocks.
pub(super) const BLOCK_GAP: f64 = 9.0;
/// The space between blocks that are not connected, in a drawing without bands and without a hub.
const FLOW_GAP: f64 = 20.0;
/// The length of a straight arrow between blocks.
const STRAIGHT: f64 = 24.0;
/// The distance of a straight arrow from the left border of its boxes.
pub(super) const STRAIGHT_X: f64 = 24.0;
/// The height of the hub.
const HUB: f64 = 34.0;
/// The space below the hub.
const HUB_GAP: f64 = 12.0;
/// The horizontal positions of a column.
pub(super) struct Column {
    /// The left border of its boxes.
    pub(super) x: f64,
    pub(super) widths: ColumnWidths,
    /// 1 if the lanes are to the right of the boxes, -1 if they are to the left.
    pub(super) outwards: f64,
}

impl Column {
    pub(super) const fn right(&self) -> f64 {
        self.x + self.widths.boxes
    }

    /// The border of the boxes next to the lanes.
    pub(super) const fn outer(&self) -> f64 {
        if self.outwards > 0.0 { self.right() } else { self.x }
    }

    /// The border of the boxes next to the bus.
    pub(super) const fn inner(&self) -> f64 {
        if self.outwards > 0.0 { self.x } else { self.right() }
    }
}

/// The positions of blocks.
pub(super) struct Positions<'a> {
    pub(super) sizes: Sizes<'a>,
    pub(super) stacks: Stacks,
    pub(super) columns: Vec<Column>,
    /// The left border of the bus.
    pub(super) bus: f64,
    /// The rectangle of each block, and its column; that of the hub has none.
    pub(super) rects: Vec<(Rect, Option<usize>)>,
    /// The height of the arrow between each block and the hub.
    pub(super) hub_lines: Vec<f64>,
}

/// The positions of the columns and the bus, and the width of the whole.
pub(super) fn horizontal(widths: &[ColumnWidths], has_hub: bool, padding: f64) -> (Vec<Column>, f64, f64) {
    let column = |x: f64, widths: ColumnWidths| Column { x: x + widths.connectors, widths, outwards: 1.0 };
    match *widths {
        [left, right] if has_hub => {
            let x = padding + left.lanes + left.texts;
            let bus = padding + left.total();
            let columns = vec![Column { x, widths: left, outwards: -1.0 }, column(bus + BUS, right)];
            (columns, bus, bus + BUS + right.total() + padding)
        }
        _ => {
            let mut x = padding + if has_hub { BUS } else { 0.0 };
            let mut columns = Vec::new();
            for &widths in widths {
                columns.push(column(x, widths));
                x += widths.total() + COLUMN_GAP;
            }
            (columns, padding, x - COLUMN_GAP + padding)
        }
    }
}

impl Positions<'_> {
    /// The column of a block that isn't the hub.
    pub(super) fn column_of(&self, block: usize) -> Option<&Column> {
        self.columns.get(self.rects[block].1?)
    }

    /// The texts of the arrow between a block and the hub, if there is one.
    pub(super) fn hub_text(&self, block: usize, column: &Column) -> Option<ArrowText> {
        let edge = &self.sizes.blocks.edges[self.sizes.blocks.hub_edges[block]?];
        Some(self.sizes.hub_text(edge, block, column.outwards < 0.0, column.widths.connectors - HEADS))
    }

    /// Computes the heights of the bands and the rectangles of blocks.
    pub(super) fn vertical(&mut self, bands: &[Option<usize>], width: f64) -> Drawing {
        let graph = self.sizes.graph;
        let mut drawing = Drawing { width, ..Drawing::default() };
        let mut y = 0.0;
        for (band, &subgraph) in bands.iter().enumerate() {
            let hub = self.sizes.blocks.hub.filter(|&hub| self.sizes.blocks.blocks[hub].band == band);
            if hub.is_none() && self.stacks.iter().all(|stack| stack[band].is_empty()) {
                continue;
            }
            let label = subgraph.map(|subgraph| self.subgraph_label(&graph.subgraphs[subgraph].label, y));
            let mut top = y + label.as_ref().map_or(BARE_PADDING, |label| as_f64(label.lines.len()).mul_add(LINE_HEIGHT, SUBGRAPH_LABEL));
            let mut end = top;
            if let Some(hub) = hub {
                let rect = self.hub_rect(hub, top);
                self.rects[hub] = (rect, None);
                end = rect.y + rect.height;
                top = end + HUB_GAP;
            }
            for column in 0..self.stacks.len() {
                end = f64::max(end, self.stack(column, band, top));
            }
            end += if subgraph.is_some() { SUBGRAPH_PADDING } else { BARE_PADDING };
            if let (Some(subgraph), Some(label)) = (subgraph, label) {
                let rect = Rect { x: 0.5, y: y + 0.5, width: width - 1.0, height: end - y - 1.0 };
                drawing.subgraphs.push(SubgraphShape { rect, subgraph: graph.subgraphs[subgraph].clone(), label });
            }
            y = end + SUBGRAPH_GAP;
        }
        drawing.height = (y - SUBGRAPH_GAP).max(1.0);
        drawing
    }

    /// The label of a subgraph is above the boxes of the first column, where no line is.
    fn subgraph_label(&self, label: &str, top: f64) -> PlacedText {
        let (x, room) = self.columns.first().map_or((SUBGRAPH_PADDING, 0.0), |column| (column.x, column.widths.boxes));
        PlacedText { lines: wrap(label, SMALL_SIZE, room), x, y: top + 18.0, anchor: Anchor::Start }
    }

    /// The hub is as wide as the columns of boxes.
    fn hub_rect(&self, hub: usize, y: f64) -> Rect {
        let (left, right) = match self.columns.as_slice() {
            [] => (self.bus, self.bus + BUS),
            [only] => (self.bus, only.right()),
            [first, .., last] => (first.x, last.right()),
        };
        let node = &self.sizes.graph.nodes[self.sizes.blocks.blocks[hub].members[0]];
        let width = right - left;
        Rect { x: left, y, width, height: Sizes::box_height(node, width) + HUB - BOX }
    }

    /// Places the blocks of a column in a band, and returns the bottom of the lowest.
    fn stack(&mut self, column: usize, band: usize, top: f64) -> f64 {
        let widths = self.columns[column].widths;
        // Without bands and a hub, the drawing is of several separate flows.
        let is_bare = self.sizes.blocks.hub.is_none() && self.sizes.graph.subgraphs.is_empty();
        let block_gap = if is_bare { FLOW_GAP } else { BLOCK_GAP };
        let mut y = top;
        let mut above = None;
        for &block in &self.stacks[column][band] {
            y += match above.map(|above: usize| (above, self.sizes.tracks.below[above])) {
                None => 0.0,
                Some((_, None)) => block_gap,
                Some((above, Some(edge))) => {
                    let edge = &self.sizes.blocks.edges[edge];
                    let text = self.sizes.straight_text(edge, above, straight_room(&widths));
                    f64::max(STRAIGHT, text_height(&text) + 4.0)
                }
            };
            let (height, text) = self.block_height(block, &self.columns[column]);
            // The arrow to the hub is in the middle of the block, and its texts have room above and below it.
            let half = (height / 2.0).floor();
            let top = y + f64::max(text.0 - half, 0.0);
            self.hub_lines[block] = top + half;
            self.rects[block] = (Rect { x: self.columns[column].x, y: top, width: widths.boxes, height }, Some(column));
            y = top + f64::max(height, half + text.1);
            above = Some(block);
        }
        y
    }

    /// The height of a block, and the heights above and below the arrow to the hub.
    fn block_height(&self, block: usize, column: &Column) -> (f64, (f64, f64)) {
        let widths = &column.widths;
        let members = self.sizes.member_heights(block, widths.boxes);
        let gaps = as_f64(members.len() - 1) * INNER_GAP + if members.len() > 1 { 2.0 * FRAME } else { 0.0 };
        let ports: f64 = self.sizes.port_heights(block, column.outwards > 0.0, widths).iter().map(|(above, below)| above + below).sum();
        let text = self.hub_text(block, column).map_or((0.0, 0.0), |text| text.heights());
        (f64::max(members.iter().sum::<f64>() + gaps, ports + 8.0), text)
    }

    pub(super) fn draw_boxes(&self, drawing: &mut Drawing) {
        for (block, &(rect, _)) in self.sizes.blocks.blocks.iter().zip(&self.rects) {
            let is_hub = self.sizes.blocks.hub.is_some_and(|hub| std::ptr::eq(block, &raw const self.sizes.blocks.blocks[hub]));
            let node = |member: usize, rect: Rect| {
                let node = &self.sizes.graph.nodes[member];
                NodeShape { rect, node: node.clone(), lines: Sizes::label(node, rect.width), is_hub }
            };
            if let [only] = *block.members {
                drawing.boxes.push(node(only, rect));
                continue;
            }
            drawing.frames.push(rect);
            let width = rect.width - 2.0 * FRAME;
            let heights: Vec<f64> = block.members.iter().map(|&member| Sizes::box_height(&self.sizes.graph.nodes[member], width)).collect();
            let used = heights.iter().sum::<f64>() + as_f64(heights.len() - 1) * INNER_GAP;
            let mut y = rect.y + ((rect.height - used) / 2.0).floor();
            for (&member, height) in block.members.iter().zip(heights) {
                drawing.boxes.push(node(member, Rect { x: rect.x + FRAME, y, width, height }));
                y += height + INNER_GAP;
            }
        }
    }
}

/// The width of the text of a straight arrow, which is to the right of it.
pub(super) fn straight_room(widths: &ColumnWidths) -> f64 {
    widths.boxes - STRAIGHT_X.min(widths.boxes / 2.0) - 8.0
}
