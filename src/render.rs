//! Renders the checked knowledge base, through views and templates, to the files of a site.
//!
//! [`routes`] lists the files and how each is produced, [`produce`] produces one. A view is a typed projection of the knowledge base for one page; a template
//! converts it to HTML. Facts are not interpreted here.

mod active;
mod api;
mod area_links;
mod architecture;
mod assets;
mod calendar;
mod cards;
mod change_dates;
mod claims;
mod compare;
mod component;
mod component_versions;
mod context;
mod coverage;
mod deletion;
mod diagram_nodes;
mod diagrams;
mod errors;
mod exemption_formats;
mod exemptions;
mod explain;
mod facts_block;
mod feed;
mod fields;
mod frame;
mod generated;
mod glossary;
mod home;
mod index;
mod inline_code;
mod labels;
mod lifecycle;
mod listing;
mod llms;
mod markdown_export;
mod navigation;
mod node_facts;
mod outline;
mod page;
mod page_parts;
mod ports;
mod produce;
mod prose;
mod queries;
mod reader;
mod redirects;
mod release_changes;
mod release_ranges;
mod routes;
mod search;
mod search_answers;
mod sidebar;
mod sitemap;
mod structured;
mod tag_links;
mod tags;
mod templates;
mod timeline;
mod version_links;
mod version_tables;
mod versions;
mod well_known;
mod xml;

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

use crate::{
    card::Painter,
    coverage::{Coverage, coverage},
    diagnostic::{Diagnostic, Diagnostics, SourceText},
    highlight::Highlighter,
    kb::Kb,
    link::Links,
    site::{Sink, Site},
    timings::Timings,
};

pub use active::active_renders;
pub use change_dates::ChangeDates;

use assets::Assets;
use context::Context;
use errors::FileErrors;
use navigation::Navigation;
use routes::{Route, Routes};
use templates::Templates;

/// Renders the site of a knowledge base: all of it, or one file on demand.
pub struct Renderer {
    kb: Kb,
    links: Links,
    changes: Arc<ChangeDates>,
    templates: Arc<Templates>,
    assets: Arc<Assets>,
    routes: Arc<OnceLock<Routes>>,
    navigation: Arc<OnceLock<Navigation>>,
    coverage: OnceLock<Coverage>,
    search_index: OnceLock<Site>,
    painter: Arc<OnceLock<Painter>>,
    highlighter: Highlighter,
    errors: Arc<FileErrors>,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Renderer")
    }
}

impl Renderer {
    /// Prepares rendering. Unchanged parts of the previous renderer are shared.
    ///
    /// # Errors
    /// The errors in the templates.
    pub fn new(
        kb: Kb,
        links: Links,
        changes: Arc<ChangeDates>,
        highlighter: &Highlighter,
        previous: Option<&Self>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let same_theme = previous.filter(|previous| Arc::ptr_eq(&previous.kb.theme, &kb.theme));
        let templates = match same_theme {
            Some(previous) => previous.templates.clone(),
            None => Arc::new(Templates::compile(&kb.theme)?),
        };
        let same_files = |previous: &&Self| {
            previous.kb.assets == kb.assets
                && previous.kb.additional_assets == kb.additional_assets
                && previous.kb.config.additional_css == kb.config.additional_css
        };
        let assets = same_theme.filter(same_files).map_or_else(|| Arc::new(assets::publish(&kb)), |previous| previous.assets.clone());
        let painter = same_theme.map(|previous| previous.painter.clone()).unwrap_or_default();
        Ok(Self {
            kb,
            links,
            changes,
            templates,
            assets,
            routes: Arc::default(),
            navigation: Arc::default(),
            coverage: OnceLock::new(),
            search_index: OnceLock::new(),
            painter,
            highlighter: highlighter.clone(),
            errors: Arc::default(),
        })
    }

    /// The same renderer, whose pages show the errors in their files.
    #[must_use]
    pub fn with_errors(self, found: &[Diagnostic], texts: &impl SourceText) -> Self {
        Self { errors: Arc::new(FileErrors::new(found, texts)), ..self }
    }

    /// The same renderer with the prose of another knowledge base. Titles, the order of pages, aliases and facts must be unchanged.
    #[must_use]
    pub fn with_prose(&self, kb: Kb, links: Links) -> Self {
        Self {
            kb,
            links,
            changes: self.changes.clone(),
            templates: self.templates.clone(),
            assets: self.assets.clone(),
            routes: self.routes.clone(),
            navigation: self.navigation.clone(),
            coverage: OnceLock::new(),
            search_index: OnceLock::new(),
            painter: self.painter.clone(),
            highlighter: self.highlighter.clone(),
            errors: self.errors.clone(),
        }
    }

    /// The knowledge base.
    #[must_use]
    pub const fn kb(&self) -> &Kb {
        &self.kb
    }

    /// Its links.
    #[must_use]
    pub const fn links(&self) -> &Links {
        &self.links
    }

    /// The dates on which files last changed.
    #[must_use]
    pub const fn changes(&self) -> &Arc<ChangeDates> {
        &self.changes
    }

    /// The coverage of evidence and translations.
    #[must_use]
    pub fn coverage(&self) -> &Coverage {
        self.coverage.get_or_init(|| coverage(&self.kb))
    }

    fn routes(&self) -> &Routes {
        self.routes.get_or_init(|| Routes::new(&self.kb, &self.changes, &self.assets.files))
    }

    fn context(&self) -> Context<'_> {
        Context {
            kb: &self.kb,
            links: &self.links,
            routes: self.routes(),
            coverage: &self.coverage,
            changes: &self.changes,
            assets: &self.assets.urls,
            templates: &self.templates,
            navigation: self.navigation.get_or_init(|| Navigation::new(&self.kb)),
            highlighter: &self.highlighter,
            errors: &self.errors,
        }
    }

    fn painter(&self) -> &Painter {
        self.painter.get_or_init(|| cards::painter(&self.kb))
    }

    /// The search indexes of all languages, which are written as a whole.
    fn search_index(&self) -> &Site {
        self.search_index.get_or_init(|| {
            let files = Mutex::<Site>::default();
            self.write_search_index(&files);
            files.into_inner().unwrap_or_else(PoisonError::into_inner)
        })
    }

    fn write_search_index(&self, sink: &dyn Sink) {
        for language in &self.kb.config.languages {
            search::write_index(&self.context(), &language.lang, &|path, bytes| sink.file(path, bytes));
        }
    }

    /// The whole site. `None` if a template has an error, which is reported.
    #[must_use]
    pub fn site(&self, diagnostics: &mut Diagnostics) -> Option<Site> {
        let site = Mutex::new(Site::default());
        let found = self.render_all(&Timings::off(), &site);
        let is_whole = found.is_empty();
        diagnostics.extend(found);
        is_whole.then(|| site.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Renders every file and passes each to `sink` as soon as it is ready, so that a site does not have to fit into memory. Returns the errors in templates;
    /// if there are any, files are missing.
    #[must_use]
    pub fn render_all(&self, timings: &Timings, sink: &dyn Sink) -> Vec<Diagnostic> {
        let context = timings.stage("navigation", || self.context());
        let render = |(path, route): &(&str, &Route)| {
            let produced = timings.page(|| (*path).to_owned(), || self.produce(path, route));
            produced.map(|bytes| sink.file(path, &bytes)).err()
        };
        let is_page = |(_, route): &(&str, &Route)| {
            matches!(route, Route::Page { .. } | Route::Moved { .. } | Route::Redirect { .. } | Route::NotFound)
        };
        let (pages, others): (Vec<_>, Vec<_>) = context.routes.iter().partition(is_page);
        let errors: Vec<Box<Diagnostic>> = timings.stage("render pages", || pages.par_iter().filter_map(render).collect());
        if !errors.is_empty() {
            return one_per_place(errors);
        }
        let is_single = |(_, route): &(&str, &Route)| !matches!(route, Route::LlmsFull(_) | Route::SearchIndex(_));
        let (single, large): (Vec<_>, Vec<_>) = others.into_iter().partition(is_single);
        let errors: Vec<Box<Diagnostic>> = timings.stage("exports, feeds, data", || single.par_iter().filter_map(render).collect());
        timings.stage("llms-full.txt", || {
            for (path, route) in large {
                if let Route::LlmsFull(lang) = route {
                    sink.large_file(path, &mut |out| llms::full(&context, lang, out));
                }
            }
        });
        timings.stage("search", || self.write_search_index(sink));
        one_per_place(errors)
    }
}

/// Removes duplicates: an error in a template affects every page that uses it.
fn one_per_place(errors: impl IntoIterator<Item = Box<Diagnostic>>) -> Vec<Diagnostic> {
    let mut distinct: Vec<Diagnostic> = Vec::new();
    for error in errors {
        if distinct.iter().all(|known| known.place != error.place) {
            distinct.push(*error);
        }
    }
    distinct
}
