//! `sitemap.xml`, the list of pages for search engines.

use std::fmt::Write as _;

use super::{
    change_dates::last_change,
    context::Context,
    routes::{PageRoute, sitemap_languages, sitemap_part_path},
    xml::escaped,
};
use crate::{id::Lang, kb::Kb, url::Url};

pub(super) fn sitemap(context: &Context<'_>, pages: &[PageRoute]) -> String {
    let kb = context.kb;
    let mut xml = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n",
    );
    for page in pages {
        let path = page.path(kb);
        let absolute = |lang: &'_ Lang| kb.config.site_url.absolute(&kb.config.page_url(&path, lang));
        let addresses: Vec<(&Lang, String)> =
            sitemap_languages(kb, page).into_iter().filter_map(|lang| Some((lang, absolute(lang)?))).collect();
        let changed = page.written(kb).and_then(|page| last_change(kb, context.changes, page));
        for (_, address) in &addresses {
            let _ = write!(xml, "<url><loc>{}</loc>", escaped(address));
            if let Some(day) = changed {
                let _ = write!(xml, "<lastmod>{}</lastmod>", escaped(day));
            }
            if addresses.len() > 1 {
                let alternate = |lang: &str, address: &str| {
                    format!("<xhtml:link rel=\"alternate\" hreflang=\"{}\" href=\"{}\"/>", escaped(lang), escaped(address))
                };
                xml.extend(addresses.iter().map(|(lang, address)| alternate(lang.as_str(), address)));
                xml.extend(addresses.first().map(|(_, address)| alternate("x-default", address)));
            }
            xml.push_str("</url>\n");
        }
    }
    xml.push_str("</urlset>\n");
    xml
}

/// The index of this many sitemaps.
pub(super) fn index(kb: &Kb, parts: usize) -> String {
    let mut xml =
        String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n");
    let addresses = (0..parts).filter_map(|part| kb.config.site_url.absolute(&Url::file(&sitemap_part_path(part))));
    xml.extend(addresses.map(|address| format!("<sitemap><loc>{}</loc></sitemap>\n", escaped(&address))));
    xml.push_str("</sitemapindex>\n");
    xml
}
