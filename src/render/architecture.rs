//! The architecture page: the system in current and former releases, and the paths through it.

use serde::Serialize;

use super::{
    diagram_nodes::diagram_nodes,
    diagrams::{self, FigureView},
    frame::frame,
    generated,
    reader::{LinkView, Reader, day},
    release_ranges::{ReleaseRange, release_path, release_ranges, system_diagram},
    templates::RenderResult,
};
use crate::{
    diagram::Status,
    id::Id,
    kb::ReleaseIndex,
    layout::{GeneratedPage, PROVIDERS},
};

#[derive(Default, Serialize)]
struct ArchitectureView {
    system: Option<FigureView>,
    /// The first and the last release of the range that the page shows.
    era: Option<RangeView>,
    versions: Vec<VersionView>,
    changes: Option<ChangesView>,
    figures: Vec<FigureView>,
    chains: Option<FigureView>,
    providers: Vec<LinkView>,
}

#[derive(Serialize)]
struct RangeView {
    first: String,
    last: String,
    date: String,
}

#[derive(Serialize)]
struct VersionView {
    name: String,
    href: String,
    /// Whether this page shows it.
    current: bool,
    /// Whether it changed the system.
    changed: bool,
}

#[derive(Serialize)]
struct ChangesView {
    come: Vec<LinkView>,
    deprecated: Vec<LinkView>,
    gone: Vec<LinkView>,
}

pub(super) fn all(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let others = kb.diagrams.all.iter().filter(|diagram| !diagram.by_release);
    let figures: Vec<FigureView> = others.map(|diagram| diagrams::named(reader, diagram, None)).collect();
    let chains = diagrams::chains(reader);
    let providers = kb.providers.values().filter(|provider| kb.has_architecture(provider));
    let providers: Vec<LinkView> = providers
        .map(|provider| LinkView {
            href: reader.href_section(&format!("{PROVIDERS}/{}", provider.id), "architecture"),
            ..reader.link(&provider.id)
        })
        .collect();
    let newest = release_ranges(kb).last().copied();
    let view = ArchitectureView { figures, chains, providers, ..system_view(reader, newest.map(|range| (range.last, range))) };
    generated::render(reader, GeneratedPage::Architecture, "architecture.html", &view)
}

/// The current system, for other pages.
pub(super) fn newest(reader: &Reader<'_>) -> Option<FigureView> {
    let newest = release_ranges(reader.kb()).last().map(|range| range.first);
    system_diagram(reader.kb()).map(|diagram| diagrams::named(reader, diagram, newest))
}

/// The changes of the system between two releases, marked in the drawing of the later one.
pub(super) fn between(reader: &Reader<'_>, from: ReleaseIndex, to: ReleaseIndex) -> Option<FigureView> {
    system_diagram(reader.kb()).map(|diagram| diagrams::compared(reader, diagram, from, to))
}

pub(super) fn release(reader: &Reader<'_>, release: ReleaseIndex, range: ReleaseRange) -> RenderResult {
    let kb = reader.kb();
    let name = &kb.vocabulary.release(release).name;
    let platform = kb.vocabulary.platform.as_deref().unwrap_or_default();
    let title = reader.strings().with("architecture_in", &[("platform", platform), ("v", name)]);
    let frame = frame(reader, &release_path(kb, release), title.trim(), reader.words("architecture_description"));
    generated::render_below(reader, &frame, "architecture.html", &system_view(reader, Some((release, range))))
}

/// The system in a release of a range.
fn system_view(reader: &Reader<'_>, shown: Option<(ReleaseIndex, ReleaseRange)>) -> ArchitectureView {
    let kb = reader.kb();
    let range = shown.map(|(_, range)| range);
    let name = |release: ReleaseIndex| kb.vocabulary.release(release).name.clone();
    ArchitectureView {
        system: system_diagram(kb).map(|diagram| diagrams::named(reader, diagram, range.map(|range| range.first))),
        era: range.map(|range| RangeView {
            first: name(range.first),
            last: if range.last == range.first { String::new() } else { name(range.last) },
            date: kb.vocabulary.release(range.first).date.map(day).unwrap_or_default(),
        }),
        versions: versions(reader, shown.map(|(release, _)| release)),
        changes: range.and_then(|range| changes(reader, range)),
        ..ArchitectureView::default()
    }
}

/// Every published release, with the address of the page that shows it.
fn versions(reader: &Reader<'_>, current: Option<ReleaseIndex>) -> Vec<VersionView> {
    let kb = reader.kb();
    let of_range = |range: ReleaseRange| {
        range.releases().map(move |release| VersionView {
            name: kb.vocabulary.release(release).name.clone(),
            href: reader.href(&release_path(kb, release)),
            current: current == Some(release),
            changed: release == range.first,
        })
    };
    release_ranges(kb).into_iter().flat_map(of_range).collect()
}

/// The changes since the previous range.
fn changes(reader: &Reader<'_>, range: ReleaseRange) -> Option<ChangesView> {
    let kb = reader.kb();
    let diagram = system_diagram(kb)?;
    let ranges = release_ranges(kb);
    let previous = ranges.iter().take_while(|other| **other != range).last()?;
    let before = diagram_nodes(kb, diagram, Some(previous.first));
    let now = diagram_nodes(kb, diagram, Some(range.first));
    let missing = |from: &[(&Id, Status)], id: &Id| from.iter().all(|(known, _)| *known != id);
    let was_deprecated = |id: &Id| before.iter().any(|(known, status)| *known == id && *status == Status::Deprecated);
    Some(ChangesView {
        come: now.iter().filter(|(id, _)| missing(&before, id)).map(|(id, _)| reader.link(id)).collect(),
        deprecated: now
            .iter()
            .filter(|(id, status)| *status == Status::Deprecated && !was_deprecated(id))
            .map(|(id, _)| reader.link(id))
            .collect(),
        gone: before.iter().filter(|(id, _)| missing(&now, id)).map(|(id, _)| reader.link(id)).collect(),
    })
}
