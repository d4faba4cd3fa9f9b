//! The frame of every page: everything around its content.

use serde::Serialize;
use serde_json::json;
use tera::Value;

use super::{
    change_dates::facts_file,
    errors::ErrorView,
    reader::{LinkView, Reader},
    release_ranges::published,
    routes::{card_path, markdown_export_url},
    sidebar::{self, NavItem},
    structured::{self, PageMetadata},
    tag_links::tag_links,
    templates::RenderResult,
};
use crate::{
    config::{Destination, MenuEntry},
    kb::{Page, PageKind},
    layout::GeneratedPage,
    load::PageDraft,
    url::Url,
};

#[derive(Clone, Debug, Serialize)]
pub(super) struct Frame<'a> {
    pub(super) lang: &'a str,
    pub(super) right_to_left: bool,
    pub(super) site_title: &'a str,
    pub(super) title: String,
    /// The first heading of the text, which is the visible title; `None` if there is none.
    pub(super) heading: Option<HeadingView>,
    pub(super) head_title: String,
    pub(super) description: String,
    pub(super) authors: &'a [String],
    /// The address of the page, or of the page whose text it shows, if the site's full address is known.
    pub(super) canonical: Option<String>,
    /// The address of its preview image, if the site's full address is known.
    pub(super) card: Option<String>,
    /// `website` or `article`, for link previews.
    pub(super) kind: &'static str,
    pub(super) structured: Option<String>,
    pub(super) twin: Option<String>,
    /// The address of the feed of recent changes.
    pub(super) feed: Option<String>,
    pub(super) home: String,
    /// The address of the logo.
    pub(super) logo: Option<String>,
    /// The message at the top of every page.
    pub(super) banner: Option<&'a str>,
    pub(super) styles: Vec<String>,
    pub(super) scripts: Vec<String>,
    pub(super) assets: std::collections::BTreeMap<String, String>,
    pub(super) menu: Vec<NavItem>,
    pub(super) footer: Vec<NavItem>,
    /// The providers that readers can choose from, for which the page shows what applies to them first.
    pub(super) providers: Vec<ProviderChoice>,
    /// The names of the published releases that readers can choose from, newest first, separated by spaces.
    pub(super) releases: String,
    /// A value, because pages share large parts of it.
    #[serde(skip)]
    pub(super) sidebar: Value,
    pub(super) languages: Vec<LanguageView>,
    pub(super) breadcrumbs: Vec<NavItem>,
    pub(super) previous: Option<NavItem>,
    pub(super) next: Option<NavItem>,
    pub(super) contents: Vec<ContentsEntry>,
    pub(super) notices: Vec<Notice>,
    /// The errors in the files of the page, if the site is built in spite of them.
    pub(super) errors: Vec<ErrorView>,
    pub(super) edit: Option<String>,
    pub(super) changed: Option<String>,
    pub(super) repository: Option<&'a str>,
    pub(super) search: SearchView,
    /// The address of the page that explains `kubectl` output.
    pub(super) explain: Option<String>,
    /// The tags of the page.
    pub(super) tags: Vec<LinkView>,
    /// The language of the text, if it differs from the reader's.
    pub(super) content_lang: Option<&'a str>,
}

impl Frame<'_> {
    /// Renders a page. Templates read the view at the top level, the frame as `page` and the interface strings as `page.t`.
    pub(super) fn render(&self, reader: &Reader<'_>, template: &str, view: &impl Serialize) -> RenderResult {
        let templates = reader.context.templates;
        let mut page = Value::from_serializable(self).into_map().unwrap_or_default();
        page.insert("t".into(), templates.strings(reader.lang));
        page.insert("sidebar".into(), self.sidebar.clone());
        templates.render(template, view, Some(page.into()))
    }
}

/// The data of the search box.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SearchView {
    /// The target of the search box without JavaScript.
    pub(super) list: String,
    /// Whether that is the list of components.
    pub(super) has_list: bool,
    /// The address of the page of search results.
    pub(super) results: String,
    /// The root of the site.
    pub(super) root: String,
    /// The languages as tag and name, the reader's language first.
    pub(super) languages: Vec<String>,
    /// The strings of the script, as JSON.
    pub(super) words: String,
    /// The address of the script.
    pub(super) script: String,
    /// Whether this is the page of search results, which has its own search box.
    pub(super) here: bool,
}

/// This page in one of the site's languages.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LanguageView {
    pub(super) lang: String,
    pub(super) name: String,
    pub(super) href: String,
    /// The absolute address if it is known, else the same as `href`.
    pub(super) absolute: String,
    pub(super) current: bool,
    /// Whether it is the default for readers of other languages.
    pub(super) default: bool,
    /// Whether the page has a text in this language.
    pub(super) has_text: bool,
}

/// The first heading of a text.
#[derive(Clone, Debug, Serialize)]
pub(super) struct HeadingView {
    pub(super) id: String,
    /// Its HTML without links.
    pub(super) html: String,
}

/// A provider that readers can choose.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ProviderChoice {
    pub(super) id: String,
    pub(super) name: String,
}

/// An entry of the table of contents.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ContentsEntry {
    pub(super) level: u8,
    pub(super) id: String,
    pub(super) html: String,
}

/// A notice at the beginning of a page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Notice {
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) href: String,
    pub(super) link: String,
}

/// Builds the frame of a page at an address.
pub(super) fn frame<'a>(reader: &Reader<'a>, path: &str, title: &str, description: &str) -> Frame<'a> {
    let kb = reader.kb();
    let language = reader.language();
    let head_title = match (title.is_empty() || title == language.title, language.title.is_empty()) {
        (true, _) => language.title.clone(),
        (false, true) => title.to_owned(),
        (false, false) => format!("{title} · {}", language.title),
    };
    let assets = reader.context.assets;
    let hrefs = |urls: &[Url]| urls.iter().map(|url| reader.href_to(url)).collect();
    let description = if description.is_empty() { &language.description } else { description };
    let trail = trail(reader, path);
    let mut menu = menu(reader, path);
    let mut rest = if kb.config.menu.is_empty() { menu.split_off(menu.len().min(MAX_MENU)) } else { Vec::new() };
    rest.truncate(MAX_FOOTER);
    let card = card_url(reader, path);
    let markdown = markdown_export_url(&reader.url);
    let generated = |page: GeneratedPage| reader.kb().has_generated(page).then(|| reader.href(page.path()));
    let metadata = PageMetadata { title, description, lang: reader.lang.as_str(), changed: None, image: card.as_deref(), trail: &trail };
    Frame {
        structured: structured::json(reader, &metadata),
        twin: reader.context.routes.contains(&markdown).then(|| reader.href_to(&markdown)),
        feed: reader.context.routes.feed(kb, reader.lang).map(|url| reader.href_to(&url)),
        kind: if trail.is_empty() { "website" } else { "article" },
        lang: reader.lang.as_str(),
        right_to_left: reader.lang.is_right_to_left(),
        site_title: &language.title,
        title: title.to_owned(),
        heading: None,
        head_title,
        description: description.to_owned(),
        authors: &kb.config.authors,
        canonical: kb.config.site_url.absolute(&reader.url),
        card: card.clone(),
        home: reader.href(""),
        logo: kb.config.logo.as_ref().and_then(|logo| assets.iter().find(|(name, _)| name == logo)).map(|(_, url)| reader.href_to(url)),
        banner: language.banner.as_deref(),
        styles: hrefs(&assets.styles),
        scripts: hrefs(&assets.scripts),
        assets: assets.iter().map(|(name, url)| (name.to_owned(), reader.href_to(url))).collect(),
        menu,
        footer: footer(reader, rest),
        providers: providers(reader),
        releases: releases(reader),
        sidebar: sidebar::no_sidebar(),
        languages: languages(reader, path),
        breadcrumbs: breadcrumbs(reader, &trail),
        previous: None,
        next: None,
        contents: Vec::new(),
        notices: Vec::new(),
        errors: Vec::new(),
        edit: None,
        changed: None,
        repository: kb.config.repository.as_deref(),
        search: search(reader, path),
        explain: generated(GeneratedPage::Explain),
        tags: Vec::new(),
        content_lang: None,
    }
}

/// The address of the card of a page; a page below a generated page uses the card of the generated page.
fn card_url(reader: &Reader<'_>, path: &str) -> Option<String> {
    let kb = reader.kb();
    let top = path.split('/').next().unwrap_or_default();
    let path = if kb.generated_at(top).is_some() && !kb.pages.contains_key(path) { top } else { path };
    kb.config.site_url.absolute(&Url::file(&card_path(path)))
}

/// The class of diagrams in the language of Mermaid, and the style sheet of the shapes that only they have.
const MERMAID_CLASS: &str = "class=\"diagram mermaid";
const MERMAID_STYLE: &str = "mermaid.css";

/// The script of the search box.
const SEARCH_SCRIPT: &str = "search.js";

fn search(reader: &Reader<'_>, path: &str) -> SearchView {
    let kb = reader.kb();
    let own = |language: &&crate::config::Language| language.lang == *reader.lang;
    let languages = &kb.config.languages;
    let ordered = languages.iter().filter(own).chain(languages.iter().filter(|language| !own(language)));
    let script = reader.context.assets.iter().find(|(name, _)| *name == SEARCH_SCRIPT).map(|(_, url)| reader.href_to(url));
    // A book without components has no list of them.
    let has_list = kb.has_generated(GeneratedPage::Components);
    let browse = if has_list { reader.words("search_browse") } else { "" };
    let with_list = |key: &str| format!("{}{browse}", reader.words(key));
    SearchView {
        list: reader.href(if has_list { GeneratedPage::Components.path() } else { "" }),
        has_list,
        results: reader.href(GeneratedPage::Search.path()),
        root: reader.href_to(&Url::page("")),
        languages: ordered.map(|language| format!("{} {}", language.lang, language.name)).collect(),
        words: json!({
            "count": reader.words("search_count"),
            "one": reader.words("search_one"),
            "none": with_list("search_none"),
            "meant": reader.words("search_meant"),
            "wait": reader.words("search_wait"),
            "failed": with_list("search_failed"),
        })
        .to_string(),
        script: script.unwrap_or_default(),
        here: path == GeneratedPage::Search.path(),
    }
}

/// The frame of a page with an author's text.
pub(super) fn page_frame<'a>(reader: &Reader<'a>, page: &'a Page, text: &'a PageDraft) -> Frame<'a> {
    let kb = reader.kb();
    let title = kb.title_of(page, reader.lang).unwrap_or_default();
    let summary = text.front.summary.as_deref().map_or_else(|| first_words(text), str::to_owned);
    let mut frame = frame(reader, &page.path, &title, &summary);
    let (previous, next) = reader.context.navigation.neighbours(&page.path);
    let neighbour = |path: Option<&str>| path.and_then(|path| sidebar::item(reader, path, None));
    frame.previous = neighbour(previous);
    frame.next = neighbour(next);
    frame.sidebar = sidebar::sidebar(reader, page);
    frame.tags = tag_links(reader, page);
    frame.notices = notices(reader, page, text);
    frame.edit = reader.edit(&text.file);
    frame.heading = text.prose.title.as_ref().map(|heading| HeadingView { id: heading.id.clone(), html: heading.html.clone() });
    frame.errors = reader.context.errors.of(kb, page, text);
    let files = [&text.file].into_iter().chain(facts_file(kb, page));
    if text.body.html().text.contains(MERMAID_CLASS) {
        let style = frame.assets.get(MERMAID_STYLE).cloned();
        frame.styles.extend(style);
    }
    frame.changed = files.filter_map(|file| reader.context.changes.get(file)).max().cloned();
    frame.content_lang = (text.lang != *reader.lang).then_some(text.lang.as_str());
    if frame.content_lang.is_some() {
        // Two addresses have the same text, so search engines should show the original.
        frame.canonical = kb.config.site_url.absolute(&kb.config.page_url(&page.path, &text.lang));
    }
    for language in &mut frame.languages {
        language.has_text = page.kind == PageKind::Generated || page.texts.keys().any(|lang| lang.as_str() == language.lang);
    }
    if !page.path.is_empty() {
        let changed = frame.changed.as_deref();
        let (trail, image) = (trail(reader, &page.path), frame.card.as_deref());
        let metadata =
            PageMetadata { title: &title, description: &frame.description, lang: text.lang.as_str(), changed, image, trail: &trail };
        frame.structured = structured::json(reader, &metadata);
    }
    frame
}

/// A description for search engines from the text, if the author didn't write a summary.
fn first_words(text: &PageDraft) -> String {
    let sections = text.body.sections();
    let plain = sections.iter().map(|section| section.text.trim()).find(|text| !text.is_empty()).unwrap_or_default();
    let line = plain.lines().next().unwrap_or_default();
    if line.chars().count() <= 160 { line.to_owned() } else { line.chars().take(159).chain(['…']).collect() }
}

fn notices(reader: &Reader<'_>, page: &Page, text: &PageDraft) -> Vec<Notice> {
    let kb = reader.kb();
    let default = kb.config.default_language();
    let notice = |kind, key, href, link| vec![Notice { kind, text: reader.words(key).to_owned(), href, link }];
    if text.lang != *reader.lang {
        return notice("untranslated", "notice_untranslated", String::new(), String::new());
    }
    let Some(original) = page.texts.get(default).filter(|_| reader.lang != default) else { return Vec::new() };
    if crate::kb::stale_sections(original, text).is_empty() {
        return Vec::new();
    }
    let href = reader.href_to(&kb.config.page_url(&page.path, default));
    notice("stale", "notice_stale", href, reader.words("notice_original").to_owned())
}

/// The pages that every page links to: the generated pages, then the ordinary pages at the top level.
fn menu(reader: &Reader<'_>, path: &str) -> Vec<NavItem> {
    if !reader.kb().config.menu.is_empty() {
        return reader.kb().config.menu.iter().map(|entry| configured(reader, entry)).collect();
    }
    let is_current = |target: &str| path == target || path.strip_prefix(target).is_some_and(|rest| rest.starts_with('/'));
    let generated = GeneratedPage::MENU.into_iter().filter(|page| reader.kb().has_generated(*page)).map(|page| NavItem {
        label: reader.words(page.menu_key()).to_owned(),
        href: reader.href(page.path()),
        current: is_current(page.path()),
    });
    // The chapters of a book are in the sidebar.
    let is_book = reader.kb().config.summary.is_some();
    let top = reader.context.navigation.section("").iter().filter(|path| !is_book && reader.kb().generated_at(path).is_none());
    let top = top.filter_map(|target| Some(NavItem { current: is_current(target), ..sidebar::item(reader, target, None)? }));
    generated.chain(top).collect()
}

/// The links of the footer: what is too much for the menu, then the other generated pages.
fn footer(reader: &Reader<'_>, rest: Vec<NavItem>) -> Vec<NavItem> {
    let generated = GeneratedPage::FOOTER.into_iter().filter(|page| reader.kb().has_generated(*page));
    let item =
        |page: GeneratedPage| NavItem { label: reader.words(page.menu_key()).to_owned(), href: reader.href(page.path()), current: false };
    rest.into_iter().chain(generated.map(item)).collect()
}

/// A link of the menu in book.toml.
fn configured(reader: &Reader<'_>, entry: &MenuEntry) -> NavItem {
    let label = entry.titles.get(reader.lang).unwrap_or(&entry.title).clone();
    match &entry.to {
        Destination::Web(url) => NavItem { label, href: url.clone(), current: false },
        Destination::Site { url, fragment } => {
            // Pages exist in every language, files only once.
            let path = url.as_str().trim_matches('/');
            let url = if reader.kb().assets.contains_key(path) { url.clone() } else { reader.kb().config.page_url(path, reader.lang) };
            NavItem { label, href: format!("{}{fragment}", reader.href_to(&url)), current: url == reader.url }
        }
    }
}

/// The maximum number of links in a menu that is not in book.toml.
const MAX_MENU: usize = 5;

/// The maximum number of ordinary pages in the footer.
const MAX_FOOTER: usize = 6;

fn providers(reader: &Reader<'_>) -> Vec<ProviderChoice> {
    let providers = reader.kb().providers.values();
    providers.map(|provider| ProviderChoice { id: provider.id.to_string(), name: provider.name.clone() }).collect()
}

/// The published releases, newest first.
fn releases(reader: &Reader<'_>) -> String {
    let kb = reader.kb();
    let names = published(kb).map(|release| kb.vocabulary.release(release).name.as_str());
    names.collect::<Vec<_>>().join(" ")
}

fn languages(reader: &Reader<'_>, path: &str) -> Vec<LanguageView> {
    let kb = reader.kb();
    let default = kb.config.default_language();
    kb.config
        .languages
        .iter()
        .map(|language| {
            let url = kb.config.page_url(path, &language.lang);
            let href = reader.href_to(&url);
            LanguageView {
                lang: language.lang.to_string(),
                name: language.name.clone(),
                absolute: kb.config.site_url.absolute(&url).unwrap_or_else(|| href.clone()),
                href,
                current: language.lang == *reader.lang,
                default: language.lang == *default,
                has_text: true,
            }
        })
        .collect()
}

/// The path from the home page to this page, without steps that have no page.
fn trail(reader: &Reader<'_>, path: &str) -> Vec<(String, Url)> {
    if path.is_empty() {
        return Vec::new();
    }
    let kb = reader.kb();
    let url = |step: &str| kb.config.page_url(step, reader.lang);
    let mut trail = vec![(reader.words("home").to_owned(), url(""))];
    if kb.config.summary.is_some() {
        let above = reader.context.navigation.outline.ancestors(path);
        trail.extend(above.map(|step| (reader.title_at(step).unwrap_or_default(), url(step))));
        return trail;
    }
    for (slash, _) in path.match_indices('/') {
        let step = &path[..slash];
        if let Some(page) = kb.generated_at(step) {
            trail.push((reader.words(page.title_key()).to_owned(), url(step)));
        } else if let Some(title) = reader.title_at(step) {
            trail.push((title, url(step)));
        }
    }
    trail
}

/// The path from the home page to this page, as links.
fn breadcrumbs(reader: &Reader<'_>, trail: &[(String, Url)]) -> Vec<NavItem> {
    trail.iter().map(|(label, url)| NavItem { label: label.clone(), href: reader.href_to(url), current: false }).collect()
}
