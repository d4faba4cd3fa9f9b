//! Data for other programs, under `api/v1/`.

mod compare;
mod detail;
mod things;

use rayon::prelude::*;
use serde::Serialize;

use crate::{
    id::{Id, Lang},
    kb::{Evidence, Kb, Section},
    layout::EntityKind,
    site::Site,
    url::encode_fragment,
};

/// The version of the format of every file; it grows when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

/// Adds the files of the API.
pub(super) fn publish(kb: &Kb, site: &mut Site) {
    if !kb.providers.is_empty() {
        let comparison = compare::comparison(kb);
        site.insert("api/v1/compare.json", json(&comparison));
        site.insert("api/v1/compare.csv", compare::csv(&comparison).into_bytes());
    }
    if !kb.components.is_empty() {
        site.insert("api/v1/components.json", json(&things::components(kb)));
        site.insert("api/v1/lookup.json", json(&things::lookup(kb)));
    }
    // One component or concept each: most of the data, so in parallel.
    let components = kb.components.par_iter().map(|(id, it)| (id, json(&detail::component(kb, it))));
    let concepts = kb.concepts.par_iter().map(|(id, it)| (id, json(&detail::concept(kb, it))));
    let details: Vec<(&Id, Vec<u8>)> = components.chain(concepts).collect();
    for (id, bytes) in details {
        site.insert(format!("api/v1/components/{id}.json"), bytes);
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_string_pretty(value).unwrap_or_default();
    json.push('\n');
    json.into_bytes()
}

/// Where something was seen.
#[derive(Serialize)]
struct Source<'a> {
    key: &'a str,
    title: &'a str,
    url: Option<&'a str>,
    observed: bool,
    checked: String,
}

fn source(entry: &Evidence) -> Source<'_> {
    Source {
        key: entry.key.as_str(),
        title: &entry.title,
        url: entry.url.as_deref(),
        observed: entry.observed,
        checked: entry.checked.to_string(),
    }
}

/// The address of a page for a machine: absolute if the site's origin is known, else from the root of the host.
fn page_url(kb: &Kb, kind: EntityKind, id: &Id) -> String {
    address(kb, &format!("{}/{id}", kind.folder()), kb.config.default_language())
}

fn section_url(kb: &Kb, id: &Id) -> String {
    let page = kb.sections.get(id).map(Section::page).unwrap_or_default();
    format!("{}#{}", address(kb, &page, kb.config.default_language()), encode_fragment(id.as_str()))
}

fn address(kb: &Kb, path: &str, lang: &Lang) -> String {
    let url = kb.config.page_url(path, lang);
    kb.config.site_url.absolute(&url).unwrap_or_else(|| kb.config.site_url.rooted(&url))
}
