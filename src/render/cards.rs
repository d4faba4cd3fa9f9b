//! The preview images for links to pages: the title and the area in the languages of the site. They are only created if the site's full address is known,
//! because links to them have to be absolute.

use super::routes::PageRoute;
use crate::{
    card::{Card, Colours, Painter},
    id::Lang,
    kb::{Area, Kb, Page, PageKind, Text},
    layout::EntityKind,
};

/// Prepares drawing in the colours of the theme.
pub(super) fn painter(kb: &Kb) -> Painter {
    let css = kb.theme.assets.get("site.css").and_then(|bytes| std::str::from_utf8(bytes).ok()).unwrap_or_default();
    Painter::new(Colours::of(css))
}

/// The content of the card of a page; `None` if there is no such card.
pub(super) fn card(kb: &Kb, page: &PageRoute) -> Option<Card> {
    let site = kb.config.languages.first().map(|language| language.title.clone()).unwrap_or_default();
    let card = Card { site, ..Card::default() };
    let page = match page {
        PageRoute::Generated(page) => {
            return Some(Card { titles: words(kb, page.title_key()), ..card });
        }
        PageRoute::DefaultHome => return Some(home(kb)),
        PageRoute::Folder(path) => return Some(Card { titles: each(kb, |lang| kb.title_at(path, lang)), ..card }),
        page => page.written(kb)?,
    };
    if page.path.is_empty() {
        return Some(home(kb));
    }
    let titles = each(kb, |lang| kb.title_of(page, lang).filter(|title| !title.is_empty()).or_else(|| own_title(kb, lang)));
    let card = Card { titles, ..card };
    Some(match area(kb, page) {
        Some(area) => {
            Card { mark: area.mark.clone(), labels: labels(kb, &area.label), colour: super::reader::colour(kb, &area.id), ..card }
        }
        None => Card { labels: kind(kb, page), ..card },
    })
}

/// The name of the site, and its description in the first two languages.
fn home(kb: &Kb) -> Card {
    let mut about = kb.config.languages.iter().map(|language| language.description.clone()).filter(|text| !text.is_empty());
    let title = kb.config.languages.first().map(|language| language.title.clone());
    let titles = title.into_iter().chain(about.next()).collect();
    // There is space for one line, which a first sentence can fill.
    let first = about.next().map(|text| text.split_inclusive(['。', '.', ':', '：']).next().unwrap_or_default().to_owned());
    Card { titles, labels: first.into_iter().collect(), ..Card::default() }
}

fn own_title(kb: &Kb, lang: &Lang) -> Option<String> {
    kb.config.languages.iter().find(|language| language.lang == *lang).map(|language| language.title.clone())
}

/// The distinct texts of all languages.
fn each(kb: &Kb, say: impl Fn(&Lang) -> Option<String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for text in kb.config.languages.iter().filter_map(|language| say(&language.lang)) {
        if all.iter().all(|known| known.to_lowercase() != text.to_lowercase()) {
            all.push(text);
        }
    }
    all
}

fn words(kb: &Kb, key: &str) -> Vec<String> {
    each(kb, |lang| kb.theme.strings.get(lang).map(|words| words.get(key).to_owned()))
}

fn labels(kb: &Kb, label: &Text) -> Vec<String> {
    each(kb, |lang| Some(label.get(lang).to_owned()))
}

/// The area of the component or concept that a page is about.
pub(super) fn area<'a>(kb: &'a Kb, page: &Page) -> Option<&'a Area> {
    let PageKind::Entity(_, id) = &page.kind else { return None };
    kb.area_of(id)
}

/// The category of a page without an area: the kind of a provider, or the label of concepts.
fn kind(kb: &Kb, page: &Page) -> Vec<String> {
    let PageKind::Entity(kind, id) = &page.kind else { return Vec::new() };
    let provider = kb.providers.get(id).and_then(|it| kb.vocabulary.provider_kinds.iter().find(|kind| kind.id == it.kind));
    match (kind, provider) {
        (_, Some(kind)) => labels(kb, &kind.label),
        (EntityKind::Concept, None) => words(kb, "concepts"),
        _ => Vec::new(),
    }
}
