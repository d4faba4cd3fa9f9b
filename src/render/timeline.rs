//! Lifecycles on a scale of releases, and chains of replacements.

use serde::Serialize;

use super::{
    diagram_nodes::lifecycle as lifecycle_of,
    generated,
    labels::{TermView, release, state},
    lifecycle::{LifecycleView, STEP, TickView, first_release, lifecycle, ticks},
    reader::{LinkView, Reader},
    templates::RenderResult,
    versions::{self, ReleaseChangesView, ReleaseChoiceView},
};
use crate::{
    facts::LifecycleState,
    id::Id,
    kb::{Component, Kb, Lifecycle, Release, ReleaseIndex},
    layout::GeneratedPage,
};

#[derive(Serialize)]
struct TimelineView<'a> {
    /// The page with the versions of components in the releases of providers.
    component_versions: Option<LinkView>,
    choice: Option<ReleaseChoiceView>,
    recent: Vec<ReleaseChangesView>,
    areas: Vec<AreaRows>,
    chains: Vec<ChainView>,
    releases: &'a [Release],
    /// Whether any release has a known end of support.
    has_ends: bool,
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
    /// Components without any known release, which can't be shown as a bar.
    unknown: Vec<UnknownView>,
}

#[derive(Serialize)]
struct UnknownView {
    link: LinkView,
    state: TermView,
}

#[derive(Serialize)]
struct RowView {
    link: LinkView,
    lifecycle: LifecycleView,
}

/// A component and its successors, step by step.
#[derive(Serialize)]
struct ChainView {
    links: Vec<ChainLinkView>,
}

#[derive(Serialize)]
struct ChainLinkView {
    link: LinkView,
    state: TermView,
    since: String,
    removed: String,
}

pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let vocabulary = &kb.vocabulary;
    let areas = vocabulary.areas.iter().filter_map(|area| {
        let mut of_area: Vec<(&Component, &Lifecycle)> = kb
            .components
            .values()
            .filter(|component| component.area == area.id)
            .filter_map(|component| Some((component.as_ref(), component.lifecycle.as_ref()?)))
            .collect();
        of_area.sort_by_key(|(component, lifecycle)| (first_release(lifecycle).unwrap_or(ReleaseIndex(0)), component.name.to_lowercase()));
        let (known, unknown): (Vec<_>, Vec<_>) =
            of_area.into_iter().partition(|(_, it)| first_release(it).or(it.deprecated).or(it.removed).is_some());
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
    let newest = vocabulary.newest_release();
    let view = TimelineView {
        component_versions: kb.has_generated(GeneratedPage::ComponentVersions).then(|| reader.link_to(GeneratedPage::ComponentVersions)),
        choice: newest.filter(|newest| newest.0 > 0).map(|newest| versions::choice(reader, ReleaseIndex(newest.0 - 1), newest)),
        recent: versions::recent(reader),
        areas: areas.collect(),
        chains: chains(kb).into_iter().map(|chain| chain_view(reader, &chain)).collect(),
        releases: &vocabulary.releases,
        has_ends: vocabulary.releases.iter().any(|release| release.end.is_some()),
        calendar: reader.context.routes.calendar(kb, reader.lang).map(|url| reader.href_to(&url)),
        width: vocabulary.releases.len() * STEP,
        ticks: ticks(reader),
    };
    generated::render(reader, GeneratedPage::Versions, "versions.html", &view)
}

/// All chains from a component without predecessors to one without successors. Replacements have no cycles.
fn chains(kb: &Kb) -> Vec<Vec<&Id>> {
    let successors = |id: &Id| lifecycle_of(kb, id).map_or(&[][..], |lifecycle| lifecycle.replaced_by.as_slice());
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
    let links = chain.iter().map(|id| {
        let lifecycle = lifecycle_of(reader.kb(), id);
        let since = lifecycle.and_then(first_release);
        ChainLinkView {
            link: reader.link(id),
            state: state(reader, lifecycle.map_or(LifecycleState::Unknown, |lifecycle| lifecycle.state)),
            since: release(reader, since).to_owned(),
            removed: release(reader, lifecycle.and_then(|lifecycle| lifecycle.removed)).to_owned(),
        }
    });
    ChainView { links: links.collect() }
}
