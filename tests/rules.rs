//! Every rule has a page in every language, with an example that triggers only this rule and a fix without findings.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
#![allow(clippy::disallowed_methods, reason = "examples of the reader need real files")]

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use ksys_docs::{
    compile,
    diagnostic::{self, Diagnostic, Diagnostics, Rule},
    directive::unescaped,
    highlight::Highlighter,
    preprocess,
    read::{self, HistoryMode, Sources},
};

const LANGUAGES: [&str; 2] = ["en", "ja"];

/// A code block on the page of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Block {
    /// Files added to the base, or a separate knowledge base if `book.toml` is among them.
    Fixture(String),
    /// Commands in a copy of the base.
    Commands(String),
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn base() -> PathBuf {
    root().join("tests/fixtures/base")
}

fn page(rule: Rule, lang: &str) -> String {
    let path = root().join("content/rules").join(rule.name()).join(format!("{lang}.md"));
    unescaped(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The first code block in the section with this id.
fn block(page: &str, id: &str) -> Option<Block> {
    let mut lines = page.lines().skip_while(|line| !(line.starts_with("## ") && line.ends_with(&format!("{{#{id}}}"))));
    let opening = lines.by_ref().skip(1).take_while(|line| !line.starts_with("## ")).find(|line| line.starts_with("```"))?;
    let language = opening.trim_start_matches('`');
    let fence = &opening[..opening.len() - language.len()];
    let text = lines.take_while(|line| *line != fence).fold(String::new(), |text, line| text + line + "\n");
    match language {
        "fixture" => Some(Block::Fixture(text)),
        "sh" => Some(Block::Commands(text)),
        _ => None,
    }
}

fn blocks(rule: Rule, lang: &str) -> (Block, Block) {
    let page = page(rule, lang);
    let find = |id: &str| block(&page, id).unwrap_or_else(|| panic!("{}/{lang}.md has no block in its section #{id}", rule.name()));
    (find("example"), find("fix"))
}

fn check(sources: &Sources, found: Diagnostics) -> Vec<Diagnostic> {
    compile::compile(sources, &Highlighter::default(), found).diagnostics
}

fn check_fixture(fixture: &str) -> Vec<Diagnostic> {
    let own = Sources::from_fixture(fixture);
    assert!(!own.files.is_empty(), "a fixture begins with a line `//- path`");
    if own.files.contains_key("book.toml") {
        return check(&own, Diagnostics::new());
    }
    let (mut sources, found) = read::read(&base(), HistoryMode::Skip).unwrap();
    sources.files.extend(own.files);
    check(&sources, found)
}

/// Runs commands in a copy of the base.
fn check_commands(name: &str, commands: &str) -> Vec<Diagnostic> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rules-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    copy(&base(), &folder);
    let status = Command::new("sh").args(["-e", "-c", commands]).current_dir(&folder).status().unwrap();
    assert!(status.success(), "{name}: {commands}");
    // The target folder may be inside a shallow clone.
    let mode = if commands.contains("git ") { HistoryMode::Require } else { HistoryMode::Skip };
    let (mut sources, mut found) = read::read(&folder, mode).unwrap();
    preprocess::run(&folder, &mut sources, &mut found);
    let found = check(&sources, found);
    fs::remove_dir_all(&folder).unwrap();
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn shown(found: &[Diagnostic]) -> String {
    let lines = found.iter().map(|found| {
        let file = found.place.as_ref().map_or("nowhere", |place| &place.file);
        format!("  {file}: {}: {}", found.rule.name(), found.message)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_base_is_clean() {
    let found = check_fixture("//- content/guide/another/en.md\n# Another page\n\nText.\n");
    assert!(found.is_empty(), "{}", shown(&found));
}

#[test]
fn every_example_triggers_its_rule_and_no_other() {
    let mut wrong = Vec::new();
    for &rule in Rule::ALL {
        let found = match blocks(rule, "en").0 {
            Block::Fixture(fixture) => check_fixture(&fixture),
            Block::Commands(commands) => check_commands(&format!("{}-example", rule.name()), &commands),
        };
        if found.is_empty() || found.iter().any(|found| found.rule != rule) {
            wrong.push(format!("{} finds\n{}", rule.name(), shown(&found)));
            continue;
        }
        let first = &found[0];
        if first.message.is_empty() || first.help.as_ref().is_none_or(String::is_empty) || first.place.is_none() {
            wrong.push(format!("{} lacks message, help or place: {first:?}", rule.name()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fix_reports_nothing() {
    let mut wrong = Vec::new();
    for &rule in Rule::ALL {
        let found = match blocks(rule, "en") {
            (_, Block::Fixture(fixture)) => check_fixture(&fixture),
            (Block::Commands(example), Block::Commands(fix)) => check_commands(&format!("{}-fix", rule.name()), &format!("{example}{fix}")),
            (Block::Fixture(_), Block::Commands(_)) => panic!("{}: commands cannot follow a fixture", rule.name()),
        };
        if !found.is_empty() {
            wrong.push(format!("{} finds\n{}", rule.name(), shown(&found)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pages_show_the_same_blocks_in_every_language() {
    for rule in Rule::ALL {
        let english = blocks(*rule, LANGUAGES[0]);
        assert_ne!(english.0, english.1, "{}", rule.name());
        for lang in LANGUAGES {
            assert_eq!(blocks(*rule, lang), english, "{}/{lang}.md", rule.name());
            assert!(page(*rule, lang).contains(&format!("\ntitle: {}\n", rule.name())), "{}/{lang}.md", rule.name());
        }
    }
}

#[test]
fn the_index_lists_every_rule_once() {
    for lang in LANGUAGES {
        let index = fs::read_to_string(root().join(format!("content/rules/{lang}.md"))).unwrap();
        for rule in Rule::ALL {
            let link = format!("| [{0}]({0}/{lang}.md) | ", rule.name());
            assert_eq!(index.matches(&link).count(), 1, "{} in rules/{lang}.md", rule.name());
            if lang == "en" {
                let row = format!("{link}{} | {} |\n", rule.severity().name(), rule.summary());
                assert!(index.contains(&row), "{row}");
            }
        }
    }
}

#[test]
fn the_index_shows_a_real_report() {
    let Block::Fixture(example) = blocks(Rule::DeadLink, "en").0 else { panic!("dead-link has a fixture") };
    let report = diagnostic::human(&check_fixture(&example), &Sources::from_fixture(&example), false);
    for lang in LANGUAGES {
        let index = fs::read_to_string(root().join(format!("content/rules/{lang}.md"))).unwrap();
        assert!(index.contains(report.trim()), "rules/{lang}.md does not show\n{report}");
    }
}

/// Mistakes that must not cause further findings.
const MISTAKES: &[(&[Rule], &str)] = &[
    // A language in an invalid table is not an unknown language.
    (
        &[Rule::TomlSyntax],
        r#"
//- book.toml
[book]
title = "Coffee machine"

[languages.ja
//- content/guide/en.md
# Guide

Text.
//- content/guide/ja.md
# 手入れ

本文。
//- content/vocabulary.yaml
areas:
  water: {label: {en: Water, ja: 水}}
"#,
    ),
    // A word in an invalid entry of the vocabulary is not an unknown word.
    (
        &[Rule::UnknownField],
        r"
//- content/vocabulary.yaml
areas:
  heat: {label: {en: Heat}}
  water: {lable: {en: Water}}
",
    ),
    // Invalid evidence is not unknown evidence.
    (
        &[Rule::UnknownField],
        r"
//- content/components/pump/facts.yaml
name: Pump
area: water
relations:
  - {verb: feeds, to: boiler, evidence: [manual]}
evidence:
  manual: {title: Manual, observed: true, cheked: 2026-11-20}
//- content/components/pump/en.md
---
summary: Pumps.
---

See the manual[[^manual]].
",
    ),
    // An invalid relation may be the only use of its evidence, and links may lead to its section.
    (
        &[Rule::UnknownField],
        r"
//- content/components/pump/facts.yaml
name: Pump
area: water
relations:
  - {verb: feeds, too: boiler, evidence: [manual]}
evidence:
  manual: {title: Manual, observed: true, checked: 2026-11-20}
//- content/guide/en.md
# Guide

See [[pump#relations]].
",
    ),
    // A title in invalid front matter is not missing.
    (
        &[Rule::UnknownField],
        r"
//- content/guide/en.md
---
titel: Guide
---

Text.
",
    ),
    // For an empty page, the missing title and summary are not reported.
    (&[Rule::EmptyFile], "//- content/concepts/brewing/en.md\n"),
];

#[test]
fn one_mistake_is_one_finding() {
    for (rules, fixture) in MISTAKES {
        let found = check_fixture(fixture);
        assert_eq!(found.iter().map(|found| found.rule).collect::<Vec<_>>(), *rules, "{fixture}\n{}", shown(&found));
    }
}

#[test]
fn providers_may_keep_equal_names_apart() {
    let found = check_fixture(
        r#"
//- content/components/pump/facts.yaml
name: Pump
area: water
listing:
  - {kind: Part, name: "part-{number}", providers: [home-line]}
examples:
  - part/part-1   running   3m
//- content/components/boiler/facts.yaml
name: Boiler
area: heat
listing:
  - {kind: Part, name: "part-{number}", providers: [office-line]}
examples:
  - part/part-2   hot   3m
//- content/providers/office-line/facts.yaml
name: Office line
kind: maker
//- content/providers/office-line/en.md
---
summary: Machines for many cups.
---
"#,
    );
    assert!(found.is_empty(), "{}", shown(&found));
}

#[test]
fn pages_and_pictures_that_cannot_be_read_are_still_there() {
    let commands = "printf 'title: \\351' > content/concepts/brewing/en.md; printf '\\351' > content/vocabulary.yaml
        printf '# Guide\n\n![A film](film.mp4) and [[brewing#steps]]\n' > content/guide/en.md
        head -c 30000000 /dev/zero > content/guide/film.mp4";
    let found = check_commands("unreadable", commands);
    assert_eq!(
        found.iter().map(|found| found.rule).collect::<Vec<_>>(),
        [Rule::NotUtf8, Rule::FileTooLarge, Rule::NotUtf8],
        "{}",
        shown(&found)
    );
}

#[test]
fn every_page_belongs_to_a_rule() {
    let names: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    for entry in fs::read_dir(root().join("content/rules")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        assert!(names.contains(name.as_str()) || !entry.file_type().unwrap().is_dir(), "there is no rule `{name}`");
    }
}
