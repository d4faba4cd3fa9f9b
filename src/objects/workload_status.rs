//! The health of workloads, Nodes and other objects, from their status.

use super::{Health, fields::Fields};

/// The health of an object that creates Pods.
pub(super) fn health(kind: &str, object: Fields<'_>, desired: u32) -> Option<Health> {
    let (spec, status) = (object.get("spec"), object.get("status"));
    let count = |key: &str| status.get(key).count().unwrap_or(0);
    match kind {
        "Job" => job(status),
        "CronJob" => None,
        _ => {
            let is_daemon_set = kind == "DaemonSet";
            let ready = count(if is_daemon_set { "numberReady" } else { "readyReplicas" });
            // Neither a ReplicaSet nor an update that waits for the deletion of Pods has a rollout.
            let strategy = spec.get("updateStrategy").get("type").text();
            let has_rollout = matches!(kind, "Deployment" | "StatefulSet" | "DaemonSet") && strategy != Some("OnDelete");
            let key = if is_daemon_set { "updatedNumberScheduled" } else { "updatedReplicas" };
            let updated = Some(count(key)).filter(|updated| has_rollout && *updated < desired);
            let failed = status.get("conditions").list().into_iter().find(|condition| {
                let fails = matches!(condition.get("type").text(), Some("ReplicaFailure"));
                let (state, reason) = (condition.get("status").text(), condition.get("reason").text());
                (fails && state == Some("True")) || (state == Some("False") && reason == Some("ProgressDeadlineExceeded"))
            });
            let healthy = ready >= desired && updated.is_none() && failed.is_none();
            let text = |key: &str| failed.and_then(|condition| condition.get(key).text()).map(str::to_owned);
            Some(Health { updated, status: text("reason"), reason: text("message"), ..Health::with_replicas(healthy, ready, desired) })
        }
    }
}

fn job(status: Fields<'_>) -> Option<Health> {
    let holds = |kind: &str| {
        let conditions = status.get("conditions").list();
        conditions.into_iter().find(|it| it.get("type").text() == Some(kind) && it.get("status").text() == Some("True"))
    };
    if let Some(failed) = holds("Failed") {
        let reason = failed.get("message").text().or_else(|| failed.get("reason").text()).map(str::to_owned);
        return Some(Health { reason, ..Health::with_status(false, "Failed") });
    }
    let known = [("Complete", "Complete"), ("Suspended", "Suspended")].into_iter().find(|(kind, _)| holds(kind).is_some());
    known.map(|(_, shown)| Health::with_status(true, shown))
}

/// The health of a Node.
pub(super) fn node(object: Fields<'_>) -> Health {
    let conditions = object.get("status").get("conditions").list();
    let of = |kind: &str| conditions.iter().find(|condition| condition.get("type").text() == Some(kind)).copied();
    let ready = of("Ready");
    let is_ready = ready.is_some_and(|condition| condition.get("status").text() == Some("True"));
    let pressure = ["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"]
        .into_iter()
        .find(|kind| of(kind).is_some_and(|condition| condition.get("status").text() == Some("True")));
    let mut shown = match ready {
        _ if is_ready => "Ready",
        Some(_) => "NotReady",
        None => "Unknown",
    }
    .to_owned();
    if object.get("spec").get("unschedulable").is_true() {
        shown.push_str(",SchedulingDisabled");
    }
    let message = ready.filter(|_| !is_ready).and_then(|condition| condition.get("message").text());
    Health { reason: message.or(pressure).map(str::to_owned), ..Health::with_status(is_ready && pressure.is_none(), &shown) }
}

/// The health of a kind of which nothing else is read.
pub(super) fn other(kind: &str, object: Fields<'_>) -> Option<Health> {
    let status = object.get("status");
    if kind == "APIService" {
        let conditions = status.get("conditions").list();
        let available = conditions.into_iter().find(|condition| condition.get("type").text() == Some("Available"))?;
        let state = available.get("status").text()?;
        let shown = if state == "True" { state } else { available.get("reason").text().unwrap_or(state) };
        let reason = available.get("message").text().filter(|_| state != "True").map(str::to_owned);
        return Some(Health { reason, ..Health::with_status(state == "True", shown) });
    }
    let phase = status.get("phase").text()?;
    Some(Health::with_status(matches!(phase, "Bound" | "Active"), phase))
}
