//! Files for language models: `llms.txt`, an index of the pages (llmstxt.org), and `llms-full.txt`, all pages. Both exist in each language.

use std::fmt::Write as _;

use rayon::prelude::*;

use super::{
    api::ApiFile,
    context::Context,
    markdown_export::{self, label},
    routes::{PageRoute, markdown_export_url, pages_with_text},
};
use crate::{
    id::Lang,
    kb::{Kb, Page, PageKind},
    layout::EntityKind,
    site::Chunks,
    url::Url,
};

/// `llms.txt`
pub(super) fn index(kb: &Kb, lang: &Lang) -> String {
    let language = kb.config.language(lang);
    let mut text = format!("# {}\n", language.title);
    if !language.description.is_empty() {
        let _ = write!(text, "\n> {}\n", language.description);
    }
    let words = &kb.theme.strings[lang];
    let mut section = "";
    let full = |url: &Url| kb.config.site_url.absolute(url).unwrap_or_else(|| kb.config.site_url.rooted(url));
    let rank = |page: &&Page| match &page.kind {
        PageKind::Entity(kind, _) => EntityKind::ALL.iter().position(|other| other == kind),
        _ => None,
    };
    let mut ordered: Vec<&Page> = pages_with_text(kb, lang).collect();
    // Components, providers and concepts come before other pages.
    ordered.sort_by_key(|page| (rank(page).is_none(), rank(page), page.path.clone()));
    for page in ordered {
        let heading = if let PageKind::Entity(kind, _) = &page.kind { kind.folder() } else { "pages" };
        if heading != section {
            section = heading;
            let _ = write!(text, "\n## {}\n\n", words.get(heading));
        }
        let title = kb.title_of(page, lang).unwrap_or_else(|| page.path.to_string());
        let summary = page.texts.get(lang).and_then(|text| text.front.summary.as_deref()).map(|summary| format!(": {summary}"));
        let url = full(&markdown_export_url(&kb.config.page_url(&page.path, lang)));
        let _ = writeln!(text, "- [{}]({url}){}", label(&title), summary.unwrap_or_default());
    }
    let data: Vec<String> = ApiFile::all(kb).iter().map(ApiFile::path).filter(|path| path.matches('/').count() == 2).collect();
    if !data.is_empty() {
        let _ = write!(text, "\n## {}\n\n", words.get("data"));
        for path in data {
            let _ = writeln!(text, "- [{path}]({})", full(&Url::file(&path)));
        }
    }
    text
}

/// The number of pages that are rendered at once, so that not all are in memory.
const BATCH: usize = 256;

/// `llms-full.txt`: the Markdown exports of all pages with a text in a language, in chunks.
pub(super) fn full(context: &Context<'_>, lang: &Lang, out: Chunks<'_>) {
    let kb = context.kb;
    let export = |page: &&Page| {
        let url = kb.config.page_url(&page.path, lang);
        let address = kb.config.site_url.absolute(&url).unwrap_or_else(|| kb.config.site_url.rooted(&url));
        let text = markdown_export::export(context, &PageRoute::Written(page.path.clone()), lang);
        format!("<!-- {address} -->\n{text}")
    };
    let pages: Vec<&Page> = pages_with_text(kb, lang).collect();
    let mut is_first = true;
    for batch in pages.chunks(BATCH) {
        for text in batch.par_iter().map(export).collect::<Vec<String>>() {
            if !std::mem::take(&mut is_first) {
                out(b"\n");
            }
            out(text.as_bytes());
        }
    }
}
