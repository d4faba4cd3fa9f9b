//! Text and line breaks inside a block.

use std::collections::BTreeMap;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::{
    abbreviations::Abbreviations,
    autolinks, footnotes,
    html::escape_url,
    output::PageOutput,
    parsed::{CollectedText, ParsedPage},
    prose::Target,
};
use crate::text::joins_without_space;

/// Text that is not written yet: the parser splits text at every character that could be markup.
pub(super) struct InlineText<'a> {
    pending: CollectedText,
    abbreviations: Abbreviations<'a>,
}

impl<'a> InlineText<'a> {
    /// The definitions of the page take precedence over the glossary.
    pub(super) fn new(glossary: &'a BTreeMap<String, String>, definitions: &'a [(String, String)]) -> Self {
        let definitions = definitions.iter().map(|(term, meaning)| (term.as_str(), meaning.as_str()));
        let terms = glossary.iter().map(|(term, meaning)| (term.as_str(), meaning.as_str())).chain(definitions);
        Self { pending: CollectedText::default(), abbreviations: Abbreviations::new(terms) }
    }

    /// Collects the text of an event that begins at `at`.
    pub(super) fn push(&mut self, text: &str, at: usize, out: &mut PageOutput<'_>) {
        self.pending.push(text, at, out.page.mark);
        if let Some(last) = self.pending.text.chars().next_back() {
            out.previous = Some(last);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pending.text.is_empty()
    }

    /// A line break in the source is a space, except between characters that are written without spaces.
    pub(super) fn soft_break(&mut self, index: usize, out: &mut PageOutput<'_>) {
        let next = next_character(&out.page, index + 1);
        let joined = !out.page.plain && matches!((out.previous, next), (Some(before), Some(after)) if joins_without_space(before, after));
        if !joined {
            self.pending.push("\n", out.page.events.get(index).map_or(0, |(_, range)| range.start), None);
            out.previous = Some(' ');
        }
    }

    /// Writes the collected text, with links for bare addresses. `explain` is whether abbreviations get tooltips.
    pub(super) fn flush(&mut self, explain: bool, out: &mut PageOutput<'_>) {
        let pending = std::mem::take(&mut self.pending);
        let text = &pending.text;
        out.plain_text(text);
        if out.page.plain || out.in_link() {
            out.inline_text(text);
            return;
        }
        footnotes::report_undefined(&pending, out);
        let mut done = 0;
        for range in autolinks::find(text) {
            self.write(&text[done..range.start], explain, out);
            let url = &text[range.clone()];
            let parsed = pending.parsed_offset(range.start)..pending.parsed_offset(range.end - 1) + 1;
            out.link(Target::External(url.to_owned()), None, &parsed);
            out.html.raw(&format!("<a href=\"{}\" rel=\"external noreferrer\">", escape_url(url)));
            out.inline_text(url);
            out.html.raw("</a>");
            done = range.end;
        }
        self.write(&text[done..], explain, out);
    }

    /// Writes text with a tooltip for the first use of each abbreviation.
    fn write(&mut self, text: &str, explain: bool, out: &mut PageOutput<'_>) {
        let mut done = 0;
        if explain && out.heading.is_none() && !self.abbreviations.is_empty() {
            for (range, meaning) in self.abbreviations.first_uses(text) {
                out.html.escaped(&text[done..range.start]);
                out.html.raw("<abbr tabindex=\"0\"");
                out.html.attribute("title", meaning);
                out.html.raw(">");
                out.html.escaped(&text[range.clone()]);
                out.html.raw("</abbr>");
                done = range.end;
            }
        }
        out.inline_text(&text[done..]);
    }
}

/// The first visible character of the next line. Stops at the end of that line, so a text of many breaks takes linear time.
pub(super) fn next_character(page: &ParsedPage<'_>, from: usize) -> Option<char> {
    for (event, _) in page.events.get(from..)? {
        match event {
            Event::Text(text) | Event::Code(text) => {
                if let Some(first) = text.chars().find(|c| Some(*c) != page.mark) {
                    return Some(first);
                }
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link)
            | Event::InlineHtml(_) => {}
            _ => return None,
        }
    }
    None
}
