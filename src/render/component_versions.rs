//! The pages with the versions of components in the releases of providers: an overview, and tables for a component and for a provider.

use serde::Serialize;

use super::{
    frame::frame,
    generated,
    labels::{self, TermView},
    reader::{self, LinkView, Reader},
    routes::component_versions_path,
    templates::RenderResult,
    version_links,
    version_tables::{self, CellVersion, VersionRow, VersionTable, image_list_path, releases_with_images, rows},
};
use crate::{
    id::Id,
    kb::VersionSource,
    layout::{GeneratedFile, GeneratedPage},
    url::Url,
};

/// The number of release lines in a table. More would not fit next to each other; older ones are in tables below.
const COLUMNS: usize = 6;

#[derive(Serialize)]
struct OverviewView {
    sources: Vec<VersionSourceView>,
    components: Vec<LinkView>,
    /// The providers of which no versions are known.
    unknown: Vec<LinkView>,
    csv: String,
}

#[derive(Serialize)]
struct VersionSourceView {
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
    tables: Vec<VersionTableView>,
    /// Whether the rows are those of one component.
    of_component: bool,
    images: Vec<LinkView>,
    csv: String,
}

#[derive(Serialize)]
struct VersionTableView {
    /// What the versions mean and the provider, if all rows agree; empty otherwise.
    title: String,
    /// The rows with the newest lines of releases, then those with older lines.
    parts: Vec<VersionPartView>,
}

#[derive(Serialize)]
struct VersionPartView {
    lines: Vec<String>,
    rows: Vec<VersionRowView>,
}

#[derive(Serialize)]
struct VersionRowView {
    provider: LinkView,
    /// The component; without a page, its image.
    component: Option<LinkView>,
    image: String,
    kind: TermView,
    cells: Vec<Vec<CellVersionView>>,
}

#[derive(Serialize)]
struct CellVersionView {
    version: String,
    href: String,
    /// The release, if the line has several versions.
    release: String,
}

/// The overview.
pub(super) fn overview(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let source = |provider: &Id, source: &VersionSource| {
        let lines = source.lines();
        VersionSourceView {
            provider: version_links::named(reader, provider),
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
        components: kb.components_with_versions().into_iter().map(|id| version_links::named(reader, id)).collect(),
        unknown: kb.providers.keys().filter(|id| !kb.versions.contains_key(*id)).map(|id| reader.link(id)).collect(),
        csv: reader.href_to(&Url::file(GeneratedFile::ComponentVersionsCsv.path())),
    };
    generated::render(reader, GeneratedPage::ComponentVersions, "component-versions.html", &view)
}

/// The page of a component or a provider with its versions.
pub(super) fn of(reader: &Reader<'_>, id: &Id) -> RenderResult {
    let kb = reader.kb();
    let of_provider = kb.versions.get(id).map(|versions| (versions, version_tables::of_provider(id, versions)));
    let images = of_provider.iter().flat_map(|(versions, _)| releases_with_images(versions)).map(|(release, ..)| LinkView {
        href: reader.href_to(&Url::file(&image_list_path(id, release))),
        name: release.to_owned(),
        ..LinkView::default()
    });
    let images = images.collect();
    let of_component = of_provider.is_none();
    let tables = of_provider.map_or_else(|| version_tables::of_component(kb, id), |(_, tables)| tables);
    let view = TablesView {
        tables: tables.iter().map(|table| table_view(reader, table, of_component)).collect(),
        of_component,
        images,
        csv: reader.href_to(&Url::file(GeneratedFile::ComponentVersionsCsv.path())),
    };
    let description = reader.words(if of_component { "component_versions_of_description" } else { "component_versions_in_description" });
    let frame = frame(reader, &component_versions_path(id), &version_links::title_of(reader, id), description);
    generated::render_below(reader, &frame, "component-versions-of.html", &view)
}

/// The heading of a table: the provider of releases of its own, and what the versions mean if all rows agree.
pub(super) fn title_of_table(reader: &Reader<'_>, table: &VersionTable<'_>, of_component: bool) -> String {
    let provider = table.provider.filter(|_| of_component).map(|id| reader.link(id).name).unwrap_or_default();
    let kind =
        table.rows.first().filter(|_| !of_component).map(|row| labels::version_kind(reader, row.source.kind).label).unwrap_or_default();
    labels::join_nonempty([provider.as_str(), kind.as_str()], " · ")
}

fn table_view(reader: &Reader<'_>, table: &VersionTable<'_>, of_component: bool) -> VersionTableView {
    let lines: Vec<Option<&str>> = if table.lines.is_empty() { vec![None] } else { table.lines.iter().copied().map(Some).collect() };
    let parts = lines.chunks(COLUMNS).map(|lines| VersionPartView {
        lines: lines.iter().map(|line| line.unwrap_or_else(|| reader.words("all_releases")).to_owned()).collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row_view(reader, row, lines))
            .filter(|row| row.cells.iter().any(|cell| !cell.is_empty()))
            .collect(),
    });
    VersionTableView { title: title_of_table(reader, table, of_component), parts: parts.filter(|part| !part.rows.is_empty()).collect() }
}

fn row_view(reader: &Reader<'_>, row: &VersionRow<'_>, lines: &[Option<&str>]) -> VersionRowView {
    let cell = |line: Option<&str>| {
        let versions = row.cell(line);
        let has_several = versions.len() > 1;
        let view = |CellVersion { version, first }: CellVersion<'_>| CellVersionView {
            version: version.version.clone(),
            href: row.source.url_of(version).unwrap_or_default(),
            release: first.filter(|_| has_several).unwrap_or_default().to_owned(),
        };
        versions.into_iter().map(view).collect()
    };
    VersionRowView {
        provider: version_links::named(reader, row.provider),
        component: row.component.map(|id| version_links::named(reader, id)),
        image: row.image.to_owned(),
        kind: labels::version_kind(reader, row.source.kind),
        cells: lines.iter().copied().map(cell).collect(),
    }
}
