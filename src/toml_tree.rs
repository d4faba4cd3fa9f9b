//! TOML as a [`Node`].

use std::{ops::Range, sync::Arc};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    node::{ListItem, MapEntry, Node, NodeValue, Scalar, ScalarKind},
    text::Span,
};

/// Parses TOML that begins at byte `offset` of the file. Mistakes go to `diagnostics`; the result has everything that could be read.
#[must_use]
pub fn parse(file: &Arc<str>, text: &str, offset: usize, diagnostics: &mut Diagnostics) -> Node {
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in &errors {
        let span = error.span().map_or(Span::at(0), Span::from).shifted(offset);
        let rule = if error.message().contains("duplicate") { Rule::DuplicateKey } else { Rule::TomlSyntax };
        let found = Diagnostic::new(rule, Place::new(file.clone(), span), format!("this is not TOML: {}", error.message()));
        diagnostics.push(found.help("see https://toml.io for the format; text needs quotes"));
    }
    let mut converter = Converter { offset, numbers: 0 };
    let span = converter.span(table.span());
    converter.table(table.get_ref(), span)
}

/// Converts the parser's values, which have spans relative to the text.
struct Converter {
    /// The offset of the text in its file.
    offset: usize,
    /// The number of nodes so far.
    numbers: u32,
}

impl Converter {
    fn next_number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    fn span(&self, range: Range<usize>) -> Span {
        Span::from(range).shifted(self.offset)
    }

    fn table(&mut self, table: &DeTable<'_>, span: Span) -> Node {
        let mut entries: Vec<MapEntry> = Vec::new();
        for (key, value) in table {
            let number = self.next_number();
            let node = self.value(value.get_ref(), value.span());
            entries.push(MapEntry { number, key: key.get_ref().to_string(), key_span: self.span(key.span()), node });
        }
        entries.sort_by_key(|entry| entry.key_span.start);
        Node { span, value: NodeValue::Map(entries) }
    }

    fn value(&mut self, value: &DeValue<'_>, range: Range<usize>) -> Node {
        let span = self.span(range);
        let scalar = |text: String, kind| NodeValue::Scalar(Scalar { text, kind });
        let value = match value {
            DeValue::String(text) => scalar(text.to_string(), ScalarKind::Text),
            DeValue::Integer(number) => scalar(number.to_string(), ScalarKind::Integer),
            DeValue::Float(number) => scalar(number.to_string(), ScalarKind::Float),
            DeValue::Boolean(truth) => scalar(truth.to_string(), ScalarKind::Boolean),
            DeValue::Datetime(date) => scalar(date.to_string(), ScalarKind::Date),
            DeValue::Array(values) => {
                let item =
                    |value: &Spanned<DeValue<'_>>| ListItem { number: self.next_number(), node: self.value(value.get_ref(), value.span()) };
                NodeValue::List(values.iter().map(item).collect())
            }
            DeValue::Table(table) => return self.table(table, span),
        };
        Node { span, value }
    }
}
