//! Conversion of input bytes to text, and the reasons why an input is not a listing.

use super::{Explanation, Knowledge, related};
use crate::{id::Id, listing::objects_of_message};

/// The largest input, in bytes: about the size of the output of a cluster with 5,000 Pods and `-o json`.
pub const MAX_INPUT: u64 = 64 << 20;

/// Why an input cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputError {
    /// Only white space.
    Empty,
    /// Not text.
    Binary,
    /// More than [`MAX_INPUT`] bytes.
    TooLarge,
    /// No rows, but this message of kubectl.
    Message(String),
    /// No rows, but a known form of text.
    Form(InputForm),
    /// No rows.
    Other,
}

/// A form of text that is no output of kubectl.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputForm {
    /// A picture, or data in Base64.
    Picture,
    /// An alert of Prometheus.
    Alert,
    /// A log.
    Log,
    /// An address, or a port.
    Address,
    /// A manifest without objects.
    Manifest,
    /// A single word.
    Word,
}

/// The reason why an input cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong with the input.
    pub reason: InputError,
    /// The component that the input is about, if it names one.
    pub component: Option<Id>,
}

impl From<InputError> for Refusal {
    fn from(reason: InputError) -> Self {
        Self { reason, component: None }
    }
}

impl InputError {
    /// The key of the message in the interface strings; it may have the placeholders `{line}` and `{size}`.
    #[must_use]
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Empty => "explain_empty",
            Self::Binary => "explain_binary",
            Self::TooLarge => "explain_too_large",
            Self::Message(_) => "explain_message",
            Self::Form(InputForm::Picture) => "explain_picture",
            Self::Form(InputForm::Alert) => "explain_alert",
            Self::Form(InputForm::Log) => "explain_log",
            Self::Form(InputForm::Address) => "explain_address",
            Self::Form(InputForm::Manifest) => "explain_manifest",
            Self::Form(InputForm::Word) => "explain_word",
            Self::Other => "explain_nothing",
        }
    }
}

/// Decodes UTF-8, or the UTF-16 that `>` writes in PowerShell. Invalid bytes are replaced: rows are ASCII.
///
/// # Errors
/// If the bytes are not text, or only white space.
pub fn decode(bytes: &[u8]) -> Result<String, InputError> {
    let wide = |read: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    let text: String = match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    if text.contains('\0') {
        return Err(InputError::Binary);
    }
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(InputError::Empty);
    }
    Ok(text)
}

/// The beginnings of messages that kubectl prints instead of a listing.
const MESSAGES: &[&str] = &[
    "Error from server",
    "error:",
    "Error:",
    "Unable to connect",
    "The connection to the server",
    "No resources found",
    "the server doesn't have a resource type",
    "couldn't get",
];

/// Why an explanation has no rows; `None` if it has some.
#[must_use]
pub fn input_error(knowledge: &Knowledge, text: &str, explanation: &Explanation) -> Option<Refusal> {
    if !explanation.is_empty() {
        return None;
    }
    let is_message = |line: &&str| {
        MESSAGES.iter().any(|begins| line.starts_with(begins))
            || line.ends_with("command not found")
            || line.contains(" is not recognized as ")
    };
    let message = text.lines().map(str::trim).find(is_message);
    let reason = match message {
        Some(line) => InputError::Message(line.chars().take(200).collect()),
        None => form(text).map_or(InputError::Other, InputError::Form),
    };
    Some(Refusal { reason, component: named_component(knowledge, text) })
}

/// The component that a text without rows is about.
fn named_component(knowledge: &Knowledge, text: &str) -> Option<Id> {
    objects_of_message(text).iter().find_map(|row| {
        let best = knowledge.recogniser.best(row, None);
        match best.as_slice() {
            [] => related(knowledge, row),
            [first, ..] => best.iter().all(|owned| owned.component == first.component).then(|| first.component.clone()),
        }
    })
}

/// The number of lines that determine the form of a text.
const FIRST_LINES: usize = 40;

/// The number of characters from which a word without spaces is data.
const LONG: usize = 200;

/// The form of a text.
fn form(text: &str) -> Option<InputForm> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(FIRST_LINES).collect();
    let first = *lines.first()?;
    let is_long = |line: &str| line.len() >= LONG && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    if first.starts_with("data:image/") || first.starts_with("iVBORw0KGgo") || is_long(first) {
        return Some(InputForm::Picture);
    }
    let any = |test: &dyn Fn(&str) -> bool| lines.iter().any(|line| test(line));
    if any(&|line| line.contains("alertname") || line.starts_with("[FIRING") || line.starts_with("alert:") || line.starts_with("- alert:"))
    {
        return Some(InputForm::Alert);
    }
    if any(&|line| {
        line.starts_with("apiVersion:") || line.starts_with("kind:") || line.starts_with("\"apiVersion\"") || line.contains("{{")
    }) {
        return Some(InputForm::Manifest);
    }
    if lines.len() == 1 && !first.contains(char::is_whitespace) {
        let is_address = first.bytes().any(|byte| byte.is_ascii_digit())
            && first.bytes().all(|byte| byte.is_ascii_hexdigit() || b".:/[]".contains(&byte));
        return Some(if is_address || first.contains("://") { InputForm::Address } else { InputForm::Word });
    }
    any(&is_log_line).then_some(InputForm::Log)
}

/// Whether a line is that of a log: `I1128 10:20:30.123456`, `2026-11-28T10:20:30Z`, `level=info`, `{"level":"info"`.
fn is_log_line(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let is_klog = first.len() == 5
        && first.starts_with(['I', 'W', 'E', 'F'])
        && first.bytes().skip(1).all(|byte| byte.is_ascii_digit())
        && second.starts_with(|c: char| c.is_ascii_digit());
    let is_dated = first.len() >= 10
        && first.split('-').take(2).all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        && first.matches('-').count() >= 2;
    is_klog || is_dated || line.contains("level=") || line.starts_with("{\"level\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_shell() {
        assert_eq!(decode(b"pod/a"), Ok("pod/a".to_owned()));
        assert_eq!(decode(b"\xff\xfep\0o\0d\0\n\0"), Ok("pod\n".to_owned()));
        assert_eq!(decode(b"\xfe\xff\0p\0o\0d"), Ok("pod".to_owned()));
        assert_eq!(decode(b"\xff\xfep"), Err(InputError::Empty));
        assert_eq!(decode(b"caf\xe9"), Ok("caf\u{fffd}".to_owned()));
        assert_eq!(decode(b"\x7fELF\0\0"), Err(InputError::Binary));
        assert_eq!(decode(b" \r\n\t"), Err(InputError::Empty));
        assert_eq!(decode(b"\xef\xbb\xbf"), Err(InputError::Empty));
    }

    #[test]
    fn forms_of_text() {
        for (text, expected) in [
            ("data:image/png;base64,iVBO", Some(InputForm::Picture)),
            ("alertname = KubePodNotReady", Some(InputForm::Alert)),
            ("- alert: KubePodNotReady\n  expr: a > 0", Some(InputForm::Alert)),
            ("I1128 10:20:30.1 1 x.go:1] started", Some(InputForm::Log)),
            ("2026-11-28T10:20:30Z started", Some(InputForm::Log)),
            ("10.96.0.1:443", Some(InputForm::Address)),
            ("6443", Some(InputForm::Address)),
            ("https://example.com", Some(InputForm::Address)),
            ("hello", Some(InputForm::Word)),
            ("apiVersion: v1\nkind: Pod", Some(InputForm::Manifest)),
            ("total 12\ndrwx 2", None),
        ] {
            assert_eq!(form(text), expected, "{text}");
        }
    }
}
