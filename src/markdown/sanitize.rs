//! Raw HTML: only what is harmless passes.

use std::ops::Range;

use super::render::Renderer;

/// Raw elements that are open.
#[derive(Debug, Default)]
pub(super) struct RawHtml {}

impl RawHtml {
    /// An element of ours begins.
    pub(super) fn enter(&mut self) {}

    pub(super) fn in_link(&self) -> bool {
        false
    }

    pub(super) fn in_abbreviation(&self) -> bool {
        false
    }
}

impl<'a> Renderer<'a> {
    pub(super) fn inline_html(&mut self, html: &str, _range: &Range<usize>) {
        self.flush();
        if self.options.allow_html {
            self.out.raw(html);
        }
    }

    pub(super) fn html_block(&mut self, index: usize) -> usize {
        let end = self.end_of(index);
        if self.options.allow_html {
            self.out.fresh_line();
            self.walk(index + 1..end);
        }
        end + 1
    }

    /// An element of ours ends.
    pub(super) fn close_raw(&mut self) {}
}
