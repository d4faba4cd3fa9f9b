//! Sorted lines in files of a few kilobytes, and the encoding of numbers as letters.

use std::cmp::Ordering;

use serde::Serialize;

/// Sorted lines of one file.
pub(super) struct Shard {
    /// The lower bound of the keys of this file: the shortest text that is greater than the last key of the previous file.
    pub(super) first: String,
    pub(super) lines: String,
}

/// Compares as JavaScript does: by UTF-16 code units, which differs from the order of code points above U+FFFF.
pub(super) fn utf16_order(a: &str, b: &str) -> Ordering {
    let simple = |text: &str| text.bytes().all(|byte| byte < 0xee);
    if simple(a) && simple(b) { a.cmp(b) } else { a.encode_utf16().cmp(b.encode_utf16()) }
}

/// Packs lines with their keys into files of at most `most` bytes, in the order of the keys. Lines of the same key stay together.
pub(super) fn pack(lines: impl Iterator<Item = (String, String)>, most: usize) -> Vec<Shard> {
    let mut shards: Vec<Shard> = Vec::new();
    let mut before = String::new();
    for (key, line) in lines {
        match shards.last_mut() {
            Some(shard) if shard.lines.len() + line.len() < most || key == before => {
                shard.lines.push('\n');
                shard.lines.push_str(&line);
            }
            Some(_) => shards.push(Shard { first: shortest_after(&before, &key).to_owned(), lines: line }),
            None => shards.push(Shard { first: String::new(), lines: line }),
        }
        before = key;
    }
    shards
}

/// The shortest prefix of `key` that is greater than `before`.
fn shortest_after<'a>(before: &str, key: &'a str) -> &'a str {
    let same = before.chars().zip(key.chars()).take_while(|(a, b)| a == b).count();
    key.char_indices().nth(same + 1).map_or(key, |(end, _)| &key[..end])
}

/// A script that passes a value to the page.
pub(super) fn script(what: &str, value: &impl Serialize) -> Vec<u8> {
    script_of(what, &serde_json::to_string(value).unwrap_or_default())
}

/// A script that passes a value in JSON to the page.
pub(super) fn script_of(what: &str, json: &str) -> Vec<u8> {
    format!("ksys.got({what:?},{json})\n").into_bytes()
}

/// The letters that represent the numbers from 0 to 63.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A number below 64 as one letter.
pub(super) fn digit(number: u8) -> char {
    char::from(DIGITS[usize::from(number & 63)])
}

/// Appends a number as letters: five bits each, least significant first; all but the last have 32 added. This is the encoding of source maps, without a sign.
pub(super) fn vlq(mut number: usize, text: &mut String) {
    loop {
        let low = u8::try_from(number & 31).unwrap_or_default();
        number >>= 5;
        text.push(digit(low | if number > 0 { 32 } else { 0 }));
        if number == 0 {
            return;
        }
    }
}

/// The number below 64 that a letter represents.
pub(super) fn value(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    }
}

/// Reads a number from the beginning of a text, and removes it there.
pub(super) fn read_vlq(text: &mut &str) -> Option<usize> {
    let mut number = 0;
    for (at, letter) in text.bytes().enumerate() {
        let bits = value(letter)?;
        number |= usize::from(bits & 31).checked_shl(u32::try_from(at * 5).ok()?)?;
        if bits < 32 {
            *text = &text[at + 1..];
            return Some(number);
        }
    }
    None
}

/// Cuts a text into parts of at most about this many bytes.
pub(super) fn pieces_of(text: &str, most: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = rest.len().min(most);
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        let (piece, left) = rest.split_at(end);
        rest = left;
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn numbers_as_letters() {
        for (number, letters) in [(0, "A"), (31, "f"), (32, "gB"), (1023, "/f"), (1024, "ggB")] {
            let mut text = String::new();
            vlq(number, &mut text);
            assert_eq!(text, letters, "{number}");
        }
    }

    #[test]
    fn shards_begin_where_the_last_one_ended() {
        let keys: Vec<String> = (0..2000).map(|n| format!("key{n:05}")).collect();
        let shards = pack(keys.iter().map(|key| (key.clone(), key.clone())), 2_500);
        assert!(shards.len() > 3);
        for key in &keys {
            let at = shards.iter().rposition(|shard| shard.first <= *key).unwrap();
            assert!(shards[at].lines.lines().any(|line| line == key), "{key} in {at}");
        }
    }

    #[test]
    fn the_order_of_javascript() {
        assert_eq!(utf16_order("\u{20bb7}", "\u{fb01}"), Ordering::Less);
        assert_eq!(utf16_order("a", "b"), Ordering::Less);
    }
}
