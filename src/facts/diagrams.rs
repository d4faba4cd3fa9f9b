//! The format of `diagrams.yaml`.

use schemars::JsonSchema;
use serde::Deserialize;

use super::LocalText;
use crate::{
    decode::{Ordered, Spanned},
    id::Id,
};

/// `content/diagrams.yaml`: which things are drawn together. What is drawn between them are their relations.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DiagramsFacts {
    /// The diagrams of the architecture page, in order.
    #[serde(default)]
    pub diagrams: Ordered<Spanned<Id>, DiagramFacts>,
    /// Verbs whose arrows are drawn where a provider's parts are. Default: every verb that is drawn at all.
    #[serde(default)]
    pub provider_verbs: Vec<Spanned<Id>>,
}

/// Things that are drawn together.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DiagramFacts {
    /// Its heading.
    pub title: LocalText,
    /// What it shows, as a sentence.
    pub what: Option<LocalText>,
    /// The components and concepts in it. Between those of one place, the order is kept where arrows do not ask for another.
    pub nodes: Vec<Spanned<Id>>,
    /// Verbs whose arrows are drawn. Default: every verb that is drawn at all.
    #[serde(default)]
    pub verbs: Vec<Spanned<Id>>,
    /// Whether the verbs are written on the arrows.
    #[serde(default)]
    pub words: bool,
    /// Whether it is drawn for every release, each with what existed then. One diagram at most.
    #[serde(default)]
    pub by_release: bool,
}
