//! Listings: `kubectl` output, and the components that its rows belong to.
//!
//! The formats of kubectl and the names that controllers derive are the only knowledge about Kubernetes in the code.

mod cells;
mod clean;
mod command;
mod controller;
mod derived;
mod described;
mod generated;
mod grammar;
mod header;
mod health;
mod kinds;
mod known_messages;
mod known_names;
mod line;
mod manifests;
mod masked;
mod mentions;
mod messages;
mod parser;
mod pattern;
mod related;
mod relatives;
mod row;
mod runtimes;
mod same_table;
mod segment;
mod tables;
mod word_list;

pub use clean::clean;
pub use controller::{Controller, NODE, POD, STATIC_POD, begins_with_pods};
pub use derived::{creates_pods, is_workload};
pub use generated::without_generated_suffixes;
pub use grammar::Grammar;
pub use kinds::{is_cluster_scoped, meant_kind};
pub use known_messages::{MIN_MESSAGE_WORDS, message_parts};
pub use known_names::{KnownNameIndex, looks_like_name};
pub use mentions::{Certainty, Mention, mentions, reports_problem};
pub use messages::objects_of_message;
pub use parser::{ListingLine, ParsedListing, parse_lines, parse_listing};
pub use pattern::{BadPattern, Pattern, ShownName, ShownPiece};
pub use row::{Nodes, Row, parse_row};
pub use runtimes::{CONTAINER, IMAGE, PROCESS, is_outside_api};
pub use tables::Tables;

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use rayon::prelude::*;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{facts::KnownNameKind, id::Id};
use pattern::Fit;

#[cfg(test)]
mod properties;

/// A pattern with the component that it belongs to.
#[derive(Clone, Debug)]
pub struct OwnedPattern {
    /// The component.
    pub component: Id,
    /// The index of the component's listing entry.
    pub entry: usize,
    /// The providers whose clusters have such rows; empty for all.
    pub providers: Vec<Id>,
    /// The pattern.
    pub pattern: Arc<Pattern>,
}

impl OwnedPattern {
    /// Whether its rows can occur at a provider.
    #[must_use]
    pub fn is_seen_at(&self, provider: &Id) -> bool {
        self.providers.is_empty() || self.providers.contains(provider)
    }
}

/// Every name pattern of a knowledge base.
#[derive(Clone, Debug, Default)]
pub struct Recogniser {
    patterns: Vec<OwnedPattern>,
    /// The patterns with a literal prefix, by the hash of the prefix.
    by_prefix: PrefixIndex,
    /// The patterns that begin with a variable part, by the kind of the row in lower case.
    by_kind: Vec<(String, Vec<usize>)>,
    /// The components by the repositories of their images, as far as they are stated.
    images: FxHashMap<String, Id>,
    /// The components by their names outside of listings.
    known_names: KnownNameIndex,
}

/// Patterns by the literal prefix of the names that they match. Only hashes of prefixes are stored: a collision adds a candidate that does not match.
#[derive(Clone, Debug, Default)]
struct PrefixIndex {
    /// The positions in `order` of the patterns with a hash.
    ranges: FxHashMap<u64, Range<usize>>,
    order: Vec<usize>,
    /// Whether a prefix of this length exists.
    lengths: Vec<bool>,
}

impl PrefixIndex {
    fn new<'a>(prefixes: impl Iterator<Item = (usize, &'a str)>) -> Self {
        let mut lengths = Vec::new();
        let mut hashed: Vec<(u64, usize)> = Vec::new();
        for (index, prefix) in prefixes {
            let length = prefix.len();
            lengths.resize(lengths.len().max(length + 1), false);
            lengths[length] = true;
            hashed.extend(beginnings(prefix).last().map(|hash| (hash, index)));
        }
        hashed.sort_unstable();
        let mut ranges: FxHashMap<u64, Range<usize>> = FxHashMap::with_capacity_and_hasher(hashed.len(), FxBuildHasher);
        for (position, (hash, _)) in hashed.iter().enumerate() {
            ranges.entry(*hash).or_insert(position..position).end = position + 1;
        }
        Self { ranges, order: hashed.into_iter().map(|(_, index)| index).collect(), lengths }
    }

    /// The patterns whose prefix a name begins with, and rarely others, due to hash collisions.
    fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = usize> + 'a {
        let hashes = beginnings(name).zip(self.lengths.iter().skip(1)).filter(|(_, is_length)| **is_length).map(|(hash, _)| hash);
        hashes.filter_map(|hash| self.ranges.get(&hash)).flat_map(|range| &self.order[range.clone()]).copied()
    }
}

/// The hashes of the first byte of a text, of its first two bytes, and so on (FNV-1a, 64 bits).
fn beginnings(text: &str) -> impl Iterator<Item = u64> + '_ {
    text.bytes().scan(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Some(*hash)
    })
}

/// The patterns that fit a row.
#[derive(Clone, Debug)]
pub struct FittingPatterns<'a>(Vec<(Fit, &'a OwnedPattern)>);

impl<'a> FittingPatterns<'a> {
    /// The best matches. With a provider, patterns of other providers do not count unless nothing else matches.
    #[must_use]
    pub fn best(&self, provider: Option<&Id>) -> Vec<&'a OwnedPattern> {
        let here = |owned: &OwnedPattern| provider.is_none_or(|provider| owned.is_seen_at(provider));
        let best_of = |all: bool| {
            let candidates = || self.0.iter().filter(|(_, owned)| all || here(owned));
            let best = candidates().map(|(fit, _)| *fit).max()?;
            let mut found: Vec<&'a OwnedPattern> = candidates().filter(|(fit, _)| *fit == best).map(|(_, owned)| *owned).collect();
            // A pattern for several kinds of rows may have been found once for each.
            found.dedup_by(|a, b| std::ptr::eq(*a, *b));
            Some(found)
        };
        best_of(false).or_else(|| best_of(true)).unwrap_or_default()
    }
}

/// Two patterns of different components that fit a row equally.
#[derive(Clone, Debug)]
pub struct PatternClash {
    /// The index of the first pattern in [`Recogniser::patterns`].
    pub first: usize,
    /// The index of the second one, which is greater.
    pub second: usize,
    /// A row that both fit.
    pub row: Row,
}

/// The longest name of an object (RFC 1123 subdomain).
const MAX_NAME: usize = 253;

/// The minimum length of a truncated name in characters; shorter ones are too ambiguous.
const MIN_BEGINNING: usize = 6;

/// The components whose patterns fit a row best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognised<'a> {
    /// No pattern fits.
    Nothing,
    /// One component.
    One(&'a Id),
    /// Several fit equally.
    Several(Vec<&'a Id>),
}

impl Recogniser {
    /// A recogniser of these patterns, which are sorted by component, and of one component by their entry.
    #[must_use]
    pub fn new(patterns: Vec<OwnedPattern>) -> Self {
        let by_prefix = patterns.iter().enumerate().map(|(index, owned)| (index, owned.pattern.prefix()));
        let by_prefix = PrefixIndex::new(by_prefix.filter(|(_, prefix)| !prefix.is_empty()));
        let mut by_kind: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, owned) in patterns.iter().enumerate().filter(|(_, owned)| owned.pattern.prefix().is_empty()) {
            owned.pattern.kinds().for_each(|kind| by_kind.entry(kind.to_ascii_lowercase()).or_default().push(index));
        }
        Self {
            patterns,
            by_prefix,
            by_kind: by_kind.into_iter().collect(),
            images: FxHashMap::default(),
            known_names: KnownNameIndex::default(),
        }
    }

    /// The recogniser with the images of components: the path of a repository, or its last parts.
    #[must_use]
    pub fn with_images(self, images: impl Iterator<Item = (String, Id)>) -> Self {
        Self { images: images.collect(), ..self }
    }

    /// The same recogniser with the names of components outside of listings.
    #[must_use]
    pub fn with_known_names(self, names: impl Iterator<Item = (KnownNameKind, String, Id)>) -> Self {
        Self { known_names: KnownNameIndex::new(names), ..self }
    }

    /// The names of components outside of listings.
    #[must_use]
    pub const fn known_names(&self) -> &KnownNameIndex {
        &self.known_names
    }

    /// The component of an image: the one with this repository, or its last parts, in its facts; else the only one with a workload of that name. A repository for one
    /// architecture is named after it: `etcd-amd64`.
    #[must_use]
    pub fn of_image(&self, path: &str) -> Option<&Id> {
        let shorter = |path: &str| {
            let parts = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
            std::iter::once(path).chain(parts).find_map(|path| self.images.get(path))
        };
        let name = |path: &str| self.of_workload(None, path.rsplit('/').next().unwrap_or_default());
        let of = |path: &str| shorter(path).or_else(|| name(path));
        of(path).or_else(|| of(&relatives::original(path)?))
    }

    /// The component of a row that no pattern fits: of its image, of a name outside of listings, or the only component that has a workload or a ServiceAccount with
    /// its name.
    #[must_use]
    pub fn related(&self, row: &Row) -> Option<&Id> {
        if row.name.len() > MAX_NAME {
            return None;
        }
        if row.kind.as_deref() == Some(IMAGE) {
            return self.of_image(&row.name);
        }
        // An image such as `hyperkube` is that of several components.
        let named = || self.component_named(&row.name).filter(|_| row.kind.as_deref() == Some(CONTAINER));
        let of_image = named().or_else(|| row.image.as_deref().and_then(|path| self.of_image(path)));
        let of_name = || self.known_names.of_row(row.kind.as_deref().unwrap_or_default(), &row.name);
        of_image
            .or_else(of_name)
            .or_else(|| related::workload_names(row).into_iter().find_map(|name| self.of_workload(row.namespace.as_deref(), name)))
    }

    /// The only component that has a workload with the name of a row, in another namespace.
    #[must_use]
    pub fn of_copy(&self, row: &Row) -> Option<&Id> {
        self.only_owner(row, |owned, row| owned.pattern.fit_elsewhere(row, &owned.component)).filter(|_| row.name.len() <= MAX_NAME)
    }

    /// The component with this id, if it has patterns.
    fn component_named(&self, id: &str) -> Option<&Id> {
        let at = self.patterns.partition_point(|owned| owned.component.as_str() < id);
        self.patterns.get(at).map(|owned| &owned.component).filter(|component| component.as_str() == id)
    }

    /// The only component that has a workload or a ServiceAccount with this name.
    #[must_use]
    pub fn of_workload(&self, namespace: Option<&str>, name: &str) -> Option<&Id> {
        let row = Row { namespace: namespace.map(str::to_owned), name: name.to_owned(), ..Row::default() };
        self.only_owner(&row, |owned, row| owned.pattern.fit_object(row))
    }

    /// The component of the patterns that fit a row in one way, if it is only one.
    fn only_owner(&self, row: &Row, fit: impl Fn(&OwnedPattern, &Row) -> Option<Fit>) -> Option<&Id> {
        let mut fitting = self.beginning_like(row).map(|index| &self.patterns[index]).filter(|owned| fit(owned, row).is_some());
        let first = &fitting.next()?.component;
        fitting.all(|owned| owned.component == *first).then_some(first)
    }

    /// Every pattern.
    #[must_use]
    pub fn patterns(&self) -> &[OwnedPattern] {
        &self.patterns
    }

    /// The patterns of a component.
    #[must_use]
    pub fn of(&self, component: &Id) -> &[OwnedPattern] {
        let start = self.patterns.partition_point(|owned| owned.component < *component);
        let own = &self.patterns[start..];
        &own[..own.partition_point(|owned| owned.component == *component)]
    }

    /// The component of a row. With a provider, patterns of other providers do not count unless nothing else fits.
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
    pub fn best(&self, row: &Row, provider: Option<&Id>) -> Vec<&OwnedPattern> {
        self.fitting(row).best(provider)
    }

    /// All patterns that match a row: as it is; else as a shortened or truncated name; else as a row derived from another one.
    #[must_use]
    pub fn fitting(&self, row: &Row) -> FittingPatterns<'_> {
        // No object has such a name, and matching it would take too long.
        if row.name.len() > MAX_NAME {
            return FittingPatterns(Vec::new());
        }
        let mut found = self.fitting_with(row, Pattern::fit);
        if found.is_empty() && row.name.len() == generated::MAX_BASE_LENGTH + generated::RANDOM_LENGTH {
            found = self.fitting_with(row, Pattern::fit_shortened);
        }
        if found.is_empty() && row.cut {
            found = self.fitting_with(row, Pattern::fit_beginning);
        }
        if found.is_empty() && row.cut && row.name.len() >= MIN_BEGINNING {
            found = self.begun_by(row);
        }
        if found.is_empty() && row.masked {
            found = self.fitting_with(row, Pattern::fit_masked);
        }
        if found.is_empty() {
            let mut others = relatives::relatives(row).into_iter().map(|relative| self.fitting_with(&relative, Pattern::fit));
            found = others.find(|found| !found.is_empty()).unwrap_or_default();
        }
        if found.is_empty() {
            let mut others = relatives::without_release(row)
                .map(|(release, other)| self.fitting_with(&other, |pattern, other| pattern.fit_release(other, release)));
            found = others.find(|found| !found.is_empty()).unwrap_or_default();
        }
        if let Some(other) = relatives::with_edited_hash(row).filter(|_| found.is_empty()) {
            found = self.fitting_with(&other, Pattern::fit_in_namespace);
        }
        if let Some(other) = relatives::with_edited_suffix(row).filter(|_| found.is_empty()) {
            found = self.fitting_with(&other, Pattern::fit_edited);
        }
        FittingPatterns(found)
    }

    /// The patterns that fit a row in one way, in their order.
    fn fitting_with(&self, row: &Row, fit: impl Fn(&Pattern, &Row) -> Option<Fit>) -> Vec<(Fit, &OwnedPattern)> {
        let fitting = self.beginning_like(row).filter_map(|index| {
            let owned = &self.patterns[index];
            Some((fit(&owned.pattern, row)?, index))
        });
        let mut fitting: Vec<(Fit, usize)> = fitting.collect();
        fitting.sort_unstable_by_key(|(_, index)| *index);
        fitting.into_iter().map(|(fit, index)| (fit, &self.patterns[index])).collect()
    }

    /// The patterns whose prefix begins with the truncated name of a row, if they all belong to one component.
    fn begun_by(&self, row: &Row) -> Vec<(Fit, &OwnedPattern)> {
        let found = self.patterns.iter().filter_map(|owned| Some((owned.pattern.fit_begun(row)?, owned)));
        let found: Vec<(Fit, &OwnedPattern)> = found.collect();
        let is_one = found.windows(2).all(|pair| pair[0].1.component == pair[1].1.component);
        if is_one { found } else { Vec::new() }
    }

    /// The candidates for a row: the patterns whose prefix its name begins with, and the patterns without a prefix that can match its kind.
    fn beginning_like<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = usize> + 'a {
        let of_kind = |kind: &String| row.kind.as_deref().is_none_or(|own| own.eq_ignore_ascii_case(kind));
        let anything = self.by_kind.iter().filter(move |(kind, _)| of_kind(kind)).flat_map(|(_, indices)| indices).copied();
        self.by_prefix.of(&row.name).chain(anything)
    }

    /// Pairs of patterns of different components that fit the same rows equally, each pair once, in the order of the patterns.
    #[must_use]
    pub fn clashes(&self) -> Vec<PatternClash> {
        // Sorted by prefix, the patterns whose prefix begins with that of another follow it directly.
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
                Some(PatternClash { first, second, row: Self::common_row(&self.patterns[first], &self.patterns[second], rows)? })
            });
            clashes.collect::<Vec<_>>()
        };
        let mut clashes: Vec<PatternClash> = order.par_iter().enumerate().flat_map_iter(behind).collect();
        clashes.sort_by_key(|clash| (clash.first, clash.second));
        clashes
    }

    /// The kinds of the rows of each pattern as bits, so that most pairs of patterns are distinguished without comparing names. Several kinds can share a bit.
    fn kinds(&self) -> Vec<u64> {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut bit = |kind: &str| {
            let next = u32::try_from(numbers.len()).unwrap_or_default();
            1 << (*numbers.entry(kind.to_ascii_lowercase()).or_insert(next) % u64::BITS)
        };
        self.patterns.iter().map(|owned| owned.pattern.kinds().fold(0, |bits, kind| bits | bit(kind))).collect()
    }

    /// The first of some rows that two patterns of different components match equally.
    fn common_row<'a>(a: &OwnedPattern, b: &OwnedPattern, mut rows: impl Iterator<Item = &'a Row>) -> Option<Row> {
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
