//! The generated parts of the home page.

use serde::Serialize;

use super::{
    architecture,
    area_links::area_href,
    diagrams::FigureView,
    reader::{LinkView, Reader},
    versions::{self, ChangeEntryView},
};
use crate::{
    id::Id,
    layout::{COMPONENTS, EntityKind, GeneratedPage},
    url::encode_query_value,
};

#[derive(Serialize)]
pub(super) struct HomeView {
    /// Links to real queries.
    examples: Vec<LinkView>,
    /// The text up to its first section, which follows the search box.
    pub(super) opening: String,
    /// The rest of the text, at the end.
    pub(super) closing: String,
    newest: Option<NewestView>,
    /// The title of the list of components.
    core_title: String,
    core: Vec<CoreView>,
    providers: Vec<LinkView>,
    areas: Vec<AreaLink>,
    /// The diagram of the system in the newest release.
    system: Option<FigureView>,
    counts: Vec<CountView>,
}

/// The number of components on a home page without a list of the most important ones.
const FIRST: usize = 12;

/// The number of changes of the newest release that the home page shows.
const NEWEST_CHANGES: usize = 5;

/// The first changes of the newest release that has any.
#[derive(Serialize)]
struct NewestView {
    title: String,
    href: String,
    changes: Vec<NewestChangeView>,
}

#[derive(Serialize)]
struct NewestChangeView {
    kind: String,
    link: Option<LinkView>,
    part: String,
    what: String,
}

fn newest(reader: &Reader<'_>) -> Option<NewestView> {
    let changes = versions::recent(reader).into_iter().next()?;
    let platform = reader.kb().vocabulary.platform.as_deref().unwrap_or_default();
    let title = reader.strings().with("versions_new", &[("platform", platform), ("v", &changes.name)]).trim().to_owned();
    let entries = changes.groups.into_iter().flat_map(|group| {
        let of_group = |entry: ChangeEntryView| NewestChangeView {
            kind: group.label.clone(),
            part: if entry.provider.is_some() { String::new() } else { entry.part },
            what: entry.what,
            link: entry.provider.or(entry.link),
        };
        group.entries.into_iter().map(of_group).collect::<Vec<_>>()
    });
    Some(NewestView { title, href: changes.href, changes: entries.take(NEWEST_CHANGES).collect() })
}

/// A component that every reader should know.
#[derive(Serialize)]
struct CoreView {
    link: LinkView,
    summary: String,
}

/// An area, with the number of its components.
#[derive(Serialize)]
struct AreaLink {
    label: String,
    colour: usize,
    mark: String,
    what: String,
    href: String,
    number: usize,
}

#[derive(Serialize)]
struct CountView {
    label: String,
    href: String,
    number: usize,
}

/// The parts, without the text of the page.
pub(super) fn home(reader: &Reader<'_>) -> HomeView {
    let kb = reader.kb();
    let count = |kind: EntityKind, number: usize| {
        let label = reader.words(if number == 1 { kind.name() } else { kind.folder() });
        CountView { label: label.to_owned(), href: reader.href(kind.folder()), number }
    };
    let counts = [
        count(EntityKind::Component, kb.components.len()),
        count(EntityKind::Provider, kb.providers.len()),
        count(EntityKind::Concept, kb.concepts.len()),
    ];
    // Without a list in the vocabulary, the first components stand for all.
    let core: Vec<&Id> =
        if kb.vocabulary.core.is_empty() { kb.components.keys().take(FIRST).collect() } else { kb.vocabulary.core.iter().collect() };
    let core_title = reader.words(if kb.vocabulary.core.is_empty() { EntityKind::Component.folder() } else { "home_core" }).to_owned();
    let core =
        core.into_iter().map(|id| CoreView { link: reader.link(id), summary: reader.summary(&format!("{COMPONENTS}/{id}")).to_owned() });
    let areas = kb.vocabulary.areas.iter().map(|area| AreaLink {
        label: reader.text(&area.label).to_owned(),
        colour: reader.colour(&area.id),
        mark: area.mark.clone(),
        what: reader.text(&area.what).to_owned(),
        href: area_href(reader, &area.id),
        number: kb.components.values().filter(|component| component.area == area.id).count(),
    });
    let results = reader.href(GeneratedPage::Search.path());
    let examples = kb.vocabulary.search_examples.iter().map(|query| LinkView {
        name: query.clone(),
        href: format!("{results}?q={}", encode_query_value(query)),
        ..LinkView::default()
    });
    HomeView {
        examples: examples.collect(),
        opening: String::new(),
        closing: String::new(),
        newest: newest(reader).filter(|_| kb.has_generated(GeneratedPage::Versions)),
        core_title,
        core: core.collect(),
        providers: kb.providers.keys().map(|id| reader.link(id)).collect(),
        areas: areas.filter(|area| area.number > 0).collect(),
        system: architecture::newest(reader),
        counts: counts.into_iter().filter(|count| count.number > 0).collect(),
    }
}
