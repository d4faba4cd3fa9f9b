//! The effects of deletions: of a Pod, and of its workload.

use std::collections::BTreeSet;

use super::{Component, Listing, Text};
use crate::{
    facts::Verdict,
    id::Id,
    listing::{Controller, POD},
};

/// The effects of deleting a component, or the object of a section.
#[derive(Clone, Debug, Default)]
pub struct Deletion {
    /// The effect of deleting one of its Pods, unless it follows from the controller that recreates the Pod.
    pub restart: Option<Restart>,
    /// The effect of deleting the object itself.
    pub removal: Option<Removal>,
}

/// The facts that complete the answer that follows from the controller of a Pod.
#[derive(Clone, Debug)]
pub struct Restart {
    /// Replaces the verdict that follows from the controller.
    pub verdict: Option<Verdict>,
    /// The function that is unavailable until the new Pod is ready.
    pub impact: Option<Text>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// The effect of a deletion of the object itself.
#[derive(Clone, Debug)]
pub struct Removal {
    /// In general.
    pub general: RemovalCase,
    /// The cases of providers that differ.
    pub providers: Vec<(Id, RemovalCase)>,
}

/// The effect of a deletion, in general or at one provider.
#[derive(Clone, Debug)]
pub struct RemovalCase {
    /// Whether it can be deleted.
    pub verdict: Verdict,
    /// The consequence.
    pub effect: Option<Text>,
    /// The actor that recreates it.
    pub restored_by: Option<Text>,
    /// The supported way to disable it.
    pub disable: Option<Text>,
    /// Keys of the evidence.
    pub evidence: Vec<Id>,
}

/// The answers for one object, at one provider.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The controller that recreates the object; `None` for the workload itself, and for everything that Kubernetes doesn't recreate.
    pub controller: Option<Controller>,
    /// The facts about the deletion of a Pod.
    pub restart: Option<&'a Restart>,
    /// The facts about the deletion of the object that the row belongs to, such as the Deployment of a Pod.
    pub removal: Option<&'a RemovalCase>,
}

impl Removal {
    /// The case of a provider, else the general one.
    #[must_use]
    pub fn at(&self, provider: Option<&Id>) -> &RemovalCase {
        self.providers.iter().find(|(id, _)| Some(id) == provider).map_or(&self.general, |(_, case)| case)
    }
}

impl Answer<'_> {
    /// Whether the object can be deleted: for a Pod, the answer for Pods; otherwise, the answer for the object itself.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict> {
        self.restart_verdict().or_else(|| self.removal_verdict())
    }

    /// Whether an object with a controller can be deleted, or a Pod without one if the facts state it; `None` for others.
    #[must_use]
    pub fn restart_verdict(&self) -> Option<Verdict> {
        match self.controller {
            Some(controller) => Some(restart_verdict(controller, self.restart)),
            None => self.restart?.verdict,
        }
    }

    /// Whether the object that its author created can be deleted.
    #[must_use]
    pub fn removal_verdict(&self) -> Option<Verdict> {
        self.removal.map(|case| case.verdict)
    }
}

impl Component {
    /// Whether its deletion facts, which are about its workload, also apply to the objects of these listing entries. Those of a component without workloads are
    /// about its objects.
    fn applies_to(&self, entries: &[usize]) -> bool {
        let has_workload = self.listing.iter().any(|entry| entry.pattern.makes_pods());
        let mut own = entries.iter().filter_map(|entry| self.listing.get(*entry));
        !own.any(|entry| entry.pattern.is_definition() || (has_workload && entry.pattern.has_own_effect()))
    }

    /// The effects of deleting the component, or the object that a section explains. A section without facts has none.
    #[must_use]
    pub fn deletion_of(&self, section: Option<&Id>) -> Option<&Deletion> {
        let Some(section) = section else { return Some(&self.deletion) };
        self.section_deletions.iter().find(|(id, _)| id == section).map(|(_, deletion)| deletion)
    }

    /// The effects of deleting the object of a row, given the listing entries that match the row and the controller that recreates the object. For objects such
    /// as a ServiceAccount, a Namespace or a CustomResourceDefinition, the facts about the workload don't apply.
    #[must_use]
    pub fn answer(&self, entries: &[usize], controller: Option<Controller>, provider: Option<&Id>) -> Answer<'_> {
        let section = self.section_of_row(entries);
        let deletion = if section.is_none() && !self.applies_to(entries) { None } else { self.deletion_of(section) };
        let is_pod = match controller {
            Some(controller) => controller.has_pods(),
            None => entries.iter().filter_map(|entry| self.listing.get(*entry)).any(|entry| entry.kind == POD),
        };
        Answer {
            controller,
            restart: deletion.filter(|_| is_pod).and_then(|deletion| deletion.restart.as_ref()),
            removal: deletion.and_then(|deletion| deletion.removal.as_ref()).map(|removal| removal.at(provider)),
        }
    }

    /// The entries with Pods that make up the component or belong to a section. A Job or a single Pod next to a workload that runs permanently, such as one that migrates
    /// data, is not the component.
    fn workloads<'s>(&'s self, section: Option<&Id>) -> impl Iterator<Item = &'s Listing> {
        let is_temporary = |entry: &Listing| matches!(entry.kind.as_str(), "Job" | POD);
        let own = move || self.listing.iter().filter(move |entry| entry.section.as_ref() == section && entry.pattern.makes_pods());
        let runs = own().any(|entry| !is_temporary(entry));
        own().filter(move |entry| !(runs && is_temporary(entry)))
    }

    /// The kinds of the objects with Pods that make up the component or belong to a section, such as `Deployment`, without duplicates.
    #[must_use]
    pub fn workload_kinds(&self, section: Option<&Id>) -> Vec<&str> {
        let mut kinds: Vec<&str> = Vec::new();
        for entry in self.workloads(section) {
            if !kinds.contains(&entry.kind.as_str()) {
                kinds.push(&entry.kind);
            }
        }
        kinds
    }

    /// Whether anything is known about deleting it.
    #[must_use]
    pub fn has_answers(&self) -> bool {
        self.deletion.removal.is_some() || self.deletion.restart.is_some() || !self.pod_answers(None).is_empty()
    }

    /// The answers for the Pods of the component or of a section's object, without duplicates: what recreates them, and whether they can be deleted. Pods without a
    /// controller have an answer if the facts state one.
    #[must_use]
    pub fn pod_answers(&self, section: Option<&Id>) -> Vec<(Option<Controller>, Verdict)> {
        let restart = self.deletion_of(section).and_then(|deletion| deletion.restart.as_ref());
        let controllers: BTreeSet<_> = self.workloads(section).filter_map(|entry| entry.pattern.pod_controller()).collect();
        let answer = |controller: Option<Controller>| {
            let verdict = controller.map_or_else(|| restart?.verdict, |controller| Some(restart_verdict(controller, restart)));
            Some((controller, verdict?))
        };
        controllers.into_iter().filter_map(answer).collect()
    }
}

/// Whether an object with a controller can be deleted: as stated by the facts, or else the answer that follows from the controller.
#[must_use]
pub fn restart_verdict(controller: Controller, restart: Option<&Restart>) -> Verdict {
    // The facts are about Pods, and neither the ReplicaSet of a Deployment nor the Job of a CronJob is a Pod.
    let stated = restart.filter(|_| controller.has_pods()).and_then(|restart| restart.verdict);
    stated.unwrap_or(if controller.recreates() { Verdict::ComesBack } else { Verdict::SafeIfUnused })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_about_pods_replace_what_follows_from_the_controller() {
        let restart = |verdict| Restart { verdict, impact: None, evidence: Vec::new() };
        let case = RemovalCase { verdict: Verdict::Never, effect: None, restored_by: None, disable: None, evidence: Vec::new() };
        let verdict = |controller, restart: Option<&Restart>| Answer { controller, restart, removal: Some(&case) }.verdict();
        assert_eq!(verdict(None, None), Some(Verdict::Never));
        assert_eq!(verdict(None, Some(&restart(None))), Some(Verdict::Never));
        assert_eq!(verdict(None, Some(&restart(Some(Verdict::Safe)))), Some(Verdict::Safe));
        assert_eq!(verdict(Some(Controller::DaemonSet), None), Some(Verdict::ComesBack));
        assert_eq!(verdict(Some(Controller::DaemonSet), Some(&restart(None))), Some(Verdict::ComesBack));
        assert_eq!(verdict(Some(Controller::DaemonSet), Some(&restart(Some(Verdict::Blocked)))), Some(Verdict::Blocked));
        assert_eq!(verdict(Some(Controller::Deployment), Some(&restart(Some(Verdict::Blocked)))), Some(Verdict::ComesBack));
        assert_eq!(verdict(Some(Controller::Job), None), Some(Verdict::SafeIfUnused));
        assert_eq!(Answer { controller: None, restart: None, removal: None }.verdict(), None);
    }
}
