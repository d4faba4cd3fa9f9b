//! The namespaces and kinds that a listing covers. Only there is the absence of a row meaningful.

use std::collections::{BTreeMap, BTreeSet};

use super::Knowledge;
use crate::{
    id::Id,
    kb::Claim,
    listing::{Controller, OwnedPattern, POD, Row, STATIC_POD, is_cluster_scoped},
};

/// The kinds that a listing has in each namespace.
#[derive(Clone, Debug, Default)]
pub(super) struct PrintedNamespaces {
    /// By namespace; rows without a NAMESPACE column are under the empty name.
    namespaces: BTreeMap<String, NamespaceRows>,
    /// Whether the listing shows only some objects of its kinds.
    excerpt: bool,
}

/// The rows of a namespace.
#[derive(Clone, Debug, Default)]
struct NamespaceRows {
    rows: usize,
    /// How many of them belong to a component.
    known: usize,
    /// The same by each namespace that their patterns allow; under the empty name if that is any.
    homes: BTreeMap<String, usize>,
    /// The kinds, in lower case.
    kinds: BTreeSet<String>,
}

/// The minimum number of rows of a namespace: with fewer rows, the absence of a row is not significant.
const MIN_ROWS: usize = 7;

impl PrintedNamespaces {
    pub(super) fn new(rows: &[&Row], best: &[Vec<&OwnedPattern>], excerpt: bool) -> Self {
        let mut namespaces: BTreeMap<String, NamespaceRows> = BTreeMap::new();
        // Cluster-scoped objects belong to no namespace.
        let in_one = |row: &Row| !row.kind.as_deref().is_some_and(is_cluster_scoped);
        for (row, best) in rows.iter().zip(best).filter(|(row, _)| in_one(row)) {
            let namespace = row.namespace.as_deref().unwrap_or_default();
            if !namespaces.contains_key(namespace) {
                namespaces.insert(namespace.to_owned(), NamespaceRows::default());
            }
            let Some(table) = namespaces.get_mut(namespace) else { continue };
            table.rows += 1;
            let homes: BTreeSet<&str> = best.iter().map(|owned| owned.pattern.namespace().unwrap_or_default()).collect();
            // A pattern for any namespace counts once.
            for home in if homes.contains("") { BTreeSet::from([""]) } else { homes } {
                match table.homes.get_mut(home) {
                    Some(rows) => *rows += 1,
                    None => drop(table.homes.insert(home.to_owned(), 1)),
                }
            }
            table.known += usize::from(!best.is_empty());
            table.kinds.extend(row.kind.as_deref().map(str::to_ascii_lowercase).filter(|kind| !table.kinds.contains(kind)));
        }
        Self { namespaces, excerpt }
    }

    /// The rows of a namespace, and the rows without a NAMESPACE column where at least half of them belong to components: otherwise they may be user workloads.
    fn relevant(&self, namespace: Option<&str>) -> impl Iterator<Item = &NamespaceRows> {
        let named = namespace.and_then(|namespace| self.namespaces.get(namespace));
        let unnamed = self.namespaces.get("").filter(|table| table.known * 2 >= table.rows);
        named.into_iter().chain(unnamed).filter(|table| !self.excerpt && table.rows >= MIN_ROWS)
    }

    /// Whether rows of a kind in a namespace would be in the listing.
    fn covers(&self, namespace: Option<&str>, kind: &str) -> bool {
        self.relevant(namespace).any(|table| table.kinds.contains(&kind.to_ascii_lowercase()))
    }

    /// Whether a namespace is in the listing; without a NAMESPACE column, whether at least half of the rows may be in it.
    fn shows(&self, namespace: Option<&str>) -> bool {
        let in_it = |table: &NamespaceRows, namespace: &str| ["", namespace].into_iter().filter_map(|home| table.homes.get(home)).sum();
        let known = |table: &NamespaceRows| namespace.map_or(table.known, |namespace| in_it(table, namespace));
        namespace.is_some_and(|namespace| self.namespaces.contains_key(namespace))
            || self.relevant(None).any(|table| known(table) * 2 >= table.rows)
    }

    /// Whether a component that a provider claims to have would appear in this listing: every workload of the claimed form has its own row or rows for its
    /// Pods. A DaemonSet may have no Pods, if no Node matches its selector.
    pub(super) fn would_show(&self, knowledge: &Knowledge, claim: &Claim, provider: &Id) -> bool {
        let Some(patterns) = claim.component.as_ref().map(|id| knowledge.recogniser.of(id)) else { return false };
        let of_form = |kind: &str| claim.form.as_deref().is_none_or(|form| form.contains(form_of(kind)));
        let fits = |owned: &&OwnedPattern| owned.is_seen_at(provider) && owned.pattern.makes_pods() && of_form(owned.pattern.kind());
        // The control plane of other systems is in other namespaces: of static Pods, those that name the provider count.
        let is_named = |owned: &&OwnedPattern| owned.pattern.kind() == STATIC_POD && !owned.providers.is_empty();
        let here: Vec<&OwnedPattern> = patterns.iter().filter(fits).collect();
        let are_named = here.iter().any(is_named);
        let counts = |owned: &&OwnedPattern| !are_named || owned.pattern.kind() != STATIC_POD || is_named(owned);
        let workloads: Vec<_> = here.into_iter().filter(counts).map(|owned| &owned.pattern).collect();
        workloads.iter().any(|pattern| self.shows(pattern.namespace()))
            && workloads.iter().all(|pattern| {
                let by_pods = pattern.kind() != Controller::DaemonSet.name() && self.covers(pattern.namespace(), POD);
                by_pods || (pattern.is_controlled() && self.covers(pattern.namespace(), pattern.kind()))
            })
    }
}

/// The name of a kind in the form of a claim.
fn form_of(kind: &str) -> &str {
    if kind == STATIC_POD { "static Pod" } else { kind }
}
