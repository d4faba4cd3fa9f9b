//! Reports for programs.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;

use super::{
    ComparedObject, Explanation, IdleDaemonSet, Knowledge, ListingComparison, MissingComponents, OutdatedComponent, ProviderGuess,
};
use crate::{
    facts::Verdict,
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
    guess: &'a ProviderGuess,
    /// Ids of components that this provider runs out of sight.
    #[schemars(with = "Vec<String>")]
    hidden: &'a [Id],
    /// What this provider has and no row shows.
    missing: &'a [MissingComponents],
    /// DaemonSets that run on no Node because of their selector.
    idle: &'a [IdleDaemonSet],
    /// Components in the listing that are on their way out or gone from current releases.
    outdated: &'a [OutdatedComponent],
}

/// A row of the listing.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Row")]
struct RowOut<'a> {
    /// The line of the input, counted from 1.
    line: usize,
    /// The line of the row, without white space around it. Of a line with several rows, such as JSON without line breaks, no more than 200 bytes and `…`.
    text: Cow<'a, str>,
    /// The namespace, if the listing tells it.
    namespace: Option<&'a str>,
    /// The kind of the object, if the listing tells it.
    kind: Option<&'a str>,
    /// The name of the object.
    name: &'a str,
    /// The id of the component whose row it is; null if no page explains it.
    component: Option<&'a str>,
    /// May it be deleted, at this provider?
    verdict: Option<Verdict>,
    /// The address of what explains it.
    url: Option<&'a str>,
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
    verdict: Option<Verdict>,
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

/// A report, as one object.
#[must_use]
pub fn json(knowledge: &Knowledge, report: &Explanation, lang: &Lang) -> String {
    let provider = report.guess.provider.as_ref();
    // Most rows are of a few components.
    let mut known: FxHashMap<(&Id, &[usize]), _> = FxHashMap::default();
    for owner in report.rows.iter().filter_map(|row| row.owner.as_ref()) {
        known.entry((&owner.component, &owner.entries)).or_insert_with(|| (knowledge.verdict(owner, provider), knowledge.url(owner, lang)));
    }
    let rows = report.rows.iter().map(|explained| {
        let owner = explained.owner.as_ref();
        let known = owner.and_then(|owner| known.get(&(&owner.component, owner.entries.as_slice())));
        RowOut {
            line: explained.line,
            text: explained.text.shown(),
            namespace: explained.row.namespace.as_deref(),
            kind: explained.row.kind.as_deref(),
            name: &explained.row.name,
            component: owner.map(|owner| owner.component.as_str()),
            verdict: known.and_then(|(verdict, _)| *verdict),
            url: known.map(|(_, url)| url.as_str()),
        }
    });
    let out = ReportOut {
        schema_version: SCHEMA_VERSION,
        provider: provider.map(Id::as_str),
        rows: rows.collect(),
        unknown: report.unknown(),
        guess: &report.guess,
        hidden: &report.hidden,
        missing: &report.missing,
        idle: &report.idle,
        outdated: &report.outdated,
    };
    print(report.rows.len(), &out)
}

/// The difference between two listings.
#[must_use]
pub fn json_of_comparison(knowledge: &Knowledge, changes: &ListingComparison, provider: Option<&Id>, lang: &Lang) -> String {
    let object = |object| object_out(knowledge, object, provider, lang);
    let out = ChangesOut {
        schema_version: SCHEMA_VERSION,
        provider: provider.map(Id::as_str),
        appeared: changes.appeared.iter().map(object).collect(),
        vanished: changes.vanished.iter().map(object).collect(),
        replaced: changes.replaced.iter().map(|(before, after)| ReplacedOut { before: object(before), after: object(after) }).collect(),
        unchanged: changes.unchanged,
    };
    print(0, &out)
}

fn object_out<'a>(knowledge: &Knowledge, object: &'a ComparedObject, provider: Option<&Id>, lang: &Lang) -> ObjectOut<'a> {
    let owner = object.owner.as_ref();
    ObjectOut {
        namespace: object.namespace.as_deref(),
        kind: object.kind.as_deref(),
        name: &object.name,
        component: owner.map(|owner| owner.component.as_str()),
        verdict: owner.and_then(|owner| knowledge.verdict(owner, provider)),
        url: owner.map(|owner| knowledge.url(owner, lang)),
    }
}

/// A line with a value that has so many rows, for which room is made at the beginning.
fn print(rows: usize, value: &impl Serialize) -> String {
    const ROW: usize = 320;
    let mut json = Vec::with_capacity(rows * ROW);
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(&mut json, value);
    json.push(b'\n');
    String::from_utf8(json).unwrap_or_default()
}
