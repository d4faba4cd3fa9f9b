//! Code blocks.

use std::fmt::Write as _;

use super::{
    console,
    fence::Fence,
    html::{HoleKind, Html},
};
use crate::{
    highlight::Highlighter,
    text::{escape, escape_into},
};

/// A code block as in the CommonMark specification.
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

/// A code block that is highlighted when its page is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeBlock {
    fence: Fence,
    text: String,
}

impl CodeBlock {
    /// The HTML of its lines.
    #[must_use]
    pub fn html(&self, highlighter: &Highlighter) -> String {
        lines_html(&self.fence, &self.text, Some(highlighter))
    }
}

/// Writes a code block without highlighting.
pub(super) fn write(fence: &Fence, text: &str, out: &mut Html) {
    write_figure(fence, out, |out| out.raw(&lines_html(fence, text, None)));
}

/// Writes a code block with a hole for its lines, which is given the number `index`.
pub(super) fn write_highlighted(fence: Fence, text: String, index: usize, out: &mut Html) -> CodeBlock {
    write_figure(&fence, out, |out| out.hole(HoleKind::Code(index)));
    CodeBlock { fence, text }
}

fn write_figure(fence: &Fence, out: &mut Html, write_lines: impl FnOnce(&mut Html)) {
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
    // A long line scrolls; without `tabindex`, the keyboard can't scroll it.
    out.raw(if fence.first.is_some() { "<pre tabindex=\"0\" class=\"numbered\"><code>" } else { "<pre tabindex=\"0\"><code>" });
    write_lines(out);
    out.raw("</code></pre></figure>\n");
}

/// Lines become elements only if they are numbered or some are marked. The line break is inside the element: the last one then does not
/// show as an empty line, and copied text contains it.
fn lines_html(fence: &Fence, text: &str, highlighter: Option<&Highlighter>) -> String {
    let lines = |language: &str, text: &str| -> Vec<String> {
        highlighter.map_or_else(|| text.lines().map(escape).collect(), |highlighter| highlighter.lines(language, text))
    };
    let session = if console::is_session(&fence.language) { console::lines(text, |command| lines("bash", command)) } else { None };
    let lines = session.unwrap_or_else(|| lines(&fence.language, text));
    let mut out = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
    let mut marked = fence.marked.iter().peekable();
    for (index, line) in lines.iter().enumerate() {
        if fence.first.is_none() && fence.marked.is_empty() {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        while marked.next_if(|(_, to)| *to < index + 1).is_some() {}
        let is_marked = marked.peek().is_some_and(|(from, _)| *from <= index + 1);
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
