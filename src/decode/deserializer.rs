//! A serde deserializer for trees of nodes.

use std::collections::BTreeSet;

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor, value::SeqDeserializer},
};

use super::{RAW, error::DecodeError, spanned::SPANNED};
use crate::{
    node::{ListItem, MapEntry, Node, NodeValue, Scalar, ScalarKind},
    text::Span,
};

#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'a> {
    pub(super) node: &'a Node,
    /// The numbers of items and entries to skip.
    pub(super) dropped: &'a BTreeSet<u32>,
}

impl<'a> NodeDeserializer<'a> {
    fn wrong_type(self, expected: &dyn de::Expected) -> DecodeError {
        let found = match &self.node.value {
            NodeValue::List(_) => Unexpected::Seq,
            NodeValue::Map(_) => Unexpected::Map,
            NodeValue::Scalar(scalar) => unexpected(scalar),
        };
        de::Error::invalid_type(found, expected)
    }

    fn scalar(self, expected: &dyn de::Expected) -> Result<&'a Scalar, DecodeError> {
        match &self.node.value {
            NodeValue::Scalar(scalar) => Ok(scalar),
            NodeValue::List(_) | NodeValue::Map(_) => Err(self.wrong_type(expected)),
        }
    }
}

fn unexpected(scalar: &Scalar) -> Unexpected<'_> {
    match scalar.kind {
        ScalarKind::Null => Unexpected::Unit,
        ScalarKind::Boolean => Unexpected::Bool(scalar.text.eq_ignore_ascii_case("true")),
        ScalarKind::Integer => scalar.text.parse().map_or(Unexpected::Str(&scalar.text), Unexpected::Signed),
        ScalarKind::Float => scalar.text.parse().map_or(Unexpected::Str(&scalar.text), Unexpected::Float),
        ScalarKind::Text | ScalarKind::Date => Unexpected::Str(&scalar.text),
    }
}

impl<'de> Deserializer<'de> for NodeDeserializer<'_> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::List(items) => visitor.visit_seq(ListItems { rest: items, dropped: self.dropped }),
            NodeValue::Map(entries) => {
                let map = self.node.span;
                visitor
                    .visit_map(MapEntries { rest: entries, value: None, dropped: self.dropped })
                    .map_err(|error: DecodeError| error.in_map(map))
            }
            NodeValue::Scalar(scalar) => match unexpected(scalar) {
                Unexpected::Unit => visitor.visit_unit(),
                Unexpected::Bool(value) => visitor.visit_bool(value),
                Unexpected::Signed(value) => visitor.visit_i64(value),
                Unexpected::Float(value) => visitor.visit_f64(value),
                _ => visitor.visit_str(&scalar.text),
            },
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let scalar = self.scalar(&visitor)?;
        match scalar.kind {
            ScalarKind::Text | ScalarKind::Date => visitor.visit_str(&scalar.text),
            ScalarKind::Null => Err(self.wrong_type(&visitor).help("write the text, or leave the key out")),
            ScalarKind::Integer | ScalarKind::Float | ScalarKind::Boolean => {
                Err(self.wrong_type(&visitor).help(format!("if text is meant, put it in quotes: \"{}\"", scalar.text)))
            }
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Scalar(Scalar { kind: ScalarKind::Null, .. }) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        match &self.node.value {
            NodeValue::Scalar(scalar) if scalar.kind != ScalarKind::Null => {
                visitor.visit_newtype_struct(scalar.text.as_str().into_deserializer())
            }
            _ => Err(self.wrong_type(&"a word or number")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == SPANNED {
            return visitor.visit_seq(SpannedParts { deserializer: self, given: 0 });
        }
        match &self.node.value {
            NodeValue::Map(_) => self.deserialize_any(visitor),
            NodeValue::Scalar(_) | NodeValue::List(_) => Err(self.wrong_type(&"a map with keys and values")),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::List(_) => self.deserialize_any(visitor),
            NodeValue::Scalar(Scalar { kind: ScalarKind::Null, .. }) => {
                Err(self.wrong_type(&"a list").help("write `[]`, or leave the key out"))
            }
            NodeValue::Scalar(scalar) => Err(self.wrong_type(&"a list").help(format!("write a list: [{}]", scalar.text))),
            NodeValue::Map(_) => Err(self.wrong_type(&"a list")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            NodeValue::Map(_) => self.deserialize_any(visitor),
            NodeValue::Scalar(_) | NodeValue::List(_) => {
                let text = if let NodeValue::Scalar(scalar) = &self.node.value {
                    format!("\"{}\"", scalar.text.replace('"', "\\\""))
                } else {
                    "…".to_owned()
                };
                let help = format!("write keys with values; a text is written once for each language, `{{en: {text}, ja: …}}`");
                Err(self.wrong_type(&"a map").help(help))
            }
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &'static str, _: &'static [&'static str], visitor: V) -> Result<V::Value, DecodeError> {
        let scalar = self.scalar(&"one word")?;
        visitor.visit_enum(scalar.text.as_str().into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct ignored_any
    }
}

struct SpannedParts<'a> {
    deserializer: NodeDeserializer<'a>,
    given: u8,
}

impl<'de> SeqAccess<'de> for SpannedParts<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        self.given += 1;
        let Span { start, end } = self.deserializer.node.span;
        match self.given {
            1 => seed.deserialize(self.deserializer).map(Some),
            2 => seed.deserialize(SeqDeserializer::new([start, end].into_iter())).map(Some),
            _ => Ok(None),
        }
    }
}

struct ListItems<'a> {
    rest: &'a [ListItem],
    dropped: &'a BTreeSet<u32>,
}

impl<'de> SeqAccess<'de> for ListItems<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        while let Some((item, rest)) = self.rest.split_first() {
            self.rest = rest;
            if !self.dropped.contains(&item.number) {
                let deserializer = NodeDeserializer { node: &item.node, dropped: self.dropped };
                return seed.deserialize(deserializer).map(Some).map_err(|error| error.inside(item.number, item.node.span));
            }
        }
        Ok(None)
    }
}

struct MapEntries<'a> {
    rest: &'a [MapEntry],
    value: Option<&'a MapEntry>,
    dropped: &'a BTreeSet<u32>,
}

impl<'de> MapAccess<'de> for MapEntries<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        while let Some((entry, rest)) = self.rest.split_first() {
            self.rest = rest;
            if !self.dropped.contains(&entry.number) {
                self.value = Some(entry);
                let key =
                    Node { span: entry.key_span, value: NodeValue::Scalar(Scalar { text: entry.key.clone(), kind: ScalarKind::Text }) };
                let deserializer = NodeDeserializer { node: &key, dropped: self.dropped };
                return seed.deserialize(deserializer).map(Some).map_err(|error| error.inside(entry.number, entry.key_span));
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let Some(entry) = self.value.take() else {
            return Err(de::Error::custom("a value was asked for before its key"));
        };
        let deserializer = NodeDeserializer { node: &entry.node, dropped: self.dropped };
        seed.deserialize(deserializer).map_err(|error| error.inside(entry.number, entry.node.span))
    }
}
