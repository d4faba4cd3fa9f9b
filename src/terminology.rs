//! Finds the terms in a text that the vocabulary advises against.
//!
//! A text is searched once, regardless of the number of terms: an automaton finds the longest literal part of each phrase, and only there, the remaining parts
//! are compared. A phrase matches whole words in scripts that separate words by spaces; in others, `except` lists longer words that contain it.

mod phrase;

use std::{collections::BTreeMap, ops::Range};

use aho_corasick::AhoCorasick;

use crate::{
    decode::Spanned,
    facts::{TermFacts, TermsFacts},
    id::Lang,
};
use phrase::{Folded, Phrase};

/// The terms to avoid in each language.
#[derive(Debug, Default)]
pub struct Terminology {
    facts: TermsFacts,
    matchers: BTreeMap<Lang, TermMatcher>,
}

/// Two values are equal if they find the same terms: positions in the vocabulary are ignored.
impl PartialEq for Terminology {
    fn eq(&self, other: &Self) -> bool {
        self.facts == other.facts
    }
}

impl Terminology {
    /// Collects the terms of a vocabulary. Invalid ones are left out; `validate` reports them.
    #[must_use]
    pub fn new(facts: &TermsFacts) -> Self {
        let matchers = facts.0.iter().filter_map(|(lang, terms)| Some((lang.value.clone(), TermMatcher::new(terms)?)));
        Self { facts: facts.clone(), matchers: matchers.collect() }
    }

    /// The terms of a language; `None` if it has none.
    #[must_use]
    pub fn matcher(&self, lang: &str) -> Option<&TermMatcher> {
        self.matchers.get(lang)
    }
}

/// Whether a term can match a text: it contains more than white space and `{word}`.
#[must_use]
pub fn is_searchable(term: &str) -> bool {
    Phrase::new(term).is_some()
}

/// The normalized form in which terms are compared: without differences of case and white space.
#[must_use]
pub fn folded(term: &str) -> String {
    Folded::new(term.trim()).text
}

/// Finds the terms of one language.
#[derive(Debug)]
pub struct TermMatcher {
    terms: Vec<TermFacts>,
    phrases: Vec<TermPhrase>,
    /// Finds the literal part of each phrase; the number of a pattern is an index into `phrases`.
    automaton: AhoCorasick,
}

/// A phrase of a term.
#[derive(Debug)]
struct TermPhrase {
    phrase: Phrase,
    /// Index into [`TermMatcher::terms`].
    term: usize,
    /// Whether the term is allowed in this phrase.
    is_exception: bool,
}

/// A place where a text uses a term.
#[derive(Clone, Debug, PartialEq)]
pub struct TermMatch<'t> {
    /// The bytes of the text.
    pub range: Range<usize>,
    /// The term.
    pub term: &'t TermFacts,
}

impl TermMatcher {
    /// A matcher for the valid terms of a list; `None` if there are none.
    #[must_use]
    pub fn new(terms: &[Spanned<TermFacts>]) -> Option<Self> {
        let terms: Vec<TermFacts> = terms.iter().map(|term| term.value.clone()).collect();
        let mut phrases = Vec::new();
        for (index, term) in terms.iter().enumerate() {
            let avoided = term.avoid.iter().map(|text| (text, false));
            for (text, is_exception) in avoided.chain(term.except.iter().map(|text| (text, true))) {
                phrases.extend(Phrase::new(text).map(|phrase| TermPhrase { phrase, term: index, is_exception }));
            }
        }
        if phrases.is_empty() {
            return None;
        }
        // It only fails for gigabytes of terms, and files are smaller.
        let automaton = AhoCorasick::new(phrases.iter().map(|phrase| phrase.phrase.literal())).ok()?;
        Some(Self { terms, phrases, automaton })
    }

    /// Whether a text uses a term.
    #[must_use]
    pub fn contains(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// The places where a text uses a term, in order. Of overlapping terms the longest is reported, of equally long ones the first.
    #[must_use]
    pub fn find(&self, text: &str) -> Vec<TermMatch<'_>> {
        let folded = Folded::new(text);
        let (mut found, mut allowed) = (Vec::new(), AllowedRanges::default());
        for literal in self.automaton.find_overlapping_iter(&folded.text) {
            let Some(TermPhrase { phrase, term, is_exception }) = self.phrases.get(literal.pattern().as_usize()) else { continue };
            let Some(range) = phrase.around(literal.range(), &folded.text) else { continue };
            if *is_exception { allowed.add(*term, range) } else { found.push((range, *term)) }
        }
        if found.is_empty() {
            return Vec::new();
        }
        allowed.complete();
        found.retain(|(range, term)| !allowed.cover(*term, range));
        let found = found.into_iter().filter_map(|(range, term)| {
            let (range, term) = (folded.original(&range), self.terms.get(term)?);
            // `{avoid: [github], use: GitHub}` is about case.
            let is_correct = term.replacement.as_ref().is_some_and(|replacement| text.get(range.clone()) == Some(replacement.as_str()));
            (!is_correct).then_some(TermMatch { range, term })
        });
        longest(found.collect())
    }
}

/// The longest of overlapping matches, in the order of the text.
fn longest(mut found: Vec<TermMatch<'_>>) -> Vec<TermMatch<'_>> {
    found.sort_by_key(|found| (std::cmp::Reverse(found.range.len()), found.range.start));
    let mut kept: BTreeMap<usize, TermMatch<'_>> = BTreeMap::new();
    for found in found {
        let before = kept.range(..found.range.end).next_back();
        if before.is_none_or(|(_, before)| before.range.end <= found.range.start) {
            kept.insert(found.range.start, found);
        }
    }
    kept.into_values().collect()
}

/// The ranges in which terms are allowed, by term.
#[derive(Default)]
struct AllowedRanges(BTreeMap<usize, Vec<Range<usize>>>);

impl AllowedRanges {
    fn add(&mut self, term: usize, range: Range<usize>) {
        self.0.entry(term).or_default().push(range);
    }

    /// Prepares for [`Self::cover`]: sorts the ranges, and extends the end of each to that of those before it.
    fn complete(&mut self) {
        for ranges in self.0.values_mut() {
            ranges.sort_by_key(|range| range.start);
            let mut end = 0;
            for range in ranges {
                end = end.max(range.end);
                range.end = end;
            }
        }
    }

    /// Whether a term is allowed in a range.
    fn cover(&self, term: usize, range: &Range<usize>) -> bool {
        let Some(ranges) = self.0.get(&term) else { return false };
        let until = ranges.partition_point(|allowed| allowed.start <= range.start);
        ranges[..until].last().is_some_and(|allowed| allowed.end >= range.end)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;
    use crate::{decode::decode, diagnostic::Diagnostics, facts::VocabularyFacts, yaml};

    fn terminology(terms: &str) -> Terminology {
        let (file, mut diagnostics) = ("x.yaml".into(), Diagnostics::new());
        let node = yaml::parse(&file, &format!("terms: {{x: {terms}}}").replace("x:", "en:"), 0, &mut diagnostics).unwrap();
        let facts: VocabularyFacts = decode(&file, &node, &mut diagnostics).unwrap();
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        Terminology::new(&facts.terms)
    }

    #[track_caller]
    fn check(terms: &str, text: &str, expected: &[&str]) {
        let terminology = terminology(terms);
        let found = terminology.matcher("en").unwrap().find(text);
        assert_eq!(found.into_iter().map(|found| &text[found.range]).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn words_are_whole() {
        let terms = "[{avoid: [mend, mends, v1.0, _x]}]";
        check(terms, "mend, mends; mended amend recommend mend_it mend2 (mend)", &["mend", "mends", "mend"]);
        check(terms, "v1.0 v1.01 dev1.0 _x a_x", &["v1.0", "_x"]);
        check(terms, "Podをmendする。", &["mend"]);
        check("[{avoid: [café, '[sic]']}]", "Café cafés a[sic]b", &["Café", "[sic]"]);
    }

    #[test]
    fn case_is_ignored_unless_it_is_the_point() {
        check("[{avoid: [Master Node], use: control plane}]", "MASTER node", &["MASTER node"]);
        check("[{avoid: [github], use: GitHub}]", "GitHub, Github and github", &["Github", "github"]);
        check("[{avoid: [straße]}]", "İ STRAßE \u{212a} STRAßE.", &["STRAßE", "STRAßE"]);
    }

    #[test]
    fn a_space_is_any_white_space() {
        let terms = "[{avoid: [has to do  with]}]";
        check(terms, "has to do\nwith, has  to\u{a0}do \t\n with", &["has to do\nwith", "has  to\u{a0}do \t\n with"]);
        check(terms, "has todo with", &[]);
    }

    #[test]
    fn any_word() {
        let terms = "[{avoid: ['is no {word}', 'the {word} one', '{word}wise']}]";
        check(terms, "It is no Pod. It is no kube-proxy, it is no \0\0 here", &["is no Pod", "is no kube-proxy", "is no \0\0"]);
        check(terms, "is no. is no (x), this no x", &[]);
        check(terms, "the only one, the very only one, likewise and wise", &["the only one", "likewise"]);
    }

    #[test]
    fn the_longest_of_overlapping_terms_is_reported_once() {
        check("[{avoid: [rights, the rights of]}, {avoid: [rights]}]", "the rights of a", &["the rights of"]);
        check("[{avoid: [a b, b c d]}]", "a b c d a b", &["b c d", "a b"]);
        let terms = "[{avoid: [x], use: one}, {avoid: [X], use: two}]";
        let found = terminology(terms);
        let replacement = found.matcher("en").unwrap().find("x")[0].term.replacement.as_ref().unwrap().value.clone();
        assert_eq!(replacement, "one");
    }

    #[test]
    fn japanese_has_no_boundaries_and_exceptions() {
        let terms = "[{avoid: [サーバ], use: サーバー, except: [サーバー, サーバント]}, {avoid: [メモリー], use: メモリ}]";
        check(terms, "サーバのサーバー、サーバントとAPIサーバ", &["サーバ", "サーバ"]);
        check(terms, "共有メモリーを", &["メモリー"]);
        check("[{avoid: [サーバ]}]", "サーバー", &["サーバ"]);
        check("[{avoid: [서버], except: [서버리스]}]", "서버를 서버리스", &["서버"]);
    }

    #[test]
    fn an_exception_is_for_its_own_term() {
        check("[{avoid: [hard], except: [hard link]}, {avoid: [link]}]", "hard link, hard work", &["link", "hard"]);
        check("[{avoid: [a], except: [a b, b a]}]", "a b a", &[]);
    }

    #[test]
    fn terms_without_text_are_left_out() {
        assert!(terminology("[{avoid: ['', ' ', '{word}', ' {word} {word}']}]").matcher("en").is_none());
        assert!(terminology("[]").matcher("en").is_none());
        assert!(is_searchable("a {word}") && !is_searchable("{word}"));
    }

    #[test]
    fn long_texts_take_linear_time() {
        let terms = "[{avoid: ['a{word}', a a, 'b{word}b'], except: [a a a]}]";
        let terminology = terminology(terms);
        let matcher = terminology.matcher("en").unwrap();
        for text in ["a ".repeat(100_000), "a".repeat(200_000), "b".repeat(200_000), "\0".repeat(200_000), " ".repeat(200_000)] {
            let _ = matcher.find(&text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn matches_are_parts_of_the_text_that_equal_the_term(text in "[abAB İi\u{307}ẞ\u{212a}kサーバ\0\n\u{a0}_.-]{0,24}") {
            let terminology = terminology("[{avoid: ['a b', 'a {word} b', i, İ, k, バ, '{word}.'], except: [a b a, サーバ]}]");
            let mut end = 0;
            for found in terminology.matcher("en").unwrap().find(&text) {
                prop_assert!(found.range.start >= end && !found.range.is_empty());
                end = found.range.end;
                let written = folded(text.get(found.range).unwrap());
                let is_term = found.term.avoid.iter().any(|term| term.contains("{word}") || folded(term) == written);
                prop_assert!(is_term, "{}", written);
            }
        }
    }
}
