//! Raw HTML split into tokens, as browsers do it.

use std::ops::Range;

/// A token of raw HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Its bytes.
    pub(super) range: Range<usize>,
}

/// The kind of a token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An opening tag. Names are lower-case; values are as written, with character references.
    Start { name: String, attributes: Vec<(String, String)>, closed: bool },
    /// A closing tag.
    End { name: String },
    /// Text.
    Text,
    /// A comment.
    Comment,
    /// A processing instruction, a declaration, CDATA, or a tag that does not end.
    Other,
}

/// Splits HTML into tokens; together they cover it.
pub(super) fn tokens(html: &str) -> Tokens<'_> {
    Tokens { html, at: 0 }
}

/// An iterator over the tokens of HTML.
pub(super) struct Tokens<'h> {
    html: &'h str,
    /// Where the next token begins.
    pub(super) at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let start = self.at;
        let rest = self.html.get(start..).filter(|rest| !rest.is_empty())?;
        let mut open = 0;
        while let Some(found) = rest[open..].find('<').map(|found| open + found) {
            if let Some(token) = markup(&rest[found..]) {
                let (kind, length) = if found == 0 { token } else { (TokenKind::Text, found) };
                self.at = start + length;
                return Some(Token { kind, range: start..self.at });
            }
            open = found + 1;
        }
        self.at = self.html.len();
        Some(Token { kind: TokenKind::Text, range: start..self.at })
    }
}

/// The token that begins with this `<`, and its length; `None` if the `<` is text.
fn markup(html: &str) -> Option<(TokenKind, usize)> {
    let until = |end: &str, from: usize| html.get(from..).and_then(|rest| rest.find(end)).map_or(html.len(), |at| from + at + end.len());
    if html.starts_with("<!-->") || html.starts_with("<!--->") {
        return Some((TokenKind::Comment, until(">", 0)));
    }
    if html.starts_with("<!--") {
        return Some((TokenKind::Comment, until("-->", 4)));
    }
    if html.starts_with("<![CDATA[") {
        return Some((TokenKind::Other, until("]]>", 9)));
    }
    let mut characters = html.chars().skip(1);
    match characters.next()? {
        '/' if characters.next()?.is_ascii_alphabetic() => Some((TokenKind::End { name: name(&html[2..]) }, until(">", 2))),
        '!' | '?' | '/' => Some((TokenKind::Other, until(">", 2))),
        first if first.is_ascii_alphabetic() => Some(start_tag(html)),
        _ => None,
    }
}

fn name(html: &str) -> String {
    let end = html.find(|c: char| c.is_ascii_whitespace() || matches!(c, '/' | '>')).unwrap_or(html.len());
    html[..end].to_ascii_lowercase()
}

fn start_tag(html: &str) -> (TokenKind, usize) {
    let name = name(&html[1..]);
    let mut attributes = Vec::new();
    let mut cursor = TagCursor { html, at: 1 + name.len() };
    loop {
        cursor.skip(|c| c.is_ascii_whitespace());
        match cursor.peek() {
            // An unterminated tag is not a tag.
            None => return (TokenKind::Other, html.len()),
            Some('>') => return (TokenKind::Start { name, attributes, closed: false }, cursor.at + 1),
            Some('/') => {
                cursor.at += 1;
                if cursor.peek() == Some('>') {
                    return (TokenKind::Start { name, attributes, closed: true }, cursor.at + 1);
                }
            }
            Some(_) => attributes.push(cursor.attribute()),
        }
    }
}

struct TagCursor<'h> {
    html: &'h str,
    at: usize,
}

impl<'h> TagCursor<'h> {
    fn peek(&self) -> Option<char> {
        self.html.get(self.at..)?.chars().next()
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) -> &'h str {
        let rest = self.html.get(self.at..).unwrap_or_default();
        let end = rest.find(|c| !skipped(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn attribute(&mut self) -> (String, String) {
        let from = self.at;
        // A name may begin with `=`: see the “before attribute name state” of the HTML standard.
        self.at += self.peek().map_or(0, char::len_utf8);
        self.skip(|c| !c.is_ascii_whitespace() && !matches!(c, '/' | '>' | '='));
        let name = self.html[from..self.at].to_ascii_lowercase();
        self.skip(|c| c.is_ascii_whitespace());
        if self.peek() != Some('=') {
            return (name, String::new());
        }
        self.at += 1;
        self.skip(|c| c.is_ascii_whitespace());
        let value = match self.peek() {
            Some(quote @ ('"' | '\'')) => {
                self.at += 1;
                let value = self.skip(|c| c != quote);
                self.at = (self.at + 1).min(self.html.len() + 1);
                value
            }
            _ => self.skip(|c| !c.is_ascii_whitespace() && c != '>'),
        };
        (name, value.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(html: &str) -> Vec<String> {
        let name = |token: Token| match token.kind {
            TokenKind::Start { name, attributes, .. } => {
                format!("<{name} {}", attributes.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(","))
            }
            TokenKind::End { name } => format!("/{name}"),
            TokenKind::Text => html[token.range].to_owned(),
            TokenKind::Comment => "!".to_owned(),
            TokenKind::Other => "?".to_owned(),
        };
        tokens(html).map(name).collect()
    }

    #[test]
    fn splits_as_browsers_do() {
        assert_eq!(names("a<B x=1 y='2' z>c</B >"), ["a", "<b x=1,y=2,z=", "c", "/b"]);
        assert_eq!(names("1 < 2 <3"), ["1 < 2 <3"]);
        assert_eq!(names("<!-- <b> -->x<!--><i><!--"), ["!", "x", "!", "<i ", "!"]);
        assert_eq!(names("<?php ?>x<![CDATA[<b>]]>y<!doctype html>"), ["?", "x", "?", "y", "?"]);
        assert_eq!(names("<a/onclick=x/href='y'>"), ["<a onclick=x/href='y'"]);
        assert_eq!(names("<img src=\"x"), ["?"]);
        assert_eq!(names("<svg/onload=alert(1)>"), ["<svg onload=alert(1)"]);
        assert_eq!(names("<p =x>"), ["<p =x="]);
    }
}
