//! What files said when they were last loaded.

use std::{collections::BTreeMap, sync::Arc};

use super::{FileDraft, Loaded, Loader, PageDraft, Renderer, Sketches};
use crate::{
    config::{Config, Language},
    diagnostic::{Diagnostic, Diagnostics},
    facts::{ComponentFacts, ConceptFacts, DiagramsFacts, ProviderFacts, VocabularyFacts},
    id::Lang,
    read::{Content, STATIC, Sources, TEMPLATES},
    text::Span,
    theme::{self, Theme},
};

/// What files said when they were last loaded. With it, loading again costs what has changed; the result is the same as without.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) environment: Option<Environment>,
    theme: Option<RememberedTheme>,
    pub(super) vocabulary: Option<Remembered<(Arc<VocabularyFacts>, bool)>>,
    pub(super) diagrams: Option<Remembered<Arc<DiagramsFacts>>>,
    pub(super) files: BTreeMap<Arc<str>, Remembered<FileDraft>>,
    pub(super) sketches: Sketches,
}

/// What one file said.
#[derive(Debug)]
pub(super) struct Remembered<T> {
    pub(super) content: Content,
    pub(super) said: T,
    pub(super) found: Vec<Diagnostic>,
}

/// The theme, and the files it was made of.
#[derive(Debug)]
struct RememberedTheme {
    languages: Vec<(Lang, Span)>,
    files: Vec<(Arc<str>, Content)>,
    theme: Arc<Theme>,
    found: Vec<Diagnostic>,
}

/// All that what a file says depends on, besides the file.
#[derive(Debug)]
pub(super) struct Environment {
    pub(super) config: Arc<Config>,
    pub(super) languages_known: bool,
    pub(super) renderers: BTreeMap<Lang, Renderer>,
}

impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        let of_config = |it: &Self| (it.config.src.clone(), it.config.allow_html, it.languages());
        of_config(self) == of_config(other) && self.languages_known == other.languages_known && self.renderers == other.renderers
    }
}

impl Environment {
    fn languages(&self) -> Vec<Lang> {
        self.config.languages.iter().map(|language| language.lang.clone()).collect()
    }
}

/// A file that was loaded again, and says something of the same kind.
#[derive(Debug)]
pub enum Reloaded {
    /// A page.
    Page(Was<PageDraft>),
    /// Facts of a component.
    Component(Was<Loaded<ComponentFacts>>),
    /// Facts of a provider.
    Provider(Was<Loaded<ProviderFacts>>),
    /// Facts of a concept.
    Concept(Was<Loaded<ConceptFacts>>),
}

/// What a file said, and what it says.
#[derive(Debug)]
pub struct Was<T> {
    /// Before.
    pub old: Arc<T>,
    /// Now.
    pub new: Arc<T>,
}

impl Memory {
    /// Remembers nothing but these pages, and of them only sketches.
    #[must_use]
    pub fn of(sketches: Sketches) -> Self {
        Self { sketches, ..Self::default() }
    }

    /// Loads one file again. `None` if it was not loaded before, or says something of another kind now, or cannot be used.
    pub fn reload(&mut self, sources: &Sources, file: &Arc<str>) -> Option<(Reloaded, Vec<Diagnostic>)> {
        let environment = self.environment.as_ref()?;
        let content = sources.files.get(file)?;
        let inner = file.strip_prefix(environment.config.src.as_str())?.strip_prefix('/')?;
        let known = self.files.get_mut(file)?;
        let mut found = Diagnostics::new();
        let said = Loader { sources, environment, sketches: &Sketches::new() }.load(inner, file, content, &mut found);
        let found = found.sorted();
        let old = std::mem::replace(known, Remembered { content: content.clone(), said: said.clone(), found: found.clone() }).said;
        let reloaded = match (old, said) {
            (FileDraft::Page(old), FileDraft::Page(new)) => Reloaded::Page(Was { old, new }),
            (FileDraft::Component(old), FileDraft::Component(new)) => Reloaded::Component(Was { old, new }),
            (FileDraft::Provider(old), FileDraft::Provider(new)) => Reloaded::Provider(Was { old, new }),
            (FileDraft::Concept(old), FileDraft::Concept(new)) => Reloaded::Concept(Was { old, new }),
            _ => return None,
        };
        Some((reloaded, found))
    }

    pub(super) fn theme(&mut self, sources: &Sources, languages: &[Language], diagnostics: &mut Diagnostics) -> Arc<Theme> {
        let folders = [TEMPLATES, STATIC];
        let files = || folders.iter().flat_map(|folder| sources.below(folder)).map(|(_, file, content)| (file, content));
        // Their names and titles do not matter here.
        let named: Vec<(Lang, Span)> = languages.iter().map(|language| (language.lang.clone(), language.span)).collect();
        let same = self
            .theme
            .as_ref()
            .is_some_and(|known| known.languages == named && known.files.iter().map(|(file, content)| (file, content)).eq(files()));
        if !same {
            let mut found = Diagnostics::new();
            let theme = Arc::new(theme::load(sources, languages, &mut found));
            let files = files().map(|(file, content)| (file.clone(), content.clone())).collect();
            self.theme = Some(RememberedTheme { languages: named, files, theme, found: found.sorted() });
        }
        let Some(known) = &self.theme else { return Arc::default() };
        diagnostics.extend(known.found.iter().cloned());
        known.theme.clone()
    }
}

/// What a file says: as remembered if it is the same, else anew.
pub(super) fn remembered<T: Clone>(
    known: &mut Option<Remembered<T>>,
    content: &Content,
    diagnostics: &mut Diagnostics,
    say: impl FnOnce(&mut Diagnostics) -> T,
) -> T {
    let known = match known {
        Some(known) if known.content == *content => known,
        other => {
            let mut found = Diagnostics::new();
            let said = say(&mut found);
            other.insert(Remembered { content: content.clone(), said, found: found.sorted() })
        }
    };
    diagnostics.extend(known.found.iter().cloned());
    known.said.clone()
}
