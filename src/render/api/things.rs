//! Everything that has an id, and every name that leads to one.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::{SCHEMA_VERSION, page_url, section_url};
use crate::{
    facts::{LifecycleState, Verdict},
    id::Id,
    kb::Kb,
    layout::EntityKind,
    render::node_facts::NodeFacts,
};

/// Every component, concept and section with an id of its own, in the order of their ids.
#[derive(Serialize, JsonSchema)]
pub(super) struct Components<'a> {
    /// The version of this format.
    schema_version: u32,
    /// All of them.
    components: Vec<ThingEntry<'a>>,
}

/// A component, a concept, or a section of the page of one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Thing")]
struct ThingEntry<'a> {
    /// The id; no two things have the same.
    id: &'a str,
    /// What it is.
    #[schemars(extend("enum" = ["component", "concept", "section"]))]
    kind: &'static str,
    /// Its name in the site's first language.
    name: String,
    /// The address of its page in the site's first language; absolute if the site knows its own address.
    url: String,
    /// The id of the part of the system that it belongs to.
    area: Option<&'a str>,
    /// Ids of the jobs it can fill.
    roles: Vec<&'a str>,
    /// Its state today.
    state: Option<LifecycleState>,
    /// May it be deleted?
    verdict: Option<Verdict>,
    /// Of a section: the id whose page it is on.
    section_of: Option<&'a str>,
    /// Other names that people search for.
    aka: &'a [String],
}

/// What leads from a printed row or a name to a page.
#[derive(Serialize, JsonSchema)]
pub(super) struct Lookup<'a> {
    /// The version of this format.
    schema_version: u32,
    /// Rows of listings, by pattern.
    patterns: Vec<RowPattern<'a>>,
    /// Ids, names and other names, in the order of their letters.
    names: Vec<NameEntry<'a>>,
}

/// A kind of row, and whose it is.
#[derive(Serialize, JsonSchema)]
struct RowPattern<'a> {
    /// The id of the component whose row it is.
    component: &'a str,
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
    /// The section that explains the row, if one does.
    section: Option<&'a str>,
    /// The address of what explains it.
    url: String,
}

/// A name, and what it leads to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(rename = "Name")]
struct NameEntry<'a> {
    /// An id, a name or another name in any language.
    name: String,
    /// The id that it stands for.
    id: &'a str,
    /// The address of its page.
    url: String,
}

pub(super) fn components(kb: &Kb) -> Components<'_> {
    let lang = kb.config.default_language();
    let nodes = NodeFacts::all(kb).map(|node| {
        let component = kb.components.get(node.id);
        ThingEntry {
            id: node.id.as_str(),
            kind: node.kind.name(),
            name: kb.name_of(node.id.as_str(), lang),
            url: page_url(kb, node.kind, node.id),
            area: node.area.map(Id::as_str),
            roles: component.into_iter().flat_map(|it| &it.roles).map(Id::as_str).collect(),
            state: node.lifecycle.map(|lifecycle| lifecycle.state),
            verdict: component.and_then(|it| it.removal.as_ref()).map(|removal| removal.general.verdict),
            section_of: None,
            aka: node.aka,
        }
    });
    let sections = kb.sections.values().map(|section| {
        let component = kb.components.get(&section.owner);
        ThingEntry {
            id: section.id.as_str(),
            kind: "section",
            name: section.name.clone(),
            url: section_url(kb, &section.id),
            area: NodeFacts::of(kb, &section.owner).and_then(|owner| owner.area).map(Id::as_str),
            roles: Vec::new(),
            // What holds for the page's subject need not hold for a part of it.
            state: None,
            verdict: component.and_then(|it| it.removal_of(Some(&section.id))).map(|removal| removal.general.verdict),
            section_of: Some(section.owner.as_str()),
            aka: &section.aka,
        }
    });
    let mut things: Vec<ThingEntry<'_>> = nodes.chain(sections).collect();
    things.sort_by_key(|thing| thing.id);
    Components { schema_version: SCHEMA_VERSION, components: things }
}

pub(super) fn lookup(kb: &Kb) -> Lookup<'_> {
    let patterns = kb.components.values().flat_map(|component| {
        component.listing.iter().map(|listing| RowPattern {
            component: component.id.as_str(),
            kind: &listing.kind,
            name: &listing.name,
            namespace: listing.namespace.as_deref(),
            needs_namespace: listing.needs_namespace,
            providers: listing.providers.iter().map(Id::as_str).collect(),
            section: listing.section.as_ref().map(Id::as_str),
            url: match &listing.section {
                Some(section) => section_url(kb, section),
                None => page_url(kb, EntityKind::Component, &component.id),
            },
        })
    });
    let things = (NodeFacts::all(kb).map(|it| (it.kind, it.id, it.aka)))
        .chain(kb.providers.values().map(|it| (EntityKind::Provider, &it.id, it.aka.as_slice())))
        .map(|(kind, id, aka)| (id, page_url(kb, kind, id), aka));
    let sections = kb.sections.values().map(|section| (&section.id, section_url(kb, &section.id), section.aka.as_slice()));
    let mut names: BTreeSet<NameEntry<'_>> = BTreeSet::new();
    for (id, url, aka) in things.chain(sections) {
        let written = kb.sections.get(id).map(|section| section.name.clone());
        let own = kb.config.languages.iter().map(|language| kb.name_of(id.as_str(), &language.lang));
        let page = kb.path_of(id.as_str()).and_then(|path| kb.pages.get(path.as_str()));
        let localised = page.into_iter().flat_map(|page| page.texts.values()).flat_map(|text| text.front.aka.iter().cloned());
        let all = own.chain(written).chain([id.to_string()]).chain(aka.iter().cloned()).chain(localised);
        names.extend(all.map(|name| NameEntry { name, id: id.as_str(), url: url.clone() }));
    }
    Lookup { schema_version: SCHEMA_VERSION, patterns: patterns.collect(), names: names.into_iter().collect() }
}
