//! The page that explains what somebody pastes, and the facts that its script reads.

use std::sync::Arc;

use serde::Serialize;

use super::{
    frame::{Frame, frame},
    index,
    reader::{LinkView, Reader},
    templates::Templates,
};
use crate::{
    diagnostic::Diagnostic,
    explain::{ExplainData, Knowledge},
    id::Lang,
    kb::{Component, Kb},
    layout::{COMPONENTS, EXPLAIN},
    listing::{Recognised, Row, parse_row},
    url::Url,
};

#[derive(Serialize)]
struct ExplainView<'a> {
    page: Frame<'a>,
    intro: String,
    providers: Vec<LinkView>,
    /// A listing to begin with.
    example: String,
    /// What the script needs to know, as JSON.
    settings: String,
}

#[derive(Serialize)]
struct Settings<'a> {
    /// The script of the facts.
    guide: String,
    /// The folder of the pages of components, as seen from this page.
    components: String,
    /// Where changes are proposed; empty if nobody says.
    repository: &'a str,
}

/// Whether there is anything to explain listings with.
pub(super) fn has_any(kb: &Kb) -> bool {
    kb.components.values().any(|component| !component.listing.is_empty())
}

/// The paths of the facts, one for each language.
pub(super) fn paths(kb: &Kb) -> Vec<String> {
    let languages = kb.config.languages.iter().filter(|_| has_any(kb));
    languages.map(|language| guide_path(&language.lang)).collect()
}

fn guide_path(lang: &Lang) -> String {
    format!("{EXPLAIN}/guide.{lang}.js")
}

/// The facts at a path, as a script: a page on a disk may load no data. `None` if there are none at that path.
pub(super) fn file(kb: &Kb, path: &str) -> Option<Vec<u8>> {
    let language = kb.config.languages.iter().find(|language| guide_path(&language.lang) == path).filter(|_| has_any(kb))?;
    let knowledge = Knowledge::from(kb);
    let json = serde_json::to_string(&ExplainData::new(&knowledge, &language.lang)).unwrap_or_default();
    Some(format!("(globalThis.ksys??={{}}).guide={json}\n").into_bytes())
}

/// The file of the knowledge base with an example; without it, rows from the facts are one.
const EXAMPLE: &str = "explain/example.txt";

/// Rows of so many components show what the page is for.
const EXAMPLE_ROWS: usize = 12;

fn example(kb: &Kb) -> String {
    if let Some(text) = kb.assets.get(EXAMPLE).and_then(|bytes| std::str::from_utf8(bytes).ok()) {
        return text.to_owned();
    }
    // The prefixes tell the kinds, so that no header is needed.
    let name = |component: &Arc<Component>| {
        let rows = component.examples.iter().filter_map(|example| parse_row(example));
        let row = rows.map(|row| Row { namespace: None, ..row }).find(|row| {
            let owner = kb.recogniser.recognise(row, None);
            row.kind.is_some() && owner == Recognised::One(&component.id)
        })?;
        Some(format!("{}/{}\n", row.kind.unwrap_or_default().to_ascii_lowercase(), row.name))
    };
    let names: String = kb.components.values().filter_map(name).take(EXAMPLE_ROWS).collect();
    format!("$ kubectl get all -A -o name\n{names}")
}

pub(super) fn render(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let guide = guide_path(reader.lang);
    let hash = blake3::hash(&file(kb, &guide).unwrap_or_default()).to_hex();
    let settings = Settings {
        guide: format!("{}?{}", reader.href_to(&Url::file(&guide)), &hash[..10]),
        components: reader.href(COMPONENTS),
        repository: kb.config.repository.as_deref().unwrap_or_default(),
    };
    let view = ExplainView {
        page: frame(reader, EXPLAIN, reader.words("explain"), reader.words("explain_description")),
        intro: index::intro(reader, EXPLAIN, templates)?,
        example: example(kb),
        providers: kb.providers.keys().map(|id| reader.link(id)).collect(),
        settings: serde_json::to_string(&settings).unwrap_or_default(),
    };
    templates.render("explain.html", &view)
}
