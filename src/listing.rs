//! Listings: what kubectl prints, and which component a row belongs to.
//!
//! How kubectl prints tables and how controllers derive names of ReplicaSets and Pods is the one piece of Kubernetes in the code.

mod header;
mod lines;
mod pattern;
mod row;

pub use lines::{Line, parse_lines};
pub use pattern::{BadPattern, Grammar, Pattern, ShownName, ShownPiece};
pub use row::{Row, parse_row};

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

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
    /// Patterns by what every name that they fit begins with.
    by_prefix: FxHashMap<String, Vec<usize>>,
    /// The lengths of these prefixes, each once.
    lengths: BTreeSet<usize>,
}

/// The longest name of an object (RFC 1123 subdomain).
const MAX_NAME: usize = 253;

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
        let mut by_prefix: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (index, owned) in patterns.iter().enumerate() {
            by_prefix.entry(owned.pattern.prefix().to_owned()).or_default().push(index);
        }
        let lengths = by_prefix.keys().map(String::len).collect();
        Self { patterns, by_prefix, lengths }
    }

    /// Every pattern.
    #[must_use]
    pub fn patterns(&self) -> &[Owned] {
        &self.patterns
    }

    /// Whose row this is. With a provider, patterns that are not seen there do not count unless nothing else fits.
    #[must_use]
    pub fn recognise(&self, row: &Row, provider: Option<&Id>) -> Recognised<'_> {
        let mut owners: Vec<&Id> = self.best(row, provider).into_iter().map(|owned| &owned.component).collect();
        owners.sort();
        owners.dedup();
        match owners.as_slice() {
            [] => Recognised::Nothing,
            [one] => Recognised::One(one),
            _ => Recognised::Several(owners),
        }
    }

    /// The patterns that fit a row best, which may be of several components; the rule of [`Self::recognise`].
    #[must_use]
    pub fn best(&self, row: &Row, provider: Option<&Id>) -> Vec<&Owned> {
        // No object has such a name, and looking for one in it would take long.
        if row.name.len() > MAX_NAME {
            return Vec::new();
        }
        let mut possible: Vec<usize> = self.beginning_like(&row.name).collect();
        possible.sort_unstable();
        let possible = possible.into_iter().map(|index| &self.patterns[index]);
        let fitting: Vec<_> = possible.filter_map(|owned| Some((owned.pattern.fit(row)?, owned))).collect();
        let here = |owned: &Owned| provider.is_none_or(|provider| owned.providers.is_empty() || owned.providers.contains(provider));
        let mut candidates: Vec<_> = fitting.iter().filter(|(_, owned)| here(owned)).collect();
        if candidates.is_empty() {
            candidates = fitting.iter().collect();
        }
        let best = candidates.iter().map(|(fit, _)| *fit).max();
        candidates.into_iter().filter(|(fit, _)| Some(*fit) == best).map(|(_, owned)| *owned).collect()
    }

    /// The patterns whose beginning is that of a name.
    fn beginning_like(&self, name: &str) -> impl Iterator<Item = usize> {
        let prefixes = self.lengths.iter().map_while(|length| (*length <= name.len()).then(|| name.get(..*length)));
        prefixes.flatten().filter_map(|prefix| self.by_prefix.get(prefix)).flatten().copied()
    }

    /// Pairs of patterns of different components that claim the same rows equally, by index, each pair once.
    #[must_use]
    pub fn clashes(&self) -> Vec<(usize, usize, Row)> {
        // In the order of their prefixes, those that begin with a pattern's own stand right behind it.
        let mut order: Vec<usize> = (0..self.patterns.len()).collect();
        let prefix = |index: usize| self.patterns[index].pattern.prefix();
        order.sort_by_key(|index| (prefix(*index), *index));
        let samples: Vec<Vec<Row>> = self.patterns.iter().map(|owned| owned.pattern.samples()).collect();
        let kinds = self.kinds();
        let behind = |(position, &one): (usize, &usize)| {
            let behind = order[position + 1..].iter().take_while(move |other| prefix(**other).starts_with(prefix(one)));
            let alike = behind.filter(|other| kinds[one] & kinds[**other] != 0);
            let clashes = alike.filter_map(|&other| {
                let (first, second) = (one.min(other), one.max(other));
                let rows = samples[first].iter().chain(&samples[second]);
                Some((first, second, Self::common_row(&self.patterns[first], &self.patterns[second], rows)?))
            });
            clashes.collect::<Vec<_>>()
        };
        let mut clashes: Vec<(usize, usize, Row)> = order.par_iter().enumerate().flat_map_iter(behind).collect();
        clashes.sort_by_key(|(first, second, _)| (*first, *second));
        clashes
    }

    /// The kinds of each pattern's rows as bits, so that most pairs of patterns are told apart without a look at a name. A bit may stand for several kinds.
    fn kinds(&self) -> Vec<u64> {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut bit = |kind: &str| {
            let next = u32::try_from(numbers.len()).unwrap_or_default();
            1 << (*numbers.entry(kind.to_ascii_lowercase()).or_insert(next) % u64::BITS)
        };
        self.patterns.iter().map(|owned| owned.pattern.kinds().fold(0, |bits, kind| bits | bit(kind))).collect()
    }

    /// The first of some rows that two patterns of different components claim equally.
    fn common_row<'a>(a: &Owned, b: &Owned, mut rows: impl Iterator<Item = &'a Row>) -> Option<Row> {
        let together = a.providers.is_empty() || b.providers.is_empty() || a.providers.iter().any(|id| b.providers.contains(id));
        if a.component == b.component || !together || !a.pattern.may_share_a_namespace(&b.pattern) {
            return None;
        }
        let common = rows.find(|row| {
            let fit = a.pattern.fit(row);
            fit.is_some() && fit == b.pattern.fit(row)
        });
        common.cloned()
    }
}
