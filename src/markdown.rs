//! Prose: Markdown to HTML with holes for everything that depends on other files.
//!
//! A page is rendered from its own text alone. Everything that depends on the knowledge base, such as the address and the name of a linked
//! page, is left open as a [`Hole`] and filled when the page is assembled. So each file is rendered once, in parallel, and can be tested on
//! a string.
//!
//! ```text
//! text ──containers, mathjax, cjk──▶ text for the parser ──pulldown-cmark──▶ events ──render──▶ Prose
//! ```
//!
//! [`render::MarkdownRenderer`] walks over the events once and passes each to a part of the page, such as headings, links, tables or raw HTML. A part owns the
//! state that only it needs, and writes to the [`output::PageOutput`], which is independent of the parts.

mod abbreviations;
mod autolinks;
mod cjk;
mod code;
mod code_blocks;
mod console;
mod containers;
mod data_table;
mod destination;
mod diagram;
mod elements;
mod entities;
mod facts_block;
mod facts_query;
mod fence;
mod footnotes;
mod formulas;
mod headings;
mod html;
mod html_tokens;
mod ids;
mod images;
mod indentation;
mod inline;
mod links;
mod listing;
mod mapped_source;
mod marker;
mod mathjax;
mod media;
mod options;
mod output;
mod parsed;
mod passages;
mod prose;
mod quotes;
mod raw_html;
mod raw_tags;
mod render;
mod tables;

use pulldown_cmark::Parser;

pub use code::CodeBlock;
pub use facts_query::{FactsBlock, FactsFilter, FactsQuery, FilterKey, ListedKind};
pub use html::{Hole, HoleKind, Html};
pub use options::{Labels, MathSyntax, Options};
pub use passages::{OMITTED, TableCell, TextPassage, omit_code};
pub use prose::{Embedded, Heading, Link, ListingBlock, NamedLink, Problem, Prose, Symptoms, Target, TextSection};
pub use tables::symptom_id;

use cjk::MarkedSource;
use containers::Rewritten;
use mapped_source::MappedSource;
use parsed::{LocatedEvent, ParsedPage, parser_options};
use render::MarkdownRenderer;

/// Renders a page's text, without its front matter. Line ends must be `\n`.
#[must_use]
pub fn render(text: &str, options: &Options<'_>) -> Prose {
    render_and_visit(text, options, None)
}

/// [`render`], which also passes each piece of prose to `visit`.
#[must_use]
pub fn render_and_visit(text: &str, options: &Options<'_>, visit: Option<&mut dyn FnMut(&TextPassage<'_>)>) -> Prose {
    let Rewritten { source, mut containers, abbreviations, problems } = containers::rewrite(MappedSource::new(text), options);
    let (source, offsets) = mathjax::rewrite(source, containers.iter().map(|container| container.at), options);
    let MarkedSource { source, mark, offsets } = cjk::mark_emphasis(source, offsets.into_iter());
    for (container, at) in containers.iter_mut().zip(offsets) {
        container.at = at;
    }
    let events: Vec<LocatedEvent<'_>> = Parser::new_ext(&source.text, parser_options(options)).into_offset_iter().collect();
    let page = ParsedPage { options: *options, plain: false, source: &source, mark, events: &events };
    if let Some(visit) = visit {
        passages::visit(page, &containers, visit);
    }
    let mut prose = MarkdownRenderer::new(page, &containers, &abbreviations).run();
    prose.problems.extend(problems);
    prose.problems.sort_by_key(|problem| problem.span.start);
    prose.shrink();
    prose
}

/// Whether a line of a terminal session is a command after a prompt. A line that begins with `# ` counts as a comment.
#[must_use]
pub fn is_prompt(line: &str) -> bool {
    console::prompt(line, false).is_some()
}

/// Renders CommonMark without extensions, raw HTML included, as in its specification.
#[cfg(test)]
fn render_plain(text: &str, options: &Options<'_>) -> Prose {
    let source = MappedSource::new(text);
    let events: Vec<LocatedEvent<'_>> = Parser::new_ext(text, pulldown_cmark::Options::empty()).into_offset_iter().collect();
    let options = Options { allow_html: true, ..*options };
    MarkdownRenderer::new(ParsedPage { options, plain: true, source: &source, mark: None, events: &events }, &[], &[]).run()
}

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod tests;
