//! Blocks `mermaid`: a diagram drawn while building, with its source as text below.

use std::ops::Range;

use pulldown_cmark::Event;

use super::{
    Target, code,
    fence::Fence,
    links,
    render::Renderer,
    writer::{escape, escape_into},
};
use crate::{
    diagnostic::Rule,
    mermaid::{self, Drawing, Link, NODE, Part},
};

/// The info word of such a block.
pub(super) const INFO_WORD: &str = "mermaid";

/// How many different diagrams one page may hold: each may take a second at worst.
const MOST: usize = 100;

impl Renderer<'_> {
    /// Draws the block whose text is in `events`; one that cannot be drawn is shown as it is.
    pub(super) fn diagram(&mut self, fence: &Fence, text: &str, events: Range<usize>, range: &Range<usize>) {
        self.diagrams += 1;
        let drawn = if self.diagrams <= MOST {
            mermaid::draw(text)
        } else {
            let message = format!("a page may hold {MOST} diagrams");
            Err(mermaid::Problem { span: 0..0, message, help: "divide the page".to_owned(), unsupported: false })
        };
        match drawn {
            Ok(drawing) => {
                self.section_text(&drawing.words.join("\n"));
                self.end_of_block_text();
                self.write_diagram(fence, text, &drawing, events);
            }
            Err(problem) => {
                self.section_text(text);
                self.end_of_block_text();
                let place = self.place(events, problem.span).unwrap_or_else(|| self.opening(range));
                let rule = if problem.unsupported { Rule::UnknownDiagram } else { Rule::BadDiagram };
                self.report(rule, place, problem.message, Some(problem.help));
                let _ = code::write(fence, text, None, &mut self.out);
            }
        }
    }

    fn write_diagram(&mut self, fence: &Fence, text: &str, drawing: &Drawing, events: Range<usize>) {
        let labels = self.options.labels;
        let title = fence.title.as_deref().or(drawing.title.as_deref()).unwrap_or(&labels.diagram);
        let description = drawing.description.clone().unwrap_or_else(|| drawing.words.join(" · "));
        // A wide drawing scrolls inside its box; without `tabindex` the keyboard could not scroll it.
        self.out.raw("<figure class=\"diagram-figure\"><div class=\"diagram-scroll\" tabindex=\"0\">");
        self.out.raw(&format!("{}<title>{}</title><desc>{}</desc>", drawing.opening(), escape(title), escape(&description)));
        let mut targets: Vec<Option<Target>> = Vec::new();
        for link in &drawing.links {
            let target = self.link_target(link, events.clone());
            targets.push(target);
        }
        for part in drawing.parts() {
            match part {
                Part::Markup(markup) => self.out.raw(markup),
                Part::Open(link) => {
                    let target = targets.get(link).and_then(Clone::clone);
                    let place = drawing.links.get(link).and_then(|link| self.place(events.clone(), link.span.clone())).unwrap_or_default();
                    self.out.raw(if target.is_some() { "<a class=\"" } else { "<g class=\"" });
                    self.out.raw(NODE);
                    self.out.raw("\"");
                    if let Some(target) = target {
                        self.address("href", target, false, &place);
                    }
                    self.out.raw(">");
                }
                Part::Close(link) => self.out.raw(if targets.get(link).is_some_and(Option::is_some) { "</a>" } else { "</g>" }),
            }
        }
        self.out.raw("</svg></div>");
        let is_titled = fence.title.is_some() || drawing.title.is_some();
        if is_titled {
            // A caption is the last thing in its figure.
            self.out.raw("<figcaption>");
            self.out.escaped(title);
        }
        self.out.raw("<details class=\"diagram-list\"><summary>");
        self.out.escaped(&labels.diagram_source);
        self.out.raw("</summary><pre tabindex=\"0\"><code>");
        escape_into(text, &mut self.out.text);
        self.out.raw("</code></pre></details>");
        self.out.raw(if is_titled { "</figcaption></figure>\n" } else { "</figure>\n" });
    }

    /// Where a box leads: what stands in Markdown's links may stand there, too.
    fn link_target(&mut self, link: &Link, events: Range<usize>) -> Option<Target> {
        let place = self.place(events, link.span.clone()).unwrap_or_default();
        match link.address.strip_prefix("[[").and_then(|name| name.strip_suffix("]]")) {
            Some(name) => match links::classify_wiki(name) {
                Target::Citation(_) => {
                    let help = "write `click A href \"[[id]]\"`".to_owned();
                    self.report(Rule::BadDiagram, place, "a box cannot lead to a citation".to_owned(), Some(help));
                    None
                }
                target => Some(target),
            },
            None => self.target(&link.address, &place),
        }
    }

    /// Where bytes of a code block stand in the parsed text.
    fn place(&self, events: Range<usize>, span: Range<usize>) -> Option<Range<usize>> {
        let mut done = 0;
        let mut start = None;
        for (event, range) in self.events.get(events).unwrap_or_default() {
            let Event::Text(part) = event else { continue };
            let at = |offset: usize| range.start + (offset - done).min(range.len());
            if start.is_none() && span.start < done + part.len() {
                start = Some(at(span.start));
            }
            if let Some(start) = start.filter(|_| span.end <= done + part.len()) {
                return Some(start..at(span.end).max(start));
            }
            done += part.len();
        }
        None
    }

    /// Whether a fenced block ends with its closing line.
    pub(super) fn is_closed(&self, range: &Range<usize>) -> bool {
        let text = self.source.text.get(range.clone()).unwrap_or_default().trim_end();
        let Some((first, last)) = text.split_once('\n').map(|(first, rest)| (first, rest.lines().last().unwrap_or(rest))) else {
            return false;
        };
        super::blocks::closes(first, last)
    }

    /// The opening line of a fence.
    pub(super) fn opening(&self, range: &Range<usize>) -> Range<usize> {
        let text = self.source.text.get(range.clone()).unwrap_or_default();
        range.start..range.start + text.find('\n').unwrap_or(text.len())
    }
}
