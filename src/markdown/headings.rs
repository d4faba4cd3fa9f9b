//! Headings.

use std::{collections::BTreeSet, ops::Range};

use pulldown_cmark::{Event, Tag};

use super::{
    html::{Html, HtmlPosition},
    output::{HeadingText, PageOutput},
    prose::{Heading, Problem, TextSection},
};
use crate::{diagnostic::Rule, text::Span};

/// The headings of a page.
#[derive(Default)]
pub(super) struct Headings {
    pub(super) title: Option<Heading>,
    /// Headings in order, without `title`.
    pub(super) all: Vec<Heading>,
    open: Option<OpenHeading>,
    /// Whether the open heading is inside a quote or a note.
    is_nested: bool,
}

/// A heading between its start and its end.
struct OpenHeading {
    /// The position of its content.
    from: HtmlPosition,
    /// The id that the author chose.
    id: Option<String>,
    is_title: bool,
    span: Span,
}

impl Headings {
    /// Begins a heading. `nested` is whether it is inside a quote or a note.
    pub(super) fn start(&mut self, level: u8, id: Option<&str>, range: &Range<usize>, nested: bool, out: &mut PageOutput<'_>) {
        let is_title = level == 1 && !out.page.plain && !nested && out.html.text.is_empty() && self.title.is_none() && self.all.is_empty();
        self.is_nested = nested;
        out.html.fresh_line();
        let id = id.map(|id| out.page.clean(id).into_owned());
        self.open = Some(OpenHeading { from: out.html.end(), id, is_title, span: out.page.span(range.clone()) });
        out.heading = Some(HeadingText::default());
    }

    /// Ends the open heading.
    pub(super) fn end(&mut self, level: u8, out: &mut PageOutput<'_>) {
        let Some(OpenHeading { from, id, is_title, span }) = self.open.take() else { return };
        let content = out.html.split_off(from);
        let HeadingText { html, plain } = out.heading.take().unwrap_or_default();
        let (html, text) = (html.trim().to_owned(), plain.trim().to_owned());
        if out.page.plain {
            out.html.raw(&format!("<h{level}>"));
            out.html.append(content);
            out.html.raw(&format!("</h{level}>\n"));
            return;
        }
        let explicit = id.is_some();
        let id = match id {
            Some(id) => out.ids.chosen(id),
            None => out.ids.for_text(&text),
        };
        let above = self.all.last().or(self.title.as_ref()).map_or(1, |heading| heading.level);
        if !self.is_nested && level > above + 1 {
            let message = format!("a heading of level {level} follows one of level {above}");
            let problem = Problem {
                rule: Rule::SkippedHeading,
                span,
                message,
                help: format!("write it with {}", "#".repeat(usize::from(above) + 1)),
            };
            out.problems.push(problem);
        }
        let heading = Heading { level, id, explicit, html, text, span };
        if is_title {
            self.title = Some(heading);
        } else {
            write_heading(&heading, content, out);
            out.sections.push(TextSection { heading: Some(self.all.len()), ..TextSection::default() });
            self.all.push(heading);
        }
    }
}

fn write_heading(heading: &Heading, content: Html, out: &mut PageOutput<'_>) {
    let level = heading.level;
    out.html.raw(&format!("<h{level}"));
    out.html.attribute("id", &heading.id);
    out.html.raw(">");
    out.html.append(content);
    out.html.raw(" <a class=\"heading-anchor\"");
    out.html.attribute("href", &format!("#{}", crate::url::encode_fragment(&heading.id)));
    out.html.attribute("aria-label", &format!("{}: {}", out.page.options.labels.heading_link, heading.text));
    out.html.raw(&format!("></a></h{level}>\n"));
}

/// Writes the id of a term of a definition list that starts at `index`, which can be linked to like a heading, as in mdBook.
pub(super) fn write_term_id(index: usize, out: &mut PageOutput<'_>) {
    let text: String = out
        .page
        .content(index)
        .iter()
        .map(|(event, _)| if let Event::Text(text) | Event::Code(text) | Event::InlineMath(text) = event { text } else { "" })
        .collect();
    let id = out.ids.for_text(&out.page.clean(&text));
    out.html.attribute("id", &id);
    out.anchors.push(id);
}

/// Claims the ids that authors chose, before any id is generated, so that no generated id takes one of them.
pub(super) fn claim_explicit_ids(out: &mut PageOutput<'_>) {
    let mut seen = BTreeSet::new();
    for (event, range) in out.page.events {
        let Event::Start(Tag::Heading { id: Some(id), .. }) = event else { continue };
        let id = out.page.clean(id).into_owned();
        if !seen.insert(id.clone()) {
            let message = format!("the id `{id}` is used twice on this page");
            out.report(Rule::DuplicateAnchor, range.clone(), message, "give one of the headings another id");
        } else if out.ids.is_reserved(&id) {
            let message = format!("the id `{id}` is used by the page itself");
            out.report(Rule::DuplicateAnchor, range.clone(), message, "choose another id");
        }
        out.ids.claim(&id);
    }
}
