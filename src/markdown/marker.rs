//! The first lines of notes, folded blocks and tabs.

use std::ops::Range;

use crate::text::did_you_mean;

/// A block whose body is Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ContainerKind {
    /// An aside of a kind such as `warning`.
    Note { kind: String },
    /// A block that the reader can fold.
    Details { kind: String, open: bool },
    /// One of several alternatives, chosen by its label.
    Tab { label: String },
}

/// The kinds of notes.
const KINDS: [&str; 8] = ["note", "tip", "important", "warning", "caution", "info", "quote", "example"];

/// The first line of a container.
pub(super) struct Marker {
    pub(super) kind: ContainerKind,
    pub(super) title: Title,
    /// Set if the kind of note does not exist: the line may be ordinary text.
    pub(super) problem: Option<MarkerProblem>,
}

/// A problem of a marker.
pub(super) struct MarkerProblem {
    /// The bytes of the line.
    pub(super) range: Range<usize>,
    pub(super) message: String,
    pub(super) help: String,
}

/// The title of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Title {
    /// These bytes of the line.
    Own(Range<usize>),
    /// The interface string for the kind.
    Default,
    /// An empty title: none is shown.
    None,
}

/// Whether a text may contain a marker or the definition of an abbreviation; a cheap test before parsing.
pub(super) fn may_occur(text: &str) -> bool {
    ["!!! ", "??? ", "???+ ", "=== \"", "[!", "*["].iter().any(|marker| text.contains(marker))
}

/// Reads `!!! kind "Title"`, `??? kind "Title"`, `???+ kind`, `=== "Label"`.
pub(super) fn parse(line: &str) -> Option<Marker> {
    if let Some(rest) = line.strip_prefix("=== \"") {
        let label = rest.trim_end().strip_suffix('"').filter(|label| !label.trim().is_empty())?;
        let title = Title::Own(5..5 + label.len());
        return Some(Marker { kind: ContainerKind::Tab { label: label.trim().to_owned() }, title, problem: None });
    }
    let (opening, folds, open) = [("!!! ", false, false), ("??? ", true, false), ("???+ ", true, true)]
        .into_iter()
        .find(|(opening, ..)| line.starts_with(opening))?;
    let rest = &line[opening.len()..];
    let blanks = rest.len() - rest.trim_start().len();
    let at = opening.len() + blanks;
    let word = line[at..].split([' ', '"']).next().unwrap_or_default();
    if !word.starts_with(|c: char| c.is_ascii_alphabetic())
        || !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
    {
        return None;
    }
    let (kind, problem) = resolve(word, at);
    let title = title(line, at + word.len());
    let kind = if folds { ContainerKind::Details { kind, open } } else { ContainerKind::Note { kind } };
    Some(Marker { title: if folds && title == Title::None { Title::Default } else { title }, kind, problem })
}

/// Reads `[!NOTE]`, `[!WARNING] Own title`, and Obsidian's `[!tip]-`, which folds.
pub(super) fn alert(line: &str) -> Option<Marker> {
    let (word, _) = line.strip_prefix("[!")?.split_once(']')?;
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let (kind, problem) = resolve(word, 2);
    let mut at = word.len() + 3;
    let folds = line[at..].starts_with(['-', '+']);
    let kind = if folds { ContainerKind::Details { kind, open: line[at..].starts_with('+') } } else { ContainerKind::Note { kind } };
    at += usize::from(folds);
    let title = line[at..].trim();
    let start = at + line[at..].len() - line[at..].trim_start().len();
    let title = if title.is_empty() { Title::Default } else { Title::Own(start..start + title.len()) };
    Some(Marker { kind, title, problem })
}

/// The title after the kind, in quotes or without.
fn title(line: &str, from: usize) -> Title {
    let rest = &line[from..];
    if let Some(first) = rest.find('"')
        && let Some(last) = rest.rfind('"').filter(|last| *last > first)
    {
        let inside = &rest[first + 1..last];
        return if inside.trim().is_empty() { Title::None } else { Title::Own(from + first + 1..from + last) };
    }
    let title = rest.trim();
    let start = from + rest.len() - rest.trim_start().len();
    if title.is_empty() { Title::Default } else { Title::Own(start..start + title.len()) }
}

/// The kind of note for a word at an offset of the line; `note` and a problem for an unknown one.
fn resolve(word: &str, at: usize) -> (String, Option<MarkerProblem>) {
    let lower = word.to_ascii_lowercase();
    // The other names are used by other tools.
    let kind = match lower.as_str() {
        "details" => "note",
        "check" | "done" | "hint" | "success" => "tip",
        "attention" | "warn" => "warning",
        "bug" | "danger" | "error" | "fail" | "failure" | "missing" => "caution",
        "abstract" | "faq" | "help" | "question" | "seealso" | "summary" | "tldr" | "todo" => "info",
        "cite" => "quote",
        "snippet" => "example",
        kind if KINDS.contains(&kind) => kind,
        unknown => {
            let help = match did_you_mean(unknown, KINDS) {
                Some(kind) => format!("did you mean `{kind}`?"),
                None => format!("use one of {}", KINDS.join(", ")),
            };
            let message = format!("`{word}` is not a kind of note");
            return ("note".to_owned(), Some(MarkerProblem { range: at..at + word.len(), message, help }));
        }
    };
    (kind.to_owned(), None)
}

/// The kind of note that some classes of an HTML element name: the most specific one, `warning` for `note warning`.
pub(super) fn kind_of_classes(classes: &str) -> Option<&'static str> {
    let named = |class: &str| KINDS.into_iter().find(|kind| class.eq_ignore_ascii_case(kind));
    let kinds = || classes.split_whitespace().filter_map(named);
    kinds().find(|kind| *kind != "note").or_else(|| kinds().next())
}

/// A kind such as `warning` as a title, if there is no interface string for it.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
