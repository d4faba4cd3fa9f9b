//! All providers side by side, as data.

use std::fmt::Write as _;

use serde::Serialize;

use super::{SCHEMA_VERSION, Source, page_url, source};
use crate::{
    kb::{Claim, Kb, Provider},
    layout::EntityKind,
    render::compare::{confidence, presence},
};

/// `compare.json`
#[derive(Serialize)]
pub(super) struct Comparison<'a> {
    schema_version: u32,
    providers: Vec<Named<'a>>,
    roles: Vec<Role<'a>>,
}

/// `providers.json`
#[derive(Serialize)]
pub(super) struct Providers<'a> {
    schema_version: u32,
    providers: Vec<ProviderOut<'a>>,
}

#[derive(Serialize)]
struct ProviderOut<'a> {
    id: &'a str,
    name: &'a str,
    kind: &'a str,
    vendor: Option<&'a str>,
    url: String,
    aka: &'a [String],
    /// Texts that only listings of its clusters contain.
    marks: &'a [String],
    claims: Vec<RoleClaim<'a>>,
}

#[derive(Serialize)]
struct RoleClaim<'a> {
    /// The job that is done; `null` for a component without one.
    role: Option<&'a str>,
    #[serde(flatten)]
    claim: ClaimOut<'a>,
}

/// Every provider with everything that it is known to have.
pub(super) fn providers(kb: &Kb) -> Providers<'_> {
    Providers { schema_version: SCHEMA_VERSION, providers: kb.providers.values().map(|it| provider_out(kb, it)).collect() }
}

fn provider_out<'a>(kb: &'a Kb, provider: &'a Provider) -> ProviderOut<'a> {
    let lang = kb.config.default_language();
    let claim =
        |claim: &'a Claim| RoleClaim { role: claim.role.as_ref().map(crate::id::Id::as_str), claim: claim_out(claim, provider, lang) };
    ProviderOut {
        id: provider.id.as_str(),
        name: &provider.name,
        kind: provider.kind.as_str(),
        vendor: provider.vendor.as_deref(),
        url: page_url(kb, EntityKind::Provider, &provider.id),
        aka: &provider.aka,
        marks: &provider.marks,
        claims: provider.claims.iter().map(claim).collect(),
    }
}

#[derive(Serialize)]
struct Named<'a> {
    id: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
struct Role<'a> {
    id: &'a str,
    name: &'a str,
    cells: Vec<Cell<'a>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    provider: &'a str,
    claims: Vec<ClaimOut<'a>>,
}

#[derive(Serialize)]
struct ClaimOut<'a> {
    component: Option<&'a str>,
    presence: &'static str,
    form: Option<&'a str>,
    since: Option<&'a str>,
    until: Option<&'a str>,
    what: Option<&'a str>,
    confidence: &'static str,
    evidence: Vec<Source<'a>>,
}

pub(super) fn comparison(kb: &Kb) -> Comparison<'_> {
    let lang = kb.config.default_language();
    Comparison {
        schema_version: SCHEMA_VERSION,
        providers: kb.providers.values().map(|provider| Named { id: provider.id.as_str(), name: &provider.name }).collect(),
        roles: kb
            .vocabulary
            .roles
            .iter()
            .map(|role| Role {
                id: role.id.as_str(),
                name: role.label.get(lang),
                cells: kb
                    .providers
                    .values()
                    .map(|provider| Cell {
                        provider: provider.id.as_str(),
                        claims: provider
                            .claims
                            .iter()
                            .filter(|claim| claim.role.as_ref() == Some(&role.id))
                            .map(|claim| claim_out(claim, provider, lang))
                            .collect(),
                    })
                    .collect(),
            })
            .collect(),
    }
}

fn claim_out<'a>(claim: &'a Claim, provider: &'a Provider, lang: &crate::id::Lang) -> ClaimOut<'a> {
    let entries = claim.evidence.iter().filter_map(|key| provider.evidence.iter().find(|entry| entry.key == *key));
    ClaimOut {
        component: claim.component.as_ref().map(crate::id::Id::as_str),
        presence: presence(claim.presence).0,
        form: claim.form.as_deref(),
        since: claim.since.as_deref(),
        until: claim.until.as_deref(),
        what: claim.what.as_ref().map(|what| what.get(lang)),
        confidence: confidence(claim.confidence).0,
        evidence: entries.map(source).collect(),
    }
}

/// One line for each claim (RFC 4180); a role of which a provider says nothing is a line with the presence `unknown`.
pub(super) fn csv(comparison: &Comparison<'_>) -> String {
    let mut csv = String::from("role,provider,component,presence,form,since,until,what,confidence,evidence,checked\r\n");
    for role in &comparison.roles {
        for cell in &role.cells {
            if cell.claims.is_empty() {
                let _ = write!(csv, "{},{},,unknown,,,,,,,\r\n", field(role.id), field(cell.provider));
            }
            for claim in &cell.claims {
                let evidence = claim.evidence.iter().map(|entry| entry.url.unwrap_or(entry.title)).collect::<Vec<_>>().join(" ");
                // The oldest look says how far the whole claim can be trusted.
                let checked = claim.evidence.iter().map(|entry| entry.checked.as_str()).min().unwrap_or_default();
                let fields = [
                    role.id,
                    cell.provider,
                    claim.component.unwrap_or_default(),
                    claim.presence,
                    claim.form.unwrap_or_default(),
                    claim.since.unwrap_or_default(),
                    claim.until.unwrap_or_default(),
                    claim.what.unwrap_or_default(),
                    claim.confidence,
                    &evidence,
                    checked,
                ];
                csv.push_str(&fields.map(field).join(","));
                csv.push_str("\r\n");
            }
        }
    }
    csv
}

/// Quotes a field that needs it. A leading `=`, `+`, `-` or `@` would be a formula to a spreadsheet, so a tick goes before it.
fn field(text: &str) -> String {
    let text = if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
