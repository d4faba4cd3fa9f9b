//! A parsed data file before it has types: scalars, lists and maps, each with its place.
//!
//! YAML and TOML both become this tree, so that one typed layer ([`crate::decode`]) reports unknown keys and wrong types of either in the same words.

mod view;

pub use view::View;

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

impl Scalar {
    /// A scalar that was written without quotes in YAML.
    #[must_use]
    pub fn plain(text: String) -> Self {
        let kind = plain_kind(&text);
        Self { text, kind }
    }
}

/// Whether a plain scalar is nothing, by the same rules.
fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// The type of a plain scalar by YAML 1.2's core schema (§10.3.2).
fn plain_kind(text: &str) -> ScalarKind {
    match text {
        _ if is_null(text) => ScalarKind::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => ScalarKind::Boolean,
        _ => {
            let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
            if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
                ScalarKind::Integer
            } else if digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
                && digits.bytes().any(|byte| byte.is_ascii_digit())
                && digits.parse::<f64>().is_ok()
            {
                ScalarKind::Float
            } else {
                ScalarKind::Text
            }
        }
    }
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

/// A tree that was packed while the program was compiled, without positions: `T` or `P`, a length (four bytes, the lowest first) and the text of a quoted or plain
/// scalar; `L`, values and `E`; `M`, keys and values in turn, and `E`. `None` for anything else.
#[must_use]
pub fn unpack(packed: &[u8]) -> Option<Node> {
    let mut reader = Unpacker { rest: packed, numbers: 0 };
    let node = reader.node(0)?;
    reader.rest.is_empty().then_some(node)
}

/// A packed tree is no deeper than a YAML file may be.
const MAX_DEPTH: usize = 40;

struct Unpacker<'a> {
    rest: &'a [u8],
    numbers: u32,
}

impl Unpacker<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn text(&mut self) -> Option<String> {
        let (length, rest) = self.rest.split_first_chunk::<4>()?;
        let (text, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        self.rest = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    /// Whether a list or map ends here.
    fn ends(&mut self) -> bool {
        let ends = self.rest.first() == Some(&b'E');
        if ends {
            self.rest = &self.rest[1..];
        }
        ends
    }

    fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    fn node(&mut self, depth: usize) -> Option<Node> {
        let value = match self.byte()? {
            _ if depth > MAX_DEPTH => return None,
            b'T' => Value::Scalar(Scalar { text: self.text()?, kind: ScalarKind::Text }),
            b'P' => Value::Scalar(Scalar::plain(self.text()?)),
            b'L' => {
                let mut items = Vec::new();
                while !self.ends() {
                    items.push(Item { number: self.number(), node: self.node(depth + 1)? });
                }
                Value::List(items)
            }
            b'M' => {
                let mut entries = Vec::new();
                while !self.ends() {
                    let number = self.number();
                    let _ = self.byte()?;
                    entries.push(Entry { number, key: self.text()?, key_span: Span::at(0), node: self.node(depth + 1)? });
                }
                Value::Map(entries)
            }
            _ => return None,
        };
        Some(Node { span: Span::at(0), value })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn packed_trees_are_read() {
        let node = unpack(b"MP\x01\0\0\0aLT\x01\0\0\0xP\x04\0\0\x001.10EP\x01\0\0\0bME\x45").unwrap();
        assert_eq!(node, {
            let scalar = |text: &str, kind| Node { span: Span::at(0), value: Value::Scalar(Scalar { text: text.to_owned(), kind }) };
            let items =
                vec![Item { number: 2, node: scalar("x", ScalarKind::Text) }, Item { number: 3, node: scalar("1.10", ScalarKind::Float) }];
            let entry = |number, key: &str, value| Entry {
                number,
                key: key.to_owned(),
                key_span: Span::at(0),
                node: Node { span: Span::at(0), value },
            };
            let entries = vec![entry(1, "a", Value::List(items)), entry(4, "b", Value::Map(Vec::new()))];
            Node { span: Span::at(0), value: Value::Map(entries) }
        });
    }

    #[test]
    fn what_is_no_tree_is_nothing() {
        for packed in [&b""[..], b"E", b"X", b"T", b"T\xff\xff\xff\xffa", b"L", b"MT\x01\0\0\0a", b"T\0\0\0\0E", b"T\x01\0\0\0\xff"] {
            assert_eq!(unpack(packed), None, "{packed:?}");
        }
        assert_eq!(unpack(&vec![b'L'; 100_000]), None);
    }
}
