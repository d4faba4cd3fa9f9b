//! Emphasis in Japanese and Chinese text.
//!
//! CommonMark decides by the characters on both sides whether `**` opens or closes, and expects a space at the end of a word. So in `**「強調」**です`, the second
//! `**` can't close. Here, a punctuation character that does not occur in the text is inserted between such a `**` and the letter next to it, so that it can
//! both open and close; the renderer removes the character.

use super::mapped_source::{MappedSource, TextEdit, moved};
use crate::text::is_wide;

/// Punctuation without a meaning in Markdown that hardly any text contains.
const MARKS: [char; 4] = ['\u{2E31}', '\u{2E32}', '\u{2E33}', '\u{2E34}'];

/// A text with marks next to its emphasis.
pub(super) struct MarkedSource {
    pub(super) source: MappedSource,
    /// The character that was inserted, if any.
    pub(super) mark: Option<char>,
    /// The given offsets in the new text.
    pub(super) offsets: Vec<usize>,
}

/// Inserts marks next to emphasis where Japanese needs them. `offsets` into the text, in ascending order, are adjusted.
pub(super) fn mark_emphasis(source: MappedSource, offsets: impl Iterator<Item = usize>) -> MarkedSource {
    let text = &source.text;
    let mark = if text.is_ascii() { None } else { MARKS.into_iter().find(|mark| !text.contains(*mark) && !names(text, *mark)) };
    let edits: Vec<TextEdit> =
        mark.map_or_else(Vec::new, |mark| places(text).into_iter().map(|at| TextEdit { range: at..at, with: mark.to_string() }).collect());
    if edits.is_empty() {
        return MarkedSource { source, mark: None, offsets: offsets.collect() };
    }
    MarkedSource { source: source.edited(&edits), mark, offsets: moved(offsets, &edits) }
}

/// Whether the text contains this character as `&#x2E31;` or `&#11825;`.
fn names(text: &str, mark: char) -> bool {
    let code = u32::from(mark);
    text.contains("&#") && [format!("{code:x}"), format!("{code:X}"), format!("{code}")].iter().any(|name| text.contains(name.as_str()))
}

/// The offsets at which marks are needed, in ascending order.
fn places(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(|byte| matches!(byte, b'*' | b'~')).map(|found| at + found) {
        let delimiter = bytes[start];
        let length = bytes[start..].iter().take_while(|byte| **byte == delimiter).count();
        at = start + length;
        // One `~` means "about" or "from … to" in Japanese.
        if delimiter == b'~' && length != 2 {
            continue;
        }
        let (before, after) = (text[..start].chars().next_back(), text[at..].chars().next());
        let (Some(before), Some(after)) = (before, after) else { continue };
        if is_wide(before) || is_wide(after) {
            match (classify(before), classify(after)) {
                (CharacterClass::Letter, CharacterClass::Opening | CharacterClass::Neutral) => places.push(start),
                (CharacterClass::Closing | CharacterClass::Neutral, CharacterClass::Letter) => places.push(at),
                _ => {}
            }
        }
    }
    places
}

/// The class of a character next to `**` or `~~`.
enum CharacterClass {
    Blank,
    Letter,
    /// Punctuation that begins something: `「`, `(`.
    Opening,
    /// Punctuation that ends something: `」`, `。`.
    Closing,
    /// Punctuation that does either: `` ` ``, `"`.
    Neutral,
}

fn classify(c: char) -> CharacterClass {
    match c {
        // `|` separates cells.
        c if c.is_whitespace() || c == '|' => CharacterClass::Blank,
        // `>` begins a quote, so the text after it is at a beginning. `\` escapes the next character.
        '(' | '[' | '{' | '<' | '>' | '\\' | '「' | '『' | '（' | '［' | '｛' | '【' | '〔' | '〈' | '《' | '〖' | '〘' | '｢' | '｟'
        | '“' | '‘' | '«' | '¡' | '¿' => CharacterClass::Opening,
        ')' | ']' | '}' | '.' | ',' | ';' | ':' | '!' | '?' | '」' | '』' | '）' | '］' | '｝' | '】' | '〕' | '〉' | '》' | '〗'
        | '〙' | '｣' | '｠' | '”' | '’' | '»' | '、' | '。' | '，' | '．' | '！' | '？' | '：' | '；' | '･' | '…' | '‥' | '・' => {
            CharacterClass::Closing
        }
        c if c.is_ascii_punctuation() => CharacterClass::Neutral,
        // Symbols and punctuation of other scripts: all characters that are not letters, digits or marks of letters.
        c if c.is_alphanumeric()
            || matches!(c, 'ー' | '々' | '〆' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}') =>
        {
            CharacterClass::Letter
        }
        _ => CharacterClass::Neutral,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_japanese_stays_as_it_is() {
        for text in ["a**`b`**c", "**\"x\"**y", "é**(x)**é", ""] {
            assert!(mark_emphasis(MappedSource::new(text), std::iter::empty()).mark.is_none(), "{text}");
        }
    }

    #[test]
    fn marks_are_between_the_letter_and_the_emphasis() {
        for (text, expected) in [
            ("**「強調」**です", "**「強調」**|です"),
            ("これは**`x`**は", "これは|**`x`**|は"),
            ("**[a](b)**は", "**[a](b)**|は"),
            ("~~旧（v1）~~は", "~~旧（v1）~~|は"),
            ("1~3、~「a」", "1~3、~「a」"),
            ("（**強調**）と", "（**強調**）と"),
            ("| **強調** |**次**|", "| **強調** |**次**|"),
        ] {
            let MarkedSource { source, .. } = mark_emphasis(MappedSource::new(text), std::iter::empty());
            assert_eq!(source.text.replace(MARKS[0], "|"), expected);
        }
    }
}
