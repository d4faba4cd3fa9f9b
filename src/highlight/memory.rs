//! Lines that were coloured before, by their [skeletons](super::skeleton) and by what the grammar knew when it came to them.

use std::{
    collections::BTreeMap,
    hash::{BuildHasher as _, Hash},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use rustc_hash::FxBuildHasher;
use syntect::parsing::{ParseState, ScopeStack};

use super::kept::Begin;

#[allow(clippy::disallowed_types, reason = "asked by key only; its order never shows")]
type Map<K, V> = std::collections::HashMap<K, V, FxBuildHasher>;

/// How many lines each part of the memory keeps.
const MOST_LINES: usize = 4_096;
/// So many parts, so that threads rarely wait for each other.
const PARTS: usize = 16;
/// Grammars that count how deep they are have a state for each depth. Beyond so many, nothing new is remembered.
const MOST_STATES: usize = 20_000;

/// Names of languages are written by people, and a mistake in each block must not fill the memory.
const MOST_LANGUAGES: usize = 1_000;

/// What a grammar knows between two lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct State {
    pub(super) parse: ParseState,
    pub(super) scopes: ScopeStack,
}

/// The number of a [`State`].
pub(super) type StateId = u32;

/// Up to where in the skeleton, and the class there.
pub(super) type Stretch = (usize, Option<&'static str>);

/// What a line looks like, and the state after it and whether it is outside of strings and comments; `None` if the grammar gave up.
#[derive(Debug)]
pub(super) struct Coloured {
    pub(super) stretches: Vec<Stretch>,
    pub(super) after: Option<(StateId, bool)>,
}

#[derive(Default)]
pub(super) struct Memory {
    states: RwLock<States>,
    parts: [Mutex<Part>; PARTS],
    /// In which state blocks of each language begin.
    begins: Mutex<BTreeMap<String, Begin>>,
}

#[derive(Default)]
struct States {
    all: Vec<Arc<State>>,
    /// By the hash of their scopes.
    known: Map<u64, Vec<StateId>>,
}

#[derive(Default)]
struct Part {
    lines: Map<StateId, Map<Box<str>, Arc<Coloured>>>,
    length: usize,
}

impl Memory {
    /// The number of a state; `None` if there are too many.
    pub(super) fn number(&self, state: State) -> Option<StateId> {
        let key = hash(state.scopes.as_slice());
        if let Some(number) = self.states.read().unwrap_or_else(PoisonError::into_inner).find(key, &state) {
            return Some(number);
        }
        let mut states = self.states.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = states.find(key, &state) {
            return Some(number);
        }
        let number = StateId::try_from(states.all.len()).ok().filter(|_| states.all.len() < MOST_STATES)?;
        states.all.push(Arc::new(state));
        states.known.entry(key).or_default().push(number);
        Some(number)
    }

    /// A state that has a number.
    pub(super) fn state(&self, number: StateId) -> Option<Arc<State>> {
        self.states.read().unwrap_or_else(PoisonError::into_inner).all.get(number as usize).cloned()
    }

    /// Remembers in which state blocks of a language begin, and the first extension of its grammar.
    pub(super) fn begins_with(&self, language: &str, begin: Option<(StateId, &str)>) {
        let mut begins = self.begins.lock().unwrap_or_else(PoisonError::into_inner);
        if !begins.contains_key(language) && begins.len() < MOST_LANGUAGES {
            begins.insert(language.to_owned(), begin.map(|(state, name)| (state, name.to_owned())));
        }
    }

    /// In which state blocks of each language begin.
    pub(super) fn begins(&self) -> BTreeMap<String, Begin> {
        self.begins.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Something for each line, in any order.
    pub(super) fn lines<T>(&self, mut line: impl FnMut(StateId, &str, &Coloured) -> T) -> Vec<T> {
        let mut lines = Vec::new();
        for part in &self.parts {
            let part = part.lock().unwrap_or_else(PoisonError::into_inner);
            let of_part =
                part.lines.iter().flat_map(|(state, lines)| lines.iter().map(move |(skeleton, coloured)| (state, skeleton, coloured)));
            lines.extend(of_part.map(|(state, skeleton, coloured)| line(*state, skeleton, coloured)));
        }
        lines
    }

    /// A line that was coloured before.
    pub(super) fn line(&self, state: StateId, skeleton: &str) -> Option<Arc<Coloured>> {
        self.part(skeleton)?.lock().unwrap_or_else(PoisonError::into_inner).lines.get(&state)?.get(skeleton).cloned()
    }

    /// Remembers a line.
    pub(super) fn keep(&self, state: StateId, skeleton: String, coloured: Arc<Coloured>) {
        let Some(part) = self.part(&skeleton) else { return };
        let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
        if part.length >= MOST_LINES {
            *part = Part::default();
        }
        part.length += 1;
        part.lines.entry(state).or_default().insert(skeleton.into_boxed_str(), coloured);
    }

    fn part(&self, skeleton: &str) -> Option<&Mutex<Part>> {
        // The last bits of this hash are the good ones.
        self.parts.get(usize::try_from(hash(skeleton) >> 32).unwrap_or_default() % PARTS)
    }
}

impl States {
    fn find(&self, key: u64, state: &State) -> Option<StateId> {
        let numbers = self.known.get(&key)?;
        numbers.iter().copied().find(|number| self.all.get(*number as usize).is_some_and(|known| **known == *state))
    }
}

fn hash(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}
