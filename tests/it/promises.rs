//! The guarantees in README.md ("What you can rely on"), and tests for them.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::support::{Folder, can_trace};

/// Each guarantee with its tests: `file::function` in `tests/it`, or `file: title` in `tests/browser`.
const PROMISES: [(&str, &[&str]); 13] = [
    (
        "A build replaces the old site in one step, or not at all",
        &[
            "promises::a_build_replaces_the_old_site_in_one_step",
            "crash::a_build_killed_at_a_system_call_leaves_a_whole_site",
            "crash::a_build_killed_in_place_is_completed_by_the_next",
            "crash::a_system_call_that_fails_is_reported",
            "promises::a_site_is_on_the_disk_before_it_is_published",
            "writing::concurrent_builds_end_in_the_site_of_one",
        ],
    ),
    ("Unchanged files are not touched", &["promises::unchanged_files_are_not_touched"]),
    ("Files that ksys-docs did not write are kept", &["writing::what_others_put_into_the_folder_is_kept"]),
    (
        "Two builds of the same input are identical",
        &["promises::two_builds_of_the_same_input_are_identical", "properties::the_order_of_files_does_not_matter"],
    ),
    (
        "The site loads nothing from other hosts",
        &["promises::the_site_loads_nothing_from_other_hosts", "site.test.js: breaks none of the rules a host sends with it"],
    ),
    ("The site works under any base path", &["promises::the_site_works_under_any_base_path"]),
    (
        "The site works without JavaScript",
        &["site.test.js: is complete without the script", "site.test.js: without the script every tab is there"],
    ),
    ("`serve` shows, byte for byte", &["serve::serves_what_build_writes_below_its_base_path"]),
    ("With errors, `serve` shows the last good site", &["serve::errors_leave_the_last_good_site_and_go_when_mended"]),
    ("Every problem is reported in one run", &["promises::every_problem_is_reported_in_one_run"]),
    ("`explain` opens no connection", &["promises::explain_opens_no_connection"]),
    (
        "A repository of a stranger",
        &[
            "trust::a_repository_in_the_folder_runs_nothing",
            "trust::links_and_settings_lead_no_build_out_of_the_folder",
            "trust::templates_that_do_not_end_are_ended",
            "writing::links_in_the_output_folder_lead_nowhere",
            "writing::a_manifest_of_a_stranger_keeps_no_page",
        ],
    ),
    ("In a mounted volume", &["writing::a_build_that_was_killed_in_place_is_completed"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_promise_has_a_test() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let section = readme.split("## What you can rely on\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let promises: Vec<&str> = section.split("\n- ").skip(1).collect();
    assert!(promises.len() >= 10, "{section}");
    for promise in promises {
        assert!(PROMISES.iter().any(|(begin, _)| promise.starts_with(begin)), "a promise without a test: {promise}");
    }
    for (promise, tests) in PROMISES {
        assert!(section.contains(promise), "the README doesn't promise: {promise}");
        for test in tests {
            let (file, name) = if let Some((file, name)) = test.split_once("::") {
                (format!("tests/it/{file}.rs"), format!("#[test]\nfn {name}() {{"))
            } else {
                let (file, name) = test.split_once(": ").unwrap();
                (format!("tests/browser/{file}"), format!("test(\"{name}"))
            };
            let text = fs::read_to_string(root().join(&file)).unwrap();
            assert!(text.contains(&name), "{file} has no test `{name}`");
        }
    }
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn build(folder: &Folder, arguments: &[&str]) {
    let output = run(folder, &[&["build"], arguments].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_build_replaces_the_old_site_in_one_step() {
    let folder = Folder::with_base("one-step");
    build(&folder, &[]);
    let page = folder.path("book/guide/cleaning/index.html");
    let done = AtomicBool::new(false);
    // The page is complete at any time.
    let seen = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut seen = BTreeSet::new();
            while !done.load(Ordering::Relaxed) {
                let html = fs::read_to_string(&page).unwrap();
                assert!(html.ends_with("</html>\n"));
                seen.insert(html);
            }
            seen
        });
        for number in 0..6 {
            folder.write("content/guide/cleaning/en.md", format!("# Cleaning\n\nText {number}.\n").as_bytes());
            build(&folder, &["--no-sync"]);
        }
        done.store(true, Ordering::Relaxed);
        reader.join().unwrap()
    });
    assert!(seen.len() > 1);
    // With an error, nothing is replaced.
    let before = folder.tree("book");
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\n[[nothing]]\n");
    assert_eq!(run(&folder, &["build"]).status.code(), Some(1));
    assert_eq!(folder.tree("book"), before);
}

#[test]
fn a_site_is_on_the_disk_before_it_is_published() {
    if !cfg!(target_os = "linux") || !can_trace() {
        return;
    }
    let folder = Folder::with_base("durable");
    for (arguments, is_synced) in [(&["build"][..], true), (&["build", "--fresh"], true), (&["build", "--fresh", "--no-sync"], false)] {
        if folder.path("book").exists() {
            folder.write("content/guide/cleaning/en.md", format!("# Cleaning\n\n{arguments:?}\n").as_bytes());
        }
        let trace = "trace=write,syncfs,fsync,rename,renameat2";
        let traced = Command::new("strace")
            .args(["-f", "-qq", "-y", "-o", "trace", "-e", trace, env!("CARGO_BIN_EXE_ksys-docs")])
            .args(arguments)
            .current_dir(&folder.0)
            .output()
            .unwrap();
        assert!(traced.status.success());
        let trace = fs::read_to_string(folder.path("trace")).unwrap();
        let last =
            |wanted: &dyn Fn(&str) -> bool| trace.lines().enumerate().filter(|(_, line)| wanted(line)).map(|(number, _)| number).last();
        let is_page_write = |line: &str| line.contains(" write(") && line.contains("/.book.ksys-docs-");
        let published = last(&|line| line.contains("rename") && line.contains("book\"")).unwrap();
        let sync = last(&|line| line.contains("syncfs(") && line.contains("/.book.ksys-docs-"));
        assert_eq!(sync.is_some(), is_synced, "{trace}");
        if let Some(sync) = sync {
            assert!(last(&is_page_write).unwrap() < sync && sync < published, "{trace}");
            let folder_sync = last(&|line| line.contains(" fsync(")).unwrap();
            assert!(published < folder_sync, "the new name is on the disk, too: {trace}");
        }
    }
}

#[test]
fn unchanged_files_are_not_touched() {
    let folder = Folder::with_base("untouched");
    build(&folder, &[]);
    let times = || -> BTreeMap<String, std::time::SystemTime> {
        let files = folder.tree("book").into_keys().filter(|path| path != "manifest.json");
        files.map(|path| (path.clone(), fs::metadata(folder.path(&format!("book/{path}"))).unwrap().modified().unwrap())).collect()
    };
    let (before, old) = (times(), folder.tree("book"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    build(&folder, &[]);
    assert_eq!(times(), before);
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nOther words.\n");
    build(&folder, &[]);
    let (after, new) = (times(), folder.tree("book"));
    for (path, time) in &after {
        assert_eq!(before.get(path) == Some(time), old.get(path) == new.get(path), "{path}");
    }
    assert_ne!(after, before);
}

#[test]
fn two_builds_of_the_same_input_are_identical() {
    let folder = Folder::with_base("identical");
    build(&folder, &["-d", "reference"]);
    let expected = folder.tree("reference");
    build(&folder, &[]);
    assert_eq!(folder.tree("book"), expected);
    // The previous content of the output folder doesn't matter: another site, damaged files, missing files.
    folder.write("content/guide/other/en.md", b"# Other\n\nText.\n");
    build(&folder, &[]);
    fs::remove_dir_all(folder.path("content/guide/other")).unwrap();
    for (number, path) in expected.keys().filter(|path| *path != "manifest.json").enumerate() {
        match number % 5 {
            0 => folder.write(&format!("book/{path}"), b"damaged"),
            1 => fs::remove_file(folder.path(&format!("book/{path}"))).unwrap(),
            _ => {}
        }
    }
    build(&folder, &[]);
    assert_eq!(folder.tree("book"), expected);
}

/// The values of attributes that load a resource.
fn loaded(html: &str) -> impl Iterator<Item = &str> {
    let element = |tag: &str| tag.starts_with("link ") || tag.starts_with("script") || tag.starts_with("img") || tag.starts_with("source");
    let tags = html.split('<').skip(1).filter_map(|rest| rest.split('>').next()).filter(move |tag| element(tag));
    tags.filter(|tag| !tag.contains("rel=\"canonical\"") && !tag.contains("rel=\"alternate\"")).flat_map(|tag| {
        ["href=\"", "src=\"", "srcset=\""].into_iter().filter_map(move |attribute| tag.split(attribute).nth(1)?.split('"').next())
    })
}

#[test]
fn the_site_loads_nothing_from_other_hosts() {
    let folder = Folder::with_base("own-hosts");
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\n![P](p.svg) [x](https://example.org/)\n");
    folder.write("content/guide/cleaning/p.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"><rect/></svg>");
    build(&folder, &["--site-url", "https://docs.example.org/"]);
    let mut count = 0;
    for (path, bytes) in folder.tree("book") {
        let text = String::from_utf8_lossy(&bytes);
        if path.ends_with(".html") {
            for address in loaded(&text) {
                count += 1;
                assert!(!address.starts_with("//") && !address.contains("://"), "{path} loads {address}");
            }
        } else if path.ends_with(".css") {
            let foreign = text.split("url(").skip(1).find(|rest| rest.trim_start_matches(['"', '\'']).starts_with(['/', 'h']));
            assert!(!text.contains("@import") && foreign.is_none(), "{path}");
        }
    }
    assert!(count > 50, "{count}");
}

#[test]
fn the_site_works_under_any_base_path() {
    for base in ["/", "/docs/", "/a/b%20c/"] {
        let folder = Folder::with_base("any-base");
        build(&folder, &["--site-url", base]);
        let files = folder.tree("book");
        let decoded = ksys_docs::url::decode(base);
        let mut count = 0;
        for (path, bytes) in files.iter().filter(|(path, _)| path.ends_with(".html")) {
            let html = String::from_utf8_lossy(bytes);
            for address in
                html.match_indices("href=\"").map(|(at, found)| &html[at + found.len()..]).map(|rest| rest.split('"').next().unwrap())
            {
                let address = address.split(['#', '?']).next().unwrap();
                if address.contains(':') || address.is_empty() {
                    continue;
                }
                let page = format!("{decoded}{path}");
                let mut parts: Vec<&str> = page.rsplit_once('/').unwrap().0.split('/').collect();
                let address = ksys_docs::url::decode(address);
                if address.starts_with('/') {
                    parts.clear();
                }
                for part in address.split('/') {
                    match part {
                        ".." => drop(parts.pop()),
                        "." => {}
                        part => parts.push(part),
                    }
                }
                let target = parts.join("/").replace("//", "/");
                let inner = target.strip_prefix(&decoded).unwrap_or_else(|| panic!("{path}: {address} leads out of {base}"));
                let file = if inner.is_empty() || inner.ends_with('/') { format!("{inner}index.html") } else { inner.to_owned() };
                assert!(files.contains_key(&file), "{path}: {address} leads to {file}");
                count += 1;
            }
        }
        assert!(count > 100, "{count}");
    }
}

#[test]
fn every_problem_is_reported_in_one_run() {
    let folder = Folder::with_base("every-problem");
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nText [[nothing]].\n\n## A {#x}\n\n## B {#x}\n");
    folder.write("content/components/pump/facts.yaml", b"name: Pump\narea: nowhere\ncolour: red\n");
    folder.write("content/providers/acme/facts.yaml", b"name: [ACME\n");
    folder.write("content/guide/broken/en.md", b"---\ntitle: X\n");
    folder.write("templates/page.html", b"{% if %}\n");
    folder.write("content/guide/latin.md", b"# \xFF\n");
    let output = run(&folder, &["check", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = report["diagnostics"].as_array().unwrap();
    let rules: BTreeSet<&str> = found.iter().map(|found| found["rule"].as_str().unwrap()).collect();
    for rule in ["dead-link", "duplicate-anchor", "unknown-word", "unknown-field", "yaml-syntax", "front-matter", "not-utf8"] {
        assert!(rules.contains(rule), "{rule}: {rules:?}");
    }
    let human = run(&folder, &["check"]);
    let human = String::from_utf8_lossy(&human.stderr);
    for finding in found {
        assert!(finding["place"]["line"].as_u64().is_some_and(|line| line > 0) && finding["place"]["column"].is_u64(), "{finding}");
        assert!(finding["help"].as_str().is_some_and(|help| !help.is_empty()), "{finding}");
        assert!(human.contains(finding["message"].as_str().unwrap()), "{finding}");
    }
}

#[test]
fn explain_opens_no_connection() {
    if !cfg!(target_os = "linux") || !can_trace() {
        return;
    }
    let folder = Folder::new("no-connection");
    folder.write("listing", b"NAMESPACE     NAME                           READY   STATUS    RESTARTS   AGE\nkube-system   coredns-5d78c9869d-abcde   1/1     Running   0          3d\n");
    let output = Command::new("strace")
        .args(["-f", "-qq", "-o", "trace", "-e", "trace=%network,execve", env!("CARGO_BIN_EXE_ksys-docs"), "explain", "listing"])
        .current_dir(&folder.0)
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&output.stdout).contains("coredns"));
    let trace = fs::read_to_string(folder.path("trace")).unwrap();
    let calls: Vec<&str> = trace.lines().filter(|line| !line.contains("+++") && !line.contains("---")).collect();
    assert!(matches!(calls[..], [start] if start.contains("execve")), "{trace}");
}
