//! Listings in every form, explained with this repository's own knowledge base. `tests/browser/explain.test.js` holds the script to the same answers.

use std::{fmt::Write as _, fs, path::Path, sync::LazyLock};

use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    explain::{Knowledge, Report, explain},
    highlight::Highlighter,
    id::Id,
    read,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    let (sources, found) = read::read(root(), false).unwrap();
    let mut diagnostics: Diagnostics = found;
    let (kb, _) = compile::understand(&sources, &Highlighter::default(), &mut diagnostics).expect("content without errors");
    Knowledge::from(&kb)
});

/// The whole report in short lines, as both sides of the golden corpus write it.
fn outline(report: &Report) -> String {
    let or = |text: Option<&str>| text.unwrap_or("-").to_owned();
    let ids = |ids: &[Id]| ids.iter().map(Id::as_str).collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    let guess = &report.guess;
    let provider = or(guess.provider.as_ref().map(Id::as_str));
    let _ = writeln!(
        out,
        "provider {provider}; names {}; marks {}; others {}",
        guess.names.join(" "),
        guess.marks.join(" "),
        ids(&guess.others)
    );
    for row in &report.rows {
        let owner = row.owner.as_ref().map_or_else(
            || "-".to_owned(),
            |owner| {
                let verdict = KNOWLEDGE.verdict(owner, guess.provider.as_ref()).map_or("-", |verdict| verdict.name());
                let section = owner.section(&KNOWLEDGE.components[&owner.component]).map(|id| format!("#{id}")).unwrap_or_default();
                format!("{}{section} {verdict} ({})", owner.component, owner.object)
            },
        );
        let (namespace, kind) = (or(row.row.namespace.as_deref()), or(row.row.kind.as_deref()));
        let _ = writeln!(out, "{} {namespace} {kind} {} = {owner}", row.line, row.row.name);
    }
    for name in report.unknown() {
        let _ = writeln!(out, "unknown {name}");
    }
    if !report.hidden.is_empty() {
        let _ = writeln!(out, "hidden {}", ids(&report.hidden));
    }
    for missing in &report.missing {
        let _ = writeln!(out, "missing {}: {}", or(missing.role.as_ref().map(Id::as_str)), ids(&missing.components));
    }
    for idle in &report.idle {
        let _ = writeln!(out, "idle {} {}", idle.line, if idle.selector.is_empty() { "-" } else { &idle.selector });
    }
    for outdated in &report.outdated {
        let _ = writeln!(out, "outdated {} {} -> {}", outdated.component, outdated.state.name(), ids(&outdated.replaced_by));
    }
    out
}

/// `*.expected` beside each listing says what the answer is. `UPDATE_EXPECT=1 cargo test` writes it anew; read the difference.
#[test]
fn every_listing_is_understood() {
    let mut seen = 0;
    for folder in ["listings", "explain"] {
        let folder = root().join("tests/fixtures").join(folder);
        let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|it| it == "txt") && !file.ends_with("owners.txt")) {
            let found = outline(&explain(&KNOWLEDGE, &fs::read_to_string(file).unwrap(), None));
            let path = file.with_extension("expected");
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::write(&path, &found).unwrap();
            }
            let expected = fs::read_to_string(&path).unwrap_or_default();
            for (line, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
                assert_eq!(expected, found, "{}:{}", path.display(), line + 1);
            }
            assert_eq!(expected, found, "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
}
