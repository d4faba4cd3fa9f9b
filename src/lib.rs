//! Compiles a knowledge base of Markdown and YAML about system components into a static site.
//!
//! The modules are in the order in which data flows; each imports only from those above it.

// Basic types and utilities of all stages.
pub mod text;
pub mod url;
pub mod diagnostic;
pub mod id;
pub mod timings;

// File formats.
pub mod node;
pub mod yaml;
pub mod toml_tree;
pub mod decode;
pub mod highlight;

// Drawings, independent of the knowledge base.
pub mod diagram;
pub mod mermaid;
pub mod math;
pub mod card;
pub mod svg_filter;

// Pages.
pub mod markdown;
pub mod directive;
pub mod origins;
pub mod summary;

// Parsing: each file by itself.
pub mod config;
pub mod facts;
pub mod terminology;
pub mod objects;
pub mod listing;
pub mod search;
pub mod layout;
pub mod child_process;
pub mod read;
pub mod theme;
pub mod load;
pub mod preprocess;

// Analysis: all files together.
pub mod kb;
pub mod validate;
pub mod link;
pub mod explain;
pub mod coverage;
pub mod external_links;
pub mod import;

// Output.
pub mod site;
pub mod render;
pub mod compile;
pub mod diff;
pub mod incremental;
pub mod stamp;
pub mod schema;
pub mod scaffold;
pub mod rules;
pub mod write;
pub mod serve;
pub mod command;
