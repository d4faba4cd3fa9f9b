//! The width of a label in any font.
//!
//! The widths are those of DejaVu Sans, the widest of the common interface fonts (Segoe UI, San Francisco, Roboto, Noto Sans, Arial are
//! narrower), so that a label fits its box everywhere. Source: the advance widths of the font's `hmtx` table, in thousandths of an em.
//! Full-width characters are one em in every font.

/// The size of labels, in units of the drawing (CSS pixels at natural size).
pub const LABEL_SIZE: f64 = 13.0;
/// The size of texts on arrows and of the labels of subgraphs.
pub const SMALL_SIZE: f64 = 12.0;

/// The width of a text in the widest common font.
#[must_use]
pub fn width(text: &str, size: f64) -> f64 {
    let thousandths: u32 = text.chars().map(advance).sum();
    f64::from(thousandths) * size / 1000.0
}

/// Breaks a text into lines of at most `room` pixels: after a space or a hyphen, between full-width characters, or anywhere if there is no other place.
/// The lines together are the text. There is at least one, and each has at least one character.
#[must_use]
pub fn wrap(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut start, mut last_break, mut used) = (0, 0, 0.0);
    let mut previous = ' ';
    for (at, character) in text.char_indices() {
        let can_break = matches!(previous, ' ' | '-' | '/') || (is_full_width(previous) && is_full_width(character));
        if at > start && can_break && !stays_with_previous(character) {
            last_break = at;
        }
        let mut buffer = [0; 4];
        used += width(character.encode_utf8(&mut buffer), size);
        // A space at the end of a line needs no room.
        if used > room && at > start && character != ' ' {
            let end = if last_break > start { last_break } else { at };
            lines.push(text[start..end].to_owned());
            start = end;
            used = width(&text[start..at + character.len_utf8()], size);
        }
        previous = character;
    }
    lines.push(text[start..].to_owned());
    lines
}

const fn is_full_width(character: char) -> bool {
    character > '\u{2fff}'
}

/// Whether a line can't begin with a character: with punctuation or a small kana.
const fn stays_with_previous(character: char) -> bool {
    matches!(
        character,
        '。' | '、' | '）' | '」' | 'ー' | '・' | 'ッ' | 'ャ' | 'ュ' | 'ョ' | 'ァ' | 'ィ' | 'ェ' | 'ォ' | 'っ' | 'ゃ' | 'ゅ' | 'ょ'
    )
}

const fn advance(character: char) -> u32 {
    match character {
        'i' | 'j' | 'l' => 278,
        'I' | 'J' => 295,
        'f' | '-' => 361,
        't' | '(' | ')' | '[' | ']' => 392,
        ' ' | '.' | ',' | '\u{b7}' => 318,
        '/' | ':' | ';' | '|' => 337,
        'r' => 411,
        's' => 521,
        'z' => 525,
        // Half-width katakana, too.
        '_' | '\u{2013}' | '\u{ff61}'..='\u{ff9f}' => 500,
        'c' | 'k' | 'v' | 'x' | 'y' | 'F' | 'L' => 592,
        'a'..='h' | 'n'..='q' | 'u' | '0'..='9' | 'E' | 'P' | 'S' | 'T' | 'Y' => 636,
        'A'..='D' | 'K' | 'R' | 'U' | 'V' | 'X' | 'Z' => 770,
        'G' | 'H' | 'N' | 'O' | 'Q' | 'w' | '+' | '<' | '=' | '>' => 838,
        'm' | 'M' | 'W' | '%' | '@' => 1000,
        // Other Latin, Greek and Cyrillic letters; everything beyond may be full-width.
        '\u{21}'..='\u{52f}' => 800,
        _ => 1000,
    }
}

#[cfg(test)]
mod tests {
    use super::{width, wrap};

    #[test]
    fn lines_break_at_hyphens_and_between_full_width_characters() {
        assert_eq!(wrap("kube-apiserver", 10.0, 70.0), ["kube-", "apiserver"]);
        assert_eq!(wrap("a bc", 10.0, 16.0), ["a ", "bc"]);
        assert_eq!(wrap("監視する", 10.0, 20.0), ["監視", "する"]);
        assert_eq!(wrap("mmm", 10.0, 5.0), ["m", "m", "m"]);
        assert_eq!(wrap("", 10.0, 5.0), [""]);
    }

    #[test]
    fn a_full_width_character_is_one_em_and_latin_ones_less() {
        assert!((width("監視する", 10.0) - 40.0).abs() < 1e-9);
        assert!(width("kube-apiserver", 10.0) < 10.0 * 14.0 * 0.65);
        assert!(width("", 10.0).abs() < 1e-9);
    }
}
