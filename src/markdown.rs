//! Prose: Markdown to HTML with holes where other files are needed.
//!
//! A page is rendered from its own text alone. What depends on the rest of the knowledge base, the address and the name behind a link, is
//! left open as a [`Hole`] and filled when the page is assembled. So each file is rendered once, in parallel, and can be tested on a string.

mod abbreviations;
mod autolinks;
mod blocks;
mod cjk;
mod code;
mod console;
mod containers;
mod diagram;
mod elements;
mod entities;
mod fence;
mod footnotes;
mod headings;
mod html_tokens;
mod images;
mod indentation;
mod inline;
mod links;
mod listing;
mod marker;
mod raw_tags;
mod render;
mod sanitize;
mod source;
mod writer;

use std::collections::BTreeMap;

use pulldown_cmark::{Options as ParserOptions, Parser};

pub use code::CodeBlock;

use crate::{diagnostic::Rule, text::Span};

/// What a page's text is rendered with, besides the text itself.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Terms and what they stand for, in the page's language: each first use on a page gets a tooltip.
    pub glossary: &'a BTreeMap<String, String>,
    /// Words of the user interface, in the page's language.
    pub labels: &'a Labels,
    /// Whether raw HTML passes as it is (`[output.html] allow-html`). By default only harmless elements do.
    pub allow_html: bool,
    /// Ids that the page around the text uses, so that no heading gets one of them.
    pub reserved: &'a [&'a str],
}

/// Words of the user interface that appear inside prose.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Labels {
    /// Title of a note of each kind when its author gives none: `note`, `tip`, `important`, `warning`, `caution`, `info`, `quote`, `example`.
    pub notes: BTreeMap<String, String>,
    /// Heading over the footnotes.
    pub footnotes: String,
    /// Label of the link from a footnote back into the text.
    pub footnote_back: String,
    /// Label of a citation mark, followed by its number.
    pub citation: String,
    /// Label of the link that a heading carries to itself.
    pub heading_link: String,
    /// Name of a diagram whose author gives it no title.
    #[serde(default)]
    pub diagram: String,
    /// Label of what unfolds the source of a diagram.
    #[serde(default)]
    pub diagram_source: String,
    /// Name of the box before an item of a task list that is done; without one the box has no name.
    #[serde(default)]
    pub task_done: String,
    /// Name of the box before an item of a task list that is not done.
    #[serde(default)]
    pub task_open: String,
}

/// One page's text, rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prose {
    /// The first heading of level 1, if the text begins with one; it is not in `html`.
    pub title: Option<Heading>,
    /// The rest.
    pub html: Html,
    /// Headings in order, without `title`.
    pub headings: Vec<Heading>,
    /// Fragments that lead somewhere besides headings: ids in raw HTML.
    pub anchors: Vec<String>,
    /// Links and images in order; holes refer to them by index.
    pub links: Vec<Link>,
    /// Blocks `listing` in order; holes refer to them by index.
    pub listings: Vec<ListingBlock>,
    /// Blocks of code in order, without those that are not to be coloured; holes refer to them by index.
    pub codes: Vec<CodeBlock>,
    /// Plain text by section, for search and descriptions: code and tables included, markup dropped.
    pub sections: Vec<Section>,
    /// What is wrong in this file alone; spans are relative to the text that was given.
    pub problems: Vec<Problem>,
}

impl Prose {
    /// Gives back what was reserved for more: the texts of a whole site are held at once.
    fn shrink(&mut self) {
        self.links.shrink_to_fit();
        self.codes.shrink_to_fit();
        self.headings.shrink_to_fit();
    }

    /// The keys of the evidence that it cites, in order.
    pub fn citations(&self) -> impl Iterator<Item = &str> {
        self.links.iter().filter_map(|link| match &link.target {
            Target::Citation(key) => Some(key.as_str()),
            _ => None,
        })
    }
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The fragment that leads here; unique on the page.
    pub id: String,
    /// Whether the author wrote the id (`{#id}`).
    pub explicit: bool,
    /// Inline HTML without links, for tables of contents.
    pub html: String,
    /// Plain text.
    pub text: String,
    /// The heading's lines in the source.
    pub span: Span,
}

/// The text under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Index into [`Prose::headings`]; `None` before the first.
    pub heading: Option<usize>,
    /// Plain text, blocks separated by a line break.
    pub text: String,
    /// Where an id stands in the text, in order, and the reader sees the name of what it links to.
    pub names: Vec<NamedLink>,
}

/// An id in plain text that stands for a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedLink {
    /// The id, relative to the text of its section.
    pub span: Span,
    /// Index into [`Prose::links`].
    pub link: usize,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct Link {
    /// Where it leads, as written.
    pub target: Target,
    /// Whether it is an image's source.
    pub image: bool,
    /// The whole link in the source.
    pub span: Span,
}

/// A fenced block `listing`: what kubectl printed, to be explained row by row from the facts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct ListingBlock {
    /// What stands between the fences.
    pub text: String,
    /// Where each of its lines stands in the source, without the white space around it; one for each of [`str::lines`].
    pub lines: Vec<Span>,
    /// `title="…"`
    pub title: Option<String>,
    /// `provider=…`, as written, and where.
    pub provider: Option<(String, Span)>,
}

/// Where a link leads, as its author wrote it. Paths and anchors are percent-decoded.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub enum Target {
    /// `[[id]]`, `[[id#anchor]]`; `[[#anchor]]` has an empty id and means this page.
    Id {
        /// What is linked to.
        id: String,
        /// The section.
        anchor: Option<String>,
    },
    /// `[[^key]]`: an evidence entry of the page's own facts.
    Citation(String),
    /// A path relative to the file.
    File {
        /// As written, without the anchor.
        path: String,
        /// The section.
        anchor: Option<String>,
    },
    /// A path from the site's root, beginning with `/`.
    Absolute {
        /// As written, without the anchor.
        path: String,
        /// The section.
        anchor: Option<String>,
    },
    /// `#anchor` on the same page.
    Anchor(String),
    /// A URL with a scheme (`https:`, `http:`, `mailto:` …) or `//host`.
    External(String),
}

/// HTML with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Html {
    /// The HTML without what goes into the holes.
    pub text: String,
    /// Where to insert, in ascending order of `at`.
    pub holes: Vec<Hole>,
}

/// A place in the HTML to fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hole {
    /// Byte offset in [`Html::text`].
    pub at: usize,
    /// What to insert.
    pub kind: HoleKind,
}

/// What goes into a hole. The number is an index into [`Prose::links`], [`Prose::listings`] or [`Prose::codes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoleKind {
    /// The address of a link, as the value of a quoted attribute.
    Address(usize),
    /// The name of what `[[id]]` leads to, as text.
    Name(usize),
    /// The number of a citation, as text.
    Number(usize),
    /// A listing with its explanation, as a block of HTML.
    Listing(usize),
    /// The lines of a block of code, coloured: colours are more than half of a site's HTML, and nobody needs them before the page is shown.
    Code(usize),
}

impl Html {
    /// The HTML with every hole filled by `fill`, which must append text that is already escaped, or HTML for a listing or code.
    pub fn fill(&self, mut fill: impl FnMut(HoleKind, &mut String)) -> String {
        let mut filled = String::with_capacity(self.text.len() + 32 * self.holes.len());
        let mut done = 0;
        for hole in &self.holes {
            filled.push_str(&self.text[done..hole.at]);
            fill(hole.kind, &mut filled);
            done = hole.at;
        }
        filled.push_str(&self.text[done..]);
        filled
    }
}

/// Something wrong in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind.
    pub rule: Rule,
    /// Where, relative to the text that was given.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to type next.
    pub help: Option<String>,
}

/// Renders a page's text, without its front matter. Line ends must be `\n`.
#[must_use]
pub fn render(text: &str, options: &Options<'_>) -> Prose {
    let containers::Rewritten { source, blocks, abbreviations, problems } = containers::rewrite(source::Source::new(text));
    let positions: Vec<usize> = blocks.iter().map(|block| block.at).collect();
    let (source, mark, positions) = cjk::mark_emphasis(source, &positions);
    let blocks: Vec<containers::Block> = blocks.into_iter().zip(positions).map(|(block, at)| containers::Block { at, ..block }).collect();
    let events: Vec<render::Located<'_>> = Parser::new_ext(&source.text, parser_options()).into_offset_iter().collect();
    let mut prose = render::Renderer::new(*options, false, (&source, mark), &events, &blocks, &abbreviations).run();
    prose.problems.extend(problems);
    prose.problems.sort_by_key(|problem| problem.span.start);
    prose.shrink();
    prose
}

/// Whether a line of a terminal session is a command behind a prompt. `# ` alone is taken for a comment.
#[must_use]
pub fn is_prompt(line: &str) -> bool {
    console::prompt(line, false).is_some()
}

/// The extensions of CommonMark that pages are written in.
fn parser_options() -> ParserOptions {
    ParserOptions::ENABLE_TABLES
        | ParserOptions::ENABLE_FOOTNOTES
        | ParserOptions::ENABLE_STRIKETHROUGH
        | ParserOptions::ENABLE_TASKLISTS
        | ParserOptions::ENABLE_HEADING_ATTRIBUTES
        | ParserOptions::ENABLE_DEFINITION_LIST
        | ParserOptions::ENABLE_WIKILINKS
}

/// CommonMark alone, raw HTML included, printed as its specification does.
#[cfg(test)]
fn render_plain(text: &str, options: &Options<'_>) -> Prose {
    let source = source::Source::new(text);
    let events: Vec<render::Located<'_>> = Parser::new_ext(text, ParserOptions::empty()).into_offset_iter().collect();
    let options = Options { allow_html: true, ..*options };
    render::Renderer::new(options, true, (&source, None), &events, &[], &[]).run()
}

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod tests;
