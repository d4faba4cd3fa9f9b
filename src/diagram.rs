//! Drawings.

pub mod measure;
