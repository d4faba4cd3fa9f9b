//! Passes a hash of the program's sources to the program, so that it can tell a site of another version from one of its own.
#![allow(clippy::disallowed_methods, reason = "it runs before there is a reader")]

use std::{fs, path::Path};

/// Everything that the content of a site can depend on.
const PARTS: [&str; 8] = ["src", "templates", "static", "web/serve", "fonts", "scaffold", "Cargo.toml", "Cargo.lock"];

fn main() {
    // FNV-1a.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in PARTS.iter().map(Path::new).filter(|part| part.exists()) {
        println!("cargo:rerun-if-changed={}", part.display());
        add(part, &mut hash);
    }
    println!("cargo:rustc-env=KSYS_DOCS_SOURCE_HASH={hash:016x}");
}

fn add(path: &Path, hash: &mut u64) {
    let entries = fs::read_dir(path).map(|entries| entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>());
    if let Ok(mut entries) = entries {
        entries.sort();
        for entry in &entries {
            add(entry, hash);
        }
        return;
    }
    let text = fs::read(path).unwrap_or_default();
    for byte in path.to_string_lossy().bytes().chain([0]).chain(text) {
        *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}
