//! Formulas of LaTeX as MathML, at build time.
//!
//! ```text
//! LaTeX ──limits──▶ math-core ──▶ its MathML ──filter──▶ MathML of a page
//! ```
//!
//! The crate math-core parses the formula. Its MathML is only read, never copied: [`filter`] writes it again from a fixed set of elements, attributes and class
//! names. So a page needs neither a script nor an inline style for its formulas, and no element or address of an author can be in them.
//!
//! No formula makes [`mathml`] panic, exhaust the stack or run for more than a few milliseconds, because length, nesting and the number of commands are limited.

mod filter;
#[cfg(test)]
mod tests;

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::LazyLock,
};

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// The maximum length of a formula in bytes.
const MAX_LEN: usize = 5_000;
/// The maximum depth of braces, `\left` and environments.
const MAX_DEPTH: usize = 50;
/// The maximum number of commands. `\sqrt\sqrt\sqrt x` nests without braces, so this number also limits the stack that the parser needs: about 5 KiB for each
/// command in a build without optimizations of this crate.
const MAX_COMMANDS: usize = 200;

/// A formula that can't be converted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MathError {
    /// The place of the mistake, in bytes of the formula; may be empty.
    pub range: Range<usize>,
    /// A description of the mistake.
    pub message: String,
}

impl MathError {
    fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into() }
    }
}

/// Converts a formula without its delimiters to an element `math`, which contains the LaTeX source as an annotation.
///
/// Colors and sizes of text have no effect. Rows of `align` and similar environments have a number only if they have a `\tag`.
///
/// # Errors
///
/// A formula that is empty, not valid, or too large, and one with a command that is not supported.
pub fn mathml(latex: &str, display: bool) -> Result<String, MathError> {
    check_limits(latex)?;
    let (text, inserted) = without_numbers(latex);
    let mode = if display { MathDisplay::Block } else { MathDisplay::Inline };
    let whole = 0..latex.len();
    // A panic of the converter must not end a build.
    let converted = catch_unwind(AssertUnwindSafe(|| CONVERTER.as_ref().map(|converter| converter.convert_with_local_state(&text, mode))));
    match converted {
        Ok(Some(Ok(result))) => filter::filter(&result.mathml, latex).ok_or_else(|| MathError::new(whole, "it has no form in MathML")),
        Ok(Some(Err(error))) => {
            let original = |at: usize| latex.floor_char_boundary(at - inserted.iter().filter(|place| **place < at).count());
            Err(MathError::new(original(error.0.start)..original(error.0.end), in_lower_case(&error.error_message())))
        }
        Ok(None) | Err(_) => Err(MathError::new(whole, "it is not supported")),
    }
}

/// `None` can't occur, because there are no macros that could be invalid.
static CONVERTER: LazyLock<Option<LatexToMathML>> =
    LazyLock::new(|| LatexToMathML::new(MathCoreConfig { xml_namespace: true, ..MathCoreConfig::default() }).ok());

/// Checks everything that limits the work and the stack of the converter. Takes time linear in the formula.
fn check_limits(latex: &str) -> Result<(), MathError> {
    let whole = 0..latex.len();
    if latex.trim().is_empty() {
        return Err(MathError::new(whole, "it is empty"));
    }
    if latex.len() > MAX_LEN {
        return Err(MathError::new(whole, format!("it is longer than {MAX_LEN} bytes")));
    }
    // Characters that neither XML nor HTML can contain.
    if let Some((at, c)) =
        latex.char_indices().find(|(_, c)| (c.is_control() && !c.is_whitespace()) || matches!(c, '\u{FFFE}' | '\u{FFFF}'))
    {
        return Err(MathError::new(at..at + c.len_utf8(), format!("it contains the character U+{:04X}", u32::from(c))));
    }
    let (mut depth, mut commands) = (0_usize, 0_usize);
    let bytes = latex.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'\\' => {
                let letters = bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
                match &latex[at..at + letters] {
                    // `\{` is a character.
                    "" => at += usize::from(bytes.get(at).is_some_and(u8::is_ascii)),
                    "begin" | "left" => depth += 1,
                    "end" | "right" => depth = depth.saturating_sub(1),
                    _ => commands += 1,
                }
                at += letters;
            }
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(MathError::new(start..at, format!("it is nested more than {MAX_DEPTH} deep")));
        }
        if commands > MAX_COMMANDS {
            return Err(MathError::new(start..at, format!("it has more than {MAX_COMMANDS} commands")));
        }
    }
    Ok(())
}

/// The formula with `align*` for `align`, and so on: each formula would have the number 1. Also returns the places of the asterisks in the result.
fn without_numbers(latex: &str) -> (String, Vec<usize>) {
    const NUMBERED: [&str; 3] = ["align", "equation", "gather"];
    let mut text = String::with_capacity(latex.len());
    let mut inserted = Vec::new();
    let mut rest = latex;
    while let Some(end) = rest.find('}') {
        let (group, after) = rest.split_at(end);
        text.push_str(group);
        if NUMBERED.iter().any(|name| ["\\begin{", "\\end{"].iter().any(|open| is_suffix(group, open, name))) {
            inserted.push(text.len());
            text.push('*');
        }
        text.push('}');
        rest = &after[1..];
    }
    text.push_str(rest);
    (text, inserted)
}

/// Whether a text ends with `open` and `name`.
fn is_suffix(text: &str, open: &str, name: &str) -> bool {
    text.strip_suffix(name).is_some_and(|before| before.ends_with(open))
}

/// A sentence of the converter as part of a message.
fn in_lower_case(sentence: &str) -> String {
    let sentence = sentence.trim_end_matches('.').replace('"', "`");
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}", first.to_lowercase(), letters.as_str()))
}
