//! The parser of pasted listings: it classifies each line as a header, a row, or the text around them.

use super::{
    MAX_NAME,
    cells::{is_name, is_numeric},
    command::{KubectlCommand, parse_command},
    described::DESCRIBED,
    header::Header,
    kinds::{CLUSTER_SCOPED, known_kind},
    line::{LinePrefix, content, is_fence, split_breaks, split_prefix, without_comment, without_tags},
    manifests::{self, ParsedManifests},
    masked::without_mask,
    row::{Row, certain_row, done_row, row_below},
    runtimes::{self, IMAGE, RuntimeTable, is_repository},
    segment::Segment,
};

/// A classified line of a pasted listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListingLine {
    /// Only white space.
    Blank,
    /// The header of a table.
    Header,
    /// An object. It is boxed because it is large, and a text can have millions of lines that are not objects.
    Row(Box<Row>),
    /// Several objects: JSON without line breaks.
    Rows(Vec<Row>),
    /// Anything else: a command, a comment, a message.
    Text,
}

impl ListingLine {
    /// The objects of the line, in order.
    #[must_use]
    pub fn into_rows(self) -> Vec<Row> {
        match self {
            Self::Row(row) => vec![*row],
            Self::Rows(rows) => rows,
            Self::Blank | Self::Header | Self::Text => Vec::new(),
        }
    }
}

/// A pasted listing, line by line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedListing {
    /// Its lines, one for each of [`str::lines`].
    pub lines: Vec<ListingLine>,
    /// Whether the listing shows only some of the objects of its kinds: a command selected some, or a filter removed others.
    pub excerpt: bool,
    /// Whether it has a table, a description or manifests.
    pub has_tables: bool,
    /// Whether it has manifests. Names in the text around them are not rows: logs between the objects of `kubectl cluster-info dump` name objects of all kinds.
    pub has_manifests: bool,
}

/// The lines of a listing, one for each of [`str::lines`]; see [`parse_listing`].
#[must_use]
pub fn parse_lines(text: &str) -> Vec<ListingLine> {
    parse_listing(text).lines
}

/// Parses a listing: the output of any number of `kubectl get` commands in any format, with other text around it.
///
/// The kind and the namespace of a row come from its own prefix, else from the header above it, else from the command above it or the shape of its cells.
#[must_use]
pub fn parse_listing(text: &str) -> ParsedListing {
    let texts: Vec<&str> = text.lines().collect();
    let others = texts.iter().filter(|line| !line.trim().is_empty() && parse_command(line.trim()).is_none());
    let is_single = others.take(2).count() == 1;
    let mut parser = ListingParser { is_single, ..ListingParser::default() };
    let mut at = 0;
    while let Some(line) = texts.get(at) {
        let manifests = if parser.in_command || parser.no_manifests {
            None
        } else if manifests::begins_json(line) {
            // The lines are slices of the whole text, so the remaining text begins where this line does.
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            Some(manifests::json(&text[start..], ends_objects))
        } else if manifests::begins_yaml(line) {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            Some(manifests::yaml(&text[start..], ends_objects))
        } else {
            None
        };
        // A block without objects is not parsed again from its second line on, which would take quadratic time.
        parser.no_manifests |= manifests.as_ref().is_some_and(|manifests| manifests.rows.is_empty());
        if let Some(manifests) = manifests.filter(|manifests| !manifests.rows.is_empty()) {
            let lines = manifests.lines.min(texts.len() - at);
            parser.manifests(manifests, lines);
            at += lines;
        } else {
            parser.line(line);
            at += 1;
        }
    }
    let ListingParser { lines, excerpt, has_tables, has_manifests, .. } = parser;
    ParsedListing { lines, excerpt, has_tables, has_manifests }
}

/// Whether a manifest ends before a line.
fn ends_objects(line: &str) -> bool {
    let line = line.trim();
    is_fence(line) || command_in(line, split_prefix(line)).is_some()
}

/// The command of a line, with or without a prefix or backticks.
fn command_in(line: &str, (prefix, inner): (LinePrefix, &str)) -> Option<KubectlCommand> {
    let may_have_command = prefix != LinePrefix::None || inner.starts_with('`');
    parse_command(line).or_else(|| if may_have_command { parse_command(inner.trim_matches('`')) } else { None })
}

/// The state of the parser after some lines.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each stands for itself")]
struct ListingParser {
    lines: Vec<ListingLine>,
    excerpt: bool,
    has_tables: bool,
    has_manifests: bool,
    /// Whether the listing has a single line, which then doesn't have to look like a row.
    is_single: bool,
    /// Whether braces and keys are not the beginning of a manifest, up to the next command or the end of a code block.
    no_manifests: bool,
    /// The header of the current table, and the prefix of its lines (users comment out whole tables).
    header: Option<(LinePrefix, Header)>,
    /// What the rows of the current table are, if it is that of a container runtime.
    runtime: Option<RuntimeTable>,
    /// The namespace of the last command.
    namespace: Option<String>,
    /// The kind of the last command.
    kind: Option<String>,
    /// Whether the command continues in the next line, after a backslash.
    in_command: bool,
    /// Whether the last command prints objects that have not followed yet.
    awaits_output: bool,
    /// Whether the line is inside a Markdown code block.
    in_block: bool,
    /// Whether the last line is a command.
    is_command: bool,
    /// Whether a table or a row has followed the last command.
    has_output: bool,
    /// Whether rows have been omitted since then: a row outside a table may then be part of the output of another command.
    rows_omitted: bool,
    /// The line with the name of the object that `kubectl describe` describes.
    described: Option<usize>,
}

impl ListingParser {
    fn line(&mut self, line: &str) {
        let parts = split_breaks(line);
        let line = if let [line] = parts.as_slice() { self.part(line) } else { self.parts(&parts) };
        self.lines.push(line);
    }

    /// Classifies a line that has line breaks of HTML.
    fn parts(&mut self, parts: &[&str]) -> ListingLine {
        let mut rows: Vec<Row> = Vec::new();
        let mut last = ListingLine::Blank;
        for part in parts {
            match self.part(part) {
                ListingLine::Blank => {}
                ListingLine::Row(row) => rows.push(*row),
                other => last = other,
            }
        }
        match rows.len() {
            0 => last,
            1 => ListingLine::Row(Box::new(rows.remove(0))),
            _ => ListingLine::Rows(rows),
        }
    }

    fn part(&mut self, part: &str) -> ListingLine {
        let line = self.classify(without_tags(part).trim());
        self.awaits_output &= matches!(line, ListingLine::Blank) || self.is_command;
        line
    }

    /// Ends the current table, and the object that `kubectl describe` describes.
    fn end_table(&mut self) {
        (self.header, self.runtime, self.described) = (None, None, None);
    }

    fn classify(&mut self, line: &str) -> ListingLine {
        self.is_command = false;
        if line.is_empty() {
            self.in_command = false;
            return ListingLine::Blank;
        }
        let (prefix, inner) = split_prefix(line);
        if self.is_context(line, prefix, inner) {
            return ListingLine::Text;
        }
        let inner = &*content(inner);
        if let Some(table) = runtimes::table(inner) {
            self.end_table();
            (self.runtime, self.has_output, self.has_tables) = (Some(table), true, true);
            return ListingLine::Header;
        }
        if let Some(header) = Header::parse(inner) {
            self.end_table();
            (self.header, self.has_output, self.has_tables) = (Some((prefix, header)), true, true);
            return ListingLine::Header;
        }
        if let Some(row) = self.described_row(line) {
            return row;
        }
        let row = self.row(prefix, inner);
        if self.header.is_none() && row.is_some() && std::mem::take(&mut self.rows_omitted) {
            (self.namespace, self.kind) = (None, None);
        }
        self.has_output |= row.is_some();
        row.and_then(|row| self.completed(row)).map_or(ListingLine::Text, |row| ListingLine::Row(Box::new(row)))
    }

    /// Whether a line is not a row but affects how the next lines are parsed: a fence, a command, a heading, omitted rows, the output of `helm status`.
    fn is_context(&mut self, line: &str, prefix: LinePrefix, inner: &str) -> bool {
        let continues = self.in_command;
        if is_fence(line) {
            self.end_table();
            (self.in_command, self.no_manifests) = (false, false);
            self.in_block = !self.in_block;
        } else if let Some(command) =
            command_in(line, (prefix, inner)).or_else(|| continues.then(|| parse_command(&format!("$ kubectl {inner}"))).flatten())
        {
            self.command(command, continues);
            self.end_table();
            (self.in_command, self.no_manifests) = (line.ends_with('\\'), false);
        } else if line == "Allocated resources:" || (self.has_output && self.is_heading(line)) {
            self.end_table();
            (self.namespace, self.kind) = (None, None);
        } else if matches!(line, "..." | "…" | "[...]" | "[…]" | "(...)" | "<...>") {
            // The omitted lines are rows of this table, or everything up to another table.
            self.rows_omitted = self.has_output;
        } else if self.helm_status(line) {
            self.end_table();
        } else {
            return false;
        }
        true
    }

    /// The row of a line, below the current header or without one.
    fn row(&self, prefix: LinePrefix, inner: &str) -> Option<Row> {
        let inner = without_comment(inner);
        // In a comment, only a row with an id is certain to be one.
        let may_be_row = prefix != LinePrefix::Comment || runtimes::has_id(inner);
        if self.header.is_none() && (self.runtime.is_some() || self.described.is_none()) && may_be_row {
            let row = runtimes::row(self.runtime, inner);
            if row.is_some() || self.runtime.is_some() {
                return row.or_else(|| kubectl_row(inner));
            }
        }
        let below = self.header.as_ref().filter(|(of, _)| *of == prefix);
        let row = below.and_then(|(_, header)| row_below(header, inner).or_else(|| kubectl_row(inner)));
        row.or_else(|| done_row(inner)).or_else(|| {
            if below.is_some() || self.described.is_some() {
                return None;
            }
            // In a comment, a name alone is only a word; in a list as well, unless it is the name of a Pod.
            let bare_is_row = |row: &Row| match prefix {
                LinePrefix::Comment => false,
                LinePrefix::Item => is_pod_name(&row.name),
                LinePrefix::None | LinePrefix::Quote | LinePrefix::Table => true,
            };
            certain_row(inner, self.is_single).filter(|row| row.kind.is_some() || bare_is_row(row))
        })
    }

    /// Applies a command to the rows below. The order of the outputs of consecutive commands is unknown, so only what all of them have in common applies.
    fn command(&mut self, command: KubectlCommand, continues: bool) {
        self.excerpt |= command.excerpt;
        if continues {
            self.namespace = command.namespace.or(self.namespace.take());
            self.kind = command.kind.or(self.kind.take());
        } else if self.awaits_output && command.prints {
            let differ = self.namespace.is_some() && command.namespace.is_some() && self.namespace != command.namespace;
            self.namespace = if differ { None } else { command.namespace.or(self.namespace.take()) };
            self.kind = self.kind.take().filter(|kind| command.kind.as_ref() == Some(kind));
        } else {
            (self.namespace, self.kind) = (command.namespace, command.kind);
        }
        self.awaits_output = command.prints || (continues && self.awaits_output);
        (self.is_command, self.has_output, self.rows_omitted) = (true, false, false);
    }

    /// Whether a line is a Markdown heading. Inside a code block `##` begins a comment, and a single `#` does so anywhere.
    fn is_heading(&self, line: &str) -> bool {
        line.starts_with("##") && !self.in_block && line.trim_start_matches('#').starts_with(' ')
    }

    /// Applies a line of `helm status` to the tables below, if it is one: `NAMESPACE: web`, `==> apps/v1/Deployment`.
    fn helm_status(&mut self, line: &str) -> bool {
        if let Some(namespace) = line.strip_prefix("NAMESPACE:").map(str::trim).filter(|name| is_name(name)) {
            (self.namespace, self.kind) = (Some(namespace.to_owned()), None);
            return true;
        }
        let kind = line.strip_prefix("==> ").and_then(|what| what.rsplit('/').next()?.split('(').next());
        if let Some(kind) = kind.filter(|kind| kind.bytes().all(|byte| byte.is_ascii_alphabetic())) {
            self.kind = Some(known_kind(kind).unwrap_or(kind).to_owned());
        }
        kind.is_some()
    }

    /// The row with the namespace and the kind of the command above; `None` if its cells cannot be names.
    fn completed(&self, mut row: Row) -> Option<Row> {
        if let Some(cut) = row.name.strip_suffix('…').or_else(|| row.name.strip_suffix("...")) {
            (row.name, row.cut) = (cut.to_owned(), true);
        }
        if let Some(name) = Some(&row.name).filter(|name| name.len() <= MAX_NAME).and_then(|name| without_mask(name)) {
            // Only Pods have random suffixes.
            let kind = row.kind.or_else(|| self.kind.clone()).or_else(|| Some("Pod".to_owned()));
            row = Row { name: name.to_owned(), kind, masked: true, cut: false, ..row };
        }
        row.kind = row.kind.or_else(|| self.kind.clone());
        // `istioctl proxy-status` prints the namespace of a Pod after its name.
        if let Some((name, namespace)) = row.name.split_once('.').filter(|(name, _)| row.namespace.is_none() && is_pod_name(name)) {
            row = Row { namespace: Some(namespace.to_owned()), kind: Some("Pod".to_owned()), name: name.to_owned(), ..row };
        }
        let in_none = row.kind.as_deref().is_some_and(|kind| CLUSTER_SCOPED.contains(&kind));
        row.namespace = row.namespace.or_else(|| self.namespace.clone().filter(|_| !in_none));
        // A truncated name may end in any character.
        let name = if row.cut { row.name.trim_end_matches(['-', '.', ':', '_']) } else { &row.name };
        // The repository of an image has slashes.
        let is_image = row.kind.as_deref() == Some(IMAGE) && is_repository(&row.name);
        // Some installers name Nodes after their addresses.
        let is_node = row.kind.as_deref() == Some("Node");
        let is_object = || is_name(name) && (is_node || !is_numeric(name));
        let is_namespace = |name: &str| is_name(name) && !is_numeric(name);
        (is_image || (is_object() && row.namespace.as_deref().is_none_or(is_namespace))).then_some(row)
    }

    fn manifests(&mut self, manifests: ParsedManifests, lines: usize) {
        self.awaits_output = false;
        let before = self.lines.len();
        self.lines.resize(before + lines, ListingLine::Text);
        for (line, row) in manifests.rows {
            if let (Some(row), Some(place)) = (self.completed(row), self.lines.get_mut(before + line)) {
                let mut rows = std::mem::replace(place, ListingLine::Text).into_rows();
                *place = if rows.is_empty() {
                    ListingLine::Row(Box::new(row))
                } else {
                    rows.push(row);
                    ListingLine::Rows(rows)
                };
            }
        }
        self.end_table();
        (self.has_tables, self.has_manifests) = (true, true);
    }

    /// Reads a line of `kubectl describe`: the name is a row, and later lines give its namespace and its kind.
    fn described_row(&mut self, line: &str) -> Option<ListingLine> {
        let (key, value) = line.split_once(':')?;
        if key == "Name" && value.starts_with([' ', '\t']) {
            let name = value.trim();
            (self.described, self.has_tables) = (Some(self.lines.len()), true);
            let row = Row { name: name.to_owned(), ..Row::default() };
            return Some(self.completed(row).map_or(ListingLine::Text, |row| ListingLine::Row(Box::new(row))));
        }
        let Some(ListingLine::Row(row)) = self.described.and_then(|at| self.lines.get_mut(at)) else { return None };
        if key == "Namespace" && is_name(value.trim()) {
            row.namespace = Some(value.trim().to_owned());
        }
        if row.kind.is_none() {
            let known = DESCRIBED.iter().find(|(of, begins, _)| *of == key && value.trim_start().starts_with(begins));
            row.kind = known.map(|(.., kind)| (*kind).to_owned());
        }
        Some(ListingLine::Text)
    }
}

/// Whether a name ends in the random suffix of a Pod: five characters, at least one of them a digit, so that it is not a word.
fn is_pod_name(name: &str) -> bool {
    let random = name.rsplit_once('-').map(|(_, random)| random);
    random.is_some_and(|random| Segment::PodSuffix.accepts(random) && random.bytes().any(|byte| byte.is_ascii_digit()))
}

/// A row with its kind before its name, which needs no header.
fn kubectl_row(text: &str) -> Option<Row> {
    certain_row(text, false).filter(|row| row.kind.is_some() && text.contains('/'))
}

#[cfg(test)]
mod tests;
