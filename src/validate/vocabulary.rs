//! The vocabulary: labels in every language, releases in order.

use std::sync::Arc;

use super::{fields, symbols::SymbolTable};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{Day, LocalText, RawScalar, ReleaseFacts, VerbFacts},
    id::{Id, Lang},
    kb::{Area, Release, ReleaseIndex, Text, Verb, Vocabulary, VocabularyTerm},
    load::Draft,
    text::{Span, did_you_mean},
};

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
    for (id, VerbFacts { label, inverse, acyclic, drawn, depends }) in &facts.verbs.0 {
        let (label, inverse) = (text(Some(label)), text(Some(inverse)));
        verbs.push(Verb { id: id.value.clone(), label, inverse, acyclic: *acyclic, drawn: *drawn, depends: *depends });
    }
    let mut term = |id: &Id, label: &LocalText, what: Option<&LocalText>| VocabularyTerm {
        id: id.clone(),
        label: text(Some(label)),
        what: text(what),
    };
    let places = facts.places.0.iter().map(|(id, place)| term(id, &place.label, None)).collect();
    let roles = facts.roles.0.iter().map(|(id, role)| term(id, &role.label, role.what.as_ref())).collect();
    let provider_kinds = facts.provider_kinds.0.iter().map(|(id, kind)| term(id, &kind.label, None)).collect();
    for written in facts.glossary.values() {
        text(Some(written));
    }
    let releases = releases(&facts.releases, file, diagnostics);
    let fields = fields::declared(draft, symbols, diagnostics);
    Vocabulary { platform: facts.platform.clone(), areas, places, roles, verbs, provider_kinds, fields, releases }
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

/// The text; reports languages of the site that it lacks, and languages that the site does not have.
pub(super) fn local_text(written: &LocalText, symbols: &SymbolTable, file: &Arc<str>, diagnostics: &mut Diagnostics) -> Text {
    let place = || Place::new(file.clone(), written.span);
    let languages = &symbols.languages;
    for lang in written.keys().filter(|lang| symbols.languages_known && !languages.contains(lang)) {
        let found = Diagnostic::new(Rule::UnknownWord, place(), format!("`{lang}` is not a language of this site"));
        let otherwise = format!("remove it, or add `[languages.{lang}]` to book.toml");
        diagnostics.push(found.suggest(did_you_mean(lang.as_str(), languages.iter().map(Lang::as_str)), otherwise));
    }
    let missing: Vec<&str> =
        languages.iter().filter(|lang| written.get(lang.as_str()).is_none_or(|text| text.trim().is_empty())).map(Lang::as_str).collect();
    if !missing.is_empty() {
        let message = format!("this text is missing in `{}`", missing.join("`, `"));
        let help = missing.iter().map(|lang| format!("`{lang}: …`")).collect::<Vec<_>>().join(", ");
        diagnostics.report(Rule::MissingText, place(), message, format!("add {help}"));
    }
    Text::new(written.value.clone())
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
