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
    explain::{Amount, CostSum, Explanation, Knowledge, explain, next_command},
    id::{Id, Lang},
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

/// The versions in a report.
fn outline_of_versions(report: &Explanation) -> String {
    let mut out = String::new();
    for version in &report.versions {
        let end = version.end.map_or_else(|| "-".to_owned(), |end| end.0.to_string());
        let _ = writeln!(out, "version {} {} {} {end}", version.component, version.version, version.oldest.as_deref().unwrap_or("-"));
        for of in &version.shipped {
            let _ = writeln!(out, "  in {}: {} {}", of.release, of.version, of.kind.name());
        }
    }
    out
}

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
        if let Some(health) = row.row.health.as_ref().filter(|health| !health.healthy) {
            let number = |number: Option<u32>| number.map_or_else(|| "-".to_owned(), |number| number.to_string());
            let numbers = [health.ready, health.desired, health.updated, health.restarts].map(number).join(" ");
            let texts = [&health.status, &health.last_restart, &health.reason].map(|text| or(text.as_deref())).join("; ");
            let _ = writeln!(out, "  sick {numbers}; {texts}");
            if let Some(symptom) = KNOWLEDGE.symptom(row, &Lang::new("en").unwrap()) {
                let _ = writeln!(out, "  symptom {}", symptom.symptom);
            }
            let _ = writeln!(out, "  command {}", or(next_command(&row.row).as_deref()));
        }
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
    out.push_str(&outline_of_versions(report));
    if let Some(cost) = &report.cost {
        let amount = |amount: Amount| format!("{} {}", amount.cpu, amount.memory);
        let sum = |sum: &CostSum| {
            let (requests, limits) = (amount(sum.requests), amount(sum.limits));
            format!("{} pods {requests} limits {limits} without {} {}", sum.pods, sum.without_requests, sum.without_limits)
        };
        let all = cost.allocatable.map_or_else(|| "-".to_owned(), amount);
        let _ = writeln!(out, "cost system {}", sum(&cost.system));
        let _ = writeln!(out, "cost own {}; of {all}", sum(&cost.own));
        for one in &cost.components {
            let per_node = if one.per_node { " per node" } else { "" };
            let _ = writeln!(out, "cost of {}: {}{per_node}", or(one.component.as_ref().map(Id::as_str)), sum(&one.sum));
        }
        for node in &cost.nodes {
            let all = node.allocatable.map_or_else(|| "-".to_owned(), amount);
            let _ = writeln!(out, "cost on {}: {} own {} of {all}", node.node, amount(node.system), amount(node.own));
        }
    }
    if let Some(scale_down) = &report.scale_down {
        for node in &scale_down.nodes {
            let _ = writeln!(out, "node {}{}", node.node, if node.disabled { " disabled" } else { "" });
            for pod in &node.blockers {
                let reason = serde_json::to_value(pod.reason).unwrap();
                let _ = writeln!(
                    out,
                    "  kept by {}/{}: {} {}",
                    or(pod.namespace.as_deref()),
                    pod.name,
                    reason.as_str().unwrap(),
                    pod.volumes.join(",")
                );
            }
        }
        let _ = writeln!(out, "budgets {}; tolerate all {}", scale_down.has_budgets, ids(&scale_down.tolerate_all));
        for class in &scale_down.priorities {
            let _ = writeln!(out, "priority {}: {}", class.class, ids(&class.components));
        }
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
fn the_program_knows_names_outside_of_listings_anywhere() {
    let text = fs::read_to_string(root().join("tests/fixtures/explain/names-in-alerts.txt")).unwrap();
    let (_, json, _) = run(&anywhere(), &["--format", "json"], text.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let told = |row: &serde_json::Value| ["kind", "name", "component"].map(|key| row[key].as_str().unwrap().to_owned());
    let found: Vec<_> = json["rows"].as_array().unwrap().iter().map(told).collect();
    let rows = explain(&KNOWLEDGE, &text, None).rows;
    let expected = rows.into_iter().map(|row| [row.row.kind.unwrap(), row.row.name, row.owner.unwrap().component.to_string()]);
    assert_eq!(found, expected.collect::<Vec<_>>());
    assert!(found.len() >= 5);
    // What a name is, in words.
    let (_, text, _) = run(&anywhere(), &[], b"KubeProxyDown");
    assert!(text.contains("kube-proxy is not scraped") && text.contains("alert/KubeProxyDown"), "{text}");
}

#[test]
fn rows_for_programs_have_every_field() {
    let (code, json, _) = run(&anywhere(), &["--format", "json"], &listing("gke-autopilot-2024.txt"));
    assert_eq!(code, 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let own = ["versions", "cost", "scale_down"];
    let all = ["schema_version", "provider", "rows", "unknown", "guess", "hidden", "missing", "idle", "outdated"].into_iter().chain(own);
    assert_eq!(keys(&json), all.collect::<Vec<_>>());
    assert_eq!((json["schema_version"].as_u64(), json["provider"].as_str()), (Some(1), Some("gke-autopilot")));
    for row in json["rows"].as_array().unwrap() {
        let all = [
            "line",
            "text",
            "namespace",
            "kind",
            "name",
            "component",
            "is_copy",
            "what",
            "verdict",
            "restart",
            "removal",
            "health",
            "symptom",
            "command",
            "url",
        ];
        assert_eq!(keys(row), all);
    }
    let row = |name: &str| json["rows"].as_array().unwrap().iter().find(|row| row["name"] == name).unwrap().clone();
    assert_eq!(
        row("anetd-w8sd9"),
        serde_json::json!({
            "line": 19, "text": "kube-system       anetd-w8sd9                                                2/2     Running     0               4h11m",
            "namespace": "kube-system", "kind": "Pod", "name": "anetd-w8sd9", "component": "anetd", "is_copy": false, "what": null, "verdict": "comes-back", "restart": "comes-back", "removal": "blocked",
            "health": {"healthy": true, "status": "Running", "ready": 2, "desired": 2, "updated": null, "restarts": 0, "last_restart": null, "reason": null},
            "symptom": null, "command": null, "url": "/components/anetd/"
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
        "    pod/kube-proxy-8xn2k  0/1  CrashLoopBackOff  27 (2m ago)  3d\n      1 more like it\n",
        "      Next command: kubectl logs kube-proxy-8xn2k --all-containers --previous\n",
        "  What to check: /components/kube-proxy/#symptoms\n",
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

/// A fixture with whole objects.
fn objects(name: &str) -> Vec<u8> {
    fs::read(root().join("tests/fixtures/explain").join(name)).unwrap()
}

#[test]
fn the_system_overhead_of_a_cluster_is_the_same_in_every_output() {
    let input = objects("aks-overhead.json.txt");
    let (code, text, _) = run(&anywhere(), &["--cost", "--lang", "en"], &input);
    assert_eq!(code, 0);
    for expected in [
        "AKS, detected by ",
        "  System components request 1.26 CPU and 2.3Gi of memory, your own workloads 250m CPU and 512Mi.",
        "22 % of the CPU, 17 % of the memory",
        "kube-proxy (one on each Node)             3  300m     0Mi",
        "azure-cns (one on each Node)              3  120m   750Mi         750Mi",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("If you delete"), "{text}");
    let (_, markdown, _) = run(&anywhere(), &["--cost", "--format", "markdown"], &input);
    assert!(markdown.contains("| kube-proxy (one on each Node) | 3 | 300m | 0Mi | - |"), "{markdown}");
    let (_, json, _) = run(&anywhere(), &["--format", "json"], &input);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["cost"]["system"]["requests"], serde_json::json!({"cpu": 1261, "memory": 2_469_396_480_u64}));
    assert_eq!((json["cost"]["system"]["pods"].as_u64(), json["cost"]["own"]["pods"].as_u64()), (Some(19), Some(2)));
    let nodes: Vec<u64> = json["cost"]["nodes"].as_array().unwrap().iter().map(|node| node["system"]["cpu"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [395, 395, 471]);
    // Without an option, there is one line, and all components.
    let (_, text, _) = run(&anywhere(), &["--lang", "en"], &input);
    assert!(
        text.contains("System components request 1.26 CPU") && text.contains("Details: `--cost`") && text.contains("If you delete"),
        "{text}"
    );
}

#[test]
fn what_keeps_a_node_is_named_with_the_rule() {
    let input = objects("scale-down.json.txt");
    let (_, text, _) = run(&anywhere(), &["--scale-down", "--lang", "en"], &input);
    let lines: Vec<&str> = text.lines().skip(1).filter(|line| line.contains("default-pool")).collect();
    let kept = |pod: &str| lines.iter().find(|line| line.contains(pod)).map(|line| line.split("  ").last().unwrap().trim().to_owned());
    for (pod, rule) in [
        ("kube-dns-6f9b8c7d54-2x7kq", Some("In `kube-system` without a PodDisruptionBudget (`--skip-nodes-with-system-pods`)")),
        ("cache-6c8d9f7b5d-8p2xz", Some("Local volumes: data (`--skip-nodes-with-local-storage`)")),
        ("db-proxy", Some("Its PodDisruptionBudget allows no eviction at the moment")),
        ("shop/shell", Some("No controller would recreate it")),
        ("metrics-server", None),
        ("fluentbit-gke", None),
        ("kube-proxy", None),
        ("cache-6c8d9f7b5d-9q3yz", None),
        ("free-", None),
        ("once-", None),
    ] {
        assert_eq!(kept(pod).as_deref(), rule, "{pod}\n{text}");
    }
    assert!(text.contains("Nodes with Pods that keep an autoscaler from removing them: 3 of 3"), "{text}");
    assert!(
        text.contains("PriorityClass `system-node-critical`: kube-proxy") && text.contains("Rules of Cluster Autoscaler: https://"),
        "{text}"
    );
    // Without the PodDisruptionBudgets, the program says what is missing.
    let text = String::from_utf8(input).unwrap();
    let without: String = text.lines().take_while(|line| !line.contains("PodDisruptionBudgetList")).collect::<Vec<_>>().join("\n");
    let (_, text, _) = run(&anywhere(), &["--lang", "en"], without.as_bytes());
    assert!(text.contains("Add the output of `kubectl get pdb -A -o json`"), "{text}");
}

#[test]
fn a_sick_object_has_its_symptom_and_the_next_command() {
    let (_, text, _) = run(&anywhere(), &["--health", "--lang", "en"], &objects("coredns-loop.json.txt"));
    for expected in [
        "    kube-system  pod/coredns-7db6d8ff4d-4xk2p  0/1  CrashLoopBackOff  6 (2026-11-28T09:12:44Z)\n",
        "Reason: Error (exit code 1): plugin/loop: Loop (127.0.0.1:42381 -> :53) detected",
        "Known symptom: `CrashLoopBackOff`, the log contains `plugin/loop`",
        "What to do: Start the kubelet with",
        "Next command: kubectl -n kube-system logs coredns-7db6d8ff4d-4xk2p --all-containers --previous\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    let (_, japanese, _) = run(&anywhere(), &["--health", "--lang", "ja"], &objects("coredns-loop.json.txt"));
    assert!(japanese.contains("該当する症状：") && japanese.contains("次に実行するコマンド："), "{japanese}");
    let (_, markdown, _) = run(&anywhere(), &["--health", "--format", "markdown"], &objects("coredns-loop.json.txt"));
    assert!(markdown.contains("  - Next command: `kubectl -n kube-system logs "), "{markdown}");
    let (_, json, _) = run(&anywhere(), &["--format", "json"], &objects("coredns-loop.json.txt"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["rows"][0]["symptom"]["action"].as_str().unwrap().starts_with("Start the kubelet with"), "{json}");
    assert_eq!(json["versions"][0]["version"], "v1.11.1");
    // Where every object is healthy, the option says so.
    let (_, text, _) = run(&anywhere(), &["--health", "--lang", "en"], b"pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d\n");
    assert!(text.contains("Every object with a status is healthy.") && !text.contains("If you delete"), "{text}");
}

#[test]
fn what_runs_is_compared_with_the_release_of_the_provider() {
    let folder = crate::support::Folder::with_base("explain-shipped");
    let facts = "name: boiler\narea: water\nlisting:\n  - {kind: Deployment, name: boiler, namespace: machine, providers: [acme]}\nimages: [hot/boiler]\n\
                 support: {oldest: release, evidence: [manual]}\nevidence:\n  manual: {title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}\n";
    folder.write("content/components/boiler/facts.yaml", facts.as_bytes());
    let versions = "sources:\n  notes:\n    kind: default\n    url: https://example.org/notes\n    checked: 2026-11-20\n    releases: [1.1.0, 1.1.4]\n    \
                    versions:\n      - {component: boiler, image: hot/boiler, version: v1.1.7, from: 1.1.0}\n      \
                    - {component: boiler, image: hot/boiler, version: v1.1.9, from: 1.1.4}\n";
    folder.write("content/providers/acme/versions.yaml", versions.as_bytes());
    let pod = r#"{"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "boiler-5d9dbcc6d8-2qlgw", "namespace": "machine"},
        "spec": {"containers": [{"name": "boiler", "image": "my-company.example/hot/boiler:v1.1.2"}]}, "status": {"phase": "Running"}}]}"#;
    let (_, text, errors) = run(&folder.0, &["--provider", "acme", "--lang", "en"], pod.as_bytes());
    assert!(text.contains("v1.1.2 · v1.1.9 (Default) in 1.1"), "{text}{errors}");
    let (_, json, _) = run(&folder.0, &["--provider", "acme", "--format", "json"], pod.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["versions"][0]["shipped"], serde_json::json!([{"release": "1.1", "kind": "default", "version": "v1.1.9"}]));
    // An observation has no name of the cluster's owner, and is valid in `versions.yaml`.
    let (code, observed, _) = run(&folder.0, &["--observe"], pod.as_bytes());
    assert_eq!(code, 0);
    assert!(observed.ends_with("    versions:\n      - {component: boiler, version: \"v1.1.2\", from: \"1.1\"}\n"), "{observed}");
    folder.write("content/providers/acme/versions.yaml", observed.as_bytes());
    let checked = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).arg("check").arg(&folder.0).output().unwrap();
    assert!(!String::from_utf8_lossy(&checked.stderr).contains("versions.yaml"), "{checked:?}");
    let (code, _, errors) = run(&folder.0, &["--observe"], b"machine boiler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m\n");
    assert_eq!(code, 2);
    assert!(errors.contains("kubectl get pods -A -o json"), "{errors}");
}

#[test]
fn a_dump_of_a_cluster_is_read_from_its_folder() {
    let folder = crate::support::Folder::new("explain-dump");
    folder.write("dump/nodes.json", b"{\"kind\": \"NodeList\", \"apiVersion\": \"v1\", \"items\": [{\"metadata\": {\"name\": \"n1\"}}]}");
    folder.write("dump/kube-system/pods.json", b"{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"items\": [{\"metadata\": {\"name\": \"coredns-5d78c9869d-x8k2p\", \"namespace\": \"kube-system\"}}]}");
    folder
        .write("dump/kube-system/services.yaml", b"apiVersion: v1\nkind: Service\nmetadata:\n  name: kube-dns\n  namespace: kube-system\n");
    folder.write("dump/kube-system/coredns-5d78c9869d-x8k2p/logs.txt", b"pod/etcd-node1 1/1 Running 0 3d\n");
    let (code, json, errors) = run(&folder.0, &["--format", "json", "dump"], b"");
    assert_eq!(code, 0, "{errors}");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let names: Vec<&str> = json["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["coredns-5d78c9869d-x8k2p", "kube-dns", "n1"]);
    fs::create_dir(folder.path("empty")).unwrap();
    let (code, _, errors) = run(&folder.0, &["empty"], b"");
    assert!(code == 1 && errors.contains("The input is empty"), "{errors}");
}

#[test]
fn odd_objects_are_read_as_far_as_they_are_valid() {
    let deep =
        format!("{{\"kind\":\"Pod\",\"metadata\":{{\"name\":\"deep-1\"}},\"spec\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let repeated =
        r#"{"kind":"Pod","kind":"Pod","metadata":{"name":"a","name":"twice-1"},"spec":{},"status":{"phase":"Failed","phase":"Succeeded"}}"#;
    let wrong = r#"{"kind":"Pod","metadata":{"name":"wrong-1","labels":[1]},"spec":{"containers":{"a":1},"nodeName":7,"tolerations":"x"},"status":{"phase":3,"containerStatuses":[null,1,{"restartCount":-1.5}]}}"#;
    let broken = r#"{"kind":"Pod","metadata":{"name":"broken-1"},"spec":{"containers":[tru]}}"#;
    for (text, name) in [(deep.as_str(), "deep-1"), (repeated, "twice-1"), (wrong, "wrong-1"), (broken, "broken-1")] {
        let (code, json, errors) = run(&anywhere(), &["--format", "json"], text.as_bytes());
        assert_eq!(code, 0, "{errors}");
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["rows"][0]["name"], name);
    }
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
fn versions_requests_and_restarts_are_compared() {
    let folder = crate::support::Folder::new("explain-compared");
    let before = String::from_utf8(objects("coredns-loop.json.txt")).unwrap();
    let after = before
        .replace("coredns:v1.11.1", "coredns:v1.12.1")
        .replace("\"restartCount\": 6", "\"restartCount\": 9")
        .replace("\"100m\"", "\"150m\"");
    folder.write("a", before.as_bytes());
    folder.write("b", after.as_bytes());
    let (_, text, _) = run(&folder.0, &["--before", "a", "--after", "b", "--lang", "en"], b"");
    assert_eq!(
        text,
        "Versions changed
  CoreDNS: v1.11.1 → v1.12.1

Requested resources
  System components: CPU 100m, Memory 70Mi → CPU 150m, Memory 70Mi

Restarted in between
  kube-system/coredns-7db6d8ff4d-4xk2p: 6 → 9

1 objects are unchanged
"
    );
    let (_, json, _) = run(&folder.0, &["--before", "a", "--after", "b", "--format", "json"], b"");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["versions"][0], serde_json::json!({"component": "coredns", "before": ["v1.11.1"], "after": ["v1.12.1"]}));
    assert_eq!((json["restarts"][0]["after"].as_u64(), json["requests"]["system_after"]["cpu"].as_u64()), (Some(9), Some(150)));
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
    let cases: [(&[u8], &str); 7] = [
        (b"", "The input is empty"),
        (b" \n\t\n", "The input is empty"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "The input is not text"),
        (&large, "The input is larger than 64 MB"),
        (message.as_bytes(), message),
        (b"bash: kubectl: command not found\n", "kubectl: command not found"),
        (b"total 12\ndrwxr-xr-x 2 root root 4096 Nov 21 21:43 explain\n", "Not recognized as kubectl output"),
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
