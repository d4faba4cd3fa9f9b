//! The checked knowledge base through views and templates to a site.
//!
//! A view is a typed projection of the knowledge base for one page; a template turns it into HTML. Nothing here decides anything about facts.

mod api;
mod architecture;
mod assets;
mod compare;
mod component;
mod coverage;
mod diagrams;
mod frame;
mod index;
mod listing;
mod navigation;
mod page;
mod reader;
mod search;
mod templates;
mod timeline;

use std::{collections::BTreeMap, sync::Arc};

use rayon::prelude::*;

use crate::{
    coverage::Coverage,
    diagnostic::{Diagnostic, Diagnostics},
    kb::Kb,
    link::Links,
    site::Site,
    url::Url,
};

use assets::AssetUrls;
use navigation::Navigation;
use reader::Reader;
use templates::Templates;

/// The days on which files last changed, by file.
pub type Changes = BTreeMap<Arc<str>, String>;

/// What every page is rendered from.
struct Context<'a> {
    kb: &'a Kb,
    links: &'a Links,
    coverage: &'a Coverage,
    changed: &'a Changes,
    assets: AssetUrls,
    navigation: Navigation,
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
    /// What was found.
    Search,
    /// What a reader sees who took a wrong turn.
    NotFound,
    /// The way from an old address of a page.
    Moved(&'a crate::kb::Page),
    /// The way from the address of a section to the section.
    Section(&'a crate::kb::Section),
}

/// Renders every page in every language. `None` if a template is broken.
#[must_use]
pub fn render(kb: &Kb, links: &Links, coverage: &Coverage, changed: &Changes, diagnostics: &mut Diagnostics) -> Option<Site> {
    let templates = match Templates::compile(&kb.theme) {
        Ok(templates) => templates,
        Err(found) => {
            diagnostics.extend(found);
            return None;
        }
    };
    let mut site = Site::default();
    let assets = assets::publish(kb, &mut site);
    let context = Context { kb, links, coverage, changed, assets, navigation: Navigation::new(kb) };
    let rendered: Vec<Result<(String, String), Box<Diagnostic>>> = jobs(kb)
        .par_iter()
        .map(|job| {
            let reader = Reader::new(&context, job);
            let html = match &job.kind {
                JobKind::Page(page) => page::render(&reader, page, &templates),
                JobKind::Home => page::default_home(&reader, &templates),
                JobKind::Components => index::components(&reader, &templates),
                JobKind::Providers => index::providers(&reader, &templates),
                JobKind::Concepts => index::concepts(&reader, &templates),
                JobKind::Architecture => architecture::all(&reader, &templates),
                JobKind::Era(era) => architecture::era(&reader, *era, &templates),
                JobKind::SameEra(era) => {
                    page::leading_to(&reader, &architecture::release_path(kb, era.first), reader.words("architecture"), &templates)
                }
                JobKind::Compare => compare::all(&reader, &templates),
                JobKind::ComparePair(a, b) => compare::pair(&reader, a, b, &templates),
                JobKind::Timeline => timeline::render(&reader, &templates),
                JobKind::Coverage => coverage::render(&reader, &templates),
                JobKind::Search => search::render(&reader, &templates),
                JobKind::NotFound => page::not_found(&reader, &templates),
                JobKind::Moved(page) => page::moved(&reader, page, &templates),
                JobKind::Section(section) => page::section(&reader, section, &templates),
            };
            html.map(|html| (job.url.output_path(), html))
        })
        .collect();
    let mut broken: Vec<Diagnostic> = Vec::new();
    for page in rendered {
        match page {
            Ok((path, html)) => site.insert(path, html.into_bytes()),
            // One broken template spoils every page that uses it; one finding is enough.
            Err(found) if broken.iter().any(|known| known.place == found.place) => {}
            Err(found) => broken.push(*found),
        }
    }
    if !broken.is_empty() {
        diagnostics.extend(broken);
        return None;
    }
    api::publish(kb, &mut site);
    search::publish(&context, &mut site);
    if let Some(cname) = &kb.config.cname {
        site.insert("CNAME", format!("{cname}\n").into_bytes());
    }
    // Hosts that run Jekyll drop files that begin with an underscore unless this one is there.
    site.insert(".nojekyll", Vec::new());
    Some(site)
}

/// More providers than this are compared all at once only: pages for pairs grow with their square.
const MAX_PAIRED_PROVIDERS: usize = 12;

/// The pages that the program makes of the whole knowledge base, with their addresses: those that have something to say.
fn generated<'a>(kb: &Kb) -> Vec<(&'static str, JobKind<'a>)> {
    use crate::layout::{ARCHITECTURE, COMPARE, COMPONENTS, CONCEPTS, COVERAGE, PROVIDERS, SEARCH, TIMELINE};
    let all = [
        (COMPONENTS, JobKind::Components, !kb.components.is_empty()),
        (CONCEPTS, JobKind::Concepts, !kb.concepts.is_empty()),
        (PROVIDERS, JobKind::Providers, !kb.providers.is_empty()),
        (COMPARE, JobKind::Compare, !kb.providers.is_empty()),
        (ARCHITECTURE, JobKind::Architecture, architecture::has_any(kb)),
        (TIMELINE, JobKind::Timeline, timeline::has_any(kb)),
        (COVERAGE, JobKind::Coverage, coverage::has_any(kb)),
        (SEARCH, JobKind::Search, true),
    ];
    all.into_iter().filter(|(.., exists)| *exists).map(|(path, kind, _)| (path, kind)).collect()
}

/// Every page in every language.
fn jobs(kb: &Kb) -> Vec<Job<'_>> {
    let mut jobs = Vec::new();
    let eras = if architecture::has_any(kb) { architecture::eras(kb) } else { Vec::new() };
    for language in &kb.config.languages {
        let lang = &language.lang;
        let mut add = |path: &str, kind| jobs.push(Job { url: kb.config.page_url(path, lang), lang, kind });
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
        for era in &eras {
            add(&architecture::release_path(kb, era.first), JobKind::Era(*era));
            for same in era.first.0 + 1..=era.last.0 {
                add(&architecture::release_path(kb, crate::kb::ReleaseIndex(same)), JobKind::SameEra(*era));
            }
        }
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

/// The address of an alias: a file if it ends like one, else a page.
fn alias_url(alias: &str) -> Url {
    if alias.ends_with(".html") { Url::file(alias) } else { Url::page(alias) }
}
