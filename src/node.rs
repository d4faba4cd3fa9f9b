//! The syntax tree of a data file: scalars, lists and maps, each with its span.
//!
//! YAML and TOML both become this tree, so that one decoder ([`crate::decode`]) reports unknown keys and wrong types of both in the same way.

mod packed;

pub use packed::{PackedNode, unpack};

use crate::text::Span;

/// A value and its span.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the value.
    pub span: Span,
    /// The value.
    pub value: NodeValue,
}

/// The value of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeValue {
    /// A value without children.
    Scalar(Scalar),
    /// Values in order.
    List(Vec<ListItem>),
    /// Keys and values in the order of the file. Keys are unique.
    Map(Vec<MapEntry>),
}

/// A scalar with its text, so that `1.10` is not read as 1.1.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// The text without quotes.
    pub text: String,
    /// The type by the rules of the format.
    pub kind: ScalarKind,
}

impl Scalar {
    /// A scalar that was written without quotes in YAML. Its type is that of YAML 1.2's core schema (§10.3.2).
    #[must_use]
    pub fn plain(text: String) -> Self {
        let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
        let has_digits = digits.bytes().any(|byte| byte.is_ascii_digit());
        let kind = match text.as_str() {
            _ if is_null(&text) => ScalarKind::Null,
            "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => ScalarKind::Boolean,
            _ if has_digits && digits.bytes().all(|byte| byte.is_ascii_digit()) => ScalarKind::Integer,
            _ if has_digits && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits.parse::<f64>().is_ok() => {
                ScalarKind::Float
            }
            _ => ScalarKind::Text,
        };
        Self { text, kind }
    }
}

/// Whether a plain scalar is null by YAML 1.2's core schema (§10.3.2).
fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// The type of a scalar by the rules of YAML 1.2's core schema, or of TOML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// Quoted, or plain and of no other type.
    Text,
    /// `12`, `-3`
    Integer,
    /// `1.5`
    Float,
    /// `true`, `false`
    Boolean,
    /// `null`, `~` or an empty value (YAML only).
    Null,
    /// A date or time (TOML only; in YAML a date is text).
    Date,
}

/// One value of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListItem {
    /// Unique among the items and entries of the file.
    pub number: u32,
    /// The value.
    pub node: Node,
}

/// One key of a map with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct MapEntry {
    /// Unique among the items and entries of the file.
    pub number: u32,
    /// The key.
    pub key: String,
    /// The span of the key.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The entry of that key; `None` also if this is not a map.
    #[must_use]
    pub fn entry(&self, key: &str) -> Option<&MapEntry> {
        match &self.value {
            NodeValue::Map(entries) => entries.iter().find(|entry| entry.key == key),
            NodeValue::Scalar(_) | NodeValue::List(_) => None,
        }
    }
}
