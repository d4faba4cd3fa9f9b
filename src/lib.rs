//! Compiles a knowledge base of Markdown and YAML about system components into a static site.
//!
//! The modules stand in the order in which data flows; each imports only from those above it.

// Words that every stage uses.
pub mod diagnostic;
pub mod id;
pub mod text;
pub mod url;

// Languages of files.
pub mod decode;
pub mod highlight;
pub mod markdown;
pub mod node;
pub mod yaml;

// What files mean, each alone.
pub mod config;
pub mod facts;
pub mod layout;
pub mod listing;
pub mod load;
pub mod read;
pub mod theme;

// What they mean together.
pub mod kb;
pub mod link;
pub mod validate;

// What comes of it.
pub mod command;
pub mod compile;
pub mod render;
pub mod rules;
pub mod schema;
pub mod site;
pub mod stamp;
pub mod write;
