//! Graph layout: graphs to SVG drawings.
//!
//! ```text
//! Graph ──layout──▶ Drawing ──svg──▶ markup
//! ```
//!
//! The layout has no knowledge of components: labels, links and relations come from the caller. It is deterministic: the same graph gives the same drawing on
//! every machine.

mod blocks;
mod drawing;
mod graph;
mod layout;
pub mod measure;
mod order;
mod place;
mod rank;
mod svg;

pub use drawing::{Arrow, Drawing, NodeShape, PlacedText, Rect, SubgraphShape};
pub use graph::{Edge, EdgeVerb, Graph, GraphNode, LineStyle, Status, Subgraph};
pub use layout::layout;
pub use svg::{format_number, size_class, svg};
