//! The versions of components in the releases of providers, as rows by image and columns by line of releases.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    facts::{Day, VersionKind},
    id::Id,
    kb::{ComponentVersion, Kb, ProviderVersions, ReleaseLine, VersionSource},
    layout::DATA_FOLDER,
};

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

/// A version in a line of releases.
pub(super) struct CellVersion<'a> {
    pub(super) version: &'a ComponentVersion,
    /// The first release of the line that has it; `None` if it doesn't depend on the release.
    pub(super) first: Option<&'a str>,
}

impl<'a> VersionRow<'a> {
    /// The versions in a line of releases: the newest and the oldest, if they differ. All, if they don't depend on the release.
    pub(super) fn cell(&self, line: Option<&str>) -> Vec<CellVersion<'a>> {
        let Some(line) = line else { return self.versions.iter().map(|version| CellVersion { version, first: None }).collect() };
        let Some(range) = self.source.lines().into_iter().find(|of| of.name == line).map(|of| of.releases) else { return Vec::new() };
        let first = |version: &ComponentVersion| {
            let start = *version.releases.as_ref()?.start();
            self.source.releases.get(start.max(*range.start())).map(String::as_str)
        };
        let here = self.versions.iter().filter(|version| version.meets(&range));
        let mut here = here.map(|version| CellVersion { version, first: first(version) });
        let (oldest, newest) = (here.next(), here.next_back());
        newest.into_iter().chain(oldest).collect()
    }
}

/// The rows of a source, in the order of the file, for one component or for all images.
pub(super) fn rows<'a>(provider: &'a Id, source: &'a VersionSource, component: Option<&Id>) -> Vec<VersionRow<'a>> {
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
        let has_version = |line: &ReleaseLine<'_>| row.versions.iter().any(|version| version.meets(&line.releases));
        for line in row.source.lines().into_iter().filter(has_version) {
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
    let here = source.versions.iter().filter(|version| version.meets(&(release..=release)));
    here.filter_map(|version| Some(format!("{}:{}", version.image.as_ref()?, version.version))).collect()
}

/// The last release of each line of the sources with the images that a cluster has unless others are chosen, the newest first, with the source and the index of the
/// release.
pub(super) fn releases_with_images(versions: &ProviderVersions) -> Vec<(&str, &VersionSource, usize)> {
    let is_installed = |source: &&VersionSource| matches!(source.kind, VersionKind::Runs | VersionKind::Default);
    let of_source = |source: &'_ VersionSource| -> Vec<usize> { source.lines().iter().rev().map(|line| *line.releases.end()).collect() };
    let sources = versions.sources.iter().filter(is_installed);
    let all = sources.flat_map(|source| of_source(source).into_iter().map(move |index| (source, index)));
    let all = all.filter(|(source, index)| !images(source, *index).is_empty());
    all.filter_map(|(source, index)| Some((source.releases.get(index)?.as_str(), source, index))).collect()
}

/// The path of the list of the images of a provider's release.
pub(super) fn image_list_path(provider: &Id, release: &str) -> String {
    format!("{DATA_FOLDER}images/{provider}/{release}.txt")
}
