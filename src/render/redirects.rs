//! `_redirects`: the ways from old addresses to new ones for hosts that can answer with them (Netlify, Cloudflare Pages). Others have the small pages.

use std::fmt::Write as _;

use super::{Context, JobKind, alias_url, architecture, each_page};
use crate::{kb::Kb, url::Url, url::encode_fragment};

const FILE: &str = "_redirects";

/// The path of the file; `None` if nothing has moved.
pub(super) fn paths(context: &Context<'_>) -> Vec<String> {
    if redirects(context.kb).is_empty() { Vec::new() } else { vec![FILE.to_owned()] }
}

/// The file; `None` at any other path.
pub(super) fn file(context: &Context<'_>, path: &str) -> Option<Vec<u8>> {
    let redirects = if path == FILE { redirects(context.kb) } else { Vec::new() };
    let site = &context.kb.config.site_url;
    let mut text = String::new();
    for (from, to, anchor) in &redirects {
        let anchor = anchor.as_ref().map(|anchor| format!("#{}", encode_fragment(anchor))).unwrap_or_default();
        let _ = writeln!(text, "{} {}{anchor} 301", site.rooted(from), site.rooted(to));
    }
    (!redirects.is_empty()).then(|| text.into_bytes())
}

/// Old address, new address, and the section there.
fn redirects(kb: &Kb) -> Vec<(Url, Url, Option<String>)> {
    let mut redirects = Vec::new();
    for page in kb.pages.values() {
        for text in page.texts.values() {
            let to = kb.config.page_url(&page.path, &text.lang);
            redirects.extend(text.front.aliases.iter().map(|alias| (alias_url(alias), to.clone(), None)));
        }
    }
    for language in &kb.config.languages {
        let url = |path: &str| kb.config.page_url(path, &language.lang);
        each_page(kb, &mut |path, kind| match kind {
            JobKind::Section(section) => redirects.push((url(path), url(&section.page()), Some(section.id.to_string()))),
            JobKind::SameEra(era) => redirects.push((url(path), url(&architecture::release_path(kb, era.first)), None)),
            _ => {}
        });
    }
    redirects
}
