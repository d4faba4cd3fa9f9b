//! The labels, annotations, taints and finalizers of all components, with their owners.

use serde::Serialize;

use super::{
    frame::ContentsEntry,
    generated::{generated_frame, render_in},
    reader::{LinkView, Reader},
    templates::RenderResult,
};
use crate::{
    facts::KnownNameKind,
    kb::{Component, KnownNames},
    layout::{FactSection, GeneratedPage},
    text::escape,
};

#[derive(Serialize)]
struct WellKnownView<'a> {
    groups: Vec<WellKnownGroup<'a>>,
}

#[derive(Serialize)]
struct WellKnownGroup<'a> {
    kind: &'static str,
    label: &'a str,
    entries: Vec<WellKnownName<'a>>,
}

#[derive(Serialize)]
struct WellKnownName<'a> {
    name: &'a str,
    component: LinkView,
    what: &'a str,
}

pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    let groups = KnownNameKind::OF_OBJECTS.into_iter().map(|kind| WellKnownGroup {
        kind: kind.name(),
        label: reader.strings().term("known", kind.name()),
        entries: names(reader, kind).into_iter().map(|(name, component, it)| entry(reader, name, component, it)).collect(),
    });
    let groups: Vec<WellKnownGroup<'_>> = groups.filter(|group| !group.entries.is_empty()).collect();
    let mut frame = generated_frame(reader, GeneratedPage::WellKnown);
    frame.contents = groups.iter().map(|group| ContentsEntry { level: 2, id: group.kind.to_owned(), html: escape(group.label) }).collect();
    render_in(reader, &frame, GeneratedPage::WellKnown, "well-known.html", &WellKnownView { groups })
}

fn entry<'a>(reader: &Reader<'a>, name: &'a str, component: &'a Component, names: &'a KnownNames) -> WellKnownName<'a> {
    let link = reader.link(&component.id);
    let href = format!("{}#{}", link.href, FactSection::KnownNames.anchor());
    WellKnownName { name, component: LinkView { href, ..link }, what: reader.optional(names.what.as_ref()) }
}

/// The names of a kind with their components, in the order of the alphabet.
pub(super) fn names<'a>(reader: &Reader<'a>, kind: KnownNameKind) -> Vec<(&'a str, &'a Component, &'a KnownNames)> {
    let of = |component: &'a Component| {
        let entries = component.names.iter().filter(move |entry| entry.kind == kind);
        entries.flat_map(move |entry| entry.names.iter().map(move |name| (name.as_str(), component, entry)))
    };
    let mut names: Vec<_> = reader.kb().components.values().flat_map(|component| of(component)).collect();
    names.sort_by_key(|(name, ..)| *name);
    names
}
