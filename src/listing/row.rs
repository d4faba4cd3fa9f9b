//! One printed row.

use super::header::Header;

/// What a row says about its object.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    /// The NAMESPACE column, if the listing has one.
    pub namespace: Option<String>,
    /// The kind, from the prefix or from the shape of the columns; as written, without the API group.
    pub kind: Option<String>,
    /// The name.
    pub name: String,
}

/// Reads one row of `kubectl get`, with or without NAMESPACE column and kind prefix. `None` for a row without a name.
#[must_use]
pub fn parse_row(text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.split_whitespace().collect();
    let first = *cells.first()?;
    if let Some((kind, name)) = kind_and_name(first) {
        return Some(Row { namespace: None, kind: Some(kind), name });
    }
    if let Some((kind, name)) = cells.get(1).and_then(|cell| kind_and_name(cell)) {
        return Some(Row { namespace: Some(first.to_owned()), kind: Some(kind), name });
    }
    // Whether the first column is the namespace shows in the second: a state, a count and a Service's type are no names.
    let (namespace, name, rest) = match cells.get(1) {
        Some(second) if !is_cell(second) && cells.len() > 2 => (Some(first), *second, &cells[2..]),
        _ => (None, first, &cells[1..]),
    };
    Some(Row { namespace: namespace.map(str::to_owned), kind: kind_of_columns(rest).map(str::to_owned), name: name.to_owned() })
}

/// Reads one row of a table whose header is known. `None` if the row ends before its name.
pub(super) fn row_below(header: &Header, text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.split_whitespace().collect();
    let name = *cells.get(header.name)?;
    let namespace = header.namespace.and_then(|at| cells.get(at)).map(|&cell| cell.to_owned());
    if let Some((kind, name)) = kind_and_name(name) {
        return Some(Row { namespace, kind: Some(kind), name });
    }
    let shape = || kind_of_columns(cells.get(header.name + 1..).unwrap_or_default());
    Some(Row { namespace, kind: header.kind.or_else(shape).map(str::to_owned), name: name.to_owned() })
}

/// The groups of the API without a dot; every other group is a domain name.
const SHORT_GROUPS: &[&str] = &["apps", "autoscaling", "batch", "extensions", "policy"];

/// `deployment.apps/coredns` is the Deployment `coredns`. A READY cell such as `1/1` is none, nor is the type `kubernetes.io/tls` of a Secret.
fn kind_and_name(cell: &str) -> Option<(String, String)> {
    let (kind, name) = cell.split_once('/')?;
    let (kind, group) = kind.split_once('.').map_or((kind, None), |(kind, group)| (kind, Some(group)));
    if group.is_some_and(|group| !group.contains('.') && !SHORT_GROUPS.contains(&group)) {
        return None;
    }
    let is_kind = kind.len() > 1 && kind.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_kind && !name.is_empty()).then(|| (in_full(kind).to_owned(), name.to_owned()))
}

/// What kubectl up to 1.8 printed before names (`po/`, `deploy/`), and what people type: short names and plurals. Source: `kubectl api-resources`.
const SHORT_KINDS: &[(&str, &[&str])] = &[
    ("Pod", &["po", "pods"]),
    ("Service", &["svc", "services"]),
    ("Deployment", &["deploy", "deployments"]),
    ("ReplicaSet", &["rs", "replicasets"]),
    ("ReplicationController", &["rc", "replicationcontrollers"]),
    ("DaemonSet", &["ds", "daemonsets"]),
    ("StatefulSet", &["sts", "statefulsets"]),
    ("Job", &["jobs"]),
    ("CronJob", &["cj", "cronjobs"]),
    ("ConfigMap", &["cm", "configmaps"]),
    ("Secret", &["secrets"]),
    ("ServiceAccount", &["sa", "serviceaccounts"]),
    ("Namespace", &["ns", "namespaces"]),
    ("Node", &["no", "nodes"]),
    ("Endpoints", &["ep"]),
    ("Ingress", &["ing", "ingresses"]),
    ("Event", &["ev", "events"]),
    ("HorizontalPodAutoscaler", &["hpa", "horizontalpodautoscalers"]),
    ("PodDisruptionBudget", &["pdb", "poddisruptionbudgets"]),
    ("NetworkPolicy", &["netpol", "networkpolicies"]),
    ("PersistentVolume", &["pv", "persistentvolumes"]),
    ("PersistentVolumeClaim", &["pvc", "persistentvolumeclaims"]),
    ("StorageClass", &["sc", "storageclasses"]),
    ("PriorityClass", &["pc", "priorityclasses"]),
    ("ResourceQuota", &["quota", "resourcequotas"]),
    ("LimitRange", &["limits", "limitranges"]),
    ("CustomResourceDefinition", &["crd", "crds", "customresourcedefinitions"]),
    ("CertificateSigningRequest", &["csr", "certificatesigningrequests"]),
];

/// Every short name and plural with the kind it stands for.
pub(super) fn short_kinds() -> impl Iterator<Item = (&'static str, &'static str)> {
    SHORT_KINDS.iter().flat_map(|(full, others)| others.iter().map(|other| (*other, *full)))
}

/// The kind that a short name or a plural stands for; any other as it is.
fn in_full(kind: &str) -> &str {
    let full = SHORT_KINDS.iter().find(|(_, others)| others.iter().any(|other| other.eq_ignore_ascii_case(kind)));
    full.map_or(kind, |(full, _)| full)
}

const SERVICE_TYPES: &[&str] = &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];

fn is_count(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ready(cell: &str) -> bool {
    cell.split_once('/').is_some_and(|(ready, all)| is_count(ready) && is_count(all))
}

/// Whether a cell is a state, a count or a Service's type, and so no name.
pub(super) fn is_cell(cell: &str) -> bool {
    is_count(cell) || cell.contains('/') || SERVICE_TYPES.contains(&cell) || cell.starts_with('<')
}

/// The kind that prints these columns after the name, where they leave no doubt.
fn kind_of_columns(cells: &[&str]) -> Option<&'static str> {
    match cells {
        [kind, ..] if SERVICE_TYPES.contains(kind) => Some("Service"),
        [ready, status, ..] if is_ready(ready) && status.starts_with(|c: char| c.is_ascii_uppercase()) => Some("Pod"),
        [ready, current, available, _] if is_ready(ready) && is_count(current) && is_count(available) => Some("Deployment"),
        _ if cells.len() >= 7 && cells[..5].iter().all(|cell| is_count(cell)) => Some("DaemonSet"),
        _ => None,
    }
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
            ("pod/kube-dns-5bfd847c64-p6tgx   4/4   Running   0   3m22s", "pod kube-dns-5bfd847c64-p6tgx"),
            ("kube-system   pod/etcd-node1   1/1   Running   0   104s", "kube-system pod etcd-node1"),
            ("kube-system   etcd-node1   1/1   Running   0   104s", "kube-system Pod etcd-node1"),
            ("azure-cns-77xqz   1/1   Running   0   3d16h", "Pod azure-cns-77xqz"),
            ("deployment.apps/coredns   2/2   2   2   11d", "deployment coredns"),
            ("coredns   2/2   2   2   11d", "Deployment coredns"),
            ("kube-dns   ClusterIP   10.0.0.10   <none>   53/UDP,53/TCP   11d", "Service kube-dns"),
            ("kube-system   kube-dns   ClusterIP   10.0.0.10   <none>   53/UDP   11d", "kube-system Service kube-dns"),
            ("overlay-upgrade-data   4   11d", "overlay-upgrade-data"),
            ("fluentd-gcp-v2.0.17   4   4   4   4   4   beta=true   30d", "DaemonSet fluentd-gcp-v2.0.17"),
            ("pod/kube-scheduler-i-0ad86f23f13499914", "pod kube-scheduler-i-0ad86f23f13499914"),
            ("coredns", "coredns"),
            ("po/kube-dns-v20-1485703853-jd8hx   3/3   Running   0   4h", "Pod kube-dns-v20-1485703853-jd8hx"),
            ("kube-system   deploy/heapster   1   1   1   1   4h", "kube-system Deployment heapster"),
            ("svc/kubernetes   10.0.0.1   <none>   443/TCP   4h", "Service kubernetes"),
            ("default-token-x7k2p   kubernetes.io/service-account-token   3   400d", "default-token-x7k2p"),
            (
                "kube-system   apiservice.apiregistration.k8s.io/v1beta1.metrics.k8s.io   True",
                "kube-system apiservice v1beta1.metrics.k8s.io",
            ),
        ] {
            assert_eq!(row(text), expected, "{text}");
        }
        assert_eq!(parse_row("   "), None);
    }
}
