//! Roles by providers: all providers, and any two of them.

use serde::Serialize;

use super::{
    frame::{Frame, frame},
    reader::{CiteView, LinkView, Reader},
    templates::Templates,
};
use crate::{
    diagnostic::Diagnostic,
    facts::{Confidence, Presence},
    kb::{Claim, Kb, Provider},
    layout::{COMPARE, PROVIDERS},
};

#[derive(Serialize)]
struct CompareView<'a> {
    page: Frame<'a>,
    intro: String,
    providers: Vec<LinkView>,
    rows: Vec<RoleRow>,
    pairs: Vec<PairView>,
    /// Only these two.
    pair: bool,
    csv: String,
    json: String,
}

/// A link to the comparison of two providers.
#[derive(Serialize)]
struct PairView {
    a: String,
    b: String,
    name: String,
    href: String,
}

/// A role, and what each provider says of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RoleRow {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) what: String,
    /// One for each provider, in the order of the columns.
    pub(super) cells: Vec<CellView>,
    /// Whether the providers differ.
    pub(super) differs: bool,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct CellView {
    pub(super) provider: String,
    /// Empty means that nobody has said anything.
    pub(super) claims: Vec<ClaimView>,
}

/// One statement of a provider.
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
    pub(super) what: String,
    pub(super) confidence: &'static str,
    pub(super) confidence_label: String,
    pub(super) cites: Vec<CiteView>,
}

/// The word of a presence, and the key of its label.
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

/// The word of a confidence.
pub(super) const fn confidence(confidence: Confidence) -> (&'static str, &'static str) {
    let words = match confidence {
        Confidence::High => "confidence_high",
        Confidence::Medium => "confidence_medium",
        Confidence::Low => "confidence_low",
    };
    (confidence.name(), words)
}

/// A claim for a page. On the provider's own page its evidence is numbered there; elsewhere it leads straight to the source.
pub(super) fn claim(reader: &Reader<'_>, provider: &Provider, claim: &Claim, with_provider: bool) -> ClaimView {
    let path = format!("{PROVIDERS}/{}", provider.id);
    let own_page = reader.kb().config.page_url(&path, reader.lang) == reader.url;
    let (presence, presence_key) = presence(claim.presence);
    let (confidence, confidence_key) = confidence(claim.confidence);
    ClaimView {
        provider: with_provider.then(|| reader.link(&provider.id)),
        component: claim.component.as_ref().map(|id| reader.link(id)),
        role: claim.role.as_ref().map(|id| super::component::role_link(reader, id)),
        presence,
        presence_label: reader.words(presence_key).to_owned(),
        form: claim.form.clone().unwrap_or_default(),
        since: claim.since.clone().unwrap_or_default(),
        until: claim.until.clone().unwrap_or_default(),
        what: claim.what.as_ref().map(|what| what.get(reader.lang).to_owned()).unwrap_or_default(),
        confidence,
        confidence_label: reader.words(confidence_key).to_owned(),
        cites: if own_page {
            reader.cites(&claim.evidence, &provider.evidence)
        } else {
            reader.foreign_cites(&claim.evidence, &provider.evidence, &path)
        },
    }
}

/// Every role with the claims of these providers.
pub(super) fn rows(reader: &Reader<'_>, providers: &[&Provider]) -> Vec<RoleRow> {
    let roles = reader.kb().vocabulary.roles.iter();
    roles
        .map(|role| {
            let of = |provider: &Provider| {
                provider.claims.iter().filter(|claim| claim.role.as_ref() == Some(&role.id)).cloned().collect::<Vec<_>>()
            };
            let cells: Vec<CellView> = providers
                .iter()
                .map(|provider| CellView {
                    provider: provider.id.to_string(),
                    claims: of(provider).iter().map(|written| claim(reader, provider, written, false)).collect(),
                })
                .collect();
            let gist = |provider: &&Provider| {
                of(provider).iter().map(|claim| (claim.presence, claim.component.clone(), claim.form.clone())).collect::<Vec<_>>()
            };
            let gists: Vec<_> = providers.iter().map(gist).collect();
            RoleRow {
                id: role.id.to_string(),
                label: reader.text(&role.label).to_owned(),
                what: reader.text(&role.what).to_owned(),
                differs: gists.windows(2).any(|pair| pair[0] != pair[1]),
                cells,
            }
        })
        .collect()
}

/// The pairs of providers that get a page.
pub(super) fn pairs(kb: &Kb) -> Vec<(&Provider, &Provider)> {
    if kb.providers.len() > super::MAX_PAIRED_PROVIDERS {
        return Vec::new();
    }
    let all: Vec<&Provider> = kb.providers.values().map(AsRef::as_ref).collect();
    let mut pairs = Vec::new();
    for (index, a) in all.iter().enumerate() {
        pairs.extend(all.iter().skip(index + 1).map(|b| (*a, *b)));
    }
    pairs
}

/// The address of a comparison of two.
pub(super) fn pair_path(a: &Provider, b: &Provider) -> String {
    format!("{COMPARE}/{}/{}", a.id, b.id)
}

pub(super) fn all(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let providers: Vec<&Provider> = reader.kb().providers.values().map(AsRef::as_ref).collect();
    let page = frame(reader, COMPARE, reader.words("compare"), reader.words("compare_description"));
    render(reader, page, &providers, false, templates)
}

pub(super) fn pair(reader: &Reader<'_>, a: &Provider, b: &Provider, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let title = reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]);
    let mut page = frame(reader, &pair_path(a, b), &title, reader.words("compare_description"));
    // The folder of the first provider is no page.
    page.breadcrumbs.truncate(2);
    render(reader, page, &[a, b], true, templates)
}

fn render(
    reader: &Reader<'_>,
    page: Frame<'_>,
    providers: &[&Provider],
    pair: bool,
    templates: &Templates,
) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let pairs = pairs(kb).into_iter().map(|(a, b)| PairView {
        a: a.id.to_string(),
        b: b.id.to_string(),
        name: reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]),
        href: reader.href(&pair_path(a, b)),
    });
    let intro = kb.pages.get(COMPARE).filter(|_| !pair).and_then(|page| page.text(reader.lang, kb.config.default_language()));
    let view = CompareView {
        intro: intro.map(|text| reader.prose(text, templates)).transpose()?.unwrap_or_default(),
        providers: providers.iter().map(|provider| reader.link(&provider.id)).collect(),
        rows: rows(reader, providers),
        pairs: pairs.collect(),
        pair,
        csv: reader.href_to(&crate::url::Url::file("api/v1/compare.csv")),
        json: reader.href_to(&crate::url::Url::file("api/v1/compare.json")),
        page,
    };
    templates.render("compare.html", &view)
}
