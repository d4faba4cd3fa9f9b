//! The command line.

use std::process::ExitCode;

#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The facts of this repository's own knowledge base, so that listings can be explained anywhere.
static KNOWLEDGE: ksys_docs::load::EmbeddedFacts = ksys_docs_embed::knowledge!();

fn main() -> ExitCode {
    ksys_docs::command::run(KNOWLEDGE)
}
