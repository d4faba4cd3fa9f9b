//! The images of Talos, from the constants that are its defaults and from the list of its images.

use std::collections::BTreeMap;

use super::{
    ImportSource, Revisions, SourceFile, VersionKind, VersionStatement,
    go_constants::{GoConstant, go_constants},
};

/// The path of the constants.
const CONSTANTS: &str = "pkg/machinery/constants/constants.go";

/// The path of the list, which has the images without a constant.
const LIST: &str = "pkg/images/list.go";

/// The defaults of each release.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "talos",
    provider: "talos",
    kind: VersionKind::Default,
    repository: "https://github.com/siderolabs/talos",
    files: &[CONSTANTS, LIST],
    own_releases: true,
    revisions: Revisions::Tags,
    since: [1, 0],
    parse,
};

fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let Some(file) = files.iter().find(|file| file.path == CONSTANTS) else { return Vec::new() };
    let constants = go_constants(*file);
    let images = constants.iter().filter_map(|(name, image)| {
        let version = version_of(name.strip_suffix("Image")?, &constants)?;
        VersionStatement::of_image(*file, version.line, image.text, version.text)
    });
    let list = files.iter().filter(|file| file.path == LIST);
    let listed = list.flat_map(|list| list.lines().filter_map(|(line, text)| listed_image((*list, line), text, (*file, &constants))));
    images.chain(listed).collect()
}

/// The version of an image: `DefaultCoreDNSVersion` of `CoreDNSImage`, and the version of Kubernetes of `KubeletImage` and `KubernetesSchedulerImage`.
fn version_of<'a, 't>(name: &str, constants: &'a BTreeMap<&str, GoConstant<'t>>) -> Option<&'a GoConstant<'t>> {
    let own = [format!("Default{name}Version"), format!("{name}Version")];
    let of_kubernetes = name.starts_with("Kube").then_some("DefaultKubernetesVersion");
    own.iter().map(String::as_str).chain(of_kubernetes).find_map(|name| constants.get(name))
}

/// The first text in a line of the list, if it is an image with a tag, or with the version of a constant: `"ghcr.io/siderolabs/flannel:%s", constants.FlannelVersion`.
fn listed_image(
    (list, line): (SourceFile<'_>, usize),
    text: &str,
    (file, constants): (SourceFile<'_>, &BTreeMap<&str, GoConstant<'_>>),
) -> Option<VersionStatement> {
    let (reference, after) = text.split_once('"')?.1.split_once('"')?;
    match reference.strip_suffix(":%s") {
        Some(image) => {
            let name = after.split_once("constants.")?.1;
            let name = name.split(|c: char| !c.is_ascii_alphanumeric()).next()?;
            let version = constants.get(name)?;
            VersionStatement::of_image(file, version.line, image, version.text)
        }
        None => VersionStatement::of_reference(list, line, reference).filter(|_| reference.contains('/')),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn images_have_the_version_of_their_constant() {
        let files = [
            SourceFile { path: CONSTANTS, text: include_str!("../../tests/fixtures/versions/talos/constants.go") },
            SourceFile { path: LIST, text: include_str!("../../tests/fixtures/versions/talos/list.go") },
        ];
        let statements = parse(&files);
        assert_eq!(
            shown(&statements),
            [
                "registry.k8s.io/coredns/coredns v1.11.1 :10",
                "registry.k8s.io/kube-proxy 1.30.0 :5",
                "registry.k8s.io/pause 3.10 :3",
                "ghcr.io/siderolabs/flannel v0.25.1 :13",
            ]
        );
        assert_eq!(statements[2].file, LIST);
        assert_eq!(parse(&files[1..]), []);
    }
}
