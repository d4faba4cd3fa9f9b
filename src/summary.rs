//! `SUMMARY.md`: the chapters of a book, in their order, as in mdBook.
//!
//! The format is described at <https://rust-lang.github.io/mdBook/format/summary.html>: links before and after a list are prefix and suffix chapters, items of
//! lists are numbered chapters, headings are titles of parts, and rules are separators. A link without a target is a draft.

use std::{collections::BTreeMap, sync::Arc};

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};

use crate::{
    text::Span,
    url::{decode, scheme},
};

/// The name of the file, at the top of the content folder.
pub const FILE: &str = "SUMMARY.md";

/// A summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The entries in the order of the book. An entry is below the last one before it with a smaller depth.
    pub entries: Vec<Entry>,
    /// The entry of each file, relative to the content folder.
    files: BTreeMap<Arc<str>, usize>,
    /// Entries that cannot be used.
    pub problems: Vec<SummaryProblem>,
}

/// An entry of a summary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The number of entries above it: 0 for parts, separators, and chapters outside of nested lists.
    pub depth: usize,
    /// Its bytes in the file.
    pub span: Span,
    /// What it is.
    pub kind: EntryKind,
}

/// What an entry of a summary is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A chapter.
    Chapter {
        /// The text of the link.
        title: Arc<str>,
        /// The file relative to the content folder; `None` for a draft.
        file: Option<Arc<str>>,
        /// The number, such as `1.2.`; `None` for prefix and suffix chapters.
        number: Option<String>,
    },
    /// The title of the chapters after it.
    Part(Arc<str>),
    /// A line between chapters.
    Separator,
}

/// An entry that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryProblem {
    /// Its bytes.
    pub span: Span,
    /// The reason.
    pub message: String,
    /// What to write instead.
    pub help: &'static str,
}

impl Summary {
    /// Parses a summary. Entries that cannot be used are left out and reported.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut reader = SummaryReader {
            text,
            summary: Self::default(),
            numbers: Vec::new(),
            item: ItemState::Outside,
            has_numbered: false,
            has_suffix: false,
        };
        let mut events = Parser::new(text).into_offset_iter();
        let mut is_first = true;
        while let Some((event, range)) = events.next() {
            let span = Span::new(range.start, range.start + text[range].trim_end().len());
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => {
                    let title = plain_text(&mut events, TagEnd::Heading(HeadingLevel::H1));
                    // The first heading is the title of the summary itself.
                    if !std::mem::take(&mut is_first) {
                        reader.push(0, span, EntryKind::Part(title.into()));
                    }
                }
                Event::Rule => reader.push(0, span, EntryKind::Separator),
                Event::Start(Tag::List(_)) => reader.list(span),
                Event::End(TagEnd::List(_)) => reader.end_list(),
                Event::Start(Tag::Item) => reader.item = ItemState::Expected(span),
                Event::End(TagEnd::Item) => reader.end_item(),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let title = plain_text(&mut events, TagEnd::Link);
                    reader.link(title, &dest_url, span);
                }
                Event::Html(_) | Event::InlineHtml(_) | Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => continue,
                _ => {}
            }
            is_first = false;
        }
        reader.summary
    }

    /// The title and the number of the chapter of a file.
    #[must_use]
    pub fn chapter(&self, wanted: &str) -> Option<(&str, Option<&str>)> {
        match &self.entries.get(*self.files.get(wanted)?)?.kind {
            EntryKind::Chapter { title, number, .. } => Some((title, number.as_deref())),
            EntryKind::Part(_) | EntryKind::Separator => None,
        }
    }

    /// The files of all chapters, relative to the content folder.
    pub fn files(&self) -> impl Iterator<Item = &Arc<str>> {
        self.files.keys()
    }

    /// Whether a file is a chapter.
    #[must_use]
    pub fn contains(&self, file: &str) -> bool {
        self.files.contains_key(file)
    }
}

/// Whether the link of an item was read.
enum ItemState {
    Outside,
    /// The item and its bytes.
    Expected(Span),
    Read,
}

struct SummaryReader<'a> {
    text: &'a str,
    summary: Summary,
    /// The number of chapters so far in each open list; the numbers of the outermost list continue through the book.
    numbers: Vec<u32>,
    item: ItemState,
    has_numbered: bool,
    has_suffix: bool,
}

impl SummaryReader<'_> {
    fn push(&mut self, depth: usize, span: Span, kind: EntryKind) {
        self.summary.entries.push(Entry { depth, span, kind });
    }

    fn problem(&mut self, span: Span, message: String, help: &'static str) {
        // The first line is enough to find the place.
        let length = self.text[span.range()].lines().next().map_or(0, str::len);
        self.summary.problems.push(SummaryProblem { span: Span::new(span.start, span.start + length), message, help });
    }

    fn list(&mut self, span: Span) {
        self.end_item();
        if self.numbers.is_empty() && self.has_suffix {
            self.problem(span, "a list follows chapters outside of a list".to_owned(), "put the chapters outside of lists at the end");
        }
        match self.numbers.as_slice() {
            [] => {
                let numbered = self.summary.entries.iter().filter(|entry| entry.depth == 0);
                let last = numbered.filter(|entry| matches!(&entry.kind, EntryKind::Chapter { number: Some(_), .. })).count();
                self.numbers.push(u32::try_from(last).unwrap_or(u32::MAX));
            }
            _ => self.numbers.push(0),
        }
    }

    fn end_list(&mut self) {
        self.numbers.pop();
    }

    /// At the end of an item, or before a list in it.
    fn end_item(&mut self) {
        if let ItemState::Expected(span) = std::mem::replace(&mut self.item, ItemState::Outside) {
            self.problem(span, "this item has no link".to_owned(), "write `- [Title](file.md)`, or `- [Title]()` for a draft");
        }
    }

    fn link(&mut self, title: String, target: &str, span: Span) {
        let in_list = !self.numbers.is_empty();
        if in_list && !matches!(self.item, ItemState::Expected(_)) {
            return;
        }
        let file = match file(target) {
            Ok(file) => file,
            Err(help) => {
                self.item = ItemState::Read;
                self.problem(span, format!("`{target}` is not a page of this book"), help);
                return;
            }
        };
        self.item = ItemState::Read;
        self.has_numbered |= in_list;
        self.has_suffix |= !in_list && self.has_numbered;
        let number = in_list.then(|| {
            if let Some(last) = self.numbers.last_mut() {
                *last = last.saturating_add(1);
            }
            let numbers: Vec<String> = self.numbers.iter().map(|number| format!("{number}.")).collect();
            numbers.concat()
        });
        if let Some(file) = &file {
            if self.summary.contains(file) {
                let message = format!("`{file}` is in the summary twice");
                self.problem(span, message, "remove one of the two entries; link to a section of the page in the text instead");
                return;
            }
            self.summary.files.insert(file.clone(), self.summary.entries.len());
        }
        let depth = self.numbers.len().saturating_sub(1);
        self.push(depth, span, EntryKind::Chapter { title: title.into(), file, number });
    }
}

/// The file that a link names, relative to the content folder; `None` for a draft. `Err` is what to write instead.
fn file(target: &str) -> Result<Option<Arc<str>>, &'static str> {
    if target.is_empty() {
        return Ok(None);
    }
    let path = decode(target);
    let is_file = path.rsplit_once('.').is_some_and(|(_, extension)| extension == "md");
    if scheme(&path).is_some() || path.starts_with('/') || path.contains('\\') || !is_file {
        return Err("link to a file of this folder that ends in `.md`");
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop().ok_or("link to a file inside the folder of the summary")?),
            part => parts.push(part),
        }
    }
    Ok(Some(parts.join("/").into()))
}

/// The text until the end of an element, without markup.
fn plain_text<'a>(events: &mut impl Iterator<Item = (Event<'a>, std::ops::Range<usize>)>, end: TagEnd) -> String {
    let mut text = String::new();
    for (event, _) in events {
        match event {
            Event::End(found) if found == end => break,
            Event::Text(piece) | Event::Code(piece) => text.push_str(&piece),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The entries, one per line, indented by depth.
    fn shown(summary: &Summary) -> Vec<String> {
        let entry = |entry: &Entry| {
            let text = match &entry.kind {
                EntryKind::Chapter { title, file, number } => {
                    format!("{}{title} -> {}", number.as_deref().unwrap_or_default(), file.as_deref().unwrap_or("draft"))
                }
                EntryKind::Part(title) => format!("# {title}"),
                EntryKind::Separator => "---".to_owned(),
            };
            format!("{}{text}", "  ".repeat(entry.depth))
        };
        summary.entries.iter().map(entry).collect()
    }

    #[test]
    fn parts_prefixes_suffixes_drafts_and_numbers() {
        let text = "<!-- x -->\n# Summary\n\n[Intro](README.md)\n[Second *one*](./a%20b.md)\n\n# Part\n\n- [A](a.md)\n    - [A one](a/1.md)\n    - [A two]()\n        - [Deep](a/../a/2.md)\n\n---\n\n* [B `x`](b.md)\n\n# Other\n\n1. [C](c.md)\n\n[End](end.md)\n";
        let summary = Summary::parse(text);
        assert_eq!(
            shown(&summary),
            [
                "Intro -> README.md",
                "Second one -> a b.md",
                "# Part",
                "1.A -> a.md",
                "  1.1.A one -> a/1.md",
                "  1.2.A two -> draft",
                "    1.2.1.Deep -> a/2.md",
                "---",
                "2.B x -> b.md",
                "# Other",
                "3.C -> c.md",
                "End -> end.md",
            ]
        );
        assert_eq!(summary.problems, []);
        assert_eq!(summary.chapter("a.md"), Some(("A", Some("1."))));
    }

    #[test]
    fn problems_have_places() {
        for (text, message, place) in [
            ("- [A](a.md)\n- [B](a.md)\n", "`a.md` is in the summary twice", "[B](a.md)"),
            ("- A\n- [B](b.md)\n", "this item has no link", "- A"),
            ("- [A](https://example.org/a.md)\n", "`https://example.org/a.md` is not a page of this book", "[A](https://example.org/a.md)"),
            ("- [A](../a.md)\n", "`../a.md` is not a page of this book", "[A](../a.md)"),
            ("- [A](a.txt)\n", "`a.txt` is not a page of this book", "[A](a.txt)"),
            ("- [A](a.md)\n\n[B](b.md)\n\n- [C](c.md)\n", "a list follows chapters outside of a list", "- [C](c.md)"),
        ] {
            let summary = Summary::parse(text);
            let found: Vec<_> = summary.problems.iter().map(|found| (found.message.as_str(), &text[found.span.range()])).collect();
            assert_eq!(found, [(message, place)]);
        }
    }
}
