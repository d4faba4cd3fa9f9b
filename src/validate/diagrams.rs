//! Diagrams: nodes and verbs that exist, each node once.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    symbols::{SymbolTable, TermKind},
    texts::local_text,
};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::DiagramFacts,
    id::Id,
    kb::{Diagram, Diagrams},
    layout::EntityKind,
    load::Draft,
    text::Span,
};

/// The anchors of the generated sections of the architecture page.
const RESERVED: &[&str] = &["system", "providers", "chains", "main"];

pub(super) fn check(draft: &Draft, symbols: &SymbolTable, diagnostics: &mut Diagnostics) -> Diagrams {
    let file = &draft.diagrams_file;
    let mut by_release: Option<Span> = None;
    let mut all = Vec::new();
    for (id, facts) in &draft.diagrams.diagrams.0 {
        if facts.by_release {
            if let Some(first) = by_release {
                let found = Diagnostic::new(Rule::DuplicateId, Place::new(file.clone(), id.span), "a second diagram is drawn by release");
                let found = found.related(Place::new(file.clone(), first), "the first one");
                diagnostics.push(found.help("remove `by-release` from one of them; the pages of the releases show one diagram"));
            }
            by_release = by_release.or(Some(id.span));
        }
        if !facts.by_release && RESERVED.contains(&id.as_str()) {
            let message = format!("the architecture page already has a section `{}`", id.value);
            diagnostics.report(Rule::DuplicateId, Place::new(file.clone(), id.span), message, "give the diagram another id");
        }
        all.push(diagram(id, facts, symbols, file, diagnostics));
    }
    Diagrams { all, provider_verbs: verbs(&draft.diagrams.provider_verbs, symbols, file, diagnostics) }
}

fn diagram(id: &Spanned<Id>, facts: &DiagramFacts, symbols: &SymbolTable, file: &Arc<str>, diagnostics: &mut Diagnostics) -> Diagram {
    let mut seen: BTreeMap<&Id, Span> = BTreeMap::new();
    let mut nodes = Vec::new();
    for node in &facts.nodes {
        if !symbols.require(node, &[EntityKind::Component, EntityKind::Concept], file, diagnostics) {
            continue;
        }
        if let Some(first) = seen.insert(&node.value, node.span) {
            let found =
                Diagnostic::new(Rule::DuplicateId, Place::new(file.clone(), node.span), format!("`{}` is listed twice", node.value));
            diagnostics.push(found.related(Place::new(file.clone(), first), "the first time").help("remove one of them"));
            continue;
        }
        nodes.push(node.value.clone());
    }
    Diagram {
        id: id.value.clone(),
        title: local_text(&facts.title, symbols, file, diagnostics),
        what: facts.what.as_ref().map(|what| local_text(what, symbols, file, diagnostics)),
        nodes,
        verbs: verbs(&facts.verbs, symbols, file, diagnostics),
        words: facts.words,
        by_release: facts.by_release,
    }
}

fn verbs(written: &[Spanned<Id>], symbols: &SymbolTable, file: &Arc<str>, diagnostics: &mut Diagnostics) -> Vec<Id> {
    let known = written.iter().filter(|verb| symbols.require_term(verb, TermKind::Verb, file, diagnostics));
    known.map(|verb| verb.value.clone()).collect()
}
