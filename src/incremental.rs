//! The line from files to a site, again and again, at the cost of what has changed.
//!
//! Three ways lead to the same result. Where only the prose of pages or the facts of known things have changed, the last knowledge base is copied (a copy
//! shares everything) and what depends on them is checked again. In every other case the whole is checked, with files that did not change as they were loaded.
//! Pages are not rendered here at all: a [`Renderer`] makes each when somebody asks for it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{
    compile::{Understood, understand_again},
    diagnostic::{Diagnostic, Diagnostics, Scope},
    highlight::Highlighter,
    id::Id,
    kb::{Kb, Page, PageKind},
    layout::EntityKind,
    link::Links,
    load::{Draft, Extent, Loaded, Memory, PageDraft, Reloaded, Was},
    read::Sources,
    render::Renderer,
    timings::Timings,
    validate::{self, ChangedFacts, SymbolTable},
};

/// A knowledge base, or why there is none.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// Everything that was found, sorted. What only rendering finds, mistakes of templates, is not among it.
    pub diagnostics: Arc<Vec<Diagnostic>>,
    /// What renders the site; `None` if there are errors.
    pub renderer: Option<Arc<Renderer>>,
}

/// Compiles a knowledge base that changes.
#[derive(Debug, Default)]
pub struct Compiler {
    highlighter: Highlighter,
    memory: Memory,
    last: Option<Last>,
    /// The last renderer without errors: its templates and assets may still be right.
    renderer: Option<Arc<Renderer>>,
}

/// The last compilation, if it had no errors.
#[derive(Debug)]
struct Last {
    draft: Draft,
    ground: SymbolTable,
    /// What reading found.
    read: Vec<Diagnostic>,
    found: Diagnostics,
    renderer: Arc<Renderer>,
}

impl Compiler {
    /// Compiles the knowledge base as it is now. `found` is what reading it found. `edited` names the files whose text may be another than at the last call,
    /// if none appeared or vanished since; `None` says that nothing is known of what happened.
    pub fn compile(&mut self, sources: &Sources, found: &[Diagnostic], edited: Option<&BTreeSet<Arc<str>>>) -> Compilation {
        let patched = edited.and_then(|edited| self.patch(sources, found, edited));
        let compilation = patched.unwrap_or_else(|| self.whole(sources, found));
        if let Some(renderer) = &compilation.renderer {
            self.renderer = Some(renderer.clone());
        }
        compilation
    }

    fn whole(&mut self, sources: &Sources, read: &[Diagnostic]) -> Compilation {
        self.last = None;
        let mut found = Diagnostics::new();
        found.extend(read.iter().cloned());
        let understood = understand_again(sources, &mut self.memory, &mut found, &Timings::off());
        let ready = understood.and_then(|Understood { draft, ground, kb, links }| {
            match Renderer::new(kb, links, sources.changed.clone(), &self.highlighter, self.renderer.as_deref()) {
                Ok(renderer) => Some((draft, ground, Arc::new(renderer))),
                Err(broken) => {
                    found.extend(broken);
                    None
                }
            }
        });
        let diagnostics = Arc::new(found.clone().sorted());
        let Some((draft, ground, renderer)) = ready else { return Compilation { diagnostics, renderer: None } };
        self.last = Some(Last { draft, ground, read: read.to_vec(), found, renderer: renderer.clone() });
        Compilation { diagnostics, renderer: Some(renderer) }
    }

    /// Compiles what has changed. `None` if that is not enough, or if there is an error: then the whole is compiled, which reports it as a fresh build does.
    fn patch(&mut self, sources: &Sources, read: &[Diagnostic], edited: &BTreeSet<Arc<str>>) -> Option<Compilation> {
        let last = self.last.as_ref().filter(|last| last.read == read && *last.renderer.changed() == sources.changed)?;
        if edited.len() > MOST_PATCHED {
            return None;
        }
        let mut change = Change {
            kb: last.renderer.kb().clone(),
            found: last.found.clone(),
            draft: last.draft.clone(),
            links: last.renderer.links().clone(),
            facts: ChangedFacts::default(),
            same_order: true,
            to_link: BTreeSet::new(),
        };
        for file in edited {
            let (reloaded, found) = self.memory.reload(sources, file)?;
            change.found.forget(&Scope::File(file.clone()));
            change.found.within(Scope::File(file.clone()), |all| all.extend(found));
            match reloaded {
                Reloaded::Page(was) => change.page(&was)?,
                Reloaded::Component(was) => {
                    replace(&mut change.draft.components, &was)?;
                    change.facts.components.push(was);
                }
                Reloaded::Provider(was) => {
                    replace(&mut change.draft.providers, &was)?;
                    change.facts.providers.push(was);
                }
                Reloaded::Concept(was) => {
                    replace(&mut change.draft.concepts, &was)?;
                    change.facts.concepts.push(was);
                }
            }
        }
        let same_facts = change.facts.is_empty();
        if !same_facts {
            change.facts(last)?;
        }
        for path in &change.to_link {
            if let Some(page) = change.kb.pages.get(path) {
                change.links.again(&change.kb, page, &mut change.found);
            }
        }
        if change.found.has_errors() {
            return None;
        }
        let renderer = if same_facts && change.same_order {
            last.renderer.with_prose(change.kb, change.links)
        } else {
            Renderer::new(change.kb, change.links, sources.changed.clone(), &self.highlighter, Some(&last.renderer)).ok()?
        };
        let renderer = Arc::new(renderer);
        let diagnostics = Arc::new(change.found.clone().sorted());
        let last = self.last.as_mut()?;
        (last.draft, last.found, last.renderer) = (change.draft, change.found, renderer.clone());
        Some(Compilation { diagnostics, renderer: Some(renderer) })
    }
}

/// More changed files than this are compiled as a whole.
const MOST_PATCHED: usize = 8;

/// The next knowledge base on its way.
struct Change {
    kb: Kb,
    found: Diagnostics,
    draft: Draft,
    links: Links,
    facts: ChangedFacts,
    /// Whether pages stand in the same order, under the same titles.
    same_order: bool,
    /// Pages whose links may lead elsewhere.
    to_link: BTreeSet<Arc<str>>,
}

impl Change {
    /// A text that says something else. `None` if other files may have to be checked for it.
    fn page(&mut self, was: &Was<PageDraft>) -> Option<()> {
        let Was { old, new } = was;
        let outline = Outline::of(new);
        if !outline.whole || Outline::of(old) != outline {
            return None;
        }
        let before = self.kb.pages.get(&new.path)?;
        if !Arc::ptr_eq(before.texts.get(&new.lang)?, old) {
            return None;
        }
        let mut page = Page::clone(before);
        page.texts.insert(new.lang.clone(), new.clone());
        validate::update_page(&self.kb, &page, &mut self.found);
        if anchors(old) != anchors(new) {
            // Sections with ids of their own must have their headings.
            let has_heading = |id: &Id| new.prose.headings.iter().any(|heading| heading.explicit && heading.id == id.as_str());
            if let PageKind::Entity(kind, id) = &page.kind
                && !self.kb.sections_of(*kind, id).all(|section| has_heading(&section.id))
            {
                return None;
            }
            self.link_mentions(&new.path);
        }
        self.same_order &= rank(old) == rank(new);
        if !old.prose.citations().eq(new.prose.citations())
            && let PageKind::Entity(kind, id) = &page.kind
        {
            // Evidence may be in use now that was not, or the other way round.
            match kind {
                EntityKind::Component => self.facts.components.push(unchanged(&self.draft.components, id)?),
                EntityKind::Provider => self.facts.providers.push(unchanged(&self.draft.providers, id)?),
                EntityKind::Concept => self.facts.concepts.push(unchanged(&self.draft.concepts, id)?),
            }
        }
        self.to_link.insert(page.path.clone());
        self.kb.pages.insert(page.path.clone(), Arc::new(page));
        let text = self.draft.pages.iter_mut().find(|text| Arc::ptr_eq(text, old))?;
        *text = new.clone();
        Some(())
    }

    /// Facts that say something else.
    fn facts(&mut self, last: &Last) -> Option<()> {
        let before = last.renderer.kb();
        validate::update_facts(&last.ground, &self.draft, &self.facts, &mut self.kb, &mut self.found).ok()?;
        let changed = changed(&before.components, &self.kb.components)
            .map(|id| (EntityKind::Component, id))
            .chain(changed(&before.providers, &self.kb.providers).map(|id| (EntityKind::Provider, id)))
            .chain(changed(&before.concepts, &self.kb.concepts).map(|id| (EntityKind::Concept, id)));
        let changed: Vec<(EntityKind, Id)> = changed.map(|(kind, id)| (kind, id.clone())).collect();
        for (kind, id) in changed {
            let path: Arc<str> = format!("{}/{id}", kind.folder()).into();
            if before.fact_sections(kind, &id) != self.kb.fact_sections(kind, &id) {
                self.link_mentions(&path);
            }
            self.to_link.insert(path);
        }
        if !Arc::ptr_eq(&before.recogniser, &self.kb.recogniser) {
            self.to_link.extend(last.renderer.links().with_listings(&self.kb).cloned());
        }
        // What a provider ships decides whether its page has a drawing, and so which sections it has.
        let drawn = self
            .kb
            .providers
            .keys()
            .filter(|id| before.fact_sections(EntityKind::Provider, id) != self.kb.fact_sections(EntityKind::Provider, id));
        let drawn: Vec<Arc<str>> = drawn.map(|id| format!("{}/{id}", EntityKind::Provider.folder()).into()).collect();
        for path in drawn {
            self.link_mentions(&path);
            self.to_link.insert(path);
        }
        Some(())
    }

    /// Pages that link to a page have to be linked again: it has other sections.
    fn link_mentions(&mut self, path: &Arc<str>) {
        self.to_link.extend(self.links.mentions(path).map(Arc::from));
    }
}

/// What other files may depend on in a text.
#[derive(PartialEq)]
struct Outline<'a> {
    path: &'a str,
    lang: &'a crate::id::Lang,
    whole: bool,
    has_title: bool,
    has_summary: bool,
    aliases: Vec<&'a str>,
}

impl<'a> Outline<'a> {
    fn of(text: &'a PageDraft) -> Self {
        Self {
            path: &text.path,
            lang: &text.lang,
            whole: text.extent == Extent::Whole,
            has_title: text.front.title.as_ref().is_some_and(|title| !title.trim().is_empty()) || text.prose.title.is_some(),
            has_summary: text.front.summary.as_ref().is_some_and(|summary| !summary.trim().is_empty()),
            aliases: text.front.aliases.iter().map(|alias| alias.as_str()).collect(),
        }
    }
}

/// What decides where a page stands among others.
fn rank(text: &PageDraft) -> (Option<&str>, Option<&str>, Option<i64>) {
    (text.front.title.as_deref(), text.prose.title.as_ref().map(|heading| heading.text.as_str()), text.front.order)
}

/// The same facts as those that changed: what depends on them has to be checked again for another reason.
fn unchanged<T>(all: &[Arc<Loaded<T>>], id: &Id) -> Option<Was<Loaded<T>>> {
    let loaded = all.iter().find(|loaded| loaded.id == *id)?;
    Some(Was { old: loaded.clone(), new: loaded.clone() })
}

/// Where links can lead inside a text.
fn anchors(text: &PageDraft) -> Vec<(&str, bool)> {
    let headings = text.prose.headings.iter().map(|heading| (heading.id.as_str(), heading.explicit));
    headings.chain(text.prose.anchors.iter().map(|anchor| (anchor.as_str(), false))).collect()
}

/// The things that are not the same as before.
fn changed<'a, T>(before: &'a BTreeMap<Id, Arc<T>>, now: &'a BTreeMap<Id, Arc<T>>) -> impl Iterator<Item = &'a Id> {
    before.iter().zip(now).filter(|((_, old), (_, new))| !Arc::ptr_eq(old, new)).map(|(_, (id, _))| id)
}

/// Puts the new facts into the place of the old.
fn replace<T>(all: &mut [Arc<Loaded<T>>], was: &Was<Loaded<T>>) -> Option<()> {
    let place = all.iter_mut().find(|loaded| Arc::ptr_eq(loaded, &was.old))?;
    *place = was.new.clone();
    Some(())
}
