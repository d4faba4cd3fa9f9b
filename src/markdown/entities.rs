//! Character references in raw HTML.

use crate::text::escape_into;

/// Decodes the character references that matter in addresses: numbers, and names of ASCII characters.
///
/// Any other name is harmless, because its `&` is escaped again on output.
pub(super) fn decode_entities(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((character, length)) = entity(rest) {
            out.push(character);
            rest = &rest[length..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn entity(text: &str) -> Option<(char, usize)> {
    const NAMES: &str =
        "amp lt gt quot apos colon Tab NewLine sol bsol num excl quest equals period comma semi lpar rpar commat percnt lowbar";
    /// In the order of their names.
    const CHARACTERS: &str = "&<>\"':\t\n/\\#!?=.,;()@%_";
    if let Some(number) = text.strip_prefix("&#") {
        let (digits, radix, prefix) = match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, 3),
            None => (number, 10, 2),
        };
        let length = digits.bytes().take_while(|byte| char::from(*byte).is_digit(radix)).count();
        if length == 0 {
            return None;
        }
        // A number that is too large for Unicode is an error.
        let code = u32::from_str_radix(&digits[..length], radix).ok().filter(|code| *code != 0);
        let character = code.and_then(char::from_u32).unwrap_or('\u{FFFD}');
        let end = prefix + length;
        return Some((character, end + usize::from(text[end..].starts_with(';'))));
    }
    // No name is longer than this.
    let name_length = text[1..].bytes().take(12).take_while(u8::is_ascii_alphanumeric).count();
    let name = &text[1..=name_length];
    let (_, character) = NAMES.split(' ').zip(CHARACTERS.chars()).find(|(known, _)| *known == name)?;
    text[1 + name_length..].starts_with(';').then_some((character, name_length + 2))
}

/// Appends text of raw HTML: character references are kept, everything else is escaped.
pub(super) fn escape_text(text: &str, out: &mut String) {
    for (index, part) in text.split('&').enumerate() {
        if index > 0 {
            out.push_str(if is_reference(part) { "&" } else { "&amp;" });
        }
        escape_into(part, out);
    }
}

/// Whether `&` followed by this text is a character reference.
fn is_reference(text: &str) -> bool {
    let (body, allowed): (&str, fn(&u8) -> bool) = match text.strip_prefix('#') {
        Some(number) => match number.strip_prefix(['x', 'X']) {
            Some(digits) => (digits, u8::is_ascii_hexdigit),
            None => (number, u8::is_ascii_digit),
        },
        None => (text, u8::is_ascii_alphanumeric),
    };
    let length = body.bytes().take(32).take_while(allowed).count();
    length > 0 && body[length..].starts_with(';')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_references_in_addresses() {
        assert_eq!(decode_entities("jav&#x09;ascript&colon;x&#58;&#0000106&amp;&lt"), "jav\tascript:x:j&&lt");
        assert_eq!(decode_entities("&#0;&#x110000;&#99999999999;&"), "\u{FFFD}\u{FFFD}\u{FFFD}&");
    }
}
