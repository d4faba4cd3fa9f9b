//! Facts of one thing, for its page.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{
    claims::{self, ClaimView, RoleRow},
    diagrams::{self, FigureView},
    labels::{TermView, area, place, protocol, role_link, since, state, verdict},
    lifecycle::{LifecycleView, lifecycle},
    reader::{CiteView, LinkView, Reader, day},
};
use crate::{
    id::Id,
    kb::{Component, Concept, Evidence, Flag, Port, Provider, Relation, ReleaseIndex, Removal, RemovalCase},
    listing::ShownName,
};

#[derive(Serialize)]
pub(super) struct ComponentView<'a> {
    id: &'a str,
    name: &'a str,
    area: LinkView,
    /// Where it runs; empty if nobody says.
    place: &'a str,
    roles: Vec<LinkView>,
    aka: Vec<&'a str>,
    state: Option<TermView>,
    since: String,
    deprecated: Option<ReleaseView>,
    removed: Option<ReleaseView>,
    installed_by: &'a str,
    names: Vec<NameView<'a>>,
    examples: &'a [String],
    removal: Option<RemovalView<'a>>,
    claims: Vec<ClaimView>,
    outgoing: Vec<RelationGroup<'a>>,
    incoming: Vec<RelationGroup<'a>>,
    neighbourhood: Option<FigureView>,
    chain: Option<FigureView>,
    lifecycle: Option<LifecycleView>,
    lifecycle_cites: Vec<CiteView>,
    replaced_by: Vec<LinkView>,
    replaces: Vec<LinkView>,
    ports: Vec<PortView<'a>>,
    flags: Vec<FlagView<'a>>,
    sources: Vec<SourceView<'a>>,
    mentions: Vec<LinkView>,
}

#[derive(Serialize)]
pub(super) struct ProviderView<'a> {
    id: &'a str,
    name: &'a str,
    kind: &'a str,
    vendor: &'a str,
    aka: Vec<&'a str>,
    roles: Vec<RoleRow>,
    others: Vec<ClaimView>,
    architecture: Option<FigureView>,
    sources: Vec<SourceView<'a>>,
}

#[derive(Serialize)]
pub(super) struct ConceptView<'a> {
    id: &'a str,
    area: Option<LinkView>,
    aka: Vec<&'a str>,
    outgoing: Vec<RelationGroup<'a>>,
    incoming: Vec<RelationGroup<'a>>,
    neighbourhood: Option<FigureView>,
    lifecycle: Option<LifecycleView>,
    lifecycle_cites: Vec<CiteView>,
    replaced_by: Vec<LinkView>,
    replaces: Vec<LinkView>,
    sources: Vec<SourceView<'a>>,
    mentions: Vec<LinkView>,
}

#[derive(Serialize)]
struct ReleaseView {
    name: String,
    date: String,
    /// Not out yet.
    planned: bool,
}

#[derive(Serialize)]
struct NameView<'a> {
    kind: &'a str,
    namespace: &'a str,
    what: &'a str,
    section: Option<LinkView>,
    providers: Vec<LinkView>,
    names: Vec<ShownName>,
}

#[derive(Serialize)]
struct RemovalView<'a> {
    general: RemovalCaseView<'a>,
    /// Where a provider differs, and smaller things of the component.
    others: Vec<OtherRemovalView<'a>>,
}

#[derive(Serialize)]
struct OtherRemovalView<'a> {
    link: LinkView,
    /// Of a smaller thing: the provider where it differs.
    at: Option<LinkView>,
    case: RemovalCaseView<'a>,
}

#[derive(Serialize)]
struct RemovalCaseView<'a> {
    verdict: TermView,
    effect: &'a str,
    restored_by: &'a str,
    off_switch: &'a str,
    cites: Vec<CiteView>,
}

#[derive(Serialize)]
struct RelationGroup<'a> {
    verb: &'a str,
    label: &'a str,
    items: Vec<RelationView<'a>>,
}

#[derive(Serialize)]
struct RelationView<'a> {
    link: LinkView,
    port: &'a str,
    what: &'a str,
    cites: Vec<CiteView>,
}

#[derive(Serialize)]
struct PortView<'a> {
    port: String,
    protocol: &'static str,
    what: &'a str,
    since: Option<ReleaseView>,
    removed: Option<ReleaseView>,
    cites: Vec<CiteView>,
}

#[derive(Serialize)]
struct FlagView<'a> {
    flag: &'a str,
    what: &'a str,
    since: Option<ReleaseView>,
    deprecated: Option<ReleaseView>,
    removed: Option<ReleaseView>,
    cites: Vec<CiteView>,
}

#[derive(Serialize)]
struct SourceView<'a> {
    number: usize,
    key: &'a str,
    title: &'a str,
    /// The language of the title, if it is plainly not the reader's.
    lang: Option<&'static str>,
    url: &'a str,
    host: String,
    observed: bool,
    checked: String,
}

pub(super) fn component<'a>(reader: &Reader<'a>, component: &'a Component) -> ComponentView<'a> {
    let kb = reader.kb();
    let lifecycle_facts = component.lifecycle.as_ref();
    let path = format!("{}/{}", crate::layout::COMPONENTS, component.id);
    ComponentView {
        id: component.id.as_str(),
        name: &component.name,
        area: area(reader, &component.area),
        place: place(reader, component.place.as_ref()),
        roles: component.roles.iter().map(|role| role_link(reader, role)).collect(),
        aka: reader.aka(&path, &component.aka),
        state: lifecycle_facts.map(|lifecycle| state(reader, lifecycle.state)),
        since: lifecycle_facts.map(|lifecycle| since(reader, lifecycle)).unwrap_or_default(),
        deprecated: release(reader, lifecycle_facts.and_then(|lifecycle| lifecycle.deprecated)),
        removed: release(reader, lifecycle_facts.and_then(|lifecycle| lifecycle.removed)),
        installed_by: reader.optional(component.installed_by.as_ref()),
        names: names(reader, component),
        examples: &component.examples,
        removal: component.removal.as_ref().map(|removal| RemovalView {
            general: removal_case(reader, &removal.general, component),
            others: other_removals(reader, component, removal),
        }),
        claims: component
            .claims
            .iter()
            .filter_map(|(id, index)| {
                let provider = kb.providers.get(id)?;
                Some(claims::claim(reader, provider, provider.claims.get(*index)?, true))
            })
            .collect(),
        outgoing: outgoing(reader, &component.relations, &component.evidence),
        incoming: incoming(reader, &component.incoming),
        neighbourhood: diagrams::neighbourhood(reader, &component.id, &component.incoming),
        chain: diagrams::chain(reader, component),
        lifecycle: lifecycle_facts.map(|facts| lifecycle(reader, facts)),
        lifecycle_cites: lifecycle_facts.map(|lifecycle| reader.cites(&lifecycle.evidence, &component.evidence)).unwrap_or_default(),
        replaced_by: lifecycle_facts.map(|lifecycle| links(reader, &lifecycle.replaced_by)).unwrap_or_default(),
        replaces: links(reader, &component.replaces),
        ports: component.ports.iter().map(|port| port_view(reader, port, &component.evidence)).collect(),
        flags: component.flags.iter().map(|flag| flag_view(reader, flag, &component.evidence)).collect(),
        sources: sources(reader, &component.evidence),
        mentions: mentions(reader, &path),
    }
}

pub(super) fn provider<'a>(reader: &Reader<'a>, provider: &'a Provider) -> ProviderView<'a> {
    let kb = reader.kb();
    let kind = kb.vocabulary.provider_kinds.iter().find(|kind| kind.id == provider.kind);
    ProviderView {
        id: provider.id.as_str(),
        name: &provider.name,
        kind: kind.map(|kind| reader.text(&kind.label)).unwrap_or_default(),
        vendor: provider.vendor.as_deref().unwrap_or_default(),
        aka: reader.aka(&format!("{}/{}", crate::layout::PROVIDERS, provider.id), &provider.aka),
        roles: claims::rows(reader, &[provider]),
        others: provider
            .claims
            .iter()
            .filter(|claim| claim.role.is_none())
            .map(|claim| claims::claim(reader, provider, claim, false))
            .collect(),
        architecture: diagrams::provider(reader, provider),
        sources: sources(reader, &provider.evidence),
    }
}

pub(super) fn concept<'a>(reader: &Reader<'a>, concept: &'a Concept) -> ConceptView<'a> {
    let lifecycle_facts = concept.lifecycle.as_ref();
    ConceptView {
        id: concept.id.as_str(),
        area: concept.area.as_ref().map(|id| area(reader, id)),
        aka: reader.aka(&format!("{}/{}", crate::layout::CONCEPTS, concept.id), &concept.aka),
        outgoing: outgoing(reader, &concept.relations, &concept.evidence),
        incoming: incoming(reader, &concept.incoming),
        neighbourhood: diagrams::neighbourhood(reader, &concept.id, &concept.incoming),
        lifecycle: lifecycle_facts.map(|facts| lifecycle(reader, facts)),
        lifecycle_cites: lifecycle_facts.map(|lifecycle| reader.cites(&lifecycle.evidence, &concept.evidence)).unwrap_or_default(),
        replaced_by: lifecycle_facts.map(|lifecycle| links(reader, &lifecycle.replaced_by)).unwrap_or_default(),
        replaces: Vec::new(),
        sources: sources(reader, &concept.evidence),
        mentions: mentions(reader, &format!("{}/{}", crate::layout::CONCEPTS, concept.id)),
    }
}

fn release(reader: &Reader<'_>, index: Option<ReleaseIndex>) -> Option<ReleaseView> {
    let release = reader.kb().vocabulary.release(index?);
    Some(ReleaseView { name: release.name.clone(), date: release.date.map(day).unwrap_or_default(), planned: release.date.is_none() })
}

fn links(reader: &Reader<'_>, ids: &[Id]) -> Vec<LinkView> {
    ids.iter().map(|id| reader.link(id)).collect()
}

fn names<'a>(reader: &Reader<'a>, component: &'a Component) -> Vec<NameView<'a>> {
    let entries = component.listing.iter().map(|listing| NameView {
        kind: &listing.kind,
        namespace: listing.namespace.as_deref().unwrap_or_default(),
        what: reader.optional(listing.what.as_ref()),
        section: listing.section.as_ref().map(|id| reader.link(id)),
        providers: links(reader, &listing.providers),
        names: listing.pattern.shown(),
    });
    entries.collect()
}

fn other_removals<'a>(reader: &Reader<'a>, component: &'a Component, removal: &'a Removal) -> Vec<OtherRemovalView<'a>> {
    let view = |link: &Id, at: Option<&Id>, case| OtherRemovalView {
        link: reader.link(link),
        at: at.map(|id| reader.link(id)),
        case: removal_case(reader, case, component),
    };
    let mut others: Vec<_> = removal.providers.iter().map(|(id, case)| view(id, None, case)).collect();
    for (id, removal) in &component.section_removals {
        others.push(view(id, None, &removal.general));
        others.extend(removal.providers.iter().map(|(provider, case)| view(id, Some(provider), case)));
    }
    others
}

fn removal_case<'a>(reader: &Reader<'a>, case: &'a RemovalCase, component: &'a Component) -> RemovalCaseView<'a> {
    RemovalCaseView {
        verdict: verdict(reader, case.verdict),
        effect: reader.optional(case.effect.as_ref()),
        restored_by: reader.optional(case.restored_by.as_ref()),
        off_switch: reader.optional(case.off_switch.as_ref()),
        cites: reader.cites(&case.evidence, &component.evidence),
    }
}

fn outgoing<'a>(reader: &Reader<'a>, relations: &'a [Relation], evidence: &'a [Evidence]) -> Vec<RelationGroup<'a>> {
    let mut groups: BTreeMap<&Id, Vec<RelationView<'a>>> = BTreeMap::new();
    for relation in relations {
        let cites = reader.cites(&relation.evidence, evidence);
        groups.entry(&relation.verb).or_default().push(relation_view(reader, relation, &relation.to, cites));
    }
    relation_groups(reader, groups, false)
}

fn incoming<'a>(reader: &Reader<'a>, edges: &'a [(Id, usize)]) -> Vec<RelationGroup<'a>> {
    let kb = reader.kb();
    let mut groups: BTreeMap<&Id, Vec<RelationView<'a>>> = BTreeMap::new();
    for (from, index) in edges {
        let (relations, evidence) = kb.relations_of(from);
        let Some(relation) = relations.get(*index) else { continue };
        let path = kb.path_of(from.as_str()).unwrap_or_default();
        let cites = reader.foreign_cites(&relation.evidence, evidence, &path);
        groups.entry(&relation.verb).or_default().push(relation_view(reader, relation, from, cites));
    }
    relation_groups(reader, groups, true)
}

fn relation_view<'a>(reader: &Reader<'a>, relation: &'a Relation, other: &Id, cites: Vec<CiteView>) -> RelationView<'a> {
    RelationView {
        link: reader.link(other),
        port: relation.port.as_deref().unwrap_or_default(),
        what: reader.optional(relation.what.as_ref()),
        cites,
    }
}

/// Groups in the order of the vocabulary.
fn relation_groups<'a>(reader: &Reader<'a>, mut groups: BTreeMap<&Id, Vec<RelationView<'a>>>, inverse: bool) -> Vec<RelationGroup<'a>> {
    let verbs = reader.kb().vocabulary.verbs.iter();
    verbs
        .filter_map(|verb| {
            let items = groups.remove(&verb.id)?;
            Some(RelationGroup { verb: verb.id.as_str(), label: reader.text(if inverse { &verb.inverse } else { &verb.label }), items })
        })
        .collect()
}

fn port_view<'a>(reader: &Reader<'a>, port: &'a Port, evidence: &[Evidence]) -> PortView<'a> {
    PortView {
        port: if port.first == port.last { port.first.to_string() } else { format!("{}–{}", port.first, port.last) },
        protocol: protocol(port.protocol),
        what: reader.optional(port.what.as_ref()),
        since: release(reader, port.since),
        removed: release(reader, port.removed),
        cites: reader.cites(&port.evidence, evidence),
    }
}

fn flag_view<'a>(reader: &Reader<'a>, flag: &'a Flag, evidence: &[Evidence]) -> FlagView<'a> {
    FlagView {
        flag: &flag.flag,
        what: reader.optional(flag.what.as_ref()),
        since: release(reader, flag.since),
        deprecated: release(reader, flag.deprecated),
        removed: release(reader, flag.removed),
        cites: reader.cites(&flag.evidence, evidence),
    }
}

fn sources<'a>(reader: &Reader<'_>, evidence: &'a [Evidence]) -> Vec<SourceView<'a>> {
    evidence.iter().enumerate().map(|(index, entry)| source(reader, index + 1, entry)).collect()
}

fn source<'a>(reader: &Reader<'_>, number: usize, entry: &'a Evidence) -> SourceView<'a> {
    let rest = entry.url.as_deref().and_then(|url| url.split_once("://")).map_or("", |(_, rest)| rest);
    SourceView {
        number,
        key: entry.key.as_str(),
        title: &entry.title,
        lang: reader.foreign(&entry.title),
        url: entry.url.as_deref().unwrap_or_default(),
        host: rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned(),
        observed: entry.observed,
        checked: day(entry.checked),
    }
}

/// Pages whose text links here.
fn mentions(reader: &Reader<'_>, path: &str) -> Vec<LinkView> {
    let kb = reader.kb();
    let pages = reader.context.links.mentions(path).filter_map(|from| kb.pages.get(from));
    pages
        .map(|page| match &page.kind {
            crate::kb::PageKind::Entity(_, id) => reader.link(id),
            _ => LinkView {
                id: String::new(),
                href: reader.href(&page.path),
                name: kb.title_of(page, reader.lang).unwrap_or_else(|| page.path.to_string()),
                area: String::new(),
                colour: 0,
                mark: String::new(),
            },
        })
        .collect()
}
