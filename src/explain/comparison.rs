//! The comparison of two listings of one cluster: objects that appeared, vanished, or replaced others.

use std::collections::BTreeMap;

use super::{ExplainedRow, Explanation, Knowledge, RowOwner};
use crate::{id::Id, listing::without_generated_suffixes};

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
}

/// The objects of a listing with the index of their first row, by namespace, kind (empty for [`WORKLOADS`]) and name.
type ObjectTable = BTreeMap<(String, String, String), (usize, ComparedObject)>;

/// Kinds that are not distinguished: a listing may show a Deployment without its Pods, or the Pods without the Deployment.
const WORKLOADS: &[&str] =
    &["Pod", "ReplicaSet", "Deployment", "DaemonSet", "StatefulSet", "ReplicationController", "StaticPod", "Job", "CronJob"];

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
    let (mut vanished, mut appeared) = (only(&old, &new), only(&new, &old));
    let mut replaced = Vec::new();
    // A renamed object is a better match than another component with the same role.
    let ways: [fn(&Knowledge, &ComparedObject, &ComparedObject) -> bool; 2] = [|_, come, gone| is_renamed(come, gone), takes_place_of];
    for way in ways {
        vanished.retain(|gone| {
            let successor = appeared.iter().position(|come| way(knowledge, come, gone));
            successor.map(|at| replaced.push((gone.clone(), appeared.remove(at)))).is_none()
        });
    }
    let unchanged = new.keys().filter(|identity| old.contains_key(*identity)).count();
    ListingComparison { appeared, vanished, replaced, unchanged }
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
            owner: owner.cloned(),
        };
        let kind = object.kind.clone().unwrap_or_default();
        let kind = if WORKLOADS.contains(&kind.as_str()) { String::new() } else { kind };
        let identity = (object.namespace.clone().unwrap_or_default(), kind, object.name.clone());
        objects.entry(identity).or_insert((position, object));
    }
    objects
}

/// Whether two objects are the same part of a component under different names, such as names with a version.
fn is_renamed(come: &ComparedObject, gone: &ComparedObject) -> bool {
    let (Some(new), Some(old)) = (&come.owner, &gone.owner) else { return false };
    new.component == old.component && new.entries == old.entries && come.namespace == gone.namespace
}

/// Whether a component replaces another: they share a role, or the facts name it as a successor.
fn takes_place_of(knowledge: &Knowledge, come: &ComparedObject, gone: &ComparedObject) -> bool {
    let (Some(new), Some(old)) = (&come.owner, &gone.owner) else { return false };
    if new.component == old.component {
        return false;
    }
    let (Some(new), Some(old)) = (knowledge.components.get(&new.component), knowledge.components.get(&old.component)) else { return false };
    let successors = |id: &Id| old.lifecycle.as_ref().is_some_and(|lifecycle| lifecycle.replaced_by.contains(id));
    let runs = |object: &ComparedObject| object.owner.as_ref().is_some_and(|owner| owner.runs(knowledge));
    runs(come) && runs(gone) && (successors(&new.id) || new.roles.iter().any(|role| old.roles.contains(role)))
}
