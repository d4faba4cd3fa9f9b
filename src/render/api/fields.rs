//! The site's own fields in the data files.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::kb::{FieldEntry, FieldValue, Kb, Text};

/// A further fact, which the vocabulary of the site declares.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Field")]
pub(super) struct FieldOut<'a> {
    /// The id of the field.
    field: &'a str,
    /// Its name, by language.
    label: BTreeMap<&'a str, &'a str>,
    /// The type of its values: `text`, `url`, `list`, `enum`, `person` or `date`.
    #[schemars(extend("enum" = ["text", "url", "list", "enum", "person", "date"]))]
    r#type: &'static str,
    /// Its values.
    values: Vec<FieldValueOut<'a>>,
}

/// A value of a field.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FieldValue")]
struct FieldValueOut<'a> {
    /// The id of a value of an enumeration.
    id: Option<&'a str>,
    /// The text, by language.
    text: BTreeMap<&'a str, String>,
    /// The address of a link.
    url: Option<&'a str>,
}

pub(super) fn fields<'a>(kb: &'a Kb, entries: &'a [FieldEntry]) -> Vec<FieldOut<'a>> {
    let languages = || kb.config.languages.iter().map(|language| &language.lang);
    let local = |text: &'a Text| languages().map(|lang| (lang.as_str(), text.get(lang))).collect::<BTreeMap<_, _>>();
    let everywhere = |text: &str| languages().map(|lang| (lang.as_str(), text.to_owned())).collect();
    let owned = |text: &'a Text| local(text).into_iter().map(|(lang, text)| (lang, text.to_owned())).collect();
    let fields = entries.iter().filter_map(|entry| {
        let field = kb.vocabulary.fields.iter().find(|field| field.id == entry.field)?;
        let value = |value: &'a FieldValue| {
            let (id, text, url) = match value {
                FieldValue::Local(text) => (None, owned(text), None),
                FieldValue::Plain(text) => (None, everywhere(text), None),
                FieldValue::Link { label, url } => (None, everywhere(label), Some(url.as_str())),
                FieldValue::Day(day) => (None, everywhere(&day.to_string()), None),
                FieldValue::Term(id) => (Some(id.as_str()), field.kind.label_of(id).map(owned).unwrap_or_default(), None),
            };
            FieldValueOut { id, text, url }
        };
        Some(FieldOut {
            field: field.id.as_str(),
            label: local(&field.label),
            r#type: field.kind.name(),
            values: entry.values.iter().map(value).collect(),
        })
    });
    fields.collect()
}
