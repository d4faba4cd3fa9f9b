//! All facts of one component or concept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    SCHEMA_VERSION, Source, address,
    fields::{FieldOut, fields},
    page_url,
    settings::{FlagOut, KnownNamesOut, PortOut, flag, known_names, port},
    source, sources,
    values::{Texts, ids, release, texts},
};
use crate::{
    facts::{Confidence, LifecycleState, Presence, Verdict},
    id::Id,
    kb::{Claim, Component, Evidence, Kb, Lifecycle, Listing, Relation, Removal, RemovalCase, Since},
    listing::Controller,
    render::{claims::claims_of, node_facts::NodeFacts},
};

/// All facts of a component or concept.
#[derive(Serialize, JsonSchema)]
pub(super) struct Detail<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id.
    id: &'a str,
    /// The kind of the entry.
    #[schemars(extend("enum" = ["component", "concept"]))]
    kind: &'static str,
    /// The name, by language.
    name: BTreeMap<&'a str, String>,
    /// The summary in one sentence, by language; languages without a text are left out.
    summary: Texts<'a>,
    /// The URL of the page in the default language; absolute if `site-url` is an absolute URL.
    url: String,
    /// The address in each language.
    urls: BTreeMap<&'a str, String>,
    /// The id of the area.
    area: Option<&'a str>,
    /// The id of the place where it runs.
    place: Option<&'a str>,
    /// Ids of the roles that it can have.
    roles: Vec<&'a str>,
    /// Other names that people search for.
    aka: &'a [String],
    /// The values of the site's own fields.
    fields: Vec<FieldOut<'a>>,
    /// The installer, by language.
    installed_by: Texts<'a>,
    /// The lifecycle by release.
    lifecycle: Option<LifecycleOut<'a>>,
    /// Ids of its predecessors.
    replaces: Vec<&'a str>,
    /// The objects that `kubectl` shows for it.
    patterns: Vec<PatternOut<'a>>,
    /// The repositories of its container images, without the registry and the tag; the last parts of the path may be all that is stated.
    images: &'a [String],
    /// The versions that its project supports; null if not stated.
    support: Option<SupportOut<'a>>,
    /// Lines of `kubectl` output that belong to it.
    examples: &'a [String],
    /// Similar lines of `kubectl` output that do not belong to it.
    counter_examples: &'a [String],
    /// What happens when one of its Pods is deleted? Null if it has none.
    restart: Option<RestartOut<'a>>,
    /// Can it be deleted? Null for a concept, or if not stated.
    removal: Option<RemovalOut<'a>>,
    /// The sections with an id on its page.
    sections: Vec<SectionOut<'a>>,
    /// Relations to other components and concepts, in both directions.
    relations: Relations<'a>,
    /// The statements about it of providers.
    providers: Vec<ProviderClaim<'a>>,
    /// Ports it listens on or is reached through.
    ports: Vec<PortOut<'a>>,
    /// Command-line flags worth knowing.
    flags: Vec<FlagOut<'a>>,
    /// Its names outside of listings: alerts, metrics, labels, taints, containers, processes …
    names: Vec<KnownNamesOut<'a>>,
    /// The sources that the keys in `evidence` refer to.
    sources: Vec<Source<'a>>,
}

/// The lifecycle by release.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Lifecycle")]
struct LifecycleOut<'a> {
    /// The current state.
    state: LifecycleState,
    /// The first release that includes it, or `unknown`; null if not stated.
    since: Option<&'a str>,
    /// The release that deprecated it.
    deprecated: Option<&'a str>,
    /// The first release without it; may be a planned release.
    removed: Option<&'a str>,
    /// Ids of its successors.
    replaced_by: Vec<&'a str>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// The versions that a project supports.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Support")]
struct SupportOut<'a> {
    /// The oldest version with support, by the tags of the images; `release` if the versions are the releases of the vocabulary.
    oldest: String,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// A kind of object.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Pattern")]
struct PatternOut<'a> {
    /// The kind of the object that was created; the names of its Pods are derived from it.
    kind: &'a str,
    /// The name; `{version}`, `{number}`, `{hash}`, `{random}`, `{word}` and `{node}` are its variable parts.
    name: &'a str,
    /// The namespace; null means any.
    namespace: Option<&'a str>,
    /// Whether it only matches if the namespace is known.
    needs_namespace: bool,
    /// Ids of the providers that have it; empty means any.
    providers: Vec<&'a str>,
    /// A description of the object, by language.
    what: Texts<'a>,
    /// The section that explains the object, if there is one.
    section: Option<&'a str>,
}

/// The effect of deleting a Pod.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Restart")]
struct RestartOut<'a> {
    /// The controllers that create the Pods; empty if there are none.
    controllers: Vec<ControllerOut>,
    /// What does not work until the new Pod is ready, by language.
    impact: Texts<'a>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// The answer for the Pods of a controller.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Controller")]
struct ControllerOut {
    /// The kind of the controller, or `kubelet`; null for Pods without a controller.
    controller: Option<&'static str>,
    /// Can one of its Pods be deleted?
    verdict: Verdict,
}

/// Can it be deleted?
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Removal")]
struct RemovalOut<'a> {
    /// The general case.
    general: CaseOut<'a>,
    /// The providers that differ.
    providers: Vec<ProviderCaseOut<'a>>,
}

/// The case of a provider.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProviderRemoval")]
struct ProviderCaseOut<'a> {
    /// The id of the provider.
    provider: &'a str,
    /// The case.
    case: CaseOut<'a>,
}

/// The effect of its deletion.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RemovalCase")]
struct CaseOut<'a> {
    /// Can it be deleted?
    verdict: Verdict,
    /// The effect, by language.
    effect: Texts<'a>,
    /// What recreates it, by language.
    restored_by: Texts<'a>,
    /// The supported way to disable or uninstall it, by language.
    disable: Texts<'a>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// A section with an id.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Section")]
struct SectionOut<'a> {
    /// The id.
    id: &'a str,
    /// The display name.
    name: &'a str,
    /// The URL of its explanation.
    url: String,
    /// Other names that people search for.
    aka: &'a [String],
    /// What happens when one of its Pods is deleted? Null if it has none.
    restart: Option<RestartOut<'a>>,
    /// Can it be deleted? Null if not stated.
    removal: Option<RemovalOut<'a>>,
}

/// The relations.
#[derive(Serialize, JsonSchema)]
struct Relations<'a> {
    /// The outgoing relations.
    outgoing: Vec<Outgoing<'a>>,
    /// The incoming relations.
    incoming: Vec<Incoming<'a>>,
}

/// An outgoing relation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OutgoingRelation")]
struct Outgoing<'a> {
    /// The id of a verb of the vocabulary.
    verb: &'a str,
    /// The id of the target.
    to: &'a str,
    /// The port that is used.
    port: Option<&'a str>,
    /// Details, by language.
    what: Texts<'a>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// An incoming relation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "IncomingRelation")]
struct Incoming<'a> {
    /// The id of a verb of the vocabulary.
    verb: &'a str,
    /// The id of the source.
    from: &'a str,
    /// The port that is used.
    port: Option<&'a str>,
    /// Details, by language.
    what: Texts<'a>,
    /// Its evidence; the entries are in the facts of the source.
    sources: Vec<Source<'a>>,
}

/// A statement about it at a provider.
#[derive(Serialize, JsonSchema)]
struct ProviderClaim<'a> {
    /// The id of the provider.
    provider: &'a str,
    /// The id of the role that it has there.
    role: Option<&'a str>,
    /// The presence.
    presence: Presence,
    /// The form, as a phrase.
    form: Option<&'a str>,
    /// The first version of the provider that includes it; free text.
    since: Option<&'a str>,
    /// The last version that includes it; free text.
    until: Option<&'a str>,
    /// Further details, by language.
    what: Texts<'a>,
    /// The confidence.
    confidence: Confidence,
    /// Its evidence; the entries are in the facts of the provider.
    sources: Vec<Source<'a>>,
}

pub(super) fn component<'a>(kb: &'a Kb, component: &'a Component) -> Detail<'a> {
    let mut detail = concept(kb, &component.into());
    detail.roles = ids(&component.roles);
    detail.installed_by = texts(component.installed_by.as_ref());
    detail.patterns = component.listing.iter().map(pattern).collect();
    detail.images = &component.images;
    detail.support = component.support.as_ref().map(|it| SupportOut { oldest: it.oldest.to_string(), evidence: ids(&it.evidence) });
    detail.examples = &component.examples;
    detail.counter_examples = &component.counter_examples;
    detail.restart = restart(component, None);
    detail.removal = component.deletion.removal.as_ref().map(removal);
    detail.ports = component.ports.iter().map(|it| port(kb, it)).collect();
    detail.flags = component.flags.iter().map(|it| flag(kb, it)).collect();
    detail.names = component.names.iter().map(known_names).collect();
    detail.replaces = ids(&component.replaces);
    detail.providers = claims_of(kb, component).map(|(provider, it)| claim(&provider.id, it, &provider.evidence)).collect();
    for section in &mut detail.sections {
        let Some((id, own)) = component.section_deletions.iter().find(|(id, _)| id.as_str() == section.id) else { continue };
        section.restart = restart(component, Some(id));
        section.removal = own.removal.as_ref().map(removal);
    }
    detail
}

/// The facts of a concept, or the facts that a component has in common with a concept.
pub(super) fn concept<'a>(kb: &'a Kb, facts: &NodeFacts<'a>) -> Detail<'a> {
    let path = format!("{}/{}", facts.kind.folder(), facts.id);
    let page = kb.pages.get(path.as_str());
    let languages = || kb.config.languages.iter().map(|language| &language.lang);
    let summary = |lang| page?.texts.get(lang)?.front.summary.as_deref();
    let section = |section: &'a crate::kb::Section| SectionOut {
        id: section.id.as_str(),
        name: &section.name,
        url: super::section_url(kb, &section.id),
        aka: &section.aka,
        restart: None,
        removal: None,
    };
    Detail {
        schema_version: SCHEMA_VERSION,
        id: facts.id.as_str(),
        kind: facts.kind.name(),
        name: languages().map(|lang| (lang.as_str(), kb.name_of(facts.id.as_str(), lang))).collect(),
        summary: languages().filter_map(|lang| Some((lang.as_str(), summary(lang)?))).collect(),
        url: page_url(kb, facts.kind, facts.id),
        urls: languages().map(|lang| (lang.as_str(), address(kb, &path, lang))).collect(),
        area: facts.area.map(Id::as_str),
        place: facts.place.map(Id::as_str),
        roles: Vec::new(),
        aka: facts.aka,
        fields: fields(kb, facts.fields),
        installed_by: Texts::new(),
        lifecycle: facts.lifecycle.map(|it| lifecycle(kb, it)),
        replaces: Vec::new(),
        patterns: Vec::new(),
        examples: &[],
        images: &[],
        support: None,
        counter_examples: &[],
        restart: None,
        removal: None,
        sections: kb.sections_of(facts.kind, facts.id).map(section).collect(),
        relations: Relations {
            outgoing: facts.relations.iter().map(outgoing).collect(),
            incoming: facts.incoming.iter().filter_map(|(from, index)| incoming(kb, from, *index)).collect(),
        },
        providers: Vec::new(),
        ports: Vec::new(),
        flags: Vec::new(),
        names: Vec::new(),
        sources: facts.evidence.iter().map(source).collect(),
    }
}

fn lifecycle<'a>(kb: &'a Kb, it: &'a Lifecycle) -> LifecycleOut<'a> {
    LifecycleOut {
        state: it.state,
        since: match it.since {
            Some(Since::Release(since)) => release(kb, Some(since)),
            Some(Since::Unknown) => Some("unknown"),
            None => None,
        },
        deprecated: release(kb, it.deprecated),
        removed: release(kb, it.removed),
        replaced_by: ids(&it.replaced_by),
        evidence: ids(&it.evidence),
    }
}

fn pattern(it: &Listing) -> PatternOut<'_> {
    PatternOut {
        kind: &it.kind,
        name: &it.name,
        namespace: it.namespace.as_deref(),
        needs_namespace: it.needs_namespace,
        providers: ids(&it.providers),
        what: texts(it.what.as_ref()),
        section: it.section.as_ref().map(Id::as_str),
    }
}

fn restart<'a>(component: &'a Component, section: Option<&Id>) -> Option<RestartOut<'a>> {
    let facts = component.deletion_of(section).and_then(|deletion| deletion.restart.as_ref());
    let pods = component.pod_answers(section).into_iter();
    let controllers: Vec<ControllerOut> =
        pods.map(|(controller, verdict)| ControllerOut { controller: controller.map(Controller::name), verdict }).collect();
    (facts.is_some() || !controllers.is_empty()).then(|| RestartOut {
        controllers,
        impact: texts(facts.and_then(|facts| facts.impact.as_ref())),
        evidence: facts.map(|facts| ids(&facts.evidence)).unwrap_or_default(),
    })
}

fn removal(it: &Removal) -> RemovalOut<'_> {
    let providers = it.providers.iter().map(|(provider, it)| ProviderCaseOut { provider: provider.as_str(), case: case(it) });
    RemovalOut { general: case(&it.general), providers: providers.collect() }
}

fn case(it: &RemovalCase) -> CaseOut<'_> {
    CaseOut {
        verdict: it.verdict,
        effect: texts(it.effect.as_ref()),
        restored_by: texts(it.restored_by.as_ref()),
        disable: texts(it.disable.as_ref()),
        evidence: ids(&it.evidence),
    }
}

fn outgoing(it: &Relation) -> Outgoing<'_> {
    Outgoing {
        verb: it.verb.as_str(),
        to: it.to.as_str(),
        port: it.port.as_deref(),
        what: texts(it.what.as_ref()),
        evidence: ids(&it.evidence),
    }
}

fn incoming<'a>(kb: &'a Kb, from: &'a Id, index: usize) -> Option<Incoming<'a>> {
    let (relations, evidence) = kb.relations_of(from);
    let it = relations.get(index)?;
    Some(Incoming {
        verb: it.verb.as_str(),
        from: from.as_str(),
        port: it.port.as_deref(),
        what: texts(it.what.as_ref()),
        sources: sources(&it.evidence, evidence),
    })
}

fn claim<'a>(provider: &'a Id, it: &'a Claim, evidence: &'a [Evidence]) -> ProviderClaim<'a> {
    ProviderClaim {
        provider: provider.as_str(),
        role: it.role.as_ref().map(Id::as_str),
        presence: it.presence,
        form: it.form.as_deref(),
        since: it.since.as_deref(),
        until: it.until.as_deref(),
        what: texts(it.what.as_ref()),
        confidence: it.confidence,
        sources: sources(&it.evidence, evidence),
    }
}
