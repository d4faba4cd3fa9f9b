//! Roles by providers: all providers, and any two of them.

use serde::Serialize;

use super::{
    claims::{RoleRow, rows},
    frame::{Frame, frame},
    prose::introduction,
    reader::{LinkView, Reader},
    routes::{PageRoute, pair_path},
    templates::Templates,
};
use crate::{
    diagnostic::Diagnostic,
    kb::Provider,
    layout::{GeneratedFile, GeneratedPage},
    url::Url,
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

pub(super) fn all(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let providers: Vec<&Provider> = reader.kb().providers.values().map(AsRef::as_ref).collect();
    let page = frame(reader, GeneratedPage::Compare.path(), reader.words("compare"), reader.words("compare_description"));
    render(reader, page, &providers, false, templates)
}

pub(super) fn pair(reader: &Reader<'_>, a: &Provider, b: &Provider, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let title = reader.strings().with("compare_pair", &[("a", &a.name), ("b", &b.name)]);
    let mut page = frame(reader, &pair_path(&a.id, &b.id), &title, reader.words("compare_description"));
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
    let view = CompareView {
        intro: if pair { String::new() } else { introduction(reader, GeneratedPage::Compare, templates)? },
        providers: providers.iter().map(|provider| reader.link(&provider.id)).collect(),
        rows: rows(reader, providers),
        pairs: pairs.collect(),
        pair,
        csv: reader.href_to(&Url::file(GeneratedFile::CompareCsv.path())),
        json: reader.href_to(&Url::file(GeneratedFile::Compare.path())),
        page,
    };
    templates.render("compare.html", &view)
}
