//! A line of code as HTML.

use crate::text::escape_into;

/// A line with spans, neighbours of the same class merged.
pub(super) struct Spans<'l> {
    line: &'l str,
    /// The offset up to which the line has been read.
    done: usize,
    /// The offset up to which the line has been written. Blanks have no colour, so they are held back until it is known whether the span continues after them.
    written: usize,
    open: Option<&'static str>,
    html: String,
}

impl<'l> Spans<'l> {
    pub(super) fn new(line: &'l str) -> Self {
        Self { line, done: 0, written: 0, open: None, html: String::with_capacity(line.len() * 2) }
    }

    /// Sets the class of the text up to an offset.
    pub(super) fn until(&mut self, at: usize, class: Option<&'static str>) {
        let Some(text) = self.line.get(self.done..at.min(self.line.len())) else { return };
        let visible = self.done + text.len() - text.trim_start().len()..self.done + text.trim_end().len();
        self.done += text.len();
        if visible.is_empty() {
            return;
        }
        if class != self.open {
            self.close();
        }
        self.write(visible.start);
        if let Some(class) = class.filter(|_| class != self.open) {
            self.html.push_str("<span class=\"");
            self.html.push_str(class);
            self.html.push_str("\">");
        }
        self.open = class;
        self.write(visible.end);
    }

    fn write(&mut self, to: usize) {
        escape_into(self.line.get(self.written..to).unwrap_or_default(), &mut self.html);
        self.written = to;
    }

    fn close(&mut self) {
        if self.open.take().is_some() {
            self.html.push_str("</span>");
        }
    }

    pub(super) fn finish(mut self) -> String {
        self.close();
        self.write(self.line.len());
        self.html
    }
}
