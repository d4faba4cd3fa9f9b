//! For language models: `llms.txt`, what there is to read (llmstxt.org), and `llms-full.txt`, all of it. Both in each language.

use std::fmt::Write as _;

use rayon::prelude::*;

use super::{Context, twin};
use crate::{
    config::Language,
    kb::{Kb, PageKind},
    layout::EntityKind,
    site::{Piece, Stream},
    url::Url,
};

const INDEX: &str = "llms.txt";
const FULL: &str = "llms-full.txt";

/// The paths of the files, but for those of [`each_full`].
pub(super) fn paths(kb: &Kb) -> Vec<String> {
    kb.config.languages.iter().map(|language| path(kb, language, INDEX)).collect()
}

/// Makes those that have the texts of all pages, piece by piece: they are the largest files of a site by far.
pub(super) fn each_full(context: &Context<'_>, stream: Stream<'_>) {
    for language in &context.kb.config.languages {
        stream(&path(context.kb, language, FULL), &mut |piece| full(context, language, piece));
    }
}

fn path(kb: &Kb, language: &Language, file: &str) -> String {
    if language.lang == *kb.config.default_language() { file.to_owned() } else { format!("{}/{file}", language.lang) }
}

/// One of them; `None` if there is none at that path.
pub(super) fn file(context: &Context<'_>, asked: &str) -> Option<Vec<u8>> {
    let kb = context.kb;
    let find = |file: &str| kb.config.languages.iter().find(|language| path(kb, language, file) == asked);
    if let Some(language) = find(INDEX) {
        return Some(index(kb, language).into_bytes());
    }
    find(FULL).map(|language| {
        let mut bytes = Vec::new();
        full(context, language, &mut |piece| bytes.extend_from_slice(piece));
        bytes
    })
}

/// The pages with a text in a language, with their paths, in the order of these.
fn pages<'a>(kb: &'a Kb, language: &'a Language) -> impl Iterator<Item = (&'a str, &'a crate::kb::Page)> {
    let written = kb.pages.iter().filter(|(_, page)| page.kind != PageKind::Generated && page.texts.contains_key(&language.lang));
    written.map(|(path, page)| (&**path, &**page))
}

fn index(kb: &Kb, language: &Language) -> String {
    let mut text = format!("# {}\n", language.title);
    if !language.description.is_empty() {
        let _ = write!(text, "\n> {}\n", language.description);
    }
    let words = &kb.theme.strings[&language.lang];
    let mut section = "";
    let full = |url: &Url| kb.config.site_url.absolute(url).unwrap_or_else(|| kb.config.site_url.rooted(url));
    let mut ordered: Vec<(&str, &str, &crate::kb::Page)> = pages(kb, language)
        .map(|(path, page)| {
            // The word of the interface for its part of the list.
            let folder = if let PageKind::Entity(kind, _) = &page.kind { kind.folder() } else { "pages" };
            (folder, path, page)
        })
        .collect();
    // What the knowledge base is about comes first.
    let rank = |folder: &str| {
        [EntityKind::Component, EntityKind::Provider, EntityKind::Concept].iter().position(|kind| kind.folder() == folder).unwrap_or(3)
    };
    ordered.sort_by_key(|(folder, path, _)| (rank(folder), *path));
    for (folder, path, page) in ordered {
        if folder != section {
            section = folder;
            let _ = write!(text, "\n## {}\n\n", words.get(folder));
        }
        let title = kb.title_of(page, &language.lang).unwrap_or_else(|| path.to_owned());
        let summary = page.texts.get(&language.lang).and_then(|text| text.front.summary.as_deref()).map(|summary| format!(": {summary}"));
        let url = full(&twin::url(&kb.config.page_url(path, &language.lang)));
        let _ = writeln!(text, "- [{}]({url}){}", twin::label(&title), summary.unwrap_or_default());
    }
    let data: Vec<String> = super::api::paths(kb).into_iter().filter(|path| path.matches('/').count() == 2).collect();
    if !data.is_empty() {
        let _ = write!(text, "\n## {}\n\n", words.get("data"));
        for path in data {
            let _ = writeln!(text, "- [{path}]({})", full(&Url::file(&path)));
        }
    }
    text
}

/// So many pages are made at once before they are added.
const BATCH: usize = 256;

fn full(context: &Context<'_>, language: &Language, piece: Piece<'_>) {
    let kb = context.kb;
    let twin = |path: &&str| {
        let url = kb.config.page_url(path, &language.lang);
        let text = String::from_utf8(twin::file(context, &twin::url(&url).output_path())?).ok()?;
        let address = kb.config.site_url.absolute(&url).unwrap_or_else(|| kb.config.site_url.rooted(&url));
        Some(format!("<!-- {address} -->\n{text}"))
    };
    let paths: Vec<&str> = pages(kb, language).map(|(path, _)| path).collect();
    let mut is_first = true;
    for batch in paths.chunks(BATCH) {
        for twin in batch.par_iter().filter_map(twin).collect::<Vec<String>>() {
            if !std::mem::take(&mut is_first) {
                piece(b"\n");
            }
            piece(twin.as_bytes());
        }
    }
}
