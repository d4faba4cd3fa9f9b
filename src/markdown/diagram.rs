//! Blocks `mermaid`: diagrams drawn at build time, with their source as text below.

use std::ops::Range;

use super::{
    code,
    destination::classify_wiki,
    fence::Fence,
    output::PageOutput,
    parsed::{LocatedEvent, parsed_range},
    prose::Target,
};
use crate::{
    diagnostic::Rule,
    mermaid::{self, DrawError, MermaidDrawing, NODE_CLASS, NodeLink, SvgFragment},
    text::{escape, escape_into},
};

/// The maximum number of diagrams on a page: each can take a second in the worst case.
const MOST: usize = 100;

/// Draws the block whose text is in `content`, the `number`th diagram of the page; one that cannot be drawn is shown as code. `opening` is
/// the opening line of its fence.
pub(super) fn write(
    fence: &Fence,
    text: &str,
    content: &[LocatedEvent<'_>],
    opening: Range<usize>,
    number: usize,
    out: &mut PageOutput<'_>,
) {
    let drawn = if number <= MOST {
        mermaid::draw(text)
    } else {
        let message = format!("a page may hold {MOST} diagrams");
        Err(DrawError { span: 0..0, message, help: "divide the page".to_owned(), unsupported: false })
    };
    match drawn {
        Ok(drawing) => {
            out.section_text(&drawing.texts.join("\n"));
            out.end_block_text();
            write_figure(fence, text, &drawing, content, out);
        }
        Err(error) => {
            out.section_text(text);
            out.end_block_text();
            let range = parsed_range(content, &error.span).unwrap_or(opening);
            let rule = if error.unsupported { Rule::UnknownDiagram } else { Rule::BadDiagram };
            out.report(rule, range, error.message, error.help);
            code::write(fence, text, &mut out.html);
        }
    }
}

fn write_figure(fence: &Fence, text: &str, drawing: &MermaidDrawing, content: &[LocatedEvent<'_>], out: &mut PageOutput<'_>) {
    let labels = out.page.options.labels;
    let title = fence.title.as_deref().or(drawing.title.as_deref());
    let name = title.unwrap_or(&labels.diagram);
    let description = drawing.description.clone().unwrap_or_else(|| drawing.texts.join(" · "));
    // A wide drawing scrolls inside its box; without `tabindex` the keyboard could not scroll it.
    out.html.raw("<figure class=\"diagram-figure\"><div class=\"diagram-scroll\" tabindex=\"0\">");
    out.html.raw(&format!("{}<title>{}</title><desc>{}</desc>", drawing.opening(), escape(name), escape(&description)));
    let links: Vec<Option<(Target, Range<usize>)>> = drawing.links.iter().map(|link| checked_link(link, content, out)).collect();
    let link_of = |index: usize| links.get(index).and_then(Option::as_ref);
    for fragment in &drawing.fragments {
        match fragment {
            SvgFragment::Markup(markup) => out.html.raw(markup),
            SvgFragment::OpenNode(index) => match link_of(*index) {
                Some((target, range)) => {
                    out.html.raw(&format!("<a class=\"{NODE_CLASS}\""));
                    out.address("href", target.clone(), None, range);
                    out.html.raw(">");
                }
                None => out.html.raw(&format!("<g class=\"{NODE_CLASS}\">")),
            },
            SvgFragment::CloseNode(index) => out.html.raw(if link_of(*index).is_some() { "</a>" } else { "</g>" }),
        }
    }
    out.html.raw("</svg></div>");
    if let Some(title) = title {
        out.html.raw("<figcaption>");
        out.html.escaped(title);
    }
    out.html.raw("<details class=\"diagram-list\"><summary>");
    out.html.escaped(&labels.diagram_source);
    out.html.raw("</summary><pre tabindex=\"0\"><code>");
    escape_into(text, &mut out.html.text);
    out.html.raw("</code></pre></details>");
    // The source is part of the caption, which must be the last element of a figure.
    out.html.raw(if title.is_some() { "</figcaption></figure>\n" } else { "</figure>\n" });
}

/// The target of a node's link, which may be written like any Markdown link, and its range in the parsed text. Reports a link that is not
/// allowed.
fn checked_link(link: &NodeLink, content: &[LocatedEvent<'_>], out: &mut PageOutput<'_>) -> Option<(Target, Range<usize>)> {
    let range = parsed_range(content, &link.span).unwrap_or_default();
    let target = match link.address.strip_prefix("[[").and_then(|name| name.strip_suffix("]]")) {
        Some(name) => match classify_wiki(name) {
            Target::Citation(_) => {
                let help = "write `click A href \"[[id]]\"`";
                out.report(Rule::BadDiagram, range, "a box cannot link to a citation", help);
                return None;
            }
            target => target,
        },
        None => out.target(&link.address, &range)?,
    };
    Some((target, range))
}
