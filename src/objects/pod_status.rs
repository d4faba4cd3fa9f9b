//! The status of a Pod, as the column STATUS shows it. Source: printPod in pkg/printers/internalversion of Kubernetes 1.37.

use super::{Health, fields::Fields};

/// With this many restarts, a container that ran out of memory counts as unhealthy while it runs.
const MANY_RESTARTS: u32 = 3;

/// The containers that are counted.
#[derive(Default)]
struct ContainerCounts {
    ready: u32,
    all: u32,
    restarts: u32,
    /// The end of the container that was restarted last.
    last: Option<LastEnd>,
}

/// How and when a container ended before its last restart.
struct LastEnd {
    time: String,
    reason: String,
    code: Option<f64>,
    message: String,
}

impl ContainerCounts {
    fn restarts_of(&mut self, status: Fields<'_>) {
        self.restarts = self.restarts.saturating_add(status.get("restartCount").count().unwrap_or(0));
        let ended = status.get("lastState").get("terminated");
        let time = ended.get("finishedAt").text().unwrap_or_default();
        // Times in this format are in the order of their letters.
        if ended.exists() && self.last.as_ref().is_none_or(|last| last.time.as_str() < time) {
            self.last = Some(LastEnd {
                time: time.to_owned(),
                reason: ended.get("reason").text().unwrap_or_default().to_owned(),
                code: ended.get("exitCode").number(),
                message: ended.get("message").text().unwrap_or_default().trim().to_owned(),
            });
        }
    }
}

pub(super) fn health(pod: Fields<'_>) -> Health {
    let (spec, status) = (pod.get("spec"), pod.get("status"));
    let init = spec.get("initContainers").list();
    let is_sidecar =
        |name: Option<&str>| init.iter().any(|it| it.get("name").text() == name && it.get("restartPolicy").text() == Some("Always"));
    let sidecars = init.iter().filter(|it| it.get("restartPolicy").text() == Some("Always")).count();
    let all = spec.get("containers").list().len() + sidecars;
    let mut counts = ContainerCounts { all: u32::try_from(all).unwrap_or(u32::MAX), ..ContainerCounts::default() };
    let phase = status.get("phase").text().unwrap_or("Unknown");
    let mut shown = status.get("reason").text().filter(|reason| !reason.is_empty()).unwrap_or(phase).to_owned();
    let scheduled = condition(status, "PodScheduled");
    if scheduled.get("reason").text() == Some("SchedulingGated") {
        "SchedulingGated".clone_into(&mut shown);
    }
    let mut initializing = None;
    for (at, container) in status.get("initContainerStatuses").list().into_iter().enumerate() {
        counts.restarts_of(container);
        let state = container.get("state");
        let (ended, waiting) = (state.get("terminated"), state.get("waiting").get("reason").text().unwrap_or_default());
        if ended.exists() && ended.get("exitCode").number() == Some(0.0) {
            continue;
        }
        if is_sidecar(container.get("name").text()) && container.get("started").is_true() {
            counts.ready += u32::from(container.get("ready").is_true());
            continue;
        }
        initializing = Some(if ended.exists() {
            format!("Init:{}", end_reason(ended))
        } else if !waiting.is_empty() && waiting != "PodInitializing" {
            format!("Init:{waiting}")
        } else {
            format!("Init:{at}/{}", init.len())
        });
        break;
    }
    let mut is_running = false;
    if let Some(step) = initializing.filter(|_| condition(status, "Initialized").get("status").text() != Some("True")) {
        shown = step;
    } else {
        for container in status.get("containerStatuses").list().into_iter().rev() {
            counts.restarts_of(container);
            let state = container.get("state");
            let (waiting, ended) = (state.get("waiting").get("reason").text().unwrap_or_default(), state.get("terminated"));
            if !waiting.is_empty() {
                waiting.clone_into(&mut shown);
            } else if ended.exists() {
                shown = end_reason(ended);
            } else if container.get("ready").is_true() && state.get("running").exists() {
                is_running = true;
                counts.ready += 1;
            }
        }
        if shown == "Completed" && is_running {
            let ready = condition(status, "Ready").get("status").text() == Some("True");
            (if ready { "Running" } else { "NotReady" }).clone_into(&mut shown);
        }
    }
    let is_over = matches!(phase, "Succeeded" | "Failed");
    if pod.get("metadata").get("deletionTimestamp").exists() {
        if status.get("reason").text() == Some("NodeLost") {
            "Unknown".clone_into(&mut shown);
        } else if !is_over {
            "Terminating".clone_into(&mut shown);
        }
    }
    let no_memory = counts.last.as_ref().is_some_and(|last| last.reason == "OOMKilled") && counts.restarts >= MANY_RESTARTS;
    let healthy = phase == "Succeeded" || shown == "Completed" || (shown == "Running" && counts.ready == counts.all && !no_memory);
    Health {
        healthy,
        reason: reason(status, scheduled, &counts, healthy),
        status: Some(shown),
        ready: Some(counts.ready),
        desired: Some(counts.all),
        updated: None,
        restarts: Some(counts.restarts),
        last_restart: counts.last.map(|last| last.time).filter(|time| !time.is_empty()),
    }
}

/// Why a container ended: `OOMKilled`, `Signal:9`, `ExitCode:1`.
fn end_reason(ended: Fields<'_>) -> String {
    let signal = ended.get("signal").count().filter(|signal| *signal != 0);
    match (ended.get("reason").text().filter(|reason| !reason.is_empty()), signal) {
        (Some(reason), _) => reason.to_owned(),
        (None, Some(signal)) => format!("Signal:{signal}"),
        (None, None) => format!("ExitCode:{}", ended.get("exitCode").count().unwrap_or(0)),
    }
}

/// A condition of a status; nothing if it doesn't have it.
fn condition<'a>(status: Fields<'a>, kind: &str) -> Fields<'a> {
    let conditions = status.get("conditions").list();
    conditions.into_iter().find(|condition| condition.get("type").text() == Some(kind)).unwrap_or_else(|| status.get(""))
}

/// The reason, as Kubernetes states it: the message of a waiting container, of the scheduler, or how the last container ended.
fn reason(status: Fields<'_>, scheduled: Fields<'_>, counts: &ContainerCounts, healthy: bool) -> Option<String> {
    if healthy {
        return None;
    }
    if scheduled.get("status").text() == Some("False") {
        return scheduled.get("message").text().map(str::to_owned);
    }
    if let Some(last) = counts.last.as_ref().filter(|last| !last.reason.is_empty()) {
        let code = last.code.filter(|_| last.reason != "Completed").map(|code| format!(" (exit code {code})")).unwrap_or_default();
        let message = if last.message.is_empty() { String::new() } else { format!(": {}", last.message) };
        return Some(format!("{}{code}{message}", last.reason));
    }
    let statuses = status.get("initContainerStatuses").list().into_iter().chain(status.get("containerStatuses").list());
    let waiting = statuses.filter_map(|it| it.get("state").get("waiting").get("message").text()).find(|message| !message.is_empty());
    waiting.or_else(|| status.get("message").text()).map(str::to_owned)
}
