//! The versions that the documentation of AKS lists for each release of Kubernetes.

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement, statement::unambiguous};

/// The page with the supported releases.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "aks-docs",
    provider: "aks",
    kind: VersionKind::Runs,
    repository: "https://github.com/MicrosoftDocs/azure-aks-docs",
    files: &["articles/aks/supported-kubernetes-versions.md"],
    own_releases: false,
    revisions: Revisions::Head,
    since: [1, 20],
    parse,
};

/// The heading above the table of a release.
const HEADING: &str = "### Kubernetes ";

/// The beginning of the name of a column that compares with the release before.
const CHANGES: &str = "Breaking changes";

/// A heading with the release, and a table of one row. Its cells are lists in one line: `- coredns v1.13.1-6 <br> - cilium-agent v1.18.6`.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let mut statements = Vec::new();
    for file in files {
        let (mut release, mut columns) = (None, Vec::new());
        for (line, text) in file.lines() {
            let text = text.trim();
            if text.starts_with('#') {
                release = text.strip_prefix(HEADING).map(str::trim);
                columns.clear();
            } else if let (Some(release), Some(row)) = (release, text.strip_prefix('|')) {
                let cells = row.trim_end_matches('|').split('|').map(str::trim);
                if columns.is_empty() {
                    columns = cells.map(|cell| cell.trim_matches('*')).collect();
                    continue;
                }
                let cells = columns.iter().zip(cells).filter(|(column, _)| !column.starts_with(CHANGES));
                let versions = cells.flat_map(|(_, cell)| items(cell));
                let versions = versions.filter_map(|(name, version)| VersionStatement::of_name(*file, line, &name, version));
                statements.extend(unambiguous(versions.collect()).into_iter().map(|statement| statement.in_release(release)));
            }
        }
    }
    statements
}

/// The names and versions in a cell. An item in bold is the operating system of those below it, which becomes part of their names.
fn items(cell: &str) -> Vec<(String, &str)> {
    let mut system = None;
    let mut found = Vec::new();
    for text in cell.split("<br>") {
        let text = text.trim().trim_start_matches("- ").trim();
        if let Some(bold) = text.strip_prefix("**").and_then(|text| text.strip_suffix("**")) {
            system = Some(bold);
        } else if let Some((name, version)) = item(text) {
            found.push((system.map_or_else(|| name.to_owned(), |system| format!("{name} ({system})")), version));
        }
    }
    found
}

/// Splits an item of a cell into its name and its version, which is the last word, except for a note in parentheses. `None` if there is no version, or the item
/// has several.
fn item(item: &str) -> Option<(&str, &str)> {
    // The text of a link.
    let item = item.strip_prefix('[').and_then(|link| link.split_once("](")).map_or(item, |(text, _)| text);
    let item = item.strip_suffix(')').and_then(|before| before.rsplit_once(" (")).map_or(item, |(before, _)| before);
    let (name, version) = item.rsplit_once(' ')?;
    let is_version = |word: &str| word.contains('.') && word.bytes().any(|byte| byte.is_ascii_digit());
    // `1.7 for Linux and 1.6 for Windows` and other sentences have a version among their words.
    (is_version(version) && !name.split(' ').any(is_version)).then_some((name, version))
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn cells_are_lists_of_names_and_versions() {
        let text = include_str!("../../tests/fixtures/versions/aks-docs/supported-kubernetes-versions.md");
        assert_eq!(
            shown(&parse(&[SourceFile { path: "versions.md", text }])),
            [
                "1.36 coredns v1.14.3-3 :11",
                "1.36 gpu-provisioner 0.3.7 :11",
                "1.36 ccp-webhook master.251105.4 :11",
                "1.36 containerd (Linux - Ubuntu 24.04) 2.3.1-ubuntu24.04u2 :11",
                "1.36 containerd (Linux - AzureLinux 3.0) 2.2.4-2.azl3 :11",
                "1.31 Core DNS V1.9.4 :17",
                "1.31 Calico v1.34.7 :17",
            ]
        );
    }

    #[test]
    fn items_without_one_version_are_left_out() {
        for text in ["", "...", "Cgroups V2", "a", "ContainerD 1.7.5 for Linux and 1.7.1", "CNI v1.4 (Default)/v1.5.11 (Overlay)"] {
            assert_eq!(item(text), None, "{text}");
        }
        assert_eq!(item("osm-sidecar v1.32.2-hotfix.20241216"), Some(("osm-sidecar", "v1.32.2-hotfix.20241216")));
    }
}
