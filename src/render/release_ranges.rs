//! Ranges of releases in which the system is the same, pairs of releases, and the addresses of their pages.

use super::diagram_nodes::diagram_nodes;
use crate::{
    diagram::Status,
    id::Id,
    kb::{Diagram, Kb, ReleaseIndex},
    layout::GeneratedPage,
};

/// Consecutive releases in which the diagram of the system is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReleaseRange {
    /// The release that changed the system.
    pub(super) first: ReleaseIndex,
    /// The last one before the next change.
    pub(super) last: ReleaseIndex,
}

impl ReleaseRange {
    pub(super) fn releases(self) -> impl Iterator<Item = ReleaseIndex> {
        (self.first.0..=self.last.0).map(ReleaseIndex)
    }
}

/// The diagram that is drawn for each release.
pub(super) fn system_diagram(kb: &Kb) -> Option<&Diagram> {
    kb.diagrams.all.iter().find(|diagram| diagram.by_release)
}

/// The ranges of the system, oldest first. They don't include releases before its first component and planned ones.
pub(super) fn release_ranges(kb: &Kb) -> Vec<ReleaseRange> {
    let (Some(diagram), Some(newest)) = (system_diagram(kb), kb.vocabulary.newest_release()) else { return Vec::new() };
    let mut ranges: Vec<(ReleaseRange, Vec<(&Id, Status)>)> = Vec::new();
    for release in (0..=newest.0).map(ReleaseIndex) {
        let nodes = diagram_nodes(kb, diagram, Some(release));
        match ranges.last_mut() {
            _ if nodes.is_empty() => {}
            Some((range, known)) if *known == nodes => range.last = release,
            _ => ranges.push((ReleaseRange { first: release, last: release }, nodes)),
        }
    }
    ranges.into_iter().map(|(range, _)| range).collect()
}

/// The address of the page of a release.
pub(super) fn release_path(kb: &Kb, release: ReleaseIndex) -> String {
    format!("{}/{}", GeneratedPage::Architecture.path(), kb.vocabulary.release(release).name)
}

/// With more published releases, only the newest have pages for each two: their number grows with the square.
pub(super) const MAX_PAIRED_RELEASES: usize = 40;

/// Every two published releases, the older one first.
pub(super) fn release_pairs(kb: &Kb) -> impl Iterator<Item = (ReleaseIndex, ReleaseIndex)> {
    let published = published(kb);
    let all = published.clone().take(if kb.generated.contains(&GeneratedPage::Versions) { MAX_PAIRED_RELEASES } else { 0 });
    all.flat_map(move |to| published.clone().take(MAX_PAIRED_RELEASES).filter(move |from| *from < to).map(move |from| (from, to)))
}

/// The published releases, newest first.
pub(super) fn published(kb: &Kb) -> impl Iterator<Item = ReleaseIndex> + Clone + use<> {
    let end = kb.vocabulary.newest_release().map_or(0, |newest| newest.0 + 1);
    (0..end).rev().map(ReleaseIndex)
}

/// The address of the changes between two releases.
pub(super) fn release_pair_path(kb: &Kb, from: ReleaseIndex, to: ReleaseIndex) -> String {
    let name = |release: ReleaseIndex| &kb.vocabulary.release(release).name;
    format!("{}/{}..{}", GeneratedPage::Versions.path(), name(from), name(to))
}
