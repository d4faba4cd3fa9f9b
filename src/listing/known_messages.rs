//! Messages of components in lines of logs, events and errors.
//!
//! A message is compared by its words, without case and punctuation, so that it is found in klog, JSON, logfmt and in quotation marks alike.

use std::{cmp::Reverse, ops::Range};

use rustc_hash::FxHashMap;

use crate::id::Id;

/// Stands for a variable part of a message.
const VARIABLE: char = '…';

/// The largest number of words that a variable part stands for.
const MAX_VARIABLE: usize = 40;

/// The number of words of a line that are searched: about 16 KiB, where container runtimes split lines (`max_container_log_line_size` of containerd).
const MAX_WORDS: usize = 2_000;

/// A message of a component.
#[derive(Clone, Debug)]
pub(super) struct KnownMessage {
    /// The text as in the facts, with `…` for each variable part.
    pub(super) text: String,
    /// The component.
    pub(super) component: Id,
    /// The words between the variable parts, in lower case.
    parts: Vec<Vec<String>>,
}

impl KnownMessage {
    fn new(text: String, component: Id) -> Self {
        let parts = message_parts(&text);
        Self { text, component, parts }
    }

    /// Pairs of adjacent words, with the part and the word where each begins.
    fn pairs(&self) -> impl Iterator<Item = (&str, &str, WordPlace)> {
        let of_part =
            |(part, words): (usize, &'_ Vec<String>)| (0..words.len().saturating_sub(1)).map(move |word| WordPlace { part, word });
        let places = self.parts.iter().enumerate().flat_map(of_part);
        places.map(|at| (self.parts[at.part][at.word].as_str(), self.parts[at.part][at.word + 1].as_str(), at))
    }

    /// The words of a line that are this message, given where the words at a place of it are.
    fn fit(&self, words: &[&str], at: usize, place: WordPlace) -> Option<Range<usize>> {
        let is_at = |part: &[String], start: usize| words.get(start..start + part.len()).is_some_and(|words| words == part);
        let (before, rest) = self.parts.split_at(place.part);
        let (own, after) = rest.split_first()?;
        let mut start = at.checked_sub(place.word).filter(|start| is_at(own, *start))?;
        let mut end = start + own.len();
        for part in before.iter().rev() {
            let last = start.checked_sub(part.len())?;
            start = (last.saturating_sub(MAX_VARIABLE)..=last).rev().find(|start| is_at(part, *start))?;
        }
        for part in after {
            end = (end..=end + MAX_VARIABLE).find(|start| is_at(part, *start))? + part.len();
        }
        Some(start..end)
    }
}

/// The place of a word in a message.
#[derive(Clone, Copy, Debug)]
struct WordPlace {
    part: usize,
    word: usize,
}

/// The messages of all components.
#[derive(Clone, Debug, Default)]
pub(super) struct MessageIndex {
    messages: Vec<KnownMessage>,
    /// The messages by two adjacent words: those that the fewest messages have.
    by_pair: FxHashMap<String, FxHashMap<String, Vec<(usize, WordPlace)>>>,
}

impl MessageIndex {
    pub(super) fn new(messages: impl Iterator<Item = (String, Id)>) -> Self {
        let messages: Vec<KnownMessage> = messages.map(|(text, component)| KnownMessage::new(text, component)).collect();
        let mut counts: FxHashMap<(&str, &str), usize> = FxHashMap::default();
        for (first, second, _) in messages.iter().flat_map(KnownMessage::pairs) {
            *counts.entry((first, second)).or_default() += 1;
        }
        let mut by_pair: FxHashMap<String, FxHashMap<String, Vec<(usize, WordPlace)>>> = FxHashMap::default();
        for (index, message) in messages.iter().enumerate() {
            if let Some((first, second, place)) = message.pairs().min_by_key(|(first, second, _)| counts[&(*first, *second)]) {
                by_pair.entry(first.to_owned()).or_default().entry(second.to_owned()).or_default().push((index, place));
            }
        }
        Self { messages, by_pair }
    }

    /// The messages in a line, from left to right. Where two overlap, the one with more words counts.
    pub(super) fn in_line(&self, line: &str) -> Vec<&KnownMessage> {
        let line = line.to_ascii_lowercase();
        let words: Vec<&str> = words(&line).take(MAX_WORDS).collect();
        let mut found: Vec<(Range<usize>, usize)> = Vec::new();
        for (at, pair) in words.windows(2).enumerate() {
            let candidates = self.by_pair.get(pair[0]).and_then(|seconds| seconds.get(pair[1])).into_iter().flatten();
            found.extend(candidates.filter_map(|(index, place)| Some((self.messages[*index].fit(&words, at, *place)?, *index))));
        }
        found.sort_by_key(|(range, index)| (Reverse(range.len()), range.start, *index));
        let mut taken = vec![false; words.len()];
        found.retain(|(range, _)| {
            let is_free = !taken[range.clone()].contains(&true);
            taken[range.clone()].fill(true);
            is_free
        });
        found.sort_by_key(|(range, _)| range.start);
        found.into_iter().map(|(_, index)| &self.messages[index]).collect()
    }
}

/// The least number of words of a message. Fewer are printed by other programs too.
pub const MIN_MESSAGE_WORDS: usize = 3;

/// The words of a message in lower case, by the parts between `…`. Parts without words are left out.
#[must_use]
pub fn message_parts(text: &str) -> Vec<Vec<String>> {
    let parts = text.split(VARIABLE).map(|part| words(part).map(str::to_ascii_lowercase).collect());
    parts.filter(|part: &Vec<String>| !part.is_empty()).collect()
}

/// The words of a text: letters and digits of ASCII, and underscores.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn found(line: &str) -> String {
        let messages = [
            "wal: sync duration of …, expected less than …",
            "slow fdatasync",
            "node … not found",
            "error adding pod to network: node … not found",
            "Unable to find … in the … of …",
        ];
        let index = MessageIndex::new(messages.into_iter().map(|text| (text.to_owned(), Id::new("etcd").unwrap())));
        index.in_line(line).iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join(" + ")
    }

    #[test]
    fn messages_of_every_form_of_log() {
        let sync = "wal: sync duration of …, expected less than …";
        for (line, expected) in [
            ("2024-10-20 12:15:22.091337 W | wal: sync duration of 1.018s, expected less than 1s", sync),
            ("WAL sync duration of 2s; expected less than 1s", sync),
            ("{\"msg\":\"wal: sync duration of 1s, expected less than 1s\"}", sync),
            ("wal: sync duration of 1s, expected more than 1s", ""),
            (
                "err=\"slow fdatasync\" wal: sync duration of 1s, expected less than 1s",
                "slow fdatasync + wal: sync duration of …, expected less than …",
            ),
            ("node \\\"worker-2\\\" not found", "node … not found"),
            ("error adding pod to network: node \"worker-2\" not found", "error adding pod to network: node … not found"),
            ("unable to find the key in the list of a", "Unable to find … in the … of …"),
            ("unable to find the key in the list", ""),
            ("slow", ""),
            ("", ""),
        ] {
            assert_eq!(found(line), expected, "{line}");
        }
    }

    #[test]
    fn a_variable_part_and_a_line_have_a_limit() {
        let line = |words: usize| format!("node {} not found", "x ".repeat(words));
        assert_eq!(found(&line(MAX_VARIABLE)), "node … not found");
        assert_eq!(found(&line(MAX_VARIABLE + 1)), "");
        let late = |words: usize| format!("{}slow fdatasync", "node ".repeat(words));
        assert_eq!(found(&late(MAX_WORDS - 2)), "slow fdatasync");
        assert_eq!(found(&late(MAX_WORDS - 1)), "");
    }
}
