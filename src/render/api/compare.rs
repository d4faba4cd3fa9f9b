//! The comparison of all providers, as data.

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    SCHEMA_VERSION, Source,
    csv::csv_line,
    fields::{FieldOut, fields},
    page_url, sources,
};
use crate::{
    facts::{Confidence, Presence},
    kb::{Claim, Kb, Provider, VocabularyTerm},
    layout::EntityKind,
};

/// A table of roles and providers: which component each provider uses for each role.
#[derive(Serialize, JsonSchema)]
pub(super) struct Comparison<'a> {
    /// The version of this format.
    schema_version: u32,
    /// The columns.
    providers: Vec<Named<'a>>,
    /// The rows.
    roles: Vec<RoleRecord<'a>>,
}

/// All providers with the statements about them.
#[derive(Serialize, JsonSchema)]
pub(super) struct Providers<'a> {
    /// The version of this format.
    schema_version: u32,
    /// All entries, sorted by id.
    providers: Vec<ProviderWithClaims<'a>>,
}

/// A provider of clusters.
#[derive(Serialize, JsonSchema)]
struct ProviderWithClaims<'a> {
    /// The id.
    id: &'a str,
    /// The name.
    name: &'a str,
    /// The id of its kind in the vocabulary.
    kind: &'a str,
    /// The vendor.
    vendor: Option<&'a str>,
    /// The URL of the page in the default language.
    url: String,
    /// Other names that people search for.
    aka: &'a [String],
    /// The values of the site's own fields.
    fields: Vec<FieldOut<'a>>,
    /// Texts that only appear in `kubectl` output of its clusters.
    marks: &'a [String],
    /// Texts that `kubectl` output of its clusters never contains.
    unlike: &'a [String],
    /// The names of the Nodes that run its static Pods, as patterns; empty for any name.
    static_pod_nodes: Vec<&'a str>,
    /// The statements about what it includes.
    claims: Vec<RoleClaim<'a>>,
}

/// A statement about a role at a provider.
#[derive(Serialize, JsonSchema)]
struct RoleClaim<'a> {
    /// The id of the role; null for a component without a role.
    role: Option<&'a str>,
    #[serde(flatten)]
    claim: ClaimOut<'a>,
}

/// `providers.json`
pub(super) fn providers(kb: &Kb) -> Providers<'_> {
    Providers { schema_version: SCHEMA_VERSION, providers: kb.providers.values().map(|it| provider_out(kb, it)).collect() }
}

fn provider_out<'a>(kb: &'a Kb, provider: &'a Provider) -> ProviderWithClaims<'a> {
    let lang = kb.config.default_language();
    let claim =
        |claim: &'a Claim| RoleClaim { role: claim.role.as_ref().map(crate::id::Id::as_str), claim: claim_out(claim, provider, lang) };
    ProviderWithClaims {
        id: provider.id.as_str(),
        name: &provider.name,
        kind: provider.kind.as_str(),
        vendor: provider.vendor.as_deref(),
        url: page_url(kb, EntityKind::Provider, &provider.id),
        aka: &provider.aka,
        fields: fields(kb, &provider.fields),
        marks: &provider.marks,
        unlike: &provider.unlike,
        static_pod_nodes: provider.static_pod_nodes.iter().map(|node| node.name.as_str()).collect(),
        claims: provider.claims.iter().map(claim).collect(),
    }
}

/// A provider.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ProviderName")]
struct Named<'a> {
    /// The id.
    id: &'a str,
    /// The name.
    name: &'a str,
}

/// A role that different components can have.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Role")]
struct RoleRecord<'a> {
    /// The id.
    id: &'a str,
    /// The name in the default language of the site.
    name: &'a str,
    /// One for each provider, in the order of the columns.
    cells: Vec<Cell<'a>>,
}

/// The components that a provider uses for a role.
#[derive(Serialize, JsonSchema)]
struct Cell<'a> {
    /// The id of the provider.
    provider: &'a str,
    /// The statements; empty if nothing is known.
    claims: Vec<ClaimOut<'a>>,
}

/// A statement about a provider.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Claim")]
struct ClaimOut<'a> {
    /// The id of the component that has the role; null if none has.
    component: Option<&'a str>,
    /// The presence.
    presence: Presence,
    /// The form, as a phrase.
    form: Option<&'a str>,
    /// The first version of the provider that includes it; free text.
    since: Option<&'a str>,
    /// The last version that includes it; free text.
    until: Option<&'a str>,
    /// Further details, in the default language.
    what: Option<&'a str>,
    /// The confidence.
    confidence: Confidence,
    /// The evidence.
    evidence: Vec<Source<'a>>,
}

pub(super) fn comparison<'a>(kb: &'a Kb) -> Comparison<'a> {
    let lang = kb.config.default_language();
    let cell = |role: &VocabularyTerm, provider: &'a Provider| {
        let claims = provider.claims.iter().filter(|claim| claim.role.as_ref() == Some(&role.id));
        Cell { provider: provider.id.as_str(), claims: claims.map(|claim| claim_out(claim, provider, lang)).collect() }
    };
    let record = |role: &'a VocabularyTerm| RoleRecord {
        id: role.id.as_str(),
        name: role.label.get(lang),
        cells: kb.providers.values().map(|provider| cell(role, provider)).collect(),
    };
    Comparison {
        schema_version: SCHEMA_VERSION,
        providers: kb.providers.values().map(|provider| Named { id: provider.id.as_str(), name: &provider.name }).collect(),
        roles: kb.vocabulary.roles.iter().map(record).collect(),
    }
}

fn claim_out<'a>(claim: &'a Claim, provider: &'a Provider, lang: &crate::id::Lang) -> ClaimOut<'a> {
    ClaimOut {
        component: claim.component.as_ref().map(crate::id::Id::as_str),
        presence: claim.presence,
        form: claim.form.as_deref(),
        since: claim.since.as_deref(),
        until: claim.until.as_deref(),
        what: claim.what.as_ref().map(|what| what.get(lang)),
        confidence: claim.confidence,
        evidence: sources(&claim.evidence, &provider.evidence),
    }
}

/// The comparison as CSV (RFC 4180), with one line for each claim. A role without a claim of a provider is a line with the presence `unknown`.
pub(super) fn csv(comparison: &Comparison<'_>) -> String {
    let mut csv = String::from("role,provider,component,presence,form,since,until,what,confidence,evidence,checked\r\n");
    for role in &comparison.roles {
        for cell in &role.cells {
            if cell.claims.is_empty() {
                csv.push_str(&csv_line(&[role.id, cell.provider, "", "unknown", "", "", "", "", "", "", ""]));
            }
            for claim in &cell.claims {
                let evidence = claim.evidence.iter().map(|entry| entry.url.unwrap_or(entry.title)).collect::<Vec<_>>().join(" ");
                // The oldest check determines how far the whole claim can be trusted.
                let checked = claim.evidence.iter().map(|entry| entry.checked).min().map(|day| day.to_string()).unwrap_or_default();
                let values = [
                    role.id,
                    cell.provider,
                    claim.component.unwrap_or_default(),
                    claim.presence.name(),
                    claim.form.unwrap_or_default(),
                    claim.since.unwrap_or_default(),
                    claim.until.unwrap_or_default(),
                    claim.what.unwrap_or_default(),
                    claim.confidence.name(),
                    &evidence,
                    &checked,
                ];
                csv.push_str(&csv_line(&values));
            }
        }
    }
    csv
}
