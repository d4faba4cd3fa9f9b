//! Terms of the vocabulary and of closed lists, with their names in the reader's language.

use serde::Serialize;

use super::{
    area_links::area_href,
    reader::{LinkView, Reader},
    routes::{has_role_page, role_path},
};
use crate::{
    facts::{Confidence, LifecycleState, Presence, Verdict, VersionKind},
    id::Id,
    kb::{Lifecycle, OldestSupported, Port, ReleaseIndex, Since, Support},
    layout::FactSection,
};

/// A term of a closed list with its label.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TermView {
    /// The term as in the facts.
    pub(super) id: &'static str,
    pub(super) label: String,
}

/// A link to the components of an area.
pub(super) fn area(reader: &Reader<'_>, id: &Id) -> LinkView {
    let area = reader.kb().vocabulary.area(id);
    LinkView {
        id: id.to_string(),
        href: area_href(reader, id),
        name: area.map_or(id.as_str(), |area| reader.text(&area.label)).to_owned(),
        area: id.to_string(),
        colour: reader.colour(id),
        mark: area.map(|area| area.mark.clone()).unwrap_or_default(),
    }
}

/// The label of a place; empty without one.
pub(super) fn place<'a>(reader: &Reader<'a>, id: Option<&Id>) -> &'a str {
    let places = &reader.kb().vocabulary.places;
    id.and_then(|id| places.iter().find(|place| place.id == *id)).map(|place| reader.text(&place.label)).unwrap_or_default()
}

/// The label of a verb, from the side of the target if the relation is incoming.
pub(super) fn verb<'a>(reader: &Reader<'a>, id: &Id, is_incoming: bool) -> &'a str {
    let verb = reader.kb().vocabulary.verb(id);
    verb.map(|verb| reader.text(if is_incoming { &verb.inverse } else { &verb.label })).unwrap_or_default()
}

/// The name of a release; empty without one.
pub(super) fn release<'a>(reader: &Reader<'a>, index: Option<ReleaseIndex>) -> &'a str {
    index.map_or("", |index| &reader.kb().vocabulary.release(index).name)
}

/// Text from these parts, without empty ones.
pub(super) fn join_nonempty<'p>(parts: impl IntoIterator<Item = &'p str>, separator: &str) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(separator)
}

/// A link to the page of a role.
pub(super) fn role_link(reader: &Reader<'_>, id: &Id) -> LinkView {
    let role = reader.kb().vocabulary.role(id);
    LinkView {
        id: id.to_string(),
        href: if has_role_page(reader.kb(), id) { reader.href(&role_path(id)) } else { String::new() },
        name: role.map_or(id.as_str(), |role| reader.text(&role.label)).to_owned(),
        ..LinkView::default()
    }
}

pub(super) fn state(reader: &Reader<'_>, state: LifecycleState) -> TermView {
    term(reader, "state", state.name())
}

pub(super) fn verdict(reader: &Reader<'_>, verdict: Verdict) -> TermView {
    term(reader, "verdict", verdict.name())
}

pub(super) fn presence(reader: &Reader<'_>, presence: Presence) -> TermView {
    term(reader, "presence", presence.name())
}

pub(super) fn version_kind(reader: &Reader<'_>, kind: VersionKind) -> TermView {
    term(reader, "version_kind", kind.name())
}

pub(super) fn confidence(reader: &Reader<'_>, confidence: Confidence) -> TermView {
    term(reader, "confidence", confidence.name())
}

fn term(reader: &Reader<'_>, list: &str, id: &'static str) -> TermView {
    TermView { id, label: reader.strings().term(list, id).to_owned() }
}

pub(super) fn since(reader: &Reader<'_>, lifecycle: &Lifecycle) -> String {
    match lifecycle.since {
        Some(Since::Release(index)) => reader.kb().vocabulary.release(index).name.clone(),
        Some(Since::Unknown) => reader.words("unknown").to_owned(),
        None => String::new(),
    }
}

/// The oldest supported version of a component; empty if not stated.
pub(super) fn supported(reader: &Reader<'_>, support: Option<&Support>) -> String {
    match support.map(|support| &support.oldest) {
        Some(OldestSupported::Release) => reader.words("supported_release").to_owned(),
        Some(oldest) => oldest.to_string(),
        None => String::new(),
    }
}

/// A port, or a range of ports.
pub(super) fn ports(port: &Port) -> String {
    if port.first == port.last { port.first.to_string() } else { format!("{}–{}", port.first, port.last) }
}

/// The heading of a fact section.
pub(super) fn section_title<'a>(reader: &Reader<'a>, section: FactSection) -> &'a str {
    match section {
        FactSection::Architecture => reader.words("architecture"),
        section => reader.strings().term("section", section.anchor()),
    }
}
