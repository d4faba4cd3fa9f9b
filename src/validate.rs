//! Turns drafts into a checked knowledge base, and reports every contradiction between files.

mod addresses;
mod claims;
mod context;
mod diagrams;
mod entities;
mod entity_facts;
mod evidence;
mod facts_only;
mod field_types;
mod fields;
mod generated;
mod graph;
mod known_names;
mod lifecycle;
mod listings;
mod pages;
mod sections;
mod symbols;
mod synonyms;
mod terms;
mod texts;
mod update;
mod versions;
mod vocabulary;

use std::sync::Arc;

use crate::{
    diagnostic::Diagnostics,
    kb::{Kb, Vocabulary, tag_name, tags_of},
    load::Draft,
    theme::Theme,
};

use context::FactsContext;
pub use facts_only::{ComponentStore, FactsOnlyKb, VersionStore, facts_only};
use generated::GeneratedContent;
pub use symbols::SymbolTable;
pub use update::{ChangedFacts, FullValidationRequired, update_facts, update_page};

/// Checks all drafts against each other. With errors in `diagnostics`, the knowledge base consists of what has no errors; [`Kb::broken`] lists the entities that
/// can't be used completely.
#[must_use]
pub fn validate(draft: &Draft, diagnostics: &mut Diagnostics) -> (Kb, SymbolTable) {
    let symbols = SymbolTable::collect(draft, diagnostics);
    let vocabulary = vocabulary::check(draft, &symbols, diagnostics);
    terms::check(draft, &symbols, diagnostics);
    let diagrams = diagrams::check(draft, &symbols, diagnostics);
    let sections = sections::collect(entity_facts::declared_sections(draft), &symbols, diagnostics);
    let mut context = FactsContext { symbols: &symbols, vocabulary: &vocabulary, sections: &sections, thorough: true, diagnostics };
    let mut components = entities::components(draft, &mut context);
    let providers = entities::providers(draft, &mut context);
    let mut concepts = entities::concepts(draft, &mut context);
    let versions = versions::check(draft, &mut context);
    graph::check(draft, &vocabulary, &mut components, &mut concepts, diagnostics);
    claims::attach(&mut components, &providers);
    let broken = symbols.broken(draft, &components, &providers, &concepts);
    let recogniser = listings::check(draft, &components, diagnostics);
    evidence::report_unused(draft, diagnostics);
    let input = GeneratedContent {
        components: &components,
        providers: &providers,
        concepts: &concepts,
        versions: &versions,
        vocabulary: &vocabulary,
        diagrams: &diagrams,
        has_tags: draft.pages.iter().any(|page| !page.front.hidden && page.front.tags.iter().any(|tag| !tag_name(&tag.value.0).is_empty())),
    };
    let generated = input.pages();
    let pages = pages::check(draft, &generated, &symbols, diagnostics);
    addresses::check(draft, &generated, &pages, &sections, diagnostics);
    let tags = Arc::new(tags_of(&pages));
    sections::check_headings(draft, &sections, &pages, diagnostics);
    let kb = Kb {
        config: draft.config.clone(),
        theme: Arc::new(in_own_words(&draft.theme, &vocabulary)),
        vocabulary: Arc::new(vocabulary),
        diagrams: Arc::new(diagrams),
        components: Arc::new(components),
        providers: Arc::new(providers),
        concepts: Arc::new(concepts),
        versions: Arc::new(versions),
        sections: Arc::new(sections),
        broken: Arc::new(broken),
        folders: Arc::new(pages::folders(&pages, &generated, &draft.config)),
        generated,
        pages,
        tags,
        assets: Arc::new(draft.assets.iter().map(|asset| (asset.path.clone(), asset.bytes.clone())).collect()),
        additional_assets: draft.additional_assets.clone(),
        recogniser: Arc::new(recogniser),
    };
    (kb, symbols)
}

/// The theme with the strings of the user interface in the words of the site.
fn in_own_words(theme: &Theme, vocabulary: &Vocabulary) -> Theme {
    let strings = theme.strings.iter().map(|(lang, strings)| (lang.clone(), vocabulary.in_own_words(strings, lang)));
    Theme { strings: strings.collect(), ..theme.clone() }
}
