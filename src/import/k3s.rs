//! The images that K3s packages for clusters without internet, which are those of its components.

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement};

/// The list of images of each release.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "k3s",
    provider: "k3s",
    kind: VersionKind::Runs,
    repository: "https://github.com/k3s-io/k3s",
    files: &["scripts/airgap/image-list.txt"],
    own_releases: false,
    revisions: Revisions::Tags,
    since: [1, 20],
    parse,
};

/// One image in each line.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let lines = files.iter().flat_map(|file| file.lines().map(move |(line, text)| (*file, line, text)));
    lines.filter_map(|(file, line, text)| VersionStatement::of_reference(file, line, text.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn each_line_is_an_image() {
        let text = include_str!("../../tests/fixtures/versions/k3s/image-list.txt");
        let statements = parse(&[SourceFile { path: "image-list.txt", text }]);
        assert_eq!(shown(&statements), ["docker.io/rancher/klipper-lb v0.4.7 :1", "docker.io/rancher/mirrored-pause 3.6 :3"]);
    }
}
