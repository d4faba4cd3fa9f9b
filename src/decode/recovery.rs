//! Error recovery: decoding continues after a mistake, without the part that contains it.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
};

use super::error::DecodeError;
use crate::node::MapEntry;

/// The mistakes of a tree so far, and the parts that are left out because of them. Parts are list items and map entries, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Recovery {
    dropped: RefCell<BTreeSet<u32>>,
    /// The known keys that misspelt ones resemble, by the number of the dropped entry.
    misspelt: RefCell<BTreeMap<u32, &'static str>>,
    errors: RefCell<Vec<DecodeError>>,
}

impl Recovery {
    /// Whether a part has a mistake and is left out.
    pub(super) fn is_dropped(&self, part: u32) -> bool {
        self.dropped.borrow().contains(&part)
    }

    /// Decodes a value repeatedly, each time without the part that has the next mistake. Fails if the value itself is invalid; `own` is the part that it
    /// belongs to.
    pub(super) fn decode<T>(&self, own: Option<u32>, mut value: impl FnMut() -> Result<T, DecodeError>) -> Result<T, DecodeError> {
        loop {
            let error = match value() {
                Ok(value) => return Ok(value),
                Err(error) => error,
            };
            match error.0.part.filter(|part| Some(*part) != own && !self.is_dropped(*part)) {
                Some(part) => self.drop_part(part, error),
                None => return Err(error),
            }
        }
    }

    /// Leaves a part out from now on, and records its mistake.
    pub(super) fn drop_part(&self, part: u32, error: DecodeError) {
        self.dropped.borrow_mut().insert(part);
        if let Some(meant) = error.0.meant {
            self.misspelt.borrow_mut().insert(part, meant);
        }
        self.record(error);
    }

    /// Records a mistake, unless it follows from another.
    pub(super) fn record(&self, error: DecodeError) {
        if !error.0.follows {
            self.errors.borrow_mut().push(error);
        }
    }

    /// Whether a required key is missing because its value was dropped or because it is misspelt, which is not another mistake.
    pub(super) fn explains(&self, missing: &str, entries: &[MapEntry]) -> bool {
        let (dropped, misspelt) = (self.dropped.borrow(), self.misspelt.borrow());
        let is_it = |entry: &MapEntry| entry.key == missing || misspelt.get(&entry.number).is_some_and(|meant| *meant == missing);
        entries.iter().any(|entry| dropped.contains(&entry.number) && is_it(entry))
    }

    /// The mistakes, in the order in which they were found.
    pub(super) fn into_errors(self) -> Vec<DecodeError> {
        self.errors.into_inner()
    }
}
