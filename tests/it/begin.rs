//! `init` and `new` on real folders.

use std::{
    collections::BTreeSet,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::support::Folder;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap()
}

#[track_caller]
fn succeeds(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn fails(output: &Output, code: i32, why: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(why), "{said}");
}

/// The findings of `check`: the number of errors, and the rule and file of every finding.
fn findings(folder: &Folder) -> (u64, Vec<(String, String)>) {
    let report: Value = serde_json::from_slice(&run(folder, &["check", "--format", "json"]).stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let all = report["diagnostics"].as_array().unwrap();
    (report["errors"].as_u64().unwrap(), all.iter().map(|it| (text(&it["rule"]), text(&it["place"]["file"]))).collect())
}

fn begun(name: &str) -> Folder {
    let folder = Folder::new(name);
    succeeds(&run(&folder, &["init", "."]));
    folder
}

#[test]
fn a_new_knowledge_base_is_complete() {
    let outer = Folder::new("init");
    let named = succeeds(&run(&outer, &["init", "kb"]));
    let folder = Folder(outer.path("kb"));
    for file in ["book.toml", ".gitignore", "README.md", "content/vocabulary.yaml", "schemas/component.json"] {
        assert!(named.lines().any(|line| line == file) && folder.path(file).exists(), "{file}: {named}");
    }
    assert_eq!(findings(&folder), (0, Vec::new()));
    succeeds(&run(&folder, &["build", "--strict"]));
    let pages = folder.tree("book");
    for kind in ["components", "concepts", "providers"] {
        for entry in std::fs::read_dir(folder.path(&format!("content/{kind}"))).unwrap() {
            let id = entry.unwrap().file_name().into_string().unwrap();
            for language in ["", "ja/"] {
                assert!(pages.contains_key(&format!("{language}{kind}/{id}/index.html")), "{language}{kind}/{id}");
            }
        }
    }
    let compare = String::from_utf8(pages["compare/index.html"].clone()).unwrap();
    assert!(!compare.contains("data-presence=\"unknown\""), "each role is filled at each provider");
    // The example is from another domain and does not mention Kubernetes.
    for (path, bytes) in folder.tree("content") {
        assert!(!String::from_utf8_lossy(&bytes).contains("kube"), "{path}");
    }
    // The documentation of the API is not part of the knowledge base.
    for (path, bytes) in pages.iter().filter(|(path, _)| path.ends_with(".html") && !path.contains("api/")) {
        let text = String::from_utf8_lossy(bytes);
        for word in ["kubectl", "cluster", "Pod", "クラスター"] {
            assert!(!text.contains(word), "{path} says {word}");
        }
    }
    fails(&run(&outer, &["init", "kb"]), 2, "is not empty");
    // A folder with only a `.git` folder counts as empty.
    let repository = Folder::new("init-git");
    repository.write("kb/.git/HEAD", b"ref: refs/heads/main\n");
    succeeds(&run(&repository, &["init", "kb"]));
}

#[test]
fn what_is_begun_passes_and_says_what_is_missing() {
    for folder in [begun("new-starter"), Folder::with_base("new-base")] {
        for (kind, id) in [("component", "my-agent"), ("provider", "my-cloud"), ("concept", "my-idea")] {
            let before: BTreeSet<String> = folder.tree("content").into_keys().collect();
            let named: BTreeSet<String> = succeeds(&run(&folder, &["new", kind, id])).lines().map(str::to_owned).collect();
            let after: BTreeSet<String> = folder.tree("content").into_keys().collect();
            let written: BTreeSet<String> = after.difference(&before).map(|path| format!("content/{path}")).collect();
            assert_eq!(named, written);
            assert_eq!(written.len(), 3, "facts and two languages");
            let (errors, warnings) = findings(&folder);
            assert_eq!(errors, 0, "{kind}: {warnings:?}");
            assert!(warnings.iter().all(|(rule, _)| rule == "unfinished"), "{kind}: {warnings:?}");
            for file in &written {
                assert!(warnings.iter().any(|(_, place)| place == file), "{file} has something to be written");
                assert!(!String::from_utf8(std::fs::read(folder.path(file)).unwrap()).unwrap().contains("{id}"));
            }
        }
        let build = run(&folder, &["build"]);
        succeeds(&build);
        assert!(folder.tree("book").contains_key("ja/components/my-agent/index.html"));
        fails(&run(&folder, &["check", "--strict"]), 1, "written yet");
    }
}

#[test]
fn what_is_begun_follows_its_schema() {
    let folder = begun("new-schema");
    for (kind, id) in [("component", "my-agent"), ("provider", "my-cloud"), ("concept", "my-idea")] {
        succeeds(&run(&folder, &["new", kind, id]));
        let text = String::from_utf8(std::fs::read(folder.path(&format!("content/{kind}s/{id}/facts.yaml"))).unwrap()).unwrap();
        let value: Value = serde_yaml::from_str(&text).unwrap();
        let named = text.lines().next().unwrap().strip_prefix("# yaml-language-server: $schema=").unwrap();
        let schema = std::fs::read(folder.path(&format!("content/{kind}s/{id}/{named}"))).unwrap();
        let validator = jsonschema::validator_for(&serde_json::from_slice(&schema).unwrap()).unwrap();
        let wrong: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{kind}: {wrong:?}");
    }
}

#[test]
fn an_area_may_be_given_and_mistakes_are_told() {
    let folder = Folder::with_base("new-mistakes");
    succeeds(&run(&folder, &["new", "component", "valve", "--area", "power"]));
    let facts = String::from_utf8(std::fs::read(folder.path("content/components/valve/facts.yaml")).unwrap()).unwrap();
    assert!(facts.contains("\narea: power\n"), "{facts}");
    fails(&run(&folder, &["new", "component", "valve"]), 2, "`valve` is taken: the page is at `/components/valve/`");
    fails(&run(&folder, &["new", "concept", "pump"]), 2, "is taken");
    fails(&run(&folder, &["new", "component", "My Agent"]), 2, "My Agent");
    fails(&run(&folder, &["new", "component", "hose", "--area", "watre"]), 2, "did you mean `water`?");
    fails(&run(&Folder::new("new-nowhere"), &["new", "component", "hose"]), 2, "book.toml");
    // Errors elsewhere don't matter.
    folder.write("content/components/pump/facts.yaml", b"name: Pump\narea: nowhere\n");
    succeeds(&run(&folder, &["new", "component", "tube"]));
    folder.write("content/vocabulary.yaml", b"areas: [\n");
    fails(&run(&folder, &["new", "component", "hose"]), 1, "fix these errors first");
    assert!(!folder.path("content/components/hose").exists());
}

#[test]
fn a_page_is_begun_in_every_language() {
    let folder = begun("new-page");
    let output = run(&folder, &["new", "page", "guide/first-steps"]);
    assert!(succeeds(&output).contains("content/guide/first-steps/en.md"));
    assert!(std::fs::read_to_string(folder.path("content/guide/first-steps/en.md")).unwrap().starts_with("# TODO:"));
    fails(&run(&folder, &["new", "page", "guide/first-steps"]), 2, "already exists");
    fails(&run(&folder, &["new", "page", "../x"]), 2, "cannot be the path of a page");
    let book = Folder::new("new-page-book");
    book.write("book.toml", b"[book]\ntitle = \"B\"\n");
    book.write("src/SUMMARY.md", b"- [A](a.md)\n");
    book.write("src/a.md", b"# A\n\nx\n");
    let output = run(&book, &["new", "page", "b"]);
    succeeds(&output);
    assert!(String::from_utf8_lossy(&output.stderr).contains("`src/SUMMARY.md`: - [Title](b.md)"));
    assert!(book.path("src/b.md").is_file());
}

#[test]
fn the_theme_can_be_translated_and_changed() {
    let folder = begun("theme");
    succeeds(&run(&folder, &["theme", "strings", "pt"]));
    let strings = std::fs::read_to_string(folder.path("templates/strings/pt.yaml")).unwrap();
    assert!(strings.contains("# search: Search\n"));
    assert!(succeeds(&run(&folder, &["theme", "eject"])).contains("templates/page.html\n"));
    succeeds(&run(&folder, &["theme", "eject", "static/site.css"]));
    assert!(folder.path("static/site.css").is_file());
    fails(&run(&folder, &["theme", "eject", "static/site.css"]), 2, "already exists");
    fails(&run(&folder, &["theme", "eject", "templates/pge.html"]), 2, "did you mean `templates/page.html`?");
    fails(&run(&Folder::new("theme-nowhere"), &["theme", "strings", "pt"]), 2, "book.toml");
}
