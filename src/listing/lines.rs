//! What somebody pasted, line by line: headers, rows, and what stands around them.

use super::{
    command::{Command, command},
    header::Header,
    objects::{self, Objects},
    row::{Row, certain_row, row_below},
};

/// What a line of a pasted listing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing but white space.
    Blank,
    /// The names of the columns; a table begins here.
    Header,
    /// An object.
    Row(Row),
    /// Several objects: JSON without line breaks.
    Rows(Vec<Row>),
    /// Anything else: a command, a comment, a message.
    Text,
}

impl Line {
    /// The objects of the line, in order.
    #[must_use]
    pub fn into_rows(self) -> Vec<Row> {
        match self {
            Self::Row(row) => vec![row],
            Self::Rows(rows) => rows,
            Self::Blank | Self::Header | Self::Text => Vec::new(),
        }
    }
}

/// What somebody pasted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its lines, one for each of [`str::lines`].
    pub lines: Vec<Line>,
    /// Whether it is known to be a part of what there is: a command asked for some objects only.
    pub excerpt: bool,
}

/// Sorts the lines of a listing, one for each of [`str::lines`]; see [`parse_listing`].
#[must_use]
pub fn parse_lines(text: &str) -> Vec<Line> {
    parse_listing(text).lines
}

/// Reads a listing: what `kubectl get` prints in any of its forms, several times over, between whatever people write around it.
///
/// The kind and the namespace of a row come from its own prefix, else from the header above it, else from the command above it or the shape of its cells.
#[must_use]
pub fn parse_listing(text: &str) -> Listing {
    let texts: Vec<&str> = text.lines().collect();
    let others = texts.iter().filter(|line| !line.trim().is_empty() && command(line.trim()).is_none());
    let alone = others.take(2).count() == 1;
    let mut reader = Reader { alone, ..Reader::default() };
    let mut at = 0;
    while let Some(line) = texts.get(at) {
        let objects = if reader.in_command || reader.no_objects {
            None
        } else if objects::begins_json(line) {
            // The texts are parts of the whole, so what is left begins where this line does.
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            Some(objects::json(&text[start..], ends_objects))
        } else if objects::begins_yaml(line) {
            Some(objects::yaml(texts[at..].iter().copied(), ends_objects))
        } else {
            None
        };
        // What holds no object is something else, and is not looked at from its second line on again: that would take quadratic time.
        reader.no_objects |= objects.as_ref().is_some_and(|objects| objects.rows.is_empty());
        if let Some(objects) = objects.filter(|objects| !objects.rows.is_empty()) {
            let lines = objects.lines.min(texts.len() - at);
            reader.objects(objects, lines);
            at += lines;
        } else {
            reader.line(line);
            at += 1;
        }
    }
    Listing { lines: reader.lines, excerpt: reader.excerpt }
}

/// Whether objects do not go on in a line.
fn ends_objects(line: &str) -> bool {
    let line = line.trim();
    let (mark, inner) = marked(line);
    is_fence(line) || command_in(line, mark, inner).is_some()
}

/// The command of a line, or behind what stands before it, or in backticks.
fn command_in(line: &str, mark: Mark, inner: &str) -> Option<Command> {
    command(line).or_else(|| if mark == Mark::None && !inner.starts_with('`') { None } else { command(inner.trim_matches('`')) })
}

/// What is known after some lines.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "each stands for itself")]
struct Reader {
    lines: Vec<Line>,
    excerpt: bool,
    /// Whether there is one line only, which then need not look like a row.
    alone: bool,
    /// Up to the next command or the end of a block, braces and keys are no objects.
    no_objects: bool,
    /// What stands before each line of the table (people comment whole tables out), and its header.
    header: Option<(Mark, Header)>,
    /// Of the last command.
    namespace: Option<String>,
    kind: Option<String>,
    /// A command goes on in the next line after a backslash.
    in_command: bool,
    /// The line with the name of what `kubectl describe` describes.
    described: Option<usize>,
}

/// What stands before a line and is none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    None,
    /// `# `, `// `
    Comment,
    /// `> `
    Quote,
    /// `| `
    Table,
    /// `- `
    Item,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let line = self.understood(line.trim());
        self.lines.push(line);
    }

    fn understood(&mut self, line: &str) -> Line {
        if line.is_empty() {
            self.in_command = false;
            return Line::Blank;
        }
        if is_fence(line) {
            (self.header, self.described, self.in_command, self.no_objects) = (None, None, false, false);
            return Line::Text;
        }
        let (mark, inner) = marked(line);
        let goes_on = self.in_command;
        if let Some(command) = command_in(line, mark, inner).or_else(|| goes_on.then(|| command(&format!("$ kubectl {inner}"))).flatten()) {
            if goes_on {
                self.namespace = command.namespace.or(self.namespace.take());
            } else {
                (self.namespace, self.kind) = (command.namespace, command.kind);
            }
            self.excerpt |= command.excerpt;
            (self.header, self.described, self.in_command, self.no_objects) = (None, None, line.ends_with('\\'), false);
            return Line::Text;
        }
        let cells;
        let inner = if mark == Mark::Table || inner.contains('`') {
            cells = inner.replace(['|', '`'], " ");
            cells.trim()
        } else {
            inner
        };
        if let Some(header) = Header::parse(inner) {
            (self.header, self.described) = (Some((mark, header)), None);
            return Line::Header;
        }
        if let Some(row) = self.described_row(line) {
            return row;
        }
        let below = self.header.as_ref().filter(|(of, _)| *of == mark);
        let row = below.and_then(|(_, header)| row_below(header, inner).or_else(|| kubectl_row(inner)));
        let row = row.or_else(|| {
            // In a comment a name is only a word.
            let bare_is_row = !matches!(mark, Mark::Comment | Mark::Item);
            let certain = || certain_row(inner, self.alone).filter(|row| bare_is_row || row.kind.is_some());
            if below.is_some() || self.described.is_some() { None } else { certain() }
        });
        row.and_then(|row| self.completed(row)).map_or(Line::Text, Line::Row)
    }

    /// With what the command above says; `None` if the words can be no names.
    fn completed(&self, mut row: Row) -> Option<Row> {
        if let Some(cut) = row.name.strip_suffix('…').or_else(|| row.name.strip_suffix("...")) {
            (row.name, row.cut) = (cut.to_owned(), true);
        }
        row.namespace = row.namespace.or_else(|| self.namespace.clone());
        row.kind = row.kind.or_else(|| self.kind.clone());
        // What was cut off may end in anything.
        let name = if row.cut { row.name.trim_end_matches(['-', '.', ':', '_']) } else { &row.name };
        (is_name(name) && row.namespace.as_deref().is_none_or(is_name)).then_some(row)
    }

    fn objects(&mut self, objects: Objects, lines: usize) {
        let before = self.lines.len();
        self.lines.resize(before + lines, Line::Text);
        for (line, row) in objects.rows {
            if let (Some(row), Some(place)) = (self.completed(row), self.lines.get_mut(before + line)) {
                *place = match std::mem::replace(place, Line::Text) {
                    Line::Row(first) => Line::Rows(vec![first, row]),
                    Line::Rows(mut rows) => {
                        rows.push(row);
                        Line::Rows(rows)
                    }
                    _ => Line::Row(row),
                };
            }
        }
        (self.header, self.described) = (None, None);
    }

    /// The beginning of what `kubectl describe` prints, and what its further lines say of the kind.
    fn described_row(&mut self, line: &str) -> Option<Line> {
        let (key, value) = line.split_once(':')?;
        if key == "Name" && value.starts_with(' ') {
            let name = value.trim();
            self.described = Some(self.lines.len());
            let row = Row { name: name.to_owned(), ..Row::default() };
            return Some(self.completed(row).map_or(Line::Text, Line::Row));
        }
        let Some(Line::Row(row)) = self.described.and_then(|at| self.lines.get_mut(at)) else { return None };
        if key == "Namespace" && is_name(value.trim()) {
            row.namespace = Some(value.trim().to_owned());
        }
        if row.kind.is_none() {
            let told = DESCRIBED.iter().find(|(known, begins, _)| *known == key && value.trim_start().starts_with(begins));
            row.kind = told.map(|(.., kind)| (*kind).to_owned());
        }
        Some(Line::Text)
    }
}

/// Lines of `kubectl describe` that only one kind has: the key, what the value begins with, the kind. Source: pkg/describe of kubectl 1.37.
pub(super) const DESCRIBED: &[(&str, &str, &str)] = &[
    ("Priority Class Name", "", "Pod"),
    ("Node", "", "Pod"),
    ("QoS Class", "", "Pod"),
    ("Desired Number of Nodes Scheduled", "", "DaemonSet"),
    ("StrategyType", "", "Deployment"),
    ("Controlled By", "Deployment/", "ReplicaSet"),
    ("TargetPort", "", "Service"),
    ("Session Affinity", "", "Service"),
    ("Mountable secrets", "", "ServiceAccount"),
    ("Schedule", "", "CronJob"),
    ("Parallelism", "", "Job"),
    ("Update Strategy", "", "StatefulSet"),
    ("Capacity", "", "Node"),
];

/// What stands before a line, and the rest.
fn marked(line: &str) -> (Mark, &str) {
    let marks: [(&str, Mark); 9] = [
        ("#", Mark::Comment),
        ("//", Mark::Comment),
        ("> ", Mark::Quote),
        ("|", Mark::Table),
        ("- ", Mark::Item),
        ("* ", Mark::Item),
        ("+ ", Mark::Item),
        ("• ", Mark::Item),
        ("・", Mark::Item),
    ];
    let found = marks.iter().find_map(|(sign, mark)| Some((*mark, line.strip_prefix(sign)?)));
    let (mark, rest) = found.map_or((Mark::None, line), |(mark, rest)| (mark, rest.trim_start_matches('#').trim()));
    (mark, without_tags(rest))
}

/// A line without what a web page has before it: `</span>`.
fn without_tags(line: &str) -> &str {
    let mut rest = line;
    while let Some((tag, after)) = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        if !tag.trim_start_matches('/').starts_with(|c: char| c.is_ascii_alphabetic()) {
            break;
        }
        rest = after.trim_start();
    }
    rest
}

/// A row with its kind before it, whatever the table: people paste without headers, too.
fn kubectl_row(text: &str) -> Option<Row> {
    certain_row(text, false).filter(|row| row.kind.is_some() && text.contains('/'))
}

/// Whether a line begins or ends a block of code in Markdown.
fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether a word can be the name of an object. Sentences begin with a capital or are not ASCII, `...` stands for what was left out, `#` begins a comment, and what ends in a
/// colon is a key.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && word.ends_with(|c: char| c.is_ascii_alphanumeric())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `h` for a header, `-` for a blank line, `t` for text, and the row.
    fn shape(text: &str) -> String {
        let shown = parse_lines(text).into_iter().map(|line| match line {
            Line::Blank => "-".to_owned(),
            Line::Header => "h".to_owned(),
            Line::Text => "t".to_owned(),
            Line::Rows(rows) => format!("{} rows", rows.len()),
            Line::Row(row) => format!("{}/{}/{}", row.namespace.unwrap_or_default(), row.kind.unwrap_or_default(), row.name),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn headers_tell_kind_and_namespace() {
        for (text, expected) in [
            ("NAME  DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE\nfluentd  4 4 4 4 4 a=b 30d", "h /DaemonSet/fluentd"),
            ("NAME DATA AGE\ncoredns 1 11d", "h /ConfigMap/coredns"),
            ("NAMESPACE NAME DATA AGE\nkube-system coredns 1 11d", "h kube-system/ConfigMap/coredns"),
            ("NAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system pod/etcd-n 1/1 Running 0 1d", "h kube-system/Pod/etcd-n"),
            // The provisioner has a slash and is no kind.
            ("NAME PROVISIONER AGE\nlocal-path rancher.io/local-path 1d", "h /StorageClass/local-path"),
            ("NAME DESIRED CURRENT READY AGE\nkube-dns-v20 2 2 2 1d", "h //kube-dns-v20"),
            // Each table has its own header.
            ("NAME DATA AGE\na 1 1d\n\nNAME READY AGE\nb 1/1 1d", "h /ConfigMap/a - h /StatefulSet/b"),
            // A new command has none until it prints one.
            ("NAME DATA AGE\na 1 1d\n$ kubectl get pods -A --no-headers\nns b 1/1 Running 0 1d", "h /ConfigMap/a t ns/Pod/b"),
            ("pod/a\nservice/b", "/Pod/a /Service/b"),
            // The command tells the namespace where no column does, until the next one.
            (
                "$ kubectl get pods -n prod\nNAME READY STATUS RESTARTS AGE\na 1/1 Running 0 1d\n$ kubectl get pods\nb 1/1 Running 0 1d",
                "t h prod/Pod/a t /Pod/b",
            ),
            ("$ k get all \\\n  --namespace=kube-system\npod/a", "t t kube-system/Pod/a"),
            ("$ kubectl get pods -nkube-system\npod/a", "t kube-system/Pod/a"),
            ("$ kubectl --namespace kube-system get all | grep -n x\npod/a", "t kube-system/Pod/a"),
            ("$ kubectl get pods -A\nNAMESPACE NAME READY STATUS RESTARTS AGE\nns a 1/1 Running 0 1d", "t h ns/Pod/a"),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_row_stays_text() {
        for text in [
            "$ kubectl get all -n kube-system",
            "$ kubectl get all \\\n  -n kube-system",
            "kubectl get pods",
            "user@host:~$ kubectl get pods",
            "PS C:\\Users\\x> kubectl get pods",
            "# so many pods",
            "# daemonSet なので 3 つある",
            "...",
            "... and 12 more rows",
            "…",
            "ここに 3 つあります",
            "Warning: v1 ComponentStatus is deprecated in v1.19+",
            "No resources found in default namespace.",
            "NAMESPACE NAME DATA AGE\nkube-system",
        ] {
            assert!(parse_lines(text).iter().all(|line| !matches!(line, Line::Row(_))), "{text}");
        }
        assert_eq!(shape("kubectl 1/1 Running 0 1d"), "/Pod/kubectl");
    }

    #[test]
    fn hostile_text_is_sorted_in_linear_time() {
        assert_eq!(parse_lines(""), []);
        assert_eq!(shape("\n \n\t\n"), "- - -");
        assert_eq!(shape("NAME\tREADY\tSTATUS\tRESTARTS\tAGE\r\na\t1/1\tRunning\t0\t1d\r\n"), "h /Pod/a");
        assert_eq!(shape("pod/coredns-5d9"), "/Pod/coredns-5d9");
        assert_eq!(shape("pod/"), "t");
        let long = format!("pod/{}", "a-".repeat(500_000));
        assert_eq!(parse_lines(&long).len(), 1);
        assert_eq!(parse_lines(&"a 1/1 Running 0 1d\n".repeat(100_000)).len(), 100_000);
        assert_eq!(parse_lines(&"NAME ".repeat(100_000)), [Line::Header]);
    }
}
