//! Two listings of one cluster: what appeared, what vanished, what took the place of something.

use std::collections::BTreeMap;

use super::{Explained, Knowledge, Owner, Report};
use crate::{id::Id, listing::without_made_up};

/// An object of a listing, whatever its Pods are called today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its namespace, if the listing tells.
    pub namespace: Option<String>,
    /// Its kind; of Pods, that of the object they come from, if it is known.
    pub kind: Option<String>,
    /// Its name, without what was made up for a Pod.
    pub name: String,
    /// Whose it is.
    pub owner: Option<Owner>,
}

/// How a listing differs from one before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What is there now only.
    pub appeared: Vec<Object>,
    /// What was there before only.
    pub vanished: Vec<Object>,
    /// What was there before, and what does its work now.
    pub replaced: Vec<(Object, Object)>,
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
pub fn changes(knowledge: &Knowledge, before: &Report, after: &Report) -> Changes {
    let (old, new) = (objects(knowledge, &before.rows), objects(knowledge, &after.rows));
    let only = |these: &BTreeMap<Identity, (usize, Object)>, others: &BTreeMap<Identity, (usize, Object)>| -> Vec<Object> {
        let mut only: Vec<&(usize, Object)> =
            these.iter().filter(|(identity, _)| !others.contains_key(*identity)).map(|(_, object)| object).collect();
        only.sort_by_key(|(position, _)| *position);
        only.into_iter().map(|(_, object)| object.clone()).collect()
    };
    let (mut vanished, mut appeared) = (only(&old, &new), only(&new, &old));
    let mut replaced = Vec::new();
    // The same part under another name is nearer than another part for the same job.
    let ways: [fn(&Knowledge, &Object, &Object) -> bool; 2] = [|_, come, gone| is_renamed(come, gone), takes_place_of];
    for way in ways {
        vanished.retain(|gone| {
            let successor = appeared.iter().position(|come| way(knowledge, come, gone));
            successor.map(|at| replaced.push((gone.clone(), appeared.remove(at)))).is_none()
        });
    }
    let unchanged = new.keys().filter(|identity| old.contains_key(*identity)).count();
    Changes { appeared, vanished, replaced, unchanged }
}

/// The objects of a listing with where each is first seen.
fn objects(knowledge: &Knowledge, rows: &[Explained]) -> BTreeMap<Identity, (usize, Object)> {
    let mut objects = BTreeMap::new();
    for (position, explained) in rows.iter().enumerate() {
        let row = &explained.row;
        let object = match &explained.owner {
            Some(owner) => {
                let pattern = owner.entries.first().and_then(|entry| knowledge.recogniser.of(&owner.component).get(*entry));
                let kind =
                    pattern.map(|owned| owned.pattern.kind().to_owned()).filter(|_| owner.runs(knowledge)).or_else(|| row.kind.clone());
                Object { namespace: row.namespace.clone(), kind, name: owner.object.clone(), owner: Some(owner.clone()) }
            }
            None => Object { namespace: row.namespace.clone(), kind: row.kind.clone(), name: without_made_up(row).to_owned(), owner: None },
        };
        let kind = object.kind.clone().unwrap_or_default();
        let kind = if WORKLOADS.contains(&kind.as_str()) { String::new() } else { kind };
        let identity = (object.namespace.clone().unwrap_or_default(), kind, object.name.clone());
        objects.entry(identity).or_insert((position, object));
    }
    objects
}

/// Whether something is the same part of the same component as something before, under another name: a version is in it.
fn is_renamed(come: &Object, gone: &Object) -> bool {
    let (Some(new), Some(old)) = (&come.owner, &gone.owner) else { return false };
    new.component == old.component && new.entries == old.entries && come.namespace == gone.namespace
}

/// Whether something does now what something else did before: it has the same job, or the facts call it the successor.
fn takes_place_of(knowledge: &Knowledge, come: &Object, gone: &Object) -> bool {
    let (Some(new), Some(old)) = (&come.owner, &gone.owner) else { return false };
    if new.component == old.component {
        return false;
    }
    let (Some(new), Some(old)) = (knowledge.components.get(&new.component), knowledge.components.get(&old.component)) else { return false };
    let successors = |id: &Id| old.lifecycle.as_ref().is_some_and(|lifecycle| lifecycle.replaced_by.contains(id));
    let runs = |object: &Object| object.owner.as_ref().is_some_and(|owner| owner.runs(knowledge));
    runs(come) && runs(gone) && (successors(&new.id) || new.roles.iter().any(|role| old.roles.contains(role)))
}
