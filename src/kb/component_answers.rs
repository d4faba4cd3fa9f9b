//! Which facts about deletions apply to the objects of a component.

use std::collections::BTreeSet;

use super::{Answer, Component, Deletion, Listing, restart_verdict};
use crate::{
    facts::Verdict,
    id::Id,
    listing::{Controller, POD},
};

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
