//! The parser of pasted listings: it classifies each line as a header, a row, or the text around them.

use super::{
    cells::is_name,
    command::{KubectlCommand, parse_command},
    header::Header,
    kinds::{CLUSTER_SCOPED, known_kind},
    manifests::{self, ParsedManifests},
    row::{Row, certain_row, done_row, row_below},
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
    ParsedListing { lines: parser.lines, excerpt: parser.excerpt }
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
    /// Whether the listing has a single line, which then doesn't have to look like a row.
    is_single: bool,
    /// Whether braces and keys are not the beginning of a manifest, up to the next command or the end of a code block.
    no_manifests: bool,
    /// The header of the current table, and the prefix of its lines (users comment out whole tables).
    header: Option<(LinePrefix, Header)>,
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

/// The prefix of a line, before its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LinePrefix {
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

impl ListingParser {
    fn line(&mut self, line: &str) {
        let line = self.classify(line.trim());
        self.awaits_output &= matches!(line, ListingLine::Blank) || self.is_command;
        self.lines.push(line);
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
        let cells;
        // Most lines contain none of these characters, and don't have to be copied.
        let has_signs = inner.bytes().any(|byte| matches!(byte, b'|' | b'`' | b'*' | b'\xe2'));
        let inner = if has_signs {
            cells = inner.replace("**", "").replace(IN_CELLS, " ");
            cells.trim()
        } else {
            inner
        };
        if let Some(header) = Header::parse(inner) {
            (self.header, self.described, self.has_output) = (Some((prefix, header)), None, true);
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
            (self.header, self.described, self.in_command, self.no_manifests) = (None, None, false, false);
            self.in_block = !self.in_block;
        } else if let Some(command) =
            command_in(line, (prefix, inner)).or_else(|| continues.then(|| parse_command(&format!("$ kubectl {inner}"))).flatten())
        {
            self.command(command, continues);
            (self.header, self.described, self.in_command, self.no_manifests) = (None, None, line.ends_with('\\'), false);
        } else if line == "Allocated resources:" || (self.has_output && self.is_heading(line)) {
            (self.header, self.described, self.namespace, self.kind) = (None, None, None, None);
        } else if matches!(line, "..." | "…" | "[...]" | "[…]" | "(...)" | "<...>") {
            // The omitted lines are rows of this table, or everything up to another table.
            self.rows_omitted = self.has_output;
        } else if self.helm_status(line) {
            (self.header, self.described) = (None, None);
        } else {
            return false;
        }
        true
    }

    /// The row of a line, below the current header or without one.
    fn row(&self, prefix: LinePrefix, inner: &str) -> Option<Row> {
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
        row.kind = row.kind.or_else(|| self.kind.clone());
        let in_none = row.kind.as_deref().is_some_and(|kind| CLUSTER_SCOPED.contains(&kind));
        row.namespace = row.namespace.or_else(|| self.namespace.clone().filter(|_| !in_none));
        // A truncated name may end in any character.
        let name = if row.cut { row.name.trim_end_matches(['-', '.', ':', '_']) } else { &row.name };
        (is_name(name) && row.namespace.as_deref().is_none_or(is_name)).then_some(row)
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
        (self.header, self.described) = (None, None);
    }

    /// Reads a line of `kubectl describe`: the name is a row, and later lines give its namespace and its kind.
    fn described_row(&mut self, line: &str) -> Option<ListingLine> {
        let (key, value) = line.split_once(':')?;
        if key == "Name" && value.starts_with([' ', '\t']) {
            let name = value.trim();
            self.described = Some(self.lines.len());
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

/// Lines of `kubectl describe` that only one kind has: the key, the beginning of the value, the kind. Source: pkg/describe of kubectl 1.37.
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

/// Characters between or around cells: of Markdown tables and code, and of the lines that `kubectl tree` draws.
const IN_CELLS: [char; 6] = ['|', '`', '│', '├', '└', '─'];

/// Whether a name ends in the random suffix of a Pod: five characters, at least one of them a digit, so that it is not a word.
fn is_pod_name(name: &str) -> bool {
    let random = name.rsplit_once('-').map(|(_, random)| random);
    random.is_some_and(|random| Segment::PodSuffix.accepts(random) && random.bytes().any(|byte| byte.is_ascii_digit()))
}

/// Splits a line into its prefix and its content.
fn split_prefix(line: &str) -> (LinePrefix, &str) {
    let prefixes: [(&str, LinePrefix); 9] = [
        ("#", LinePrefix::Comment),
        ("//", LinePrefix::Comment),
        ("> ", LinePrefix::Quote),
        ("|", LinePrefix::Table),
        ("- ", LinePrefix::Item),
        ("* ", LinePrefix::Item),
        ("+ ", LinePrefix::Item),
        ("• ", LinePrefix::Item),
        ("・", LinePrefix::Item),
    ];
    let found = prefixes.iter().find_map(|(sign, prefix)| Some((*prefix, line.strip_prefix(sign)?)));
    let found = found.or_else(|| Some((LinePrefix::Item, line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". ")?)));
    let (prefix, content) = found.map_or((LinePrefix::None, line), |(prefix, content)| (prefix, content.trim_start_matches('#').trim()));
    (prefix, without_tags(content))
}

/// A line without the HTML tags before it: `</span>`.
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

/// A row with its kind before its name, which needs no header.
fn kubectl_row(text: &str) -> Option<Row> {
    certain_row(text, false).filter(|row| row.kind.is_some() && text.contains('/'))
}

/// Whether a line begins or ends a block of code in Markdown.
fn is_fence(line: &str) -> bool {
    line.starts_with("```") || line.starts_with("~~~")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `h` for a header, `-` for a blank line, `t` for text, and the row.
    fn shape(text: &str) -> String {
        let shown = parse_lines(text).into_iter().map(|line| match line {
            ListingLine::Blank => "-".to_owned(),
            ListingLine::Header => "h".to_owned(),
            ListingLine::Text => "t".to_owned(),
            ListingLine::Rows(rows) => format!("{} rows", rows.len()),
            ListingLine::Row(row) => format!("{}/{}/{}", row.namespace.unwrap_or_default(), row.kind.unwrap_or_default(), row.name),
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
            // The provisioner has a slash but is not a kind.
            ("NAME PROVISIONER AGE\nlocal-path rancher.io/local-path 1d", "h /StorageClass/local-path"),
            ("NAME DESIRED CURRENT READY AGE\nkube-dns-v20 2 2 2 1d", "h //kube-dns-v20"),
            // Each table has its own header.
            ("NAME DATA AGE\na 1 1d\n\nNAME READY AGE\nb 1/1 1d", "h /ConfigMap/a - h /StatefulSet/b"),
            // After a new command, there is no header until the command prints one.
            ("NAME DATA AGE\na 1 1d\n$ kubectl get pods -A --no-headers\nns b 1/1 Running 0 1d", "h /ConfigMap/a t ns/Pod/b"),
            ("pod/a\nservice/b", "/Pod/a /Service/b"),
            // Without a namespace column, the command determines the namespace, until the next command.
            (
                "$ kubectl get pods -n prod\nNAME READY STATUS RESTARTS AGE\na 1/1 Running 0 1d\n$ kubectl get pods\nb 1/1 Running 0 1d",
                "t h prod/Pod/a t /Pod/b",
            ),
            ("$ k get all \\\n  --namespace=kube-system\npod/a", "t t kube-system/Pod/a"),
            ("$ kubectl get pods -nkube-system\npod/a", "t kube-system/Pod/a"),
            ("$ kubectl --namespace kube-system get all | grep -n x\npod/a", "t kube-system/Pod/a"),
            // In tables of all namespaces, objects without a namespace have an empty cell.
            ("NAMESPACE NAME ROLE AGE\n  clusterrolebinding.rbac.authorization.k8s.io/a ClusterRole/b 3m", "h /ClusterRoleBinding/a"),
            ("$ kubectl get nodes,pods -n prod\nnode/a\npod/b", "t /Node/a prod/Pod/b"),
            // Custom resources with the names of built-in kinds.
            (
                "service.serving.knative.dev/a\njob.batch.volcano.sh/b\njob.batch/c",
                "/service.serving.knative.dev/a /job.batch.volcano.sh/b /Job/c",
            ),
            ("apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata:\n  name: a", "t t t /Service.serving.knative.dev/a"),
            ("{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"metadata\": {\"name\": \"a\"}}", "/Job/a"),
            ("deployment \"a\" created\npod \"b-0\" deleted from prod namespace\npods \"c\" not found", "/Deployment/a prod/Pod/b-0 t"),
            ("1. cilium-9lqbq\n2. 12 of them\n3. a-word", "//cilium-9lqbq t t"),
            ("NAMESPACE NAME READY AGE\nns ├─Pod/a True 1d\nns │ └─Job/b True 1d", "h ns/Pod/a ns/Job/b"),
            ("NAMESPACE NAME DATA AGE\nns **a** 1 1d", "h ns/ConfigMap/a"),
            ("$ kubectl get nodeunit\nNAME TYPE READY AGE\nbeijing edge 3/3 3d", "t h /nodeunit/beijing"),
            ("Name:\t\t\ta\nNamespace:\tdefault\nNode:\tb/10.0.0.1", "default/Pod/a t t"),
            // The order of the outputs is unknown.
            ("kubectl get pods -n a\nkubectl get pods -n b\npod/c", "t t /Pod/c"),
            ("kubectl apply -f x -n a\nkubectl get pods -n b\npod/c", "t t b/Pod/c"),
            ("kubectl get ns\nkubectl get pods -n b\npod/c", "t t b/Pod/c"),
            ("kubectl apply -f x && kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("kubectx a; kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("ssh a -- kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("✗ kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("kubectl --kubeconfig a \\\n  get pods -n b\npod/c", "t t b/Pod/c"),
            // A heading ends the effect of a command after its output, but not before it.
            ("kubectl get cm -n a\n## Output\nb-c 1d\n## More\nd-e 1d", "t t a/ConfigMap/b-c t //d-e"),
            ("```\nkubectl get cm -n a\n## Output\nb-c 1d\n## More\nd-e 1d", "t t t a/ConfigMap/b-c t a/ConfigMap/d-e"),
            ("kubectl get pods -n a\nNAME READY STATUS\nb 1/1 Running\n...\nc 1/1 Running", "t h a/Pod/b t a/Pod/c"),
            ("kubectl get pods -n a\npod/b\n...\npod/c created", "t a/Pod/b t /Pod/c"),
            // Tables of other programs.
            ("kubectl get pods -n a\nvelero backup get\nNAME STATUS ERRORS WARNINGS\nb Completed 0 0", "t t h /Backup/b"),
            ("helm ls\nNAME NAMESPACE REVISION UPDATED\na b 1 2026-01-01", "t h b/HelmRelease/a"),
            ("NAMESPACE: a\n==> apps/v1/StatefulSet\nNAME DESIRED CURRENT AGE\nb 1 1 0s", "t t h a/StatefulSet/b"),
            ("NAME SYNC STATUS HEALTH STATUS\nkarpenter Synced Healthy", "h /Application/karpenter"),
            // Tables without headers.
            ("a-1 Ready <none> 27s v1.28.3\nb-2 NotReady,SchedulingDisabled worker 1d v1.28.3", "/Node/a-1 /Node/b-2"),
            ("10m Normal Pulled pod/a-x8k2p Successfully pulled image\n2m Warning BackOff nobody knows what", "/Pod/a-x8k2p t"),
            ("kube-system coredns-x8k2p 100m (2%) 0 (0%) 70Mi (0%) 1d", "kube-system/Pod/coredns-x8k2p"),
            ("  Namespace  Name  CPU Requests\n  a  b  1m (1%)\nAllocated resources:\n  cpu  450m (45%)", "h a/Pod/b t t"),
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
            assert!(parse_lines(text).iter().all(|line| !matches!(line, ListingLine::Row(_))), "{text}");
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
        assert_eq!(parse_lines(&"NAME ".repeat(100_000)), [ListingLine::Header]);
    }
}
