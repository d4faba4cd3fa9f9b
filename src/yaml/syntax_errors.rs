//! Finds the cause of a YAML syntax error. A scanner reports the position at which it can't continue; the cause is often above it: a quote or a bracket that is
//! not closed, a line with the wrong indentation.

use crate::text::Span;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) span: Span,
    pub(super) message: String,
    pub(super) help: &'static str,
}

/// Finds the cause of the error `info` that the scanner reports at byte `at`.
pub(super) fn explain(text: &str, at: usize, info: &str) -> SyntaxError {
    let line_start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |newline| at + newline);
    // The scanner reports a tab only after the token that follows it, which may be on a later line.
    let searched = if info.contains("tab") { text.len() } else { line_end };
    if let Some(tab) = indenting_tab(&text[line_start..searched]) {
        let start = line_start + tab;
        let (message, help) = ("a tab cannot indent YAML".to_owned(), "indent with two spaces");
        return SyntaxError { span: Span::new(start, start + 1), message, help };
    }
    if let Some(error) = find(text, at) {
        return error;
    }
    let help = if info.contains("mapping values are not allowed") {
        "text that contains `: ` needs quotes around it"
    } else if info.contains("simple key") || info.contains("block mapping") || info.contains("block end") {
        "check the indentation of this line and the line above, and that each key is followed by `: `"
    } else if info.contains("flow") || info.contains(',') {
        "check that every `{` and `[` is closed, and quote text that contains `,`, `{` or `[`"
    } else if info.contains("quot") || info.contains("scalar") {
        "check that every quote is closed"
    } else {
        "see https://yaml.org/spec/1.2.2/ for the format"
    };
    SyntaxError { span: Span::new(at, (at + 1).min(line_end).max(at)), message: format!("this is not YAML: {info}"), help }
}

/// The first tab in the indentation of a line that is not blank.
fn indenting_tab(text: &str) -> Option<usize> {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start().len();
        if let Some(tab) = line[..indent].find('\t').filter(|_| !line.trim().is_empty()) {
            return Some(start + tab);
        }
        start += line.len();
    }
    None
}

/// Searches the lines up to the one that holds byte `at` for a mistake.
fn find(text: &str, at: usize) -> Option<SyntaxError> {
    let mut search = Search { text, open: Vec::new(), columns: Vec::new(), last: None, last_but_one: None, literal: None, quoted_to: 0 };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(error) = search.line(start, line) {
            return Some(error);
        }
        start += line.len();
        if start > at {
            break;
        }
    }
    // At the end of the file, a bracket is still open.
    let bracket = search.open.last().filter(|_| start >= text.len())?;
    Some(unclosed(bracket))
}

struct Bracket {
    at: usize,
    character: char,
    indent: usize,
}

/// The beginning of a line.
#[derive(Clone, Copy)]
struct YamlLine {
    /// The key, or the first word.
    span: Span,
    indent: usize,
    /// Whether the key has a value on the same line.
    has_value: bool,
}

struct Search<'a> {
    text: &'a str,
    open: Vec<Bracket>,
    /// The columns in which a further line may begin, from the outermost collection to the innermost.
    columns: Vec<usize>,
    last: Option<YamlLine>,
    last_but_one: Option<YamlLine>,
    /// The indentation of the key of a block scalar (`|`, `>`) whose lines may follow.
    literal: Option<usize>,
    /// The end of the quoted text that may continue on the next line.
    quoted_to: usize,
}

impl Search<'_> {
    fn line(&mut self, start: usize, line: &str) -> Option<SyntaxError> {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let words = line.trim();
        if start < self.quoted_to {
            return self.characters(start, line, indent, self.quoted_to - start);
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
        if let Some(error) = self.indentation(start, indent, words) {
            return Some(error);
        }
        self.characters(start, line, indent, 0)
    }

    /// Checks the column in which a line begins, and records it.
    fn indentation(&mut self, start: usize, indent: usize, words: &str) -> Option<SyntaxError> {
        let is_key_or_item = key_length(words).is_some() || words.starts_with("- ") || words == "-";
        let span = Span::new(start + indent, start + indent + words.split(':').next().map_or(1, str::len));
        if let Some(last) = self.last.filter(|last| last.has_value && is_key_or_item && indent > last.indent) {
            if self.last_but_one.is_some_and(|line| line.indent == indent) {
                let message = format!("this line is indented by {}, and those around it by {indent}", last.indent);
                return Some(SyntaxError { span: last.span, message, help: "begin it in the column of the lines around it" });
            }
            let message = format!("this line is indented by {indent}, and the line above, which has its value already, by {}", last.indent);
            return Some(SyntaxError { span, message, help: "start it in the column of the key it is next to" });
        }
        let was_deeper = self.columns.last().is_some_and(|column| *column > indent);
        self.columns.retain(|column| *column <= indent);
        if was_deeper && self.columns.last() != Some(&indent) {
            let known: Vec<String> = self.columns.iter().map(ToString::to_string).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(" or ") };
            let message = format!("this line is indented by {indent}, and what is open above by {known}, or more");
            return Some(SyntaxError { span, message, help: "start it in the column of the key or `-` it is next to" });
        }
        let mut column = indent;
        let mut rest = words;
        if self.columns.last() != Some(&column) {
            self.columns.push(column);
        }
        // The text after a dash begins another column.
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
        self.last = value.map(|value| YamlLine {
            span,
            indent: column,
            has_value: !value.is_empty() && self.literal.is_none() && !value.starts_with('&'),
        });
        None
    }

    /// Matches the brackets and quotes of a line, beginning at its byte `from`.
    fn characters(&mut self, start: usize, line: &str, indent: usize, from: usize) -> Option<SyntaxError> {
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
                    // The text must end after the closing quote. If it does not, the quote was meant to open another text.
                    let behind = self.text[end..].lines().next().unwrap_or_default();
                    let rest = behind.trim_start();
                    let is_over =
                        rest.is_empty() || rest.starts_with([',', ':', '}', ']']) || (rest.starts_with('#') && behind.starts_with(' '));
                    if !is_over {
                        return Some(quote(start + at));
                    }
                    self.quoted_to = end;
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

/// The byte after the closing quote of the text that begins at `at`.
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

/// The length of the key at the beginning of a line, with its colon.
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

fn unclosed(bracket: &Bracket) -> SyntaxError {
    let (closing, help) = if bracket.character == '{' {
        ('}', "close it with `}`; text that contains `,`, `{` or `}` needs quotes")
    } else {
        (']', "close it with `]`; text that contains `,`, `[` or `]` needs quotes")
    };
    let message = format!("this `{}` has no `{closing}`", bracket.character);
    SyntaxError { span: Span::new(bracket.at, bracket.at + 1), message, help }
}

fn quote(at: usize) -> SyntaxError {
    let help = "close it where the text ends; inside, a quote is written `\\\"` between double ones and `''` between single ones";
    SyntaxError { span: Span::new(at, at + 1), message: "this quote is not closed where its text ends".to_owned(), help }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(usize, usize, String)> {
        let error = find(text, text.len())?;
        let at = crate::text::line_column(text, error.span.start);
        Some((at.line, at.column, error.message))
    }

    #[test]
    fn an_unclosed_bracket_or_quote_is_found_where_it_opens() {
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
    fn a_line_in_the_wrong_column_is_found() {
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
    fn valid_files_have_no_error() {
        let text = "a: it's # \"not\nb: {c: \"x, {y\", d: [e, 'f'], g: don't}\nh: \"over\n  lines\"\ni: |\n  { [ \"\n   deep\n  back\nj:\n- k: 1\n  l: >-\n    text: {\n- m\nn: {o: 1,\n  p: 2}\nq: https://x.y/#z\nr:\n    s:\n        t: 1\nu: 1\n";
        assert_eq!(found(text), None);
    }
}
