//! All entries with an id, and the names that refer to them.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    SCHEMA_VERSION,
    fields::{FieldOut, fields},
    page_url, section_url,
};
use crate::{
    facts::{LifecycleState, Verdict},
    id::Id,
    kb::Kb,
    layout::EntityKind,
    render::node_facts::NodeFacts,
};

/// All components, concepts and sections that have an id, sorted by id.
#[derive(Serialize, JsonSchema)]
pub(super) struct Components<'a> {
    /// The version of this format.
    schema_version: u32,
    /// All entries.
    components: Vec<ThingEntry<'a>>,
}

/// A component, a concept or a section.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Thing")]
struct ThingEntry<'a> {
    /// The unique id.
    id: &'a str,
    /// The kind of the entry.
    #[schemars(extend("enum" = ["component", "concept", "section"]))]
    kind: &'static str,
    /// The name in the default language of the site.
    name: String,
    /// The URL of the page in the default language; absolute if `site-url` is an absolute URL.
    url: String,
    /// The id of the area.
    area: Option<&'a str>,
    /// Ids of the roles that it can have.
    roles: Vec<&'a str>,
    /// The current state.
    state: Option<LifecycleState>,
    /// Can it be deleted?
    verdict: Option<Verdict>,
    /// For a section: the id of the page that contains it.
    section_of: Option<&'a str>,
    /// Other names that people search for.
    aka: &'a [String],
    /// The values of the site's own fields.
    fields: Vec<FieldOut<'a>>,
}

/// The data to find the page of an object or a name.
#[derive(Serialize, JsonSchema)]
pub(super) struct Lookup<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The name patterns of objects.
    patterns: Vec<RowPattern<'a>>,
    /// Ids, names and other names, sorted.
    names: Vec<NameEntry<'a>>,
}

/// A name pattern and its component.
#[derive(Serialize, JsonSchema)]
struct RowPattern<'a> {
    /// The id of the component.
    component: &'a str,
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
    /// The section that explains the object, if there is one.
    section: Option<&'a str>,
    /// The URL of its explanation.
    url: String,
}

/// A name and its target.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(rename = "Name")]
struct NameEntry<'a> {
    /// An id, a name or another name in any language.
    name: String,
    /// The id that it refers to.
    id: &'a str,
    /// The URL of the page.
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
            verdict: component.and_then(|it| it.deletion.removal.as_ref()).map(|removal| removal.general.verdict),
            section_of: None,
            aka: node.aka,
            fields: fields(kb, node.fields),
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
            // Facts about the subject of the page don't have to apply to its sections.
            state: None,
            verdict: component.and_then(|it| it.deletion_of(Some(&section.id))?.removal.as_ref()).map(|removal| removal.general.verdict),
            section_of: Some(section.owner.as_str()),
            aka: &section.aka,
            fields: Vec::new(),
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
