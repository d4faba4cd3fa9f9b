//! The whole line from files to a site, in memory.

use crate::{
    coverage::{Coverage, coverage},
    diagnostic::{Diagnostic, Diagnostics},
    highlight::Highlighter,
    kb::Kb,
    link::{self, Links},
    load::{self, Draft, Memory},
    read::Sources,
    render::Renderer,
    site::Site,
    timings::Timings,
    validate::{Ground, validate},
};

/// A site, or why there is none.
#[derive(Debug)]
pub struct Compiled {
    /// Everything that was found, sorted.
    pub diagnostics: Vec<Diagnostic>,
    /// The site; `None` if there are errors.
    pub site: Option<Site>,
    /// How much is known; `None` if facts or links have errors.
    pub coverage: Option<Coverage>,
}

/// Compiles a knowledge base; `found` is what reading it found.
#[must_use]
pub fn compile(sources: &Sources, highlighter: &Highlighter, found: Diagnostics) -> Compiled {
    compile_timed(sources, highlighter, found, &Timings::off())
}

/// The same, and how long its stages take.
#[must_use]
pub fn compile_timed(sources: &Sources, highlighter: &Highlighter, found: Diagnostics, timings: &Timings) -> Compiled {
    let mut site = None;
    let (diagnostics, coverage) = render(sources, highlighter, found, timings, |renderer, diagnostics| {
        site = renderer.site_timed(diagnostics, timings);
    });
    Compiled { diagnostics, site, coverage }
}

/// Finds all that [`compile`] finds and makes nothing: every page is rendered and forgotten, code keeps its colours for the build, and nobody searches.
#[must_use]
pub fn check(sources: &Sources, found: Diagnostics) -> Compiled {
    let (diagnostics, coverage) = render(sources, &Highlighter::plain(), found, &Timings::off(), |renderer, diagnostics| {
        diagnostics.extend(renderer.try_all());
    });
    Compiled { diagnostics, site: None, coverage }
}

fn render(
    sources: &Sources,
    highlighter: &Highlighter,
    found: Diagnostics,
    timings: &Timings,
    make: impl FnOnce(&Renderer, &mut Diagnostics),
) -> (Vec<Diagnostic>, Option<Coverage>) {
    let mut diagnostics = found;
    let mut coverage_of = None;
    if let Some(Understood { kb, links, .. }) = understand_again(sources, highlighter, &mut Memory::default(), &mut diagnostics, timings) {
        match timings.stage("templates", || Renderer::new(kb.clone(), links, sources.changed.clone(), None)) {
            Ok(renderer) => {
                make(&renderer, &mut diagnostics);
                coverage_of = Some(renderer.coverage().clone());
            }
            Err(found) => {
                diagnostics.extend(found);
                coverage_of = Some(coverage(&kb));
            }
        }
    }
    (diagnostics.sorted(), coverage_of)
}

/// A knowledge base that fits together, and what it was made of.
#[derive(Debug)]
pub struct Understood {
    /// What was written.
    pub draft: Draft,
    /// What exists.
    pub ground: Ground,
    /// The knowledge base.
    pub kb: Kb,
    /// Its links.
    pub links: Links,
}

/// Loads, validates and links; `None` if there are errors.
pub fn understand(sources: &Sources, highlighter: &Highlighter, diagnostics: &mut Diagnostics) -> Option<(Kb, Links)> {
    let understood = understand_again(sources, highlighter, &mut Memory::default(), diagnostics, &Timings::off())?;
    Some((understood.kb, understood.links))
}

/// The same, with files that did not change as they are remembered.
pub fn understand_again(
    sources: &Sources,
    highlighter: &Highlighter,
    memory: &mut Memory,
    diagnostics: &mut Diagnostics,
    timings: &Timings,
) -> Option<Understood> {
    let draft = timings.stage("load", || load::load_again(sources, highlighter, memory, diagnostics, timings));
    match timings.stage("validate", || validate(&draft, diagnostics)) {
        Ok((kb, ground)) => {
            let links = timings.stage("link", || link::link(&kb, diagnostics));
            (!diagnostics.has_errors()).then_some(Understood { draft, ground, kb, links })
        }
        Err(broken) => {
            // The links of what is left are checked all the same, so that one run shows every problem.
            let _ = link::link(broken.rest(), diagnostics);
            None
        }
    }
}
