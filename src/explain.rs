//! Explains `kubectl` output: the component of each row, the provider of the cluster, and findings that the rows don't show by themselves.
//!
//! `web/explain/` does the same in the browser, with the same facts ([`ExplainData`]) and rules. `tests/fixtures/listings` and
//! `tests/browser/agreement.test.js` check that both give the same results.

mod comparison;
mod cost;
mod data;
mod input;
mod insights;
mod json;
mod knowledge;
mod line_text;
mod marks;
mod markdown;
mod namespaces;
mod observation;
mod presenter;
mod provider_guess;
mod scale_down;
mod sections;
mod symptoms;
mod terminal;
mod trouble;
mod versions;

use std::{collections::BTreeSet, sync::Arc};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub use comparison::{ComparedObject, ListingComparison, RequestChange, RestartChange, VersionChange, compare};
pub use cost::{Amount, ComponentCost, Cost, CostSum, NodeCost};
pub use data::ExplainData;
pub use input::{InputError, InputForm, MAX_INPUT, Refusal, decode, input_error};
pub use insights::{IdleDaemonSet, MissingComponents, OutdatedComponent};
pub use json::{json, json_of_comparison, schemas};
pub use knowledge::Knowledge;
pub use line_text::LineText;
pub use markdown::{markdown, markdown_of_comparison};
pub use observation::observation;
pub use presenter::Presenter;
pub use provider_guess::ProviderGuess;
pub use scale_down::{BlockReason, BlockingPod, NodeRemoval, PriorityUse, ScaleDown};
use symptoms::StatusSymptom;
pub use symptoms::{Symptom, symptoms};
pub use terminal::{Screen, terminal, terminal_of_comparison};
pub use trouble::{Trouble, next_command};
pub use versions::{RunningVersion, ShippedVersion};

use crate::{
    facts::KnownNameKind,
    id::Id,
    listing::{
        Certainty, Controller, FittingPatterns, ListingLine, Mention, OwnedPattern, POD, PROCESS, Row, clean, is_outside_api, mentions,
        parse_listing, reports_problem,
    },
    text::Span,
};
use namespaces::PrintedNamespaces;

/// Which parts of an explanation text outputs have. JSON always has all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportParts {
    /// Only the unhealthy objects, instead of all components.
    pub health: bool,
    /// What each component and each Node requests.
    pub cost: bool,
    /// What keeps each Node from being removed.
    pub scale_down: bool,
}

impl ReportParts {
    /// Whether no part was chosen: then all components are shown, and the others in one line each.
    #[must_use]
    pub const fn is_default(self) -> bool {
        !(self.health || self.cost || self.scale_down)
    }
}

/// An explained listing.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The inferred provider of the cluster, with the reasons.
    pub guess: ProviderGuess,
    /// The rows, in order.
    pub rows: Vec<ExplainedRow>,
    /// Provider-managed components, such as those of the control plane, which listings at this provider don't show.
    pub hidden: Vec<Id>,
    /// Components that are usually present at the provider and are absent here.
    pub missing: Vec<MissingComponents>,
    /// DaemonSets with no desired Pods.
    pub idle: Vec<IdleDaemonSet>,
    /// Deprecated, removed or archived components that are still running.
    pub outdated: Vec<OutdatedComponent>,
    /// The versions of the components, from their images.
    pub versions: Vec<RunningVersion>,
    /// The release of the cluster, `1.33`, if a component shows it.
    pub release: Option<String>,
    /// What Pods request; `None` if the listing has no whole Pods or workloads.
    pub cost: Option<Cost>,
    /// What keeps Nodes from being removed; `None` if the listing has no whole Pods.
    pub scale_down: Option<ScaleDown>,
}

/// A row of a listing with its component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedRow {
    /// The line, counted from 1.
    pub line: usize,
    /// The line as printed, without colours and surrounding white space.
    pub text: LineText,
    /// The parsed row.
    pub row: Row,
    /// The component, unless there is none or several fit equally.
    pub owner: Option<RowOwner>,
}

/// The component that a row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowOwner {
    /// The component.
    pub component: Id,
    /// Which of its listing entries fit the row, in order. Empty for a row that belongs to the component without being one of its listed objects: an image, a
    /// container, an object with the name of its workload. About such rows, the facts state nothing.
    pub entries: Vec<usize>,
    /// The name of the object without generated suffixes: `coredns` of `coredns-5d78c9869d-x8k2p`.
    pub object: String,
    /// The controller that recreates the object of the row; `None` for an object that was not created by a controller.
    pub controller: Option<Controller>,
    /// Whether the object has the name of a workload of the component, but is in another namespace: it can be a copy of the user's.
    pub is_copy: bool,
}

impl Explanation {
    /// Whether the listing has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The names of rows without a component, each once, in order.
    #[must_use]
    pub fn unknown(&self) -> Vec<&str> {
        let mut seen = FxHashSet::default();
        let unowned = self.rows.iter().filter(|row| row.owner.is_none());
        unowned.map(|row| row.row.name.as_str()).filter(|name| seen.insert(*name)).collect()
    }
}

/// Explains a listing. Without a `provider`, the provider of the cluster is inferred from the rows.
#[must_use]
pub fn explain(knowledge: &Knowledge, text: &str, provider: Option<&Id>) -> Explanation {
    let text: Arc<str> = clean(text).into();
    let listing = parse_listing(&text);
    let place = |line: &str| {
        // The lines are slices of the whole text.
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        Span::new(start, start + line.len())
    };
    let rows_of = |(index, (line, parsed)): (usize, (&str, ListingLine))| {
        let (rows, text) = (parsed.into_rows(), LineText::new(text.clone(), place(line.trim())));
        rows.into_iter().map(move |row| (index + 1, text.clone(), row))
    };
    // The description of any Pod has labels, taints and paths that are names of components. Next to tables, only lines that report a problem are about them.
    let is_searched = |line: &str| !listing.has_manifests && (!listing.has_tables || reports_problem(line));
    let is_known = |kind: KnownNameKind| !listing.has_tables || kind.is_printed();
    let named = mentions(&text, &listing.lines, is_searched);
    let known = knowledge.recogniser.known_names().in_text(&text, &listing.lines, is_searched, is_known);
    let mut lines: Vec<(usize, LineText, Row)> = text.lines().zip(listing.lines).enumerate().flat_map(rows_of).collect();
    add_mentions(knowledge, named, &mut lines, |line| LineText::new(text.clone(), place(line.trim())), &text);
    let texts: Vec<&str> = if known.is_empty() { Vec::new() } else { text.lines().collect() };
    for (index, row) in known {
        let line = texts.get(index).copied().unwrap_or_default();
        lines.push((index + 1, LineText::new(text.clone(), place(line.trim())), row));
    }
    lines.sort_by_key(|(line, ..)| *line);
    replace_single_name(knowledge, &text, &mut lines);
    drop_unrelated(knowledge, listing.has_tables, &mut lines);
    for of_line in lines.chunk_by_mut(|(a, ..), (b, ..)| a == b).filter(|of_line| of_line.len() > 1) {
        for (_, text, _) in of_line {
            text.share();
        }
    }
    let rows: Vec<&Row> = lines.iter().map(|(_, _, row)| row).collect();
    let mut fitting: Vec<FittingPatterns<'_>> = rows.par_iter().map(|row| knowledge.recogniser.fitting(row)).collect();
    knowledge.recogniser.decide_by_other_rows(&rows, &mut fitting);
    let best = |provider: Option<&Id>| -> Vec<Vec<&OwnedPattern>> { fitting.iter().map(|fitting| fitting.best(provider)).collect() };
    let anywhere = best(None);
    // A sentence about an object is no evidence that the cluster has it.
    let evidence: Vec<Vec<&OwnedPattern>> =
        anywhere.iter().zip(&rows).map(|(best, row)| if row.mentioned { Vec::new() } else { best.clone() }).collect();
    let seen = PrintedNamespaces::new(&rows, &evidence, listing.excerpt);
    let guess = match provider {
        Some(provider) => ProviderGuess::given(provider),
        None => provider_guess::guess(knowledge, &text, &rows, &evidence, &seen),
    };
    let here = if guess.likely.is_some() { best(guess.likely.as_ref()) } else { anywhere };
    let rows: Vec<ExplainedRow> = lines
        .into_iter()
        .zip(here)
        .map(|((line, text, row), best)| ExplainedRow { line, text, owner: owner(knowledge, &row, &best), row })
        .collect();
    let printed = rows.iter().filter(|row| !row.row.mentioned);
    let present: BTreeSet<&Id> =
        printed.filter_map(|row| row.owner.as_ref()).filter(|owner| owner.runs(knowledge)).map(|owner| &owner.component).collect();
    let provider = guess.provider.as_ref().and_then(|id| knowledge.providers.get(id));
    let (hidden, missing) = match provider {
        Some(provider) => (insights::hidden(knowledge, provider, &present), insights::missing(knowledge, provider, &present, &seen)),
        None => Default::default(),
    };
    let (idle, outdated) = (insights::idle(&rows), insights::outdated(knowledge, &present));
    let mut versions = versions::versions(knowledge, &rows);
    let release = versions::release(knowledge, &versions);
    versions::add_shipped(knowledge, &mut versions, guess.provider.as_ref(), release.as_ref());
    let (cost, scale_down) = (cost::cost(&rows), scale_down::scale_down(&rows));
    Explanation { guess, rows, hidden, missing, idle, outdated, versions, release, cost, scale_down }
}

/// Adds the names in text that are certainly those of objects, each once, unless the listing has a row with the name.
fn add_mentions(
    knowledge: &Knowledge,
    mentions: Vec<Mention>,
    lines: &mut Vec<(usize, LineText, Row)>,
    line_text: impl Fn(&str) -> LineText,
    text: &str,
) {
    if mentions.is_empty() {
        return;
    }
    // A row may lack the namespace that the text states.
    let mut namespaces: FxHashMap<&str, &str> = FxHashMap::default();
    for Mention { row, .. } in mentions.iter().rev() {
        namespaces.extend(row.namespace.as_deref().map(|namespace| (row.name.as_str(), namespace)));
    }
    let may_be_pod = |row: &Row| row.kind.as_deref().is_none_or(|kind| kind == POD);
    for (_, _, row) in lines.iter_mut().filter(|(_, _, row)| row.namespace.is_none() && may_be_pod(row)) {
        row.namespace = namespaces.get(row.name.as_str()).map(|namespace| (*namespace).to_owned());
    }
    let mut seen: FxHashSet<String> = lines.iter().map(|(_, _, row)| row.name.clone()).collect();
    let texts: Vec<&str> = text.lines().collect();
    let mut found: Vec<(usize, Row)> = Vec::new();
    // A log repeats the same words, and comparing them with all patterns takes long.
    let mut refused: FxHashSet<(Certainty, Option<String>, Option<String>, String)> = FxHashSet::default();
    for Mention { line, row, certainty } in mentions {
        let identity = || (certainty, row.namespace.clone(), row.kind.clone(), row.name.clone());
        if seen.contains(&row.name) || refused.contains(&identity()) {
            continue;
        }
        if is_certain(knowledge, &row, certainty) {
            seen.insert(row.name.clone());
            found.push((line, row));
        } else {
            refused.insert(identity());
        }
    }
    for (line, row) in found {
        lines.push((line + 1, line_text(texts.get(line).copied().unwrap_or_default()), row));
    }
    lines.sort_by_key(|(line, ..)| *line);
}

/// Whether a name in text is that of an object.
fn is_certain(knowledge: &Knowledge, row: &Row, certainty: Certainty) -> bool {
    let best = || knowledge.recogniser.best(row, None);
    match certainty {
        Certainty::Pod => true,
        Certainty::OfComponent => !best().is_empty() || related(knowledge, row).is_some(),
        Certainty::OfWorkload => knowledge.recogniser.of_workload(row.namespace.as_deref(), &row.name).is_some(),
        Certainty::InNamespace => {
            let best = best();
            !best.is_empty() && best.iter().all(|owned| owned.pattern.namespace().is_some())
        }
    }
}

/// Replaces the row of a single word that is no object of a component, but one of its names outside of listings: `kubelet.service`.
fn replace_single_name(knowledge: &Knowledge, text: &str, lines: &mut [(usize, LineText, Row)]) {
    let [(_, _, row)] = lines else { return };
    let word = text.trim();
    let is_owned = |row: &Row| !knowledge.recogniser.best(row, None).is_empty() || related(knowledge, row).is_some();
    if !word.contains(char::is_whitespace)
        && !is_owned(row)
        && let Some(known) = knowledge.recogniser.known_names().row(word)
    {
        *row = known;
    }
}

/// Removes rows of runtimes that belong to no component: processes, and outside of tables, where they are only guesses, all of them if there is nothing else.
fn drop_unrelated(knowledge: &Knowledge, has_tables: bool, lines: &mut Vec<(usize, LineText, Row)>) {
    let is_outside = |row: &Row| row.kind.as_deref().is_some_and(is_outside_api);
    if !lines.iter().any(|(_, _, row)| is_outside(row)) {
        return;
    }
    lines.retain(|(_, _, row)| row.kind.as_deref() != Some(PROCESS) || related(knowledge, row).is_some());
    if !has_tables && lines.iter().all(|(_, _, row)| is_outside(row) && related(knowledge, row).is_none()) {
        lines.clear();
    }
}

/// The component of a row that no pattern fits. A process has the name of its component, or of a workload.
fn related(knowledge: &Knowledge, row: &Row) -> Option<Id> {
    if row.kind.as_deref() == Some(PROCESS) {
        let named = || Id::new(&row.name).ok().filter(|id| knowledge.components.contains(id));
        let known = || knowledge.recogniser.known_names().of_row(PROCESS, &row.name).cloned();
        return named().or_else(known).or_else(|| knowledge.recogniser.of_workload(None, &row.name).cloned());
    }
    knowledge.recogniser.related(row).cloned()
}

/// The owner of a row, if its best patterns are of one component, or none fits and the row belongs to a component in another way.
fn owner(knowledge: &Knowledge, row: &Row, best: &[&OwnedPattern]) -> Option<RowOwner> {
    let Some(first) = best.first() else {
        let related = related(knowledge, row);
        let is_copy = related.is_none();
        let component = related.or_else(|| knowledge.recogniser.of_copy(row).cloned())?;
        return Some(RowOwner { component, entries: Vec::new(), object: row.name.clone(), controller: None, is_copy });
    };
    if best.iter().any(|owned| owned.component != first.component) {
        return None;
    }
    let entries = best.iter().map(|owned| owned.entry).collect();
    Some(RowOwner {
        component: first.component.clone(),
        entries,
        object: first.pattern.object_of(row).to_owned(),
        controller: first.pattern.controller_of(row),
        is_copy: false,
    })
}

impl RowOwner {
    /// The kind of the object of the row: the kind of the object that was created, or one derived from it.
    #[must_use]
    pub fn kind<'k>(&self, component: &'k crate::kb::Component) -> &'k str {
        let own = || self.entries.first().and_then(|entry| component.listing.get(*entry)).map(|entry| entry.kind.as_str());
        self.controller.map(Controller::creates).or_else(own).unwrap_or_default()
    }

    /// Whether the row belongs to a workload. A Service or a ConfigMap may exist for a workload that runs elsewhere.
    #[must_use]
    pub fn runs(&self, knowledge: &Knowledge) -> bool {
        let patterns = knowledge.recogniser.of(&self.component);
        self.entries.iter().any(|entry| patterns.get(*entry).is_some_and(|owned| owned.pattern.makes_pods()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{collections::BTreeMap, fmt::Write as _};

    use super::*;
    use crate::{diagnostic::Diagnostics, load, read::Sources};

    /// The bytes that the rows of a report hold. Texts that rows share count once.
    fn retained(report: &Explanation) -> usize {
        let mut texts = BTreeMap::new();
        let own: usize = report
            .rows
            .iter()
            .map(|row| {
                let shared = row.text.shared();
                texts.insert(shared.as_ptr(), shared.len());
                let owner = row.owner.as_ref().map_or(0, |owner| owner.object.capacity() + size_of_val(owner.entries.as_slice()));
                let names = [row.row.namespace.as_ref(), row.row.kind.as_ref(), Some(&row.row.name)];
                size_of::<ExplainedRow>() + owner + names.into_iter().flatten().map(String::capacity).sum::<usize>()
            })
            .sum();
        own + texts.values().sum::<usize>()
    }

    #[test]
    fn rows_of_one_line_share_its_text() {
        let draft = load::facts_only(&Sources::default(), &[], &mut Diagnostics::new());
        let knowledge = Knowledge::of_facts(draft);
        let mut sizes = Vec::new();
        for pods in [500, 1_000] {
            let mut text = String::from("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
            for pod in 0..pods {
                let _ = write!(text, "{{\"kind\":\"Pod\",\"metadata\":{{\"name\":\"web-{pod}\",\"a\":\"{}\"}}}},", "x".repeat(1_000));
            }
            let report = explain(&knowledge, &text, None);
            assert_eq!((report.rows.len(), report.rows[7].line, report.rows[7].row.name.as_str()), (pods, 1, "web-7"));
            assert!(retained(&report) < 2 * text.len(), "{} of {}", retained(&report), text.len());
            let json = json(&knowledge, &report, &crate::id::Lang::new("en").unwrap());
            sizes.push((retained(&report), json.len()));
        }
        assert!(sizes[1].0 < 2 * sizes[0].0 + 1_000 && sizes[1].1 < 2 * sizes[0].1 + 10_000, "{sizes:?}");
    }
}
