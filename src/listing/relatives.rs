//! Rows without their own pattern that are derived from a row with one: a copy for another operating system, an object that a controller creates for another.

use std::ops::RangeInclusive;

use super::{
    generated::{RANDOM_LENGTH, without_random_suffix},
    row::Row,
    segment::Segment,
};

/// Values of the labels `kubernetes.io/os` and `kubernetes.io/arch`, and their abbreviations. The names of copies of a DaemonSet end in one.
pub(super) const COPIES: &[&str] = &["windows", "win", "linux", "amd64", "arm64", "arm", "ppc64le", "s390x"];

/// The rows that a row may be derived from, the most likely first.
pub(super) fn relatives(row: &Row) -> Vec<Row> {
    let renamed = |kind: &str, name: &str| Row { kind: Some(kind.to_owned()), name: name.to_owned(), ..row.clone() };
    let name = row.name.as_str();
    let base = Some(without_random_suffix(row)).filter(|base| base.len() < name.len());
    match row.kind.as_deref() {
        Some("DaemonSet") => original(name).map(|name| renamed("DaemonSet", &name)).into_iter().collect(),
        // Only DaemonSets have copies, so a Pod with such a name is looked up as the DaemonSet.
        Some("Pod") | None => {
            // Kubernetes 1.22 appended `--1` to the names of Jobs.
            let of_job = base.and_then(|base| base.strip_suffix("--1")).map(|name| renamed("Job", name));
            let of_copy = || base.and_then(original).map(|name| renamed("DaemonSet", &name));
            let of_short = || shortened_by_hand(row).map(|name| renamed("Deployment", name));
            of_job.or_else(of_copy).or_else(of_short).into_iter().collect()
        }
        Some("Endpoints") => vec![renamed("Service", name)],
        Some("EndpointSlice") => base.map(|name| renamed("Service", name)).into_iter().collect(),
        Some("ControllerRevision") => {
            base.into_iter().flat_map(|name| ["DaemonSet", "StatefulSet"].map(|kind| renamed(kind, name))).collect()
        }
        Some("Secret") => {
            let own = base.and_then(|name| name.strip_suffix("-token"));
            own.map(|name| renamed("ServiceAccount", name)).into_iter().collect()
        }
        Some("PodDisruptionBudget" | "HorizontalPodAutoscaler") => {
            ["Deployment", "StatefulSet", "DaemonSet"].map(|kind| renamed(kind, name)).into()
        }
        _ => Vec::new(),
    }
}

/// The name of the Deployment of a Pod whose suffix was shortened by hand: `coredns-x8k2p`, `coredns-5d78c9869d`, `coredns-5d78-x8k2p`.
fn shortened_by_hand(row: &Row) -> Option<&str> {
    row.kind.as_ref()?;
    let (name, last) = row.name.rsplit_once('-')?;
    if Segment::TemplateHash.accepts(last) {
        return Some(name);
    }
    if !Segment::PodSuffix.accepts(last) {
        return None;
    }
    let is_short = |hash: &str| {
        hash.len() < RANDOM_LENGTH + 1
            && hash.bytes().any(|byte| byte.is_ascii_digit())
            && hash.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    match name.rsplit_once('-') {
        Some((name, hash)) if hash.len() > 2 && is_short(hash) => Some(name),
        _ => Some(name),
    }
}

/// The Deployment of a Pod whose suffix was replaced by hand, as documentation does: `coredns-1234567890-abcde`, `virt-api-6d4fc3cf8a-b2ere`. The API server
/// generates no such suffix, and an own Pod can have such a name, so that only a name in the namespace of the component is evidence.
pub(super) fn with_edited_hash(row: &Row) -> Option<Row> {
    let (before, random) = row.name.rsplit_once('-').filter(|_| row.kind.as_deref() == Some("Pod") && row.namespace.is_some())?;
    let (name, hash) = before.rsplit_once('-')?;
    let is_edited = |text: &str, lengths: RangeInclusive<usize>| {
        lengths.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    // A word can have two digits: `v1beta1`.
    let is_hash = hash.bytes().filter(u8::is_ascii_digit).count() > 2 && is_edited(hash, EDITED_HASH);
    (is_hash && is_edited(random, RANDOM_LENGTH..=RANDOM_LENGTH)).then(|| Row {
        kind: Some("Deployment".to_owned()),
        name: name.to_owned(),
        ..row.clone()
    })
}

/// A Pod without the last part of its name, if that looks like a suffix that was shortened or replaced by hand: `aws-node-2mdg`, `calico-node-1a1a1a1`. It is only
/// evidence in the namespace of the component.
pub(super) fn with_edited_suffix(row: &Row) -> Option<Row> {
    let (before, last) = row.name.rsplit_once('-').filter(|_| row.kind.as_deref() == Some("Pod") && row.namespace.is_some())?;
    let has = |test: fn(&u8) -> bool| last.bytes().any(|byte| test(&byte));
    let is_edited = EDITED_SUFFIX.contains(&last.len())
        && last.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        // A version: `v1beta1`.
        && !(last.starts_with('v') && last.as_bytes().get(1).is_some_and(u8::is_ascii_digit));
    is_edited.then(|| Row { name: before.to_owned(), ..row.clone() })
}

/// The lengths of such suffixes.
const EDITED_SUFFIX: RangeInclusive<usize> = 4..=8;

/// The lengths of the hash of a Pod template.
const EDITED_HASH: RangeInclusive<usize> = 6..=10;

/// The most words that the name of a Helm release has here.
const MOST_RELEASE_WORDS: usize = 3;

/// The names of Helm releases that may be at the beginning of the name of a row, and the row without each. Only names of workloads begin with it.
pub(super) fn without_release(row: &Row) -> impl Iterator<Item = (&str, Row)> + '_ {
    let is_workload = matches!(row.kind.as_deref(), Some("Pod" | "ReplicaSet" | "Deployment" | "DaemonSet" | "StatefulSet"));
    let dashes = row.name.match_indices('-').take(if is_workload { MOST_RELEASE_WORDS } else { 0 });
    dashes.map(|(at, _)| (&row.name[..at], Row { name: row.name[at + 1..].to_owned(), ..row.clone() }))
}

/// The name without the operating system and the architecture at its end.
pub(super) fn original(name: &str) -> Option<String> {
    let mut rest = name;
    while let Some((before, _)) = rest.rsplit_once('-').filter(|(_, last)| COPIES.contains(last)) {
        rest = before;
    }
    (rest.len() < name.len()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_of_documentation() {
        for (namespace, name, expected) in [
            (Some("kube-system"), "coredns-1234567890-abcde", Some("coredns")),
            (Some("kube-system"), "coredns-12a34bc567-8defg", Some("coredns")),
            (Some("kubevirt"), "virt-api-6d4fc3cf8a-b2ere", Some("virt-api")),
            (Some("kube-system"), "coredns-v1beta1-agent", None),
            (Some("kube-system"), "metrics-server-exporter-agent", None),
            (None, "coredns-1234567890-abcde", None),
        ] {
            let row =
                Row { namespace: namespace.map(str::to_owned), kind: Some("Pod".to_owned()), name: name.to_owned(), ..Row::default() };
            assert_eq!(with_edited_hash(&row).map(|row| row.name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn suffixes_shortened_or_replaced_by_hand() {
        for (name, expected) in [
            ("aws-node-2mdg", Some("aws-node")),
            ("coredns-799c5565b4-6xrc", Some("coredns-799c5565b4")),
            ("calico-node-1a1a1a1", Some("calico-node")),
            ("coredns-v1beta1", None),
            ("coredns-agent", None),
            ("coredns-1234", None),
            ("coredns-a1", None),
        ] {
            let of = |namespace: Option<&str>| Row {
                namespace: namespace.map(str::to_owned),
                kind: Some("Pod".to_owned()),
                name: name.to_owned(),
                ..Row::default()
            };
            assert_eq!(with_edited_suffix(&of(Some("kube-system"))).map(|row| row.name).as_deref(), expected, "{name}");
            assert_eq!(with_edited_suffix(&of(None)), None);
        }
    }

    #[test]
    fn rows_follow_from_others() {
        for (kind, name, expected) in [
            ("DaemonSet", "kube-flannel-ds-arm64", "DaemonSet/kube-flannel-ds"),
            ("DaemonSet", "kube-flannel-ds-windows-amd64", "DaemonSet/kube-flannel-ds"),
            ("Pod", "csi-node-win-x8k2p", "DaemonSet/csi-node"),
            ("Pod", "tidy--1-x8k2p", "Job/tidy"),
            ("Endpoints", "kube-dns", "Service/kube-dns"),
            ("EndpointSlice", "kube-dns-x8k2p", "Service/kube-dns"),
            ("ControllerRevision", "kube-proxy-7d9c8b6f5", "DaemonSet/kube-proxy StatefulSet/kube-proxy"),
            ("Secret", "coredns-token-x8k2p", "ServiceAccount/coredns"),
            ("Secret", "coredns-tls", ""),
            ("Pod", "kube-proxy-x8k2p", "Deployment/kube-proxy"),
            ("Pod", "coredns-5d78-x8k2p", "Deployment/coredns"),
            ("Pod", "coredns-5d78c9869d", "Deployment/coredns"),
            ("Pod", "coredns-autoscaler", ""),
            ("DaemonSet", "windows", ""),
            ("Service", "kube-dns-win", ""),
        ] {
            let row = Row { kind: Some(kind.to_owned()), name: name.to_owned(), ..Row::default() };
            let found: Vec<String> =
                relatives(&row).into_iter().map(|row| format!("{}/{}", row.kind.unwrap_or_default(), row.name)).collect();
            assert_eq!(found.join(" "), expected, "{kind} {name}");
        }
    }
}
