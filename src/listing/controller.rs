//! What creates Pods, ReplicaSets and Jobs.

/// A controller that creates objects, and recreates them if they are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Controller {
    /// Creates ReplicaSets.
    Deployment,
    /// Creates Pods.
    ReplicaSet,
    /// Creates Pods.
    ReplicationController,
    /// Creates one Pod on each Node.
    DaemonSet,
    /// Creates Pods with stable names.
    StatefulSet,
    /// Creates Pods until enough of them have completed.
    Job,
    /// Creates Jobs by a schedule.
    CronJob,
    /// The kubelet: creates the mirror Pod of a static Pod.
    Kubelet,
}

impl Controller {
    /// All of them, in the order of the enumeration.
    pub const ALL: [Self; 8] = [
        Self::Deployment,
        Self::ReplicaSet,
        Self::ReplicationController,
        Self::DaemonSet,
        Self::StatefulSet,
        Self::Job,
        Self::CronJob,
        Self::Kubelet,
    ];

    /// The kind of the object, or `kubelet`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Deployment => "Deployment",
            Self::ReplicaSet => "ReplicaSet",
            Self::ReplicationController => "ReplicationController",
            Self::DaemonSet => "DaemonSet",
            Self::StatefulSet => "StatefulSet",
            Self::Job => "Job",
            Self::CronJob => "CronJob",
            Self::Kubelet => "kubelet",
        }
    }

    /// Whether the objects that it creates are Pods.
    #[must_use]
    pub const fn has_pods(self) -> bool {
        !matches!(self, Self::Deployment | Self::CronJob)
    }

    /// Whether it always recreates a deleted object. A Job doesn't recreate completed Pods, and a CronJob creates the next Job at its time.
    #[must_use]
    pub const fn recreates(self) -> bool {
        !matches!(self, Self::Job | Self::CronJob)
    }
}
