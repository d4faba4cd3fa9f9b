//! A parsed data file before it has types: scalars, lists and maps, each with its place.
//!
//! YAML and TOML both become this tree, so that one typed layer ([`crate::decode`]) reports unknown keys and wrong types of either in the same words.

use crate::text::Span;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the value.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Anything without parts.
    Scalar(Scalar),
    /// Values in order.
    List(Vec<Item>),
    /// Keys and values in the order of the file; keys are unique.
    Map(Vec<Entry>),
}

/// A scalar as it was written, so that `1.10` is not taken for 1.1.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The text without quotes.
    pub text: String,
    /// What it is by the rules of its format.
    pub kind: ScalarKind,
}

/// The type of a scalar by the rules of YAML 1.2's core schema, or of TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// Quoted, or plain and nothing else.
    Text,
    /// `12`, `-3`
    Integer,
    /// `1.5`
    Float,
    /// `true`, `false`
    Boolean,
    /// `null`, `~`, or nothing at all (YAML only).
    Null,
    /// A date or time (TOML only; in YAML a date is text).
    Date,
}

/// One value of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Tells this item apart from every other item and entry of the file.
    pub number: u32,
    /// The value.
    pub node: Node,
}

/// One key of a map with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Tells this entry apart from every other item and entry of the file.
    pub number: u32,
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The entry of that key, if this is a map that has it.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        match &self.value {
            Value::Map(entries) => entries.iter().find(|entry| entry.key == key),
            Value::Scalar(_) | Value::List(_) => None,
        }
    }
}
