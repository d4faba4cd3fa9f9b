//! Every port that components listen on: of all components, and of those in the clusters of a provider.

use serde::Serialize;

use super::{
    frame::frame,
    generated,
    labels::{self, TermView},
    reader::{LinkView, Reader},
    routes::provider_ports_path,
    templates::RenderResult,
};
use crate::{
    facts::Presence,
    id::Id,
    kb::{Component, Kb, Port, Provider},
    layout::{FactSection, GeneratedFile, GeneratedPage},
    url::Url,
};

/// A port of a component.
pub(super) struct OpenPort<'a> {
    pub(super) component: &'a Component,
    pub(super) port: &'a Port,
    /// The components and concepts that connect to it, without duplicates.
    pub(super) clients: Vec<&'a Id>,
    /// How the provider includes the component; `None` without a provider.
    pub(super) presence: Option<Presence>,
}

/// The ports of components that still exist, sorted by number; with a provider, of those in its clusters unless they are optional.
pub(super) fn open_ports<'a>(kb: &'a Kb, provider: Option<&Provider>) -> Vec<OpenPort<'a>> {
    let shipped = |component: &Component| provider?.presences(&component.id).find(|presence| presence.is_shipped());
    let of_component = |component: &'a Component| {
        let presence = shipped(component);
        let is_listed = !component.is_gone() && (provider.is_none() || presence.is_some());
        let ports = component.ports.iter().filter(move |port| is_listed && port.removed.is_none());
        ports.map(move |port| OpenPort { component, port, clients: clients(kb, component, port), presence })
    };
    let mut ports: Vec<OpenPort<'_>> = kb.components.values().flat_map(|component| of_component(component)).collect();
    ports.sort_by_key(|open| (open.port.first, open.port.last, &open.port.protocols, &open.component.id));
    ports
}

/// What connects to a port, by the relations to its component that state the port.
fn clients<'a>(kb: &'a Kb, component: &'a Component, port: &Port) -> Vec<&'a Id> {
    let uses = |(source, index): &&(Id, usize)| {
        let relation = kb.relations_of(source).0.get(*index);
        let number = relation.and_then(|relation| relation.port.as_ref()?.parse::<u16>().ok());
        number.is_some_and(|number| (port.first..=port.last).contains(&number))
    };
    let mut clients: Vec<&Id> = component.incoming.iter().filter(uses).map(|(source, _)| source).collect();
    clients.sort();
    clients.dedup();
    clients
}

#[derive(Serialize)]
struct PortsView<'a> {
    /// The provider; empty for all components.
    provider: &'a str,
    /// The pages of providers; empty on the page of one.
    providers: Vec<LinkView>,
    /// Other lists from the facts of all components; empty on the page of a provider.
    lists: Vec<LinkView>,
    ports: Vec<OpenPortView<'a>>,
    /// The address of the file with all ports.
    csv: String,
}

#[derive(Serialize)]
struct OpenPortView<'a> {
    port: String,
    protocols: String,
    component: LinkView,
    what: &'a str,
    place: &'a str,
    clients: Vec<LinkView>,
    presence: Option<TermView>,
}

/// The ports of all components.
pub(super) fn all(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let link = |provider: &Provider| LinkView { href: reader.href(&provider_ports_path(&provider.id)), ..reader.link(&provider.id) };
    let providers = kb.providers.values().map(|provider| link(provider)).collect();
    let lists = [GeneratedPage::Exemptions, GeneratedPage::WellKnown].into_iter().filter(|page| kb.has_generated(*page));
    let lists = lists.map(|page| reader.link_to(page)).collect();
    generated::render(reader, GeneratedPage::Ports, "ports.html", &PortsView { providers, lists, ..ports_view(reader, None) })
}

/// The ports in the clusters of a provider.
pub(super) fn of_provider(reader: &Reader<'_>, provider: &Provider) -> RenderResult {
    let title = title_at(reader, provider);
    let frame = frame(reader, &provider_ports_path(&provider.id), &title, reader.words("ports_of_description"));
    generated::render_below(reader, &frame, "ports.html", &ports_view(reader, Some(provider)))
}

/// The title of the page of a provider.
pub(super) fn title_at(reader: &Reader<'_>, provider: &Provider) -> String {
    reader.strings().with("ports_of", &[("provider", &provider.name)])
}

fn ports_view<'a>(reader: &Reader<'a>, provider: Option<&'a Provider>) -> PortsView<'a> {
    let view = |open: OpenPort<'a>| OpenPortView {
        port: labels::ports(open.port),
        protocols: open.port.protocols.join(", "),
        component: LinkView {
            href: format!("{}#{}", reader.link(&open.component.id).href, FactSection::Ports.anchor()),
            ..reader.link(&open.component.id)
        },
        what: reader.optional(open.port.what.as_ref()),
        place: labels::place(reader, open.component.place.as_ref()),
        clients: open.clients.into_iter().map(|id| reader.link(id)).collect(),
        presence: open.presence.map(|presence| labels::presence(reader, presence)),
    };
    PortsView {
        provider: provider.map_or("", |provider| &provider.name),
        providers: Vec::new(),
        lists: Vec::new(),
        ports: open_ports(reader.kb(), provider).into_iter().map(view).collect(),
        csv: reader.href_to(&Url::file(GeneratedFile::PortsCsv.path())),
    }
}
