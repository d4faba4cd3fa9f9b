//! Header lines of tables: their columns, and the kind of the objects below.

use std::borrow::Cow;

use super::{
    cells::{SERVICE_TYPES, is_age},
    kinds::known_kind,
    line::NAME_TITLES,
    word_list::WordList,
};

/// A header, and the layout of the rows below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    /// The index of the cell with the name.
    pub(super) name: usize,
    /// The index of the cell with the namespace.
    pub(super) namespace: Option<usize>,
    /// The index of the cell with the kind, in manually written tables.
    pub(super) kind_at: Option<usize>,
    /// Whether some cell has the kind and the name of the object: a table of events.
    pub(super) objects: bool,
    /// The number of words in the header.
    pub(super) length: usize,
    /// Whether each complete row ends in a time.
    pub(super) ends_in_age: bool,
    /// The title after that of the name.
    pub(super) next: Option<String>,
    /// The kind of the objects, if the columns are unambiguous.
    pub(super) kind: Option<&'static str>,
}

/// Columns after the name, and the only kind that prints them (kubectl 1.2 to 1.37, pkg/printers of Kubernetes). If several match, the longest wins. A ReplicaSet
/// and a ReplicationController print the same columns, so neither is included.
pub(super) const COLUMNS: &[(&[&str], &str)] = &[
    (&["READY", "STATUS", "RESTARTS"], "Pod"),
    (&["CPU(cores)", "MEMORY(bytes)"], "Pod"),
    (&["READY", "UP-TO-DATE", "AVAILABLE"], "Deployment"),
    // Before 1.15.
    (&["DESIRED", "CURRENT", "UP-TO-DATE", "AVAILABLE"], "Deployment"),
    (&["DESIRED", "CURRENT", "READY", "UP-TO-DATE"], "DaemonSet"),
    (&["DESIRED", "CURRENT", "READY", "NODE-SELECTOR"], "DaemonSet"),
    (&["DESIRED", "CURRENT", "NODE-SELECTOR"], "DaemonSet"),
    (&["READY", "AGE"], "StatefulSet"),
    (&["COMPLETIONS"], "Job"),
    (&["STATUS", "COMPLETIONS"], "Job"),
    (&["DESIRED", "SUCCESSFUL"], "Job"),
    (&["SCHEDULE"], "CronJob"),
    (&["TYPE", "CLUSTER-IP"], "Service"),
    (&["CLUSTER-IP"], "Service"),
    (&["DATA", "AGE"], "ConfigMap"),
    (&["TYPE", "DATA"], "Secret"),
    (&["SECRETS"], "ServiceAccount"),
    (&["ENDPOINTS"], "Endpoints"),
    (&["ADDRESSTYPE"], "EndpointSlice"),
    (&["HOLDER"], "Lease"),
    (&["CLASS", "HOSTS"], "Ingress"),
    (&["HOSTS"], "Ingress"),
    (&["CONTROLLER", "PARAMETERS"], "IngressClass"),
    (&["POD-SELECTOR"], "NetworkPolicy"),
    (&["STATUS", "ROLES"], "Node"),
    (&["STATUS", "MESSAGE", "ERROR"], "ComponentStatus"),
    (&["STATUS", "VOLUME"], "PersistentVolumeClaim"),
    (&["CAPACITY"], "PersistentVolume"),
    (&["PROVISIONER"], "StorageClass"),
    (&["ATTACHREQUIRED"], "CSIDriver"),
    (&["DRIVERS"], "CSINode"),
    (&["HANDLER"], "RuntimeClass"),
    (&["VALUE", "GLOBAL-DEFAULT"], "PriorityClass"),
    (&["REFERENCE", "TARGETS"], "HorizontalPodAutoscaler"),
    (&["MIN", "AVAILABLE"], "PodDisruptionBudget"),
    (&["MIN-AVAILABLE"], "PodDisruptionBudget"),
    (&["SERVICE", "AVAILABLE"], "APIService"),
    // Other programs and custom resources. Their names are not those of workloads.
    (&["PACKAGE-NAME", "PACKAGE-VERSION"], "PackageInstall"),
    (&["VERSION", "AVAILABLE", "PROGRESSING"], "ClusterOperator"),
    (&["SYNC", "STATUS", "HEALTH"], "Application"),
    (&["NODECLASS", "NODES"], "NodePool"),
    (&["REVISION", "UPDATED", "STATUS"], "HelmRelease"),
    (&["NAMESPACE", "REVISION", "UPDATED"], "HelmRelease"),
    (&["STATUS", "ERRORS", "WARNINGS"], "Backup"),
    (&["ROLE", "MACHINETYPE"], "InstanceGroup"),
    (&["STATE", "IPV4"], "Machine"),
];

/// Titles that people also write in lower case, without lines between the columns.
pub(super) const COMMON_TITLES: WordList = WordList(
    "NAME NAMESPACE READY STATUS RESTARTS AGE TYPE DATA KIND POD POD_NAME NODE IP VERSION DESIRED CURRENT AVAILABLE UP-TO-DATE CLUSTER-IP EXTERNAL-IP PORT(S)",
);

/// Kinds as the title of the column with the names, in tables that other programs print.
pub(super) const KIND_TITLES: WordList = WordList("DEPLOYMENT DAEMONSET STATEFULSET REPLICASET SERVICE CRONJOB");

/// Titles of columns that only objects have.
pub(super) const OBJECT_TITLES: WordList = WordList("READY AGE DESIRED RESTARTS CLUSTER-IP");

/// A header in capitals; with `POD NAME` as one title.
fn capitalized(line: &str) -> Cow<'_, str> {
    let first = line.split_whitespace().next().unwrap_or_default();
    let joined = match pod_name(line, first) {
        Some(at) => Cow::Owned(format!("{}_{}", &line[..at], &line[at + 1..])),
        None => Cow::Borrowed(line),
    };
    let is_common = |word: &str| COMMON_TITLES.contains(&word.to_ascii_uppercase());
    // Most lines are rows, whose first word is no title.
    if first.bytes().any(|byte| byte.is_ascii_lowercase()) && joined.split_whitespace().all(is_common) {
        return Cow::Owned(joined.to_ascii_uppercase());
    }
    joined
}

/// The index of the space in the title `POD NAME`, in any case, at the beginning of a header or after the namespace.
fn pod_name(line: &str, first: &str) -> Option<usize> {
    const TITLE: &str = "pod name";
    if !first.eq_ignore_ascii_case("pod") && !first.eq_ignore_ascii_case("namespace") {
        return None;
    }
    let at = line.as_bytes().windows(TITLE.len()).position(|part| part.eq_ignore_ascii_case(TITLE.as_bytes()))?;
    let (before, after) = (&line[..at], &line[at + TITLE.len()..]);
    let is_separate = (before.is_empty() || before.ends_with("  ")) && (after.is_empty() || after.starts_with("  "));
    is_separate.then_some(at + 3)
}

impl Header {
    /// Parses a line such as `NAMESPACE   NAME   READY   STATUS`; `None` if it is not a header. Names of objects have no capitals, so a capital excludes a row.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let line = &*capitalized(line);
        let first = line.split_whitespace().next()?;
        if !first.starts_with(|c: char| c.is_ascii_uppercase()) {
            return None;
        }
        let cells: Vec<&str> = line.split_whitespace().collect();
        if matches!(cells.as_slice(), ["Namespace", "Name", "CPU", ..]) {
            // The Pods of a Node, as `kubectl describe node` prints them.
            let (next, kind) = (Some(String::new()), Some("Pod"));
            return Some(Self { name: 1, namespace: Some(0), next, kind, length: cells.len(), ..Self::default() });
        }
        let is_title = |cell: &str| cell.starts_with(|c: char| c.is_ascii_uppercase()) && !cell.contains(|c: char| c.is_ascii_lowercase());
        let are_titles = cells.len() > 1 && cells.iter().all(|cell| is_title(cell));
        let place = |title: &str| cells.iter().position(|cell| *cell == title);
        // Tables of containers have a POD column; before 1.2, kubectl used this title for the name of a Pod.
        let name = NAME_TITLES.iter().find_map(|title| place(title));
        let has_objects = || cells.iter().any(|cell| OBJECT_TITLES.contains(cell));
        let name = name.or_else(|| cells.iter().position(|cell| KIND_TITLES.contains(cell)).filter(|_| are_titles && has_objects()));
        let objects = are_titles && name.is_none() && place("OBJECT").is_some();
        let known = matches!(first, "NAME" | "NAMESPACE") || (are_titles && (name.is_some() || objects));
        if !known {
            return None;
        }
        // `NAMESPACE ID` of `talosctl`.
        let name = name.unwrap_or(usize::from(first == "NAMESPACE" && cells.len() > 1));
        let columns = cells.get(name + 1..).unwrap_or_default();
        let fits = |known: &&(&[&str], &str)| columns.starts_with(known.0);
        let kind = COLUMNS.iter().filter(fits).max_by_key(|(known, _)| known.len()).map(|(_, kind)| *kind);
        let kind = match cells.get(name) {
            Some(&("POD" | "POD_NAME" | "PODNAME" | "PODS")) => Some("Pod"),
            Some(title) if KIND_TITLES.contains(title) => known_kind(title),
            Some(_) | None => kind,
        };
        Some(Self {
            name,
            namespace: place("NAMESPACE").or_else(|| place("PROJECT")),
            kind_at: place("KIND"),
            objects,
            next: columns.first().map(|&next| next.to_owned()),
            length: cells.len(),
            ends_in_age: cells.last() == Some(&"AGE"),
            kind: kind.or_else(|| Some("RoleBinding").filter(|_| columns.starts_with(&["ROLE", "AGE"]) && place("NAMESPACE").is_some())),
        })
    }

    /// Whether cells, beginning with the name, can be a row of this table: prose below a table has words in the columns of counts and states.
    pub(super) fn fits(&self, cells: &[&str]) -> bool {
        let Some(title) = &self.next else { return cells.len() == 1 };
        let Some(cell) = cells.get(1) else {
            // Truncated, or copied without the other columns.
            let is_compound = |name: &&str| {
                name.starts_with(|c: char| c.is_ascii_alphabetic())
                    && (name.contains(['-', '/', '.']) || name.bytes().any(|byte| byte.is_ascii_digit()))
            };
            return cells.first().is_some_and(is_compound);
        };
        let is_time = |cell: &&str| is_age(cell) || cell.starts_with('<');
        if self.ends_in_age && cells.len() + self.name >= self.length && !cells.last().is_some_and(is_time) {
            return false;
        }
        let digit = || cell.starts_with(|c: char| c.is_ascii_digit() || c == '<');
        let upper = || cell.starts_with(|c: char| c.is_ascii_uppercase());
        match title.as_str() {
            // `kubectl tree` prints `-` for an object without conditions.
            "READY" => digit() || upper() || *cell == "-",
            "STATUS" => upper() || *cell == "<none>",
            "DESIRED" | "DATA" | "SECRETS" | "COMPLETIONS" | "AGE" | "CAPACITY" | "CPU(cores)" | "CREATED" => digit(),
            "TYPE" if self.kind.is_some() => SERVICE_TYPES.contains(cell) || *cell == "Opaque" || cell.contains(['/', '.', '-']),
            "CLUSTER-IP" => digit() || upper() || cell.contains(':'),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_tell_the_kind() {
        for (line, kind) in [
            ("NAME READY STATUS RESTARTS AGE IP NODE", Some("Pod")),
            ("NAME DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE", Some("DaemonSet")),
            ("NAME   DESIRED   CURRENT   UP-TO-DATE   AVAILABLE   AGE", Some("Deployment")),
            ("NAME\tREADY\tUP-TO-DATE\tAVAILABLE\tAGE\r", Some("Deployment")),
            ("NAMESPACE NAME DESIRED CURRENT READY AGE", None),
            ("NAME TYPE CLUSTER-IP EXTERNAL-IP PORT(S) AGE", Some("Service")),
            ("NAME CLUSTER-IP EXTERNAL-IP PORT(S) AGE", Some("Service")),
            ("NAME DATA AGE", Some("ConfigMap")),
            ("NAME TYPE DATA AGE", Some("Secret")),
            ("NAMESPACE NAME COMPLETIONS DURATION AGE", Some("Job")),
            ("NAME STATUS COMPLETIONS DURATION AGE", Some("Job")),
            ("NAME SCHEDULE TIMEZONE SUSPEND ACTIVE LAST SCHEDULE AGE", Some("CronJob")),
            ("NAME READY AGE", Some("StatefulSet")),
            ("NAME STATUS ROLES AGE VERSION", Some("Node")),
            ("NAME CPU(cores) MEMORY(bytes)", Some("Pod")),
            ("NAME", None),
            ("NAME PART COLOUR", None),
            ("NAMESPACE POD NAME CPU(cores) MEMORY(bytes)", Some("Pod")),
            ("LAST SEEN TYPE REASON OBJECT MESSAGE", None),
            ("KIND NAME", None),
        ] {
            assert_eq!(Header::parse(line).map(|header| header.kind), Some(kind), "{line}");
        }
    }

    #[test]
    fn columns_tell_where_the_name_is() {
        let places = |line| Header::parse(line).map(|header| (header.name, header.namespace));
        assert_eq!(places("NAMESPACE NAME READY STATUS RESTARTS AGE"), Some((1, Some(0))));
        assert_eq!(places("NAME READY STATUS RESTARTS AGE"), Some((0, None)));
        assert_eq!(places("NAME NAMESPACE IMAGE"), Some((0, Some(1))));
        assert_eq!(places("CONTROLLER CONTAINER(S) IMAGE(S) SELECTOR REPLICAS"), Some((0, None)));
    }

    #[test]
    fn rows_and_sentences_are_no_headers() {
        for line in [
            "",
            " ",
            "coredns 1/1 Running",
            "Warning: v1 Endpoints is deprecated",
            "No resources found",
            "TODO",
            "NAMES x",
            "É NAME",
            "CONTAINER ID IMAGE COMMAND CREATED STATUS PORTS NAMES",
            "THE END",
        ] {
            assert_eq!(Header::parse(line), None, "{line}");
        }
    }
}
