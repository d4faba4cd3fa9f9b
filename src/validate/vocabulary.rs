//! The vocabulary: labels in every language, releases in order.

use std::{collections::BTreeMap, sync::Arc};

use super::{field_types, symbols::SymbolTable, synonyms, texts::local_text};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{Day, LocalText, RawScalar, ReleaseFacts, VerbFacts, WordFacts, WordsFacts},
    id::Id,
    kb::{Area, Release, ReleaseIndex, Text, Verb, Vocabulary, VocabularyTerm},
    layout::EntityKind,
    load::Draft,
    text::Span,
    theme::Strings,
};

/// The protocols of ports, unless the vocabulary lists others.
const PROTOCOLS: [&str; 3] = ["TCP", "UDP", "SCTP"];

pub(super) fn check(draft: &Draft, symbols: &SymbolTable, diagnostics: &mut Diagnostics) -> Vocabulary {
    let file = &draft.vocabulary_file;
    let facts = &draft.vocabulary;
    let mut text = |written: Option<&LocalText>| written.map(|written| local_text(written, symbols, file, diagnostics)).unwrap_or_default();
    let mut areas = Vec::new();
    for (id, area) in &facts.areas.0 {
        let mark = area.mark.clone().unwrap_or_else(|| default_mark(id));
        areas.push(Area { id: id.value.clone(), mark, label: text(Some(&area.label)), what: text(area.what.as_ref()) });
    }
    let mut verbs = Vec::new();
    for (id, VerbFacts { label, inverse, acyclic, drawn, line, depends }) in &facts.verbs.0 {
        let (label, inverse) = (text(Some(label)), text(Some(inverse)));
        verbs.push(Verb { id: id.value.clone(), label, inverse, acyclic: *acyclic, drawn: *drawn, line: *line, depends: *depends });
    }
    let mut term = |id: &Id, label: &LocalText, what: Option<&LocalText>| VocabularyTerm {
        id: id.clone(),
        label: text(Some(label)),
        aka: Vec::new(),
        what: text(what),
    };
    let places = facts.places.0.iter().map(|(id, place)| term(id, &place.label, None)).collect();
    let roles = facts
        .roles
        .0
        .iter()
        .map(|(id, role)| VocabularyTerm { aka: role.aka.clone(), ..term(id, &role.label, role.what.as_ref()) })
        .collect();
    let provider_kinds = facts.provider_kinds.0.iter().map(|(id, kind)| term(id, &kind.label, None)).collect();
    let glossary = facts.glossary.iter().map(|(term, meaning)| (term.clone(), text(Some(meaning)))).collect();
    let releases = releases(&facts.releases, file, diagnostics);
    let own_protocols: Vec<String> = facts.protocols.iter().map(|name| name.value.clone()).collect();
    let protocols = if own_protocols.is_empty() { PROTOCOLS.map(str::to_owned).into() } else { own_protocols };
    let mut strings = own_strings(&facts.words, &mut |written| local_text(written, symbols, file, diagnostics));
    let mut label = |key: String, label: &LocalText| strings.insert(key, local_text(label, symbols, file, diagnostics));
    for (verdict, own) in &facts.verdicts.0 {
        label(Strings::term_key("verdict", verdict.name()), own);
    }
    for (presence, own) in &facts.presences.0 {
        label(Strings::term_key("presence", presence.name()), own);
    }
    let core = facts.core.iter().filter(|id| symbols.require(id, &[EntityKind::Component], file, diagnostics));
    let core = core.map(|id| id.value.clone()).collect();
    let fields = field_types::declared(draft, symbols, diagnostics);
    Vocabulary {
        platform: facts.platform.clone(),
        areas,
        places,
        roles,
        verbs,
        core,
        search_examples: facts.search_examples.clone(),
        synonyms: synonyms::check(draft, symbols, diagnostics),
        provider_kinds,
        glossary,
        protocols,
        strings,
        fields,
        releases,
    }
}

/// The strings of the user interface that follow from the words of the site.
fn own_strings(words: &WordsFacts, text: &mut impl FnMut(&LocalText) -> Text) -> BTreeMap<String, Text> {
    let named = [("component", &words.component), ("provider", &words.provider), ("concept", &words.concept), ("listing", &words.listing)];
    let mut strings = BTreeMap::new();
    for (name, word) in named {
        let Some(WordFacts { one, many, what }) = word else { continue };
        let one = text(one);
        strings.insert(format!("word_{name}s"), many.as_ref().map_or_else(|| one.clone(), &mut *text));
        strings.insert(format!("word_{name}"), one);
        if let Some(what) = what {
            let page = if name == "listing" { "explain".to_owned() } else { format!("{name}s") };
            strings.insert(format!("{page}_description"), text(what));
        }
    }
    strings
}

fn default_mark(id: &Id) -> String {
    id.as_str().chars().take(1).flat_map(char::to_uppercase).collect()
}

/// Whether a name can be a folder of the site: it is neither hidden nor `..`, and has no characters that require escaping.
fn is_address(name: &str) -> bool {
    let begins = name.starts_with(|first: char| first.is_ascii_alphanumeric());
    begins && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_+".contains(&byte))
}

/// The releases; reports duplicates and releases out of order. Planned ones come last.
fn releases(written: &[Spanned<ReleaseFacts>], file: &Arc<str>, diagnostics: &mut Diagnostics) -> Vec<Release> {
    let mut releases: Vec<Release> = Vec::new();
    for facts in written {
        let name = &facts.release.value.0;
        let place = |span: Span| Place::new(file.clone(), span);
        if releases.iter().any(|release| release.name == *name) {
            let found = Diagnostic::new(Rule::DuplicateId, place(facts.release.span), format!("the release `{name}` is listed twice"));
            diagnostics.push(found.help("remove one of them"));
            continue;
        }
        if !is_address(name) {
            let message = format!("the release `{name}` cannot be part of an address");
            let help = "begin it with a letter or a digit, and use letters, digits, `.`, `-`, `_` and `+`: it is part of the address of its architecture page";
            diagnostics.report(Rule::BadName, place(facts.release.span), message, help);
        }
        let report =
            |day: &Spanned<Day>, message: String, help: &str| Diagnostic::new(Rule::LifecycleOrder, place(day.span), message).help(help);
        let written = facts.date.as_ref().or(facts.planned.as_ref());
        if let (Some(written), Some(before)) = (written, releases.last()) {
            // A published release comes before all planned ones.
            let comes_after = |day: Day| day > written.value || (facts.date.is_some() && before.date.is_none());
            if before.day().map_or(facts.date.is_some(), comes_after) {
                let message = format!("the release `{name}` came out before `{}`, which is listed above it", before.name);
                diagnostics.push(report(
                    written,
                    message,
                    "list releases from the oldest to the newest, and planned ones (without a date) last",
                ));
            }
        }
        if let (Some(_), Some(planned)) = (&facts.date, &facts.planned) {
            let message = format!("the release `{name}` is out, so it is planned no more");
            diagnostics.push(report(planned, message, "remove `planned`"));
        }
        if let (Some(written), Some(end)) = (written, facts.end.as_ref().filter(|end| written.is_some_and(|day| day.value > end.value))) {
            let message = format!("the support of `{name}` ends on {}, before it comes out on {}", end.value, written.value);
            diagnostics.push(report(end, message, "correct one of the two days"));
        }
        let day = |day: &Option<Spanned<Day>>| day.as_ref().map(|day| day.value);
        releases.push(Release { name: name.clone(), date: day(&facts.date), planned: day(&facts.planned), end: day(&facts.end) });
    }
    releases
}

/// The release of that name; reports it if there is none.
pub(super) fn release(
    written: &Spanned<RawScalar>,
    symbols: &SymbolTable,
    vocabulary: &Vocabulary,
    file: &Arc<str>,
    diagnostics: &mut Diagnostics,
) -> Option<ReleaseIndex> {
    let name = &written.value.0;
    let index = vocabulary.releases.iter().position(|release| release.name == *name);
    if index.is_none() && symbols.vocabulary_complete {
        let found =
            Diagnostic::new(Rule::UnknownWord, Place::new(file.clone(), written.span), format!("the vocabulary has no release `{name}`"));
        // The release with the most similar name is rarely the intended one, so the range is shown instead.
        let ends = vocabulary.releases.first().zip(vocabulary.releases.last());
        let known = ends.map_or_else(|| "it has none".to_owned(), |(first, last)| format!("it has `{}` to `{}`", first.name, last.name));
        diagnostics.push(found.help(format!("{known}; a new one goes into `releases` of `{}`", crate::layout::VOCABULARY)));
    }
    index.map(ReleaseIndex)
}
