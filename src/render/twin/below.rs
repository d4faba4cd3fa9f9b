//! Which pages lie below generated ones: two providers side by side, the system at a release.

use crate::{
    kb::{Kb, Provider, ReleaseIndex},
    layout::{ARCHITECTURE, COMPARE},
    render::{architecture, compare},
};

/// What such a page is about.
pub(super) enum Below<'a> {
    /// Two providers.
    Pair(&'a Provider, &'a Provider),
    /// The system from this release on.
    Release(ReleaseIndex),
}

/// The one at a path. Cheap for paths that cannot be one: it is asked for every link.
pub(super) fn at<'a>(kb: &'a Kb, path: &str) -> Option<Below<'a>> {
    let (top, rest) = path.split_once('/')?;
    if top == COMPARE {
        let pairs = compare::pairs(kb).into_iter();
        return pairs.map(|(a, b)| Below::Pair(a, b)).find(|pair| matches!(pair, Below::Pair(a, b) if compare::pair_path(a, b) == path));
    }
    let is_release = top == ARCHITECTURE && kb.vocabulary.releases.iter().any(|release| release.name == rest);
    let era = is_release.then(|| architecture::eras(kb).into_iter().find(|era| architecture::release_path(kb, era.first) == path))??;
    Some(Below::Release(era.first))
}

/// Whether there is one at a path.
pub(super) fn is_page(kb: &Kb, path: &str) -> bool {
    at(kb, path).is_some()
}

/// The paths of all of them.
pub(super) fn paths(kb: &Kb) -> Vec<String> {
    let pairs = compare::pairs(kb).into_iter().map(|(a, b)| compare::pair_path(a, b));
    let eras = if architecture::has_any(kb) { architecture::eras(kb) } else { Vec::new() };
    pairs.chain(eras.into_iter().map(|era| architecture::release_path(kb, era.first))).collect()
}
