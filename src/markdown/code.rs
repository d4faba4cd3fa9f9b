//! Code blocks.

use super::{
    Html, console,
    fence::Fence,
    writer::{escape, escape_into},
};
use crate::highlight::{Highlighter, Lines};

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

/// Writes a code block.
pub(super) fn write(fence: &Fence, text: &str, highlighter: Option<&Highlighter>, out: &mut Html) {
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
    let session = if console::is_session(&fence.language) { console::lines(text, highlighter) } else { None };
    let lines = session.unwrap_or_else(|| lines(highlighter, &fence.language, text));
    write_lines(fence, &lines, out);
    out.raw("</code></pre></figure>\n");
}

/// The HTML of each line; without a highlighter the text is only escaped.
pub(super) fn lines(highlighter: Option<&Highlighter>, language: &str, text: &str) -> Lines {
    highlighter.map_or_else(|| text.lines().map(escape).collect(), |highlighter| highlighter.lines(language, text))
}

/// Lines get an element each only where there is something to say of lines. The line break stands inside: a block that ends with one does
/// not show an empty line, and what is copied has it.
fn write_lines(fence: &Fence, lines: &[String], out: &mut Html) {
    let mut marked = fence.marked.iter().peekable();
    for (index, line) in lines.iter().enumerate() {
        while marked.next_if(|(_, to)| *to < index + 1).is_some() {}
        let is_marked = marked.peek().is_some_and(|(from, _)| *from <= index + 1);
        if fence.first.is_none() && fence.marked.is_empty() {
            out.raw(line);
            out.raw("\n");
            continue;
        }
        out.raw(if is_marked { "<span class=\"line marked\"" } else { "<span class=\"line\"" });
        if let Some(first) = fence.first {
            out.attribute("data-n", &(first + index).to_string());
        }
        out.raw(">");
        out.raw(line);
        out.raw("\n</span>");
    }
}
