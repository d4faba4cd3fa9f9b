//! The images of Kubespray, from the variables that are its defaults.

mod template;

use std::{collections::BTreeMap, sync::Arc};

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement};
use crate::{
    diagnostic::Diagnostics,
    node::{Node, NodeValue},
    text::LineIndex,
    yaml,
};
use template::DefaultVariables;

/// The variables of each release. Every few releases, they moved to other files.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "kubespray",
    provider: "kubespray",
    kind: VersionKind::Default,
    repository: "https://github.com/kubernetes-sigs/kubespray",
    files: &[
        // Until 2.22
        "roles/download/defaults/main.yml",
        "roles/kubespray-defaults/defaults/main.yaml",
        // 2.23
        "roles/download/defaults/main/main.yml",
        "roles/download/defaults/main/checksums.yml",
        // Until 2.27
        "roles/kubespray-defaults/defaults/main/main.yml",
        "roles/kubespray-defaults/defaults/main/download.yml",
        "roles/kubespray-defaults/defaults/main/checksums.yml",
        // Since 2.28
        "roles/kubespray_defaults/defaults/main/main.yml",
        "roles/kubespray_defaults/defaults/main/download.yml",
        "roles/kubespray_defaults/vars/main/main.yml",
        "roles/kubespray_defaults/vars/main/checksums.yml",
    ],
    own_releases: true,
    revisions: Revisions::Tags,
    since: [2, 15],
    parse,
};

/// The image that has the version of Kubernetes. It is not a variable.
const API_SERVER: &str = "registry.k8s.io/kube-apiserver";

/// Pairs of variables: `coredns_image_repo` and `coredns_image_tag`, and `kube_version`.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let trees = files.iter().filter_map(|file| Some((*file, yaml::parse(&Arc::from(file.path), file.text, 0, &mut Diagnostics::new())?)));
    let trees: Vec<(SourceFile<'_>, Node)> = trees.collect();
    let entries = trees.iter().flat_map(|(_, tree)| if let NodeValue::Map(entries) = &tree.value { entries.as_slice() } else { &[] });
    let variables: DefaultVariables<'_> = entries.map(|entry| (entry.key.as_str(), &entry.node)).collect::<BTreeMap<_, _>>().into();
    let of_file = |(file, tree): &(SourceFile<'_>, Node)| {
        let lines = LineIndex::new(file.text);
        let entries = if let NodeValue::Map(entries) = &tree.value { entries.as_slice() } else { &[] };
        let statements = entries.iter().filter_map(|entry| {
            let image = match entry.key.strip_suffix("_image_tag") {
                Some(name) => variables.text(&format!("{name}_image_repo"))?,
                None => (entry.key == template::KUBERNETES).then(|| API_SERVER.to_owned())?,
            };
            let tag = variables.text(&entry.key)?;
            VersionStatement::of_image(*file, lines.line_column(entry.key_span.start).line, &image, &tag)
        });
        statements.collect::<Vec<_>>()
    };
    trees.iter().flat_map(of_file).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn images_are_pairs_of_variables() {
        let file = |path, text| SourceFile { path, text };
        let recent = [
            file("main.yml", include_str!("../../tests/fixtures/versions/kubespray/main.yml")),
            file("download.yml", include_str!("../../tests/fixtures/versions/kubespray/download.yml")),
            file("checksums.yml", include_str!("../../tests/fixtures/versions/kubespray/checksums.yml")),
        ];
        assert_eq!(
            shown(&parse(&recent)),
            [
                "registry.k8s.io/kube-apiserver 1.35.4 :2",
                "quay.io/coreos/etcd v3.6.10 :16",
                "quay.io/calico/node v3.31.5 :18",
                "registry.k8s.io/coredns/coredns v1.12.1 :22",
                "ghcr.io/kube-vip/kube-vip v0.8.9 :24",
            ]
        );
        let old = [file("main.yml", include_str!("../../tests/fixtures/versions/kubespray/old.yml"))];
        assert_eq!(
            shown(&parse(&old)),
            [
                "registry.k8s.io/kube-apiserver v1.22.5 :1",
                "quay.io/calico/node v3.20.3 :6",
                "quay.io/coreos/flannel v0.15.1-amd64 :8",
                "k8s.gcr.io/coredns/coredns v1.8.0 :12",
                "k8s.gcr.io/pause 3.3 :16",
            ]
        );
    }
}
