//! Packed trees without spans, which are embedded at compile time.
//!
//! The format of a tree is `T` or `P`, a length (four bytes, little-endian) and the text of a quoted or plain scalar; `L`, the items and `E`; or `M`,
//! alternating keys and values, and `E`.

use super::{ListItem, MapEntry, Node, NodeValue, Scalar, ScalarKind, is_null};
use crate::text::Span;

/// A lazily decoded view of a packed tree. Invalid bytes have no text and no children.
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
        self.scalar().filter(|text| self.0.first() == Some(&b'T') || !is_null(text))
    }

    fn scalar(self) -> Option<&'t str> {
        let (length, text) = self.0.strip_prefix(b"T").or_else(|| self.0.strip_prefix(b"P"))?.split_first_chunk::<4>()?;
        let is_whole = u32::from_le_bytes(*length).try_into() == Ok(text.len());
        std::str::from_utf8(text).ok().filter(|_| is_whole)
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
    if length(packed)? == packed.len() { decode(PackedNode(packed), 0, &mut 0) } else { None }
}

/// The deepest nesting that is decoded: that of a YAML file.
const MAX_DEPTH: usize = 40;

/// Decodes a value of a complete tree. `last_number` is the number of the last item or entry.
fn decode(packed: PackedNode<'_>, depth: usize, last_number: &mut u32) -> Option<Node> {
    let value = match packed.0.first()? {
        _ if depth > MAX_DEPTH => return None,
        b'L' => {
            let mut items = Vec::new();
            for item in packed.items() {
                *last_number += 1;
                items.push(ListItem { number: *last_number, node: decode(item, depth + 1, last_number)? });
            }
            NodeValue::List(items)
        }
        b'M' => {
            let mut entries = Vec::new();
            let mut values = Values::inside(packed.0, b'M');
            while let Some(key) = values.next() {
                *last_number += 1;
                let (number, key) = (*last_number, key.scalar()?.to_owned());
                entries.push(MapEntry { number, key, key_span: Span::at(0), node: decode(values.next()?, depth + 1, last_number)? });
            }
            NodeValue::Map(entries)
        }
        b'T' => NodeValue::Scalar(Scalar { text: packed.scalar()?.to_owned(), kind: ScalarKind::Text }),
        _ => NodeValue::Scalar(Scalar::plain(packed.scalar()?.to_owned())),
    };
    Some(Node { span: Span::at(0), value })
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
        for packed in [
            &b""[..],
            b"E",
            b"X",
            b"T",
            b"T\xff\xff\xff\xffa",
            b"L",
            b"MT\x01\0\0\0a",
            b"MT\x01\0\0\0aE",
            b"MLET\0\0\0\0E",
            b"T\0\0\0\0E",
            b"T\x01\0\0\0\xff",
        ] {
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
