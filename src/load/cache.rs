//! The cached drafts of files. The cost of loading with them is proportional to the changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    draft::{Loaded, PageDraft},
    file::{Environment, FileDraft, FileLoader},
};
use crate::{
    config::Language,
    diagnostic::{Diagnostic, Diagnostics},
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, ProviderFacts, VocabularyFacts},
    id::Lang,
    read::{Content, STATIC, Sources, TEMPLATES},
    text::Span,
    theme::{self, Theme},
};

/// The drafts of files. Loading with it gives the same result as without.
#[derive(Debug, Default)]
pub struct LoadCache {
    pub(super) environment: Option<Environment>,
    theme: Option<CachedTheme>,
    pub(super) vocabulary: Option<Cached<(Arc<VocabularyFacts>, bool)>>,
    pub(super) diagrams: Option<Cached<(Arc<DiagramsFacts>, bool)>>,
    pub(super) files: BTreeMap<Arc<str>, Cached<FileDraft>>,
    /// The files that pages include.
    pub(super) included: BTreeSet<Arc<str>>,
}

/// The draft of one file with its findings, valid while the content is the same.
#[derive(Debug)]
pub(super) struct Cached<T> {
    pub(super) content: Content,
    pub(super) draft: T,
    pub(super) findings: Vec<Diagnostic>,
}

#[derive(Debug)]
struct CachedTheme {
    languages: Vec<(Lang, Span)>,
    files: Vec<(Arc<str>, Content)>,
    theme: Arc<Theme>,
    findings: Vec<Diagnostic>,
}

/// An edited file whose draft is of the same kind as before.
#[derive(Debug)]
pub enum EditedFile {
    /// A page.
    Page(Edited<PageDraft>),
    /// Facts of a component.
    Component(Edited<Loaded<ComponentFacts>>),
    /// Facts of a provider.
    Provider(Edited<Loaded<ProviderFacts>>),
    /// Facts of a concept.
    Concept(Edited<Loaded<ConceptFacts>>),
}

/// A value before and after an edit.
#[derive(Debug)]
pub struct Edited<T> {
    /// The value before.
    pub old: Arc<T>,
    /// The value after.
    pub new: Arc<T>,
}

impl<T> Cached<T> {
    /// Whether the draft is that of a file with this content.
    pub(super) fn has_content(&self, content: &Content) -> bool {
        self.content == *content
    }
}

impl Cached<FileDraft> {
    /// Whether the draft is that of a file with this content, and the files that it includes and the output of preprocessors are the same.
    pub(super) fn is_current(&self, content: &Content, sources: &Sources) -> bool {
        let FileDraft::Page(page) = &self.draft else { return self.has_content(content) };
        let same_includes = page.included.iter().all(|(file, content)| sources.files.get(file) == content.as_ref());
        let same_text = match sources.preprocessed.get(&page.file) {
            Some(preprocessed) => preprocessed.text == page.source,
            None => !page.is_preprocessed,
        };
        self.has_content(content) && same_includes && same_text
    }
}

impl LoadCache {
    /// Loads one edited file and returns its findings. `None` if it was not loaded before, its draft is now of another kind, pages include it, or it can't be
    /// used.
    pub fn reload(&mut self, sources: &Sources, file: &Arc<str>) -> Option<(EditedFile, Vec<Diagnostic>)> {
        if self.included.contains(file) {
            return None;
        }
        let environment = self.environment.as_ref()?;
        let content = sources.files.get(file)?;
        let inner = file.strip_prefix(environment.config.src.as_str())?.strip_prefix('/')?;
        let cached = self.files.get_mut(file)?;
        let mut found = Diagnostics::new();
        let draft = FileLoader { sources, environment }.load(inner, file, content, &mut found);
        let findings = found.all_sorted();
        let old = std::mem::replace(cached, Cached { content: content.clone(), draft: draft.clone(), findings: findings.clone() }).draft;
        if let FileDraft::Page(page) = &draft {
            self.included.extend(page.included.iter().map(|(file, _)| file.clone()));
        }
        let edited = match (old, draft) {
            (FileDraft::Page(old), FileDraft::Page(new)) => EditedFile::Page(Edited { old, new }),
            (FileDraft::Component(old), FileDraft::Component(new)) => EditedFile::Component(Edited { old, new }),
            (FileDraft::Provider(old), FileDraft::Provider(new)) => EditedFile::Provider(Edited { old, new }),
            (FileDraft::Concept(old), FileDraft::Concept(new)) => EditedFile::Concept(Edited { old, new }),
            _ => return None,
        };
        Some((edited, findings))
    }

    pub(super) fn theme(&mut self, sources: &Sources, languages: &[Language], diagnostics: &mut Diagnostics) -> Arc<Theme> {
        let files = || [TEMPLATES, STATIC].into_iter().flat_map(|folder| sources.below(folder)).map(|(_, file, content)| (file, content));
        // Their names and titles are irrelevant here.
        let languages_now: Vec<(Lang, Span)> = languages.iter().map(|language| (language.lang.clone(), language.span)).collect();
        let is_current = self.theme.as_ref().is_some_and(|cached| {
            cached.languages == languages_now && cached.files.iter().map(|(file, content)| (file, content)).eq(files())
        });
        if !is_current {
            let mut found = Diagnostics::new();
            let theme = Arc::new(theme::load(sources, languages, &mut found));
            let files = files().map(|(file, content)| (file.clone(), content.clone())).collect();
            self.theme = Some(CachedTheme { languages: languages_now, files, theme, findings: found.all_sorted() });
        }
        let Some(cached) = &self.theme else { return Arc::default() };
        diagnostics.extend(cached.findings.iter().cloned());
        cached.theme.clone()
    }
}

/// The draft of a file: the cached one if the content is the same, else that of `load`, which is cached.
pub(super) fn cached<T: Clone>(
    slot: &mut Option<Cached<T>>,
    content: &Content,
    diagnostics: &mut Diagnostics,
    load: impl FnOnce(&mut Diagnostics) -> T,
) -> T {
    let cached = match slot {
        Some(cached) if cached.has_content(content) => cached,
        other => {
            let mut found = Diagnostics::new();
            let draft = load(&mut found);
            other.insert(Cached { content: content.clone(), draft, findings: found.all_sorted() })
        }
    };
    diagnostics.extend(cached.findings.iter().cloned());
    cached.draft.clone()
}
