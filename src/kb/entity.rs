//! Components, providers and concepts, checked.

use std::{collections::BTreeSet, fmt, num::ParseIntError, str::FromStr, sync::Arc};

use super::{Deletion, FieldEntry, ReleaseIndex, Text};
use crate::{
    facts::{Confidence, Day, KnownNameKind, LifecycleState, Presence},
    id::Id,
    layout::EntityKind,
    listing::Pattern,
};

/// A part of a cluster, in current or earlier releases.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its id.
    pub id: Id,
    /// The file of its facts.
    pub file: Arc<str>,
    /// Its name.
    pub name: String,
    /// Its area of the vocabulary.
    pub area: Id,
    /// The place of the vocabulary where it runs.
    pub place: Option<Id>,
    /// The roles of the vocabulary that it can fill.
    pub roles: Vec<Id>,
    /// Other names that readers search for.
    pub aka: Vec<String>,
    /// The releases that introduced, deprecated and removed it.
    pub lifecycle: Option<Lifecycle>,
    /// The installer.
    pub installed_by: Option<Text>,
    /// The rows that `kubectl` prints for it.
    pub listing: Vec<Listing>,
    /// Printed rows that match it.
    pub examples: Vec<String>,
    /// Printed rows that must not match it.
    pub counter_examples: Vec<String>,
    /// The repositories of its container images, without the registry and the tag; only the last parts of the path may be given.
    pub images: Vec<String>,
    /// The oldest version that its project supports.
    pub support: Option<Support>,
    /// The effects of deleting its Pods and the object itself.
    pub deletion: Deletion,
    /// The effects of deleting the object of a section, by the section's id.
    pub section_deletions: Vec<(Id, Deletion)>,
    /// Outgoing relations.
    pub relations: Vec<Relation>,
    /// Incoming relations: the other entity, and the index of the relation there.
    pub incoming: Vec<(Id, usize)>,
    /// The components that it replaces.
    pub replaces: Vec<Id>,
    /// The claims about it: the provider, and the index of the claim there.
    pub claims: Vec<(Id, usize)>,
    /// Its ports.
    pub ports: Vec<Port>,
    /// Its flags.
    pub flags: Vec<Flag>,
    /// Its names outside of listings.
    pub names: Vec<KnownNames>,
    /// The values of the site's own fields, in the order of the vocabulary.
    pub fields: Vec<FieldEntry>,
    /// The evidence of its file.
    pub evidence: Vec<Evidence>,
}

impl Component {
    /// The section that explains a row, given the listing entries that match it.
    #[must_use]
    pub fn section_of_row(&self, entries: &[usize]) -> Option<&Id> {
        self.agreed(entries, |entry| entry.section.as_ref())
    }

    /// What a name outside of listings is, from the kind of its row.
    #[must_use]
    pub fn what_of_name(&self, kind: &str, name: &str) -> Option<&Text> {
        let fits = |own: &&String| *own == name || (is_prefix(own) && name.starts_with(own.as_str()));
        let of_kind = self.names.iter().filter(|entry| entry.kind.row_kind() == kind);
        let fitting = of_kind.filter_map(|entry| Some((entry.names.iter().filter(fits).map(String::len).max()?, entry)));
        fitting.max_by_key(|(length, _)| *length)?.1.what.as_ref()
    }

    /// The description of a row, given the listing entries that match it.
    #[must_use]
    pub fn what_of_row(&self, entries: &[usize]) -> Option<&Text> {
        self.agreed(entries, |entry| entry.what.as_ref())
    }

    /// The value that listing entries share; `None` if they differ.
    fn agreed<'a, T: PartialEq>(&'a self, entries: &[usize], part: impl Fn(&'a Listing) -> Option<&'a T>) -> Option<&'a T> {
        let mut entries = entries.iter().filter_map(|entry| self.listing.get(*entry));
        let first = part(entries.next()?)?;
        entries.all(|entry| part(entry) == Some(first)).then_some(first)
    }

    /// The providers that have a claim about it or print its rows.
    #[must_use]
    pub fn providers(&self) -> BTreeSet<&Id> {
        self.claims.iter().map(|(id, _)| id).chain(self.listing.iter().flat_map(|listing| &listing.providers)).collect()
    }

    /// Whether current releases no longer include it.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.lifecycle.as_ref().is_some_and(|lifecycle| matches!(lifecycle.state, LifecycleState::Removed | LifecycleState::Archived))
    }
}

/// A distribution, service or tool that sets up clusters.
#[derive(Clone, Debug)]
pub struct Provider {
    /// Its id.
    pub id: Id,
    /// The file of its facts.
    pub file: Arc<str>,
    /// Its name.
    pub name: String,
    /// Its provider kind of the vocabulary.
    pub kind: Id,
    /// The vendor.
    pub vendor: Option<String>,
    /// Other names that readers search for.
    pub aka: Vec<String>,
    /// Texts that only the `kubectl` output of its clusters contains.
    pub marks: Vec<String>,
    /// Texts that the `kubectl` output of its clusters never contains.
    pub unlike: Vec<String>,
    /// The names of the Nodes that run its static Pods; empty for any name.
    pub static_pod_nodes: Vec<NodeName>,
    /// Its statements about roles and components.
    pub claims: Vec<Claim>,
    /// The values of the site's own fields, in the order of the vocabulary.
    pub fields: Vec<FieldEntry>,
    /// The evidence of its file.
    pub evidence: Vec<Evidence>,
}

/// The names that a Node can have.
#[derive(Clone, Debug)]
pub struct NodeName {
    /// The pattern as written.
    pub name: String,
    /// The parsed pattern.
    pub pattern: Pattern,
}

/// A background concept.
#[derive(Clone, Debug)]
pub struct Concept {
    /// Its id.
    pub id: Id,
    /// The file of its facts, else that of its page.
    pub file: Arc<str>,
    /// Its area of the vocabulary.
    pub area: Option<Id>,
    /// The place of the vocabulary that it belongs to.
    pub place: Option<Id>,
    /// Other names that readers search for.
    pub aka: Vec<String>,
    /// The releases that introduced, deprecated and removed it.
    pub lifecycle: Option<Lifecycle>,
    /// Outgoing relations.
    pub relations: Vec<Relation>,
    /// Incoming relations: the other entity, and the index of the relation there.
    pub incoming: Vec<(Id, usize)>,
    /// The values of the site's own fields, in the order of the vocabulary.
    pub fields: Vec<FieldEntry>,
    /// The evidence of its file.
    pub evidence: Vec<Evidence>,
}

/// The beginning of a lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The first release with it.
    Release(ReleaseIndex),
    /// Not stated by the sources.
    Unknown,
}

impl Lifecycle {
    /// Whether it existed in a release. An unknown first release counts as early enough, an unknown last one as late enough, unless its state is removed or archived.
    #[must_use]
    pub fn exists_in(&self, release: ReleaseIndex) -> bool {
        let begun = !matches!(self.since, Some(Since::Release(since)) if since > release);
        let gone = matches!(self.state, LifecycleState::Removed | LifecycleState::Archived);
        begun && self.removed.or(self.deprecated.filter(|_| gone)).map_or(!gone, |end| release < end)
    }

    /// Whether it was deprecated in a release or before.
    #[must_use]
    pub fn deprecated_in(&self, release: ReleaseIndex) -> bool {
        self.deprecated.is_some_and(|deprecated| deprecated <= release)
    }
}

/// The releases that introduced, deprecated and removed an entity, in order.
#[derive(Clone, Debug)]
pub struct Lifecycle {
    /// The current state.
    pub state: LifecycleState,
    /// When it was introduced.
    pub since: Option<Since>,
    /// The release that deprecated it.
    pub deprecated: Option<ReleaseIndex>,
    /// The first release without it, which can be a planned one.
    pub removed: Option<ReleaseIndex>,
    /// Its successors.
    pub replaced_by: Vec<Id>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

impl Lifecycle {
    /// Whether there is more to show than that it is active since an unknown release.
    #[must_use]
    pub const fn has_history(&self) -> bool {
        !matches!(self.since, None | Some(Since::Unknown))
            || self.deprecated.is_some()
            || self.removed.is_some()
            || !self.replaced_by.is_empty()
            || self.state.is_over()
    }
}

/// The oldest supported version of a component, with the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The version.
    pub oldest: OldestSupported,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// The oldest version of a component that is supported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OldestSupported {
    /// A version of its own, in numbers: `1.17` is `[1, 17]`.
    Version(Vec<u32>),
    /// Its versions are the releases of the vocabulary, which state the ends of support.
    Release,
}

/// The form of facts files: `1.17` or `release`.
impl fmt::Display for OldestSupported {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Version(numbers) = self else { return formatter.write_str(BY_RELEASE) };
        for (at, number) in numbers.iter().enumerate() {
            write!(formatter, "{}{number}", if at == 0 { "" } else { "." })?;
        }
        Ok(())
    }
}

/// The text for [`OldestSupported::Release`].
const BY_RELEASE: &str = "release";

impl FromStr for OldestSupported {
    type Err = ParseIntError;

    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        if text == BY_RELEASE { Ok(Self::Release) } else { text.split('.').map(str::parse).collect::<Result<_, _>>().map(Self::Version) }
    }
}

/// A pattern of rows in `kubectl` output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The kind of the object.
    pub kind: String,
    /// The namespace; `None` means any.
    pub namespace: Option<String>,
    /// Whether a row without a namespace does not match.
    pub needs_namespace: bool,
    /// The providers that print it; empty means any.
    pub providers: Vec<Id>,
    /// A description of the row.
    pub what: Option<Text>,
    /// The name pattern as written.
    pub name: String,
    /// The compiled pattern.
    pub pattern: Arc<Pattern>,
    /// The section of the component's page that explains it.
    pub section: Option<Id>,
}

/// A section of an entity's page with an id: a `ConfigMap`, a Service.
#[derive(Clone, Debug)]
pub struct Section {
    /// Its id, which is also the anchor.
    pub id: Id,
    /// The kind of the entity that the page is about.
    pub kind: EntityKind,
    /// The entity that the page is about.
    pub owner: Id,
    /// Its name.
    pub name: String,
    /// Other names that readers search for.
    pub aka: Vec<String>,
}

impl Section {
    /// The address of its page, without the language.
    #[must_use]
    pub fn page(&self) -> String {
        format!("{}/{}", self.kind.folder(), self.owner)
    }

    /// The address that redirects to it, without the language.
    #[must_use]
    pub fn address(&self) -> String {
        format!("{}/{}", self.kind.folder(), self.id)
    }
}

/// An edge to another component or concept.
#[derive(Clone, Debug)]
pub struct Relation {
    /// The verb of the vocabulary.
    pub verb: Id,
    /// The target.
    pub to: Id,
    /// The port that is used.
    pub port: Option<String>,
    /// A description.
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
    /// The protocols.
    pub protocols: Vec<String>,
    /// The purpose.
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
    /// The flag with its dashes.
    pub flag: String,
    /// Its effect.
    pub what: Option<Text>,
    /// The first release with it.
    pub since: Option<ReleaseIndex>,
    /// The release that deprecated it.
    pub deprecated: Option<ReleaseIndex>,
    /// The first release without it.
    pub removed: Option<ReleaseIndex>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// A statement about a role, a component or both, at a provider.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The role.
    pub role: Option<Id>,
    /// The component.
    pub component: Option<Id>,
    /// Whether the provider has it, and how.
    pub presence: Presence,
    /// Its form in the cluster: Deployment, static Pod …
    pub form: Option<String>,
    /// The first version of the provider with it.
    pub since: Option<String>,
    /// The last version of the provider with it.
    pub until: Option<String>,
    /// A description.
    pub what: Option<Text>,
    /// The confidence in the statement.
    pub confidence: Confidence,
    /// Keys of the provider's evidence.
    pub evidence: Vec<Id>,
}

impl Provider {
    /// How the newest version of its clusters includes a component, by its claims.
    pub fn presences<'a>(&'a self, component: &'a Id) -> impl Iterator<Item = Presence> + 'a {
        let claims = self.claims.iter().filter(move |claim| claim.component.as_ref() == Some(component) && claim.until.is_none());
        claims.map(|claim| claim.presence)
    }
}

impl Claim {
    /// Whether every version of the provider has it by default, with high confidence.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.presence == Presence::Default && self.since.is_none() && self.until.is_none() && self.confidence == Confidence::High
    }
}

/// A source of claims.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Evidence {
    /// The key that claims refer to.
    pub key: Id,
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: Option<String>,
    /// Whether it is an observation in a cluster instead of a document.
    pub observed: bool,
    /// The day on which the source was last checked.
    pub checked: Day,
    /// Whether the facts only name it for messages and sources of log lines.
    pub is_of_messages: bool,
}

/// Names of one kind outside of listings: alerts, metrics, labels …
#[derive(Clone, Debug, PartialEq)]
pub struct KnownNames {
    /// The kind.
    pub kind: KnownNameKind,
    /// The names and the prefixes of names, see [`is_prefix`].
    pub names: Vec<String>,
    /// What they are.
    pub what: Option<Text>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// Whether a known name is a prefix, which means every name that begins with it: it ends with a separator.
#[must_use]
pub fn is_prefix(name: &str) -> bool {
    name.ends_with(['_', '-', '/', '.', ':'])
}
