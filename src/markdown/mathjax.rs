//! The delimiters of MathJax in books of mdBook: `\\(…\\)` and `\\[…\\]` become `$…$` and `$$…$$`.
//!
//! In mdBook, Markdown reads the backslashes first, so authors double them: a formula contains `\\\\` for a new row and `\\{` for a brace. Here, a backslash
//! before a punctuation character is removed, which gives MathJax's view of the text.

use std::ops::Range;

use pulldown_cmark::{Event, Parser, Tag};

use super::{
    mapped_source::{MappedSource, TextEdit, moved},
    options::{MathSyntax, Options},
    parsed::parser_options,
};

/// Rewrites all formulas. `offsets` into the text, in ascending order, are adjusted. Takes time linear in the text.
pub(super) fn rewrite(source: MappedSource, offsets: impl Iterator<Item = usize>, options: &Options<'_>) -> (MappedSource, Vec<usize>) {
    let may_occur = options.math == MathSyntax::MathJax && ["\\\\(", "\\\\["].iter().any(|open| source.text.contains(open));
    let edits = if may_occur { edits(&source.text, &verbatim(&source.text, options)) } else { Vec::new() };
    if edits.is_empty() {
        return (source, offsets.collect());
    }
    let offsets = moved(offsets, &edits);
    (source.edited(&edits), offsets)
}

/// Code, raw HTML and formulas between dollar signs, in the order of the text.
fn verbatim(text: &str, options: &Options<'_>) -> Vec<Range<usize>> {
    let events = Parser::new_ext(text, parser_options(options)).into_offset_iter();
    let is_verbatim = |event: &Event<'_>| {
        matches!(
            event,
            Event::Code(_)
                | Event::InlineMath(_)
                | Event::DisplayMath(_)
                | Event::InlineHtml(_)
                | Event::Html(_)
                | Event::Start(Tag::CodeBlock(_) | Tag::HtmlBlock)
        )
    };
    events.filter(|(event, _)| is_verbatim(event)).map(|(_, range)| range).collect()
}

/// A pair of backslashes and the bracket after it.
#[derive(Clone, Copy)]
struct Delimiter {
    at: usize,
    bracket: u8,
}

impl Delimiter {
    /// The byte after the bracket.
    const fn end(self) -> usize {
        self.at + 3
    }
}

fn edits(text: &str, verbatim: &[Range<usize>]) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let mut open: Option<Delimiter> = None;
    let mut verbatim = verbatim.iter().peekable();
    let mut at = 0;
    while let Some(start) = text[at..].find(['\\', '\n']).map(|found| at + found) {
        while verbatim.next_if(|range| range.end <= start).is_some() {
            open = None;
        }
        if let Some(range) = verbatim.peek().filter(|range| range.start <= start) {
            open = None;
            at = range.end;
            continue;
        }
        let run = text[start..].bytes().take_while(|byte| *byte == b'\\').count();
        at = start + run.max(1);
        if run == 0 {
            // A formula does not continue after an empty line.
            let line = text[at..].split('\n').next().unwrap_or_default();
            if line.chars().all(|c| c == '>' || c.is_whitespace()) {
                open = None;
            }
            continue;
        }
        let Some(bracket) = text.as_bytes().get(at).copied().filter(|_| run == 2) else { continue };
        let delimiter = Delimiter { at: start, bracket };
        match (open, bracket) {
            (_, b'(' | b'[') => open = Some(delimiter),
            (Some(opening), b')' | b']') if opening.bracket == if bracket == b')' { b'(' } else { b'[' } => {
                write(text, opening, delimiter, &mut edits);
                open = None;
            }
            _ => {}
        }
    }
    edits
}

/// Adds the edits of one formula. Dollar signs in it or next to it would end it.
fn write(text: &str, opening: Delimiter, closing: Delimiter, edits: &mut Vec<TextEdit>) {
    let inner = &text[opening.end()..closing.at];
    let is_next_to_dollar = text[..opening.at].ends_with('$') || text[closing.end()..].starts_with('$');
    if is_next_to_dollar || inner.contains('$') || inner.trim().is_empty() {
        return;
    }
    let dollars = if closing.bracket == b')' { "$" } else { "$$" };
    let start = opening.end() + inner.len() - inner.trim_start().len();
    let end = opening.end() + inner.trim_end().len();
    edits.push(TextEdit { range: opening.at..start, with: dollars.to_owned() });
    let bytes = text.as_bytes();
    let mut at = start;
    while at + 1 < end {
        // In tables, the parser needs the backslash before `|`, and removes it.
        let is_escape = bytes[at] == b'\\' && bytes[at + 1].is_ascii_punctuation() && bytes[at + 1] != b'|';
        if is_escape {
            edits.push(TextEdit { range: at..at + 1, with: String::new() });
        }
        at += if is_escape { 2 } else { 1 };
    }
    edits.push(TextEdit { range: end..closing.end(), with: dollars.to_owned() });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::Labels;

    fn rewritten(text: &str) -> String {
        let (glossary, labels) = <(_, Labels)>::default();
        let options = Options { math: MathSyntax::MathJax, ..Options::new(&glossary, &labels) };
        rewrite(MappedSource::new(text), std::iter::empty(), &options).0.text
    }

    #[test]
    fn delimiters_become_dollars() {
        for (text, expected) in [
            (r"a \\( x^2 \\) b", "a $x^2$ b"),
            ("\\\\[\n\\begin{cases} a \\\\\\\\ b \\end{cases}\n\\\\]\n", "$$\\begin{cases} a \\\\ b \\end{cases}$$\n"),
            (r"\\(\\{a\\}\_b\\)", r"$\{a\}_b$"),
            (r"日本\\(x\\)語\\(y\\)", "日本$x$語$y$"),
        ] {
            assert_eq!(rewritten(text), expected, "{text}");
        }
    }

    #[test]
    fn all_other_text_is_unchanged() {
        for text in [
            r"`\\(x\\)`",
            "```\n\\\\(x\\\\)\n```\n",
            "    \\\\(x\\\\)\n",
            r"\\(x `\\)`",
            "\\\\(x\n\ny\\\\)",
            "> \\\\(x\n>\n> y\\\\)",
            r"\(x\) \\\(x\\\) \\(x\\]",
            r"$\\(x\\)$ \\($\\) \\( \\)",
            r#"<b title="\\(x\\)">"#,
        ] {
            assert_eq!(rewritten(text), text);
        }
    }
}
