//! The containers of a Pod, and what they request.

use super::{
    fields::Fields,
    quantity::{cpu, memory},
};

/// What the containers of a Pod need, and where it may run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodSpec {
    /// The images of its containers, then those of its init containers.
    pub images: Vec<String>,
    /// What it requests, as the scheduler counts it.
    pub requests: ContainerResources,
    /// The sum of the limits that its containers have.
    pub limits: ContainerResources,
    /// The number of containers that request neither CPU nor memory.
    pub without_requests: u32,
    /// The number of containers without a memory limit.
    pub without_limits: u32,
    /// The names of volumes whose data is on the Node: `hostPath`, and `emptyDir` that isn't in memory.
    pub local_volumes: Vec<String>,
    /// Whether it tolerates every taint.
    pub tolerates_all: bool,
    /// The name of its PriorityClass.
    pub priority_class: Option<String>,
}

/// CPU and memory of containers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainerResources {
    /// Thousandths of a processor.
    pub cpu: u64,
    /// Bytes.
    pub memory: u64,
}

impl ContainerResources {
    /// The sum. It ends at the greatest number instead of overflowing.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { cpu: self.cpu.saturating_add(other.cpu), memory: self.memory.saturating_add(other.memory) }
    }

    /// These resources for a number of Pods.
    #[must_use]
    pub fn times(self, pods: u32) -> Self {
        Self { cpu: self.cpu.saturating_mul(pods.into()), memory: self.memory.saturating_mul(pods.into()) }
    }

    fn max(self, other: Self) -> Self {
        Self { cpu: self.cpu.max(other.cpu), memory: self.memory.max(other.memory) }
    }
}

impl PodSpec {
    pub(super) fn new(spec: Fields<'_>) -> Self {
        let (containers, init) = (spec.get("containers").list(), spec.get("initContainers").list());
        let image = |container: &Fields<'_>| container.get("image").text().map(str::to_owned);
        let lacks = |container: &&Fields<'_>, what: &str, keys: &[&str]| {
            let resources = container.get("resources");
            // The API server sets a request to the limit if only the limit is stated.
            keys.iter().all(|key| !resources.get(what).get(key).exists() && !resources.get("limits").get(key).exists())
        };
        let is_local = |volume: &Fields<'_>| {
            volume.get("hostPath").exists()
                || (volume.get("emptyDir").exists() && volume.get("emptyDir").get("medium").text() != Some("Memory"))
        };
        // An empty key with this operator matches all taints, unless an effect restricts it.
        let tolerates_all = |toleration: &Fields<'_>| {
            toleration.get("operator").text() == Some("Exists")
                && toleration.get("key").text().unwrap_or_default().is_empty()
                && toleration.get("effect").text().unwrap_or_default().is_empty()
        };
        let count = |containers: usize| u32::try_from(containers).unwrap_or(u32::MAX);
        Self {
            images: containers.iter().chain(&init).filter_map(image).collect(),
            requests: total(spec, &containers, &init, "requests"),
            limits: total(spec, &containers, &init, "limits"),
            without_requests: count(containers.iter().filter(|it| lacks(it, "requests", &["cpu", "memory"])).count()),
            without_limits: count(containers.iter().filter(|it| lacks(it, "limits", &["memory"])).count()),
            local_volumes: spec
                .get("volumes")
                .list()
                .iter()
                .filter(|it| is_local(it))
                .filter_map(|it| it.get("name").text())
                .map(str::to_owned)
                .collect(),
            tolerates_all: spec.get("tolerations").list().iter().any(tolerates_all),
            priority_class: spec.get("priorityClassName").text().filter(|name| !name.is_empty()).map(str::to_owned),
        }
    }
}

/// What a Pod requests or is limited to: the containers and the restartable init containers together, or the init container that needs the most, with the
/// overhead of the runtime class. Source: k8s.io/component-helpers, resource.PodRequests.
fn total(spec: Fields<'_>, containers: &[Fields<'_>], init: &[Fields<'_>], what: &str) -> ContainerResources {
    let of = |container: &Fields<'_>| {
        let resources = container.get("resources");
        let one = |key: &str, read: fn(&str) -> Option<u64>| {
            let stated = resources.get(what).get(key).quantity(read);
            stated.or_else(|| resources.get("limits").get(key).quantity(read)).unwrap_or(0)
        };
        ContainerResources { cpu: one("cpu", cpu), memory: one("memory", memory) }
    };
    let (mut sidecars, mut peak) = (ContainerResources::default(), ContainerResources::default());
    for container in init {
        if container.get("restartPolicy").text() == Some("Always") {
            sidecars = sidecars.plus(of(container));
            peak = peak.max(sidecars);
        } else {
            peak = peak.max(sidecars.plus(of(container)));
        }
    }
    let running = containers.iter().fold(sidecars, |sum, container| sum.plus(of(container)));
    let overhead = spec.get("overhead");
    let overhead = ContainerResources {
        cpu: overhead.get("cpu").quantity(cpu).unwrap_or(0),
        memory: overhead.get("memory").quantity(memory).unwrap_or(0),
    };
    running.max(peak).plus(overhead)
}
