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
    validate::{SymbolTable, validate},
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
    let prepared = prepare(sources, highlighter, found, &Timings::off());
    let mut diagnostics = prepared.diagnostics;
    let site = prepared.renderer.as_ref().and_then(|renderer| renderer.site(&mut diagnostics));
    Compiled { diagnostics: diagnostics.sorted(), site, coverage: prepared.coverage }
}

/// Finds all that [`compile`] finds and makes nothing: every page is rendered and forgotten, code keeps its colours for the build, and nobody searches.
#[must_use]
pub fn check(sources: &Sources, found: Diagnostics) -> Compiled {
    let prepared = prepare(sources, &Highlighter::plain(), found, &Timings::off());
    let mut diagnostics = prepared.diagnostics;
    if let Some(renderer) = &prepared.renderer {
        diagnostics.extend(renderer.try_all());
    }
    Compiled { diagnostics: diagnostics.sorted(), site: None, coverage: prepared.coverage }
}

/// All that is done before the first page is rendered.
#[derive(Debug)]
pub struct Prepared {
    /// What was found so far. Rendering may still find a broken template.
    pub diagnostics: Diagnostics,
    /// What renders the pages; `None` if there are errors.
    pub renderer: Option<Renderer>,
    /// How much is known; `None` if facts or links have errors.
    pub coverage: Option<Coverage>,
}

/// Loads, validates and links a knowledge base, and gets ready to render it.
#[must_use]
pub fn prepare(sources: &Sources, highlighter: &Highlighter, found: Diagnostics, timings: &Timings) -> Prepared {
    let mut diagnostics = found;
    // What files said one by one is not kept any longer than the knowledge base needs it.
    let understood = understand_again(sources, &mut Memory::default(), &mut diagnostics, timings);
    match understood {
        Some(understood) => prepare_understood(understood, highlighter, diagnostics, sources, timings),
        None => Prepared { diagnostics, renderer: None, coverage: None },
    }
}

/// Gets ready to render a knowledge base that fits together.
#[must_use]
pub fn prepare_understood(
    understood: Understood,
    highlighter: &Highlighter,
    mut diagnostics: Diagnostics,
    sources: &Sources,
    timings: &Timings,
) -> Prepared {
    let Understood { draft, ground, kb, links } = understood;
    drop((draft, ground));
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

/// A knowledge base that fits together, and what it was made of.
#[derive(Debug)]
pub struct Understood {
    /// What was written.
    pub draft: Draft,
    /// What exists.
    pub ground: SymbolTable,
    /// The knowledge base.
    pub kb: Kb,
    /// Its links.
    pub links: Links,
}

/// Loads, validates and links; `None` if there are errors.
pub fn understand(sources: &Sources, diagnostics: &mut Diagnostics) -> Option<(Kb, Links)> {
    let understood = understand_again(sources, &mut Memory::default(), diagnostics, &Timings::off())?;
    Some((understood.kb, understood.links))
}

/// The same, with files that did not change as they are remembered.
pub fn understand_again(sources: &Sources, memory: &mut Memory, diagnostics: &mut Diagnostics, timings: &Timings) -> Option<Understood> {
    let draft = timings.stage("load", || load::load_again(sources, memory, diagnostics, timings));
    match timings.stage("validate", || validate(&draft, diagnostics)) {
        Ok((kb, ground)) => {
            let links = timings.stage("link", || link::link(&kb, diagnostics));
            (!diagnostics.has_errors()).then_some(Understood { draft, ground, kb, links })
        }
        Err(broken) => {
            // The links of what is left are checked all the same, so that one run shows every problem.
            let _ = link::link(broken.partial(), diagnostics);
            None
        }
    }
}
