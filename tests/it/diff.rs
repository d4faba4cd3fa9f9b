//! `diff` on real commits.

use std::process::{Command, Output};

use crate::support::Folder;

fn git(folder: &Folder, arguments: &[&str]) {
    let settings = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(&folder.0).args(settings).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn commit(folder: &Folder, message: &str) {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", message]);
}

fn diff(folder: &Folder, arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_ksys-docs");
    Command::new(program).arg("diff").args(arguments).current_dir(&folder.0).output().unwrap()
}

fn text(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn replace(folder: &Folder, path: &str, old: &str, new: &str) {
    let text = std::fs::read_to_string(folder.path(path)).unwrap();
    assert!(text.contains(old), "{path}: {old}");
    folder.write(path, text.replace(old, new).as_bytes());
}

const PUMP: &str = "content/components/pump/facts.yaml";
const BOILER: &str = "content/components/boiler/facts.yaml";

fn start(name: &str) -> Folder {
    let folder = Folder::with_base(name);
    git(&folder, &["init", "-q", "-b", "main"]);
    commit(&folder, "begin");
    folder
}

#[test]
fn a_reviewer_sees_what_changes_for_readers() {
    let folder = start("diff");
    // Custom style sheets and images are read from both sides.
    folder.write("static/own.css", b"p { color: red }");
    folder.write("content/guide/cleaning/brush.png", b"\x89PNG\r\n\x1a\n\xff\x00");
    commit(&folder, "files");
    assert_eq!(text(&diff(&folder, &[])), "## What changes for readers\n\nNothing.\n");
    git(&folder, &["checkout", "-q", "-b", "topic"]);
    replace(&folder, BOILER, "verdict: comes-back", "verdict: never");
    replace(&folder, PUMP, "what: {en: cold water, ja: 冷水}, evidence: [manual]", "what: {en: \"cold | @team <b>\", ja: 冷水}");
    replace(&folder, PUMP, "checked: 2026-11-20", "checked: 2026-11-21");
    commit(&folder, "change");
    let of_commits = text(&diff(&folder, &["main..topic"]));
    for expected in [
        "### Can it be deleted?\n\n| | about | before | after | sources |\n",
        "| `boiler` | verdict | comes-back | never | manual |\n\n",
        "| `pump` | feeds boiler | port 80; cold water | port 80; cold \\| &#64;team &lt;b> | manual → **none** |",
        "**without evidence**: 1",
        "- `pump` `manual`: checked again, <https://example.org/manual> (2026-11-21 after 2026-11-20)",
        "- statements without evidence: 0 → 1",
        "<details><summary>Pages with changed text: 2</summary>\n\n- `/components/boiler/` changed (en, ja)\n- `/components/pump/` changed (en, ja)\n\n",
        "<details><summary>Pages that show these facts: ",
    ] {
        assert!(of_commits.contains(expected), "{expected}\n{of_commits}");
    }
    assert!(!of_commits.contains("/concepts/brewing/"), "a page that reads the same is not named\n{of_commits}");
    // Texts that differ in one language only, changed pages and removed evidence are reported.
    replace(&folder, BOILER, "ja: 工場", "ja: 倉庫");
    replace(&folder, "content/components/boiler/en.md", "summary: Makes water hot.", "summary: Makes water very hot.");
    replace(&folder, PUMP, "replaced-by: [boiler], evidence: [manual]", "replaced-by: [boiler]");
    let now = text(&diff(&folder, &["topic"]));
    for expected in [
        "| `boiler` | installed by (ja) | 工場 | 倉庫 |",
        "| `/components/boiler` | summary | Makes water hot. | Makes water very hot. |",
        "removed 1.2; replaced by boiler | manual → **none** |",
    ] {
        assert!(now.contains(expected), "{expected}\n{now}");
    }
    git(&folder, &["checkout", "-q", "."]);
    // The result is the same for the working tree and from the merge base.
    assert_eq!(text(&diff(&folder, &["main"])), of_commits);
    assert_eq!(text(&diff(&folder, &["main...topic"])), of_commits);
    git(&folder, &["checkout", "-q", "main"]);
    replace(&folder, "content/guide/cleaning/en.md", "\n", "\n\n");
    commit(&folder, "meanwhile");
    assert_eq!(text(&diff(&folder, &["main...topic"])), of_commits);
}

#[test]
fn the_words_that_differ_stand_between_those_that_do_not() {
    let folder = start("diff-words");
    let page = |minutes: &str, more: &str| {
        format!(
            "---\nsummary: Makes water hot.\n---\nThe boiler needs {minutes} minutes until the water is hot enough for the first cup.\n\nStays.\n{more}\n## Health\n\nHot.\n"
        )
    };
    folder.write("content/components/boiler/en.md", page("four", "\nGoes away.\n").as_bytes());
    commit(&folder, "words");
    folder.write("content/components/boiler/en.md", page("five", "").as_bytes());
    let text = text(&diff(&folder, &[]));
    let expected = "<details><summary>Paragraphs that differ: 2</summary>\n\n\
        - `/components/boiler/` (en): The boiler needs <del>four</del><ins>five</ins> minutes until the water is …\n\
        - `/components/boiler/` (en): <del>Goes away.</del>\n\n</details>\n";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("- `/components/boiler/` changed (en)") && !text.contains("Stays"), "{text}");
    assert!(!text.contains("/components/pump/"), "what comes before and after is no change\n{text}");
}

#[test]
fn rows_and_pages_that_come_and_go_are_named() {
    let folder = start("diff-rows");
    folder.write("content/components/valve/facts.yaml", b"name: Valve\narea: water\nlisting:\n  - {kind: Deployment, name: valve, namespace: machine}\nexamples: [pod/valve-5d4f8c7b9-x2k8q]\nnot: [pod/valves]\n");
    folder.write("content/components/valve/en.md", b"---\nsummary: Lets water through.\n---\nText.\n");
    folder.write("content/components/valve/ja.md", "---\nsummary: 水を通す。\n---\n本文。\n".as_bytes());
    let added = text(&diff(&folder, &[]));
    for expected in [
        "| `valve` | component | — | Valve |",
        "| `valve` | example pod/valve-5d4f8c7b9-x2k8q | — | ✓ |\n| `valve` | not pod/valves | — | ✓ |",
        "### Name patterns\n\n| | about | before | after |\n| --- | --- | --- | --- |\n| `valve` | Deployment valve in machine | — | ✓ |",
        "- `/components/valve/` new (en, ja)",
    ] {
        assert!(added.contains(expected), "{expected}\n{added}");
    }
    commit(&folder, "valve");
    std::fs::remove_dir_all(folder.path("content/components/valve")).unwrap();
    let gone = text(&diff(&folder, &[]));
    assert!(gone.contains("| `valve` | component | Valve | — |") && gone.contains("- `/components/valve/` gone (en, ja)"), "{gone}");
}

#[test]
fn what_cannot_be_compared_is_said() {
    let folder = start("diff-errors");
    let error = |output: Output| (output.status.code(), String::from_utf8(output.stderr).unwrap());
    let (code, said) = error(diff(&folder, &["nowhere"]));
    assert_eq!(code, Some(2));
    assert!(said.contains("`nowhere` is not a commit"), "{said}");
    // An argument after `--` that looks like an option is a revision.
    assert!(error(diff(&folder, &["--", "--output=x"])).1.contains("is not a commit"));
    replace(&folder, PUMP, "area: water", "area: nowhere");
    let (code, said) = error(diff(&folder, &[]));
    assert_eq!(code, Some(1));
    assert!(said.contains("fix the errors of the files first, then compare") && said.contains("facts.yaml:2:7"), "{said}");
    let elsewhere = Folder::with_base("diff-no-git");
    let (code, said) = error(diff(&elsewhere, &[]));
    assert!(code == Some(2) && said.contains("git failed"), "{said}");
}
