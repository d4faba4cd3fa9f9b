//! Conversion of input bytes to text, and the reasons why an input is not a listing.

use super::Explanation;

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
    /// No rows.
    Other,
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
pub fn input_error(text: &str, explanation: &Explanation) -> Option<InputError> {
    if !explanation.is_empty() {
        return None;
    }
    let is_message = |line: &&str| {
        MESSAGES.iter().any(|begins| line.starts_with(begins))
            || line.ends_with("command not found")
            || line.contains(" is not recognized as ")
    };
    let message = text.lines().map(str::trim).find(is_message);
    Some(message.map_or(InputError::Other, |line| InputError::Message(line.chars().take(200).collect())))
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
}
