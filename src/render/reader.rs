//! The context of one page for one reader: the language, and links relative to the page.

use serde::Serialize;

use super::context::Context;
use crate::{
    config::Language,
    facts::Day,
    id::{Id, Lang},
    kb::{Evidence, Kb, Page, Text},
    layout::{FactSection, GeneratedPage},
    link::Resolved,
    load::PageDraft,
    text::is_wide,
    theme::Strings,
    url::{Url, encode_fragment, encode_query_value},
};

pub(super) use crate::text::escape;

/// The number of colours that the theme has for areas. The next area shares its colour with the first, but has its own mark.
const AREA_COLOURS: usize = 12;

/// A page, and the language of its reader.
pub(super) struct Reader<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) lang: &'a Lang,
    pub(super) url: Url,
    /// Whether links begin at the root of the host.
    rooted: bool,
}

/// A link as templates see it.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct LinkView {
    /// The id of a component, concept, provider, area or role; empty for a page.
    pub(super) id: String,
    pub(super) href: String,
    pub(super) name: String,
    /// The area's id, for its colour; empty without an area.
    pub(super) area: String,
    /// The number of the area's colour, from 1; 0 without an area.
    pub(super) colour: usize,
    /// The area's mark.
    pub(super) mark: String,
}

/// A reference to evidence as templates see it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct CiteView {
    /// The number in the list of sources of the same page; `None` for evidence of another page.
    pub(super) number: Option<usize>,
    pub(super) href: String,
    pub(super) title: String,
    /// The language of the title, if it clearly differs from the reader's.
    pub(super) lang: Option<&'static str>,
    pub(super) checked: String,
    pub(super) observed: bool,
    /// Whether the address is on another site.
    pub(super) external: bool,
}

impl<'a> Reader<'a> {
    /// The reader of the page at an address.
    pub(super) const fn new(context: &'a Context<'a>, lang: &'a Lang, url: Url) -> Self {
        Self { context, lang, url, rooted: false }
    }

    /// The reader of a page that is served at any address, so that relative links don't work.
    pub(super) const fn anywhere(context: &'a Context<'a>, lang: &'a Lang, url: Url) -> Self {
        Self { context, lang, url, rooted: true }
    }

    pub(super) fn kb(&self) -> &'a Kb {
        self.context.kb
    }

    pub(super) fn strings(&self) -> &'a Strings {
        // Every language of the configuration has its strings.
        &self.context.kb.theme.strings[self.lang]
    }

    pub(super) fn words(&self, key: &'a str) -> &'a str {
        self.strings().get(key)
    }

    pub(super) fn language(&self) -> &'a Language {
        self.context.kb.config.language(self.lang)
    }

    /// The reference to an address for a link on this page.
    pub(super) fn href_to(&self, url: &Url) -> String {
        if self.rooted { self.kb().config.site_url.rooted(url) } else { url.relative_from(&self.url) }
    }

    /// A link to a page in the reader's language.
    pub(super) fn href(&self, path: &str) -> String {
        self.href_to(&self.kb().config.page_url(path, self.lang))
    }

    /// A link to a section of a page.
    pub(super) fn href_section(&self, path: &str, anchor: &str) -> String {
        format!("{}#{}", self.href(path), encode_fragment(anchor))
    }

    pub(super) fn text(&self, text: &'a Text) -> &'a str {
        text.get(self.lang)
    }

    pub(super) fn optional(&self, text: Option<&'a Text>) -> &'a str {
        text.map_or("", |text| text.get(self.lang))
    }

    /// Other names of a page's subject: those of the facts, then those that its text in this language adds.
    pub(super) fn aka(&self, path: &str, facts: &'a [String]) -> Vec<&'a str> {
        let page = self.kb().pages.get(path);
        let own = page.and_then(|page| page.texts.get(self.lang)).into_iter().flat_map(|text| &text.front.aka);
        facts.iter().chain(own).map(String::as_str).collect()
    }

    /// The text of the page at an address, in another language if there is none in the reader's.
    pub(super) fn page_text(&self, path: &str) -> Option<&'a PageDraft> {
        self.kb().pages.get(path)?.text(self.lang, self.kb().config.default_language())
    }

    /// The summary of the page at an address; empty if there is none.
    pub(super) fn summary(&self, path: &str) -> &'a str {
        self.page_text(path).and_then(|text| text.front.summary.as_deref()).unwrap_or_default()
    }

    /// The title of a page, else its address.
    pub(super) fn title(&self, page: &Page) -> String {
        self.kb().title_of(page, self.lang).unwrap_or_else(|| page.path.to_string())
    }

    /// The title of the page or folder at an address; its address if it has none. `None` if there is no page.
    pub(super) fn title_at(&self, path: &str) -> Option<String> {
        let kb = self.kb();
        let exists = kb.pages.contains_key(path) || kb.folders.contains(path);
        exists.then(|| kb.title_at(path, self.lang).unwrap_or_else(|| path.to_owned()))
    }

    /// A link to a generated page.
    pub(super) fn link_to(&self, page: GeneratedPage) -> LinkView {
        LinkView { href: self.href(page.path()), name: self.words(page.title_key()).to_owned(), ..LinkView::default() }
    }

    /// The name and page of a component, concept or provider.
    pub(super) fn link(&self, id: &Id) -> LinkView {
        let kb = self.kb();
        if let Some(section) = kb.sections.get(id) {
            let href = self.href_section(&section.page(), id.as_str());
            return LinkView { id: id.to_string(), href, name: kb.name_of(id.as_str(), self.lang), ..self.link(&section.owner) };
        }
        let area = kb.components.get(id).map(|component| &component.area).or_else(|| kb.concepts.get(id)?.area.as_ref());
        LinkView {
            id: id.to_string(),
            href: kb.path_of(id.as_str()).map(|path| self.href(&path)).unwrap_or_default(),
            name: kb.name_of(id.as_str(), self.lang),
            colour: area.map_or(0, |area| self.colour(area)),
            area: area.map(ToString::to_string).unwrap_or_default(),
            mark: area.and_then(|area| kb.vocabulary.area(area)).map(|area| area.mark.clone()).unwrap_or_default(),
        }
    }

    /// The number of the colour of an area, from 1: by its position in the vocabulary, because the theme doesn't know the ids of areas.
    pub(super) fn colour(&self, area: &Id) -> usize {
        colour(self.kb(), area)
    }

    /// The address where a file can be edited, if the site has one.
    pub(super) fn edit(&self, file: &str) -> Option<String> {
        let template = self.kb().config.edit_url_template.as_ref()?;
        Some(template.replace("{path}", &crate::url::encode_path(file)))
    }

    /// References to evidence on this page.
    pub(super) fn cites(&self, keys: &[Id], evidence: &[Evidence]) -> Vec<CiteView> {
        self.cite(keys, evidence, |number, entry| (Some(number), format!("#source-{}", entry.key), false))
    }

    /// References to evidence on another page: they link to the source if it has an address, otherwise to the list of sources on that page.
    pub(super) fn foreign_cites(&self, keys: &[Id], evidence: &[Evidence], path: &str) -> Vec<CiteView> {
        self.cite(keys, evidence, |_, entry| match &entry.url {
            Some(url) => (None, url.clone(), true),
            None => (None, self.href_section(path, &format!("source-{}", entry.key)), false),
        })
    }

    /// A reference to a section of another page, which has the evidence, with the day of its last check. Empty without evidence.
    pub(super) fn section_cite(&self, keys: &[Id], evidence: &[Evidence], path: &str, section: FactSection) -> Vec<CiteView> {
        let checked = evidence.iter().filter(|entry| keys.contains(&entry.key)).map(|entry| entry.checked).max();
        let cite = checked.map(|checked| CiteView {
            number: None,
            href: self.href_section(path, section.anchor()),
            title: self.title_at(path).unwrap_or_default(),
            lang: None,
            checked: day(checked),
            observed: false,
            external: false,
        });
        cite.into_iter().collect()
    }

    /// The language of the title of an external document, if it clearly differs from the reader's: for readers of Japanese, a title with Latin but no Japanese
    /// letters is English; for others, a title with kana is Japanese. Without it, screen readers would use the wrong voice.
    pub(super) fn foreign(&self, title: &str) -> Option<&'static str> {
        let reads_japanese = self.lang.as_str().split('-').next() == Some("ja");
        let has_kana = || title.chars().any(|c| matches!(c, '\u{3041}'..='\u{30FF}'));
        if !reads_japanese {
            return has_kana().then_some("ja");
        }
        (title.contains(|c: char| c.is_ascii_alphabetic()) && !title.contains(is_wide)).then_some("en")
    }

    fn cite(
        &self,
        keys: &[Id],
        evidence: &[Evidence],
        target: impl Fn(usize, &Evidence) -> (Option<usize>, String, bool),
    ) -> Vec<CiteView> {
        let mut cites: Vec<CiteView> = keys
            .iter()
            .filter_map(|key| {
                let index = evidence.iter().position(|entry| entry.key == *key)?;
                let entry = &evidence[index];
                let (number, href, external) = target(index + 1, entry);
                Some(CiteView {
                    number,
                    href,
                    title: entry.title.clone(),
                    lang: self.foreign(&entry.title),
                    checked: day(entry.checked),
                    observed: entry.observed,
                    external,
                })
            })
            .collect();
        cites.sort_by_key(|cite| cite.number);
        cites
    }

    /// The name of the target of a link in a page's text; empty if the target is not part of the site.
    pub(super) fn name_in(&self, text: &PageDraft, target: &Resolved) -> String {
        match target {
            Resolved::Page { path, anchor } => self.target_name(path, anchor.as_deref()),
            Resolved::Query { path, .. } => self.target_name(path, None),
            Resolved::Anchor(anchor) => {
                let heading = text.prose.headings.iter().find(|heading| heading.id == *anchor);
                heading.map_or(anchor.as_str(), |heading| heading.text.as_str()).to_owned()
            }
            _ => String::new(),
        }
    }

    fn target_name(&self, path: &str, anchor: Option<&str>) -> String {
        let kb = self.kb();
        if let Some(section) = anchor.and_then(|anchor| kb.sections.get(anchor))
            && section.page() == path
        {
            return kb.name_of(section.id.as_str(), self.lang);
        }
        let id = path.rsplit('/').next().unwrap_or(path);
        if kb.path_of(id).as_deref() == Some(path) {
            return kb.name_of(id, self.lang);
        }
        kb.pages.get(path).and_then(|page| kb.title_of(page, self.lang)).unwrap_or_else(|| path.to_owned())
    }

    pub(super) fn address(&self, target: &Resolved) -> String {
        match target {
            Resolved::Page { path, anchor: None } => self.href(path),
            Resolved::Page { path, anchor: Some(anchor) } => self.href_section(path, anchor),
            Resolved::Query { path, query } => {
                let parameters = query.split('&').map(|parameter| {
                    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
                    format!("{}={}", encode_query_value(name), encode_query_value(value))
                });
                format!("{}?{}", self.href(path), parameters.collect::<Vec<_>>().join("&"))
            }
            Resolved::File(path) => self.href_to(&Url::file(path)),
            Resolved::Anchor(anchor) => format!("#{}", encode_fragment(anchor)),
            Resolved::External(url) => url.clone(),
            Resolved::Citation(_) | Resolved::Nowhere => String::new(),
        }
    }
}

/// The number of an area's colour, from 1.
pub(super) fn colour(kb: &Kb, area: &Id) -> usize {
    kb.vocabulary.area_position(area) % AREA_COLOURS + 1
}

/// A date in the format of all pages, ISO 8601.
pub(super) fn day(day: Day) -> String {
    day.to_string()
}
