//! The layout: subgraphs are bands one below the other, columns follow the arrows from left to right.
//!
//! Nodes of a subgraph that have the same arrows share one block and its arrows; arrows to one node join where they pass other columns.
//! Both keep the drawing of a large system readable. Boxes and texts are in columns and lines rise and fall only between columns, so no
//! line crosses a box. Nodes without arrows are at the bottom of the columns.

use super::{
    blocks::{
        ArrowText, BOX, BlockEdge, BlockGraph, FRAME, INNER_GAP, LANE_LINE, LabelPlacement, NodeBlock, add_stops, blocks, box_width,
        joined_labels, place_labels, stacked, widest,
    },
    drawing::{Arrow, Drawing, NodeShape, PlacedText, Rect, SubgraphShape},
    graph::{EdgeVerb, Graph, GraphNode},
    measure::{SMALL_SIZE, width},
    order::{ColumnItem, order},
    place::{BLOCK_GAP, LINE_GAP, centres},
    rank::{Ranking, ranks},
};

/// The space between columns, without texts.
const COLUMN_GAP: f64 = 56.0;
/// The length of the horizontal part at the ends of a line, so that its head has the right direction.
const LEVEL: f64 = 10.0;
/// The space inside the border of a subgraph.
const SUBGRAPH_PADDING: f64 = 14.0;
/// The height of a subgraph's label.
const SUBGRAPH_LABEL: f64 = 28.0;
/// The space above nodes without a subgraph, for the text of an arrow.
const BARE_TOP: f64 = 4.0;
/// The space between subgraphs.
const SUBGRAPH_GAP: f64 = 14.0;
/// The space around a text on an arrow.
const LABEL_GAP: f64 = 10.0;
/// The width of rows of boxes in a graph without arrows.
const ROW: f64 = 560.0;

/// Computes the position of everything.
#[must_use]
pub fn layout(graph: &Graph) -> Drawing {
    let subgraph_of = |node: &GraphNode| node.subgraph.filter(|subgraph| *subgraph < graph.subgraphs.len());
    let bare = graph.nodes.iter().any(|node| subgraph_of(node).is_none());
    let bands: Vec<Option<usize>> = bare.then_some(None).into_iter().chain((0..graph.subgraphs.len()).map(Some)).collect();
    let band_of = |node| bands.iter().position(|subgraph| *subgraph == subgraph_of(node)).unwrap_or(0);
    let band_of: Vec<usize> = graph.nodes.iter().map(band_of).collect();
    let BlockGraph { mut blocks, mut edges, isolated } = blocks(graph, &band_of, bands.len());
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.from, edge.to)).collect();
    let Ranking { ranks, reversed } = ranks(blocks.len(), &pairs);
    for (edge, reversed) in edges.iter_mut().zip(reversed) {
        if reversed {
            std::mem::swap(&mut edge.from, &mut edge.to);
            edge.reversed = true;
        }
    }
    if graph.show_verbs {
        place_labels(&mut edges, &mut blocks);
    }
    let mut items: Vec<ColumnItem> = blocks.iter().zip(&ranks).map(|(block, &column)| ColumnItem { column, band: block.band }).collect();
    let steps = add_stops(&mut edges, &mut items, blocks.len());
    let columns = order(&items, &steps);
    let tall = |item: usize| blocks.get(item).map_or(0.0, |block| block.height);
    let centres = centres(&items, &columns, &steps, &tall);
    let lanes = lanes(&edges, &items, &centres, blocks.len());
    LayoutState { graph, bands, blocks, isolated, edges, items, columns, centres, lanes }.draw()
}

/// The lanes of each block from top to bottom, by their texts, so that arrows leave in the order in which they arrive. Arrows with their
/// text at another place share a lane without text. A block without arrows in lanes has none.
fn lanes(edges: &[BlockEdge], items: &[ColumnItem], centres: &[f64], blocks: usize) -> Vec<Vec<ArrowText>> {
    let lanes_of = |block: usize| {
        let leaving = || edges.iter().filter(move |edge| edge.from == block);
        if leaving().all(|edge| edge.placement != LabelPlacement::Lane) {
            return Vec::new();
        }
        // The height of its first stop, or else of its end.
        let height = |edge: &BlockEdge| {
            let next = edge.stops.first().copied().unwrap_or(edge.to);
            (items[next].band, centres[next])
        };
        let mut keyed: Vec<((usize, f64), ArrowText)> = leaving().map(|edge| (height(edge), lane_of(edge))).collect();
        keyed.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(a.0.1.total_cmp(&b.0.1)));
        let mut lanes: Vec<ArrowText> = Vec::new();
        for (_, lane) in keyed {
            if !lanes.contains(&lane) {
                lanes.push(lane);
            }
        }
        lanes
    };
    (0..blocks).map(lanes_of).collect()
}

fn lane_of(edge: &BlockEdge) -> ArrowText {
    if edge.placement == LabelPlacement::Lane { ArrowText::of(edge) } else { ArrowText::default() }
}

/// The width of the text of an arrow.
fn text_width(edge: &BlockEdge) -> f64 {
    let ArrowText { above, below } = ArrowText::of(edge);
    width(&above, SMALL_SIZE).max(width(&below, SMALL_SIZE))
}

/// The position of a column and the space for texts on both sides.
#[derive(Clone, Copy, Default)]
struct ColumnSpan {
    x: f64,
    width: f64,
    /// The width of texts that begin at its right edge; lines rise and fall to the right of them.
    text_after: f64,
    /// The width of texts that end at its left edge; lines rise and fall to the left of them.
    text_before: f64,
}

impl ColumnSpan {
    const fn right(&self) -> f64 {
        self.x + self.width
    }
}

/// Everything that the final positions are computed from.
struct LayoutState<'a> {
    graph: &'a Graph,
    /// The subgraph of each row: after one for the nodes without a subgraph, if there are any.
    bands: Vec<Option<usize>>,
    blocks: Vec<NodeBlock>,
    /// Nodes without edges, by band.
    isolated: Vec<Vec<usize>>,
    edges: Vec<BlockEdge>,
    items: Vec<ColumnItem>,
    /// The items of each column, from top to bottom.
    columns: Vec<Vec<usize>>,
    /// The height of the middle of each item in its band.
    centres: Vec<f64>,
    /// The lanes of each block, from top to bottom.
    lanes: Vec<Vec<ArrowText>>,
}

/// A node without arrows, at the bottom of a column.
struct IsolatedNode {
    node: usize,
    column: usize,
    row: usize,
}

impl LayoutState<'_> {
    fn draw(&self) -> Drawing {
        let left = if self.graph.subgraphs.is_empty() { 1.0 } else { SUBGRAPH_PADDING };
        let isolated: Vec<Vec<IsolatedNode>> = self.isolated.iter().map(|members| self.distributed(members)).collect();
        let columns = self.column_spans(left, &isolated);
        let mut drawing = Drawing::default();
        let mut used = columns.last().map_or(0.0, |last| last.right() - left);
        let mut y = 0.0;
        let mut tops = Vec::new();
        for (band, subgraph) in self.bands.iter().enumerate() {
            let height = self.band_height(band);
            if height <= 0.0 && self.isolated[band].is_empty() {
                tops.push(y);
                continue;
            }
            let subgraph = subgraph.map(|subgraph| &self.graph.subgraphs[subgraph]);
            let top = y + if subgraph.is_some() { SUBGRAPH_LABEL } else { BARE_TOP };
            tops.push(top);
            let mut end = top + height;
            if !self.isolated[band].is_empty() {
                let start = if height > 0.0 { end + BLOCK_GAP } else { end };
                end = if columns.is_empty() {
                    let (end, reached) = self.rows(&self.isolated[band], (left, start), &mut drawing);
                    used = used.max(reached - left);
                    end
                } else {
                    self.fill_columns(&isolated[band], &columns, start, &mut drawing)
                };
            }
            if let Some(subgraph) = subgraph {
                used = used.max(width(&subgraph.label, SMALL_SIZE) + 24.0);
                end += SUBGRAPH_PADDING;
                let rect = Rect { x: 0.5, y: y + 0.5, width: 0.0, height: end - y - 1.0 };
                drawing.subgraphs.push(SubgraphShape { rect, subgraph: subgraph.clone() });
            }
            y = end + SUBGRAPH_GAP;
        }
        drawing.width = (used + 2.0 * left).ceil();
        drawing.height = (y - SUBGRAPH_GAP + 1.0).max(1.0).ceil();
        for subgraph in &mut drawing.subgraphs {
            subgraph.rect.width = drawing.width - 1.0;
        }
        let rects: Vec<Rect> = (0..self.blocks.len()).map(|block| self.block_rect(&columns, &tops, block)).collect();
        for (block, rect) in self.blocks.iter().zip(&rects) {
            self.fill(block, rect, &mut drawing);
        }
        drawing.arrows = self.edges.iter().map(|edge| self.arrow(&columns, &tops, &rects, edge)).collect();
        drawing
    }

    /// The height of the blocks and lines of a band.
    fn band_height(&self, band: usize) -> f64 {
        let of_band = (0..self.items.len()).filter(|&item| self.items[item].band == band);
        let bottom = |item: usize| self.centres[item] + self.blocks.get(item).map_or(LINE_GAP, |block| block.height) / 2.0;
        of_band.map(bottom).fold(0.0, f64::max)
    }

    /// Distributes nodes without arrows over the columns, each to the column with the fewest of them.
    fn distributed(&self, members: &[usize]) -> Vec<IsolatedNode> {
        let mut rows = vec![0usize; self.columns.len()];
        let place = |&node: &usize| {
            let column = (0..rows.len()).min_by_key(|&column| (rows[column], column))?;
            rows[column] += 1;
            Some(IsolatedNode { node, column, row: rows[column] - 1 })
        };
        members.iter().filter_map(place).collect()
    }

    fn column_spans(&self, left: f64, isolated: &[Vec<IsolatedNode>]) -> Vec<ColumnSpan> {
        let mut spans: Vec<ColumnSpan> = Vec::new();
        let mut x = left;
        for (column, items) in self.columns.iter().enumerate() {
            let blocks = items.iter().filter_map(|&item| self.blocks.get(item)).map(|block| block.width);
            let isolated =
                isolated.iter().flatten().filter(|node| node.column == column).map(|node| box_width(&self.graph.nodes[node.node]));
            // The label of a subgraph is above the first column, where no arrow crosses it.
            let labels = self.bands.iter().flatten().filter(|_| column == 0);
            let labels = labels.map(|&subgraph| width(&self.graph.subgraphs[subgraph].label, SMALL_SIZE));
            let size = blocks.chain(isolated).chain(labels).fold(0.0, f64::max).ceil();
            let space = |edge: &BlockEdge| if text_width(edge) > 0.0 { text_width(edge) + LABEL_GAP } else { 0.0 };
            let begin = self.edges.iter().filter(|edge| {
                matches!(edge.placement, LabelPlacement::Left | LabelPlacement::Lane) && self.items[edge.from].column == column
            });
            let end = self.edges.iter().filter(|edge| edge.placement == LabelPlacement::Right && self.items[edge.to].column == column);
            let (text_after, text_before) = (begin.map(space).fold(0.0, f64::max), end.map(space).fold(0.0, f64::max));
            x += text_before;
            spans.push(ColumnSpan { x, width: size, text_after, text_before });
            x += (size + text_after + COLUMN_GAP + self.extra_gap(column)).ceil();
        }
        spans
    }

    /// The space that lines need between a column and the next in addition to [`COLUMN_GAP`]: it grows with the steepest line and the
    /// number of lines that change their band.
    fn extra_gap(&self, column: usize) -> f64 {
        let mut changes = 0.0;
        let mut steepest: f64 = 0.0;
        for edge in &self.edges {
            let stops = [edge.from].into_iter().chain(edge.stops.iter().copied()).chain([edge.to]).collect::<Vec<_>>();
            let step = stops.windows(2).find(|step| self.items[step[0]].column == column);
            let Some(&[from, to]) = step else { continue };
            if self.items[from].band == self.items[to].band {
                steepest = steepest.max((self.centres[from] - self.centres[to]).abs());
            } else {
                changes += 2.0;
            }
        }
        f64::max(steepest / 6.0, changes).min(48.0)
    }

    /// Draws boxes in rows, from left to right; returns the bottom and the right end of the rows.
    fn rows(&self, members: &[usize], (left, top): (f64, f64), drawing: &mut Drawing) -> (f64, f64) {
        let (mut x, mut y, mut reached) = (left, top, left);
        for &member in members {
            let node = &self.graph.nodes[member];
            let size = box_width(node);
            if x > left && x + size > left + ROW {
                x = left;
                y += BOX + INNER_GAP;
            }
            drawing.boxes.push(NodeShape { rect: Rect { x, y, width: size, height: BOX }, node: node.clone() });
            reached = reached.max(x + size);
            x += size + INNER_GAP;
        }
        (y + BOX, reached)
    }

    /// Draws nodes without arrows at the bottom of the columns; returns the bottom of the lowest.
    #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 boxes")]
    fn fill_columns(&self, isolated: &[IsolatedNode], columns: &[ColumnSpan], top: f64, drawing: &mut Drawing) -> f64 {
        let mut end = top;
        for node in isolated {
            let span = &columns[node.column];
            let of_column: Vec<usize> = isolated.iter().filter(|other| other.column == node.column).map(|other| other.node).collect();
            let size = widest(self.graph, &of_column);
            let y = top + node.row as f64 * (BOX + INNER_GAP);
            // Aligned with the blocks above, which are at the right edge.
            let x = if node.column + 1 == columns.len() { span.x } else { span.right() - size };
            drawing.boxes.push(NodeShape { rect: Rect { x, y, width: size, height: BOX }, node: self.graph.nodes[node.node].clone() });
            end = f64::max(end, y + BOX);
        }
        end
    }

    fn block_rect(&self, columns: &[ColumnSpan], tops: &[f64], index: usize) -> Rect {
        let block = &self.blocks[index];
        let column = self.items[index].column;
        let span = &columns[column];
        // Blocks are at the right edge of their column, where their arrows begin; in the last one at the left, where arrows end.
        let x = if column + 1 == columns.len() { span.x } else { span.right() - block.width };
        let y = (tops[block.band] + self.centres[index] - block.height / 2.0).round();
        Rect { x, y, width: block.width, height: block.height }
    }

    /// Draws the members of a block in its rectangle.
    #[allow(clippy::cast_precision_loss, reason = "far fewer than 2^52 boxes")]
    fn fill(&self, block: &NodeBlock, rect: &Rect, drawing: &mut Drawing) {
        let node = |member: usize| self.graph.nodes[member].clone();
        if let [only] = block.members.as_slice() {
            drawing.boxes.push(NodeShape { rect: *rect, node: node(*only) });
            return;
        }
        drawing.frames.push(*rect);
        let size = widest(self.graph, &block.members);
        let rows = block.members.len().div_ceil(block.columns);
        let grid = stacked(rows, BOX);
        let top = rect.y + (rect.height - grid) / 2.0;
        for (index, &member) in block.members.iter().enumerate() {
            let (column, row) = ((index / rows) as f64, (index % rows) as f64);
            let x = rect.x + FRAME + column * (size + INNER_GAP);
            let y = top + row * (BOX + INNER_GAP);
            drawing.boxes.push(NodeShape { rect: Rect { x, y, width: size, height: BOX }, node: node(member) });
        }
    }

    fn arrow(&self, columns: &[ColumnSpan], tops: &[f64], rects: &[Rect], edge: &BlockEdge) -> Arrow {
        let (from, to) = (&rects[edge.from], &rects[edge.to]);
        let start = (from.x + from.width, self.start_height(from, edge));
        let end = (to.x, to.y + to.height / 2.0 + self.side_offset(edge.to, edge.reversed, false));
        // Lines are horizontal next to boxes and texts, and rise and fall between.
        let (first, last) = (&columns[self.items[edge.from].column], &columns[self.items[edge.to].column]);
        // A very small step looks like a mistake.
        let end = if edge.stops.is_empty() && (start.1 - end.1).abs() <= 3.0 { (end.0, start.1) } else { end };
        let mut points = vec![start, (first.right() + first.text_after + LEVEL, start.1)];
        for &stop in &edge.stops {
            let span = &columns[self.items[stop].column];
            let y = tops[self.items[stop].band] + self.centres[stop];
            points.extend([(span.x - span.text_before, y), (span.right() + span.text_after, y)]);
        }
        points.extend([(last.x - last.text_before - LEVEL, end.1), end]);
        if edge.reversed {
            points.reverse();
        }
        let (from, to) = if edge.reversed { (edge.to, edge.from) } else { (edge.from, edge.to) };
        let verb_ids = |verbs: &[EdgeVerb]| verbs.iter().map(|verb| verb.id.clone()).collect();
        Arrow {
            from: self.members(from).map(|node| node.id.clone()).collect(),
            to: self.members(to).map(|node| node.id.clone()).collect(),
            verbs: verb_ids(&edge.verbs),
            verbs_back: verb_ids(&edge.back),
            line: edge.verbs.iter().chain(&edge.back).map(|verb| verb.line).max().unwrap_or_default(),
            points,
            texts: placed_texts(edge, start, end),
            title: self.arrow_title(from, to, edge),
        }
    }

    fn members(&self, block: usize) -> impl Iterator<Item = &GraphNode> {
        self.blocks[block].members.iter().map(|&member| &self.graph.nodes[member])
    }

    fn arrow_title(&self, from: usize, to: usize, edge: &BlockEdge) -> String {
        let labels = |block: usize| self.members(block).map(|node| node.label.as_str()).collect::<Vec<_>>().join(", ");
        let (from, to) = (labels(from), labels(to));
        let forth = format!("{from} → {to}: {}", joined_labels(&edge.verbs));
        if edge.back.is_empty() { forth } else { format!("{forth}; {to} → {from}: {}", joined_labels(&edge.back)) }
    }

    /// The height at which an arrow leaves its block: in its lane, or else in the middle.
    fn start_height(&self, rect: &Rect, edge: &BlockEdge) -> f64 {
        let middle = rect.y + rect.height / 2.0;
        let lanes = &self.lanes[edge.from];
        let Some(lane) = lanes.iter().position(|lane| *lane == lane_of(edge)) else {
            return middle + self.side_offset(edge.from, edge.reversed, true);
        };
        let all: f64 = lanes.iter().map(ArrowText::lane_height).sum();
        let before: f64 = lanes[..lane].iter().map(ArrowText::lane_height).sum();
        middle - all / 2.0 + before + LANE_LINE
    }

    /// The distance from the middle of a block's side: if arrows both begin and end there, they are separated, so that it is clear which
    /// line has the head.
    fn side_offset(&self, block: usize, reversed: bool, right: bool) -> f64 {
        let mut of_side = self.edges.iter().filter(|edge| if right { edge.from == block } else { edge.to == block });
        if of_side.all(|edge| edge.reversed == reversed) {
            0.0
        } else if reversed == right {
            6.0
        } else {
            -6.0
        }
    }
}

/// The texts of an arrow between these points, the left one first.
fn placed_texts(edge: &BlockEdge, start: (f64, f64), end: (f64, f64)) -> Vec<PlacedText> {
    let (x, y) = match edge.placement {
        LabelPlacement::None => return Vec::new(),
        LabelPlacement::Left | LabelPlacement::Lane => (start.0 + 5.0, start.1),
        // The head of the arrow needs space.
        LabelPlacement::Right => (end.0 - text_width(edge) - 6.0, end.1),
    };
    let ArrowText { above, below } = ArrowText::of(edge);
    let texts = [PlacedText { text: above, x, y: y - 5.0 }, PlacedText { text: below, x, y: y + 12.0 }];
    texts.into_iter().filter(|text| !text.text.is_empty()).collect()
}
