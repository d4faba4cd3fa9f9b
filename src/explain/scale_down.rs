//! What keeps Nodes from being removed, by the rules of Cluster Autoscaler and Karpenter, and the scheduling of the components.
//!
//! The rules: "What types of pods can prevent CA from removing a node?" in the FAQ of Cluster Autoscaler, with the order of
//! simulator/drainability/rules; "Disruption" in the documentation of Karpenter.
//!
//! The comments of public types and fields are also the descriptions in the JSON Schema of a report.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;

use super::ExplainedRow;
use crate::{
    id::Id,
    objects::{BudgetObject, ObjectContent, PodObject},
};

/// What keeps Nodes from being removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScaleDown {
    /// The Nodes, in order of their names.
    pub nodes: Vec<NodeRemoval>,
    /// Whether the input has PodDisruptionBudgets. Otherwise, it is not known whether Pods in `kube-system` have one.
    pub has_budgets: bool,
    /// Components with Pods that tolerate every taint.
    #[schemars(with = "Vec<String>")]
    pub tolerate_all: Vec<Id>,
    /// The PriorityClasses of the components.
    pub priorities: Vec<PriorityUse>,
}

/// A Node, and what keeps it from being removed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NodeRemoval {
    /// The name of the Node.
    pub node: String,
    /// Whether an annotation of the Node forbids its removal.
    pub disabled: bool,
    /// The Pods that keep it; empty if none does.
    pub blockers: Vec<BlockingPod>,
}

/// A Pod that keeps its Node from being removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BlockingPod {
    /// The namespace.
    pub namespace: Option<String>,
    /// The name.
    pub name: String,
    /// The id of the component; null if there is no explanation.
    #[schemars(with = "Option<String>")]
    pub component: Option<Id>,
    /// Why.
    pub reason: BlockReason,
    /// The volumes, for `local-storage`.
    pub volumes: Vec<String>,
}

/// Why a Pod keeps its Node from being removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum BlockReason {
    /// The annotation `cluster-autoscaler.kubernetes.io/safe-to-evict: "false"`.
    NotSafeToEvict,
    /// The annotation `karpenter.sh/do-not-disrupt: "true"`.
    DoNotDisrupt,
    /// No controller would recreate it.
    NoController,
    /// It is in `kube-system`, and no PodDisruptionBudget allows its eviction.
    SystemPod,
    /// Its data is on the Node.
    LocalStorage,
    /// Its PodDisruptionBudget allows no eviction now.
    Budget,
}

/// A PriorityClass, and the components that use it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PriorityUse {
    /// The name of the PriorityClass.
    pub class: String,
    /// Ids of the components.
    #[schemars(with = "Vec<String>")]
    pub components: Vec<Id>,
}

/// The address of the rules.
pub(super) const RULES_URL: &str =
    "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#what-types-of-pods-can-prevent-ca-from-removing-a-node";

/// The namespace whose Pods need a PodDisruptionBudget.
const SYSTEM_NAMESPACE: &str = "kube-system";

/// What keeps the Nodes of the Pods of a listing; `None` if it has no whole Pods with a Node.
pub(super) fn scale_down(rows: &[ExplainedRow]) -> Option<ScaleDown> {
    let mut budgets: BTreeMap<&str, Vec<&BudgetObject>> = BTreeMap::new();
    let mut nodes: BTreeMap<&str, NodeRemoval> = BTreeMap::new();
    for row in rows {
        match row.row.object.as_deref() {
            Some(ObjectContent::Budget(budget)) => {
                budgets.entry(row.row.namespace.as_deref().unwrap_or_default()).or_default().push(budget);
            }
            Some(ObjectContent::Node(node)) => nodes.entry(&row.row.name).or_default().disabled = node.scale_down_disabled,
            _ => {}
        }
    }
    let (mut tolerate_all, mut priorities) = (BTreeSet::new(), BTreeMap::<&str, BTreeSet<&Id>>::new());
    let mut seen = BTreeSet::new();
    for row in rows {
        let Some(ObjectContent::Pod(pod)) = row.row.object.as_deref() else { continue };
        let namespace = row.row.namespace.as_deref();
        if pod.finished || !seen.insert((namespace, row.row.name.as_str())) {
            continue;
        }
        if let Some(owner) = &row.owner {
            if pod.spec.tolerates_all {
                tolerate_all.insert(&owner.component);
            }
            if let Some(class) = &pod.spec.priority_class {
                priorities.entry(class).or_default().insert(&owner.component);
            }
        }
        let Some(node) = pod.node.as_deref() else { continue };
        let own = budgets.get(namespace.unwrap_or_default()).map(Vec::as_slice).unwrap_or_default();
        let entry = nodes.entry(node).or_default();
        if let Some((reason, volumes)) = reason(pod, namespace, own) {
            entry.blockers.push(BlockingPod {
                namespace: row.row.namespace.clone(),
                name: row.row.name.clone(),
                component: row.owner.as_ref().map(|owner| owner.component.clone()),
                reason,
                volumes,
            });
        }
    }
    if !rows.iter().any(|row| matches!(row.row.object.as_deref(), Some(ObjectContent::Pod(pod)) if pod.node.is_some())) {
        return None;
    }
    Some(ScaleDown {
        nodes: nodes.into_iter().map(|(node, removal)| NodeRemoval { node: node.to_owned(), ..removal }).collect(),
        has_budgets: !budgets.is_empty(),
        tolerate_all: tolerate_all.into_iter().cloned().collect(),
        priorities: priorities
            .into_iter()
            .map(|(class, components)| PriorityUse { class: class.to_owned(), components: components.into_iter().cloned().collect() })
            .collect(),
    })
}

/// Why a Pod keeps its Node, with its local volumes; `None` if it doesn't. The first rule that applies decides.
fn reason(pod: &PodObject, namespace: Option<&str>, budgets: &[&BudgetObject]) -> Option<(BlockReason, Vec<String>)> {
    // These Pods end with their Node.
    if pod.mirror || matches!(pod.controller.as_deref(), Some("DaemonSet" | "Node")) {
        return None;
    }
    let selects = |budget: &&&BudgetObject| budget.labels.iter().all(|(label, value)| pod.labels.get(label) == Some(value));
    let own: Vec<&BudgetObject> = budgets.iter().filter(selects).copied().collect();
    // Expressions are not evaluated, so a budget with some may select other Pods.
    let exhausted = own.iter().any(|budget| budget.allowed == Some(0) && !budget.has_expressions);
    let volumes: Vec<String> = pod.spec.local_volumes.iter().filter(|volume| !pod.evictable_volumes.contains(volume)).cloned().collect();
    let reason = if pod.do_not_disrupt {
        BlockReason::DoNotDisrupt
    } else if pod.safe_to_evict == Some(true) {
        return exhausted.then_some((BlockReason::Budget, Vec::new()));
    } else if pod.controller.is_none() {
        BlockReason::NoController
    } else if namespace == Some(SYSTEM_NAMESPACE) && own.is_empty() {
        BlockReason::SystemPod
    } else if pod.safe_to_evict == Some(false) {
        BlockReason::NotSafeToEvict
    } else if !volumes.is_empty() {
        return Some((BlockReason::LocalStorage, volumes));
    } else if exhausted {
        BlockReason::Budget
    } else {
        return None;
    };
    Some((reason, Vec::new()))
}
