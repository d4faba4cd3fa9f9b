//! Facts as their authors write them: the closed formats of `facts.yaml` and `vocabulary.yaml`.
//!
//! These types say what may be written, nothing about whether it is true; [`crate::kb`] holds what has been checked. JSON Schemas for editors are generated from
//! them, so their doc comments are what a contributor reads while typing.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::{
    decode::{Ordered, RAW, Spanned},
    id::{Id, Lang},
};

/// A text for readers, by language: `{en: …, ja: …}`.
pub type LocalText = Spanned<BTreeMap<Lang, String>>;

/// References to entries of the file's `evidence` map.
pub type EvidenceKeys = Vec<Spanned<Id>>;

/// A word that may be written with or without quotes and keeps its digits: a release such as `1.10`, a port.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub String);

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct WordVisitor;
        impl de::Visitor<'_> for WordVisitor {
            type Value = Word;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a word or number")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Word, E> {
                Ok(Word(text.to_owned()))
            }
        }
        deserializer.deserialize_newtype_struct(RAW, WordVisitor)
    }
}

impl JsonSchema for Word {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Word".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": ["string", "number"]})
    }
}

/// A calendar day, `2026-11-20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Day(pub jiff::civil::Date);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| de::Error::custom(format!("`{text}` is no day; write it as `2026-11-20`")))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl JsonSchema for Day {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Day".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string", "format": "date"})
    }
}

/// `content/components/<id>/facts.yaml`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ComponentFacts {
    /// The name as people write it.
    pub name: Spanned<String>,
    /// The part of the system it belongs to: an area of the vocabulary.
    pub area: Spanned<Id>,
    /// Jobs it can fill: roles of the vocabulary.
    #[serde(default)]
    pub roles: Vec<Spanned<Id>>,
    /// Other names that people search for, old ones too.
    #[serde(default)]
    pub aka: Vec<String>,
    /// Its states by release.
    pub lifecycle: Option<LifecycleFacts>,
    /// Who put it into the cluster, as a phrase.
    pub installed_by: Option<LocalText>,
    /// Every row that is printed for it.
    #[serde(default)]
    pub listing: Vec<Spanned<ListingFacts>>,
    /// Printed rows that must be recognised as this component.
    #[serde(default)]
    pub examples: Vec<Spanned<String>>,
    /// Printed rows that must not.
    #[serde(default)]
    pub not: Vec<Spanned<String>>,
    /// May it be deleted?
    pub removal: Option<Spanned<RemovalFacts>>,
    /// What it does to other components; the other direction is shown by itself.
    #[serde(default)]
    pub relations: Vec<Spanned<RelationFacts>>,
    /// Ports it listens on or is reached through.
    #[serde(default)]
    pub ports: Vec<Spanned<PortFacts>>,
    /// Command-line flags worth knowing.
    #[serde(default)]
    pub flags: Vec<Spanned<FlagFacts>>,
    /// Smaller things that belong to this page, by id: a ConfigMap, a Service, an API. The page has a heading with each id.
    #[serde(default)]
    pub sections: Ordered<Spanned<Id>, ComponentSectionFacts>,
    /// Where the claims of this file were seen, by key.
    #[serde(default)]
    pub evidence: Ordered<Spanned<Id>, EvidenceFacts>,
}

/// `content/concepts/<id>/facts.yaml`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ConceptFacts {
    /// The part of the system it belongs to: an area of the vocabulary.
    pub area: Option<Spanned<Id>>,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
    /// Its states by release.
    pub lifecycle: Option<LifecycleFacts>,
    /// What it has to do with components.
    #[serde(default)]
    pub relations: Vec<Spanned<RelationFacts>>,
    /// Smaller things that belong to this page, by id: a ConfigMap, a Service, an API. The page has a heading with each id.
    #[serde(default)]
    pub sections: Ordered<Spanned<Id>, SectionFacts>,
    /// Where the claims of this file and its pages were seen, by key.
    #[serde(default)]
    pub evidence: Ordered<Spanned<Id>, EvidenceFacts>,
}

/// `content/providers/<id>/facts.yaml`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderFacts {
    /// The name as people write it.
    pub name: Spanned<String>,
    /// A provider kind of the vocabulary.
    pub kind: Spanned<Id>,
    /// Who makes it.
    pub vendor: Option<String>,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
    /// What it ships, one statement each.
    #[serde(default)]
    pub claims: Vec<Spanned<ClaimFacts>>,
    /// Smaller things that belong to this page, by id: a ConfigMap, a Service, an API. The page has a heading with each id.
    #[serde(default)]
    pub sections: Ordered<Spanned<Id>, SectionFacts>,
    /// Where the claims were seen, by key.
    #[serde(default)]
    pub evidence: Ordered<Spanned<Id>, EvidenceFacts>,
}

/// The state of a component today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// In use and maintained.
    Active,
    /// Still there; its makers advise against it.
    Deprecated,
    /// No longer part of the releases.
    Removed,
    /// Its project has ended.
    Archived,
    /// Nobody says.
    Unknown,
}

impl State {
    /// The word as in the facts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Removed => "removed",
            Self::Archived => "archived",
            Self::Unknown => "unknown",
        }
    }
}

/// States by release.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LifecycleFacts {
    /// The state today.
    pub state: Spanned<State>,
    /// The first release that has it, or `unknown`.
    pub since: Option<Spanned<Word>>,
    /// The release that advised against it.
    pub deprecated: Option<Spanned<Word>>,
    /// The first release without it; a release that is not out yet makes it a plan.
    pub removed: Option<Spanned<Word>>,
    /// What took its place.
    #[serde(default)]
    pub replaced_by: Vec<Spanned<Id>>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// One kind of row that is printed for a component.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ListingFacts {
    /// The kind of the object that its author made: Deployment, DaemonSet, StaticPod, Service … Names of the Pods follow from it.
    pub kind: Spanned<String>,
    /// The object's name, with variable parts: `metrics-server-v{version}`.
    pub name: Spanned<String>,
    /// Where it lives; leave out if it may live anywhere.
    pub namespace: Option<String>,
    /// The name alone says too little, as `nginx` does: only a row that tells its namespace counts.
    #[serde(default)]
    pub needs_namespace: bool,
    /// Where this row is seen; leave out if anywhere.
    #[serde(default)]
    pub providers: Vec<Spanned<Id>>,
    /// What this row is, if the component has several.
    pub what: Option<LocalText>,
    /// The section of this file's `sections` that explains this row.
    pub section: Option<Spanned<Id>>,
}

/// A smaller thing of a component, with an id of its own: a ConfigMap, a Service.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ComponentSectionFacts {
    /// The name as people write it, such as `ConfigMap coredns`.
    pub name: String,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
    /// May it be deleted? What holds for the component need not hold for it.
    pub removal: Option<Spanned<RemovalFacts>>,
}

/// A smaller thing with an id of its own that is explained in a section of a page.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SectionFacts {
    /// The name as people write it, such as `ConfigMap coredns`.
    pub name: String,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
}

/// May I delete it?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The cluster or its data would be lost.
    Never,
    /// Something puts it back.
    ComesBack,
    /// A feature stops working.
    BreaksFeature,
    /// Nothing happens unless it is used.
    SafeIfUnused,
    /// Nothing happens.
    Safe,
    /// Nobody says.
    Unknown,
}

impl Verdict {
    /// The word as in the facts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::ComesBack => "comes-back",
            Self::BreaksFeature => "breaks-feature",
            Self::SafeIfUnused => "safe-if-unused",
            Self::Safe => "safe",
            Self::Unknown => "unknown",
        }
    }
}

/// What happens when it is deleted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RemovalFacts {
    /// May it be deleted?
    pub verdict: Verdict,
    /// What happens then, as a sentence.
    pub effect: Option<LocalText>,
    /// Who brings it back, as a phrase.
    pub restored_by: Option<LocalText>,
    /// The supported way to be rid of it, as a sentence.
    pub off_switch: Option<LocalText>,
    /// Where a provider differs.
    #[serde(default)]
    pub providers: Ordered<Spanned<Id>, ProviderRemovalFacts>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// What differs at one provider.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderRemovalFacts {
    /// May it be deleted there?
    pub verdict: Verdict,
    /// What happens then, as a sentence.
    pub effect: Option<LocalText>,
    /// Who brings it back, as a phrase.
    pub restored_by: Option<LocalText>,
    /// The supported way to be rid of it, as a sentence.
    pub off_switch: Option<LocalText>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// A directed edge to another component or concept.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RelationFacts {
    /// A verb of the vocabulary.
    pub verb: Spanned<Id>,
    /// The other component or concept.
    pub to: Spanned<Id>,
    /// The port that is used.
    pub port: Option<Word>,
    /// More about it, as a phrase.
    pub what: Option<LocalText>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// The protocol of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Protocol {
    /// TCP
    #[default]
    #[serde(rename = "TCP")]
    Tcp,
    /// UDP
    #[serde(rename = "UDP")]
    Udp,
    /// Both
    #[serde(rename = "TCP/UDP", alias = "UDP/TCP")]
    Both,
    /// SCTP
    #[serde(rename = "SCTP")]
    Sctp,
}

/// A port, or a range of ports.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PortFacts {
    /// `10250` or `30000-32767`.
    pub port: Spanned<Word>,
    /// The protocol. Default: TCP.
    #[serde(default)]
    pub protocol: Protocol,
    /// What it is for, as a phrase.
    pub what: Option<LocalText>,
    /// The first release with it.
    pub since: Option<Spanned<Word>>,
    /// The first release without it.
    pub removed: Option<Spanned<Word>>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// A command-line flag.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FlagFacts {
    /// As it is typed, `--proxy-mode`.
    pub flag: Spanned<String>,
    /// What it does, as a phrase.
    pub what: Option<LocalText>,
    /// The first release with it.
    pub since: Option<Spanned<Word>>,
    /// The release that advised against it.
    pub deprecated: Option<Spanned<Word>>,
    /// The first release without it.
    pub removed: Option<Spanned<Word>>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// Where something was seen, and when somebody looked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EvidenceFacts {
    /// A short title. Default: the address.
    pub title: Option<String>,
    /// The address. An observation may have none.
    pub url: Option<Spanned<String>>,
    /// Seen in a real cluster, documented nowhere.
    #[serde(default)]
    pub observed: bool,
    /// The day on which somebody looked.
    pub checked: Day,
}

/// Whether a provider has something, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// There without asking.
    Default,
    /// There when it is switched on.
    Optional,
    /// Inside another process; no row of its own.
    BuiltIn,
    /// Runs where the user cannot see it.
    Hidden,
    /// Not there.
    None,
    /// Nobody says.
    Unknown,
}

/// How sure a claim is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Read in a primary source, or seen.
    #[default]
    High,
    /// Inferred from a primary source.
    Medium,
    /// Secondary sources only.
    Low,
}

/// One statement about a provider and a role or a component.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ClaimFacts {
    /// A role of the vocabulary.
    pub role: Option<Spanned<Id>>,
    /// The component that fills it.
    pub component: Option<Spanned<Id>>,
    /// Whether it is there.
    pub presence: Spanned<Presence>,
    /// How it shows up: Deployment, DaemonSet, static Pod …
    pub form: Option<String>,
    /// The first version of the provider's own with it; free text.
    pub since: Option<Word>,
    /// The last version with it; free text.
    pub until: Option<Word>,
    /// What the other fields do not say, as a sentence.
    pub what: Option<LocalText>,
    /// How sure this is. Default: high.
    #[serde(default)]
    pub confidence: Confidence,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// `content/vocabulary.yaml`: the words of a knowledge base. The program knows none of them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VocabularyFacts {
    /// What the components are parts of, for example `Kubernetes`.
    pub platform: Option<String>,
    /// Parts of the system, in the order in which they are shown.
    #[serde(default)]
    pub areas: Ordered<Spanned<Id>, Spanned<AreaFacts>>,
    /// Jobs that several components can fill: the rows of the comparison.
    #[serde(default)]
    pub roles: Ordered<Spanned<Id>, Spanned<RoleFacts>>,
    /// What a component can do to another.
    #[serde(default)]
    pub verbs: Ordered<Spanned<Id>, VerbFacts>,
    /// Kinds of providers.
    #[serde(default)]
    pub provider_kinds: Ordered<Spanned<Id>, Spanned<ProviderKindFacts>>,
    /// Releases of the platform, oldest first.
    #[serde(default)]
    pub releases: Vec<Spanned<ReleaseFacts>>,
    /// Abbreviations and what they stand for.
    #[serde(default)]
    pub glossary: BTreeMap<String, LocalText>,
}

/// A part of the system.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaFacts {
    /// One or two letters that mark the area wherever its colour does.
    pub mark: Option<String>,
    /// Its name.
    pub label: LocalText,
    /// What belongs to it, as a sentence.
    pub what: Option<LocalText>,
}

/// A job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RoleFacts {
    /// Its name.
    pub label: LocalText,
    /// What it does, as a sentence.
    pub what: Option<LocalText>,
}

/// A kind of provider.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderKindFacts {
    /// Its name.
    pub label: LocalText,
}

/// What a component can do to another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VerbFacts {
    /// As seen from the one that acts.
    pub label: LocalText,
    /// As seen from the other.
    pub inverse: LocalText,
    /// Whether a circle of this verb is a mistake, as for "is part of".
    #[serde(default)]
    pub acyclic: bool,
}

/// A release of the platform.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ReleaseFacts {
    /// Its name, `1.37`.
    pub release: Spanned<Word>,
    /// The day it came out; one without is planned.
    pub date: Option<Spanned<Day>>,
}

/// The front matter of a page.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FrontMatter {
    /// The title. Default: the name in the facts, else the first heading.
    pub title: Option<String>,
    /// What the page is about, in one sentence.
    pub summary: Option<String>,
    /// The place among its neighbours; smaller is earlier. Default: after those that have one, by title.
    pub order: Option<i64>,
    /// Addresses under which the page was known before.
    #[serde(default)]
    pub aliases: Vec<Spanned<String>>,
    /// In a translation: the hash of each section of the original that it translates. Written by `ksys-docs stamp`.
    #[serde(default)]
    pub translates: BTreeMap<String, Spanned<Word>>,
}

/// `templates/strings/<language>.yaml`: the words of the user interface, by key.
pub type StringsFacts = BTreeMap<String, Spanned<String>>;
