//! Complete and truncated objects in JSON and YAML (`kubectl get -o json`) are explained or rejected.
#![no_main]

use std::sync::LazyLock;

use ksys_docs::explain::Knowledge;
use ksys_docs_fuzz::{explained, knowledge};
use libfuzzer_sys::fuzz_target;

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(knowledge);

fuzz_target!(|text: &str| {
    if text.trim().is_empty() || text.contains('\0') {
        return;
    }
    explained(&KNOWLEDGE, text);
    // A list of the same objects, as kubectl prints several.
    let list = format!("apiVersion: v1\nitems:\n- {}\nkind: List\n", text.replace('\n', "\n  "));
    explained(&KNOWLEDGE, &list);
    if let Ok(value) = serde_json::from_str::<serde_json::Value>(text) {
        let pretty =
            serde_json::to_string_pretty(&serde_json::json!({"apiVersion": "v1", "kind": "List", "items": [value]})).unwrap_or_default();
        explained(&KNOWLEDGE, &pretty);
    }
});
