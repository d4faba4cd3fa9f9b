//! What a listing does not say by itself.

use std::collections::{BTreeMap, BTreeSet};

use super::{Explained, Knowledge};
use crate::{
    facts::{LifecycleState, Presence},
    id::Id,
    kb::{Claim, Provider},
    listing::{Owned, Row, is_cluster_scoped},
};

/// What is usually there and is not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The job that nobody does.
    pub role: Option<Id>,
    /// Who usually does it: one of these.
    pub components: Vec<Id>,
}

/// A DaemonSet that wants no Pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    /// The line of its row.
    pub line: usize,
    /// The labels that no Node seems to have, with commas between; empty if the listing does not tell.
    pub selector: String,
}

/// Something whose time is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outdated {
    /// What.
    pub component: Id,
    /// How it stands with it.
    pub state: LifecycleState,
    /// What takes its place.
    pub replaced_by: Vec<Id>,
}

/// The tables of a listing: which kinds were printed in which namespaces.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// By namespace; an empty namespace is one that no row tells.
    tables: BTreeMap<String, Table>,
    /// Whether somebody asked for some objects only.
    excerpt: bool,
}

/// The rows of a namespace.
#[derive(Clone, Debug, Default)]
struct Table {
    rows: usize,
    /// How many of them are a component's.
    known: usize,
    /// The same by each namespace where it may live; an empty one if that is any.
    homes: BTreeMap<String, usize>,
    /// In lower case.
    kinds: BTreeSet<String>,
}

/// Fewer rows of a namespace say nothing about what is not among them.
const ENOUGH: usize = 7;

impl Seen {
    pub(super) fn new(rows: &[&Row], best: &[Vec<&Owned>], excerpt: bool) -> Self {
        let mut tables: BTreeMap<String, Table> = BTreeMap::new();
        // What is in no namespace says nothing about one.
        let in_one = |row: &Row| !row.kind.as_deref().is_some_and(is_cluster_scoped);
        for (row, best) in rows.iter().zip(best).filter(|(row, _)| in_one(row)) {
            let namespace = row.namespace.as_deref().unwrap_or_default();
            if !tables.contains_key(namespace) {
                tables.insert(namespace.to_owned(), Table::default());
            }
            let Some(table) = tables.get_mut(namespace) else { continue };
            table.rows += 1;
            let homes: BTreeSet<&str> = best.iter().map(|owned| owned.pattern.namespace().unwrap_or_default()).collect();
            // What may live anywhere counts once.
            for home in if homes.contains("") { BTreeSet::from([""]) } else { homes } {
                match table.homes.get_mut(home) {
                    Some(rows) => *rows += 1,
                    None => drop(table.homes.insert(home.to_owned(), 1)),
                }
            }
            table.known += usize::from(!best.is_empty());
            table.kinds.extend(row.kind.as_deref().map(str::to_ascii_lowercase).filter(|kind| !table.kinds.contains(kind)));
        }
        Self { tables, excerpt }
    }

    /// The rows that tell a namespace, and those that tell none where most of them are the system's: else they may be anybody's.
    fn tables_of(&self, namespace: Option<&str>) -> impl Iterator<Item = &Table> {
        let told = namespace.and_then(|namespace| self.tables.get(namespace));
        let untold = self.tables.get("").filter(|table| table.known * 2 >= table.rows);
        told.into_iter().chain(untold).filter(|table| !self.excerpt && table.rows >= ENOUGH)
    }

    /// Whether rows of a kind in a namespace would have been printed.
    fn covers(&self, namespace: Option<&str>, kind: &str) -> bool {
        self.tables_of(namespace).any(|table| table.kinds.contains(&kind.to_ascii_lowercase()))
    }

    /// Whether a namespace was printed: of rows that tell none, most may live in it.
    fn shows(&self, namespace: Option<&str>) -> bool {
        let in_it = |table: &Table, namespace: &str| ["", namespace].into_iter().filter_map(|home| table.homes.get(home)).sum();
        let known = |table: &Table| namespace.map_or(table.known, |namespace| in_it(table, namespace));
        namespace.is_some_and(|namespace| self.tables.contains_key(namespace))
            || self.tables_of(None).any(|table| known(table) * 2 >= table.rows)
    }

    /// Whether what a provider claims would have been seen in this listing: every workload of the component that fits the form that is claimed, by its own row, or by
    /// its Pods. Of a DaemonSet there may be no Pods, where no Node is like that.
    pub(super) fn would_show(&self, knowledge: &Knowledge, claim: &Claim, provider: &Id) -> bool {
        let Some(patterns) = claim.component.as_ref().map(|id| knowledge.recogniser.of(id)) else { return false };
        let of_form = |kind: &str| claim.form.as_deref().is_none_or(|form| form.contains(shown_form(kind)));
        let here = patterns.iter().filter(|owned| owned.is_seen_at(provider)).map(|owned| &owned.pattern);
        let workloads: Vec<_> = here.filter(|pattern| pattern.makes_pods() && of_form(pattern.kind())).collect();
        workloads.iter().any(|pattern| self.shows(pattern.namespace()))
            && workloads.iter().all(|pattern| {
                let by_pods = pattern.kind() != "DaemonSet" && self.covers(pattern.namespace(), "Pod");
                by_pods || (pattern.is_controlled() && self.covers(pattern.namespace(), pattern.kind()))
            })
    }
}

/// The form of a claim that a kind of object has.
fn shown_form(kind: &str) -> &str {
    if kind == "StaticPod" { "static Pod" } else { kind }
}

/// The jobs that a provider says are done, by who does them; a claim without a job is its own.
pub(super) fn jobs(provider: &Provider) -> BTreeMap<(Option<&Id>, Option<&Id>), Vec<&Claim>> {
    let mut jobs: BTreeMap<(Option<&Id>, Option<&Id>), Vec<&Claim>> = BTreeMap::new();
    for claim in &provider.claims {
        let own = claim.component.as_ref().filter(|_| claim.role.is_none());
        jobs.entry((claim.role.as_ref(), own)).or_default().push(claim);
    }
    jobs
}

/// What is usually there at a provider, would have been seen, and is not; nothing that came or went with some version.
pub(super) fn missing(knowledge: &Knowledge, provider: &Provider, present: &BTreeSet<&Id>, seen: &Seen) -> Vec<Missing> {
    let mut missing = Vec::new();
    for ((role, _), claims) in jobs(provider) {
        let filled = claims.iter().any(|claim| claim.component.as_ref().is_some_and(|id| present.contains(id)));
        // It may be done by something that has no row.
        let unseen = claims.iter().any(|claim| claim.presence.is_shipped() && claim.component.is_none());
        if filled || unseen {
            continue;
        }
        let unseen = claims.iter().filter(|claim| claim.is_usual() && seen.would_show(knowledge, claim, &provider.id));
        let components: BTreeSet<&Id> = unseen.filter_map(|claim| claim.component.as_ref()).collect();
        if !components.is_empty() {
            missing.push(Missing { role: role.cloned(), components: components.into_iter().cloned().collect() });
        }
    }
    // One component can have several jobs.
    let mut said = BTreeSet::new();
    missing.retain(|one| said.insert(one.components.clone()));
    missing
}

/// What a provider runs where nobody sees it, and is not seen.
pub(super) fn hidden(knowledge: &Knowledge, provider: &Provider, present: &BTreeSet<&Id>) -> Vec<Id> {
    let hidden = provider.claims.iter().filter(|claim| claim.presence == Presence::Hidden).filter_map(|claim| claim.component.as_ref());
    let known: BTreeSet<&Id> = hidden.filter(|id| !present.contains(id) && knowledge.components.contains(id)).collect();
    known.into_iter().cloned().collect()
}

/// DaemonSets that want no Pods. A label that is enough for another DaemonSet is on some Node, and so is no reason.
pub(super) fn idle(rows: &[Explained]) -> Vec<Idle> {
    let daemon_sets = || rows.iter().filter_map(|row| Some((row.line, row.row.nodes.as_ref()?)));
    let found: BTreeSet<&str> = daemon_sets().filter(|(_, nodes)| nodes.any).flat_map(|(_, nodes)| nodes.selector.split(',')).collect();
    let idle = daemon_sets().filter(|(_, nodes)| !nodes.any).map(|(line, nodes)| {
        let lacking: Vec<&str> = nodes.selector.split(',').filter(|label| !label.is_empty() && !found.contains(label)).collect();
        Idle { line, selector: lacking.join(",") }
    });
    idle.collect()
}

/// What still runs though its time is over.
pub(super) fn outdated(knowledge: &Knowledge, running: &BTreeSet<&Id>) -> Vec<Outdated> {
    let outdated = running.iter().filter_map(|id| {
        let component = knowledge.components.get(id)?;
        let lifecycle = component.lifecycle.as_ref()?;
        lifecycle.state.is_over().then(|| Outdated {
            component: (*id).clone(),
            state: lifecycle.state,
            replaced_by: lifecycle.replaced_by.clone(),
        })
    });
    outdated.collect()
}
