//! The complete pipeline from files to a site, in memory.

use crate::{
    coverage::{Coverage, coverage},
    diagnostic::{Diagnostic, Diagnostics},
    highlight::Highlighter,
    kb::Kb,
    link::{self, Links},
    load::{self, Draft, LoadCache},
    read::Sources,
    render::Renderer,
    site::Site,
    timings::Timings,
    validate::{SymbolTable, validate},
};

/// The result of [`compile`] and [`check`].
#[derive(Debug)]
pub struct Compiled {
    /// All findings, sorted.
    pub diagnostics: Vec<Diagnostic>,
    /// The site; `None` if there are errors, and after [`check`].
    pub site: Option<Site>,
    /// How much is documented; `None` if facts or links have errors.
    pub coverage: Option<Coverage>,
}

/// Compiles a knowledge base; `found` are the findings of reading it.
#[must_use]
pub fn compile(sources: &Sources, highlighter: &Highlighter, found: Diagnostics) -> Compiled {
    let prepared = prepare(sources, highlighter, found, OnErrors::Stop, &Timings::off());
    let mut diagnostics = prepared.diagnostics;
    let site = prepared.renderer.as_ref().and_then(|renderer| renderer.site(&mut diagnostics));
    Compiled { diagnostics: diagnostics.sorted(), site, coverage: prepared.coverage }
}

/// Reports everything that [`compile`] reports, without any output: pages are rendered and dropped, code is not highlighted, no search index is written.
#[must_use]
pub fn check(sources: &Sources, found: Diagnostics) -> Compiled {
    let prepared = prepare(sources, &Highlighter::disabled(), found, OnErrors::Stop, &Timings::off());
    let mut diagnostics = prepared.diagnostics;
    if let Some(renderer) = &prepared.renderer {
        diagnostics.extend(renderer.check_all());
    }
    Compiled { diagnostics: diagnostics.sorted(), site: None, coverage: prepared.coverage }
}

/// Whether a site with errors is rendered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnErrors {
    /// No site.
    Stop,
    /// A site of everything that has no errors. Pages show the errors in their files.
    KeepGoing,
}

/// A knowledge base that is ready to be rendered.
#[derive(Debug)]
pub struct Prepared {
    /// The findings so far. Rendering can still find errors in templates.
    pub diagnostics: Diagnostics,
    /// The renderer; `None` if there are errors that prevent rendering.
    pub renderer: Option<Renderer>,
    /// How much is documented; `None` if facts or links have errors.
    pub coverage: Option<Coverage>,
}

/// Loads, validates and links a knowledge base, and compiles its templates.
#[must_use]
pub fn prepare(sources: &Sources, highlighter: &Highlighter, found: Diagnostics, on_errors: OnErrors, timings: &Timings) -> Prepared {
    let mut diagnostics = found;
    // The cache and the draft are dropped here, because a build needs the memory for pages.
    let Analysis { kb, links, .. } = analyze_cached(sources, &mut LoadCache::default(), &mut diagnostics, timings);
    let has_errors = diagnostics.has_errors();
    if has_errors && on_errors == OnErrors::Stop {
        return Prepared { diagnostics, renderer: None, coverage: None };
    }
    let renderer = timings.stage("templates", || Renderer::new(kb.clone(), links, sources.changed.clone(), highlighter, None));
    let coverage = (!has_errors).then(|| coverage(&kb));
    match renderer {
        Ok(renderer) => {
            let renderer = if has_errors { renderer.with_errors(&diagnostics.clone().sorted(), sources) } else { renderer };
            Prepared { diagnostics, renderer: Some(renderer), coverage }
        }
        Err(found) => {
            diagnostics.extend(found);
            Prepared { diagnostics, renderer: None, coverage }
        }
    }
}

/// A knowledge base with everything needed to update it.
#[derive(Debug)]
pub struct Analysis {
    /// The drafts of all files.
    pub draft: Draft,
    /// The ids that exist.
    pub symbols: SymbolTable,
    /// The knowledge base; with errors, what has none.
    pub kb: Kb,
    /// Its links.
    pub links: Links,
}

/// Loads, validates and links. `None` if there are errors.
pub fn analyze(sources: &Sources, diagnostics: &mut Diagnostics) -> Option<Analysis> {
    let analysis = analyze_cached(sources, &mut LoadCache::default(), diagnostics, &Timings::off());
    (!diagnostics.has_errors()).then_some(analysis)
}

/// Loads, validates and links what has no errors. Files that are in the cache are not parsed; the cache is updated.
pub fn analyze_cached(sources: &Sources, cache: &mut LoadCache, diagnostics: &mut Diagnostics, timings: &Timings) -> Analysis {
    let draft = timings.stage("load", || load::load_cached(sources, cache, diagnostics, timings));
    let (kb, symbols) = timings.stage("validate", || validate(&draft, diagnostics));
    let links = timings.stage("link", || link::link(&kb, diagnostics));
    Analysis { draft, symbols, kb, links }
}
