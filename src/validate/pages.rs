//! Pages: titles and summaries, the facts of their subjects, languages, translations that are up to date.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    addresses,
    entity_facts::{FactsFile, facts_files},
    symbols::SymbolTable,
};
use crate::{
    config::Config,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    id::{Id, Lang},
    kb::{Page, PageKind, Staleness, stale_sections, tag_name},
    layout::{EntityKind, FACTS, GeneratedPage, entity_of},
    load::{Draft, Extent, PageDraft},
    text::Span,
};

/// Joins the languages of each page, and checks every page. Addresses are checked by [`addresses::check`].
pub(super) fn check(
    draft: &Draft,
    generated: &[GeneratedPage],
    symbols: &SymbolTable,
    diagnostics: &mut Diagnostics,
) -> BTreeMap<Arc<str>, Arc<Page>> {
    let mut pages: BTreeMap<Arc<str>, Page> = BTreeMap::new();
    for text in &draft.pages {
        let kind = kind(&text.path, generated, &draft.config);
        let page = pages.entry(text.path.clone()).or_insert_with(|| Page { path: text.path.clone(), kind, texts: BTreeMap::new() });
        if let Some(first) = page.texts.get(&text.lang) {
            let url = draft.config.page_url(&text.path, &text.lang);
            addresses::report_collision(url.as_str(), &text.file, &first.file, diagnostics);
        } else {
            page.texts.insert(text.lang.clone(), text.clone());
        }
    }
    check_counterparts(draft, &pages, diagnostics);
    for page in pages.values() {
        check_languages(page, &draft.config, diagnostics);
        for text in page.texts.values().filter(|text| text.extent == Extent::Whole) {
            check_head(page, text, symbols, &draft.config, diagnostics);
            check_tags(text, diagnostics);
        }
        check_translations(page, &draft.config, diagnostics);
    }
    pages.into_iter().map(|(path, page)| (path, Arc::new(page))).collect()
}

/// The folders that contain pages and have none: without a generated page, their pages could not be reached.
pub(super) fn folders(pages: &BTreeMap<Arc<str>, Arc<Page>>, generated: &[GeneratedPage], config: &Config) -> BTreeSet<Arc<str>> {
    if config.summary.is_some() {
        return BTreeSet::new();
    }
    let is_generated = |path: &str| GeneratedPage::at(path).is_some_and(|page| generated.contains(&page));
    let parents = pages.keys().flat_map(|path| path.match_indices('/').map(|(slash, _)| &path[..slash]));
    parents.filter(|folder| !pages.contains_key(*folder) && !is_generated(folder)).map(Arc::from).collect()
}

fn kind(path: &str, generated: &[GeneratedPage], config: &Config) -> PageKind {
    match entity_of(path, config) {
        Some((kind, folder)) => Id::new(folder).map_or(PageKind::Ordinary, |id| PageKind::Entity(kind, id)),
        None if path.is_empty() => PageKind::Home,
        None if GeneratedPage::at(path).is_some_and(|page| generated.contains(&page)) => PageKind::Generated,
        None => PageKind::Ordinary,
    }
}

/// Reports facts without a page, and pages without the required facts.
fn check_counterparts(draft: &Draft, pages: &BTreeMap<Arc<str>, Page>, diagnostics: &mut Diagnostics) {
    let mut with_facts = BTreeSet::new();
    for FactsFile { kind, id, file, .. } in facts_files(draft) {
        let path = format!("{}/{id}", kind.folder());
        if !pages.contains_key(path.as_str()) {
            let message = format!("the {} `{id}` has no page in any language", kind.name());
            let help = format!("write `{}`", file.replace(FACTS, &format!("{}.md", draft.config.default_language())));
            diagnostics.report(Rule::MissingPage, Place::new(file.clone(), Span::at(0)), message, help);
        }
        with_facts.insert(path);
    }
    for page in pages.values() {
        let PageKind::Entity(kind @ (EntityKind::Component | EntityKind::Provider), id) = &page.kind else { continue };
        if let (false, Some(text)) = (with_facts.contains(&*page.path), page.texts.values().next()) {
            let message = format!("the {} `{id}` has a page and no facts", kind.name());
            let folder = text.file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let help = format!("write `{folder}/{}`; `ksys-docs schema {}` prints its format", FACTS, kind.name());
            diagnostics.report(Rule::MissingFacts, Place::new(text.file.clone(), Span::at(0)), message, help);
        }
    }
}

/// Reports the languages that a page is not translated into. Readers of these languages get another language, with a notice.
fn check_languages(page: &Page, config: &Config, diagnostics: &mut Diagnostics) {
    let Some(text) = page.texts.get(config.default_language()).or_else(|| page.texts.values().next()) else { return };
    let expected = config.languages.iter().filter(|language| language.is_complete).map(|language| &language.lang);
    let missing: Vec<&Lang> = expected.filter(|lang| !page.texts.contains_key(*lang)).collect();
    if let Some(first) = missing.first() {
        let list: Vec<&str> = missing.iter().map(|lang| lang.as_str()).collect();
        let message = format!("this page is not translated into `{}`", list.join("`, `"));
        let folder = if page.path.is_empty() { config.src.clone() } else { format!("{}/{}", config.src, page.path) };
        let found = Diagnostic::new(Rule::MissingTranslation, Place::new(text.file.clone(), Span::at(0)), message);
        diagnostics.push(found.help(format!("write `{folder}/{first}.md`; until then its readers see this text with a notice")));
    }
}

fn check_tags(text: &PageDraft, diagnostics: &mut Diagnostics) {
    for tag in text.front.tags.iter().filter(|tag| tag_name(&tag.value.0).is_empty()) {
        let message = format!("the tag `{}` has no letter or digit", tag.value.0);
        diagnostics.report(Rule::InvalidValue, Place::new(text.file.clone(), tag.span), message, "name it, or remove it");
    }
}

fn check_head(page: &Page, text: &PageDraft, symbols: &SymbolTable, config: &Config, diagnostics: &mut Diagnostics) {
    let place = || Place::new(text.file.clone(), Span::at(0));
    // Components and providers are named by their facts, the home page by the site, generated pages by the theme.
    let has_name = match &page.kind {
        PageKind::Entity(kind, id) => *kind != EntityKind::Concept && symbols.kind(id.as_str()).is_some(),
        PageKind::Home | PageKind::Generated => true,
        PageKind::Ordinary => false,
    };
    let is_chapter = config.chapter(&text.file).is_some();
    let titled =
        is_chapter || text.front.title.as_ref().is_some_and(|title| !title.trim().is_empty()) || text.prose.first_heading().is_some();
    if !titled && !has_name {
        let found = Diagnostic::new(Rule::MissingTitle, place(), "this page has no title; its name is shown instead");
        diagnostics.push(found.help("begin the file with\n---\ntitle: …\n---\nor with a line `# …`"));
    }
    let needs_summary = matches!(page.kind, PageKind::Entity(..));
    if needs_summary && text.front.summary.as_ref().is_none_or(|summary| summary.trim().is_empty()) {
        let found = Diagnostic::new(Rule::MissingSummary, place(), "this page has no summary");
        diagnostics.push(found.help("add `summary: …` to the front matter: what it is, in one sentence"));
    }
}

pub(super) fn check_translations(page: &Page, config: &Config, diagnostics: &mut Diagnostics) {
    let Some(original) = page.texts.get(config.default_language()).filter(|original| original.extent == Extent::Whole) else { return };
    diagnostics.within(Scope::Page(page.path.clone()), |diagnostics| {
        for translation in page.texts.values().filter(|text| text.lang != original.lang) {
            check_translation(original, translation, diagnostics);
        }
    });
}

fn check_translation(original: &PageDraft, translation: &PageDraft, diagnostics: &mut Diagnostics) {
    // A translation without stamps is not expected to be complete.
    let has = |id: &str| translation.front.translates.is_empty() || translation.prose.headings.iter().any(|heading| heading.id == id);
    for heading in original.prose.headings.iter().filter(|heading| heading.explicit && !has(&heading.id)) {
        let message = format!("this translation has no section `{}`, which `{}` has", heading.id, original.file);
        let found = Diagnostic::new(Rule::StaleTranslation, Place::new(translation.file.clone(), Span::at(0)), message);
        let found = found.related(Place::new(original.file.clone(), heading.span.shifted(original.body_at)), "the original");
        diagnostics.push(found.help(format!("add its translation under a heading that ends with `{{#{}}}`", heading.id)));
    }
    for section in stale_sections(original, translation) {
        let part = section.part();
        let message = match section.how {
            Staleness::Changed => format!("{part} of `{}` has changed since it was translated", original.file),
            Staleness::Gone => format!("{part} of `{}` was removed or has another id", original.file),
            Staleness::New => format!("{part} of `{}` is newer than this translation", original.file),
        };
        let span = translation.front.translates.get(section.anchor).map_or(Span::at(0), |hash| hash.span);
        let help = format!("bring the translation up to date, then run `ksys-docs stamp {}`", translation.file);
        diagnostics.report(Rule::StaleTranslation, Place::new(translation.file.clone(), span), message, help);
    }
}
