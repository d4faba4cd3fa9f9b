//! A word or phrase, and the normalized texts that it is compared with.

use std::ops::Range;

use crate::{markdown::OMITTED, text::is_wide};

/// The placeholder for any one word in a phrase.
const ANY_WORD: &str = "{word}";

/// The longest word that [`ANY_WORD`] matches, in bytes. The limit keeps the search linear in the text.
const LONGEST_WORD: usize = 128;

/// A text without differences of case and white space, and the offsets of its parts in the original.
#[derive(Debug)]
pub(super) struct Folded {
    /// Lower case; each run of white space is a space, and each run of [`OMITTED`] is one.
    pub(super) text: String,
    /// Offsets in `text` and in the original, at the positions where their difference changes.
    offsets: Vec<(usize, usize)>,
}

impl Folded {
    pub(super) fn new(original: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(original.len()), offsets: vec![(0, 0)] };
        let mut previous = None;
        for (at, character) in original.char_indices() {
            let folds_to = if character.is_whitespace() { ' ' } else { character };
            if previous == Some(folds_to) && matches!(folds_to, ' ' | OMITTED) {
                continue;
            }
            previous = Some(folds_to);
            folded.record(at);
            // Each character folds to one character, so that matches end at character boundaries.
            let mut lower = folds_to.to_lowercase();
            folded.text.push(if lower.len() == 1 { lower.next().unwrap_or(folds_to) } else { folds_to });
        }
        folded.record(original.len());
        folded
    }

    /// Records that the text continues with byte `at` of the original.
    fn record(&mut self, at: usize) {
        let end = self.text.len();
        if self.offsets.last().is_some_and(|(folded, original)| original + (end - folded) != at) {
            self.offsets.push((end, at));
        }
    }

    /// The range in the original.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        let offset = |at: usize| {
            let after = self.offsets.partition_point(|(folded, _)| *folded <= at);
            self.offsets[..after].last().map_or(at, |(folded, original)| original + (at - folded))
        };
        offset(range.start)..offset(range.end)
    }
}

/// A word or phrase.
#[derive(Debug)]
pub(super) struct Phrase {
    before: Vec<PhrasePart>,
    literal: String,
    after: Vec<PhrasePart>,
}

#[derive(Debug)]
enum PhrasePart {
    Literal(String),
    AnyWord,
}

impl Phrase {
    /// `None` if the text has no literal part.
    pub(super) fn new(text: &str) -> Option<Self> {
        let folded = Folded::new(text.trim()).text;
        let literals: Vec<&str> = folded.split(ANY_WORD).collect();
        let (longest, literal) = literals.iter().enumerate().rev().max_by_key(|(_, literal)| literal.trim().len())?;
        let part = |literal: &&str| (!literal.is_empty()).then(|| PhrasePart::Literal((*literal).to_owned()));
        let before = literals[..longest].iter().flat_map(|literal| part(literal).into_iter().chain([PhrasePart::AnyWord]));
        let after = literals[longest + 1..].iter().flat_map(|literal| [PhrasePart::AnyWord].into_iter().chain(part(literal)));
        (!literal.trim().is_empty()).then(|| Self { before: before.collect(), literal: (*literal).to_owned(), after: after.collect() })
    }

    /// The longest part without [`ANY_WORD`].
    pub(super) fn literal(&self) -> &str {
        &self.literal
    }

    /// The range of the phrase whose literal part is at `literal` in a folded text; `None` if other parts differ, or the range is not that of whole words.
    pub(super) fn around(&self, literal: Range<usize>, text: &str) -> Option<Range<usize>> {
        let (mut start, mut end) = (literal.start, literal.end);
        for part in &self.after {
            let rest = &text[end..];
            end += match part {
                PhrasePart::Literal(literal) => rest.starts_with(literal).then_some(literal.len())?,
                PhrasePart::AnyWord => word_length(rest.chars())?,
            };
        }
        for part in self.before.iter().rev() {
            let rest = &text[..start];
            start -= match part {
                PhrasePart::Literal(literal) => rest.ends_with(literal).then_some(literal.len())?,
                PhrasePart::AnyWord => word_length(rest.chars().rev())?,
            };
        }
        let inside = |at: usize| is_letter(text[..at].chars().next_back()) && is_letter(text[at..].chars().next());
        (!inside(start) && !inside(end)).then_some(start..end)
    }
}

/// The length in bytes of the word at the beginning of a sequence of characters.
fn word_length(characters: impl Iterator<Item = char>) -> Option<usize> {
    let is_part = |c: &char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | &OMITTED);
    let mut length = 0;
    for character in characters.take_while(is_part) {
        length += character.len_utf8();
        if length > LONGEST_WORD {
            return None;
        }
    }
    (length > 0).then_some(length)
}

/// Whether a character is part of a word in a script that separates words by spaces.
fn is_letter(character: Option<char>) -> bool {
    character.is_some_and(|c| (c.is_alphanumeric() || c == '_') && !is_wide(c) && !continues_words(c))
}

/// Whether a character belongs to a script that, in addition to [`is_wide`] ones, does not separate words by spaces, or appends particles to them (Korean).
///
/// Ranges are those of the Unicode blocks.
fn continues_words(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}'      // Thai, Lao
        | '\u{1000}'..='\u{109F}'    // Myanmar
        | '\u{1100}'..='\u{11FF}'    // Hangul Jamo
        | '\u{1780}'..='\u{17FF}'    // Khmer
        | '\u{AC00}'..='\u{D7AF}') // Hangul syllables
}
