//! Directives of mdBook in pages: included files, and the notes and tabs of its common preprocessors, which become those of this program.
//!
//! A page is expanded before it is parsed, so an included file can contain any part of a page. The text keeps the file and the offset of each of its parts, so
//! that findings have a place in the file that an author can edit.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use crate::{
    diagnostic::{Diagnostics, Place, Rule},
    directive::{self, Directive, FilePart, directives, variables},
    origins::AssembledText,
    read::{Content, MAX_TEXT, Preprocessed, Sources},
    text::Span,
};

/// The maximum depth of files that are included in included files; that of mdBook.
const MAX_DEPTH: usize = 10;

/// The maximum number of directives in a page and the files that it includes. With the limits of the depth alone, it could grow exponentially.
const MAX_DIRECTIVES: usize = 10_000;

/// The values of variables, by name.
pub(super) type Variables = BTreeMap<String, String>;

/// Replaces the directives and variables of a page after its front matter, which ends at `body_at`. `None` if it has none.
pub(super) fn expand(
    file: &Arc<str>,
    text: &str,
    body_at: usize,
    sources: &Sources,
    values: &Variables,
    diagnostics: &mut Diagnostics,
) -> Option<Preprocessed> {
    let body = &text[body_at..];
    let has_variables = || variables(body).any(|variable| values.contains_key(variable.name));
    if !directive::may_occur(body) && !body.contains(ADMONISH) && !has_variables() {
        return None;
    }
    if directives(body).next().is_none() && notes(body).is_empty() && !has_variables() {
        return None;
    }
    let mut expander = Expander {
        sources,
        values,
        diagnostics,
        out: AssembledText::default(),
        title: None,
        included: BTreeMap::new(),
        open: vec![(file.clone(), format!("{:?}", FilePart::ALL))],
        number: 0,
        notes: 0,
        tab: None,
    };
    expander.out.copy(file, text, 0..body_at);
    expander.text(file, text, body_at..text.len());
    if let Some(place) = expander.tab {
        expander.diagnostics.report(Rule::BadBlock, place, "this tab is not closed", "write `{{#endtab}}` after its content");
    }
    let (text, origins) = expander.out.finish();
    Some(Preprocessed { text: text.into(), origins, title: expander.title, included: expander.included.into_iter().collect() })
}

struct Expander<'a> {
    sources: &'a Sources,
    values: &'a Variables,
    diagnostics: &'a mut Diagnostics,
    out: AssembledText,
    title: Option<String>,
    included: BTreeMap<Arc<str>, Option<Content>>,
    /// The page and the files that are being included, outermost first, and the lines of each.
    open: Vec<(Arc<str>, String)>,
    /// The number of directives so far.
    number: usize,
    /// The number of open notes.
    notes: usize,
    /// The open tab.
    tab: Option<Place>,
}

/// A part of a text that is replaced.
enum Replaced<'t> {
    Directive(Directive<'t>),
    Note(NoteLine),
    /// The value of a variable.
    Value(&'t str),
}

impl Expander<'_> {
    /// Adds a part of a file.
    fn text(&mut self, file: &Arc<str>, text: &str, range: Range<usize>) {
        let Some(part) = text.get(range.clone()) else { return };
        let located = directives(part).map(|located| (located.range, Replaced::Directive(located.directive)));
        let mut replaced: Vec<(Range<usize>, Replaced<'_>)> = located.collect();
        replaced.extend(notes(part).into_iter().map(|(range, line)| (range, Replaced::Note(line))));
        let values = self.values;
        replaced.extend(variables(part).filter_map(|variable| {
            let value = values.get(variable.name)?;
            let escaped = || part[variable.range.clone()].trim_start_matches('\\');
            Some((variable.range.clone(), Replaced::Value(if variable.is_escaped { escaped() } else { value })))
        }));
        replaced.sort_by_key(|(range, _)| range.start);
        let mut done = range.start;
        for (within, replaced) in replaced {
            let at = range.start + within.start..range.start + within.end;
            if at.start < done {
                continue;
            }
            self.out.copy(file, text, done..at.start);
            done = at.end;
            let is_replaced = match &replaced {
                Replaced::Directive(directive) => self.directive(file, text, directive, at.clone()),
                Replaced::Note(line) => {
                    self.note(line);
                    true
                }
                Replaced::Value(value) => {
                    self.out.push_indented(value);
                    true
                }
            };
            if !is_replaced {
                self.out.copy(file, text, at);
            }
        }
        self.out.copy(file, text, done..range.end);
    }

    /// Adds the replacement of a directive; returns whether there is one. Errors are reported.
    fn directive(&mut self, file: &Arc<str>, text: &str, directive: &Directive<'_>, at: Range<usize>) -> bool {
        let place = Place::new(file.clone(), Span::from(at.clone()));
        self.number += 1;
        if self.number > MAX_DIRECTIVES {
            if self.number == MAX_DIRECTIVES + 1 {
                let message = format!("this page has more than {MAX_DIRECTIVES} directives; the others are shown as text");
                self.diagnostics.report(Rule::BadInclude, place, message, "divide the page");
            }
            return false;
        }
        match directive {
            Directive::Escaped => self.out.copy(file, text, at.start + 1..at.end),
            Directive::Title(title) => self.title = Some((*title).to_owned()),
            Directive::TabsLimit | Directive::EndTab => self.end_tab(),
            Directive::Tab(label) => {
                self.end_tab();
                self.out.push_indented(&format!("=== \"{}\"\n\n", label.replace('"', "'")));
                self.tab = Some(place);
                self.indent();
            }
            Directive::Include { path, part, hides_rest } => return self.include(&place, path, part, *hides_rest),
            Directive::Playground { path, attributes } => return self.playground(&place, path, attributes),
        }
        true
    }

    fn end_tab(&mut self) {
        self.tab = None;
        self.indent();
    }

    /// Indents what follows as the content of the open notes and of the open tab.
    fn indent(&mut self) {
        self.out.set_indent(self.notes + usize::from(self.tab.is_some()));
    }

    fn note(&mut self, line: &NoteLine) {
        match line {
            NoteLine::Opening(marker) => {
                self.out.push_indented(marker);
                self.notes += 1;
            }
            NoteLine::Closing => self.notes = self.notes.saturating_sub(1),
        }
        self.indent();
    }

    fn include(&mut self, place: &Place, path: &str, part: &FilePart<'_>, hides_rest: bool) -> bool {
        let Some((file, text)) = self.open_file(place, path, part) else { return false };
        let Some(lines) = directive::lines(&text, part, hides_rest) else {
            self.open.pop();
            let (message, help) = match part {
                FilePart::Anchor(anchor) => {
                    let help = format!("mark the lines in that file with `ANCHOR: {anchor}` and `ANCHOR_END: {anchor}` in comments");
                    (format!("`{file}` has no anchor `{anchor}`"), help)
                }
                FilePart::Lines { start, .. } => {
                    (format!("`{file}` has no line {}", start + 1), format!("it has {} lines", text.lines().count()))
                }
            };
            self.diagnostics.report(Rule::BadInclude, place.clone(), message, help);
            return false;
        };
        let mut lines = lines.into_iter().peekable();
        let mut is_first = true;
        while let Some((range, hidden)) = lines.next() {
            if !std::mem::take(&mut is_first) {
                self.out.push("\n");
            }
            if hidden {
                self.out.push_indented("# ");
            }
            // Directives can extend over lines.
            let mut end = range.end;
            while let Some((next, _)) = lines.next_if(|(next, also_hidden)| !hidden && !also_hidden && text[end..next.start].len() <= 2) {
                end = next.end;
            }
            self.text(&file, &text, range.start..end);
        }
        self.open.pop();
        true
    }

    fn playground(&mut self, place: &Place, path: &str, attributes: &str) -> bool {
        let Some((file, text)) = self.open_file(place, path, &FilePart::ALL) else { return false };
        let separator = if attributes.is_empty() { "" } else { "," };
        let attributes: Vec<&str> = attributes.split_whitespace().collect();
        self.out.push_indented(&format!("```rust{separator}{}\n", attributes.join(",")));
        self.text(&file, &text, 0..text.trim_end_matches('\n').len());
        self.out.push("\n");
        self.out.push_indented("```\n");
        self.open.pop();
        true
    }

    /// The file that a directive names, and its text. It stays in the list of open files.
    fn open_file(&mut self, place: &Place, path: &str, part: &FilePart<'_>) -> Option<(Arc<str>, String)> {
        let mut report = |message: String, help: &str| {
            self.diagnostics.report(Rule::BadInclude, place.clone(), message, help);
            None
        };
        let Some(name) = directive::target(&place.file, path) else {
            return report(
                format!("`{path}` is not a path relative to this file"),
                "write it relative to this file, with `/` between folders",
            );
        };
        let name: Arc<str> = name.into();
        let content = self.sources.files.get(&name).cloned();
        self.included.insert(name.clone(), content.clone());
        let text = match &content {
            Some(Content::Text(text)) => text.to_string(),
            Some(Content::Bytes(bytes)) => match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => return report(format!("`{name}` is not text"), "only text files can be included; link to the file"),
            },
            // The reason is reported for the file.
            Some(Content::Unusable) => return None,
            None => {
                let help = "the path is relative to this file; files outside of the repository and hidden files can't be included";
                return report(format!("the file `{name}` does not exist"), help);
            }
        };
        let key = (name.clone(), format!("{part:?}"));
        if self.open.contains(&key) {
            return report(format!("`{name}` includes itself"), "remove one of the directives");
        }
        if self.open.len() > MAX_DEPTH {
            return report(format!("files are included more than {MAX_DEPTH} deep"), "include the file directly");
        }
        if (self.out.text.len() + text.len()) as u64 > MAX_TEXT {
            return report(format!("with `{name}`, this page would have more than {} MiB", MAX_TEXT >> 20), "divide the page");
        }
        self.open.push(key);
        Some((name, text))
    }
}

/// The info string of the notes of mdbook-admonish.
const ADMONISH: &str = "admonish";

/// A line of a note that is written as a block of code: mdbook-admonish (<https://tommilligan.github.io/mdbook-admonish/>).
#[derive(Debug, PartialEq, Eq)]
enum NoteLine {
    /// The opening line as it is written here: `!!! warning "Title"`.
    Opening(String),
    Closing,
}

/// The opening and closing lines of notes, without their indentation and their line feed. Blocks of code are passed over.
fn notes(text: &str) -> Vec<(Range<usize>, NoteLine)> {
    let mut found = Vec::new();
    if !text.contains(ADMONISH) {
        return found;
    }
    // The fences that are open: of notes, which can contain others, and of one block of code.
    let mut open: Vec<(&str, bool)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let begin = at + line.len() - line.trim_start_matches([' ', '\t']).len();
        let content = text[begin..at + line.len()].trim_end();
        let range = begin..begin + content.len();
        at += line.len();
        let Some((fence, info)) = fence(content) else { continue };
        let closes = |(opening, _): &(&str, bool)| info.is_empty() && fence.starts_with(*opening);
        if let Some(depth) =
            open.iter().rposition(closes).filter(|depth| *depth + 1 == open.len() || open.iter().all(|(_, is_note)| *is_note))
        {
            for (_, is_note) in open.drain(depth..) {
                if is_note {
                    found.push((range.clone(), NoteLine::Closing));
                }
            }
        } else if open.iter().all(|(_, is_note)| *is_note) {
            let marker = info.strip_prefix(ADMONISH).filter(|rest| rest.is_empty() || rest.starts_with([' ', '.', ','])).map(note_marker);
            open.push((fence, marker.is_some()));
            found.extend(marker.map(|marker| (range, NoteLine::Opening(marker))));
        }
    }
    found
}

/// The fence at the beginning of a line and the text after it.
fn fence(line: &str) -> Option<(&str, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.find(|c| c != mark).unwrap_or(line.len());
    (length >= 3).then(|| (&line[..length], line[length..].trim()))
}

/// `!!! warning "Title"` for ` warning title="Title", collapsible=true` and ` warning "Title"`.
fn note_marker(options: &str) -> String {
    let options = options.trim_start();
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let first = &options[..options.find(|c| !is_name(c)).unwrap_or(options.len())];
    let kind = if first.is_empty() || options[first.len()..].starts_with('=') { "note" } else { first };
    let folds = if options.contains("collapsible=true") { "???" } else { "!!!" };
    let title = options.find('"').and_then(|start| {
        // A quotation mark in a title is written as `\"`.
        let inner = &options[start + 1..];
        let end = inner.match_indices('"').map(|(end, _)| end).find(|end| !inner[..*end].ends_with('\\'))?;
        Some(inner[..end].replace("\\\"", "'"))
    });
    let title = title.map(|title| format!(" \"{title}\"")).unwrap_or_default();
    format!("{folds} {kind}{title}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn expanded(fixture: &str) -> (String, Vec<String>) {
        let sources = Sources::from_fixture(fixture);
        let file: Arc<str> = "src/a.md".into();
        let Some(Content::Text(text)) = sources.files.get(&file) else { return Default::default() };
        let mut diagnostics = Diagnostics::new();
        let text = expand(&file, text, 0, &sources, &Variables::new(), &mut diagnostics)
            .map_or_else(|| text.to_string(), |expanded| expanded.text.to_string());
        let shown = |found: crate::diagnostic::Diagnostic| {
            let place = found.place.unwrap();
            let Some(Content::Text(text)) = sources.files.get(&place.file) else { return found.message };
            format!("{}: {}: {}", place.file, &text[place.span.range()], found.message)
        };
        (text, diagnostics.sorted().into_iter().map(shown).collect())
    }

    #[test]
    fn files_are_included_in_each_other() {
        let (text, found) = expanded(
            "//- src/a.md\nA {{#include b/b.md}} \\{{#include x}}\n{{#title T}}\n//- src/b/b.md\nB1\nB2 {{#include ../../c.txt:2:3}}\n//- c.txt\n1\n2\n3\n4\n",
        );
        assert_eq!((text.as_str(), found), ("A B1\nB2 2\n3 {{#include x}}\n\n", Vec::new()));
    }

    #[test]
    fn code_with_hidden_lines() {
        let (text, found) = expanded("//- src/a.md\n{{#rustdoc_include x.rs:2}}\n{{#playground x.rs editable}}\n//- src/x.rs\na\nb\nc\n");
        assert_eq!((text.as_str(), found), ("# a\nb\n# c\n```rust,editable\na\nb\nc\n```\n\n", Vec::new()));
    }

    #[test]
    fn errors_are_in_the_file_with_the_directive() {
        let (text, found) = expanded(
            "//- src/a.md\n{{#include a.md}}{{#include none.md}}\n{{#include b.md}}\n//- src/b.md\n{{#include b.md:9}} {{#include b.md:x}} {{#include /etc/passwd}}\n",
        );
        assert!(text.contains("{{#include none.md}}") && text.contains("{{#include b.md:9}}"), "{text}");
        assert_eq!(found.len(), 5, "{found:#?}");
        for expected in [
            "src/a.md: {{#include none.md}}: the file `src/none.md` does not exist",
            "src/a.md: {{#include a.md}}: `src/a.md` includes itself",
            "src/b.md: {{#include b.md:9}}: `src/b.md` has no line 9",
            "src/b.md: {{#include b.md:x}}: `src/b.md` has no anchor `x`",
            "src/b.md: {{#include /etc/passwd}}: `/etc/passwd` is not a path relative to this file",
        ] {
            assert!(found.iter().any(|found| found == expected), "{expected}: {found:#?}");
        }
    }

    #[test]
    fn notes_and_tabs_of_preprocessors() {
        let fence = "```";
        let (text, found) = expanded(&format!(
            "//- src/a.md\n{fence}admonish warning title=\"A \\\"b\\\"\"\nText\n\n{{{{#include b.md}}}}\n{fence}\n\n~~~md\n{fence}admonish\n{fence}\n~~~\n{{{{#tabs}}}}\n{{{{#tab name=\"X\" }}}}\none\n{{{{#endtab}}}}\n{{{{#endtabs}}}}\nend\n//- src/b.md\nb1\nb2\n"
        ));
        let expected =
            "!!! warning \"A 'b'\"\n    Text\n\n    b1\n    b2\n\n\n~~~md\n```admonish\n```\n~~~\n\n=== \"X\"\n\n\n    one\n\n\nend\n";
        assert_eq!((text.as_str(), found), (expected, Vec::new()));
        for (options, marker) in [
            ("", "!!! note"),
            (" tip", "!!! tip"),
            (" tip \"T\"", "!!! tip \"T\""),
            (" title=\"\", collapsible=true", "??? note \"\""),
            (".my-class", "!!! note"),
        ] {
            assert_eq!(note_marker(options), marker, "{options}");
        }
    }
}
