//! Reports for programs.

use rustc_hash::FxHashMap;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;

use super::{ComparedObject, Explanation, Knowledge, ListingComparison};
use crate::{
    facts::{LifecycleState, Verdict},
    id::{Id, Lang},
};

/// The version of this form; it grows when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

/// A listing, explained.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Report")]
struct ReportOut<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id of the provider in whose cluster it was printed; null if that is not known.
    provider: Option<&'a str>,
    /// One for each row of the listing, in their order.
    rows: Vec<RowOut<'a>>,
    /// Names of rows that no page explains, each once.
    unknown: Vec<&'a str>,
    /// Why the provider is believed to be this one.
    guess: GuessOut<'a>,
    /// Ids of components that this provider runs out of sight.
    hidden: Vec<&'a str>,
    /// What this provider has and no row shows.
    missing: Vec<MissingOut<'a>>,
    /// DaemonSets that run on no Node because of their selector.
    idle: Vec<IdleOut<'a>>,
    /// Components in the listing that are on their way out or gone from current releases.
    outdated: Vec<OutdatedOut<'a>>,
}

/// A row of the listing.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Row")]
struct RowOut<'a> {
    /// The line of the input, counted from 1.
    line: usize,
    /// The row as it was given.
    text: &'a str,
    /// The namespace, if the listing tells it.
    namespace: Option<&'a str>,
    /// The kind of the object, if the listing tells it.
    kind: Option<&'a str>,
    /// The name of the object.
    name: &'a str,
    /// The id of the component whose row it is; null if no page explains it.
    component: Option<&'a str>,
    /// May it be deleted, at this provider?
    #[schemars(with = "Option<Verdict>")]
    verdict: Option<&'static str>,
    /// The address of what explains it.
    url: Option<&'a str>,
}

/// Why the provider is believed to be this one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Guess")]
struct GuessOut<'a> {
    /// Whether the provider was given with `--provider`.
    asked: bool,
    /// Names in the listing that only this provider has.
    names: &'a [String],
    /// Texts in the listing that only this provider's clusters print.
    marks: &'a [String],
    /// Ids of providers that would fit as well.
    others: Vec<&'a str>,
}

/// A job that is done at the provider and that no row shows.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Missing")]
struct MissingOut<'a> {
    /// The id of the job; null for components without one.
    role: Option<&'a str>,
    /// Ids of the components that could do it.
    components: Vec<&'a str>,
}

/// A DaemonSet that runs nowhere.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Idle")]
struct IdleOut<'a> {
    /// The line of the input, counted from 1.
    line: usize,
    /// Its Node selector.
    selector: &'a str,
}

/// A component that is on its way out or gone.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Outdated")]
struct OutdatedOut<'a> {
    /// Its id.
    component: &'a str,
    /// Its state today.
    #[schemars(with = "LifecycleState")]
    state: &'static str,
    /// Ids of what took its place.
    replaced_by: Vec<&'a str>,
}

/// The difference between two listings.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Changes")]
struct ChangesOut<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id of the provider; null if that is not known.
    provider: Option<&'a str>,
    /// Objects that only the second listing has.
    appeared: Vec<ObjectOut<'a>>,
    /// Objects that only the first listing has.
    vanished: Vec<ObjectOut<'a>>,
    /// Objects whose place another took.
    replaced: Vec<ReplacedOut<'a>>,
    /// How many objects are in both.
    unchanged: usize,
}

/// An object, whose Pods count as one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Object")]
struct ObjectOut<'a> {
    /// The namespace, if the listing tells it.
    namespace: Option<&'a str>,
    /// The kind of the object, if the listing tells it.
    kind: Option<&'a str>,
    /// Its name, with placeholders for what varies.
    name: &'a str,
    /// The id of the component that it belongs to; null if no page explains it.
    component: Option<&'a str>,
    /// May it be deleted, at this provider?
    #[schemars(with = "Option<Verdict>")]
    verdict: Option<&'static str>,
    /// The address of what explains it.
    url: Option<String>,
}

/// An object, and the one that took its place.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Replaced")]
struct ReplacedOut<'a> {
    /// The one in the first listing.
    before: ObjectOut<'a>,
    /// The one in the second.
    after: ObjectOut<'a>,
}

/// The schemas (JSON Schema, draft 2020-12) of what [`json`] and [`json_of_comparison`] give.
#[must_use]
pub fn schemas() -> (schemars::Schema, schemars::Schema) {
    let generator = || SchemaSettings::draft2020_12().for_serialize().into_generator();
    (generator().into_root_schema_for::<ReportOut<'_>>(), generator().into_root_schema_for::<ChangesOut<'_>>())
}

fn ids(ids: &[Id]) -> Vec<&str> {
    ids.iter().map(Id::as_str).collect()
}

/// What is the same for all rows of an owner.
struct OwnerFields {
    verdict: Option<&'static str>,
    url: String,
}

/// A report, as one object.
#[must_use]
pub fn json(knowledge: &Knowledge, report: &Explanation, lang: &Lang) -> String {
    let provider = report.guess.provider.as_ref();
    // Most rows are of a few components.
    let mut said: FxHashMap<(&Id, &[usize]), OwnerFields> = FxHashMap::default();
    for owner in report.rows.iter().filter_map(|row| row.owner.as_ref()) {
        said.entry((&owner.component, owner.entries.as_slice())).or_insert_with(|| OwnerFields {
            verdict: knowledge.verdict(owner, provider).map(Verdict::name),
            url: knowledge.url(owner, lang),
        });
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
                asked: report.guess.given,
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
pub fn json_of_comparison(knowledge: &Knowledge, changes: &ListingComparison, provider: Option<&Id>, lang: &Lang) -> String {
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

fn object_out<'a>(knowledge: &Knowledge, object: &'a ComparedObject, provider: Option<&Id>, lang: &Lang) -> ObjectOut<'a> {
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
