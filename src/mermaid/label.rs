//! The text of labels: line breaks, bold and italic letters, character references.
//!
//! Elements of HTML other than line breaks and emphasis are left out, as on other sites, where they only change the look. What is no known element
//! is text: `<name>` in a label is usually a placeholder.

use crate::diagram::measure::{width, wrap};

/// The distance between the base lines of a label, as a multiple of the text size.
pub(super) const ROW: f64 = 1.2;

/// How much wider letters are in bold, at most.
pub(super) const BOLD: f64 = 1.1;

/// How much wider than a line a word may be before it is broken.
const LONG_WORD: f64 = 1.6;
/// The number of widths that are tried to make lines equally long.
const STEPS: u32 = 8;

/// Text of one style within a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LabelRun {
    pub(super) text: String,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

/// One line of a label.
pub(super) type LabelLine = Vec<LabelRun>;

/// The width of the longest line, and the height of all lines.
pub(super) fn label_size(lines: &[LabelLine], size: f64) -> (f64, f64) {
    let widest = lines.iter().map(|line| line_width(line, size)).fold(0.0, f64::max);
    let count = f64::from(u32::try_from(lines.len()).unwrap_or(u32::MAX));
    (widest, count * size * ROW)
}

pub(super) fn line_width(line: &LabelLine, size: f64) -> f64 {
    line.iter().map(|run| width(&run.text, size) * if run.bold { BOLD } else { 1.0 }).sum()
}

/// The lines of a label of at most `room` pixels. A text in backquotes is Markdown. Blank lines are left out.
pub(super) fn label_lines(text: &str, size: f64, room: f64) -> Vec<LabelLine> {
    let text = text.trim();
    let markdown = text.strip_prefix('`').and_then(|text| text.strip_suffix('`'));
    let mut reader = LabelReader { is_markdown: markdown.is_some(), ..LabelReader::default() };
    reader.read(markdown.unwrap_or(text));
    reader.lines.into_iter().flat_map(|line| wrapped(&line, size, room)).collect()
}

/// Reads a label without breaking lines that are too long.
#[derive(Default)]
struct LabelReader {
    is_markdown: bool,
    lines: Vec<LabelLine>,
    line: LabelLine,
    bold: bool,
    italic: bool,
}

impl LabelReader {
    fn read(&mut self, text: &str) {
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            let length = self.special(rest).unwrap_or_else(|| {
                self.push(character);
                character.len_utf8()
            });
            rest = &rest[length..];
        }
        self.end_line();
    }

    /// Reads what is not a plain character, and returns its length.
    fn special(&mut self, text: &str) -> Option<usize> {
        if text.starts_with('\n') || text.starts_with("\\n") {
            self.end_line();
            return Some(if text.starts_with('\n') { 1 } else { 2 });
        }
        if text.starts_with('<') {
            return self.element(text);
        }
        if text.starts_with(['#', '&']) {
            let (character, length) = reference(text)?;
            self.push(character);
            return Some(length);
        }
        if let Some(length) = icon(text).filter(|_| self.line.last().is_none_or(|run| run.text.ends_with(' '))) {
            return Some(length);
        }
        if !self.is_markdown {
            // As on GitHub, two asterisks around words are bold in every label.
            let is_mark = text.strip_prefix("**").is_some_and(|rest| self.bold || (!rest.starts_with([' ', '*']) && rest.contains("**")));
            self.bold ^= is_mark;
            return is_mark.then_some(2);
        }
        if text.starts_with("**") || text.starts_with("__") {
            self.bold = !self.bold;
            return Some(2);
        }
        let after = text.chars().nth(1);
        let before = self.line.last().and_then(|run| run.text.chars().last());
        let is_word = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
        // An underscore within a word is a letter, and so is an asterisk between spaces.
        let is_mark = match text.chars().next() {
            Some('*') => !(before.is_none_or(|c| c == ' ') && after.is_none_or(|c| c == ' ')),
            Some('_') => !(is_word(before) && is_word(after)),
            _ => false,
        };
        if is_mark {
            self.italic = !self.italic;
        }
        is_mark.then_some(1)
    }

    fn element(&mut self, text: &str) -> Option<usize> {
        let end = text.find('>')?;
        let tag = &text[1..end];
        let (name, opens) = tag.strip_prefix('/').map_or((tag, true), |name| (name, false));
        let name = name.trim_end_matches('/').split_ascii_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        match name.as_str() {
            "br" | "p" | "div" | "li" | "ul" | "ol" | "hr" | "center" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.end_line(),
            "b" | "strong" => self.bold = opens,
            "i" | "em" => self.italic = opens,
            "a" | "big" | "code" | "del" | "font" | "img" | "kbd" | "mark" | "pre" | "q" | "s" | "small" | "span" | "strike" | "sub"
            | "sup" | "tt" | "u" | "var" => {}
            _ => return None,
        }
        Some(end + 1)
    }

    fn push(&mut self, character: char) {
        let character = if character.is_whitespace() { ' ' } else { character };
        let (bold, italic) = (self.bold, self.italic);
        if character == ' ' && self.line.last().is_none_or(|run| run.text.ends_with(' ')) {
            return;
        }
        match self.line.last_mut().filter(|run| (run.bold, run.italic) == (bold, italic)) {
            Some(run) => run.text.push(character),
            None => self.line.push(LabelRun { text: character.into(), bold, italic }),
        }
    }

    fn end_line(&mut self) {
        let line = trimmed(std::mem::take(&mut self.line));
        if !line.is_empty() {
            self.lines.push(line);
        }
    }
}

/// A line without a space at its end.
fn trimmed(mut line: LabelLine) -> LabelLine {
    while let Some(last) = line.last_mut() {
        last.text.truncate(last.text.trim_end().len());
        if !last.text.is_empty() {
            break;
        }
        line.pop();
    }
    line
}

/// Breaks a line where it is longer than `room`.
fn wrapped(line: &LabelLine, size: f64, room: f64) -> Vec<LabelLine> {
    let text: String = line.iter().map(|run| run.text.as_str()).collect();
    let room = if line.iter().any(|run| run.bold) { room / BOLD } else { room };
    let mut runs = line.iter().cloned();
    let mut run = runs.next();
    let mut lines = Vec::new();
    for part in balanced(&text, size, room) {
        let mut left = part.len();
        let mut out = LabelLine::new();
        while let Some(current) = run.as_mut().filter(|_| left > 0) {
            let length = current.text.len().min(left);
            let rest = current.text.split_off(length);
            left -= length;
            out.push(LabelRun { text: std::mem::replace(&mut current.text, rest), ..*current });
            if current.text.is_empty() {
                run = runs.next();
            }
        }
        let out = trimmed(out);
        if !out.is_empty() {
            lines.push(out);
        }
    }
    lines
}

/// Breaks a text into as few lines as possible, which are about equally long. A long word can take more room instead of being broken.
fn balanced(text: &str, size: f64, room: f64) -> Vec<String> {
    let is_word = |part: &&str| part.chars().all(|character| character < '\u{3000}');
    let words = text.split_inclusive([' ', '-', '/']).filter(is_word).map(|part| width(part.trim_end(), size));
    let longest = words.fold(0.0, f64::max).min(room * LONG_WORD);
    let room = room.max(longest + 0.01);
    let lines = wrap(text, size, room);
    if lines.len() < 2 {
        return lines;
    }
    let count = f64::from(u32::try_from(lines.len()).unwrap_or(u32::MAX));
    let least = (width(text, size) / count).max(longest + 0.01);
    let rooms = (0..STEPS).map(|step| (room - least).max(0.0).mul_add(f64::from(step) / f64::from(STEPS), least));
    { rooms }.map(|room| wrap(text, size, room)).find(|narrow| narrow.len() == lines.len()).unwrap_or(lines)
}

/// The name of an icon such as `fa:fa-server`, which no font of the site has, and the space after it.
fn icon(text: &str) -> Option<usize> {
    let (prefix, name) = text.split_once(':')?;
    let is_family = matches!(prefix, "fa" | "fab" | "fad" | "fak" | "fal" | "far" | "fas");
    let length = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(name.len());
    if !(is_family && name.starts_with("fa-")) {
        return None;
    }
    Some(prefix.len() + 1 + length + usize::from(name[length..].starts_with(' ')))
}

/// A character reference of Mermaid (`#quot;`, `#35;`) or HTML (`&quot;`, `&#35;`, `&#x23;`), and its length.
pub(super) fn reference(text: &str) -> Option<(char, usize)> {
    let is_numeric = text.starts_with("&#");
    let body = if is_numeric { &text[2..] } else { text.strip_prefix(['#', '&'])? };
    let start = text.len() - body.len();
    let end = body.bytes().take(12).position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(body.len().min(12));
    let name = body.get(..end)?;
    let character = |number: u32| char::from_u32(number).filter(|character| !character.is_control());
    if body[end..].starts_with(';') {
        let number = match name.strip_prefix(['x', 'X']) {
            Some(digits) if is_numeric => u32::from_str_radix(digits, 16).ok(),
            _ => name.parse().ok(),
        };
        return Some((number.map_or_else(|| named(name), character)?, start + end + 1));
    }
    // Browsers read numbers of HTML without a semicolon, too.
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let number = name[..digits].parse().ok().filter(|_| is_numeric && digits >= 2)?;
    Some((character(number)?, start + digits))
}

fn named(name: &str) -> Option<char> {
    Some(match name {
        "quot" => '"',
        "apos" | "lsquo" | "rsquo" => '\'',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "nbsp" | "ensp" | "emsp" | "thinsp" => ' ',
        "num" => '#',
        "lpar" => '(',
        "rpar" => ')',
        "lsqb" | "lbrack" => '[',
        "rsqb" | "rbrack" => ']',
        "lcub" | "lbrace" => '{',
        "rcub" | "rbrace" => '}',
        "semi" => ';',
        "colon" => ':',
        "comma" => ',',
        "period" => '.',
        "sol" => '/',
        "bsol" => '\\',
        "vert" | "verbar" => '|',
        "equals" => '=',
        "plus" => '+',
        "ast" => '*',
        "lowbar" => '_',
        "percnt" => '%',
        "commat" => '@',
        "dollar" => '$',
        "excl" => '!',
        "quest" => '?',
        "grave" => '`',
        "hyphen" => '-',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "middot" => '·',
        "bull" => '•',
        "times" => '×',
        "deg" => '°',
        "copy" => '©',
        "reg" => '®',
        "trade" => '™',
        "euro" => '€',
        "larr" => '←',
        "uarr" => '↑',
        "rarr" => '→',
        "darr" => '↓',
        "harr" => '↔',
        "check" => '✓',
        "cross" => '✗',
        "infin" => '∞',
        "ne" => '≠',
        "le" => '≤',
        "ge" => '≥',
        "asymp" => '≈',
        "laquo" => '«',
        "raquo" => '»',
        "ldquo" => '“',
        "rdquo" => '”',
        "hearts" => '♥',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{LabelRun, label_lines, reference};

    fn plain(text: &str) -> Vec<String> {
        label_lines(text, 13.0, 240.0).iter().map(|line| line.iter().map(|run| run.text.as_str()).collect()).collect()
    }

    #[test]
    fn breaks_and_references_are_read() {
        assert_eq!(plain("one<br/>two<BR>three\\nfour\nfive"), ["one", "two", "three", "four", "five"]);
        assert_eq!(plain("a #quot;b#quot; #35;1 &lt;c&gt; &#x41;"), ["a \"b\" #1 <c> A"]);
        assert_eq!(plain("&nope; #tag &#40b&#41;"), ["&nope; #tag (b)"]);
        assert_eq!(plain("<b>bold</b> <small>x</small> <name>"), ["bold x <name>"]);
        assert_eq!(plain("fa:fa-server Server, fas:fa-x"), ["Server,"]);
        assert_eq!(plain("  "), Vec::<String>::new());
        assert_eq!(reference("#1;"), None);
    }

    #[test]
    fn markdown_is_in_backquotes() {
        let run = |text: &str, bold, italic| LabelRun { text: text.to_owned(), bold, italic };
        assert_eq!(
            label_lines("`**a** _b_ c_d`", 13.0, 240.0),
            [[run("a", true, false), run(" ", false, false), run("b", false, true), run(" c_d", false, false)]]
        );
        assert_eq!(plain("**a** *b* 2 ** 3 a__b__"), ["a *b* 2 ** 3 a__b__"]);
    }

    #[test]
    fn long_lines_are_broken_and_keep_their_styles() {
        let lines = label_lines("plain words and then <b>some bold words</b>", 13.0, 100.0);
        assert!(lines.len() > 2 && lines.iter().flatten().any(|run| run.bold), "{lines:?}");
        let text: Vec<String> = lines.iter().map(|line| line.iter().map(|run| run.text.as_str()).collect()).collect();
        assert_eq!(text.join(" "), "plain words and then some bold words");
    }
}
