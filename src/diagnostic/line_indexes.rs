//! The line indexes of the files in a report, each built once.

use std::collections::BTreeMap;

use super::{Diagnostic, SourceText};
use crate::text::LineIndex;

/// Line indexes by file.
pub(super) struct LineIndexes<'a>(BTreeMap<&'a str, LineIndex<'a>>);

impl<'a> LineIndexes<'a> {
    /// The indexes of all files that findings refer to.
    pub(super) fn of(diagnostics: &'a [Diagnostic], texts: &'a impl SourceText) -> Self {
        let mut indexes = BTreeMap::new();
        for diagnostic in diagnostics {
            let places = diagnostic.place.iter().chain(diagnostic.related.iter().map(|(place, _)| place));
            for file in places.map(|place| &*place.file) {
                if let (false, Some(text)) = (indexes.contains_key(file), texts.text(file)) {
                    indexes.insert(file, LineIndex::new(text));
                }
            }
        }
        Self(indexes)
    }

    /// The index of a file; `None` if it is not text.
    pub(super) fn get(&self, file: &str) -> Option<&LineIndex<'a>> {
        self.0.get(file)
    }
}
