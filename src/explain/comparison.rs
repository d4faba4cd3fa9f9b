//! The comparison of two listings of one cluster: objects that appeared, vanished, or replaced others.

use std::collections::{BTreeMap, VecDeque};

use schemars::JsonSchema;
use serde::Serialize;

use super::{Amount, ExplainedRow, Explanation, Knowledge, RowOwner};
use crate::{
    id::Id,
    listing::{is_workload, without_generated_suffixes},
};

/// An object of a listing, without the suffixes that differ between its Pods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedObject {
    /// Its namespace, if known.
    pub namespace: Option<String>,
    /// Its kind; for Pods that of their controller, if known.
    pub kind: Option<String>,
    /// Its name, without generated suffixes.
    pub name: String,
    /// The component that it belongs to.
    pub owner: Option<RowOwner>,
}

/// The differences between two listings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListingComparison {
    /// Objects of the second listing only.
    pub appeared: Vec<ComparedObject>,
    /// Objects of the first listing only.
    pub vanished: Vec<ComparedObject>,
    /// Objects of the first listing with their replacements in the second.
    pub replaced: Vec<(ComparedObject, ComparedObject)>,
    /// The number of objects in both.
    pub unchanged: usize,
    /// Components whose versions differ.
    pub versions: Vec<VersionChange>,
    /// What the system and the user's own workloads requested before and after; `None` unless both listings have whole objects.
    pub requests: Option<RequestChange>,
    /// Pods that are in both and were restarted in between.
    pub restarts: Vec<RestartChange>,
}

/// A component whose versions differ between two listings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VersionChange {
    /// The id of the component.
    #[schemars(with = "String")]
    pub component: Id,
    /// Its versions in the first input.
    pub before: Vec<String>,
    /// Its versions in the second input.
    pub after: Vec<String>,
}

/// What Pods request in two listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RequestChange {
    /// The components of the system in the first input.
    pub system_before: Amount,
    /// The components of the system in the second input.
    pub system_after: Amount,
    /// All other Pods in the first input.
    pub own_before: Amount,
    /// All other Pods in the second input.
    pub own_after: Amount,
}

/// A Pod that was restarted between two listings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RestartChange {
    /// The namespace, if known.
    pub namespace: Option<String>,
    /// The name of the Pod.
    pub name: String,
    /// The id of the component; null if there is no explanation.
    #[schemars(with = "Option<String>")]
    pub component: Option<Id>,
    /// The number of restarts in the first input.
    pub before: u32,
    /// The number of restarts in the second input.
    pub after: u32,
}

/// The objects of a listing with the index of their first row, by namespace, kind and name. The kind is empty for
/// workloads: a listing may show a Deployment without its Pods, or the Pods without the Deployment.
type ObjectTable = BTreeMap<(String, String, String), (usize, ComparedObject)>;

/// Compares two explained listings.
#[must_use]
pub fn compare(knowledge: &Knowledge, before: &Explanation, after: &Explanation) -> ListingComparison {
    let (old, new) = (objects(knowledge, &before.rows), objects(knowledge, &after.rows));
    let only = |these: &ObjectTable, others: &ObjectTable| -> Vec<ComparedObject> {
        let mut only: Vec<&(usize, ComparedObject)> =
            these.iter().filter(|(identity, _)| !others.contains_key(*identity)).map(|(_, object)| object).collect();
        only.sort_by_key(|(position, _)| *position);
        only.into_iter().map(|(_, object)| object.clone()).collect()
    };
    let (vanished, appeared) = (only(&old, &new), only(&new, &old));
    let (mut vanished, mut appeared): (Vec<_>, Vec<_>) =
        (vanished.into_iter().map(Some).collect(), appeared.into_iter().map(Some).collect());
    let mut replaced = Vec::new();
    // A renamed object is a better match than another component with the same role.
    for pairs in [renamed_pairs, successor_pairs] {
        for (gone, come) in pairs(knowledge, &vanished, &appeared) {
            replaced.extend(vanished[gone].take().zip(appeared[come].take()));
        }
    }
    let (vanished, appeared) = (vanished.into_iter().flatten().collect(), appeared.into_iter().flatten().collect());
    let unchanged = new.keys().filter(|identity| old.contains_key(*identity)).count();
    let requests = before.cost.as_ref().zip(after.cost.as_ref()).map(|(before, after)| RequestChange {
        system_before: before.system.requests,
        system_after: after.system.requests,
        own_before: before.own.requests,
        own_after: after.own.requests,
    });
    let (versions, restarts) = (version_changes(before, after), restart_changes(before, after));
    ListingComparison { appeared, vanished, replaced, unchanged, versions, requests, restarts }
}

/// The components that are in both listings with different versions.
fn version_changes(before: &Explanation, after: &Explanation) -> Vec<VersionChange> {
    let versions = |report: &Explanation| {
        let mut versions: BTreeMap<Id, Vec<String>> = BTreeMap::new();
        for version in &report.versions {
            versions.entry(version.component.clone()).or_default().push(version.version.clone());
        }
        for tags in versions.values_mut() {
            tags.sort();
        }
        versions
    };
    let mut old = versions(before);
    let both = versions(after).into_iter().filter_map(|(component, after)| Some((old.remove(&component)?, component, after)));
    both.filter(|(before, _, after)| before != after).map(|(before, component, after)| VersionChange { component, before, after }).collect()
}

/// The Pods with the same name in both listings whose restarts have increased.
fn restart_changes(before: &Explanation, after: &Explanation) -> Vec<RestartChange> {
    let restarts = |row: &ExplainedRow| row.row.health.as_ref()?.restarts;
    let identity = |row: &ExplainedRow| (row.row.namespace.clone(), row.row.name.clone());
    let old: BTreeMap<_, u32> = before.rows.iter().filter_map(|row| Some((identity(row), restarts(row)?))).collect();
    let changed = after.rows.iter().filter_map(|row| {
        let (before, after) = (*old.get(&identity(row))?, restarts(row)?);
        let component = row.owner.as_ref().map(|owner| owner.component.clone());
        (before < after).then(|| RestartChange {
            namespace: row.row.namespace.clone(),
            name: row.row.name.clone(),
            component,
            before,
            after,
        })
    });
    changed.collect()
}

fn objects(knowledge: &Knowledge, rows: &[ExplainedRow]) -> ObjectTable {
    let mut objects = BTreeMap::new();
    for (position, explained) in rows.iter().enumerate() {
        let (row, owner) = (&explained.row, explained.owner.as_ref());
        let workload = owner.filter(|owner| owner.runs(knowledge));
        let pattern = workload.and_then(|owner| knowledge.recogniser.of(&owner.component).get(*owner.entries.first()?));
        let object = ComparedObject {
            namespace: row.namespace.clone(),
            kind: pattern.map(|owned| owned.pattern.kind().to_owned()).or_else(|| row.kind.clone()),
            name: owner.map_or_else(|| without_generated_suffixes(row), |owner| &owner.object).to_owned(),
            // The object is the workload, not its Pod.
            owner: owner.map(|owner| RowOwner { controller: owner.controller.filter(|_| pattern.is_none()), ..owner.clone() }),
        };
        let kind = object.kind.clone().unwrap_or_default();
        let kind = if is_workload(&kind) { String::new() } else { kind };
        let identity = (object.namespace.clone().unwrap_or_default(), kind, object.name.clone());
        objects.entry(identity).or_insert((position, object));
    }
    objects
}

/// Objects that are not paired yet.
type UnpairedObjects = [Option<ComparedObject>];

/// The indices of objects with an owner, in their order.
fn owned(objects: &UnpairedObjects) -> impl Iterator<Item = (usize, &ComparedObject, &RowOwner)> {
    let unpaired = objects.iter().enumerate().filter_map(|(index, object)| Some((index, object.as_ref()?)));
    unpaired.filter_map(|(index, object)| Some((index, object, object.owner.as_ref()?)))
}

/// A part of a component: its id, the listing entries that fit, the namespace.
type ComponentPart<'a> = (&'a Id, &'a [usize], Option<&'a str>);

/// Pairs of objects that are the same part of a component under different names, such as names with a version. Each object takes the first unpaired one.
fn renamed_pairs(_: &Knowledge, vanished: &UnpairedObjects, appeared: &UnpairedObjects) -> Vec<(usize, usize)> {
    let mut parts: BTreeMap<ComponentPart<'_>, VecDeque<usize>> = BTreeMap::new();
    for (index, object, owner) in owned(appeared) {
        parts.entry((&owner.component, &owner.entries, object.namespace.as_deref())).or_default().push_back(index);
    }
    let mut pairs = Vec::new();
    for (gone, object, owner) in owned(vanished) {
        let part = parts.get_mut(&(&owner.component, owner.entries.as_slice(), object.namespace.as_deref()));
        pairs.extend(part.and_then(VecDeque::pop_front).map(|come| (gone, come)));
    }
    pairs
}

/// Pairs of objects where the component of one replaces that of the other. Each object takes the first unpaired one.
fn successor_pairs(knowledge: &Knowledge, vanished: &UnpairedObjects, appeared: &UnpairedObjects) -> Vec<(usize, usize)> {
    let mut components: BTreeMap<&Id, VecDeque<usize>> = BTreeMap::new();
    for (index, _, owner) in owned(appeared).filter(|(_, _, owner)| owner.runs(knowledge)) {
        components.entry(&owner.component).or_default().push_back(index);
    }
    // The successors of each component that vanished. There are only a few.
    let mut successors: BTreeMap<&Id, Vec<&Id>> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (gone, _, owner) in owned(vanished).filter(|(_, _, owner)| owner.runs(knowledge)) {
        let old = &owner.component;
        let successors =
            successors.entry(old).or_insert_with(|| components.keys().copied().filter(|new| takes_place_of(knowledge, new, old)).collect());
        let first = successors.iter().filter_map(|new| Some((*components.get(*new)?.front()?, *new))).min();
        if let Some((come, new)) = first {
            components.get_mut(new).and_then(VecDeque::pop_front);
            pairs.push((gone, come));
        }
    }
    pairs
}

/// Whether a component replaces another: they share a role, or the facts name it as a successor.
fn takes_place_of(knowledge: &Knowledge, new: &Id, old: &Id) -> bool {
    let (Some(come), Some(gone)) = (knowledge.components.get(new), knowledge.components.get(old)) else { return false };
    let is_successor = || gone.lifecycle.as_ref().is_some_and(|lifecycle| lifecycle.replaced_by.contains(&come.id));
    new != old && (is_successor() || come.roles.iter().any(|role| gone.roles.contains(role)))
}
