//! The versions of components in the releases of providers: an overview, and tables for a component and for a provider.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    frame::frame,
    generated,
    labels::{self, TermView},
    reader::{self, LinkView, Reader},
    routes::{component_versions_path, image_list_path},
    templates::RenderResult,
};
use crate::{
    facts::{Day, VersionKind},
    id::Id,
    kb::{ComponentVersion, Kb, ProviderVersions, VersionSource},
    layout::{GeneratedFile, GeneratedPage},
    url::Url,
};

/// The number of release lines in a table. More would not fit next to each other; older ones are in tables below.
const COLUMNS: usize = 6;

/// A table of versions: a row for each image, a column for each line of releases.
pub(super) struct VersionTable<'a> {
    /// The provider, if the lines are those of its own releases; `None` if they are those of the vocabulary.
    pub(super) provider: Option<&'a Id>,
    /// The lines of releases, the newest first. Empty if the versions don't depend on the release.
    pub(super) lines: Vec<&'a str>,
    pub(super) rows: Vec<VersionRow<'a>>,
}

/// The versions of an image of a component, as one source states them.
pub(super) struct VersionRow<'a> {
    pub(super) provider: &'a Id,
    pub(super) source: &'a VersionSource,
    pub(super) component: Option<&'a Id>,
    /// The image, or the name in the source.
    pub(super) image: &'a str,
    /// The versions, in the order of the releases.
    versions: Vec<&'a ComponentVersion>,
}

impl<'a> VersionRow<'a> {
    /// The versions in a line of releases: the first and the last, if they differ. All, if they don't depend on the release.
    pub(super) fn cell(&self, line: Option<&str>) -> Vec<&'a ComponentVersion> {
        let Some(line) = line else { return self.versions.clone() };
        let Some(range) = self.source.lines().into_iter().find(|of| of.name == line).map(|of| of.releases) else { return Vec::new() };
        let mut found = self.versions.iter().copied().filter(|version| version.meets(&range));
        let (first, last) = (found.next(), found.next_back());
        last.into_iter().chain(first).collect()
    }
}

/// The rows of a source, in the order of the file, for one component or for all images.
fn rows<'a>(provider: &'a Id, source: &'a VersionSource, component: Option<&Id>) -> Vec<VersionRow<'a>> {
    let mut rows: Vec<VersionRow<'a>> = Vec::new();
    for version in source.versions.iter().filter(|version| component.is_none_or(|id| version.component.as_ref() == Some(id))) {
        let image = version.image.as_deref().or(version.name.as_deref()).unwrap_or_default();
        match rows.last_mut().filter(|row| row.component == version.component.as_ref() && row.image == image) {
            Some(row) => row.versions.push(version),
            None => rows.push(VersionRow { provider, source, component: version.component.as_ref(), image, versions: vec![version] }),
        }
    }
    for row in &mut rows {
        row.versions.sort_by_key(|version| version.releases.as_ref().map(|releases| *releases.start()));
    }
    rows
}

/// The tables of a component: one for the releases of the vocabulary, one for each provider with releases of its own, and one for versions that don't depend on the release.
pub(super) fn of_component<'a>(kb: &'a Kb, component: &Id) -> Vec<VersionTable<'a>> {
    let sources = || kb.versions.iter().flat_map(|(provider, versions)| versions.sources.iter().map(move |source| (provider, source)));
    let shared: Vec<VersionRow<'a>> = sources()
        .filter(|(_, source)| !source.own_releases && !source.releases.is_empty())
        .flat_map(|(provider, source)| rows(provider, source, Some(component)))
        .collect();
    let own = sources()
        .filter(|(_, source)| source.own_releases)
        .map(|(provider, source)| (Some(provider), rows(provider, source, Some(component))));
    let timeless = sources().filter(|(_, source)| source.releases.is_empty() && !source.own_releases);
    let timeless = timeless.flat_map(|(provider, source)| rows(provider, source, Some(component))).collect();
    let tables = std::iter::once((None, shared)).chain(own).chain(std::iter::once((None, timeless)));
    tables.filter(|(_, rows)| !rows.is_empty()).map(|(provider, rows)| table(provider, rows)).collect()
}

/// The tables of a provider: one for each source.
pub(super) fn of_provider<'a>(provider: &'a Id, versions: &'a ProviderVersions) -> Vec<VersionTable<'a>> {
    let rows = versions.sources.iter().map(|source| (source.own_releases.then_some(provider), rows(provider, source, None)));
    rows.filter(|(_, rows)| !rows.is_empty()).map(|(provider, rows)| table(provider, rows)).collect()
}

fn table<'a>(provider: Option<&'a Id>, rows: Vec<VersionRow<'a>>) -> VersionTable<'a> {
    let mut lines: Vec<&str> = Vec::new();
    for row in &rows {
        for line in row.source.lines().into_iter().filter(|line| row.versions.iter().any(|it| line.releases.clone().any(|at| it.is_in(at))))
        {
            if !lines.contains(&line.name) {
                lines.push(line.name);
            }
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(numbers(line)));
    VersionTable { provider, lines, rows }
}

/// The numbers of a line of releases: `1.33` is after `1.9`.
fn numbers(line: &str) -> Vec<u32> {
    line.split('.').map(|part| part.parse().unwrap_or_default()).collect()
}

/// The versions of a component in a line of releases of a provider.
pub(super) struct LineVersions<'a> {
    /// What they mean, and the newest version of each image.
    pub(super) versions: Vec<(VersionKind, &'a str)>,
    /// The day of the earliest check.
    pub(super) checked: Day,
}

/// The versions of a component at a provider, by line of releases.
pub(super) fn by_line<'a>(kb: &'a Kb, provider: &Id, component: &'a Id) -> BTreeMap<&'a str, LineVersions<'a>> {
    let mut lines: BTreeMap<&str, LineVersions<'a>> = BTreeMap::new();
    for source in kb.versions.get(provider).into_iter().flat_map(|versions| &versions.sources) {
        for line in source.lines() {
            let newest = source.newest(component, line.name);
            if !newest.is_empty() {
                let known = lines.entry(line.name).or_insert_with(|| LineVersions { versions: Vec::new(), checked: source.checked });
                known.versions.extend(newest.into_iter().map(|version| (source.kind, version.version.as_str())));
                known.checked = source.checked.min(known.checked);
            }
        }
    }
    lines
}

/// The images of a release of a source, with their tags, sorted.
pub(super) fn images(source: &VersionSource, release: usize) -> BTreeSet<String> {
    let here = source.versions.iter().filter(|version| version.is_in(release));
    here.filter_map(|version| Some(format!("{}:{}", version.image.as_ref()?, version.version))).collect()
}

/// The last release of each line of the sources that state images of a provider, the newest first, with the source and the index of the release.
pub(super) fn releases_with_images(versions: &ProviderVersions) -> Vec<(&str, &VersionSource, usize)> {
    let of_source = |source: &'_ VersionSource| -> Vec<usize> { source.lines().iter().rev().map(|line| *line.releases.end()).collect() };
    let all = versions.sources.iter().flat_map(|source| of_source(source).into_iter().map(move |index| (source, index)));
    let all = all.filter(|(source, index)| !images(source, *index).is_empty());
    all.filter_map(|(source, index)| Some((source.releases.get(index)?.as_str(), source, index))).collect()
}

#[derive(Serialize)]
struct OverviewView {
    sources: Vec<SourceView>,
    components: Vec<LinkView>,
    /// The providers of which no versions are known.
    unknown: Vec<LinkView>,
    csv: String,
}

#[derive(Serialize)]
struct SourceView {
    provider: LinkView,
    kind: TermView,
    /// The oldest and the newest line of releases; empty if the versions don't depend on the release.
    first: String,
    last: String,
    /// The number of images.
    number: usize,
    /// The place of the newest version.
    url: String,
    checked: String,
}

#[derive(Serialize)]
struct TablesView {
    tables: Vec<TableView>,
    /// Whether the rows are those of one component.
    of_component: bool,
    images: Vec<LinkView>,
    csv: String,
}

#[derive(Serialize)]
struct TableView {
    /// What the versions mean and the provider, if all rows agree; empty otherwise.
    title: String,
    /// The rows with the newest lines of releases, then those with older lines.
    parts: Vec<PartView>,
}

#[derive(Serialize)]
struct PartView {
    lines: Vec<String>,
    rows: Vec<RowView>,
}

#[derive(Serialize)]
struct RowView {
    provider: LinkView,
    /// The component; without a page, its image.
    component: Option<LinkView>,
    image: String,
    kind: TermView,
    cells: Vec<Vec<VersionView>>,
}

#[derive(Serialize)]
struct VersionView {
    version: String,
    href: String,
    /// The release, if the line has several versions.
    release: String,
}

/// The overview.
pub(super) fn overview(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let link = |id: &Id| LinkView { href: reader.href(&component_versions_path(id)), ..reader.link(id) };
    let source = |provider: &Id, source: &VersionSource| {
        let lines = source.lines();
        SourceView {
            provider: link(provider),
            kind: labels::version_kind(reader, source.kind),
            first: lines.first().map_or("", |line| line.name).to_owned(),
            last: lines.last().map_or("", |line| line.name).to_owned(),
            number: rows(provider, source, None).len(),
            url: source.versions.last().and_then(|version| source.url_of(version)).unwrap_or_default(),
            checked: reader::day(source.checked),
        }
    };
    let sources = kb.versions.iter().flat_map(|(provider, versions)| versions.sources.iter().map(move |of| (provider, of)));
    let view = OverviewView {
        sources: sources.map(|(provider, of)| source(provider, of)).collect(),
        components: kb.components_with_versions().into_iter().map(link).collect(),
        unknown: kb.providers.keys().filter(|id| !kb.versions.contains_key(*id)).map(|id| reader.link(id)).collect(),
        csv: reader.href_to(&Url::file(GeneratedFile::ComponentVersionsCsv.path())),
    };
    generated::render(reader, GeneratedPage::ComponentVersions, "component-versions.html", &view)
}

/// The page of a component or a provider with its versions.
pub(super) fn of(reader: &Reader<'_>, id: &Id) -> RenderResult {
    let kb = reader.kb();
    let of_provider = kb.versions.get(id).map(|versions| (versions, self::of_provider(id, versions)));
    let images = of_provider.iter().flat_map(|(versions, _)| releases_with_images(versions)).map(|(release, ..)| LinkView {
        href: reader.href_to(&Url::file(&image_list_path(id, release))),
        name: release.to_owned(),
        ..LinkView::default()
    });
    let images = images.collect();
    let of_component = of_provider.is_none();
    let tables = of_provider.map_or_else(|| self::of_component(kb, id), |(_, tables)| tables);
    let view = TablesView {
        tables: tables.iter().map(|table| table_view(reader, table, of_component)).collect(),
        of_component,
        images,
        csv: reader.href_to(&Url::file(GeneratedFile::ComponentVersionsCsv.path())),
    };
    let description = reader.words(if of_component { "component_versions_of_description" } else { "component_versions_in_description" });
    let frame = frame(reader, &component_versions_path(id), &title_of(reader, id), description);
    generated::render_below(reader, &frame, "component-versions-of.html", &view)
}

/// A link to the page of a component or a provider with its versions; `None` if none are known.
pub(super) fn link(reader: &Reader<'_>, id: &Id) -> Option<LinkView> {
    let kb = reader.kb();
    let is_known =
        kb.versions.contains_key(id) || kb.versions.values().flat_map(|it| &it.sources).any(|source| source.of(id).next().is_some());
    is_known.then(|| LinkView { href: reader.href(&component_versions_path(id)), name: title_of(reader, id), ..LinkView::default() })
}

/// The title of the page of a component or a provider.
pub(super) fn title_of(reader: &Reader<'_>, id: &Id) -> String {
    let key = if reader.kb().versions.contains_key(id) { "component_versions_in" } else { "component_versions_of" };
    reader.strings().with(key, &[("name", &reader.link(id).name)])
}

/// The heading of a table: the provider of releases of its own, and what the versions mean if all rows agree.
pub(super) fn title_of_table(reader: &Reader<'_>, table: &VersionTable<'_>, of_component: bool) -> String {
    let provider = table.provider.filter(|_| of_component).map(|id| reader.link(id).name).unwrap_or_default();
    let kind =
        table.rows.first().filter(|_| !of_component).map(|row| labels::version_kind(reader, row.source.kind).label).unwrap_or_default();
    labels::join_nonempty([provider.as_str(), kind.as_str()], " · ")
}

fn table_view(reader: &Reader<'_>, table: &VersionTable<'_>, of_component: bool) -> TableView {
    let lines: Vec<Option<&str>> = if table.lines.is_empty() { vec![None] } else { table.lines.iter().copied().map(Some).collect() };
    let parts = lines.chunks(COLUMNS).map(|lines| PartView {
        lines: lines.iter().map(|line| line.unwrap_or_else(|| reader.words("all_releases")).to_owned()).collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row_view(reader, row, lines))
            .filter(|row| row.cells.iter().any(|cell| !cell.is_empty()))
            .collect(),
    });
    TableView { title: title_of_table(reader, table, of_component), parts: parts.filter(|part| !part.rows.is_empty()).collect() }
}

fn row_view(reader: &Reader<'_>, row: &VersionRow<'_>, lines: &[Option<&str>]) -> RowView {
    let link = |id: &Id| LinkView { href: reader.href(&component_versions_path(id)), ..reader.link(id) };
    let cell = |line: Option<&str>| {
        let versions = row.cell(line);
        let has_several = line.is_some() && versions.len() > 1;
        let release =
            |version: &ComponentVersion| version.releases.as_ref().and_then(|releases| row.source.releases.get(*releases.start()));
        let view = |version: &ComponentVersion| VersionView {
            version: version.version.clone(),
            href: row.source.url_of(version).unwrap_or_default(),
            release: release(version).filter(|_| has_several).cloned().unwrap_or_default(),
        };
        versions.into_iter().map(view).collect()
    };
    RowView {
        provider: link(row.provider),
        component: row.component.map(link),
        image: row.image.to_owned(),
        kind: labels::version_kind(reader, row.source.kind),
        cells: lines.iter().copied().map(cell).collect(),
    }
}
