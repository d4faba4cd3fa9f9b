//! Predicates about single cells and words of a listing.

/// Whether a word can be the name of an object. That excludes sentences (a capital, or letters outside ASCII), `...` for omitted rows, comments (`#`) and keys (a
/// colon at the end).
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && word.ends_with(|c: char| c.is_ascii_alphanumeric())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:_".contains(&byte))
}

/// Whether a word has only digits and dots: a number, a version, an IPv4 address. Objects have no such names.
pub(super) fn is_numeric(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

/// Whether a cell is an age or a point in time, as kubectl prints it: `3d16h`, `2023-05-01T10:00:00Z`.
pub(super) fn is_age(cell: &str) -> bool {
    if let Some(time) = cell.strip_suffix('Z') {
        return time.len() == 19 && time.bytes().all(|byte| byte.is_ascii_digit() || b"-T:".contains(&byte));
    }
    let unit = |c: char| matches!(c, 's' | 'm' | 'h' | 'd' | 'y');
    cell.starts_with(|c: char| c.is_ascii_digit()) && cell.ends_with(unit) && cell.chars().all(|c| c.is_ascii_digit() || unit(c))
}

/// The types of Services.
pub(super) const SERVICE_TYPES: &[&str] = &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"];

pub(super) fn is_count(cell: &str) -> bool {
    !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_ready(cell: &str) -> bool {
    cell.split_once('/').is_some_and(|(ready, all)| is_count(ready) && is_count(all))
}

/// `(45%)`: the share of a resource in the output of `kubectl describe node`.
pub(super) fn is_share(cell: &str) -> bool {
    cell.strip_prefix('(').and_then(|rest| rest.strip_suffix("%)")).is_some_and(is_count)
}

/// `100m`, `2`
fn is_cpu(cell: &str) -> bool {
    is_count(cell.strip_suffix('m').unwrap_or(cell))
}

/// `20Mi`
fn is_memory(cell: &str) -> bool {
    ["Ki", "Mi", "Gi", "Ti"].iter().any(|unit| cell.strip_suffix(unit).is_some_and(is_count))
}

/// `45%`
fn is_percentage(cell: &str) -> bool {
    cell.strip_suffix('%').is_some_and(is_count) || cell == "<unknown>"
}

/// The holder of a Lease of a leader: the name of a Node or Pod, and a UUID.
fn is_holder(cell: &str) -> bool {
    let is_uuid = |id: &str| id.len() == 36 && id.split('-').map(str::len).eq([8, 4, 4, 4, 12]);
    cell.rsplit_once('_').is_some_and(|(_, id)| is_uuid(id))
}

/// The role of a binding. Unlike a kind before a name, it has capitals.
pub(super) fn is_role(cell: &str) -> bool {
    cell.starts_with("ClusterRole/") || cell.starts_with("Role/")
}

/// `2026-01-31`
fn is_date(cell: &str) -> bool {
    cell.len() == 10 && cell.split('-').map(str::len).eq([4, 2, 2]) && cell.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// `Ready`, `NotReady,SchedulingDisabled`
fn is_node_state(cell: &str) -> bool {
    matches!(cell.split(',').next(), Some("Ready" | "NotReady"))
}

/// Whether a cell is a state, a count or the type of a Service, and therefore not a name.
pub(super) fn is_cell(cell: &str) -> bool {
    is_count(cell)
        || cell.contains('/')
        || SERVICE_TYPES.contains(&cell)
        || cell.starts_with('<')
        || matches!(cell, "Opaque" | "Active" | "Terminating")
        || is_node_state(cell)
}

/// Whether a cell is the type of a Secret.
fn is_secret_type(cell: &str) -> bool {
    cell == "Opaque" || ["kubernetes.io/", "bootstrap.kubernetes.io/", "helm.sh/"].iter().any(|begins| cell.starts_with(begins))
}

/// The kind that prints these columns after the name, if they are unambiguous.
pub(super) fn kind_of_columns(cells: &[&str]) -> Option<&'static str> {
    match cells {
        [kind, count, ..] if is_secret_type(kind) && is_count(count) => Some("Secret"),
        ["Active" | "Terminating", age] if is_age(age) => Some("Namespace"),
        [kind, ..] if SERVICE_TYPES.contains(kind) => Some("Service"),
        [state, _, age, version, ..] if is_node_state(state) && is_age(age) && version.starts_with('v') => Some("Node"),
        // `kubectl top`
        [cpu, memory] if is_cpu(cpu) && is_memory(memory) => Some("Pod"),
        [cpu, share, memory, other] if is_cpu(cpu) && is_percentage(share) && is_memory(memory) && is_percentage(other) => Some("Node"),
        ["(default)", rest @ ..] => kind_of_columns(rest),
        [provisioner, "Delete" | "Retain", "Immediate" | "WaitForFirstConsumer", ..] if provisioner.contains(['/', '.']) => {
            Some("StorageClass")
        }
        [holder, age] if is_holder(holder) && is_age(age) => Some("Lease"),
        [service, "True" | "False", .., age] if (*service == "Local" || service.contains('/')) && is_age(age) => Some("APIService"),
        ["true" | "false", "true" | "false", .., age] if is_age(age) => Some("CSIDriver"),
        // `helm list`: the namespace and the revision come after the name.
        [_, revision, date, ..] if is_count(revision) && is_date(date) => Some("HelmRelease"),
        // Those of Flux, with the message of its controller.
        _ if cells.windows(2).any(|two| matches!(two, ["Release", "reconciliation"] | ["Helm", "install" | "upgrade" | "rollback"])) => {
            Some("HelmRelease")
        }
        [ready, status, ..] if is_ready(ready) && status.starts_with(|c: char| c.is_ascii_uppercase()) => Some("Pod"),
        [ready, current, available, _] if is_ready(ready) && is_count(current) && is_count(available) => Some("Deployment"),
        _ if cells.len() >= 7 && cells[..5].iter().all(|cell| is_count(cell)) => Some("DaemonSet"),
        _ => None,
    }
}
