//! Reports for programs.

use rustc_hash::FxHashMap;
use serde::Serialize;

use super::{Changes, Knowledge, Object, Report};
use crate::{
    facts::Verdict,
    id::{Id, Lang},
};

/// The version of this form; it grows when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct ReportOut<'a> {
    schema_version: u32,
    provider: Option<&'a str>,
    rows: Vec<RowOut<'a>>,
    unknown: Vec<&'a str>,
    guess: GuessOut<'a>,
    hidden: Vec<&'a str>,
    missing: Vec<MissingOut<'a>>,
    idle: Vec<IdleOut<'a>>,
    outdated: Vec<OutdatedOut<'a>>,
}

#[derive(Serialize)]
struct RowOut<'a> {
    line: usize,
    text: &'a str,
    namespace: Option<&'a str>,
    kind: Option<&'a str>,
    name: &'a str,
    component: Option<&'a str>,
    verdict: Option<&'static str>,
    url: Option<&'a str>,
}

/// Why the provider is believed to be this one.
#[derive(Serialize)]
struct GuessOut<'a> {
    asked: bool,
    names: &'a [String],
    marks: &'a [String],
    others: Vec<&'a str>,
}

#[derive(Serialize)]
struct MissingOut<'a> {
    role: Option<&'a str>,
    components: Vec<&'a str>,
}

#[derive(Serialize)]
struct IdleOut<'a> {
    line: usize,
    selector: &'a str,
}

#[derive(Serialize)]
struct OutdatedOut<'a> {
    component: &'a str,
    state: &'static str,
    replaced_by: Vec<&'a str>,
}

#[derive(Serialize)]
struct ChangesOut<'a> {
    schema_version: u32,
    provider: Option<&'a str>,
    appeared: Vec<ObjectOut<'a>>,
    vanished: Vec<ObjectOut<'a>>,
    replaced: Vec<ReplacedOut<'a>>,
    unchanged: usize,
}

#[derive(Serialize)]
struct ObjectOut<'a> {
    namespace: Option<&'a str>,
    kind: Option<&'a str>,
    name: &'a str,
    component: Option<&'a str>,
    verdict: Option<&'static str>,
    url: Option<String>,
}

#[derive(Serialize)]
struct ReplacedOut<'a> {
    before: ObjectOut<'a>,
    after: ObjectOut<'a>,
}

fn ids(ids: &[Id]) -> Vec<&str> {
    ids.iter().map(Id::as_str).collect()
}

/// What is the same for all rows of an owner.
struct Said {
    verdict: Option<&'static str>,
    url: String,
}

/// A report, as one object.
#[must_use]
pub fn json(knowledge: &Knowledge, report: &Report, lang: &Lang) -> String {
    let provider = report.guess.provider.as_ref();
    // Most rows are of a few components.
    let mut said: FxHashMap<(&Id, &[usize]), Said> = FxHashMap::default();
    for owner in report.rows.iter().filter_map(|row| row.owner.as_ref()) {
        said.entry((&owner.component, owner.entries.as_slice()))
            .or_insert_with(|| Said { verdict: knowledge.verdict(owner, provider).map(Verdict::name), url: knowledge.url(owner, lang) });
    }
    let rows = report.rows.iter().map(|explained| {
        let owner = explained.owner.as_ref();
        let said = owner.and_then(|owner| said.get(&(&owner.component, owner.entries.as_slice())));
        RowOut {
            line: explained.line,
            text: &explained.text,
            namespace: explained.row.namespace.as_deref(),
            kind: explained.row.kind.as_deref(),
            name: &explained.row.name,
            component: owner.map(|owner| owner.component.as_str()),
            verdict: said.and_then(|said| said.verdict),
            url: said.map(|said| said.url.as_str()),
        }
    });
    let missing = report.missing.iter().map(|one| MissingOut { role: one.role.as_ref().map(Id::as_str), components: ids(&one.components) });
    let outdated = report.outdated.iter().map(|one| OutdatedOut {
        component: one.component.as_str(),
        state: one.state.name(),
        replaced_by: ids(&one.replaced_by),
    });
    print_rows(
        report.rows.len(),
        &ReportOut {
            schema_version: SCHEMA_VERSION,
            provider: provider.map(Id::as_str),
            rows: rows.collect(),
            unknown: report.unknown(),
            guess: GuessOut {
                asked: report.guess.asked,
                names: &report.guess.names,
                marks: &report.guess.marks,
                others: ids(&report.guess.others),
            },
            hidden: ids(&report.hidden),
            missing: missing.collect(),
            idle: report.idle.iter().map(|idle| IdleOut { line: idle.line, selector: &idle.selector }).collect(),
            outdated: outdated.collect(),
        },
    )
}

/// The difference between two listings.
#[must_use]
pub fn json_of_changes(knowledge: &Knowledge, changes: &Changes, provider: Option<&Id>, lang: &Lang) -> String {
    let out = |object| object_out(knowledge, object, provider, lang);
    print(&ChangesOut {
        schema_version: SCHEMA_VERSION,
        provider: provider.map(Id::as_str),
        appeared: changes.appeared.iter().map(out).collect(),
        vanished: changes.vanished.iter().map(out).collect(),
        replaced: changes.replaced.iter().map(|(before, after)| ReplacedOut { before: out(before), after: out(after) }).collect(),
        unchanged: changes.unchanged,
    })
}

fn object_out<'a>(knowledge: &Knowledge, object: &'a Object, provider: Option<&Id>, lang: &Lang) -> ObjectOut<'a> {
    let owner = object.owner.as_ref();
    ObjectOut {
        namespace: object.namespace.as_deref(),
        kind: object.kind.as_deref(),
        name: &object.name,
        component: owner.map(|owner| owner.component.as_str()),
        verdict: owner.and_then(|owner| knowledge.verdict(owner, provider)).map(Verdict::name),
        url: owner.map(|owner| knowledge.url(owner, lang)),
    }
}

fn print(value: &impl Serialize) -> String {
    print_rows(0, value)
}

/// The same of so many rows, for which there is room from the beginning.
fn print_rows(rows: usize, value: &impl Serialize) -> String {
    const ROW: usize = 320;
    let mut json = Vec::with_capacity(rows * ROW);
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(&mut json, value);
    json.push(b'\n');
    String::from_utf8(json).unwrap_or_default()
}
