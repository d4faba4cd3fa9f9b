//! Claims of providers, by role.

use serde::Serialize;

use super::{
    labels::{confidence, presence, role_link},
    reader::{CiteView, LinkView, Reader},
};
use crate::{
    kb::{Claim, Component, Kb, Provider},
    layout::PROVIDERS,
};

/// A role with the claims of each provider.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RoleRow {
    pub(super) id: String,
    pub(super) label: String,
    /// The address of its page; empty without one.
    pub(super) href: String,
    /// One for each provider, in the order of the columns.
    pub(super) cells: Vec<CellView>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct CellView {
    pub(super) provider: String,
    /// Whether some claim no longer holds.
    pub(super) has_ended: bool,
    /// Empty if nothing is known.
    pub(super) claims: Vec<ClaimView>,
}

impl CellView {
    pub(super) fn new(reader: &Reader<'_>, provider: &Provider, role: &str) -> Self {
        let claims = of_role(reader, provider, role);
        let has_ended = claims.iter().any(|claim| claim.is_over);
        Self { provider: provider.id.to_string(), has_ended, claims }
    }
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct ClaimView {
    pub(super) provider: Option<LinkView>,
    pub(super) component: Option<LinkView>,
    pub(super) role: Option<LinkView>,
    pub(super) presence: &'static str,
    pub(super) presence_label: String,
    pub(super) form: String,
    pub(super) since: String,
    pub(super) until: String,
    /// Whether it no longer holds: its last version is not a planned release.
    pub(super) is_over: bool,
    pub(super) what: String,
    pub(super) confidence: &'static str,
    pub(super) confidence_label: String,
    pub(super) cites: Vec<CiteView>,
}

/// A claim for a page. On the page of the provider, its evidence links to the list of sources; elsewhere, it links to the source.
pub(super) fn claim<'a>(reader: &Reader<'a>, provider: &Provider, claim: &'a Claim, with_provider: bool) -> ClaimView {
    let path = format!("{PROVIDERS}/{}", provider.id);
    let own_page = reader.kb().config.page_url(&path, reader.lang) == reader.url;
    let (presence, confidence) = (presence(reader, claim.presence), confidence(reader, claim.confidence));
    ClaimView {
        provider: with_provider.then(|| reader.link(&provider.id)),
        component: claim.component.as_ref().map(|id| reader.link(id)),
        role: claim.role.as_ref().map(|id| role_link(reader, id)),
        presence: presence.id,
        presence_label: presence.label,
        form: claim.form.clone().unwrap_or_default(),
        since: claim.since.clone().unwrap_or_default(),
        until: claim.until.clone().unwrap_or_default(),
        is_over: is_over(reader.kb(), provider, claim),
        what: reader.optional(claim.what.as_ref()).to_owned(),
        confidence: confidence.id,
        confidence_label: confidence.label,
        cites: if own_page {
            reader.cites(&claim.evidence, &provider.evidence)
        } else {
            reader.foreign_cites(&claim.evidence, &provider.evidence, &path)
        },
    }
}

/// Whether the last version of a claim is in the past: neither a planned release nor a date after the last check of the claim.
pub(super) fn is_over(kb: &Kb, provider: &Provider, claim: &Claim) -> bool {
    let Some(until) = &claim.until else { return false };
    if let Some(release) = kb.vocabulary.releases.iter().find(|release| release.name == *until) {
        return release.date.is_some();
    }
    let is_date = until.len() >= 7 && until.as_bytes()[4] == b'-' && until.bytes().take(4).all(|byte| byte.is_ascii_digit());
    let checked = provider.evidence.iter().filter(|evidence| claim.evidence.contains(&evidence.key)).map(|evidence| evidence.checked).max();
    // Dates in this form are ordered like texts.
    !is_date || checked.is_none_or(|checked| *until <= checked.to_string())
}

/// The claims about a component, with their providers.
pub(super) fn claims_of<'a>(kb: &'a Kb, component: &'a Component) -> impl Iterator<Item = (&'a Provider, &'a Claim)> {
    component.claims.iter().filter_map(|(id, index)| {
        let provider = kb.providers.get(id)?;
        Some((provider.as_ref(), provider.claims.get(*index)?))
    })
}

/// The claims of a provider about a role.
pub(super) fn of_role<'a>(reader: &Reader<'a>, provider: &'a Provider, role: &str) -> Vec<ClaimView> {
    let claims = provider.claims.iter().filter(|claim| claim.role.as_ref().is_some_and(|id| id.as_str() == role));
    claims.map(|written| claim(reader, provider, written, false)).collect()
}

/// Every role with the claims of these providers, in the order of the vocabulary.
pub(super) fn rows<'a>(reader: &Reader<'a>, providers: &[&'a Provider]) -> Vec<RoleRow> {
    let roles = reader.kb().vocabulary.roles.iter();
    roles
        .map(|role| {
            let cells: Vec<CellView> = providers.iter().map(|provider| CellView::new(reader, provider, role.id.as_str())).collect();
            RoleRow { id: role.id.to_string(), href: role_link(reader, &role.id).href, label: reader.text(&role.label).to_owned(), cells }
        })
        .collect()
}
