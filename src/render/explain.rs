//! The page that explains pasted `kubectl` output, and the data of its script.

use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::{
    generated,
    reader::{LinkView, Reader},
    routes::explain_data_path,
    templates::RenderResult,
};
use crate::{
    explain::{ExplainData, Knowledge},
    id::Lang,
    kb::{Component, Kb},
    layout::{COMPONENTS, GeneratedPage},
    listing::{Recognised, Row, parse_row},
    url::Url,
};

#[derive(Serialize)]
struct ExplainView {
    providers: Vec<LinkView>,
    example: String,
    /// The settings of the script, as JSON.
    settings: String,
    /// The labels of the filters, in order, and of the groups of the result, as JSON.
    labels: String,
}

/// The data of the page in a language, as a script: a page that is opened from a disk can't load data.
pub(super) fn data(kb: &Kb, lang: &Lang) -> Vec<u8> {
    let knowledge = Knowledge::from(kb);
    let strings = kb.theme.strings.get(lang).cloned().unwrap_or_default();
    let json = serde_json::to_string(&ExplainData::new(&knowledge, &strings, lang)).unwrap_or_default();
    format!("(globalThis.ksys??={{}}).guide={json}\n").into_bytes()
}

/// The file of the knowledge base with an example; without it, rows from the facts are used.
const EXAMPLE: &str = "explain/example.txt";

/// The number of components in the generated example.
const EXAMPLE_ROWS: usize = 12;

fn example(kb: &Kb) -> String {
    if let Some(text) = kb.assets.get(EXAMPLE).and_then(|bytes| std::str::from_utf8(bytes).ok()) {
        return text.to_owned();
    }
    // The prefixes determine the kinds, so that a header is not necessary.
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

pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let hash = blake3::hash(&data(kb, reader.lang)).to_hex();
    let settings = json!({
        // The script with the data.
        "guide": format!("{}?{}", reader.href_to(&Url::file(&explain_data_path(reader.lang))), &hash[..10]),
        "components": reader.href(COMPONENTS),
        // The repository for proposing changes; may be empty.
        "repository": kb.config.repository.as_deref().unwrap_or_default(),
    });
    let label = |name: &str, key: &str| format!("{}:{}", json!(name), json!(reader.words(key)));
    let labels = [
        ("all", "components"),
        ("unhealthy", "explain_unhealthy"),
        ("outdated", "explain_deprecated"),
        ("idle", "explain_idle_short"),
        ("missing", "explain_missing"),
        ("unknown", "explain_unknown"),
        ("hidden", "explain_hidden"),
        ("components", "components"),
    ]
    .map(|(name, key)| label(name, key));
    let view = ExplainView {
        example: example(kb),
        providers: kb.providers.keys().map(|id| reader.link(id)).collect(),
        settings: settings.to_string(),
        labels: format!("{{{}}}", labels.join(",")),
    };
    generated::render(reader, GeneratedPage::Explain, "explain.html", &view)
}
