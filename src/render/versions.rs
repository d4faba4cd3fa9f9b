//! The changes between two releases, and the choice of releases.

use serde::Serialize;

use super::{
    architecture,
    diagrams::FigureView,
    frame::frame,
    generated,
    labels::release,
    node_facts::NodeFacts,
    reader::{LinkView, Reader, day},
    release_changes::{ChangeKind, ChangedPart, ReleaseChange, release_changes},
    release_ranges::{MAX_PAIRED_RELEASES, published, release_pair_path},
    templates::RenderResult,
};
use crate::{id::Id, kb::ReleaseIndex, layout::GeneratedPage};

/// The number of releases on the page of all versions whose changes are shown.
const RECENT: usize = 2;

/// The choice of two releases.
#[derive(Serialize)]
pub(super) struct ReleaseChoiceView {
    /// The published releases, newest first.
    names: Vec<String>,
    from: String,
    to: String,
    /// The address that the names of two releases are added to.
    base: String,
    /// The pairs whose first or last release is the one before or after.
    near: Vec<LinkView>,
}

/// The changes between two releases.
#[derive(Serialize)]
pub(super) struct ReleaseChangesView {
    /// The name of the last release.
    pub(super) name: String,
    date: String,
    pub(super) href: String,
    pub(super) groups: Vec<ChangeGroupView>,
}

/// Changes of a kind.
#[derive(Serialize)]
pub(super) struct ChangeGroupView {
    kind: &'static str,
    pub(super) label: String,
    pub(super) entries: Vec<ChangeEntryView>,
}

#[derive(Serialize)]
pub(super) struct ChangeEntryView {
    pub(super) release: String,
    pub(super) link: Option<LinkView>,
    pub(super) provider: Option<LinkView>,
    /// The flag or port.
    pub(super) part: String,
    pub(super) what: String,
    pub(super) replaced_by: Vec<LinkView>,
    /// What to do before the upgrade.
    advice: String,
}

#[derive(Serialize)]
struct ReleasePairView {
    choice: ReleaseChoiceView,
    changes: ReleaseChangesView,
    system: Option<FigureView>,
}

/// The title of the page of two releases.
pub(super) fn release_pair_title(reader: &Reader<'_>, from: ReleaseIndex, to: ReleaseIndex) -> String {
    let platform = reader.kb().vocabulary.platform.as_deref().unwrap_or_default();
    let values = [("platform", platform), ("a", release(reader, Some(from))), ("b", release(reader, Some(to)))];
    reader.strings().with("versions_pair", &values).trim().to_owned()
}

pub(super) fn pair(reader: &Reader<'_>, from: ReleaseIndex, to: ReleaseIndex) -> RenderResult {
    let kb = reader.kb();
    let title = release_pair_title(reader, from, to);
    let frame = frame(reader, &release_pair_path(kb, from, to), &title, reader.words("versions_description"));
    let view = ReleasePairView {
        choice: choice(reader, from, to),
        changes: changes(reader, from, to),
        system: architecture::between(reader, from, to),
    };
    generated::render_below(reader, &frame, "changes.html", &view)
}

pub(super) fn choice(reader: &Reader<'_>, from: ReleaseIndex, to: ReleaseIndex) -> ReleaseChoiceView {
    let kb = reader.kb();
    let releases: Vec<ReleaseIndex> = published(kb).take(MAX_PAIRED_RELEASES).collect();
    let before = |index: ReleaseIndex| index.0.checked_sub(1).map(ReleaseIndex);
    let after = |index: ReleaseIndex| Some(ReleaseIndex(index.0 + 1));
    let near = [(before(from), Some(to)), (after(from), Some(to)), (Some(from), before(to)), (Some(from), after(to))];
    let near = near
        .into_iter()
        .filter_map(|(from, to)| Some((from?, to?)))
        .filter(|(from, to)| from < to && releases.contains(from) && releases.contains(to));
    let near = near.map(|(from, to)| LinkView {
        href: reader.href(&release_pair_path(kb, from, to)),
        name: format!("{} – {}", release(reader, Some(from)), release(reader, Some(to))),
        ..LinkView::default()
    });
    ReleaseChoiceView {
        near: near.collect(),
        names: releases.iter().map(|index| release(reader, Some(*index)).to_owned()).collect(),
        from: release(reader, Some(from)).to_owned(),
        to: release(reader, Some(to)).to_owned(),
        base: reader.href(GeneratedPage::Versions.path()),
    }
}

/// The changes of the newest releases, each since the one before; releases without changes are left out.
pub(super) fn recent(reader: &Reader<'_>) -> Vec<ReleaseChangesView> {
    let releases = published(reader.kb()).filter(|release| release.0 > 0);
    let changes = releases.map(|to| changes(reader, ReleaseIndex(to.0 - 1), to));
    changes.filter(|changes| !changes.groups.is_empty()).take(RECENT).collect()
}

/// The changes between two releases.
pub(super) fn changes(reader: &Reader<'_>, from: ReleaseIndex, to: ReleaseIndex) -> ReleaseChangesView {
    let kb = reader.kb();
    let found = release_changes(kb, from, to);
    let groups = ChangeKind::ALL.into_iter().map(|kind| ChangeGroupView {
        kind: kind.name(),
        label: reader.strings().term("versions", kind.name()).to_owned(),
        entries: found.iter().filter(|change| change.kind == kind).map(|change| entry(reader, change)).collect(),
    });
    ReleaseChangesView {
        name: release(reader, Some(to)).to_owned(),
        date: kb.vocabulary.release(to).date.map(day).unwrap_or_default(),
        href: reader.href(&release_pair_path(kb, from, to)),
        groups: groups.filter(|group| !group.entries.is_empty()).collect(),
    }
}

/// The summary of a component or a concept.
fn summary<'a>(reader: &Reader<'a>, id: &Id) -> &'a str {
    let path = NodeFacts::of(reader.kb(), id).map(|facts| format!("{}/{id}", facts.kind.folder()));
    path.map(|path| reader.summary(&path)).unwrap_or_default()
}

fn entry(reader: &Reader<'_>, change: &ReleaseChange<'_>) -> ChangeEntryView {
    let mut view = ChangeEntryView {
        release: release(reader, Some(change.release)).to_owned(),
        link: change.id.map(|id| reader.link(id)),
        provider: None,
        part: String::new(),
        what: String::new(),
        replaced_by: Vec::new(),
        advice: String::new(),
    };
    let is_ending = matches!(change.kind, ChangeKind::Removed | ChangeKind::Deprecated);
    let advice = |key: &str, value: &str| if is_ending { reader.strings().with(key, &[("name", value)]) } else { String::new() };
    match &change.part {
        ChangedPart::Whole(successors) => {
            view.replaced_by = successors.iter().filter(|_| is_ending).map(|id| reader.link(id)).collect();
            // What is new can be looked up; what ends has to be understood before the upgrade.
            if is_ending {
                change.id.map(|id| summary(reader, id)).unwrap_or_default().clone_into(&mut view.what);
            }
            if successors.is_empty() {
                view.advice = advice("versions_check", "");
            }
        }
        ChangedPart::Flag(flag, what) => {
            (*flag).clone_into(&mut view.part);
            reader.optional(*what).clone_into(&mut view.what);
            view.advice = advice("versions_remove_flag", flag);
        }
        ChangedPart::Port(first, last, what) => {
            view.part = if first == last { first.to_string() } else { format!("{first}–{last}") };
            reader.optional(*what).clone_into(&mut view.what);
        }
        ChangedPart::Claim(provider, claim, begins) => {
            view.provider = Some(reader.link(&provider.id));
            reader.words(if *begins { "versions_begins" } else { "versions_ends" }).clone_into(&mut view.part);
            reader.optional(claim.what.as_ref()).clone_into(&mut view.what);
        }
    }
    view
}
