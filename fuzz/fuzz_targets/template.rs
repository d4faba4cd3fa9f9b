//! Any template gives a finding or a page.
#![no_main]

use std::sync::LazyLock;

use ksys_docs::read::Sources;
use ksys_docs_fuzz::{check, with};
use libfuzzer_sys::fuzz_target;

static SITE: LazyLock<Sources> = LazyLock::new(|| {
    let page = "---\ntitle: A\nsummary: B\n---\n# C\n\nD\n";
    Sources::from_texts([("book.toml", ""), ("content/index/en.md", page), ("content/a/en.md", page)])
});

fuzz_target!(|text: &str| {
    // The time limit for templates is part of the command line, so expensive templates are skipped here.
    if text.matches("for").count() > 2 || text.split(|c: char| !c.is_ascii_digit()).any(|number| number.len() > 2) {
        return;
    }
    check(&with(&SITE, "templates/page.html", text));
});
