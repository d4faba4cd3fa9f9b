//! The health of an object, from the columns that `kubectl get` prints after its name (pkg/printers of Kubernetes 1.2 to 1.37).

use super::cells::{is_age, is_count};
use crate::objects::Health;

/// With this many restarts, the last of them a few minutes ago, a Pod that is running at the moment is probably in a loop.
const MANY_RESTARTS: u32 = 3;

/// The statuses of Helm releases. Source: `helm list` of Helm 3.
pub(super) const HELM_STATUSES: &[&str] = &[
    "deployed",
    "failed",
    "uninstalled",
    "superseded",
    "uninstalling",
    "pending-install",
    "pending-upgrade",
    "pending-rollback",
    "unknown",
];

/// The health of an object of this kind; `cells` are those after the name. `None` for a kind without a status, and for other columns than those of `kubectl get`.
pub(super) fn health(kind: Option<&str>, cells: &[&str]) -> Option<Health> {
    let kind = kind?;
    let first = *cells.first()?;
    let is_new = cells.iter().find(|cell| is_age(cell)).is_some_and(|age| is_recent(age));
    match kind {
        "Pod" => {
            let ((ready, desired), status) = (ratio(first)?, *cells.get(1)?);
            let restarts = cells.get(2).and_then(|cell| number(cell));
            // `27 (2m ago)`
            let since =
                cells.get(3).and_then(|cell| cell.strip_prefix('(')).filter(|_| restarts.is_some() && cells.get(4) == Some(&"ago)"));
            let restarts_now = restarts.is_some_and(|restarts| restarts >= MANY_RESTARTS) && since.is_some_and(is_within_minutes);
            let healthy = match status {
                "Completed" | "Succeeded" => true,
                "Running" if ready == desired => !restarts_now,
                _ => is_new && is_starting(status),
            };
            let last_restart = since.map(|since| format!("{since} ago"));
            Some(Health { status: Some(status.to_owned()), restarts, last_restart, ..Health::with_replicas(healthy, ready, desired) })
        }
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "ReplicationController" => {
            let (ready, desired) = replicas(kind, cells)?;
            let updated = updated(kind, cells).filter(|updated| *updated < desired);
            Some(Health { updated, ..Health::with_replicas((ready >= desired && updated.is_none()) || is_new, ready, desired) })
        }
        "Job" if is_word(first) => Some(Health::with_status(!first.starts_with("Fail"), first)),
        "Node" if is_word(first) => Some(Health::with_status(first.split(',').next() == Some("Ready"), first)),
        "ComponentStatus" if is_word(first) => Some(Health::with_status(first == "Healthy", first)),
        "Namespace" if is_word(first) => Some(Health::with_status(first == "Active", first)),
        "HelmRelease" => {
            let status = cells.iter().find(|cell| HELM_STATUSES.contains(cell))?;
            Some(Health::with_status(matches!(*status, "deployed" | "superseded"), status))
        }
        "PersistentVolumeClaim" if is_word(first) => Some(Health::with_status(first == "Bound" || (first == "Pending" && is_new), first)),
        "APIService" => {
            let (available, reason) = (*cells.get(1)?, cells.get(2).and_then(|cell| cell.strip_prefix('(')?.strip_suffix(')')));
            matches!(available, "True" | "False" | "Unknown").then(|| Health::with_status(available == "True", reason.unwrap_or(available)))
        }
        _ => None,
    }
}

/// The ready and the desired replicas of a workload.
fn replicas(kind: &str, cells: &[&str]) -> Option<(u32, u32)> {
    if let Some(ratio) = cells.first().and_then(|cell| ratio(cell)) {
        return Some(ratio);
    }
    let counts: Vec<u32> = cells.iter().map_while(|cell| number(cell)).collect();
    let desired = *counts.first()?;
    // DESIRED, CURRENT, UP-TO-DATE, AVAILABLE of a Deployment before 1.15; DESIRED, CURRENT, READY of the others, at first without READY.
    let ready = if kind == "Deployment" { counts.get(3) } else { counts.get(2).or_else(|| counts.get(1)) };
    Some((*ready?, desired))
}

/// The replicas with the newest template: UP-TO-DATE.
fn updated(kind: &str, cells: &[&str]) -> Option<u32> {
    let counts: Vec<u32> = cells.iter().skip_while(|cell| ratio(cell).is_some()).map_while(|cell| number(cell)).collect();
    match kind {
        // READY, UP-TO-DATE, AVAILABLE; before 1.15, DESIRED, CURRENT, UP-TO-DATE, AVAILABLE.
        "Deployment" if counts.len() == 2 => counts.first().copied(),
        "Deployment" if counts.len() >= 4 => counts.get(2).copied(),
        // DESIRED, CURRENT, READY, UP-TO-DATE, AVAILABLE
        "DaemonSet" if counts.len() >= 5 => counts.get(3).copied(),
        _ => None,
    }
}

/// `1/2`
fn ratio(cell: &str) -> Option<(u32, u32)> {
    let (ready, all) = cell.split_once('/')?;
    Some((number(ready)?, number(all)?))
}

/// A number with at most six digits.
fn number(cell: &str) -> Option<u32> {
    if is_count(cell) && cell.len() <= 6 { cell.parse().ok() } else { None }
}

/// Whether a cell is a status, not a number.
fn is_word(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The statuses of a Pod that every start has.
fn is_starting(status: &str) -> bool {
    let is_step = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    matches!(status, "Running" | "Pending" | "ContainerCreating" | "PodInitializing") || status.strip_prefix("Init:").is_some_and(is_step)
}

/// Whether an age is less than ten minutes: `45s`, `9m59s`.
fn is_within_minutes(age: &str) -> bool {
    match age.split_once('m') {
        Some((minutes, _)) => minutes.len() == 1 && is_count(minutes),
        None => age.strip_suffix('s').is_some_and(is_count),
    }
}

/// Whether an age is less than two minutes. kubectl prints seconds up to `119s`; older versions print `1m`.
fn is_recent(age: &str) -> bool {
    match age.split_once('m') {
        Some((minutes, _)) => matches!(minutes, "0" | "1"),
        None => age.strip_suffix('s').and_then(number).is_some_and(|seconds| seconds < 120),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The health of `kind` with these cells: `+` or `-`, the status, the ready and desired numbers, and the restarts.
    fn told(row: &str) -> String {
        let (kind, cells) = row.split_once(' ').unwrap_or((row, ""));
        let cells: Vec<&str> = cells.split_whitespace().collect();
        let Some(health) = health(Some(kind), &cells) else { return String::new() };
        let number = |number: Option<u32>| number.map(|number| number.to_string()).unwrap_or_default();
        let sign = if health.healthy { "+" } else { "-" };
        format!(
            "{sign} {} {}/{} {}",
            health.status.unwrap_or_default(),
            number(health.ready),
            number(health.desired),
            number(health.restarts)
        )
    }

    #[test]
    fn columns_of_every_kind() {
        for (row, expected) in [
            ("Pod 1/1 Running 0 3d", "+ Running 1/1 0"),
            ("Pod 0/1 CrashLoopBackOff 27 (2m ago) 2h", "- CrashLoopBackOff 0/1 27"),
            ("Pod 0/1 Running 0 40s", "+ Running 0/1 0"),
            ("Pod 0/1 Running 3 (30s ago) 1m30s", "+ Running 0/1 3"),
            ("Pod 0/1 Running 0 4m", "- Running 0/1 0"),
            ("Pod 0/1 Pending 0 2m1s", "- Pending 0/1 0"),
            ("Pod 0/2 Init:0/1 0 5s", "+ Init:0/1 0/2 0"),
            ("Pod 0/2 Init:Error 0 5s", "- Init:Error 0/2 0"),
            ("Pod 0/1 ErrImagePull 0 5s", "- ErrImagePull 0/1 0"),
            ("Pod 0/1 Completed 0 200d", "+ Completed 0/1 0"),
            ("Pod 1/1 Running", "+ Running 1/1 "),
            ("Pod 100m 20Mi", ""),
            ("Deployment 0/2 2 0 8d", "-  0/2 "),
            ("Deployment 0/0 0 0 8d", "+  0/0 "),
            ("Deployment 2 2 2 1 8d", "-  1/2 "),
            ("Deployment 2 2", ""),
            ("DaemonSet 3 3 2 3 2 <none> 8d", "-  2/3 "),
            ("DaemonSet 0 0 0 0 0 gpu=true 8d", "+  0/0 "),
            ("DaemonSet 3 2 beta.kubernetes.io/os=linux 8d", "-  2/3 "),
            ("StatefulSet 1/3 8d", "-  1/3 "),
            ("ReplicaSet 1 1 0 30s", "+  0/1 "),
            ("ReplicaSet 1 1 0 30d", "-  0/1 "),
            ("Job 0/1 3s 3s", ""),
            ("Job Failed 0/1 3d 3d", "- Failed / "),
            ("Job Complete 1/1 3s 3d", "+ Complete / "),
            ("Node Ready,SchedulingDisabled <none> 8d v1.36.1", "+ Ready,SchedulingDisabled / "),
            ("Node NotReady <none> 8d v1.36.1", "- NotReady / "),
            ("PersistentVolumeClaim Pending standard 8d", "- Pending / "),
            ("APIService kube-system/metrics-server False (MissingEndpoints) 8d", "- MissingEndpoints / "),
            ("APIService Local True 8d", "+ True / "),
            ("ConfigMap 1 8d", ""),
            ("Pod 1/9999999 Running 0 3d", ""),
        ] {
            assert_eq!(told(row), expected, "{row}");
        }
    }
}
