//! Graph layout: graphs to SVG drawings.
//!
//! ```text
//! Graph ──layout──▶ Drawing ──svg──▶ markup
//! ```
//!
//! The layout has no knowledge of components: labels, links and relations come from the caller. It is deterministic: the same graph gives the same drawing on
//! every machine.

mod blocks;
mod columns;
mod drawing;
mod graph;
mod layout;
pub mod measure;
mod positions;
mod routes;
mod size;
mod svg;
mod tracks;

pub use drawing::{Anchor, Arrow, Drawing, LINE_HEIGHT, NodeShape, PlacedText, Rect, SubgraphShape};
pub use graph::{Edge, EdgeVerb, Graph, GraphNode, LineStyle, Status, Subgraph};
pub use layout::layout;
pub use svg::{Caption, format_number, narrow_svg, svg};
