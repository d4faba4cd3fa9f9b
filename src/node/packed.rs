//! Trees that were packed while the program was compiled, without spans.
//!
//! A tree is `T` or `P`, a length (four bytes, little-endian) and the text of a quoted or plain scalar; `L`, its items and `E`; or `M`, its keys and values in turn
//! and `E`.

use super::{ListItem, MapEntry, Node, NodeValue, Scalar, ScalarKind, is_null};
use crate::text::Span;

/// A view of a packed tree that decodes nothing ahead of its use. Invalid bytes have no text and no children.
#[derive(Clone, Copy, Debug)]
pub struct PackedNode<'t>(&'t [u8]);

impl<'t> PackedNode<'t> {
    /// A view of a whole tree.
    #[must_use]
    pub const fn new(packed: &'t [u8]) -> Self {
        Self(packed)
    }

    /// The bytes of the value, which are a packed tree.
    #[must_use]
    pub const fn packed(self) -> &'t [u8] {
        self.0
    }

    /// The text of a scalar other than null.
    #[must_use]
    pub fn text(self) -> Option<&'t str> {
        let (mark, rest) = self.0.split_first()?;
        let (length, text) = rest.split_first_chunk::<4>()?;
        let is_scalar = matches!(mark, b'P' | b'T') && u32::from_le_bytes(*length).try_into() == Ok(text.len());
        let text = is_scalar.then(|| std::str::from_utf8(text).ok())??;
        (*mark == b'T' || !is_null(text)).then_some(text)
    }

    /// Whether this is `true`.
    #[must_use]
    pub fn is_true(self) -> bool {
        self.0.first() == Some(&b'P') && matches!(self.text(), Some("true" | "True" | "TRUE"))
    }

    /// The items of a list.
    pub fn items(self) -> impl Iterator<Item = Self> {
        Values::inside(self.0, b'L')
    }

    /// The keys and values of a map.
    pub fn entries(self) -> impl Iterator<Item = (&'t str, Self)> {
        let mut values = Values::inside(self.0, b'M');
        std::iter::from_fn(move || Some((values.next()?.text().unwrap_or_default(), values.next()?)))
    }

    /// The value of a key of a map. Linear in the size of the map.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        self.entries().find(|(own, _)| *own == key).map(|(_, value)| value)
    }
}

/// The values up to the end of their list or map.
struct Values<'t>(&'t [u8]);

impl<'t> Values<'t> {
    fn inside(packed: &'t [u8], mark: u8) -> Self {
        Self(packed.strip_prefix(&[mark]).unwrap_or_default())
    }
}

impl<'t> Iterator for Values<'t> {
    type Item = PackedNode<'t>;

    fn next(&mut self) -> Option<PackedNode<'t>> {
        let (value, rest) = self.0.split_at_checked(length(self.0)?)?;
        self.0 = rest;
        Some(PackedNode(value))
    }
}

/// The length in bytes of the first value; `None` if there is none.
fn length(packed: &[u8]) -> Option<usize> {
    let (mut at, mut depth) = (0_usize, 0_usize);
    loop {
        match packed.get(at)? {
            b'P' | b'T' => {
                let text = u32::from_le_bytes(*packed.get(at + 1..)?.first_chunk::<4>()?);
                at = at.checked_add(5)?.checked_add(usize::try_from(text).ok()?)?;
            }
            b'L' | b'M' => {
                (at, depth) = (at + 1, depth + 1);
            }
            b'E' => {
                (at, depth) = (at + 1, depth.checked_sub(1)?);
            }
            _ => return None,
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// Decodes a packed tree. Spans are empty. `None` if the bytes are not exactly one tree, or if it is nested too deeply.
#[must_use]
pub fn unpack(packed: &[u8]) -> Option<Node> {
    let mut reader = Unpacker { rest: packed, numbers: 0 };
    let node = reader.node(0)?;
    reader.rest.is_empty().then_some(node)
}

/// The deepest nesting that is decoded: that of a YAML file.
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
            b'T' => NodeValue::Scalar(Scalar { text: self.text()?, kind: ScalarKind::Text }),
            b'P' => NodeValue::Scalar(Scalar::plain(self.text()?)),
            b'L' => {
                let mut items = Vec::new();
                while !self.ends() {
                    items.push(ListItem { number: self.number(), node: self.node(depth + 1)? });
                }
                NodeValue::List(items)
            }
            b'M' => {
                let mut entries = Vec::new();
                while !self.ends() {
                    let number = self.number();
                    let _ = self.byte()?;
                    entries.push(MapEntry { number, key: self.text()?, key_span: Span::at(0), node: self.node(depth + 1)? });
                }
                NodeValue::Map(entries)
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
            let scalar = |text: &str, kind| Node { span: Span::at(0), value: NodeValue::Scalar(Scalar { text: text.to_owned(), kind }) };
            let items = vec![
                ListItem { number: 2, node: scalar("x", ScalarKind::Text) },
                ListItem { number: 3, node: scalar("1.10", ScalarKind::Float) },
            ];
            let entry = |number, key: &str, value| MapEntry {
                number,
                key: key.to_owned(),
                key_span: Span::at(0),
                node: Node { span: Span::at(0), value },
            };
            let entries = vec![entry(1, "a", NodeValue::List(items)), entry(4, "b", NodeValue::Map(Vec::new()))];
            Node { span: Span::at(0), value: NodeValue::Map(entries) }
        });
    }

    #[test]
    fn invalid_bytes_are_refused() {
        for packed in [&b""[..], b"E", b"X", b"T", b"T\xff\xff\xff\xffa", b"L", b"MT\x01\0\0\0a", b"T\0\0\0\0E", b"T\x01\0\0\0\xff"] {
            assert_eq!(unpack(packed), None, "{packed:?}");
        }
        assert_eq!(unpack(&vec![b'L'; 100_000]), None);
    }

    #[test]
    fn views_decode_on_demand() {
        let tree = PackedNode::new(b"MP\x01\0\0\0aLT\x01\0\0\0xP\x04\0\0\x00trueP\x01\0\0\0~EP\x01\0\0\0bMP\x01\0\0\0cT\x01\0\0\0dEE");
        let items: Vec<PackedNode<'_>> = tree.get("a").into_iter().flat_map(PackedNode::items).collect();
        assert_eq!(
            items.iter().map(|item| (item.text(), item.is_true())).collect::<Vec<_>>(),
            [(Some("x"), false), (Some("true"), true), (None, false)]
        );
        let inner = tree.get("b").map(|inner| inner.entries().map(|(key, value)| (key, value.text())).collect::<Vec<_>>());
        assert_eq!(inner, Some(vec![("c", Some("d"))]));
        assert!(tree.get("c").is_none() && tree.text().is_none() && tree.items().next().is_none());
        assert!(tree.get("b").is_some_and(|inner| unpack(inner.packed()).is_some()));
    }

    #[test]
    fn invalid_bytes_have_no_children() {
        for packed in
            [&b""[..], b"E", b"X", b"T", b"T\xff\xff\xff\xffa", b"L", b"MT\x01\0\0\0a", b"LT\xff\xff\xff\xff", b"T\x01\0\0\0\xff", b"MEE"]
        {
            let view = PackedNode::new(packed);
            assert!(view.text().is_none() && view.items().next().is_none() && view.entries().next().is_none(), "{packed:?}");
        }
    }
}
