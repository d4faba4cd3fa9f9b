//! Whatever somebody pastes is explained or refused, and never more: `cargo +nightly fuzz run explain`.
#![no_main]

use std::sync::LazyLock;

use ksys_docs::{
    diagnostic::Diagnostics,
    explain::{Knowledge, explain, reason, text},
    load::facts_only,
    read::Sources,
};
use libfuzzer_sys::fuzz_target;

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| {
    let facts = "name: CoreDNS\narea: a\nlisting:\n  - {kind: Deployment, name: coredns, namespace: kube-system}\n  - {kind: StaticPod, name: etcd}\n  - {kind: Service, name: \"{word}-dns\"}\n";
    let sources = Sources::from_texts([("book.toml", ""), ("content/components/coredns/facts.yaml", facts)]);
    Knowledge::of_facts(facts_only(&sources, &[], &mut Diagnostics::new()))
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = text(bytes) else { return };
    let report = explain(&KNOWLEDGE, &text, None);
    assert_eq!(report.is_empty(), reason(&text, &report).is_some());
    assert!(report.rows.iter().all(|row| row.line >= 1 && row.line <= text.lines().count()));
});
