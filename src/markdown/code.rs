//! Code blocks.

use std::fmt::Write as _;

use super::{
    HoleKind, Html, console,
    fence::Fence,
    writer::{escape, escape_into},
};
use crate::highlight::{HighlightedLines, Highlighter};

/// A code block as CommonMark's specification prints it.
pub(super) fn plain(info: &str, text: &str) -> String {
    let mut out = String::from("<pre><code");
    if let Some(language) = info.split_whitespace().next() {
        out.push_str(" class=\"language-");
        escape_into(language, &mut out);
        out.push('"');
    }
    out.push('>');
    escape_into(text, &mut out);
    out.push_str("</code></pre>\n");
    out
}

/// The lines of a block of code that is coloured when its page is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    fence: Fence,
    text: String,
}

impl CodeBlock {
    /// The HTML of its lines.
    #[must_use]
    pub fn html(&self, highlighter: &Highlighter) -> String {
        lines_of(&self.fence, &self.text, Some(highlighter))
    }
}

/// Writes a code block. If it is to be coloured, the lines are left open and returned.
pub(super) fn write(fence: &Fence, text: &str, colours: Option<usize>, out: &mut Html) -> Option<CodeBlock> {
    out.raw("<figure class=\"code\"");
    if !fence.language.is_empty() {
        out.attribute("data-language", &fence.language);
    }
    out.raw(">");
    if let Some(title) = &fence.title {
        out.raw("<figcaption>");
        out.escaped(title);
        out.raw("</figcaption>");
    }
    // A long line scrolls; without `tabindex` the keyboard could not scroll it.
    out.raw(if fence.first.is_some() { "<pre tabindex=\"0\" class=\"numbered\"><code>" } else { "<pre tabindex=\"0\"><code>" });
    match colours {
        Some(index) => out.hole(HoleKind::Code(index)),
        None => out.raw(&lines_of(fence, text, None)),
    }
    out.raw("</code></pre></figure>\n");
    colours.map(|_| CodeBlock { fence: fence.clone(), text: text.to_owned() })
}

/// The HTML of each line; without a highlighter the text is only escaped.
pub(super) fn lines(highlighter: Option<&Highlighter>, language: &str, text: &str) -> HighlightedLines {
    highlighter.map_or_else(|| text.lines().map(escape).collect(), |highlighter| highlighter.lines(language, text))
}

/// HighlightedLines get an element each only where there is something to say of lines. The line break stands inside: a block that ends with one does
/// not show an empty line, and what is copied has it.
fn lines_of(fence: &Fence, text: &str, highlighter: Option<&Highlighter>) -> String {
    let session = if console::is_session(&fence.language) { console::lines(text, highlighter) } else { None };
    let lines = session.unwrap_or_else(|| lines(highlighter, &fence.language, text));
    let mut out = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    let mut marked = fence.marked.iter().peekable();
    for (index, line) in lines.iter().enumerate() {
        while marked.next_if(|(_, to)| *to < index + 1).is_some() {}
        let is_marked = marked.peek().is_some_and(|(from, _)| *from <= index + 1);
        if fence.first.is_none() && fence.marked.is_empty() {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        out.push_str(if is_marked { "<span class=\"line marked\"" } else { "<span class=\"line\"" });
        if let Some(first) = fence.first {
            let _ = write!(out, " data-n=\"{}\"", first + index);
        }
        out.push('>');
        out.push_str(line);
        out.push_str("\n</span>");
    }
    out
}
