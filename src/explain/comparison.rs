//! The comparison of two listings of one cluster: objects that appeared, vanished, or replaced others.

use std::collections::BTreeMap;

use super::{ExplainedRow, Explanation, Knowledge, RowOwner};
use crate::{id::Id, listing::without_generated_suffixes};

/// An object of a listing, whatever its Pods are called today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedObject {
    /// Its namespace, if the listing tells.
    pub namespace: Option<String>,
    /// Its kind; of Pods, that of the object they come from, if it is known.
    pub kind: Option<String>,
    /// Its name, without what was made up for a Pod.
    pub name: String,
    /// Whose it is.
    pub owner: Option<RowOwner>,
}

/// How a listing differs from one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListingComparison {
    /// What is there now only.
    pub appeared: Vec<ComparedObject>,
    /// What was there before only.
    pub vanished: Vec<ComparedObject>,
    /// What was there before, and what does its work now.
    pub replaced: Vec<(ComparedObject, ComparedObject)>,
    /// How many objects are as before.
    pub unchanged: usize,
}

/// What makes an object the same: its namespace, its kind if it is none that Pods come from, its name.
type Identity = (String, String, String);

/// Kinds of which one stands for the other: the Pods of a Deployment are printed without it, and the other way round.
const WORKLOADS: &[&str] =
    &["Pod", "ReplicaSet", "Deployment", "DaemonSet", "StatefulSet", "ReplicationController", "StaticPod", "Job", "CronJob"];

/// Compares two explained listings.
#[must_use]
pub fn compare(knowledge: &Knowledge, before: &Explanation, after: &Explanation) -> ListingComparison {
    let (old, new) = (objects(knowledge, &before.rows), objects(knowledge, &after.rows));
    let only = |these: &BTreeMap<Identity, (usize, ComparedObject)>,
                others: &BTreeMap<Identity, (usize, ComparedObject)>|
     -> Vec<ComparedObject> {
        let mut only: Vec<&(usize, ComparedObject)> =
            these.iter().filter(|(identity, _)| !others.contains_key(*identity)).map(|(_, object)| object).collect();
        only.sort_by_key(|(position, _)| *position);
        only.into_iter().map(|(_, object)| object.clone()).collect()
    };
    let (mut vanished, mut appeared) = (only(&old, &new), only(&new, &old));
    let mut replaced = Vec::new();
    // The same part under another name is nearer than another part for the same job.
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

/// The objects of a listing with where each is first seen.
fn objects(knowledge: &Knowledge, rows: &[ExplainedRow]) -> BTreeMap<Identity, (usize, ComparedObject)> {
    let mut objects = BTreeMap::new();
    for (position, explained) in rows.iter().enumerate() {
        let row = &explained.row;
        let object = match &explained.owner {
            Some(owner) => {
                let pattern = owner.entries.first().and_then(|entry| knowledge.recogniser.of(&owner.component).get(*entry));
                let kind =
                    pattern.map(|owned| owned.pattern.kind().to_owned()).filter(|_| owner.runs(knowledge)).or_else(|| row.kind.clone());
                ComparedObject { namespace: row.namespace.clone(), kind, name: owner.object.clone(), owner: Some(owner.clone()) }
            }
            None => ComparedObject {
                namespace: row.namespace.clone(),
                kind: row.kind.clone(),
                name: without_generated_suffixes(row).to_owned(),
                owner: None,
            },
        };
        let kind = object.kind.clone().unwrap_or_default();
        let kind = if WORKLOADS.contains(&kind.as_str()) { String::new() } else { kind };
        let identity = (object.namespace.clone().unwrap_or_default(), kind, object.name.clone());
        objects.entry(identity).or_insert((position, object));
    }
    objects
}

/// Whether something is the same part of the same component as something before, under another name: a version is in it.
fn is_renamed(come: &ComparedObject, gone: &ComparedObject) -> bool {
    let (Some(new), Some(old)) = (&come.owner, &gone.owner) else { return false };
    new.component == old.component && new.entries == old.entries && come.namespace == gone.namespace
}

/// Whether something does now what something else did before: it has the same job, or the facts call it the successor.
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
