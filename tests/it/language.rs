//! Checks the language of the documents, the interface and the messages with the terms in the vocabulary of this repository.
//!
//! Each text becomes a page of a small knowledge base, so the program decides which parts are checked and which are not (code, names, addresses).

use std::{collections::BTreeMap, path::Path, process::Command};

use ksys_docs::{
    compile,
    diagnostic::{Diagnostics, Rule},
    read::Sources,
};

use crate::support::lines;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// The terms to avoid that a knowledge base of these pages contains, one finding per line. `pages`: the language and text of each page, by name.
fn discouraged(pages: &BTreeMap<String, (&str, String)>) -> String {
    let vocabulary = read("content/vocabulary.yaml");
    let terms = &vocabulary[vocabulary.find("\nterms:").expect("the vocabulary has terms") + 1..];
    let end = terms.match_indices('\n').find(|(at, _)| terms[at + 1..].starts_with(|c: char| c.is_ascii_lowercase()));
    let terms = &terms[..end.map_or(terms.len(), |(at, _)| at + 1)];
    let mut files = BTreeMap::from([
        ("book.toml".to_owned(), "[book]\ntitle = \"x\"\n[languages.en]\n[languages.ja]\n".to_owned()),
        ("content/vocabulary.yaml".to_owned(), terms.to_owned()),
    ]);
    for (name, (lang, text)) in pages {
        files.insert(format!("content/{name}/{lang}.md"), text.clone());
    }
    let sources = Sources::from_texts(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let mut found = compile::check(&sources, Diagnostics::new()).diagnostics;
    found.retain(|it| it.rule == Rule::DiscouragedTerm);
    lines(&sources, &found)
}

/// Texts as the paragraphs of a page, without markup.
fn paragraphs<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut page = "# Texts\n".to_owned();
    for text in texts {
        page.push_str("\n\n");
        page.push_str(&text.replace(['<', '#', '|', '*', '[', ']', '>'], " ").replace("\\n", "\n\n").replace('\\', ""));
    }
    page
}

/// String literals outside of comments and tests with at least two spaces: messages, not keys.
fn messages(source: &str) -> Vec<&str> {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let quoted = lines.flat_map(|line| {
        let mut parts = Vec::new();
        let (mut rest, mut is_inside) = (line, false);
        while let Some(at) = rest.match_indices('"').map(|(at, _)| at).find(|at| !rest[..*at].ends_with('\\')) {
            if is_inside {
                parts.push(&rest[..at]);
            }
            (rest, is_inside) = (&rest[at + 1..], !is_inside);
        }
        parts
    });
    quoted.filter(|text| text.matches(' ').count() >= 2).collect()
}

#[test]
fn the_check_finds_terms() {
    let text = paragraphs(messages("x(\"the help says more\");\n// \"nobody says why\"\n#[cfg(test)]\n\"it says too much\""));
    let found = discouraged(&BTreeMap::from([("x".to_owned(), ("en", text))]));
    assert_eq!(found.lines().count(), 1, "{found}");
    assert!(found.contains("`says`"), "{found}");
}

#[test]
fn documents_avoid_the_terms() {
    let documents = [
        "README.md",
        "CONTRIBUTING.md",
        "ARCHITECTURE.md",
        "DESIGN.md",
        "BENCHMARKS.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "deploy/README.md",
        "scaffold/init/README.md",
        ".github/PULL_REQUEST_TEMPLATE.md",
    ];
    // The style guide lists the terms in a table, which is not prose.
    let prose = |path: &str| read(path).split("\n### Words to avoid in English").next().unwrap_or_default().to_owned();
    let mut pages: BTreeMap<String, _> =
        documents.iter().enumerate().map(|(number, path)| (format!("d{number}"), ("en", prose(path)))).collect();
    for entry in std::fs::read_dir(root().join(".github/ISSUE_TEMPLATE")).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().trim_end_matches(".yml").to_owned();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        pages.insert(format!("issue-{name}"), ("en", paragraphs(text.lines())));
    }
    assert_eq!(discouraged(&pages), "", "{documents:?}");
}

#[test]
fn strings_of_the_interface_avoid_the_terms() {
    let mut pages = BTreeMap::new();
    for lang in ["en", "ja"] {
        let strings: BTreeMap<String, String> = serde_yaml::from_str(&read(&format!("templates/strings/{lang}.yaml"))).unwrap();
        assert!(strings.len() > 100);
        pages.insert(format!("strings-{lang}"), (lang, paragraphs(strings.values().map(String::as_str))));
    }
    assert_eq!(discouraged(&pages), "");
}

#[test]
fn messages_and_help_avoid_the_terms() {
    let mut pages = BTreeMap::new();
    for entry in walkdir::WalkDir::new(root().join("src")).into_iter().map(Result::unwrap) {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") && !path.ends_with("properties.rs") {
            let source = std::fs::read_to_string(path).unwrap();
            let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace(['/', '_'], "-").replace(".rs", "");
            pages.insert(name, ("en", paragraphs(messages(&source))));
        }
    }
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_ksys-docs")).args(arguments).arg("--help").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let all = help(&[]);
    let commands = all.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    for command in commands.map_while(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        pages.insert(format!("help-{command}"), ("en", paragraphs(help(&[command]).lines())));
    }
    assert!(pages.len() > 100 && pages.contains_key("help-explain"), "{:?}", pages.keys());
    pages.insert("help".to_owned(), ("en", paragraphs(all.lines())));
    let schemas = std::fs::read_dir(root().join("schemas")).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file());
    for entry in schemas {
        let schema = std::fs::read_to_string(entry.path()).unwrap();
        let descriptions = schema.lines().filter_map(|line| line.trim().strip_prefix("\"description\": "));
        let name = entry.file_name().to_string_lossy().replace(".json", "");
        pages.insert(format!("schema-{name}"), ("en", paragraphs(descriptions)));
    }
    assert_eq!(discouraged(&pages), "");
}
