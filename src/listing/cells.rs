//! Predicates about single cells and words of a listing.

/// Whether a word can be the name of an object. That excludes sentences (a capital, or letters outside ASCII), `...` for omitted rows, comments (`#`) and keys (a
/// colon at the end).
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && word.ends_with(|c: char| c.is_ascii_alphanumeric())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:_".contains(&byte))
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
        [ready, status, ..] if is_ready(ready) && status.starts_with(|c: char| c.is_ascii_uppercase()) => Some("Pod"),
        [ready, current, available, _] if is_ready(ready) && is_count(current) && is_count(available) => Some("Deployment"),
        _ if cells.len() >= 7 && cells[..5].iter().all(|cell| is_count(cell)) => Some("DaemonSet"),
        _ => None,
    }
}
