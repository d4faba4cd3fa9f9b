//! A constant list of words.

use serde::{Serialize, Serializer};

/// Words separated by spaces.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordList(pub(super) &'static str);

impl WordList {
    pub(super) fn contains(self, word: &str) -> bool {
        self.0.split(' ').any(|one| one == word)
    }
}

impl Serialize for WordList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.split(' '))
    }
}
