//! Lines of CSV files (RFC 4180).

use crate::text::printable_lines;

/// A line with these fields.
pub(super) fn csv_line(values: &[&str]) -> String {
    let fields: Vec<String> = values.iter().map(|value| csv_field(value)).collect();
    format!("{}\r\n", fields.join(","))
}

/// Quotes a field if necessary. Spreadsheets interpret a leading `=`, `+`, `-`, `@`, tab or line break as a formula, so an apostrophe is inserted before it.
fn csv_field(text: &str) -> String {
    let text = printable_lines(text);
    let text = if text.starts_with(['=', '+', '-', '@', '\t', '\n']) { format!("'{text}") } else { text.into_owned() };
    if text.contains(['"', ',', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
