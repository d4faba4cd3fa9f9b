//! Code fences: the info string after the opening fence, and the closing line.

use crate::text::did_you_mean;

/// A fence's info string.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fence {
    pub(super) language: String,
    pub(super) title: Option<String>,
    /// The id of the provider whose facts explain a listing.
    pub(super) provider: Option<String>,
    /// The number of the first line, if lines are numbered.
    pub(super) first: Option<usize>,
    /// Ranges of marked lines, inclusive, counted from 1 regardless of `first`: ascending, with gaps between them.
    pub(super) marked: Vec<(usize, usize)>,
    /// The format of the data of a table: `csv`, `tsv` or `yaml`.
    pub(super) format: Option<String>,
    /// The prefix of lines that are not shown.
    pub(super) hidden: Option<String>,
    /// Problems with the info string, each with its help.
    pub(super) problems: Vec<(String, String)>,
}

/// The kind of a fenced block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FenceKind {
    Code,
    Listing,
    Diagram,
    Facts,
    Table,
}

const KNOWN: [&str; 4] = ["title", "linenos", "hl", "start"];

impl Fence {
    /// Reads `yaml title="x" linenos hl="2,4-6" start="10"`, mdBook's `rust,ignore`, and `{2,4-6}`.
    pub(super) fn parse(info: &str) -> Self {
        let info = info.trim();
        let end = info.find(|c: char| c.is_whitespace() || c == ',' || c == '{').unwrap_or(info.len());
        let (language, rest) = info.split_at(end);
        let mut fence = Self::default();
        // The language is optional.
        if KNOWN.iter().any(|name| language == *name || language.starts_with(&format!("{name}="))) {
            fence.read_attributes(info);
        } else {
            language.clone_into(&mut fence.language);
            fence.read_attributes(rest);
        }
        fence.marked = merged(std::mem::take(&mut fence.marked));
        fence
    }

    pub(super) fn kind(&self) -> FenceKind {
        match self.language.as_str() {
            "listing" => FenceKind::Listing,
            "mermaid" => FenceKind::Diagram,
            "facts" => FenceKind::Facts,
            "table" => FenceKind::Table,
            _ => FenceKind::Code,
        }
    }

    fn read_attributes(&mut self, text: &str) {
        let separates = |c: char| c.is_whitespace() || c == ',';
        let mut rest = text.trim_start_matches(separates);
        while !rest.is_empty() {
            let (name, value, length) = attribute(rest);
            self.set(name, value);
            rest = rest[length..].trim_start_matches(separates);
        }
    }

    fn set(&mut self, name: &str, value: Option<&str>) {
        let is_listing = self.kind() == FenceKind::Listing;
        match (name, value) {
            ("title", Some(title)) => self.title = Some(title.to_owned()),
            ("csv" | "tsv" | "yaml", None) if self.kind() == FenceKind::Table => self.format = Some(name.to_owned()),
            ("provider", Some(provider)) if is_listing => self.provider = Some(provider.to_owned()),
            // MkDocs writes `linenums="1"`, Hugo `linenos=true` and `linenostart`.
            ("linenos" | "showLineNumbers", None) | ("linenos", Some("true" | "table" | "inline")) => self.first = self.first.or(Some(1)),
            ("start" | "linenums" | "linenostart", Some(number)) => match number.parse() {
                Ok(number) if number < 1_000_000 => self.first = Some(number),
                _ => self.problem(format!("`{name}` must be a number"), "write `start=\"10\"`".to_owned()),
            },
            ("hl" | "hl_lines", Some(lines)) => self.mark(lines),
            // Attributes of other tools, which have no effect here.
            (
                "editable" | "ignore" | "no_run" | "noplayground" | "noplaypen" | "should_panic" | "compile_fail" | "runnable"
                | "hidelines" | "allow_fail" | "edition2015" | "edition2018" | "edition2021" | "edition2024" | "copy" | "wrap" | "nocopy",
                None,
            )
            | ("edition", Some(_)) => {}
            ("hidelines", Some(prefix)) => self.hidden = Some(prefix.to_owned()),
            ("provider", None) if is_listing => {
                self.problem("`provider` needs a value".to_owned(), "write `provider=…` with the id of a provider".to_owned());
            }
            ("title" | "hl" | "start", None) => self.problem(format!("`{name}` needs a value"), format!("write `{name}=\"…\"`")),
            // rustdoc's attributes, and classes that books define for themselves: `rust,ignore,does_not_compile`.
            _ if self.language == "rust" => {}
            (name, _) => self.unknown(name),
        }
    }

    fn unknown(&mut self, name: &str) {
        let shown: String = name.chars().take(40).collect();
        let (known, usage): (&[&str], _) = match self.kind() {
            FenceKind::Code => (&KNOWN, "the options after the language are `title=\"…\"`, `linenos`, `start=\"10\"`, `hl=\"2,4-6\"`"),
            FenceKind::Listing => (&["title", "provider"], "the options after `listing` are `title=\"…\"` and `provider=…`"),
            FenceKind::Diagram => (&["title"], "the option after `mermaid` is `title=\"…\"`"),
            FenceKind::Facts => (&[], "write the facts to show in the lines below: `list: components`"),
            FenceKind::Table => {
                (&["title", "csv", "tsv", "yaml"], "the options after `table` are `csv`, `tsv` or `yaml`, and `title=\"…\"`")
            }
        };
        let suggestion = did_you_mean(&shown, known.iter().copied()).map(|name| format!("did you mean `{name}`?"));
        let help = suggestion.unwrap_or_else(|| usage.to_owned());
        self.problem(format!("unknown option `{shown}` of a code fence"), help);
    }

    /// Reads `2,4-6`.
    fn mark(&mut self, lines: &str) {
        for range in lines.split([',', ' ']).filter(|range| !range.is_empty()) {
            let (from, to) = range.split_once('-').unwrap_or((range, range));
            match (from.trim().parse::<usize>(), to.trim().parse::<usize>()) {
                (Ok(from), Ok(to)) if 0 < from && from <= to => self.marked.push((from, to)),
                _ => {
                    let shown: String = range.chars().take(40).collect();
                    self.problem(format!("`{shown}` is not a range of lines"), "write lines as `hl=\"2,4-6\"`".to_owned());
                }
            }
        }
    }

    fn problem(&mut self, message: String, help: String) {
        self.problems.push((message, help));
    }

    /// Adds problems that depend on the kind of block and on its number of lines.
    pub(super) fn check(&mut self, lines: usize) {
        let block = match self.kind() {
            FenceKind::Code => {
                if let Some((_, to)) = self.marked.last().filter(|(_, to)| *to > lines) {
                    let message = format!("line {to} is marked, and the block has {lines}");
                    self.problem(message, "lines are counted from 1, whatever the value of `start`".to_owned());
                }
                return;
            }
            FenceKind::Listing => "listing",
            FenceKind::Diagram => "diagram",
            FenceKind::Facts => "block of facts",
            FenceKind::Table => "table",
        };
        if self.first.is_some() || !self.marked.is_empty() {
            let message = format!("the lines of a {block} cannot be numbered or marked");
            self.problem(message, format!("remove `linenos`, `start` and `hl`, or write `text` for `{}`", self.language));
        }
    }
}

/// The attribute at the beginning of a text, as its name, value and length in bytes: `name`, `name=value`, `name="value"`, or `{value}`,
/// which is short for `hl="value"`.
fn attribute(text: &str) -> (&str, Option<&str>, usize) {
    if let Some(inside) = text.strip_prefix('{') {
        let end = inside.find('}').unwrap_or(inside.len());
        return ("hl", Some(&inside[..end]), (end + 2).min(text.len()));
    }
    let end = text.find(|c: char| c.is_whitespace() || c == ',' || c == '=').unwrap_or(text.len());
    let name = &text[..end];
    let Some(value) = text[end..].strip_prefix('=') else { return (name, None, end) };
    if let Some(quote) = value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let inside = &value[1..];
        let close = inside.find(quote).unwrap_or(inside.len());
        return (name, Some(&inside[..close]), (end + 1 + 1 + close + 1).min(text.len()));
    }
    let close = value.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(value.len());
    (name, Some(&value[..close]), end + 1 + close)
}

/// Sorts ranges and joins those that touch.
fn merged(mut ranges: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    ranges.sort_unstable();
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (from, to) in ranges {
        match merged.last_mut() {
            Some((_, last)) if from <= last.saturating_add(1) => *last = (*last).max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}

/// Whether a fenced block ends with its closing line: the same character as in the opening fence, repeated at least as often, and nothing else (CommonMark,
/// section 4.5).
pub(super) fn is_closed(block: &str) -> bool {
    let Some((first, rest)) = block.trim_end().split_once('\n') else { return false };
    let last = rest.lines().last().unwrap_or(rest);
    let only = last.trim_matches(|c: char| c.is_whitespace() || c == '>');
    let (Some((opening, count)), Some((closing, closing_count))) = (fence_run(first), fence_run(last)) else { return false };
    opening == closing && closing_count >= count && only.chars().all(|c| c == closing)
}

/// The fence character at the beginning of a line, after quote markers, and how often it is repeated.
fn fence_run(line: &str) -> Option<(char, usize)> {
    let line = line.trim_matches(|c: char| c.is_whitespace() || c == '>');
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let count = line.chars().take_while(|c| *c == mark).count();
    (count >= 3).then_some((mark, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_authors_write() {
        let fence = Fence::parse("yaml title=\"a, b.yaml\" linenos hl=\"5,2,4-6\" start=\"10\"");
        assert_eq!(
            fence,
            Fence {
                language: "yaml".into(),
                title: Some("a, b.yaml".into()),
                provider: None,
                first: Some(10),
                marked: vec![(2, 2), (4, 6)],
                ..Fence::default()
            }
        );
        let listing = Fence::parse("listing provider=acme title='a b'");
        assert_eq!((listing.provider.as_deref(), listing.title.as_deref(), listing.problems), (Some("acme"), Some("a b"), vec![]));
        assert_eq!(Fence::parse("rust,ignore,no_run,edition2021"), Fence { language: "rust".into(), ..Fence::default() });
        assert_eq!(Fence::parse("go {2,4-6}").marked, [(2, 2), (4, 6)]);
        assert_eq!(Fence::parse("python hl_lines='2 3' linenums=\"1\"").marked, [(2, 3)]);
        assert_eq!(Fence::parse("title=\"x\"").title.as_deref(), Some("x"));
        assert_eq!(Fence::parse(""), Fence::default());
    }

    #[test]
    fn reports_unknown_attributes() {
        for (info, problems) in [
            ("yaml titel=\"x\"", 1),
            ("yaml hl=\"x,3-1,0\"", 3),
            ("yaml start=a", 1),
            ("yaml title", 1),
            ("yaml {", 0),
            ("yaml =", 1),
            ("yaml provider=acme", 1),
            ("listing provider", 1),
            ("listing titel=x colour=y", 2),
            ("yaml \"x\" y", 2),
            ("yaml\u{3000}{1}\u{3000}あ あ=い", 2),
        ] {
            assert_eq!(Fence::parse(info).problems.len(), problems, "{info}");
        }
        assert_eq!(Fence::parse("yaml titel=\"x\"").problems[0].1, "did you mean `title`?");
    }
}
