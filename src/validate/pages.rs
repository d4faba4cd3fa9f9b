//! Pages: titles, languages, addresses that are theirs alone, translations that are up to date.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::names::Names;
use crate::{
    config::Config,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    id::{Id, Lang},
    kb::{Page, PageKind, Section, Staleness, stale_sections},
    layout::{EntityKind, GENERATED_FOLDERS, GeneratedFile, GeneratedPage, entity_of},
    load::{Draft, Extent, PageDraft},
    text::Span,
};

type Assets = BTreeMap<String, Arc<[u8]>>;
type Pages = BTreeMap<Arc<str>, Arc<Page>>;

pub(super) fn check(draft: &Draft, names: &Names, sections: &BTreeMap<Id, Section>, diagnostics: &mut Diagnostics) -> (Pages, Assets) {
    let mut pages: BTreeMap<Arc<str>, Page> = BTreeMap::new();
    for text in &draft.pages {
        let kind = kind(&text.path);
        let page = pages.entry(text.path.clone()).or_insert_with(|| Page { path: text.path.clone(), kind, texts: BTreeMap::new() });
        if let Some(first) = page.texts.get(&text.lang) {
            let url = draft.config.page_url(&text.path, &text.lang);
            collision(url.as_str(), &text.file, &first.file, diagnostics);
        } else {
            page.texts.insert(text.lang.clone(), text.clone());
        }
    }
    let pages: Pages = pages.into_iter().map(|(path, page)| (path, Arc::new(page))).collect();
    missing_pages(draft, &pages, diagnostics);
    for page in pages.values() {
        languages(page, &draft.config, diagnostics);
        for text in page.texts.values() {
            if text.extent == Extent::Whole {
                head(page, text, names, diagnostics);
            }
        }
        translations(page, &draft.config, diagnostics);
    }
    let assets = draft.assets.iter().map(|asset| (asset.path.clone(), asset.bytes.clone())).collect();
    addresses(draft, &pages, sections, diagnostics);
    (pages, assets)
}

fn kind(path: &str) -> PageKind {
    match entity_of(path) {
        Some((kind, folder)) => Id::new(folder).map_or(PageKind::Ordinary, |id| PageKind::Entity(kind, id)),
        None if path.is_empty() => PageKind::Home,
        None if GeneratedPage::at(path).is_some() => PageKind::Generated,
        None => PageKind::Ordinary,
    }
}

/// Facts without a page, and pages without the facts that they need.
fn missing_pages(draft: &Draft, pages: &Pages, diagnostics: &mut Diagnostics) {
    let facts = (draft.components.iter().map(|loaded| (EntityKind::Component, &loaded.id, &loaded.file)))
        .chain(draft.providers.iter().map(|loaded| (EntityKind::Provider, &loaded.id, &loaded.file)))
        .chain(draft.concepts.iter().map(|loaded| (EntityKind::Concept, &loaded.id, &loaded.file)));
    let mut with_facts = BTreeSet::new();
    for (kind, id, file) in facts {
        let path = format!("{}/{id}", kind.folder());
        if !pages.contains_key(path.as_str()) {
            let message = format!("the {} `{id}` has no page in any language", kind.name());
            let help = format!("write `{}`", file.replace(crate::layout::FACTS, &format!("{}.md", draft.config.default_language())));
            diagnostics.push(Diagnostic::new(Rule::MissingPage, Place::new(file.clone(), Span::at(0)), message).help(help));
        }
        with_facts.insert(path);
    }
    for page in pages.values() {
        let PageKind::Entity(kind @ (EntityKind::Component | EntityKind::Provider), id) = &page.kind else { continue };
        if let (false, Some(text)) = (with_facts.contains(&*page.path), page.texts.values().next()) {
            let message = format!("the {} `{id}` has a page and no facts", kind.name());
            let folder = text.file.rsplit_once('/').map_or("", |(folder, _)| folder);
            let help = format!("write `{folder}/{}`; `ksys-docs schema {}` prints its format", crate::layout::FACTS, kind.name());
            diagnostics.push(Diagnostic::new(Rule::MissingFacts, Place::new(text.file.clone(), Span::at(0)), message).help(help));
        }
    }
}

/// A page in one language only is shown to readers of the others with a notice; its author should know.
fn languages(page: &Page, config: &Config, diagnostics: &mut Diagnostics) {
    let Some(text) = page.texts.get(config.default_language()).or_else(|| page.texts.values().next()) else { return };
    let missing: Vec<&Lang> =
        config.languages.iter().map(|language| &language.lang).filter(|lang| !page.texts.contains_key(*lang)).collect();
    if let Some(first) = missing.first() {
        let list: Vec<&str> = missing.iter().map(|lang| lang.as_str()).collect();
        let message = format!("this page is not translated into `{}`", list.join("`, `"));
        let folder = text.file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let found = Diagnostic::new(Rule::MissingTranslation, Place::new(text.file.clone(), Span::at(0)), message);
        diagnostics.push(found.help(format!("write `{folder}/{first}.md`; until then its readers see this text with a notice")));
    }
}

fn head(page: &Page, text: &PageDraft, names: &Names, diagnostics: &mut Diagnostics) {
    let place = || Place::new(text.file.clone(), Span::at(0));
    // Components and providers have a name in their facts, the home page that of the site, generated pages one of their own.
    let has_name = match &page.kind {
        PageKind::Entity(kind, id) => *kind != EntityKind::Concept && names.kind(id.as_str()).is_some(),
        PageKind::Home | PageKind::Generated => true,
        PageKind::Ordinary => false,
    };
    let titled = text.front.title.as_ref().is_some_and(|title| !title.trim().is_empty()) || text.prose.title.is_some();
    if !titled && !has_name {
        let found = Diagnostic::new(Rule::MissingTitle, place(), "this page has no title");
        diagnostics.push(found.help("begin the file with\n---\ntitle: …\n---\nor with a line `# …`"));
    }
    let needs_summary = matches!(page.kind, PageKind::Entity(..));
    if needs_summary && text.front.summary.as_ref().is_none_or(|summary| summary.trim().is_empty()) {
        let found = Diagnostic::new(Rule::MissingSummary, place(), "this page has no summary");
        diagnostics.push(found.help("add `summary: …` to the front matter: what it is, in one sentence"));
    }
}

/// Reports what has fallen behind in the translations of a page.
pub(super) fn translations(page: &Page, config: &Config, diagnostics: &mut Diagnostics) {
    let Some(original) = page.texts.get(config.default_language()).filter(|original| original.extent == Extent::Whole) else { return };
    diagnostics.within(Scope::Page(page.path.clone()), |diagnostics| {
        for translation in page.texts.values().filter(|text| text.lang != original.lang) {
            translated(original, translation, diagnostics);
        }
    });
}

/// Reports the sections in which a translation has fallen behind.
fn translated(original: &PageDraft, translation: &PageDraft, diagnostics: &mut Diagnostics) {
    // One that was never stamped has promised nothing.
    let has = |id: &str| translation.front.translates.is_empty() || translation.prose.headings.iter().any(|heading| heading.id == id);
    for heading in original.prose.headings.iter().filter(|heading| heading.explicit && !has(&heading.id)) {
        let message = format!("this translation has no section `{}`, which `{}` has", heading.id, original.file);
        let found = Diagnostic::new(Rule::StaleTranslation, Place::new(translation.file.clone(), Span::at(0)), message);
        let found = found.related(Place::new(original.file.clone(), heading.span.shifted(original.body_at)), "the original");
        diagnostics.push(found.help(format!("translate it under a heading that ends with `{{#{}}}`", heading.id)));
    }
    for section in stale_sections(original, translation) {
        let part = section.part();
        let message = match section.how {
            Staleness::Changed => format!("{part} of `{}` has changed since it was translated", original.file),
            Staleness::Gone => format!("{part} of `{}` is gone or has another id", original.file),
            Staleness::New => format!("{part} of `{}` is newer than this translation", original.file),
        };
        let span = translation.front.translates.get(section.anchor).map_or(Span::at(0), |hash| hash.span);
        let help = format!("bring the translation up to date, then run `ksys-docs stamp {}`", translation.file);
        diagnostics.push(Diagnostic::new(Rule::StaleTranslation, Place::new(translation.file.clone(), span), message).help(help));
    }
}

fn collision(url: &str, file: &Arc<str>, other: &Arc<str>, diagnostics: &mut Diagnostics) {
    let message = format!("`{file}` and `{other}` have the same address `{url}`");
    let found = Diagnostic::new(Rule::UrlCollision, Place::new(file.clone(), Span::at(0)), message);
    let found = found.related(Place::new(other.clone(), Span::at(0)), "the other one");
    diagnostics.push(found.help("rename one of them; addresses that differ only in the case of letters are the same on many hosts"));
}

/// Every address once, whatever the case of its letters.
fn addresses(draft: &Draft, pages: &Pages, sections: &BTreeMap<Id, Section>, diagnostics: &mut Diagnostics) {
    let config = &draft.config;
    let mut taken: BTreeMap<String, (String, Arc<str>)> = BTreeMap::new();
    let mut take = |address: String, path: &str, file: &Arc<str>, diagnostics: &mut Diagnostics| {
        match taken.get(&address.to_lowercase()) {
            // The languages of one page share its path; the same path twice in one language is reported above.
            Some((owner, _)) if owner == path => {}
            Some((_, other)) => collision(&address, file, other, diagnostics),
            None => {
                taken.insert(address.to_lowercase(), (path.to_owned(), file.clone()));
            }
        }
    };
    for page in pages.values() {
        for text in page.texts.values() {
            let first = page.path.split('/').next().unwrap_or_default();
            let is_language = config.languages.iter().skip(1).any(|language| language.lang.as_str() == first);
            let is_own =
                (GENERATED_FOLDERS.contains(&first) && GeneratedPage::at(&page.path).is_none()) || is_generated_below(draft, &page.path);
            if is_own || (is_language && !first.is_empty()) {
                let why = if is_language { "the pages of that language" } else { "the program's own files" };
                let address = if GENERATED_FOLDERS.contains(&first) || is_language { first } else { &*page.path };
                let message = format!("the address `/{address}/` is needed for {why}");
                let found = Diagnostic::new(Rule::UrlCollision, Place::new(text.file.clone(), Span::at(0)), message);
                diagnostics.push(found.help("rename the folder"));
            }
            take(format!("{}index.html", config.page_url(&page.path, &text.lang).as_str()), &page.path, &text.file, diagnostics);
        }
    }
    // The address of a section leads on to it; the id is no page's, or it would be reported as taken twice.
    for section in sections.values() {
        let Some(page) = pages.get(section.page().as_str()) else { continue };
        let Some(text) = page.texts.values().next() else { continue };
        for language in &config.languages {
            let path = section.address();
            if !pages.contains_key(path.as_str()) {
                take(format!("{}index.html", config.page_url(&path, &language.lang).as_str()), &path, &text.file, diagnostics);
            }
        }
    }
    let own = own_addresses(config);
    for asset in &draft.assets {
        let file: Arc<str> = format!("{}/{}", config.src, asset.path).into();
        if own.contains(&format!("/{}", asset.path.to_lowercase())) {
            let message = format!("the address `/{}` is needed for the program's own files", asset.path);
            diagnostics.push(Diagnostic::new(Rule::UrlCollision, Place::new(file, Span::at(0)), message).help("rename the file"));
        } else {
            take(format!("/{}", asset.path), &asset.path, &file, diagnostics);
        }
    }
    for page in pages.values() {
        for text in page.texts.values() {
            for alias in &text.front.aliases {
                if !alias_address(alias, config, text, diagnostics) {
                    continue;
                }
                let address =
                    if alias.ends_with(".html") { alias.value.clone() } else { format!("{}/index.html", alias.trim_end_matches('/')) };
                let first = alias.trim_matches('/').split('/').next().unwrap_or_default();
                let (_, path) = config.language_of(alias.trim_matches('/'));
                if own.contains(&address.to_lowercase()) || GENERATED_FOLDERS.contains(&first) || is_generated_below(draft, path) {
                    let message = format!("the address `{}` is needed for the program's own files", alias.value);
                    let found = Diagnostic::new(Rule::UrlCollision, Place::new(text.file.clone(), alias.span), message);
                    diagnostics.push(found.help("remove this alias"));
                } else {
                    take(address, &format!("{} from {}", page.path, text.lang), &text.file, diagnostics);
                }
            }
        }
    }
}

/// Whether the program makes a page at this path, below a [`GeneratedPage`]: of two providers, or of a release.
fn is_generated_below(draft: &Draft, path: &str) -> bool {
    let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let is_provider = |id: &str| draft.providers.iter().any(|provider| same(provider.id.as_str(), id));
    let is_release = |name: &str| draft.vocabulary.releases.iter().any(|facts| same(&facts.release.value.0, name));
    match path.split('/').collect::<Vec<_>>()[..] {
        [top, a, b] => same(top, GeneratedPage::Compare.path()) && is_provider(a) && is_provider(b),
        [top, release] => same(top, GeneratedPage::Architecture.path()) && is_release(release),
        _ => false,
    }
}

/// Addresses of files that the program makes, in lower case.
fn own_addresses(config: &Config) -> BTreeSet<String> {
    let generated = config.languages.iter().flat_map(|language| {
        GeneratedPage::ALL.map(|page| format!("{}index.html", config.page_url(page.path(), &language.lang).as_str()).to_lowercase())
    });
    let files = GeneratedFile::ALL
        .map(GeneratedFile::path)
        .into_iter()
        .chain(["404.html", "manifest.json", ".nojekyll"])
        .map(|file| format!("/{file}"));
    generated.chain(files).collect()
}

/// Whether an alias is an address of this site; reports it otherwise.
fn alias_address(alias: &crate::decode::Spanned<String>, config: &Config, text: &PageDraft, diagnostics: &mut Diagnostics) -> bool {
    let plain = alias.starts_with('/') && !alias.contains(['?', '#', ' ', '\\']) && !alias.split('/').any(|part| part == "..");
    if !plain {
        let found = Diagnostic::new(
            Rule::InvalidValue,
            Place::new(text.file.clone(), alias.span),
            format!("`{}` is no address of this site", alias.value),
        );
        let base = match config.site_url.base.trim_end_matches('/') {
            "" => String::new(),
            base => format!("`{base}`, "),
        };
        diagnostics.push(found.help(format!("write it from the root of the site, such as `/old/page/`, without {base}`?` and `#`")));
    }
    plain
}
