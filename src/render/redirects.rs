//! `_redirects`: redirects from former addresses, for hosts that support the file (Netlify, Cloudflare Pages). Other hosts serve pages that redirect.

use std::fmt::Write as _;

use super::{context::Context, routes::RedirectTarget};
use crate::{
    config::Destination,
    url::{Url, encode_fragment},
};

/// The content of `_redirects`.
pub(super) fn redirects(context: &Context<'_>) -> String {
    let (kb, site) = (context.kb, &context.kb.config.site_url);
    let mut text = String::new();
    let mut add = |from: &Url, to: &Url, anchor: Option<&str>| {
        let anchor = anchor.map(|anchor| format!("#{}", encode_fragment(anchor))).unwrap_or_default();
        let _ = writeln!(text, "{} {}{anchor} 301", site.rooted(from), site.rooted(to));
    };
    for page in kb.pages.values() {
        for text in page.texts.values() {
            let to = kb.config.page_url(&page.path, &text.lang);
            text.front.aliases.iter().for_each(|alias| add(&Url::page(alias), &to, None));
        }
    }
    for redirect in &kb.config.redirects {
        match &redirect.to {
            Destination::Site { url, fragment } => add(&redirect.from, url, fragment.strip_prefix('#')),
            Destination::Web(_) => {}
        }
    }
    for language in &kb.config.languages {
        let url = |path: &str| kb.config.page_url(path, &language.lang);
        for page in &context.routes.pages {
            if let Some(RedirectTarget { path, anchor }) = page.redirect(kb) {
                add(&url(&page.path(kb)), &url(&path), anchor.as_deref());
            }
        }
    }
    for redirect in &kb.config.redirects {
        if let Destination::Web(to) = &redirect.to {
            let _ = writeln!(text, "{} {} 301", site.rooted(&redirect.from), to.replace(char::is_whitespace, "%20"));
        }
    }
    text
}
