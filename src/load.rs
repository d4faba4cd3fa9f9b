//! Parses each file by itself, in parallel. Loading never fails: it returns everything that could be read, and reports errors as findings.

mod asset;
mod cache;
mod compressed_body;
mod draft;
mod expand;
mod facts_only;
mod file;
mod foreign;
mod front_matter;
mod interface;
mod page;
mod unfinished;
mod wording;

use std::sync::Arc;

pub use cache::{Edited, EditedFile, LoadCache};
pub use compressed_body::CompressedBody;
pub use draft::{Asset, Draft, Extent, Loaded, PageDraft, SectionHash, TOP};
pub use facts_only::{
    ComponentDraft, EmbeddedFacts, FactsDraft, RowFacts, VersionsDraft, embedded_facts, embedded_page, facts_only, summary,
};
pub use interface::{PageIdentity, PageInterface, PageRank};

use cache::{Cached, cached};
use file::{Environment, FileDraft, FileLoader, facts};
use rayon::prelude::*;
use serde::de::DeserializeOwned;

use crate::{
    config::{self, Config},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    layout,
    origins::Origins,
    read::{Content, Preprocessed, Sources},
    summary::{self, EntryKind, Summary, SummaryProblem},
    text::Span,
    timings::Timings,
};

/// Loads every file of a snapshot.
#[must_use]
pub fn load(sources: &Sources, diagnostics: &mut Diagnostics) -> Draft {
    load_cached(sources, &mut LoadCache::default(), diagnostics, &Timings::off())
}

/// Loads the files of a snapshot that differ from those in the cache, and updates the cache.
#[must_use]
pub fn load_cached(sources: &Sources, cache: &mut LoadCache, diagnostics: &mut Diagnostics, timings: &Timings) -> Draft {
    let (config, languages_known) = book_toml(sources, diagnostics);
    if cache.environment.as_ref().is_some_and(|environment| environment.config.src != config.src) {
        // The content folder has changed, so the findings in the cache have outdated paths.
        *cache = LoadCache::default();
    }
    let theme = cache.theme(sources, &config.languages, diagnostics);
    let mut draft = Draft::empty(config.clone());
    (draft.vocabulary, draft.vocabulary_whole) = single_file(sources, &draft.vocabulary_file, &mut cache.vocabulary, diagnostics);
    (draft.diagrams, _) = single_file(sources, &draft.diagrams_file, &mut cache.diagrams, diagnostics);
    let environment = Environment::new(config.clone(), languages_known, &draft.vocabulary, &theme);
    (draft.theme, draft.languages_known) = (theme, languages_known);
    if let Some(summary) = &config.summary {
        check_summary(sources, &config, summary, diagnostics);
    }
    draft.additional_assets = Arc::new(additional_assets(sources, &config, diagnostics));
    update_files(sources, environment, cache, timings);
    for (file, Cached { draft: of_file, findings, .. }) in &cache.files {
        // A draft is not finished, so its findings would be noise.
        let is_draft = matches!(of_file, FileDraft::Page(page) if page.front.draft);
        if !findings.is_empty() && !is_draft {
            diagnostics.within(Scope::File(file.clone()), |diagnostics| diagnostics.extend(findings.iter().cloned()));
        }
        match of_file {
            FileDraft::Component(facts) => draft.components.push(facts.clone()),
            FileDraft::Provider(facts) => draft.providers.push(facts.clone()),
            FileDraft::Concept(facts) => draft.concepts.push(facts.clone()),
            FileDraft::Versions(versions) => draft.versions.push(versions.clone()),
            FileDraft::Page(page) if page.front.draft => {}
            FileDraft::Page(page) => draft.pages.push(page.clone()),
            FileDraft::Asset(asset) => draft.assets.push(asset.clone()),
            FileDraft::Misplaced | FileDraft::Unlisted | FileDraft::Nothing => {}
        }
    }
    report_unlisted(&config, cache, diagnostics);
    // A problem with a folder is reported once, and its place depends on which of the folder's files exist.
    cache.files.retain(|_, cached| !matches!(cached.draft, FileDraft::Misplaced));
    draft
}

/// In a book, findings of these rules don't prevent the build, because mdBook publishes such pages.
const NOT_CHECKED_BY_MDBOOK: [Rule; 5] = [Rule::DeadLink, Rule::DeadAnchor, Rule::DuplicateAnchor, Rule::ExternalImage, Rule::BadInclude];

/// The configuration of a knowledge base. Mistakes in it are reported when it is loaded.
#[must_use]
pub fn configuration(sources: &Sources) -> Arc<Config> {
    book_toml(sources, &mut Diagnostics::new()).0
}

/// The text of a page in which directives have been replaced.
#[must_use]
pub fn expanded(file: &Arc<str>, text: &Arc<str>, sources: &Sources, config: &Config, diagnostics: &mut Diagnostics) -> Preprocessed {
    let unchanged = || Preprocessed { text: text.clone(), origins: Origins::of(file, text), title: None, included: Vec::new() };
    expand::expand(file, text, 0, sources, &config.variables, diagnostics).unwrap_or_else(unchanged)
}

/// The configuration, and whether the list of languages is complete.
fn book_toml(sources: &Sources, diagnostics: &mut Diagnostics) -> (Arc<Config>, bool) {
    let file: Arc<str> = config::FILE.into();
    let mut found = Diagnostics::new();
    let (mut config, is_unusable) = match sources.files.get(&file) {
        Some(Content::Text(text)) => (config::parse(&file, text, &mut found), false),
        content => (config::parse(&file, "", &mut found), content.is_some()),
    };
    config.site_url = sources.site_url.clone().unwrap_or(config.site_url);
    config.today = sources.today;
    config.find_src(|path| sources.files.contains_key(path) || sources.below(path).next().is_some());
    config.has_entities = sources.below(&config.src).any(|(path, ..)| layout::implies_entities(path));
    let summary = format!("{}/{}", config.src, summary::FILE);
    if let Some(Content::Text(text)) = sources.files.get(summary.as_str()).filter(|_| !config.has_entities) {
        config.summary = Some(Arc::new(Summary::parse(text)));
        config.rules = config.rules.with_warnings(&NOT_CHECKED_BY_MDBOOK);
    }
    diagnostics.set_levels(config.rules.clone());
    for (name, span) in config.preprocessors.iter().filter(|_| !sources.runs_commands) {
        let message = format!("the preprocessor `{name}` is a program, which is not run");
        let help = "if you trust it, add `--allow-commands` to the command; otherwise, remove it";
        found.report(Rule::UnusedSetting, Place::new(file.clone(), *span), message, help);
    }
    let found = found.all_sorted();
    let languages_known = !is_unusable && found.iter().all(|found| found.rule == Rule::BadConfig);
    diagnostics.extend(found);
    (Arc::new(config), languages_known)
}

/// Reports entries of the summary that can't be used, and files that do not exist.
fn check_summary(sources: &Sources, config: &Config, summary: &Summary, diagnostics: &mut Diagnostics) {
    let file: Arc<str> = format!("{}/{}", config.src, summary::FILE).into();
    for SummaryProblem { span, message, help } in &summary.problems {
        diagnostics.report(Rule::BadSummary, Place::new(file.clone(), *span), message.clone(), *help);
    }
    for entry in &summary.entries {
        if let EntryKind::Chapter { file: Some(chapter), .. } = &entry.kind
            && !sources.files.contains_key(format!("{}/{chapter}", config.src).as_str())
        {
            let message = format!("the file `{chapter}` does not exist");
            let help = "create it, correct the path, or write `[Title]()` for a draft";
            diagnostics.report(Rule::BadSummary, Place::new(file.clone(), entry.span), message, help);
        }
    }
}

/// Reports pages that are neither in the summary nor included in another page.
fn report_unlisted(config: &Config, cache: &LoadCache, diagnostics: &mut Diagnostics) {
    for (file, cached) in &cache.files {
        if matches!(cached.draft, FileDraft::Unlisted) && !cache.included.contains(file) {
            let message = format!("this page is not in `{}/{}`, so it is left out", config.src, summary::FILE);
            let help = "add a line `- [Title](path.md)` to the summary, or remove the file";
            diagnostics.report(Rule::UnlistedPage, Place::new(file.clone(), Span::at(0)), message, help);
        }
    }
}

/// The facts of a single file, and whether no part of them was dropped because of an error.
fn single_file<T: Default + DeserializeOwned>(
    sources: &Sources,
    file: &Arc<str>,
    slot: &mut Option<Cached<(Arc<T>, bool)>>,
    diagnostics: &mut Diagnostics,
) -> (Arc<T>, bool) {
    match sources.files.get(file) {
        Some(content @ Content::Text(text)) => cached(slot, content, diagnostics, |found| {
            let (facts, whole) = facts(file, text, None, found);
            (Arc::new(facts.unwrap_or_default()), whole)
        }),
        content => (Arc::default(), content.is_none()),
    }
}

/// Updates the cache: its files become exactly those below the content folder, and `environment` everything else that their drafts depend on.
fn update_files(sources: &Sources, environment: Environment, cache: &mut LoadCache, timings: &Timings) {
    if cache.environment.as_ref() != Some(&environment) {
        cache.files.clear();
    }
    let src = &environment.config.src;
    let loader = FileLoader { sources, environment: &environment };
    let is_cached = |file: &str, content: &Content| cache.files.get(file).is_some_and(|cached| cached.is_current(content, sources));
    let new: Vec<_> = sources.below(src).filter(|(_, file, content)| !is_cached(file, content)).collect();
    let load = |(inner, file, content): &(&str, &Arc<str>, &Content)| {
        let mut found = Diagnostics::new();
        let draft = timings.page(|| (*file).to_string(), || loader.load(inner, file, content, &mut found));
        ((*file).clone(), Cached { content: (*content).clone(), draft, findings: found.all_sorted() })
    };
    let drafts: Vec<(Arc<str>, Cached<FileDraft>)> = new.par_iter().map(load).collect();
    cache.files.extend(drafts);
    if cache.files.len() > sources.below(src).count() {
        let folder = format!("{src}/");
        cache.files.retain(|file, _| sources.files.contains_key(file) && file.starts_with(&folder));
    }
    let pages = cache.files.values().filter_map(|cached| if let FileDraft::Page(page) = &cached.draft { Some(page) } else { None });
    cache.included = pages.flat_map(|page| &page.included).map(|(file, _)| file.clone()).collect();
    cache.environment = Some(environment);
}

fn additional_assets(sources: &Sources, config: &Config, diagnostics: &mut Diagnostics) -> Vec<(String, Content)> {
    let mut found = Vec::new();
    for name in config.additional_css.iter().chain(&config.additional_js).chain(&config.logo) {
        if let Some(content) = sources.files.get(name.as_str()) {
            found.push((name.clone(), content.clone()));
        } else {
            let place = Place::new(config::FILE, Span::at(0));
            let finding = Diagnostic::new(Rule::BadConfig, place, format!("the file `{name}` does not exist"));
            diagnostics.push(finding.help("paths in `additional-css`, `additional-js` and `logo` are relative to book.toml"));
        }
    }
    found
}
