//! What the components of the system request, beside the user's own workloads.
//!
//! The comments of public types and fields are also the descriptions in the JSON Schema of a report.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::ExplainedRow;
use crate::{
    id::Id,
    objects::{ContainerResources, ObjectContent, PodSpec},
};

/// What Pods request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Cost {
    /// All components of the system.
    pub system: CostSum,
    /// All other Pods.
    pub own: CostSum,
    /// What Pods can request on all Nodes; null if the input has no Nodes.
    pub allocatable: Option<Amount>,
    /// The components, the most expensive first.
    pub components: Vec<ComponentCost>,
    /// The Nodes, in order of their names; empty if the input has no Pods with a Node.
    pub nodes: Vec<NodeCost>,
    /// Whether the numbers follow from the templates of workloads, because the input has no Pods.
    pub from_templates: bool,
}

/// CPU and memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Amount {
    /// Thousandths of a processor.
    pub cpu: u64,
    /// Bytes.
    pub memory: u64,
}

impl From<ContainerResources> for Amount {
    fn from(resources: ContainerResources) -> Self {
        Self { cpu: resources.cpu, memory: resources.memory }
    }
}

impl Amount {
    const fn add(&mut self, other: Self) {
        self.cpu = self.cpu.saturating_add(other.cpu);
        self.memory = self.memory.saturating_add(other.memory);
    }
}

/// The sum of some Pods.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CostSum {
    /// The number of Pods.
    pub pods: u32,
    /// What they request.
    pub requests: Amount,
    /// The sum of the limits that are stated.
    pub limits: Amount,
    /// The number of containers that request neither CPU nor memory.
    pub without_requests: u32,
    /// The number of containers without a memory limit.
    pub without_limits: u32,
}

impl CostSum {
    fn add(&mut self, spec: &PodSpec, pods: u32) {
        self.pods = self.pods.saturating_add(pods);
        self.requests.add(spec.requests.times(pods).into());
        self.limits.add(spec.limits.times(pods).into());
        self.without_requests = self.without_requests.saturating_add(spec.without_requests.saturating_mul(pods));
        self.without_limits = self.without_limits.saturating_add(spec.without_limits.saturating_mul(pods));
    }
}

/// What a component requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ComponentCost {
    /// The id of the component; null for objects in `kube-system` without an explanation.
    #[schemars(with = "Option<String>")]
    pub component: Option<Id>,
    /// Whether a DaemonSet creates its Pods, one on each of its Nodes.
    pub per_node: bool,
    /// Its Pods.
    #[serde(flatten)]
    pub sum: CostSum,
}

/// What the Pods on a Node request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NodeCost {
    /// The name of the Node.
    pub node: String,
    /// What Pods can request; null if the input doesn't have the Node.
    pub allocatable: Option<Amount>,
    /// What components of the system request.
    pub system: Amount,
    /// What all other Pods request.
    pub own: Amount,
}

/// The namespace whose Pods belong to the system even if they are not known.
const SYSTEM_NAMESPACE: &str = "kube-system";

/// The cost of the Pods of a listing, or of its workloads if it has no Pods; `None` if it has neither as whole objects.
pub(super) fn cost(rows: &[ExplainedRow]) -> Option<Cost> {
    let mut cost = Cost::default();
    let mut components: BTreeMap<Option<&Id>, ComponentCost> = BTreeMap::new();
    let mut nodes: BTreeMap<&str, NodeCost> = BTreeMap::new();
    cost.from_templates = !rows.iter().any(|row| matches!(row.row.object.as_deref(), Some(ObjectContent::Pod(_))));
    let mut found = false;
    // An object can be in the input twice: `kubectl get pods -A -o json` after `kubectl get all -o json`.
    let mut seen = BTreeSet::new();
    for row in rows {
        let identity = (row.row.kind.as_deref(), row.row.namespace.as_deref(), row.row.name.as_str());
        let (spec, pods, controller, node) = match row.row.object.as_deref() {
            Some(ObjectContent::Pod(pod)) if !pod.finished => (&pod.spec, 1, pod.controller.as_deref(), pod.node.as_deref()),
            // The Pods of a Deployment are not counted again for its ReplicaSet.
            Some(ObjectContent::Workload(workload)) if cost.from_templates && workload.controller.is_none() => {
                (&workload.spec, workload.desired, row.row.kind.as_deref(), None)
            }
            Some(ObjectContent::Node(node)) => {
                let own = Amount { cpu: node.cpu.unwrap_or(0), memory: node.memory.unwrap_or(0) };
                if (node.cpu.is_some() || node.memory.is_some()) && seen.insert(identity) {
                    cost.allocatable.get_or_insert_default().add(own);
                    nodes.entry(&row.row.name).or_default().allocatable = Some(own);
                }
                continue;
            }
            _ => continue,
        };
        if !seen.insert(identity) {
            continue;
        }
        found = true;
        let component = row.owner.as_ref().map(|owner| &owner.component);
        let is_system = component.is_some() || row.row.namespace.as_deref() == Some(SYSTEM_NAMESPACE);
        let requests: Amount = spec.requests.times(pods).into();
        if is_system {
            cost.system.add(spec, pods);
            let entry = components.entry(component).or_insert_with(|| ComponentCost {
                component: component.cloned(),
                per_node: true,
                sum: CostSum::default(),
            });
            entry.per_node &= controller == Some("DaemonSet");
            entry.sum.add(spec, pods);
        } else {
            cost.own.add(spec, pods);
        }
        if let Some(node) = node {
            let entry = nodes.entry(node).or_default();
            (if is_system { &mut entry.system } else { &mut entry.own }).add(requests);
        }
    }
    cost.components = components.into_values().collect();
    // The order of equals is that of their ids.
    cost.components.sort_by_key(|one| std::cmp::Reverse((one.sum.requests.cpu, one.sum.requests.memory)));
    cost.nodes = nodes.into_iter().map(|(node, cost)| NodeCost { node: node.to_owned(), ..cost }).collect();
    found.then_some(cost)
}
