//! The objects that controllers derive from other objects, and their names.

use super::{
    controller::{POD, STATIC_POD},
    segment::Segment,
};

/// The kind of a row, and what is appended to the name.
pub(super) type DerivedRow = (&'static str, &'static [Segment]);

/// The rows that are derived from an object of a kind: their kind, and the segments that the controller appends to the name. Other kinds have a single row.
pub(super) const DERIVED: &[(&str, &[DerivedRow])] = &[
    ("Deployment", &[("Deployment", &[]), ("ReplicaSet", &[Segment::TemplateHash]), (POD, &[Segment::TemplateHash, Segment::PodSuffix])]),
    ("ReplicaSet", &[("ReplicaSet", &[]), (POD, &[Segment::PodSuffix])]),
    ("ReplicationController", &[("ReplicationController", &[]), (POD, &[Segment::PodSuffix])]),
    ("DaemonSet", &[("DaemonSet", &[]), (POD, &[Segment::PodSuffix])]),
    ("Job", &[("Job", &[]), (POD, &[Segment::PodSuffix])]),
    ("StatefulSet", &[("StatefulSet", &[]), (POD, &[Segment::Ordinal])]),
    ("CronJob", &[("CronJob", &[]), ("Job", &[Segment::Ordinal]), (POD, &[Segment::Ordinal, Segment::PodSuffix])]),
    (STATIC_POD, &[(POD, &[Segment::Node])]),
];

/// Whether objects of a kind create Pods.
#[must_use]
pub fn creates_pods(kind: &str) -> bool {
    DERIVED.iter().any(|(of, rows)| *of == kind && rows.iter().any(|(kind, _)| *kind == POD))
}

/// Whether objects of a kind are Pods or create Pods.
#[must_use]
pub fn is_workload(kind: &str) -> bool {
    kind == POD || creates_pods(kind)
}
