//! Tables.

use std::ops::Range;

use pulldown_cmark::{Alignment, Event, TagEnd};

use super::{output::PageOutput, prose::Symptoms};
use crate::{diagnostic::Rule, layout::SYMPTOMS};

/// The table that is being written. Tables cannot be nested.
#[derive(Default)]
pub(super) struct TableWriter<'a> {
    alignments: &'a [Alignment],
    /// The index of the current cell in its row.
    column: usize,
    in_head: bool,
    /// Whether the current cell is a `<th>`.
    in_header_cell: bool,
    /// The first table of symptoms.
    pub(super) symptoms: Option<Symptoms>,
    /// Whether the current table is that one.
    in_symptoms: bool,
}

/// The column of the table of symptoms with the action.
const ACTION: usize = 2;

/// The id of a row of the table of symptoms, from 1.
#[must_use]
pub fn symptom_id(row: usize) -> String {
    format!("symptom-{row}")
}

impl<'a> TableWriter<'a> {
    /// Begins a table. `section` is the explicit id of the heading above it.
    pub(super) fn start(&mut self, alignments: &'a [Alignment], section: Option<&str>, out: &mut PageOutput<'_>) {
        self.alignments = alignments;
        self.in_symptoms = self.symptoms.is_none() && section == Some(SYMPTOMS);
        if self.in_symptoms {
            self.symptoms = Some(Symptoms::default());
        }
        // A wide table scrolls inside its box; without `tabindex`, the keyboard can't scroll it.
        out.block(if out.page.plain { "<table>" } else { "<div class=\"table\" tabindex=\"0\"><table>" });
    }

    pub(super) fn start_head(&mut self, out: &mut PageOutput<'_>) {
        self.column = 0;
        self.in_head = true;
        out.html.raw("<thead>\n<tr>");
    }

    pub(super) fn end_head(&mut self, out: &mut PageOutput<'_>) {
        self.in_head = false;
        out.end_block("</tr>\n</thead>\n<tbody>\n");
    }

    /// Begins a row. Reports cells beyond the last column, which Markdown drops.
    pub(super) fn start_row(&mut self, range: &Range<usize>, out: &mut PageOutput<'_>) {
        self.column = 0;
        let columns = self.alignments.len();
        let cells = count_cells(out.page.text(range.clone()));
        if cells > columns {
            let message = format!("this row has {cells} cells, and the table has {columns} columns: the additional cells are not shown");
            let help = "write `\\|` for a bar that is text, also in a link: `[[id\\|text]]`";
            out.report(Rule::ExtraCell, range.clone(), message, help);
        }
        if let Some(symptoms) = self.symptoms.as_mut().filter(|_| self.in_symptoms) {
            symptoms.rows += 1;
            // Removed again if the row has a cell with an action.
            symptoms.without_action.push(out.page.span(range.clone()));
            out.html.raw(&format!("<tr id=\"{}\">", symptom_id(symptoms.rows)));
            return;
        }
        out.html.raw("<tr>");
    }

    pub(super) fn start_cell(&mut self, index: usize, out: &mut PageOutput<'_>) {
        // An empty header cell is a `<td>`: screen readers would announce an empty header with each cell of the column.
        let is_empty = matches!(out.page.event(index + 1), Some(Event::End(TagEnd::TableCell)));
        if self.in_symptoms && !self.in_head && !is_empty && self.column == ACTION {
            self.symptoms.iter_mut().for_each(|symptoms| {
                symptoms.without_action.pop();
            });
        }
        self.in_header_cell = self.in_head && (out.page.plain || !is_empty);
        let name = if self.in_header_cell { "th" } else { "td" };
        let class = match self.alignments.get(self.column) {
            Some(Alignment::Left) => " class=\"align-left\"",
            Some(Alignment::Center) => " class=\"align-center\"",
            Some(Alignment::Right) => " class=\"align-right\"",
            Some(Alignment::None) | None => "",
        };
        out.previous = None;
        out.html.raw(&format!("<{name}{class}>"));
    }

    pub(super) fn end_cell(&mut self, out: &mut PageOutput<'_>) {
        self.column += 1;
        out.html.raw(if self.in_header_cell { "</th>" } else { "</td>" });
        out.section_text("\t");
    }
}

/// The number of cells in a row: bars separate them, except for bars after a backslash and at both ends (GitHub Flavored Markdown, section 4.10).
fn count_cells(row: &str) -> usize {
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
    use super::count_cells;

    #[test]
    fn bars_divide_cells() {
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
            assert_eq!(count_cells(row), expected, "{row}");
        }
    }
}
