//! The checked vocabulary and diagrams of a knowledge base.

use std::collections::BTreeMap;

use super::{Field, Text};
use crate::{
    diagram::LineStyle,
    facts::Day,
    id::{Id, Lang},
    theme::Strings,
};

/// The terms of a knowledge base, in the order of `vocabulary.yaml`.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// The name of the platform, for example `Kubernetes`.
    pub platform: Option<String>,
    /// Parts of the system.
    pub areas: Vec<Area>,
    /// Where components run, from top to bottom.
    pub places: Vec<VocabularyTerm>,
    /// Functions that several components can fulfil.
    pub roles: Vec<VocabularyTerm>,
    /// The verbs of relations.
    pub verbs: Vec<Verb>,
    /// The most important components, in the order in which they are shown.
    pub core: Vec<Id>,
    /// Queries that the home page offers as examples.
    pub search_examples: Vec<String>,
    /// Groups of words and phrases with the same meaning, by language.
    pub synonyms: Vec<Vec<(Lang, Vec<String>)>>,
    /// Kinds of providers.
    pub provider_kinds: Vec<VocabularyTerm>,
    /// Abbreviations and their meanings.
    pub glossary: Vec<(String, Text)>,
    /// The protocols of ports.
    pub protocols: Vec<String>,
    /// Strings of the user interface that the site replaces, by key.
    pub strings: BTreeMap<String, Text>,
    /// The site's own fields.
    pub fields: Vec<Field>,
    /// Releases, oldest first.
    pub releases: Vec<Release>,
}

/// A part of the system.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its id.
    pub id: Id,
    /// One or two letters that identify the area next to its colour.
    pub mark: String,
    /// Its name.
    pub label: Text,
    /// A description; empty if there is none.
    pub what: Text,
}

/// A term with a name: a role, a kind of provider, or a place where components run.
#[derive(Clone, Debug)]
pub struct VocabularyTerm {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub label: Text,
    /// Other names that readers search for.
    pub aka: Vec<String>,
    /// A description; empty if there is none.
    pub what: Text,
}

/// A kind of relation.
#[derive(Clone, Debug)]
pub struct Verb {
    /// Its id.
    pub id: Id,
    /// The label from the side of the source.
    pub label: Text,
    /// The label from the side of the target.
    pub inverse: Text,
    /// Whether a cycle is an error.
    pub acyclic: bool,
    /// Whether it is drawn as an arrow in diagrams.
    pub drawn: bool,
    /// How it is drawn.
    pub line: LineStyle,
    /// Whether the source depends on the target.
    pub depends: bool,
}

/// A release of the platform.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Release {
    /// Its name.
    pub name: String,
    /// The day it was published; `None` if it is planned.
    pub date: Option<Day>,
    /// The planned day of a release that is not published.
    pub planned: Option<Day>,
    /// The end of its support.
    pub end: Option<Day>,
}

impl Release {
    /// The day it was or will be published.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        self.date.or(self.planned)
    }
}

/// The index of a release in [`Vocabulary::releases`]; a later release compares greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReleaseIndex(pub usize);

impl Vocabulary {
    /// The strings of the user interface in a language, in the words of the site.
    #[must_use]
    pub fn in_own_words(&self, strings: &Strings, lang: &Lang) -> Strings {
        strings.with_words(|key| self.strings.get(key)?.in_language(lang))
    }

    /// The release at an index.
    ///
    /// # Panics
    /// If the index is that of another vocabulary.
    #[must_use]
    pub fn release(&self, index: ReleaseIndex) -> &Release {
        &self.releases[index.0]
    }

    /// The newest published release.
    #[must_use]
    pub fn newest_release(&self) -> Option<ReleaseIndex> {
        self.releases.iter().rposition(|release| release.date.is_some()).map(ReleaseIndex)
    }

    /// The index of an area; an unknown one comes last.
    #[must_use]
    pub fn area_position(&self, id: &Id) -> usize {
        self.areas.iter().position(|area| area.id == *id).unwrap_or(self.areas.len())
    }

    /// The area of that id.
    #[must_use]
    pub fn area(&self, id: &Id) -> Option<&Area> {
        self.areas.iter().find(|area| area.id == *id)
    }

    /// The verb of that id.
    #[must_use]
    pub fn verb(&self, id: &Id) -> Option<&Verb> {
        self.verbs.iter().find(|verb| verb.id == *id)
    }

    /// The role of that id.
    #[must_use]
    pub fn role(&self, id: &Id) -> Option<&VocabularyTerm> {
        self.roles.iter().find(|role| role.id == *id)
    }
}

/// The diagrams of a knowledge base.
#[derive(Clone, Debug, Default)]
pub struct Diagrams {
    /// The diagrams of the architecture page, in the order of the file.
    pub all: Vec<Diagram>,
    /// The verbs that are drawn in a provider's diagram; empty means every drawn verb.
    pub provider_verbs: Vec<Id>,
}

/// A diagram of components and concepts.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// Its id.
    pub id: Id,
    /// Its heading.
    pub title: Text,
    /// A description.
    pub what: Option<Text>,
    /// Its components and concepts.
    pub nodes: Vec<Id>,
    /// The verbs that are drawn; empty means every drawn verb.
    pub verbs: Vec<Id>,
    /// Whether arrows have labels.
    pub words: bool,
    /// Whether there is one drawing for each release.
    pub by_release: bool,
}
