//! Drawings: the positions of everything, in CSS pixels at natural size.

use super::graph::{GraphNode, LineStyle, Subgraph};

/// A graph with its layout.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The width of the whole.
    pub width: f64,
    /// The height of the whole.
    pub height: f64,
    /// Subgraphs, from top to bottom.
    pub subgraphs: Vec<SubgraphShape>,
    /// Frames around nodes that share their arrows.
    pub frames: Vec<Rect>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
    /// The bar from the hub along the nodes that are connected to it.
    pub bus: Option<Rect>,
    /// Nodes.
    pub boxes: Vec<NodeShape>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// A subgraph with its position.
#[derive(Clone, Debug)]
pub struct SubgraphShape {
    /// The position.
    pub rect: Rect,
    /// The subgraph.
    pub subgraph: Subgraph,
    /// Its label.
    pub label: PlacedText,
}

/// A node with its position.
#[derive(Clone, Debug)]
pub struct NodeShape {
    /// The position.
    pub rect: Rect,
    /// The node.
    pub node: GraphNode,
    /// The lines of its label.
    pub lines: Vec<String>,
    /// Whether it is the hub.
    pub is_hub: bool,
}

/// An arrow with its route.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The ids of the nodes at its start: several if they share it.
    pub from: Vec<String>,
    /// The ids of the nodes at its end.
    pub to: Vec<String>,
    /// The ids of its relations.
    pub verbs: Vec<String>,
    /// The ids of its relations in the other direction.
    pub verbs_back: Vec<String>,
    /// How it is drawn.
    pub line: LineStyle,
    /// The points of its route, from start to end. Each part is horizontal or vertical.
    pub points: Vec<(f64, f64)>,
    /// The texts on it.
    pub texts: Vec<PlacedText>,
    /// Both ends and its relations as text.
    pub title: String,
}

/// A text with its position.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedText {
    /// The lines of the text, [`LINE_HEIGHT`] apart.
    pub lines: Vec<String>,
    /// The position at which each line is anchored.
    pub x: f64,
    /// The base line of the first line.
    pub y: f64,
    /// The part of each line that is at `x`.
    pub anchor: Anchor,
}

/// The part of a text that its position refers to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    #[default]
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// The distance between the lines of a text on an arrow, or of the label of a subgraph.
pub const LINE_HEIGHT: f64 = 15.0;
