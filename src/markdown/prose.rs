//! The result of rendering: one page's HTML, headings, links and plain text.

use super::{code::CodeBlock, facts_query::FactsBlock, html::Html};
use crate::{diagnostic::Rule, text::Span};

/// One page's text, rendered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prose {
    /// The first heading of level 1, if the text begins with one; it is not part of `html`.
    pub title: Option<Heading>,
    /// The text without the title.
    pub html: Html,
    /// Headings in order, without `title`.
    pub headings: Vec<Heading>,
    /// Ids of raw HTML elements. Links can refer to them in the same way as to headings.
    pub anchors: Vec<String>,
    /// Links and images in order; holes refer to them by index.
    pub links: Vec<Link>,
    /// Blocks `listing` in order; holes refer to them by index.
    pub listings: Vec<ListingBlock>,
    /// Blocks `facts` in order; holes refer to them by index.
    pub facts: Vec<FactsBlock>,
    /// Code blocks to highlight, in order; holes refer to them by index.
    pub codes: Vec<CodeBlock>,
    /// Plain text by section, for search and descriptions: code and tables included, markup dropped.
    pub sections: Vec<TextSection>,
    /// Problems of this file alone; spans are relative to the text that was given.
    pub problems: Vec<Problem>,
    /// The first table in the section with the explicit id `symptoms`: symptom, likely cause, what to do.
    pub symptoms: Option<Symptoms>,
}

/// A table of symptoms.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symptoms {
    /// The number of its rows.
    pub rows: usize,
    /// The rows without an action, the third cell; spans are relative to the text that was given.
    pub without_action: Vec<Span>,
}

impl Prose {
    /// The first heading of any level.
    #[must_use]
    pub fn first_heading(&self) -> Option<&Heading> {
        self.title.as_ref().or_else(|| self.headings.first())
    }

    /// Releases spare capacity: the prose of a whole site is in memory at once.
    pub(super) fn shrink(&mut self) {
        self.links.shrink_to_fit();
        self.codes.shrink_to_fit();
        self.headings.shrink_to_fit();
    }

    /// The keys of the evidence that the text cites, in order.
    pub fn citations(&self) -> impl Iterator<Item = &str> {
        self.links.iter().filter_map(|link| match &link.target {
            Target::Citation(key) => Some(key.as_str()),
            _ => None,
        })
    }
}

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// 1 to 6.
    pub level: u8,
    /// The heading's fragment; unique on the page.
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

/// The plain text under one heading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextSection {
    /// Index into [`Prose::headings`]; `None` before the first.
    pub heading: Option<usize>,
    /// Plain text, blocks separated by a line break.
    pub text: String,
    /// Ids in the text, in order, for which the reader sees the name of the page that they link to.
    pub names: Vec<NamedLink>,
}

impl TextSection {
    /// Removes white space at both ends and adjusts the names: one may begin or end in the removed space, or consist of nothing else.
    pub(super) fn trim(&mut self) {
        let removed = self.text.len() - self.text.trim_start().len();
        self.text = self.text.trim().to_owned();
        for name in &mut self.names {
            let within = |at: usize| at.saturating_sub(removed).min(self.text.len());
            name.span = Span::from(within(name.span.start)..within(name.span.end));
        }
        self.names.retain(|name| !name.span.range().is_empty());
    }
}

/// An id in plain text, displayed as the name of the page that it links to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedLink {
    /// The id, relative to the text of its section.
    pub span: Span,
    /// Index into [`Prose::links`].
    pub link: usize,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The destination, as written.
    pub target: Target,
    /// The kind of the file that the page shows in place of the link; `None` for a link to click.
    pub embedded: Option<Embedded>,
    /// The whole link in the source.
    pub span: Span,
}

/// A kind of file that is shown in a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Embedded {
    /// An image, or the poster of a video.
    Picture,
    /// A video.
    Video,
    /// An audio file.
    Audio,
    /// The captions, chapters or descriptions of a video.
    TextTrack,
}

impl Embedded {
    /// Its name in findings.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Picture => "picture",
            Self::Video => "video",
            Self::Audio => "audio file",
            Self::TextTrack => "text track",
        }
    }
}

/// A fenced block `listing`: kubectl output, to be explained row by row from the facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingBlock {
    /// The text between the fences.
    pub text: String,
    /// The span of each line in the source, without surrounding white space; one for each of [`str::lines`].
    pub lines: Vec<Span>,
    /// `title="…"`
    pub title: Option<String>,
    /// `provider=…`, as written, and its span.
    pub provider: Option<(String, Span)>,
}

/// The destination of a link, as its author wrote it. Paths and anchors are percent-decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `[[id]]`, `[[id#anchor]]`; `[[#anchor]]` has an empty id and means this page.
    Id {
        /// The id of the page.
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

impl Target {
    /// The target as it is written, without the brackets of an id or a citation.
    #[must_use]
    pub fn written(&self) -> String {
        let (path, anchor) = match self {
            Self::Id { id, anchor } => (id, anchor.as_ref()),
            Self::File { path, anchor } | Self::Absolute { path, anchor } => (path, anchor.as_ref()),
            Self::Anchor(anchor) => return format!("#{anchor}"),
            Self::Citation(text) | Self::External(text) => return text.clone(),
        };
        anchor.map_or_else(|| path.clone(), |anchor| format!("{path}#{anchor}"))
    }
}

/// A problem of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind.
    pub rule: Rule,
    /// Relative to the text that was given.
    pub span: Span,
    /// A description of the problem.
    pub message: String,
    /// How to fix it.
    pub help: String,
}
