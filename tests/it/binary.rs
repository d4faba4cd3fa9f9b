//! The binary on real folders: exit codes, standard streams and changes on the disk.

use std::{
    fs,
    process::{Command, Output, Stdio},
    time::Duration,
};

use crate::support::Folder;

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn expect(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", stderr(output));
}

#[test]
fn a_build_writes_the_site_and_a_second_one_touches_nothing() {
    let folder = Folder::with_base("twice");
    expect(&run(&folder, &["build"]), 0);
    let first = folder.tree("book");
    assert!(first.contains_key("components/boiler/index.html") && first.contains_key("manifest.json"));
    let modified = |path: &str| fs::metadata(folder.path(path)).unwrap().modified().unwrap();
    let times = || (modified("book/index.html"), modified("book/components/pump/index.html"));
    let before = times();
    std::thread::sleep(Duration::from_millis(20));
    let output = run(&folder, &["build"]);
    expect(&output, 0);
    assert!(stderr(&output).contains(" 0 written"), "{}", stderr(&output));
    assert_eq!(folder.tree("book"), first);
    assert_eq!(times(), before);
    // An edit of one page only writes that page and those that show it.
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nOther words.\n");
    expect(&run(&folder, &["build"]), 0);
    assert_eq!(times(), before);
    assert!(fs::read_to_string(folder.path("book/guide/cleaning/index.html")).unwrap().contains("Other words."));
    let hidden: Vec<_> = fs::read_dir(&folder.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(hidden.is_empty(), "left behind: {hidden:?}");
}

#[test]
fn builds_one_after_the_other_share_only_unchanged_files() {
    let folder = Folder::with_base("shared");
    let page = |word: &str| folder.write("content/guide/cleaning/en.md", format!("# Cleaning\n\n{word}.\n").as_bytes());
    let mut sites = std::collections::BTreeMap::new();
    for word in ["One", "Two", "One", "Three", "Two", "Two", "One"] {
        std::thread::sleep(Duration::from_millis(20));
        page(word);
        expect(&run(&folder, &["build"]), 0);
        let site = folder.tree("book");
        assert!(site.values().any(|bytes| String::from_utf8_lossy(bytes).contains(word)));
        assert_eq!(sites.entry(word).or_insert_with(|| site.clone()), &site, "{word}");
    }
    // A file replaces a folder, and a folder replaces a file.
    for (path, other) in [("content/guide/thing", "content/guide/thing/deep.txt"), ("content/guide/thing/deep.txt", "content/guide/thing")]
    {
        for _ in 0..3 {
            let other = folder.path(other);
            let _ = fs::remove_file(&other).or_else(|_| fs::remove_dir_all(&other));
            if let Some(above) = folder.path(path).parent().filter(|above| above.is_file()) {
                fs::remove_file(above).unwrap();
            }
            folder.write(path, b"thing");
            expect(&run(&folder, &["build"]), 0);
            assert_eq!(fs::read(folder.path(&path.replacen("content", "book", 1))).unwrap(), b"thing");
            folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nElse.\n");
            expect(&run(&folder, &["build"]), 0);
        }
    }
}

#[test]
fn a_site_with_changed_files_is_repaired() {
    let folder = Folder::with_base("touched");
    expect(&run(&folder, &["build"]), 0);
    let site = folder.tree("book");
    let pause = || std::thread::sleep(Duration::from_millis(20));
    pause();
    let page = fs::read_to_string(folder.path("book/index.html")).unwrap();
    folder.write("book/index.html", page.replace("<html", "<HTML").as_bytes());
    fs::remove_file(folder.path("book/components/pump/index.html")).unwrap();
    let output = run(&folder, &["build"]);
    expect(&output, 0);
    assert!(stderr(&output).contains(" 2 written"), "{}", stderr(&output));
    assert_eq!(folder.tree("book"), site);
    // Rewritten with the same content.
    pause();
    folder.write("book/index.html", page.as_bytes());
    let output = run(&folder, &["build"]);
    expect(&output, 0);
    assert!(stderr(&output).contains(" 0 written"), "{}", stderr(&output));
    // Modification times don't matter: a modified file of the same length, older or newer than the site, is detected.
    for time in [std::time::UNIX_EPOCH, std::time::SystemTime::now() + Duration::from_secs(1_000_000)] {
        let path = folder.path("book/index.html");
        fs::write(&path, page.replacen("<html", "<HTML", 1)).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        expect(&run(&folder, &["build"]), 0);
        assert_eq!(folder.tree("book"), site);
    }
}

#[test]
fn every_input_is_part_of_the_site() {
    let folder = Folder::with_base("inputs");
    let mut sites = Vec::new();
    let mut build = |arguments: &[&str]| {
        expect(&run(&folder, arguments), 0);
        let site = folder.tree("book");
        assert!(!sites.contains(&site), "{arguments:?}");
        sites.push(site);
    };
    build(&["build"]);
    build(&["build", "--site-url", "https://example.org/elsewhere/"]);
    for (path, text) in [
        ("content/guide/cleaning/en.md", "# Cleaning\n\nOther words.\n"),
        ("static/site.css", "body { margin: 0 }\n"),
        ("templates/404.html", "<!doctype html><title>{{ page.title }}</title>\n"),
        ("templates/strings/en.yaml", "search: Look for\n"),
        ("content/guide/picture.png", "not really"),
    ] {
        folder.write(path, text.as_bytes());
        build(&["build"]);
    }
}

#[test]
fn a_warning_is_said_by_each_build() {
    let folder = Folder::with_base("again");
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nWith water.\n\n```yaml\na: b\n");
    let first = run(&folder, &["build"]);
    std::thread::sleep(Duration::from_millis(20));
    let second = run(&folder, &["build"]);
    assert_eq!(first.status.code(), second.status.code());
    let found = |output: &Output| stderr(output).lines().filter(|line| line.starts_with("warning") || line.starts_with("error")).count();
    assert!(found(&first) > 0 && found(&first) == found(&second), "{}", stderr(&second));
    // Findings are also reported if the site cannot be written.
    folder.write("theirs/file.txt", b"not ours");
    let third = run(&folder, &["build", "-d", "theirs"]);
    assert!(found(&third) > found(&first) && third.status.code() != Some(0), "{}", stderr(&third));
}

#[test]
fn one_thread_and_many_make_the_same_site() {
    let folder = Folder::with_base("threads");
    for (threads, out) in [("1", "one"), ("2", "two"), ("9", "nine")] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
        let output = command.args(["build", "-d", out]).env("RAYON_NUM_THREADS", threads).current_dir(&folder.0).output().unwrap();
        expect(&output, 0);
    }
    assert!(folder.tree("one").len() > 20);
    assert_eq!(folder.tree("one"), folder.tree("two"));
    assert_eq!(folder.tree("one"), folder.tree("nine"));
}

#[test]
fn a_build_says_how_long_its_stages_took() {
    let folder = Folder::with_base("timings");
    let output = run(&folder, &["build", "--timings"]);
    expect(&output, 0);
    let said = String::from_utf8(output.stderr).unwrap();
    let stages =
        ["read", "load", "validate", "link", "templates", "navigation", "render pages", "exports, feeds, data", "search", "write", "all"];
    let mut last = 0;
    for stage in stages {
        let at = said.find(&format!("\n{stage} ")).unwrap_or_else(|| panic!("{stage}: {said}"));
        assert!(at > last, "{stage} comes in its turn: {said}");
        last = at;
    }
    assert!(said.contains("\nslowest files\n"), "{said}");
    assert!(!String::from_utf8(run(&folder, &["build"]).stderr).unwrap().contains("slowest"));
}

#[test]
fn a_build_can_be_told_where_the_site_is_published() {
    let folder = Folder::with_base("site-url");
    expect(&run(&folder, &["build", "--site-url", "https://example.org/elsewhere/"]), 0);
    let home = String::from_utf8(fs::read(folder.path("book/index.html")).unwrap()).unwrap();
    assert!(home.contains("<link rel=\"canonical\" href=\"https://example.org/elsewhere/\">"));
    assert!(folder.path("book/sitemap.xml").exists());
    let wrong = run(&folder, &["build", "--site-url", "example.org"]);
    expect(&wrong, 2);
    assert!(stderr(&wrong).contains("write `https://example.org/docs/` or `/docs/`"), "{}", stderr(&wrong));
    expect(&run(&folder, &["build"]), 0);
    assert!(!folder.path("book/sitemap.xml").exists());
}

#[test]
fn two_folders_get_the_same_site() {
    let (a, b) = (Folder::with_base("same-a"), Folder::with_base("same-b"));
    expect(&run(&a, &["build"]), 0);
    expect(&run(&b, &["build", "-d", "elsewhere/deep"]), 0);
    assert_eq!(a.tree("book"), b.tree("elsewhere/deep"));
}

#[test]
fn pages_that_vanish_are_removed_and_files_of_others_stay() {
    let folder = Folder::with_base("vanish");
    expect(&run(&folder, &["build"]), 0);
    folder.write("book/notes/mine.txt", b"keep me");
    #[cfg(unix)]
    std::os::unix::fs::symlink("index.html", folder.path("book/home")).unwrap();
    fs::remove_dir_all(folder.path("content/guide")).unwrap();
    expect(&run(&folder, &["build"]), 0);
    assert!(!folder.path("book/guide/cleaning/index.html").exists());
    assert!(!folder.path("book/guide").exists(), "empty folders go, too");
    assert_eq!(fs::read(folder.path("book/notes/mine.txt")).unwrap(), b"keep me");
    #[cfg(unix)]
    assert!(folder.path("book/home").is_symlink());
}

#[test]
fn errors_leave_the_earlier_site_alone() {
    let folder = Folder::with_base("errors");
    expect(&run(&folder, &["build"]), 0);
    let before = folder.tree("book");
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\n[[nobody]]\n");
    let output = run(&folder, &["build"]);
    expect(&output, 1);
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains("error[dead-link]: no page or section has the id `nobody`"), "{}", stderr(&output));
    assert!(stderr(&output).contains("content/guide/cleaning/en.md:3:1"), "{}", stderr(&output));
    assert_eq!(folder.tree("book"), before);
}

#[test]
fn strict_refuses_warnings() {
    let folder = Folder::with_base("strict");
    fs::remove_file(folder.path("content/guide/cleaning/ja.md")).unwrap();
    expect(&run(&folder, &["check"]), 0);
    expect(&run(&folder, &["check", "--strict"]), 1);
    expect(&run(&folder, &["build", "--strict"]), 1);
    assert!(!folder.path("book").exists());
    expect(&run(&folder, &["build"]), 0);
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let folder = Folder::with_base("foreign");
    folder.write("book/thesis.txt", b"ten years of work");
    let output = run(&folder, &["build"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("thesis.txt"), "{}", stderr(&output));
    assert_eq!(folder.tree("book").len(), 1);
    for out in ["content", "content/sub", ".", "templates", "/"] {
        let output = run(&folder, &["build", "-d", out]);
        expect(&output, 2);
    }
    folder.write("file", b"");
    expect(&run(&folder, &["build", "-d", "file"]), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_refuses_is_named_once_and_with_its_reason() {
    let folder = Folder::with_base("refused");
    let output = run(&folder, &["build", "-d", "/proc/nowhere/site"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("the site was not written"), "{}", stderr(&output));
    assert_eq!(stderr(&output).matches("os error").count(), 1, "{}", stderr(&output));
}

#[test]
fn wrong_usage_is_two() {
    let folder = Folder::new("usage");
    // The folder is given, because the default is the nearest parent folder with a book.toml, and tests may run inside this repository.
    let output = run(&folder, &["build", "."]);
    expect(&output, 2);
    assert!(stderr(&output).contains("book.toml"), "{}", stderr(&output));
    expect(&run(&folder, &["build", "nowhere"]), 2);
    expect(&run(&folder, &["bild"]), 2);
    expect(&run(&folder, &["rule", "ded-link"]), 2);
    assert!(stderr(&run(&folder, &["rule", "ded-link"])).contains("did you mean `dead-link`?"));
}

#[test]
fn the_root_is_found_from_below() {
    let folder = Folder::with_base("below");
    let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).arg("check").current_dir(folder.path("content/guide")).output().unwrap();
    expect(&output, 0);
}

#[test]
fn reports_for_programs_go_to_stdout() {
    let folder = Folder::with_base("formats");
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\n[[nobody]]\n");
    let output = run(&folder, &["check", "--format", "github"]);
    expect(&output, 1);
    let github = String::from_utf8(output.stdout).unwrap();
    assert!(
        github.starts_with(
            "::error file=content/guide/cleaning/en.md,line=3,col=1,endColumn=11,title=dead-link::no page or section has the id `nobody`%0A"
        ),
        "{github}"
    );
    let json: serde_json::Value = serde_json::from_slice(&run(&folder, &["check", "--format", "json"]).stdout).unwrap();
    assert_eq!((json["errors"].as_u64(), json["diagnostics"][0]["rule"].as_str()), (Some(1), Some("dead-link")));
    let sarif: serde_json::Value = serde_json::from_slice(&run(&folder, &["check", "--format", "sarif"]).stdout).unwrap();
    let result = &sarif["runs"][0]["results"][0];
    let rule = &sarif["runs"][0]["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
    assert_eq!(rule["id"], result["ruleId"]);
}

#[test]
fn bytes_that_are_no_text_have_a_place() {
    let folder = Folder::with_base("bytes");
    folder.write("content/guide/cleaning/en.md", b"# Caf\xE9\n");
    let output = run(&folder, &["build"]);
    expect(&output, 1);
    assert!(
        stderr(&output).contains("not-utf8") && stderr(&output).contains("line 1, column 6 holds the byte 0xE9"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn large_files_are_refused() {
    let folder = Folder::with_base("large");
    folder.write("content/guide/cleaning/en.md", &vec![b'a'; 50 << 20]);
    folder.write("content/guide/cleaning/film.mp4", &vec![0; 26 << 20]);
    let output = run(&folder, &["build"]);
    expect(&output, 1);
    assert_eq!(stderr(&output).matches("error[file-too-large]").count(), 2, "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn links_that_lead_in_circles_or_out_are_refused() {
    let folder = Folder::with_base("links");
    std::os::unix::fs::symlink("..", folder.path("content/guide/loop")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", folder.path("content/guide/secret.txt")).unwrap();
    std::os::unix::fs::symlink("gone.txt", folder.path("content/guide/dangling.txt")).unwrap();
    let output = run(&folder, &["build"]);
    expect(&output, 1);
    for rule in ["error[symlink-loop]", "error[symlink-outside]", "error[unreadable-file]"] {
        assert_eq!(stderr(&output).matches(rule).count(), 1, "{rule}\n{}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn a_link_inside_the_knowledge_base_is_followed() {
    let folder = Folder::with_base("inside");
    std::os::unix::fs::symlink("../cleaning", folder.path("content/guide/cleaning2")).unwrap_or_default();
    fs::remove_file(folder.path("content/guide/cleaning2")).unwrap();
    folder.write("shared.txt", b"shared");
    std::os::unix::fs::symlink("../../shared.txt", folder.path("content/guide/shared.txt")).unwrap();
    expect(&run(&folder, &["build"]), 0);
    assert_eq!(fs::read(folder.path("book/guide/shared.txt")).unwrap(), b"shared");
}

/// A build that is killed at any moment leaves the old site or the new one.
#[cfg(unix)]
#[test]
fn a_killed_build_leaves_a_whole_site() {
    let folder = Folder::with_base("killed");
    expect(&run(&folder, &["build"]), 0);
    let old = folder.tree("book");
    for number in 0..40 {
        folder.write(&format!("content/extra/page{number}.md"), format!("# Page {number}\n\nText.\n").as_bytes());
    }
    folder.write("content/index/en.md", b"---\nsummary: New.\n---\nAll new.\n");
    expect(&run(&folder, &["build", "-d", "reference"]), 0);
    let new = folder.tree("reference");
    kill_builds(&folder, &old, &new);
    // The same with a previous site to reuse and with cached pages.
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\nOther words.\n");
    expect(&run(&folder, &["build", "-d", "reference"]), 0);
    kill_builds(&folder, &new, &folder.tree("reference"));
}

/// Starts builds and kills them after different delays.
#[cfg(unix)]
fn kill_builds(folder: &Folder, old: &std::collections::BTreeMap<String, Vec<u8>>, new: &std::collections::BTreeMap<String, Vec<u8>>) {
    let mut killed = 0;
    for delay in (0..60).map(|step| Duration::from_micros(step * 700)) {
        let mut child =
            Command::new(env!("CARGO_BIN_EXE_ksys-docs")).arg("build").current_dir(&folder.0).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(delay);
        let _ = child.kill();
        killed += usize::from(!child.wait().unwrap().success());
        let now = folder.tree("book");
        assert!(now == *old || now == *new, "after {delay:?}");
    }
    assert!(killed > 0, "no build was slow enough to be killed");
    expect(&run(folder, &["build"]), 0);
    assert_eq!(folder.tree("book"), *new);
}

#[test]
fn a_stamp_is_written_to_the_file() {
    let folder = Folder::with_base("stamp");
    expect(&run(&folder, &["stamp", "content/components/boiler/ja.md"]), 0);
    let text = fs::read_to_string(folder.path("content/components/boiler/ja.md")).unwrap();
    assert!(text.contains("\ntranslates:\n  \"(top)\": \"") && text.contains("\n  \"health\": \""), "{text}");
    expect(&run(&folder, &["check", "--strict"]), 0);
    folder.write(
        "content/components/boiler/en.md",
        b"---\nsummary: Makes water hot.\n---\nOther.[[^manual]]\n\n## Health {#health}\n\nSee [[pump]].\n",
    );
    let output = run(&folder, &["check", "--strict"]);
    expect(&output, 1);
    assert!(stderr(&output).contains("stale-translation"), "{}", stderr(&output));
    expect(&run(&folder, &["stamp", "content/guide/cleaning/en.md"]), 2);
}

#[test]
fn schemas_are_json() {
    let folder = Folder::new("schema");
    for name in ["component", "provider", "concept", "vocabulary", "book"] {
        let output = run(&folder, &["schema", name]);
        expect(&output, 0);
        let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(schema["additionalProperties"], false, "{name} is a closed format");
    }
}

#[test]
fn a_name_in_place_of_a_file_is_told_from_one() {
    let folder = Folder::with_base("explain-name");
    let output = run(&folder, &["explain", "aws-node"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("to explain a name, type: echo aws-node | ksys-docs explain"), "{}", stderr(&output));
    assert!(!stderr(&run(&folder, &["explain", "listing.txt"])).contains("to explain a name"));
}

#[test]
fn evidence_is_listed_by_age() {
    let folder = Folder::with_base("stale");
    let run = |days: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(["check", "--stale", days]).arg(&folder.0).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let all = run("0");
    assert!(all.contains("2026-11-20\tcontent/components/boiler/facts.yaml\tmanual\thttps://example.org/manual\n"), "{all}");
    assert!(all.lines().is_sorted_by_key(|line| line.split('\t').next()), "{all}");
    assert_eq!(run("30000"), "");
}
