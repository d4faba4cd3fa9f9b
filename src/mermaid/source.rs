//! The source of a diagram: its kind, without configuration and comments.

use std::ops::Range;

use super::drawing::DrawError;

/// The kinds of diagrams that are built in, by their first word.
const KINDS: [&str; 3] = ["flowchart", "sequenceDiagram", "stateDiagram-v2"];

/// The limit for the length of a source, in bytes.
const LARGEST: usize = 16 * 1024;

/// The kind of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiagramKind {
    Flowchart,
    Sequence,
    State,
}

/// A source, and what was removed from it.
#[derive(Clone, Debug)]
pub(super) struct DiagramSource {
    pub(super) kind: DiagramKind,
    /// The source with spaces in place of configuration, control characters and lines of comments, so that offsets are unchanged.
    pub(super) text: String,
    /// The title in the front matter.
    pub(super) title: Option<String>,
    /// The line with the kind.
    pub(super) first_line: Range<usize>,
    /// The end of the word that names the kind.
    pub(super) start: usize,
}

impl DiagramSource {
    pub(super) fn parse(source: &str) -> Result<Self, DrawError> {
        let source_start = 0..source.lines().next().map_or(0, str::len);
        if source.len() > LARGEST {
            let message = format!("the diagram has {} bytes; the limit is {LARGEST}", source.len());
            return Err(DrawError::new(source_start, message, "divide it into several diagrams"));
        }
        let mut text = source.to_owned();
        let controls = source.char_indices().filter(|(_, c)| c.is_control() && *c != '\n');
        for (at, control) in controls {
            blank(&mut text, at..at + control.len_utf8());
        }
        let title = take_front_matter(&mut text);
        take_directives(&mut text);
        take_comments(&mut text);
        let first_line = lines(&text).find(|(_, line)| !line.trim().is_empty()).map(|(at, line)| trimmed(at, line));
        let Some(first_line) = first_line else {
            return Err(DrawError::new(source_start, "the diagram is empty", help_for_kinds()));
        };
        let (kind, word) = kind(&text, &first_line)?;
        if let Some(span) = formula(&text) {
            let help = "write it as plain text, or next to the diagram";
            return Err(DrawError::new(span, "formulas in diagrams cannot be drawn", help));
        }
        Ok(Self { kind, text, title, start: first_line.start + word, first_line })
    }
}

fn help_for_kinds() -> String {
    format!("begin it with {}", KINDS.map(|kind| format!("`{kind}`")).join(", "))
}

/// The kind of a diagram, and the length of its name.
fn kind(text: &str, first_line: &Range<usize>) -> Result<(DiagramKind, usize), DrawError> {
    let line = &text[first_line.clone()];
    let word = line.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default();
    match word {
        "flowchart" | "graph" | "flowchart-elk" => Ok((DiagramKind::Flowchart, word.len())),
        "sequenceDiagram" => Ok((DiagramKind::Sequence, word.len())),
        "stateDiagram" | "stateDiagram-v2" => Ok((DiagramKind::State, word.len())),
        _ => {
            let shown: String = word.chars().take(40).collect();
            let message = format!("diagrams of the kind `{shown}` are not built in");
            let span = first_line.start..first_line.start + word.len();
            Err(DrawError { unsupported: true, ..DrawError::new(span, message, help_for_kinds()) })
        }
    }
}

/// Lines with their offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches('\n'))
    })
}

/// The range of a line that begins at `at`, without surrounding blanks.
fn trimmed(at: usize, line: &str) -> Range<usize> {
    let start = at + line.len() - line.trim_start().len();
    start..(at + line.trim_end().len()).max(start)
}

/// Replaces a range by spaces, except for line breaks.
fn blank(text: &mut String, range: Range<usize>) {
    let blanks: String = text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(range, &blanks);
}

/// Removes the front matter, which configures Mermaid, and returns its title.
fn take_front_matter(text: &mut String) -> Option<String> {
    let mut all = lines(text).skip_while(|(_, line)| line.trim().is_empty());
    let (start, _) = all.next().filter(|(_, line)| line.trim() == "---")?;
    let (mut title, mut end) = (None, None);
    for (at, line) in all {
        if line.trim() == "---" {
            end = Some(at + line.len());
            break;
        }
        if let Some(value) = line.strip_prefix("title:") {
            let value = value.trim().trim_matches(['"', '\'']);
            title = (!value.is_empty()).then(|| value.to_owned());
        }
    }
    blank(text, start..end?);
    title
}

/// A formula: `$$x^2$$`.
fn formula(text: &str) -> Option<Range<usize>> {
    lines(text).find_map(|(at, line)| {
        let start = line.find("$$")?;
        let length = line[start + 2..].find("$$").filter(|length| *length > 0)?;
        Some(at + start..at + start + length + 4)
    })
}

/// Removes `%%{init: …}%%`.
fn take_directives(text: &mut String) {
    let mut from = 0;
    while let Some(at) = text[from..].find("%%{").map(|at| from + at) {
        let end = text[at..].find("}%%").map(|end| at + end + 3);
        let end = end.unwrap_or_else(|| text[at..].find('\n').map_or(text.len(), |end| at + end));
        blank(text, at..end);
        from = end;
    }
}

/// Removes lines that begin with `%%`.
fn take_comments(text: &mut String) {
    let comments = lines(text).filter(|(_, line)| line.trim_start().starts_with("%%")).map(|(at, line)| at..at + line.len());
    for comment in comments.collect::<Vec<Range<usize>>>() {
        blank(text, comment);
    }
}
