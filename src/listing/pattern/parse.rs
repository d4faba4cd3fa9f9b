//! Parses the names of patterns, such as `metrics-server-v{version}`.

use super::{BadPattern, PLACEHOLDERS, Segment};

/// The segments of a name.
///
/// # Errors
/// If the name has an unknown placeholder, or matches too much.
pub(super) fn parse_parts(name: &str) -> Result<Vec<Segment>, BadPattern> {
    let bad = |message: String, help: &str| Err(BadPattern { message, help: help.to_owned() });
    let words = "the variable parts are `{version}`, `{number}`, `{hash}`, `{random}`, `{word}` and `{node}`";
    if name.is_empty() {
        return bad("the name is empty".to_owned(), "write the name as kubectl prints it");
    }
    if name.contains('*') {
        return bad(format!("`{name}` contains `*`"), words);
    }
    let mut parts = Vec::new();
    let mut rest = name;
    while let Some(open) = rest.find('{') {
        let Some(close) = rest[open..].find('}').map(|close| open + close) else {
            return bad(format!("a `{{` of `{name}` is not closed"), words);
        };
        parts.push(Segment::Literal(rest[..open].to_owned()));
        let word = &rest[open + 1..close];
        match PLACEHOLDERS.iter().find(|part| part.placeholder() == word) {
            Some(part) => parts.push(part.clone()),
            None => return bad(format!("`{{{word}}}` is not a variable part"), words),
        }
        rest = &rest[close + 1..];
    }
    parts.push(Segment::Literal(rest.to_owned()));
    let parts = merge_literals(parts.into_iter());
    for part in &parts {
        if let Segment::Literal(text) = part
            && let Some(strange) = text.chars().find(|c| !matches!(c, 'a'..='z' | '0'..='9' | '-' | '.' | ':'))
        {
            return bad(format!("`{name}` contains `{strange}`, which no name of an object has"), words);
        }
    }
    if parts.windows(2).any(|pair| pair.iter().all(|part| !matches!(part, Segment::Literal(_)))) {
        return bad(format!("two variable parts of `{name}` touch each other"), "add the dash that separates them");
    }
    if !parts.iter().any(|part| matches!(part, Segment::Literal(text) if text.bytes().any(|byte| byte.is_ascii_alphanumeric()))) {
        return bad(format!("`{name}` would match every name"), "write the part of the name that does not vary");
    }
    Ok(parts)
}

/// The same segments, with adjacent literals as one.
pub(super) fn merge_literals(parts: impl Iterator<Item = Segment>) -> Vec<Segment> {
    let mut merged: Vec<Segment> = Vec::new();
    for part in parts {
        match (merged.last_mut(), part) {
            (_, Segment::Literal(text)) if text.is_empty() => {}
            (Some(Segment::Literal(before)), Segment::Literal(text)) => before.push_str(&text),
            (_, part) => merged.push(part),
        }
    }
    merged
}
