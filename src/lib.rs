//! Compiles a knowledge base of Markdown and YAML about system components into a static site.
//!
//! The modules stand in the order in which data flows; each imports only from those above it.

// Words that every stage uses.
pub mod text;
pub mod url;
pub mod diagnostic;
pub mod id;
pub mod timings;

// Languages of files.
pub mod node;
pub mod yaml;
pub mod decode;
pub mod highlight;

// Drawings, which know nothing of the rest.
pub mod diagram;
pub mod mermaid;
pub mod card;
pub mod svg_filter;

// Pages.
pub mod markdown;

// What files mean, each alone.
pub mod config;
pub mod facts;
pub mod terminology;
pub mod listing;
pub mod search;
pub mod layout;
pub mod read;
pub mod theme;
pub mod load;

// What they mean together.
pub mod kb;
pub mod validate;
pub mod link;
pub mod explain;
pub mod coverage;
pub mod external_links;

// What comes of it.
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
