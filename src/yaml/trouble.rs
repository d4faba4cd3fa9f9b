//! Why a text is not YAML. A scanner says where it can go no further; what is to be mended often stands above: a quote or a bracket that was never closed, a line
//! that begins in the wrong column.

use crate::text::Span;

/// What is to be mended.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// A bracket that waits for its other half.
struct Bracket {
    at: usize,
    character: char,
    /// How far the line with it is indented.
    indent: usize,
}

/// What a line begins with, and whether its value stands behind it.
#[derive(Clone, Copy)]
struct Line {
    /// Its key, or its first word.
    span: Span,
    indent: usize,
    has_value: bool,
}

/// Looks at every line up to the one in which the scanner stopped, at byte `at`, for what is wrong there. `None` if nothing can be seen.
pub(super) fn find(text: &str, at: usize) -> Option<Trouble> {
    let mut search =
        Search { text, open: Vec::new(), columns: Vec::new(), last: None, last_but_one: None, literal: None, inside_quotes_to: 0 };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(trouble) = search.line(start, line) {
            return Some(trouble);
        }
        start += line.len();
        if start > at {
            break;
        }
    }
    // The end of the file closes nothing.
    let bracket = search.open.last().filter(|_| start >= text.len())?;
    Some(unclosed(bracket))
}

struct Search<'a> {
    text: &'a str,
    open: Vec<Bracket>,
    /// Where lines above begin that a line may stand beside.
    columns: Vec<usize>,
    last: Option<Line>,
    /// The line above that one.
    last_but_one: Option<Line>,
    /// The indentation of the key whose text stands in the lines below it, after `|` or `>`.
    literal: Option<usize>,
    /// A text in quotes may go on over lines.
    inside_quotes_to: usize,
}

impl Search<'_> {
    fn line(&mut self, start: usize, line: &str) -> Option<Trouble> {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let words = line.trim();
        if start < self.inside_quotes_to {
            return self.characters(start, line, indent, self.inside_quotes_to - start);
        }
        if words.is_empty() || words.starts_with('#') {
            return None;
        }
        if self.literal.is_some_and(|key| indent > key) {
            return None;
        }
        self.literal = None;
        if !self.open.is_empty() {
            let begins_anew = key_length(words).is_some() || words.starts_with("- ");
            let outermost = self.open.first().map_or(0, |bracket| bracket.indent);
            if begins_anew && indent <= outermost {
                return self.open.last().map(unclosed);
            }
            return self.characters(start, line, indent, 0);
        }
        if let Some(trouble) = self.indentation(start, indent, words) {
            return Some(trouble);
        }
        self.characters(start, line, indent, 0)
    }

    /// Whether a line may begin in its column, and what may stand beside it.
    fn indentation(&mut self, start: usize, indent: usize, words: &str) -> Option<Trouble> {
        let is_key_or_item = key_length(words).is_some() || words.starts_with("- ") || words == "-";
        let span = Span::new(start + indent, start + indent + words.split(':').next().map_or(1, str::len));
        if let Some(last) = self.last.filter(|last| last.has_value && is_key_or_item && indent > last.indent) {
            if self.last_but_one.is_some_and(|line| line.indent == indent) {
                let message = format!("this line is indented by {}, and those around it by {indent}", last.indent);
                return Some(Trouble { span: last.span, message, help: "begin it in the column of the lines around it" });
            }
            let message = format!("this line is indented by {indent}, and the line above, which has its value already, by {}", last.indent);
            return Some(Trouble { span, message, help: "begin it in the column of the key that it stands beside" });
        }
        let was_deeper = self.columns.last().is_some_and(|column| *column > indent);
        self.columns.retain(|column| *column <= indent);
        if was_deeper && self.columns.last() != Some(&indent) {
            let known: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(" or ") };
            let message = format!("this line is indented by {indent}, and what is open above by {known}, or more");
            return Some(Trouble { span, message, help: "begin it in the column of the key or the `-` that it stands beside" });
        }
        let mut column = indent;
        let mut rest = words;
        if self.columns.last() != Some(&column) {
            self.columns.push(column);
        }
        // What stands behind a dash begins a column of its own.
        while let Some(inner) = rest.strip_prefix("- ") {
            let inner = inner.trim_start();
            column += rest.len() - inner.len();
            rest = inner;
            self.columns.push(column);
        }
        let value = key_length(rest).map(|length| without_comment(&rest[length..]));
        if let Some(value) = value.filter(|value| value.starts_with(['|', '>'])) {
            self.literal = (value.len() <= 3).then_some(indent);
        }
        self.last_but_one = self.last;
        self.last = value.map(|value| Line {
            span,
            indent: column,
            has_value: !value.is_empty() && self.literal.is_none() && !value.starts_with('&'),
        });
        None
    }

    /// Reads brackets and quotes in a line, from a byte of it on.
    fn characters(&mut self, start: usize, line: &str, indent: usize, from: usize) -> Option<Trouble> {
        let mut at = from;
        let mut before = if from > 0 { 'x' } else { '\n' };
        while let Some(character) = line.get(at..).and_then(|rest| rest.chars().next()) {
            let begins_value = matches!(before, '\n' | ':' | '-' | '{' | '[' | ',');
            match character {
                '#' if at == 0 || line[..at].ends_with(' ') => break,
                '"' | '\'' if begins_value => {
                    let Some(end) = end_of_quotes(self.text, start + at, character) else {
                        return Some(quote(start + at));
                    };
                    // Behind the other quote a text is over; if it goes on, the quote was meant to open another one.
                    let behind = self.text[end..].lines().next().unwrap_or_default();
                    let rest = behind.trim_start();
                    let is_over =
                        rest.is_empty() || rest.starts_with([',', ':', '}', ']']) || (rest.starts_with('#') && behind.starts_with(' '));
                    if !is_over {
                        return Some(quote(start + at));
                    }
                    self.inside_quotes_to = end;
                    before = 'x';
                    at = end - start;
                    continue;
                }
                '{' | '[' if begins_value => self.open.push(Bracket { at: start + at, character, indent }),
                '}' | ']' if !self.open.is_empty() => {
                    let meant = if character == '}' { '{' } else { '[' };
                    if self.open.last().is_some_and(|open| open.character != meant) {
                        return self.open.last().map(unclosed);
                    }
                    self.open.pop();
                }
                _ => {}
            }
            if !character.is_whitespace() {
                before = character;
            }
            at += character.len_utf8();
        }
        None
    }
}

/// Where the text in quotes ends that begins at a byte: behind the other quote.
fn end_of_quotes(text: &str, at: usize, quote: char) -> Option<usize> {
    let mut characters = text[at..].char_indices().skip(1).peekable();
    while let Some((offset, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => {
                characters.next();
            }
            '\'' if quote == '\'' && characters.peek().is_some_and(|(_, next)| *next == '\'') => {
                characters.next();
            }
            _ if character == quote => return Some(at + offset + 1),
            _ => {}
        }
    }
    None
}

/// The length of a key with its colon, if a line begins with one.
fn key_length(words: &str) -> Option<usize> {
    let end = words.find(':')?;
    let is_word = end > 0 && words[..end].chars().all(|c| c.is_alphanumeric() || "-_./".contains(c));
    let is_over = words[end + 1..].chars().next().is_none_or(char::is_whitespace);
    (is_word && is_over).then_some(end + 1)
}

fn without_comment(value: &str) -> &str {
    let value = value.find(" #").map_or(value, |comment| &value[..comment]);
    value.trim()
}

fn unclosed(bracket: &Bracket) -> Trouble {
    let (closing, help) = if bracket.character == '{' {
        ('}', "close it with `}`; text that contains `,`, `{` or `}` needs quotes")
    } else {
        (']', "close it with `]`; text that contains `,`, `[` or `]` needs quotes")
    };
    let message = format!("this `{}` has no `{closing}`", bracket.character);
    Trouble { span: Span::new(bracket.at, bracket.at + 1), message, help }
}

fn quote(at: usize) -> Trouble {
    let help = "close it where the text ends; inside, a quote is written `\\\"` between double ones and `''` between single ones";
    Trouble { span: Span::new(at, at + 1), message: "this quote is not closed where its text ends".to_owned(), help }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(usize, usize, String)> {
        let trouble = find(text, text.len())?;
        let at = crate::text::line_column(text, trouble.span.start);
        Some((at.line, at.column, trouble.message))
    }

    #[test]
    fn what_was_never_closed_is_found_where_it_opens() {
        let quote = "this quote is not closed where its text ends";
        assert_eq!(found("a: 1\nwhat: {en: \"b, ja: \"c\"}\nd: 1\n"), Some((2, 12, quote.to_owned())));
        assert_eq!(found("a: 1\nb: \"c\nd: 1\n"), Some((2, 4, quote.to_owned())));
        assert_eq!(found("b: \"c\nd: \"e\"\n"), Some((1, 4, quote.to_owned())));
        assert_eq!(found("b: 'it''s\nd: e\n"), Some((1, 4, quote.to_owned())));
        assert_eq!(found("a: {en: b, ja: c\nd: 1\n"), Some((1, 4, "this `{` has no `}`".to_owned())));
        assert_eq!(found("a:\n  - {b: [c, d}\n  - e\n"), Some((2, 9, "this `[` has no `]`".to_owned())));
        assert_eq!(found("a: [b,\n"), Some((1, 4, "this `[` has no `]`".to_owned())));
    }

    #[test]
    fn a_line_in_a_column_of_its_own_is_found() {
        let text = "removal:\n    verdict: safe\n  effect: none\n";
        assert_eq!(found(text), Some((3, 3, "this line is indented by 2, and what is open above by 0, or more".to_owned())));
        let text = "name: x\n  area: y\n";
        assert_eq!(
            found(text),
            Some((2, 3, "this line is indented by 2, and the line above, which has its value already, by 0".to_owned()))
        );
        let text = "removal:\n  verdict: safe\neffect: none\n  restored-by: nobody\n";
        assert_eq!(found(text), Some((3, 1, "this line is indented by 0, and those around it by 2".to_owned())));
        let text = "a:\n  - b: 1\n   c: 2\n";
        assert_eq!(found(text), Some((3, 4, "this line is indented by 3, and what is open above by 0 or 2, or more".to_owned())));
    }

    #[test]
    fn what_is_well_is_left_alone() {
        let text = "a: it's # \"not\nb: {c: \"x, {y\", d: [e, 'f'], g: don't}\nh: \"over\n  lines\"\ni: |\n  { [ \"\n   deep\n  back\nj:\n- k: 1\n  l: >-\n    text: {\n- m\nn: {o: 1,\n  p: 2}\nq: https://x.y/#z\nr:\n    s:\n        t: 1\nu: 1\n";
        assert_eq!(found(text), None);
    }
}
