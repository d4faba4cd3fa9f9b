//! What creates Pods, ReplicaSets and Jobs.

/// The kind of the objects that run containers.
pub const POD: &str = "Pod";
/// The kind, in the facts, of a Pod that the kubelet starts from a manifest on its Node. It is printed as a Pod.
pub const STATIC_POD: &str = "StaticPod";

/// The kind of the machines that run Pods.
pub const NODE: &str = "Node";

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

/// Beginnings of texts about the deletion of a Pod, in the languages of the interface.
const ABOUT_PODS: [&str; 8] = [
    "A deleted Pod",
    "Deleted Pods",
    "A Pod is recreated",
    "Pods are recreated",
    "The Pod is recreated",
    "削除したPod",
    "Podは再作成",
    "Podを削除しても",
];

/// Whether a text about a deletion begins with a Pod, instead of the object that creates it.
#[must_use]
pub fn begins_with_pods(text: &str) -> bool {
    ABOUT_PODS.iter().any(|beginning| text.starts_with(beginning))
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

    /// The kind of the objects that it creates.
    #[must_use]
    pub const fn creates(self) -> &'static str {
        match self {
            Self::Deployment => Self::ReplicaSet.name(),
            Self::CronJob => Self::Job.name(),
            Self::ReplicaSet | Self::ReplicationController | Self::DaemonSet | Self::StatefulSet | Self::Job | Self::Kubelet => POD,
        }
    }

    /// Whether the objects that it creates are Pods.
    #[must_use]
    pub fn has_pods(self) -> bool {
        self.creates() == POD
    }

    /// Whether it always recreates a deleted object. A Job doesn't recreate completed Pods, and a CronJob creates the next Job at its time.
    #[must_use]
    pub const fn recreates(self) -> bool {
        !matches!(self, Self::Job | Self::CronJob)
    }
}
