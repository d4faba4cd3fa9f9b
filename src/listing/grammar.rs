//! The rules of names, for the script that recognizes objects.

use std::collections::BTreeMap;

use super::{
    derived::{DERIVED, DerivedRow},
    pattern::PLACEHOLDERS,
    segment::Segment,
};

/// The rules for deriving names, and the syntax of their variable parts, for a script that recognises them in the same way as this module.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Grammar {
    /// For each variable part by its name: a regular expression, and its narrowness.
    pub parts: BTreeMap<&'static str, (String, usize)>,
    /// For each variable part by its name: a regular expression for its prefixes, and its narrowness.
    #[serde(skip)]
    pub beginnings: BTreeMap<&'static str, String>,
    /// The narrowness of literal text.
    pub literal: usize,
    /// For each kind of object: the kinds of the derived rows, with the names of the parts that are appended, a dash before each.
    pub kinds: BTreeMap<&'static str, Vec<(&'static str, Vec<&'static str>)>>,
    /// For each short name and plural in lower case: the kind.
    pub short: BTreeMap<String, &'static str>,
}

impl Grammar {
    /// The grammar of this module.
    #[must_use]
    pub fn new() -> Self {
        let appended = DERIVED.iter().flat_map(|(_, rows)| rows.iter()).flat_map(|(_, suffix)| suffix.iter());
        let all: Vec<&Segment> = PLACEHOLDERS.iter().chain(appended).collect();
        let rows =
            |rows: &[DerivedRow]| rows.iter().map(|(kind, suffix)| (*kind, suffix.iter().map(Segment::placeholder).collect())).collect();
        Self {
            beginnings: all.iter().map(|part| (part.placeholder(), part.beginning())).collect(),
            parts: all.iter().map(|part| (part.placeholder(), (part.expression(), part.narrowness()))).collect(),
            literal: Segment::Literal(String::new()).narrowness(),
            kinds: DERIVED.iter().map(|(kind, derived)| (*kind, rows(derived))).collect(),
            short: super::kinds::short_kinds().collect(),
        }
    }
}

impl Default for Grammar {
    fn default() -> Self {
        Self::new()
    }
}
