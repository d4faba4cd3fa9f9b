//! The terms of units, and their weights.

use super::{
    COMMON, FEW, FREQUENT, MAX_POSTINGS, NameKind, SearchName,
    shards::{digit, read_vlq, utf16_order, value, vlq},
    tokenizer::{WHOLE, key, key_of_stems, terms},
};

/// A map with terms as keys.
#[allow(clippy::disallowed_types, reason = "the terms of a whole site; they are sorted before their order could show")]
pub(super) type Map<T> = std::collections::HashMap<IndexTerm, T, rustc_hash::FxBuildHasher>;

/// A search term. Most terms are short, and there are millions of them while an index is built.
pub(super) type IndexTerm = compact_str::CompactString;

/// The weight of a term in a unit: 1 to 63, one letter in the index.
pub(super) type Level = u8;

/// A term in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Posting {
    pub(super) unit: u32,
    pub(super) level: Level,
}

/// The units that contain a term, in order and in the encoding of the index: for each, the difference from the previous unit, and the level. There are
/// millions of them while an index is built, and in this encoding most take two bytes.
#[derive(Default)]
pub(super) struct Postings {
    text: String,
    length: usize,
    last: u32,
    strongest: Level,
}

impl Postings {
    /// Adds a unit, which must come after all previous ones.
    pub(super) fn push(&mut self, unit: u32, level: Level) {
        vlq((unit - self.last) as usize, &mut self.text);
        self.text.push(digit(level));
        self.last = unit;
        self.length += 1;
        self.strongest = self.strongest.max(level);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Posting> {
        let (mut rest, mut unit) = (self.text.as_str(), 0_u32);
        std::iter::from_fn(move || {
            unit += u32::try_from(read_vlq(&mut rest)?).ok()?;
            let level = value(rest.bytes().next()?)?;
            rest = &rest[1..];
            Some(Posting { unit, level })
        })
    }
}

impl FromIterator<Posting> for Postings {
    fn from_iter<I: IntoIterator<Item = Posting>>(postings: I) -> Self {
        let mut list = Self::default();
        postings.into_iter().for_each(|posting| list.push(posting.unit, posting.level));
        list
    }
}

/// The minimum level of a term that is a whole name of the unit. `web/search/index.js` has the same constant.
pub(super) const NAMED: Level = 52;
/// The minimum level of a term that is characteristic of a unit. Common terms keep only postings above it, and so do frequent ones that have any.
pub(super) const STRONG: Level = 20;

/// The level of a term that is a whole name.
const fn name_level(kind: NameKind) -> Level {
    match kind {
        NameKind::Own => 63,
        NameKind::Alias => 60,
        NameKind::Object => 56,
        NameKind::Setting | NameKind::Known => NAMED,
        NameKind::Keyword => 0,
    }
}

/// The level of a term that is a word of a name.
const fn word_level(kind: NameKind) -> f32 {
    match kind {
        NameKind::Own => 44.0,
        NameKind::Alias => 38.0,
        NameKind::Object => 26.0,
        NameKind::Setting => 22.0,
        NameKind::Known => 6.0,
        NameKind::Keyword => 28.0,
    }
}

const HEADING: f32 = 32.0;
const SUMMARY: f32 = 28.0;
/// The limit that the level of a term in the text approaches with the number of its occurrences.
const TEXT: f32 = 26.0;
/// The number of occurrences in a unit of usual length at which the level is half of the limit.
const HALF: f32 = 1.2;
/// The length of a usual unit, in terms.
const USUAL: f32 = 400.0;

/// The weight of a term in a unit.
#[derive(Default)]
struct Weight {
    /// The maximum of the levels in names, headings and the summary.
    field: f32,
    /// The number of occurrences in the text, weighted by quality.
    text: f32,
}

#[derive(Default)]
struct Weights(Map<Weight>);

impl Weights {
    /// Changes the weight of a term. Most terms already exist; only a new one is copied.
    fn change(&mut self, term: &str, change: impl FnOnce(&mut Weight)) {
        match self.0.get_mut(term) {
            Some(weight) => change(weight),
            None => change(self.0.entry(term.into()).or_default()),
        }
    }

    /// Raises the level of each term of a text to `level`, reduced by the quality of the term.
    fn field(&mut self, text: &str, level: f32) {
        terms(text, |term, quality| self.raise(term, level * f32::from(quality) / f32::from(WHOLE)));
    }

    fn raise(&mut self, term: &str, level: f32) {
        self.change(term, |weight| weight.field = weight.field.max(level));
    }
}

/// The terms of a unit with their levels.
pub(super) fn unit_terms<'a>(
    summary: &str,
    names: impl Iterator<Item = &'a SearchName>,
    heading: &str,
    text: &str,
) -> Vec<(IndexTerm, Level)> {
    let mut weights = Weights::default();
    for name in names {
        weights.field(&name.text, word_level(name.kind));
        // Keywords are sentences rather than names.
        let keys = if name.kind == NameKind::Keyword { Vec::new() } else { vec![key(&name.text), key_of_stems(&name.text)] };
        for key in keys.iter().filter(|key| !key.is_empty()) {
            weights.raise(key, f32::from(name_level(name.kind)));
        }
    }
    weights.field(summary, SUMMARY);
    weights.field(heading, HEADING);
    let mut length = 0.0_f32;
    terms(text, |term, quality| {
        length += 1.0;
        weights.change(term, |weight| weight.text += f32::from(quality) / f32::from(WHOLE));
    });
    let half = HALF * (0.4 + 0.6 * length / USUAL);
    weights.0.into_iter().map(|(term, weight)| (term, level(&weight, half))).collect()
}

/// The level of a weight: the higher one of field and text, plus a quarter of the other one. A word of a name never gets the level of a whole name.
fn level(weight: &Weight, half: f32) -> Level {
    let text = TEXT * weight.text / (weight.text + half);
    let sum = weight.field.max(text) + weight.field.min(text) / 4.0;
    let named = f32::from(NAMED);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 63")]
    let level = if weight.field >= named { weight.field } else { sum.clamp(1.0, named - 1.0) } as Level;
    level
}

/// The share of the highest level of a term in a document below which the other units of the document do without it, measured on the judged queries: the units that
/// only mention a word are a tenth of the index, and lead readers to the wrong section.
const STRONGEST: f32 = 0.55;

/// Removes the terms of each unit of a document whose level is much lower than in another unit.
pub(super) fn keep_strongest<'a>(units: impl Iterator<Item = &'a mut Vec<(IndexTerm, Level)>>) {
    let mut units: Vec<_> = units.collect();
    let mut highest: Map<Level> = Map::default();
    for (term, level) in units.iter().flat_map(|terms| terms.iter()) {
        match highest.get_mut(&**term) {
            Some(highest) => *highest = (*highest).max(*level),
            None => {
                highest.insert(term.clone(), *level);
            }
        }
    }
    for terms in &mut units {
        terms.retain(|(term, level)| f32::from(*level) >= STRONGEST * f32::from(highest.get(&**term).copied().unwrap_or_default()));
    }
}

/// The sorted terms of a language.
pub(super) struct Dictionary {
    terms: Vec<(IndexTerm, Postings)>,
    /// Terms that occur in most units.
    pub(super) common: Vec<String>,
}

/// Sorts the terms.
pub(super) fn sorted(terms: Map<Postings>) -> Vec<(IndexTerm, Postings)> {
    let mut terms: Vec<(IndexTerm, Postings)> = terms.into_iter().collect();
    terms.sort_unstable_by(|(a, _), (b, _)| utf16_order(a, b));
    terms
}

/// Removes postings of little value from the sorted terms.
pub(super) fn dictionary(mut terms: Vec<(IndexTerm, Postings)>, units: usize) -> Dictionary {
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "numbers of units")]
    let limit = |share: f64| ((units as f64 * share) as usize).max(FEW);
    let mut common = Vec::new();
    for (term, postings) in &mut terms {
        let is_common = postings.length > limit(COMMON);
        if is_common {
            common.push(term.to_string());
        }
        if is_common || postings.length > limit(FREQUENT) && postings.strongest > STRONG {
            *postings = postings.iter().filter(|posting| posting.level > STRONG).collect();
        }
        if postings.length > MAX_POSTINGS {
            let mut best: Vec<Posting> = postings.iter().collect();
            best.sort_unstable_by_key(|posting| (std::cmp::Reverse(posting.level), posting.unit));
            best.truncate(MAX_POSTINGS);
            best.sort_unstable_by_key(|posting| posting.unit);
            *postings = best.into_iter().collect();
        }
    }
    Dictionary { terms, common }
}

impl Dictionary {
    /// A line for each term: the term, then for each unit the difference from the previous unit, and the level.
    pub(super) fn lines(&self) -> impl Iterator<Item = (String, String)> {
        self.terms.iter().map(|(term, postings)| (term.to_string(), format!("{term}\t{}", postings.text)))
    }

    /// The terms that are whole names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.terms.iter().filter(|(_, postings)| postings.strongest >= NAMED).map(|(term, _)| &**term)
    }

    /// Candidates for the correction of mistyped words: stems of four letters or more that occur more than once or in a heading.
    pub(super) fn spelled(&self) -> impl Iterator<Item = &str> {
        let is_word = |term: &str| term.len() >= 4 && term.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        let counts = |postings: &Postings| postings.length > 1 || postings.strongest >= STRONG;
        let words = self.terms.iter().filter(move |(term, postings)| is_word(term) && counts(postings));
        words.map(|(term, _)| &**term).filter(|term| term.bytes().any(|byte| byte.is_ascii_lowercase()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_strongest_units_of_a_document_keep_a_term() {
        let unit = |terms: &[(&str, Level)]| terms.iter().map(|(term, level)| (IndexTerm::from(*term), *level)).collect::<Vec<_>>();
        let mut units = [unit(&[("etcd", 40), ("lease", 5)]), unit(&[("etcd", 21), ("lease", 9)]), unit(&[("etcd", 22)])];
        keep_strongest(units.iter_mut());
        assert_eq!(units, [unit(&[("etcd", 40), ("lease", 5)]), unit(&[("lease", 9)]), unit(&[("etcd", 22)])]);
    }

    #[test]
    fn postings_are_read_as_they_were_written() {
        let all: Vec<Posting> =
            [(0, 1), (1, 63), (32, 20), (1_057, 5), (4_000_000, 44)].map(|(unit, level)| Posting { unit, level }).to_vec();
        let list: Postings = all.iter().copied().collect();
        assert_eq!(list.iter().collect::<Vec<_>>(), all);
        assert_eq!((list.length, list.strongest), (5, 63));
        assert_eq!(Postings::default().iter().next(), None);
    }
}
