//! Evidence: each entry names its source and the date of the check, and supports a claim.

use std::collections::{BTreeMap, BTreeSet};

use super::{context::FileContext, entity_facts::EntityFacts};
use crate::{
    decode::{Ordered, Spanned},
    diagnostic::{Diagnostics, MOST_REPORTED, Place, Rule, Scope},
    facts::EvidenceFacts,
    id::Id,
    kb::Evidence,
    layout::{EntityKind, entity_of},
    load::{Draft, Loaded},
    text::did_you_mean,
    url::scheme,
};

pub(super) fn check(written: &Ordered<Spanned<Id>, EvidenceFacts>, file: &mut FileContext<'_, '_>) -> Vec<Evidence> {
    written.0.iter().map(|(key, facts)| check_entry(key, facts, file)).collect()
}

fn check_entry(key: &Spanned<Id>, facts: &EvidenceFacts, file: &mut FileContext<'_, '_>) -> Evidence {
    match &facts.url {
        Some(url) if !matches!(scheme(url).as_deref(), Some("https" | "http")) || url.contains(char::is_whitespace) => {
            let message = format!("`{}` is not a web address", url.value);
            file.report(Rule::BadEvidence, url.span, message, "write the whole address, beginning with `https://`");
        }
        None if !facts.observed => {
            let message = format!("the evidence `{}` has no source", key.value);
            let help = "add `url`, or `observed: true` for something seen in a running system";
            file.report(Rule::BadEvidence, key.span, message, help);
        }
        None if facts.title.is_none() => {
            let message = format!("the observation `{}` has no title", key.value);
            file.report(Rule::BadEvidence, key.span, message, "add a `title`, such as `kubectl get all on version 1.29`");
        }
        _ => {}
    }
    let checked = facts.checked.value;
    // The author's time zone may be a day ahead.
    let latest = file.context.symbols.today.and_then(|today| today.tomorrow().ok());
    if latest.is_some_and(|latest| checked.0 > latest) {
        let help = "write the date on which the source was checked";
        file.report(Rule::BadEvidence, facts.checked.span, format!("the date {checked} is in the future"), help);
    }
    let url = facts.url.as_ref().map(|url| url.value.clone());
    Evidence {
        key: key.value.clone(),
        title: facts.title.clone().or_else(|| url.clone()).unwrap_or_else(|| key.value.to_string()),
        url,
        observed: facts.observed,
        checked,
        is_of_messages: false,
    }
}

type Citations<'a> = BTreeMap<(EntityKind, &'a str), Vec<&'a str>>;

/// Reports the entries of all files that neither a claim nor a page refers to.
pub(super) fn report_unused(draft: &Draft, diagnostics: &mut Diagnostics) {
    let mut citations: Citations<'_> = BTreeMap::new();
    for page in &draft.pages {
        if let Some(entity) = entity_of(&page.path, &draft.config) {
            citations.entry(entity).or_default().extend(page.prose.citations());
        }
    }
    draft.components.iter().for_each(|loaded| report_unused_in(loaded, cited(&citations, loaded), diagnostics));
    draft.providers.iter().for_each(|loaded| report_unused_in(loaded, cited(&citations, loaded), diagnostics));
    draft.concepts.iter().for_each(|loaded| report_unused_in(loaded, cited(&citations, loaded), diagnostics));
}

fn cited<'a, T: EntityFacts>(citations: &'a Citations<'a>, loaded: &'a Loaded<T>) -> &'a [&'a str] {
    citations.get(&(T::KIND, loaded.id.as_str())).map_or(&[], Vec::as_slice)
}

/// Reports the entries of one file that no claim refers to and that are not among `cited`, the keys that its page cites.
pub(super) fn report_unused_in<T: EntityFacts>(loaded: &Loaded<T>, cited: &[&str], diagnostics: &mut Diagnostics) {
    // A claim that could not be read may be the one that an entry supports.
    let Some(facts) = loaded.facts.as_ref().filter(|_| loaded.whole) else { return };
    let mut used: BTreeSet<&str> = facts.citations().into_iter().flatten().map(|key| key.as_str()).collect();
    used.extend(cited);
    // A misspelt key is reported where it is used; the entry that it resembles counts as used.
    let keys = || facts.evidence().0.iter().map(|(key, _)| key.as_str());
    let known: BTreeSet<&str> = keys().collect();
    // With more unknown keys than this, unused entries are negligible.
    let unknown = used.iter().filter(|used| !known.contains(**used)).take(MOST_REPORTED);
    let meant: Vec<&str> = unknown.filter_map(|unknown| did_you_mean(unknown, keys())).collect();
    used.extend(meant);
    diagnostics.within(Scope::Facts(loaded.file.clone()), |diagnostics| {
        for (key, _) in facts.evidence().0.iter().filter(|(key, _)| !used.contains(key.as_str())) {
            let message = format!("the evidence `{}` supports no claim", key.value);
            let help = format!("name it in an `evidence` list, cite it on the page with `[[^{}]]`, or remove it", key.value);
            diagnostics.report(Rule::UnusedEvidence, Place::new(loaded.file.clone(), key.span), message, help);
        }
    });
}
