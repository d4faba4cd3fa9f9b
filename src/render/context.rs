//! The context in which all pages of a site are rendered.

use std::sync::OnceLock;

use super::{
    assets::AssetUrls, change_dates::ChangeDates, errors::FileErrors, navigation::Navigation, routes::Routes, templates::Templates,
};
use crate::{coverage::Coverage, highlight::Highlighter, kb::Kb, link::Links};

/// The data that all pages are rendered from.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) kb: &'a Kb,
    pub(super) links: &'a Links,
    pub(super) routes: &'a Routes,
    pub(super) coverage: &'a OnceLock<Coverage>,
    pub(super) changes: &'a ChangeDates,
    pub(super) assets: &'a AssetUrls,
    pub(super) navigation: &'a Navigation,
    pub(super) templates: &'a Templates,
    pub(super) highlighter: &'a Highlighter,
    pub(super) errors: &'a FileErrors,
}
