//! Typed values out of [`Node`]s, with every mistake of a file in one run.
//!
//! serde stops at the first error. Here an error names the list item or map entry in which it happened; that part is left out and the whole is tried
//! again, until it fits or nothing is left. So one derive per type gives reading, JSON Schema, and all findings of a file at once.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
    ops::Deref,
    sync::Arc,
};

use serde::{
    Deserialize, Deserializer,
    de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor},
};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    node::{Entry, Item, Node, Scalar, ScalarKind, Value},
    text::{Span, did_you_mean},
};

/// Reads a value of type `T`, reporting every unknown key, wrong type and missing key.
///
/// Returns what is left when the faulty optional parts are dropped; `None` if a required part is faulty.
pub fn decode<T: DeserializeOwned>(file: &Arc<str>, node: &Node, diagnostics: &mut Diagnostics) -> Option<T> {
    let mut dropped = BTreeSet::new();
    // Misspelt keys, by the part that was dropped, and what was meant.
    let mut misspelt: BTreeMap<u32, &'static str> = BTreeMap::new();
    loop {
        let error = match T::deserialize(NodeDeserializer { node, dropped: &dropped }) {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        // A required key that is missing because its value was dropped, or because it was misspelt, is a consequence, not a finding.
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

/// The entries of the map that stands at `span`.
fn entries_at(node: &Node, span: Span) -> &[Entry] {
    match &node.value {
        Value::Map(entries) if node.span == span => entries,
        Value::Map(entries) => {
            entries.iter().map(|entry| entries_at(&entry.node, span)).find(|found| !found.is_empty()).unwrap_or_default()
        }
        Value::List(items) => items.iter().map(|item| entries_at(&item.node, span)).find(|found| !found.is_empty()).unwrap_or_default(),
        Value::Scalar(_) => &[],
    }
}

/// A value with its place in the file.
#[derive(Clone, Debug, Default)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// A value that comes from `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

impl<T> Deref for Spanned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: Ord> PartialOrd for Spanned<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Ord> Ord for Spanned<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.value.cmp(&other.value)
    }
}

impl<T: schemars::JsonSchema> schemars::JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// The struct name and fields by which [`Spanned`] asks [`NodeDeserializer`] for a place.
const SPANNED: (&str, &[&str]) = ("$spanned", &["start", "end", "value"]);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SpannedVisitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for SpannedVisitor<T> {
            type Value = Spanned<T>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a value with a place")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Self::Value, A::Error> {
                let mut next = || parts.next_element::<usize>()?.ok_or_else(|| de::Error::custom("no place"));
                let (start, end) = (next()?, next()?);
                let value = parts.next_element()?.ok_or_else(|| de::Error::custom("no value"))?;
                Ok(Spanned::new(value, Span::new(start, end)))
            }
        }
        deserializer.deserialize_struct(SPANNED.0, SPANNED.1, SpannedVisitor(std::marker::PhantomData))
    }
}

/// A map in the order of its file. Keys are unique because the tree has no duplicates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered<K, V>(pub Vec<(K, V)>);

impl<K, V> Default for Ordered<K, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Ordered<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OrderedVisitor<K, V>(std::marker::PhantomData<(K, V)>);
        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for OrderedVisitor<K, V> {
            type Value = Ordered<K, V>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Ordered(entries))
            }
        }
        deserializer.deserialize_map(OrderedVisitor(std::marker::PhantomData))
    }
}

impl<K, V: schemars::JsonSchema> schemars::JsonSchema for Ordered<K, V> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        format!("MapOf{}", V::schema_name()).into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "object", "additionalProperties": generator.subschema_for::<V>()})
    }
}

/// The newtype name by which a type asks for a scalar's text as it was written, whatever its kind: `1.10` stays `1.10`.
pub const RAW: &str = "$raw";

/// A fault, and the part of the file that has it.
#[derive(Debug)]
pub struct DecodeError(Box<Fault>);

#[derive(Debug)]
struct Fault {
    rule: Rule,
    message: String,
    help: Option<String>,
    span: Option<Span>,
    /// The innermost list item or map entry around the fault.
    part: Option<u32>,
    /// The key that is missing, and the map in which.
    missing: Option<&'static str>,
    map: Option<Span>,
    /// The known key that an unknown one resembles.
    meant: Option<&'static str>,
}

impl DecodeError {
    fn new(rule: Rule, message: String) -> Self {
        Self(Box::new(Fault { rule, message, help: None, span: None, part: None, missing: None, map: None, meant: None }))
    }

    fn inside(mut self, part: u32, span: Span) -> Self {
        self.0.span.get_or_insert(span);
        self.0.part.get_or_insert(part);
        self
    }

    fn in_map(mut self, span: Span) -> Self {
        if self.0.missing.is_some() {
            self.0.map.get_or_insert(span);
        }
        self
    }

    fn diagnostic(&self, file: &Arc<str>, root: &Node) -> Diagnostic {
        let span = match self.0.map {
            // A caret under a whole map says less than one under its first key.
            Some(map) => entries_at(root, map).first().map_or(map, |entry| entry.key_span),
            None => self.0.span.unwrap_or(root.span),
        };
        let found = Diagnostic::new(self.0.rule, Place::new(file.clone(), span), self.0.message.clone());
        match &self.0.help {
            Some(help) => found.help(help.clone()),
            None => found,
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for DecodeError {}

fn choices(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

impl de::Error for DecodeError {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::new(Rule::InvalidValue, message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Rule::WrongType, format!("expected {}, found {}", words_for(expected), name_of(&found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Rule::InvalidValue, format!("expected {}, found {}", words_for(expected), name_of(&found)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let mut error = Self::new(Rule::InvalidValue, format!("`{variant}` is not one of the values allowed here"));
        error.0.help = Some(match did_you_mean(variant, expected.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`? Allowed are {}", choices(expected)),
            None => format!("allowed are {}", choices(expected)),
        });
        error
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let mut error = Self::new(Rule::UnknownField, format!("unknown key `{field}`"));
        error.0.meant = did_you_mean(field, expected.iter().copied());
        error.0.help = Some(match error.0.meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if expected.is_empty() => "no key is known here".to_owned(),
            None => format!("known keys here: {}", choices(expected)),
        });
        error
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Self::new(Rule::MissingField, format!("the key `{field}` is missing"));
        error.0.help = Some(format!("add `{field}`"));
        error.0.missing = Some(field);
        error
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::new(Rule::DuplicateKey, format!("the key `{field}` stands twice in one map"))
    }
}

/// serde names Rust's types; people know them by other words.
fn words_for(expected: &dyn de::Expected) -> String {
    match expected.to_string().as_str() {
        "a string" => "text".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "a sequence" => "a list".to_owned(),
        other => other.to_owned(),
    }
}

fn name_of(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Unsigned(value) => format!("the number `{value}`"),
        Unexpected::Signed(value) => format!("the number `{value}`"),
        Unexpected::Float(value) => format!("the number `{value}`"),
        Unexpected::Str(value) => format!("the text `{value}`"),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a map".to_owned(),
        other => other.to_string(),
    }
}

#[derive(Clone, Copy)]
struct NodeDeserializer<'a> {
    node: &'a Node,
    dropped: &'a BTreeSet<u32>,
}

impl<'a> NodeDeserializer<'a> {
    fn wrong_type(self, expected: &dyn de::Expected) -> DecodeError {
        let found = match &self.node.value {
            Value::List(_) => Unexpected::Seq,
            Value::Map(_) => Unexpected::Map,
            Value::Scalar(scalar) => unexpected(scalar),
        };
        de::Error::invalid_type(found, expected)
    }

    fn scalar(self, expected: &dyn de::Expected) -> Result<&'a Scalar, DecodeError> {
        match &self.node.value {
            Value::Scalar(scalar) => Ok(scalar),
            Value::List(_) | Value::Map(_) => Err(self.wrong_type(expected)),
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
            Value::List(items) => visitor.visit_seq(Items { rest: items, dropped: self.dropped }),
            Value::Map(entries) => {
                let map = self.node.span;
                visitor
                    .visit_map(Entries { rest: entries, value: None, dropped: self.dropped })
                    .map_err(|error: DecodeError| error.in_map(map))
            }
            Value::Scalar(scalar) => match unexpected(scalar) {
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
            ScalarKind::Null => {
                let mut error: DecodeError = self.wrong_type(&visitor);
                error.0.help = Some("write the text, or leave the key out".to_owned());
                Err(error)
            }
            ScalarKind::Integer | ScalarKind::Float | ScalarKind::Boolean => {
                let mut error: DecodeError = self.wrong_type(&visitor);
                error.0.help = Some(format!("if text is meant, put it in quotes: \"{}\"", scalar.text));
                Err(error)
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
            Value::Scalar(Scalar { kind: ScalarKind::Null, .. }) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, DecodeError> {
        if name != RAW {
            return visitor.visit_newtype_struct(self);
        }
        let scalar = self.scalar(&visitor)?;
        if scalar.kind == ScalarKind::Null {
            return Err(self.wrong_type(&visitor));
        }
        visitor.visit_str(&scalar.text)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if name == SPANNED.0 {
            return visitor.visit_seq(SpannedParts { deserializer: self, given: 0 });
        }
        match &self.node.value {
            Value::Map(_) => self.deserialize_any(visitor),
            Value::Scalar(_) | Value::List(_) => Err(self.wrong_type(&"a map with keys and values")),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            Value::List(_) => self.deserialize_any(visitor),
            Value::Scalar(scalar) => {
                let mut error = self.wrong_type(&"a list");
                error.0.help = Some(format!("write a list: [{}]", scalar.text));
                Err(error)
            }
            Value::Map(_) => Err(self.wrong_type(&"a list")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match &self.node.value {
            Value::Map(_) => self.deserialize_any(visitor),
            Value::Scalar(_) | Value::List(_) => Err(self.wrong_type(&"a map")),
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
        let span = self.deserializer.node.span;
        match self.given {
            1 => seed.deserialize(span.start.into_deserializer()).map(Some),
            2 => seed.deserialize(span.end.into_deserializer()).map(Some),
            3 => seed.deserialize(self.deserializer).map(Some),
            _ => Ok(None),
        }
    }
}

struct Items<'a> {
    rest: &'a [Item],
    dropped: &'a BTreeSet<u32>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
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

struct Entries<'a> {
    rest: &'a [Entry],
    value: Option<&'a Entry>,
    dropped: &'a BTreeSet<u32>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        while let Some((entry, rest)) = self.rest.split_first() {
            self.rest = rest;
            if !self.dropped.contains(&entry.number) {
                self.value = Some(entry);
                let key = Node { span: entry.key_span, value: Value::Scalar(Scalar { text: entry.key.clone(), kind: ScalarKind::Text }) };
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
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
    fn every_mistake_is_reported_and_the_rest_is_read() {
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
