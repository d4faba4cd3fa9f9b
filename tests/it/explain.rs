//! `explain` on listings in every format, with the knowledge base of this repository. `tests/browser/explain.test.js` checks that the script gives the same
//! results.

use std::{
    fmt::Write as _,
    fs,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
    sync::LazyLock,
};

use expect_test::expect_file;
use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    explain::{Explanation, Knowledge, explain},
    id::Id,
    read,
};

use crate::support::anywhere;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    let (sources, found) = read::read(root(), read::HistoryMode::Skip).unwrap();
    let mut diagnostics: Diagnostics = found;
    let kb = compile::analyze(&sources, &mut diagnostics).expect("content without errors").kb;
    Knowledge::from(&kb)
});

/// The whole report in short lines, the format of the `*.expected` files.
fn outline(report: &Explanation) -> String {
    let or = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let ids = |ids: &[Id]| ids.iter().map(Id::as_str).collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    let guess = &report.guess;
    let provider = or(guess.provider.as_ref().map(Id::as_str));
    let _ = writeln!(
        out,
        "provider {provider}; names {}; marks {}; others {}",
        guess.names.join(" "),
        guess.marks.join(" "),
        ids(&guess.others)
    );
    for row in &report.rows {
        let owner = row.owner.as_ref().map_or_else(
            || "-".to_owned(),
            |owner| {
                let verdict = KNOWLEDGE.verdict(owner, guess.provider.as_ref()).map_or("-", |verdict| verdict.name());
                let section = KNOWLEDGE
                    .components
                    .get(&owner.component)
                    .unwrap()
                    .section_of_row(&owner.entries)
                    .map(|id| format!("#{id}"))
                    .unwrap_or_default();
                format!("{}{section} {verdict} ({})", owner.component, owner.object)
            },
        );
        let (namespace, kind) = (or(row.row.namespace.as_deref()), or(row.row.kind.as_deref()));
        let _ = writeln!(out, "{} {namespace} {kind} {} = {owner}", row.line, row.row.name);
    }
    for name in report.unknown() {
        let _ = writeln!(out, "unknown {name}");
    }
    if !report.hidden.is_empty() {
        let _ = writeln!(out, "hidden {}", ids(&report.hidden));
    }
    for missing in &report.missing {
        let _ = writeln!(out, "missing {}: {}", or(missing.role.as_ref().map(Id::as_str)), ids(&missing.components));
    }
    for idle in &report.idle {
        let _ = writeln!(out, "idle {} {}", idle.line, if idle.selector.is_empty() { "-" } else { &idle.selector });
    }
    for outdated in &report.outdated {
        let _ = writeln!(out, "outdated {} {} -> {}", outdated.component, outdated.state.name(), ids(&outdated.replaced_by));
    }
    out
}

/// `*.expected` next to each listing has the expected report. `UPDATE_EXPECT=1 cargo test` updates it. Review the diff.
#[test]
fn every_listing_is_understood() {
    let mut seen = 0;
    for folder in ["listings", "explain"] {
        let folder = root().join("tests/fixtures").join(folder);
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "txt") && !file.ends_with("owners.txt")) {
            let found = outline(&explain(&KNOWLEDGE, &fs::read_to_string(file).unwrap(), None));
            expect_file![file.with_extension("expected")].assert_eq(&found);
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
}

/// Runs the program in a folder with an input; returns its exit code, standard output and standard error.
fn run(folder: &Path, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut program = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
    program.arg("explain").args(arguments).current_dir(folder).env_remove("NO_COLOR");
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may close the pipe before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn listing(name: &str) -> Vec<u8> {
    fs::read(root().join("tests/fixtures/listings").join(name)).unwrap()
}

#[test]
fn the_program_knows_anywhere_what_the_knowledge_base_says() {
    for name in ["gke-2023-get-all.txt", "aks-2022-get-all-annotated.txt", "eks-2025.txt", "k3s-2021.txt", "user-workloads.txt"] {
        let inside = run(root(), &["--format", "json", &format!("tests/fixtures/listings/{name}")], b"");
        let outside = run(&anywhere(), &["--format", "json", "-"], &listing(name));
        assert_eq!(inside, outside, "{name}");
        assert_eq!((outside.0, outside.2.as_str()), (0, ""));
    }
    let (_, inside, _) = run(root(), &["--lang", "ja"], &listing("gke-2023-get-all.txt"));
    let (_, outside, _) = run(&anywhere(), &["--lang", "ja"], &listing("gke-2023-get-all.txt"));
    assert_eq!(inside, outside);
}

#[test]
fn rows_for_programs_have_every_field() {
    let (code, json, _) = run(&anywhere(), &["--format", "json"], &listing("gke-autopilot-2024.txt"));
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["schema_version", "provider", "rows", "unknown", "guess", "hidden", "missing", "idle", "outdated"]);
    assert_eq!((json["schema_version"].as_u64(), json["provider"].as_str()), (Some(1), Some("gke-autopilot")));
    for row in json["rows"].as_array().unwrap() {
        assert_eq!(keys(row), ["line", "text", "namespace", "kind", "name", "component", "verdict", "restart", "removal", "health", "url"]);
    }
    let row = |name: &str| json["rows"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(
        row("anetd-w8sd9"),
        serde_json::json!({
            "line": 19, "text": "kube-system       anetd-w8sd9                                                2/2     Running     0               4h11m",
            "namespace": "kube-system", "kind": "Pod", "name": "anetd-w8sd9", "component": "anetd", "verdict": "comes-back", "restart": "comes-back", "removal": "blocked",
            "health": {"healthy": true, "status": "Running", "ready": 2, "desired": 2, "restarts": 0}, "url": "/components/anetd/"
        })
    );
    let own = row("go-sample-web1-98d4b89c7-52lmd");
    assert!([&own["component"], &own["verdict"], &own["url"]].iter().all(|field| field.is_null()), "{own}");
    assert_eq!(json["unknown"].as_array().unwrap().len(), 3);
}

#[test]
fn unhealthy_objects_are_first() {
    let rows = "NAME READY STATUS RESTARTS AGE\npod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\npod/kube-proxy-9p2lr 1/1 Running 0 3d\n\
        pod/kube-proxy-8xn2k 0/1 CrashLoopBackOff 27 (2m ago) 3d\npod/web-0 0/1 Pending 0 3d\npod/web-1 1/1 Running 0 3d\n";
    let (_, text, _) = run(&anywhere(), &["--lang", "en"], rows.as_bytes());
    let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}\n{text}"));
    let parts = [
        "\nUnhealthy\n",
        "\nkube-proxy  ",
        "  What to check: /components/kube-proxy/#symptoms\n",
        "    pod/kube-proxy-8xn2k  0/1  CrashLoopBackOff  27 (2m ago)  3d\n      1 more like it\n",
        "\nNot known\n    pod/web-0  0/1  Pending",
        "\nComponents\n",
        "\nCoreDNS  ",
        "    pod/web-1",
    ];
    let places: Vec<usize> = parts.iter().map(|part| place(part)).collect();
    assert!(places.is_sorted(), "{places:?}\n{text}");
    let (_, text, _) = run(&anywhere(), &["--format", "markdown"], rows.as_bytes());
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| `") || line.starts_with("- `")).collect();
    assert!(rows[0].starts_with("| `pod/kube-proxy-8xn2k` **CrashLoopBackOff** (1 more like it)"), "{text}");
    assert!(rows.iter().any(|row| row.starts_with("- `pod/web-0` **Pending**")), "{text}");
    // Where nothing is wrong, there is no heading.
    let (_, text, _) = run(&anywhere(), &["--lang", "en"], b"pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\n");
    assert!(!text.contains("Unhealthy") && !text.contains("\nComponents\n"), "{text}");
}

#[test]
fn people_read_rows_by_component() {
    let (code, text, errors) = run(&anywhere(), &[], &listing("eks-2025.txt"));
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(!text.contains('\u{1b}'), "colours are for terminals");
    for expected in [
        "EKS, detected by ",
        "  If you delete the Pod: Recreated automatically. Its DaemonSet creates a new Pod on the same Node.",
        "  If you delete the DaemonSet: Breaks a feature.",
        "/components/aws-node/",
        "    pod/aws-node-pg2xw",
        "      1 more like it",
        "    daemonset.apps/aws-node",
        "Provider-managed (not visible)",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    // Prose is wrapped at the width of the terminal, with full-width characters, too.
    let (_, japanese, _) = run(&anywhere(), &["--lang", "ja"], &listing("eks-2025.txt"));
    let prose = japanese.lines().filter(|line| !line.starts_with("    ") && !line.contains("http"));
    let widest = prose.map(unicode_width::UnicodeWidthStr::width).max().unwrap();
    assert!((80..=100).contains(&widest), "{widest}");
    let (_, markdown, _) = run(&anywhere(), &["--format", "markdown"], &listing("eks-2025.txt"));
    assert!(markdown.contains("| `kube-system pod/aws-node-pg2xw` (1 more like it) | [aws-node](/components/aws-node/): "), "{markdown}");
    // A provider that the user selected.
    let (_, asked, _) = run(&anywhere(), &["--provider", "aks"], &listing("eks-2025.txt"));
    assert!(asked.starts_with("AKS, as selected"), "{asked}");
}

#[test]
fn a_pod_its_workload_and_a_definition_have_different_answers() {
    let input = b"pod/cilium-x2k9p 1/1 Running 0 3d\ndaemonset.apps/cilium 3 3 3 3 3 <none> 3d\n\
        customresourcedefinition.apiextensions.k8s.io/ciliumnodes.cilium.io 2025-01-01T00:00:00Z\n";
    let (_, json, _) = run(&anywhere(), &["--format", "json"], input);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let verdicts: Vec<_> = json["rows"].as_array().unwrap().iter().map(|row| (row["restart"].as_str(), row["verdict"].as_str())).collect();
    let [(pod, of_pod), (none, of_workload), (no_pod, no_verdict)] = verdicts[..] else { panic!("{verdicts:?}") };
    assert_eq!((pod, of_pod, none, no_pod, no_verdict), (Some("comes-back"), Some("comes-back"), None, None, None));
    assert!(of_workload.is_some() && of_workload != of_pod, "{of_workload:?}");
    // Objects of a component that share a description are rows of one group, and still have their own answers.
    let (_, markdown, _) = run(&anywhere(), &["--format", "markdown"], input);
    let last = |name: &str| markdown.lines().find(|line| line.contains(name)).unwrap().rsplit(" | ").next().unwrap().to_owned();
    assert_eq!(last("pod/cilium"), "Recreated automatically |");
    assert_ne!(last("daemonset/cilium"), "Recreated automatically |");
}

#[test]
fn two_listings_are_compared() {
    let folder = anywhere().join(format!("ksys-docs-explain-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let before = "NAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\nkube-system heapster-v1.4.3-74b5bd94bb-2mzmd 1/1 Running 0 3d\nkube-system metrics-server-v0.5.2-6bf74b5d5f-wvrqq 1/1 Running 0 3d\nshop cart-7d4b9c8f6d-x2k9p 1/1 Running 0 3d\n";
    let after = "NAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system coredns-69c47794-6xnlq 1/1 Running 0 1d\nkube-system metrics-server-v0.7.1-6b8d6d8c46-mp5dm 1/1 Running 0 1d\nkube-system fluentbit-gke-sdpcc 2/2 Running 0 1d\n";
    fs::write(folder.join("a"), before).unwrap();
    fs::write(folder.join("b"), after).unwrap();
    let (code, text, errors) = run(&folder, &["--before", "a", "--after", "b"], b"");
    assert_eq!(
        (code, text.as_str(), errors.as_str()),
        (
            0,
            "Added
  + daemonset fluentbit-gke (kube-system) · fluentbit-gke

Removed
  - deployment heapster-v1.4.3 (kube-system) · heapster · Safe if unused
  - pod cart (shop)

Replaced
  - deployment metrics-server-v0.5.2 (kube-system) · metrics-server · Breaks a feature
  + deployment metrics-server-v0.7.1 (kube-system) · metrics-server · Breaks a feature

1 objects are unchanged
",
            ""
        )
    );
    let (_, json, _) = run(&folder, &["--before", "a", "--after", "b", "--format", "json"], b"");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["replaced"][0]["after"]["name"], "metrics-server-v0.7.1");
    assert_eq!((json["appeared"].as_array().unwrap().len(), json["unchanged"].as_u64()), (1, Some(1)));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_is_no_listing_gets_one_sentence() {
    let large = vec![b'a'; (64 << 20) + 1];
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\r\n".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(run(&anywhere(), &[], &wide).0, 0, "PowerShell writes UTF-16");
    let message = "Error from server (Forbidden): pods is forbidden";
    let cases: [(&[u8], &str); 8] = [
        (b"", "The input is empty"),
        (b" \n\t\n", "The input is empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "The input is not text"),
        (&large, "The input is larger than 64 MB"),
        (message.as_bytes(), message),
        (b"bash: kubectl: command not found\n", "kubectl: command not found"),
        (b"total 12\ndrwxr-xr-x 2 root root 4096 Nov 21 21:43 explain\n", "Not recognized as kubectl output"),
        (b"CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n0a1b2c3d4e5f   nginx   \"/x\"   2 days ago   Up 2 days   80/tcp   web\n", "Not recognized as kubectl output"),
    ];
    for (input, expected) in cases {
        let (code, out, errors) = run(&anywhere(), &[], input);
        assert_eq!((code, out.as_str()), (1, ""), "{errors}");
        assert!(errors.starts_with("error: ") && errors.contains(expected) && errors.trim_end().lines().count() == 1, "{errors}");
    }
    for (arguments, expected) in [
        (&["no-such-file"][..], "no-such-file"),
        (&["--provider", "gke-standart"], "did you mean `gke-standard`?"),
        (&["--lang", "fr"], "--lang en or ja"),
        (&["--before", "a"], "--after"),
        (&["--format", "yaml"], "markdown"),
    ] {
        let (code, out, errors) = run(&anywhere(), arguments, b"pod/a");
        assert_eq!((code, out.as_str()), (2, ""), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
}

#[test]
fn a_knowledge_base_of_ones_own_explains_its_own_listings() {
    let folder = crate::support::Folder::with_base("explain-own");
    let (code, text, _) =
        run(&folder.0, &[], b"pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\npod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\n");
    assert_eq!(code, 0);
    assert!(text.contains("boiler  Recreated automatically") && text.contains("Makes water hot.") && text.contains("Not known"), "{text}");
    // Edited facts are used immediately. An error in a file only affects that file.
    let facts = folder.path("content/components/boiler/facts.yaml");
    let edited = fs::read_to_string(&facts).unwrap().replace("name: boiler", "name: kettle");
    fs::write(&facts, edited).unwrap();
    fs::write(folder.path("content/components/pump/facts.yaml"), "name: [").unwrap();
    let (code, text, _) = run(&folder.0, &[], b"pod/kettle-5d9dbcc6d8-2qlgw   1/1   Running   0   3m\n");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("pod/kettle-5d9dbcc6d8-2qlgw"), "{text}");
    // In a book without components, such as an mdBook, the built-in knowledge base is used.
    fs::remove_dir_all(folder.path("content/components")).unwrap();
    let (code, text, _) = run(&folder.0, &[], b"pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\n");
    assert_eq!(code, 0);
    assert!(text.contains("CoreDNS"), "{text}");
}
