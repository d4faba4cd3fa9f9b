//! The lists of system workloads in the formats of policy engines.

use std::{collections::BTreeSet, fmt::Write as _};

use serde::Serialize;

use super::json;
use crate::{
    kb::{Kb, Provider},
    render::{
        exemption_formats::ExemptionFormat,
        exemptions::{CREATED, NamePattern, SystemWorkloads, system_workloads},
    },
    text::printable,
};

/// The content of the file of a provider.
pub(super) fn exemptions(kb: &Kb, provider: &Provider, format: ExemptionFormat) -> Vec<u8> {
    let workloads = system_workloads(kb, provider);
    // A line break would end the comment.
    let title = format!("# Workloads that are part of {}.\n", printable(&provider.name));
    match format {
        ExemptionFormat::Kyverno => (title + &kyverno(&workloads)).into_bytes(),
        ExemptionFormat::Gatekeeper => (title + &gatekeeper(&workloads)).into_bytes(),
        ExemptionFormat::Polaris => (title + &polaris(&workloads)).into_bytes(),
        ExemptionFormat::Kubescape => json(&kubescape(provider, &workloads)),
        ExemptionFormat::Alertmanager => (title + &alertmanager(&workloads)).into_bytes(),
    }
}

/// A block for `exclude` in a rule.
fn kyverno(workloads: &SystemWorkloads) -> String {
    let mut out = String::from("exclude:\n  any:\n");
    for (namespace, kinds) in workloads {
        for (kind, names) in kinds {
            let _ = write!(out, "    - resources:\n        kinds: [{kind}]\n        namespaces: [{}]\n        names:\n", quoted(namespace));
            for name in names {
                let _ = writeln!(out, "          - {}", quoted(&name.glob()));
            }
        }
    }
    out
}

/// The `Config` of Gatekeeper, which only knows namespaces.
fn gatekeeper(workloads: &SystemWorkloads) -> String {
    let mut out = String::from(
        "apiVersion: config.gatekeeper.sh/v1alpha1\nkind: Config\nmetadata:\n  name: config\n  namespace: gatekeeper-system\nspec:\n  match:\n    - processes: [\"*\"]\n      excludedNamespaces:\n",
    );
    for namespace in workloads.keys() {
        let _ = writeln!(out, "        - {}", quoted(namespace));
    }
    out
}

/// The `exemptions` of Polaris. It compares the beginnings of names of controllers.
fn polaris(workloads: &SystemWorkloads) -> String {
    let mut out = String::from("exemptions:\n");
    for (namespace, kinds) in workloads {
        let names: BTreeSet<&str> = kinds
            .iter()
            .filter(|(kind, _)| !CREATED.contains(&kind.as_str()))
            .flat_map(|(_, names)| names)
            .map(NamePattern::prefix)
            .collect();
        if !names.is_empty() {
            let _ = write!(out, "  - namespace: {}\n    controllerNames:\n", quoted(namespace));
            for name in names {
                let _ = writeln!(out, "      - {}", quoted(name));
            }
        }
    }
    out
}

/// An exception of Kubescape.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PostureException {
    name: String,
    policy_type: &'static str,
    actions: [&'static str; 1],
    resources: Vec<Designator>,
    posture_policies: [PosturePolicy; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Designator {
    designator_type: &'static str,
    attributes: DesignatorAttributes,
}

#[derive(Serialize)]
struct DesignatorAttributes {
    kind: String,
    namespace: String,
    /// A regular expression.
    name: String,
}

#[derive(Serialize)]
struct PosturePolicy {
    #[serde(rename = "controlID")]
    control: &'static str,
}

fn kubescape(provider: &Provider, workloads: &SystemWorkloads) -> [PostureException; 1] {
    let designator = |namespace: &str, kind: &str, name: &NamePattern| Designator {
        designator_type: "Attributes",
        attributes: DesignatorAttributes { kind: kind.to_owned(), namespace: namespace.to_owned(), name: name.regex() },
    };
    let of_kind = |(namespace, kind, names): (&String, &String, &BTreeSet<NamePattern>)| {
        names.iter().map(|name| designator(namespace, kind, name)).collect::<Vec<_>>()
    };
    let kinds = workloads.iter().flat_map(|(namespace, kinds)| kinds.iter().map(move |(kind, names)| (namespace, kind, names)));
    [PostureException {
        name: format!("workloads-of-{}", provider.id),
        policy_type: "postureExceptionPolicy",
        actions: ["alertOnly"],
        resources: kinds.flat_map(of_kind).collect(),
        posture_policies: [PosturePolicy { control: "C-.*" }],
    }]
}

/// Routes with matchers of the labels that kube-state-metrics and cAdvisor set.
fn alertmanager(workloads: &SystemWorkloads) -> String {
    let mut out = String::from("routes:\n");
    for (namespace, kinds) in workloads {
        for (kind, names) in kinds.iter().filter(|(kind, _)| *kind != "ReplicaSet") {
            let names: Vec<String> = names.iter().map(NamePattern::regex).collect();
            let _ = write!(
                out,
                "  - matchers:\n      - {}\n      - {}\n    receiver: \"null\"\n",
                quoted(&format!("namespace = {}", quoted(namespace))),
                quoted(&format!("{} =~ {}", kind.to_lowercase(), quoted(&names.join("|"))))
            );
        }
    }
    out
}

/// A string of YAML, and of a matcher.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
