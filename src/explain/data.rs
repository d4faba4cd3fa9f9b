//! The data with which the script of the page explains listings: one file for each language.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Knowledge, StatusSymptom, scale_down::RULES_URL};
use crate::{
    facts::{KnownNameKind, Presence, Verdict, VersionKind},
    id::{Id, Lang},
    kb::{Component, Deletion, Listing, OldestSupported, Provider, ProviderVersions, Release, Removal, RemovalCase, Text, restart_verdict},
    listing::{Controller, Grammar, Tables},
    theme::Strings,
};

/// Facts in one language. Components and providers are referenced by their index in the lists.
#[derive(Debug, Serialize)]
pub struct ExplainData<'a> {
    /// The version of this format; the script rejects any other.
    version: u32,
    lang: &'a str,
    providers: Vec<ProviderData<'a>>,
    components: Vec<ComponentData<'a>>,
    /// The areas: their marks and their names.
    areas: Vec<(&'a str, &'a str)>,
    /// The ends of support of the releases, by their names.
    releases: BTreeMap<&'a str, String>,
    /// The address of the rules by which Pods keep Nodes.
    rules: &'static str,
    /// The names of the roles in the claims of providers.
    roles: BTreeMap<&'a str, &'a str>,
    /// Texts of the result, by the keys of the interface strings without `explain_`.
    words: BTreeMap<&'static str, &'a str>,
    parts: BTreeMap<&'static str, PartData>,
    /// The effect of deleting an object, by the controller that created it: the verdict, a sentence, and whether the object is a Pod.
    controllers: BTreeMap<&'static str, (&'static str, &'a str, bool)>,
    /// The narrowness of literal text.
    literal: usize,
    /// By the kind of an object: the kinds of the rows that follow from it, with the names of the parts that are appended, a dash before each.
    derived: BTreeMap<&'static str, Vec<(&'static str, Vec<&'static str>)>>,
    tables: Tables,
}

/// The version of [`ExplainData`].
const VERSION: u32 = 5;

/// The interface strings that only the result of an explanation needs. The page itself is smaller without them.
const WORDS: &[&str] = &[
    "component",
    "explain_block_budget",
    "explain_block_do_not_disrupt",
    "explain_block_local_storage",
    "explain_block_no_controller",
    "explain_block_not_safe_to_evict",
    "explain_block_system_pod",
    "explain_colon",
    "explain_command",
    "explain_cost_allocatable",
    "explain_cost_line",
    "explain_cost_own",
    "explain_cost_per_node",
    "explain_cost_share",
    "explain_cost_system",
    "explain_cost_templates",
    "explain_cost_without",
    "explain_cpu",
    "explain_memory",
    "explain_memory_limit",
    "explain_node",
    "explain_pods",
    "explain_priority",
    "explain_reason",
    "explain_scale_budgets",
    "explain_scale_disabled",
    "explain_scale_line",
    "explain_scale_none",
    "explain_scale_pod",
    "explain_scale_rules",
    "explain_symptom",
    "explain_todo",
    "explain_tolerate_all",
    "explain_unknown",
    "explain_unsupported",
    "explain_updated",
    "explain_version",
    "explain_version_end",
    "explain_version_ok",
    "explain_version_old",
    "explain_version_shipped",
    "explain_version_until",
    "version_kind_cached",
    "version_kind_default",
    "version_kind_observed",
    "version_kind_offered",
    "version_kind_runs",
    "version_kind_upstream",
];

#[derive(Debug, Serialize)]
struct PartData {
    whole: String,
    beginning: String,
    narrowness: usize,
}

#[derive(Debug, Serialize)]
struct ProviderData<'a> {
    id: &'a str,
    name: &'a str,
    marks: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unlike: &'a [String],
    /// The names of the Nodes that run its static Pods.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nodes: Vec<&'a str>,
    claims: Vec<ClaimData<'a>>,
    /// The newest versions of components by line of releases, and the number of the component.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    shipped: BTreeMap<&'a str, ShippedData<'a>>,
}

/// The versions of components in a line of releases, by the numbers of the components.
type ShippedData<'a> = BTreeMap<usize, Vec<(VersionKind, &'a str)>>;

/// A claim, as an array: `[role, component, presence, form, usual]`.
#[derive(Debug, Serialize)]
struct ClaimData<'a>(Option<&'a str>, Option<usize>, Presence, Option<&'a str>, bool);

#[derive(Debug, Serialize)]
struct ComponentData<'a> {
    id: &'a str,
    name: &'a str,
    area: usize,
    summary: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    installed_by: &'a str,
    /// The lifecycle state, if it is deprecated, removed or archived.
    #[serde(skip_serializing_if = "Option::is_none")]
    outdated: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    replaced_by: Vec<SuccessorData<'a>>,
    #[serde(skip_serializing_if = "DeletionData::is_empty")]
    deletion: DeletionData<'a>,
    /// The same of its sections, by their ids.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sections: BTreeMap<&'a str, DeletionData<'a>>,
    listing: Vec<ListingData<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    images: &'a [String],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<KnownNamesData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<SupportData<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    symptoms: Vec<SymptomData<'a>>,
}

/// Names outside of listings, as an array: the kind of their rows; the names and prefixes; what they are; whether they are recognized in any text; for messages, the
/// symptom that quotes one of them, and what to do.
#[derive(Debug, Serialize)]
struct KnownNamesData<'a>(
    &'static str,
    &'a [String],
    &'a str,
    bool,
    #[serde(skip_serializing_if = "Option::is_none")] Option<(&'a str, &'a str)>,
);

/// The oldest supported version in numbers, or that each release has its own end of support.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SupportData<'a> {
    Version(&'a [u32]),
    Release(&'static str),
}

/// A symptom that the status of an object can show, as an array: for each trouble, how well it fits (0 is best); its code; the symptom; what to do.
#[derive(Debug, Serialize)]
struct SymptomData<'a>(BTreeMap<&'static str, usize>, Vec<&'a str>, &'a str, &'a str);

/// A successor of a component: the index of a component, or the id of a concept.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum SuccessorData<'a> {
    Component(usize),
    Other(&'a str),
}

/// The effects of deleting a Pod and the object itself.
#[derive(Debug, Default, Serialize)]
struct DeletionData<'a> {
    /// The stated verdict for Pods, if there is one, and the impact.
    #[serde(skip_serializing_if = "Option::is_none")]
    restart: Option<(Option<&'static str>, &'a str)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removal: Option<RemovalData<'a>>,
}

impl DeletionData<'_> {
    const fn is_empty(&self) -> bool {
        self.restart.is_none() && self.removal.is_none()
    }
}

/// The removal in general, and by provider where it differs.
#[derive(Debug, Serialize)]
struct RemovalData<'a>(CaseData<'a>, BTreeMap<&'a str, CaseData<'a>>);

#[derive(Debug, Serialize)]
struct CaseData<'a>(&'static str, &'a str);

/// A pattern, as an array: `[kind, name, namespace, needs namespace, providers, section, what]`.
#[derive(Debug, Serialize)]
struct ListingData<'a>(&'a str, &'a str, &'a str, bool, Vec<usize>, &'a str, &'a str);

impl<'a> ExplainData<'a> {
    /// The facts in a language.
    #[must_use]
    pub fn new(knowledge: &'a Knowledge, strings: &'a Strings, lang: &'a Lang) -> Self {
        let grammar = Grammar::new();
        let parts = grammar.parts.into_iter().zip(grammar.beginnings.into_values());
        let parts = parts.map(|((name, (whole, narrowness)), beginning)| (name, PartData { whole, beginning, narrowness }));
        let ids = knowledge.components.ids();
        let numbers = |ids: &[&'a Id]| ids.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        let providers: Vec<&Id> = knowledge.providers.keys().collect();
        let writer = DataBuilder { knowledge, lang, numbers: numbers(&ids), providers: numbers(&providers) };
        let claimed = knowledge.providers.values().flat_map(|provider| &provider.claims).filter_map(|claim| claim.role.as_ref());
        let roles = claimed.filter_map(|id| Some((id.as_str(), knowledge.vocabulary.role(id)?.label.get(lang))));
        Self {
            version: VERSION,
            lang: lang.as_str(),
            providers: knowledge.providers.values().map(|it| writer.provider(it)).collect(),
            components: ids.iter().filter_map(|id| Some(writer.component(knowledge.components.get(id)?))).collect(),
            releases: (knowledge.vocabulary.releases.iter())
                .filter_map(|release| Some((release.name.as_str(), release.end?.0.to_string())))
                .collect(),
            rules: RULES_URL,
            areas: knowledge.vocabulary.areas.iter().map(|area| (area.mark.as_str(), area.label.get(lang))).collect(),
            roles: roles.collect(),
            words: WORDS.iter().map(|key| (key.strip_prefix("explain_").unwrap_or(key), strings.get(key))).collect(),
            parts: parts.collect(),
            controllers: Controller::ALL
                .iter()
                .map(|it| (it.name(), (restart_verdict(*it, None).name(), strings.recreation(*it), it.has_pods())))
                .collect(),
            literal: grammar.literal,
            derived: grammar.kinds,
            tables: Tables,
        }
    }
}

struct DataBuilder<'a> {
    knowledge: &'a Knowledge,
    lang: &'a Lang,
    numbers: BTreeMap<&'a Id, usize>,
    providers: BTreeMap<&'a Id, usize>,
}

impl<'a> DataBuilder<'a> {
    fn text(&self, text: Option<&'a Text>) -> &'a str {
        text.map_or("", |text| text.get(self.lang))
    }

    fn provider(&self, provider: &'a Provider) -> ProviderData<'a> {
        let claims = provider.claims.iter().map(|claim| {
            let component = claim.component.as_ref().and_then(|id| self.numbers.get(id)).copied();
            ClaimData(claim.role.as_ref().map(Id::as_str), component, claim.presence, claim.form.as_deref(), claim.is_usual())
        });
        ProviderData {
            id: provider.id.as_str(),
            name: &provider.name,
            marks: &provider.marks,
            unlike: &provider.unlike,
            nodes: provider.static_pod_nodes.iter().map(|node| node.name.as_str()).collect(),
            claims: claims.collect(),
            shipped: self.knowledge.versions.get(&provider.id).map(|versions| self.shipped(versions)).unwrap_or_default(),
        }
    }

    /// The versions of components in the releases of a provider.
    fn shipped(&self, versions: &'a ProviderVersions) -> BTreeMap<&'a str, ShippedData<'a>> {
        let in_release = |release: &'a Release| {
            let of = |(id, number): (&&'a Id, &usize)| {
                let found = versions.in_line(id, &release.name).map(|(kind, version)| (kind, version.version.as_str()));
                let mut found: Vec<(VersionKind, &str)> = found.collect();
                found.dedup();
                Some((*number, found)).filter(|(_, found)| !found.is_empty())
            };
            (release.name.as_str(), self.numbers.iter().filter_map(of).collect::<BTreeMap<_, _>>())
        };
        self.knowledge.vocabulary.releases.iter().map(in_release).filter(|(_, components)| !components.is_empty()).collect()
    }

    /// The symptoms that the status of one of the component's objects can show.
    fn symptoms(&self, id: &Id) -> Vec<SymptomData<'a>> {
        let found = self.knowledge.status_symptoms(id, self.lang);
        let data = |found: StatusSymptom<'a>| {
            let ranks = found.ranks.into_iter().map(|(trouble, rank)| (trouble.name(), rank)).collect();
            SymptomData(ranks, found.codes, &found.shown.symptom, &found.shown.action)
        };
        found.into_iter().map(data).collect()
    }

    fn component(&self, component: &'a Component) -> ComponentData<'a> {
        let lifecycle = component.lifecycle.as_ref();
        let replaced_by = lifecycle.into_iter().flat_map(|lifecycle| &lifecycle.replaced_by);
        let successor =
            |id: &'a Id| self.numbers.get(id).map_or(SuccessorData::Other(id.as_str()), |number| SuccessorData::Component(*number));
        ComponentData {
            id: component.id.as_str(),
            name: &component.name,
            area: self.knowledge.vocabulary.area_position(&component.area),
            summary: self.knowledge.summary(&component.id, self.lang),
            installed_by: self.text(component.installed_by.as_ref()),
            outdated: lifecycle.filter(|lifecycle| lifecycle.state.is_over()).map(|lifecycle| lifecycle.state.name()),
            replaced_by: replaced_by.map(successor).collect(),
            deletion: self.deletion(&component.deletion),
            sections: component.section_deletions.iter().map(|(id, deletion)| (id.as_str(), self.deletion(deletion))).collect(),
            listing: component.listing.iter().map(|listing| self.listing(listing)).collect(),
            images: &component.images,
            names: (component.names.iter())
                .map(|it| {
                    let symptom = (it.kind == KnownNameKind::Message)
                        .then(|| self.knowledge.symptom_of_messages(&component.id, &it.names, self.lang))
                        .flatten()
                        .map(|symptom| (symptom.symptom.as_str(), symptom.action.as_str()));
                    KnownNamesData(it.kind.row_kind(), &it.names, self.text(it.what.as_ref()), it.kind.is_distinctive(), symptom)
                })
                .collect(),
            support: component.support.as_ref().map(|support| match &support.oldest {
                OldestSupported::Version(numbers) => SupportData::Version(numbers),
                OldestSupported::Release => SupportData::Release("release"),
            }),
            symptoms: self.symptoms(&component.id),
        }
    }

    fn deletion(&self, deletion: &'a Deletion) -> DeletionData<'a> {
        DeletionData {
            restart: deletion.restart.as_ref().map(|it| (it.verdict.map(Verdict::name), self.text(it.impact.as_ref()))),
            removal: deletion.removal.as_ref().map(|removal| self.removal(removal)),
        }
    }

    fn removal(&self, removal: &'a Removal) -> RemovalData<'a> {
        let case = |case: &'a RemovalCase| CaseData(case.verdict.name(), self.text(case.restored_by.as_ref()));
        RemovalData(case(&removal.general), removal.providers.iter().map(|(id, at)| (id.as_str(), case(at))).collect())
    }

    fn listing(&self, listing: &'a Listing) -> ListingData<'a> {
        ListingData(
            &listing.kind,
            &listing.name,
            listing.namespace.as_deref().unwrap_or_default(),
            listing.needs_namespace,
            listing.providers.iter().filter_map(|id| self.providers.get(id)).copied().collect(),
            listing.section.as_ref().map_or("", Id::as_str),
            self.knowledge.what_of_listing(listing, self.lang),
        )
    }
}
