//! Lists: components, providers, concepts.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    area_links::area_href,
    fields::{self, FieldFilter, ShownField},
    frame::frame,
    generated::{self, generated_frame},
    labels::{self, TermView},
    navigation::name,
    reader::{LinkView, Reader},
    routes::{area_path, has_area_pages},
    sidebar,
    templates::RenderResult,
};
use crate::{
    facts::{LifecycleState, Verdict},
    id::Id,
    kb::{Area, Component, FieldEntry, Section},
    layout::{COMPONENTS, EntityKind, GeneratedPage},
};

#[derive(Serialize)]
struct ComponentsView {
    areas: Vec<AreaView>,
    /// Whether this is the page of one area.
    is_area: bool,
    states: Vec<TermView>,
    verdicts: Vec<TermView>,
    providers: Vec<LinkView>,
    filters: Vec<FieldFilter>,
}

/// The components of an area.
#[derive(Serialize)]
pub(super) struct AreaView {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) colour: usize,
    pub(super) mark: String,
    pub(super) what: String,
    pub(super) href: String,
    pub(super) components: Vec<ComponentRow>,
    /// The components that the list of all components only names.
    pub(super) more: Vec<LinkView>,
}

#[derive(Serialize)]
pub(super) struct ComponentRow {
    pub(super) link: LinkView,
    pub(super) summary: String,
    /// The sections of its page.
    pub(super) sections: Vec<LinkView>,
    pub(super) state: Option<TermView>,
    pub(super) verdict: Option<TermView>,
    /// The ids of the providers that have it, for the filter.
    pub(super) providers: Vec<String>,
    pub(super) provider_links: Vec<LinkView>,
    /// The site's own fields.
    pub(super) fields: Vec<ShownField>,
    /// The values of the site's own fields, for the filter.
    pub(super) field_tokens: String,
    /// The words that the filter searches in addition to the visible text, in lower case.
    pub(super) words: String,
}

#[derive(Serialize)]
struct ListView {
    items: Vec<ItemView>,
    filters: Vec<FieldFilter>,
}

#[derive(Serialize)]
struct ItemView {
    link: LinkView,
    summary: String,
    sections: Vec<LinkView>,
    note: String,
    fields: Vec<ShownField>,
    field_tokens: String,
}

/// Where each area has a page, the list of all components shows this many of an area with their summaries.
const SHOWN_OF_AREA: usize = 3;

/// The list of all components.
pub(super) fn components(reader: &Reader<'_>) -> RenderResult {
    let mut frame = generated_frame(reader, GeneratedPage::Components);
    frame.sidebar = sidebar::component_groups(reader, None);
    let most = if has_area_pages(reader.kb()) { SHOWN_OF_AREA } else { usize::MAX };
    let areas = reader.kb().vocabulary.areas.iter().map(|it| area_view(reader, it, most));
    let view = components_view(reader, areas.filter(|area| !area.components.is_empty()).collect(), false);
    generated::render_in(reader, &frame, GeneratedPage::Components, "components.html", &view)
}

/// The components of one area.
pub(super) fn area(reader: &Reader<'_>, id: &Id) -> RenderResult {
    let Some(area) = reader.kb().vocabulary.area(id) else { return components(reader) };
    let mut frame = frame(reader, &area_path(id), reader.text(&area.label), reader.text(&area.what));
    frame.sidebar = sidebar::component_groups(reader, None);
    let view = components_view(reader, vec![area_view(reader, area, usize::MAX)], true);
    generated::render_below(reader, &frame, "components.html", &view)
}

fn components_view(reader: &Reader<'_>, areas: Vec<AreaView>, is_area: bool) -> ComponentsView {
    let kb = reader.kb();
    let components = || kb.components.values();
    let states: BTreeSet<LifecycleState> = components().filter_map(|it| Some(it.lifecycle.as_ref()?.state)).collect();
    let verdicts: BTreeSet<Verdict> = components().filter_map(|it| Some(it.deletion.removal.as_ref()?.general.verdict)).collect();
    ComponentsView {
        areas,
        is_area,
        states: states.into_iter().map(|state| labels::state(reader, state)).collect(),
        verdicts: verdicts.into_iter().map(|verdict| labels::verdict(reader, verdict)).collect(),
        providers: kb.providers.keys().map(|id| reader.link(id)).collect(),
        filters: fields::filters(reader, EntityKind::Component, &components().map(|it| it.fields.as_slice())),
    }
}

/// An area with at most `most` components in full, in the order of the sidebar.
fn area_view(reader: &Reader<'_>, area: &Area, most: usize) -> AreaView {
    let components = components_of(reader, &area.id);
    let (shown, more) = components.split_at(components.len().min(most));
    AreaView {
        id: area.id.to_string(),
        colour: reader.colour(&area.id),
        label: reader.text(&area.label).to_owned(),
        mark: area.mark.clone(),
        what: reader.text(&area.what).to_owned(),
        href: area_href(reader, &area.id),
        components: shown.iter().map(|component| row(reader, component, more.is_empty())).collect(),
        more: more.iter().map(|component| reader.link(&component.id)).collect(),
    }
}

/// The components of an area, in the order of the sidebar.
pub(super) fn components_of<'a>(reader: &Reader<'a>, area: &Id) -> Vec<&'a Component> {
    let kb = reader.kb();
    let at = kb.vocabulary.area_position(area);
    let paths = reader.context.navigation.areas.iter().filter(|(position, _)| *position == at).flat_map(|(_, paths)| paths);
    paths.filter_map(|path| kb.components.get(name(path))).map(AsRef::as_ref).collect()
}

/// An entry of a list. A shortened list doesn't have the sections of its components, and the words for the filter come from the pages of the areas.
fn row(reader: &Reader<'_>, item: &Component, is_complete: bool) -> ComponentRow {
    let kb = reader.kb();
    let path = format!("{COMPONENTS}/{}", item.id);
    let summary = reader.summary(&path);
    let providers = item.providers();
    let sections: Vec<&Section> = kb.sections_of(EntityKind::Component, &item.id).filter(|_| is_complete).collect();
    let said = reader.aka(&path, &item.aka).into_iter().chain(item.listing.iter().map(|listing| listing.name.as_str()));
    let said =
        said.chain(sections.iter().flat_map(|section| [section.id.as_str()].into_iter().chain(section.aka.iter().map(String::as_str))));
    let shown = [item.name.as_str(), item.id.as_str(), summary].into_iter().chain(sections.iter().map(|section| section.name.as_str()));
    let words = words_beyond(&shown.collect::<Vec<_>>().join(" "), said);
    ComponentRow {
        link: reader.link(&item.id),
        state: item.lifecycle.as_ref().map(|lifecycle| labels::state(reader, lifecycle.state)),
        verdict: item.deletion.removal.as_ref().map(|removal| labels::verdict(reader, removal.general.verdict)),
        words: if is_complete { words } else { String::new() },
        sections: sections.into_iter().map(|section| reader.link(&section.id)).collect(),
        providers: providers.iter().map(ToString::to_string).collect(),
        provider_links: providers.into_iter().filter(|id| kb.providers.contains_key(*id)).map(|id| reader.link(id)).collect(),
        summary: summary.to_owned(),
        fields: fields::in_list(reader, &item.fields),
        field_tokens: fields::tokens(reader, &item.fields),
    }
}

/// The words of the searchable texts that are not part of the visible text: each once, and without words that are part of others. The filter searches for parts
/// of words, so nothing is lost, and lists of hundreds of components are a quarter smaller.
fn words_beyond<'a>(shown: &str, said: impl Iterator<Item = &'a str>) -> String {
    let shown = shown.to_lowercase();
    // Placeholders such as `{version}` are separate words.
    let said = said.map(str::to_lowercase).collect::<Vec<_>>().join(" ").replace('{', " {").replace('}', "} ");
    let mut words: Vec<&str> = said.split_whitespace().filter(|word| !shown.contains(word)).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut kept: Vec<&str> = Vec::new();
    for word in words {
        if !kept.iter().any(|longer| longer.contains(word)) {
            kept.push(word);
        }
    }
    kept.join(" ")
}

fn item(reader: &Reader<'_>, kind: EntityKind, id: &Id, note: String, entries: &[FieldEntry]) -> ItemView {
    let sections = reader.kb().sections_of(kind, id).map(|section| reader.link(&section.id)).collect();
    ItemView {
        link: reader.link(id),
        summary: reader.summary(&format!("{}/{id}", kind.folder())).to_owned(),
        sections,
        note,
        fields: fields::in_list(reader, entries),
        field_tokens: fields::tokens(reader, entries),
    }
}

pub(super) fn providers(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let items = kb.providers.values().map(|provider| {
        let kind = kb.vocabulary.provider_kinds.iter().find(|kind| kind.id == provider.kind);
        let kind = kind.map(|kind| reader.text(&kind.label)).unwrap_or_default();
        let vendor = provider.vendor.as_deref().unwrap_or_default();
        let note = labels::join_nonempty([kind, vendor], " · ");
        item(reader, EntityKind::Provider, &provider.id, note, &provider.fields)
    });
    let filters = fields::filters(reader, EntityKind::Provider, &kb.providers.values().map(|it| it.fields.as_slice()));
    generated::render(reader, GeneratedPage::Providers, "list.html", &ListView { items: items.collect(), filters })
}

pub(super) fn concepts(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let items = kb.concepts.values().map(|concept| {
        let area = concept.area.as_ref().map(|area| labels::area(reader, area).name).unwrap_or_default();
        item(reader, EntityKind::Concept, &concept.id, area, &concept.fields)
    });
    let filters = fields::filters(reader, EntityKind::Concept, &kb.concepts.values().map(|it| it.fields.as_slice()));
    generated::render(reader, GeneratedPage::Concepts, "list.html", &ListView { items: items.collect(), filters })
}
