//! Kinds of objects, as kubectl prints and people type them.

/// The kinds of Kubernetes' own API that listings show, with the short names and plurals that people type and that kubectl up to 1.8 printed before names (`po/`,
/// `deploy/`). Source: `kubectl api-resources` of 1.2 to 1.37. A plural that only adds an `s` is not written out.
pub(super) const KINDS: &[(&str, &[&str])] = &[
    ("Pod", &["po"]),
    ("Service", &["svc"]),
    ("Deployment", &["deploy"]),
    ("ReplicaSet", &["rs"]),
    ("ReplicationController", &["rc"]),
    ("DaemonSet", &["ds"]),
    ("StatefulSet", &["sts"]),
    ("Job", &[]),
    ("CronJob", &["cj"]),
    ("ConfigMap", &["cm"]),
    ("Secret", &[]),
    ("ServiceAccount", &["sa"]),
    ("Namespace", &["ns"]),
    ("Node", &["no"]),
    ("Endpoints", &["ep"]),
    ("EndpointSlice", &[]),
    ("Ingress", &["ing", "ingresses"]),
    ("IngressClass", &["ingressclasses"]),
    ("Event", &["ev"]),
    ("HorizontalPodAutoscaler", &["hpa"]),
    ("PodDisruptionBudget", &["pdb"]),
    ("NetworkPolicy", &["netpol", "networkpolicies"]),
    ("PersistentVolume", &["pv"]),
    ("PersistentVolumeClaim", &["pvc"]),
    ("StorageClass", &["sc", "storageclasses"]),
    ("VolumeAttachment", &[]),
    ("CSIDriver", &[]),
    ("CSINode", &[]),
    ("PriorityClass", &["pc", "priorityclasses"]),
    ("RuntimeClass", &["runtimeclasses"]),
    ("ResourceQuota", &["quota"]),
    ("LimitRange", &["limits"]),
    ("ControllerRevision", &[]),
    ("Lease", &[]),
    ("Role", &[]),
    ("RoleBinding", &[]),
    ("ClusterRole", &[]),
    ("ClusterRoleBinding", &[]),
    ("CustomResourceDefinition", &["crd", "crds"]),
    ("APIService", &[]),
    ("MutatingWebhookConfiguration", &[]),
    ("ValidatingWebhookConfiguration", &[]),
    ("CertificateSigningRequest", &["csr"]),
    ("ComponentStatus", &["cs", "componentstatuses"]),
];

/// Kinds of objects that are in no namespace, so that a row with one is none of these. Source: `kubectl api-resources --namespaced=false`.
pub(super) const CLUSTER_SCOPED: &[&str] = &[
    "Namespace",
    "Node",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "StorageClass",
    "PersistentVolume",
    "PriorityClass",
    "RuntimeClass",
    "CSIDriver",
    "CSINode",
    "APIService",
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
    "IngressClass",
    "ComponentStatus",
];

/// Every short name and plural, in lower case, with the kind it stands for.
pub(super) fn short_kinds() -> impl Iterator<Item = (String, &'static str)> {
    KINDS.iter().flat_map(|(full, others)| {
        let irregular = others.iter().any(|other| other.ends_with("ies") || other.ends_with("ses"));
        let plural = Some(format!("{}s", full.to_ascii_lowercase())).filter(|_| !irregular && !full.ends_with('s'));
        others.iter().map(|other| (*other).to_owned()).chain(plural).map(|other| (other, *full))
    })
}

/// The kind that a word stands for: its own name, its plural or its short name, in any case.
pub(super) fn known_kind(word: &str) -> Option<&'static str> {
    let is =
        |kind: &str| kind.eq_ignore_ascii_case(word) || word.strip_suffix(['s', 'S']).is_some_and(|one| kind.eq_ignore_ascii_case(one));
    let known = KINDS.iter().find(|(full, others)| is(full) || others.iter().any(|other| other.eq_ignore_ascii_case(word)));
    known.map(|(full, _)| *full)
}

#[cfg(test)]
mod tests {
    use super::known_kind;

    #[test]
    fn kinds_have_many_names() {
        for (word, kind) in [
            ("pod", Some("Pod")),
            ("pods", Some("Pod")),
            ("po", Some("Pod")),
            ("DaemonSets", Some("DaemonSet")),
            ("ds", Some("DaemonSet")),
            ("netpol", Some("NetworkPolicy")),
            ("endpoints", Some("Endpoints")),
            ("endpointslices", Some("EndpointSlice")),
            ("all", None),
            ("s", None),
            ("", None),
        ] {
            assert_eq!(known_kind(word), kind, "{word}");
        }
    }
}
