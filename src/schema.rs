//! JSON Schemas of the files that people write, from the types that read them.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::Value;

use crate::{
    config::BookToml,
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, ProviderFacts, VocabularyFacts},
    id::Id,
    kb::Kb,
};

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Document {
    /// `components/<id>/facts.yaml`
    Component,
    /// `providers/<id>/facts.yaml`
    Provider,
    /// `concepts/<id>/facts.yaml`
    Concept,
    /// `vocabulary.yaml`
    Vocabulary,
    /// `diagrams.yaml`
    Diagrams,
    /// `book.toml`
    Book,
}

impl Document {
    /// Every format.
    pub const ALL: [Self; 6] = [Self::Component, Self::Provider, Self::Concept, Self::Vocabulary, Self::Diagrams, Self::Book];

    /// The name of its file in `schemas/`.
    #[must_use]
    pub const fn file(self) -> &'static str {
        match self {
            Self::Component => "component.json",
            Self::Provider => "provider.json",
            Self::Concept => "concept.json",
            Self::Vocabulary => "vocabulary.json",
            Self::Diagrams => "diagrams.json",
            Self::Book => "book.json",
        }
    }
}

/// The words of a knowledge base that its files may use.
#[derive(Clone, Debug, Default)]
pub struct Words {
    areas: Vec<String>,
    places: Vec<String>,
    roles: Vec<String>,
    verbs: Vec<String>,
    kinds: Vec<String>,
    releases: Vec<String>,
    providers: Vec<String>,
    things: Vec<String>,
}

impl Words {
    /// Those of a knowledge base.
    #[must_use]
    pub fn of(kb: &Kb) -> Self {
        let vocabulary = &kb.vocabulary;
        let ids = |ids: &mut dyn Iterator<Item = &Id>| ids.map(Id::to_string).collect();
        Self {
            areas: ids(&mut vocabulary.areas.iter().map(|it| &it.id)),
            places: ids(&mut vocabulary.places.iter().map(|it| &it.id)),
            roles: ids(&mut vocabulary.roles.iter().map(|it| &it.id)),
            verbs: ids(&mut vocabulary.verbs.iter().map(|it| &it.id)),
            kinds: ids(&mut vocabulary.provider_kinds.iter().map(|it| &it.id)),
            releases: vocabulary.releases.iter().map(|it| it.name.clone()).collect(),
            providers: ids(&mut kb.providers.keys()),
            things: ids(&mut kb.components.keys().chain(kb.concepts.keys())),
        }
    }
}

/// How far the words of a place in a schema are counted.
#[derive(Clone, Copy)]
enum Extent {
    /// No other word is right: those of the vocabulary.
    All,
    /// Others may come: each new page has an id.
    Some,
}

/// Where in a schema which words stand, by JSON pointers (RFC 6901).
type Places<'a> = Vec<(&'static str, &'a [String], Extent)>;

/// Those that components and concepts share.
fn with_lifecycle<'a>(words: &'a Words, mut places: Places<'a>) -> Places<'a> {
    let releases = [
        "/$defs/LifecycleFacts/properties/since",
        "/$defs/LifecycleFacts/properties/deprecated",
        "/$defs/LifecycleFacts/properties/removed",
    ];
    places.extend(releases.map(|place| (place, words.releases.as_slice(), Extent::Some)));
    places.extend([
        ("/$defs/LifecycleFacts/properties/replaced-by/items", words.things.as_slice(), Extent::Some),
        ("/$defs/RelationFacts/properties/verb", words.verbs.as_slice(), Extent::All),
        ("/$defs/RelationFacts/properties/to", words.things.as_slice(), Extent::Some),
        ("/properties/area", words.areas.as_slice(), Extent::All),
        ("/properties/place", words.places.as_slice(), Extent::All),
    ]);
    places
}

fn places(document: Document, words: &Words) -> Places<'_> {
    match document {
        Document::Component => with_lifecycle(
            words,
            vec![
                ("/properties/roles/items", &words.roles, Extent::All),
                ("/$defs/ListingFacts/properties/providers/items", &words.providers, Extent::Some),
            ],
        ),
        Document::Concept => with_lifecycle(words, Vec::new()),
        Document::Provider => vec![
            ("/properties/kind", &words.kinds, Extent::All),
            ("/$defs/ClaimFacts/properties/role", &words.roles, Extent::All),
            ("/$defs/ClaimFacts/properties/component", &words.things, Extent::Some),
        ],
        Document::Diagrams => vec![
            ("/$defs/DiagramFacts/properties/nodes/items", &words.things, Extent::Some),
            ("/$defs/DiagramFacts/properties/verbs/items", &words.verbs, Extent::All),
        ],
        Document::Vocabulary | Document::Book => Vec::new(),
    }
}

/// The schema of a format, as JSON text (draft 2020-12); with the words of a knowledge base, so that an editor can offer them.
#[must_use]
pub fn schema(document: Document, words: Option<&Words>) -> String {
    let plain = match document {
        Document::Component => of::<ComponentFacts>(),
        Document::Provider => of::<ProviderFacts>(),
        Document::Concept => of::<ConceptFacts>(),
        Document::Vocabulary => of::<VocabularyFacts>(),
        Document::Diagrams => of::<DiagramsFacts>(),
        Document::Book => of::<BookToml>(),
    };
    // Not `to_value`: in text the keys stand in the customary order.
    let mut value = serde_json::to_value(plain).unwrap_or_default();
    for (pointer, words, extent) in words.map(|words| places(document, words)).unwrap_or_default() {
        let place = value.pointer_mut(pointer).and_then(Value::as_object_mut).filter(|_| !words.is_empty());
        if let Some(place) = place {
            let mut all: Vec<Value> = words.iter().map(|word| word.as_str().into()).collect();
            match extent {
                // What may be left out may be null, too.
                Extent::All => {
                    all.extend(place["type"].is_array().then_some(Value::Null));
                    place.insert("enum".to_owned(), all.into());
                }
                Extent::Some => drop(place.insert("examples".to_owned(), all.into())),
            }
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

    /// Without what other pages there are: a new page need not change a schema.
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
        let (sources, mut diagnostics) = crate::read::read(root, false).unwrap();
        let kb = crate::compile::analyze(&sources, &mut diagnostics).unwrap().kb;
        let words = Words::of(&kb);
        for document in Document::ALL {
            let published = std::fs::read_to_string(root.join("schemas").join(document.file())).unwrap();
            let current = schema(document, Some(&words));
            assert_eq!(without_examples(&published), without_examples(&current), "run: cargo run -- schema --write");
        }
    }

    #[test]
    fn words_stand_where_they_are_used() {
        let one = |word: &str| vec![word.to_owned()];
        let words = Words {
            areas: one("area"),
            places: one("place"),
            roles: one("role"),
            verbs: one("verb"),
            kinds: one("kind"),
            releases: one("1.0"),
            providers: one("provider"),
            things: one("thing"),
        };
        for document in Document::ALL {
            let (with, without) = (schema(document, Some(&words)), schema(document, None));
            for (pointer, words, _) in places(document, &words) {
                let value: Value = serde_json::from_str(&with).unwrap();
                let place = value.pointer(pointer).unwrap_or_else(|| panic!("{pointer} is no place in {}", document.file()));
                let offered = place["enum"].as_array().or_else(|| place["examples"].as_array()).unwrap();
                assert_eq!(offered[0], words[0].as_str(), "{pointer}");
            }
            assert!(places(document, &words).is_empty() || with != without);
        }
    }
}
