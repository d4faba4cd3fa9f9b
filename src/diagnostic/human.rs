//! The report for terminals, in the style of rustc.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Place, Rule, Severity, SourceText, count};
use crate::text::line_column;

/// The report of all findings, with a closing line that counts them. `colour` adds terminal escape codes.
#[must_use]
pub fn human(diagnostics: &[Diagnostic], texts: &impl SourceText, colour: bool) -> String {
    let mut report = String::new();
    // Unfinished places are listed without excerpts, which would repeat most of a new file.
    let alike = |a: &Diagnostic, b: &Diagnostic| a.rule == Rule::Unfinished && a.rule == b.rule && file(a) == file(b);
    for run in diagnostics.chunk_by(alike) {
        match run {
            [_, _, ..] => report.push_str(&list(run, texts, colour)),
            run => run.iter().for_each(|it| report.push_str(&human_finding(it, texts, colour))),
        }
        report.push_str("\n\n");
    }
    report.push_str(&closing_line(diagnostics));
    report
}

/// One finding with its excerpt, without a line break at the end.
#[must_use]
pub fn human_finding(diagnostic: &Diagnostic, texts: &impl SourceText, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[group(diagnostic, texts)])
}

fn file(diagnostic: &Diagnostic) -> Option<&str> {
    diagnostic.place.as_ref().map(|place| &*place.file)
}

/// The report of unfinished places in one file, as a list.
fn list(run: &[Diagnostic], texts: &impl SourceText, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let Some((first, name)) = run.first().and_then(|first| Some((first, file(first)?))) else { return String::new() };
    let line = |it: &Diagnostic| {
        let start = it.place.as_ref().map_or(0, |place| place.span.start);
        let at = line_column(texts.text(name).unwrap_or_default(), start);
        let at = format!("{}:{}", at.line, at.column);
        format!("{at:>7}  {}", it.message.strip_prefix("still to be written: ").unwrap_or(&it.message))
    };
    let lines: Vec<String> = run.iter().map(line).collect();
    let title = format!("{} places are still to be written", run.len());
    let title = level(first.severity()).primary_title(title).id(first.rule.name());
    let head = renderer.render(&[title.element(Origin::path(name))]);
    let help = first.help.iter().map(|help| format!("\n  = help: {help}"));
    format!("{head}\n{}{}", lines.join("\n"), help.collect::<String>())
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

fn group<'a>(diagnostic: &'a Diagnostic, texts: &'a impl SourceText) -> Group<'a> {
    let title = level(diagnostic.severity()).primary_title(diagnostic.message.as_str()).id(diagnostic.rule.name());
    let mut group = Group::with_title(title);
    if let Some(place) = &diagnostic.place {
        let excerpt = excerpt(place, None, AnnotationKind::Primary, texts);
        group = if excerpt.is_empty() { group.element(Origin::path(&*place.file)) } else { group.elements(excerpt) };
    }
    for (place, label) in &diagnostic.related {
        group = group.elements(excerpt(place, Some(label), AnnotationKind::Context, texts));
    }
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(help.as_str())),
        None => group,
    }
}

/// The most bytes of a line that are shown on each side of the caret; a line can have a megabyte.
const EXCERPT_CONTEXT: usize = 1000;

/// The line of a place; empty if its file has no text.
fn excerpt<'a>(place: &'a Place, label: Option<&'a str>, kind: AnnotationKind, texts: &'a impl SourceText) -> Vec<Element<'a>> {
    let Some(text) = texts.text(&place.file) else { return Vec::new() };
    let start = text.floor_char_boundary(place.span.start);
    let mut end = text.floor_char_boundary(place.span.end.max(start));
    // Underline the first line only.
    if let Some(newline) = text[start..end].find('\n') {
        end = start + newline;
    }
    end = end.min(text.floor_char_boundary(start + EXCERPT_CONTEXT));
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |newline| end + newline);
    let shown_start = if start - line_start > EXCERPT_CONTEXT { text.floor_char_boundary(start - EXCERPT_CONTEXT) } else { line_start };
    let shown_end = line_end.min(text.floor_char_boundary(end + EXCERPT_CONTEXT));
    let line = text[..start].bytes().filter(|byte| *byte == b'\n').count() + 1;
    let annotation = kind.span(start - shown_start..end - shown_start).label(label);
    let snippet = Snippet::source(&text[shown_start..shown_end]).line_start(line).fold(false).annotation(annotation);
    if shown_start == line_start {
        return vec![snippet.path(&*place.file).into()];
    }
    // The renderer counts columns from the beginning of the snippet, here in the middle of a very long line.
    let column = text[line_start..start].chars().count() + 1;
    vec![Origin::path(&*place.file).line(line).char_column(column).into(), snippet.into()]
}

fn closing_line(diagnostics: &[Diagnostic]) -> String {
    let plural = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    };
    match count(diagnostics) {
        (0, 0) => "no problems found\n".to_owned(),
        (errors, 0) => format!("{}\n", plural(errors, "error")),
        (0, warnings) => format!("{}\n", plural(warnings, "warning")),
        (errors, warnings) => format!("{}, {}\n", plural(errors, "error"), plural(warnings, "warning")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{read::Sources, text::Span};

    #[test]
    fn unfinished_places_are_listed_by_file() {
        let sources = Sources::from_texts([("a.yaml", "x # TODO: one\n  y # TODO: two\n"), ("b.yaml", "# TODO: three\n")]);
        let found = |file: &str, start: usize, what: &str| {
            let place = Place::new(file, Span::new(start, start + 5));
            Diagnostic::new(Rule::Unfinished, place, format!("still to be written: {what}")).help("write it")
        };
        let report = human(&[found("a.yaml", 4, "one"), found("a.yaml", 18, "two"), found("b.yaml", 2, "three")], &sources, false);
        let expected = "warning[unfinished]: 2 places are still to be written\n--> a.yaml\n    1:5  one\n    2:5  two\n  = help: write it\n\n\
                        warning[unfinished]: still to be written: three\n --> b.yaml:1:3\n  |\n1 | # TODO: three\n  |   ^^^^^\n  |\n  = help: write it\n\n3 warnings\n";
        assert_eq!(report, expected);
    }
}
