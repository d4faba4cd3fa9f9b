//! Quotes, notes, tabs, lists, tables and code.

use std::ops::Range;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, Tag, TagEnd};

use super::{
    code,
    containers::{Block, Kind},
    diagram,
    fence::Fence,
    listing,
    marker::Title,
    render::{Open, Renderer, TAB_END},
};
use crate::{diagnostic::Rule, highlight::cost};

/// The end of a group of tabs, which another tab takes back.
const TABS_END: &str = "</div>\n";

impl Renderer<'_> {
    pub(super) fn start_quote(&mut self, range: &Range<usize>, index: usize) {
        let blocks = self.blocks;
        let found = blocks.binary_search_by_key(&range.start, |block| block.at).ok().and_then(|index| blocks.get(index));
        match found {
            None => {
                self.block("<blockquote>\n");
                self.open.push(Open::Quote { closing: "</blockquote>\n" });
            }
            Some(block) => {
                let follows =
                    matches!(index.checked_sub(1).and_then(|before| self.events.get(before)), Some((Event::End(TagEnd::BlockQuote(_)), _)));
                self.start_container(block, follows && self.after_tab, index);
            }
        }
    }

    fn start_container(&mut self, block: &Block, follows_tab: bool, index: usize) {
        self.end_of_block_text();
        self.out.fresh_line();
        let (title_opening, title_closing, closing) = match &block.kind {
            Kind::Note { kind } => {
                self.out.raw("<aside");
                self.out.attribute("class", &format!("note note-{kind}"));
                self.out.raw(" role=\"note\">\n");
                ("<p class=\"note-title\">", "</p>\n", "</aside>\n")
            }
            Kind::Details { kind, open } => {
                self.out.raw("<details");
                self.out.attribute("class", &format!("note note-{kind}"));
                self.out.raw(if *open { " open>\n" } else { ">\n" });
                ("<summary>", "</summary>\n", "</details>\n")
            }
            Kind::Tab { label } => {
                // Tabs that stand one behind the other are alternatives to each other.
                match self.out.text.strip_suffix(TABS_END).map(str::len).filter(|_| follows_tab) {
                    Some(open) => self.out.text.truncate(open),
                    None => self.out.raw("<div class=\"tabs\" data-tabs>\n"),
                }
                self.out.raw("<section class=\"tab\"");
                self.out.attribute("data-tab", label);
                self.out.raw(">\n");
                ("<p class=\"tab-label\">", "</p>\n", TAB_END)
            }
        };
        self.open.push(Open::Quote { closing });
        let titled = matches!(self.events.get(index + 1), Some((Event::Start(Tag::Heading { .. }), _)));
        if titled && matches!(block.title, Title::Own(_)) {
            self.out.raw(title_opening);
            self.open.push(Open::NoteTitle { closing: title_closing });
        } else if let Some(title) = block.default_title(self.options.labels) {
            self.out.raw(title_opening);
            self.out.escaped(&title);
            self.section_text(&title);
            self.end_block(title_closing);
        }
    }

    pub(super) fn start_list(&mut self, start: Option<u64>) {
        match start {
            Some(1) => self.block("<ol>\n"),
            Some(start) => self.block(&format!("<ol start=\"{start}\">\n")),
            None => self.block("<ul>\n"),
        }
    }

    pub(super) fn task(&mut self, done: bool) {
        self.flush();
        let labels = self.options.labels;
        self.out.raw(if done { "<input type=\"checkbox\" disabled checked" } else { "<input type=\"checkbox\" disabled" });
        let name = if done { &labels.task_done } else { &labels.task_open };
        if !name.is_empty() {
            self.out.attribute("aria-label", name);
        }
        self.out.raw("> ");
    }

    pub(super) fn start_table(&mut self, alignments: &[Alignment]) {
        self.table.alignments = alignments.to_vec();
        // A wide table scrolls inside its box; without `tabindex` the keyboard could not scroll it.
        self.block(if self.plain { "<table>" } else { "<div class=\"table\" tabindex=\"0\"><table>" });
    }

    /// Cells beyond the last column are dropped by every Markdown compiler, and their text with them.
    pub(super) fn check_row_length(&mut self, range: &Range<usize>) {
        let columns = self.table.alignments.len();
        let Some(row) = self.source.text.get(range.clone()) else { return };
        let cells = cells(row);
        if cells > columns {
            let message = format!("this row has {cells} cells, and the table has {columns} columns: what is too much is not shown");
            let help = "write `\\|` for a bar that is text, also in a link: `[[id\\|text]]`".to_owned();
            self.report(Rule::ExtraCell, range.clone(), message, Some(help));
        }
    }

    pub(super) fn start_cell(&mut self, index: usize) {
        // A head that says nothing is none, and a screen reader would say it with each cell of the column.
        let is_empty = matches!(self.events.get(index + 1), Some((Event::End(TagEnd::TableCell), _)));
        self.table.cell_is_head = self.table.in_head && (self.plain || !is_empty);
        let name = if self.table.cell_is_head { "th" } else { "td" };
        let class = match self.table.alignments.get(self.table.column) {
            Some(Alignment::Left) => " class=\"align-left\"",
            Some(Alignment::Center) => " class=\"align-center\"",
            Some(Alignment::Right) => " class=\"align-right\"",
            Some(Alignment::None) | None => "",
        };
        self.inline.previous = None;
        self.out.raw(&format!("<{name}{class}>"));
    }

    pub(super) fn code_block(&mut self, kind: &CodeBlockKind<'_>, range: &Range<usize>, index: usize) -> usize {
        let end = self.end_of(index);
        let mut text = String::new();
        for (event, _) in self.events.get(index + 1..end).unwrap_or_default() {
            if let Event::Text(part) = event {
                text.push_str(&self.clean(part));
            }
        }
        let info = match kind {
            CodeBlockKind::Indented => String::new(),
            CodeBlockKind::Fenced(info) => self.clean(info).into_owned(),
        };
        let mut fence = Fence::parse(&info);
        let is_diagram = !self.plain && fence.language == diagram::INFO_WORD;
        self.end_of_block_text();
        self.out.fresh_line();
        if !is_diagram {
            self.section_text(&text);
            self.end_of_block_text();
        }
        if self.plain {
            self.out.raw(&code::plain(&info, &text));
            return end + 1;
        }
        fence.check(text.lines().count());
        if matches!(kind, CodeBlockKind::Fenced(_)) && !self.is_closed(range) {
            let help =
                "write the same mark again on a line of its own below the code; everything that follows is taken for code".to_owned();
            self.report(Rule::BadCodeFence, self.opening(range), "this block of code is not closed".to_owned(), Some(help));
        }
        for (message, help) in &fence.problems {
            self.report(Rule::BadCodeFence, self.opening(range), message.clone(), Some(help.clone()));
        }
        if is_diagram {
            self.diagram(&fence, &text, index + 1..end, range);
            return end + 1;
        }
        if fence.language == listing::INFO_WORD {
            self.listing(fence, text, index + 1..end, range);
            return end + 1;
        }
        let cost = cost(&text);
        let colored = cost <= self.color_budget;
        if colored {
            self.color_budget -= cost;
        }
        self.codes.extend(code::write(&fence, &text, colored.then_some(self.codes.len()), &mut self.out));
        end + 1
    }
}

/// Whether the last line of a block closes what the first opens: the same mark, as often or more, and nothing else (CommonMark, section 4.5).
pub(super) fn closes(first: &str, last: &str) -> bool {
    let only = last.trim_matches(|c: char| c.is_whitespace() || c == '>');
    let (Some((opening, count)), Some((closing, closing_count))) = (fence_mark(first), fence_mark(last)) else { return false };
    opening == closing && closing_count >= count && only.chars().all(|c| c == closing)
}

/// The character of a fence that a line begins with, behind what stands before each line of a quotation, and how often it stands there.
fn fence_mark(line: &str) -> Option<(char, usize)> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '>');
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = line.chars().take_while(|c| *c == mark).count();
    (count >= 3).then_some((mark, count))
}

/// The cells of a table's row: bars divide them, but for those behind a backslash, at the beginning and at the end (GitHub Flavored Markdown, section 4.10).
fn cells(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let (mut bars, mut escaped, mut ends_with_bar) = (0, false, false);
    for character in row.chars() {
        ends_with_bar = character == '|' && !escaped;
        bars += usize::from(ends_with_bar);
        escaped = character == '\\' && !escaped;
    }
    bars + usize::from(!ends_with_bar)
}

#[cfg(test)]
mod tests {
    use super::cells;

    #[test]
    fn cells_are_counted_as_they_are_divided() {
        for (row, expected) in [
            ("| a | b |", 2),
            ("a | b", 2),
            ("| a | b", 2),
            ("| [[a|b]] | c |", 3),
            (r"| [[a\|b]] | c |", 2),
            (r"| a \| | c |", 2),
            ("| a | |", 2),
            ("| `a|b` |", 2),
            ("", 1),
        ] {
            assert_eq!(cells(row), expected, "{row}");
        }
    }
}
