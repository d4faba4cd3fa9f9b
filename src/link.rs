//! Resolves every link once, in both directions.

mod facts;
mod rows;
mod written;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use rayon::prelude::*;

use crate::{
    diagnostic::{Diagnostics, Rule, Scope},
    id::{Id, Lang},
    kb::{Kb, Page, PageKind, glossary_anchor},
    layout::{self, FileRole, GeneratedFile, GeneratedPage},
    load::{Extent, PageDraft},
    markdown::{Link, Target},
    summary,
    text::{did_you_mean, listed},
    url::{Url, join},
};

use self::{
    rows::PatternReliability,
    written::{without_html, without_query},
};
pub use rows::{ExplainedLine, ExplainedListing, ListingOwner};

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolved {
    /// A page, by its address without the language, which is added when the page is assembled.
    Page {
        /// The address.
        path: String,
        /// The section.
        anchor: Option<String>,
    },
    /// A generated page that reads the query of its address, such as the results of a search.
    Query {
        /// The address without the language.
        path: String,
        /// The query without `?`, not percent-encoded.
        query: String,
    },
    /// A file of the site, by its address.
    File(String),
    /// A section of the same page.
    Anchor(String),
    /// The evidence entry of that number, from 1.
    Citation(usize),
    /// Another site.
    External(String),
    /// No target; already reported.
    Nowhere,
}

/// The links of a knowledge base. A copy shares everything with the original.
#[derive(Clone, Debug, Default)]
pub struct Links {
    /// By the file that contains the text.
    texts: BTreeMap<Arc<str>, Arc<TextLinks>>,
    mentions: Mentions,
}

type Mentions = BTreeMap<Arc<str>, Arc<BTreeSet<Arc<str>>>>;

/// The targets of the links of one text, in order.
#[derive(Clone, Debug, Default)]
pub struct TextLinks {
    resolved: Vec<Resolved>,
    listings: Vec<ExplainedListing>,
}

impl TextLinks {
    /// The addresses of the other pages that the text of a page links to.
    fn mentioned<'a>(&'a self, page: &'a str) -> BTreeSet<&'a str> {
        let pages = self.resolved.iter().filter_map(|target| match target {
            Resolved::Page { path, .. } => Some(path.as_str()),
            _ => None,
        });
        pages.filter(|path| *path != page).collect()
    }
}

impl Links {
    /// The targets of the links of a text, in the order of its [`Link`]s.
    #[must_use]
    pub fn of(&self, text: &PageDraft) -> &[Resolved] {
        self.texts.get(&text.file).map_or(&[], |links| &links.resolved)
    }

    /// The `listing` blocks of a text, in their order.
    #[must_use]
    pub fn listings_of(&self, text: &PageDraft) -> &[ExplainedListing] {
        self.texts.get(&text.file).map_or(&[], |links| &links.listings)
    }

    /// The pages that link to a page.
    pub fn mentions(&self, path: &str) -> impl Iterator<Item = &str> {
        self.mentions.get(path).into_iter().flat_map(|from| from.iter()).map(AsRef::as_ref)
    }

    /// Resolves the links of the texts of a page again, in a knowledge base without errors.
    pub fn update(&mut self, kb: &Kb, page: &Page, diagnostics: &mut Diagnostics) {
        let mentioned = |links: &Self| -> BTreeSet<Arc<str>> {
            let texts = page.texts.values().filter_map(|text| links.texts.get(&text.file));
            texts.flat_map(|links| links.mentioned(&page.path)).map(Arc::from).collect()
        };
        let before = mentioned(self);
        for text in page.texts.values() {
            let scope = Scope::Links(text.file.clone());
            diagnostics.forget(&scope);
            let new = diagnostics.within(scope, |found| link_text(kb, page, text, PatternReliability::VALID, found));
            self.texts.insert(text.file.clone(), Arc::new(new));
        }
        let after = mentioned(self);
        for path in before.difference(&after) {
            if let Some(from) = self.mentions.get_mut(path) {
                Arc::make_mut(from).remove(&page.path);
            }
        }
        for path in after.difference(&before) {
            Arc::make_mut(self.mentions.entry(path.clone()).or_default()).insert(page.path.clone());
        }
    }

    /// The pages with a `listing` block in a text.
    pub fn with_listings<'a>(&'a self, kb: &'a Kb) -> impl Iterator<Item = &'a Arc<str>> {
        let has = |text: &Arc<PageDraft>| self.texts.get(&text.file).is_some_and(|links| !links.listings.is_empty());
        kb.pages.values().filter(move |page| page.texts.values().any(has)).map(|page| &page.path)
    }
}

/// Resolves every link, and reports broken ones.
#[must_use]
pub fn link(kb: &Kb, diagnostics: &mut Diagnostics) -> Links {
    let claims = PatternReliability::of(kb, diagnostics);
    let texts: Vec<(&Page, &PageDraft)> =
        kb.pages.values().flat_map(|page| page.texts.values().map(|text| (page.as_ref(), text.as_ref()))).collect();
    let linked: Vec<(TextLinks, Diagnostics)> = texts
        .par_iter()
        .map(|(page, text)| {
            let mut found = Diagnostics::new();
            (found.within(Scope::Links(text.file.clone()), |found| link_text(kb, page, text, claims, found)), found)
        })
        .collect();
    let mut links = Links::default();
    let mut mentions: BTreeMap<Arc<str>, BTreeSet<Arc<str>>> = BTreeMap::new();
    for ((page, text), (linked, found)) in texts.into_iter().zip(linked) {
        for path in linked.mentioned(&page.path) {
            match mentions.get_mut(path) {
                Some(from) => drop(from.insert(page.path.clone())),
                None => drop(mentions.insert(path.into(), BTreeSet::from([page.path.clone()]))),
            }
        }
        diagnostics.append(found);
        links.texts.insert(text.file.clone(), Arc::new(linked));
    }
    links.mentions = mentions.into_iter().map(|(path, from)| (path, Arc::new(from))).collect();
    links
}

fn link_text(kb: &Kb, page: &Page, text: &PageDraft, claims: PatternReliability, diagnostics: &mut Diagnostics) -> TextLinks {
    let mut linker = Linker { kb, page, text, claims, diagnostics, anchors: BTreeMap::new() };
    for block in &text.prose.facts {
        linker.facts(block);
    }
    TextLinks {
        resolved: text.prose.links.iter().map(|link| linker.resolve(link)).collect(),
        listings: text.prose.listings.iter().map(|block| linker.listing(block)).collect(),
    }
}

struct Linker<'a> {
    kb: &'a Kb,
    page: &'a Page,
    text: &'a PageDraft,
    claims: PatternReliability,
    diagnostics: &'a mut Diagnostics,
    /// The anchors of the pages that were needed so far, by page and language.
    anchors: BTreeMap<(Arc<str>, Lang), BTreeSet<String>>,
}

impl Linker<'_> {
    fn resolve(&mut self, link: &Link) -> Resolved {
        let resolved = match &link.target {
            Target::Id { id, anchor } => self.id(link, id, anchor.as_deref()),
            Target::Citation(key) => self.citation(link, key),
            Target::File { path, anchor } => self.file(link, path, anchor.as_deref()),
            Target::Absolute { path, anchor } => self.absolute(link, path, anchor.as_deref()),
            Target::Anchor(anchor) => self.anchor_here(link, anchor),
            Target::External(url) => Resolved::External(url.clone()),
        };
        match link.embedded {
            Some(kind) => self.embedded(link, kind.noun(), resolved),
            None => resolved,
        }
    }

    fn report(&mut self, rule: Rule, link: &Link, message: impl Into<String>, help: impl Into<String>) -> Resolved {
        self.diagnostics.report(rule, self.text.place(link.span), message, help);
        Resolved::Nowhere
    }

    /// The candidate that the target of a link most resembles, for a finding of a rule.
    fn meant<'c>(&self, rule: Rule, typed: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
        self.diagnostics.did_you_mean((rule, &self.text.file), typed, candidates)
    }

    /// A picture, video or audio file, which must be a file of the site; `noun` is its kind.
    fn embedded(&mut self, link: &Link, noun: &str, resolved: Resolved) -> Resolved {
        match resolved {
            Resolved::File(_) | Resolved::Nowhere => resolved,
            Resolved::External(url) => {
                let message = format!("the {noun} `{url}` comes from another site");
                let help = "save a copy next to the page, so that the page doesn't load anything from other sites";
                self.report(Rule::ExternalImage, link, message, help)
            }
            _ => self.report(Rule::DeadLink, link, format!("this is not a {noun}"), format!("link to a {noun} next to the page")),
        }
    }

    fn id(&mut self, link: &Link, id: &str, anchor: Option<&str>) -> Resolved {
        if id.is_empty() {
            return anchor.map_or(Resolved::Nowhere, |anchor| self.anchor_here(link, anchor));
        }
        if let Some(section) = self.kb.sections.get(id) {
            let path = section.page();
            return match anchor {
                Some(_) => self.page(link, path, anchor, None),
                // A missing section is reported where it is declared.
                None => Resolved::Page { path, anchor: Some(id.to_owned()) },
            };
        }
        let path = self.kb.path_of(id).or_else(|| self.kb.pages.contains_key(id).then(|| id.to_owned()));
        if let Some(path) = path {
            return self.page(link, path, anchor, None);
        }
        // Unreadable facts may define a section with this id.
        let broken = self.kb.pages.values().filter(|page| self.is_broken(page));
        if broken.flat_map(|page| page.texts.values()).flat_map(|text| &text.prose.headings).any(|heading| heading.id == id) {
            return Resolved::Nowhere;
        }
        let ids = self.kb.components.keys().chain(self.kb.concepts.keys()).chain(self.kb.providers.keys()).chain(self.kb.broken.keys());
        let ids = ids.chain(self.kb.sections.keys());
        let meant = self.meant(Rule::DeadLink, id, ids.map(crate::id::Id::as_str)).map(|meant| format!("[[{meant}]]"));
        let otherwise =
            "check the id: the name of a folder of components, concepts or providers, or of a section below `sections:` in facts";
        let help = suggestion(meant, otherwise);
        self.report(Rule::DeadLink, link, format!("no page or section has the id `{id}`"), help)
    }

    fn citation(&mut self, link: &Link, key: &str) -> Resolved {
        let evidence = match &self.page.kind {
            PageKind::Entity(kind, id) => self.kb.evidence_of(*kind, id),
            _ => &[],
        };
        if let Some(index) = evidence.iter().position(|entry| entry.key.as_str() == key) {
            return Resolved::Citation(index + 1);
        }
        if self.is_broken(self.page) {
            return Resolved::Nowhere;
        }
        let meant =
            self.meant(Rule::UnknownEvidence, key, evidence.iter().map(|entry| entry.key.as_str())).map(|meant| format!("[[^{meant}]]"));
        let help = suggestion(meant, "add it to the map `evidence` of this page's facts.yaml");
        self.report(Rule::UnknownEvidence, link, format!("this page's facts have no evidence `{key}`"), help)
    }

    fn anchor_here(&mut self, link: &Link, anchor: &str) -> Resolved {
        if self.has_anchor(self.page, &self.text.lang, anchor) || self.is_broken(self.page) {
            return Resolved::Anchor(anchor.to_owned());
        }
        self.dead_anchor(link, self.page, &self.text.lang, anchor)
    }

    fn dead_anchor(&mut self, link: &Link, page: &Page, lang: &Lang, anchor: &str) -> Resolved {
        let anchors = if self.diagnostics.is_crowded(Rule::DeadAnchor, &self.text.file) { Vec::new() } else { self.anchors(page, lang) };
        let file = page.text(lang, self.kb.config.default_language()).map_or_else(|| page.path.to_string(), |text| text.file.to_string());
        let help = match did_you_mean(anchor, anchors.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `#{meant}`?"),
            None if anchors.is_empty() => "it has no sections; link to the page".to_owned(),
            None => format!(
                "it has {}",
                listed(anchors.iter().map(|anchor| format!("#{anchor}")).collect::<Vec<_>>().iter().map(String::as_str))
            ),
        };
        self.report(Rule::DeadAnchor, link, format!("`{file}` has no section `#{anchor}`"), help)
    }

    /// The anchors of a page in a language.
    fn anchors(&self, page: &Page, lang: &Lang) -> Vec<String> {
        let written = page.text(lang, self.kb.config.default_language()).into_iter().flat_map(|text| {
            text.prose.title.iter().chain(&text.prose.headings).map(|heading| &heading.id).chain(&text.prose.anchors).cloned()
        });
        let facts = match &page.kind {
            PageKind::Entity(kind, id) => self.kb.fact_sections(*kind, id),
            _ => Vec::new(),
        };
        written.chain(facts.into_iter().map(|section| section.anchor().to_owned())).collect()
    }

    /// Whether some facts or texts of a page could not be read, so that its sections are unknown.
    fn is_broken(&self, page: &Page) -> bool {
        page.texts.values().any(|text| text.extent == Extent::Nothing)
            || matches!(&page.kind, PageKind::Entity(_, id) if self.kb.broken.contains_key(id))
    }

    fn has_anchor(&mut self, page: &Page, lang: &Lang, anchor: &str) -> bool {
        let key = (page.path.clone(), lang.clone());
        if let Some(known) = self.anchors.get(&key) {
            return known.contains(anchor);
        }
        let known: BTreeSet<String> = self.anchors(page, lang).into_iter().collect();
        let has = known.contains(anchor);
        self.anchors.insert(key, known);
        has
    }

    /// A page; `lang` is the language of a link to a Markdown file.
    fn page(&mut self, link: &Link, path: String, anchor: Option<&str>, lang: Option<&Lang>) -> Resolved {
        if let Some(anchor) = anchor
            && let Some(page) = self.kb.pages.get(path.as_str())
        {
            let lang = lang.unwrap_or(&self.text.lang).clone();
            if !self.has_anchor(page, &lang, anchor) && !self.is_broken(page) {
                return self.dead_anchor(link, page, &lang, anchor);
            }
        }
        Resolved::Page { path, anchor: anchor.map(str::to_owned) }
    }

    fn file(&mut self, link: &Link, path: &str, anchor: Option<&str>) -> Resolved {
        let src = format!("{}/", self.kb.config.src);
        let own = self.text.file.strip_prefix(src.as_str()).unwrap_or(&self.text.file);
        let folder = own.rsplit_once('/').map_or("", |(folder, _)| folder);
        let inner = join(folder, path);
        // Hugo and others resolve links relative to the address of the page, which is one level deeper than its file.
        let by_address = join(&self.page.path, path).filter(|inner| self.is_target(inner));
        let Some(inner) = inner.filter(|inner| by_address.is_none() || self.is_target(inner)).or(by_address) else {
            let help = "only files of the content folder are published; link to the repository with a full address";
            return self.report(Rule::DeadLink, link, format!("`{path}` is outside of the content folder"), help);
        };
        if self.kb.assets.contains_key(&inner) {
            return Resolved::File(inner);
        }
        let inner = without_query(&inner);
        match layout::role(inner, &self.kb.config) {
            FileRole::Page { path, lang } if inner.ends_with(".md") => self.markdown_file(link, inner, path, lang, anchor),
            FileRole::Unlisted => self.unlisted(link, inner),
            _ if self.kb.assets.contains_key(inner) => Resolved::File(inner.to_owned()),
            _ => self.address(link, inner.trim_end_matches('/'), path, anchor),
        }
    }

    /// Whether a path below the content folder is a file of the site, or the address of a page.
    fn is_target(&self, path: &str) -> bool {
        let plain = without_query(path);
        if let FileRole::Page { path, .. } = layout::role(plain, &self.kb.config)
            && plain.ends_with(".md")
        {
            return self.kb.pages.contains_key(path.as_str());
        }
        let address = without_html(plain.trim_end_matches('/'));
        self.kb.assets.contains_key(path) || self.kb.pages.contains_key(address) || self.kb.folders.contains(address)
    }

    fn markdown_file(&mut self, link: &Link, inner: &str, path: String, lang: Option<Lang>, anchor: Option<&str>) -> Resolved {
        let named = lang.unwrap_or_else(|| self.kb.config.default_language().clone());
        if self.kb.pages.get(path.as_str()).is_some_and(|page| page.texts.contains_key(&named)) {
            return self.page(link, path, anchor, Some(&named));
        }
        let files = self.kb.pages.values().flat_map(|page| page.texts.values()).map(|text| &*text.file);
        let full = format!("{}/{inner}", self.kb.config.src);
        let help = suggestion(self.meant(Rule::DeadLink, &full, files).map(str::to_owned), "check the path; it is relative to this file");
        self.report(Rule::DeadLink, link, format!("the file `{full}` does not exist"), help)
    }

    /// A link to a file that is not a page because the summary of the book does not name it.
    fn unlisted(&mut self, link: &Link, inner: &str) -> Resolved {
        let chapters = self.kb.config.summary.iter().flat_map(|summary| summary.files()).map(AsRef::as_ref);
        let meant = self.meant(Rule::DeadLink, inner, chapters).map(|meant| format!("{}/{meant}", self.kb.config.src));
        let help = suggestion(meant, "add the page to the summary, or correct the path; it is relative to this file");
        self.report(Rule::DeadLink, link, format!("`{inner}` is not a page in `{}/{}`", self.kb.config.src, summary::FILE), help)
    }

    fn absolute(&mut self, link: &Link, written: &str, anchor: Option<&str>) -> Resolved {
        let path = without_query(written).trim_matches('/');
        if path.ends_with(".md") {
            return self.file_from_top(link, path, anchor);
        }
        if self.kb.assets.contains_key(path) || GeneratedFile::at(path).is_some() {
            return Resolved::File(path.to_owned());
        }
        // Addresses copied from a browser begin with the language.
        let (_, without_language) = self.kb.config.language_of(path);
        match (self.address(link, without_language.trim_end_matches('/'), written, anchor), written.split_once('?')) {
            (Resolved::Page { path, anchor: None }, Some((_, query))) if self.kb.generated_at(&path).is_some() => {
                Resolved::Query { path, query: query.to_owned() }
            }
            (resolved, _) => resolved,
        }
    }

    /// A Markdown file by its path below the content folder.
    fn file_from_top(&mut self, link: &Link, inner: &str, anchor: Option<&str>) -> Resolved {
        match layout::role(inner, &self.kb.config) {
            FileRole::Page { path, lang } => self.markdown_file(link, inner, path, lang, anchor),
            FileRole::Unlisted => self.unlisted(link, inner),
            _ => self.address(link, inner, inner, anchor),
        }
    }

    fn generated(&mut self, link: &Link, path: &str, anchor: Option<&str>) -> Resolved {
        let vocabulary = &self.kb.vocabulary;
        let anchors: Vec<String> = match GeneratedPage::at(path) {
            Some(GeneratedPage::Components) => vocabulary.areas.iter().map(|area| format!("area-{}", area.id)).collect(),
            Some(GeneratedPage::Glossary) => vocabulary.glossary.iter().map(|(term, _)| glossary_anchor(term)).collect(),
            Some(GeneratedPage::Compare) => vocabulary.roles.iter().map(|role| format!("role-{}", role.id)).collect(),
            _ => Vec::new(),
        };
        match anchor {
            Some(anchor) if !anchors.iter().any(|known| known == anchor) => {
                let meant = self.meant(Rule::DeadAnchor, anchor, anchors.iter().map(String::as_str)).map(|meant| format!("#{meant}"));
                let help = suggestion(meant, "link to the page itself");
                self.report(Rule::DeadAnchor, link, format!("`/{path}/` has no section `#{anchor}`"), help)
            }
            anchor => Resolved::Page { path: path.to_owned(), anchor: anchor.map(str::to_owned) },
        }
    }

    fn address(&mut self, link: &Link, path: &str, written: &str, anchor: Option<&str>) -> Resolved {
        let path = &*self.kb.config.path_at(path);
        let page_of_folder = format!("{path}/index.html");
        let path = if self.kb.pages.contains_key(path) {
            path
        } else if self.kb.pages.contains_key(page_of_folder.as_str()) {
            &page_of_folder
        } else {
            without_html(path)
        };
        if self.kb.pages.contains_key(path) {
            return self.page(link, path.to_owned(), anchor, None);
        }
        if self.kb.generated_at(path).is_some() || path.is_empty() {
            return self.generated(link, path, anchor);
        }
        let is_tag = || {
            path.strip_prefix(GeneratedPage::Tags.path())
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|name| self.kb.tags.contains_key(name))
        };
        let has_ports = || {
            path.strip_prefix(GeneratedPage::Ports.path())
                .and_then(|rest| Id::new(rest.strip_prefix('/')?).ok())
                .is_some_and(|id| self.kb.has_generated(GeneratedPage::Ports) && self.kb.providers.contains_key(&id))
        };
        let has_versions = || {
            path.strip_prefix(GeneratedPage::ComponentVersions.path())
                .and_then(|rest| Id::new(rest.strip_prefix('/')?).ok())
                .is_some_and(|id| self.kb.has_versions(&id))
        };
        if anchor.is_none() && (self.kb.folders.contains(path) || is_tag() || has_ports() || has_versions()) {
            return Resolved::Page { path: path.to_owned(), anchor: None };
        }
        if let Some(section) = self.kb.sections.values().find(|section| section.address() == path) {
            return self.page(link, section.page(), anchor.or(Some(section.id.as_str())), None);
        }
        let url = Url::page(written.trim_matches('/'));
        if self.kb.config.redirects.iter().any(|redirect| redirect.from == url) {
            return Resolved::File(url.as_str().trim_matches('/').to_owned());
        }
        let has_moved = |page: &Page| page.texts.values().flat_map(|text| &text.front.aliases).any(|alias| alias.trim_matches('/') == path);
        if let Some(moved) = self.kb.pages.values().find(|page| has_moved(page)) {
            let message = format!("`{written}` is an old address");
            return self.report(Rule::DeadLink, link, message, format!("the page is at `/{}/` now", moved.path));
        }
        let pages = self.kb.pages.keys().map(AsRef::as_ref).chain(self.kb.generated.iter().map(|page| page.path()));
        let known = pages.chain(self.kb.assets.keys().map(String::as_str));
        let meant = self.meant(Rule::DeadLink, path, known).map(|meant| format!("/{meant}"));
        let help = suggestion(meant, "check the address; a link to a file is relative to this one");
        self.report(Rule::DeadLink, link, format!("no page has the address `{written}`"), help)
    }
}

/// The help for a link without a target.
fn suggestion(meant: Option<String>, otherwise: &str) -> String {
    meant.map_or_else(|| otherwise.to_owned(), |meant| format!("did you mean `{meant}`?"))
}
