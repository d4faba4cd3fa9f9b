//! `book.toml` as it is written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::{decode::Spanned, diagnostic::RuleLevel, id::Lang};

/// The file as it is written.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BookToml {
    /// What the site is.
    #[serde(default)]
    pub book: BookTable,
    /// How it is built.
    #[serde(default)]
    pub build: BuildTable,
    /// Settings by kind of output.
    #[serde(default)]
    pub output: OutputTable,
    /// The languages of the site, by tag. The table of the book's own language may be left out.
    #[serde(default)]
    pub languages: BTreeMap<Spanned<Lang>, LanguageTable>,
    /// Texts that pages use: `{{name}}` stands for the value of `name`. Write `\{{name}}` for the text itself.
    #[serde(default)]
    pub variables: VariablesTable,
    /// The severities of rules: `error`, `warning` or `off`. `ksys-docs rule` lists the rules.
    #[serde(default)]
    pub rules: RuleTable,
    /// The severities of rules in a folder, which is relative to book.toml. They take precedence over `rules`.
    #[serde(default)]
    pub rules_in: BTreeMap<Spanned<String>, RuleTable>,
}

/// `[rules]`
pub type RuleTable = BTreeMap<Spanned<String>, RuleLevel>;

/// `[book]`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BookTable {
    /// The name of the site.
    pub title: Option<String>,
    /// Who writes it.
    #[serde(default)]
    pub authors: Vec<String>,
    /// One sentence for search engines.
    pub description: Option<String>,
    /// The language at the site's root. Default: `en`.
    pub language: Option<Spanned<Lang>>,
    /// The folder of the content. Default: `content`; `src` if there is no such folder and `src/SUMMARY.md` exists, as in mdBook.
    pub src: Option<Spanned<String>>,
}

/// `[build]`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct BuildTable {
    /// Where the site is written, relative to book.toml. Default: `book`.
    pub build_dir: Option<Spanned<String>>,
    /// The age, in days compared with the newest evidence, from which the coverage page lists evidence to check again. Default: 365.
    pub recheck_after_days: Option<u32>,
}

/// `[variables]`
pub type VariablesTable = BTreeMap<Spanned<String>, String>;

/// `[output]`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct OutputTable {
    /// The HTML site.
    #[serde(default)]
    pub html: HtmlTable,
}

/// `[output.html]`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "each is a setting that authors write")]
pub struct HtmlTable {
    /// Where the site is published: a full URL (`https://example.org/docs/`) or a path (`/docs/`). Default: `/`.
    pub site_url: Option<Spanned<String>>,
    /// The repository, linked from every page.
    pub git_repository_url: Option<Spanned<String>>,
    /// The address that edits a file; `{path}` stands for its path relative to book.toml.
    pub edit_url_template: Option<Spanned<String>>,
    /// A domain name for the file CNAME, which some hosts require.
    pub cname: Option<Spanned<String>>,
    /// Style sheets of this site, relative to book.toml, loaded after the theme's.
    #[serde(default)]
    pub additional_css: Vec<Spanned<String>>,
    /// Scripts of this site, relative to book.toml.
    #[serde(default)]
    pub additional_js: Vec<Spanned<String>>,
    /// A picture before the name of the site, relative to book.toml.
    pub logo: Option<Spanned<String>>,
    /// A message at the top of every page, with code between backticks.
    pub banner: Option<String>,
    /// The links at the top of every page. Default: the generated pages, and the pages at the top level.
    #[serde(default)]
    pub menu: Vec<MenuTable>,
    /// Let raw HTML in Markdown pass unchanged. Only for content that you trust. Default: false.
    #[serde(default)]
    pub allow_html: bool,
    /// Write quotation marks, dashes and ellipses of typography for `"`, `--` and `...`. Default: true if there is a `SUMMARY.md`, as in mdBook; else false.
    pub smart_punctuation: Option<bool>,
    /// The former name of `smart-punctuation`.
    pub curly_quotes: Option<bool>,
    /// Read `$…$` as a formula of LaTeX and `$$…$$` as one for display. Default: false, because `$` is text in most technical writing.
    #[serde(default)]
    pub math: bool,
    /// The same as `math`; also reads `\\(…\\)`, and `\\[…\\]` for display, as MathJax in mdBook.
    #[serde(default)]
    pub mathjax_support: bool,
    /// Show the names of chapters without their numbers. Default: false.
    #[serde(default)]
    pub no_section_label: bool,
    /// Redirects: from addresses of this site that have no page, such as `/old.html`, to addresses of this site or full URLs.
    #[serde(default)]
    pub redirect: BTreeMap<Spanned<String>, Spanned<String>>,
    /// The names of folders in addresses.
    #[serde(default)]
    pub folders: FoldersTable,
    /// Blocks of code.
    #[serde(default)]
    pub code: CodeTable,
}

/// `[[output.html.menu]]`
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MenuTable {
    /// An address of this site, such as `/guide/`, or a full URL.
    pub link: Spanned<String>,
    /// The text of the link.
    pub title: String,
    /// The text by language, if it differs.
    #[serde(default)]
    pub titles: BTreeMap<Lang, String>,
}

/// `[output.html.folders]`: the first part of the addresses of components, providers and concepts. Their folders in the repository keep their names.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FoldersTable {
    /// The folder of the pages of components, for example `services`. Default: `components`.
    pub components: Option<Spanned<String>>,
    /// The folder of the pages of providers. Default: `providers`.
    pub providers: Option<Spanned<String>>,
    /// The folder of the pages of concepts. Default: `concepts`.
    pub concepts: Option<Spanned<String>>,
}

/// `[output.html.code]`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CodeTable {
    /// For languages, the prefix of lines that are not shown, such as `python = "~"`. In Rust, these are lines that begin with `# `.
    #[serde(default)]
    pub hidelines: BTreeMap<String, String>,
}

/// `[languages.<tag>]`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct LanguageTable {
    /// The language's name in itself, for the language switch.
    pub name: Option<String>,
    /// The site's name in this language. Default: the book's.
    pub title: Option<String>,
    /// The site's description in this language. Default: the book's.
    pub description: Option<String>,
    /// The message at the top of every page in this language. Default: that of `[output.html]`.
    pub banner: Option<String>,
    /// Whether every page is expected to be translated into this language; if not, missing translations aren't reported. Default: true.
    pub complete: Option<bool>,
}
