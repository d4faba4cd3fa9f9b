//! Listings: what kubectl prints, and which component a row belongs to.
//!
//! How kubectl prints tables and how controllers derive names of ReplicaSets and Pods is the one piece of Kubernetes in the code.

mod pattern;
mod row;

pub use pattern::{BadPattern, Pattern, ShownName, ShownPiece};
pub use row::{Row, parse_row};

use crate::id::Id;

/// A pattern and whose it is.
#[derive(Clone, Debug)]
pub struct Owned {
    /// The component.
    pub component: Id,
    /// Which of the component's listing entries this is.
    pub entry: usize,
    /// Where the row is seen; empty means anywhere.
    pub providers: Vec<Id>,
    /// The pattern.
    pub pattern: Pattern,
}

/// Every name pattern of a knowledge base.
#[derive(Clone, Debug, Default)]
pub struct Recogniser {
    patterns: Vec<Owned>,
}

/// The components whose patterns fit a row best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised<'a> {
    /// No pattern fits.
    Nothing,
    /// One component.
    One(&'a Id),
    /// Several claim the row equally.
    Several(Vec<&'a Id>),
}

impl Recogniser {
    /// A recogniser of these patterns.
    #[must_use]
    pub fn new(patterns: Vec<Owned>) -> Self {
        Self { patterns }
    }

    /// Every pattern.
    #[must_use]
    pub fn patterns(&self) -> &[Owned] {
        &self.patterns
    }

    /// Whose row this is. With a provider, patterns that are not seen there do not count unless nothing else fits.
    #[must_use]
    pub fn recognise(&self, row: &Row, provider: Option<&Id>) -> Recognised<'_> {
        let fitting = || self.patterns.iter().filter_map(|owned| Some((owned.pattern.fit(row)?, owned)));
        let here = |owned: &Owned| provider.is_none_or(|provider| owned.providers.is_empty() || owned.providers.contains(provider));
        let mut candidates: Vec<_> = fitting().filter(|(_, owned)| here(owned)).collect();
        if candidates.is_empty() {
            candidates = fitting().collect();
        }
        let Some(best) = candidates.iter().map(|(fit, _)| *fit).max() else {
            return Recognised::Nothing;
        };
        let mut owners: Vec<&Id> = candidates.iter().filter(|(fit, _)| *fit == best).map(|(_, owned)| &owned.component).collect();
        owners.sort();
        owners.dedup();
        match owners.as_slice() {
            [one] => Recognised::One(one),
            _ => Recognised::Several(owners),
        }
    }

    /// Pairs of patterns of different components that claim the same rows equally, by index, each pair once.
    #[must_use]
    pub fn clashes(&self) -> Vec<(usize, usize, Row)> {
        let mut clashes = Vec::new();
        for (first, a) in self.patterns.iter().enumerate() {
            for (second, b) in self.patterns.iter().enumerate().skip(first + 1) {
                let together = a.providers.is_empty() || b.providers.is_empty() || a.providers.iter().any(|id| b.providers.contains(id));
                if a.component == b.component || !together || !a.pattern.may_overlap(&b.pattern) {
                    continue;
                }
                let samples = a.pattern.samples().into_iter().chain(b.pattern.samples());
                let both = samples.into_iter().find(|row| {
                    let (a, b) = (a.pattern.fit(row), b.pattern.fit(row));
                    a.is_some() && a == b
                });
                if let Some(row) = both {
                    clashes.push((first, second, row));
                }
            }
        }
        clashes
    }
}
