//! Prints the results of the program for inputs on standard input. `tests/browser/agreement.test.js` compares them with those of the scripts.
//!
//! Each input is one line of JSON: `{"listing": …}` is explained with the knowledge base of this repository; `{"text": …}` is split into search terms. Each result
//! is one line of JSON as well.
#![allow(clippy::unwrap_used, reason = "a broken input is a mistake of the test")]

use std::{
    io::{BufRead as _, stdin},
    path::Path,
};

use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    explain::{self, Knowledge},
    read,
    search::tokenizer,
};
use serde_json::{Value, json};

fn main() {
    let (sources, found) = read::read(Path::new(env!("CARGO_MANIFEST_DIR")), read::HistoryMode::Skip).unwrap();
    let mut diagnostics: Diagnostics = found;
    let kb = compile::analyze(&sources, &mut diagnostics).unwrap().kb;
    let mut knowledge = Knowledge::from(&kb);
    knowledge.today = Some(jiff::Zoned::now().date());
    for line in stdin().lock().lines() {
        let input: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match (input["listing"].as_str(), input["text"].as_str()) {
            (Some(listing), _) => explained(&knowledge, listing),
            (_, Some(text)) => terms(text),
            _ => Value::Null,
        };
        println!("{answer}");
    }
}

/// The output of `explain --format json`, and the name of the object of each row that belongs to a component.
fn explained(knowledge: &Knowledge, listing: &str) -> Value {
    let report = explain::explain(knowledge, listing, None);
    let lang = &knowledge.config.languages[0].lang;
    let mut answer: Value = serde_json::from_str(&explain::json(knowledge, &report, lang)).unwrap();
    answer["objects"] = report.rows.iter().map(|row| row.owner.as_ref().map(|owner| owner.object.as_str())).collect();
    answer
}

fn terms(text: &str) -> Value {
    let mut terms = Vec::new();
    tokenizer::terms(text, |term, quality| terms.push(json!([term, quality])));
    json!({"key": tokenizer::key(text), "terms": terms})
}
