//! Any text as a facts file gives findings or facts; the places of findings are in the file.
#![no_main]

use std::sync::LazyLock;

use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    node::{Node, NodeValue},
    read::Sources,
    yaml,
};
use ksys_docs_fuzz::{base, check, findings, with};
use libfuzzer_sys::fuzz_target;

static BASE: LazyLock<Sources> = LazyLock::new(base);

/// Checks that the spans of all keys and values are in the text.
fn spans_fit(node: &Node, text: &str) {
    let mut todo = vec![node];
    while let Some(node) = todo.pop() {
        assert!(text.get(node.span.range()).is_some(), "{:?}", node.span);
        match &node.value {
            NodeValue::List(items) => todo.extend(items.iter().map(|item| &item.node)),
            NodeValue::Map(entries) => {
                entries.iter().for_each(|entry| assert!(text.get(entry.key_span.range()).is_some(), "{:?}", entry.key_span));
                todo.extend(entries.iter().map(|entry| &entry.node));
            }
            _ => {}
        }
    }
}

fuzz_target!(|text: &str| {
    // As the reader does.
    let text = &text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    if let Some(node) = yaml::parse(&"facts.yaml".into(), text, 0, &mut Diagnostics::new()) {
        spans_fit(&node, text);
        for path in ["content/components/boiler/facts.yaml", "content/providers/home-line/facts.yaml", "content/vocabulary.yaml"] {
            let sources = with(&BASE, path, text);
            let mut diagnostics = Diagnostics::new();
            let analysis = compile::analyze(&sources, &mut diagnostics);
            findings(&sources, &diagnostics.sorted());
            if analysis.is_some() {
                check(&sources);
            }
        }
    }
});
