//! Findings that the rows of a listing don't show by themselves: missing, hidden, outdated components and idle DaemonSets.
//!
//! The comments of public types and fields are also the descriptions in the JSON Schema of a report.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::{ExplainedRow, Knowledge, namespaces::PrintedNamespaces};
use crate::{
    facts::{LifecycleState, Presence},
    id::Id,
    kb::{Claim, Provider},
};

/// A role that the provider has and no object of the input fills.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(rename = "Missing")]
pub struct MissingComponents {
    /// The id of the role; null for components without a role.
    #[schemars(with = "Option<String>")]
    pub role: Option<Id>,
    /// Ids of the components that can have it.
    #[schemars(with = "Vec<String>")]
    pub components: Vec<Id>,
}

/// A DaemonSet without Pods.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Idle")]
pub struct IdleDaemonSet {
    /// The line of the input, counted from 1.
    pub line: usize,
    /// The Node selector.
    // The labels that no Node seems to have, separated by commas; empty if the listing has no selector.
    pub selector: String,
}

/// A deprecated or removed component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Outdated")]
pub struct OutdatedComponent {
    /// The id.
    #[schemars(with = "String")]
    pub component: Id,
    /// The current state.
    pub state: LifecycleState,
    /// Ids of its successors.
    #[schemars(with = "Vec<String>")]
    pub replaced_by: Vec<Id>,
}

/// The claims of a provider by the role that they are about; claims without a role are grouped by component, and come first.
fn claims_by_role(provider: &Provider) -> BTreeMap<(Option<&Id>, Option<&Id>), Vec<&Claim>> {
    let mut roles: BTreeMap<(Option<&Id>, Option<&Id>), Vec<&Claim>> = BTreeMap::new();
    for claim in &provider.claims {
        let own = claim.component.as_ref().filter(|_| claim.role.is_none());
        roles.entry((claim.role.as_ref(), own)).or_default().push(claim);
    }
    roles
}

/// The components that are usually present at a provider, would appear in the listing, and don't; excluding those that were added or removed in some version.
pub(super) fn missing(
    knowledge: &Knowledge,
    provider: &Provider,
    present: &BTreeSet<&Id>,
    printed: &PrintedNamespaces,
) -> Vec<MissingComponents> {
    let mut missing = Vec::new();
    for ((role, _), claims) in claims_by_role(provider) {
        let is_filled = claims.iter().any(|claim| claim.component.as_ref().is_some_and(|id| present.contains(id)));
        // The role may be filled by something without rows, or the provider may do without it.
        let needs_no_row = |claim: &&Claim| claim.component.is_none() && (claim.presence.is_shipped() || claim.presence == Presence::None);
        let is_invisible = claims.iter().any(needs_no_row);
        if is_filled || is_invisible {
            continue;
        }
        let absent = claims.iter().filter(|claim| claim.is_usual() && printed.would_show(knowledge, claim, &provider.id));
        let components: BTreeSet<&Id> = absent.filter_map(|claim| claim.component.as_ref()).collect();
        if !components.is_empty() {
            missing.push(MissingComponents { role: role.cloned(), components: components.into_iter().cloned().collect() });
        }
    }
    // A component can have several roles.
    let mut seen = BTreeSet::new();
    missing.retain(|one| seen.insert(one.components.clone()));
    missing
}

/// The provider-managed components that have no row in the listing.
pub(super) fn hidden(knowledge: &Knowledge, provider: &Provider, present: &BTreeSet<&Id>) -> Vec<Id> {
    let hidden = provider.claims.iter().filter(|claim| claim.presence == Presence::Hidden).filter_map(|claim| claim.component.as_ref());
    let known: BTreeSet<&Id> = hidden.filter(|id| !present.contains(id) && knowledge.components.contains(id)).collect();
    known.into_iter().cloned().collect()
}

/// DaemonSets with no desired Pods. A label in the selector of a DaemonSet that has desired Pods exists on some Node, so it is not the reason.
pub(super) fn idle(rows: &[ExplainedRow]) -> Vec<IdleDaemonSet> {
    let daemon_sets = || rows.iter().filter_map(|row| Some((row.line, row.row.nodes.as_ref()?)));
    let found: BTreeSet<&str> = daemon_sets().filter(|(_, nodes)| nodes.any).flat_map(|(_, nodes)| nodes.selector.split(',')).collect();
    let idle = daemon_sets().filter(|(_, nodes)| !nodes.any).map(|(line, nodes)| {
        let lacking: Vec<&str> = nodes.selector.split(',').filter(|label| !label.is_empty() && !found.contains(label)).collect();
        IdleDaemonSet { line, selector: lacking.join(",") }
    });
    idle.collect()
}

/// The running components that are deprecated, removed or archived.
pub(super) fn outdated(knowledge: &Knowledge, running: &BTreeSet<&Id>) -> Vec<OutdatedComponent> {
    let outdated = running.iter().filter_map(|id| {
        let component = knowledge.components.get(id)?;
        let lifecycle = component.lifecycle.as_ref()?;
        lifecycle.state.is_over().then(|| OutdatedComponent {
            component: (*id).clone(),
            state: lifecycle.state,
            replaced_by: lifecycle.replaced_by.clone(),
        })
    });
    outdated.collect()
}
