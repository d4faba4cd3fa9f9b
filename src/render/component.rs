//! The facts of an entity, for its page.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    claims::{self, ClaimView, RoleRow},
    deletion::{DeletionView, deletion},
    diagrams::{self, FigureView},
    fields::{self, ShownField},
    labels::{self, TermView, area, place, role_link, since, state},
    lifecycle::{LifecycleView, lifecycle},
    node_facts::{NodeFacts, NodeRelation},
    reader::{CiteView, LinkView, Reader},
    version_links,
};
use crate::{
    facts::KnownNameKind,
    id::Id,
    kb::{Component, Concept, Evidence, Flag, KnownNames, Listing, Page, PageKind, Port, Provider, ReleaseIndex},
    layout::FactSection,
    listing::{ListingLine, ShownName, is_cluster_scoped, parse_lines},
};

#[derive(Serialize)]
pub(super) struct ComponentView<'a> {
    #[serde(flatten)]
    node: NodeFactsView<'a>,
    name: &'a str,
    /// The place where it runs; empty if not stated.
    place: &'a str,
    roles: Vec<LinkView>,
    state: Option<TermView>,
    since: String,
    deprecated: Option<ReleaseView>,
    removed: Option<ReleaseView>,
    installed_by: &'a str,
    images: &'a [String],
    /// The oldest supported version; empty if not stated.
    supported: String,
    supported_cites: Vec<CiteView>,
    /// Whether the facts about deletion are too long for columns.
    has_long_answers: bool,
    /// A name as the reader has it: that of a Pod, if there is one.
    printed: Option<ShownName>,
    /// The first names.
    names: Vec<NameView<'a>>,
    /// The names that are folded.
    more_names: Vec<NameView<'a>>,
    /// The names that only the Markdown version of the page lists, if there is one.
    left_names: Vec<NameView<'a>>,
    /// The number of names that are folded or left.
    more_count: usize,
    /// The number of names in `left_names`.
    left_count: usize,
    examples: Vec<&'a str>,
    deletion: Option<DeletionView<'a>>,
    claims: Vec<ClaimView>,
    /// The page with its versions at providers.
    versions: Option<LinkView>,
    chain: Option<FigureView>,
    ports: Vec<PortView<'a>>,
    flags: Vec<FlagView<'a>>,
    known_names: Vec<KnownNamesView<'a>>,
}

#[derive(Serialize)]
pub(super) struct ProviderView<'a> {
    id: &'a str,
    name: &'a str,
    kind: &'a str,
    vendor: &'a str,
    aka: Vec<&'a str>,
    fields: Vec<ShownField>,
    roles: Vec<RoleRow>,
    others: Vec<ClaimView>,
    /// The page with the versions of its components.
    versions: Option<LinkView>,
    architecture: Option<FigureView>,
    sources: Vec<SourceView<'a>>,
}

/// The facts that components and concepts have in common.
#[derive(Serialize)]
pub(super) struct NodeFactsView<'a> {
    id: &'a str,
    area: Option<LinkView>,
    aka: Vec<&'a str>,
    fields: Vec<ShownField>,
    outgoing: Vec<RelationGroup<'a>>,
    incoming: Vec<RelationGroup<'a>>,
    neighbourhood: Option<FigureView>,
    lifecycle: Option<LifecycleView>,
    lifecycle_cites: Vec<CiteView>,
    replaced_by: Vec<LinkView>,
    /// Empty for a concept.
    replaces: Vec<LinkView>,
    sources: Vec<SourceView<'a>>,
    mentions: Vec<LinkView>,
}

#[derive(Serialize)]
struct ReleaseView {
    name: String,
    /// Whether the release is planned.
    planned: bool,
}

#[derive(Serialize)]
struct NameView<'a> {
    kind: &'a str,
    namespace: &'a str,
    is_cluster_scoped: bool,
    what: &'a str,
    section: Option<LinkView>,
    providers: Vec<LinkView>,
    names: Vec<ShownName>,
}

#[derive(Serialize)]
pub(super) struct RelationGroup<'a> {
    verb: &'a str,
    label: &'a str,
    /// Only the names of the components are shown, because there are many and each page says the rest.
    names_only: bool,
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
    protocol: String,
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
struct KnownNamesView<'a> {
    kind: &'a str,
    entries: Vec<KnownNamesEntry<'a>>,
    /// The number of further names, which are in the Markdown version of the page.
    left: usize,
}

#[derive(Serialize)]
struct KnownNamesEntry<'a> {
    names: &'a [String],
    what: &'a str,
    cites: Vec<CiteView>,
}

#[derive(Serialize)]
struct SourceView<'a> {
    number: usize,
    #[serde(flatten)]
    entry: &'a Evidence,
    /// The language of the title, if it clearly differs from the reader's.
    lang: Option<&'static str>,
    host: String,
}

/// The maximum number of entries of names that are folded on the page: an operator with hundreds of roles would have a page of 60 KB.
const MAX_FOLDED_NAMES: usize = 50;

/// The width of the longest text that is readable in a third of the column, in characters of half width: five lines.
const MAX_COLUMN: usize = 110;

pub(super) fn component<'a>(reader: &Reader<'a>, component: &'a Component) -> ComponentView<'a> {
    let lifecycle = component.lifecycle.as_ref();
    let mut node = node_view(reader, &component.into());
    node.replaces = links(reader, &component.replaces);
    if !component.replaces.is_empty() {
        node.lifecycle = component.lifecycle.as_ref().map(|it| super::lifecycle::lifecycle(reader, it));
    }
    let (names, mut more_names) = names(reader, component);
    let count = |names: &[NameView<'_>]| names.iter().map(|entry| entry.names.len()).sum();
    let more_count = count(&more_names);
    let left_names = more_names.split_off(more_names.len().min(MAX_FOLDED_NAMES));
    let deletion = deletion(reader, component);
    let installed_by = reader.optional(component.installed_by.as_ref());
    let facts = deletion.iter().flat_map(DeletionView::facts).chain([installed_by]);
    let has_long_answers = facts.map(unicode_width::UnicodeWidthStr::width).any(|width| width > MAX_COLUMN);
    ComponentView {
        node,
        name: &component.name,
        place: place(reader, component.place.as_ref()),
        roles: component.roles.iter().map(|role| role_link(reader, role)).collect(),
        state: lifecycle.map(|lifecycle| state(reader, lifecycle.state)),
        since: lifecycle.map(|lifecycle| since(reader, lifecycle)).unwrap_or_default(),
        deprecated: release(reader, lifecycle.and_then(|lifecycle| lifecycle.deprecated)),
        removed: release(reader, lifecycle.and_then(|lifecycle| lifecycle.removed)),
        installed_by,
        has_long_answers,
        printed: component.listing.first().and_then(|listing| listing.pattern.shown().pop()),
        left_count: count(&left_names),
        more_count,
        names,
        more_names,
        left_names,
        images: &component.images,
        supported: labels::supported(reader, component.support.as_ref()),
        supported_cites: component.support.as_ref().map(|it| reader.cites(&it.evidence, &component.evidence)).unwrap_or_default(),
        examples: rows(&component.examples).take(MAX_EXAMPLES).collect(),
        deletion,
        claims: claims::claims_of(reader.kb(), component).map(|(provider, claim)| claims::claim(reader, provider, claim, true)).collect(),
        versions: version_links::link(reader, &component.id),
        chain: diagrams::chain(reader, component),
        ports: component.ports.iter().map(|port| port_view(reader, port, &component.evidence)).collect(),
        flags: component.flags.iter().map(|flag| flag_view(reader, flag, &component.evidence)).collect(),
        known_names: known_names(reader, component),
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
        fields: fields::on_page(reader, &provider.fields),
        roles: claims::rows(reader, &[provider]),
        others: provider
            .claims
            .iter()
            .filter(|claim| claim.role.is_none())
            .map(|claim| claims::claim(reader, provider, claim, false))
            .collect(),
        versions: version_links::link(reader, &provider.id),
        architecture: diagrams::provider(reader, provider),
        sources: sources(reader, &format!("{}/{}", crate::layout::PROVIDERS, provider.id), &provider.evidence),
    }
}

pub(super) fn concept<'a>(reader: &Reader<'a>, concept: &'a Concept) -> NodeFactsView<'a> {
    node_view(reader, &concept.into())
}

fn node_view<'a>(reader: &Reader<'a>, facts: &NodeFacts<'a>) -> NodeFactsView<'a> {
    let path = format!("{}/{}", facts.kind.folder(), facts.id);
    let related = facts.relations(reader.kb()).map(|edge| edge.other).collect();
    NodeFactsView {
        id: facts.id.as_str(),
        area: facts.area.map(|id| area(reader, id)),
        aka: reader.aka(&path, facts.aka),
        fields: fields::on_page(reader, facts.fields),
        outgoing: relation_groups(reader, facts, false),
        incoming: relation_groups(reader, facts, true),
        neighbourhood: diagrams::neighbourhood(reader, facts),
        lifecycle: facts.lifecycle.filter(|it| it.has_history()).map(|it| lifecycle(reader, it)),
        lifecycle_cites: facts.lifecycle.map(|it| reader.cites(&it.evidence, facts.evidence)).unwrap_or_default(),
        replaced_by: facts.lifecycle.map(|it| links(reader, &it.replaced_by)).unwrap_or_default(),
        replaces: Vec::new(),
        sources: sources(reader, &path, facts.evidence),
        mentions: mentions(reader, &path, &related),
    }
}

fn release(reader: &Reader<'_>, index: Option<ReleaseIndex>) -> Option<ReleaseView> {
    let release = reader.kb().vocabulary.release(index?);
    Some(ReleaseView { name: release.name.clone(), planned: release.date.is_none() })
}

fn links(reader: &Reader<'_>, ids: &[Id]) -> Vec<LinkView> {
    ids.iter().map(|id| reader.link(id)).collect()
}

/// The number of names that a page shows without unfolding.
const SHOWN_NAMES: usize = 5;

/// The first names of a component, and the others: the names of derived objects such as ReplicaSets and Pods, and what is beyond the limit.
/// CustomResourceDefinitions are last.
fn names<'a>(reader: &Reader<'a>, component: &'a Component) -> (Vec<NameView<'a>>, Vec<NameView<'a>>) {
    let entry = |listing: &'a Listing| NameView {
        kind: &listing.kind,
        namespace: listing.namespace.as_deref().unwrap_or_default(),
        is_cluster_scoped: is_cluster_scoped(&listing.kind),
        what: reader.optional(listing.what.as_ref()),
        section: listing.section.as_ref().map(|id| reader.link(id)),
        providers: links(reader, &listing.providers),
        names: listing.pattern.shown(),
    };
    let is_definition = |listing: &&Listing| listing.pattern.is_definition();
    let (definitions, objects): (Vec<&Listing>, Vec<&Listing>) = component.listing.iter().partition(is_definition);
    let all: Vec<NameView<'a>> = objects.into_iter().chain(definitions).map(entry).collect();
    if all.iter().map(|entry| entry.names.len()).sum::<usize>() <= SHOWN_NAMES {
        return (all, Vec::new());
    }
    let (mut shown, mut more) = (Vec::new(), Vec::new());
    for mut entry in all {
        if shown.len() == SHOWN_NAMES {
            more.push(entry);
            continue;
        }
        let derived = entry.names.split_off(1.min(entry.names.len()));
        if !derived.is_empty() {
            let (section, providers) = (entry.section.clone(), entry.providers.clone());
            more.push(NameView { names: derived, what: "", section, providers, ..entry });
        }
        shown.push(entry);
    }
    (shown, more)
}

/// The number of printed rows that a page shows. The table of names has all names; more rows would mostly repeat them with other random suffixes.
const MAX_EXAMPLES: usize = 24;

/// The number of incoming relations up to which each is shown with its port, text and evidence.
///
/// More than a screen of sentences, as on the page of kube-apiserver with a hundred clients, hides the other relations. They are on the pages of the clients.
const MAX_INCOMING_IN_FULL: usize = 16;

/// The relations in one direction by verb, in the order of the vocabulary.
pub(super) fn relation_groups<'a>(reader: &Reader<'a>, facts: &NodeFacts<'a>, is_incoming: bool) -> Vec<RelationGroup<'a>> {
    let kb = reader.kb();
    let mut groups: BTreeMap<&Id, Vec<RelationView<'a>>> = BTreeMap::new();
    for NodeRelation { relation, other, .. } in facts.relations(kb).filter(|edge| edge.is_incoming == is_incoming) {
        // The evidence is that of the source of the relation, which this page may not be about.
        let (source, evidence) = if is_incoming { (other, kb.relations_of(other).1) } else { (facts.id, facts.evidence) };
        let path = kb.path_of(source.as_str()).unwrap_or_default();
        let is_own = kb.config.page_url(&path, reader.lang) == reader.url;
        let cites = if is_own {
            reader.cites(&relation.evidence, evidence)
        } else {
            reader.section_cite(&relation.evidence, evidence, &path, FactSection::Relations)
        };
        groups.entry(&relation.verb).or_default().push(RelationView {
            link: reader.link(other),
            port: relation.port.as_deref().unwrap_or_default(),
            what: reader.optional(relation.what.as_ref()),
            cites,
        });
    }
    let names_only = is_incoming && groups.values().map(Vec::len).sum::<usize>() > MAX_INCOMING_IN_FULL;
    let groups = kb.vocabulary.verbs.iter().filter_map(|verb| {
        let items = groups.remove(&verb.id)?;
        Some(RelationGroup { verb: verb.id.as_str(), label: labels::verb(reader, &verb.id, is_incoming), names_only, items })
    });
    groups.collect()
}

fn port_view<'a>(reader: &Reader<'a>, port: &'a Port, evidence: &[Evidence]) -> PortView<'a> {
    PortView {
        port: labels::ports(port),
        protocol: port.protocols.join(", "),
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

/// The examples that are rows of kubectl, and not lines of logs.
fn rows(examples: &[String]) -> impl Iterator<Item = &str> {
    examples.iter().map(String::as_str).filter(|example| !matches!(parse_lines(example).as_slice(), [ListingLine::Text]))
}

/// The number of entries with messages on a page, and of messages in each. Further ones are in its Markdown version, and pasting a line is the usual way to find one.
const MAX_MESSAGES: usize = 2;
const MAX_WORDINGS: usize = 2;

/// The names outside of listings, by kind.
fn known_names<'a>(reader: &Reader<'a>, component: &'a Component) -> Vec<KnownNamesView<'a>> {
    let entry = |it: &'a KnownNames| KnownNamesEntry {
        names: if it.kind == KnownNameKind::Message { it.names.get(..MAX_WORDINGS).unwrap_or(&it.names) } else { &it.names },
        what: reader.optional(it.what.as_ref()),
        // The sources of messages are in the Markdown version.
        cites: if it.kind == KnownNameKind::Message { Vec::new() } else { reader.cites(&it.evidence, &component.evidence) },
    };
    let of_kind = |kind: KnownNameKind| {
        let mut entries: Vec<KnownNamesEntry<'a>> = component.names.iter().filter(|it| it.kind == kind).map(entry).collect();
        if kind == KnownNameKind::Message {
            entries.truncate(MAX_MESSAGES);
        }
        let all: usize = component.names.iter().filter(|it| it.kind == kind).map(|it| it.names.len()).sum();
        let left = all - entries.iter().map(|entry| entry.names.len()).sum::<usize>();
        KnownNamesView { kind: reader.strings().term("known", kind.name()), entries, left }
    };
    // Only programs look for the sources of log lines.
    let kinds = KnownNameKind::ALL.into_iter().filter(|kind| *kind != KnownNameKind::LogSource);
    kinds.map(of_kind).filter(|view| !view.entries.is_empty()).collect()
}

/// The sources of a page, without those that only support messages: unless the text cites them, they are in the Markdown version.
fn sources<'a>(reader: &Reader<'_>, path: &str, evidence: &'a [Evidence]) -> Vec<SourceView<'a>> {
    let cited: BTreeSet<&str> = reader.page_text(path).into_iter().flat_map(|text| text.prose.citations()).collect();
    let view = |(index, entry): (usize, &'a Evidence)| {
        let rest = entry.url.as_deref().and_then(|url| url.split_once("://")).map_or("", |(_, rest)| rest);
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned();
        SourceView { number: index + 1, entry, lang: reader.foreign(&entry.title), host }
    };
    let is_shown = |(_, entry): &(usize, &Evidence)| !entry.is_of_messages || cited.contains(entry.key.as_str());
    evidence.iter().enumerate().filter(is_shown).map(view).collect()
}

/// The pages whose text links to this page, except those of `related` entities, which the page lists already.
pub(super) fn mentions(reader: &Reader<'_>, path: &str, related: &BTreeSet<&Id>) -> Vec<LinkView> {
    let kb = reader.kb();
    // The pages above it list it in any case.
    let above: Vec<_> = reader.context.navigation.outline.ancestors(path).collect();
    let from = reader.context.links.mentions(path).filter(|from| !above.iter().any(|above| ***above == **from));
    let pages = from.filter_map(|from| kb.pages.get(from)).filter(|page| !page.is_hidden());
    let is_listed = |page: &Page| matches!(&page.kind, PageKind::Entity(_, id) if related.contains(id));
    pages
        .filter(|page| !is_listed(page))
        .map(|page| match &page.kind {
            PageKind::Entity(_, id) => reader.link(id),
            _ => LinkView { href: reader.href(&page.path), name: reader.title(page), ..LinkView::default() },
        })
        .collect()
}
