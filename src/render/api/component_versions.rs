//! The versions of components in the releases of providers, and the lists of their images.

use schemars::JsonSchema;
use serde::Serialize;

use super::{SCHEMA_VERSION, csv::csv_line};
use crate::{
    facts::{Day, VersionKind},
    id::Id,
    kb::{ComponentVersion, Kb, VersionSource},
    render::version_tables::{images, releases_with_images},
};

/// The versions of components in the releases of a provider.
#[derive(Serialize, JsonSchema)]
pub(super) struct ComponentVersions<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id of the provider.
    provider: &'a str,
    /// The sources, in the order of the file.
    sources: Vec<SourceOfVersions<'a>>,
}

/// What a source states about versions.
#[derive(Serialize, JsonSchema)]
struct SourceOfVersions<'a> {
    /// Its key in `versions.yaml`.
    key: &'a str,
    /// What the versions mean. Versions of different kinds are not comparable.
    kind: VersionKind,
    /// The date on which the source was read.
    checked: Day,
    /// The releases, in ascending order; empty if the versions don't depend on the release.
    releases: &'a [String],
    /// The versions, in the order of the file.
    versions: Vec<VersionInReleases<'a>>,
}

/// The version of a component in one release, or in several that follow each other.
#[derive(Serialize, JsonSchema)]
struct VersionInReleases<'a> {
    /// The id of the component; null for an image that no component is known to have.
    component: Option<&'a str>,
    /// The repository of the image, with its registry; null if the source has no image.
    image: Option<&'a str>,
    /// The name in the source, if it isn't an image; otherwise null.
    name: Option<&'a str>,
    /// The version, as the source writes it.
    version: &'a str,
    /// The first release that has it; null if it doesn't depend on the release.
    from: Option<&'a str>,
    /// The last release that has it; null if it doesn't depend on the release.
    to: Option<&'a str>,
    /// The address of the place that states it, for the last release; null for an observation without one.
    url: Option<String>,
}

/// The versions of a provider; `None` if none are known.
pub(super) fn of_provider<'a>(kb: &'a Kb, provider: &'a Id) -> Option<ComponentVersions<'a>> {
    let sources = kb.versions.get(provider)?.sources.iter().map(|source| SourceOfVersions {
        key: source.id.as_str(),
        kind: source.kind,
        checked: source.checked,
        releases: &source.releases,
        versions: source.versions.iter().map(|version| in_releases(source, version)).collect(),
    });
    Some(ComponentVersions { schema_version: SCHEMA_VERSION, provider: provider.as_str(), sources: sources.collect() })
}

fn in_releases<'a>(source: &'a VersionSource, version: &'a ComponentVersion) -> VersionInReleases<'a> {
    let release = |index: usize| source.releases.get(index).map(String::as_str);
    VersionInReleases {
        component: version.component.as_ref().map(Id::as_str),
        image: version.image.as_deref(),
        name: version.name.as_deref(),
        version: &version.version,
        from: version.releases.as_ref().and_then(|releases| release(*releases.start())),
        to: version.releases.as_ref().and_then(|releases| release(*releases.end())),
        url: source.url_of(version),
    }
}

/// `component-versions.csv`: a line for each version.
pub(super) fn csv(kb: &Kb) -> String {
    let mut csv = csv_line(&["provider", "source", "kind", "component", "image", "name", "version", "from", "to", "url", "checked"]);
    for (provider, versions) in kb.versions.iter() {
        for source in &versions.sources {
            for version in source.versions.iter().map(|version| in_releases(source, version)) {
                csv.push_str(&csv_line(&[
                    provider.as_str(),
                    source.id.as_str(),
                    source.kind.name(),
                    version.component.unwrap_or_default(),
                    version.image.unwrap_or_default(),
                    version.name.unwrap_or_default(),
                    version.version,
                    version.from.unwrap_or_default(),
                    version.to.unwrap_or_default(),
                    version.url.as_deref().unwrap_or_default(),
                    &source.checked.to_string(),
                ]));
            }
        }
    }
    csv
}

/// The images of a release of a provider, one reference per line; `None` if there is no such release.
pub(super) fn image_list(kb: &Kb, provider: &Id, release: &str) -> Option<String> {
    let all = releases_with_images(kb.versions.get(provider)?);
    let (_, source, index) = all.into_iter().find(|(name, ..)| *name == release)?;
    Some(images(source, index).into_iter().map(|image| image + "\n").collect())
}
