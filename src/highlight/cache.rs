//! A cache of highlighted lines, by their [skeletons](super::skeleton) and by the state of the grammar before them.

use std::{
    hash::{BuildHasher as _, Hash},
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use rustc_hash::FxBuildHasher;
use syntect::parsing::{ParseState, ScopeStack};

#[allow(clippy::disallowed_types, reason = "looked up by key only; its order never shows")]
type FastMap<K, V> = std::collections::HashMap<K, V, FxBuildHasher>;

/// The number of lines that each shard keeps; a full shard is emptied.
const MAX_LINES: usize = 4_096;
/// The number of shards. With this many, threads rarely wait for each other.
const SHARDS: usize = 16;
/// Grammars that count nesting have a state for each depth. Beyond this many, no new ones are added.
const MAX_STATES: usize = 20_000;

/// The state of a grammar between two lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GrammarState {
    pub(super) parse: ParseState,
    pub(super) scopes: ScopeStack,
}

/// The number of an interned [`GrammarState`].
pub(super) type StateId = u32;

#[derive(Debug)]
pub(super) struct HighlightedLine {
    /// The end of each stretch in the skeleton, and its class.
    pub(super) classes: Vec<(usize, Option<&'static str>)>,
    /// The state after the line, and whether it is outside of strings and comments; `None` if the grammar failed to parse the line.
    pub(super) after: Option<(StateId, bool)>,
}

/// Interned states and highlighted lines, shared by all threads. The size is bounded by the constants above.
#[derive(Debug, Default)]
pub(super) struct Cache {
    states: RwLock<States>,
    shards: [Mutex<LineShard>; SHARDS],
}

#[derive(Debug, Default)]
struct States {
    by_id: Vec<Arc<GrammarState>>,
    /// By the hash of their scopes.
    ids: FastMap<u64, Vec<StateId>>,
}

#[derive(Debug, Default)]
struct LineShard {
    lines: FastMap<StateId, FastMap<Box<str>, Arc<HighlightedLine>>>,
    length: usize,
}

impl Cache {
    /// The number of a state; `None` if there are too many.
    pub(super) fn intern(&self, state: GrammarState) -> Option<StateId> {
        let key = hash(state.scopes.as_slice());
        if let Some(id) = self.states.read().unwrap_or_else(PoisonError::into_inner).find(key, &state) {
            return Some(id);
        }
        let mut states = self.states.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = states.find(key, &state) {
            return Some(id);
        }
        let id = StateId::try_from(states.by_id.len()).ok().filter(|_| states.by_id.len() < MAX_STATES)?;
        states.by_id.push(Arc::new(state));
        states.ids.entry(key).or_default().push(id);
        Some(id)
    }

    /// The state with this number.
    pub(super) fn state(&self, id: StateId) -> Option<Arc<GrammarState>> {
        self.states.read().unwrap_or_else(PoisonError::into_inner).by_id.get(id as usize).cloned()
    }

    pub(super) fn line(&self, state: StateId, skeleton: &str) -> Option<Arc<HighlightedLine>> {
        self.shard(skeleton)?.lock().unwrap_or_else(PoisonError::into_inner).lines.get(&state)?.get(skeleton).cloned()
    }

    pub(super) fn insert(&self, state: StateId, skeleton: String, line: Arc<HighlightedLine>) {
        let Some(shard) = self.shard(&skeleton) else { return };
        let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
        if shard.length >= MAX_LINES {
            *shard = LineShard::default();
        }
        shard.length += 1;
        shard.lines.entry(state).or_default().insert(skeleton.into_boxed_str(), line);
    }

    fn shard(&self, skeleton: &str) -> Option<&Mutex<LineShard>> {
        // Only the high bits of this hash are well mixed.
        self.shards.get(usize::try_from(hash(skeleton) >> 32).unwrap_or_default() % SHARDS)
    }
}

impl States {
    fn find(&self, key: u64, state: &GrammarState) -> Option<StateId> {
        let ids = self.ids.get(&key)?;
        ids.iter().copied().find(|id| self.by_id.get(*id as usize).is_some_and(|known| **known == *state))
    }
}

fn hash(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}
