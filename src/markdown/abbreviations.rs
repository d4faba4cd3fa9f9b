//! Abbreviations and other terms, explained at their first use.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Reads `*[HPA]: Horizontal Pod Autoscaler`.
pub(super) fn definition(line: &str) -> Option<(&str, &str)> {
    let (term, meaning) = line.strip_prefix("*[")?.split_once("]:")?;
    let (term, meaning) = (term.trim(), meaning.trim());
    (!term.is_empty() && !meaning.is_empty() && !term.contains(['[', ']'])).then_some((term, meaning))
}

/// Longer terms are ignored; the limit keeps the search linear in the text.
const LONGEST: usize = 64;

/// The terms of a page and their meanings.
#[derive(Debug, Default)]
pub(super) struct Abbreviations<'a> {
    meanings: BTreeMap<&'a str, &'a str>,
    /// For each first letter the lengths of its terms in bytes, longest first.
    lengths: BTreeMap<char, Vec<usize>>,
    /// Terms that are explained on this page already.
    explained: BTreeSet<&'a str>,
}

impl<'a> Abbreviations<'a> {
    /// Collects terms and meanings; for a term with several meanings, the last one is used.
    pub(super) fn new(terms: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut collected = Self::default();
        for (term, meaning) in terms.filter(|(term, _)| term.len() <= LONGEST) {
            let Some(first) = term.chars().next() else { continue };
            collected.meanings.insert(term, meaning);
            let lengths = collected.lengths.entry(first).or_default();
            if let Err(at) = lengths.binary_search_by(|length| term.len().cmp(length)) {
                lengths.insert(at, term.len());
            }
        }
        collected
    }

    pub(super) fn is_empty(&self) -> bool {
        self.meanings.is_empty()
    }

    /// Finds terms that are not explained yet, as whole words: next to an ASCII letter or digit, a term is part of another word. Japanese has no spaces between
    /// words, so its letters are boundaries. Of two terms at the same position, the longer one is used. Returns the range of each, with its meaning.
    pub(super) fn first_uses(&mut self, text: &str) -> Vec<(Range<usize>, &'a str)> {
        let mut found = Vec::new();
        let mut done = 0;
        let mut before = None;
        for (at, character) in text.char_indices() {
            if at >= done
                && !(is_word(before) && is_word(Some(character)))
                && let Some((term, meaning)) = self.longest(&text[at..], character)
            {
                done = at + term.len();
                if self.explained.insert(term) {
                    found.push((at..done, meaning));
                }
            }
            before = Some(character);
        }
        found
    }

    /// The longest term that a text begins with.
    fn longest(&self, text: &str, first: char) -> Option<(&'a str, &'a str)> {
        self.lengths.get(&first)?.iter().find_map(|length| {
            let (term, meaning) = self.meanings.get_key_value(text.get(..*length)?)?;
            let whole = !(is_word(term.chars().next_back()) && is_word(text[*length..].chars().next()));
            whole.then_some((*term, *meaning))
        })
    }
}

fn is_word(character: Option<char>) -> bool {
    character.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_once_and_the_longer_term() {
        let mut terms =
            Abbreviations::new([("HPA", "Horizontal Pod Autoscaler"), ("API", "interface"), ("API server", "kube-apiserver")].into_iter());
        let mut names = |text: &str| terms.first_uses(text).into_iter().map(|(range, _)| range).collect::<Vec<_>>();
        assert!(names("HPAs xHPA HPA_").is_empty());
        assert_eq!(names("このHPAは HPA"), vec![6..9]);
        assert_eq!(names("the API server and the API"), vec![4..14, 23..26]);
        assert!(names("API").is_empty());
    }
}
