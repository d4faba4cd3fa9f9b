//! The versions that run, compared with those that their projects support.
//!
//! The comments of public types and fields are also the descriptions in the JSON Schema of a report.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;

use super::{ExplainedRow, Knowledge};
use crate::{
    facts::{Day, VersionKind},
    id::Id,
    kb::OldestSupported,
    objects::{ObjectContent, image_path, image_tag, is_image},
};

/// A version of a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Version")]
pub struct RunningVersion {
    /// The id of the component.
    #[schemars(with = "String")]
    pub component: Id,
    /// The tag of its image.
    pub version: String,
    /// Whether its project still supports it; null if that is not known.
    pub supported: Option<bool>,
    /// The oldest supported version; null if it is not known, or if support ends on a date.
    pub oldest: Option<String>,
    /// The day on which support ends or ended; null if it is not known.
    pub end: Option<Day>,
    /// The versions in the release of the provider that the cluster seems to have, if they are known.
    pub shipped: Vec<ShippedVersion>,
}

/// The version of a component in a release of a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShippedVersion {
    /// The first two numbers of the release.
    pub release: String,
    /// What the version means. Versions of different kinds are not comparable.
    pub kind: VersionKind,
    /// The newest version in these releases, as the source writes it.
    pub version: String,
}

/// The versions of the components, in the order of their first objects; several of one component are in the order of the input.
pub(super) fn versions(knowledge: &Knowledge, rows: &[ExplainedRow]) -> Vec<RunningVersion> {
    let mut seen = BTreeSet::new();
    let mut versions: Vec<RunningVersion> = Vec::new();
    for row in rows {
        let (Some(owner), Some(object)) = (&row.owner, row.row.object.as_deref()) else { continue };
        let images = match object {
            ObjectContent::Pod(pod) => &pod.spec.images,
            ObjectContent::Workload(workload) => &workload.spec.images,
            _ => continue,
        };
        let Some(component) = knowledge.components.get(&owner.component) else { continue };
        for image in
            images.iter().filter(|image| component.images.iter().any(|own| image_path(image).is_some_and(|path| is_image(path, own))))
        {
            if let Some(tag) = image_tag(image)
                && seen.insert((&owner.component, tag))
            {
                versions.push(version(knowledge, &owner.component, component.support.as_ref().map(|support| &support.oldest), tag));
            }
        }
    }
    versions
        .sort_by_key(|version| rows.iter().position(|row| row.owner.as_ref().is_some_and(|owner| owner.component == version.component)));
    versions
}

/// Adds the versions in a release of a provider.
pub(super) fn add_shipped(knowledge: &Knowledge, versions: &mut [RunningVersion], provider: Option<&Id>, release: Option<&String>) {
    let Some((shipped, release)) = provider.and_then(|provider| knowledge.versions.get(provider)).zip(release) else { return };
    for version in versions {
        let in_release = shipped.in_line(&version.component, release);
        let in_release = in_release.map(|(kind, of)| ShippedVersion { release: release.clone(), kind, version: of.version.clone() });
        version.shipped = in_release.collect();
        // The same image for two systems has two names.
        version.shipped.dedup();
    }
}

/// The release of the cluster, `1.33`: that of the first component that has the versions of the releases.
pub(super) fn release(knowledge: &Knowledge, versions: &[RunningVersion]) -> Option<String> {
    versions.iter().find_map(|version| {
        let component = knowledge.components.get(&version.component)?;
        let is_release = component.support.as_ref().is_some_and(|support| support.oldest == OldestSupported::Release);
        line_of(&numbers(&version.version)).filter(|_| is_release)
    })
}

/// The first two numbers of a version, `1.33`.
fn line_of(numbers: &[u32]) -> Option<String> {
    if let [major, minor, ..] = numbers { Some(format!("{major}.{minor}")) } else { None }
}

fn version(knowledge: &Knowledge, component: &Id, oldest: Option<&OldestSupported>, tag: &str) -> RunningVersion {
    let numbers = numbers(tag);
    let mut version = RunningVersion {
        component: component.clone(),
        version: tag.to_owned(),
        supported: None,
        oldest: None,
        end: None,
        shipped: Vec::new(),
    };
    match oldest {
        Some(OldestSupported::Version(oldest)) if !numbers.is_empty() => {
            version.supported = Some(numbers >= *oldest);
            version.oldest = Some(OldestSupported::Version(oldest.clone()).to_string());
        }
        Some(OldestSupported::Release) if numbers.len() >= 2 => {
            let name = line_of(&numbers);
            let release = knowledge.vocabulary.releases.iter().find(|release| Some(&release.name) == name.as_ref());
            version.end = release.and_then(|release| release.end);
            version.supported = version.end.zip(knowledge.today).map(|(end, today)| today <= end.0);
        }
        _ => {}
    }
    version
}

/// The numbers at the beginning of a version: `v1.27.3-gke.100` is `[1, 27, 3]`.
pub(super) fn numbers(tag: &str) -> Vec<u32> {
    let tag = tag.strip_prefix('v').unwrap_or(tag);
    let mut numbers = Vec::new();
    for part in tag.split('.').take(3) {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let Ok(number) = part[..end].parse() else { break };
        numbers.push(number);
        if end < part.len() {
            break;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_tags() {
        for (tag, expected) in
            [("v1.27.3-gke.100", &[1, 27, 3][..]), ("1.9", &[1, 9]), ("v3.5.9-0", &[3, 5, 9]), ("latest", &[]), ("2024-05", &[2024])]
        {
            assert_eq!(numbers(tag), expected, "{tag}");
        }
    }
}
