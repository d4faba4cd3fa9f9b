//! Pages of authors, redirects, and the page for unknown addresses.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    component,
    frame::{ContentsEntry, Frame, frame, page_frame},
    home::home,
    labels::section_title,
    page_parts::{PartsView, entries, page_parts},
    prose::{self, prose},
    reader::{LinkView, Reader, escape},
    routes::RedirectTarget,
    sidebar::{self, NavItem},
    templates::RenderResult,
};
use crate::{
    config::Destination,
    diagnostic::Diagnostic,
    kb::{Component, Page, PageKind},
    layout::{EntityKind, FactSection, GeneratedPage},
    load::PageDraft,
};

/// A page with a text.
#[derive(Serialize)]
struct PageView<'a, T: Serialize> {
    #[serde(skip)]
    frame: Frame<'a>,
    summary: &'a str,
    body: String,
    /// Pages in the folder of this one, for a page that is a folder.
    children: Vec<ChildView>,
    #[serde(flatten)]
    rest: T,
}

impl<T: Serialize> PageView<'_, T> {
    fn render(&self, reader: &Reader<'_>, template: &str) -> RenderResult {
        self.frame.render(reader, template, self)
    }
}

/// A page below this one.
#[derive(Serialize)]
struct ChildView {
    title: String,
    href: String,
    summary: String,
}

/// The part of a page that is not about an entity.
#[derive(Default, Serialize)]
struct OrdinaryView {
    /// The pages that link to this one.
    mentions: Vec<LinkView>,
}

/// The page of an author; `None` if it has no text. A page whose facts have errors has no generated sections.
pub(super) fn render(reader: &Reader<'_>, page: &Page) -> Option<RenderResult> {
    let kb = reader.kb();
    let text = page.text(reader.lang, kb.config.default_language())?;
    if let PageKind::Entity(kind, id) = &page.kind {
        let sections = kb.fact_sections(*kind, id);
        let rendered = match kind {
            EntityKind::Component => kb.components.get(id).map(|component| component_page(reader, page, text, component, &sections)),
            EntityKind::Provider => kb
                .providers
                .get(id)
                .map(|provider| entity(reader, page, text, sections, "provider.html", component::provider(reader, provider))),
            EntityKind::Concept => {
                kb.concepts.get(id).map(|concept| entity(reader, page, text, sections, "concept.html", component::concept(reader, concept)))
            }
        };
        if rendered.is_some() {
            return rendered;
        }
    }
    Some(match page.kind {
        PageKind::Home => home_page(reader, page, text),
        _ => plain_view(reader, page, text, OrdinaryView { mentions: component::mentions(reader, &page.path, &BTreeSet::new()) })
            .and_then(|view| view.render(reader, "page.html")),
    })
}

#[derive(Serialize)]
struct ComponentPage<'a> {
    parts: PartsView,
    #[serde(flatten)]
    component: component::ComponentView<'a>,
}

/// The page of a component: the answer first, then its parts.
fn component_page(reader: &Reader<'_>, page: &Page, text: &PageDraft, facts: &Component, sections: &[FactSection]) -> RenderResult {
    let mut parts = page_parts(reader, text, sections)?;
    let contents = std::mem::take(&mut parts.contents);
    let mut frame = page_frame(reader, page, text);
    frame.contents = contents;
    let summary = text.front.summary.as_deref().unwrap_or_default();
    let rest = ComponentPage { parts, component: component::component(reader, facts) };
    PageView { frame, summary, body: String::new(), children: Vec::new(), rest }.render(reader, "component.html")
}

/// The page of a provider or concept with these generated sections.
fn entity(
    reader: &Reader<'_>,
    page: &Page,
    text: &PageDraft,
    sections: Vec<FactSection>,
    template: &str,
    rest: impl Serialize,
) -> RenderResult {
    let mut view = plain_view(reader, page, text, rest)?;
    let entry =
        |section: FactSection| ContentsEntry { level: 2, id: section.anchor().to_owned(), html: escape(section_title(reader, section)) };
    // A diagram comes before the text, everything else after it.
    let is_before = |section: &FactSection| matches!(section, FactSection::Architecture);
    let (before, after): (Vec<_>, Vec<_>) = sections.into_iter().partition(is_before);
    view.frame.contents.splice(0..0, before.into_iter().map(entry));
    view.frame.contents.extend(after.into_iter().map(entry));
    view.render(reader, template)
}

fn plain_view<'a, T: Serialize>(
    reader: &Reader<'a>,
    page: &'a Page,
    text: &'a PageDraft,
    rest: T,
) -> Result<PageView<'a, T>, Box<Diagnostic>> {
    let mut frame = page_frame(reader, page, text);
    frame.contents = entries(Some(&text.prose.headings)).collect();
    let children = reader.context.navigation.section(&page.path).iter().filter(|_| !page.path.is_empty());
    Ok(PageView {
        frame,
        summary: text.front.summary.as_deref().unwrap_or_default(),
        body: prose(reader, text)?,
        children: children.filter_map(|path| child(reader, path)).collect(),
        rest,
    })
}

fn child(reader: &Reader<'_>, path: &str) -> Option<ChildView> {
    Some(ChildView { title: reader.title_at(path)?, href: reader.href(path), summary: reader.summary(path).to_owned() })
}

/// The generated page of a folder without one, with links to its pages.
pub(super) fn folder(reader: &Reader<'_>, path: &str) -> RenderResult {
    let title = reader.title_at(path).unwrap_or_default();
    let mut frame = frame(reader, path, &title, "");
    frame.sidebar = sidebar::tree(reader, path);
    let (previous, next) = reader.context.navigation.neighbours(path);
    (frame.previous, frame.next) =
        (previous.and_then(|path| sidebar::item(reader, path, None)), next.and_then(|path| sidebar::item(reader, path, None)));
    let children = reader.context.navigation.section(path).iter().filter_map(|path| child(reader, path)).collect();
    PageView { frame, summary: "", body: String::new(), children, rest: OrdinaryView::default() }.render(reader, "page.html")
}

/// A generated home page: the first chapter of a book, or links to all pages at the top level.
pub(super) fn default_home(reader: &Reader<'_>) -> RenderResult {
    let first = reader.context.navigation.outline.first().filter(|_| reader.kb().config.summary.is_some());
    if let Some(chapter) = first.and_then(|path| render(reader, reader.kb().pages.get(path)?)) {
        return chapter;
    }
    if reader.kb().components.is_empty() {
        return listed_home(reader, OrdinaryView::default()).render(reader, "page.html");
    }
    listed_home(reader, home(reader)).render(reader, "home.html")
}

/// A home page with the pages at the top level.
fn listed_home<'a, T: Serialize>(reader: &Reader<'a>, rest: T) -> PageView<'a, T> {
    let language = reader.language();
    let top = reader.context.navigation.section("").iter().filter(|path| reader.kb().generated_at(path).is_none());
    PageView {
        frame: frame(reader, "", &language.title, &language.description),
        summary: &language.description,
        body: String::new(),
        children: top.filter_map(|path| child(reader, path)).collect(),
        rest,
    }
}

/// The home page: the search, the text above its first section, the overviews, then the rest of the text.
fn home_page(reader: &Reader<'_>, page: &Page, text: &PageDraft) -> RenderResult {
    let mut view = plain_view(reader, page, text, home(reader))?;
    let (html, sections) = prose::sections(reader, text)?;
    let (opening, closing) = html.split_at(sections.first().map_or(html.len(), |first| first.at));
    (view.rest.opening, view.rest.closing) = (opening.to_owned(), closing.to_owned());
    view.body.clear();
    view.render(reader, "home.html")
}

#[derive(Serialize)]
struct MovedView<'a> {
    lang: &'a str,
    t: &'a crate::theme::Strings,
    title: String,
    href: String,
    canonical: Option<String>,
}

/// A redirect from an address without a page to a page or a section.
pub(super) fn redirect(reader: &Reader<'_>, target: &RedirectTarget) -> RenderResult {
    let RedirectTarget { path, anchor } = target;
    match anchor {
        Some(anchor) => redirect_page(reader, path, reader.kb().name_of(anchor, reader.lang), reader.href_section(path, anchor)),
        None => redirect_page(reader, path, reader.words(GeneratedPage::Architecture.title_key()).to_owned(), reader.href(path)),
    }
}

/// A redirect of `book.toml`.
pub(super) fn configured_redirect(reader: &Reader<'_>, target: &Destination) -> RenderResult {
    let (title, href, canonical) = match target {
        Destination::Web(url) => (url.clone(), url.clone(), Some(url.clone())),
        Destination::Site { url, fragment } => {
            let href = format!("{}{fragment}", reader.href_to(url));
            (url.as_str().to_owned(), href, reader.kb().config.site_url.absolute(url))
        }
    };
    redirect_view(reader, title, href, canonical)
}

/// A redirect from a former address to the page.
pub(super) fn moved(reader: &Reader<'_>, page: &Page) -> RenderResult {
    let title = reader.title(page);
    redirect_page(reader, &page.path, title, reader.href(&page.path))
}

/// A page that redirects without JavaScript.
fn redirect_page(reader: &Reader<'_>, path: &str, title: String, href: String) -> RenderResult {
    let config = &reader.kb().config;
    redirect_view(reader, title, href, config.site_url.absolute(&config.page_url(path, reader.lang)))
}

fn redirect_view(reader: &Reader<'_>, title: String, href: String, canonical: Option<String>) -> RenderResult {
    let view = MovedView { lang: reader.lang.as_str(), t: reader.strings(), title, href, canonical };
    reader.context.templates.render("redirect.html", &view, None)
}

#[derive(Serialize)]
struct NotFoundView<'a> {
    /// The same text in every language of the site, because the reader's language is not known.
    messages: Vec<MessageView<'a>>,
}

#[derive(Serialize)]
struct MessageView<'a> {
    lang: String,
    title: &'a str,
    text: &'a str,
    home: NavItem,
}

pub(super) fn not_found(reader: &Reader<'_>) -> RenderResult {
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
    let mut frame = frame(reader, "", reader.words("not_found"), "");
    frame.canonical = None;
    frame.render(reader, "404.html", &NotFoundView { messages: messages.collect() })
}
