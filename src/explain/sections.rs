//! Versions, requested resources and the removal of Nodes, as sentences and tables for every output.

use super::{
    Amount, BlockReason, BlockingPod, ComponentCost, CostSum, Explanation, ListingComparison, RestartChange, RunningVersion, VersionChange,
    presenter::Presenter, scale_down::RULES_URL,
};
use crate::id::Id;

/// A table of a report.
pub(super) struct ReportTable {
    /// The titles of the columns.
    pub(super) titles: Vec<String>,
    /// The cells of its rows.
    pub(super) rows: Vec<Vec<String>>,
    /// The number of columns with text; the others have numbers.
    pub(super) texts: usize,
}

/// The bytes of a mebibyte and a gibibyte.
const MEBIBYTE: u64 = 1 << 20;
const GIBIBYTE: u64 = 1 << 30;

/// Thousandths of a processor as Kubernetes writes them: `250m`; from one processor on, with at most two decimals: `1.25`.
pub(super) fn cpu_text(thousandths: u64) -> String {
    if thousandths < 1000 {
        return format!("{thousandths}m");
    }
    let hundredths = thousandths.saturating_add(5) / 10;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Bytes as Kubernetes writes them: `300Mi`; from one gibibyte on, with at most one decimal: `1.5Gi`.
pub(super) fn memory_text(bytes: u64) -> String {
    if bytes < GIBIBYTE {
        return format!("{}Mi", bytes.saturating_add(MEBIBYTE / 2) / MEBIBYTE);
    }
    // The remainder is less than a gibibyte, so this does not overflow.
    let tenths = bytes / GIBIBYTE * 10 + (bytes % GIBIBYTE * 10 + GIBIBYTE / 2) / GIBIBYTE;
    if tenths.is_multiple_of(10) { format!("{}Gi", tenths / 10) } else { format!("{}.{}Gi", tenths / 10, tenths % 10) }
}

/// The share in percent, rounded down; `?` of nothing.
fn percent(part: u64, all: u64) -> String {
    let share = u128::from(part) * 100;
    share.checked_div(u128::from(all)).map_or_else(|| "?".to_owned(), |share| share.to_string())
}

impl Presenter<'_> {
    /// The version of a component, whether it is supported, and the versions in the release of the provider.
    pub(super) fn version(&self, version: &RunningVersion) -> String {
        let shipped = version.shipped.iter().map(|of| {
            let kind = self.words.term("version_kind", of.kind.name());
            self.words.with("explain_version_shipped", &[("release", &of.release), ("version", &of.version), ("meaning", kind)])
        });
        let state = self.support_of(version);
        [version.version.clone()].into_iter().chain(state).chain(shipped).collect::<Vec<_>>().join(" · ")
    }

    /// Whether a version is supported; `None` if that is not known.
    fn support_of(&self, version: &RunningVersion) -> Option<String> {
        Some(match (version.supported, version.end, &version.oldest) {
            (Some(true), Some(end), _) => self.words.with("explain_version_until", &[("date", &end.0.to_string())]),
            (Some(false), Some(end), _) => self.words.with("explain_version_end", &[("date", &end.0.to_string())]),
            (Some(false), None, Some(oldest)) => self.words.with("explain_version_old", &[("version", oldest)]),
            (Some(true), ..) => self.words.get("explain_version_ok").to_owned(),
            _ => return None,
        })
    }

    /// The versions of a component, in one line; empty if none are known.
    pub(super) fn versions_of(&self, report: &Explanation, component: &Id) -> String {
        let own = report.versions.iter().filter(|version| version.component == *component);
        self.list(&own.map(|version| self.version(version)).collect::<Vec<_>>())
    }

    /// One line for each version without support.
    pub(super) fn unsupported(&self, report: &Explanation) -> Vec<String> {
        let old = report.versions.iter().filter(|version| version.supported == Some(false));
        old.map(|version| format!("{} {}", self.knowledge.name(&version.component), self.version(version))).collect()
    }

    /// What the system requests, in sentences.
    pub(super) fn cost(&self, report: &Explanation) -> Vec<String> {
        let Some(cost) = &report.cost else { return Vec::new() };
        let [cpu, own_cpu] = [&cost.system, &cost.own].map(|sum| cpu_text(sum.requests.cpu));
        let [memory, own_memory] = [&cost.system, &cost.own].map(|sum| memory_text(sum.requests.memory));
        let mut lines = vec![
            self.words.with("explain_cost_line", &[("cpu", &cpu), ("memory", &memory), ("own_cpu", &own_cpu), ("own_memory", &own_memory)]),
        ];
        if let Some(all) = cost.allocatable {
            let (cpu, memory) = (percent(cost.system.requests.cpu, all.cpu), percent(cost.system.requests.memory, all.memory));
            lines.push(self.words.with("explain_cost_share", &[("cpu", &cpu), ("memory", &memory)]));
        }
        if cost.from_templates {
            lines.push(self.words.get("explain_cost_templates").to_owned());
        }
        if cost.system.without_requests > 0 {
            lines.push(self.words.with("explain_cost_without", &[("n", &cost.system.without_requests.to_string())]));
        }
        lines
    }

    /// What each component and each Node has.
    pub(super) fn cost_tables(&self, report: &Explanation) -> Vec<ReportTable> {
        let Some(cost) = &report.cost else { return Vec::new() };
        let word = |key| self.words.get(key).to_owned();
        let cells = |name: String, sum: &CostSum| {
            let limit = if sum.without_limits > 0 { "-".to_owned() } else { memory_text(sum.limits.memory) };
            vec![name, sum.pods.to_string(), cpu_text(sum.requests.cpu), memory_text(sum.requests.memory), limit]
        };
        let component = |one: &ComponentCost| {
            let name = one.component.as_ref().map_or_else(|| word("explain_unknown"), |id| self.knowledge.name(id).to_owned());
            let name = if one.per_node { self.words.with("explain_cost_per_node", &[("name", &name)]) } else { name };
            cells(name, &one.sum)
        };
        let mut rows: Vec<Vec<String>> = cost.components.iter().map(component).collect();
        rows.push(cells(word("explain_cost_system"), &cost.system));
        rows.push(cells(word("explain_cost_own"), &cost.own));
        let amount = |name: String, pods: &str, amount: Amount| {
            vec![name, pods.to_owned(), cpu_text(amount.cpu), memory_text(amount.memory), String::new()]
        };
        rows.extend(cost.allocatable.map(|all| amount(word("explain_cost_allocatable"), "", all)));
        let titles = ["component", "explain_pods", "explain_cpu", "explain_memory", "explain_memory_limit"].map(word).into();
        let components = ReportTable { titles, rows, texts: 1 };
        let node = |node: &super::NodeCost| {
            let of = |used: u64, all: Option<u64>, text: fn(u64) -> String| {
                all.map_or_else(|| text(used), |all| format!("{} ({} %)", text(used), percent(used, all)))
            };
            let (system, own, all) = (node.system, node.own, node.allocatable);
            vec![
                node.node.clone(),
                of(system.cpu, all.map(|all| all.cpu), cpu_text),
                of(system.memory, all.map(|all| all.memory), memory_text),
                of(own.cpu, all.map(|all| all.cpu), cpu_text),
                of(own.memory, all.map(|all| all.memory), memory_text),
            ]
        };
        let with = |key, of| format!("{}: {}", self.words.get(key), self.words.get(of));
        let titles = vec![
            word("explain_node"),
            with("explain_cost_system", "explain_cpu"),
            with("explain_cost_system", "explain_memory"),
            with("explain_cost_own", "explain_cpu"),
            with("explain_cost_own", "explain_memory"),
        ];
        let nodes = ReportTable { titles, rows: cost.nodes.iter().map(node).collect(), texts: 1 };
        [components, nodes].into_iter().filter(|table| !table.rows.is_empty()).collect()
    }

    /// What keeps Nodes from being removed, in one or two sentences.
    pub(super) fn scale_down(&self, report: &Explanation) -> Vec<String> {
        let Some(scale_down) = &report.scale_down else { return Vec::new() };
        let kept = scale_down.nodes.iter().filter(|node| node.disabled || !node.blockers.is_empty()).count();
        if kept == 0 {
            return vec![self.words.get("explain_scale_none").to_owned()];
        }
        let numbers = [("n", kept.to_string()), ("all", scale_down.nodes.len().to_string())];
        let mut lines = vec![self.words.with("explain_scale_line", &numbers.each_ref().map(|(key, number)| (*key, number.as_str())))];
        let has_system_pods = scale_down.nodes.iter().flat_map(|node| &node.blockers).any(|it| it.reason == BlockReason::SystemPod);
        if has_system_pods && !scale_down.has_budgets {
            lines.push(self.words.get("explain_scale_budgets").to_owned());
        }
        lines
    }

    /// The Pods that keep each Node, with the reasons.
    pub(super) fn scale_down_tables(&self, report: &Explanation) -> Vec<ReportTable> {
        let Some(scale_down) = &report.scale_down else { return Vec::new() };
        let mut rows = Vec::new();
        for node in &scale_down.nodes {
            if node.disabled {
                rows.push(vec![node.node.clone(), String::new(), self.words.get("explain_scale_disabled").to_owned()]);
            }
            for pod in &node.blockers {
                let namespace = pod.namespace.as_deref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
                rows.push(vec![node.node.clone(), format!("{namespace}{}", pod.name), self.block_reason(pod)]);
            }
        }
        let titles = ["explain_node", "explain_scale_pod", "explain_reason"].map(|key| self.words.get(key).to_owned()).into();
        Some(ReportTable { titles, rows, texts: 3 }).filter(|table| !table.rows.is_empty()).into_iter().collect()
    }

    /// What else matters for scheduling: tolerations and PriorityClasses.
    pub(super) fn scheduling(&self, report: &Explanation) -> Vec<String> {
        let Some(scale_down) = &report.scale_down else { return Vec::new() };
        let colon = self.words.get("explain_colon");
        let mut lines = Vec::new();
        if !scale_down.tolerate_all.is_empty() {
            lines.push(format!("{}{colon}{}", self.words.get("explain_tolerate_all"), self.names(&scale_down.tolerate_all)));
        }
        for class in &scale_down.priorities {
            let name = self.words.with("explain_priority", &[("class", &class.class)]);
            lines.push(format!("{name}{colon}{}", self.names(&class.components)));
        }
        lines
    }

    /// Versions, requests and restarts that differ between two listings: the key of the title, and the lines.
    pub(super) fn changes(&self, changes: &ListingComparison) -> [(&'static str, Vec<String>); 3] {
        let colon = self.words.get("explain_colon");
        let version = |change: &VersionChange| {
            format!("{}{colon}{} → {}", self.knowledge.name(&change.component), self.list(&change.before), self.list(&change.after))
        };
        let amounts = |key, before: Amount, after: Amount| {
            let text = |amount: Amount| {
                format!("CPU {}, {} {}", cpu_text(amount.cpu), self.words.get("explain_memory"), memory_text(amount.memory))
            };
            (before != after).then(|| format!("{}{colon}{} → {}", self.words.get(key), text(before), text(after)))
        };
        let requests = changes.requests.iter().flat_map(|it| {
            let system = amounts("explain_cost_system", it.system_before, it.system_after);
            system.into_iter().chain(amounts("explain_cost_own", it.own_before, it.own_after))
        });
        let restart = |change: &RestartChange| {
            let namespace = change.namespace.as_deref().map(|namespace| format!("{namespace}/")).unwrap_or_default();
            format!("{namespace}{}{colon}{} → {}", change.name, change.before, change.after)
        };
        [
            ("explain_versions_changed", changes.versions.iter().map(version).collect()),
            ("explain_cost", requests.collect()),
            ("explain_restarted", changes.restarts.iter().map(restart).collect()),
        ]
    }

    fn block_reason(&self, pod: &BlockingPod) -> String {
        match pod.reason {
            BlockReason::NotSafeToEvict => self.words.get("explain_block_not_safe_to_evict").to_owned(),
            BlockReason::DoNotDisrupt => self.words.get("explain_block_do_not_disrupt").to_owned(),
            BlockReason::NoController => self.words.get("explain_block_no_controller").to_owned(),
            BlockReason::SystemPod => self.words.get("explain_block_system_pod").to_owned(),
            BlockReason::LocalStorage => self.words.with("explain_block_local_storage", &[("volumes", &self.list(&pod.volumes))]),
            BlockReason::Budget => self.words.get("explain_block_budget").to_owned(),
        }
    }

    /// The name and the address of the rules by which Pods keep Nodes.
    pub(super) fn scale_down_rules(&self) -> String {
        format!("{}{}{RULES_URL}", self.words.get("explain_scale_rules"), self.words.get("explain_colon"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_short() {
        for (thousandths, text) in [(0, "0m"), (250, "250m"), (1000, "1"), (1250, "1.25"), (1304, "1.3"), (12_000, "12"), (1995, "2")] {
            assert_eq!(cpu_text(thousandths), text);
        }
        for (bytes, text) in
            [(0, "0Mi"), (MEBIBYTE * 300, "300Mi"), (GIBIBYTE, "1Gi"), (GIBIBYTE * 3 / 2, "1.5Gi"), (GIBIBYTE * 48, "48Gi")]
        {
            assert_eq!(memory_text(bytes), text);
        }
        assert_eq!((percent(1, 3), percent(1, 0)), ("33".to_owned(), "?".to_owned()));
    }
}
