//! The format of `book.toml`: mdBook's keys with mdBook's meaning, and some additional ones.

mod book_toml;
mod checker;
mod site_url;
mod unused;

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

pub use book_toml::{
    BookTable, BookToml, BuildTable, CodeTable, FoldersTable, HtmlTable, LanguageTable, MenuTable, OutputTable, RuleTable, VariablesTable,
};
pub use site_url::SiteUrl;

use checker::Checker;

use crate::{
    decode::{Spanned, decode},
    diagnostic::{Diagnostics, RuleLevels},
    id::Lang,
    markdown::MathSyntax,
    summary::{self, Summary},
    text::Span,
    toml_tree,
    url::Url,
};

/// The name of the configuration file, at the root of a knowledge base.
pub const FILE: &str = "book.toml";

/// The content folder, if the file names none.
const DEFAULT_SRC: &str = "content";

/// The content folder of mdBook.
const BOOK_SRC: &str = "src";

/// A year: a platform with three releases a year has changed its documentation by then.
const RECHECK_AFTER_DAYS: u32 = 365;

/// The checked configuration.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "settings are independent of each other")]
pub struct Config {
    /// The authors for the metadata of pages.
    pub authors: Vec<String>,
    /// The folder of the content: relative to the root, with `/` between parts.
    pub src: String,
    /// The output folder relative to the root; the command line can override it.
    pub build_dir: String,
    /// The languages, at least one; the first is at the site's root.
    pub languages: Vec<Language>,
    /// The address of the published site.
    pub site_url: SiteUrl,
    /// The date of the build, if checks depend on it. Not part of the file.
    pub today: Option<jiff::civil::Date>,
    /// The address of the repository.
    pub repository: Option<String>,
    /// The address to edit a file, with `{path}` for its path.
    pub edit_url_template: Option<String>,
    /// The domain name for the file `CNAME`.
    pub cname: Option<String>,
    /// Additional style sheets, as paths relative to the root.
    pub additional_css: Vec<String>,
    /// Additional scripts, as paths relative to the root.
    pub additional_js: Vec<String>,
    /// Whether raw HTML in Markdown is kept.
    pub allow_html: bool,
    /// How many days evidence can be older than the newest before the coverage page lists it.
    pub recheck_after_days: u32,
    /// The severities of rules.
    pub rules: RuleLevels,
    /// Whether there are components, providers or concepts, so that their folders have a meaning. Not part of the file.
    pub has_entities: bool,
    /// The chapters of a book, if there is a `SUMMARY.md` and no entities. Not part of the file.
    pub summary: Option<Arc<Summary>>,
    /// Whether chapters are shown with their numbers.
    pub section_numbers: bool,
    /// Redirects from addresses without a page.
    pub redirects: Vec<Redirect>,
    /// The picture before the name of the site, as a path relative to the root.
    pub logo: Option<String>,
    /// Folders whose names in addresses differ from those in the repository.
    pub folders: Vec<RenamedFolder>,
    /// The links at the top of every page; empty for the default.
    pub menu: Vec<MenuEntry>,
    /// The prefixes of hidden lines of code, by language.
    pub hidden_lines: BTreeMap<String, String>,
    /// Texts that pages use as `{{name}}`.
    pub variables: BTreeMap<String, String>,
    /// The preprocessors of mdBook that are programs, with the spans of their names.
    pub preprocessors: Vec<(String, Span)>,
    /// Whether the file names the content folder.
    has_src: bool,
    smart_punctuation: Option<bool>,
    /// The delimiters of formulas.
    pub math: MathSyntax,
}

/// A link at the top of every page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuEntry {
    /// The target.
    pub to: Destination,
    /// The span of the target in `book.toml`.
    pub span: Span,
    /// The text.
    pub title: String,
    /// The text by language, if it differs.
    pub titles: BTreeMap<Lang, String>,
}

/// A folder whose name in addresses differs from that in the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamedFolder {
    /// The name in the repository.
    pub name: &'static str,
    /// The name in addresses.
    pub address: String,
    /// The span of the name in `book.toml`.
    pub span: Span,
}

/// A redirect from an address without a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// The address, from the root of the site.
    pub from: Url,
    /// The target.
    pub to: Destination,
    /// The span of the target in `book.toml`.
    pub span: Span,
}

/// The target of a redirect or of a link in the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// A full URL.
    Web(String),
    /// An address of this site.
    Site {
        /// The address of a page or file.
        url: Url,
        /// The section with its `#`, or nothing.
        fragment: String,
    },
}

/// One language of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its tag.
    pub lang: Lang,
    /// The span of its tag in `book.toml`; empty if the file does not name it.
    pub span: Span,
    /// Its name in the language itself.
    pub name: String,
    /// The site's name.
    pub title: String,
    /// The site's description.
    pub description: String,
    /// Whether every page is expected to have a text in this language.
    pub is_complete: bool,
    /// The message at the top of every page.
    pub banner: Option<String>,
}

impl Config {
    /// The language at the site's root.
    #[must_use]
    pub fn default_language(&self) -> &Lang {
        &self.languages[0].lang
    }

    /// The language of an address, and the path of its page: the inverse of [`Self::page_url`]. `path` has no leading slash.
    #[must_use]
    pub fn language_of<'a>(&self, path: &'a str) -> (&Lang, &'a str) {
        let others = self.languages.iter().skip(1).map(|language| &language.lang);
        let inside = |lang: &Lang| {
            let rest = path.strip_prefix(lang.as_str())?;
            if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
        };
        others.into_iter().find_map(|lang| Some((lang, inside(lang)?))).unwrap_or((self.default_language(), path))
    }

    /// Uses `src` as the content folder if the file names none and only that folder has the form of a book. `exists` tells whether there is a file or folder at a
    /// path relative to book.toml.
    pub fn find_src(&mut self, exists: impl Fn(&str) -> bool) {
        if !self.has_src && !exists(DEFAULT_SRC) && exists(&format!("{BOOK_SRC}/{}", summary::FILE)) {
            BOOK_SRC.clone_into(&mut self.src);
        }
    }

    /// The title and the number of the chapter in a file, which is relative to book.toml.
    #[must_use]
    pub fn chapter(&self, file: &str) -> Option<(&str, Option<&str>)> {
        self.summary.as_ref()?.chapter(file.strip_prefix(&self.src)?.strip_prefix('/')?)
    }

    /// Whether quotation marks and dashes become those of typography.
    #[must_use]
    pub fn has_smart_punctuation(&self) -> bool {
        self.smart_punctuation.unwrap_or(self.summary.is_some())
    }

    /// The settings of a language; those of the default language if it has none.
    #[must_use]
    pub fn language(&self, lang: &Lang) -> &Language {
        self.languages.iter().find(|language| language.lang == *lang).unwrap_or(&self.languages[0])
    }

    /// The address of a page in a language: at the root for the default language, below the tag for others.
    #[must_use]
    pub fn page_url(&self, path: &str, lang: &Lang) -> Url {
        let path = replace_folder(path, self.folders.iter().map(|folder| (folder.name, folder.address.as_str())));
        if lang == self.default_language() { Url::page(&path) } else { Url::page(&format!("{lang}/{path}")) }
    }

    /// The path of the page at an address without the language.
    #[must_use]
    pub fn path_at<'a>(&self, address: &'a str) -> Cow<'a, str> {
        replace_folder(address, self.folders.iter().map(|folder| (folder.address.as_str(), folder.name)))
    }
}

/// A path with another name of its first folder, if there is one. `names` are pairs of the present and the other name.
fn replace_folder<'a, 'n>(path: &'a str, mut names: impl Iterator<Item = (&'n str, &'n str)>) -> Cow<'a, str> {
    let first = path.split('/').next().unwrap_or_default();
    names.find(|(present, _)| *present == first).map_or(Cow::Borrowed(path), |(_, other)| format!("{other}{}", &path[first.len()..]).into())
}

/// Parses `book.toml`. Mistakes go to `diagnostics`; invalid settings get their defaults, so that other files can be checked in the same run.
#[must_use]
pub fn parse(file: &Arc<str>, text: &str, diagnostics: &mut Diagnostics) -> Config {
    let node = toml_tree::parse(file, text, 0, diagnostics);
    let (node, preprocessors) = unused::remove(file, node, diagnostics);
    let written: BookToml = decode(file, &node, diagnostics).unwrap_or_default();
    Config { preprocessors, ..check(file, written, diagnostics) }
}

/// Checks the settings, and fills in defaults.
fn check(file: &Arc<str>, written: BookToml, diagnostics: &mut Diagnostics) -> Config {
    let mut checker = Checker { file, diagnostics };
    let html = written.output.html;
    let src = written.book.src.as_ref().and_then(|path| checker.inner_path(path)).unwrap_or_else(|| DEFAULT_SRC.to_owned());
    let build_dir = written.build.build_dir.as_ref().map_or("book", |dir| dir.value.as_str()).to_owned();
    if let Some(dir) = &written.build.build_dir {
        if dir.trim().is_empty() {
            checker.bad(dir.span, "the output folder has no name", "write for example `build-dir = \"book\"`");
        } else if is_inside(&build_dir, &src) || matches!(build_dir.trim_end_matches('/'), "." | "./" | "..") || is_inside(&src, &build_dir)
        {
            let help = "choose a separate folder, for example `build-dir = \"book\"`";
            checker.bad(
                dir.span,
                &format!("one of the output folder `{build_dir}` and the content folder `{src}` contains the other"),
                help,
            );
        }
    }
    let site_url = html.site_url.as_ref().and_then(|url| SiteUrl::parse(url));
    if let Some(url) = html.site_url.as_ref().filter(|_| site_url.is_none()) {
        let message = format!("`{}` is not a web address or a path", url.value);
        checker.bad(url.span, &message, "write `https://example.org/docs/` or `/docs/`");
    }
    if let Some(template) = html.edit_url_template.as_ref().filter(|template| !template.contains("{path}")) {
        let help = "`{path}` is replaced by the path of the file, as in `https://github.com/o/r/edit/main/{path}`";
        checker.bad(template.span, "the edit address does not contain `{path}`", help);
    }
    for url in [&html.git_repository_url, &html.edit_url_template].into_iter().flatten() {
        if !matches!(crate::url::scheme(url).as_deref(), Some("http" | "https")) {
            checker.bad(url.span, &format!("`{}` is not a web address", url.value), "begin it with `https://`");
        }
    }
    if let Some(cname) =
        html.cname.as_ref().filter(|name| name.is_empty() || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)))
    {
        checker.bad(cname.span, &format!("`{}` is not a domain name", cname.value), "write for example `cname = \"docs.example.org\"`");
    }
    let additional_css = html.additional_css.iter().filter_map(|path| checker.inner_path(path)).collect();
    let additional_js = html.additional_js.iter().filter_map(|path| checker.inner_path(path)).collect();
    Config {
        languages: languages(&written.book, &written.languages, html.banner.as_deref()),
        authors: written.book.authors,
        src,
        build_dir,
        site_url: site_url.unwrap_or_else(|| SiteUrl { origin: None, base: "/".to_owned() }),
        today: None,
        repository: html.git_repository_url.map(|url| url.value),
        edit_url_template: html.edit_url_template.map(|template| template.value),
        cname: html.cname.map(|name| name.value),
        additional_css,
        additional_js,
        allow_html: html.allow_html,
        rules: checker.rules(&written.rules, &written.rules_in),
        logo: html.logo.as_ref().and_then(|path| checker.inner_path(path)),
        folders: checker.folders(html.folders),
        menu: html.menu.into_iter().filter_map(|entry| checker.menu(entry)).collect(),
        redirects: html.redirect.iter().filter_map(|(from, to)| checker.redirect(from, to)).collect(),
        has_entities: true,
        summary: None,
        section_numbers: !html.no_section_label,
        hidden_lines: html.code.hidelines,
        variables: checker.variables(written.variables),
        preprocessors: Vec::new(),
        has_src: written.book.src.is_some(),
        math: match (html.mathjax_support, html.math) {
            (true, _) => MathSyntax::MathJax,
            (false, true) => MathSyntax::Dollars,
            (false, false) => MathSyntax::Off,
        },
        smart_punctuation: html.smart_punctuation.or(html.curly_quotes),
        recheck_after_days: written.build.recheck_after_days.unwrap_or(RECHECK_AFTER_DAYS),
    }
}

/// The book's own language first, the others in the order of their tags.
fn languages(book: &BookTable, tables: &BTreeMap<Spanned<Lang>, LanguageTable>, banner: Option<&str>) -> Vec<Language> {
    let english = || Lang::new("en").map(|lang| Spanned::new(lang, Span::at(0)));
    let default = book.language.clone().or_else(english);
    let title = book.title.clone().unwrap_or_default();
    let description = book.description.clone().unwrap_or_default();
    let others = tables.keys().filter(|lang| Some(*lang) != default.as_ref()).cloned();
    default
        .iter()
        .cloned()
        .chain(others)
        .map(|Spanned { value: lang, span }| {
            let table = tables.get(&Spanned::new(lang.clone(), span)).cloned().unwrap_or_default();
            Language {
                name: table.name.unwrap_or_else(|| native_name(&lang)),
                title: table.title.unwrap_or_else(|| title.clone()),
                description: table.description.unwrap_or_else(|| description.clone()),
                is_complete: table.complete.unwrap_or(true),
                banner: table.banner.or_else(|| banner.map(str::to_owned)),
                lang,
                span,
            }
        })
        .collect()
}

/// The names of the languages whose user interface is built in; the tag for any other.
fn native_name(lang: &Lang) -> String {
    match lang.as_str() {
        "de" => "Deutsch".to_owned(),
        "en" => "English".to_owned(),
        "es" => "Español".to_owned(),
        "fr" => "Français".to_owned(),
        "ja" => "日本語".to_owned(),
        "ko" => "한국어".to_owned(),
        "zh" | "zh-CN" | "zh-Hans" => "简体中文".to_owned(),
        other => other.to_owned(),
    }
}

/// Whether a relative folder is `outer` or inside it.
fn is_inside(inner: &str, outer: &str) -> bool {
    let parts =
        |path: &str| -> Vec<String> { path.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect() };
    parts(inner).starts_with(&parts(outer))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let mut diagnostics = Diagnostics::new();
        let _ = parse(&FILE.into(), text, &mut diagnostics);
        diagnostics
            .sorted()
            .into_iter()
            .map(|found| {
                let at = crate::text::line_column(text, found.place.unwrap().span.start);
                format!("{}:{} {}: {} ({})", at.line, at.column, found.rule.name(), found.message, found.help.unwrap_or_default())
            })
            .collect()
    }

    fn config(text: &str) -> Config {
        let mut diagnostics = Diagnostics::new();
        let config = parse(&FILE.into(), text, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        config
    }

    #[test]
    fn an_empty_file_is_a_site() {
        let config = config("");
        assert_eq!((config.src.as_str(), config.build_dir.as_str(), config.default_language().as_str()), ("content", "book", "en"));
    }

    #[test]
    fn every_mistake_has_a_place_and_a_suggestion() {
        assert_eq!(
            problems("[book]\ntitel = \"x\"\nauthors = \"me\"\nlanguage = 3\n\n[output.html]\nsite-ulr = \"/\"\n"),
            [
                "2:1 unknown-field: unknown key `titel` (did you mean `title`?)",
                "3:11 wrong-type: expected a list, found the text `me` (write a list: [me])",
                "4:12 wrong-type: expected text, found the number `3` (to write text, put it in quotes: \"3\")",
                "7:1 unknown-field: unknown key `site-ulr` (did you mean `site-url`?)",
            ]
        );
        assert!(problems("[book]\ntitle = x\n")[0].starts_with("2:9 toml-syntax"));
        assert!(
            problems("[book]\ntitle = \"a\"\ntitle = \"b\"\n")[0].starts_with("3:1 duplicate-key"),
            "{:?}",
            problems("[book]\ntitle = \"a\"\ntitle = \"b\"\n")
        );
    }

    #[test]
    fn thousands_of_mistakes_are_counted() {
        let keys = (0..5_000).map(|key| format!("k{key} = 1\n")).collect::<Vec<_>>().concat();
        let found = problems(&format!("{keys}[book]\n{keys}"));
        assert_eq!(found.len(), 101);
        assert!(found[100].starts_with("101:1 unknown-field: … and 9,900 more findings of this rule in this file"), "{}", found[100]);
    }

    #[test]
    fn output_and_content_are_separate() {
        for dir in ["content", "content/book", ".", "./content/x", ""] {
            assert!(problems(&format!("[build]\nbuild-dir = \"{dir}\"\n")).iter().any(|found| found.contains("bad-config")), "{dir}");
        }
        config("[build]\nbuild-dir = \"content-book\"\n");
    }

    #[test]
    fn site_urls() {
        let site = |url: &str| config(&format!("[output.html]\nsite-url = \"{url}\"\n")).site_url;
        assert_eq!(site("/docs"), SiteUrl { origin: None, base: "/docs/".into() });
        assert_eq!(site("https://example.org"), SiteUrl { origin: Some("https://example.org".into()), base: "/".into() });
        let full = site("https://example.org/a/b/");
        assert_eq!(full.absolute(&Url::page("ja/x")).unwrap(), "https://example.org/a/b/ja/x/");
    }

    #[test]
    fn languages_follow_the_default() {
        let config = config("[book]\ntitle = \"T\"\nlanguage = \"ja\"\n[languages.en]\ntitle = \"E\"\n[languages.ja]\n");
        let names: Vec<_> = config.languages.iter().map(|l| (l.lang.as_str(), l.name.as_str(), l.title.as_str())).collect();
        assert_eq!(names, [("ja", "日本語", "T"), ("en", "English", "E")]);
        assert_eq!(config.page_url("a", &config.languages[1].lang).as_str(), "/en/a/");
    }
}
