//! Integration tests: the compiler on small knowledge bases, and the binary on folders.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, missing_docs)]

mod authoring;
mod begin;

mod binary;
mod book;
mod content;
mod crash;
mod diagrams;
mod diff;
mod documents;
mod explain;
mod findings;
mod http;
mod import;
mod incremental;
mod language;
mod limits;
mod links;
mod listing;
mod machines;
mod math;
mod media;
mod mermaid;
mod pages;
mod plain;
mod platform;
mod projections;
mod promises;
mod properties;
mod real_listings;
mod schemas;
mod search;
mod serve;
mod severity;
mod support;
mod tidy;
mod trust;
mod workflows;
mod writing;
