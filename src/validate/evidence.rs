//! Evidence: each entry says where and when, and each supports something.

use std::collections::{BTreeMap, BTreeSet};

use super::entities::FileContext;
use crate::{
    decode::{Ordered, Spanned},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::{ClaimFacts, ComponentFacts, ConceptFacts, EvidenceFacts, EvidenceKeys, LifecycleFacts, ProviderFacts, RelationFacts},
    id::Id,
    kb::Evidence,
    layout::{EntityKind, entity_of},
    load::{Draft, Loaded},
    text::did_you_mean,
    url::scheme,
};

/// Checks the entries of one file.
pub(super) fn check(written: &Ordered<Spanned<Id>, EvidenceFacts>, file: &mut FileContext<'_, '_>) -> Vec<Evidence> {
    written.0.iter().map(|(key, facts)| entry(key, facts, file)).collect()
}

fn entry(key: &Spanned<Id>, facts: &EvidenceFacts, file: &mut FileContext<'_, '_>) -> Evidence {
    match &facts.url {
        Some(url) if !matches!(scheme(url).as_deref(), Some("https" | "http")) || url.contains(char::is_whitespace) => {
            let found = Diagnostic::new(Rule::BadEvidence, file.place(url.span), format!("`{}` is no web address", url.value));
            file.diagnostics().push(found.help("write the whole address, beginning with `https://`"));
        }
        None if !facts.observed => {
            let message = format!("the evidence `{}` does not say where it was seen", key.value);
            let found = Diagnostic::new(Rule::BadEvidence, file.place(key.span), message);
            file.diagnostics().push(found.help("add `url`, or `observed: true` for something seen in a real cluster"));
        }
        None if facts.title.is_none() => {
            let message = format!("the observation `{}` does not say what was observed", key.value);
            let found = Diagnostic::new(Rule::BadEvidence, file.place(key.span), message);
            file.diagnostics().push(found.help("add a `title`, such as `kubectl get all on version 1.29`"));
        }
        _ => {}
    }
    let checked = facts.checked.value;
    // Somewhere it is tomorrow already.
    let latest = file.today().and_then(|today| today.tomorrow().ok());
    if latest.is_some_and(|latest| checked.0 > latest) {
        let found = Diagnostic::new(Rule::BadEvidence, file.place(facts.checked.span), format!("nobody has looked on {checked} yet"));
        file.diagnostics().push(found.help("write the day on which somebody looked at the source"));
    }
    let url = facts.url.as_ref().map(|url| url.value.clone());
    Evidence {
        key: key.value.clone(),
        title: facts.title.clone().or_else(|| url.clone()).unwrap_or_else(|| key.value.to_string()),
        url,
        observed: facts.observed,
        checked,
    }
}

/// Reports entries that neither a claim nor a page refers to.
pub(super) fn check_use(draft: &Draft, diagnostics: &mut Diagnostics) {
    let citations = citations(draft);
    for loaded in &draft.components {
        check_component(loaded, cited(&citations, EntityKind::Component, &loaded.id), diagnostics);
    }
    for loaded in &draft.providers {
        check_provider(loaded, cited(&citations, EntityKind::Provider, &loaded.id), diagnostics);
    }
    for loaded in &draft.concepts {
        check_concept(loaded, cited(&citations, EntityKind::Concept, &loaded.id), diagnostics);
    }
}

/// The same for one file; `cited` is what its page cites.
pub(super) fn check_component(loaded: &Loaded<ComponentFacts>, cited: &[&str], diagnostics: &mut Diagnostics) {
    report_unused(loaded, |facts| (&facts.evidence, of_component(facts)), cited, diagnostics);
}

/// The same for one file; `cited` is what its page cites.
pub(super) fn check_provider(loaded: &Loaded<ProviderFacts>, cited: &[&str], diagnostics: &mut Diagnostics) {
    report_unused(loaded, |facts| (&facts.evidence, of_provider(facts)), cited, diagnostics);
}

/// The same for one file; `cited` is what its page cites.
pub(super) fn check_concept(loaded: &Loaded<ConceptFacts>, cited: &[&str], diagnostics: &mut Diagnostics) {
    report_unused(loaded, |facts| (&facts.evidence, of_concept(facts)), cited, diagnostics);
}

type Entries = Ordered<Spanned<Id>, EvidenceFacts>;

fn report_unused<T>(
    loaded: &Loaded<T>,
    evidence_and_claims: impl FnOnce(&T) -> (&Entries, Vec<&EvidenceKeys>),
    cited: &[&str],
    diagnostics: &mut Diagnostics,
) {
    // A claim that could not be read may be the one that an entry supports.
    let Some(facts) = loaded.facts.as_ref().filter(|_| loaded.whole) else { return };
    let (evidence, claims) = evidence_and_claims(facts);
    let mut used: BTreeSet<&str> = claims.into_iter().flatten().map(|key| key.as_str()).collect();
    used.extend(cited);
    // A misspelt key is reported where it stands; the entry that was meant is in use.
    let keys = || evidence.0.iter().map(|(key, _)| key.as_str());
    let unknown = used.iter().filter(|used| keys().all(|key| key != **used));
    let meant: Vec<&str> = unknown.filter_map(|unknown| did_you_mean(unknown, keys())).collect();
    used.extend(meant);
    let outer = diagnostics.enter(Scope::Facts(loaded.file.clone()));
    for (key, _) in evidence.0.iter().filter(|(key, _)| !used.contains(key.as_str())) {
        let message = format!("the evidence `{}` supports no claim", key.value);
        let help = format!("name it in an `evidence` list, cite it on the page with `[[^{}]]`, or remove it", key.value);
        diagnostics.push(Diagnostic::new(Rule::UnusedEvidence, Place::new(loaded.file.clone(), key.span), message).help(help));
    }
    diagnostics.enter(outer);
}

fn of_component(facts: &ComponentFacts) -> Vec<&EvidenceKeys> {
    let of_sections = facts.sections.0.iter().filter_map(|(_, section)| section.removal.as_ref());
    let removal = facts.removal.iter().chain(of_sections).flat_map(|removal| {
        let providers = removal.value.providers.0.iter().map(|(_, provider)| &provider.evidence);
        std::iter::once(&removal.value.evidence).chain(providers)
    });
    of_lifecycle(facts.lifecycle.as_ref())
        .chain(removal)
        .chain(of_relations(&facts.relations))
        .chain(facts.ports.iter().map(|port| &port.value.evidence))
        .chain(facts.flags.iter().map(|flag| &flag.value.evidence))
        .collect()
}

fn of_provider(facts: &ProviderFacts) -> Vec<&EvidenceKeys> {
    facts.claims.iter().map(|claim: &Spanned<ClaimFacts>| &claim.value.evidence).collect()
}

fn of_concept(facts: &ConceptFacts) -> Vec<&EvidenceKeys> {
    of_lifecycle(facts.lifecycle.as_ref()).chain(of_relations(&facts.relations)).collect()
}

fn of_lifecycle(lifecycle: Option<&LifecycleFacts>) -> impl Iterator<Item = &EvidenceKeys> {
    lifecycle.into_iter().map(|lifecycle| &lifecycle.evidence)
}

fn of_relations(relations: &[Spanned<RelationFacts>]) -> impl Iterator<Item = &EvidenceKeys> {
    relations.iter().map(|relation| &relation.value.evidence)
}

/// The keys that the page of a thing cites.
fn cited<'a, 'b>(citations: &'b Citations<'a>, kind: EntityKind, id: &'a Id) -> &'b [&'a str] {
    citations.get(&(kind, id.as_str())).map_or(&[], Vec::as_slice)
}

type Citations<'a> = BTreeMap<(EntityKind, &'a str), Vec<&'a str>>;

/// The keys that the pages of things cite.
fn citations(draft: &Draft) -> Citations<'_> {
    let mut citations: Citations<'_> = BTreeMap::new();
    for page in &draft.pages {
        let Some(thing) = entity_of(&page.path) else { continue };
        citations.entry(thing).or_default().extend(page.prose.citations());
    }
    citations
}
