//! What of a source merman may see: neither configuration nor links, which are ours to judge.

use std::ops::Range;

use super::{KINDS, Link, Problem};

/// No diagram that people read is larger.
const LARGEST: usize = 16 * 1024;

/// How many boxes a line may join with `&`. Entities such as `&amp;` count, too.
const MOST_JOINED: usize = 60;

/// Which language a diagram is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Flowchart,
    Sequence,
    State,
}

/// A source, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) kind: Kind,
    /// The source with blanks for what merman may not see, so that all positions stay.
    pub(super) text: String,
    /// The title in the front matter.
    pub(super) title: Option<String>,
    /// Nodes that lead somewhere, by the name of the node.
    pub(super) links: Vec<(String, Link)>,
    /// The line that says what kind it is.
    pub(super) first_line: Range<usize>,
}

impl Parts {
    pub(super) fn of(source: &str) -> Result<Self, Problem> {
        if source.len() > LARGEST {
            let message = format!("a diagram of {} bytes is more than anybody can read, and {LARGEST} is the limit", source.len());
            return Err(Problem {
                span: 0..source.lines().next().map_or(0, str::len),
                message,
                help: "divide it into several diagrams".to_owned(),
                unsupported: false,
            });
        }
        let mut text = source.to_owned();
        let controls = source.char_indices().filter(|(_, c)| c.is_control() && *c != '\n');
        for (at, control) in controls {
            blank(&mut text, at..at + control.len_utf8());
        }
        let title = take_front_matter(&mut text);
        take_directives(&mut text);
        let first_line = lines(&text)
            .find(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with("%%"))
            .map(|(at, line)| trimmed(at, line));
        let Some(first_line) = first_line else {
            let message = "the diagram is empty".to_owned();
            return Err(Problem {
                span: 0..source.lines().next().map_or(0, str::len),
                message,
                help: help_for_kinds(),
                unsupported: false,
            });
        };
        let kind = kind(&text, &first_line)?;
        // `A & B --> C & D` is four arrows: a line of a few hundred boxes is as many as would take minutes to count.
        let crowded = lines(&text).find(|(_, line)| kind == Kind::Flowchart && line.matches('&').count() > MOST_JOINED);
        if let Some((at, line)) = crowded {
            let message = format!("this diagram is too large to be drawn: more than {MOST_JOINED} `&` in a line");
            return Err(Problem { span: trimmed(at, line), message, help: "write an arrow for each".to_owned(), unsupported: false });
        }
        let links = if kind == Kind::Sequence { Vec::new() } else { take_links(&mut text) };
        if kind == Kind::Sequence {
            take_shapes(&mut text);
        }
        Ok(Self { kind, text, title, links, first_line })
    }
}

fn help_for_kinds() -> String {
    format!("begin it with {}", KINDS.map(|kind| format!("`{kind}`")).join(", "))
}

fn kind(text: &str, first_line: &Range<usize>) -> Result<Kind, Problem> {
    let line = &text[first_line.clone()];
    let word = line.split(|c: char| c.is_whitespace() || c == ';').next().unwrap_or_default();
    let kind = match word {
        "flowchart" | "graph" => Kind::Flowchart,
        "sequenceDiagram" => Kind::Sequence,
        "stateDiagram" | "stateDiagram-v2" => Kind::State,
        _ => {
            let shown: String = word.chars().take(40).collect();
            let message = format!("diagrams of the kind `{shown}` are not built in");
            return Err(Problem {
                span: first_line.start..first_line.start + word.len(),
                message,
                help: help_for_kinds(),
                unsupported: true,
            });
        }
    };
    Ok(kind)
}

/// Lines with their offsets.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end_matches('\n'))
    })
}

/// Where a line's text stands without the blanks around it.
pub(super) fn trimmed(at: usize, line: &str) -> Range<usize> {
    let start = at + line.len() - line.trim_start().len();
    start..(at + line.trim_end().len()).max(start)
}

/// Puts blanks over a range, line breaks excepted.
fn blank(text: &mut String, range: Range<usize>) {
    let blanks: String = text[range.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(range, &blanks);
}

/// Takes away the front matter: it configures Mermaid. Its title is kept.
fn take_front_matter(text: &mut String) -> Option<String> {
    let (range, title) = front_matter(text)?;
    blank(text, range);
    title
}

fn front_matter(text: &str) -> Option<(Range<usize>, Option<String>)> {
    let mut all = lines(text).skip_while(|(_, line)| line.trim().is_empty());
    let (start, _) = all.next().filter(|(_, line)| line.trim() == "---")?;
    let mut title = None;
    for (at, line) in all {
        if line.trim() == "---" {
            return Some((start..at + line.len(), title));
        }
        if let Some(value) = line.strip_prefix("title:") {
            let value = value.trim().trim_matches(['"', '\'']);
            title = (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}

/// Takes away `%%{init: …}%%`.
fn take_directives(text: &mut String) {
    let mut from = 0;
    while let Some(at) = text[from..].find("%%{").map(|at| from + at) {
        let end = text[at..].find("}%%").map(|end| at + end + 3);
        let end = end.unwrap_or_else(|| text[at..].find('\n').map_or(text.len(), |end| at + end));
        blank(text, at..end);
        from = end;
    }
}

/// Takes away `@{"type": "database"}` behind participants: they are all boxes here.
fn take_shapes(text: &mut String) {
    let taken: Vec<Range<usize>> = lines(text)
        .filter(|(_, line)| line.trim_start().starts_with("participant") || line.trim_start().starts_with("create"))
        .filter_map(|(at, line)| {
            let start = line.find("@{")?;
            let end = line[start..].find('}')?;
            Some(at + start..at + start + end + 1)
        })
        .collect();
    for range in taken {
        blank(text, range);
    }
}

/// Takes away lines that begin with `click`: those that lead somewhere are returned, those that call scripts are gone.
fn take_links(text: &mut String) -> Vec<(String, Link)> {
    let mut links = Vec::new();
    let mut taken = Vec::new();
    for (at, line) in lines(text) {
        let range = trimmed(at, line);
        let Some(rest) = text[range.clone()].strip_prefix("click").filter(|rest| rest.starts_with([' ', '\t'])) else { continue };
        taken.push(range.clone());
        let rest = rest.trim_start();
        let Some((name, rest)) = rest.split_once([' ', '\t']) else { continue };
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("href").map_or(rest, str::trim_start);
        let Some((address, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) else { continue };
        let start = range.end - rest.len() + 1;
        links.push((name.to_owned(), Link { address: address.to_owned(), span: start..start + address.len() }));
    }
    for range in taken {
        blank(text, range);
    }
    links
}
