//! The command-line program.

use std::process::ExitCode;

#[cfg(not(target_env = "musl"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The facts of this repository's knowledge base, for explaining listings outside of a knowledge base.
static KNOWLEDGE: ksys_docs::load::EmbeddedFacts = ksys_docs_embed::knowledge!();

fn main() -> ExitCode {
    ksys_docs::command::run(KNOWLEDGE)
}
