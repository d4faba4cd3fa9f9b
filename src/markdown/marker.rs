//! The first lines of notes, folded blocks and tabs.

use std::ops::Range;

use super::containers::Kind;
use crate::text::did_you_mean;

/// The kinds of notes.
const KINDS: [&str; 8] = ["note", "tip", "important", "warning", "caution", "info", "quote", "example"];

/// What other tools call them.
const ALIASES: [(&str, &str); 23] = [
    ("abstract", "info"),
    ("attention", "warning"),
    ("bug", "caution"),
    ("check", "tip"),
    ("cite", "quote"),
    ("danger", "caution"),
    ("done", "tip"),
    ("error", "caution"),
    ("fail", "caution"),
    ("failure", "caution"),
    ("faq", "info"),
    ("help", "info"),
    ("hint", "tip"),
    ("missing", "caution"),
    ("question", "info"),
    ("seealso", "info"),
    ("snippet", "example"),
    ("success", "tip"),
    ("summary", "info"),
    ("tldr", "info"),
    ("todo", "info"),
    ("details", "note"),
    ("warn", "warning"),
];

/// Where in a line something is wrong, what, and what to type instead.
pub(super) type Complaint = (Range<usize>, String, String);

/// A first line that was understood.
pub(super) struct Marker {
    pub(super) kind: Kind,
    pub(super) title: Title,
    /// Whether the kind is one of ours; otherwise the line may be ordinary text.
    pub(super) known: bool,
    pub(super) problem: Option<Complaint>,
}

/// Where the title comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Title {
    /// From these bytes of the line.
    Own(Range<usize>),
    /// From the words of the user interface.
    Default,
    /// The author wants none.
    None,
}

/// Whether a text may hold a marker or a definition of a term; a look that costs little.
pub(super) fn may_occur(text: &str) -> bool {
    ["!!! ", "??? ", "???+ ", "=== \"", "[!", "*["].iter().any(|marker| text.contains(marker))
}

/// Reads `!!! kind "Title"`, `??? kind "Title"`, `???+ kind`, `=== "Label"`.
pub(super) fn parse(line: &str) -> Option<Marker> {
    if let Some(rest) = line.strip_prefix("=== \"") {
        let label = rest.trim_end().strip_suffix('"').filter(|label| !label.trim().is_empty())?;
        let title = Title::Own(5..5 + label.len());
        return Some(Marker { kind: Kind::Tab { label: label.trim().to_owned() }, title, known: true, problem: None });
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
    let (name, known, problem) = resolve(word, at);
    let title = title(line, at + word.len());
    let kind = if folds { Kind::Details { kind: name, open } } else { Kind::Note { kind: name } };
    Some(Marker { title: if folds && title == Title::None { Title::Default } else { title }, kind, known, problem })
}

/// Reads `[!NOTE]`, `[!WARNING] Own title`, and Obsidian's `[!tip]-`, which folds.
pub(super) fn alert(line: &str) -> Option<Marker> {
    let (word, _) = line.strip_prefix("[!")?.split_once(']')?;
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let (name, known, problem) = resolve(word, 2);
    let mut at = word.len() + 3;
    let folds = line[at..].starts_with(['-', '+']);
    let kind = if folds { Kind::Details { kind: name, open: line[at..].starts_with('+') } } else { Kind::Note { kind: name } };
    at += usize::from(folds);
    let title = line[at..].trim();
    let start = at + line[at..].len() - line[at..].trim_start().len();
    let title = if title.is_empty() { Title::Default } else { Title::Own(start..start + title.len()) };
    Some(Marker { kind, title, known, problem })
}

/// The title in quotes after the kind, or else the words that stand there.
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

fn resolve(word: &str, at: usize) -> (String, bool, Option<Complaint>) {
    let lower = word.to_ascii_lowercase();
    if KINDS.contains(&lower.as_str()) {
        return (lower, true, None);
    }
    if let Some((_, kind)) = ALIASES.iter().find(|(alias, _)| *alias == lower) {
        return ((*kind).to_owned(), true, None);
    }
    let help = match did_you_mean(&lower, KINDS) {
        Some(kind) => format!("did you mean `{kind}`?"),
        None => format!("use one of {}", KINDS.join(", ")),
    };
    ("note".to_owned(), false, Some((at..at + word.len(), format!("there is no kind of note called `{word}`"), help)))
}

/// `warning` as a title, where the user interface has no word for it.
pub(super) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
