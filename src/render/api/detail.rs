//! Everything that is known of one component or concept.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{SCHEMA_VERSION, Source, address, page_url, source};
use crate::{
    facts::Protocol,
    id::Id,
    kb::{
        Claim, Component, Concept, Evidence, Flag, Kb, Lifecycle, Listing, Port, Relation, ReleaseIndex, Removal, RemovalCase, Since, Text,
    },
    layout::EntityKind,
    render::compare::{confidence, presence},
};

/// A text by language.
type Texts<'a> = BTreeMap<&'a str, &'a str>;

/// `components/<id>.json`
#[derive(Serialize)]
pub(super) struct Detail<'a> {
    schema_version: u32,
    id: &'a str,
    /// `component` or `concept`.
    kind: &'static str,
    name: BTreeMap<&'a str, String>,
    summary: Texts<'a>,
    url: String,
    /// The address in each language.
    urls: BTreeMap<&'a str, String>,
    area: Option<&'a str>,
    place: Option<&'a str>,
    roles: Vec<&'a str>,
    aka: &'a [String],
    installed_by: Texts<'a>,
    lifecycle: Option<LifecycleOut<'a>>,
    /// What it took the place of.
    replaces: Vec<&'a str>,
    patterns: Vec<PatternOut<'a>>,
    examples: &'a [String],
    counter_examples: &'a [String],
    removal: Option<RemovalOut<'a>>,
    sections: Vec<SectionOut<'a>>,
    relations: Relations<'a>,
    providers: Vec<ProviderOut<'a>>,
    ports: Vec<PortOut<'a>>,
    flags: Vec<FlagOut<'a>>,
    /// What the keys in `evidence` stand for.
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct LifecycleOut<'a> {
    state: &'static str,
    /// A release, `unknown`, or null where the facts say nothing.
    since: Option<&'a str>,
    deprecated: Option<&'a str>,
    removed: Option<&'a str>,
    replaced_by: Vec<&'a str>,
    evidence: Vec<&'a str>,
}

#[derive(Serialize)]
struct PatternOut<'a> {
    kind: &'a str,
    name: &'a str,
    namespace: Option<&'a str>,
    needs_namespace: bool,
    providers: Vec<&'a str>,
    what: Texts<'a>,
    section: Option<&'a str>,
}

#[derive(Serialize)]
struct RemovalOut<'a> {
    general: CaseOut<'a>,
    /// Where a provider differs.
    providers: Vec<ProviderCaseOut<'a>>,
}

#[derive(Serialize)]
struct ProviderCaseOut<'a> {
    provider: &'a str,
    case: CaseOut<'a>,
}

#[derive(Serialize)]
struct CaseOut<'a> {
    verdict: &'static str,
    effect: Texts<'a>,
    restored_by: Texts<'a>,
    off_switch: Texts<'a>,
    evidence: Vec<&'a str>,
}

#[derive(Serialize)]
struct SectionOut<'a> {
    id: &'a str,
    name: &'a str,
    url: String,
    aka: &'a [String],
    removal: Option<RemovalOut<'a>>,
}

#[derive(Serialize)]
struct Relations<'a> {
    /// What it does to others.
    outgoing: Vec<Outgoing<'a>>,
    /// What others do to it.
    incoming: Vec<Incoming<'a>>,
}

#[derive(Serialize)]
struct Outgoing<'a> {
    verb: &'a str,
    to: &'a str,
    port: Option<&'a str>,
    what: Texts<'a>,
    evidence: Vec<&'a str>,
}

#[derive(Serialize)]
struct Incoming<'a> {
    verb: &'a str,
    from: &'a str,
    port: Option<&'a str>,
    what: Texts<'a>,
    /// The evidence stands in the file of the one that acts.
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct ProviderOut<'a> {
    provider: &'a str,
    role: Option<&'a str>,
    presence: &'static str,
    form: Option<&'a str>,
    since: Option<&'a str>,
    until: Option<&'a str>,
    what: Texts<'a>,
    confidence: &'static str,
    /// The evidence stands in the file of the provider.
    sources: Vec<Source<'a>>,
}

#[derive(Serialize)]
struct PortOut<'a> {
    first: u16,
    /// The same as `first` for a single port.
    last: u16,
    protocols: &'static [&'static str],
    what: Texts<'a>,
    since: Option<&'a str>,
    removed: Option<&'a str>,
    evidence: Vec<&'a str>,
}

#[derive(Serialize)]
struct FlagOut<'a> {
    flag: &'a str,
    what: Texts<'a>,
    since: Option<&'a str>,
    deprecated: Option<&'a str>,
    removed: Option<&'a str>,
    evidence: Vec<&'a str>,
}

/// The parts that a component and a concept share.
struct Common<'a> {
    id: &'a Id,
    kind: EntityKind,
    area: Option<&'a Id>,
    place: Option<&'a Id>,
    aka: &'a [String],
    lifecycle: Option<&'a Lifecycle>,
    relations: &'a [Relation],
    incoming: &'a [(Id, usize)],
    evidence: &'a [Evidence],
}

pub(super) fn component<'a>(kb: &'a Kb, component: &'a Component) -> Detail<'a> {
    let common = Common {
        id: &component.id,
        kind: EntityKind::Component,
        area: Some(&component.area),
        place: component.place.as_ref(),
        aka: &component.aka,
        lifecycle: component.lifecycle.as_ref(),
        relations: &component.relations,
        incoming: &component.incoming,
        evidence: &component.evidence,
    };
    let mut detail = detail(kb, &common);
    detail.roles = ids(&component.roles);
    detail.installed_by = texts(component.installed_by.as_ref());
    detail.patterns = component.listing.iter().map(pattern).collect();
    detail.examples = &component.examples;
    detail.counter_examples = &component.counter_examples;
    detail.removal = component.removal.as_ref().map(removal);
    detail.ports = component.ports.iter().map(|it| port(kb, it)).collect();
    detail.flags = component.flags.iter().map(|it| flag(kb, it)).collect();
    detail.replaces = ids(&component.replaces);
    let claims = component.claims.iter().filter_map(|(id, index)| {
        let provider = kb.providers.get(id)?;
        Some(claim(id, provider.claims.get(*index)?, &provider.evidence))
    });
    detail.providers = claims.collect();
    for section in &mut detail.sections {
        let own = component.section_removals.iter().find(|(id, _)| id.as_str() == section.id);
        section.removal = own.map(|(_, it)| removal(it));
    }
    detail
}

pub(super) fn concept<'a>(kb: &'a Kb, concept: &'a Concept) -> Detail<'a> {
    let common = Common {
        id: &concept.id,
        kind: EntityKind::Concept,
        area: concept.area.as_ref(),
        place: concept.place.as_ref(),
        aka: &concept.aka,
        lifecycle: concept.lifecycle.as_ref(),
        relations: &concept.relations,
        incoming: &concept.incoming,
        evidence: &concept.evidence,
    };
    detail(kb, &common)
}

fn detail<'a>(kb: &'a Kb, common: &Common<'a>) -> Detail<'a> {
    let path = format!("{}/{}", common.kind.folder(), common.id);
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
        id: common.id.as_str(),
        kind: common.kind.name(),
        name: languages().map(|lang| (lang.as_str(), kb.name_of(common.id.as_str(), lang))).collect(),
        summary: languages().filter_map(|lang| Some((lang.as_str(), summary(lang)?))).collect(),
        url: page_url(kb, common.kind, common.id),
        urls: languages().map(|lang| (lang.as_str(), address(kb, &path, lang))).collect(),
        area: common.area.map(Id::as_str),
        place: common.place.map(Id::as_str),
        roles: Vec::new(),
        aka: common.aka,
        installed_by: Texts::new(),
        lifecycle: common.lifecycle.map(|it| lifecycle(kb, it)),
        replaces: Vec::new(),
        patterns: Vec::new(),
        examples: &[],
        counter_examples: &[],
        removal: None,
        sections: kb.sections_of(common.kind, common.id).map(section).collect(),
        relations: Relations {
            outgoing: common.relations.iter().map(outgoing).collect(),
            incoming: common.incoming.iter().filter_map(|(from, index)| incoming(kb, from, *index)).collect(),
        },
        providers: Vec::new(),
        ports: Vec::new(),
        flags: Vec::new(),
        sources: common.evidence.iter().map(source).collect(),
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
        state: it.state.name(),
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
        verdict: it.verdict.name(),
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
    let (relations, evidence) = kb.acts_of(from);
    let it = relations.get(index)?;
    Some(Incoming {
        verb: it.verb.as_str(),
        from: from.as_str(),
        port: it.port.as_deref(),
        what: texts(it.what.as_ref()),
        sources: sources(&it.evidence, evidence),
    })
}

fn claim<'a>(provider: &'a Id, it: &'a Claim, evidence: &'a [Evidence]) -> ProviderOut<'a> {
    ProviderOut {
        provider: provider.as_str(),
        role: it.role.as_ref().map(Id::as_str),
        presence: presence(it.presence).0,
        form: it.form.as_deref(),
        since: it.since.as_deref(),
        until: it.until.as_deref(),
        what: texts(it.what.as_ref()),
        confidence: confidence(it.confidence).0,
        sources: sources(&it.evidence, evidence),
    }
}

/// The evidence of another file that a statement names.
fn sources<'a>(keys: &[Id], evidence: &'a [Evidence]) -> Vec<Source<'a>> {
    keys.iter().filter_map(|key| evidence.iter().find(|entry| entry.key == *key)).map(source).collect()
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
