//! Bytes to a text that may be a listing, and what to say of those that are none.

use super::Report;

/// More bytes than this are no listing that anybody reads: a cluster of 5,000 Pods with `-o json` has about as many.
pub const MAX_INPUT: u64 = 64 << 20;

/// Why something cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoListing {
    /// There is nothing but white space.
    Empty,
    /// It is no text.
    Binary,
    /// It has more than [`MAX_INPUT`] bytes.
    TooLarge,
    /// kubectl printed a message instead, which this is.
    Message(String),
    /// No row was found.
    Other,
}

impl NoListing {
    /// The key of the words that say so; they may have `{line}`.
    #[must_use]
    pub const fn words(&self) -> &'static str {
        match self {
            Self::Empty => "explain_empty",
            Self::Binary => "explain_binary",
            Self::TooLarge => "explain_too_large",
            Self::Message(_) => "explain_message",
            Self::Other => "explain_nothing",
        }
    }
}

/// The text of some bytes: UTF-8, or the UTF-16 that `>` writes in PowerShell. Bytes that are neither are replaced, because rows are ASCII.
///
/// # Errors
/// If they are no text.
pub fn text(bytes: &[u8]) -> Result<String, NoListing> {
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
        return Err(NoListing::Binary);
    }
    if text.trim_start_matches('\u{feff}').trim().is_empty() {
        return Err(NoListing::Empty);
    }
    Ok(text)
}

/// What lines begin with that kubectl prints instead of a listing.
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

/// Why a report has no rows.
#[must_use]
pub fn reason(text: &str, report: &Report) -> Option<NoListing> {
    if !report.is_empty() {
        return None;
    }
    let is_message = |line: &&str| {
        MESSAGES.iter().any(|begins| line.starts_with(begins))
            || line.ends_with("command not found")
            || line.contains(" is not recognized as ")
    };
    let message = text.lines().map(str::trim).find(is_message);
    Some(message.map_or(NoListing::Other, |line| NoListing::Message(line.chars().take(200).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_every_shell() {
        assert_eq!(text(b"pod/a"), Ok("pod/a".to_owned()));
        assert_eq!(text(b"\xff\xfep\0o\0d\0\n\0"), Ok("pod\n".to_owned()));
        assert_eq!(text(b"\xfe\xff\0p\0o\0d"), Ok("pod".to_owned()));
        assert_eq!(text(b"\xff\xfep"), Err(NoListing::Empty));
        assert_eq!(text(b"caf\xe9"), Ok("caf\u{fffd}".to_owned()));
        assert_eq!(text(b"\x7fELF\0\0"), Err(NoListing::Binary));
        assert_eq!(text(b" \r\n\t"), Err(NoListing::Empty));
        assert_eq!(text(b"\xef\xbb\xbf"), Err(NoListing::Empty));
    }
}
