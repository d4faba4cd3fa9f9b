//! Shared code of the fuzz targets: small knowledge bases, and properties of every result.
#![allow(clippy::disallowed_methods, reason = "fuzz targets run outside of the program")]

use std::{
    path::{Path, PathBuf},
    sync::OnceLock,
};

use ksys_docs::{
    compile,
    diagnostic::{Diagnostic, Diagnostics, Place, SourceText as _, human, sarif},
    explain::{Explanation, Knowledge, Presenter, Screen, compare, explain, input_error, json, markdown, terminal},
    load::facts_only,
    read::Sources,
    theme::{self, Strings},
};

/// A path in the repository.
#[must_use]
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The knowledge base of `tests/fixtures/base`, which has no findings.
#[must_use]
pub fn base() -> Sources {
    let (sources, found) = ksys_docs::read::read(&repository("tests/fixtures/base"), ksys_docs::read::HistoryMode::Skip).expect("the fixture is there");
    assert!(found.is_empty());
    sources
}

/// The same files with one added or replaced.
#[must_use]
pub fn with(sources: &Sources, path: &str, text: &str) -> Sources {
    let mut sources = sources.clone();
    sources.files.extend(Sources::from_texts([(path, text)]).files);
    sources
}

/// Compiles a knowledge base and checks its findings.
pub fn check(sources: &Sources) {
    let compiled = compile::check(sources, Diagnostics::new());
    findings(sources, &compiled.diagnostics);
}

/// Checks that every finding has a message and a place inside its file, and that every report format can be written.
pub fn findings(sources: &Sources, diagnostics: &[Diagnostic]) {
    for diagnostic in diagnostics {
        assert!(!diagnostic.message.is_empty());
        let places = diagnostic.place.iter().chain(diagnostic.related.iter().map(|(place, _)| place));
        places.for_each(|place| assert!(is_in_file(sources, place), "{place:?} of {diagnostic:?}"));
    }
    assert!(!human(diagnostics, sources, false).is_empty() || diagnostics.is_empty());
    let sarif = sarif(diagnostics, sources);
    serde_json::from_str::<serde_json::Value>(&sarif).expect("SARIF is JSON");
}

fn is_in_file(sources: &Sources, place: &Place) -> bool {
    // The place of a finding about a missing file is the beginning of the file.
    sources.text(&place.file).map_or(place.span.end == 0, |text| text.get(place.span.range()).is_some())
}

/// The knowledge base that listings are explained with.
#[must_use]
pub fn knowledge() -> Knowledge {
    let facts = "name: CoreDNS\narea: a\nlisting:\n  - {kind: Deployment, name: coredns, namespace: kube-system}\n  - {kind: StaticPod, name: etcd}\n  - {kind: Service, name: \"{word}-dns\"}\n  - {kind: Pod, name: \"x-{random}\"}\n";
    let provider = "name: GKE\nkind: a\nmarks: [-gke.]\nclaims:\n  - {component: coredns, presence: default}\n";
    let files = [("book.toml", ""), ("content/components/coredns/facts.yaml", facts), ("content/providers/gke/facts.yaml", provider)];
    Knowledge::of_facts(facts_only(&Sources::from_texts(files), &[], &mut Diagnostics::new()))
}

/// Explains a text in every format and checks properties of all reports.
pub fn explained(knowledge: &Knowledge, text: &str) -> Explanation {
    let report = explain(knowledge, text, None);
    assert_eq!(report.is_empty(), input_error(text, &report).is_some());
    let lines = text.lines().count();
    assert!(report.rows.iter().all(|row| (1..=lines).contains(&row.line)));
    assert!(report.rows.is_sorted_by_key(|row| row.line));
    assert!(report.rows.iter().all(|row| !row.row.name.is_empty()));
    for provider in knowledge.providers.keys() {
        // The provider affects the components of rows, but not which lines are rows.
        assert_eq!(explain(knowledge, text, Some(provider)).rows.len(), report.rows.len());
    }
    let language = knowledge.config.language(knowledge.config.default_language());
    // Validating the schemas takes longer than explaining a listing.
    static WORDS: OnceLock<Strings> = OnceLock::new();
    let words = WORDS.get_or_init(|| theme::load_strings(&Sources::default(), language));
    let presenter = || Presenter { knowledge, words, lang: &language.lang };
    serde_json::from_str::<serde_json::Value>(&json(knowledge, &report, &language.lang)).expect("the report is JSON");
    let _ = markdown(presenter(), &report);
    let printed = terminal(presenter(), &report, Screen { width: 80, cuts: true, colour: false });
    // The output never contains control characters of the input.
    assert!(!printed.contains('\u{1b}'), "{printed:?}");
    let _ = compare(knowledge, &report, &report);
    report
}
