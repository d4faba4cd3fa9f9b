//! Code blocks.

use super::{
    Html,
    writer::{escape, escape_into},
};
use crate::highlight::Highlighter;

/// What stands behind the opening of a fence.
#[derive(Debug, Default)]
pub(super) struct Fence {
    pub(super) language: String,
    /// What is not understood, and what to type instead.
    pub(super) problems: Vec<(String, String)>,
}

impl Fence {
    pub(super) fn parse(info: &str) -> Self {
        let language = info.split([' ', ',', '{', '\t']).next().unwrap_or_default().to_owned();
        Self { language, problems: Vec::new() }
    }
}

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
pub(super) fn write(fence: &Fence, text: &str, _highlighter: &Highlighter, out: &mut Html) {
    out.raw("<figure class=\"code\"");
    out.attribute("data-language", &fence.language);
    out.raw("><pre tabindex=\"0\"><code>");
    out.raw(&escape(text));
    out.raw("</code></pre></figure>\n");
}
