//! The questions that blocks `facts` ask.

use serde::Deserialize;

use crate::{decode::Spanned, text::Span};

/// The facts that a block shows. Spans are those of the page's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsBlock {
    /// What is shown.
    pub query: FactsQuery,
    /// The whole block, with its fences.
    pub span: Span,
}

/// A question to the facts. Ids are as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FactsQuery {
    /// The components that providers use for a role.
    Comparison {
        /// The role.
        role: Spanned<String>,
        /// The providers, in the order in which they are shown; empty means all.
        providers: Vec<Spanned<String>>,
    },
    /// The relations of a component or a concept, in both directions.
    Relations(Spanned<String>),
    /// The components, providers or concepts that meet all conditions.
    List {
        /// What is listed.
        kind: ListedKind,
        /// The conditions.
        filters: Vec<FactsFilter>,
    },
}

/// What a list contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ListedKind {
    /// Components.
    Components,
    /// Providers.
    Providers,
    /// Concepts.
    Concepts,
}

/// A condition for the entries of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactsFilter {
    /// The fact that is compared.
    pub key: FilterKey,
    /// Its value.
    pub value: Spanned<String>,
}

/// The fact that a filter compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterKey {
    /// The area.
    Area,
    /// The role of a component.
    Role,
    /// The provider that has a component.
    Provider,
    /// The state of the lifecycle.
    State,
    /// The verdict on the deletion of a component.
    Verdict,
    /// The kind of a provider.
    Kind,
    /// One of the site's own fields.
    Field(Spanned<String>),
}
