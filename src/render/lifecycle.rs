//! A lifecycle on a scale of releases.

use serde::Serialize;

use super::{
    labels::{TermView, state},
    reader::{Reader, day},
};
use crate::{
    facts::LifecycleState,
    kb::{Lifecycle, ReleaseIndex, Since},
};

/// The width of one release on the scale, in units of the drawing.
pub(super) const STEP: usize = 10;

/// A lifecycle on the scale, with its list of changes.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LifecycleView {
    pub(super) state: TermView,
    /// The width of the scale, in units of the drawing.
    pub(super) width: usize,
    pub(super) segments: Vec<SegmentView>,
    /// The start of the newest release.
    pub(super) now: usize,
    /// The first and last release, and some between, for the axis.
    pub(super) ticks: Vec<TickView>,
    /// The same as text.
    pub(super) text: String,
    pub(super) steps: Vec<StepView>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct SegmentView {
    pub(super) x: usize,
    pub(super) width: usize,
    /// `active`, `deprecated`, `planned` or `unknown`.
    pub(super) kind: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct TickView {
    pub(super) x: usize,
    pub(super) label: String,
}

/// A change in a lifecycle.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StepView {
    pub(super) label: String,
    pub(super) release: String,
    pub(super) date: String,
    pub(super) planned: bool,
}

/// The first release, if it is known.
pub(super) const fn first_release(lifecycle: &Lifecycle) -> Option<ReleaseIndex> {
    match lifecycle.since {
        Some(Since::Release(release)) => Some(release),
        Some(Since::Unknown) | None => None,
    }
}

/// A lifecycle on the scale of releases.
pub(super) fn lifecycle(reader: &Reader<'_>, lifecycle: &Lifecycle) -> LifecycleView {
    let vocabulary = &reader.kb().vocabulary;
    let end = vocabulary.releases.len();
    let now = vocabulary.newest_release().map_or(end, |release| release.0);
    let at = |release: Option<ReleaseIndex>| release.map(|release| release.0);
    let (removed, deprecated) = (at(lifecycle.removed), at(lifecycle.deprecated));
    // It ends with its removal; otherwise, it extends to the newest release, or to the planned one that removes it.
    let last = removed.unwrap_or(if is_gone(lifecycle.state) { deprecated.unwrap_or(now) } else { now + 1 }).min(end);
    let mut segments = Vec::new();
    let mut add = |from: usize, to: usize, kind| {
        if from < to {
            segments.push(SegmentView { x: from * STEP, width: (to - from) * STEP, kind });
        }
    };
    let first = at(first_release(lifecycle)).unwrap_or_else(|| {
        let known_from = deprecated.unwrap_or(last);
        add(0, known_from, "unknown");
        known_from
    });
    let turn = deprecated.unwrap_or(last).clamp(first, last);
    add(first, turn, "active");
    let out = (now + 1).min(end);
    add(turn, last.min(out).max(turn), "deprecated");
    add(turn.max(out.min(last)), last, "planned");
    let steps = steps(reader, lifecycle);
    let state = state(reader, lifecycle.state);
    let text = std::iter::once(state.label.clone()).chain(steps.iter().map(|step| format!("{} {}", step.label, step.release)));
    LifecycleView {
        text: text.collect::<Vec<_>>().join(", "),
        state,
        width: end * STEP,
        segments,
        now: now * STEP,
        ticks: ticks(reader),
        steps,
    }
}

const fn is_gone(state: LifecycleState) -> bool {
    matches!(state, LifecycleState::Removed | LifecycleState::Archived)
}

fn steps(reader: &Reader<'_>, lifecycle: &Lifecycle) -> Vec<StepView> {
    let vocabulary = &reader.kb().vocabulary;
    let step = |key, release: ReleaseIndex| {
        let release = vocabulary.release(release);
        StepView {
            label: reader.words(key).to_owned(),
            release: release.name.clone(),
            date: release.date.map(day).unwrap_or_default(),
            planned: release.date.is_none(),
        }
    };
    let since = lifecycle.since.map(|since| match since {
        Since::Release(release) => step("since", release),
        Since::Unknown => StepView {
            label: reader.words("since").to_owned(),
            release: reader.words("unknown").to_owned(),
            date: String::new(),
            planned: false,
        },
    });
    let deprecated = lifecycle.deprecated.map(|release| step("deprecated_in", release));
    let removed = lifecycle.removed.map(|release| step("removed_in", release));
    [since, deprecated, removed].into_iter().flatten().collect()
}

/// The maximum number of releases that are all labelled.
const FEW_RELEASES: usize = 10;

/// Labels for the axis: every release if there are few, otherwise every fifth and the newest.
pub(super) fn ticks(reader: &Reader<'_>) -> Vec<TickView> {
    let vocabulary = &reader.kb().vocabulary;
    let now = vocabulary.newest_release().map_or(0, |release| release.0);
    let releases = vocabulary.releases.iter().enumerate();
    let few = vocabulary.releases.len() <= FEW_RELEASES;
    let shown = releases.filter(|(index, _)| few || *index == now || (index % 5 == 0 && index.abs_diff(now) > 3));
    shown.map(|(index, release)| TickView { x: index * STEP, label: release.name.clone() }).collect()
}
