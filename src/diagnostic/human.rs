//! The report for terminals, in the style of rustc.

use std::collections::BTreeMap;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Place, Rule, Severity, SourceText, count, line_indexes::LineIndexes};
use crate::text::{printable, printable_lines};

/// The report of all findings, and at the end their numbers. `colour` adds terminal escape codes; other control characters don't reach the terminal.
#[must_use]
pub fn human(diagnostics: &[Diagnostic], texts: &impl SourceText, colour: bool) -> String {
    let printer = HumanPrinter::new(diagnostics, texts, colour);
    let mut report = String::new();
    // Unfinished places are listed without excerpts, which would repeat most of a new file.
    let alike = |a: &Diagnostic, b: &Diagnostic| a.rule == Rule::Unfinished && a.rule == b.rule && file(a) == file(b);
    for run in diagnostics.chunk_by(alike) {
        match run {
            [_, _, ..] => report.push_str(&printer.list(run)),
            run => run.iter().for_each(|it| report.push_str(&printer.finding(it))),
        }
        report.push_str("\n\n");
    }
    report.push_str(&closing_lines(diagnostics));
    report
}

/// One finding with its excerpt, without a line break at the end.
#[must_use]
pub fn human_finding(diagnostic: &Diagnostic, texts: &impl SourceText, colour: bool) -> String {
    HumanPrinter::new(std::slice::from_ref(diagnostic), texts, colour).finding(diagnostic)
}

fn file(diagnostic: &Diagnostic) -> Option<&str> {
    diagnostic.place.as_ref().map(|place| &*place.file)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    }
}

/// The most bytes of a line that are shown on each side of the caret; a line can have a megabyte.
const EXCERPT_CONTEXT: usize = 1000;

struct HumanPrinter<'a> {
    indexes: LineIndexes<'a>,
    renderer: Renderer,
}

impl<'a> HumanPrinter<'a> {
    fn new(diagnostics: &'a [Diagnostic], texts: &'a impl SourceText, colour: bool) -> Self {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        Self { indexes: LineIndexes::of(diagnostics, texts), renderer }
    }

    /// The report of unfinished places in one file, as a list.
    fn list(&self, run: &[Diagnostic]) -> String {
        let Some((first, name)) = run.first().and_then(|first| Some((first, file(first)?))) else { return String::new() };
        let index = self.indexes.get(name);
        let line = |it: &Diagnostic| {
            let what = it.message.strip_prefix("to be written: ").unwrap_or(&it.message);
            let at = it.place.as_ref().zip(index).map(|(place, index)| index.line_column(place.span.start));
            let at = at.filter(|_| it.count == 1).map(|at| format!("{}:{}", at.line, at.column)).unwrap_or_default();
            format!("{at:>7}  {}", printable(what))
        };
        let lines: Vec<String> = run.iter().map(line).collect();
        let title = format!("{} places aren't written yet", run.iter().map(|it| it.count).sum::<usize>());
        let title = level(first.severity).primary_title(title).id(first.rule.name());
        let head = self.renderer.render(&[title.element(Origin::path(printable(name)))]);
        let help = first.help.iter().map(|help| format!("\n  = help: {}", printable(help)));
        format!("{head}\n{}{}", lines.join("\n"), help.collect::<String>())
    }

    fn finding(&self, diagnostic: &Diagnostic) -> String {
        self.renderer.render(&[self.group(diagnostic)])
    }

    fn group<'b>(&self, diagnostic: &'b Diagnostic) -> Group<'b> {
        let title = level(diagnostic.severity).primary_title(printable(&diagnostic.message)).id(diagnostic.rule.name());
        let mut group = Group::with_title(title);
        if let Some(place) = &diagnostic.place {
            // A finding that represents many others is at none of their places.
            let excerpt = if diagnostic.count > 1 { Vec::new() } else { self.excerpt(place, None, AnnotationKind::Primary) };
            group = if excerpt.is_empty() { group.element(Origin::path(printable(&place.file))) } else { group.elements(excerpt) };
        }
        for (place, label) in &diagnostic.related {
            group = group.elements(self.excerpt(place, Some(label), AnnotationKind::Context));
        }
        match &diagnostic.help {
            Some(help) => group.element(Level::HELP.message(printable_lines(help))),
            None => group,
        }
    }

    /// The line of a place; empty if its file has no text.
    fn excerpt<'b>(&self, place: &'b Place, label: Option<&'b String>, kind: AnnotationKind) -> Vec<Element<'b>> {
        let Some(index) = self.indexes.get(&place.file) else { return Vec::new() };
        let text = index.text();
        let start = text.floor_char_boundary(place.span.start);
        let line = index.line_range(start);
        // Underline the first line only.
        let end = text
            .floor_char_boundary(place.span.end.clamp(start, line.end.max(start)))
            .min(text.floor_char_boundary(start + EXCERPT_CONTEXT));
        let shown_start = text.floor_char_boundary(line.start.max(start.saturating_sub(EXCERPT_CONTEXT)));
        let shown_end = line.end.max(end).min(text.floor_char_boundary(end + EXCERPT_CONTEXT));
        let [before, marked, after] = [shown_start..start, start..end, end..shown_end].map(|range| printable_lines(&text[range]));
        let annotation = kind.span(before.len()..before.len() + marked.len()).label(label.map(|label| printable(label)));
        let at = index.line_column(start);
        let snippet = Snippet::source(format!("{before}{marked}{after}")).line_start(at.line).fold(false).annotation(annotation);
        let path = printable(&place.file);
        if shown_start == line.start {
            return vec![snippet.path(path).into()];
        }
        // The renderer counts columns from the beginning of the snippet, here in the middle of a very long line.
        vec![Origin::path(path).line(at.line).char_column(at.column).into(), snippet.into()]
    }
}

/// The number of errors and of warnings, then the number of findings of each rule, the most frequent first, if there are several rules.
fn closing_lines(diagnostics: &[Diagnostic]) -> String {
    let plural = |number: usize, word: &str| match number {
        1 => format!("1 {word}"),
        number => format!("{number} {word}s"),
    };
    let total = match count(diagnostics) {
        (0, 0) => "no problems found\n".to_owned(),
        (errors, 0) => format!("{}\n", plural(errors, "error")),
        (0, warnings) => format!("{}\n", plural(warnings, "warning")),
        (errors, warnings) => format!("{}, {}\n", plural(errors, "error"), plural(warnings, "warning")),
    };
    let mut rules: BTreeMap<Rule, usize> = BTreeMap::new();
    for diagnostic in diagnostics {
        *rules.entry(diagnostic.rule).or_default() += diagnostic.count;
    }
    if rules.len() < 2 {
        return total;
    }
    let mut rules: Vec<(Rule, usize)> = rules.into_iter().collect();
    rules.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let width = rules.first().map_or(1, |(_, count)| count.to_string().len());
    let lines = rules.into_iter().map(|(rule, count)| format!("  {count:>width$}  {}\n", rule.name()));
    lines.fold(total, |all, line| all + &line)
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
            Diagnostic::new(Rule::Unfinished, place, format!("to be written: {what}")).help("write it")
        };
        let report = human(&[found("a.yaml", 4, "one"), found("a.yaml", 18, "two"), found("b.yaml", 2, "three")], &sources, false);
        let expected = "warning[unfinished]: 2 places aren't written yet\n--> a.yaml\n    1:5  one\n    2:5  two\n  = help: write it\n\n\
                        warning[unfinished]: to be written: three\n --> b.yaml:1:3\n  |\n1 | # TODO: three\n  |   ^^^^^\n  |\n  = help: write it\n\n3 warnings\n";
        assert_eq!(report, expected);
    }

    #[test]
    fn only_colours_control_the_terminal() {
        let line = "\u{1b}[2J\u{9b}2J\u{202e}\u{200b}あ x\ty\n";
        let sources = Sources::from_texts([("a\u{1b}c.md", line)]);
        let start = line.find('x').unwrap_or_default();
        let place = Place::new("a\u{1b}c.md", Span::new(start, start + 1));
        let found = Diagnostic::new(Rule::DeadLink, place.clone(), "m\u{9b}\u{7}").help("h\u{1b}\n\u{202e}").related(place, "l\r");
        for colour in [false, true] {
            let report = human(std::slice::from_ref(&found), &sources, colour);
            // Without its first character, an escape code is text.
            let parts: Vec<&str> = report.split("\u{1b}[").collect();
            assert_eq!(parts.len() > 1, colour);
            assert!(
                parts[1..].iter().all(|part| part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m')),
                "{report:?}"
            );
            let is_control = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{200b}');
            assert!(!parts.concat().contains(is_control), "{report:?}");
        }
        let report = human(&[found], &sources, false);
        assert!(report.contains(" --> a␛c.md:1:12\n") && report.contains("1 | ␛[2J�2J��あ x    y\n"), "{report}");
    }
}
