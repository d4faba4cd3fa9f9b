//! The versions of components in the releases of providers.

use std::{ops::RangeInclusive, sync::Arc};

use crate::{
    facts::{Day, VersionKind},
    id::Id,
};

/// The versions of components in the releases of a provider, by source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderVersions {
    /// The file.
    pub file: Arc<str>,
    /// The sources, in the order of the file.
    pub sources: Vec<VersionSource>,
}

/// What a source states about versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionSource {
    /// Its key in the file.
    pub id: Id,
    /// What the versions mean.
    pub kind: VersionKind,
    /// The address, with the placeholders `{release}` and `{file}`.
    pub url: Option<String>,
    /// The date on which it was read.
    pub checked: Day,
    /// Whether its releases are not those of the vocabulary.
    pub own_releases: bool,
    /// Its releases, in ascending order.
    pub releases: Vec<String>,
    /// The versions, in the order of the file.
    pub versions: Vec<ComponentVersion>,
}

/// The version of a component in one release, or in several that follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComponentVersion {
    /// The component; `None` for an image that no component is known to have.
    pub component: Option<Id>,
    /// The repository of its image, with the registry.
    pub image: Option<String>,
    /// The name in the source, if it isn't an image.
    pub name: Option<String>,
    /// The version, as the source writes it.
    pub version: String,
    /// The indexes of the releases that have it; `None` if it doesn't depend on the release.
    pub releases: Option<RangeInclusive<usize>>,
    /// What `{file}` in the address stands for.
    pub file: Option<String>,
    /// The line in the file, of the last release.
    pub line: Option<u32>,
}

/// The releases with the same first two numbers: `1.33` of `1.33.0+k3s1` and `1.33.1+k3s1`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseLine<'a> {
    /// The two numbers.
    pub name: &'a str,
    /// The indexes of its releases.
    pub releases: RangeInclusive<usize>,
}

impl ProviderVersions {
    /// The newest version of each image of a component in a line of releases of the vocabulary, with what it means.
    pub fn in_line<'a>(&'a self, component: &'a Id, line: &'a str) -> impl Iterator<Item = (VersionKind, &'a ComponentVersion)> {
        let sources = self.sources.iter().filter(|source| !source.own_releases);
        sources.flat_map(move |source| source.newest(component, line).into_iter().map(|version| (source.kind, version)))
    }
}

impl VersionSource {
    /// The lines of its releases, in ascending order.
    #[must_use]
    pub fn lines(&self) -> Vec<ReleaseLine<'_>> {
        let mut lines: Vec<ReleaseLine<'_>> = Vec::new();
        for (index, release) in self.releases.iter().enumerate() {
            let name = release_line(release);
            match lines.last_mut() {
                Some(last) if last.name == name => last.releases = *last.releases.start()..=index,
                _ => lines.push(ReleaseLine { name, releases: index..=index }),
            }
        }
        lines
    }

    /// The address of the place that states a version; `None` for an observation without one.
    #[must_use]
    pub fn url_of(&self, version: &ComponentVersion) -> Option<String> {
        let release = version.releases.as_ref().and_then(|releases| self.releases.get(*releases.end()));
        let url = self.url.as_ref()?.replace("{release}", release.map_or("", String::as_str));
        let url = url.replace("{file}", version.file.as_deref().unwrap_or_default());
        Some(version.line.map_or_else(|| url.clone(), |line| format!("{url}#L{line}")))
    }

    /// The newest version of each image of a component in a line of releases, in the order of the file.
    #[must_use]
    pub fn newest<'a>(&'a self, component: &'a Id, line: &str) -> Vec<&'a ComponentVersion> {
        let Some(range) = self.lines().into_iter().find(|known| known.name == line).map(|known| known.releases) else { return Vec::new() };
        let start = |version: &ComponentVersion| version.releases.as_ref().map(|releases| *releases.start());
        let mut newest: Vec<&ComponentVersion> = Vec::new();
        for version in self.of(component).filter(|version| version.meets(&range)) {
            match newest.iter_mut().find(|known| known.image == version.image && known.name == version.name) {
                Some(known) if start(known) < start(version) => *known = version,
                Some(_) => {}
                None => newest.push(version),
            }
        }
        newest
    }

    /// The versions of a component.
    pub fn of<'a>(&'a self, component: &'a Id) -> impl Iterator<Item = &'a ComponentVersion> {
        self.versions.iter().filter(move |version| version.component.as_ref() == Some(component))
    }
}

impl ComponentVersion {
    /// Whether one of these releases has it.
    #[must_use]
    pub fn meets(&self, range: &RangeInclusive<usize>) -> bool {
        self.releases.as_ref().is_none_or(|releases| releases.start() <= range.end() && range.start() <= releases.end())
    }
}

/// The first two numbers of a release, `1.33` of `1.33.1+k3s1`; the whole text of a shorter one.
#[must_use]
pub fn release_line(release: &str) -> &str {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((first, rest)) = release.split_once('.') else { return release };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    if is_number(first) && end > 0 { &release[..first.len() + 1 + end] } else { release }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_releases() {
        for (release, expected) in [
            ("1.33.1+k3s1", "1.33"),
            ("1.33", "1.33"),
            ("2.28.0", "2.28"),
            ("1.10-beta", "1.10"),
            ("latest", "latest"),
            ("1.", "1."),
            ("v1.2", "v1.2"),
        ] {
            assert_eq!(release_line(release), expected, "{release}");
        }
    }
}
