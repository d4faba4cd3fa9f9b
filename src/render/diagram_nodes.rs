//! The nodes of a diagram, in a release.

use super::node_facts::NodeFacts;
use crate::{
    diagram::Status,
    facts::LifecycleState,
    id::Id,
    kb::{Diagram, Kb, Lifecycle, ReleaseIndex},
};

pub(super) fn lifecycle<'a>(kb: &'a Kb, id: &Id) -> Option<&'a Lifecycle> {
    NodeFacts::of(kb, id)?.lifecycle
}

/// The nodes of a diagram with their status in a release, or in the newest one if `release` is `None`.
pub(super) fn diagram_nodes<'a>(kb: &Kb, diagram: &'a Diagram, release: Option<ReleaseIndex>) -> Vec<(&'a Id, Status)> {
    let release = release.or_else(|| kb.vocabulary.newest_release()).filter(|_| diagram.by_release);
    let status = |id: &Id| match (lifecycle(kb, id), release) {
        (Some(lifecycle), Some(release)) if !lifecycle.exists_in(release) => None,
        (Some(lifecycle), Some(release)) if lifecycle.deprecated_in(release) => Some(Status::Deprecated),
        (Some(lifecycle), None) => Some(status_today(lifecycle.state)),
        _ => Some(Status::Present),
    };
    diagram.nodes.iter().filter_map(|id| Some((id, status(id)?))).collect()
}

pub(super) const fn status_today(state: LifecycleState) -> Status {
    match state {
        LifecycleState::Active | LifecycleState::Unknown => Status::Present,
        LifecycleState::Deprecated => Status::Deprecated,
        LifecycleState::Removed | LifecycleState::Archived => Status::Gone,
    }
}
