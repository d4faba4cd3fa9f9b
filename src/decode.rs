//! Decodes [`Node`]s to typed values, and reports every mistake of a file in one run.
//!
//! serde stops at the first error. Here an error names the list item or map entry that has it; the list or map around it is decoded again without that part, until
//! that succeeds or no further part can be dropped. So one `Deserialize` per type gives a decoder, a JSON Schema, and all findings of a file at once.

mod deserializer;
mod error;
mod recovery;
mod spanned;

use std::sync::Arc;

use serde::de::DeserializeOwned;

pub use error::DecodeError;
pub use spanned::{Ordered, Spanned};

use crate::{diagnostic::Diagnostics, node::Node};
use deserializer::NodeDeserializer;
use recovery::Recovery;

/// Decodes a value of type `T`; reports every unknown key, wrong type and missing key.
///
/// Invalid optional parts are missing from the result; `None` if a required part is invalid. A mistake in a list, or in a map of any keys, costs nothing; one in the
/// value of a known key costs one more pass over the map that has the key. So the time is linear in the size of the tree.
pub fn decode<T: DeserializeOwned>(file: &Arc<str>, node: &Node, diagnostics: &mut Diagnostics) -> Option<T> {
    let recovery = Recovery::default();
    let value = recovery.decode(None, || T::deserialize(NodeDeserializer { node, recovery: &recovery }));
    let value = value.map_err(|error| recovery.record(error)).ok();
    diagnostics.extend(recovery.into_errors().into_iter().map(|error| error.diagnostic(file, node)));
    value
}

/// The newtype name by which a type requests the text of a scalar of any kind, so that `1.10` stays `1.10`.
pub const RAW: &str = "$raw";

/// The newtype name by which a type accepts a scalar of any kind as text, a list or a map.
pub const VALUE: &str = "$value";

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::collections::BTreeMap;

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
    fn mistakes_in_mistakes_are_found_once() {
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "only their errors matter")]
        struct Outer {
            things: BTreeMap<String, Thing>,
            #[serde(default)]
            inner: Option<Box<Outer>>,
        }
        let text = "things:\n  a: {name: 1}\n  b: {nam: b}\n  c: {name: c, kind: no, ports: [x, {port: 1}, {port: y, z: 1}]}\ninner: {thing: {}}\nx: 1\nx2: 2\n";
        let (file, mut diagnostics) = ("x.yaml".into(), Diagnostics::new());
        let node = crate::yaml::parse(&file, text, 0, &mut diagnostics).unwrap();
        let outer: Outer = decode(&file, &node, &mut diagnostics).unwrap();
        assert_eq!((outer.things.keys().cloned().collect::<Vec<_>>(), outer.things["c"].ports.len()), (vec!["c".to_owned()], 1));
        assert!(outer.inner.is_none());
        let found = diagnostics.sorted().into_iter().map(|found| {
            let at = crate::text::line_column(text, found.place.unwrap().span.start);
            format!("{}:{} {}", at.line, at.column, found.message)
        });
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                "2:13 expected text, found the number `1`",
                "3:7 unknown key `nam`",
                "4:22 `no` is not one of the values allowed here",
                "4:34 expected a map with keys and values, found the text `x`",
                "4:55 expected a whole number, found the text `y`",
                "4:58 unknown key `z`",
                "5:9 unknown key `thing`",
                "6:1 unknown key `x`",
                "7:1 unknown key `x2`",
            ]
        );
    }

    #[test]
    fn a_value_is_decoded_as_often_as_its_map_has_mistakes() {
        use std::cell::Cell;
        thread_local!(static DECODED: Cell<usize> = const { Cell::new(0) });
        #[derive(Debug)]
        struct Counted(#[allow(dead_code, reason = "a map of nothing would be a set")] String);
        impl<'de> Deserialize<'de> for Counted {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                DECODED.set(DECODED.get() + 1);
                String::deserialize(deserializer).map(Self)
            }
        }
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        #[allow(dead_code, reason = "only their errors matter")]
        struct Lists {
            list: Vec<Counted>,
            map: BTreeMap<String, Counted>,
            things: Vec<Thing>,
            flag: Option<bool>,
        }
        const MANY: usize = 2_000;
        let keys = |line: &str| (0..MANY).map(|key| line.replace('#', &key.to_string())).collect::<Vec<_>>().concat();
        let (list, map, keys) = ("1, ".repeat(MANY), keys("k#: 1, "), keys("u#: 1\n"));
        let things = "{name: x, a: 1, b: 2}, {}, ".repeat(MANY);
        let text = format!("list: [{list}]\nmap: {{{map}}}\nthings: [{things}]\nflag: 1\n{keys}");
        let (file, mut diagnostics) = ("x.yaml".into(), Diagnostics::new());
        let node = crate::yaml::parse(&file, &text, 0, &mut diagnostics).unwrap();
        let lists: Lists = decode(&file, &node, &mut diagnostics).unwrap();
        assert_eq!(lists.things.len(), MANY);
        assert_eq!(diagnostics.all_sorted().len(), 6 * MANY + 1);
        // A second pass, after the mistake in `flag`, has no mistakes in the lists any more.
        assert_eq!(DECODED.get(), 2 * MANY);
    }

    #[test]
    fn numbers_are_no_text() {
        let (_, found) = read("name: 42\n");
        assert_eq!(found, ["1:7 wrong-type: expected text, found the number `42` (to write text, put it in quotes: \"42\")"]);
    }
}
