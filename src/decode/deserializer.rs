//! A serde deserializer for trees of nodes.

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor, value::SeqDeserializer},
};

use super::{RAW, VALUE, error::DecodeError, recovery::Recovery, spanned::SPANNED};
use crate::{
    node::{ListItem, MapEntry, Node, NodeValue, Scalar, ScalarKind},
    text::Span,
};

#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'a> {
    pub(super) node: &'a Node,
    /// The items and entries to skip.
    pub(super) recovery: &'a Recovery,
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
            NodeValue::List(items) => visitor.visit_seq(ListItems { rest: items, recovery: self.recovery }),
            NodeValue::Map(entries) => {
                let decoded = visitor.visit_map(MapEntries { rest: entries, value: None, recovery: self.recovery });
                decoded.map_err(|error: DecodeError| error.in_map(self.node.span, entries, |field| self.recovery.explains(field, entries)))
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
                Err(self.wrong_type(&visitor).help(format!("to write text, put it in quotes: \"{}\"", scalar.text)))
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
        if name == VALUE {
            return match &self.node.value {
                NodeValue::Scalar(scalar) if scalar.kind != ScalarKind::Null => visitor.visit_str(&scalar.text),
                NodeValue::Scalar(_) => Err(self.wrong_type(&visitor).help("write the value, or leave the key out")),
                NodeValue::List(_) | NodeValue::Map(_) => self.deserialize_any(visitor),
            };
        }
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
    recovery: &'a Recovery,
}

impl<'a> ListItems<'a> {
    fn next_item(&mut self) -> Option<&'a ListItem> {
        let skipped = self.rest.iter().take_while(|item| self.recovery.is_dropped(item.number)).count();
        let (item, rest) = self.rest.get(skipped..)?.split_first()?;
        self.rest = rest;
        Some(item)
    }
}

impl<'de> SeqAccess<'de> for ListItems<'_> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, DecodeError> {
        let Some(item) = self.next_item() else { return Ok(None) };
        let deserializer = NodeDeserializer { node: &item.node, recovery: self.recovery };
        seed.deserialize(deserializer).map(Some).map_err(|error| error.inside(item.number, item.node.span))
    }

    /// The next valid item: without a seed, another one can be tried after a mistake.
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>, DecodeError> {
        while let Some(item) = self.next_item() {
            let deserializer = NodeDeserializer { node: &item.node, recovery: self.recovery };
            let value = || T::deserialize(deserializer).map_err(|error| error.inside(item.number, item.node.span));
            match self.recovery.decode(Some(item.number), value) {
                Err(error) if error.0.part == Some(item.number) => self.recovery.drop_part(item.number, error),
                result => return result.map(Some),
            }
        }
        Ok(None)
    }
}

struct MapEntries<'a> {
    rest: &'a [MapEntry],
    value: Option<&'a MapEntry>,
    recovery: &'a Recovery,
}

impl<'a> MapEntries<'a> {
    /// Moves on to the next entry, and returns it with its key.
    fn next_node(&mut self) -> Option<(&'a MapEntry, Node)> {
        let skipped = self.rest.iter().take_while(|entry| self.recovery.is_dropped(entry.number)).count();
        let (entry, rest) = self.rest.get(skipped..)?.split_first()?;
        (self.rest, self.value) = (rest, Some(entry));
        let key = NodeValue::Scalar(Scalar { text: entry.key.clone(), kind: ScalarKind::Text });
        Some((entry, Node { span: entry.key_span, value: key }))
    }

    fn value(&mut self) -> Result<(&'a MapEntry, NodeDeserializer<'a>), DecodeError> {
        let Some(entry) = self.value.take() else {
            return Err(de::Error::custom("a value was asked for before its key"));
        };
        Ok((entry, NodeDeserializer { node: &entry.node, recovery: self.recovery }))
    }
}

impl<'de> MapAccess<'de> for MapEntries<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some((entry, key)) = self.next_node() else { return Ok(None) };
        let deserializer = NodeDeserializer { node: &key, recovery: self.recovery };
        seed.deserialize(deserializer).map(Some).map_err(|error| error.inside(entry.number, entry.key_span))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let (entry, deserializer) = self.value()?;
        seed.deserialize(deserializer).map_err(|error| error.inside(entry.number, entry.node.span))
    }

    /// The next valid key: without a seed, another one can be tried after a mistake.
    fn next_key<K: Deserialize<'de>>(&mut self) -> Result<Option<K>, DecodeError> {
        while let Some((entry, key)) = self.next_node() {
            match K::deserialize(NodeDeserializer { node: &key, recovery: self.recovery }) {
                Ok(key) => return Ok(Some(key)),
                Err(error) => self.recovery.drop_part(entry.number, error.inside(entry.number, entry.key_span)),
            }
        }
        Ok(None)
    }

    fn next_value<V: Deserialize<'de>>(&mut self) -> Result<V, DecodeError> {
        let (entry, deserializer) = self.value()?;
        let value = || V::deserialize(deserializer).map_err(|error| error.inside(entry.number, entry.node.span));
        self.recovery.decode(Some(entry.number), value)
    }

    /// The next valid entry.
    fn next_entry<K: Deserialize<'de>, V: Deserialize<'de>>(&mut self) -> Result<Option<(K, V)>, DecodeError> {
        while let Some(key) = self.next_key()? {
            let number = self.value.map(|entry| entry.number);
            match (self.next_value(), number) {
                (Err(error), Some(number)) if error.0.part == Some(number) => self.recovery.drop_part(number, error),
                (result, _) => return result.map(|value| Some((key, value))),
            }
        }
        Ok(None)
    }
}
