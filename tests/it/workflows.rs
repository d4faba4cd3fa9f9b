//! What runs on other people's machines with somebody's rights: workflows, the action, what hosts the site.

use std::{collections::BTreeMap, path::Path};

use serde_json::Value;

fn root(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn text(path: &str) -> String {
    std::fs::read_to_string(root(path)).unwrap()
}

/// Every workflow and action, by its path.
fn definitions() -> BTreeMap<String, Value> {
    let files = walkdir::WalkDir::new(root(".github")).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file());
    let names = files.map(|entry| entry.path().strip_prefix(root("")).unwrap().to_string_lossy().into_owned());
    let is_definition = |name: &String| name.contains("/workflows/") || name.ends_with("/action.yml");
    let names = names.filter(is_definition).chain(["action.yml".to_owned()]);
    names.map(|name| (name.clone(), serde_yaml::from_str(&text(&name)).unwrap_or_else(|error| panic!("{name}: {error}")))).collect()
}

/// Every step of a workflow or an action.
fn steps(definition: &Value) -> Vec<&Value> {
    let of_jobs = definition["jobs"].as_object().into_iter().flatten().flat_map(|(_, job)| job["steps"].as_array().into_iter().flatten());
    of_jobs.chain(definition["runs"]["steps"].as_array().into_iter().flatten()).collect()
}

#[test]
fn actions_of_others_are_pinned_by_what_they_hold() {
    let definitions = definitions();
    assert!(definitions.len() >= 6);
    let mut pinned = 0;
    for (file, definition) in &definitions {
        for step in steps(definition) {
            let Some(used) = step["uses"].as_str().filter(|used| !used.starts_with("./")) else { continue };
            let commit = used.split_once('@').unwrap_or_default().1;
            assert!(commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()), "{file}: {used}");
            // The version stands beside it, for people and for what proposes updates.
            let line = text(file).lines().find(|line| line.contains(used)).unwrap().to_owned();
            assert!(line.contains(" # v"), "{file}: {line}");
            if used.starts_with("actions/checkout@") {
                assert_eq!(step["with"]["persist-credentials"], false, "{file}: the token stays in the clone");
            }
            pinned += 1;
        }
    }
    assert!(pinned > 10, "{pinned}");
}

#[test]
fn jobs_have_the_rights_they_need_and_an_end() {
    for (file, definition) in definitions().iter().filter(|(file, _)| file.contains("/workflows/")) {
        assert_eq!(definition["permissions"], serde_json::json!({}), "{file}: nothing unless a job asks for it");
        for (name, job) in definition["jobs"].as_object().unwrap() {
            assert!(job["permissions"].is_object(), "{file}: {name}");
            assert!(job["timeout-minutes"].as_u64().is_some_and(|minutes| minutes <= 120), "{file}: {name}");
            let writes = job["permissions"].as_object().unwrap().values().any(|right| right == "write");
            let builds = job["steps"].as_array().unwrap().iter().any(|step| step["run"].as_str().is_some_and(|run| run.contains("cargo ")));
            let of_a_fork = definition["on"].get("pull_request").is_some() && !job["if"].as_str().unwrap_or_default().contains("push");
            assert!(!(writes && builds && of_a_fork), "{file}: {name} runs code of a pull request and may write");
        }
    }
}

#[test]
fn what_others_wrote_is_never_part_of_a_script() {
    for (file, definition) in &definitions() {
        for step in steps(definition) {
            let script = step["run"].as_str().unwrap_or_default();
            for expression in script.split("${{").skip(1).map(|rest| rest.split("}}").next().unwrap_or_default().trim()) {
                assert!(expression.starts_with("matrix.") || expression.starts_with("runner."), "{file}: {expression}");
            }
        }
    }
    let comment = text(".github/workflows/comment.yml");
    assert!(!comment.contains("actions/checkout") && !comment.contains("cargo "), "what may write runs nothing of the pull request");
}

/// The headers of a policy file, by name, for one address.
fn headers(text: &str, address: &str) -> BTreeMap<String, String> {
    let own = text.split("\n\n").find(|block| block.lines().any(|line| line == address)).unwrap();
    own.lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(": "))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn hosts_send_the_same_headers() {
    let netlify = headers(&text("deploy/_headers"), "/*");
    let nginx = text("deploy/nginx.conf");
    for (name, value) in &netlify {
        if name == "Content-Security-Policy" {
            assert!(nginx.contains(&format!("default \"{value}\";")), "{name}");
            assert!(!value.contains("unsafe-") && !value.contains('*') && value.starts_with("default-src 'none'"), "{value}");
        } else {
            let sent = [format!("add_header {name} {value} always;"), format!("add_header {name} \"{value}\" always;")];
            assert!(sent.iter().any(|line| nginx.contains(line)), "{name}");
        }
    }
    for needed in ["Content-Security-Policy", "Referrer-Policy", "Permissions-Policy", "X-Content-Type-Options"] {
        assert!(netlify.contains_key(needed), "{needed}");
    }
}
