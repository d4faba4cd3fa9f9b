//! Reports for programs.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Serialize;

use super::{
    ComparedObject, Cost, Explanation, IdleDaemonSet, Knowledge, ListingComparison, MissingComponents, OutdatedComponent, ProviderGuess,
    RequestChange, RestartChange, RunningVersion, ScaleDown, VersionChange, next_command,
};
use crate::{
    facts::Verdict,
    id::{Id, Lang},
    objects::Health,
};

/// The version of this format; it is increased when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

/// Explained `kubectl` output.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Report")]
struct ReportOut<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id of the provider of the cluster; null if unknown.
    provider: Option<&'a str>,
    /// The objects, in the order of the input.
    rows: Vec<RowOut<'a>>,
    /// The distinct names of objects without an explanation.
    unknown: Vec<&'a str>,
    /// The reasons for the choice of the provider.
    guess: &'a ProviderGuess,
    /// Ids of the provider-managed components that `kubectl` doesn't show.
    #[schemars(with = "Vec<String>")]
    hidden: &'a [Id],
    /// Roles that this provider has and no object of the input fills.
    missing: &'a [MissingComponents],
    /// DaemonSets that run on no Node because of their selector.
    idle: &'a [IdleDaemonSet],
    /// Components of the input that are deprecated or removed in current releases.
    outdated: &'a [OutdatedComponent],
    /// The versions of the components, from the images of whole objects.
    versions: &'a [RunningVersion],
    /// What Pods request; null if the input has no whole Pods or workloads.
    cost: Option<&'a Cost>,
    /// What keeps Nodes from being removed; null if the input has no whole Pods.
    scale_down: Option<&'a ScaleDown>,
}

/// An object of the input.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Row")]
struct RowOut<'a> {
    /// The line of the input, counted from 1.
    line: usize,
    /// The line of the input, trimmed. For a line with several objects, such as JSON without line breaks, at most 200 bytes and `…`.
    text: Cow<'a, str>,
    /// The namespace, if known.
    namespace: Option<&'a str>,
    /// The kind of the object, if known.
    kind: Option<&'a str>,
    /// The name of the object.
    name: &'a str,
    /// The id of the component; null if there is no explanation.
    component: Option<&'a str>,
    /// Whether the object has the name of a workload of the component, but is in another namespace: it can be a copy of the user's, and has no verdict.
    is_copy: bool,
    /// What the object, name or message is, if the facts state it; null for objects that only the component describes.
    what: Option<&'a str>,
    /// Can it be deleted, at this provider? For a Pod, the same as `restart`; for other objects, the same as `removal`.
    verdict: Option<Verdict>,
    /// Can a Pod be deleted, at this provider? Null for objects that no controller created.
    restart: Option<Verdict>,
    /// Can the object that was created be deleted, at this provider? For a Pod, its Deployment, DaemonSet …
    removal: Option<Verdict>,
    /// What the columns or the object state about its health; null if they don't.
    health: Option<&'a Health>,
    /// The symptom on the page of the component that fits an unhealthy object or a message, with what to do; null if the page describes none.
    symptom: Option<SymptomOut<'a>>,
    /// The command that shows most about an unhealthy object; null for healthy ones.
    command: Option<String>,
    /// The URL of its explanation.
    url: Option<&'a str>,
}

/// A symptom.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Symptom")]
struct SymptomOut<'a> {
    /// What it looks like. Code is between backticks.
    symptom: &'a str,
    /// What to do.
    action: &'a str,
}

/// The difference between two inputs.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Changes")]
struct ChangesOut<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The id of the provider; null if unknown.
    provider: Option<&'a str>,
    /// Objects that are only in the second input.
    appeared: Vec<ObjectOut<'a>>,
    /// Objects that are only in the first input.
    vanished: Vec<ObjectOut<'a>>,
    /// Objects that were replaced by another one.
    replaced: Vec<ReplacedOut<'a>>,
    /// How many objects are in both.
    unchanged: usize,
    /// Components whose versions differ.
    versions: &'a [VersionChange],
    /// What Pods request; null unless both inputs have whole objects.
    requests: Option<RequestChange>,
    /// Pods that were restarted in between.
    restarts: &'a [RestartChange],
}

/// An object; its Pods are counted as one.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Object")]
struct ObjectOut<'a> {
    /// The namespace, if known.
    namespace: Option<&'a str>,
    /// The kind of the object, if known.
    kind: Option<&'a str>,
    /// The name, with placeholders for its variable parts.
    name: &'a str,
    /// The id of the component; null if there is no explanation.
    component: Option<&'a str>,
    /// Can it be deleted, at this provider?
    verdict: Option<Verdict>,
    /// The URL of its explanation.
    url: Option<String>,
}

/// An object and its replacement.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Replaced")]
struct ReplacedOut<'a> {
    /// The object in the first input.
    before: ObjectOut<'a>,
    /// The object in the second input.
    after: ObjectOut<'a>,
}

/// The schemas (JSON Schema, draft 2020-12) of the output of [`json`] and [`json_of_comparison`].
#[must_use]
pub fn schemas() -> (schemars::Schema, schemars::Schema) {
    let generator = || SchemaSettings::draft2020_12().for_serialize().into_generator();
    (generator().into_root_schema_for::<ReportOut<'_>>(), generator().into_root_schema_for::<ChangesOut<'_>>())
}

/// A report, as one object.
#[must_use]
pub fn json(knowledge: &Knowledge, report: &Explanation, lang: &Lang) -> String {
    let provider = report.guess.provider.as_ref();
    // Most rows belong to a few components.
    let mut urls: FxHashMap<(&Id, &[usize]), String> = FxHashMap::default();
    for owner in report.rows.iter().filter_map(|row| row.owner.as_ref()) {
        urls.entry((&owner.component, &owner.entries)).or_insert_with(|| knowledge.url(owner, lang));
    }
    let rows = report.rows.iter().map(|explained| {
        let owner = explained.owner.as_ref();
        let answer = owner.and_then(|owner| knowledge.answer(owner, provider));
        RowOut {
            line: explained.line,
            text: explained.text.shown(),
            namespace: explained.row.namespace.as_deref(),
            kind: explained.row.kind.as_deref(),
            name: &explained.row.name,
            component: owner.map(|owner| owner.component.as_str()),
            is_copy: owner.is_some_and(|owner| owner.is_copy),
            what: knowledge.what(explained, provider, lang),
            verdict: answer.and_then(|answer| answer.verdict()),
            restart: answer.and_then(|answer| answer.restart_verdict()),
            removal: answer.and_then(|answer| answer.removal_verdict()),
            health: explained.row.health.as_ref(),
            symptom: knowledge.symptom(explained, lang).map(|it| SymptomOut { symptom: &it.symptom, action: &it.action }),
            command: next_command(&explained.row),
            url: owner.and_then(|owner| urls.get(&(&owner.component, owner.entries.as_slice()))).map(String::as_str),
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
        versions: &report.versions,
        cost: report.cost.as_ref(),
        scale_down: report.scale_down.as_ref(),
    };
    print(report.rows.len(), &out)
}

/// The difference between two inputs.
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
        versions: &changes.versions,
        requests: changes.requests,
        restarts: &changes.restarts,
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

/// Serializes a value as one line. `rows` is the number of its rows, which determines the initial capacity.
fn print(rows: usize, value: &impl Serialize) -> String {
    const ROW: usize = 320;
    let mut json = Vec::with_capacity(rows * ROW);
    // Writing to memory does not fail.
    let _ = serde_json::to_writer(&mut json, value);
    json.push(b'\n');
    String::from_utf8(json).unwrap_or_default()
}
