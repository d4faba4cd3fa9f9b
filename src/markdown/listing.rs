//! Blocks `listing`: what kubectl printed, kept as text until the facts are known that explain it.

use std::ops::Range;

use pulldown_cmark::Event;

use super::{HoleKind, ListingBlock, fence::Fence, render::Renderer};
use crate::text::Span;

/// The info word of such a block.
pub(super) const INFO_WORD: &str = "listing";

impl Renderer<'_> {
    /// Leaves a hole for the block whose opening begins at `range.start` and whose text is in `events`.
    pub(super) fn listing(&mut self, fence: Fence, text: String, events: Range<usize>, range: &Range<usize>) {
        let lines = self.line_spans(events);
        let provider = fence.provider.map(|provider| (provider, self.provider_span(range)));
        self.out.hole(HoleKind::Listing(self.listings.len()));
        self.listings.push(ListingBlock { text, lines, title: fence.title, provider });
    }

    /// Where the lines of a code block were written, without the white space around them.
    fn line_spans(&self, events: Range<usize>) -> Vec<Span> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        let mut in_line = false;
        for (event, range) in self.events.get(events).unwrap_or_default() {
            let Event::Text(part) = event else { continue };
            let mut done = 0;
            for piece in part.split_inclusive('\n') {
                // White space that the parser made up has no bytes of its own.
                let at = |offset: usize| range.start + offset.min(range.len());
                let indent = piece.len() - piece.trim_start().len();
                let (start, end) = (at(done + indent), at(done + piece.trim_end().len()));
                match lines.last_mut().filter(|_| in_line) {
                    Some(line) if line.start == line.end => *line = start..end.max(start),
                    Some(line) => line.end = end.max(line.end),
                    None => lines.push(start..end.max(start)),
                }
                in_line = !piece.ends_with('\n');
                done += piece.len();
            }
        }
        lines.into_iter().map(|line| self.source.span(line)).collect()
    }

    /// Where the provider is named in the opening of a fence; the whole opening if the parser read it differently than it was written.
    fn provider_span(&self, range: &Range<usize>) -> Span {
        let opening = self.source.text.get(range.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
        const KEY: &str = "provider=";
        let Some(at) = opening.find(KEY).map(|at| at + KEY.len()) else {
            return self.source.span(range.start..range.start + opening.len());
        };
        let value = opening[at..].trim_start_matches(['"', '\'']);
        let start = range.start + opening.len() - value.len();
        let length = value.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',')).unwrap_or(value.len());
        self.source.span(start..start + length)
    }
}
