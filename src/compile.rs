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
    let prepared = prepare(sources, highlighter, found, &Timings::off());
    let mut diagnostics = prepared.diagnostics;
    let site = prepared.renderer.as_ref().and_then(|renderer| renderer.site(&mut diagnostics));
    Compiled { diagnostics: diagnostics.sorted(), site, coverage: prepared.coverage }
}

/// Reports everything that [`compile`] reports, without any output: pages are rendered and dropped, code is not highlighted, no search index is written.
#[must_use]
pub fn check(sources: &Sources, found: Diagnostics) -> Compiled {
    let prepared = prepare(sources, &Highlighter::disabled(), found, &Timings::off());
    let mut diagnostics = prepared.diagnostics;
    if let Some(renderer) = &prepared.renderer {
        diagnostics.extend(renderer.check_all());
    }
    Compiled { diagnostics: diagnostics.sorted(), site: None, coverage: prepared.coverage }
}

/// A knowledge base that is ready to be rendered.
#[derive(Debug)]
pub struct Prepared {
    /// The findings so far. Rendering can still find errors in templates.
    pub diagnostics: Diagnostics,
    /// The renderer; `None` if there are errors.
    pub renderer: Option<Renderer>,
    /// How much is documented; `None` if facts or links have errors.
    pub coverage: Option<Coverage>,
}

/// Loads, validates and links a knowledge base, and compiles its templates.
#[must_use]
pub fn prepare(sources: &Sources, highlighter: &Highlighter, found: Diagnostics, timings: &Timings) -> Prepared {
    let mut diagnostics = found;
    // The cache and the draft are dropped here, because a build needs the memory for pages.
    let analysis =
        analyze_cached(sources, &mut LoadCache::default(), &mut diagnostics, timings).map(|analysis| (analysis.kb, analysis.links));
    let Some((kb, links)) = analysis else { return Prepared { diagnostics, renderer: None, coverage: None } };
    match timings.stage("templates", || Renderer::new(kb.clone(), links, sources.changed.clone(), highlighter, None)) {
        Ok(renderer) => {
            let coverage = Some(renderer.coverage().clone());
            Prepared { diagnostics, renderer: Some(renderer), coverage }
        }
        Err(found) => {
            diagnostics.extend(found);
            Prepared { diagnostics, renderer: None, coverage: Some(coverage(&kb)) }
        }
    }
}

/// A knowledge base without errors, with everything needed to update it.
#[derive(Debug)]
pub struct Analysis {
    /// The drafts of all files.
    pub draft: Draft,
    /// The ids that exist.
    pub symbols: SymbolTable,
    /// The knowledge base.
    pub kb: Kb,
    /// Its links.
    pub links: Links,
}

/// Loads, validates and links. `None` if there are errors.
pub fn analyze(sources: &Sources, diagnostics: &mut Diagnostics) -> Option<Analysis> {
    analyze_cached(sources, &mut LoadCache::default(), diagnostics, &Timings::off())
}

/// [`analyze`] without parsing the files that are in the cache, which is updated.
pub fn analyze_cached(sources: &Sources, cache: &mut LoadCache, diagnostics: &mut Diagnostics, timings: &Timings) -> Option<Analysis> {
    let draft = timings.stage("load", || load::load_cached(sources, cache, diagnostics, timings));
    match timings.stage("validate", || validate(&draft, diagnostics)) {
        Ok((kb, symbols)) => {
            let links = timings.stage("link", || link::link(&kb, diagnostics));
            (!diagnostics.has_errors()).then_some(Analysis { draft, symbols, kb, links })
        }
        Err(broken) => {
            // The links of the valid part are checked too, so that one run reports every problem.
            let _ = link::link(broken.partial(), diagnostics);
            None
        }
    }
}
