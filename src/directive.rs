//! Directives in pages, as in mdBook: `{{#include file.rs:2:10}}` and others.
//!
//! The syntax and the meaning are those of mdBook 0.5 (`links` preprocessor; <https://rust-lang.github.io/mdBook/format/mdbook.html>). Only names that mdBook
//! defines are directives; any other text between double braces is left alone.

use std::ops::Range;

/// A directive and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedDirective<'a> {
    /// The bytes of the whole directive, with its braces.
    pub range: Range<usize>,
    /// Its meaning.
    pub directive: Directive<'a>,
}

/// The meaning of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive<'a> {
    /// `\{{#…}}`: the text without the backslash.
    Escaped,
    /// `{{#include path:part}}`, `{{#rustdoc_include path:part}}`: lines of a file.
    Include {
        /// The path relative to the file with the directive.
        path: &'a str,
        /// The lines.
        part: FilePart<'a>,
        /// Whether the other lines of the file are included as well, as hidden lines of Rust code.
        hides_rest: bool,
    },
    /// `{{#playground path attribute …}}`: a file as a block of Rust code.
    Playground {
        /// The path relative to the file with the directive.
        path: &'a str,
        /// The attributes of the code fence, separated by white space.
        attributes: &'a str,
    },
    /// `{{#title …}}`: the title of the page in the browser.
    Title(&'a str),
    /// `{{#tabs …}}`, `{{#endtabs}}`: the limits of a group of tabs (mdbook-tabs).
    TabsLimit,
    /// `{{#tab name="…"}}`: the beginning of a tab with this label.
    Tab(&'a str),
    /// `{{#endtab}}`
    EndTab,
}

/// The lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilePart<'a> {
    /// The lines from `start`, counted from 0, to before `end`; `None` is the end of the file.
    Lines {
        /// The first line, from 0.
        start: usize,
        /// The line after the last.
        end: Option<usize>,
    },
    /// The lines between `ANCHOR: name` and `ANCHOR_END: name`.
    Anchor(&'a str),
}

impl FilePart<'_> {
    /// The whole file.
    pub const ALL: Self = Self::Lines { start: 0, end: None };
}

/// A use of a variable, `{{name}}`, and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocatedVariable<'a> {
    /// The bytes with the braces, and with the backslash before them.
    pub range: Range<usize>,
    /// The name.
    pub name: &'a str,
    /// Whether a backslash before it makes it text.
    pub is_escaped: bool,
}

/// Whether a text can be the name of a variable.
#[must_use]
pub fn is_variable_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The names between double braces in a text, as in mdbook-variables: other templates, such as those of Helm, have the same form, so only the names of
/// variables count.
pub fn variables(text: &str) -> impl Iterator<Item = LocatedVariable<'_>> {
    text.match_indices("{{").filter_map(|(at, _)| {
        let inner = &text[at + 2..];
        let name = &inner[..inner.find('}')?];
        let end = at + 2 + name.len();
        let is_escaped = text[..at].ends_with('\\');
        let name = name.trim_matches(' ');
        let is_variable = text[end..].starts_with("}}") && is_variable_name(name);
        is_variable.then(|| LocatedVariable { range: at - usize::from(is_escaped)..end + 2, name, is_escaped })
    })
}

/// The names of all directives.
const NAMES: [&str; 9] = ["include", "rustdoc_include", "playground", "playpen", "title", "tabs", "endtabs", "tab", "endtab"];

/// Whether a text begins with the name of a directive.
#[must_use]
pub fn is_known(text: &str) -> bool {
    NAMES.contains(&&text[..text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len())])
}

/// Whether a text may contain a directive: a cheap test.
#[must_use]
pub fn may_occur(text: &str) -> bool {
    text.contains("{{") && text.contains('#')
}

/// The directives of a text, in their order. Cost: linear.
pub fn directives(text: &str) -> impl Iterator<Item = LocatedDirective<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let open = from + text.get(from..)?.find("{{")?;
            let escaped = text[..open].ends_with('\\').then(|| escaped(text, open)).flatten();
            if let Some(located) = escaped.or_else(|| directive_at(text, open)) {
                from = located.range.end;
                return Some(located);
            }
            from = open + 1;
        }
    })
}

/// A text whose escaped directives are written as readers see them.
#[must_use]
pub fn unescaped(text: &str) -> String {
    text.replace("\\{{#", "{{#")
}

/// `\{{#…}}` extends to the last braces of its line.
fn escaped(text: &str, open: usize) -> Option<LocatedDirective<'_>> {
    let line = text[open..].lines().next().unwrap_or_default();
    let length = line.rfind("}}")? + 2;
    let range = open - 1..open + length;
    (line.starts_with("{{#") && length > 4).then_some(LocatedDirective { range, directive: Directive::Escaped })
}

fn directive_at(text: &str, open: usize) -> Option<LocatedDirective<'_>> {
    let inner = &text[open + 2..];
    let length = inner.find('}')?;
    let written = inner[..length].trim_start().strip_prefix('#')?;
    inner[length..].starts_with("}}").then_some(())?;
    let name = &written[..written.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(written.len())];
    let rest = &written[name.len()..];
    let argument = rest.strip_prefix(|c: char| c.is_whitespace()).map(str::trim).filter(|argument| !argument.is_empty());
    let directive = match (name, argument) {
        ("include" | "rustdoc_include", Some(argument)) => {
            let (path, part) = file_part(first_word(argument));
            Directive::Include { path, part, hides_rest: name == "rustdoc_include" }
        }
        ("playground" | "playpen", Some(argument)) => {
            let path = first_word(argument);
            Directive::Playground { path, attributes: argument[path.len()..].trim() }
        }
        // mdBook keeps the white space at the end of a title.
        ("title", Some(title)) => Directive::Title(title),
        ("tabs", _) | ("endtabs", None) => Directive::TabsLimit,
        ("tab", Some(argument)) => Directive::Tab(tab_label(argument)?),
        ("endtab", None) => Directive::EndTab,
        _ => return None,
    };
    Some(LocatedDirective { range: open..open + 2 + length + 2, directive })
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The value of `name="…"`.
fn tab_label(argument: &str) -> Option<&str> {
    let (_, value) = argument.split_once("name=\"")?;
    value.split_once('"').map(|(label, _)| label)
}

/// Splits `path:2:10`, `path:2`, `path:2:`, `path::10`, `path:anchor`. Lines are counted from 1.
fn file_part(argument: &str) -> (&str, FilePart<'_>) {
    let Some((path, part)) = argument.split_once(':') else { return (argument, FilePart::ALL) };
    let mut parts = part.splitn(3, ':');
    let (first, second) = (parts.next().unwrap_or_default(), parts.next());
    let start = match first.parse::<usize>() {
        Ok(line) => Some(line.saturating_sub(1)),
        Err(_) if first.is_empty() => None,
        Err(_) => return (path, FilePart::Anchor(first)),
    };
    let end = match second.map(str::parse::<usize>) {
        Some(end) => end.ok(),
        // A single line.
        None => start.map(|start| start + 1),
    };
    (path, FilePart::Lines { start: start.unwrap_or(0), end })
}

/// The path of a file that a directive names: relative to the root, with `..` at its beginning if it is above the root. `from` is the file with the directive.
/// `None` if it is not a relative path.
#[must_use]
pub fn target(from: &str, path: &str) -> Option<String> {
    if path.starts_with('/') || path.contains(['\\', '\0']) {
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The paths of the files that the directives of a file name, see [`target`].
pub fn targets<'a>(from: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    let named = may_occur(text).then(|| directives(text)).into_iter().flatten();
    named.filter_map(move |located| match located.directive {
        Directive::Include { path, .. } | Directive::Playground { path, .. } => target(from, path),
        _ => None,
    })
}

/// The lines of a file that an include takes: each with the bytes in the text, and whether it is hidden. `None` if the file has no such anchor or no such line.
///
/// Lines with the mark of an anchor are left out if an anchor is named, as in mdBook.
#[must_use]
pub fn lines(text: &str, part: &FilePart<'_>, hides_rest: bool) -> Option<Vec<(Range<usize>, bool)>> {
    let mut taken = Vec::new();
    let mut found = *part == FilePart::ALL;
    let (mut at, mut inside, mut ended) = (0, false, false);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let range = at..at + line.trim_end_matches(['\n', '\r']).len();
        at += line.len();
        let is_taken = match part {
            FilePart::Lines { start, end } => number >= *start && end.is_none_or(|end| number < end),
            FilePart::Anchor(anchor) => {
                if let Some(name) = anchor_name(line, "ANCHOR_END:").filter(|_| inside || hides_rest) {
                    ended |= inside && name == *anchor;
                    inside &= name != *anchor;
                    continue;
                }
                if let Some(name) = anchor_name(line, "ANCHOR:") {
                    let begins = name == *anchor && (hides_rest || !ended);
                    (inside, found) = (inside || begins, found || begins);
                    continue;
                }
                inside
            }
        };
        found |= is_taken;
        if is_taken || hides_rest {
            taken.push((range, !is_taken));
        }
    }
    found.then_some(taken)
}

/// The name after a mark such as `ANCHOR:`.
fn anchor_name<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let rest = line[line.find(mark)? + mark.len()..].trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn of(text: &str) -> Vec<Directive<'_>> {
        directives(text).map(|located| located.directive).collect()
    }

    fn included(part: FilePart<'_>) -> Vec<Directive<'_>> {
        vec![Directive::Include { path: "a.rs", part, hides_rest: false }]
    }

    #[test]
    fn forms_of_mdbook() {
        let lines = |start, end| included(FilePart::Lines { start, end });
        assert_eq!(of("{{#include a.rs}}"), lines(0, None));
        assert_eq!(of("{{ #include a.rs:2:10 }}"), lines(1, Some(10)));
        assert_eq!(of("{{#include a.rs:2}}"), lines(1, Some(2)));
        assert_eq!(of("{{#include a.rs:2:}}"), lines(1, None));
        assert_eq!(of("{{#include a.rs::10}}"), lines(0, Some(10)));
        assert_eq!(of("{{#include a.rs:}}"), lines(0, None));
        assert_eq!(of("{{#include\na.rs:main}}"), included(FilePart::Anchor("main")));
        assert_eq!(of("{{#playground x.rs editable ignore}}"), [Directive::Playground { path: "x.rs", attributes: "editable ignore" }]);
        assert_eq!(of("{{#title A b }} {{#endtab}}"), [Directive::Title("A b"), Directive::EndTab]);
        assert_eq!(of("{{#tab name=\"A b\" }}"), [Directive::Tab("A b")]);
        for other in ["{{#if x}}", "{{ .Values.x }}", "{{#include}}", "{{#include a.rs}", "{{include a.rs}}", "{{", "#{{"] {
            assert_eq!(of(other), [], "{other}");
        }
    }

    #[test]
    fn a_backslash_escapes_until_the_last_braces_of_the_line() {
        let text = r"a \{{#include x}} and {{y}} b";
        let found: Vec<_> = directives(text).map(|located| (&text[located.range], located.directive)).collect();
        assert_eq!(found, [(r"\{{#include x}} and {{y}}", Directive::Escaped)]);
    }

    #[test]
    fn paths_are_relative_to_the_file() {
        assert_eq!(target("src/guide/a.md", "../x.rs").as_deref(), Some("src/x.rs"));
        assert_eq!(target("src/a.md", "../../x.rs").as_deref(), Some("../x.rs"));
        assert_eq!(target("../../x/a.md", "../b.md").as_deref(), Some("../../b.md"));
        assert_eq!(target("src/a.md", "/etc/passwd"), None);
    }

    #[test]
    fn lines_of_a_file() {
        let text = "use x;\n// ANCHOR: one\nfn a() {\n    // ANCHOR: two\n    b();\n    // ANCHOR_END: two\n}\n// ANCHOR_END: one\nend\n";
        let take = |part: &str, hides_rest| {
            let argument = format!("f:{part}");
            let taken = lines(text, &file_part(&argument).1, hides_rest)?;
            Some(taken.into_iter().map(|(range, hidden)| format!("{}{}", if hidden { "#" } else { "" }, &text[range])).collect::<Vec<_>>())
        };
        assert_eq!(take("1", false).unwrap(), ["use x;"]);
        assert_eq!(take("one", false).unwrap(), ["fn a() {", "    b();", "}"]);
        assert_eq!(take("two", false).unwrap(), ["    b();"]);
        assert_eq!(take("two", true).unwrap(), ["#use x;", "#fn a() {", "    b();", "#}", "#end"]);
        assert_eq!(take("9:", false).unwrap(), ["end"]);
        assert_eq!(take("three", false), None);
        assert_eq!(take("99", false), None);
        assert_eq!(lines("", &FilePart::ALL, false), Some(Vec::new()));
    }
}
