//! Whole objects of the Kubernetes API, as `-o json` and `-o yaml` print them: the fields that explanations use, and the health that follows from them.
//!
//! Objects come from pasted texts, so every field may be missing or have another type. Such a field counts as absent.

mod fields;
mod health;
mod image;
mod pod_spec;
mod pod_status;
mod quantity;
mod workload_status;

use std::collections::BTreeMap;

use serde_json::Value;

pub use health::Health;
pub use image::{image_path, image_tag, is_image};
pub use pod_spec::{ContainerResources, PodSpec};
pub use quantity::{cpu, memory};

use fields::Fields;

/// What an object states beyond its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectDetails {
    /// Its health; `None` for a kind without a status.
    pub health: Option<Health>,
    /// What its kind states.
    pub content: ObjectContent,
}

/// What the objects of a kind state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectContent {
    /// A Pod.
    Pod(Box<PodObject>),
    /// An object that creates Pods.
    Workload(Box<WorkloadObject>),
    /// A Node.
    Node(NodeObject),
    /// A PodDisruptionBudget.
    Budget(BudgetObject),
    /// Another kind, of which only the health is used.
    Other,
}

/// The fields of a Pod.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodObject {
    /// The containers and their environment.
    pub spec: PodSpec,
    /// The Node that it runs on; `None` if it is not scheduled.
    pub node: Option<String>,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// The kind of the object that controls it.
    pub controller: Option<String>,
    /// Whether it has ended, successfully or not.
    pub finished: bool,
    /// Whether it represents a static Pod.
    pub mirror: bool,
    /// The annotation `cluster-autoscaler.kubernetes.io/safe-to-evict`.
    pub safe_to_evict: Option<bool>,
    /// The volumes that the annotation `cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes` names.
    pub evictable_volumes: Vec<String>,
    /// Whether it has the annotation `karpenter.sh/do-not-disrupt: "true"`.
    pub do_not_disrupt: bool,
}

/// The fields of an object that creates Pods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadObject {
    /// The template of its Pods.
    pub spec: PodSpec,
    /// The number of Pods that it should have.
    pub desired: u32,
    /// The Node selector of the template, as kubectl prints it: `a=b,c=d`.
    pub node_selector: String,
    /// The kind of the object that controls it.
    pub controller: Option<String>,
}

/// The fields of a Node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeObject {
    /// Thousandths of a processor that Pods can request.
    pub cpu: Option<u64>,
    /// Bytes that Pods can request.
    pub memory: Option<u64>,
    /// Whether the annotation `cluster-autoscaler.kubernetes.io/scale-down-disabled: "true"` keeps it.
    pub scale_down_disabled: bool,
}

/// The fields of a PodDisruptionBudget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BudgetObject {
    /// The labels of its Pods. An empty selector selects all Pods of the namespace.
    pub labels: BTreeMap<String, String>,
    /// Whether the selector has expressions, which are not evaluated.
    pub has_expressions: bool,
    /// How many Pods may be evicted now; `None` if the status is missing.
    pub allowed: Option<u32>,
}

/// The details of an object of a kind. `None` for a kind that nothing is read of.
#[must_use]
pub fn details(kind: &str, object: &Value) -> Option<ObjectDetails> {
    let object = Fields::new(object);
    let (health, content) = match kind {
        "Pod" => (Some(pod_status::health(object)), ObjectContent::Pod(Box::new(pod(object)))),
        "Deployment" | "StatefulSet" | "DaemonSet" | "ReplicaSet" | "ReplicationController" | "Job" | "CronJob" => {
            let workload = workload(kind, object);
            (workload_status::health(kind, object, workload.desired), ObjectContent::Workload(Box::new(workload)))
        }
        "Node" => (Some(workload_status::node(object)), ObjectContent::Node(node(object))),
        "PodDisruptionBudget" => (None, ObjectContent::Budget(budget(object))),
        "PersistentVolumeClaim" | "Namespace" | "APIService" => (workload_status::other(kind, object), ObjectContent::Other),
        _ => return None,
    };
    // A manifest that was not read from a cluster has no status.
    Some(ObjectDetails { health: health.filter(|_| object.get("status").has_entries()), content })
}

fn pod(object: Fields<'_>) -> PodObject {
    let (metadata, spec) = (object.get("metadata"), object.get("spec"));
    let annotations = metadata.get("annotations");
    let safe_to_evict = match annotations.get("cluster-autoscaler.kubernetes.io/safe-to-evict").text() {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    let volumes = annotations.get("cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes").text().unwrap_or_default();
    PodObject {
        spec: PodSpec::new(spec),
        node: spec.get("nodeName").text().filter(|name| !name.is_empty()).map(str::to_owned),
        labels: metadata.get("labels").texts(),
        controller: controller(metadata),
        finished: matches!(object.get("status").get("phase").text(), Some("Succeeded" | "Failed")),
        mirror: annotations.get("kubernetes.io/config.mirror").text().is_some(),
        safe_to_evict,
        evictable_volumes: volumes.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        do_not_disrupt: annotations.get("karpenter.sh/do-not-disrupt").text() == Some("true"),
    }
}

/// The kind of the owner that controls an object.
fn controller(metadata: Fields<'_>) -> Option<String> {
    let owners = metadata.get("ownerReferences").list();
    owners.into_iter().find(|owner| owner.get("controller").is_true()).and_then(|owner| owner.get("kind").text()).map(str::to_owned)
}

fn workload(kind: &str, object: Fields<'_>) -> WorkloadObject {
    let spec = object.get("spec");
    let template = if kind == "CronJob" { spec.get("jobTemplate").get("spec") } else { spec }.get("template").get("spec");
    let desired = match kind {
        "DaemonSet" => object.get("status").get("desiredNumberScheduled").count().unwrap_or(0),
        "Job" => object.get("status").get("active").count().unwrap_or(0),
        "CronJob" => 0,
        _ => spec.get("replicas").count().unwrap_or(1),
    };
    let selector: Vec<String> = template.get("nodeSelector").texts().into_iter().map(|(label, value)| format!("{label}={value}")).collect();
    WorkloadObject {
        spec: PodSpec::new(template),
        desired,
        node_selector: selector.join(","),
        controller: controller(object.get("metadata")),
    }
}

fn node(object: Fields<'_>) -> NodeObject {
    let allocatable = object.get("status").get("allocatable");
    let annotations = object.get("metadata").get("annotations");
    NodeObject {
        cpu: allocatable.get("cpu").quantity(cpu),
        memory: allocatable.get("memory").quantity(memory),
        scale_down_disabled: annotations.get("cluster-autoscaler.kubernetes.io/scale-down-disabled").text() == Some("true"),
    }
}

fn budget(object: Fields<'_>) -> BudgetObject {
    let selector = object.get("spec").get("selector");
    BudgetObject {
        labels: selector.get("matchLabels").texts(),
        has_expressions: !selector.get("matchExpressions").list().is_empty(),
        allowed: object.get("status").get("disruptionsAllowed").count(),
    }
}
