//! Lifecycles on a scale of releases, and chains of replacements.

use serde::Serialize;

use super::{
    calendar,
    component::{WordView, state},
    frame::{Frame, frame},
    reader::{LinkView, Reader, day},
    templates::Templates,
};
use crate::{
    diagnostic::Diagnostic,
    facts::LifecycleState,
    id::Id,
    kb::{Component, Kb, Lifecycle, ReleaseIndex, Since},
    layout::TIMELINE,
};

/// The width of one release on the scale, in units of the drawing.
const STEP: usize = 10;

/// A lifecycle on the scale.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LifecycleView {
    pub(super) state: WordView,
    /// The width of the scale, in units of the drawing.
    pub(super) width: usize,
    pub(super) segments: Vec<SegmentView>,
    /// Where today's newest release begins.
    pub(super) now: usize,
    /// The first and last release, and some between, for the axis.
    pub(super) ticks: Vec<TickView>,
    /// The same in words.
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

/// One turn of a lifecycle.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StepView {
    pub(super) label: String,
    pub(super) release: String,
    pub(super) date: String,
    pub(super) planned: bool,
}

#[derive(Serialize)]
struct TimelineView<'a> {
    page: Frame<'a>,
    intro: String,
    areas: Vec<AreaRows>,
    chains: Vec<ChainView>,
    releases: Vec<ReleaseView>,
    /// Whether it is known of any release when its support ends.
    has_ends: bool,
    /// The same days for a calendar program.
    calendar: Option<String>,
    width: usize,
    ticks: Vec<TickView>,
}

#[derive(Serialize)]
struct AreaRows {
    label: String,
    area: String,
    colour: usize,
    mark: String,
    rows: Vec<RowView>,
    /// Components of which no release is known; a bar would say nothing.
    unknown: Vec<UnknownView>,
}

#[derive(Serialize)]
struct UnknownView {
    link: LinkView,
    state: WordView,
}

#[derive(Serialize)]
struct RowView {
    link: LinkView,
    lifecycle: LifecycleView,
}

/// A component, and what took its place, step by step.
#[derive(Serialize)]
struct ChainView {
    links: Vec<ChainLinkView>,
}

#[derive(Serialize)]
struct ChainLinkView {
    link: LinkView,
    state: WordView,
    since: String,
    removed: String,
}

#[derive(Serialize)]
struct ReleaseView {
    name: String,
    date: String,
    /// The day on which it is planned to come out.
    planned: String,
    /// The day on which its support ends or ended.
    end: String,
}

/// Whether a release is known in which something changed.
const fn has_release(lifecycle: &Lifecycle) -> bool {
    matches!(lifecycle.since, Some(Since::Release(_))) || lifecycle.deprecated.is_some() || lifecycle.removed.is_some()
}

/// Whether any component has a lifecycle to show.
pub(super) fn has_any(kb: &Kb) -> bool {
    !kb.vocabulary.releases.is_empty() && kb.components.values().any(|component| component.lifecycle.is_some())
}

/// A lifecycle on the scale of releases.
pub(super) fn lifecycle(reader: &Reader<'_>, lifecycle: &Lifecycle) -> LifecycleView {
    let vocabulary = &reader.kb().vocabulary;
    let end = vocabulary.releases.len();
    let now = vocabulary.newest_release().map_or(end, |release| release.0);
    let at = |release: Option<ReleaseIndex>| release.map(|release| release.0);
    let (removed, deprecated) = (at(lifecycle.removed), at(lifecycle.deprecated));
    // What is gone is gone; what is still there reaches to the newest release, or to the one that will remove it.
    let last = removed.unwrap_or(if is_gone(lifecycle.state) { deprecated.unwrap_or(now) } else { now + 1 }).min(end);
    let mut segments = Vec::new();
    let mut add = |from: usize, to: usize, kind| {
        if from < to {
            segments.push(SegmentView { x: from * STEP, width: (to - from) * STEP, kind });
        }
    };
    let first = match lifecycle.since {
        Some(Since::Release(release)) => release.0,
        Some(Since::Unknown) | None => {
            let known_from = deprecated.unwrap_or(last);
            add(0, known_from, "unknown");
            known_from
        }
    };
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
    let since = match lifecycle.since {
        Some(Since::Release(release)) => Some(step("since", release)),
        Some(Since::Unknown) => Some(StepView {
            label: reader.words("since").to_owned(),
            release: reader.words("unknown").to_owned(),
            date: String::new(),
            planned: false,
        }),
        None => None,
    };
    let deprecated = lifecycle.deprecated.map(|release| step("deprecated_in", release));
    let removed = lifecycle.removed.map(|release| step("removed_in", release));
    [since, deprecated, removed].into_iter().flatten().collect()
}

/// So many releases have room for a label each.
const FEW_RELEASES: usize = 10;

/// Labels for the axis: every release where they are few, else every fifth, and the newest.
fn ticks(reader: &Reader<'_>) -> Vec<TickView> {
    let vocabulary = &reader.kb().vocabulary;
    let now = vocabulary.newest_release().map_or(0, |release| release.0);
    let releases = vocabulary.releases.iter().enumerate();
    let few = vocabulary.releases.len() <= FEW_RELEASES;
    let shown = releases.filter(|(index, _)| few || *index == now || (index % 5 == 0 && index.abs_diff(now) > 3));
    shown.map(|(index, release)| TickView { x: index * STEP, label: release.name.clone() }).collect()
}

pub(super) fn render(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let vocabulary = &kb.vocabulary;
    let areas = vocabulary.areas.iter().filter_map(|area| {
        let mut of_area: Vec<(&Component, &Lifecycle)> = kb
            .components
            .values()
            .filter(|component| component.area == area.id)
            .filter_map(|component| Some((component.as_ref(), component.lifecycle.as_ref()?)))
            .collect();
        of_area.sort_by_key(|(component, lifecycle)| (start(lifecycle), component.name.to_lowercase()));
        let (known, unknown): (Vec<_>, Vec<_>) = of_area.into_iter().partition(|(_, lifecycle)| has_release(lifecycle));
        let rows: Vec<RowView> = known
            .into_iter()
            .map(|(component, written)| RowView { link: reader.link(&component.id), lifecycle: lifecycle(reader, written) })
            .collect();
        let unknown: Vec<UnknownView> = unknown
            .into_iter()
            .map(|(component, lifecycle)| UnknownView { link: reader.link(&component.id), state: state(reader, lifecycle.state) })
            .collect();
        (!rows.is_empty() || !unknown.is_empty()).then(|| AreaRows {
            label: reader.text(&area.label).to_owned(),
            area: area.id.to_string(),
            colour: reader.colour(&area.id),
            mark: area.mark.clone(),
            rows,
            unknown,
        })
    });
    let intro = kb.pages.get(TIMELINE).and_then(|page| page.text(reader.lang, kb.config.default_language()));
    let view = TimelineView {
        page: frame(reader, TIMELINE, reader.words("timeline"), reader.words("timeline_description")),
        intro: intro.map(|text| reader.prose(text, templates)).transpose()?.unwrap_or_default(),
        areas: areas.collect(),
        chains: chains(kb).into_iter().map(|chain| chain_view(reader, &chain)).collect(),
        releases: vocabulary
            .releases
            .iter()
            .map(|release| ReleaseView {
                name: release.name.clone(),
                date: release.date.map(day).unwrap_or_default(),
                planned: release.planned.map(day).unwrap_or_default(),
                end: release.end.map(day).unwrap_or_default(),
            })
            .collect(),
        has_ends: vocabulary.releases.iter().any(|release| release.end.is_some()),
        calendar: calendar::url(kb, reader.language()).map(|url| reader.href_to(&url)),
        width: vocabulary.releases.len() * STEP,
        ticks: ticks(reader),
    };
    templates.render("timeline.html", &view)
}

fn start(lifecycle: &Lifecycle) -> usize {
    match lifecycle.since {
        Some(Since::Release(release)) => release.0,
        Some(Since::Unknown) | None => 0,
    }
}

/// Every way from a component that replaces nothing to one that nothing has replaced. Replacements have no circles.
fn chains(kb: &Kb) -> Vec<Vec<&Id>> {
    let successors = |id: &Id| {
        kb.components
            .get(id)
            .and_then(|component| component.lifecycle.as_ref())
            .map_or(&[][..], |lifecycle| lifecycle.replaced_by.as_slice())
    };
    let mut open: Vec<Vec<&Id>> = kb
        .components
        .values()
        .filter(|component| component.replaces.is_empty() && !successors(&component.id).is_empty())
        .map(|component| vec![&component.id])
        .collect();
    let mut chains = Vec::new();
    while let Some(chain) = open.pop() {
        let next: Vec<&Id> =
            chain.last().map_or(&[][..], |last| successors(last)).iter().filter(|id| kb.components.contains_key(*id)).collect();
        if next.is_empty() || chain.len() > kb.components.len() {
            chains.push(chain);
        } else {
            open.extend(next.into_iter().map(|id| chain.iter().copied().chain([id]).collect()));
        }
    }
    chains.sort();
    chains
}

fn chain_view(reader: &Reader<'_>, chain: &[&Id]) -> ChainView {
    let kb = reader.kb();
    let name = |release: Option<ReleaseIndex>| release.map(|release| kb.vocabulary.release(release).name.clone()).unwrap_or_default();
    let links = chain.iter().map(|id| {
        let lifecycle = kb.components.get(*id).and_then(|component| component.lifecycle.as_ref());
        ChainLinkView {
            link: reader.link(id),
            state: state(reader, lifecycle.map_or(LifecycleState::Unknown, |lifecycle| lifecycle.state)),
            since: match lifecycle.and_then(|lifecycle| lifecycle.since) {
                Some(Since::Release(release)) => name(Some(release)),
                _ => String::new(),
            },
            removed: name(lifecycle.and_then(|lifecycle| lifecycle.removed)),
        }
    });
    ChainView { links: links.collect() }
}
