//! The content of a pasted line: without the signs, tags, numbers and comments that chats, wikis and terminals add.

use std::borrow::Cow;

use super::word_list::WordList;

/// The prefix of a line, before its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LinePrefix {
    #[default]
    None,
    /// `# `, `// `
    Comment,
    /// `> `
    Quote,
    /// `| `
    Table,
    /// `- `
    Item,
}

/// Splits a line into its prefix and its content.
pub(super) fn split_prefix(line: &str) -> (LinePrefix, &str) {
    let prefixes: [(&str, LinePrefix); 9] = [
        ("#", LinePrefix::Comment),
        ("//", LinePrefix::Comment),
        ("> ", LinePrefix::Quote),
        ("|", LinePrefix::Table),
        ("- ", LinePrefix::Item),
        ("* ", LinePrefix::Item),
        ("+ ", LinePrefix::Item),
        ("• ", LinePrefix::Item),
        ("・", LinePrefix::Item),
    ];
    let mut line = line;
    // A quotation of a quotation.
    while let Some(inner) = line.strip_prefix("> ").filter(|inner| inner.starts_with("> ")) {
        line = inner;
    }
    let found = prefixes.iter().find_map(|(sign, prefix)| Some((*prefix, line.strip_prefix(sign)?)));
    let found = found.or_else(|| Some((LinePrefix::Item, line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". ")?)));
    let (prefix, content) = found.map_or((LinePrefix::None, line), |(prefix, content)| (prefix, content.trim_start_matches('#').trim()));
    (prefix, without_tags_before(content))
}

/// A line without the HTML tags before it: `</span>`.
fn without_tags_before(line: &str) -> &str {
    let mut rest = line;
    while let Some((tag, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        if !tag.trim_start_matches('/').starts_with(|c: char| c.is_ascii_alphabetic()) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// Elements of HTML that occur around pasted output. `<none>`, which kubectl prints, is not one.
pub(super) const ELEMENTS: WordList =
    WordList("a b br code div em font i kbd li ol p pre samp span strong table tbody td th thead tr tt u ul h1 h2 h3 h4 details summary");

/// A line with a space in the place of each HTML tag.
pub(super) fn without_tags(line: &str) -> Cow<'_, str> {
    let mut plain = String::new();
    let mut rest = line;
    let mut from = 0;
    while let Some(at) = rest[from..].find('<').map(|at| from + at) {
        match tag_length(&rest[at..]) {
            Some(length) => {
                plain.push_str(&rest[..at]);
                plain.push(' ');
                rest = &rest[at + length..];
                from = 0;
            }
            None => from = at + 1,
        }
    }
    if rest.len() == line.len() {
        return Cow::Borrowed(line);
    }
    plain.push_str(rest);
    Cow::Owned(plain)
}

/// The length of the HTML tag at the beginning of a text.
fn tag_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('<')?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let end = inner.find(|c: char| !c.is_ascii_alphanumeric())?;
    // Also for the longest element names, so that no long word is copied.
    if end > 7 || !ELEMENTS.contains(&inner[..end].to_ascii_lowercase()) {
        return None;
    }
    let after = &inner[end..];
    let close = if after.starts_with('>') {
        0
    } else if after.starts_with(|c: char| c == '/' || c.is_ascii_whitespace()) {
        after.find(['<', '>']).filter(|at| after[*at..].starts_with('>'))?
    } else {
        return None;
    };
    Some(text.len() - after.len() + close + 1)
}

/// The parts of a line between line breaks of HTML: `<br>`, `<br/>`.
pub(super) fn split_breaks(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut from) = (0, 0);
    while let Some(at) = line[from..].find('<').map(|at| from + at) {
        from = at + 1;
        let inner = &line[from..];
        if inner.get(..2).is_some_and(|name| name.eq_ignore_ascii_case("br")) {
            let after = inner[2..].trim_start_matches(|c: char| c.is_ascii_whitespace());
            if let Some(after) = after.strip_prefix('/').unwrap_or(after).strip_prefix('>') {
                parts.push(&line[start..at]);
                start = line.len() - after.len();
                from = start;
            }
        }
    }
    parts.push(&line[start..]);
    parts
}

/// Lines between the columns of a table: those of Markdown, and those that other programs draw.
const BARS: [char; 4] = ['|', '│', '┃', '║'];

/// Whether a character is a sign between or around cells: of Markdown tables and code, and of drawn lines.
const fn is_sign(c: char) -> bool {
    matches!(c, '|' | '`' | '\u{2500}'..='\u{257f}')
}

/// The cells of a line between vertical lines; `None` for a line with fewer than two cells, and for the lines of a tree.
fn cells_between_bars(text: &str) -> Option<Vec<&str>> {
    if text.matches(BARS).nth(1).is_none() || text.contains(['├', '└']) {
        return None;
    }
    let mut cells: Vec<&str> = text.split(BARS).map(str::trim).collect();
    if cells.first().is_some_and(|cell| cell.is_empty()) {
        cells.remove(0);
    }
    if cells.last().is_some_and(|cell| cell.is_empty()) {
        cells.pop();
    }
    (cells.len() > 1).then_some(cells)
}

/// The text of a line as kubectl prints it: without signs around cells and without a number before it. In a table with vertical lines, each cell becomes one word:
/// the title with `_` between its words, and only the first word of any other cell.
pub(super) fn content(inner: &str) -> Cow<'_, str> {
    // Most lines contain none of these characters, and don't have to be copied.
    let has_signs = inner.bytes().any(|byte| matches!(byte, b'|' | b'`' | b'*' | b'\xe2'));
    if !has_signs {
        return Cow::Borrowed(without_number(inner.trim()));
    }
    let bold = inner.replace("**", "");
    // Emphasis of Markdown: `_**name … 5d**_`. No name begins or ends with an underscore.
    let text = if bold.len() < inner.len() { bold.trim_matches('_') } else { &bold };
    let plain = |text: &str| text.replace(is_sign, " ");
    let text = match cells_between_bars(text) {
        Some(cells) => {
            let cells: Vec<String> = cells.into_iter().map(plain).collect();
            let is_header = cells.iter().any(|cell| NAME_TITLES.contains(&title(cell).as_str()));
            let word = |cell: &String| {
                if is_header { title(cell) } else { cell.split_whitespace().next().unwrap_or("<none>").to_owned() }
            };
            cells.iter().map(word).collect::<Vec<_>>().join("  ")
        }
        None => plain(text),
    };
    Cow::Owned(without_number(text.trim()).to_owned())
}

/// Titles of the column with the name of the object.
pub(super) const NAME_TITLES: &[&str] = &["POD", "NAME", "CONTROLLER", "POD_NAME", "PODNAME", "PODS", "NAME(S)", "WORKLOAD"];

/// A cell as the title of a column.
fn title(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join("_").to_ascii_uppercase()
}

/// A line without the number before it: `12: `, `12  `, or the `#` above such numbers. A number that is followed by no word is a cell.
fn without_number(text: &str) -> &str {
    if let Some(rest) = text.strip_prefix('#').filter(|rest| rest.starts_with([' ', '\t'])) {
        return rest.trim_start();
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=5).contains(&digits) {
        return text;
    }
    let rest = &text[digits..];
    let after = rest.strip_prefix([':', '|', '.', ')']).unwrap_or(rest);
    let content = after.trim_start();
    let is_separated = content.len() < rest.len();
    if is_separated && content.starts_with(|c: char| c.is_ascii_alphabetic()) { content } else { text }
}

/// A row without the comment at its end: `# broken`, `<-- this`, `// here`.
pub(super) fn without_comment(text: &str) -> &str {
    const SIGNS: [&str; 6] = ["#", "//", "<-", "<=", "←", "⬅"];
    let begins = |(at, c): &(usize, char)| {
        let after = &text[at + c.len_utf8()..];
        c.is_whitespace() && SIGNS.iter().any(|sign| after.starts_with(sign))
    };
    text.char_indices().find(begins).map_or(text, |(at, _)| &text[..at])
}

/// Whether a line begins or ends a block of code in Markdown.
pub(super) fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_tags_and_numbers_are_removed() {
        for (line, expected) in [
            ("a 1/1", "a 1/1"),
            ("| a | 1/1 | 3 (5d ago) |  | x |", "a  1/1  3  <none>  x"),
            ("| Pod name | Ready |", "POD_NAME  READY"),
            ("│ # │ NAMESPACE │ NAME │", "NAMESPACE  NAME"),
            ("│ 0 │ a │ b-1 │", "a  b-1"),
            ("| a 1/1 Running 0 3d |", "a 1/1 Running 0 3d"),
            ("a │ │ └─Pod/b True", "a       Pod/b True"),
            ("12: a b", "a b"),
            ("12 a b", "a b"),
            ("12:a", "a"),
            ("10.96.0.10 a", "10.96.0.10 a"),
            ("3d a", "3d a"),
            ("**a** `b`", "a  b"),
        ] {
            assert_eq!(content(line), expected, "{line}");
        }
        for (line, expected) in
            [("<td>a</td><td class=\"x\">b</td>", " a  b "), ("a <none> <x> </b>", "a <none> <x>  "), ("<br", "<br"), ("<", "<")]
        {
            assert_eq!(without_tags(line), expected, "{line}");
        }
        assert_eq!(split_breaks("a<br>b<BR />c <br"), ["a", "b", "c <br"]);
        assert_eq!(without_comment("a 1/1 # why"), "a 1/1");
        assert_eq!(without_comment("a <none> <-- é"), "a <none>");
        assert_eq!(without_comment("a#b"), "a#b");
    }
}
