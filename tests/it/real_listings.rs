//! Real listings and the name patterns of this repository.

use std::{fmt::Write as _, fs, path::Path};

use expect_test::expect_file;
use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    highlight::Highlighter,
    kb::Kb,
    listing::{ListingLine, Recognised, Row, parse_lines},
    read,
};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn kb() -> Kb {
    let (sources, found) = read::read(root(), read::HistoryMode::Skip).unwrap();
    let mut diagnostics: Diagnostics = found;
    compile::analyze(&sources, &mut diagnostics).expect("content without errors").kb
}

/// The rows of a listing in `tests/fixtures/listings`, including tables that are commented out.
fn rows(file: &str) -> Vec<Row> {
    let text = fs::read_to_string(root().join("tests/fixtures/listings").join(file)).unwrap();
    let text = if text.contains("\n# NAME ") { text.replace("\n# ", "\n") } else { text };
    let lines = parse_lines(&text).into_iter();
    lines.filter_map(|line| if let ListingLine::Row(row) = line { Some(*row) } else { None }).collect()
}

fn shown(row: &Row) -> String {
    let kind = row.kind.as_deref().unwrap_or("?").to_lowercase();
    format!("{} {kind}/{}", row.namespace.as_deref().unwrap_or("-"), row.name)
}

/// Whether a row of these listings is a user workload.
fn is_workload(row: &Row) -> bool {
    row.namespace.as_deref() == Some("default") && row.name != "kubernetes"
}

/// `owners.txt` has the expected component of each row. `UPDATE_EXPECT=1 cargo test` updates it. Review the diff.
#[test]
fn every_row_of_the_system_has_one_owner_and_it_is_the_right_one() {
    let kb = kb();
    let mut files: Vec<String> = fs::read_dir(root().join("tests/fixtures/listings"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".txt") && name != "user-workloads.txt" && name != "owners.txt")
        .collect();
    files.sort();
    assert!(files.len() >= 13);
    let (mut owners, mut unknown) = (String::new(), String::new());
    for file in &files {
        let _ = writeln!(owners, "== {file}");
        let rows = rows(file);
        assert!(rows.len() > 5, "{file} has {} rows", rows.len());
        for row in rows {
            match kb.recogniser.recognise(&row, None) {
                Recognised::One(id) if !is_workload(&row) => {
                    let _ = writeln!(owners, "{id} <- {}", shown(&row));
                }
                Recognised::Nothing if is_workload(&row) => {}
                other => {
                    let _ = writeln!(unknown, "{file}: {}: {other:?}", shown(&row));
                }
            }
        }
    }
    assert_eq!(unknown, "");
    expect_file![root().join("tests/fixtures/listings/owners.txt")].assert_eq(&owners);
}

#[test]
fn no_workload_of_a_user_is_claimed() {
    let kb = kb();
    let rows = rows("user-workloads.txt");
    assert!(rows.len() > 50);
    let claimed = rows.iter().filter(|row| kb.recogniser.recognise(row, None) != Recognised::Nothing);
    let claimed: Vec<String> = claimed.map(|row| format!("{}: {:?}", shown(row), kb.recogniser.recognise(row, None))).collect();
    assert_eq!(claimed, Vec::<String>::new());
}

/// Every id in `tests/fixtures/inventory.txt`, the names that occur in the sources of this knowledge base, has pages in both languages and is in the API.
#[test]
fn every_entry_of_the_inventory_resolves() {
    let (sources, found) = read::read(root(), read::HistoryMode::Skip).unwrap();
    let site = compile::compile(&sources, &Highlighter::default(), found).site.unwrap();
    let json = |path: &str| serde_json::from_str::<serde_json::Value>(site.text(path).unwrap()).unwrap();
    let (components, lookup) = (json("api/v1/components.json"), json("api/v1/lookup.json"));
    let ids = |list: &serde_json::Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|thing| thing["id"].as_str().unwrap().to_owned()).collect()
    };
    let (components, names) = (ids(&components["components"]), ids(&lookup["names"]));
    let inventory = fs::read_to_string(root().join("tests/fixtures/inventory.txt")).unwrap();
    let mut missing = Vec::new();
    for id in inventory.lines() {
        let pages =
            |prefix: &str| ["components", "concepts"].iter().any(|folder| site.get(&format!("{prefix}{folder}/{id}/index.html")).is_some());
        if !(pages("") && pages("ja/") && components.iter().any(|known| known == id) && names.iter().any(|known| known == id)) {
            missing.push(id);
        }
    }
    assert_eq!(missing, Vec::<&str>::new());
    assert_eq!(inventory.lines().count(), 138);
}
