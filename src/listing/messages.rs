//! Messages that name a component without being rows: errors of kubectl, addresses with a well-known port.

use super::{cells::is_name, row::Row, runtimes::PROCESS};

/// Texts of messages, and the process or workload that they are about. Ports are those that only one process of the cluster listens on by default.
pub(super) const ABOUT: &[(&str, &str)] = &[
    ("Metrics API not available", "metrics-server"),
    ("metrics.k8s.io", "metrics-server"),
    (":10250", "kubelet"),
    (":10255", "kubelet"),
    (":10256", "kube-proxy"),
    (":10257", "kube-controller-manager"),
    (":10259", "kube-scheduler"),
    (":2379", "etcd"),
    (":6443", "kube-apiserver"),
    ("The connection to the server", "kube-apiserver"),
];

/// The objects that a message may be about, the most specific first: the Service of a webhook, then a process.
#[must_use]
pub fn objects_of_message(text: &str) -> Vec<Row> {
    let services = text.split("https://").skip(1).filter_map(service);
    let about = ABOUT.iter().filter(|(part, _)| text.contains(part));
    let processes = about.map(|(_, name)| Row { kind: Some(PROCESS.to_owned()), name: (*name).to_owned(), ..Row::default() });
    services.chain(processes).collect()
}

/// The Service of a host name inside the cluster: `metrics-server.kube-system.svc:443`.
pub(super) fn service(address: &str) -> Option<Row> {
    let host = address.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).next().unwrap_or_default();
    let mut parts = host.split('.');
    let (name, namespace) = (parts.next()?, parts.next()?);
    let is_service = parts.next() == Some("svc") && is_name(name) && is_name(namespace);
    is_service.then(|| Row {
        namespace: Some(namespace.to_owned()),
        kind: Some("Service".to_owned()),
        name: name.to_owned(),
        ..Row::default()
    })
}

#[cfg(test)]
mod tests {
    use super::objects_of_message;

    #[test]
    fn messages_are_about_objects() {
        for (text, expected) in [
            ("error: Metrics API not available", "Process/metrics-server"),
            ("failed calling webhook \"a.b.io\": Post \"https://my-hook.my-ns.svc:443/x?timeout=10s\": EOF", "my-ns/Service/my-hook"),
            ("dial tcp 10.0.0.4:10250: i/o timeout", "Process/kubelet"),
            ("https://kubernetes.io/docs", ""),
        ] {
            let rows = objects_of_message(text).into_iter().map(|row| {
                let namespace = row.namespace.map(|namespace| format!("{namespace}/")).unwrap_or_default();
                format!("{namespace}{}/{}", row.kind.unwrap_or_default(), row.name)
            });
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }
}
