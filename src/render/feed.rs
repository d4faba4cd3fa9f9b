//! Feeds of the pages that changed last: `atom.xml` in each language (RFC 4287).

use std::fmt::Write as _;

use super::{cards::area, change_dates::last_change, context::Context, routes::pages_with_text, xml::escaped};
use crate::{
    id::Lang,
    kb::{Kb, Page},
    url::Url,
};

/// The maximum number of entries: enough for readers who poll once a month, in a small file.
const MAX_ENTRIES: usize = 60;

struct FeedEntry<'a> {
    /// The date of the last change: `YYYY-MM-DD`.
    day: &'a str,
    page: &'a Page,
}

pub(super) fn feed(context: &Context<'_>, lang: &Lang, address: &Url) -> String {
    let kb = context.kb;
    let language = kb.config.language(lang);
    let entries = entries(context, lang);
    let newest = entries.first().map_or("", |entry| entry.day);
    let site = &kb.config.site_url;
    let full = |url: &Url| site.absolute(url).unwrap_or_else(|| site.rooted(url));
    let home = kb.config.page_url("", lang);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{}\">\n<title>{}</title>\n",
        escaped(lang.as_str()),
        escaped(&language.title),
    );
    if !language.description.is_empty() {
        let _ = writeln!(xml, "<subtitle>{}</subtitle>", escaped(&language.description));
    }
    let _ = write!(
        xml,
        "<id>{}</id>\n<updated>{newest}T00:00:00Z</updated>\n<link rel=\"self\" type=\"application/atom+xml\" href=\"{}\"/>\n<link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>\n",
        id(kb, address),
        escaped(&full(address)),
        escaped(&full(&home)),
    );
    let authors = if kb.config.authors.is_empty() { std::slice::from_ref(&language.title) } else { kb.config.authors.as_slice() };
    xml.extend(authors.iter().map(|author| format!("<author><name>{}</name></author>\n", escaped(author))));
    for FeedEntry { day, page } in entries {
        let url = full(&kb.config.page_url(&page.path, lang));
        let title = kb.title_of(page, lang).unwrap_or_else(|| page.path.to_string());
        let _ = write!(
            xml,
            "<entry><title>{}</title><id>{}</id><updated>{day}T00:00:00Z</updated><link rel=\"alternate\" type=\"text/html\" href=\"{}\"/>",
            escaped(&title),
            id(kb, &kb.config.page_url(&page.path, lang)),
            escaped(&url),
        );
        if let Some(area) = area(kb, page) {
            let label = area.label.get(lang);
            let _ = write!(xml, "<category term=\"{}\" label=\"{}\"/>", escaped(area.id.as_str()), escaped(label));
        }
        let summary = page.texts.get(lang).and_then(|text| text.front.summary.as_deref());
        if let Some(summary) = summary {
            let _ = write!(xml, "<summary>{}</summary>", escaped(summary));
        }
        xml.push_str("</entry>\n");
    }
    xml.push_str("</feed>\n");
    xml
}

/// The pages of a language that changed last, newest first.
fn entries<'a>(context: &Context<'a>, lang: &'a Lang) -> Vec<FeedEntry<'a>> {
    let dated =
        pages_with_text(context.kb, lang).filter_map(|page| Some(FeedEntry { day: last_change(context.kb, context.changes, page)?, page }));
    let mut entries: Vec<FeedEntry<'_>> = dated.collect();
    entries.sort_by(|a, b| b.day.cmp(a.day).then_with(|| a.page.path.cmp(&b.page.path)));
    entries.truncate(MAX_ENTRIES);
    entries
}

/// The permanent id of a page or the feed: its absolute address if the site has one, otherwise a UUID derived from the site's title and the path
/// (RFC 9562, version 8).
fn id(kb: &Kb, url: &Url) -> String {
    if let Some(address) = kb.config.site_url.absolute(url) {
        return escaped(&address);
    }
    let title = kb.config.languages.first().map_or("", |language| language.title.as_str());
    let hash = blake3::hash(format!("{title}\n{}", url.as_str()).as_bytes()).to_hex();
    // The version is 8, and the variant begins with the bits 10.
    format!("urn:uuid:{}-{}-8{}-8{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
}
