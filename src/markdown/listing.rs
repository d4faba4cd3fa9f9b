//! Blocks `listing`: `kubectl` output, kept as text until the facts that explain it are known.

use std::ops::Range;

use pulldown_cmark::Event;

use super::{
    fence::Fence,
    parsed::{LocatedEvent, ParsedPage},
    prose::ListingBlock,
};
use crate::text::Span;

/// The listing whose text is in `content`. `opening` is the opening line of its fence.
pub(super) fn block(
    fence: Fence,
    text: String,
    content: &[LocatedEvent<'_>],
    opening: Range<usize>,
    page: &ParsedPage<'_>,
) -> ListingBlock {
    let lines = line_ranges(content).into_iter().map(|line| page.source.span(line)).collect();
    let provider = fence.provider.map(|provider| (provider, provider_span(opening, page)));
    ListingBlock { text, lines, title: fence.title, provider }
}

/// The lines of a code block in the parsed text, without surrounding white space.
fn line_ranges(content: &[LocatedEvent<'_>]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut in_line = false;
    for (event, range) in content {
        let Event::Text(text) = event else { continue };
        let mut done = 0;
        for line in text.split_inclusive('\n') {
            // White space that the parser adds has no bytes in the parsed text.
            let at = |offset: usize| range.start + offset.min(range.len());
            let indent = line.len() - line.trim_start().len();
            let (start, end) = (at(done + indent), at(done + line.trim_end().len()));
            match lines.last_mut().filter(|_| in_line) {
                Some(last) if last.start == last.end => *last = start..end.max(start),
                Some(last) => last.end = end.max(last.end),
                None => lines.push(start..end.max(start)),
            }
            in_line = !line.ends_with('\n');
            done += line.len();
        }
    }
    lines
}

/// The span of the provider's id in the opening of a fence; the whole opening if the parser changed its text.
fn provider_span(opening: Range<usize>, page: &ParsedPage<'_>) -> Span {
    const KEY: &str = "provider=";
    let text = page.text(opening.clone());
    let Some(at) = text.find(KEY).map(|at| at + KEY.len()) else {
        return page.source.span(opening);
    };
    let value = text[at..].trim_start_matches(['"', '\'']);
    let start = opening.end - value.len();
    let length = value.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',')).unwrap_or(value.len());
    page.source.span(start..start + length)
}
