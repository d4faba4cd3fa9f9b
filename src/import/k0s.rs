//! The images of k0s, from the constants that are its defaults.

use std::collections::BTreeMap;

use super::{
    ImportSource, Revisions, SourceFile, VersionKind, VersionStatement,
    go_constants::{GoConstant, go_constants},
};

/// The constants of each release. Until 1.27, they were in the second file.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "k0s",
    provider: "k0s",
    kind: VersionKind::Default,
    repository: "https://github.com/k0sproject/k0s",
    files: &["pkg/constant/constant.go", "pkg/constant/constant_shared.go"],
    own_releases: false,
    revisions: Revisions::Tags,
    since: [1, 20],
    parse,
};

/// The version of several images, whose names contain the beginning of its name in lower case: `CalicoComponentImagesVersion`.
const SHARED_VERSION: &str = "ComponentImagesVersion";

/// Pairs of constants: `CoreDNSImage` and `CoreDNSImageVersion`.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let of_file = |file: &SourceFile<'_>| {
        let constants = go_constants(*file);
        let images = constants.iter().filter(|(name, _)| name.ends_with("Image") && !name.contains("Windows"));
        let statements = images.filter_map(|(name, image)| {
            let own = constants.get(format!("{name}Version").as_str());
            let version = own.or_else(|| shared_version(&constants, image.text))?;
            VersionStatement::of_image(*file, version.line, image.text, version.text)
        });
        statements.collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}

fn shared_version<'a, 't>(constants: &'a BTreeMap<&str, GoConstant<'t>>, image: &str) -> Option<&'a GoConstant<'t>> {
    let mut shared = constants.iter().filter_map(|(name, version)| Some((name.strip_suffix(SHARED_VERSION)?, version)));
    shared.find(|(project, _)| image.contains(&project.to_lowercase())).map(|(_, version)| version)
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn images_and_versions_are_pairs_of_constants() {
        let text = include_str!("../../tests/fixtures/versions/k0s/constant.go");
        let statements = parse(&[SourceFile { path: "constant.go", text }]);
        assert_eq!(
            shown(&statements),
            [
                "quay.io/k0sproject/calico-cni v3.27.3-0 :10",
                "quay.io/k0sproject/coredns 1.11.3 :7",
                "quay.io/calico/kube-controllers v3.27.3-0 :10",
                "quay.io/k0sproject/pushgateway-ttl edge :13",
            ]
        );
    }
}
