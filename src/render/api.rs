//! Data for other programs, under `api/v1/`.

mod compare;
mod detail;
mod format;
mod page;
mod things;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    facts::Day,
    id::{Id, Lang},
    kb::{Evidence, Kb, Section},
    layout::EntityKind,
    url::encode_fragment,
};

pub(super) use format::Format;
pub(super) use page::{has_any, render, tables};

/// The version of the format of every file; it grows when a field is renamed or removed.
const SCHEMA_VERSION: u32 = 1;

/// The folder of this version of the API.
const FOLDER: &str = "api/v1/";

/// Its files.
pub(super) fn paths(kb: &Kb) -> Vec<String> {
    let comparison = ["compare.json", "compare.csv", "providers.json"].into_iter().filter(|_| !kb.providers.is_empty());
    let lists = ["components.json", "lookup.json"].into_iter().filter(|_| !kb.components.is_empty());
    let details = kb.components.keys().chain(kb.concepts.keys()).map(|id| format!("components/{id}.json"));
    let schemas = Format::ALL.into_iter().filter(|_| has_any(kb)).map(Format::schema_path);
    comparison.chain(lists).map(str::to_owned).chain(details).chain(schemas).map(|path| format!("{FOLDER}{path}")).collect()
}

/// One of its files; `None` if there is none at that path.
pub(super) fn file(kb: &Kb, path: &str) -> Option<Vec<u8>> {
    match path.strip_prefix(FOLDER)? {
        "compare.json" if !kb.providers.is_empty() => Some(json(&compare::comparison(kb))),
        "compare.csv" if !kb.providers.is_empty() => Some(compare::csv(&compare::comparison(kb)).into_bytes()),
        "providers.json" if !kb.providers.is_empty() => Some(json(&compare::providers(kb))),
        "components.json" if !kb.components.is_empty() => Some(json(&things::components(kb))),
        "lookup.json" if !kb.components.is_empty() => Some(json(&things::lookup(kb))),
        path => {
            if let Some(format) = Format::ALL.into_iter().find(|format| format.schema_path() == path) {
                return has_any(kb).then(|| json(&format.schema()));
            }
            let id = path.strip_prefix("components/")?.strip_suffix(".json")?;
            let component = kb.components.get(id).map(|it| json(&detail::component(kb, it)));
            component.or_else(|| kb.concepts.get(id).map(|it| json(&detail::concept(kb, it))))
        }
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    let mut json = serde_json::to_string_pretty(value).unwrap_or_default();
    json.push('\n');
    json.into_bytes()
}

/// Where something was seen.
#[derive(Serialize, JsonSchema)]
struct Source<'a> {
    /// Its name among the sources of the same file of facts.
    key: &'a str,
    /// Its title.
    title: &'a str,
    /// Its address; an observation may have none.
    url: Option<&'a str>,
    /// Whether it was seen in a real cluster and is documented nowhere.
    observed: bool,
    /// The day on which somebody looked.
    #[schemars(with = "Day")]
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
