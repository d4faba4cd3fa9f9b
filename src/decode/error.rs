//! Decoding errors, with messages for authors of data files.

use std::{fmt, sync::Arc};

use serde::de::{self, Unexpected};

use crate::{
    diagnostic::{Diagnostic, Place, Rule},
    node::{MapEntry, Node},
    text::{Span, did_you_mean},
};

/// An error, and the part of the file that has it.
#[derive(Debug)]
pub struct DecodeError(pub(super) Box<ErrorDetails>);

#[derive(Debug)]
pub(super) struct ErrorDetails {
    pub(super) rule: Rule,
    pub(super) message: String,
    pub(super) help: Option<String>,
    pub(super) span: Option<Span>,
    /// The number of the innermost list item or map entry around the error.
    pub(super) part: Option<u32>,
    pub(super) missing: Option<&'static str>,
    /// Where a key is missing: the first key of the map, which is a better caret than the whole map.
    pub(super) map: Option<Span>,
    /// Whether it follows from another mistake, and is not reported.
    pub(super) follows: bool,
    /// The known key that an unknown one resembles.
    pub(super) meant: Option<&'static str>,
}

impl DecodeError {
    pub(super) fn new(rule: Rule, message: String) -> Self {
        Self(Box::new(ErrorDetails {
            rule,
            message,
            help: None,
            span: None,
            part: None,
            missing: None,
            map: None,
            follows: false,
            meant: None,
        }))
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    pub(super) fn inside(mut self, part: u32, span: Span) -> Self {
        self.0.span.get_or_insert(span);
        self.0.part.get_or_insert(part);
        self
    }

    /// Sets the place of a missing key; `follows` returns whether its absence follows from another mistake.
    pub(super) fn in_map(mut self, span: Span, entries: &[MapEntry], follows: impl FnOnce(&str) -> bool) -> Self {
        if let (Some(field), None) = (self.0.missing, self.0.map) {
            self.0.map = Some(entries.first().map_or(span, |entry| entry.key_span));
            self.0.follows = follows(field);
        }
        self
    }

    pub(super) fn diagnostic(&self, file: &Arc<str>, root: &Node) -> Diagnostic {
        let span = self.0.map.or(self.0.span).unwrap_or(root.span);
        let found = Diagnostic::new(self.0.rule, Place::new(file.clone(), span), self.0.message.clone());
        match &self.0.help {
            Some(help) => found.help(help.clone()),
            None => found,
        }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for DecodeError {}

fn choices(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

impl de::Error for DecodeError {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self::new(Rule::InvalidValue, message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Rule::WrongType, format!("expected {}, found {}", expectation(expected), name_of(&found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::new(Rule::InvalidValue, format!("expected {}, found {}", expectation(expected), name_of(&found)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let error = Self::new(Rule::InvalidValue, format!("`{variant}` is not one of the values allowed here"));
        error.help(match did_you_mean(variant, expected.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`? Allowed are {}", choices(expected)),
            None => format!("allowed are {}", choices(expected)),
        })
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        let mut error = Self::new(Rule::UnknownField, format!("unknown key `{field}`"));
        error.0.meant = did_you_mean(field, expected.iter().copied());
        error.0.help = Some(match error.0.meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if expected.is_empty() => "no key is known here".to_owned(),
            None => format!("known keys here: {}", choices(expected)),
        });
        error
    }

    fn missing_field(field: &'static str) -> Self {
        let mut error = Self::new(Rule::MissingField, format!("the key `{field}` is missing")).help(format!("add `{field}`"));
        error.0.missing = Some(field);
        error
    }
}

/// The expectation in the terms of YAML; serde uses those of Rust.
fn expectation(expected: &dyn de::Expected) -> String {
    match expected.to_string().as_str() {
        "a string" => "text".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => "a whole number".to_owned(),
        "a sequence" => "a list".to_owned(),
        other => other.to_owned(),
    }
}

fn name_of(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Signed(value) => format!("the number `{value}`"),
        Unexpected::Float(value) => format!("the number `{value}`"),
        Unexpected::Str(value) => format!("the text `{value}`"),
        Unexpected::Unit | Unexpected::Option => "nothing".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Map => "a map".to_owned(),
        other => other.to_string(),
    }
}
