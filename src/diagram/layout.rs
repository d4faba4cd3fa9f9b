//! The layout: columns of boxes next to the bus of a hub, within a given width.
//!
//! ```text
//!             ┌─────── hub ───────┐          ┌──── hub ────┐
//!  ┌─ lane ─ box ─▶ ▐▌ ─▶ box     │          ▐▌ ◀─▶ box ─┐ lane
//!  └───────▶ box ─▶ ▐▌ ◀─ box     │          ▐▌ ◀── box ◀┘
//!               bus                          the same in one column, for narrow screens
//! ```
//!
//! The hub is the node with most of the edges. Its bus is a vertical bar: arrows to and from it are horizontal. Other arrows lead straight to the next
//! box or through lanes at the outer side of their column. Texts are above and below horizontal parts, between the box and the bus or the lanes. So no
//! line crosses a box or a text. Subgraphs are bands one below the other.

use super::{
    blocks::{BlockGraph, blocks},
    columns::columns,
    drawing::{Drawing, Rect},
    graph::{Graph, GraphNode},
    positions::{BARE_PADDING, BLOCK_GAP, Positions, SUBGRAPH_PADDING, horizontal},
    routes::arrows,
    size::{BOX, BUS, COLUMN_GAP, FRAME, INNER_GAP, STUB, Sizes, as_f64, box_width},
    tracks::tracks,
};

/// The widths of a column that is easy to read: the box, and the texts on each side.
const EASY_BOX: f64 = 180.0;
const EASY_TEXT: f64 = 100.0;

/// Computes the position of everything. The drawing has at most this width in pixels, if that is at least 300.
#[must_use]
pub fn layout(graph: &Graph, max_width: f64) -> Drawing {
    let subgraph_of = |node: &GraphNode| node.subgraph.filter(|subgraph| *subgraph < graph.subgraphs.len());
    let bare = graph.nodes.iter().any(|node| subgraph_of(node).is_none());
    let bands: Vec<Option<usize>> = bare.then_some(None).into_iter().chain((0..graph.subgraphs.len()).map(Some)).collect();
    let band_of = |node| subgraph_of(node).map_or(0, |subgraph| subgraph + usize::from(bare));
    let band_of: Vec<usize> = graph.nodes.iter().map(band_of).collect();
    let block_graph = blocks(graph, &band_of);
    let padding = if graph.subgraphs.is_empty() { BARE_PADDING } else { SUBGRAPH_PADDING };
    let room = max_width - 2.0 * padding - if block_graph.hub.is_some() { BUS } else { 0.0 };
    let count = column_count(graph, &block_graph, room);
    let stacks = columns(&block_graph, bands.len(), count, |block| approximate_height(&block_graph, block));
    let tracks = tracks(&block_graph, &stacks);
    let sizes = Sizes { graph, blocks: &block_graph, tracks: &tracks };
    let gaps = if block_graph.hub.is_some() { 0.0 } else { COLUMN_GAP * as_f64(stacks.len().saturating_sub(1)) };
    let widths = sizes.columns(&stacks, room - gaps);
    let (columns, bus, width) = horizontal(&widths, block_graph.hub.is_some(), padding);
    let rects = vec![(Rect::default(), None); block_graph.blocks.len()];
    let hub_lines = vec![0.0; block_graph.blocks.len()];
    let mut positions = Positions { sizes, stacks, columns, bus, rects, hub_lines };
    let mut drawing = positions.vertical(&bands, width.max(1.0));
    positions.draw_boxes(&mut drawing);
    arrows(&positions, &mut drawing);
    drawing
}

/// The number of columns that have enough room: at most two with a hub, one on each side of it.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and a few")]
fn column_count(graph: &Graph, blocks: &BlockGraph, room: f64) -> usize {
    let widest = graph.nodes.iter().map(box_width).fold(0.0, f64::max);
    let text = if graph.show_verbs { EASY_TEXT } else { 0.0 };
    let degree = blocks.hub.map_or(0, |hub| blocks.edges.iter().filter(|edge| edge.from == hub || edge.to == hub).count());
    let connectors = if degree > 0 { 36.0 + text } else { 0.0 };
    let lanes = if blocks.edges.len() > degree { STUB + 9.0 + text } else { 0.0 };
    let column = f64::min(widest, EASY_BOX) + connectors + lanes;
    let gap = if blocks.hub.is_some() { 0.0 } else { COLUMN_GAP };
    let count = ((room + gap) / (column + gap)).floor().clamp(1.0, 12.0) as usize;
    if blocks.hub.is_some() { count.min(2) } else { count }
}

fn approximate_height(blocks: &BlockGraph, block: usize) -> f64 {
    let members = blocks.blocks[block].members.len();
    as_f64(members).mul_add(BOX + INNER_GAP, if members > 1 { 2.0 * FRAME } else { 0.0 } + BLOCK_GAP - INNER_GAP)
}
