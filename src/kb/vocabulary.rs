//! The words of a knowledge base, checked.

use super::Text;
use crate::{facts::Day, id::Id};

/// The words of the knowledge base, in the order of their author.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// What the components are parts of.
    pub platform: Option<String>,
    /// Parts of the system.
    pub areas: Vec<Area>,
    /// Where components run, from top to bottom.
    pub places: Vec<Place>,
    /// Jobs.
    pub roles: Vec<Role>,
    /// Relation verbs.
    pub verbs: Vec<Verb>,
    /// Kinds of providers.
    pub provider_kinds: Vec<ProviderKind>,
    /// Releases, oldest first.
    pub releases: Vec<Release>,
}

/// A part of the system.
#[derive(Clone, Debug)]
pub struct Area {
    /// Its id.
    pub id: Id,
    /// One or two letters.
    pub mark: String,
    /// Its name.
    pub label: Text,
    /// What belongs to it.
    pub what: Text,
}

/// Where components run.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub label: Text,
}

/// A job.
#[derive(Clone, Debug)]
pub struct Role {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub label: Text,
    /// What it does.
    pub what: Text,
}

/// What a component can do to another.
#[derive(Clone, Debug)]
pub struct Verb {
    /// Its id.
    pub id: Id,
    /// As seen from the one that acts.
    pub label: Text,
    /// As seen from the other.
    pub inverse: Text,
    /// Whether a circle is a mistake.
    pub acyclic: bool,
    /// Whether it is an arrow in diagrams.
    pub drawn: bool,
}

/// A kind of provider.
#[derive(Clone, Debug)]
pub struct ProviderKind {
    /// Its id.
    pub id: Id,
    /// Its name.
    pub label: Text,
}

/// A release of the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// Its name.
    pub name: String,
    /// The day it came out; `None` is planned.
    pub date: Option<Day>,
    /// The day on which it is planned to come out; of one that is not out.
    pub planned: Option<Day>,
    /// The day on which its support ends or ended.
    pub end: Option<Day>,
}

impl Release {
    /// The day on which it came out or is planned to.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        self.date.or(self.planned)
    }
}

/// A release by its place in [`Vocabulary::releases`]; a later release compares greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReleaseIndex(pub usize);

impl Vocabulary {
    /// The release itself.
    #[must_use]
    pub fn release(&self, index: ReleaseIndex) -> &Release {
        &self.releases[index.0]
    }

    /// The newest release that is out.
    #[must_use]
    pub fn newest_release(&self) -> Option<ReleaseIndex> {
        self.releases.iter().rposition(|release| release.date.is_some()).map(ReleaseIndex)
    }

    /// The place of an area in the order of its author.
    #[must_use]
    pub fn area_position(&self, id: &Id) -> usize {
        self.areas.iter().position(|area| area.id == *id).unwrap_or(self.areas.len())
    }

    /// The area of that id. Every id in a [`Kb`] has one.
    #[must_use]
    pub fn area(&self, id: &Id) -> Option<&Area> {
        self.areas.iter().find(|area| area.id == *id)
    }

    /// The verb of that id.
    #[must_use]
    pub fn verb(&self, id: &Id) -> Option<&Verb> {
        self.verbs.iter().find(|verb| verb.id == *id)
    }

    /// The verb of that name.
    #[must_use]
    pub fn verb_named(&self, name: &str) -> Option<&Verb> {
        self.verbs.iter().find(|verb| verb.id.as_str() == name)
    }

    /// The role of that id.
    #[must_use]
    pub fn role(&self, id: &Id) -> Option<&Role> {
        self.roles.iter().find(|role| role.id == *id)
    }
}
