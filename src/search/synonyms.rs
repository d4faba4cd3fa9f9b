//! Words with the same meaning: where a text has one of them, the index also has the others, with a lower level. So a query costs nothing more.

use std::collections::BTreeMap;

use super::{
    postings::{IndexTerm, Level, Map, NAMED, Posting, Postings, STRONG},
    tokenizer::{WHOLE, key, terms},
};

/// The share of the level that remains for the other words of a group.
const SHARE: f32 = 0.7;

/// The terms that a word or a phrase is searched with.
struct SynonymPhrase {
    /// The phrase as a single term.
    key: IndexTerm,
    /// The whole words in it.
    words: Vec<IndexTerm>,
}

impl SynonymPhrase {
    fn new(text: &str) -> Self {
        let mut words: Vec<IndexTerm> = Vec::new();
        let mut others = Vec::new();
        terms(text, |term, quality| {
            let list = if quality == WHOLE { &mut words } else { &mut others };
            if !list.iter().any(|known| known == term) {
                list.push(term.into());
            }
        });
        // A run of hiragana is not a whole word, because it can begin with a particle.
        if words.is_empty() {
            words.extend(others.pop());
        }
        Self { key: key(text).into(), words }
    }

    /// The units with this phrase: those that have it as one term, or all of its words.
    fn units(&self, all: &Map<Postings>) -> BTreeMap<u32, Level> {
        let mut units: BTreeMap<u32, Level> = BTreeMap::new();
        let mut add = |posting: Posting| {
            let level = units.entry(posting.unit).or_default();
            *level = posting.level.max(*level);
        };
        all.get(&self.key).into_iter().flat_map(Postings::iter).for_each(&mut add);
        let Some((first, rest)) = self.words.split_first() else { return units };
        let rest: Vec<BTreeMap<u32, Level>> =
            rest.iter().map(|word| all.get(word).into_iter().flat_map(Postings::iter).map(|it| (it.unit, it.level)).collect()).collect();
        for posting in all.get(first).into_iter().flat_map(Postings::iter) {
            let levels = rest.iter().map(|word| word.get(&posting.unit).copied());
            if let Some(level) = levels.chain([Some(posting.level)]).try_fold(Level::MAX, |least, level| Some(least.min(level?))) {
                add(Posting { unit: posting.unit, level });
            }
        }
        units
    }
}

/// Adds the units of each phrase of a group to the terms of the others: those where it is in a name, a heading or the summary, or is frequent. Cost: proportional to the postings of the words in all groups.
pub(super) fn expand(all: &mut Map<Postings>, groups: &[Vec<String>]) {
    let groups: Vec<Vec<(SynonymPhrase, BTreeMap<u32, Level>)>> = groups
        .iter()
        .map(|group| {
            let phrases = group.iter().map(|text| SynonymPhrase::new(text));
            phrases
                .map(|phrase| {
                    let units = phrase.units(all);
                    (phrase, units)
                })
                .collect()
        })
        .collect();
    // All are read before the first one is changed, so that the result doesn't depend on the order of the groups.
    let mut added: BTreeMap<IndexTerm, BTreeMap<u32, Level>> = BTreeMap::new();
    for group in &groups {
        for (to, (phrase, own)) in group.iter().enumerate() {
            for (_, units) in group.iter().enumerate().filter(|(from, _)| *from != to).map(|(_, other)| other) {
                for (unit, level) in units.iter().filter(|(unit, level)| **level >= STRONG && !own.contains_key(unit)) {
                    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "less than the level of a name")]
                    let level = (f32::from((*level).min(NAMED - 1)) * SHARE) as Level;
                    for term in phrase.words.iter().chain((!phrase.key.is_empty()).then_some(&phrase.key)) {
                        let known = added.entry(term.clone()).or_default().entry(*unit).or_default();
                        *known = level.max(*known);
                    }
                }
            }
        }
    }
    for (term, mut units) in added {
        let postings = all.entry(term).or_default();
        for posting in postings.iter() {
            let level = units.entry(posting.unit).or_default();
            *level = posting.level.max(*level);
        }
        *postings = units.into_iter().map(|(unit, level)| Posting { unit, level }).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_with_one_word_finds_the_others() {
        let mut all: Map<Postings> = Map::default();
        let mut put = |term: &str, unit, level| all.entry(term.into()).or_default().push(unit, level);
        put("drain", 1, 30);
        put("key", 1, 20);
        put("key", 2, 22);
        put("valu", 2, 20);
        put("退避", 3, 63);
        let groups = [vec!["drain".to_owned(), "退避".to_owned()], vec!["key value".to_owned(), "KVS".to_owned()]];
        expand(&mut all, &groups);
        let of = |term: &str| all.get(term).map(|it| it.iter().map(|it| (it.unit, it.level)).collect::<Vec<_>>()).unwrap_or_default();
        assert_eq!(of("drain"), [(1, 30), (3, 35)]);
        assert_eq!(of("退避"), [(1, 21), (3, 63)]);
        // Both words in one unit, with the lower of their levels.
        assert_eq!(of("kvs"), [(2, 14)]);
        assert_eq!(of("key"), [(1, 20), (2, 22)]);
    }
}
