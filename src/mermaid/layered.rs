//! Layered layout of graphs with nested groups: nodes in rows, arrows from one row to later ones.
//!
//! ```text
//! LayeredGraph ──ranking──▶ rows ──layers──▶ chains of vertices ──ordering──▶ order ──across, along──▶ positions ──routes──▶ LayeredLayout
//! ```
//!
//! Coordinates are named by the direction of the arrows: `along` is their direction (down in a drawing from top to bottom), and `across` is the
//! direction of a row. Both are in CSS pixels.
//!
//! Guarantees: boxes don't overlap each other, labels overlap neither boxes nor each other, a group contains its members and nothing else,
//! and an arrow crosses no box and no label.

mod across;
mod along;
mod graph;
mod layers;
mod ordering;
mod ports;
mod ranking;
mod routes;
mod simplex;

pub(super) use graph::{LayeredEdge, LayeredEnd, LayeredGraph, LayeredGroup, LayeredLayout, LayeredNode};

use ranking::RankingError;

/// The limit for boxes, labels and bends of arrows together.
const MOST_VERTICES: usize = 4_000;

/// The reason why a graph has no layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LayoutError {
    /// There are more boxes, labels and bends than the limit.
    TooLarge,
    /// The order of the arrow with this index contradicts its groups.
    Edge(usize),
}

/// Computes a layout.
///
/// Each node must be connected with each other one by edges and groups: what is not connected has a layout of its own. No edge leads from a node to
/// itself, or from a group to its own members.
pub(super) fn layout(graph: &LayeredGraph) -> Result<LayeredLayout, LayoutError> {
    let ranking = ranking::rank(graph).map_err(|RankingError(edge)| LayoutError::Edge(edge))?;
    let mut layers = layers::build(graph, &ranking);
    if layers.vertices.len() > MOST_VERTICES {
        return Err(LayoutError::TooLarge);
    }
    ordering::order(graph, &mut layers);
    let across = across::positions(graph, &layers);
    let along = along::positions(graph, &ranking, &layers, &across);
    Ok(routes::assemble(graph, &ranking, &layers, &across, &along))
}

#[cfg(test)]
mod tests;
