//! Compiles a knowledge base of Markdown and YAML about system components into a static site.
//!
//! The modules stand in the order in which data flows; each imports only from those above it.

pub mod diagnostic;
pub mod highlight;
pub mod markdown;
pub mod text;
pub mod url;
