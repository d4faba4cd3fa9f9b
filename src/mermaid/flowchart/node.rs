//! Nodes of flowcharts: `A`, `A[words]`, `A@{ shape: circle, label: "words" }`, `A:::class`.

use super::{
    super::{
        drawing::DrawError,
        scanner::{Scanner, properties},
        shape::NodeShapeKind,
    },
    STATEMENT, arrow,
    builder::ChartBuilder,
    text::quoted,
};

/// The brackets of shapes; where one begins with another, the longer is first.
const BRACKETS: [(&str, &[(&str, NodeShapeKind)]); 14] = [
    ("(((", &[(")))", NodeShapeKind::DoubleCircle)]),
    ("((", &[("))", NodeShapeKind::Circle)]),
    ("([", &[("])", NodeShapeKind::Stadium)]),
    ("(-", &[("-)", NodeShapeKind::Stadium)]),
    ("(", &[(")", NodeShapeKind::Rounded)]),
    ("[[", &[("]]", NodeShapeKind::Subroutine)]),
    ("[(", &[(")]", NodeShapeKind::Cylinder)]),
    ("[/", &[("/]", NodeShapeKind::LeanRight), ("\\]", NodeShapeKind::Trapezoid)]),
    ("[\\", &[("\\]", NodeShapeKind::LeanLeft), ("/]", NodeShapeKind::InvertedTrapezoid)]),
    ("[|", &[("]", NodeShapeKind::Rectangle)]),
    ("[", &[("]", NodeShapeKind::Rectangle)]),
    ("{{", &[("}}", NodeShapeKind::Hexagon)]),
    ("{", &[("}", NodeShapeKind::Diamond)]),
    (">", &[("]", NodeShapeKind::Flag)]),
];

/// Reads nodes that are joined by `&`.
pub(super) fn list(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder) -> Result<Vec<usize>, DrawError> {
    let mut nodes = Vec::from_iter(node(scanner, builder)?);
    loop {
        let mut ahead = scanner.clone();
        ahead.skip_spaces();
        if !ahead.eat("&") {
            return Ok(nodes);
        }
        ahead.skip_blanks();
        *scanner = ahead;
        nodes.extend(node(scanner, builder)?);
    }
}

/// Reads a node. `None` if it is the name of an arrow.
fn node(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder) -> Result<Option<usize>, DrawError> {
    let start = scanner.at;
    let name = name(scanner);
    let span = start..scanner.at;
    if name.is_empty() {
        return Err(scanner.unexpected(STATEMENT));
    }
    if name == "end" {
        let help = "write `End`, or another name with a label: `e[end]`";
        return Err(DrawError::new(span, "`end` closes a subgraph and cannot be the name of a node", help));
    }
    if scanner.rest().starts_with("@{") && builder.is_arrow(name) {
        // Properties of arrows are animations and curves.
        scanner.at += 2;
        return match properties(scanner) {
            Some(_) => Ok(None),
            None => Err(DrawError::new(span, "these properties are not closed", "write `name@{ animate: true }`")),
        };
    }
    let node = builder.node(name, &span)?;
    let opening = scanner.at;
    let bracket = BRACKETS.iter().find(|(open, _)| scanner.rest().starts_with(open));
    if let Some((open, ends)) = bracket {
        scanner.at += open.len();
        if *open == "[|" {
            // Fields of a shape have no effect.
            scanner.take_while(|character| !matches!(character, '|' | '\n'));
            scanner.eat("|");
        }
        let (text, shape) = label(scanner, ends, opening, name)?;
        builder.set_text(node, text);
        builder.set_shape(node, shape);
    }
    loop {
        let mut ahead = scanner.clone();
        if ahead.eat(":::") {
            ahead.skip_spaces();
            ahead.take_while(|character| character.is_alphanumeric() || matches!(character, '_' | '-' | ','));
            *scanner = ahead;
        } else if ahead.eat("@{") {
            set_properties(&mut ahead, builder, node, scanner.at)?;
            *scanner = ahead;
        } else {
            return Ok(Some(node));
        }
    }
}

/// Reads the name of a node.
fn name<'a>(scanner: &mut Scanner<'a>) -> &'a str {
    let rest = scanner.rest();
    scanner.take_name(|at, character, after| match character {
        '-' => !after.starts_with(['>', '-', '.']) && !after.is_empty(),
        '=' => !after.starts_with(['=', '>']),
        '.' => !(at > 0 && after.trim_start_matches('.').starts_with('-') && arrow::begins(&Scanner::new(&rest[at..], 0))),
        ':' => !after.starts_with("::"),
        '&' => at > 0 && !after.starts_with(' '),
        '_' | '/' | '\\' | '!' | '#' | '$' | '%' | '\'' | '*' | '+' | '`' | '?' | ',' => true,
        _ => character.is_ascii_alphanumeric() || (!character.is_ascii() && !character.is_whitespace()),
    })
}

/// Reads a label and the bracket behind it.
fn label(
    scanner: &mut Scanner<'_>,
    ends: &[(&str, NodeShapeKind)],
    opening: usize,
    name: &str,
) -> Result<(String, NodeShapeKind), DrawError> {
    let start = scanner.at;
    let mut text = String::new();
    loop {
        // Parts in quotes can contain brackets.
        if scanner.peek() == Some('"') {
            text.push_str(&quoted(scanner)?);
        }
        let rest = scanner.rest();
        let is_end = |at: usize| ends.iter().any(|(end, _)| rest[at..].starts_with(end));
        let is_mark = |(at, character): &(usize, char)| matches!(character, '[' | ']' | '(' | ')' | '{' | '}' | '|' | '"') || is_end(*at);
        let length = rest.char_indices().find(is_mark).map_or(rest.len(), |(at, _)| at);
        scanner.at += length;
        text.push_str(&rest[..length]);
        if scanner.peek() != Some('"') {
            break;
        }
    }
    let text = text.trim().to_owned();
    let found = ends.iter().find(|(end, _)| scanner.rest().starts_with(end));
    if let Some((end, shape)) = found {
        scanner.at += end.len();
        return Ok((text, *shape));
    }
    Err(bad_label(scanner, ends[0].0, opening..start, name))
}

/// The problem with a label that doesn't end with its bracket.
fn bad_label(scanner: &Scanner<'_>, end: &str, open: std::ops::Range<usize>, name: &str) -> DrawError {
    let line = Scanner::new(scanner.text, open.start).rest_of_line();
    let bracket = &scanner.text[open.clone()];
    let close = scanner.text.get(open.end..line.end).and_then(|text| text.rfind(end)).map(|at| open.end + at);
    let is_on_line = scanner.at < line.end;
    if let Some(close) = close.filter(|_| is_on_line) {
        let text = scanner.text[open.end..close].trim();
        let shown: String = text.replace('"', "#quot;").chars().take(60).collect();
        let message = format!("the label of `{name}` contains brackets");
        return DrawError::new(open.end..close, message, format!("put it in quotes: `{name}{bracket}\"{shown}\"{end}`"));
    }
    let message = format!("the label of `{name}` is not closed");
    DrawError::new(open.start..line.end.max(open.end), message, format!("write `{name}{bracket}words{end}`"))
}

/// Reads the properties of a node: its shape and its label.
fn set_properties(scanner: &mut Scanner<'_>, builder: &mut ChartBuilder, node: usize, start: usize) -> Result<(), DrawError> {
    let Some(properties) = properties(scanner) else {
        let span = Scanner::new(scanner.text, start).rest_of_line();
        return Err(DrawError::new(span, "these properties are not closed", "write `A@{ shape: circle, label: \"words\" }`"));
    };
    for (key, value) in properties {
        match key.as_str() {
            "label" => builder.set_text(node, value),
            "shape" => {
                let shape = NodeShapeKind::by_name(&value).ok_or_else(|| {
                    let message = format!("unknown shape `{}`", value.chars().take(30).collect::<String>());
                    DrawError::new(start..scanner.at, message, "write a shape such as `rect`, `rounded`, `circle`, `diamond` or `cyl`")
                })?;
                builder.set_shape(node, shape);
            }
            // Icons, pictures and their sizes: the label says what they show.
            _ => {}
        }
    }
    Ok(())
}
