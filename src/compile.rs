//! The whole line from files to a site, in memory.

use crate::{
    coverage::{Coverage, coverage},
    diagnostic::{Diagnostic, Diagnostics},
    highlight::Highlighter,
    kb::Kb,
    link::{self, Links},
    load,
    read::Sources,
    render::Renderer,
    site::Site,
    validate::validate,
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
    let understood = understand(sources, highlighter, &mut diagnostics);
    let coverage = understood.as_ref().map(|(kb, _)| coverage(kb));
    let site = understood.and_then(|(kb, links)| match Renderer::new(kb, links, sources.changed.clone(), None) {
        Ok(renderer) => renderer.site(&mut diagnostics),
        Err(found) => {
            diagnostics.extend(found);
            None
        }
    });
    Compiled { diagnostics: diagnostics.sorted(), site, coverage }
}

/// Loads, validates and links; `None` if there are errors.
pub fn understand(sources: &Sources, highlighter: &Highlighter, diagnostics: &mut Diagnostics) -> Option<(Kb, Links)> {
    let draft = load::load(sources, highlighter, diagnostics);
    match validate(&draft, diagnostics) {
        Ok((kb, _)) => {
            let links = link::link(&kb, diagnostics);
            (!diagnostics.has_errors()).then_some((kb, links))
        }
        Err(broken) => {
            // The links of what is left are checked all the same, so that one run shows every problem.
            let _ = link::link(broken.rest(), diagnostics);
            None
        }
    }
}
