//! The checked diagrams of `diagrams.yaml`.

use super::Text;
use crate::id::Id;

/// The diagrams of a knowledge base.
#[derive(Clone, Debug, Default)]
pub struct Diagrams {
    /// The diagrams of the architecture page, in the order of the file.
    pub all: Vec<Diagram>,
    /// The verbs that are drawn in a provider's diagram; empty means every drawn verb.
    pub provider_verbs: Vec<Id>,
}

/// A diagram of components and concepts.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Its id.
    pub id: Id,
    /// Its heading.
    pub title: Text,
    /// A description.
    pub what: Option<Text>,
    /// Its components and concepts.
    pub nodes: Vec<Id>,
    /// The verbs that are drawn; empty means every drawn verb.
    pub verbs: Vec<Id>,
    /// Whether arrows have labels.
    pub words: bool,
    /// Whether there is one drawing for each release.
    pub by_release: bool,
}
