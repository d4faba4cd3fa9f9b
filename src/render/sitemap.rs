//! Files for search engines: `sitemap.xml` lists the pages, `robots.txt` allows crawling.

use std::fmt::Write as _;

use super::{Context, JobKind, each_page, xml::escaped};
use crate::{id::Lang, kb::Page, url::Url};

/// The most addresses that a file may have (sitemaps.org, protocol 0.9).
const MAX_ADDRESSES: usize = 50_000;

const INDEX: &str = "sitemap.xml";
const ROBOTS: &str = "robots.txt";

/// A page, in the languages that it is written in.
struct SitemapPage<'a> {
    /// Languages and absolute addresses, the site's first language first.
    addresses: Vec<(&'a Lang, String)>,
    /// When it last changed, if known: `YYYY-MM-DD`.
    changed: Option<&'a str>,
}

/// The paths of the files. Without the site's full address there is no sitemap: addresses in one are absolute.
pub(super) fn paths(context: &Context<'_>) -> Vec<String> {
    let addresses = addresses(context);
    let parts = addresses.div_ceil(MAX_ADDRESSES);
    let sitemaps = match parts {
        0 => Vec::new(),
        1 => vec![INDEX.to_owned()],
        _ => std::iter::once(INDEX.to_owned()).chain((1..=parts).map(part_path)).collect(),
    };
    sitemaps.into_iter().chain([ROBOTS.to_owned()]).collect()
}

fn part_path(number: usize) -> String {
    format!("sitemap-{number}.xml")
}

/// The file at a path; `None` if there is none.
pub(super) fn file(context: &Context<'_>, path: &str) -> Option<Vec<u8>> {
    let absolute = |file: &str| context.kb.config.site_url.absolute(&Url::file(file));
    if path == ROBOTS {
        let sitemap = absolute(INDEX).map(|url| format!("\nSitemap: {url}\n")).unwrap_or_default();
        return Some(format!("User-agent: *\nAllow: /\n{sitemap}").into_bytes());
    }
    let number = path.strip_prefix("sitemap-").and_then(|rest| rest.strip_suffix(".xml")).and_then(|number| number.parse::<usize>().ok());
    if path != INDEX && number.is_none_or(|number| part_path(number) != path) {
        return None;
    }
    let parts = parts(pages(context), MAX_ADDRESSES);
    match (number, parts.as_slice()) {
        (None, [one]) => Some(urls(one)),
        (None, parts) => Some(index(&(1..=parts.len()).filter_map(|number| absolute(&part_path(number))).collect::<Vec<_>>())),
        (_, []) | (Some(_), [_]) => None,
        (Some(number), parts) => parts.get(number.checked_sub(1)?).map(|part| urls(part)),
    }
}

/// The number of addresses in all files.
fn addresses(context: &Context<'_>) -> usize {
    pages(context).iter().map(|page| page.addresses.len()).sum()
}

/// Every page except redirects, the search page and the 404 page. Empty without the site's full address.
fn pages<'a>(context: &Context<'a>) -> Vec<SitemapPage<'a>> {
    let kb = context.kb;
    if kb.config.site_url.origin.is_none() {
        return Vec::new();
    }
    let mut pages = Vec::new();
    each_page(kb, &mut |path, kind| {
        if matches!(kind, JobKind::Search | JobKind::Section(_) | JobKind::SameEra(_) | JobKind::Moved(_) | JobKind::NotFound) {
            return;
        }
        let page = if let JobKind::Page(page) = kind { Some(page) } else { None };
        // The address of a missing translation shows the original, which is the same page.
        let languages = kb.config.languages.iter().map(|language| &language.lang).filter(|lang| page.is_none_or(|page| is_in(page, lang)));
        let addresses = languages.filter_map(|lang| Some((lang, kb.config.site_url.absolute(&kb.config.page_url(path, lang))?)));
        pages.push(SitemapPage { addresses: addresses.collect(), changed: page.and_then(|page| super::last_change(context, page)) });
    });
    pages
}

fn is_in(page: &Page, lang: &Lang) -> bool {
    page.texts.contains_key(lang)
}

/// Splits the pages so that no part has more than `max_addresses`, unless a single page has, and no page is in two parts.
fn parts(pages: Vec<SitemapPage<'_>>, max_addresses: usize) -> Vec<Vec<SitemapPage<'_>>> {
    let mut parts: Vec<Vec<SitemapPage<'_>>> = Vec::new();
    let mut room = 0;
    for page in pages {
        let needed = page.addresses.len();
        if needed > room || parts.is_empty() {
            parts.push(Vec::new());
            room = max_addresses.max(needed);
        }
        room -= needed;
        if let Some(part) = parts.last_mut() {
            part.push(page);
        }
    }
    parts
}

fn urls(pages: &[SitemapPage<'_>]) -> Vec<u8> {
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for page in pages {
        for (_, address) in &page.addresses {
            let _ = write!(xml, "<url><loc>{}</loc>", escaped(address));
            if let Some(day) = page.changed {
                let _ = write!(xml, "<lastmod>{}</lastmod>", escaped(day));
            }
            if page.addresses.len() > 1 {
                let alternate = |lang: &str, address: &str| {
                    format!("<xhtml:link rel=\"alternate\" hreflang=\"{}\" href=\"{}\"/>", escaped(lang), escaped(address))
                };
                xml.extend(page.addresses.iter().map(|(lang, address)| alternate(lang.as_str(), address)));
                xml.extend(page.addresses.first().map(|(_, address)| alternate("x-default", address)));
            }
            xml.push_str("</url>\n");
        }
    }
    xml.push_str("</urlset>\n");
    xml.into_bytes()
}

fn index(parts: &[String]) -> Vec<u8> {
    let mut xml =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    xml.extend(parts.iter().map(|part| format!("<sitemap><loc>{}</loc></sitemap>\n", escaped(part))));
    xml.push_str("</sitemapindex>\n");
    xml.into_bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn no_part_is_too_large_and_no_page_is_in_two() {
        let (en, ja) = (Lang::new("en").unwrap(), Lang::new("ja").unwrap());
        let page = |count: usize| SitemapPage {
            addresses: [&en, &ja].into_iter().take(count).map(|lang| (lang, String::new())).collect(),
            changed: None,
        };
        let sizes = |counts: &[usize], max_addresses| {
            let parts = parts(counts.iter().map(|count| page(*count)).collect(), max_addresses);
            parts.iter().map(|part| part.iter().map(|page| page.addresses.len()).sum::<usize>()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(&[], 4), Vec::<usize>::new());
        assert_eq!(sizes(&[2, 2], 4), [4]);
        assert_eq!(sizes(&[2, 1, 2, 2], 4), [3, 4]);
        assert_eq!(sizes(&[2, 2], 1), [2, 2]);
    }
}
