//! What is wrong with an unhealthy object, and the next command.

use crate::listing::Row;

/// What is wrong with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// Its container ran out of memory.
    OutOfMemory,
    /// Its container ends again and again.
    CrashLoop,
    /// Its image can't be pulled.
    Image,
    /// No Node has been found for it.
    Unscheduled,
    /// Its containers or init containers have not started.
    Starting,
    /// It runs, and is not ready.
    NotReady,
    /// The kubelet has ended it because of a shortage on the Node.
    Evicted,
    /// Its deletion doesn't end.
    Terminating,
    /// A workload has fewer replicas than it should have, or a rollout is not finished.
    Replicas,
    /// Something else, which only the description of the object shows.
    Other,
}

impl Trouble {
    /// What is wrong with the object of a row; `None` if it is healthy.
    #[must_use]
    pub fn of(row: &Row) -> Option<Self> {
        let health = row.health.as_ref().filter(|health| !health.healthy)?;
        let Some(status) = health.status.as_deref().filter(|_| row.kind.as_deref() == Some("Pod")) else {
            let is_workload = matches!(row.kind.as_deref(), Some("Deployment" | "DaemonSet" | "StatefulSet" | "ReplicaSet"));
            return Some(if is_workload { Self::Replicas } else { Self::Other });
        };
        let no_memory = health.reason.as_deref().is_some_and(|reason| reason.starts_with("OOMKilled"));
        Some(match status.strip_prefix("Init:").unwrap_or(status) {
            _ if no_memory => Self::OutOfMemory,
            "OOMKilled" => Self::OutOfMemory,
            "CrashLoopBackOff" | "Error" | "RunContainerError" | "ContainerCannotRun" | "StartError" => Self::CrashLoop,
            "ImagePullBackOff" | "ErrImagePull" | "InvalidImageName" | "ErrImageNeverPull" | "ImageInspectError" => Self::Image,
            "Pending" | "SchedulingGated" | "Unschedulable" => Self::Unscheduled,
            "ContainerCreating" | "PodInitializing" | "CreateContainerConfigError" | "CreateContainerError" => Self::Starting,
            "Evicted" => Self::Evicted,
            "Terminating" => Self::Terminating,
            "Running" if health.ready == health.desired => Self::CrashLoop,
            "Running" | "NotReady" => Self::NotReady,
            other if other.starts_with("ExitCode:") || other.starts_with("Signal:") => Self::CrashLoop,
            other if status.len() > other.len() && other.contains('/') => Self::Starting,
            _ => Self::Other,
        })
    }

    /// All of them.
    pub(super) const ALL: [Self; 10] = [
        Self::OutOfMemory,
        Self::CrashLoop,
        Self::Image,
        Self::Unscheduled,
        Self::Starting,
        Self::NotReady,
        Self::Evicted,
        Self::Terminating,
        Self::Replicas,
        Self::Other,
    ];

    /// The name in the data of the page.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::OutOfMemory => "out-of-memory",
            Self::CrashLoop => "crash-loop",
            Self::Image => "image",
            Self::Unscheduled => "unscheduled",
            Self::Starting => "starting",
            Self::NotReady => "not-ready",
            Self::Evicted => "evicted",
            Self::Terminating => "terminating",
            Self::Replicas => "replicas",
            Self::Other => "other",
        }
    }

    /// Words of the symptoms in the default language that fit, the most specific first.
    pub(super) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::OutOfMemory => &["OOMKilled", "out of memory", "CrashLoopBackOff"],
            Self::CrashLoop => &["CrashLoopBackOff", "restarts", "RESTARTS"],
            Self::Image => &["ImagePullBackOff", "ErrImagePull"],
            Self::Unscheduled => &["Pending"],
            Self::Starting => &["ContainerCreating", "Init:"],
            Self::NotReady => &["0/1", "1/2", "not ready", "READY"],
            Self::Evicted => &["Evicted"],
            Self::Terminating => &["Terminating"],
            Self::Replicas | Self::Other => &[],
        }
    }
}

/// The command that shows most about an unhealthy object; `None` for an object without a kind.
#[must_use]
pub fn next_command(row: &Row) -> Option<String> {
    let trouble = Trouble::of(row)?;
    let kind = row.kind.as_deref()?;
    // A truncated name isn't one.
    if row.cut {
        return None;
    }
    let (name, kind_name) = (&row.name, kind.to_lowercase());
    let namespace = row.namespace.as_deref().map(|namespace| format!(" -n {namespace}")).unwrap_or_default();
    let describe = || format!("kubectl{namespace} describe {kind_name} {name}");
    Some(match trouble {
        Trouble::CrashLoop if kind == "Pod" => format!("kubectl{namespace} logs {name} --all-containers --previous"),
        Trouble::Replicas if kind == "Deployment" => format!("kubectl{namespace} rollout status deployment {name}"),
        _ => match kind {
            "Job" => format!("kubectl{namespace} logs job/{name}"),
            "HelmRelease" => format!("helm{namespace} history {name}"),
            "Namespace" => format!("kubectl get namespace {name} -o yaml"),
            "ComponentStatus" => return None,
            _ => describe(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::Health;

    #[test]
    fn commands_by_what_is_wrong() {
        for (kind, namespace, status, expected) in [
            ("Pod", Some("a"), "CrashLoopBackOff", "kubectl -n a logs x --all-containers --previous"),
            ("Pod", None, "Init:Error", "kubectl logs x --all-containers --previous"),
            ("Pod", Some("a"), "Pending", "kubectl -n a describe pod x"),
            ("Pod", Some("a"), "Init:0/2", "kubectl -n a describe pod x"),
            ("Node", None, "NotReady", "kubectl describe node x"),
            ("Job", Some("a"), "Failed", "kubectl -n a logs job/x"),
            ("Deployment", Some("a"), "ProgressDeadlineExceeded", "kubectl -n a rollout status deployment x"),
            ("HelmRelease", Some("a"), "failed", "helm -n a history x"),
        ] {
            let row = Row {
                namespace: namespace.map(str::to_owned),
                kind: Some(kind.to_owned()),
                name: "x".to_owned(),
                health: Some(Health::with_status(false, status)),
                ..Row::default()
            };
            assert_eq!(next_command(&row).as_deref(), Some(expected), "{kind} {status}");
        }
        assert_eq!(next_command(&Row { kind: Some("Pod".into()), ..Row::default() }), None);
    }
}
