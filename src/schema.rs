//! JSON Schemas of the YAML and TOML files of a knowledge base, generated from the types that decode them.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::{
    config::BookToml,
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, ProviderFacts, VersionsFacts, VocabularyFacts},
    id::Id,
    kb::{Field, FieldKind, Kb},
    layout::EntityKind,
};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// `components/<id>/facts.yaml`
    Component,
    /// `providers/<id>/facts.yaml`
    Provider,
    /// `providers/<id>/versions.yaml`
    Versions,
    /// `concepts/<id>/facts.yaml`
    Concept,
    /// `vocabulary.yaml`
    Vocabulary,
    /// `diagrams.yaml`
    Diagrams,
    /// `book.toml`
    Book,
}

impl FileFormat {
    /// Every format.
    pub const ALL: [Self; 7] =
        [Self::Component, Self::Provider, Self::Versions, Self::Concept, Self::Vocabulary, Self::Diagrams, Self::Book];

    /// The name of its file in `schemas/`.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Component => "component.json",
            Self::Provider => "provider.json",
            Self::Versions => "versions.json",
            Self::Concept => "concept.json",
            Self::Vocabulary => "vocabulary.json",
            Self::Diagrams => "diagrams.json",
            Self::Book => "book.json",
        }
    }
}

/// The ids and releases that the files of a knowledge base can refer to.
#[derive(Clone, Debug, Default)]
pub struct KnownValues {
    areas: Vec<String>,
    places: Vec<String>,
    roles: Vec<String>,
    verbs: Vec<String>,
    provider_kinds: Vec<String>,
    releases: Vec<String>,
    providers: Vec<String>,
    protocols: Vec<String>,
    /// Components and concepts.
    targets: Vec<String>,
    /// The schema of each of the site's own fields, with the kinds of entities that can have it.
    fields: Vec<(String, Vec<EntityKind>, Value)>,
}

impl KnownValues {
    /// Collects the values of a knowledge base.
    #[must_use]
    pub fn of(kb: &Kb) -> Self {
        let vocabulary = &kb.vocabulary;
        let ids = |ids: &mut dyn Iterator<Item = &Id>| ids.map(Id::to_string).collect();
        Self {
            areas: ids(&mut vocabulary.areas.iter().map(|it| &it.id)),
            places: ids(&mut vocabulary.places.iter().map(|it| &it.id)),
            roles: ids(&mut vocabulary.roles.iter().map(|it| &it.id)),
            verbs: ids(&mut vocabulary.verbs.iter().map(|it| &it.id)),
            provider_kinds: ids(&mut vocabulary.provider_kinds.iter().map(|it| &it.id)),
            releases: vocabulary.releases.iter().map(|it| it.name.clone()).collect(),
            providers: ids(&mut kb.providers.keys()),
            protocols: vocabulary.protocols.clone(),
            targets: ids(&mut kb.components.keys().chain(kb.concepts.keys())),
            fields: vocabulary.fields.iter().map(|field| (field.id.to_string(), field.of.clone(), field_schema(field, kb))).collect(),
        }
    }
}

/// The schema of the values of a field.
fn field_schema(field: &Field, kb: &Kb) -> Value {
    let text = json!({"type": "string"});
    let one = match &field.kind {
        FieldKind::Text => json!({"type": ["string", "number", "boolean", "object"], "additionalProperties": text}),
        FieldKind::List => json!({"type": "array", "items": {"type": ["string", "number", "boolean"]}}),
        FieldKind::Url => json!({"type": ["string", "array"], "format": "uri", "items": text}),
        FieldKind::Person => json!({"type": ["string", "array"], "items": text}),
        FieldKind::Date => json!({"type": ["string", "array"], "format": "date", "items": text}),
        FieldKind::Enum(values) => {
            let values: Vec<&str> = values.iter().map(|value| value.id.as_str()).collect();
            json!({"anyOf": [{"enum": values}, {"type": "array", "items": {"enum": values}}]})
        }
    };
    let mut schema = one;
    schema["description"] = field.label.get(kb.config.default_language()).into();
    schema
}

/// The values of one place in a schema: a JSON pointer (RFC 6901), the keyword for them (`enum`, or `examples` if other values are valid, too), and themselves.
type Suggestion<'a> = (&'static str, &'static str, &'a Vec<String>);

fn suggestions(format: FileFormat, known: &KnownValues) -> Vec<Suggestion<'_>> {
    let KnownValues { areas, places, roles, verbs, provider_kinds, releases, providers, protocols, targets, .. } = known;
    let shared = [
        ("/$defs/LifecycleFacts/properties/since", "examples", releases),
        ("/$defs/LifecycleFacts/properties/deprecated", "examples", releases),
        ("/$defs/LifecycleFacts/properties/removed", "examples", releases),
        ("/$defs/LifecycleFacts/properties/replaced-by/items", "examples", targets),
        ("/$defs/RelationFacts/properties/verb", "enum", verbs),
        ("/$defs/RelationFacts/properties/to", "examples", targets),
        ("/properties/area", "enum", areas),
        ("/properties/place", "enum", places),
    ];
    let of_components = [
        ("/properties/roles/items", "enum", roles),
        ("/$defs/ListingFacts/properties/providers/items", "examples", providers),
        ("/$defs/PortFacts/properties/protocol", "examples", protocols),
    ];
    match format {
        FileFormat::Component => shared.into_iter().chain(of_components).collect(),
        FileFormat::Concept => shared.to_vec(),
        FileFormat::Provider => vec![
            ("/properties/kind", "enum", provider_kinds),
            ("/$defs/ClaimFacts/properties/role", "enum", roles),
            ("/$defs/ClaimFacts/properties/component", "examples", targets),
        ],
        FileFormat::Versions => vec![("/$defs/VersionFacts/properties/component", "examples", targets)],
        FileFormat::Diagrams => vec![
            ("/$defs/DiagramFacts/properties/nodes/items", "examples", targets),
            ("/$defs/DiagramFacts/properties/verbs/items", "enum", verbs),
        ],
        FileFormat::Vocabulary | FileFormat::Book => Vec::new(),
    }
}

/// The schema of a format as JSON text (draft 2020-12). With the values of a knowledge base, an editor can offer them.
#[must_use]
pub fn schema(format: FileFormat, known: Option<&KnownValues>) -> String {
    let plain = match format {
        FileFormat::Component => of::<ComponentFacts>(),
        FileFormat::Provider => of::<ProviderFacts>(),
        FileFormat::Versions => of::<VersionsFacts>(),
        FileFormat::Concept => of::<ConceptFacts>(),
        FileFormat::Vocabulary => of::<VocabularyFacts>(),
        FileFormat::Diagrams => of::<DiagramsFacts>(),
        FileFormat::Book => of::<BookToml>(),
    };
    let mut value = serde_json::to_value(plain).unwrap_or_default();
    for (pointer, keyword, values) in known.map(|known| suggestions(format, known)).unwrap_or_default() {
        let place = value.pointer_mut(pointer).and_then(Value::as_object_mut).filter(|_| !values.is_empty());
        let Some(place) = place else { continue };
        let mut values: Vec<Value> = values.iter().map(|value| value.as_str().into()).collect();
        // The value of an optional key can be null.
        values.extend((keyword == "enum" && place["type"].is_array()).then_some(Value::Null));
        place.insert(keyword.to_owned(), values.into());
    }
    let kind = match format {
        FileFormat::Component => Some(EntityKind::Component),
        FileFormat::Provider => Some(EntityKind::Provider),
        FileFormat::Concept => Some(EntityKind::Concept),
        FileFormat::Versions | FileFormat::Vocabulary | FileFormat::Diagrams | FileFormat::Book => None,
    };
    if let (Some(known), Some(kind), Some(place)) = (known, kind, value.pointer_mut("/properties/fields")) {
        let of_kind = known.fields.iter().filter(|(_, of, _)| of.contains(&kind));
        let properties: serde_json::Map<String, Value> = of_kind.map(|(id, _, schema)| (id.clone(), schema.clone())).collect();
        if !properties.is_empty() {
            place["properties"] = properties.into();
            place["additionalProperties"] = false.into();
        }
    }
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}

fn of<T: JsonSchema>() -> schemars::Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]
    use super::*;

    /// The schema without the examples, which change with each new page.
    fn without_examples(text: &str) -> Value {
        fn strip(value: &mut Value) {
            if let Some(map) = value.as_object_mut() {
                map.shift_remove("examples");
                map.values_mut().for_each(strip);
            }
            value.as_array_mut().into_iter().flatten().for_each(strip);
        }
        let mut value = serde_json::from_str(text).unwrap();
        strip(&mut value);
        value
    }

    #[test]
    fn the_published_schemas_are_current() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let (sources, mut diagnostics) = crate::read::read(root, crate::read::HistoryMode::Skip).unwrap();
        let kb = crate::compile::analyze(&sources, &mut diagnostics).unwrap().kb;
        let known = KnownValues::of(&kb);
        for format in FileFormat::ALL {
            let published = std::fs::read_to_string(root.join("schemas").join(format.file())).unwrap();
            let current = schema(format, Some(&known));
            assert_eq!(without_examples(&published), without_examples(&current), "run: cargo run -- schema --write");
        }
    }

    #[test]
    fn every_suggestion_has_a_place() {
        let one = |word: &str| vec![word.to_owned()];
        let known = KnownValues {
            areas: one("area"),
            places: one("place"),
            roles: one("role"),
            verbs: one("verb"),
            provider_kinds: one("kind"),
            releases: one("1.0"),
            providers: one("provider"),
            protocols: one("TCP"),
            targets: one("thing"),
            fields: Vec::new(),
        };
        for format in FileFormat::ALL {
            let (with, without) = (schema(format, Some(&known)), schema(format, None));
            for (pointer, _, values) in suggestions(format, &known) {
                let value: Value = serde_json::from_str(&with).unwrap();
                let place = value.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is not in {}", format.file()));
                let offered = place["enum"].as_array().or_else(|| place["examples"].as_array()).unwrap();
                assert_eq!(offered[0], values[0].as_str(), "{pointer}");
            }
            assert!(suggestions(format, &known).is_empty() || with != without);
        }
    }
}
