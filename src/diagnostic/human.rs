//! The report for people, in the shape of rustc's.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Place, Severity, Texts, count};
use crate::text::floor_char_boundary;

/// The whole report, with a closing line that counts. Colour is escape codes of terminals.
#[must_use]
pub fn human(diagnostics: &[Diagnostic], texts: &impl Texts, colour: bool) -> String {
    let mut report = String::new();
    for diagnostic in diagnostics {
        report.push_str(&human_finding(diagnostic, texts, colour));
        report.push_str("\n\n");
    }
    report.push_str(&closing_line(diagnostics));
    report
}

/// One finding with its excerpt, without a line break at the end.
#[must_use]
pub fn human_finding(diagnostic: &Diagnostic, texts: &impl Texts, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&groups(diagnostic, texts))
}

fn groups<'a>(diagnostic: &'a Diagnostic, texts: &'a impl Texts) -> Vec<Group<'a>> {
    let level = match diagnostic.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.rule.name());
    let mut group = Group::with_title(title);
    if let Some(place) = &diagnostic.place {
        group = match excerpt(place, diagnostic.label.as_deref(), AnnotationKind::Primary, texts) {
            Some((origin, snippet)) => with_excerpt(group, origin, snippet),
            None => group.element(Origin::path(&*place.file)),
        };
    }
    for (place, words) in &diagnostic.related {
        if let Some((origin, snippet)) = excerpt(place, Some(words), AnnotationKind::Context, texts) {
            group = with_excerpt(group, origin, snippet);
        }
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    vec![group]
}

fn with_excerpt<'a>(group: Group<'a>, origin: Option<Origin<'a>>, snippet: Snippet<'a, Annotation<'a>>) -> Group<'a> {
    let group = match origin {
        Some(origin) => group.element(origin),
        None => group,
    };
    group.element(snippet)
}

/// At most this many bytes of a line are shown on each side of the caret; a line can be a megabyte.
const EXCERPT_CONTEXT: usize = 1000;

fn excerpt<'a>(place: &'a Place, label: Option<&'a str>, kind: AnnotationKind, texts: &'a impl Texts) -> Option<Excerpt<'a>> {
    let text = texts.text(&place.file)?;
    let start = floor_char_boundary(text, place.span.start);
    let mut end = floor_char_boundary(text, place.span.end.max(start));
    // A caret under many lines helps nobody: show the first.
    if let Some(newline) = text[start..end].find('\n') {
        end = start + newline;
    }
    end = end.min(floor_char_boundary(text, start + EXCERPT_CONTEXT));
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[end..].find('\n').map_or(text.len(), |newline| end + newline);
    let shown_start = if start - line_start > EXCERPT_CONTEXT { floor_char_boundary(text, start - EXCERPT_CONTEXT) } else { line_start };
    let shown_end = line_end.min(floor_char_boundary(text, end + EXCERPT_CONTEXT));
    let line = text[..start].bytes().filter(|byte| *byte == b'\n').count() + 1;
    let mut annotation = kind.span(start - shown_start..end - shown_start);
    if let Some(label) = label {
        annotation = annotation.label(label);
    }
    let snippet = Snippet::source(&text[shown_start..shown_end]).line_start(line).fold(false).annotation(annotation);
    if shown_start == line_start {
        return Some((None, snippet.path(&*place.file)));
    }
    // The renderer counts columns from the beginning of what it is shown, here the middle of a very long line.
    let column = text[line_start..start].chars().count() + 1;
    Some((Some(Origin::path(&*place.file).line(line).char_column(column)), snippet))
}

/// A snippet, and where it comes from if the snippet cannot tell.
type Excerpt<'a> = (Option<Origin<'a>>, Snippet<'a, Annotation<'a>>);

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
