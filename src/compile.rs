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

/// Compiles a knowledge base; `found` is what reading it found. `check` does all of it, too: templates are compiled and every page is rendered, so that nothing is
/// left for `build` to find.
#[must_use]
pub fn compile(sources: &Sources, highlighter: &Highlighter, found: Diagnostics) -> Compiled {
    let mut diagnostics = found;
    let (mut coverage_of, mut site) = (None, None);
    if let Some((kb, links)) = understand(sources, highlighter, &mut diagnostics) {
        match Renderer::new(kb.clone(), links, sources.changed.clone(), None) {
            Ok(renderer) => {
                site = renderer.site(&mut diagnostics);
                coverage_of = Some(renderer.coverage().clone());
            }
            Err(found) => {
                diagnostics.extend(found);
                coverage_of = Some(coverage(&kb));
            }
        }
    }
    Compiled { diagnostics: diagnostics.sorted(), site, coverage: coverage_of }
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
    let understood = understand_again(sources, highlighter, &mut Memory::default(), diagnostics)?;
    Some((understood.kb, understood.links))
}

/// The same, with files that did not change as they are remembered.
pub fn understand_again(
    sources: &Sources,
    highlighter: &Highlighter,
    memory: &mut Memory,
    diagnostics: &mut Diagnostics,
) -> Option<Understood> {
    let draft = load::load_again(sources, highlighter, memory, diagnostics);
    match validate(&draft, diagnostics) {
        Ok((kb, ground)) => {
            let links = link::link(&kb, diagnostics);
            (!diagnostics.has_errors()).then_some(Understood { draft, ground, kb, links })
        }
        Err(broken) => {
            // The links of what is left are checked all the same, so that one run shows every problem.
            let _ = link::link(broken.rest(), diagnostics);
            None
        }
    }
}
