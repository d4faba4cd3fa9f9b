//! The glossary: abbreviations and their meanings.

use serde::Serialize;

use super::{generated, reader::Reader, templates::RenderResult};
use crate::{kb::glossary_anchor, layout::GeneratedPage};

#[derive(Serialize)]
struct GlossaryView<'a> {
    terms: Vec<GlossaryTerm<'a>>,
}

/// An abbreviation.
#[derive(Serialize)]
struct GlossaryTerm<'a> {
    term: &'a str,
    /// The section of its entry.
    anchor: String,
    meaning: &'a str,
}

pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    let terms = terms(reader).map(|(term, meaning)| GlossaryTerm { term, anchor: glossary_anchor(term), meaning });
    generated::render(reader, GeneratedPage::Glossary, "glossary.html", &GlossaryView { terms: terms.collect() })
}

/// The abbreviations and their meanings, in the order of the alphabet.
pub(super) fn terms<'a>(reader: &Reader<'a>) -> impl Iterator<Item = (&'a str, &'a str)> {
    let mut terms: Vec<_> = reader.kb().vocabulary.glossary.iter().map(|(term, meaning)| (term.as_str(), reader.text(meaning))).collect();
    terms.sort_by_key(|(term, _)| term.to_lowercase());
    terms.into_iter()
}
