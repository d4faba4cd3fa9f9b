//! The images that kubeadm uses by default, from minikube, which lists them for every version of Kubernetes.

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement};

/// The list of images, which a program of minikube updates.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "minikube",
    provider: "kubeadm",
    kind: VersionKind::Default,
    repository: "https://github.com/kubernetes/minikube",
    files: &["pkg/minikube/constants/constants_kubeadm_images.go"],
    own_releases: false,
    revisions: Revisions::Head,
    since: [1, 20],
    parse,
};

/// A map from versions of Kubernetes to maps from images to tags. Since 2022, the registry of all these images is `registry.k8s.io`, which also has the older ones.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let mut statements = Vec::new();
    for file in files {
        let mut release = None;
        for (line, text) in file.lines() {
            let Some((key, value)) = entry(text) else { continue };
            if value == "{" {
                release = Some(key);
            } else if let (Some(release), Some(tag)) = (release, value.strip_prefix('"').and_then(|value| value.strip_suffix("\","))) {
                let statement = VersionStatement::of_image(*file, line, &format!("registry.k8s.io/{key}"), tag);
                statements.extend(statement.map(|statement| statement.in_release(release.trim_start_matches('v'))));
            }
        }
    }
    statements
}

/// Splits `"KEY": VALUE`.
fn entry(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.trim().strip_prefix('"')?.split_once("\":")?;
    Some((key, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn images_have_the_version_of_kubernetes_above_them() {
        let text = include_str!("../../tests/fixtures/versions/minikube/constants_kubeadm_images.go");
        let statements = parse(&[SourceFile { path: "images.go", text }]);
        assert_eq!(
            shown(&statements),
            [
                "1.30.2 registry.k8s.io/coredns/coredns v1.11.1 :6",
                "1.30.2 registry.k8s.io/etcd 3.5.12-0 :7",
                "1.20.0-rc.0 registry.k8s.io/coredns 1.7.0 :10",
            ]
        );
    }
}
