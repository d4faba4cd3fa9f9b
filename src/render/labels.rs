//! Terms of the vocabulary and of closed lists, with their names in the reader's language.

use serde::Serialize;

use super::reader::{LinkView, Reader};
use crate::{
    facts::{Confidence, LifecycleState, Presence, Protocol, Verdict},
    id::Id,
    kb::{Lifecycle, ReleaseIndex, Since},
    layout::{FactSection, GeneratedPage},
};

/// A term of a closed list with its label.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TermView {
    /// The term as in the facts.
    pub(super) id: &'static str,
    pub(super) label: String,
}

/// A link to an area in the list of components.
pub(super) fn area(reader: &Reader<'_>, id: &Id) -> LinkView {
    let area = reader.kb().vocabulary.area(id);
    LinkView {
        id: id.to_string(),
        href: reader.href_section(GeneratedPage::Components.path(), &format!("area-{id}")),
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

/// A link to a role in the comparison.
pub(super) fn role_link(reader: &Reader<'_>, id: &Id) -> LinkView {
    let role = reader.kb().vocabulary.role(id);
    let has_comparison = reader.context.routes.has(GeneratedPage::Compare);
    LinkView {
        id: id.to_string(),
        href: if has_comparison { reader.href_section(GeneratedPage::Compare.path(), &format!("role-{id}")) } else { String::new() },
        name: role.map_or(id.as_str(), |role| reader.text(&role.label)).to_owned(),
        ..LinkView::default()
    }
}

pub(super) fn state(reader: &Reader<'_>, state: LifecycleState) -> TermView {
    TermView { id: state.name(), label: reader.strings().state(state).to_owned() }
}

pub(super) fn verdict(reader: &Reader<'_>, verdict: Verdict) -> TermView {
    TermView { id: verdict.name(), label: reader.strings().verdict(verdict).to_owned() }
}

pub(super) fn since(reader: &Reader<'_>, lifecycle: &Lifecycle) -> String {
    match lifecycle.since {
        Some(Since::Release(index)) => reader.kb().vocabulary.release(index).name.clone(),
        Some(Since::Unknown) => reader.words("unknown").to_owned(),
        None => String::new(),
    }
}

/// The usual spelling of a protocol.
pub(super) const fn protocol(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Tcp => "TCP",
        Protocol::Udp => "UDP",
        Protocol::Both => "TCP, UDP",
        Protocol::Sctp => "SCTP",
    }
}

/// The term of a presence, and the key of its label.
pub(super) const fn presence(presence: Presence) -> (&'static str, &'static str) {
    let words = match presence {
        Presence::Default => "presence_default",
        Presence::Optional => "presence_optional",
        Presence::BuiltIn => "presence_built_in",
        Presence::Hidden => "presence_hidden",
        Presence::None => "presence_none",
        Presence::Unknown => "presence_unknown",
    };
    (presence.name(), words)
}

/// The term of a confidence, and the key of its label.
pub(super) const fn confidence(confidence: Confidence) -> (&'static str, &'static str) {
    let words = match confidence {
        Confidence::High => "confidence_high",
        Confidence::Medium => "confidence_medium",
        Confidence::Low => "confidence_low",
    };
    (confidence.name(), words)
}

/// The key of the heading of a fact section.
pub(super) const fn section_title(section: FactSection) -> &'static str {
    match section {
        FactSection::Names => "section_names",
        FactSection::Removal => "section_removal",
        FactSection::Providers => "section_providers",
        FactSection::Relations => "section_relations",
        FactSection::Lifecycle => "section_lifecycle",
        FactSection::Ports => "section_ports",
        FactSection::Flags => "section_flags",
        FactSection::Architecture => "architecture",
        FactSection::Claims => "section_claims",
        FactSection::Sources => "section_sources",
    }
}
