//! Any text as book.toml gives a finding or a configuration with a language.
#![no_main]

use std::sync::LazyLock;

use ksys_docs::{config, diagnostic::Diagnostics, read::Sources};
use ksys_docs_fuzz::{base, check, findings, with};
use libfuzzer_sys::fuzz_target;

static BASE: LazyLock<Sources> = LazyLock::new(base);

fuzz_target!(|text: &str| {
    let sources = with(&BASE, config::FILE, text);
    let mut diagnostics = Diagnostics::new();
    let text = ksys_docs::diagnostic::SourceText::text(&sources, config::FILE).unwrap_or_default();
    let config = config::parse(&config::FILE.into(), text, &mut diagnostics);
    assert!(!config.languages.is_empty());
    assert!(config.languages.iter().any(|language| language.lang == *config.default_language()));
    let has_errors = diagnostics.has_errors();
    findings(&sources, &diagnostics.sorted());
    if !has_errors {
        check(&sources);
    }
});
