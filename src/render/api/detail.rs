//! Everything that is known of one component or concept.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::{SCHEMA_VERSION, Source, address, page_url, source, sources};
use crate::{
    facts::{Confidence, LifecycleState, Presence, Protocol, Verdict},
    id::Id,
    kb::{Claim, Component, Evidence, Flag, Kb, Lifecycle, Listing, Port, Relation, ReleaseIndex, Removal, RemovalCase, Since, Text},
    render::{claims::claims_of, node_facts::NodeFacts},
};

/// A text by language.
type Texts<'a> = BTreeMap<&'a str, &'a str>;

/// Everything that is known of one component or concept.
#[derive(Serialize, JsonSchema)]
pub(super) struct Detail<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id.
    id: &'a str,
    /// What it is.
    #[schemars(extend("enum" = ["component", "concept"]))]
    kind: &'static str,
    /// Its name, by language.
    name: BTreeMap<&'a str, String>,
    /// What it is in one sentence, by language; a language without a text is left out.
    summary: Texts<'a>,
    /// The address of its page in the site's first language; absolute if the site knows its own address.
    url: String,
    /// The address in each language.
    urls: BTreeMap<&'a str, String>,
    /// The id of the part of the system that it belongs to.
    area: Option<&'a str>,
    /// The id of the place where it runs.
    place: Option<&'a str>,
    /// Ids of the jobs it can fill.
    roles: Vec<&'a str>,
    /// Other names that people search for.
    aka: &'a [String],
    /// Who put it into the cluster, by language.
    installed_by: Texts<'a>,
    /// Its states by release.
    lifecycle: Option<LifecycleOut<'a>>,
    /// Ids of what it took the place of.
    replaces: Vec<&'a str>,
    /// Every kind of row that is printed for it.
    patterns: Vec<PatternOut<'a>>,
    /// Printed rows that are its own.
    examples: &'a [String],
    /// Printed rows that look similar and are not.
    counter_examples: &'a [String],
    /// May it be deleted? Null for a concept, and where nobody has said.
    removal: Option<RemovalOut<'a>>,
    /// Smaller things that are explained on its page.
    sections: Vec<SectionOut<'a>>,
    /// What it has to do with others, in both directions.
    relations: Relations<'a>,
    /// What providers say of it.
    providers: Vec<ProviderClaim<'a>>,
    /// Ports it listens on or is reached through.
    ports: Vec<PortOut<'a>>,
    /// Command-line flags worth knowing.
    flags: Vec<FlagOut<'a>>,
    /// What the keys in `evidence` stand for.
    sources: Vec<Source<'a>>,
}

/// States by release.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Lifecycle")]
struct LifecycleOut<'a> {
    /// The state today.
    state: LifecycleState,
    /// The first release that has it, or `unknown`; null where the facts say nothing.
    since: Option<&'a str>,
    /// The release that advised against it.
    deprecated: Option<&'a str>,
    /// The first release without it; it may be one that is only planned.
    removed: Option<&'a str>,
    /// Ids of what took its place.
    replaced_by: Vec<&'a str>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// A kind of row.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Pattern")]
struct PatternOut<'a> {
    /// The kind of the object that its author made; names of Pods follow from it.
    kind: &'a str,
    /// The name, with `{version}`, `{number}`, `{hash}`, `{random}`, `{word}` and `{node}` for what varies.
    name: &'a str,
    /// Where it lives; null means anywhere.
    namespace: Option<&'a str>,
    /// Whether only rows count that tell their namespace.
    needs_namespace: bool,
    /// Ids of the providers where such rows are seen; empty means anywhere.
    providers: Vec<&'a str>,
    /// What this row is, by language.
    what: Texts<'a>,
    /// The section that explains the row, if one does.
    section: Option<&'a str>,
}

/// May it be deleted?
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Removal")]
struct RemovalOut<'a> {
    /// What holds where no provider differs.
    general: CaseOut<'a>,
    /// Where a provider differs.
    providers: Vec<ProviderCaseOut<'a>>,
}

/// What differs at a provider.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProviderRemoval")]
struct ProviderCaseOut<'a> {
    /// The id of the provider.
    provider: &'a str,
    /// What holds there.
    case: CaseOut<'a>,
}

/// What happens when it is deleted.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RemovalCase")]
struct CaseOut<'a> {
    /// May it be deleted?
    verdict: Verdict,
    /// What happens then, by language.
    effect: Texts<'a>,
    /// Who brings it back, by language.
    restored_by: Texts<'a>,
    /// The supported way to be rid of it, by language.
    off_switch: Texts<'a>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// A smaller thing with an id of its own.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Section")]
struct SectionOut<'a> {
    /// The id.
    id: &'a str,
    /// The name as people write it.
    name: &'a str,
    /// The address of what explains it.
    url: String,
    /// Other names that people search for.
    aka: &'a [String],
    /// May it be deleted? Null where nobody has said.
    removal: Option<RemovalOut<'a>>,
}

/// What it has to do with others.
#[derive(Serialize, JsonSchema)]
struct Relations<'a> {
    /// What it does to others.
    outgoing: Vec<Outgoing<'a>>,
    /// What others do to it.
    incoming: Vec<Incoming<'a>>,
}

/// Something that it does to another.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OutgoingRelation")]
struct Outgoing<'a> {
    /// The id of a verb of the vocabulary.
    verb: &'a str,
    /// The id of the other.
    to: &'a str,
    /// The port that is used.
    port: Option<&'a str>,
    /// More about it, by language.
    what: Texts<'a>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// Something that another does to it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "IncomingRelation")]
struct Incoming<'a> {
    /// The id of a verb of the vocabulary.
    verb: &'a str,
    /// The id of the one that acts.
    from: &'a str,
    /// The port that is used.
    port: Option<&'a str>,
    /// More about it, by language.
    what: Texts<'a>,
    /// Where it was seen; the evidence stands in the file of the one that acts.
    sources: Vec<Source<'a>>,
}

/// What a provider says of it.
#[derive(Serialize, JsonSchema)]
struct ProviderClaim<'a> {
    /// The id of the provider.
    provider: &'a str,
    /// The id of the job that it does there.
    role: Option<&'a str>,
    /// Whether it is there.
    presence: Presence,
    /// How it shows up, as a phrase.
    form: Option<&'a str>,
    /// The first version of the provider's own with it; free text.
    since: Option<&'a str>,
    /// The last version with it; free text.
    until: Option<&'a str>,
    /// What the other fields do not say, by language.
    what: Texts<'a>,
    /// How sure this is.
    confidence: Confidence,
    /// Where it was seen; the evidence stands in the file of the provider.
    sources: Vec<Source<'a>>,
}

/// A port, or a range of ports.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Port")]
struct PortOut<'a> {
    /// The port, or the first of the range.
    first: u16,
    /// The last of the range; the same as `first` for a single port.
    last: u16,
    /// The protocols.
    protocols: &'static [&'static str],
    /// What it is for, by language.
    what: Texts<'a>,
    /// The first release with it.
    since: Option<&'a str>,
    /// The first release without it.
    removed: Option<&'a str>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// A command-line flag.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Flag")]
struct FlagOut<'a> {
    /// As it is typed.
    flag: &'a str,
    /// What it does, by language.
    what: Texts<'a>,
    /// The first release with it.
    since: Option<&'a str>,
    /// The release that advised against it.
    deprecated: Option<&'a str>,
    /// The first release without it.
    removed: Option<&'a str>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

pub(super) fn component<'a>(kb: &'a Kb, component: &'a Component) -> Detail<'a> {
    let mut detail = concept(kb, &component.into());
    detail.roles = ids(&component.roles);
    detail.installed_by = texts(component.installed_by.as_ref());
    detail.patterns = component.listing.iter().map(pattern).collect();
    detail.examples = &component.examples;
    detail.counter_examples = &component.counter_examples;
    detail.removal = component.removal.as_ref().map(removal);
    detail.ports = component.ports.iter().map(|it| port(kb, it)).collect();
    detail.flags = component.flags.iter().map(|it| flag(kb, it)).collect();
    detail.replaces = ids(&component.replaces);
    detail.providers = claims_of(kb, component).map(|(provider, it)| claim(&provider.id, it, &provider.evidence)).collect();
    for section in &mut detail.sections {
        let own = component.section_removals.iter().find(|(id, _)| id.as_str() == section.id);
        section.removal = own.map(|(_, it)| removal(it));
    }
    detail
}

/// The facts of a concept, or those that a component has in common with one.
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
        installed_by: Texts::new(),
        lifecycle: facts.lifecycle.map(|it| lifecycle(kb, it)),
        replaces: Vec::new(),
        patterns: Vec::new(),
        examples: &[],
        counter_examples: &[],
        removal: None,
        sections: kb.sections_of(facts.kind, facts.id).map(section).collect(),
        relations: Relations {
            outgoing: facts.relations.iter().map(outgoing).collect(),
            incoming: facts.incoming.iter().filter_map(|(from, index)| incoming(kb, from, *index)).collect(),
        },
        providers: Vec::new(),
        ports: Vec::new(),
        flags: Vec::new(),
        sources: facts.evidence.iter().map(source).collect(),
    }
}

fn texts(text: Option<&Text>) -> Texts<'_> {
    text.into_iter().flat_map(Text::iter).map(|(lang, text)| (lang.as_str(), text)).collect()
}

fn ids(ids: &[Id]) -> Vec<&str> {
    ids.iter().map(Id::as_str).collect()
}

fn release(kb: &Kb, release: Option<ReleaseIndex>) -> Option<&str> {
    release.map(|release| kb.vocabulary.release(release).name.as_str())
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

fn removal(it: &Removal) -> RemovalOut<'_> {
    let providers = it.providers.iter().map(|(provider, it)| ProviderCaseOut { provider: provider.as_str(), case: case(it) });
    RemovalOut { general: case(&it.general), providers: providers.collect() }
}

fn case(it: &RemovalCase) -> CaseOut<'_> {
    CaseOut {
        verdict: it.verdict,
        effect: texts(it.effect.as_ref()),
        restored_by: texts(it.restored_by.as_ref()),
        off_switch: texts(it.off_switch.as_ref()),
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

fn port<'a>(kb: &'a Kb, it: &'a Port) -> PortOut<'a> {
    PortOut {
        first: it.first,
        last: it.last,
        protocols: match it.protocol {
            Protocol::Tcp => &["TCP"],
            Protocol::Udp => &["UDP"],
            Protocol::Both => &["TCP", "UDP"],
            Protocol::Sctp => &["SCTP"],
        },
        what: texts(it.what.as_ref()),
        since: release(kb, it.since),
        removed: release(kb, it.removed),
        evidence: ids(&it.evidence),
    }
}

fn flag<'a>(kb: &'a Kb, it: &'a Flag) -> FlagOut<'a> {
    FlagOut {
        flag: &it.flag,
        what: texts(it.what.as_ref()),
        since: release(kb, it.since),
        deprecated: release(kb, it.deprecated),
        removed: release(kb, it.removed),
        evidence: ids(&it.evidence),
    }
}
