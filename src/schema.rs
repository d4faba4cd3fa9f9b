//! JSON Schemas of the files that people write, from the types that read them.

use schemars::{JsonSchema, generate::SchemaSettings};

use crate::{
    config::BookToml,
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, ProviderFacts, VocabularyFacts},
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

/// The schema of a format, as JSON text (draft 2020-12).
#[must_use]
pub fn schema(document: Document) -> String {
    let value = match document {
        Document::Component => of::<ComponentFacts>(),
        Document::Provider => of::<ProviderFacts>(),
        Document::Concept => of::<ConceptFacts>(),
        Document::Vocabulary => of::<VocabularyFacts>(),
        Document::Diagrams => of::<DiagramsFacts>(),
        Document::Book => of::<BookToml>(),
    };
    let mut text = serde_json::to_string_pretty(&value).unwrap_or_default();
    text.push('\n');
    text
}

fn of<T: JsonSchema>() -> schemars::Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods)]
    use super::*;

    #[test]
    fn the_published_schemas_are_current() {
        for document in Document::ALL {
            let path = format!("{}/schemas/{}", env!("CARGO_MANIFEST_DIR"), document.file());
            let published = std::fs::read_to_string(&path).unwrap();
            let name = document.file().trim_end_matches(".json");
            assert_eq!(published, schema(document), "run: cargo run -- schema {name} > schemas/{name}.json");
        }
    }
}
