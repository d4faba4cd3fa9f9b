//! The architecture page: the system as it is and as it was, and the paths through it.

use serde::Serialize;

use super::{
    diagrams::{self, FigureView},
    frame::{Frame, frame},
    reader::{LinkView, Reader, day},
    templates::Templates,
};
use crate::{
    diagnostic::Diagnostic,
    diagram::Status,
    id::Id,
    kb::{Diagram, Kb, ReleaseIndex},
    layout::{ARCHITECTURE, PROVIDERS},
};

/// Releases in which the system stayed as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Era {
    /// The release that changed something.
    pub(super) first: ReleaseIndex,
    /// The last one before the next change.
    pub(super) last: ReleaseIndex,
}

#[derive(Serialize)]
struct ArchitectureView<'a> {
    page: Frame<'a>,
    intro: String,
    /// The system of this page.
    system: Option<FigureView>,
    /// The release that the page shows, and the last one that is the same.
    era: Option<EraView>,
    versions: Vec<VersionView>,
    changes: Option<ChangesView>,
    figures: Vec<FigureView>,
    chains: Option<FigureView>,
    providers: Vec<LinkView>,
}

#[derive(Serialize)]
struct EraView {
    first: String,
    last: String,
    date: String,
}

#[derive(Serialize)]
struct VersionView {
    name: String,
    href: String,
    /// It is the one of this page, or looked the same.
    current: bool,
    /// It changed something.
    changed: bool,
}

/// What a release changed.
#[derive(Serialize)]
struct ChangesView {
    come: Vec<LinkView>,
    deprecated: Vec<LinkView>,
    gone: Vec<LinkView>,
}

/// Whether there is anything to draw.
pub(super) fn has_any(kb: &Kb) -> bool {
    !kb.diagrams.all.is_empty()
}

/// The diagram that is drawn for each release.
fn by_release(kb: &Kb) -> Option<&Diagram> {
    kb.diagrams.all.iter().find(|diagram| diagram.by_release)
}

/// The eras of the system, oldest first. Releases before its first part, and planned ones, are in none.
pub(super) fn eras(kb: &Kb) -> Vec<Era> {
    let (Some(diagram), Some(newest)) = (by_release(kb), kb.vocabulary.newest_release()) else { return Vec::new() };
    let mut eras: Vec<(Era, Vec<(&Id, Status)>)> = Vec::new();
    for release in (0..=newest.0).map(ReleaseIndex) {
        let shown = diagrams::shown(kb, diagram, Some(release));
        match eras.last_mut() {
            _ if shown.is_empty() => {}
            Some((era, known)) if *known == shown => era.last = release,
            _ => eras.push((Era { first: release, last: release }, shown)),
        }
    }
    eras.into_iter().map(|(era, _)| era).collect()
}

/// The address of the page of a release.
pub(super) fn release_path(kb: &Kb, release: ReleaseIndex) -> String {
    format!("{ARCHITECTURE}/{}", kb.vocabulary.release(release).name)
}

/// The page of all diagrams.
pub(super) fn all(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let intro = kb.pages.get(ARCHITECTURE).and_then(|page| page.text(reader.lang, kb.config.default_language()));
    let intro = intro.map(|text| reader.prose(text, templates)).transpose()?.unwrap_or_default();
    let others = kb.diagrams.all.iter().filter(|diagram| !diagram.by_release);
    let figures: Vec<FigureView> = others.map(|diagram| diagrams::named(reader, diagram, None)).collect();
    let page = frame(reader, ARCHITECTURE, reader.words("architecture"), reader.words("architecture_description"));
    let chains = diagrams::chains(reader);
    let providers = kb.providers.values().filter(|provider| kb.has_architecture(provider));
    let providers: Vec<LinkView> = providers
        .map(|provider| LinkView {
            href: reader.href_section(&format!("{PROVIDERS}/{}", provider.id), "architecture"),
            ..reader.link(&provider.id)
        })
        .collect();
    let era = eras(kb).last().copied();
    templates.render("architecture.html", &ArchitectureView { intro, figures, chains, providers, ..bare(reader, page, era) })
}

/// The system as it is now, for other pages.
pub(super) fn newest(reader: &Reader<'_>) -> Option<FigureView> {
    let newest = eras(reader.kb()).last().map(|era| era.first);
    by_release(reader.kb()).map(|diagram| diagrams::named(reader, diagram, newest))
}

/// The page of one era.
pub(super) fn era(reader: &Reader<'_>, era: Era, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let name = &kb.vocabulary.release(era.first).name;
    let platform = kb.vocabulary.platform.as_deref().unwrap_or_default();
    let title = reader.strings().with("architecture_in", &[("platform", platform), ("v", name)]);
    let page = frame(reader, &release_path(kb, era.first), title.trim(), reader.words("architecture_description"));
    templates.render("architecture.html", &bare(reader, page, Some(era)))
}

fn bare<'a>(reader: &Reader<'a>, page: Frame<'a>, era: Option<Era>) -> ArchitectureView<'a> {
    let kb = reader.kb();
    let name = |release: ReleaseIndex| kb.vocabulary.release(release).name.clone();
    ArchitectureView {
        page,
        intro: String::new(),
        system: by_release(kb).map(|diagram| diagrams::named(reader, diagram, era.map(|era| era.first))),
        era: era.map(|era| EraView {
            first: name(era.first),
            last: if era.last == era.first { String::new() } else { name(era.last) },
            date: kb.vocabulary.release(era.first).date.map(day).unwrap_or_default(),
        }),
        versions: versions(reader, era),
        changes: era.and_then(|era| changes(reader, era)),
        figures: Vec::new(),
        chains: None,
        providers: Vec::new(),
    }
}

/// Every release that is out, with the page that shows it.
fn versions(reader: &Reader<'_>, current: Option<Era>) -> Vec<VersionView> {
    let kb = reader.kb();
    let of_era = |era: Era| {
        (era.first.0..=era.last.0).map(ReleaseIndex).map(move |release| VersionView {
            name: kb.vocabulary.release(release).name.clone(),
            href: reader.href(&release_path(kb, era.first)),
            current: current == Some(era),
            changed: release == era.first,
        })
    };
    eras(kb).into_iter().flat_map(of_era).collect()
}

/// What is different from the era before.
fn changes(reader: &Reader<'_>, era: Era) -> Option<ChangesView> {
    let kb = reader.kb();
    let diagram = by_release(kb)?;
    let eras = eras(kb);
    let previous = eras.iter().take_while(|other| **other != era).last()?;
    let before = diagrams::shown(kb, diagram, Some(previous.first));
    let now = diagrams::shown(kb, diagram, Some(era.first));
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
