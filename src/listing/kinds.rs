//! Kinds of objects, as kubectl prints them and users type them.

use super::controller::STATIC_POD;
use crate::text::did_you_mean;

/// The kinds of Kubernetes' own API that listings show, with the short names and plurals that users type and that kubectl up to 1.8 printed before names
/// (`po/`, `deploy/`). Source: `kubectl api-resources` of 1.2 to 1.37. A plural that only adds an `s` is not listed.
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
    // Additional kinds in the output of OpenShift's `oc get all`, and the parts of OpenShift. Source: `oc api-resources` of 3.11 and 4.16.
    ("DeploymentConfig", &["dc"]),
    ("BuildConfig", &["bc"]),
    ("ImageStream", &["is"]),
    ("Route", &[]),
    ("ClusterOperator", &["co"]),
];

/// Kinds of objects without a namespace: a row with a namespace is not of these kinds. Source: `kubectl api-resources --namespaced=false`.
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
    "CertificateSigningRequest",
    "VolumeAttachment",
    "ClusterOperator",
];

/// Kinds whose objects are named after components or with plain words such as `exempt`: a name without a kind is not theirs.
pub(super) const ONLY_TYPED: &[&str] = &["ClusterOperator", "FlowSchema", "PriorityLevelConfiguration"];

/// Kinds whose objects have names that no component determines: users, machines or controllers name them.
pub(super) const INSTANCES: &[&str] = &[
    "Node",
    "Namespace",
    "Event",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "VolumeAttachment",
    "CertificateSigningRequest",
    "CSINode",
    "ControllerRevision",
    "Endpoints",
    "EndpointSlice",
];

/// Kinds whose objects support a workload: deleting one has another effect than deleting the workload. A Lease is created again, a PriorityClass stays valid
/// for Pods that have it, and with a Namespace, everything in it is deleted.
pub(super) const OWN_EFFECT: &[&str] = &[
    "APIService",
    "CSIDriver",
    "CertificateSigningRequest",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "HorizontalPodAutoscaler",
    "IngressClass",
    "Lease",
    "LimitRange",
    "MutatingWebhookConfiguration",
    "Namespace",
    "NetworkPolicy",
    "PodDisruptionBudget",
    "PriorityClass",
    "ResourceQuota",
    "Role",
    "RoleBinding",
    "RuntimeClass",
    "ServiceAccount",
    "StorageClass",
    "ValidatingWebhookConfiguration",
];

/// Whether objects of a kind have no namespace.
#[must_use]
pub fn is_cluster_scoped(kind: &str) -> bool {
    CLUSTER_SCOPED.contains(&kind)
}

/// The groups of Kubernetes' own API without a dot; every other group is a domain name.
pub(super) const SHORT_GROUPS: &[&str] = &["apps", "autoscaling", "batch", "extensions", "policy"];

/// The groups of the kinds of OpenShift that are known here.
pub(super) const OPENSHIFT_GROUPS: &[&str] =
    &["apps.openshift.io", "build.openshift.io", "config.openshift.io", "image.openshift.io", "route.openshift.io"];

/// Whether the known kinds are in this API group. A Service, Job or Ingress of any other group is a custom resource with the same name.
pub(super) fn is_own_group(group: &str) -> bool {
    SHORT_GROUPS.contains(&group) || group.ends_with(".k8s.io") || OPENSHIFT_GROUPS.contains(&group)
}

/// The full name of a kind: with its group if it is a custom resource with the name of a known kind.
pub(super) fn kind_of_group(kind: &str, group: Option<&str>) -> String {
    match (known_kind(kind), group) {
        (Some(known), None) => known.to_owned(),
        (Some(known), Some(group)) if is_own_group(group) => known.to_owned(),
        (Some(_), Some(group)) => format!("{kind}.{group}"),
        (None, _) => kind.to_owned(),
    }
}

/// Every short name and plural, in lower case, with its kind.
pub(super) fn short_kinds() -> impl Iterator<Item = (String, &'static str)> {
    KINDS.iter().flat_map(|(full, others)| {
        let irregular = others.iter().any(|other| other.ends_with("ies") || other.ends_with("ses"));
        let plural = Some(format!("{}s", full.to_ascii_lowercase())).filter(|_| !irregular && !full.ends_with('s'));
        others.iter().map(|other| (*other).to_owned()).chain(plural).map(|other| (other, *full))
    })
}

/// The known kind with this name, plural or short name, in any case.
pub(super) fn known_kind(word: &str) -> Option<&'static str> {
    let is =
        |kind: &str| kind.eq_ignore_ascii_case(word) || word.strip_suffix(['s', 'S']).is_some_and(|one| kind.eq_ignore_ascii_case(one));
    let known = KINDS.iter().find(|(full, others)| is(full) || others.iter().any(|other| other.eq_ignore_ascii_case(word)));
    known.map(|(full, _)| *full)
}

/// The kind that was probably meant by a word that isn't a kind: a short name, a plural, another case, a misspelling. `None` for other words, unless they
/// resemble a known kind so closely that they would mislead readers, too.
#[must_use]
pub fn meant_kind(word: &str) -> Option<&'static str> {
    // The API has no kind for static Pods.
    let all = || KINDS.iter().map(|(full, _)| *full).chain([STATIC_POD]);
    if all().any(|kind| kind == word) { None } else { known_kind(word).or_else(|| did_you_mean(word, all())) }
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
