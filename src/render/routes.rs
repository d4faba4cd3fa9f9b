//! The route table: every file of the site, with how it is produced.
//!
//! Building, serving, navigation, the sitemap, redirects and exports all use it, so that every listed file can be produced and no link leads to a missing page.
//! A route contains ids instead of content, so that the table stays valid while only the prose of pages changes.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use super::{
    api::ApiFile,
    change_dates::{ChangeDates, last_change},
    node_facts::NodeFacts,
    release_ranges::{ReleaseRange, release_pair_path, release_pairs, release_path, release_ranges},
};
use crate::{
    config::{Destination, Language},
    id::{Id, Lang},
    kb::{Kb, Page, PageKind, Release, ReleaseIndex, Section},
    layout::GeneratedPage,
    site::Site,
    url::Url,
};

/// A page that exists in every language.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum PageRoute {
    /// The page of an author, by its path.
    Written(Arc<str>),
    /// The generated page of a folder without one, by its path.
    Folder(Arc<str>),
    /// The generated home page of a site without one.
    DefaultHome,
    Generated(GeneratedPage),
    /// The comparison of two providers.
    ProviderPair(Id, Id),
    /// The claims of all providers about a role, with their evidence.
    Role(Id),
    /// The ports in the clusters of a provider.
    ProviderPorts(Id),
    /// The versions of a component, or of the components of a provider.
    ComponentVersions(Id),
    /// The pages of a tag.
    Tag(String),
    /// The components of an area, if the list of all components only names most of them.
    Area(Id),
    /// The system in a release, and the range of releases in which it is the same.
    Release(ReleaseIndex, ReleaseRange),
    /// The changes between two releases.
    ReleasePair(ReleaseIndex, ReleaseIndex),
    /// A redirect from the former address of the page of all versions.
    Timeline,
    /// A redirect from the address of a section to its page.
    SectionRedirect(Id),
}

/// The target of a redirect.
pub(super) struct RedirectTarget {
    pub(super) path: String,
    pub(super) anchor: Option<String>,
}

impl PageRoute {
    /// The address without the language.
    pub(super) fn path(&self, kb: &Kb) -> String {
        match self {
            Self::Written(path) | Self::Folder(path) => path.to_string(),
            Self::DefaultHome => String::new(),
            Self::Generated(page) => page.path().to_owned(),
            Self::ProviderPair(a, b) => pair_path(a, b),
            Self::Role(id) => role_path(id),
            Self::ProviderPorts(id) => provider_ports_path(id),
            Self::ComponentVersions(id) => component_versions_path(id),
            Self::Tag(name) => tag_path(name),
            Self::Area(id) => area_path(id),
            Self::Release(release, _) => release_path(kb, *release),
            Self::ReleasePair(from, to) => release_pair_path(kb, *from, *to),
            Self::Timeline => TIMELINE.to_owned(),
            Self::SectionRedirect(id) => kb.sections.get(id).map(Section::address).unwrap_or_default(),
        }
    }

    /// The target of a redirect; `None` for pages with content.
    pub(super) fn redirect(&self, kb: &Kb) -> Option<RedirectTarget> {
        match self {
            Self::Timeline => Some(RedirectTarget { path: GeneratedPage::Versions.path().to_owned(), anchor: None }),
            Self::SectionRedirect(id) => Some(RedirectTarget { path: kb.sections.get(id)?.page(), anchor: Some(id.to_string()) }),
            _ => None,
        }
    }

    pub(super) const fn is_redirect(&self) -> bool {
        matches!(self, Self::Timeline | Self::SectionRedirect(_))
    }

    /// The page of an author.
    pub(super) fn written<'a>(&self, kb: &'a Kb) -> Option<&'a Page> {
        let Self::Written(path) = self else { return None };
        kb.pages.get(path).map(AsRef::as_ref)
    }
}

/// How a file is produced.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Route {
    Page {
        page: PageRoute,
        lang: Lang,
        url: Url,
    },
    /// A redirect from a former address to a page.
    Moved {
        page: Arc<str>,
        lang: Lang,
        url: Url,
    },
    /// A redirect of `book.toml`.
    Redirect {
        target: Destination,
        url: Url,
    },
    NotFound,
    /// The Markdown export of a page.
    MarkdownExport {
        page: PageRoute,
        lang: Lang,
    },
    /// The image that is shown with links to a page.
    Card(PageRoute),
    Api(ApiFile),
    /// The data of the script of the page `explain`.
    ExplainData(Lang),
    /// The addresses of these of [`Routes::pages`].
    Sitemap(Range<usize>),
    /// An index of this many sitemaps.
    SitemapIndex(usize),
    Feed(Lang),
    Calendar(Lang),
    /// `llms.txt`
    LlmsIndex(Lang),
    /// `llms-full.txt`, the largest file of a site by far.
    LlmsFull(Lang),
    /// `_redirects`, for hosts that support it.
    Redirects,
    /// An unchanged file of the theme or of an author.
    Asset,
    /// A file with this text.
    Fixed(String),
    /// All files of a search index. Its key is their folder, with a slash at the end, because the files are not known before the index is written.
    SearchIndex(Lang),
}

/// The files of a site.
pub(super) struct Routes {
    /// The pages that exist in every language, in the order of the sitemap.
    pub(super) pages: Vec<PageRoute>,
    files: BTreeMap<String, Route>,
}

/// The former address of the page of all versions.
const TIMELINE: &str = "timeline";

/// Above this number of providers, there are no comparisons of two: their number grows with the square.
const MAX_PAIRED_PROVIDERS: usize = 32;

/// A sitemap holds at most this many addresses (sitemaps.org, protocol 0.9).
const MAX_SITEMAP_ADDRESSES: usize = 50_000;

impl Routes {
    /// Lists the files of a site. Cost: proportional to their number.
    pub(super) fn new(kb: &Kb, changes: &ChangeDates, assets: &Site) -> Self {
        let pages = pages(kb);
        let mut routes = Self { pages: Vec::new(), files: BTreeMap::new() };
        for (path, _) in assets.files() {
            routes.add(path.to_owned(), Route::Asset);
        }
        for language in &kb.config.languages {
            for page in &pages {
                routes.add_page(kb, page, &language.lang);
            }
            routes.add_of_language(kb, changes, language);
        }
        for page in kb.pages.values() {
            for text in page.texts.values() {
                for alias in &text.front.aliases {
                    let url = Url::page(alias);
                    routes.add(url.output_path(), Route::Moved { page: page.path.clone(), lang: text.lang.clone(), url });
                }
            }
        }
        for redirect in &kb.config.redirects {
            routes.add(redirect.from.output_path(), Route::Redirect { target: redirect.to.clone(), url: redirect.from.clone() });
        }
        routes.add("404.html".to_owned(), Route::NotFound);
        if kb.config.site_url.origin.is_some() {
            let has_card = |page: &&PageRoute| {
                matches!(page, PageRoute::Written(_) | PageRoute::Folder(_) | PageRoute::DefaultHome | PageRoute::Generated(_))
            };
            for page in pages.iter().filter(has_card) {
                routes.add(card_path(&page.path(kb)), Route::Card(page.clone()));
            }
        }
        for file in ApiFile::all(kb) {
            routes.add(file.path(), Route::Api(file));
        }
        routes.add_sitemaps(kb, &pages);
        if routes.files.values().any(|route| matches!(route, Route::Moved { .. } | Route::Redirect { .. }))
            || pages.iter().any(PageRoute::is_redirect)
        {
            routes.add("_redirects".to_owned(), Route::Redirects);
        }
        // GitHub Pages requires this file for a custom domain.
        if let Some(cname) = &kb.config.cname {
            routes.add("CNAME".to_owned(), Route::Fixed(format!("{cname}\n")));
        }
        // Hosts that run Jekyll drop files that begin with an underscore unless this file exists.
        routes.add(".nojekyll".to_owned(), Route::Fixed(String::new()));
        Self { pages, ..routes }
    }

    /// Validation ensures that addresses are unique. If two are equal nevertheless, the first is kept.
    fn add(&mut self, path: String, route: Route) {
        self.files.entry(path).or_insert(route);
    }

    fn add_page(&mut self, kb: &Kb, page: &PageRoute, lang: &Lang) {
        let url = kb.config.page_url(&page.path(kb), lang);
        if !page.is_redirect() {
            self.add(markdown_export_url(&url).output_path(), Route::MarkdownExport { page: page.clone(), lang: lang.clone() });
        }
        self.add(url.output_path(), Route::Page { page: page.clone(), lang: lang.clone(), url });
    }

    fn add_of_language(&mut self, kb: &Kb, changes: &ChangeDates, language: &Language) {
        let lang = &language.lang;
        let path = |file: &str| file_of_language(kb, lang, file).output_path();
        self.add(path(LLMS_INDEX), Route::LlmsIndex(lang.clone()));
        self.add(path(LLMS_FULL), Route::LlmsFull(lang.clone()));
        self.add(search_folder(lang), Route::SearchIndex(lang.clone()));
        if kb.has_generated(GeneratedPage::Explain) {
            self.add(explain_data_path(lang), Route::ExplainData(lang.clone()));
        }
        if pages_with_text(kb, lang).any(|page| last_change(kb, changes, page).is_some()) {
            self.add(path(FEED), Route::Feed(lang.clone()));
        }
        if has_events(kb) {
            self.add(path(CALENDAR), Route::Calendar(lang.clone()));
        }
    }

    fn add_sitemaps(&mut self, kb: &Kb, pages: &[PageRoute]) {
        let sitemap = kb.config.site_url.absolute(&Url::file(SITEMAP)).map(|url| format!("\nSitemap: {url}\n")).unwrap_or_default();
        self.add("robots.txt".to_owned(), Route::Fixed(format!("User-agent: *\nAllow: /\n{sitemap}")));
        // Addresses in a sitemap are absolute.
        if kb.config.site_url.origin.is_none() {
            return;
        }
        let addresses: Vec<usize> = pages.iter().map(|page| sitemap_languages(kb, page).len()).collect();
        let parts = sitemap_parts(&addresses, MAX_SITEMAP_ADDRESSES);
        match parts.as_slice() {
            [whole] => self.add(SITEMAP.to_owned(), Route::Sitemap(whole.clone())),
            parts => {
                self.add(SITEMAP.to_owned(), Route::SitemapIndex(parts.len()));
                for (number, part) in parts.iter().enumerate() {
                    self.add(sitemap_part_path(number), Route::Sitemap(part.clone()));
                }
            }
        }
    }

    /// Every path with its route, in the order of the paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Route)> {
        self.files.iter().map(|(path, route)| (path.as_str(), route))
    }

    /// The route of a file. Files of a search index have that of their folder.
    pub(super) fn find(&self, path: &str) -> Option<&Route> {
        self.files.get(path).or_else(|| {
            let (folder, _) = path.match_indices('/').filter_map(|(slash, _)| path.split_at_checked(slash + 1)).nth(1)?;
            self.files.get(folder)
        })
    }

    /// Whether there is a file at an address.
    pub(super) fn contains(&self, url: &Url) -> bool {
        self.files.contains_key(&url.output_path())
    }

    /// The address of the feed of a language.
    pub(super) fn feed(&self, kb: &Kb, lang: &Lang) -> Option<Url> {
        Some(file_of_language(kb, lang, FEED)).filter(|url| self.contains(url))
    }

    /// The address of the calendar of a language.
    pub(super) fn calendar(&self, kb: &Kb, lang: &Lang) -> Option<Url> {
        Some(file_of_language(kb, lang, CALENDAR)).filter(|url| self.contains(url))
    }
}

/// The pages that exist in every language, in the order of the sitemap.
fn pages(kb: &Kb) -> Vec<PageRoute> {
    let written = kb.pages.values().filter(|page| page.kind != PageKind::Generated).map(|page| PageRoute::Written(page.path.clone()));
    let folders = kb.folders.iter().cloned().map(PageRoute::Folder);
    let sections = kb.sections.keys().cloned().map(PageRoute::SectionRedirect);
    let pairs = provider_pairs(kb).into_iter().map(|(a, b)| PageRoute::ProviderPair(a, b));
    let home = (!kb.pages.contains_key("")).then_some(PageRoute::DefaultHome);
    let generated = kb.generated.iter().copied().map(PageRoute::Generated);
    let mut pages: Vec<PageRoute> = written.chain(folders).chain(sections).chain(home).chain(generated).chain(pairs).collect();
    pages.extend(role_pages(kb).map(PageRoute::Role));
    if kb.has_generated(GeneratedPage::Ports) {
        pages.extend(kb.providers.keys().cloned().map(PageRoute::ProviderPorts));
    }
    if kb.has_generated(GeneratedPage::ComponentVersions) {
        let ids = kb.components_with_versions().into_iter().chain(kb.versions.keys());
        pages.extend(ids.cloned().map(PageRoute::ComponentVersions));
    }
    pages.extend(kb.tags.keys().cloned().map(PageRoute::Tag));
    pages.extend(area_pages(kb).map(PageRoute::Area));
    for range in release_ranges(kb) {
        pages.extend(range.releases().map(|release| PageRoute::Release(release, range)));
    }
    pages.extend(release_pairs(kb).map(|(from, to)| PageRoute::ReleasePair(from, to)));
    if kb.has_generated(GeneratedPage::Versions) {
        pages.push(PageRoute::Timeline);
    }
    pages
}

/// Whether a role has a page: if a provider has a claim about it, and providers are compared.
pub(super) fn has_role_page(kb: &Kb, id: &Id) -> bool {
    let is_claimed = || kb.providers.values().any(|provider| provider.claims.iter().any(|claim| claim.role.as_ref() == Some(id)));
    kb.has_generated(GeneratedPage::Compare) && is_claimed()
}

/// The roles that have a page.
pub(super) fn role_pages(kb: &Kb) -> impl Iterator<Item = Id> {
    kb.vocabulary.roles.iter().map(|role| role.id.clone()).filter(|id| has_role_page(kb, id))
}

/// The providers whose comparison has a page.
pub(super) fn provider_pairs(kb: &Kb) -> Vec<(Id, Id)> {
    if kb.providers.len() > MAX_PAIRED_PROVIDERS {
        return Vec::new();
    }
    let ids = || kb.providers.keys();
    let with_later = |(index, a): (usize, &Id)| {
        let a = a.clone();
        ids().skip(index + 1).map(move |b| (a.clone(), b.clone()))
    };
    ids().enumerate().flat_map(with_later).collect()
}

/// Up to this many components, one page lists all of them with their summaries.
const MAX_IN_ONE_LIST: usize = 120;

/// Whether each area has a page. Otherwise, the list of all components is complete.
pub(super) fn has_area_pages(kb: &Kb) -> bool {
    kb.components.len() > MAX_IN_ONE_LIST
}

/// The areas that have a page.
fn area_pages(kb: &Kb) -> impl Iterator<Item = Id> {
    let is_used = |id: &Id| kb.components.values().any(|component| component.area == *id);
    let areas = kb.vocabulary.areas.iter().map(|area| area.id.clone()).filter(move |id| is_used(id));
    areas.filter(|_| has_area_pages(kb))
}

/// The address of the page of an area.
pub(super) fn area_path(id: &Id) -> String {
    format!("{}/area-{id}", GeneratedPage::Components.path())
}

/// The address of the page of a tag.
pub(super) fn tag_path(name: &str) -> String {
    format!("{}/{name}", GeneratedPage::Tags.path())
}

/// The address of the page with the ports in the clusters of a provider.
pub(super) fn provider_ports_path(id: &Id) -> String {
    format!("{}/{id}", GeneratedPage::Ports.path())
}

/// The address of the page with the versions of a component, or of the components of a provider.
pub(super) fn component_versions_path(id: &Id) -> String {
    format!("{}/{id}", GeneratedPage::ComponentVersions.path())
}

/// The address of the page of a role.
pub(super) fn role_path(id: &Id) -> String {
    format!("{}/role-{id}", GeneratedPage::Compare.path())
}

/// The address of the comparison of two providers.
pub(super) fn pair_path(a: &Id, b: &Id) -> String {
    format!("{}/{a}/{b}", GeneratedPage::Compare.path())
}

/// The pages with a text in a language, in the order of their paths.
pub(super) fn pages_with_text<'a>(kb: &'a Kb, lang: &'a Lang) -> impl Iterator<Item = &'a Page> {
    kb.pages
        .values()
        .map(AsRef::as_ref)
        .filter(move |page| page.kind != PageKind::Generated && !page.is_hidden() && page.texts.contains_key(lang))
}

/// The languages in which a page has an entry in the sitemap. A language without a translation shows the original, which has its own entry.
pub(super) fn sitemap_languages<'a>(kb: &'a Kb, page: &PageRoute) -> Vec<&'a Lang> {
    if page.is_redirect() || *page == PageRoute::Generated(GeneratedPage::Search) {
        return Vec::new();
    }
    let written = page.written(kb);
    if written.is_some_and(Page::is_hidden) {
        return Vec::new();
    }
    let languages = kb.config.languages.iter().map(|language| &language.lang);
    languages.filter(|lang| written.is_none_or(|page| page.texts.contains_key(*lang))).collect()
}

/// Divides pages with these numbers of addresses into parts of at most `max` addresses each; all addresses of a page are in one part.
fn sitemap_parts(addresses: &[usize], max: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut in_part) = (0, 0);
    for (index, count) in addresses.iter().enumerate() {
        if in_part + count > max && in_part > 0 {
            parts.push(start..index);
            (start, in_part) = (index, 0);
        }
        in_part += count;
    }
    parts.push(start..addresses.len());
    parts
}

/// Whether a calendar has entries: a planned release, the end of support of one, or a removal in a release with a date.
fn has_events(kb: &Kb) -> bool {
    let is_shown = |release: &Release| release.end.is_some() || release.planned.is_some();
    let mut removals = NodeFacts::all(kb).filter_map(|facts| facts.lifecycle?.removed);
    kb.vocabulary.releases.iter().any(is_shown) || removals.any(|release| kb.vocabulary.release(release).day().is_some())
}

/// The name of Markdown exports.
pub(super) const MARKDOWN_EXPORT: &str = "index.md";

/// The address of the Markdown export of a page.
pub(super) fn markdown_export_url(page: &Url) -> Url {
    let path = page.as_str().trim_start_matches('/');
    Url::file(&path.strip_suffix("html").map_or_else(|| format!("{path}{MARKDOWN_EXPORT}"), |file| format!("{file}md")))
}

/// The path of the card of a page; an author's own file of that name is shown instead.
pub(super) fn card_path(page: &str) -> String {
    match page.strip_suffix(".html") {
        Some(file) => format!("{file}.card.png"),
        None if page.is_empty() => "card.png".to_owned(),
        None => format!("{page}/card.png"),
    }
}

pub(super) fn explain_data_path(lang: &Lang) -> String {
    format!("{}/guide.{lang}.js", GeneratedPage::Explain.path())
}

/// The folder of the search index of a language.
pub(super) fn search_folder(lang: &Lang) -> String {
    format!("{}/{lang}/", GeneratedPage::Search.path())
}

pub(super) const SITEMAP: &str = "sitemap.xml";

/// The path of a part of the sitemap, from 0.
pub(super) fn sitemap_part_path(part: usize) -> String {
    format!("sitemap-{}.xml", part + 1)
}

const FEED: &str = "atom.xml";
const CALENDAR: &str = "calendar.ics";
const LLMS_INDEX: &str = "llms.txt";
const LLMS_FULL: &str = "llms-full.txt";

/// The address of a file that exists once for each language: at the top for the default language, in the folder of the language for others.
fn file_of_language(kb: &Kb, lang: &Lang, file: &str) -> Url {
    if lang == kb.config.default_language() { Url::file(file) } else { Url::file(&format!("{lang}/{file}")) }
}

#[cfg(test)]
mod tests {
    use super::sitemap_parts;

    #[test]
    fn no_part_is_too_large_and_no_page_is_in_two() {
        let sizes =
            |counts: &[usize], max| sitemap_parts(counts, max).iter().map(|part| counts[part.clone()].iter().sum()).collect::<Vec<usize>>();
        assert_eq!(sizes(&[], 4), [0]);
        assert_eq!(sizes(&[2, 2], 4), [4]);
        assert_eq!(sizes(&[2, 0, 1, 2, 2], 4), [3, 4]);
        assert_eq!(sizes(&[2, 2], 1), [2, 2]);
    }
}
