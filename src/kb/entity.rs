//! Components, providers and concepts, checked.

use std::{collections::BTreeSet, sync::Arc};

use super::{ReleaseIndex, Text};
use crate::{
    facts::{Confidence, Day, LifecycleState, Presence, Protocol, Verdict},
    id::Id,
    layout::EntityKind,
    listing::Pattern,
};

/// A thing that runs, or used to run, in a cluster.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its id.
    pub id: Id,
    /// The file of its facts.
    pub file: Arc<str>,
    /// Its name.
    pub name: String,
    /// The part of the system it belongs to.
    pub area: Id,
    /// Where it runs.
    pub place: Option<Id>,
    /// Jobs it can fill.
    pub roles: Vec<Id>,
    /// Other names.
    pub aka: Vec<String>,
    /// Its states by release.
    pub lifecycle: Option<Lifecycle>,
    /// Who put it there.
    pub installed_by: Option<Text>,
    /// Its rows.
    pub listing: Vec<Listing>,
    /// Real rows.
    pub examples: Vec<String>,
    /// Real rows of other things.
    pub counter_examples: Vec<String>,
    /// May it be deleted?
    pub removal: Option<Removal>,
    /// May its smaller things be deleted?
    pub section_removals: Vec<(Id, Removal)>,
    /// What it does to others.
    pub relations: Vec<Relation>,
    /// What others do to it: who, and which of their relations.
    pub incoming: Vec<(Id, usize)>,
    /// What it took the place of.
    pub replaces: Vec<Id>,
    /// What providers say of it: which, and which of their claims.
    pub claims: Vec<(Id, usize)>,
    /// Its ports.
    pub ports: Vec<Port>,
    /// Its flags.
    pub flags: Vec<Flag>,
    /// Where all this was seen.
    pub evidence: Vec<Evidence>,
}

impl Component {
    /// What happens when a row is deleted: one of the component itself, or one that a section explains.
    #[must_use]
    pub fn removal_of(&self, section: Option<&Id>) -> Option<&Removal> {
        let Some(section) = section else { return self.removal.as_ref() };
        self.section_removals.iter().find(|(id, _)| id == section).map(|(_, removal)| removal)
    }
}

impl Component {
    /// What happens when a row is deleted that some of the listing entries fit. What holds for a component says nothing of the definitions of its resources.
    #[must_use]
    pub fn removal_of_row(&self, entries: &[usize]) -> Option<&Removal> {
        let section = self.section_of_row(entries);
        let defines = entries.iter().filter_map(|entry| self.listing.get(*entry)).any(|entry| entry.pattern.is_definition());
        if defines && section.is_none() { None } else { self.removal_of(section) }
    }

    /// The section that explains a row that some of the listing entries fit.
    #[must_use]
    pub fn section_of_row(&self, entries: &[usize]) -> Option<&Id> {
        self.agreed(entries, |entry| entry.section.as_ref())
    }

    /// What just a row is that some of the listing entries fit, if the facts say more than what the component is.
    #[must_use]
    pub fn what_of_row(&self, entries: &[usize]) -> Option<&Text> {
        self.agreed(entries, |entry| entry.what.as_ref())
    }

    /// What some of the listing entries say alike.
    fn agreed<'a, T: PartialEq>(&'a self, entries: &[usize], part: impl Fn(&'a Listing) -> Option<&'a T>) -> Option<&'a T> {
        let mut entries = entries.iter().filter_map(|entry| self.listing.get(*entry));
        let first = part(entries.next()?)?;
        entries.all(|entry| part(entry) == Some(first)).then_some(first)
    }

    /// The providers that say something of it or print its rows, by id.
    #[must_use]
    pub fn providers(&self) -> BTreeSet<&Id> {
        self.claims.iter().map(|(id, _)| id).chain(self.listing.iter().flat_map(|listing| &listing.providers)).collect()
    }

    /// Whether it is no part of any cluster of today.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.lifecycle.as_ref().is_some_and(|lifecycle| matches!(lifecycle.state, LifecycleState::Removed | LifecycleState::Archived))
    }
}

impl Removal {
    /// The case of a provider: its own, else the general one.
    #[must_use]
    pub fn at(&self, provider: Option<&Id>) -> &RemovalCase {
        self.providers.iter().find(|(id, _)| Some(id) == provider).map_or(&self.general, |(_, case)| case)
    }
}

/// Something that assembles a cluster.
#[derive(Clone, Debug)]
pub struct Provider {
    /// Its id.
    pub id: Id,
    /// The file of its facts.
    pub file: Arc<str>,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Id,
    /// Who makes it.
    pub vendor: Option<String>,
    /// Other names.
    pub aka: Vec<String>,
    /// Texts that only listings of its clusters contain.
    pub marks: Vec<String>,
    /// What it ships.
    pub claims: Vec<Claim>,
    /// Where all this was seen.
    pub evidence: Vec<Evidence>,
}

/// An explanation that is no component.
#[derive(Clone, Debug)]
pub struct Concept {
    /// Its id.
    pub id: Id,
    /// The file of its facts; the folder if there is none.
    pub file: Arc<str>,
    /// The part of the system it belongs to.
    pub area: Option<Id>,
    /// Where it is found.
    pub place: Option<Id>,
    /// Other names.
    pub aka: Vec<String>,
    /// Its states by release.
    pub lifecycle: Option<Lifecycle>,
    /// What it has to do with components.
    pub relations: Vec<Relation>,
    /// What components have to do with it.
    pub incoming: Vec<(Id, usize)>,
    /// Where all this was seen.
    pub evidence: Vec<Evidence>,
}

/// The beginning of a lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// With this release.
    Release(ReleaseIndex),
    /// Nobody says.
    Unknown,
}

impl Lifecycle {
    /// Whether the thing existed in a release. One of which nobody knows the beginning or the end counts as there as long as it is not known to be gone.
    #[must_use]
    pub fn exists_in(&self, release: ReleaseIndex) -> bool {
        let begun = !matches!(self.since, Some(Since::Release(since)) if since > release);
        let gone = matches!(self.state, LifecycleState::Removed | LifecycleState::Archived);
        begun && self.removed.or(self.deprecated.filter(|_| gone)).map_or(!gone, |end| release < end)
    }

    /// Whether the thing existed in a release and was advised against.
    #[must_use]
    pub fn deprecated_in(&self, release: ReleaseIndex) -> bool {
        self.deprecated.is_some_and(|deprecated| deprecated <= release)
    }
}

/// States by release, in order.
#[derive(Clone, Debug)]
pub struct Lifecycle {
    /// The state today.
    pub state: LifecycleState,
    /// The first release with it.
    pub since: Option<Since>,
    /// The release that advised against it.
    pub deprecated: Option<ReleaseIndex>,
    /// The first release without it; one that is not out is a plan.
    pub removed: Option<ReleaseIndex>,
    /// What took its place.
    pub replaced_by: Vec<Id>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// One kind of row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The kind of the object.
    pub kind: String,
    /// Where it lives.
    pub namespace: Option<String>,
    /// Whether only rows count that tell their namespace.
    pub needs_namespace: bool,
    /// Where it is seen; empty means anywhere.
    pub providers: Vec<Id>,
    /// What it is.
    pub what: Option<Text>,
    /// Its names, as written.
    pub name: String,
    /// Its names.
    pub pattern: Arc<Pattern>,
    /// The section that explains it.
    pub section: Option<Id>,
}

/// A smaller thing with an id of its own that a section of a page explains.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its id, which is also the anchor.
    pub id: Id,
    /// The kind of the page's subject.
    pub kind: EntityKind,
    /// The page's subject.
    pub owner: Id,
    /// Its name.
    pub name: String,
    /// Other names.
    pub aka: Vec<String>,
}

impl Section {
    /// The address of the page that it is part of, without the language.
    #[must_use]
    pub fn page(&self) -> String {
        format!("{}/{}", self.kind.folder(), self.owner)
    }

    /// Its own address, which leads on to the page.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}/{}", self.kind.folder(), self.id)
    }
}

/// What happens on deletion.
#[derive(Clone, Debug)]
pub struct Removal {
    /// In general.
    pub general: RemovalCase,
    /// Where a provider differs.
    pub providers: Vec<(Id, RemovalCase)>,
}

/// What happens on deletion, in general or at one provider.
#[derive(Clone, Debug)]
pub struct RemovalCase {
    /// May it be deleted?
    pub verdict: Verdict,
    /// What happens then.
    pub effect: Option<Text>,
    /// Who brings it back.
    pub restored_by: Option<Text>,
    /// The supported way to be rid of it.
    pub off_switch: Option<Text>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// An edge to another component or concept.
#[derive(Clone, Debug)]
pub struct Relation {
    /// What is done.
    pub verb: Id,
    /// To whom.
    pub to: Id,
    /// Through which port.
    pub port: Option<String>,
    /// More about it.
    pub what: Option<Text>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// A port or a range of ports.
#[derive(Clone, Debug)]
pub struct Port {
    /// The first port.
    pub first: u16,
    /// The last port; the same as the first for a single one.
    pub last: u16,
    /// The protocol.
    pub protocol: Protocol,
    /// What it is for.
    pub what: Option<Text>,
    /// The first release with it.
    pub since: Option<ReleaseIndex>,
    /// The first release without it.
    pub removed: Option<ReleaseIndex>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// A command-line flag.
#[derive(Clone, Debug)]
pub struct Flag {
    /// As it is typed.
    pub flag: String,
    /// What it does.
    pub what: Option<Text>,
    /// The first release with it.
    pub since: Option<ReleaseIndex>,
    /// The release that advised against it.
    pub deprecated: Option<ReleaseIndex>,
    /// The first release without it.
    pub removed: Option<ReleaseIndex>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// One statement of a provider.
#[derive(Clone, Debug)]
pub struct Claim {
    /// About this role.
    pub role: Option<Id>,
    /// About this component.
    pub component: Option<Id>,
    /// Whether it is there.
    pub presence: Presence,
    /// How it shows up.
    pub form: Option<String>,
    /// The provider's first version with it.
    pub since: Option<String>,
    /// The provider's last version with it.
    pub until: Option<String>,
    /// More about it.
    pub what: Option<Text>,
    /// How sure it is.
    pub confidence: Confidence,
    /// Keys of the provider's evidence.
    pub evidence: Vec<Id>,
}

impl Claim {
    /// Whether the thing is there without asking, whatever the provider's version, beyond doubt.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.presence == Presence::Default && self.since.is_none() && self.until.is_none() && self.confidence == Confidence::High
    }
}

/// Where something was seen.
#[derive(Clone, Debug)]
pub struct Evidence {
    /// The key that claims refer to.
    pub key: Id,
    /// What it is called.
    pub title: String,
    /// Its address.
    pub url: Option<String>,
    /// Seen in a real cluster, documented nowhere.
    pub observed: bool,
    /// The day on which somebody looked.
    pub checked: Day,
}
