//! Settings of mdBook that are accepted and have no effect, so that a book.toml of mdBook can be used unchanged.

use std::sync::Arc;

use crate::{
    diagnostic::{Diagnostics, Place, Rule},
    node::{MapEntry, Node, NodeValue},
    text::{Span, listed},
};

/// The documented settings of mdBook 0.4 and 0.5 without an effect (<https://rust-lang.github.io/mdBook/format/configuration/>). A table stands for all its keys.
const UNUSED: &[&str] = &[
    "book.multilingual",
    "book.text-direction",
    "build.create-missing",
    "build.extra-watch-dirs",
    "build.use-default-preprocessors",
    "output.html.admonitions",
    "output.html.copy-fonts",
    "output.html.default-theme",
    "output.html.definition-lists",
    "output.html.fold",
    "output.html.git-repository-icon",
    "output.html.google-analytics",
    "output.html.hash-files",
    "output.html.input-404",
    "output.html.live-reload-endpoint",
    "output.html.livereload-url",
    "output.html.playground",
    "output.html.playpen",
    "output.html.preferred-dark-theme",
    "output.html.print",
    "output.html.search",
    "output.html.sidebar-header-nav",
    "output.html.theme",
    "rust",
];

/// Preprocessors of mdBook whose syntax is understood without them.
const BUILT_IN: [&str; 9] = ["admonish", "alerts", "gfm-alerts", "index", "links", "mermaid", "tabs", "toc", "pagetoc"];

/// Removes the settings without an effect, and reports them once. Also returns the preprocessors that are programs, with the spans of their names.
pub(super) fn remove(file: &Arc<str>, node: Node, diagnostics: &mut Diagnostics) -> (Node, Vec<(String, Span)>) {
    let (mut removed, mut preprocessors) = (Vec::new(), Vec::new());
    let node = without(node, "", &mut removed, &mut preprocessors);
    if let Some((_, first)) = removed.first() {
        let names = listed(removed.iter().map(|(name, _)| name.as_str()));
        let message = format!("settings of mdBook without an effect here: {names}");
        diagnostics.report(
            Rule::UnusedSetting,
            Place::new(file.clone(), *first),
            message,
            "remove them, if you no longer build with mdBook",
        );
    }
    (node, preprocessors)
}

fn without(node: Node, table: &str, removed: &mut Vec<(String, Span)>, preprocessors: &mut Vec<(String, Span)>) -> Node {
    let Node { span, value: NodeValue::Map(entries) } = node else { return node };
    let mut kept = Vec::new();
    for entry in entries {
        let key = entry.key.as_str();
        let name = if table.is_empty() { key.to_owned() } else { format!("{table}.{key}") };
        let is_unused = match table {
            "output" => key != "html",
            _ => UNUSED.contains(&name.as_str()),
        };
        if is_unused {
            removed.push((name, entry.key_span));
        } else if name == "preprocessor" {
            if let NodeValue::Map(entries) = entry.node.value {
                let commands = entries.into_iter().filter(|entry| !BUILT_IN.contains(&entry.key.as_str()));
                preprocessors.extend(commands.map(|entry| (entry.key, entry.key_span)));
            }
        } else if UNUSED.iter().any(|unused| unused.starts_with(&format!("{name}."))) {
            kept.push(MapEntry { node: without(entry.node, &name, removed, preprocessors), ..entry });
        } else {
            kept.push(entry);
        }
    }
    Node { span, value: NodeValue::Map(kept) }
}
