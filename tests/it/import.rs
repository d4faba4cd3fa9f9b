//! `import versions` on real commits.

use std::process::{Command, Output};

use crate::support::Folder;

fn git(folder: &Folder, arguments: &[&str]) {
    let settings = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false", "-c", "tag.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(&folder.0).args(settings).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A repository of K3s with a commit and a tag for each list of images. The work tree has no files.
fn repository(name: &str, releases: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(name);
    git(&folder, &["init", "-q", "-b", "main"]);
    for (tag, images) in releases {
        folder.write("scripts/airgap/image-list.txt", images.as_bytes());
        git(&folder, &["add", "-A"]);
        git(&folder, &["commit", "-q", "--allow-empty", "-m", tag]);
        git(&folder, &["tag", tag]);
    }
    std::fs::remove_dir_all(folder.path("scripts")).unwrap();
    folder
}

/// A knowledge base with K3s, in which the boiler has an image.
fn knowledge_base(name: &str) -> Folder {
    let folder = Folder::with_base(name);
    folder.write("content/providers/k3s/facts.yaml", b"name: K3s\nkind: maker\n");
    let boiler = std::fs::read_to_string(folder.path("content/components/boiler/facts.yaml")).unwrap().replace(", providers: [acme]", "");
    folder.write("content/components/boiler/facts.yaml", format!("{boiler}images: [rancher/mirrored-boiler]\n").as_bytes());
    folder
}

fn import(base: &Folder, source: &str, from: &Folder) -> Output {
    let program = env!("CARGO_BIN_EXE_ksys-docs");
    let mut command = Command::new(program);
    command.args(["import", "versions", source, "--checked", "2026-11-29", "--from"]).arg(&from.0).arg("--dir").arg(&base.0);
    command.output().unwrap()
}

const FILE: &str = "content/providers/k3s/versions.yaml";

const OTHER: &str = "  # Seen in a cluster.
  seen:
    kind: observed
    checked: 2026-11-20
    versions:
      - {component: pump, name: Pump, version: \"1\"} # by hand
";

#[test]
fn versions_of_tags_become_ranges_of_releases() {
    let releases = [
        ("v1.19.9+k3s1", "rancher/mirrored-boiler:1.0\n"),
        ("v1.20.10+k3s1", "docker.io/rancher/mirrored-boiler:1.2\nrancher/unknown:v1\n"),
        ("v1.20.9+k3s1", "docker.io/rancher/mirrored-boiler:1.2\nrancher/unknown:v1\n"),
        ("v1.21.0-rc1+k3s1", "docker.io/rancher/mirrored-boiler:1.3\n"),
        ("v1.21.0+k3s1", "docker.io/rancher/kept\ndocker.io/rancher/mirrored-boiler:1.10\n"),
    ];
    let clone = repository("import-clone", &releases);
    let base = knowledge_base("import");
    base.write(FILE, format!("sources:\n{OTHER}").as_bytes());
    let output = import(&base, "k3s", &clone);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let report = "content/providers/k3s/versions.yaml: k3s, releases: 3, versions: 3, components: 1\nimages and names without a component: 1\n  rancher/unknown\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), report);
    let written = std::fs::read_to_string(base.path(FILE)).unwrap();
    let expected = format!(
        "sources:
  k3s:
    kind: runs
    url: https://github.com/k3s-io/k3s/blob/v{{release}}/scripts/airgap/image-list.txt
    checked: 2026-11-29
    releases:
      [1.20.9+k3s1, 1.20.10+k3s1, 1.21.0+k3s1]
    versions:
      - {{component: boiler, image: docker.io/rancher/mirrored-boiler, version: 1.2, from: 1.20.9+k3s1, to: 1.20.10+k3s1, line: 1}}
      - {{component: boiler, image: docker.io/rancher/mirrored-boiler, version: 1.10, from: 1.21.0+k3s1, line: 2}}
      - {{image: rancher/unknown, version: v1, from: 1.20.9+k3s1, to: 1.20.10+k3s1, line: 2}}
{OTHER}"
    );
    assert_eq!(written.split_once("sources:").map(|(_, sources)| format!("sources:{sources}")), Some(expected));
    assert_eq!(import(&base, "k3s", &clone).status.code(), Some(0));
    assert_eq!(std::fs::read_to_string(base.path(FILE)).unwrap(), written, "a second import changes nothing");
}

#[test]
fn nothing_is_written_if_the_clone_has_no_versions() {
    let base = knowledge_base("import-wrong");
    let old = format!("sources:\n{OTHER}");
    base.write(FILE, old.as_bytes());
    let empty = repository("import-empty", &[("v1.30.0+k3s1", "no image\n")]);
    let untagged = repository("import-untagged", &[("start", "rancher/mirrored-boiler:1.0\n")]);
    let folder = Folder::new("import-folder");
    let inside = repository("import-inside", &[("v1.30.0+k3s1", "rancher/mirrored-boiler:1.0\n")]);
    inside.write("inner/file", b"");
    let inner = Folder(inside.path("inner"));
    for (clone, expected) in [
        (&empty, "has no version that the importer `k3s` can read"),
        (
            &untagged,
            "has no `scripts/airgap/image-list.txt` at the tag of any release; pass a clone of https://github.com/k3s-io/k3s with its tags",
        ),
        (&folder, "has no `.git`; pass the folder of a git checkout"),
        (&inner, "has no `.git`; pass the folder of a git checkout"),
    ] {
        let output = import(&base, "k3s", clone);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && message.contains(expected) && message.lines().count() == 1, "{message}");
        assert_eq!(std::fs::read_to_string(base.path(FILE)).unwrap(), old);
    }
    let output = import(&base, "eksctl", &inside);
    assert!(String::from_utf8_lossy(&output.stderr).contains("no provider `eks`"), "{output:?}");
    let output = import(&base, "k4s", &inside);
    assert!(
        output.status.code() == Some(2) && String::from_utf8_lossy(&output.stderr).contains("[possible values: agentbaker, aks-docs,"),
        "{output:?}"
    );
}

#[test]
fn mistakes_in_the_file_are_reported() {
    let clone = repository("import-mistake-clone", &[("v1.30.0+k3s1", "rancher/mirrored-boiler:1.0\n")]);
    let base = knowledge_base("import-mistake");
    base.write(FILE, b"sources:\n  seen: {kind: seen}\n");
    let output = import(&base, "k3s", &clone);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`seen` is not one of the values allowed here"), "{output:?}");
    assert_eq!(std::fs::read(base.path(FILE)).unwrap(), b"sources:\n  seen: {kind: seen}\n");
}
