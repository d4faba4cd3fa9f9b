//! The images of RKE2, from the script that packages them for clusters without internet.

mod script;

use std::collections::BTreeSet;

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement, statement::unambiguous};
use script::Script;

/// The script that lists the images.
const LISTS: &str = "scripts/build-images";

/// The script that sets versions, which the other one runs first.
const VERSIONS: &str = "scripts/version.sh";

/// The scripts of each release.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "rke2",
    provider: "rke2",
    kind: VersionKind::Runs,
    repository: "https://github.com/rancher/rke2",
    files: &[VERSIONS, LISTS],
    own_releases: false,
    revisions: Revisions::Tags,
    since: [1, 26],
    parse,
};

/// The archives of a default cluster: `images.txt` has both others, and in the first releases all images. Those of other network plugins and of integrations with
/// clouds have their own archives.
const DEFAULT_ARCHIVES: [&str; 3] = ["images.txt", "images-core.txt", "images-canal.txt"];

fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let mut script = Script::default();
    if let Some(versions) = files.iter().find(|file| file.path == VERSIONS) {
        script.run(versions.text);
    }
    let Some(file) = files.iter().find(|file| file.path == LISTS) else { return Vec::new() };
    let lines = script.run(file.text);
    let (default, offered): (Vec<_>, Vec<_>) = lines.into_iter().partition(|line| DEFAULT_ARCHIVES.contains(&line.file.as_str()));
    let default_images: BTreeSet<&str> = default.iter().map(|line| line.text.as_str()).collect();
    let of_default = default.iter().filter_map(|line| VersionStatement::of_reference(*file, line.number, &line.text));
    let offered = offered.iter().filter(|line| !default_images.contains(line.text.as_str()));
    let offered = offered.filter_map(|line| {
        let statement = VersionStatement::of_reference(*file, line.number, &line.text)?;
        Some(VersionStatement { kind: Some(VersionKind::Offered), ..statement })
    });
    // Some archives have an image that others have, too, with another version.
    of_default.chain(unambiguous(offered.collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    fn statements(lists: &str) -> Vec<String> {
        let versions = include_str!("../../tests/fixtures/versions/rke2/version.sh");
        shown(&parse(&[SourceFile { path: VERSIONS, text: versions }, SourceFile { path: LISTS, text: lists }]))
    }

    #[test]
    fn images_are_those_of_the_archives() {
        assert_eq!(
            statements(include_str!("../../tests/fixtures/versions/rke2/build-images")),
            [
                "docker.io/rancher/hardened-etcd v3.5.9-k3s1-build20230802 :16",
                "docker.io/rancher/pause 3.6 :17",
                "docker.io/rancher/nginx-ingress-controller v1.14.5-hardened2 :10",
                "docker.io/rancher/hardened-flannel v0.22.1 :22",
                "docker.io/rancher/mirrored-cilium-cilium v1.14.0 offered :27",
                "docker.io/rancher/mirrored-cloud-provider-vsphere v1.36.0 offered :37",
            ]
        );
    }

    #[test]
    fn an_archive_of_all_images_is_the_default() {
        let text = "xargs -n1 -t docker image pull --quiet << EOF >> build/images.txt\n  ${REGISTRY}/rancher/klipper-helm:v0.4.3\nEOF\n";
        assert_eq!(statements(text), ["docker.io/rancher/klipper-helm v0.4.3 :2"]);
    }
}
