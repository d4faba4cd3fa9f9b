//! The finished site as a value: an ordered map from path to bytes.

use std::{collections::BTreeMap, sync::Arc};

/// Every file of a site, by its path relative to the output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl Site {
    /// Adds a file. Addresses are proven to be unique before anything is rendered; should two meet all the same, the first stays.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) {
        self.files.entry(path.into()).or_insert_with(|| bytes.into());
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(AsRef::as_ref)
    }

    /// The bytes of a file, to keep.
    #[must_use]
    pub fn shared(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.files.get(path)
    }

    /// The text of a file, if it is text.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.get(path)?).ok()
    }

    /// Every file in the order of its path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Arc<[u8]>)> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }

    /// How many files there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}
