//! The ports of all components, as a table for firewalls.

use super::csv::csv_line;
use crate::{
    facts::Presence,
    kb::Kb,
    render::{labels, ports::open_ports},
};

/// `ports.csv`: a line for each port of a component, with the providers that include it by default. The texts are in the default language.
pub(super) fn csv(kb: &Kb) -> String {
    let lang = kb.config.default_language();
    let mut csv = csv_line(&["port", "protocol", "component", "place", "what", "clients", "providers", "evidence", "checked"]);
    for open in open_ports(kb, None) {
        let evidence = || open.port.evidence.iter().filter_map(|key| open.component.evidence.iter().find(|entry| entry.key == *key));
        let sources: Vec<&str> = evidence().map(|entry| entry.url.as_deref().unwrap_or(&entry.title)).collect();
        let checked = evidence().map(|entry| entry.checked).min().map(|day| day.to_string()).unwrap_or_default();
        let providers = kb.providers.values().filter(|provider| provider.presences(&open.component.id).any(Presence::is_shipped));
        let providers: Vec<&str> = providers.map(|provider| provider.id.as_str()).collect();
        let clients: Vec<&str> = open.clients.iter().map(|id| id.as_str()).collect();
        csv.push_str(&csv_line(&[
            &labels::ports(open.port),
            &open.port.protocols.join(" "),
            open.component.id.as_str(),
            open.component.place.as_ref().map_or("", |place| place.as_str()),
            open.port.what.as_ref().map_or("", |what| what.get(lang)),
            &clients.join(" "),
            &providers.join(" "),
            &sources.join(" "),
            &checked,
        ]));
    }
    csv
}
