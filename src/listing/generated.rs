//! Name suffixes that the API server and controllers generate.

use super::{row::Row, segment::Segment};

/// How many characters of a longer name the API server keeps before the random suffix (k8s.io/apiserver, names.SimpleNameGenerator).
pub(super) const MAX_BASE_LENGTH: usize = 58;

/// The length of the random suffix of a Pod.
pub(super) const RANDOM_LENGTH: usize = 5;

/// The name of a row without the random suffix of its kind: `coredns-5d78c9869d` of the Pod `coredns-5d78c9869d-x8k2p`.
pub(super) fn without_random_suffix(row: &Row) -> &str {
    let is_generated = |last: &str| match row.kind.as_deref() {
        Some("Pod" | "EndpointSlice") | None => last.len() == RANDOM_LENGTH && Segment::PodSuffix.accepts(last),
        Some("ControllerRevision") => Segment::Hash.accepts(last),
        Some("Secret") => last.len() == RANDOM_LENGTH && Segment::PodSuffix.accepts(last) && row.name.contains("-token-"),
        _ => false,
    };
    match row.name.rsplit_once('-') {
        Some((name, last)) if is_generated(last) => name,
        _ => &row.name,
    }
}

/// The name of a row that no pattern fits without the suffixes that controllers usually generate: `web` of the Pod `web-7d4b9c8f6d-x2k9p`.
#[must_use]
pub fn without_generated_suffixes(row: &Row) -> &str {
    let base = without_random_suffix(row);
    let of_deployment = match row.kind.as_deref() {
        Some("Pod") | None => base.len() < row.name.len(),
        Some("ReplicaSet") => true,
        _ => false,
    };
    match base.rsplit_once('-') {
        Some((name, hash)) if of_deployment && Segment::TemplateHash.accepts(hash) => name,
        _ => base,
    }
}
