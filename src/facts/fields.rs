//! The format of a site's own fields: their declaration in `vocabulary.yaml`, and their values in facts files.

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

use super::{LocalText, RawScalar};
use crate::{
    decode::{Ordered, Spanned, VALUE},
    id::{Id, Lang},
};

/// A further fact that this site states about its components, providers or concepts: its owner, its repository.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FieldFacts {
    /// The name.
    pub label: LocalText,
    /// The type of its values. Default: text.
    #[serde(default, rename = "type")]
    pub kind: FieldType,
    /// What can have it. Default: components.
    #[serde(default = "components")]
    pub of: Vec<FieldOwner>,
    /// The values of an `enum`, with their labels.
    #[serde(default)]
    pub values: Ordered<Spanned<Id>, LocalText>,
    /// Where it is shown. Default: on the page.
    #[serde(default = "page")]
    pub shown: Vec<FieldPlace>,
    /// Whether lists can be filtered by it. Default: no.
    #[serde(default)]
    pub filter: bool,
    /// Whether a missing value is reported. Default: no.
    #[serde(default)]
    pub required: bool,
}

/// The type of the values of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FieldType {
    /// A text, the same in every language or one for each. Code is written in backticks.
    #[default]
    Text,
    /// An address: `https:`, `http:` or `mailto:`.
    Url,
    /// Several texts.
    List,
    /// One of the `values`.
    Enum,
    /// A person or team: `Name <address>`, where the address is an e-mail address or a URL.
    Person,
    /// A day, `2026-11-20`.
    Date,
}

/// What can have a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FieldOwner {
    /// A component.
    Component,
    /// A provider.
    Provider,
    /// A concept.
    Concept,
}

/// Where a field is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FieldPlace {
    /// In the fact box of the page.
    Page,
    /// In lists.
    List,
}

fn components() -> Vec<FieldOwner> {
    vec![FieldOwner::Component]
}

fn page() -> Vec<FieldPlace> {
    vec![FieldPlace::Page]
}

/// The values of the fields that `vocabulary.yaml` declares, by their ids.
pub type FieldValues = Ordered<Spanned<Id>, Spanned<FieldValueFacts>>;

/// The value of a field, before its type is checked.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValueFacts {
    /// A text, a number or another scalar, as written.
    One(String),
    /// Several scalars.
    List(Vec<Spanned<RawScalar>>),
    /// A text by language.
    Local(BTreeMap<Lang, String>),
}

impl<'de> Deserialize<'de> for FieldValueFacts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;
        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = FieldValueFacts;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a value, a list of values, or a text for each language")
            }
            fn visit_str<E>(self, text: &str) -> Result<FieldValueFacts, E> {
                Ok(FieldValueFacts::One(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<FieldValueFacts, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(FieldValueFacts::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<FieldValueFacts, A::Error> {
                let mut texts = BTreeMap::new();
                while let Some((lang, text)) = map.next_entry()? {
                    texts.insert(lang, text);
                }
                Ok(FieldValueFacts::Local(texts))
            }
        }
        deserializer.deserialize_newtype_struct(VALUE, ValueVisitor)
    }
}

impl JsonSchema for FieldValueFacts {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "FieldValue".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": ["string", "number", "boolean", "array", "object"]})
    }
}
