//! The file formats of `facts.yaml`, `vocabulary.yaml`, `diagrams.yaml` and front matter.
//!
//! These types define the syntax only; [`crate::kb`] has the checked values. JSON Schemas are generated from them, so their doc comments are the descriptions that
//! editors show to contributors.

mod values;
mod vocabulary;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub use values::{Confidence, Day, LifecycleState, Presence, Protocol, RawScalar, Verdict};
pub use vocabulary::{
    AreaFacts, PlaceFacts, ProviderKindFacts, ReleaseFacts, RoleFacts, TermFacts, TermsFacts, VerbFacts, VocabularyFacts,
};

use crate::{
    decode::{Ordered, Spanned},
    id::{Id, Lang},
};

/// A text for readers, by language: `{en: …, ja: …}`.
pub type LocalText = Spanned<BTreeMap<Lang, String>>;

/// References to entries of the file's `evidence` map.
pub type EvidenceKeys = Vec<Spanned<Id>>;

/// `content/components/<id>/facts.yaml`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ComponentFacts {
    /// The name as people write it.
    pub name: Spanned<String>,
    /// The part of the system it belongs to: an area of the vocabulary.
    pub area: Spanned<Id>,
    /// Where it runs: a place of the vocabulary.
    pub place: Option<Spanned<Id>>,
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
    /// Where it is found: a place of the vocabulary.
    pub place: Option<Spanned<Id>>,
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
    /// Texts that only listings of its clusters contain: a part of a version (`-gke.`), of a Node's name, of a registry.
    #[serde(default)]
    pub marks: Vec<Spanned<String>>,
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

/// States by release.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LifecycleFacts {
    /// The state today.
    pub state: Spanned<LifecycleState>,
    /// The first release that has it, or `unknown`.
    pub since: Option<Spanned<RawScalar>>,
    /// The release that advised against it.
    pub deprecated: Option<Spanned<RawScalar>>,
    /// The first release without it; a release that is not out yet makes it a plan.
    pub removed: Option<Spanned<RawScalar>>,
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
    pub port: Option<RawScalar>,
    /// More about it, as a phrase.
    pub what: Option<LocalText>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// A port, or a range of ports.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PortFacts {
    /// `10250` or `30000-32767`.
    pub port: Spanned<RawScalar>,
    /// The protocol. Default: TCP.
    #[serde(default)]
    pub protocol: Protocol,
    /// What it is for, as a phrase.
    pub what: Option<LocalText>,
    /// The first release with it.
    pub since: Option<Spanned<RawScalar>>,
    /// The first release without it.
    pub removed: Option<Spanned<RawScalar>>,
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
    pub since: Option<Spanned<RawScalar>>,
    /// The release that advised against it.
    pub deprecated: Option<Spanned<RawScalar>>,
    /// The first release without it.
    pub removed: Option<Spanned<RawScalar>>,
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
    pub checked: Spanned<Day>,
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
    pub since: Option<RawScalar>,
    /// The last version with it; free text.
    pub until: Option<RawScalar>,
    /// What the other fields do not say, as a sentence.
    pub what: Option<LocalText>,
    /// How sure this is. Default: high.
    #[serde(default)]
    pub confidence: Confidence,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// The front matter of a page.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FrontMatter {
    /// The title. Default: the name in the facts, else the first heading.
    pub title: Option<String>,
    /// What the page is about, in one sentence.
    pub summary: Option<String>,
    /// Names that readers of this language also use for it, besides those in the facts: a transcription, a translation, a popular name.
    #[serde(default)]
    pub aka: Vec<String>,
    /// What readers type who look for this page, in words that it does not use itself: symptoms, questions, other words for the same. Only the search sees it.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The place among its neighbours; smaller is earlier. Default: after those that have one, by title.
    pub order: Option<i64>,
    /// Addresses under which the page was known before.
    #[serde(default)]
    pub aliases: Vec<Spanned<String>>,
    /// In a translation: the hash of each section of the original that it translates. Written by `ksys-docs stamp`.
    #[serde(default)]
    pub translates: BTreeMap<String, Spanned<RawScalar>>,
}

/// `templates/strings/<language>.yaml`: the words of the user interface, by key.
pub type StringsFacts = BTreeMap<String, Spanned<String>>;

/// `content/diagrams.yaml`: which things are drawn together. What is drawn between them are their relations.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DiagramsFacts {
    /// The diagrams of the architecture page, in order.
    #[serde(default)]
    pub diagrams: Ordered<Spanned<Id>, DiagramFacts>,
    /// Verbs whose arrows are drawn where a provider's parts are. Default: every verb that is drawn at all.
    #[serde(default)]
    pub provider_verbs: Vec<Spanned<Id>>,
}

/// Things that are drawn together.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DiagramFacts {
    /// Its heading.
    pub title: LocalText,
    /// What it shows, as a sentence.
    pub what: Option<LocalText>,
    /// The components and concepts in it. Between those of one place, the order is kept where arrows do not ask for another.
    pub nodes: Vec<Spanned<Id>>,
    /// Verbs whose arrows are drawn. Default: every verb that is drawn at all.
    #[serde(default)]
    pub verbs: Vec<Spanned<Id>>,
    /// Whether the verbs are written on the arrows.
    #[serde(default)]
    pub words: bool,
    /// Whether it is drawn for every release, each with what existed then. One diagram at most.
    #[serde(default)]
    pub by_release: bool,
}
