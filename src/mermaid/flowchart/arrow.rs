//! Arrows of flowcharts: `-->`, `-- words -->`, `-->|words|`, `==>`, `-.->`, `~~~` and their variants.

use super::{
    super::{chart::ArrowLine, drawing::DrawError, scanner::Scanner, svg_writer::Arrowhead},
    text::quoted,
};

/// The most rows that an arrow can be long; more dashes have no effect.
const MOST_ROWS: usize = 10;

/// An arrow as in the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FlowArrow {
    /// The name before `@`.
    pub(super) name: Option<String>,
    pub(super) line: ArrowLine,
    pub(super) heads: [Option<Arrowhead>; 2],
    pub(super) rows: usize,
    pub(super) text: String,
}

/// Whether an arrow is next.
pub(super) fn begins(scanner: &Scanner<'_>) -> bool {
    let rest = scanner.rest();
    let rest = rest.strip_prefix(['x', 'o', '<']).unwrap_or(rest);
    ["--", "==", "-.", "~~~"].iter().any(|start| rest.starts_with(start)) || is_dotted(rest)
}

/// Whether `.-` is next, the short form of a dotted line.
fn is_dotted(rest: &str) -> bool {
    rest.starts_with('.') && rest.trim_start_matches('.').starts_with('-')
}

/// Reads an arrow with its text if one is next.
pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Option<FlowArrow>, DrawError> {
    let name = arrow_name(scanner);
    if !begins(scanner) {
        if scanner.rest().starts_with("->") || scanner.rest().starts_with("=>") {
            let message = "this arrow is not complete";
            return Err(DrawError::new(scanner.at..scanner.at + 2, message, "write `-->`, `---`, `-.->` or `==>`"));
        }
        return Ok(None);
    }
    let start = scanner.at;
    let first = head(scanner, &['x', 'o', '<']);
    let Some(mut arrow) = closing(scanner).or_else(|| opening(scanner)) else { return Ok(None) };
    arrow.name = name;
    arrow.heads[0] = first;
    if arrow.rows == 0 {
        // The text is between two parts of the arrow.
        let part = &scanner.text[start..scanner.at];
        arrow.text = text(scanner, arrow.line).ok_or_else(|| {
            let span = Scanner::new(scanner.text, start).rest_of_line();
            let message = "this arrow is not complete";
            DrawError::new(span, message, format!("write `{part} words {}` or `-->`", complete(arrow.line)))
        })?;
        // Each dash of the second part makes the arrow longer, and its head is the head of the whole.
        let second = closing(scanner);
        let (rows, head) = second.map_or((1, None), |second| (second.rows, second.heads[1]));
        (arrow.rows, arrow.heads[1]) = (rows, head);
    }
    let mut ahead = scanner.clone();
    ahead.skip_blanks();
    if ahead.eat("|") {
        *scanner = ahead;
        arrow.text = piped(scanner)?;
    }
    Ok(Some(arrow))
}

const fn complete(line: ArrowLine) -> &'static str {
    match line {
        ArrowLine::Thick => "==>",
        ArrowLine::Dashed => ".->",
        ArrowLine::Solid | ArrowLine::Invisible => "-->",
    }
}

/// The name of an arrow: `e1@-->`.
fn arrow_name(scanner: &mut Scanner<'_>) -> Option<String> {
    let mut ahead = scanner.clone();
    let name = ahead.take_while(|character| character.is_alphanumeric() || matches!(character, '_' | '-'));
    if name.is_empty() || !ahead.eat("@") || !begins(&ahead) {
        return None;
    }
    *scanner = ahead;
    Some(name.to_owned())
}

fn head(scanner: &mut Scanner<'_>, letters: &[char]) -> Option<Arrowhead> {
    let letter = scanner.peek().filter(|letter| letters.contains(letter))?;
    scanner.at += 1;
    Some(match letter {
        'x' => Arrowhead::Cross,
        'o' => Arrowhead::Circle,
        _ => Arrowhead::Filled,
    })
}

/// Reads a complete arrow without its head at the start, or the second part of one with a text.
fn closing(scanner: &mut Scanner<'_>) -> Option<FlowArrow> {
    let mut ahead = scanner.clone();
    let plain = FlowArrow { name: None, line: ArrowLine::Solid, heads: [None, None], rows: 1, text: String::new() };
    let tildes = ahead.take_while(|character| character == '~').len();
    if tildes >= 3 {
        *scanner = ahead;
        return Some(FlowArrow { line: ArrowLine::Invisible, rows: (tildes - 2).min(MOST_ROWS), ..plain });
    }
    for (mark, line) in [('-', ArrowLine::Solid), ('=', ArrowLine::Thick)] {
        let mut ahead = scanner.clone();
        let length = ahead.take_while(|character| character == mark).len();
        if length < 2 {
            continue;
        }
        let end = head(&mut ahead, &['x', 'o', '>']);
        // Without a head, the last dash is in its place.
        let rows = if end.is_some() { length - 1 } else { length.saturating_sub(2) };
        if rows > 0 {
            *scanner = ahead;
            return Some(FlowArrow { line, heads: [None, end], rows: rows.min(MOST_ROWS), ..plain });
        }
    }
    let mut ahead = scanner.clone();
    ahead.eat("-");
    let dots = ahead.take_while(|character| character == '.').len();
    if dots > 0 && ahead.eat("-") {
        let end = head(&mut ahead, &['x', 'o', '>']);
        *scanner = ahead;
        return Some(FlowArrow { line: ArrowLine::Dashed, heads: [None, end], rows: dots.min(MOST_ROWS), ..plain });
    }
    None
}

/// Reads the first part of an arrow with a text in it, which has no rows.
fn opening(scanner: &mut Scanner<'_>) -> Option<FlowArrow> {
    let parts = [("--", ArrowLine::Solid), ("==", ArrowLine::Thick), ("-.", ArrowLine::Dashed)];
    let (_, line) = parts.into_iter().find(|(part, _)| scanner.eat(part))?;
    Some(FlowArrow { name: None, line, heads: [None, None], rows: 0, text: String::new() })
}

/// Reads a text up to the second part of the arrow. `None` if there is none on the line.
fn text(scanner: &mut Scanner<'_>, line: ArrowLine) -> Option<String> {
    scanner.skip_spaces();
    if scanner.peek() == Some('"') {
        let mut ahead = scanner.clone();
        let text = quoted(&mut ahead).ok()?;
        ahead.skip_spaces();
        // What is quoted can contain an arrow.
        let is_closed = closing(&mut ahead.clone()).is_some();
        if is_closed {
            *scanner = ahead;
            return Some(text);
        }
    }
    let rest = scanner.rest().lines().next().unwrap_or_default();
    let mark = match line {
        ArrowLine::Thick => "==",
        ArrowLine::Dashed => ".-",
        ArrowLine::Solid | ArrowLine::Invisible => "--",
    };
    let length = rest.find(mark)?;
    // Further dots make the arrow longer.
    let length = if line == ArrowLine::Dashed { rest[..length].trim_end_matches('.').len() } else { length };
    scanner.at += length;
    closing(&mut scanner.clone())?;
    Some(rest[..length].trim().trim_matches('"').to_owned())
}

/// Reads a text between vertical lines, from behind the first one.
fn piped(scanner: &mut Scanner<'_>) -> Result<String, DrawError> {
    let start = scanner.at - 1;
    scanner.skip_blanks();
    let text = if scanner.peek() == Some('"') {
        quoted(scanner)?
    } else {
        let text = scanner.take_while(|character| !matches!(character, '|' | '[' | ']' | '(' | ')' | '{' | '}' | '"'));
        text.trim().to_owned()
    };
    scanner.skip_blanks();
    if scanner.eat("|") {
        return Ok(text);
    }
    let span = Scanner::new(scanner.text, start).rest_of_line();
    let closed = scanner.text[start + 1..span.end].find('|').map(|end| start + 1..start + 1 + end);
    Err(match closed {
        Some(text) => {
            let help = format!("put it in quotes: `|\"{}\"|`", scanner.text[text.clone()].trim().replace('"', "#quot;"));
            DrawError::new(text, "the text of this arrow contains brackets or quotes", help)
        }
        None => DrawError::new(span, "the text of this arrow is not closed", "write `-->|words|`"),
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::{ArrowLine, Arrowhead, Scanner, read};

    #[test]
    fn arrows_have_lines_heads_lengths_and_texts() {
        use ArrowLine::{Dashed, Invisible, Solid, Thick};
        use Arrowhead::{Circle, Cross, Filled};
        for (source, line, heads, rows, text) in [
            ("-->", Solid, [None, Some(Filled)], 1, ""),
            ("---", Solid, [None, None], 1, ""),
            ("----", Solid, [None, None], 2, ""),
            ("--->", Solid, [None, Some(Filled)], 2, ""),
            ("<-->", Solid, [Some(Filled), Some(Filled)], 1, ""),
            ("x--x", Solid, [Some(Cross), Some(Cross)], 1, ""),
            ("--o", Solid, [None, Some(Circle)], 1, ""),
            ("==>", Thick, [None, Some(Filled)], 1, ""),
            ("===", Thick, [None, None], 1, ""),
            ("-.->", Dashed, [None, Some(Filled)], 1, ""),
            ("-.-", Dashed, [None, None], 1, ""),
            ("-..->", Dashed, [None, Some(Filled)], 2, ""),
            ("~~~", Invisible, [None, None], 1, ""),
            ("e1@-->", Solid, [None, Some(Filled)], 1, ""),
            ("-->|yes, it is|", Solid, [None, Some(Filled)], 1, "yes, it is"),
            ("-->|\"a (b)\"|", Solid, [None, Some(Filled)], 1, "a (b)"),
            ("-- a-b -->", Solid, [None, Some(Filled)], 1, "a-b"),
            ("--text---", Solid, [None, None], 1, "text"),
            ("-- \"a --> b\" -->", Solid, [None, Some(Filled)], 1, "a --> b"),
            ("== a ==>", Thick, [None, Some(Filled)], 1, "a"),
            ("-. a.b .->", Dashed, [None, Some(Filled)], 1, "a.b"),
            ("<-- both -->", Solid, [Some(Filled), Some(Filled)], 1, "both"),
        ] {
            let mut scanner = Scanner::new(source, 0);
            let arrow = read(&mut scanner).unwrap().unwrap_or_else(|| panic!("{source}"));
            assert_eq!((arrow.line, arrow.heads, arrow.rows, arrow.text.as_str()), (line, heads, rows, text), "{source}");
            assert!(scanner.is_at_end(), "{source}");
        }
    }

    #[test]
    fn what_is_no_arrow_is_not_read() {
        for source in ["A", "x", "o", "- a", "", "e1"] {
            assert_eq!(read(&mut Scanner::new(source, 0)), Ok(None), "{source}");
        }
        for source in ["->", "=>", "-- a", "-->|a", "-->|a (b)| B", "-. a -->"] {
            assert!(read(&mut Scanner::new(source, 0)).is_err(), "{source}");
        }
    }
}
