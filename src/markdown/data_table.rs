//! Blocks `table`: tables from comma-separated values (RFC 4180), tab-separated values, or a YAML list of maps.

use std::{ops::Range, sync::Arc};

use super::{fence::Fence, output::PageOutput, parsed::LocatedEvent, parsed::parsed_range};
use crate::{
    diagnostic::{Diagnostics, Rule},
    node::{Node, NodeValue, ScalarKind},
    text::{Span, code_spans},
    yaml,
};

/// The maximum number of cells.
const MOST_CELLS: usize = 20_000;

/// Rows of cells; the first one is the header.
type Rows = Vec<Vec<String>>;

/// A mistake in a table: its range in the block's text, a message and a help text.
type Mistake = (Option<Range<usize>>, String, String);

/// Writes the table whose text is in `content`; one that can't be read is shown as code. `opening` is the opening line of its fence.
pub(super) fn write(fence: &Fence, text: &str, content: &[LocatedEvent<'_>], opening: &Range<usize>, out: &mut PageOutput<'_>) {
    let read = match fence.format.as_deref() {
        Some("yaml") => yaml_rows(text),
        format => separated_rows(text, if format == Some("tsv") { b'\t' } else { b',' }),
    };
    let rows = match read {
        Ok(rows) => rows,
        Err((range, message, help)) => {
            let range = range.and_then(|range| parsed_range(content, &range)).unwrap_or_else(|| opening.clone());
            out.report(Rule::BadBlock, range, message, help);
            super::code::write(fence, text, &mut out.html);
            return;
        }
    };
    let Some((header, body)) = rows.split_first() else { return };
    // Numbers are easier to compare if they end at the same place.
    let is_number = |cell: &str| cell.trim_start_matches(['-', '+', '−', '$', '€']).starts_with(|c: char| c.is_ascii_digit());
    let aligned: Vec<bool> = (0..header.len())
        .map(|at| {
            let mut cells = body.iter().filter_map(|row| row.get(at)).filter(|cell| !cell.is_empty()).peekable();
            cells.peek().is_some() && cells.all(|cell| is_number(cell))
        })
        .collect();
    out.html.raw("<div class=\"table\" tabindex=\"0\"><table>");
    if let Some(title) = &fence.title {
        out.html.raw("<caption>");
        out.html.escaped(title);
        out.html.raw("</caption>");
    }
    let cell = |out: &mut PageOutput<'_>, at: usize, text: &str, [open, close]: [&str; 2]| {
        out.html.raw(open);
        out.html.raw(if aligned.get(at) == Some(&true) { " class=\"align-right\">" } else { ">" });
        for (part, is_code) in code_spans(text) {
            out.html.raw(if is_code { "<code>" } else { "" });
            out.html.escaped(part);
            out.html.raw(if is_code { "</code>" } else { "" });
        }
        out.html.raw(close);
    };
    out.html.raw("<thead><tr>");
    for (at, text) in header.iter().enumerate() {
        cell(out, at, text, ["<th scope=\"col\"", "</th>"]);
    }
    out.html.raw("</tr></thead>\n<tbody>\n");
    for row in body {
        out.html.raw("<tr>");
        for (at, text) in row.iter().enumerate() {
            cell(out, at, text, ["<td", "</td>"]);
        }
        out.html.raw("</tr>\n");
    }
    out.html.raw("</tbody>\n</table></div>\n");
    for row in &rows {
        out.section_text(&row.join(" "));
        out.end_block_text();
    }
}

/// The text without the spaces between a separator and a quotation mark: `a, "b"` is common, but without a meaning in RFC 4180.
fn without_indents(text: &str, separator: u8) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quoted = false;
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        quoted ^= first == '"';
        let spaces = if first == ' ' { rest.len() - rest.trim_start_matches(' ').len() } else { 0 };
        let (run, after) = rest.split_at(spaces.max(first.len_utf8()));
        let begins_cell = out.is_empty() || out.ends_with([char::from(separator), '\n']);
        if quoted || spaces == 0 || !begins_cell || !after.starts_with('"') {
            out.push_str(run);
        }
        rest = after;
    }
    out
}

fn separated_rows(text: &str, separator: u8) -> Result<Rows, Mistake> {
    let text_read = without_indents(text, separator);
    let mut reader = csv::ReaderBuilder::new();
    let mut reader = reader.delimiter(separator).has_headers(false).flexible(true).trim(csv::Trim::All).from_reader(text_read.as_bytes());
    let mut rows = Rows::new();
    let mut cells = 0;
    for record in reader.records() {
        // The text is UTF-8 and in memory, so that a record can't fail.
        let Ok(record) = record else { continue };
        let number = record.position().map_or(0, |position| usize::try_from(position.line()).unwrap_or_default());
        let line = || {
            text.split_inclusive('\n')
                .scan(0, |end, line| {
                    let start = *end;
                    *end += line.len();
                    Some(start..start + line.trim_end().len())
                })
                .nth(number.saturating_sub(1))
        };
        cells += record.len();
        if cells > MOST_CELLS {
            return Err((line(), format!("a table can have {MOST_CELLS} cells"), "divide the table".to_owned()));
        }
        if let Some(width) = rows.first().map(Vec::len).filter(|width| *width != record.len()) {
            let message = format!("this row has {} cells, and the header has {width}", record.len());
            let help = "write a cell that contains the separator in quotation marks, and an empty cell as nothing between two separators";
            return Err((line(), message, help.to_owned()));
        }
        rows.push(record.iter().map(str::to_owned).collect());
    }
    if rows.is_empty() {
        let help = "write the header in the first line, and a row in each further line; a file is included with `{{#include data.csv}}`";
        return Err((None, "this table is empty".to_owned(), help.to_owned()));
    }
    Ok(rows)
}

/// A list of maps: the keys are the columns, in the order in which they first occur.
fn yaml_rows(text: &str) -> Result<Rows, Mistake> {
    let file: Arc<str> = "".into();
    let mut found = Diagnostics::new();
    let node = yaml::parse(&file, text, 0, &mut found);
    if let Some(first) = found.all_sorted().into_iter().next() {
        let range = first.place.map(|place| place.span.range());
        return Err((range, first.message, first.help.unwrap_or_default()));
    }
    let wrong =
        |span: Span| (Some(span.range()), "this is not a list of maps".to_owned(), "write each row as `- {name: a, size: 1}`".to_owned());
    let Some(Node { value: NodeValue::List(items), .. }) = &node else { return Err(wrong(node.map(|node| node.span).unwrap_or_default())) };
    let mut header: Vec<String> = Vec::new();
    for item in items {
        let NodeValue::Map(entries) = &item.node.value else { return Err(wrong(item.node.span)) };
        for entry in entries {
            if !header.contains(&entry.key) {
                header.push(entry.key.clone());
            }
        }
        if header.len() * (items.len() + 1) > MOST_CELLS {
            return Err((Some(item.node.span.range()), format!("a table can have {MOST_CELLS} cells"), "divide the table".to_owned()));
        }
    }
    let mut rows = vec![header.clone()];
    for item in items {
        let mut row = vec![String::new(); header.len()];
        let NodeValue::Map(entries) = &item.node.value else { continue };
        for entry in entries {
            let NodeValue::Scalar(scalar) = &entry.node.value else {
                let help = "write a text or a number".to_owned();
                return Err((Some(entry.node.span.range()), "a cell is a single value".to_owned(), help));
            };
            if scalar.kind != ScalarKind::Null
                && let Some(cell) = header.iter().position(|key| *key == entry.key).and_then(|at| row.get_mut(at))
            {
                scalar.text.clone_into(cell);
            }
        }
        rows.push(row);
    }
    Ok(rows)
}
