//! Decodes [`Node`]s to typed values, and reports every mistake of a file in one run.
//!
//! serde stops at the first error. Here an error names the list item or map entry that has it; decoding starts over without that part, until it succeeds or no
//! further part can be dropped. So one `Deserialize` per type gives a decoder, a JSON Schema, and all findings of a file at once.

mod deserializer;
mod error;
mod spanned;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::de::DeserializeOwned;

pub use error::DecodeError;
pub use spanned::{Ordered, Spanned};

use crate::{
    diagnostic::Diagnostics,
    node::{MapEntry, Node, NodeValue},
    text::Span,
};
use deserializer::NodeDeserializer;

/// Decodes a value of type `T`; reports every unknown key, wrong type and missing key.
///
/// Invalid optional parts are missing from the result; `None` if a required part is invalid. Each mistake costs one more pass over the tree.
pub fn decode<T: DeserializeOwned>(file: &Arc<str>, node: &Node, diagnostics: &mut Diagnostics) -> Option<T> {
    let mut dropped = BTreeSet::new();
    // The known keys that misspelt ones resemble, by the number of the dropped entry.
    let mut misspelt: BTreeMap<u32, &'static str> = BTreeMap::new();
    loop {
        let error = match T::deserialize(NodeDeserializer { node, dropped: &dropped }) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        // A required key that is missing because its value was dropped or because it is misspelt is not another finding.
        let consequence = error.0.missing.is_some_and(|field| {
            let entries = error.0.map.map_or(&[][..], |span| entries_at(node, span));
            entries
                .iter()
                .any(|entry| dropped.contains(&entry.number) && (entry.key == field || misspelt.get(&entry.number) == Some(&field)))
        });
        if let (Some(part), Some(meant)) = (error.0.part, error.0.meant) {
            misspelt.insert(part, meant);
        }
        if !consequence {
            diagnostics.push(error.diagnostic(file, node));
        }
        match error.0.part {
            Some(part) if dropped.insert(part) => {}
            _ => return None,
        }
    }
}

/// The entries of the map with that span.
fn entries_at(node: &Node, span: Span) -> &[MapEntry] {
    match &node.value {
        NodeValue::Map(entries) if node.span == span => entries,
        NodeValue::Map(entries) => {
            entries.iter().map(|entry| entries_at(&entry.node, span)).find(|found| !found.is_empty()).unwrap_or_default()
        }
        NodeValue::List(items) => items.iter().map(|item| entries_at(&item.node, span)).find(|found| !found.is_empty()).unwrap_or_default(),
        NodeValue::Scalar(_) => &[],
    }
}

/// The newtype name by which a type requests the text of a scalar of any kind, so that `1.10` stays `1.10`.
pub const RAW: &str = "$raw";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields)]
    struct Thing {
        name: Spanned<String>,
        #[serde(default)]
        kind: Option<Kind>,
        #[serde(default)]
        ports: Vec<Port>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    enum Kind {
        Big,
        Small,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Port {
        port: u16,
    }

    fn read(text: &str) -> (Option<Thing>, Vec<String>) {
        let file = "x.yaml".into();
        let mut diagnostics = Diagnostics::new();
        let node = crate::yaml::parse(&file, text, 0, &mut diagnostics).unwrap();
        let thing = decode(&file, &node, &mut diagnostics);
        let found = diagnostics
            .sorted()
            .into_iter()
            .map(|found| {
                let at = crate::text::line_column(text, found.place.unwrap().span.start);
                format!("{}:{} {}: {} ({})", at.line, at.column, found.rule.name(), found.message, found.help.unwrap_or_default())
            })
            .collect();
        (thing, found)
    }

    #[test]
    fn every_mistake_is_reported_and_valid_parts_are_decoded() {
        let (thing, found) = read("name: a\nkind: bigg\nport: 1\nports:\n  - {port: 80}\n  - {port: many}\n  - {prt: 1}\n  - 5\n");
        assert_eq!(
            found,
            [
                "2:7 invalid-value: `bigg` is not one of the values allowed here (did you mean `big`? Allowed are `big`, `small`)",
                "3:1 unknown-field: unknown key `port` (did you mean `ports`?)",
                "6:12 wrong-type: expected a whole number, found the text `many` ()",
                "7:6 unknown-field: unknown key `prt` (did you mean `port`?)",
                "8:5 wrong-type: expected a map with keys and values, found the number `5` ()",
            ]
        );
        assert_eq!(thing.unwrap().ports, [Port { port: 80 }]);
    }

    #[test]
    fn a_missing_key_after_a_wrong_value_is_no_second_finding() {
        let (thing, found) = read("name: [a]\nkind: small\n");
        assert_eq!(thing, None);
        assert_eq!(found, ["1:7 wrong-type: expected text, found a list ()"]);
    }

    #[test]
    fn numbers_are_no_text() {
        let (_, found) = read("name: 42\n");
        assert_eq!(found, ["1:7 wrong-type: expected text, found the number `42` (if text is meant, put it in quotes: \"42\")"]);
    }
}
