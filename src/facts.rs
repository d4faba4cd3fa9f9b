//! The file formats of `facts.yaml`, `versions.yaml`, `vocabulary.yaml`, `diagrams.yaml` and front matter.
//!
//! These types define the syntax only; [`crate::kb`] has the checked values. JSON Schemas are generated from them, so their doc comments are the descriptions that
//! editors show to contributors.

mod fields;
mod values;
mod versions;
mod vocabulary;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

pub use fields::{FieldFacts, FieldOwner, FieldPlace, FieldType, FieldValueFacts, FieldValues};
pub use values::{Confidence, Day, KnownNameKind, LifecycleState, Presence, RawScalar, Verdict};
pub use versions::{VersionFacts, VersionKind, VersionSourceFacts, VersionsFacts};
pub use vocabulary::{
    AreaFacts, PlaceFacts, ProviderKindFacts, ReleaseFacts, RoleFacts, SynonymsFacts, TermFacts, TermsFacts, VerbFacts, VocabularyFacts,
    WordFacts, WordsFacts,
};

use crate::{
    decode::{Ordered, Spanned},
    id::{Id, Lang},
};

/// A text by language: `{en: …, ja: …}`.
pub type LocalText = Spanned<BTreeMap<Lang, String>>;

/// References to entries of the file's `evidence` map.
pub type EvidenceKeys = Vec<Spanned<Id>>;

/// `content/components/<id>/facts.yaml`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ComponentFacts {
    /// The display name.
    pub name: Spanned<String>,
    /// The area, an id of the vocabulary.
    pub area: Spanned<Id>,
    /// The place where it runs, an id of the vocabulary.
    pub place: Option<Spanned<Id>>,
    /// The roles that it can have, ids of the vocabulary.
    #[serde(default)]
    pub roles: Vec<Spanned<Id>>,
    /// Other names that people search for, former ones included.
    #[serde(default)]
    pub aka: Vec<String>,
    /// The lifecycle by release.
    pub lifecycle: Option<LifecycleFacts>,
    /// The installer, as a noun phrase. Code is written in backticks.
    pub installed_by: Option<LocalText>,
    /// The objects that `kubectl` shows for it.
    #[serde(default)]
    pub listing: Vec<Spanned<ListingFacts>>,
    /// Lines of `kubectl` output, logs and events that must be recognised as this component.
    #[serde(default)]
    pub examples: Vec<Spanned<String>>,
    /// Lines of `kubectl` output, logs and events that must not be recognised as this component.
    #[serde(default)]
    pub not: Vec<Spanned<String>>,
    /// The repositories of its container images, without the registry and the tag: `coredns/coredns`. The last parts of the path are enough. Images of
    /// sidecars that other components use, too, belong to the component that they come from.
    #[serde(default)]
    pub images: Vec<Spanned<String>>,
    /// The versions that its project supports.
    pub support: Option<SupportFacts>,
    /// What happens when one of its Pods is deleted?
    pub restart: Option<Spanned<RestartFacts>>,
    /// What happens when it is deleted itself?
    pub removal: Option<Spanned<RemovalFacts>>,
    /// Its relations to other components and concepts. The inverse direction is derived.
    #[serde(default)]
    pub relations: Vec<Spanned<RelationFacts>>,
    /// Ports it listens on or is reached through.
    #[serde(default)]
    pub ports: Vec<Spanned<PortFacts>>,
    /// Command-line flags worth knowing.
    #[serde(default)]
    pub flags: Vec<Spanned<FlagFacts>>,
    /// Its names outside of listings: alerts, metrics, labels, taints, containers, processes … Names of images are in `images`.
    #[serde(default)]
    pub names: Vec<Spanned<KnownNameFacts>>,
    /// The values of this site's own fields, which `vocabulary.yaml` declares.
    #[serde(default)]
    pub fields: FieldValues,
    /// Parts with their own id, such as a ConfigMap, a Service or an API. The page has a heading with each id.
    #[serde(default)]
    pub sections: Ordered<Spanned<Id>, ComponentSectionFacts>,
    /// The sources of the statements in this file, by key.
    #[serde(default)]
    pub evidence: Ordered<Spanned<Id>, EvidenceFacts>,
}

/// `content/concepts/<id>/facts.yaml`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ConceptFacts {
    /// The area, an id of the vocabulary.
    pub area: Option<Spanned<Id>>,
    /// The place where it is, an id of the vocabulary.
    pub place: Option<Spanned<Id>>,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
    /// The lifecycle by release.
    pub lifecycle: Option<LifecycleFacts>,
    /// Its relations to components and concepts.
    #[serde(default)]
    pub relations: Vec<Spanned<RelationFacts>>,
    /// The values of this site's own fields, which `vocabulary.yaml` declares.
    #[serde(default)]
    pub fields: FieldValues,
    /// Parts with their own id, such as a ConfigMap, a Service or an API. The page has a heading with each id.
    #[serde(default)]
    pub sections: Ordered<Spanned<Id>, SectionFacts>,
    /// The sources of the statements in this file and its pages, by key.
    #[serde(default)]
    pub evidence: Ordered<Spanned<Id>, EvidenceFacts>,
}

/// `content/providers/<id>/facts.yaml`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderFacts {
    /// The display name.
    pub name: Spanned<String>,
    /// A provider kind of the vocabulary.
    pub kind: Spanned<Id>,
    /// The vendor.
    pub vendor: Option<String>,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
    /// Texts that only appear in output from its systems, such as a part of a version (`-gke.`), of a host name or of a registry. They identify it.
    #[serde(default)]
    pub marks: Vec<Spanned<String>>,
    /// Texts that never appear in output from its systems, in the syntax of `marks`, such as a name of another system that has the same components. They exclude
    /// it.
    #[serde(default)]
    pub unlike: Vec<Spanned<String>>,
    /// The names of the Nodes that run its static Pods, in the syntax of names in `listing` (`{node}-control-plane`). A static Pod on any other Node excludes it.
    #[serde(default)]
    pub static_pod_nodes: Vec<Spanned<String>>,
    /// The statements about what it includes.
    #[serde(default)]
    pub claims: Vec<Spanned<ClaimFacts>>,
    /// The values of this site's own fields, which `vocabulary.yaml` declares.
    #[serde(default)]
    pub fields: FieldValues,
    /// Parts with their own id, such as a ConfigMap, a Service or an API. The page has a heading with each id.
    #[serde(default)]
    pub sections: Ordered<Spanned<Id>, SectionFacts>,
    /// The sources of the statements, by key.
    #[serde(default)]
    pub evidence: Ordered<Spanned<Id>, EvidenceFacts>,
}

/// The lifecycle by release.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LifecycleFacts {
    /// The current state.
    pub state: Spanned<LifecycleState>,
    /// The first release that includes it, or `unknown`.
    pub since: Option<Spanned<RawScalar>>,
    /// The release that deprecated it.
    pub deprecated: Option<Spanned<RawScalar>>,
    /// The first release without it; may be a planned release.
    pub removed: Option<Spanned<RawScalar>>,
    /// Its successors.
    #[serde(default)]
    pub replaced_by: Vec<Spanned<Id>>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// The versions of a component that its project supports, by the tags of its images.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SupportFacts {
    /// The oldest version that gets fixes, `1.17`; or `release`, if its versions are the releases of the vocabulary, with their ends of support.
    pub oldest: Spanned<RawScalar>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// An object that `kubectl` shows for a component.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ListingFacts {
    /// The kind of the object that was created: Deployment, DaemonSet, StaticPod, Service … The names of its Pods are derived from it.
    pub kind: Spanned<String>,
    /// The object's name, with variable parts: `metrics-server-v{version}`.
    pub name: Spanned<String>,
    /// The namespace. Default: any.
    pub namespace: Option<String>,
    /// The name alone is ambiguous, such as `nginx`: it only matches if the namespace is known.
    #[serde(default)]
    pub needs_namespace: bool,
    /// The providers that have it. Default: any.
    #[serde(default)]
    pub providers: Vec<Spanned<Id>>,
    /// A description of the object, if the component has several.
    pub what: Option<LocalText>,
    /// The section of this file's `sections` that explains the object.
    pub section: Option<Spanned<Id>>,
}

/// A part of a component that has its own id and a section on the page, such as a ConfigMap or a Service.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ComponentSectionFacts {
    /// The display name, such as `ConfigMap coredns`.
    pub name: String,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
    /// What happens when one of its Pods is deleted?
    pub restart: Option<Spanned<RestartFacts>>,
    /// What happens when it is deleted itself? The verdict can differ from that of the component.
    pub removal: Option<Spanned<RemovalFacts>>,
}

/// A part of the subject of a page that has its own id and a section on the page.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct SectionFacts {
    /// The display name, such as `ConfigMap coredns`.
    pub name: String,
    /// Other names that people search for.
    #[serde(default)]
    pub aka: Vec<String>,
}

/// The effect of the deletion of a Pod. What recreates the Pod follows from the kind of the object in `listing`: a ReplicaSet, a DaemonSet, the kubelet …
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RestartFacts {
    /// Can a Pod be deleted? Default: what follows from the kind, for example `comes-back` for the Pods of a Deployment.
    pub verdict: Option<Verdict>,
    /// What does not work until the new Pod is ready, in one or two sentences. Code is written in backticks.
    pub impact: Option<LocalText>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// The effect of the deletion of the object itself: the workload, the ConfigMap, the Service … For its Pods, see `restart`.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RemovalFacts {
    /// Can it be deleted?
    pub verdict: Verdict,
    /// The effect, in one to three sentences. Code is written in backticks.
    pub effect: Option<LocalText>,
    /// What recreates it, as a noun phrase. Code is written in backticks.
    pub restored_by: Option<LocalText>,
    /// The supported way to disable or uninstall it, in one to three sentences. Code is written in backticks.
    pub disable: Option<LocalText>,
    /// The providers that differ.
    #[serde(default)]
    pub providers: Ordered<Spanned<Id>, ProviderRemovalFacts>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// The case of a provider.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderRemovalFacts {
    /// Can it be deleted there?
    pub verdict: Verdict,
    /// The effect, in one to three sentences. Code is written in backticks.
    pub effect: Option<LocalText>,
    /// What recreates it, as a noun phrase. Code is written in backticks.
    pub restored_by: Option<LocalText>,
    /// The supported way to disable or uninstall it, in one to three sentences. Code is written in backticks.
    pub disable: Option<LocalText>,
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
    /// Details, as a phrase that continues the verb.
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
    /// A protocol of the vocabulary, or several with `/` between them: `TCP/UDP`. Default: the first one of the vocabulary, TCP.
    pub protocol: Option<Spanned<String>>,
    /// The purpose, as a phrase.
    pub what: Option<LocalText>,
    /// The first release that includes it.
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
    /// The flag, such as `--proxy-mode`.
    pub flag: Spanned<String>,
    /// The effect, as a phrase.
    pub what: Option<LocalText>,
    /// The first release that includes it.
    pub since: Option<Spanned<RawScalar>>,
    /// The release that deprecated it.
    pub deprecated: Option<Spanned<RawScalar>>,
    /// The first release without it.
    pub removed: Option<Spanned<RawScalar>>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// Names of one kind that a component has outside of listings.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct KnownNameFacts {
    /// The kind.
    pub kind: KnownNameKind,
    /// The names. One that ends with `_`, `-`, `/`, `.` or `:` is a prefix: `kubeproxy_` means all metrics that begin with it. A message has `…` for each variable
    /// part; it is compared by its words, without case and punctuation.
    pub names: Vec<Spanned<String>>,
    /// What they are, as a phrase.
    pub what: Option<LocalText>,
    /// Keys of the evidence map.
    #[serde(default)]
    pub evidence: EvidenceKeys,
}

/// A source of evidence, and when it was checked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct EvidenceFacts {
    /// A short title. Default: the address.
    pub title: Option<String>,
    /// The URL; optional for an observation.
    pub url: Option<Spanned<String>>,
    /// Observed in a running system and not documented.
    #[serde(default)]
    pub observed: bool,
    /// The date of the last check.
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
    /// The presence.
    pub presence: Spanned<Presence>,
    /// The form: Deployment, DaemonSet, static Pod …
    pub form: Option<String>,
    /// The first version of the provider that includes it; free text.
    pub since: Option<RawScalar>,
    /// The last version that includes it; free text.
    pub until: Option<RawScalar>,
    /// Further details, as a sentence.
    pub what: Option<LocalText>,
    /// The confidence. Default: high.
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
    /// The summary, in one sentence. Start with the category: "CSI driver for Azure Disk".
    pub summary: Option<String>,
    /// Further names in this language: a transcription, a translation, a common name.
    #[serde(default)]
    pub aka: Vec<String>,
    /// Search phrases that do not appear on the page: symptoms, questions, synonyms. Only used by the search.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// Words by which pages are grouped. Each has a page that lists its pages.
    #[serde(default)]
    pub tags: Vec<Spanned<RawScalar>>,
    /// The position among its siblings, in ascending order. Default: after those that have one, by title.
    pub order: Option<i64>,
    /// Whether the page is not published. Default: false.
    #[serde(default)]
    pub draft: bool,
    /// Whether the page is published, but left out of navigation, search, sitemap and lists. Default: false.
    #[serde(default)]
    pub hidden: bool,
    /// Former addresses of the page.
    #[serde(default)]
    pub aliases: Vec<Spanned<String>>,
    /// In a translation: the hash of each section of the original that it translates. Written by `ksys-docs stamp`.
    #[serde(default)]
    pub translates: BTreeMap<String, Spanned<RawScalar>>,
}

/// `templates/strings/<language>.yaml`: the words of the user interface, by key.
pub type StringsFacts = BTreeMap<String, Spanned<String>>;

/// `content/diagrams.yaml`: the diagrams of the architecture page. Their edges are the relations of the facts.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DiagramsFacts {
    /// The diagrams of the architecture page, in order.
    #[serde(default)]
    pub diagrams: Ordered<Spanned<Id>, DiagramFacts>,
    /// The verbs whose relations are drawn in the diagrams of providers. Default: all verbs that are drawn.
    #[serde(default)]
    pub provider_verbs: Vec<Spanned<Id>>,
}

/// A diagram.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DiagramFacts {
    /// The heading.
    pub title: LocalText,
    /// A description, as a sentence.
    pub what: Option<LocalText>,
    /// The components and concepts. Their order is kept within a place, unless the edges require another.
    pub nodes: Vec<Spanned<Id>>,
    /// The verbs whose relations are drawn. Default: all verbs that are drawn.
    #[serde(default)]
    pub verbs: Vec<Spanned<Id>>,
    /// Whether the edges are labelled with their verbs.
    #[serde(default)]
    pub words: bool,
    /// Whether it is also drawn for each release. At most one diagram.
    #[serde(default)]
    pub by_release: bool,
}
