//! The site's own fields on pages, in lists and in filters.

use serde::Serialize;

use super::{labels::join_nonempty, reader::Reader};
use crate::{
    kb::{Field, FieldEntry, FieldKind, FieldValue},
    layout::EntityKind,
};

/// A field with the values of an entity.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ShownField {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) values: Vec<ShownFieldValue>,
}

/// A value of a field.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ShownFieldValue {
    /// Plain text; code is in backticks.
    pub(super) text: String,
    /// The address that the value leads to; empty if it is only text.
    pub(super) href: String,
}

/// A field that lists can be filtered by.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FieldFilter {
    id: String,
    label: String,
    /// The values that occur.
    options: Vec<FieldOption>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct FieldOption {
    label: String,
    /// The value in the address.
    token: String,
}

/// The fields of an entity that its page shows.
pub(super) fn on_page(reader: &Reader<'_>, entries: &[FieldEntry]) -> Vec<ShownField> {
    shown(reader, entries, |field| field.on_page)
}

/// The fields of an entity that lists show.
pub(super) fn in_list(reader: &Reader<'_>, entries: &[FieldEntry]) -> Vec<ShownField> {
    shown(reader, entries, |field| field.in_list)
}

/// All fields of an entity as lines of text, for the search.
pub(super) fn lines(reader: &Reader<'_>, entries: &[FieldEntry]) -> String {
    let lines = shown(reader, entries, |_| true).into_iter().map(|view| format!("{}: {}", view.label, view.text(", ")));
    lines.collect::<Vec<_>>().join(" · ")
}

impl ShownField {
    /// Its values as text.
    pub(super) fn text(&self, separator: &str) -> String {
        join_nonempty(self.values.iter().map(|value| value.text.as_str()), separator)
    }
}

fn shown(reader: &Reader<'_>, entries: &[FieldEntry], is_shown: impl Fn(&Field) -> bool) -> Vec<ShownField> {
    let fields = fields_of(reader, entries).filter(|(field, _)| is_shown(field));
    fields
        .map(|(field, entry)| ShownField {
            id: field.id.to_string(),
            label: reader.text(&field.label).to_owned(),
            values: entry.values.iter().map(|value| view(reader, field, value)).collect(),
        })
        .collect()
}

fn fields_of<'a>(reader: &Reader<'a>, entries: &'a [FieldEntry]) -> impl Iterator<Item = (&'a Field, &'a FieldEntry)> {
    let fields = &reader.kb().vocabulary.fields;
    entries.iter().filter_map(|entry| Some((fields.iter().find(|field| field.id == entry.field)?, entry)))
}

fn view(reader: &Reader<'_>, field: &Field, value: &FieldValue) -> ShownFieldValue {
    let (text, href) = match value {
        FieldValue::Local(text) => (text.get(reader.lang).to_owned(), String::new()),
        FieldValue::Plain(text) => (text.clone(), String::new()),
        FieldValue::Link { label, url } => (label.clone(), url.clone()),
        FieldValue::Term(id) => {
            let label = field.kind.label_of(id).map_or(id.as_str(), |label| label.get(reader.lang));
            (label.to_owned(), String::new())
        }
        FieldValue::Day(day) => (day.to_string(), String::new()),
    };
    ShownFieldValue { text, href }
}

/// The filters of a list of entities of a kind, with the values that occur, sorted; those of an enumeration in the order of the vocabulary.
pub(super) fn filters<'a>(
    reader: &Reader<'a>,
    kind: EntityKind,
    entities: &(impl Iterator<Item = &'a [FieldEntry]> + Clone),
) -> Vec<FieldFilter> {
    let fields = reader.kb().vocabulary.fields.iter().filter(|field| field.filters && field.of.contains(&kind));
    let filter = |field: &'a Field| {
        let entries = entities.clone().flatten().filter(|entry| entry.field == field.id);
        let values = entries.flat_map(|entry| &entry.values);
        let mut options: Vec<(usize, FieldOption)> = values
            .map(|value| {
                let position = match (&field.kind, value) {
                    (FieldKind::Enum(terms), FieldValue::Term(id)) => terms.iter().position(|term| term.id == *id).unwrap_or_default(),
                    _ => 0,
                };
                (position, FieldOption { label: view(reader, field, value).text, token: token(value, reader) })
            })
            .collect();
        options.sort();
        options.dedup();
        let options: Vec<FieldOption> = options.into_iter().map(|(_, option)| option).collect();
        (!options.is_empty()).then(|| FieldFilter { id: field.id.to_string(), label: reader.text(&field.label).to_owned(), options })
    };
    fields.filter_map(filter).collect()
}

/// The values of an entity that filters look for, as `field:value`, separated by spaces.
pub(super) fn tokens(reader: &Reader<'_>, entries: &[FieldEntry]) -> String {
    let fields = fields_of(reader, entries).filter(|(field, _)| field.filters);
    let tokens = fields.flat_map(|(field, entry)| entry.values.iter().map(move |value| format!("{}:{}", field.id, token(value, reader))));
    tokens.collect::<Vec<_>>().join(" ")
}

/// Whether a value is the one that an author wrote: the id of an enumeration, a text in any language, or an address.
pub(super) fn equals(value: &FieldValue, written: &str) -> bool {
    match value {
        FieldValue::Local(text) => text.iter().any(|(_, text)| text == written),
        FieldValue::Plain(text) => text == written,
        FieldValue::Link { label, url } => label == written || url == written,
        FieldValue::Term(id) => id.as_str() == written,
        FieldValue::Day(day) => day.to_string() == written,
    }
}

/// A value without spaces.
fn token(value: &FieldValue, reader: &Reader<'_>) -> String {
    let text = match value {
        FieldValue::Local(text) => text.get(reader.lang).to_owned(),
        FieldValue::Plain(text) | FieldValue::Link { label: text, .. } => text.clone(),
        FieldValue::Term(id) => id.to_string(),
        FieldValue::Day(day) => day.to_string(),
    };
    text.split_whitespace().collect::<Vec<_>>().join("_")
}
