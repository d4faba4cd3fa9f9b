//! Addresses of the site: each belongs to one file, ignoring case and the form of Unicode.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use unicode_normalization::UnicodeNormalization as _;

use crate::{
    config::{self, Config, Destination, Redirect},
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    id::{Id, Lang},
    kb::{Page, Section, tag_name},
    layout::GeneratedPage,
    load::{Asset, Draft},
    text::Span,
    url::Url,
};

/// Reports addresses that two files have, or that are reserved for generated files.
pub(super) fn check(
    draft: &Draft,
    generated_pages: &[GeneratedPage],
    pages: &BTreeMap<Arc<str>, Arc<Page>>,
    sections: &BTreeMap<Id, Section>,
    diagnostics: &mut Diagnostics,
) {
    let generated = generated_addresses(&draft.config, generated_pages);
    let mut addresses = AddressTable { draft, generated_pages, generated, owners: BTreeMap::new(), diagnostics };
    addresses.check_folders();
    for page in pages.values() {
        addresses.add_page(page);
    }
    for section in sections.values() {
        // The id belongs to no other entity, or it would be reported as taken.
        let page = pages.get(section.page().as_str());
        if let Some(text) = page.and_then(|page| page.texts.values().next()).filter(|_| !pages.contains_key(section.address().as_str())) {
            addresses.add_section(section, &text.file);
        }
    }
    for asset in &draft.assets {
        addresses.add_asset(asset);
    }
    for page in pages.values() {
        addresses.add_aliases(page);
    }
    for redirect in &draft.config.redirects {
        addresses.add_redirect(redirect, pages);
    }
    for entry in &draft.config.menu {
        addresses.check_target(&entry.to, entry.span, pages);
    }
}

struct AddressTable<'a> {
    draft: &'a Draft,
    generated_pages: &'a [GeneratedPage],
    /// The addresses of generated files, in lower case.
    generated: BTreeSet<String>,
    /// A key and a file for each address in lower case and NFC. Files with the same key can share an address, such as the languages of a page.
    owners: BTreeMap<String, (String, Arc<str>)>,
    diagnostics: &'a mut Diagnostics,
}

impl AddressTable<'_> {
    fn add(&mut self, address: &str, key: &str, file: &Arc<str>) {
        // macOS and Windows consider such names equal.
        let folded: String = address.nfc().collect::<String>().to_lowercase();
        match self.owners.get(&folded) {
            Some((own_key, _)) if own_key == key => {}
            Some((_, other)) => report_collision(address, file, other, self.diagnostics),
            None => {
                self.owners.insert(folded, (key.to_owned(), file.clone()));
            }
        }
    }

    /// Reports folders whose name in addresses belongs to other pages.
    fn check_folders(&mut self) {
        let languages = &self.draft.config.languages;
        for folder in &self.draft.config.folders {
            let is_language = languages.iter().any(|language| language.lang.as_str() == folder.address);
            if is_language || GeneratedPage::at(&folder.address).is_some() {
                let needed_for = if is_language { "the pages of that language" } else { "the program's own files" };
                self.report_needed(&config::FILE.into(), folder.span, &format!("{}/", folder.address), needed_for, "choose another name");
            }
        }
    }

    fn add_page(&mut self, page: &Page) {
        let config = &self.draft.config;
        let first = page.path.split('/').next().unwrap_or_default();
        let is_language = !first.is_empty() && config.languages.iter().skip(1).any(|language| language.lang.as_str() == first);
        if let Some(folder) = config.folders.iter().find(|folder| folder.address == first) {
            for text in page.texts.values() {
                self.report_needed(
                    &text.file,
                    Span::at(0),
                    &format!("{first}/"),
                    &format!("the pages of {}", folder.name),
                    "rename the folder",
                );
            }
        }
        let is_reserved = self.is_reserved(&page.path);
        let is_generated = is_reserved || self.is_generated_below(&page.path);
        for text in page.texts.values() {
            if is_generated || is_language {
                let needed_for = if is_language { "the pages of that language" } else { "the program's own files" };
                let address = if is_reserved || is_language { first } else { &*page.path };
                self.report_needed(&text.file, Span::at(0), &format!("{address}/"), needed_for, "rename the folder");
            }
            self.add(&index_file(config, &page.path, &text.lang), &page.path, &text.file);
        }
    }

    /// The address of a section redirects to its page, whose file is `file`.
    fn add_section(&mut self, section: &Section, file: &Arc<str>) {
        let path = section.address();
        for language in &self.draft.config.languages {
            self.add(&index_file(&self.draft.config, &path, &language.lang), &path, file);
        }
    }

    fn add_asset(&mut self, asset: &Asset) {
        let file: Arc<str> = format!("{}/{}", self.draft.config.src, asset.path).into();
        let address = format!("/{}", asset.path);
        if self.generated.contains(&address.to_lowercase()) || self.is_reserved(&asset.path) {
            self.report_needed(&file, Span::at(0), &asset.path, "the program's own files", "rename the file");
        } else {
            self.add(&address, &asset.path, &file);
        }
    }

    fn add_aliases(&mut self, page: &Page) {
        for text in page.texts.values() {
            for alias in &text.front.aliases {
                if !is_site_address(alias, &self.draft.config, &text.file, self.diagnostics) {
                    continue;
                }
                let address = format!("/{}", Url::page(alias).output_path());
                let (_, path) = self.draft.config.language_of(alias.trim_matches('/'));
                let path = &*self.draft.config.path_at(path);
                if self.generated.contains(&address.to_lowercase()) || self.is_reserved(path) || self.is_generated_below(path) {
                    let needed = alias.strip_prefix('/').unwrap_or(alias);
                    self.report_needed(&text.file, alias.span, needed, "the program's own files", "remove this alias");
                } else {
                    self.add(&address, &format!("{} from {}", page.path, text.lang), &text.file);
                }
            }
        }
    }

    fn add_redirect(&mut self, redirect: &Redirect, pages: &BTreeMap<Arc<str>, Arc<Page>>) {
        let book: Arc<str> = config::FILE.into();
        let address = format!("/{}", redirect.from.output_path());
        let path = redirect.from.as_str().trim_matches('/');
        if self.generated.contains(&address.to_lowercase()) || self.is_reserved(path) || self.is_generated_below(path) {
            self.report_needed(&book, redirect.span, path, "the program's own files", "remove this redirect");
        } else {
            self.add(&address, &format!("redirect {address}"), &book);
        }
        self.check_target(&redirect.to, redirect.span, pages);
    }

    /// Reports an address of the site without a page or file.
    fn check_target(&mut self, target: &Destination, span: Span, pages: &BTreeMap<Arc<str>, Arc<Page>>) {
        let Destination::Site { url, .. } = target else { return };
        let target = &*self.draft.config.path_at(url.as_str().trim_matches('/'));
        let is_folder = |path: &str| pages.keys().any(|page| page.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')));
        let is_generated = |path: &str| GeneratedPage::at(path).is_some_and(|page| self.generated_pages.contains(&page));
        let is_page = |path: &str| path.is_empty() || pages.contains_key(path) || is_folder(path) || is_generated(path);
        let known = is_page(target)
            || is_page(&format!("{target}/index.html"))
            || is_page(target.trim_end_matches("index.html").trim_end_matches('/'))
            || self.draft.assets.iter().any(|asset| asset.path == target)
            || self.draft.config.redirects.iter().any(|other| other.from == *url);
        if !known {
            let message = format!("no page has the address `{}`", url.as_str());
            let help = "correct it: write an address of this site, or a full URL";
            self.diagnostics.report(Rule::DeadLink, Place::new(config::FILE, span), message, help);
        }
    }

    fn report_needed(&mut self, file: &Arc<str>, span: Span, address: &str, needed_for: &str, help: &str) {
        let message = format!("the address `/{address}` is needed for {needed_for}");
        self.diagnostics.report(Rule::UrlCollision, Place::new(file.clone(), span), message, help);
    }

    /// Whether a path is in a folder that contains only generated files, in any language: the data files, and the search index.
    fn is_reserved(&self, path: &str) -> bool {
        let folder = path.split_once('/').and_then(|(first, _)| GeneratedPage::at(first));
        matches!(folder, Some(GeneratedPage::Api | GeneratedPage::Search))
            && folder.is_some_and(|page| self.generated_pages.contains(&page))
    }

    /// Whether a generated page below a [`GeneratedPage`] has this path: a comparison of two providers, the architecture of a release, the ports of a provider,
    /// versions of a component or a provider, or a tag.
    fn is_generated_below(&self, path: &str) -> bool {
        let same = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
        let is_provider = |id: &str| self.draft.providers.iter().any(|provider| same(provider.id.as_str(), id));
        let is_component = |id: &str| self.draft.components.iter().any(|component| same(component.id.as_str(), id));
        let is_release = |name: &str| self.draft.vocabulary.releases.iter().any(|facts| same(&facts.release.value.0, name));
        let tags = || self.draft.pages.iter().flat_map(|page| &page.front.tags);
        let is_tag = |name: &str| tags().any(|tag| tag_name(&tag.value.0) == name.to_lowercase());
        match path.split('/').collect::<Vec<_>>()[..] {
            [top, a, b] => same(top, GeneratedPage::Compare.path()) && is_provider(a) && is_provider(b),
            [top, name] => {
                (same(top, GeneratedPage::Architecture.path()) && is_release(name))
                    || (same(top, GeneratedPage::Tags.path()) && is_tag(name))
                    || (same(top, GeneratedPage::Ports.path()) && is_provider(name))
                    || (same(top, GeneratedPage::ComponentVersions.path()) && (is_provider(name) || is_component(name)))
            }
            _ => false,
        }
    }
}

fn index_file(config: &Config, path: &str, lang: &Lang) -> String {
    format!("/{}", config.page_url(path, lang).output_path())
}

pub(super) fn report_collision(url: &str, file: &Arc<str>, other: &Arc<str>, diagnostics: &mut Diagnostics) {
    let message = format!("`{file}` and `{other}` have the same address `{url}`");
    let found = Diagnostic::new(Rule::UrlCollision, Place::new(file.clone(), Span::at(0)), message);
    let found = found.related(Place::new(other.clone(), Span::at(0)), "the other one");
    diagnostics.push(found.help(
        "rename one of them; names that differ only in the case of letters, or in how Unicode composes them, are the same on many systems",
    ));
}

/// The addresses of generated files, in lower case.
fn generated_addresses(config: &Config, pages: &[GeneratedPage]) -> BTreeSet<String> {
    let pages = config.languages.iter().flat_map(|language| {
        pages.iter().map(|page| format!("{}index.html", config.page_url(page.path(), &language.lang).as_str()).to_lowercase())
    });
    let files = ["404.html", "manifest.json", ".nojekyll"].map(|file| format!("/{file}"));
    pages.chain(files).collect()
}

/// Whether an alias is an address of this site; reports it otherwise.
fn is_site_address(alias: &Spanned<String>, config: &Config, file: &Arc<str>, diagnostics: &mut Diagnostics) -> bool {
    let plain = alias.starts_with('/') && !alias.contains(['?', '#', ' ', '\\']) && !alias.split('/').any(|part| part == "..");
    if !plain {
        let base = match config.site_url.base.trim_end_matches('/') {
            "" => String::new(),
            base => format!("`{base}`, "),
        };
        let message = format!("`{}` is not an address of this site", alias.value);
        let invalid = Diagnostic::new(Rule::InvalidValue, Place::new(file.clone(), alias.span), message);
        diagnostics.push(invalid.help(format!("write it from the root of the site, such as `/old/page/`, without {base}`?` and `#`")));
    }
    plain
}
