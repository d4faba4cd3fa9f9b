//! Incremental compilation: the cost of an update is proportional to the edit.
//!
//! If only the prose of pages or the facts of known entities changed, the last knowledge base is cloned (a clone shares everything), the edited parts are
//! replaced, and everything that depends on them is checked again; [`PageInterface`] determines what depends on a page. In every other case, the whole
//! knowledge base is checked, with unchanged files from the cache. The result is the same. Pages are not rendered here: a [`Renderer`] renders each on demand.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    compile::{Analysis, analyze_cached},
    diagnostic::{Diagnostic, Diagnostics, Scope},
    highlight::Highlighter,
    id::Id,
    kb::{Kb, Page, PageKind},
    layout::EntityKind,
    link::Links,
    load::{Draft, Edited, EditedFile, LoadCache, Loaded, PageDraft, PageInterface},
    read::Sources,
    render::Renderer,
    timings::Timings,
    validate::{self, ChangedFacts, SymbolTable},
};

/// The result of a compilation.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// All findings, sorted, except errors in templates: these are found by rendering.
    pub diagnostics: Arc<Vec<Diagnostic>>,
    /// The renderer of the site. With errors, it renders what has none, and only if there was never a site without errors.
    pub renderer: Option<Arc<Renderer>>,
    /// Whether there are errors.
    pub has_errors: bool,
}

/// Compiles a knowledge base repeatedly, and reuses previous results.
#[derive(Debug, Default)]
pub struct Compiler {
    highlighter: Highlighter,
    cache: LoadCache,
    last: Option<Last>,
    /// The last renderer without errors, whose templates and assets may still be current.
    renderer: Option<Arc<Renderer>>,
}

/// The last compilation, if it had no errors.
#[derive(Debug)]
struct Last {
    draft: Draft,
    symbols: SymbolTable,
    /// The findings of reading.
    read: Vec<Diagnostic>,
    found: Diagnostics,
    renderer: Arc<Renderer>,
}

impl Compiler {
    /// Compiles the current snapshot. `found` are the findings of reading it. `edited` names the files whose text may have changed since the last call, if none
    /// were added or removed; `None` if that is not known.
    pub fn compile(&mut self, sources: &Sources, found: &[Diagnostic], edited: Option<&BTreeSet<Arc<str>>>) -> Compilation {
        let updated = edited.map_or(Err(NeedsFullCompilation), |edited| self.update(sources, found, edited));
        let compilation = updated.unwrap_or_else(|NeedsFullCompilation| self.compile_all(sources, found));
        if !compilation.has_errors {
            self.renderer.clone_from(&compilation.renderer);
        }
        compilation
    }

    fn compile_all(&mut self, sources: &Sources, read: &[Diagnostic]) -> Compilation {
        self.last = None;
        let mut found = Diagnostics::new();
        found.extend(read.iter().cloned());
        let Analysis { draft, symbols, kb, links } = analyze_cached(sources, &mut self.cache, &mut found, &Timings::off());
        let has_errors = found.has_errors();
        if has_errors && self.renderer.is_some() {
            return Compilation { diagnostics: Arc::new(found.sorted()), renderer: None, has_errors };
        }
        let renderer = match Renderer::new(kb, links, sources.changed.clone(), &self.highlighter, self.renderer.as_deref()) {
            Ok(renderer) => renderer,
            Err(broken) => {
                found.extend(broken);
                return Compilation { diagnostics: Arc::new(found.sorted()), renderer: None, has_errors: true };
            }
        };
        let diagnostics = Arc::new(found.clone().sorted());
        if has_errors {
            let renderer = Some(Arc::new(renderer.with_errors(&diagnostics, sources)));
            return Compilation { diagnostics, renderer, has_errors };
        }
        let renderer = Arc::new(renderer);
        self.last = Some(Last { draft, symbols, read: read.to_vec(), found, renderer: renderer.clone() });
        Compilation { diagnostics, renderer: Some(renderer), has_errors }
    }

    /// Compiles only what the edit affects.
    fn update(&mut self, sources: &Sources, read: &[Diagnostic], edited: &BTreeSet<Arc<str>>) -> Result<Compilation, NeedsFullCompilation> {
        let last = self.last.as_mut().filter(|last| last.read == read && *last.renderer.changes() == sources.changed);
        let last = last.filter(|_| edited.len() <= MAX_EDITED).ok_or(NeedsFullCompilation)?;
        let mut update = Update {
            kb: last.renderer.kb().clone(),
            found: last.found.clone(),
            draft: last.draft.clone(),
            links: last.renderer.links().clone(),
            facts: ChangedFacts::default(),
            same_order: true,
            to_link: BTreeSet::new(),
        };
        for file in edited {
            let (edited, found) = self.cache.reload(sources, file).ok_or(NeedsFullCompilation)?;
            update.found.forget(&Scope::File(file.clone()));
            update.found.within(Scope::File(file.clone()), |all| all.extend(found));
            match edited {
                EditedFile::Page(edited) => update.page(&edited)?,
                EditedFile::Component(edited) => replace(&mut update.draft.components, &mut update.facts.components, edited)?,
                EditedFile::Provider(edited) => replace(&mut update.draft.providers, &mut update.facts.providers, edited)?,
                EditedFile::Concept(edited) => replace(&mut update.draft.concepts, &mut update.facts.concepts, edited)?,
            }
        }
        let same_facts = update.facts.is_empty();
        if !same_facts {
            update.facts(last)?;
        }
        for path in &update.to_link {
            if let Some(page) = update.kb.pages.get(path) {
                update.links.update(&update.kb, page, &mut update.found);
            }
        }
        if update.found.has_errors() {
            return Err(NeedsFullCompilation);
        }
        let renderer = if same_facts && update.same_order {
            last.renderer.with_prose(update.kb, update.links)
        } else {
            Renderer::new(update.kb, update.links, sources.changed.clone(), &self.highlighter, Some(&last.renderer))
                .map_err(|_| NeedsFullCompilation)?
        };
        let renderer = Arc::new(renderer);
        let diagnostics = Arc::new(update.found.clone().sorted());
        (last.draft, last.found, last.renderer) = (update.draft, update.found, renderer.clone());
        Ok(Compilation { diagnostics, renderer: Some(renderer), has_errors: false })
    }
}

/// The effect of the edit is unknown, or there is an error: compiling everything reports it in the same way as a build.
#[derive(Clone, Copy, Debug)]
struct NeedsFullCompilation;

/// After an edit of more files than this, everything is compiled.
const MAX_EDITED: usize = 8;

/// The next knowledge base, being derived from the last.
struct Update {
    kb: Kb,
    found: Diagnostics,
    draft: Draft,
    links: Links,
    facts: ChangedFacts,
    /// Whether the order and the titles of pages are unchanged.
    same_order: bool,
    /// Pages whose links may have other targets.
    to_link: BTreeSet<Arc<str>>,
}

impl Update {
    /// Applies an edit of a text.
    fn page(&mut self, Edited { old, new }: &Edited<PageDraft>) -> Result<(), NeedsFullCompilation> {
        let (interface_before, interface) = (PageInterface::of(old), PageInterface::of(new));
        if !interface.is_whole() || interface_before.identity != interface.identity {
            return Err(NeedsFullCompilation);
        }
        let is_current = |page: &&Arc<Page>| page.texts.get(&new.lang).is_some_and(|text| Arc::ptr_eq(text, old));
        let mut page = Page::clone(self.kb.pages.get(&new.path).filter(is_current).ok_or(NeedsFullCompilation)?);
        page.texts.insert(new.lang.clone(), new.clone());
        validate::update_page(&self.kb, &page, &mut self.found);
        if interface_before.anchors != interface.anchors {
            // Sections with their own ids must have headings.
            let has_heading = |id: &Id| new.prose.headings.iter().any(|heading| heading.explicit && heading.id == id.as_str());
            if let PageKind::Entity(kind, id) = &page.kind
                && !self.kb.sections_of(*kind, id).all(|section| has_heading(&section.id))
            {
                return Err(NeedsFullCompilation);
            }
            self.link_mentions(&new.path);
        }
        self.same_order &= interface_before.rank == interface.rank;
        if interface_before.citations != interface.citations
            && let PageKind::Entity(kind, id) = &page.kind
        {
            // The edit may change which evidence is used.
            match kind {
                EntityKind::Component => check_again(&self.draft.components, &mut self.facts.components, id)?,
                EntityKind::Provider => check_again(&self.draft.providers, &mut self.facts.providers, id)?,
                EntityKind::Concept => check_again(&self.draft.concepts, &mut self.facts.concepts, id)?,
            }
        }
        self.to_link.insert(page.path.clone());
        self.kb.pages.insert(page.path.clone(), Arc::new(page));
        *self.draft.pages.iter_mut().find(|text| Arc::ptr_eq(text, old)).ok_or(NeedsFullCompilation)? = new.clone();
        Ok(())
    }

    /// Applies edits of facts.
    fn facts(&mut self, last: &Last) -> Result<(), NeedsFullCompilation> {
        let before = last.renderer.kb();
        validate::update_facts(&last.symbols, &self.draft, &self.facts, &mut self.kb, &mut self.found).map_err(|_| NeedsFullCompilation)?;
        let kb = &self.kb;
        let has_other_sections = |(kind, id): &(EntityKind, &Id)| before.fact_sections(*kind, id) != kb.fact_sections(*kind, id);
        let components = changed(&before.components, &kb.components).map(|id| (EntityKind::Component, id));
        let providers = changed(&before.providers, &kb.providers).map(|id| (EntityKind::Provider, id));
        let concepts = changed(&before.concepts, &kb.concepts).map(|id| (EntityKind::Concept, id));
        // The claims of a provider determine whether its page has a diagram, and therefore its sections.
        let with_diagram = kb.providers.keys().map(|id| (EntityKind::Provider, id)).filter(has_other_sections);
        let pages = components.chain(providers).chain(concepts).chain(with_diagram);
        let pages = pages.map(|entity @ (kind, id)| (format!("{}/{id}", kind.folder()).into(), has_other_sections(&entity)));
        for (path, has_other_sections) in pages.collect::<Vec<(Arc<str>, bool)>>() {
            if has_other_sections {
                self.link_mentions(&path);
            }
            self.to_link.insert(path);
        }
        if !Arc::ptr_eq(&before.recogniser, &self.kb.recogniser) {
            self.to_link.extend(last.renderer.links().with_listings(&self.kb).cloned());
        }
        Ok(())
    }

    /// The links of pages that mention `path` have to be resolved again: its sections have changed.
    fn link_mentions(&mut self, path: &Arc<str>) {
        self.to_link.extend(self.links.mentions(path).map(Arc::from));
    }
}

/// Adds an edit without changes, so that the facts are checked again for another reason.
fn check_again<T>(all: &[Arc<Loaded<T>>], changed: &mut Vec<Edited<Loaded<T>>>, id: &Id) -> Result<(), NeedsFullCompilation> {
    let loaded = all.iter().find(|loaded| loaded.id == *id).ok_or(NeedsFullCompilation)?;
    changed.push(Edited { old: loaded.clone(), new: loaded.clone() });
    Ok(())
}

/// The ids whose values were replaced.
fn changed<'a, T>(before: &'a BTreeMap<Id, Arc<T>>, now: &'a BTreeMap<Id, Arc<T>>) -> impl Iterator<Item = &'a Id> {
    before.iter().zip(now).filter(|((_, old), (_, new))| !Arc::ptr_eq(old, new)).map(|(_, (id, _))| id)
}

/// Replaces the old facts by the new, and records the edit.
fn replace<T>(
    all: &mut [Arc<Loaded<T>>],
    changed: &mut Vec<Edited<Loaded<T>>>,
    edited: Edited<Loaded<T>>,
) -> Result<(), NeedsFullCompilation> {
    *all.iter_mut().find(|loaded| Arc::ptr_eq(loaded, &edited.old)).ok_or(NeedsFullCompilation)? = edited.new.clone();
    changed.push(edited);
    Ok(())
}
