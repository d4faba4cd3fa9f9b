//! Workflows, the GitHub Action, and the configuration of web servers.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use expect_test::expect_file;
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
            // The version is in a comment, for maintainers and for Dependabot.
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

#[test]
fn sites_are_built_into_new_folders() {
    let mut builds = 0;
    for (file, definition) in &definitions() {
        for script in steps(definition).iter().filter_map(|step| step["run"].as_str()) {
            for line in
                script.lines().filter(|line| line.contains("ksys-docs") && line.contains(" build ") && !line.contains("cargo build"))
            {
                assert!(line.contains(" --fresh ") && line.contains(" -d \"$RUNNER_TEMP/"), "{file}: {line}");
                builds += 1;
            }
        }
    }
    assert!(builds >= 3, "{builds}");
}

/// The script of a step of the GitHub Action.
fn action_script(name: &str) -> String {
    let action: Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    let step = steps(&action).into_iter().find(|step| step["name"] == name).unwrap();
    step["run"].as_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn the_action_refuses_an_output_folder_of_the_checkout() {
    let folder = tempfile::tempdir().unwrap();
    let build = |output: &str, arguments: &str| {
        let result = std::process::Command::new("bash")
            .args(["-c", &action_script("Build")])
            .current_dir(folder.path())
            .env("GITHUB_WORKSPACE", folder.path())
            .envs([("PROGRAM", "echo"), ("DIRECTORY", "."), ("STRICT", "true"), ("SITE_URL", ""), ("OUTPUT", output), ("ARGS", arguments)])
            .output()
            .unwrap();
        (result.status.success(), String::from_utf8(result.stdout).unwrap())
    };
    std::fs::create_dir_all(folder.path().join("there/inner")).unwrap();
    std::os::unix::fs::symlink("/nowhere", folder.path().join("dangling")).unwrap();
    std::os::unix::fs::symlink("there", folder.path().join("link")).unwrap();
    let absolute = |path: &str| folder.path().join(path).to_str().unwrap().to_owned();
    for output in [
        "there",
        "there/",
        "there/inner",
        "dangling",
        "dangling/",
        "link",
        "link/new",
        "link/new/site",
        &absolute("there"),
        &absolute("link/new"),
    ] {
        let (succeeded, said) = build(output, "");
        assert!(!succeeded && said.starts_with("::error::") && said.contains("exists before the build"), "{output}: {said}");
    }
    for output in ["site", "there/new", "a/b", &absolute("site")] {
        assert_eq!(build(output, ""), (true, format!("build -d {output} --fresh --strict -- .\n")));
    }
    assert_eq!(build("site", "--no-git --fresh"), (true, "build -d site --strict --no-git --fresh -- .\n".to_owned()));
}

#[test]
fn the_action_verifies_what_it_fetches() {
    let action: Value = serde_yaml::from_str(&text("action.yml")).unwrap();
    assert_eq!(action["inputs"]["verify"]["default"], "true");
    let script = action_script("Install ksys-docs");
    let (verified, unpacked) = (script.find("gh attestation verify \"$archive\""), script.find("tar -xzf"));
    assert!(verified.is_some() && verified < unpacked, "before anything of it is used");
    assert!(script.contains("--repo \"$REPOSITORY\""));
}

#[test]
fn releases_have_notices_and_a_list_of_their_parts() {
    let release: Value = serde_yaml::from_str(&text(".github/workflows/release.yml")).unwrap();
    let scripts = |job: &str| {
        let steps = release["jobs"][job]["steps"].as_array().unwrap();
        steps.iter().filter_map(|step| step["run"].as_str()).collect::<Vec<_>>().join("\n")
    };
    assert!(scripts("documents").contains(".ci/notices") && scripts("documents").contains("cargo cyclonedx --format json"));
    for packed in ["LICENSE-APACHE", "LICENSE-MIT", "fonts/OFL.txt", "documents/THIRD-PARTY.txt", "documents/RUST-LIBRARY.html"] {
        assert!(scripts("build").contains(packed), "{packed}");
    }
    assert!(scripts("build").contains(".ci/reproducible cargo build --release --locked"));
    assert!(scripts("reproduce").contains(".ci/reproducible cargo build --release --locked") && scripts("reproduce").contains("cmp "));
    assert_eq!(release["jobs"]["publish"]["needs"], serde_json::json!(["build", "documents", "reproduce"]));
    assert!(scripts("publish").contains("sha256sum -- ksys-docs*"), "the list of parts has a checksum, too");
    let attested = release["jobs"]["publish"]["steps"].as_array().unwrap();
    assert!(attested.iter().any(|step| step["with"]["subject-checksums"] == "dist/SHA256SUMS"));
    assert!(attested.iter().any(|step| step["with"]["sbom-path"] == "dist/ksys-docs.cdx.json"));
    let image = text("deploy/Containerfile");
    assert!(image.contains("RUN .ci/notices /notices") && image.contains("COPY --from=notices /notices "));
}

#[test]
fn the_notices_of_grammars_are_those_of_the_grammars() {
    let listing = two_face::acknowledgement::listing().to_md();
    let lines: String = listing.lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
    expect_file![root("notices/grammars.md")].assert_eq(&lines);
}

#[test]
fn licences_that_are_allowed_have_their_texts_in_the_notices() {
    let deny: toml::Value = text("deny.toml").parse::<toml::Table>().unwrap().into();
    let about: toml::Value = text("about.toml").parse::<toml::Table>().unwrap().into();
    let words =
        |value: &toml::Value| value.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>();
    let exceptions = deny["licenses"]["exceptions"].as_array().unwrap().iter();
    // Fuzz targets are not published.
    let published = exceptions.filter(|exception| exception["crate"].as_str() != Some("libfuzzer-sys"));
    let allowed: BTreeSet<String> =
        published.flat_map(|exception| words(&exception["allow"])).chain(words(&deny["licenses"]["allow"])).collect();
    assert_eq!(words(&about["accepted"]), allowed);
    let release = text(".github/workflows/release.yml");
    let targets = words(&about["targets"]);
    assert!(targets.iter().all(|target| release.contains(&format!("target: {target},"))), "{targets:?}");
    assert_eq!(release.matches("{ target: ").count(), targets.len());
    for ignored in deny["advisories"]["ignore"].as_array().unwrap() {
        let reason = ignored["reason"].as_str().unwrap();
        let day = reason.rsplit_once("review ").unwrap_or_default().1;
        assert!(day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'), "{reason}");
    }
}

#[test]
fn dependencies_and_fuzz_targets_are_checked() {
    for file in [".github/workflows/check.yml", ".github/workflows/weekly.yml"] {
        let workflow = text(file);
        for command in
            ["cargo deny --locked check", "cargo deny --locked --manifest-path fuzz/Cargo.toml --config deny.toml check", "fuzz/run "]
        {
            assert!(workflow.contains(command), "{file}: {command}");
        }
    }
    let manifest: toml::Value = text("fuzz/Cargo.toml").parse::<toml::Table>().unwrap().into();
    let names: BTreeSet<String> = manifest["bin"].as_array().unwrap().iter().map(|bin| bin["name"].as_str().unwrap().to_owned()).collect();
    let files = |folder: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(root(folder)).unwrap().map(|entry| entry.unwrap().path());
        entries.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(files("fuzz/fuzz_targets"), names);
    assert_eq!(files("fuzz/seeds"), names);
    assert!(files("fuzz/dictionaries").is_subset(&names));
    let weekly: Value = serde_yaml::from_str(&text(".github/workflows/weekly.yml")).unwrap();
    let targets = weekly["jobs"]["fuzz"]["strategy"]["matrix"]["target"].as_array().unwrap();
    assert_eq!(targets.iter().map(|target| target.as_str().unwrap().to_owned()).collect::<BTreeSet<_>>(), names);
    let readme = text("fuzz/README.md");
    assert!(names.iter().all(|name| readme.contains(&format!("| `{name}` |"))));
}

#[test]
fn a_tool_has_one_version() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for definition in definitions().values() {
        for step in steps(definition).iter().filter(|step| step["uses"] == "./.github/actions/tool") {
            let [name, version] = ["name", "version"].map(|key| step["with"][key].as_str().unwrap().to_owned());
            versions.entry(name).or_default().insert(version);
        }
        for (_, job) in definition["jobs"].as_object().into_iter().flatten() {
            if let Some(toolchain) = job["env"]["TOOLCHAIN"].as_str() {
                versions.entry("nightly".to_owned()).or_default().insert(toolchain.to_owned());
            }
        }
    }
    assert!(versions.len() >= 5 && versions.values().all(|versions| versions.len() == 1), "{versions:?}");
    let about = versions["cargo-about"].first().unwrap();
    assert!(text("deploy/Containerfile").contains(&format!("cargo install cargo-about --version ={about} --locked")));
}

#[test]
fn updates_come_in_groups() {
    let dependabot: Value = serde_yaml::from_str(&text(".github/dependabot.yml")).unwrap();
    let updates = dependabot["updates"].as_array().unwrap();
    assert!(updates.iter().all(|update| update["groups"].is_object()));
    let cargo = updates.iter().find(|update| update["package-ecosystem"] == "cargo").unwrap();
    assert_eq!(cargo["directories"], serde_json::json!(["/", "/fuzz"]));
}

#[test]
fn the_image_that_is_published_is_pinned_by_content() {
    let image = text("deploy/Containerfile");
    let last = image.lines().rfind(|line| line.starts_with("FROM ")).unwrap();
    let digest = last.split_once("@sha256:").unwrap_or_default().1;
    assert!(digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()), "{last}");
}

/// The headers in a `_headers` file for one path, by name.
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
