//! What is drawn together, checked.

use super::Text;
use crate::id::Id;

/// What is drawn.
#[derive(Clone, Debug, Default)]
pub struct Diagrams {
    /// The diagrams of the architecture page, in the order of their author.
    pub all: Vec<Diagram>,
    /// Verbs whose arrows are drawn at a provider; empty is every verb that is drawn.
    pub provider_verbs: Vec<Id>,
}

/// Things that are drawn together.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Its id.
    pub id: Id,
    /// Its heading.
    pub title: Text,
    /// What it shows.
    pub what: Option<Text>,
    /// The components and concepts in it.
    pub nodes: Vec<Id>,
    /// Verbs whose arrows are drawn; empty is every verb that is drawn.
    pub verbs: Vec<Id>,
    /// Whether the verbs are written on the arrows.
    pub words: bool,
    /// Whether it is drawn for every release.
    pub by_release: bool,
}
