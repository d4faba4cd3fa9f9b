//! Compiles a knowledge base of Markdown and YAML about system components into a static site.
//!
//! The modules stand in the order in which data flows; each imports only from those above it.

// Words that every stage uses.
pub mod diagnostic;
pub mod id;
pub mod text;
pub mod url;

// Files to values, each file alone.
pub mod config;
pub mod decode;
pub mod facts;
pub mod highlight;
pub mod listing;
pub mod markdown;
pub mod node;
pub mod yaml;
