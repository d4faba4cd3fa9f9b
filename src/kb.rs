//! The knowledge base, checked. Only [`crate::validate`] makes one: to hold a [`Kb`] is the proof that ids exist, that relations agree in both directions, that
//! lifecycles are in order and that no two components claim one row.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    config::Config,
    facts::{Confidence, Day, Presence, Protocol, State, Verdict},
    id::{Id, Lang},
    layout::{EntityKind, FactSection},
    listing::{Pattern, Recogniser},
    load::{PageDraft, TOP},
    read::Content,
    theme::Theme,
};

/// A whole knowledge base.
#[derive(Debug)]
pub struct Kb {
    /// The configuration.
    pub config: Config,
    /// Templates, assets, words.
    pub theme: Theme,
    /// The words.
    pub vocabulary: Vocabulary,
    /// Components by id.
    pub components: BTreeMap<Id, Component>,
    /// Providers by id.
    pub providers: BTreeMap<Id, Provider>,
    /// Concepts by id; one without facts has empty ones.
    pub concepts: BTreeMap<Id, Concept>,
    /// Things whose facts cannot be used, or not all of them, which is already reported: they count as there. Empty in a whole knowledge base.
    pub broken: BTreeMap<Id, EntityKind>,
    /// Pages by address without the language. Generated pages are among them only if an author wrote something for them.
    pub pages: BTreeMap<String, Page>,
    /// Pictures and downloads by address.
    pub assets: BTreeMap<String, Arc<[u8]>>,
    /// Style sheets and scripts of the site, in the order of its configuration.
    pub additional_assets: Vec<(String, Content)>,
    /// Whose row is it?
    pub recogniser: Recogniser,
}

/// A text in each language that has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(BTreeMap<Lang, String>);

impl Text {
    /// A text from its languages.
    #[must_use]
    pub const fn new(texts: BTreeMap<Lang, String>) -> Self {
        Self(texts)
    }

    /// The text in a language, else in any other, so that a missing translation never hides a fact.
    #[must_use]
    pub fn get(&self, lang: &Lang) -> &str {
        self.0.get(lang).or_else(|| self.0.values().next()).map_or("", String::as_str)
    }
}

/// The words of the knowledge base, in the order of their author.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// What the components are parts of.
    pub platform: Option<String>,
    /// Parts of the system.
    pub areas: Vec<Area>,
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

    /// The role of that id.
    #[must_use]
    pub fn role(&self, id: &Id) -> Option<&Role> {
        self.roles.iter().find(|role| role.id == *id)
    }
}

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
    /// May it be deleted?
    pub removal: Option<Removal>,
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

/// States by release, in order.
#[derive(Clone, Debug)]
pub struct Lifecycle {
    /// The state today.
    pub state: State,
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
#[derive(Clone, Debug)]
pub struct Listing {
    /// The kind of the object.
    pub kind: String,
    /// Where it lives.
    pub namespace: Option<String>,
    /// Where it is seen; empty means anywhere.
    pub providers: Vec<Id>,
    /// What it is.
    pub what: Option<Text>,
    /// Its names.
    pub pattern: Pattern,
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

/// What a page is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageKind {
    /// The home page.
    Home,
    /// A component, provider or concept.
    Entity(EntityKind, Id),
    /// The author's words on a generated page, such as the list of components.
    Generated,
    /// Anything else.
    Ordinary,
}

/// A page in the languages it was written in; at least one.
#[derive(Clone, Debug)]
pub struct Page {
    /// Its address without the language.
    pub path: String,
    /// What it is about.
    pub kind: PageKind,
    /// Its texts.
    pub texts: BTreeMap<Lang, PageDraft>,
}

impl Page {
    /// The text to show to readers of a language: their own, else the default language's, else any.
    #[must_use]
    pub fn text(&self, lang: &Lang, default: &Lang) -> Option<&PageDraft> {
        self.texts.get(lang).or_else(|| self.texts.get(default)).or_else(|| self.texts.values().next())
    }
}

/// A section of a translation that no longer says what the original says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StaleSection<'a> {
    /// The anchor of the section in the original, or [`TOP`].
    pub anchor: &'a str,
    /// What happened to it.
    pub how: Staleness,
}

/// How a translation fell behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Staleness {
    /// The original has changed.
    Changed,
    /// The original is gone, or has another id.
    Gone,
    /// The original came later.
    New,
}

/// The sections in which a translation has fallen behind. A translation that was never stamped has promised nothing, and is never stale.
#[must_use]
pub fn stale_sections<'a>(original: &'a PageDraft, translation: &'a PageDraft) -> Vec<StaleSection<'a>> {
    let remembered = &translation.front.translates;
    if remembered.is_empty() {
        return Vec::new();
    }
    let behind = remembered.iter().filter_map(|(anchor, hash)| {
        let how = match original.hashes.iter().find(|section| section.anchor == *anchor) {
            Some(section) if section.hash == hash.value.0 => return None,
            Some(_) => Staleness::Changed,
            None => Staleness::Gone,
        };
        Some(StaleSection { anchor, how })
    });
    let new = original.hashes.iter().filter(|section| !remembered.contains_key(&section.anchor));
    behind.chain(new.map(|section| StaleSection { anchor: &section.anchor, how: Staleness::New })).collect()
}

impl StaleSection<'_> {
    /// The section in words.
    #[must_use]
    pub fn part(&self) -> String {
        if self.anchor == TOP { "the beginning".to_owned() } else { format!("the section `#{}`", self.anchor) }
    }
}

impl Kb {
    /// What kind of thing has this id.
    #[must_use]
    pub fn kind_of(&self, id: &str) -> Option<EntityKind> {
        if self.components.contains_key(id) {
            Some(EntityKind::Component)
        } else if self.concepts.contains_key(id) {
            Some(EntityKind::Concept)
        } else if self.providers.contains_key(id) {
            Some(EntityKind::Provider)
        } else {
            self.broken.get(id).copied()
        }
    }

    /// The address of the page of an id, without the language.
    #[must_use]
    pub fn path_of(&self, id: &str) -> Option<String> {
        Some(format!("{}/{id}", self.kind_of(id)?.folder()))
    }

    /// The name of an id in a language: the facts' name, else the title of its page.
    #[must_use]
    pub fn name_of(&self, id: &str, lang: &Lang) -> String {
        if let Some(component) = self.components.get(id) {
            return component.name.clone();
        }
        if let Some(provider) = self.providers.get(id) {
            return provider.name.clone();
        }
        let page = self.path_of(id).and_then(|path| self.pages.get(&path));
        page.and_then(|page| self.title_of(page, lang)).unwrap_or_else(|| id.to_owned())
    }

    /// The title of a page in a language.
    #[must_use]
    pub fn title_of(&self, page: &Page, lang: &Lang) -> Option<String> {
        let text = page.text(lang, self.config.default_language())?;
        let named = || match &page.kind {
            PageKind::Entity(EntityKind::Component, id) => self.components.get(id).map(|component| component.name.clone()),
            PageKind::Entity(EntityKind::Provider, id) => self.providers.get(id).map(|provider| provider.name.clone()),
            PageKind::Home => self.config.languages.iter().find(|language| language.lang == *lang).map(|language| language.title.clone()),
            _ => None,
        };
        let heading = || text.prose.title.as_ref().map(|heading| heading.text.clone());
        text.front.title.clone().or_else(heading).or_else(named).filter(|title| !title.is_empty())
    }
}

impl Kb {
    /// The evidence of a component, provider or concept.
    #[must_use]
    pub fn evidence_of(&self, kind: EntityKind, id: &Id) -> &[Evidence] {
        match kind {
            EntityKind::Component => self.components.get(id).map(|component| component.evidence.as_slice()),
            EntityKind::Provider => self.providers.get(id).map(|provider| provider.evidence.as_slice()),
            EntityKind::Concept => self.concepts.get(id).map(|concept| concept.evidence.as_slice()),
        }
        .unwrap_or_default()
    }

    /// The sections that the program adds to a page, in their order: those that have something to say.
    #[must_use]
    pub fn fact_sections(&self, kind: EntityKind, id: &Id) -> Vec<FactSection> {
        let component = self.components.get(id).filter(|_| kind == EntityKind::Component);
        let provider = self.providers.get(id).filter(|_| kind == EntityKind::Provider);
        let concept = self.concepts.get(id).filter(|_| kind == EntityKind::Concept);
        let has = |section: FactSection| match section {
            FactSection::Names => component.is_some_and(|component| !component.listing.is_empty()),
            FactSection::Removal => component.is_some_and(|component| component.removal.is_some()),
            FactSection::Providers => component.is_some_and(|component| !component.claims.is_empty()),
            FactSection::Relations => {
                component.is_some_and(|component| !component.relations.is_empty() || !component.incoming.is_empty())
                    || concept.is_some_and(|concept| !concept.relations.is_empty() || !concept.incoming.is_empty())
            }
            FactSection::Lifecycle => {
                let replaces = component.is_some_and(|component| !component.replaces.is_empty());
                replaces || component.is_some_and(|c| c.lifecycle.is_some()) || concept.is_some_and(|c| c.lifecycle.is_some())
            }
            FactSection::Ports => component.is_some_and(|component| !component.ports.is_empty()),
            FactSection::Flags => component.is_some_and(|component| !component.flags.is_empty()),
            FactSection::Claims => provider.is_some(),
            FactSection::Sources => !self.evidence_of(kind, id).is_empty(),
        };
        use FactSection::{Claims, Flags, Lifecycle, Names, Ports, Providers, Relations, Removal, Sources};
        let order = [Names, Removal, Claims, Providers, Relations, Lifecycle, Ports, Flags, Sources];
        order.into_iter().filter(|section| has(*section)).collect()
    }
}
