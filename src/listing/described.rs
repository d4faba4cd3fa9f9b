//! Lines of `kubectl describe`.

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
