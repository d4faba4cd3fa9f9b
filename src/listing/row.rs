//! A row of a listing.

use std::sync::Arc;

use super::{
    cells::{is_age, is_cell, is_count, is_name, is_role, is_share, kind_of_columns},
    header::Header,
    health::{HELM_STATUSES, health},
    kinds::{INSTANCES, SHORT_GROUPS, kind_of_group, known_kind},
    word_list::WordList,
};
use crate::objects::{Health, ObjectContent};

/// A row of a listing.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    /// The NAMESPACE column, if the listing has one.
    pub namespace: Option<String>,
    /// The kind, from the prefix or from the shape of the columns; as written, without the API group.
    pub kind: Option<String>,
    /// The name.
    pub name: String,
    /// Whether the name may be truncated: it ends in `…`, or the row ends after it where the table has more columns.
    pub cut: bool,
    /// Whether generated suffixes of the name are masked: `coredns-xxxxx`, `coredns-<hash>`. Then the name is what comes before them.
    pub masked: bool,
    /// Whether it is only a word in a sentence. The cluster may have no such object.
    pub mentioned: bool,
    /// The repository of the image of a container, if the output names it.
    pub image: Option<String>,
    /// The chart of a Helm release, without its version.
    pub chart: Option<String>,
    /// The number of Nodes on which a DaemonSet needs Pods; `None` for other kinds.
    pub nodes: Option<Nodes>,
    /// What the columns or the object itself state about its health.
    pub health: Option<Health>,
    /// What a whole object states. It is shared because it is large, and rows are copied.
    pub object: Option<Arc<ObjectContent>>,
}

impl Row {
    /// Whether the columns or the object state that something is wrong with the object.
    #[must_use]
    pub fn is_unhealthy(&self) -> bool {
        self.health.as_ref().is_some_and(|health| !health.healthy)
    }

    /// Whether the name of the object could be that of a component.
    #[must_use]
    pub fn could_be_component(&self) -> bool {
        match self.kind.as_deref() {
            Some(kind) => !INSTANCES.contains(&kind),
            None => self.namespace.is_some() || self.name.contains('-'),
        }
    }
}

/// The number of Nodes on which a DaemonSet needs Pods.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Nodes {
    /// The labels that a Node must have, as printed, with commas between; empty if none are printed.
    pub selector: String,
    /// Whether any Node matches: DESIRED is not 0.
    pub any: bool,
}

/// Parses a row of `kubectl get`, with or without NAMESPACE column and kind prefix. `None` for a row without a name.
#[must_use]
pub fn parse_row(text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.split_whitespace().collect();
    let first = *cells.first()?;
    let row = |namespace: Option<&str>, kind: Option<String>, name: &str, rest: &[&str]| {
        let (nodes, health) = (nodes(kind.as_deref(), rest), health(kind.as_deref(), rest));
        Some(Row { namespace: namespace.map(str::to_owned), kind, name: name.to_owned(), nodes, health, ..Row::default() })
    };
    if let Some((kind, name)) = kind_and_name(first) {
        return row(None, Some(kind), &name, &cells[1..]);
    }
    if let Some((kind, name)) = cells.get(1).and_then(|cell| kind_and_name(cell)) {
        return row(Some(first), Some(kind), &name, &cells[2..]);
    }
    // If the second column is a state, a count or the type of a Service, the first is the name, not the namespace.
    let is_name_first = || kind_of_columns(&cells[1..]).is_some();
    let (namespace, name, rest) = match cells.get(1) {
        Some(second) if !is_cell(second) && cells.len() > 2 && !is_name_first() => (Some(first), *second, &cells[2..]),
        _ => (None, first, &cells[1..]),
    };
    row(namespace, kind_of_columns(rest).map(str::to_owned), name, rest)
}

/// Parses a row without a header, if it is unambiguous and not text between rows. `alone` is whether the listing has no other line.
pub(super) fn certain_row(text: &str, alone: bool) -> Option<Row> {
    let mut cells = text.split_whitespace();
    let first = cells.next()?;
    let (second, third) = (cells.next(), cells.next());
    if prefixed(first).is_some() {
        return parse_row(text);
    }
    if let Some(row) = binding_row(text) {
        return Some(row);
    }
    if second.and_then(prefixed).is_some() {
        return if is_name(first) && third.is_none_or(|cell| is_cell(cell) || is_age(cell)) { parse_row(text) } else { None };
    }
    let Some(second) = second else {
        return bare_name(first, alone);
    };
    let is_compound = |word: &str| word.contains('-') && is_name(word);
    if third.is_none() {
        if is_age(second) {
            let compound = is_name(first) && first.contains(['-', '.', ':']);
            return compound.then(|| Row { name: first.to_owned(), ..Row::default() });
        }
        // A namespace and a name, which are common as custom columns.
        let both = (first == "default" || is_compound(first)) && is_compound(second);
        return both.then(|| Row { namespace: Some(first.to_owned()), name: second.to_owned(), ..Row::default() });
    }
    let all: Vec<&str> = text.split_whitespace().collect();
    if is_age(first) && matches!(second, "Normal" | "Warning") {
        // An event. The object that it is about has its kind as a prefix.
        let (kind, name) = all.iter().find_map(|cell| prefixed(cell))?;
        return Some(Row { kind: Some(kind), name, ..Row::default() });
    }
    if all.get(3).is_some_and(|cell| is_share(cell)) && is_name(first) && is_name(second) {
        // A Pod of a Node, as `kubectl describe node` prints it, with its share of the CPU.
        return Some(Row { namespace: Some(first.to_owned()), kind: Some("Pod".to_owned()), name: second.to_owned(), ..Row::default() });
    }
    if kind_of_columns(&all[1..]) == Some("HelmRelease") && is_name(first) && is_name(second) {
        let (kind, health) = (Some("HelmRelease".to_owned()), health(Some("HelmRelease"), &all[1..]));
        let row = Row { namespace: Some(second.to_owned()), kind, name: first.to_owned(), health, ..Row::default() };
        return Some(release(row, &all));
    }
    let named = |cells: &[&str]| {
        kind_of_columns(cells).is_some()
            || (cells.first().is_some_and(|cell| is_cell(cell)) && cells.last().is_some_and(|cell| is_age(cell)))
    };
    (named(&all[1..]) || named(&all[2..])).then(|| parse_row(text)).flatten()
}

/// Parses the row of a RoleBinding or ClusterRoleBinding: the cell after the name is its role.
fn binding_row(text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.split_whitespace().take(4).collect();
    let (namespace, name) = match cells.as_slice() {
        [name, role, age, ..] if is_role(role) && is_age(age) => (None, name),
        [namespace, name, role, age] if is_role(role) && is_age(age) && is_name(namespace) => (Some((*namespace).to_owned()), name),
        _ => return None,
    };
    let kind = if namespace.is_some() { "RoleBinding" } else { "ClusterRoleBinding" };
    is_name(name).then(|| Row { namespace, kind: Some(kind.to_owned()), name: (*name).to_owned(), ..Row::default() })
}

/// A row that consists of a name, optionally with its namespace: `kube-system/coredns-5d78c9869d-x8k2p`. Versions, file names and UUIDs are not names.
fn bare_name(word: &str, alone: bool) -> Option<Row> {
    let is_compound = |word: &str| word.contains('-') && is_name(word);
    if let Some((namespace, name)) = word.split_once('/') {
        let both = (namespace == "default" || is_compound(namespace)) && is_name(name);
        return both.then(|| Row { namespace: Some(namespace.to_owned()), name: name.to_owned(), ..Row::default() });
    }
    let starts_as_name = word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.bytes().any(|byte| byte.is_ascii_uppercase());
    let is_version = word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let is_file = FILES.iter().any(|ending| word.ends_with(ending));
    let is_uuid = word.len() == 36 && word.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    let possible = is_name(word) && starts_as_name && !is_version && !is_file && !is_uuid;
    (possible && (alone || word.contains('-'))).then(|| Row { name: word.to_owned(), ..Row::default() })
}

/// Extensions of file names that are common in texts about clusters.
pub(super) const FILES: &[&str] = &[".tgz", ".gz", ".zip", ".yaml", ".yml", ".json", ".md", ".sh", ".txt", ".log", ".tar"];

/// The kind and the name, if the kind is a kind of Kubernetes or has a group.
fn prefixed(cell: &str) -> Option<(String, String)> {
    let (prefix, _) = cell.split_once('/')?;
    let known = prefix.contains('.') || known_kind(prefix).is_some();
    kind_and_name(cell).filter(|_| known)
}

/// Parses a message of kubectl up to 1.10, which `kubectl delete` still uses: `deployment "web" created`, `pod "web-0" deleted from prod namespace`.
pub(super) fn done_row(text: &str) -> Option<Row> {
    let (kind, rest) = text.split_once(' ')?;
    let mut parts = rest.strip_prefix(['"', '“'])?.splitn(2, ['"', '”']);
    let (name, done) = (parts.next()?, parts.next()?);
    let mut words = done.strip_prefix(' ')?.split_whitespace();
    let is_kind = kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-');
    let (kind, group) = kind.split_once('.').map_or((kind, None), |(kind, group)| (kind, Some(group)));
    let is_known = !kind.is_empty() && group.map_or_else(|| known_kind(kind).is_some(), |group| !group.is_empty());
    if !is_kind || !is_known || !words.next().is_some_and(|word| DONE.contains(word)) {
        return None;
    }
    let namespace = if words.next() == Some("from") { words.next().filter(|_| words.next() == Some("namespace")) } else { None };
    Some(Row { namespace: namespace.map(str::to_owned), kind: Some(kind_of_group(kind, group)), name: name.to_owned(), ..Row::default() })
}

/// The words after the name in messages of kubectl.
pub(super) const DONE: WordList = WordList(
    "created deleted configured unchanged edited scaled patched replaced labeled annotated evicted force drained already cordoned \
     uncordoned exposed autoscaled image successfully",
);

/// Parses a row of a table with a known header. `None` if the row ends before its name, or does not belong to the table.
pub(super) fn row_below(header: &Header, text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.split_whitespace().collect();
    // A cluster-scoped object has an empty namespace cell, so its cells are one to the left.
    let name_at = header.namespace.filter(|at| *at + 1 == header.name && cells.get(*at).is_some_and(|cell| prefixed(cell).is_some()));
    let (name_at, namespace_at) = name_at.map_or((header.name, header.namespace), |at| (at, None));
    // Dates consist of several words, so that the last column is the last word.
    let is_last = |at: usize| at + 1 == header.length;
    let namespace = namespace_at.and_then(|at| match at {
        _ if at > name_at && is_last(at) => cells.last(),
        _ if at > name_at => column_at(&cells, at),
        _ => cells.get(at),
    });
    // A namespace of containerd has dots: `k8s.io  kube-system/etcd-node1:etcd`.
    let is_containerd = namespace.is_some_and(|cell| cell.contains('.')) && cells.get(name_at).is_some_and(|cell| cell.contains('/'));
    let namespace = namespace.filter(|_| !is_containerd).map(|&cell| cell.to_owned());
    if header.objects {
        let (kind, name) = cells.iter().find_map(|cell| prefixed(cell))?;
        return Some(Row { namespace, kind: Some(kind), name, ..Row::default() });
    }
    let name = *cells.get(name_at)?;
    let name = name.split(':').next().filter(|_| is_containerd).unwrap_or(name);
    let rest = cells.get(name_at + 1..).unwrap_or_default();
    if !header.fits(&cells[name_at..]) {
        return None;
    }
    let of_columns = || {
        let column = header.kind_at.and_then(|at| cells.get(at)).map(|cell| known_kind(cell).unwrap_or(cell));
        column.or(header.kind).or_else(|| kind_of_columns(rest)).map(str::to_owned)
    };
    let (namespace, kind, name) = match (namespace_and_name(name), kind_and_name(name)) {
        (Some((of, name)), _) if namespace.is_none() => (Some(of.to_owned()), of_columns(), name.to_owned()),
        (_, Some((kind, name))) => (namespace, Some(kind), name),
        (_, None) => (namespace, of_columns(), name.to_owned()),
    };
    let (nodes, health) = (nodes(kind.as_deref(), rest), health(kind.as_deref(), rest));
    let row = Row { namespace, kind, name, cut: rest.is_empty() && header.next.is_some(), nodes, health, ..Row::default() };
    Some(if header.kind == Some("HelmRelease") { release(row, &cells) } else { row })
}

/// A name after its namespace, in a column of names: `monitoring/grafana`. A word that is no kind of Kubernetes and has no group is a namespace, which has no capitals.
fn namespace_and_name(cell: &str) -> Option<(&str, &str)> {
    let (namespace, name) = cell.split_once('/').filter(|_| prefixed(cell).is_none())?;
    (is_name(namespace) && !namespace.contains(|c: char| c == '.' || c.is_ascii_uppercase()) && is_name(name)).then_some((namespace, name))
}

/// The cell of a column behind the name: `3 (5d ago)` is one column.
fn column_at<'c, 't>(cells: &'c [&'t str], column: usize) -> Option<&'c &'t str> {
    let is_time = |at: usize| {
        let is_begin = |at: usize| cells[at].starts_with('(') && cells.get(at + 1) == Some(&"ago)");
        is_begin(at) || (at > 0 && cells[at] == "ago)" && is_begin(at - 1))
    };
    cells.iter().enumerate().filter(|(at, _)| !is_time(*at)).map(|(_, cell)| cell).nth(column)
}

/// The row of a Helm release, with its chart, which is the cell after the status.
fn release(row: Row, cells: &[&str]) -> Row {
    let Some(at) = cells.iter().position(|cell| HELM_STATUSES.contains(cell)) else { return row };
    let chart = cells.get(at + 1).and_then(|chart| without_version(chart)).map(str::to_owned);
    Row { chart, ..row }
}

/// The name of a chart: `ingress-nginx` of `ingress-nginx-4.10.0`.
fn without_version(chart: &str) -> Option<&str> {
    let starts = |at: usize| {
        let version = chart[at + 1..].strip_prefix('v').unwrap_or(&chart[at + 1..]);
        version.starts_with(|c: char| c.is_ascii_digit())
    };
    chart.match_indices('-').map(|(at, _)| at).find(|at| starts(*at)).map(|at| &chart[..at]).filter(|name| is_name(name))
}

/// The Nodes of the row of a DaemonSet.
fn nodes(kind: Option<&str>, cells: &[&str]) -> Option<Nodes> {
    let desired = cells.first().filter(|cell| kind == Some("DaemonSet") && is_count(cell))?;
    let selector = cells.iter().find(|cell| !is_count(cell)).filter(|cell| cell.contains('=') || cell.contains('/'));
    Some(Nodes { selector: selector.map(|selector| (*selector).to_owned()).unwrap_or_default(), any: *desired != "0" })
}

/// `deployment.apps/coredns` is the Deployment `coredns`. Neither a READY cell such as `1/1` nor the Secret type `kubernetes.io/tls` is a kind and a name.
pub(super) fn kind_and_name(cell: &str) -> Option<(String, String)> {
    let (kind, name) = cell.split_once('/')?;
    let (kind, group) = kind.split_once('.').map_or((kind, None), |(kind, group)| (kind, Some(group)));
    if group.is_some_and(|group| !group.contains('.') && !SHORT_GROUPS.contains(&group)) {
        return None;
    }
    let is_kind = kind.len() > 1 && kind.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_kind && !name.is_empty()).then(|| (kind_of_group(kind, group), name.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str) -> String {
        let row = parse_row(text).unwrap_or_default();
        format!("{} {} {}", row.namespace.unwrap_or_default(), row.kind.unwrap_or_default(), row.name).trim().to_owned()
    }

    #[test]
    fn rows_in_every_form() {
        for (text, expected) in [
            ("pod/kube-dns-5bfd847c64-p6tgx   4/4   Running   0   3m22s", "Pod kube-dns-5bfd847c64-p6tgx"),
            ("kube-system   pod/etcd-node1   1/1   Running   0   104s", "kube-system Pod etcd-node1"),
            ("kube-system   etcd-node1   1/1   Running   0   104s", "kube-system Pod etcd-node1"),
            ("azure-cns-77xqz   1/1   Running   0   3d16h", "Pod azure-cns-77xqz"),
            ("deployment.apps/coredns   2/2   2   2   11d", "Deployment coredns"),
            ("coredns   2/2   2   2   11d", "Deployment coredns"),
            ("kube-dns   ClusterIP   10.0.0.10   <none>   53/UDP,53/TCP   11d", "Service kube-dns"),
            ("kube-system   kube-dns   ClusterIP   10.0.0.10   <none>   53/UDP   11d", "kube-system Service kube-dns"),
            ("overlay-upgrade-data   4   11d", "overlay-upgrade-data"),
            ("fluentd-gcp-v2.0.17   4   4   4   4   4   beta=true   30d", "DaemonSet fluentd-gcp-v2.0.17"),
            ("pod/kube-scheduler-i-0ad86f23f13499914", "Pod kube-scheduler-i-0ad86f23f13499914"),
            ("coredns", "coredns"),
            ("po/kube-dns-v20-1485703853-jd8hx   3/3   Running   0   4h", "Pod kube-dns-v20-1485703853-jd8hx"),
            ("kube-system   deploy/heapster   1   1   1   1   4h", "kube-system Deployment heapster"),
            ("svc/kubernetes   10.0.0.1   <none>   443/TCP   4h", "Service kubernetes"),
            ("default-token-x7k2p   kubernetes.io/service-account-token   3   400d", "Secret default-token-x7k2p"),
            (
                "kube-system   apiservice.apiregistration.k8s.io/v1beta1.metrics.k8s.io   True",
                "kube-system APIService v1beta1.metrics.k8s.io",
            ),
        ] {
            assert_eq!(row(text), expected, "{text}");
        }
        assert_eq!(parse_row("   "), None);
    }
}
