//! The versions of projects from which EKS Distro is built. EKS runs the same Kubernetes.

use super::{ImportSource, Revisions, SourceFile, VersionKind, VersionStatement};

/// The tag of each project for each release of Kubernetes.
pub(super) const SOURCE: ImportSource = ImportSource {
    id: "eks-distro",
    provider: "eks",
    kind: VersionKind::Upstream,
    repository: "https://github.com/aws/eks-distro",
    files: &["projects/*/*/1-*/GIT_TAG"],
    own_releases: false,
    revisions: Revisions::Head,
    since: [1, 20],
    parse,
};

/// One tag in each file. Its path has the name of the project and the release: `projects/coredns/coredns/1-33/GIT_TAG`.
fn parse(files: &[SourceFile<'_>]) -> Vec<VersionStatement> {
    let statement = |file: &SourceFile<'_>| {
        let (project, release) = file.path.strip_prefix("projects/")?.strip_suffix("/GIT_TAG")?.rsplit_once('/')?;
        let statement = VersionStatement::of_name(*file, 1, project, file.text.trim())?;
        Some(statement.in_release(&release.replace('-', ".")))
    };
    files.iter().filter_map(statement).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::statement::shown, *};

    #[test]
    fn projects_and_releases_are_in_the_paths() {
        let files = [
            SourceFile { path: "projects/coredns/coredns/1-33/GIT_TAG", text: "v1.14.3\n" },
            SourceFile { path: "projects/etcd-io/etcd/1-9/GIT_TAG", text: "v3.5.21" },
            SourceFile { path: "projects/etcd-io/etcd/1-34/GIT_TAG", text: "not a tag\n" },
        ];
        assert_eq!(shown(&parse(&files)), ["1.33 coredns/coredns v1.14.3 :1", "1.9 etcd-io/etcd v3.5.21 :1"]);
    }
}
