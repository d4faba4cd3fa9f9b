//! Objects that have the name of a component's workload, and no pattern: its ServiceAccount, its roles, its Lease, the Helm release that created it.

use super::{mentions::EVENT_SOURCE, row::Row, runtimes::CONTAINER, word_list::WordList};

/// Kinds of objects that usually have the name of the workload that they exist for.
pub(super) const KINDS: WordList = WordList(
    "ServiceAccount Role RoleBinding ClusterRole ClusterRoleBinding Lease MutatingWebhookConfiguration ValidatingWebhookConfiguration \
     PodDisruptionBudget HorizontalPodAutoscaler VerticalPodAutoscaler NetworkPolicy ServiceMonitor PodMonitor HelmRelease EventSource",
);

/// The names of the workload that the object of a row may exist for, the most likely first.
pub(super) fn workload_names(row: &Row) -> Vec<&str> {
    let kind = row.kind.as_deref().unwrap_or_default();
    // Custom resources have the group of their API in the name of their kind only if it is ambiguous; kubectl prints kinds in lower case.
    if kind != CONTAINER && !KINDS.0.split(' ').any(|known| known.eq_ignore_ascii_case(kind)) {
        return Vec::new();
    }
    let name = row.name.as_str();
    // Any word of an event can be its source.
    if kind == EVENT_SOURCE && !name.contains('-') {
        return Vec::new();
    }
    [Some(name), name.strip_prefix("system:"), row.chart.as_deref()].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_workloads() {
        for (kind, name, expected) in [
            ("ClusterRole", "system:coredns", "system:coredns coredns"),
            ("servicemonitor", "coredns", "coredns"),
            ("Container", "coredns", "coredns"),
            ("EventSource", "cluster-autoscaler", "cluster-autoscaler"),
            ("EventSource", "coredns", ""),
            ("ConfigMap", "coredns", ""),
            ("", "coredns", ""),
        ] {
            let row = Row { kind: Some(kind.to_owned()), name: name.to_owned(), ..Row::default() };
            assert_eq!(workload_names(&row).join(" "), expected, "{kind} {name}");
        }
    }
}
