//! The images that eksctl installs by default in clusters of EKS without managed add-ons.

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement};

/// The manifests that are part of eksctl.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "eksctl",
    provider: "eks",
    kind: VersionKind::Default,
    repository: "https://github.com/eksctl-io/eksctl",
    files: &["pkg/addons/default/assets/*.json", "pkg/addons/default/assets/*.yaml"],
    own_releases: false,
    revisions: Revisions::Head,
    since: [1, 20],
    parse,
};

/// The `image` of each container. A manifest for one release of Kubernetes has it in its name: `coredns-1.33.json`.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let of_file = |file: &SourceFile<'_>| {
        let file = *file;
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let release = name.strip_suffix(".json").and_then(|name| name.rsplit_once('-')).map(|(_, release)| release);
        let statements = file.lines().filter_map(move |(line, text)| {
            let statement = VersionStatement::of_reference(file, line, image(text)?)?;
            Some(if let Some(release) = release { statement.in_release(release) } else { statement })
        });
        statements.collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

/// The image in a line of JSON or YAML, without a registry that eksctl fills in: `%s.dkr.ecr.%s.%s/eks/coredns:v1.13.2`.
fn image(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches("- ");
    let value = line.strip_prefix("\"image\":").or_else(|| line.strip_prefix("image:"))?;
    let image = value.trim().trim_end_matches(',').trim_matches('"');
    Some(image.split_once('/').filter(|(registry, _)| registry.contains('%')).map_or(image, |(_, path)| path))
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn images_have_the_release_of_their_file() {
        let files = [
            SourceFile { path: "assets/coredns-1.33.json", text: include_str!("../../tests/fixtures/versions/eksctl/coredns-1.33.json") },
            SourceFile { path: "assets/aws-node.yaml", text: include_str!("../../tests/fixtures/versions/eksctl/aws-node.yaml") },
        ];
        assert_eq!(
            shown(&parse(&files)),
            ["1.33 eks/coredns v1.13.2-eksbuild.19 :8", "602401143452.dkr.ecr.us-west-2.amazonaws.com/amazon-k8s-cni v1.23.0 :6",]
        );
    }
}
