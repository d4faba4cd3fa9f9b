//! Any text is explained or rejected.
#![no_main]

use std::sync::LazyLock;

use ksys_docs::explain::{Knowledge, decode};
use ksys_docs_fuzz::{explained, knowledge};
use libfuzzer_sys::fuzz_target;

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(knowledge);

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = decode(bytes) else { return };
    explained(&KNOWLEDGE, &text);
});
