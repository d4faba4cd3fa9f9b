//! The checked knowledge base through views and templates to a site.
//!
//! A view is a typed projection of the knowledge base for one page; a template turns it into HTML. Nothing here decides anything about facts.

mod again;
mod api;
mod architecture;
mod asked;
mod assets;
mod calendar;
mod cards;
mod compare;
mod component;
mod coverage;
mod diagrams;
mod explain;
mod feed;
mod frame;
mod index;
mod listing;
mod llms;
mod navigation;
mod page;
mod reader;
mod redirects;
mod search;
mod sitemap;
mod structured;
mod templates;
mod timeline;
mod twin;
mod xml;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use rayon::prelude::*;

use crate::{
    card::Painter,
    coverage::{Coverage, coverage},
    diagnostic::{Diagnostic, Diagnostics},
    highlight::Highlighter,
    kb::Kb,
    link::Links,
    search::Keep,
    site::{Make, Site},
    timings::Timings,
    url::Url,
};

pub use again::Sink;

use assets::{AssetUrls, Assets};
use navigation::Navigation;
use reader::Reader;
use templates::Templates;

/// The days on which files last changed, by file.
pub type Changes = BTreeMap<Arc<str>, String>;

/// What every page is rendered from.
#[derive(Clone, Copy)]
struct Context<'a> {
    kb: &'a Kb,
    links: &'a Links,
    coverage: &'a OnceLock<Coverage>,
    /// Whether it is known of any page when it changed.
    dated: &'a bool,
    changed: &'a Changes,
    assets: &'a AssetUrls,
    navigation: &'a Navigation,
    highlighter: &'a Highlighter,
}

/// The file with the facts that a page is about.
fn facts_file<'a>(kb: &'a Kb, page: &crate::kb::Page) -> Option<&'a Arc<str>> {
    let crate::kb::PageKind::Entity(_, id) = &page.kind else { return None };
    kb.file_of(id)
}

/// The newest day on which a page changed, in any language or in its facts.
fn last_change<'a>(context: &Context<'a>, page: &crate::kb::Page) -> Option<&'a str> {
    last_change_in(context.kb, context.changed, page)
}

fn last_change_in<'a>(kb: &Kb, changed: &'a Changes, page: &crate::kb::Page) -> Option<&'a str> {
    let files = page.texts.values().map(|text| &text.file).chain(facts_file(kb, page));
    files.filter_map(|file| changed.get(file)).max().map(String::as_str)
}

/// One page that is to be rendered, in one language.
struct Job<'a> {
    url: Url,
    lang: &'a crate::id::Lang,
    kind: JobKind<'a>,
}

enum JobKind<'a> {
    /// A page that somebody wrote.
    Page(&'a crate::kb::Page),
    /// The home page of a site whose author wrote none.
    Home,
    /// The list of components.
    Components,
    /// The list of providers.
    Providers,
    /// The list of concepts.
    Concepts,
    /// The drawings.
    Architecture,
    /// The system as it was for some releases.
    Era(architecture::Era),
    /// The way from a release that changed nothing to the one that did.
    SameEra(architecture::Era),
    /// All providers side by side.
    Compare,
    /// Two providers side by side.
    ComparePair(&'a crate::kb::Provider, &'a crate::kb::Provider),
    /// Components by release.
    Timeline,
    /// How much is known.
    Coverage,
    /// The data for programs, described.
    Api,
    /// What somebody pastes, explained.
    Explain,
    /// What was found.
    Search,
    /// What a reader sees who took a wrong turn.
    NotFound,
    /// The way from an old address of a page.
    Moved(&'a crate::kb::Page),
    /// The way from the address of a section to the section.
    Section(&'a crate::kb::Section),
}

/// A knowledge base on its way to a site: renders all of it, or one file when somebody asks for it.
pub struct Renderer {
    kb: Kb,
    links: Links,
    changed: Arc<Changes>,
    templates: Arc<Templates>,
    assets: Arc<Assets>,
    navigation: Arc<OnceLock<Navigation>>,
    coverage: OnceLock<Coverage>,
    dated: OnceLock<bool>,
    search: OnceLock<BTreeMap<String, Arc<[u8]>>>,
    painter: Arc<OnceLock<Painter>>,
    highlighter: Highlighter,
}

impl std::fmt::Debug for Renderer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Renderer")
    }
}

impl Renderer {
    /// Gets ready to render. Of the renderer that came before, what has not changed is taken over.
    ///
    /// # Errors
    /// What is wrong with the templates.
    pub fn new(
        kb: Kb,
        links: Links,
        changed: Arc<Changes>,
        highlighter: &Highlighter,
        before: Option<&Self>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let templates = match before.filter(|before| Arc::ptr_eq(&before.kb.theme, &kb.theme)) {
            Some(before) => before.templates.clone(),
            None => Arc::new(Templates::compile(&kb.theme)?),
        };
        let same_files = |before: &&Self| {
            Arc::ptr_eq(&before.kb.theme, &kb.theme)
                && before.kb.assets == kb.assets
                && before.kb.additional_assets == kb.additional_assets
                && before.kb.config.additional_css == kb.config.additional_css
        };
        let assets = before.filter(same_files).map_or_else(|| Arc::new(assets::publish(&kb)), |before| before.assets.clone());
        let same_theme = before.filter(|before| Arc::ptr_eq(&before.kb.theme, &kb.theme));
        let painter = same_theme.map(|before| before.painter.clone()).unwrap_or_default();
        let (navigation, coverage, dated, search) = (Arc::default(), OnceLock::new(), OnceLock::new(), OnceLock::new());
        let highlighter = highlighter.clone();
        Ok(Self { kb, links, changed, templates, assets, navigation, coverage, dated, search, painter, highlighter })
    }

    /// The same with other prose: neither titles nor the order of pages differ.
    #[must_use]
    pub fn with_prose(&self, kb: Kb, links: Links) -> Self {
        Self {
            kb,
            links,
            changed: self.changed.clone(),
            templates: self.templates.clone(),
            assets: self.assets.clone(),
            navigation: self.navigation.clone(),
            coverage: OnceLock::new(),
            dated: OnceLock::new(),
            search: OnceLock::new(),
            painter: self.painter.clone(),
            highlighter: self.highlighter.clone(),
        }
    }

    /// The knowledge base.
    #[must_use]
    pub const fn kb(&self) -> &Kb {
        &self.kb
    }

    /// Its links.
    #[must_use]
    pub const fn links(&self) -> &Links {
        &self.links
    }

    /// The days on which files last changed.
    #[must_use]
    pub const fn changed(&self) -> &Arc<Changes> {
        &self.changed
    }

    /// How much is known.
    #[must_use]
    pub fn coverage(&self) -> &Coverage {
        self.coverage.get_or_init(|| coverage(&self.kb))
    }

    fn context(&self) -> Context<'_> {
        Context {
            kb: &self.kb,
            links: &self.links,
            coverage: &self.coverage,
            dated: self.dated.get_or_init(|| self.kb.pages.values().any(|page| last_change_in(&self.kb, &self.changed, page).is_some())),
            changed: &self.changed,
            assets: &self.assets.urls,
            navigation: self.navigation.get_or_init(|| Navigation::new(&self.kb)),
            highlighter: &self.highlighter,
        }
    }

    /// Renders every page in every language. `None` if a template is broken.
    #[must_use]
    pub fn site(&self, diagnostics: &mut Diagnostics) -> Option<Site> {
        let site = Mutex::new(Site::default());
        let emit = |path: &str, bytes: &[u8]| site.lock().unwrap_or_else(PoisonError::into_inner).insert(path, bytes);
        let stream = |path: &str, make: Make<'_>| {
            let mut bytes = Vec::new();
            make(&mut |piece| bytes.extend_from_slice(piece));
            emit(path, &bytes);
        };
        let found = self.each(&Timings::off(), Sink { emit: &emit, stream: &stream, stays: &|_| {} }, &mut |_| None);
        let is_whole = found.is_empty();
        diagnostics.extend(found);
        is_whole.then(|| site.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Hands over every file of the site when it is made, from any thread, so that a site need not fit into memory. What is wrong with templates is returned:
    /// then files are missing. What a later rendering [`Self::again`] wants to know of the search index goes to `keep`.
    #[must_use]
    pub fn each(&self, timings: &Timings, Sink { emit, stream, .. }: Sink<'_>, keep: Keep<'_>) -> Vec<Diagnostic> {
        let context = timings.stage("navigation", || self.context());
        for (path, bytes) in self.assets.files.files() {
            emit(path, bytes);
        }
        let page = |job: &Job<'_>| {
            let path = job.url.output_path();
            let html = timings.page(|| path.clone(), || html(&context, job, &self.templates))?;
            emit(&path, html.as_bytes());
            Ok(())
        };
        let broken: Vec<Box<Diagnostic>> =
            timings.stage("render pages", || jobs(&self.kb).par_iter().filter_map(|job| page(job).err()).collect());
        if !broken.is_empty() {
            return once_each(broken);
        }
        let data = [
            api::paths(&self.kb),
            explain::paths(&self.kb),
            sitemap::paths(&context),
            feed::paths(&context),
            calendar::paths(&self.kb),
            cards::paths(&self.kb),
            twin::paths(&self.kb),
            llms::paths(&self.kb),
            redirects::paths(&context),
        ];
        let data: Vec<String> = data.into_iter().flatten().collect();
        let made = |path: &String| emit(path, &timings.page(|| path.clone(), || self.data(path)).unwrap_or_default());
        timings.stage("twins, feeds, data", || data.par_iter().for_each(made));
        timings.stage("texts in one", || llms::each_full(&context, stream));
        timings.stage("search", || search::each(&context, emit, keep));
        for path in HOST_FILES {
            if let Some(bytes) = self.host_file(path) {
                emit(path, &bytes);
            }
        }
        Vec::new()
    }

    fn search(&self) -> &BTreeMap<String, Arc<[u8]>> {
        self.search.get_or_init(|| {
            let files = Mutex::<BTreeMap<String, Arc<[u8]>>>::default();
            let emit = |path: &str, bytes: &[u8]| {
                files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), bytes.into());
            };
            search::each(&self.context(), &emit, &mut |_| None);
            files.into_inner().unwrap_or_else(PoisonError::into_inner)
        })
    }

    /// The picture of a page.
    fn card(&self, path: &str) -> Option<Vec<u8>> {
        let is_picture = path.ends_with(".png");
        is_picture.then(|| cards::file(&self.context(), self.painter.get_or_init(|| cards::painter(&self.kb)), path))?
    }

    /// Data for other programs and for scripts.
    fn data(&self, path: &str) -> Option<Vec<u8>> {
        let context = || self.context();
        let made = api::file(&self.kb, path).or_else(|| explain::file(&self.kb, path));
        made.or_else(|| sitemap::file(&context(), path))
            .or_else(|| feed::file(&context(), path))
            .or_else(|| calendar::file(&context(), path))
            .or_else(|| self.card(path))
            .or_else(|| twin::file(&context(), path))
            .or_else(|| llms::file(&context(), path))
            .or_else(|| redirects::file(&context(), path))
    }

    /// What hosts of static sites want to find.
    fn host_file(&self, path: &str) -> Option<Vec<u8>> {
        match path {
            "CNAME" => self.kb.config.cname.as_ref().map(|cname| format!("{cname}\n").into_bytes()),
            // Hosts that run Jekyll drop files that begin with an underscore unless this one is there.
            ".nojekyll" => Some(Vec::new()),
            _ => None,
        }
    }
}

/// One broken template spoils every page that uses it; one finding is enough.
fn once_each(found: impl IntoIterator<Item = Box<Diagnostic>>) -> Vec<Diagnostic> {
    let mut broken: Vec<Diagnostic> = Vec::new();
    for found in found {
        if broken.iter().all(|known| known.place != found.place) {
            broken.push(*found);
        }
    }
    broken
}

/// See [`Renderer::host_file`].
const HOST_FILES: &[&str] = &["CNAME", ".nojekyll"];

fn html(context: &Context<'_>, job: &Job<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let reader = Reader::new(context, job);
    let kb = context.kb;
    match &job.kind {
        JobKind::Page(page) => page::render(&reader, page, templates),
        JobKind::Home => page::default_home(&reader, templates),
        JobKind::Components => index::components(&reader, templates),
        JobKind::Providers => index::providers(&reader, templates),
        JobKind::Concepts => index::concepts(&reader, templates),
        JobKind::Architecture => architecture::all(&reader, templates),
        JobKind::Era(era) => architecture::era(&reader, *era, templates),
        JobKind::SameEra(era) => {
            page::leading_to(&reader, &architecture::release_path(kb, era.first), reader.words("architecture"), templates)
        }
        JobKind::Compare => compare::all(&reader, templates),
        JobKind::ComparePair(a, b) => compare::pair(&reader, a, b, templates),
        JobKind::Timeline => timeline::render(&reader, templates),
        JobKind::Coverage => coverage::render(&reader, templates),
        JobKind::Api => api::render(&reader, templates),
        JobKind::Explain => explain::render(&reader, templates),
        JobKind::Search => search::render(&reader, templates),
        JobKind::NotFound => page::not_found(&reader, templates),
        JobKind::Moved(page) => page::moved(&reader, page, templates),
        JobKind::Section(section) => page::section(&reader, section, templates),
    }
}

/// More providers than this are compared all at once only: pages for pairs grow with their square.
const MAX_PAIRED_PROVIDERS: usize = 12;

/// The pages that the program makes of the whole knowledge base, with their addresses: those that have something to say.
fn generated<'a>(kb: &Kb) -> Vec<(&'static str, JobKind<'a>)> {
    use crate::layout::{API, ARCHITECTURE, COMPARE, COMPONENTS, CONCEPTS, COVERAGE, EXPLAIN, PROVIDERS, SEARCH, TIMELINE};
    let all = [
        (COMPONENTS, JobKind::Components, !kb.components.is_empty()),
        (CONCEPTS, JobKind::Concepts, !kb.concepts.is_empty()),
        (PROVIDERS, JobKind::Providers, !kb.providers.is_empty()),
        (COMPARE, JobKind::Compare, !kb.providers.is_empty()),
        (ARCHITECTURE, JobKind::Architecture, architecture::has_any(kb)),
        (TIMELINE, JobKind::Timeline, timeline::has_any(kb)),
        (COVERAGE, JobKind::Coverage, coverage::has_any(kb)),
        (EXPLAIN, JobKind::Explain, explain::has_any(kb)),
        (API, JobKind::Api, api::has_any(kb)),
        (SEARCH, JobKind::Search, true),
    ];
    all.into_iter().filter(|(.., exists)| *exists).map(|(path, kind, _)| (path, kind)).collect()
}

/// Every page in every language.
fn jobs(kb: &Kb) -> Vec<Job<'_>> {
    let mut jobs = Vec::new();
    for language in &kb.config.languages {
        let lang = &language.lang;
        each_page(kb, &mut |path, kind| jobs.push(Job { url: kb.config.page_url(path, lang), lang, kind }));
    }
    for page in kb.pages.values() {
        for text in page.texts.values() {
            let moved = text.front.aliases.iter().map(|alias| Job { url: alias_url(alias), lang: &text.lang, kind: JobKind::Moved(page) });
            jobs.extend(moved);
        }
    }
    jobs.push(Job { url: Url::file("404.html"), lang: kb.config.default_language(), kind: JobKind::NotFound });
    jobs
}

/// Every page that there is in every language, with its path.
fn each_page<'a>(kb: &'a Kb, add: &mut impl FnMut(&str, JobKind<'a>)) {
    for page in kb.pages.values().filter(|page| page.kind != crate::kb::PageKind::Generated) {
        add(&page.path, JobKind::Page(page));
    }
    for section in kb.sections.values() {
        add(&section.address(), JobKind::Section(section));
    }
    if !kb.pages.contains_key("") {
        add("", JobKind::Home);
    }
    for (path, kind) in generated(kb) {
        add(path, kind);
    }
    for (a, b) in compare::pairs(kb) {
        add(&compare::pair_path(a, b), JobKind::ComparePair(a, b));
    }
    for era in if architecture::has_any(kb) { architecture::eras(kb) } else { Vec::new() } {
        add(&architecture::release_path(kb, era.first), JobKind::Era(era));
        for same in era.first.0 + 1..=era.last.0 {
            add(&architecture::release_path(kb, crate::kb::ReleaseIndex(same)), JobKind::SameEra(era));
        }
    }
}

/// The address of an alias: a file if it ends like one, else a page.
fn alias_url(alias: &str) -> Url {
    if alias.ends_with(".html") { Url::file(alias) } else { Url::page(alias) }
}
