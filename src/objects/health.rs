//! The health of an object.

use schemars::JsonSchema;
use serde::Serialize;

/// What an object or the columns of a row state about its health.
// The comments are also the descriptions in the JSON Schema of a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Health {
    /// Whether nothing is wrong: it is ready, has completed, or was created less than two minutes ago and is starting.
    pub healthy: bool,
    /// The status as kubectl prints it, such as `CrashLoopBackOff`; null if there is none.
    pub status: Option<String>,
    /// The number of ready containers or replicas.
    pub ready: Option<u32>,
    /// The number of containers or replicas that should be ready.
    pub desired: Option<u32>,
    /// The number of replicas with the newest template, if it is lower than `desired`: the rollout is not finished.
    pub updated: Option<u32>,
    /// The number of restarts of a Pod's containers.
    pub restarts: Option<u32>,
    /// When a container was last restarted: `2m ago` as printed, or a time such as `2026-11-28T09:12:44Z`.
    pub last_restart: Option<String>,
    /// The reason, as Kubernetes states it: why a Pod is not scheduled, why its last container ended, which condition of a Node is not met.
    pub reason: Option<String>,
}

impl Health {
    /// A status without numbers.
    #[must_use]
    pub fn with_status(healthy: bool, status: &str) -> Self {
        Self { healthy, status: Some(status.to_owned()), ..Self::default() }
    }

    /// Ready and desired replicas.
    #[must_use]
    pub fn with_replicas(healthy: bool, ready: u32, desired: u32) -> Self {
        Self { healthy, ready: Some(ready), desired: Some(desired), ..Self::default() }
    }
}
