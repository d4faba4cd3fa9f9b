//! Graphs of things and arrows to drawings.
//!
//! ```text
//! Graph ──layout──▶ Drawing ──svg──▶ markup
//! ```
//!
//! A [`Graph`] says what is connected, a [`Drawing`] where everything lies. Both know nothing of components: what a node is called, where it leads and which
//! verbs an arrow stands for is the caller's. The same graph gives the same drawing, whatever the order of hashing or the number of cores.

mod blocks;
mod layout;
pub mod measure;
mod order;
mod place;
mod rank;
mod svg;

pub use layout::layout;
pub use svg::{size_class, svg};

/// What is connected.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Grounds on which nodes stand, from top to bottom.
    pub grounds: Vec<Ground>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The arrows, by the places of their ends in `nodes`. One whose end does not exist is left out.
    pub edges: Vec<Edge>,
    /// Whether the verbs are written on the arrows.
    pub words: bool,
}

/// Something that nodes stand on: the control plane, a Node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ground {
    /// What it is called.
    pub label: String,
    /// Whether the reader cannot see what is on it.
    pub hidden: bool,
}

/// A box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What hooks of the page call it.
    pub id: String,
    /// What it is called.
    pub label: String,
    /// One or two letters before the label; may be empty.
    pub mark: String,
    /// The number of its area's colour; 0 is none.
    pub colour: usize,
    /// Where it leads.
    pub href: String,
    /// How it stands.
    pub status: Status,
    /// Its ground, by its place in [`Graph::grounds`].
    pub ground: Option<usize>,
}

/// How a thing stands at the time of the drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It is there.
    #[default]
    Present,
    /// It is the subject of the drawing.
    Subject,
    /// It is on its way out.
    Deprecated,
    /// It is gone.
    Gone,
}

/// An arrow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Where it begins, by its place in [`Graph::nodes`].
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// What it stands for.
    pub verbs: Vec<Verb>,
}

/// What somebody does to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verb {
    /// What hooks of the page call it.
    pub id: String,
    /// What is written.
    pub label: String,
}

/// Where everything lies, in CSS pixels at natural size.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    /// The width of the whole.
    pub width: f64,
    /// The height of the whole.
    pub height: f64,
    /// Grounds, from top to bottom.
    pub grounds: Vec<GroundShape>,
    /// Frames around boxes that share their arrows.
    pub frames: Vec<Rect>,
    /// Arrows.
    pub arrows: Vec<Arrow>,
    /// Boxes.
    pub boxes: Vec<BoxShape>,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rect {
    /// Its left edge.
    pub x: f64,
    /// Its upper edge.
    pub y: f64,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
}

/// A ground that has its place.
#[derive(Clone, Debug)]
pub struct GroundShape {
    /// Where it lies.
    pub rect: Rect,
    /// What it is.
    pub ground: Ground,
}

/// A node that has its place.
#[derive(Clone, Debug)]
pub struct BoxShape {
    /// Where it lies.
    pub rect: Rect,
    /// What it is.
    pub node: Node,
}

/// An arrow that has its way.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The ids of the nodes where it begins: several if they share it.
    pub from: Vec<String>,
    /// The ids of the nodes where it ends.
    pub to: Vec<String>,
    /// The relations that it stands for.
    pub verbs: Vec<String>,
    /// The relations that it stands for in the other direction.
    pub verbs_back: Vec<String>,
    /// The points that it passes, from its beginning to its end; it runs level at each of them.
    pub points: Vec<(f64, f64)>,
    /// What is written on it.
    pub words: Vec<Words>,
    /// What it says, as a sentence without grammar: who, to whom, what.
    pub title: String,
}

/// Something written.
#[derive(Clone, Debug)]
pub struct Words {
    /// The text.
    pub text: String,
    /// Its left end.
    pub x: f64,
    /// Its base line.
    pub y: f64,
}
