//! The prose of a page in pieces, for checks of its wording: code, formulas, addresses, ids and quotations are left out.

use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Tag, TagEnd};

use super::{
    autolinks,
    containers::Container,
    inline::next_character,
    parsed::{CollectedText, ParsedPage, is_inline},
};
use crate::text::{Span, code_spans, joins_without_space};

/// Replaces code, addresses and ids in the text of a [`TextPassage`] and in that of [`omit_code`].
pub const OMITTED: char = '\0';

/// The prose of a paragraph, a heading, a list item, a cell of a table, an alternative text or a title.
pub struct TextPassage<'a> {
    page: ParsedPage<'a>,
    collected: &'a CollectedText,
    /// The cell that holds it, if it is one.
    pub cell: Option<TableCell>,
}

/// A cell of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableCell {
    /// The number of the table on its page, from 1.
    pub table: usize,
    /// The number of the column in its table, from 1.
    pub column: usize,
    /// Whether the cell is in the first row, which has the headings.
    pub is_heading: bool,
}

impl TextPassage<'_> {
    /// The text without markup. A line break is a line feed, or omitted in scripts that are written without spaces.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.collected.text
    }

    /// The span in the source of a range of [`Self::text`].
    #[must_use]
    pub fn span(&self, range: Range<usize>) -> Span {
        if range.is_empty() {
            return Span::at(self.page.source.original(self.collected.parsed_offset(range.start)));
        }
        self.collected.span(range, self.page.source)
    }
}

/// A text in which only code between backticks is markup, with [`OMITTED`] for each byte of its code and addresses.
#[must_use]
pub fn omit_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (part, is_code) in code_spans(text) {
        // The backticks are omitted, too.
        if is_code { out.extend(std::iter::repeat_n(OMITTED, part.len() + 2)) } else { out.push_str(part) }
    }
    omit_addresses(&mut out);
    out
}

/// Replaces each byte of addresses by [`OMITTED`], which has one byte.
fn omit_addresses(text: &mut String) {
    for range in autolinks::find(text) {
        let omitted = OMITTED.to_string().repeat(range.len());
        text.replace_range(range, &omitted);
    }
}

/// Passes each passage of a page to `visit`, in order; alternative texts and titles come before the passage around them.
pub(super) fn visit<'a>(page: ParsedPage<'a>, containers: &'a [Container], visit: &mut dyn FnMut(&TextPassage<'_>)) {
    let mut visitor = PassageVisitor {
        page,
        containers,
        visit,
        pending: CollectedText::default(),
        table: 0,
        column: 0,
        in_heading_row: false,
        in_code: None,
    };
    let mut index = 0;
    while index < page.events.len() {
        index = visitor.event(index);
    }
    visitor.flush(None);
}

struct PassageVisitor<'a, 'v> {
    page: ParsedPage<'a>,
    /// Sorted by `at`.
    containers: &'a [Container],
    visit: &'v mut dyn FnMut(&TextPassage<'_>),
    pending: CollectedText,
    /// The number of the current table.
    table: usize,
    /// The number of the current cell in its row.
    column: usize,
    in_heading_row: bool,
    /// The open HTML element that holds code, inside a line.
    in_code: Option<&'static str>,
}

impl PassageVisitor<'_, '_> {
    /// Reads one event, or an element as a whole; returns the index of the next event.
    fn event(&mut self, index: usize) -> usize {
        let Some((event, range)) = self.page.events.get(index) else { return index + 1 };
        match event {
            Event::Start(tag) => {
                if !is_inline(tag.to_end()) {
                    self.flush(None);
                }
                if self.start(tag, index, range) {
                    return self.page.end_of(index) + 1;
                }
            }
            Event::End(TagEnd::TableCell) => {
                self.flush(Some(TableCell { table: self.table, column: self.column, is_heading: self.in_heading_row }));
            }
            Event::End(tag) => {
                self.in_heading_row &= !matches!(tag, TagEnd::TableHead);
                if !is_inline(*tag) {
                    self.flush(None);
                }
            }
            Event::Text(text) if self.in_code.is_none() => self.pending.push(text, range.start, self.page.mark),
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => self.omitted(range.start),
            Event::SoftBreak => self.soft_break(index, range.start),
            Event::HardBreak => self.pending.push("\n", range.start, None),
            Event::InlineHtml(html) => self.inline_html(html, range.start),
            _ => {}
        }
        index + 1
    }

    /// Begins an element. `true` if its content is skipped.
    fn start(&mut self, tag: &Tag<'_>, index: usize, range: &Range<usize>) -> bool {
        match tag {
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => return true,
            // A block quote that is not a note is a quotation, whose wording is not checked.
            Tag::BlockQuote(_) => return self.containers.binary_search_by_key(&range.start, |container| container.at).is_err(),
            Tag::Table(_) => self.table += 1,
            Tag::TableHead => (self.in_heading_row, self.column) = (true, 0),
            Tag::TableRow => self.column = 0,
            Tag::TableCell => self.column += 1,
            Tag::Link { link_type: LinkType::WikiLink { .. }, dest_url, .. } if dest_url.starts_with('^') => return true,
            Tag::Link { link_type: LinkType::WikiLink { has_pothole: false } | LinkType::Autolink | LinkType::Email, .. } => {
                self.omitted(range.start);
                return true;
            }
            Tag::Link { title, .. } => self.title(title, range),
            Tag::Image { link_type, title, .. } => {
                if !matches!(link_type, LinkType::WikiLink { has_pothole: false }) {
                    self.alternative_text(index);
                }
                self.title(title, range);
                self.omitted(range.start);
                return true;
            }
            _ => {}
        }
        false
    }

    /// Adds the mark of something that is left out.
    fn omitted(&mut self, at: usize) {
        self.pending.push(&OMITTED.to_string(), at, None);
    }

    fn soft_break(&mut self, index: usize, at: usize) {
        let around = self.pending.text.chars().next_back().zip(next_character(&self.page, index + 1));
        if !around.is_some_and(|(before, after)| joins_without_space(before, after)) {
            self.pending.push("\n", at, None);
        }
    }

    /// Leaves out HTML tags, and the text of elements that contain code.
    fn inline_html(&mut self, html: &str, at: usize) {
        const CODE: [&str; 5] = ["code", "kbd", "samp", "var", "pre"];
        let tag = html.trim_start_matches('<');
        let name = tag.trim_start_matches('/').split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        if name.eq_ignore_ascii_case("br") {
            self.pending.push("\n", at, None);
        }
        let is_end = tag.starts_with('/');
        match self.in_code {
            Some(open) if is_end && name.eq_ignore_ascii_case(open) => self.in_code = None,
            None if !is_end => {
                self.in_code = CODE.into_iter().find(|code| name.eq_ignore_ascii_case(code));
                if self.in_code.is_some() {
                    self.omitted(at);
                }
            }
            _ => {}
        }
    }

    fn alternative_text(&mut self, index: usize) {
        let mut collected = CollectedText::default();
        for (event, range) in self.page.content(index) {
            match event {
                Event::Text(text) => collected.push(text, range.start, self.page.mark),
                Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) => collected.push(&OMITTED.to_string(), range.start, None),
                Event::SoftBreak | Event::HardBreak => collected.push("\n", range.start, None),
                _ => {}
            }
        }
        self.pass(&collected, None);
    }

    /// Adds the title of a link or image, which has no event. A title with escapes is not found in the source, and is left out.
    fn title(&mut self, title: &CowStr<'_>, range: &Range<usize>) {
        if let Some(at) = self.page.text(range.clone()).rfind(&**title).filter(|_| !title.is_empty()) {
            let mut collected = CollectedText::default();
            collected.push(title, range.start + at, self.page.mark);
            self.pass(&collected, None);
        }
    }

    /// Ends a passage.
    fn flush(&mut self, cell: Option<TableCell>) {
        self.in_code = None;
        let mut collected = std::mem::take(&mut self.pending);
        omit_addresses(&mut collected.text);
        self.pass(&collected, cell);
    }

    fn pass(&mut self, collected: &CollectedText, cell: Option<TableCell>) {
        if !collected.text.trim().is_empty() {
            (self.visit)(&TextPassage { page: self.page, collected, cell });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::{Labels, Options, render_and_visit};

    fn passages(text: &str) -> Vec<String> {
        let (glossary, labels) = <(_, Labels)>::default();
        let options = Options::new(&glossary, &labels);
        let mut passages = Vec::new();
        let mut visit = |passage: &TextPassage<'_>| {
            let cell = passage.cell.map_or_else(String::new, |cell| format!("{}{} ", cell.table, if cell.is_heading { "h" } else { "" }));
            let mut shown: Vec<char> = passage.text().chars().map(|c| if c == OMITTED { '…' } else { c }).collect();
            shown.dedup_by(|a, b| *a == '…' && a == b);
            passages.push(format!("{cell}{}", shown.into_iter().collect::<String>()));
            // Each word is at its span in the source.
            for word in passage.text().split([' ', '\n', OMITTED]).filter(|word| !word.is_empty() && word.is_ascii()) {
                let at = word.as_ptr() as usize - passage.text().as_ptr() as usize;
                assert_eq!(&text[passage.span(at..at + word.len()).range()], word, "{text}");
            }
        };
        let _ = render_and_visit(text, &options, Some(&mut visit));
        passages
    }

    #[test]
    fn passages_are_blocks_without_code() {
        assert_eq!(
            passages("# Title `x`\n\nOne **two**\nthree `four` five.\n\n```\ncode\n```\n\n- a\n  - b\n\n<div>\nhtml\n</div>\n"),
            ["Title …", "One two\nthree … five.", "a", "b"]
        );
        assert_eq!(passages("| h | i |\n| - | - |\n| a | `b` |\n\n| k |\n| - |\n| l |\n"), ["1h h", "1h i", "1 a", "1 …", "2h k", "2 l"]);
        assert_eq!(passages("日本\n語。\nabc\n語"), ["日本語。\nabc\n語"]);
        assert_eq!(passages("a <b>b</b> <code>c d</code> e<br>f &amp; g"), ["a b … e\nf & g"]);
    }

    #[test]
    fn links_have_their_text_and_no_address() {
        assert_eq!(
            passages("[[etcd]] and [[etcd|the store]][[^key]] [text](https://a.example \"Its title\") https://b.example/x."),
            ["Its title", "… and the store text …."]
        );
        assert_eq!(passages("a ![The lid, `x`](lid.svg \"A caption\") b"), ["The lid, …", "A caption", "a … b"]);
        assert_eq!(passages("<https://a.example> <a@b.example>"), ["… …"]);
    }

    #[test]
    fn notes_are_prose_and_quotations_are_not() {
        assert_eq!(
            passages("> quoted\n\nText\n\n> [!NOTE] Own title\n> Body\n\n!!! note \"Other title\"\n    Inner\n\n    > deep\n"),
            ["Text", "Own title", "Body", "Other title", "Inner"]
        );
        assert_eq!(passages("Text[^1] **「強調」**です\n\n[^1]: A note.\n"), ["Text 「強調」です", "A note."]);
    }
}
