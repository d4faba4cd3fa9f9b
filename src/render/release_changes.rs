//! What changed between two releases: components, concepts, flags, ports, and the components of providers.

use super::node_facts::NodeFacts;
use crate::{
    id::Id,
    kb::{Claim, Kb, Provider, ReleaseIndex, Since, Text},
};

/// The kind of a change, in the order in which readers who upgrade need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChangeKind {
    Removed,
    Deprecated,
    /// A provider has another component by default, or none.
    Default,
    Added,
}

impl ChangeKind {
    pub(super) const ALL: [Self; 4] = [Self::Removed, Self::Deprecated, Self::Default, Self::Added];

    /// The name, which is also the end of the key of its label.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Removed => "removed",
            Self::Deprecated => "deprecated",
            Self::Default => "default",
            Self::Added => "added",
        }
    }
}

/// A change of a component or a concept.
#[derive(Clone, Debug)]
pub(super) struct ReleaseChange<'a> {
    pub(super) kind: ChangeKind,
    pub(super) release: ReleaseIndex,
    /// The component or concept; `None` if a provider has something else.
    pub(super) id: Option<&'a Id>,
    pub(super) part: ChangedPart<'a>,
}

/// What of the component changed.
#[derive(Clone, Debug)]
pub(super) enum ChangedPart<'a> {
    /// The component itself, with its successors.
    Whole(&'a [Id]),
    Flag(&'a str, Option<&'a Text>),
    /// The first and the last port.
    Port(u16, u16, Option<&'a Text>),
    /// A claim of a provider begins, or ends.
    Claim(&'a Provider, &'a Claim, bool),
}

/// The changes after a release, up to and including another one, by kind and then from the newest one.
pub(super) fn release_changes(kb: &Kb, after: ReleaseIndex, until: ReleaseIndex) -> Vec<ReleaseChange<'_>> {
    let mut changes = Vec::new();
    let mut add = |kind: ChangeKind, release: Option<ReleaseIndex>, id, part| {
        if let Some(release) = release.filter(|release| (after < *release) && *release <= until) {
            changes.push(ReleaseChange { kind, release, id, part });
        }
    };
    for facts in NodeFacts::all(kb) {
        let Some(lifecycle) = facts.lifecycle else { continue };
        let since = if let Some(Since::Release(since)) = lifecycle.since { Some(since) } else { None };
        for (kind, release) in
            [(ChangeKind::Added, since), (ChangeKind::Deprecated, lifecycle.deprecated), (ChangeKind::Removed, lifecycle.removed)]
        {
            add(kind, release, Some(facts.id), ChangedPart::Whole(&lifecycle.replaced_by));
        }
    }
    for component in kb.components.values() {
        for flag in &component.flags {
            let part = ChangedPart::Flag(&flag.flag, flag.what.as_ref());
            for (kind, release) in
                [(ChangeKind::Added, flag.since), (ChangeKind::Deprecated, flag.deprecated), (ChangeKind::Removed, flag.removed)]
            {
                add(kind, release, Some(&component.id), part.clone());
            }
        }
        for port in &component.ports {
            let part = ChangedPart::Port(port.first, port.last, port.what.as_ref());
            for (kind, release) in [(ChangeKind::Added, port.since), (ChangeKind::Removed, port.removed)] {
                add(kind, release, Some(&component.id), part.clone());
            }
        }
    }
    let named = |name: Option<&String>| kb.vocabulary.releases.iter().position(|release| Some(&release.name) == name).map(ReleaseIndex);
    for provider in kb.providers.values() {
        for claim in provider.claims.iter().filter(|claim| claim.presence.is_shipped()) {
            for (version, begins) in [(&claim.since, true), (&claim.until, false)] {
                let part = ChangedPart::Claim(provider, claim, begins);
                add(ChangeKind::Default, named(version.as_ref()), claim.component.as_ref(), part);
            }
        }
    }
    changes.sort_by_key(|change| (change.kind, std::cmp::Reverse(change.release), change.id));
    changes
}
