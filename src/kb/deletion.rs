//! The effects of deletions: of a Pod, and of its workload.

use super::Text;
use crate::{facts::Verdict, id::Id, listing::Controller};

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
