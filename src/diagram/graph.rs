//! Graphs, the input of the layout.

use schemars::JsonSchema;
use serde::Deserialize;

/// A directed graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Groups of nodes, from top to bottom.
    pub subgraphs: Vec<Subgraph>,
    /// The nodes.
    pub nodes: Vec<GraphNode>,
    /// The edges. One with an end that is not in `nodes` is ignored.
    pub edges: Vec<Edge>,
    /// Whether verbs are written on the arrows.
    pub show_verbs: bool,
}

/// A labelled area around nodes, such as the control plane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subgraph {
    /// The label.
    pub label: String,
    /// Whether the reader has no access to the nodes in it.
    pub hidden: bool,
}

/// A node, drawn as a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphNode {
    /// The id, written to `data-id`.
    pub id: String,
    /// The label.
    pub label: String,
    /// One or two letters before the label; may be empty.
    pub mark: String,
    /// The number of its area's colour; 0 is none.
    pub colour: usize,
    /// The address of its link.
    pub href: String,
    /// Its status.
    pub status: Status,
    /// Index into [`Graph::subgraphs`].
    pub subgraph: Option<usize>,
}

/// The status of a node at the time that the graph shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It exists.
    #[default]
    Present,
    /// It is new in the release that the diagram shows.
    Added,
    /// It is the subject of the diagram.
    Subject,
    /// It is deprecated.
    Deprecated,
    /// It is removed.
    Gone,
}

/// A directed edge, drawn as an arrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Index of its start in [`Graph::nodes`].
    pub from: usize,
    /// Index of its end.
    pub to: usize,
    /// The relations that it represents.
    pub verbs: Vec<EdgeVerb>,
}

/// A relation of an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeVerb {
    /// The id, written to `data-verbs`.
    pub id: String,
    /// The text on the arrow.
    pub label: String,
    /// How it is drawn. An arrow with several relations has the most conspicuous style.
    pub line: LineStyle,
}

/// How the lines of a kind of relation are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LineStyle {
    /// A thin line: one calls the other.
    #[default]
    Solid,
    /// A dashed line: one reacts to changes of the other.
    Dashed,
    /// A thick line: a connection that carries other connections.
    Thick,
}

impl LineStyle {
    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Dashed => "dashed",
            Self::Thick => "thick",
        }
    }
}
