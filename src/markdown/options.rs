//! Settings of the renderer.

use std::collections::BTreeMap;

/// The settings for rendering a page.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Terms and their meanings, in the page's language: the first use of each term on a page gets a tooltip.
    pub glossary: &'a BTreeMap<String, String>,
    /// Interface strings, in the page's language.
    pub labels: &'a Labels,
    /// Whether raw HTML is copied unchanged (`[output.html] allow-html`). By default only harmless elements are kept.
    pub allow_html: bool,
    /// Whether `"`, `--` and `...` become the characters of typography.
    pub smart_punctuation: bool,
    /// Which delimiters begin and end a formula.
    pub math: MathSyntax,
    /// For languages of code, the prefix of lines that are not shown.
    pub hidden_lines: &'a BTreeMap<String, String>,
    /// Whether the site has components, providers or concepts, so that blocks `facts` have a meaning.
    pub has_facts: bool,
    /// Ids that the page template uses around the text, and that no heading gets. One that ends with `-` stands for all ids that begin with it.
    pub reserved: &'a [&'a str],
}

/// The delimiters of formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MathSyntax {
    /// None: dollar signs are text.
    #[default]
    Off,
    /// `$…$`, and `$$…$$` for display.
    Dollars,
    /// Also `\\(…\\)`, and `\\[…\\]` for display, which MathJax finds in books of mdBook.
    MathJax,
}

/// No language has hidden lines.
static NO_HIDDEN_LINES: BTreeMap<String, String> = BTreeMap::new();

impl<'a> Options<'a> {
    /// The default settings.
    #[must_use]
    pub const fn new(glossary: &'a BTreeMap<String, String>, labels: &'a Labels) -> Self {
        Self {
            glossary,
            labels,
            allow_html: false,
            smart_punctuation: false,
            math: MathSyntax::Off,
            hidden_lines: &NO_HIDDEN_LINES,
            has_facts: false,
            reserved: &[],
        }
    }
}

/// Interface strings that appear inside prose.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Labels {
    /// Default title for each kind of note: `note`, `tip`, `important`, `warning`, `caution`, `info`, `quote`, `example`.
    pub notes: BTreeMap<String, String>,
    /// Heading above the footnotes.
    pub footnotes: String,
    /// Label of the link from a footnote back into the text.
    pub footnote_back: String,
    /// Label of a citation mark, followed by its number.
    pub citation: String,
    /// Label of a heading's link to itself.
    pub heading_link: String,
    /// Name of a diagram without a title.
    #[serde(default)]
    pub diagram: String,
    /// Label of the control that unfolds the source of a diagram.
    #[serde(default)]
    pub diagram_source: String,
    /// Texts of links that don't describe their targets, in lower case, separated by `|`: `here|this page`.
    #[serde(default)]
    pub vague_links: String,
    /// Accessible name of a checked task list box; empty for none.
    #[serde(default)]
    pub task_done: String,
    /// Accessible name of an unchecked task list box; empty for none.
    #[serde(default)]
    pub task_open: String,
}
