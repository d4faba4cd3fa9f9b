//! The severities that a site gives to rules, and sites that are built in spite of errors.

use std::process::{Command, Output};

use ksys_docs::{
    compile::{self, OnErrors},
    diagnostic::{Diagnostics, Severity},
    highlight::Highlighter,
    read::Sources,
    site::Site,
    timings::Timings,
};

use crate::support::{Folder, check, diagnose, lines, main_of, over_base, site};

/// A knowledge base with a link to nowhere and a page without a summary.
fn with_rules(rules: &str) -> Sources {
    over_base(&format!(
        "//- book.toml\n[book]\ntitle = \"Coffee\"\n[languages.ja]\n{rules}\n//- content/components/pump/en.md\nSee [[bolier]].\n"
    ))
}

const DEAD_LINK: &str =
    "content/components/pump/en.md:1:5 dead-link: no page or section has the id `bolier` (did you mean `[[boiler]]`?)\n";
const NO_SUMMARY: &str = "content/components/pump/en.md:1:1 missing-summary: this page has no summary (add `summary: …` to the front matter: what it is, in one sentence)\n";

#[test]
fn a_rule_can_be_a_warning_or_off() {
    let severities = |rules: &str| -> Vec<(&str, Severity)> {
        diagnose(&with_rules(rules)).iter().map(|found| (found.rule.name(), found.severity)).collect()
    };
    let (error, warning) = (Severity::Error, Severity::Warning);
    assert_eq!(severities(""), [("missing-summary", warning), ("dead-link", error)]);
    assert_eq!(
        severities("[rules]\ndead-link = \"warning\"\nmissing-summary = \"error\""),
        [("missing-summary", error), ("dead-link", warning)]
    );
    assert_eq!(severities("[rules]\ndead-link = \"off\"\nmissing-summary = \"off\""), []);
}

#[test]
fn a_dead_link_that_is_only_a_warning_has_no_address() {
    let site = site(&with_rules("[rules]\ndead-link = \"warning\""));
    let main = main_of(&site, "components/pump/index.html");
    assert!(main.contains("See <a href=\"\">bolier</a>."), "{main}");
    assert!(!main.contains("page-errors"), "{main}");
}

#[test]
fn a_dead_link_is_not_published_as_it_is_written() {
    // Percent-encoded, these are paths; decoded, they would run a script, or lead to another host.
    let page = "# A\n\n[one](%6aavascript:alert(1)) [two](/%2Fevil.example) ![three](%6aavascript:x)\n";
    let rules = "//- book.toml\n[rules]\ndead-link = \"off\"\n//- content/a.md\n";
    let main = main_of(&site(&Sources::from_fixture(&format!("{rules}{page}"))), "a/index.html");
    assert!(main.contains("<a href=\"\">one</a> <a href=\"\">two</a>"), "{main}");
    assert!(!main.contains("javascript:") && !main.contains("evil"), "{main}");
}

#[test]
fn a_folder_can_have_its_own_severities() {
    let rules = |folder: &str| {
        with_rules(&format!("[rules]\ndead-link = \"off\"\n[rules-in.\"{folder}\"]\ndead-link = \"error\"\nmissing-summary = \"off\""))
    };
    check(&rules("content/components/pump/"), DEAD_LINK);
    check(&rules("content/components/boiler"), NO_SUMMARY);
}

#[test]
fn mistakes_in_the_settings() {
    let found = |rules: &str| {
        let found = diagnose(&over_base(&format!("//- book.toml\n[languages.ja]\n{rules}\n")));
        found
            .iter()
            .map(|found| format!("{}: {} ({})", found.rule.name(), found.message, found.help.as_deref().unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(found("[rules]\ndead-lnk = \"off\""), ["bad-config: there is no rule `dead-lnk` (did you mean `dead-link`?)"]);
    assert_eq!(
        found("[rules]\nzzzzzz = \"off\""),
        ["bad-config: there is no rule `zzzzzz` (run `ksys-docs rule` for a list of all rules)"]
    );
    assert_eq!(found("[rules-in.\"../x\"]\ndead-link = \"off\"").len(), 1);
    let wrong = found("[rules]\ndead-link = \"of\"");
    assert!(wrong.len() == 1 && wrong[0].contains("off"), "{wrong:?}");
}

fn keep_going(sources: &Sources) -> Site {
    let prepared = compile::prepare(sources, &Highlighter::default(), Diagnostics::new(), OnErrors::KeepGoing, &Timings::off());
    let mut found = Diagnostics::new();
    let site = prepared.renderer.expect("a renderer").site(&mut found);
    assert!(prepared.diagnostics.has_errors());
    site.unwrap_or_else(|| panic!("{}", lines(sources, &found.sorted())))
}

#[test]
fn a_site_with_errors_shows_them_in_its_pages() {
    let site = keep_going(&with_rules(""));
    let main = main_of(&site, "components/pump/index.html");
    let errors = &main[main.find("page-errors").expect("errors")..];
    assert!(errors.contains("<code>content/components/pump/en.md:1</code> no page or section has the id <code>bolier</code>"), "{errors}");
    assert!(errors.contains("help: did you mean <code>[[boiler]]</code>?"), "{errors}");
    assert!(!main_of(&site, "components/boiler/index.html").contains("page-errors"));
}

#[test]
fn pages_with_unreadable_facts_or_text_remain() {
    let site =
        keep_going(&over_base("//- content/components/boiler/facts.yaml\nname: [\n//- content/providers/acme/facts.yaml\nkind: none\n"));
    for (page, message) in [("components/boiler", "facts.yaml:"), ("providers/acme", "facts.yaml:")] {
        let main = main_of(&site, &format!("{page}/index.html"));
        assert!(main.contains("page-errors") && main.contains(message), "{main}");
    }
    assert!(main_of(&site, "components/boiler/index.html").contains("PID"));
}

fn run(folder: &Folder, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).current_dir(&folder.0).output().unwrap()
}

#[test]
fn build_keeps_going_on_request_and_still_fails() {
    let folder = Folder::with_base("keep-going");
    folder.write("content/components/pump/en.md", b"See [[bolier]].\n");
    let output = run(&folder, &["build", "--no-git"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!folder.path("book").exists());
    let output = run(&folder, &["build", "--no-git", "--keep-going"]);
    assert_eq!(output.status.code(), Some(1));
    let report = String::from_utf8(output.stderr).unwrap();
    assert!(report.contains("\n1 error, 1 warning\n  1  missing-summary\n  1  dead-link\n"), "{report}");
    assert!(std::fs::read_to_string(folder.path("book/components/pump/index.html")).unwrap().contains("page-errors"));
}
