//! Drafts to a knowledge base whose parts fit together. Reports everything that does not.

mod diagrams;
mod entities;
mod evidence;
mod graph;
mod lifecycle;
mod listings;
mod names;
mod pages;
mod sections;
mod vocabulary;

use crate::{diagnostic::Diagnostics, kb::Kb, load::Draft};

/// A knowledge base with errors: good for finding more of them, not for making a site.
#[derive(Debug)]
pub struct Broken(Kb);

impl Broken {
    /// What could be made of it.
    #[must_use]
    pub const fn rest(&self) -> &Kb {
        &self.0
    }
}

/// Checks that everything fits together.
///
/// # Errors
/// If this stage or an earlier one found an error.
pub fn validate(draft: Draft, diagnostics: &mut Diagnostics) -> Result<Kb, Box<Broken>> {
    let names = names::Names::collect(&draft, diagnostics);
    let vocabulary = vocabulary::check(&draft, &names, diagnostics);
    let diagrams = diagrams::check(&draft, &names, diagnostics);
    let sections = sections::collect(&draft, &names, diagnostics);
    let mut context = entities::Context { names: &names, vocabulary: &vocabulary, sections: &sections, diagnostics };
    let mut components = entities::components(&draft, &mut context);
    let providers = entities::providers(&draft, &mut context);
    let mut concepts = entities::concepts(&draft, &mut context);
    graph::check(&draft, &vocabulary, &mut components, &mut concepts, diagnostics);
    for (id, provider) in &providers {
        for (index, claim) in provider.claims.iter().enumerate() {
            if let Some(component) = claim.component.as_ref().and_then(|component| components.get_mut(component)) {
                component.claims.push((id.clone(), index));
            }
        }
    }
    let broken = names.broken(&draft, &components, &providers, &concepts);
    let recogniser = listings::check(&draft, &components, diagnostics);
    evidence::check_use(&draft, diagnostics);
    let (pages, assets) = pages::check(&draft, &names, &sections, diagnostics);
    sections::check_headings(&draft, &sections, &pages, diagnostics);
    let kb = Kb {
        config: draft.config,
        theme: draft.theme,
        vocabulary,
        diagrams,
        components,
        providers,
        concepts,
        sections,
        broken,
        pages,
        assets,
        additional_assets: draft.additional_assets,
        recogniser,
    };
    if diagnostics.has_errors() { Err(Box::new(Broken(kb))) } else { Ok(kb) }
}
