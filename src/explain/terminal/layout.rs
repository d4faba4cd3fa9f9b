//! Lines, prose, headings, lists and tables in a terminal.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, wrap};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{super::sections::ReportTable, TerminalWriter};
use crate::text::{printable, printable_lines};

/// The minimum width, in columns.
pub(super) const NARROWEST: usize = 30;
/// The maximum width of prose, in columns.
pub(super) const WIDEST: usize = 100;

/// A non-breaking hyphen.
const FIRM_HYPHEN: &str = "\u{2011}";

/// The styles that every terminal supports, by their codes (ECMA-48, SGR).
#[derive(Clone, Copy)]
pub(super) enum Style {
    Bold = 1,
    Quiet = 2,
    Red = 31,
    Green = 32,
    Yellow = 33,
    Cyan = 36,
}

impl TerminalWriter<'_> {
    /// Printable text in a style. Control characters in the text are replaced.
    pub(super) fn styled(&self, text: &str, style: Style) -> String {
        let (code, text) = (style as u8, printable(text));
        if self.screen.colour && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.into_owned() }
    }

    /// Adds a line of printable text.
    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Prose, wrapped by the line breaking rules of Unicode.
    pub(super) fn prose(&mut self, text: &str, indent: &str, style: Option<Style>) {
        self.wrapped(&printable_lines(text), indent, style);
    }

    /// [`Self::prose`] of printable text, a part of which may have a style.
    pub(super) fn wrapped(&mut self, text: &str, indent: &str, style: Option<Style>) {
        if text.is_empty() {
            return;
        }
        let width = self.screen.width.min(WIDEST);
        let options = Options::new(width)
            .initial_indent(indent)
            .subsequent_indent(indent)
            .word_separator(WordSeparator::UnicodeBreakProperties)
            .wrap_algorithm(WrapAlgorithm::FirstFit)
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(true);
        // Names and commands are not broken at their hyphens.
        for line in wrap(&text.replace('-', FIRM_HYPHEN), options) {
            let line = line.replace(FIRM_HYPHEN, "-");
            let line = style.map_or(line.clone(), |style| self.styled(&line, style));
            self.line(&line);
        }
    }

    /// Adds the heading of a part.
    pub(super) fn heading(&mut self, key: &str) {
        self.out.push('\n');
        let heading = self.styled(self.presenter.words.get(key), Style::Bold);
        self.line(&heading);
    }

    /// Adds a part with a list; nothing for an empty one.
    pub(super) fn items(&mut self, key: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.heading(key);
        for item in items {
            self.prose(item, "  ", None);
        }
    }

    /// Columns below each other; numbers end at the same place.
    pub(super) fn table(&mut self, table: &ReportTable) {
        let lines = || std::iter::once(&table.titles).chain(&table.rows);
        let width = |column: usize| lines().filter_map(|cells| cells.get(column)).map(|cell| printable(cell).width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..table.titles.len()).map(width).collect();
        self.out.push('\n');
        for (number, cells) in lines().enumerate() {
            let mut line = String::from("  ");
            for (column, (cell, width)) in cells.iter().zip(&widths).enumerate() {
                let cell = printable(cell);
                let gap = " ".repeat(width.saturating_sub(cell.width()));
                line.push_str(if column > 0 { "  " } else { "" });
                let (before, after) = if column < table.texts { ("", gap.as_str()) } else { (gap.as_str(), "") };
                line.extend([before, &*cell, after]);
            }
            let line = if self.screen.cuts { cut(line.trim_end(), self.screen.width) } else { line.trim_end().to_owned() };
            let line = if number == 0 { self.styled(&line, Style::Quiet) } else { line };
            self.line(&line);
        }
    }
}

/// A line, truncated to a width.
pub(super) fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut width = 0;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width < room
    };
    let cut: String = text.chars().take_while(fits).collect();
    format!("{}…", cut.trim_end())
}
