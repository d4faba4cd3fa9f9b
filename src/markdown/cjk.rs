//! Emphasis in Japanese and Chinese text.
//!
//! CommonMark decides by the characters on both sides whether `**` opens or closes, and expects a blank where a word ends. So in
//! `**「強調」**です` the second mark cannot close. Here a punctuation character that the text does not contain is put between such a mark and
//! the letter beside it, which makes the mark fit for both; the renderer drops it again.

use super::source::{Edit, Source, moved};
use crate::text::is_wide;

/// Punctuation marks that Markdown gives no meaning and hardly any text contains.
const MARKS: [char; 4] = ['\u{2E31}', '\u{2E32}', '\u{2E33}', '\u{2E34}'];

/// Puts marks beside emphasis where Japanese needs them. Returns the mark, if one was needed, and where the given offsets are now.
pub(super) fn mark_emphasis(source: Source, offsets: &[usize]) -> (Source, Option<char>, Vec<usize>) {
    let text = &source.text;
    let mark = if text.is_ascii() { None } else { MARKS.into_iter().find(|mark| !text.contains(*mark) && !names(text, *mark)) };
    let edits: Vec<Edit> =
        mark.map_or_else(Vec::new, |mark| places(text).into_iter().map(|at| Edit { range: at..at, with: mark.to_string() }).collect());
    if edits.is_empty() {
        return (source, None, offsets.to_vec());
    }
    (source.edited(&edits), mark, moved(offsets.iter().copied(), &edits))
}

/// Whether the text writes this character as `&#x2E31;` or `&#11825;`.
fn names(text: &str, mark: char) -> bool {
    let code = u32::from(mark);
    text.contains("&#") && [format!("{code:x}"), format!("{code:X}"), format!("{code}")].iter().any(|name| text.contains(name.as_str()))
}

/// Where marks are needed.
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
            match (side(before), side(after)) {
                (Side::Letter, Side::Opening | Side::Neutral) => places.push(start),
                (Side::Closing | Side::Neutral, Side::Letter) => places.push(at),
                _ => {}
            }
        }
    }
    places
}

/// How a character beside a mark is read.
enum Side {
    Blank,
    Letter,
    /// Punctuation that begins something: `「`, `(`.
    Opening,
    /// Punctuation that ends something: `」`, `。`.
    Closing,
    /// Punctuation of either use: `` ` ``, `"`.
    Neutral,
}

fn side(c: char) -> Side {
    match c {
        // `|` separates cells.
        c if c.is_whitespace() || c == '|' => Side::Blank,
        // `>` begins a quote: what follows stands at a beginning. `\` escapes what follows.
        '(' | '[' | '{' | '<' | '>' | '\\' | '「' | '『' | '（' | '［' | '｛' | '【' | '〔' | '〈' | '《' | '〖' | '〘' | '｢' | '｟'
        | '“' | '‘' | '«' | '¡' | '¿' => Side::Opening,
        ')' | ']' | '}' | '.' | ',' | ';' | ':' | '!' | '?' | '」' | '』' | '）' | '］' | '｝' | '】' | '〕' | '〉' | '》' | '〗'
        | '〙' | '｣' | '｠' | '”' | '’' | '»' | '、' | '。' | '，' | '．' | '！' | '？' | '：' | '；' | '･' | '…' | '‥' | '・' => {
            Side::Closing
        }
        c if c.is_ascii_punctuation() => Side::Neutral,
        // Symbols and punctuation of other scripts: anything that is neither letter nor digit nor mark of a letter.
        c if c.is_alphanumeric()
            || matches!(c, 'ー' | '々' | '〆' | '\u{3099}' | '\u{309A}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}') =>
        {
            Side::Letter
        }
        _ => Side::Neutral,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_japanese_stays_as_it_is() {
        for text in ["a**`b`**c", "**\"x\"**y", "é**(x)**é", ""] {
            assert!(mark_emphasis(Source::new(text), &[]).1.is_none(), "{text}");
        }
    }

    #[test]
    fn marks_stand_between_the_letter_and_the_emphasis() {
        for (text, expected) in [
            ("**「強調」**です", "**「強調」**|です"),
            ("これは**`x`**は", "これは|**`x`**|は"),
            ("**[a](b)**は", "**[a](b)**|は"),
            ("~~旧（v1）~~は", "~~旧（v1）~~|は"),
            ("1~3、~「a」", "1~3、~「a」"),
            ("（**強調**）と", "（**強調**）と"),
            ("| **強調** |**次**|", "| **強調** |**次**|"),
        ] {
            let (source, ..) = mark_emphasis(Source::new(text), &[]);
            assert_eq!(source.text.replace(MARKS[0], "|"), expected);
        }
    }
}
