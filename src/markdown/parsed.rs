//! A page's text after parsing.

use std::{borrow::Cow, ops::Range};

use pulldown_cmark::{Event, Options as ParserOptions, TagEnd};

use super::{
    mapped_source::MappedSource,
    options::{MathSyntax, Options},
};
use crate::text::Span;

/// An event and the bytes of the parsed text that it covers.
pub(super) type LocatedEvent<'a> = (Event<'a>, Range<usize>);

/// The CommonMark extensions for pages.
pub(super) fn parser_options(options: &Options<'_>) -> ParserOptions {
    let punctuation = if options.smart_punctuation { ParserOptions::ENABLE_SMART_PUNCTUATION } else { ParserOptions::empty() };
    let math = if options.math == MathSyntax::Off { ParserOptions::empty() } else { ParserOptions::ENABLE_MATH };
    punctuation
        | math
        | ParserOptions::ENABLE_TABLES
        | ParserOptions::ENABLE_FOOTNOTES
        | ParserOptions::ENABLE_STRIKETHROUGH
        | ParserOptions::ENABLE_TASKLISTS
        | ParserOptions::ENABLE_HEADING_ATTRIBUTES
        | ParserOptions::ENABLE_DEFINITION_LIST
        | ParserOptions::ENABLE_WIKILINKS
}

/// Whether an element is part of a line.
pub(super) const fn is_inline(tag: TagEnd) -> bool {
    use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong, Subscript, Superscript};
    matches!(tag, Emphasis | Strong | Strikethrough | Link | Image | Superscript | Subscript)
}

/// A parsed page and the settings to render it with.
#[derive(Clone, Copy)]
pub(super) struct ParsedPage<'a> {
    pub(super) options: Options<'a>,
    /// Whether to write HTML as the CommonMark specification does: no ids, no figures, no extensions.
    pub(super) plain: bool,
    pub(super) source: &'a MappedSource,
    /// The character that was inserted next to Japanese emphasis and must not reach the output.
    pub(super) mark: Option<char>,
    pub(super) events: &'a [LocatedEvent<'a>],
}

impl<'a> ParsedPage<'a> {
    /// Text without the mark that was inserted next to Japanese emphasis.
    pub(super) fn clean<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.mark {
            Some(mark) if text.contains(mark) => Cow::Owned(text.replace(mark, "")),
            _ => Cow::Borrowed(text),
        }
    }

    pub(super) fn event(&self, index: usize) -> Option<&'a Event<'a>> {
        self.events.get(index).map(|(event, _)| event)
    }

    /// The index of the event that ends the element that starts at `index`. Takes time linear in the element.
    pub(super) fn end_of(&self, index: usize) -> usize {
        let mut depth = 0;
        let ends_it = |(event, _): &LocatedEvent<'_>| {
            depth += i32::from(matches!(event, Event::Start(_))) - i32::from(matches!(event, Event::End(_)));
            depth == 0
        };
        self.events.iter().skip(index).position(ends_it).map_or(self.events.len(), |length| index + length)
    }

    /// The events inside the element that starts at `index`.
    pub(super) fn content(&self, index: usize) -> &'a [LocatedEvent<'a>] {
        self.events.get(index + 1..self.end_of(index)).unwrap_or_default()
    }

    /// The parsed text of a range; empty for a range that does not fit.
    pub(super) fn text(&self, range: Range<usize>) -> &'a str {
        self.source.text.get(range).unwrap_or_default()
    }

    /// The original span of a range without trailing white space: the parser counts the line break as part of a block.
    pub(super) fn span(&self, range: Range<usize>) -> Span {
        let length = self.source.text.get(range.clone()).map_or(range.len(), |text| text.trim_end().len());
        self.source.span(range.start..range.start + length)
    }
}

/// Text without the marks next to Japanese emphasis, and the offsets of its pieces in the parsed text.
#[derive(Debug, Default)]
pub(super) struct CollectedText {
    pub(super) text: String,
    /// For each piece its offset in `text` and in the parsed text.
    offsets: Vec<(usize, usize)>,
}

impl CollectedText {
    /// Adds the text of an event that begins at `at`, without `mark`.
    pub(super) fn push(&mut self, text: &str, at: usize, mark: Option<char>) {
        let mut from = 0;
        if let Some(mark) = mark {
            for (index, _) in text.match_indices(mark) {
                self.push_piece(&text[from..index], at + from);
                from = index + mark.len_utf8();
            }
        }
        self.push_piece(&text[from..], at + from);
    }

    fn push_piece(&mut self, text: &str, at: usize) {
        self.offsets.push((self.text.len(), at));
        self.text.push_str(text);
    }

    /// The original span of a range of the collected text, which is not empty.
    pub(super) fn span(&self, range: Range<usize>, source: &MappedSource) -> Span {
        source.span(self.parsed_offset(range.start)..self.parsed_offset(range.end - 1) + 1)
    }

    /// The offset in the parsed text of a byte of the collected text.
    pub(super) fn parsed_offset(&self, at: usize) -> usize {
        let after = self.offsets.partition_point(|(from, _)| *from <= at);
        self.offsets[..after].last().map_or(0, |(from, parsed)| parsed + at - from)
    }
}

/// The range in the parsed text of a span of a code block's text.
pub(super) fn parsed_range(content: &[LocatedEvent<'_>], span: &Range<usize>) -> Option<Range<usize>> {
    let mut done = 0;
    let mut start = None;
    for (event, range) in content {
        let Event::Text(text) = event else { continue };
        let at = |offset: usize| range.start + (offset - done).min(range.len());
        if start.is_none() && span.start < done + text.len() {
            start = Some(at(span.start));
        }
        if let Some(start) = start.filter(|_| span.end <= done + text.len()) {
            return Some(start..at(span.end).max(start));
        }
        done += text.len();
    }
    None
}
