//! The images that are on the disks of AKS Nodes before they are used.

use std::sync::Arc;

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement};
use crate::{
    diagnostic::Diagnostics,
    node::{Node, NodeValue},
    text::LineIndex,
    yaml,
};

/// The list from which images of Nodes are built.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "agentbaker",
    provider: "aks",
    kind: VersionKind::Cached,
    repository: "https://github.com/Azure/AgentBaker",
    files: &["parts/common/components.json"],
    own_releases: false,
    revisions: Revisions::Head,
    since: [1, 20],
    parse,
};

/// The lists of versions of an image, by architecture and operating system.
const VERSIONS: [&str; 3] = ["amd64OnlyVersions", "multiArchVersionsV2", "windowsVersions"];

/// The keys of a version: the newest and the one before are both on the disk.
const TAGS: [&str; 2] = ["latestVersion", "previousLatestVersion"];

/// Entries with an address, in which `*` stands for the tag, and lists of tags. JSON is YAML, whose parser keeps the lines.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let of_file = |file: &SourceFile<'_>| {
        let lines = LineIndex::new(file.text);
        let root = yaml::parse(&Arc::from(file.path), file.text, 0, &mut Diagnostics::new());
        let images = root.iter().filter_map(|root| root.entry("ContainerImages")).flat_map(|images| items(&images.node));
        let statements = images.flat_map(|image| {
            let repository = image.entry("downloadURL").and_then(|url| text(&url.node)?.strip_suffix(":*")).unwrap_or_default();
            let versions = VERSIONS.iter().filter_map(|key| image.entry(key)).flat_map(|versions| items(&versions.node));
            let tags = versions.flat_map(|version| TAGS.iter().filter_map(|key| version.entry(key)).map(|tag| &tag.node).chain([version]));
            let statement = |tag: &Node| VersionStatement::of_image(*file, lines.line_column(tag.span.start).line, repository, text(tag)?);
            tags.filter_map(statement).collect::<Vec<_>>()
        });
        statements.collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

fn items(node: &Node) -> impl Iterator<Item = &Node> {
    let items = if let NodeValue::List(items) = &node.value { items.as_slice() } else { &[] };
    items.iter().map(|item| &item.node)
}

fn text(node: &Node) -> Option<&str> {
    if let NodeValue::Scalar(scalar) = &node.value { Some(&scalar.text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn every_tag_of_an_image_is_a_version() {
        let text = include_str!("../../tests/fixtures/versions/agentbaker/components.json");
        assert_eq!(
            shown(&parse(&[SourceFile { path: "components.json", text }])),
            [
                "mcr.microsoft.com/oss/kubernetes/pause 3.5 :5",
                "mcr.microsoft.com/oss/kubernetes/pause 3.10.2 :9",
                "mcr.microsoft.com/oss/kubernetes/pause 3.6 :10",
                "mcr.microsoft.com/oss/kubernetes/pause 3.10.1 :15",
            ]
        );
        for text in ["", "[]", "{\"ContainerImages\": {}}", "{\"ContainerImages\": [1, {\"downloadURL\": []}]}", "{"] {
            assert_eq!(parse(&[SourceFile { path: "components.json", text }]), [], "{text}");
        }
    }
}
