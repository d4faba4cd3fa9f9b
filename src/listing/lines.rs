//! What somebody pasted, line by line: headers, rows, and what stands around them.

use super::{
    command::{Command, command},
    header::Header,
    kinds::{CLUSTER_SCOPED, known_kind},
    objects::{self, Objects},
    part::Part,
    row::{Row, certain_row, done_row, row_below},
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
    /// A command that prints objects was the last that came.
    awaits: bool,
    /// Whether this is a block of code of Markdown.
    in_block: bool,
    /// Whether the line that was read last is a command.
    is_command: bool,
    /// Whether a table or a row has come since the last command.
    printed: bool,
    /// Whether something was left out since then: a row that is in no table may be another command's.
    left_out: bool,
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
        self.awaits &= matches!(line, Line::Blank) || self.is_command;
        self.lines.push(line);
    }

    fn understood(&mut self, line: &str) -> Line {
        self.is_command = false;
        if line.is_empty() {
            self.in_command = false;
            return Line::Blank;
        }
        if is_fence(line) {
            (self.header, self.described, self.in_command, self.no_objects) = (None, None, false, false);
            self.in_block = !self.in_block;
            return Line::Text;
        }
        let (mark, inner) = marked(line);
        let goes_on = self.in_command;
        if let Some(command) = command_in(line, mark, inner).or_else(|| goes_on.then(|| command(&format!("$ kubectl {inner}"))).flatten()) {
            self.command(command, goes_on);
            (self.header, self.described, self.in_command, self.no_objects) = (None, None, line.ends_with('\\'), false);
            return Line::Text;
        }
        if line == "Allocated resources:" || (self.printed && self.is_heading(line)) {
            (self.header, self.described, self.namespace, self.kind) = (None, None, None, None);
            return Line::Text;
        }
        if matches!(line, "..." | "…" | "[...]" | "[…]" | "(...)" | "<...>") {
            // Rows of a table may be left out, or all up to another.
            self.left_out = self.printed;
            return Line::Text;
        }
        if self.told(line) {
            (self.header, self.described) = (None, None);
            return Line::Text;
        }
        let cells;
        // Most lines have none of them, and are not looked at letter by letter.
        let has_signs = inner.bytes().any(|byte| matches!(byte, b'|' | b'`' | b'*' | b'\xe2'));
        let inner = if has_signs {
            cells = inner.replace("**", "").replace(IN_CELLS, " ");
            cells.trim()
        } else {
            inner
        };
        if let Some(header) = Header::parse(inner) {
            (self.header, self.described, self.printed) = (Some((mark, header)), None, true);
            return Line::Header;
        }
        if let Some(row) = self.described_row(line) {
            return row;
        }
        let below = self.header.as_ref().filter(|(of, _)| *of == mark);
        let row = below.and_then(|(_, header)| row_below(header, inner).or_else(|| kubectl_row(inner)));
        let row = row.or_else(|| done_row(inner)).or_else(|| {
            // In a comment a name is only a word, and in a list, if it is not a Pod's.
            let bare_is_row = |row: &Row| match mark {
                Mark::Comment => false,
                Mark::Item => is_pod_name(&row.name),
                Mark::None | Mark::Quote | Mark::Table => true,
            };
            let certain = || certain_row(inner, self.alone).filter(|row| row.kind.is_some() || bare_is_row(row));
            if below.is_some() || self.described.is_some() { None } else { certain() }
        });
        if self.header.is_none() && row.is_some() && std::mem::take(&mut self.left_out) {
            (self.namespace, self.kind) = (None, None);
        }
        self.printed |= row.is_some();
        row.and_then(|row| self.completed(row)).map_or(Line::Text, Line::Row)
    }

    /// What a command says of the rows below. Of several commands, one below the other, nobody knows whose output comes first: then it says what all of them say.
    fn command(&mut self, command: Command, goes_on: bool) {
        self.excerpt |= command.excerpt;
        if goes_on {
            self.namespace = command.namespace.or(self.namespace.take());
            self.kind = command.kind.or(self.kind.take());
        } else if self.awaits && command.prints {
            let differ = self.namespace.is_some() && command.namespace.is_some() && self.namespace != command.namespace;
            self.namespace = if differ { None } else { command.namespace.or(self.namespace.take()) };
            self.kind = self.kind.take().filter(|kind| command.kind.as_ref() == Some(kind));
        } else {
            (self.namespace, self.kind) = (command.namespace, command.kind);
        }
        self.awaits = command.prints || (goes_on && self.awaits);
        (self.is_command, self.printed, self.left_out) = (true, false, false);
    }

    /// Whether a line is a heading of Markdown. Within a block of code `##` begins a comment, and one `#` anywhere.
    fn is_heading(&self, line: &str) -> bool {
        line.starts_with("##") && !self.in_block && line.trim_start_matches('#').starts_with(' ')
    }

    /// What `helm status` says of the tables below: `NAMESPACE: web`, `==> apps/v1/Deployment`.
    fn told(&mut self, line: &str) -> bool {
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

    /// With what the command above says; `None` if the words can be no names.
    fn completed(&self, mut row: Row) -> Option<Row> {
        if let Some(cut) = row.name.strip_suffix('…').or_else(|| row.name.strip_suffix("...")) {
            (row.name, row.cut) = (cut.to_owned(), true);
        }
        row.kind = row.kind.or_else(|| self.kind.clone());
        let in_none = row.kind.as_deref().is_some_and(|kind| CLUSTER_SCOPED.contains(&kind));
        row.namespace = row.namespace.or_else(|| self.namespace.clone().filter(|_| !in_none));
        // What was cut off may end in anything.
        let name = if row.cut { row.name.trim_end_matches(['-', '.', ':', '_']) } else { &row.name };
        (is_name(name) && row.namespace.as_deref().is_none_or(is_name)).then_some(row)
    }

    fn objects(&mut self, objects: Objects, lines: usize) {
        self.awaits = false;
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
        if key == "Name" && value.starts_with([' ', '\t']) {
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

/// Signs that stand between or around cells: of a table or of code in Markdown, of what `kubectl tree` draws.
const IN_CELLS: [char; 6] = ['|', '`', '│', '├', '└', '─'];

/// Whether a name ends as those of Pods do, which no word does: five random characters, one of them a digit.
fn is_pod_name(name: &str) -> bool {
    let random = name.rsplit_once('-').map(|(_, random)| random);
    random.is_some_and(|random| Part::PodSuffix.accepts(random) && random.bytes().any(|byte| byte.is_ascii_digit()))
}

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
    let found = found.or_else(|| Some((Mark::Item, line.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix(". ")?)));
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
            // In tables of all namespaces, what is in none has an empty cell.
            ("NAMESPACE NAME ROLE AGE\n  clusterrolebinding.rbac.authorization.k8s.io/a ClusterRole/b 3m", "h /ClusterRoleBinding/a"),
            ("$ kubectl get nodes,pods -n prod\nnode/a\npod/b", "t /Node/a prod/Pod/b"),
            // Somebody else's Service, Job and Pods.
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
            // Whose output comes first, nobody knows.
            ("kubectl get pods -n a\nkubectl get pods -n b\npod/c", "t t /Pod/c"),
            ("kubectl apply -f x -n a\nkubectl get pods -n b\npod/c", "t t b/Pod/c"),
            ("kubectl get ns\nkubectl get pods -n b\npod/c", "t t b/Pod/c"),
            ("kubectl apply -f x && kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("kubectx a; kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("ssh a -- kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("✗ kubectl get pods -n b\npod/c", "t b/Pod/c"),
            ("kubectl --kubeconfig a \\\n  get pods -n b\npod/c", "t t b/Pod/c"),
            // A heading ends what a command said, once it has printed; the heading of its output does not.
            ("kubectl get cm -n a\n## Output\nb-c 1d\n## More\nd-e 1d", "t t a/ConfigMap/b-c t //d-e"),
            ("```\nkubectl get cm -n a\n## Output\nb-c 1d\n## More\nd-e 1d", "t t t a/ConfigMap/b-c t a/ConfigMap/d-e"),
            ("kubectl get pods -n a\nNAME READY STATUS\nb 1/1 Running\n...\nc 1/1 Running", "t h a/Pod/b t a/Pod/c"),
            ("kubectl get pods -n a\npod/b\n...\npod/c created", "t a/Pod/b t /Pod/c"),
            // Other programs have tables of their own.
            ("kubectl get pods -n a\nvelero backup get\nNAME STATUS ERRORS WARNINGS\nb Completed 0 0", "t t h /Backup/b"),
            ("helm ls\nNAME NAMESPACE REVISION UPDATED\na b 1 2026-01-01", "t h b/HelmRelease/a"),
            ("NAMESPACE: a\n==> apps/v1/StatefulSet\nNAME DESIRED CURRENT AGE\nb 1 1 0s", "t t h a/StatefulSet/b"),
            ("NAME SYNC STATUS HEALTH STATUS\nkarpenter Synced Healthy", "h /Application/karpenter"),
            // Without their headers.
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
