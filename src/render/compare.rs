//! The comparison of providers by role: all providers, any two of them, and one role with its evidence.

use serde::Serialize;

use super::{
    claims::{ClaimView, RoleRow, of_role, rows},
    frame::{ContentsEntry, frame},
    generated,
    labels::{TermView, presence},
    reader::{LinkView, Reader},
    routes::{PageRoute, pair_path, role_path},
    templates::RenderResult,
};
use crate::{
    facts::Presence,
    kb::{Provider, VocabularyTerm},
    layout::{GeneratedFile, GeneratedPage},
    text::escape,
    url::Url,
};

#[derive(Serialize)]
struct CompareView {
    providers: Vec<LinkView>,
    rows: Vec<RoleRow>,
    /// The presences in the cells.
    legend: Vec<TermView>,
    pairs: Vec<PairView>,
    /// Whether only two providers are compared.
    pair: bool,
    csv: String,
    json: String,
}

#[derive(Serialize)]
struct PairView {
    a: String,
    b: String,
    name: String,
    href: String,
}

#[derive(Serialize)]
struct RolePageView<'a> {
    id: &'a str,
    providers: Vec<RoleProvider>,
}

#[derive(Serialize)]
struct RoleProvider {
    provider: LinkView,
    claims: Vec<ClaimView>,
}

pub(super) fn all(reader: &Reader<'_>) -> RenderResult {
    let providers: Vec<&Provider> = reader.kb().providers.values().map(AsRef::as_ref).collect();
    generated::render(reader, GeneratedPage::Compare, "compare.html", &compare_view(reader, &providers, false))
}

pub(super) fn pair<'a>(reader: &Reader<'a>, a: &'a Provider, b: &'a Provider) -> RenderResult {
    let title = reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]);
    let mut frame = frame(reader, &pair_path(&a.id, &b.id), &title, reader.words("compare_description"));
    // The folder of the first provider has no page.
    frame.breadcrumbs.truncate(2);
    generated::render_below(reader, &frame, "compare.html", &compare_view(reader, &[a, b], true))
}

/// The claims of all providers about a role, with their evidence. The comparison shows them below the row of the role.
pub(super) fn role(reader: &Reader<'_>, role: &VocabularyTerm) -> RenderResult {
    let mut frame = frame(reader, &role_path(&role.id), &role_title(reader, role), reader.text(&role.what));
    let cell = |provider: &Provider| {
        let mut claims = of_role(reader, provider, role.id.as_str());
        // Claims that no longer hold are last.
        claims.sort_by_key(|claim| claim.is_over);
        RoleProvider { provider: reader.link(&provider.id), claims }
    };
    let providers: Vec<RoleProvider> = reader.kb().providers.values().map(|provider| cell(provider)).collect();
    let entry =
        |provider: &RoleProvider| ContentsEntry { level: 2, id: provider.provider.id.clone(), html: escape(&provider.provider.name) };
    frame.contents = providers.iter().map(entry).collect();
    generated::render_below(reader, &frame, "role.html", &RolePageView { id: role.id.as_str(), providers })
}

/// The title of the page of a role.
pub(super) fn role_title(reader: &Reader<'_>, role: &VocabularyTerm) -> String {
    reader.strings().with("compare_role", &[("role", reader.text(&role.label))])
}

fn compare_view<'a>(reader: &Reader<'a>, providers: &[&'a Provider], pair: bool) -> CompareView {
    let kb = reader.kb();
    let pairs = reader.context.routes.pages.iter().filter_map(|page| {
        let PageRoute::ProviderPair(a, b) = page else { return None };
        let (a, b) = (kb.providers.get(a)?, kb.providers.get(b)?);
        Some(PairView {
            a: a.id.to_string(),
            b: b.id.to_string(),
            name: reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]),
            href: reader.href(&pair_path(&a.id, &b.id)),
        })
    });
    let rows = rows(reader, providers);
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let is_shown = |presence: &Presence| {
        cells().any(|cell| cell.claims.iter().any(|claim| claim.presence == presence.name()))
            || (*presence == Presence::Unknown && cells().any(|cell| cell.claims.is_empty()))
    };
    CompareView {
        legend: Presence::ALL.into_iter().filter(is_shown).map(|it| presence(reader, it)).collect(),
        providers: providers.iter().map(|provider| reader.link(&provider.id)).collect(),
        rows,
        pairs: pairs.collect(),
        pair,
        csv: reader.href_to(&Url::file(GeneratedFile::CompareCsv.path())),
        json: reader.href_to(&Url::file(GeneratedFile::Compare.path())),
    }
}
