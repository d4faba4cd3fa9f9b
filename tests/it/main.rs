//! The compiler on small knowledge bases, and the real binary on folders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, missing_docs)]

mod binary;
mod content;
mod diagrams;
mod explain;
mod findings;
mod http;
mod incremental;
mod laws;
mod listing;
mod machines;
mod mermaid;
mod pages;
mod real_listings;
mod schemas;
mod search;
mod serve;
mod support;
mod tidy;
