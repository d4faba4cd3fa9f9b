//! Pages of authors, redirects, and the page for unknown addresses.

use serde::Serialize;

use super::{
    component::{self, ComponentView, ConceptView, ProviderView},
    diagrams::FigureView,
    frame::{ContentsEntry, Frame, frame, page_frame},
    index::{self, AreaView},
    labels::section_title,
    prose::prose,
    reader::{Reader, escape},
    routes::RedirectTarget,
    sidebar::NavItem,
    templates::Templates,
};
use crate::{
    diagnostic::Diagnostic,
    kb::{Page, PageKind},
    layout::{EntityKind, FactSection, GeneratedPage},
    load::PageDraft,
};

/// A page with a text.
#[derive(Serialize)]
struct PageView<'a, T: Serialize> {
    page: Frame<'a>,
    summary: &'a str,
    body: String,
    /// Pages in the folder of this one, for a page that is a folder.
    children: Vec<ChildView>,
    #[serde(flatten)]
    rest: T,
}

/// A page below this one.
#[derive(Serialize)]
struct ChildView {
    title: String,
    href: String,
    summary: String,
}

#[derive(Serialize)]
struct Nothing {}

#[derive(Serialize)]
struct HomeView {
    areas: Vec<AreaView>,
    /// The map: what works with what in the newest release.
    system: Option<FigureView>,
    counts: Vec<CountView>,
}

#[derive(Serialize)]
struct CountView {
    label: String,
    href: String,
    number: usize,
}

/// The page of an author; `None` if it has no text, or its entity does not exist.
pub(super) fn render(reader: &Reader<'_>, page: &Page, templates: &Templates) -> Result<Option<String>, Box<Diagnostic>> {
    let kb = reader.kb();
    let Some(text) = page.text(reader.lang, kb.config.default_language()) else { return Ok(None) };
    let html = match &page.kind {
        PageKind::Entity(kind @ EntityKind::Component, id) => {
            let view = kb.components.get(id).map(|item| component::component(reader, item));
            let Some(view) = view else { return Ok(None) };
            with_sidebar("component.html", &entity_view(reader, page, text, *kind, view, templates)?, templates)
        }
        PageKind::Entity(kind @ EntityKind::Provider, id) => {
            let view = kb.providers.get(id).map(|item| component::provider(reader, item));
            let Some(view) = view else { return Ok(None) };
            with_sidebar("provider.html", &entity_view(reader, page, text, *kind, view, templates)?, templates)
        }
        PageKind::Entity(kind @ EntityKind::Concept, id) => {
            let view = kb.concepts.get(id).map(|item| component::concept(reader, item));
            let Some(view) = view else { return Ok(None) };
            with_sidebar("concept.html", &entity_view(reader, page, text, *kind, view, templates)?, templates)
        }
        PageKind::Home => templates.render("home.html", &plain_view(reader, page, text, home(reader), templates)?),
        PageKind::Ordinary | PageKind::Generated => {
            with_sidebar("page.html", &plain_view(reader, page, text, Nothing {}, templates)?, templates)
        }
    };
    html.map(Some)
}

fn with_sidebar<T: Serialize>(name: &str, view: &PageView<'_, T>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    templates.render_beside(name, view, &view.page.sidebar)
}

/// What the views of things have in common.
trait FactView: Serialize {}
impl FactView for ComponentView<'_> {}
impl FactView for ProviderView<'_> {}
impl FactView for ConceptView<'_> {}

fn entity_view<'a, T: FactView>(
    reader: &Reader<'a>,
    page: &'a Page,
    text: &'a PageDraft,
    kind: EntityKind,
    rest: T,
    templates: &Templates,
) -> Result<PageView<'a, T>, Box<Diagnostic>> {
    let mut view = plain_view(reader, page, text, rest, templates)?;
    let PageKind::Entity(_, id) = &page.kind else { return Ok(view) };
    let sections = reader.kb().fact_sections(kind, id);
    // Names and verdict come before the text, everything else after it.
    let before = |section: &FactSection| matches!(section, FactSection::Names | FactSection::Removal | FactSection::Architecture);
    let entry = |section: &FactSection| ContentsEntry {
        level: 2,
        id: section.anchor().to_owned(),
        html: escape(reader.words(section_title(*section))),
    };
    let mut contents: Vec<ContentsEntry> = sections.iter().filter(|section| before(section)).map(entry).collect();
    contents.append(&mut view.page.contents);
    contents.extend(sections.iter().filter(|section| !before(section)).map(entry));
    view.page.contents = contents;
    Ok(view)
}

fn plain_view<'a, T: Serialize>(
    reader: &Reader<'a>,
    page: &'a Page,
    text: &'a PageDraft,
    rest: T,
    templates: &Templates,
) -> Result<PageView<'a, T>, Box<Diagnostic>> {
    let mut frame = page_frame(reader, page, text);
    frame.contents = contents(text);
    let children = reader.context.navigation.section(&page.path).iter().filter(|_| !page.path.is_empty());
    Ok(PageView {
        summary: text.front.summary.as_deref().unwrap_or_default(),
        body: prose(reader, text, templates)?,
        children: children.filter_map(|path| child(reader, path)).collect(),
        page: frame,
        rest,
    })
}

fn contents(text: &PageDraft) -> Vec<ContentsEntry> {
    let headings = text.prose.headings.iter().filter(|heading| (2..=3).contains(&heading.level));
    headings.map(|heading| ContentsEntry { level: heading.level, id: heading.id.clone(), html: heading.html.clone() }).collect()
}

fn child(reader: &Reader<'_>, path: &str) -> Option<ChildView> {
    let page = reader.kb().pages.get(path)?;
    let text = page.text(reader.lang, reader.kb().config.default_language())?;
    Some(ChildView {
        title: reader.kb().title_of(page, reader.lang).unwrap_or_else(|| path.to_owned()),
        href: reader.href(path),
        summary: text.front.summary.clone().unwrap_or_default(),
    })
}

/// A home page that leads to everything at the top.
pub(super) fn default_home(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let language = reader.language();
    let top = reader.context.navigation.section("").iter().filter(|path| GeneratedPage::at(path).is_none());
    let view = PageView {
        page: frame(reader, "", &language.title, &language.description),
        summary: &language.description,
        body: String::new(),
        children: top.filter_map(|path| child(reader, path)).collect(),
        rest: home(reader),
    };
    templates.render(if reader.kb().components.is_empty() { "page.html" } else { "home.html" }, &view)
}

fn home(reader: &Reader<'_>) -> HomeView {
    let kb = reader.kb();
    let count = |key, path: &str, number: usize| CountView { label: reader.words(key).to_owned(), href: reader.href(path), number };
    let counts = [
        count("components", crate::layout::COMPONENTS, kb.components.len()),
        count("providers", crate::layout::PROVIDERS, kb.providers.len()),
        count("concepts", crate::layout::CONCEPTS, kb.concepts.len()),
    ];
    HomeView {
        areas: index::areas(reader),
        system: super::architecture::newest(reader),
        counts: counts.into_iter().filter(|count| count.number > 0).collect(),
    }
}

#[derive(Serialize)]
struct MovedView<'a> {
    lang: &'a str,
    t: &'a crate::theme::Strings,
    title: String,
    href: String,
    canonical: Option<String>,
}

/// From an address that has no page to a page or a section.
pub(super) fn redirect(reader: &Reader<'_>, target: &RedirectTarget, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let RedirectTarget { path, anchor } = target;
    match anchor {
        Some(anchor) => redirect_page(reader, path, reader.kb().name_of(anchor, reader.lang), reader.href_section(path, anchor), templates),
        None => redirect_page(reader, path, reader.words(GeneratedPage::Architecture.title_key()).to_owned(), reader.href(path), templates),
    }
}

/// From an old address to its page.
pub(super) fn moved(reader: &Reader<'_>, page: &Page, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let title = reader.kb().title_of(page, reader.lang).unwrap_or_else(|| page.path.to_string());
    redirect_page(reader, &page.path, title, reader.href(&page.path), templates)
}

/// A page that redirects, without a script.
fn redirect_page(reader: &Reader<'_>, path: &str, title: String, href: String, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let view = MovedView {
        lang: reader.lang.as_str(),
        t: reader.strings(),
        title,
        href,
        canonical: kb.config.site_url.absolute(&kb.config.page_url(path, reader.lang)),
    };
    templates.render("redirect.html", &view)
}

#[derive(Serialize)]
struct NotFoundView<'a> {
    page: Frame<'a>,
    /// The same text in every language of the site: the reader's is not known.
    messages: Vec<MessageView<'a>>,
}

#[derive(Serialize)]
struct MessageView<'a> {
    lang: String,
    title: &'a str,
    text: &'a str,
    home: NavItem,
}

pub(super) fn not_found(reader: &Reader<'_>, templates: &Templates) -> Result<String, Box<Diagnostic>> {
    let kb = reader.kb();
    let messages = kb.config.languages.iter().map(|language| {
        let strings = &kb.theme.strings[&language.lang];
        MessageView {
            lang: language.lang.to_string(),
            title: strings.get("not_found"),
            text: strings.get("not_found_text"),
            home: NavItem {
                label: strings.get("home").to_owned(),
                href: reader.href_to(&kb.config.page_url("", &language.lang)),
                current: false,
            },
        }
    });
    let mut page = frame(reader, "", reader.words("not_found"), "");
    page.canonical = None;
    templates.render("404.html", &NotFoundView { page, messages: messages.collect() })
}
