//! The output of container runtimes and of `ps`: `crictl`, `docker`, `nerdctl`, `ctr`.
//!
//! Containers are not Pods. Where the output names the Pod of a container, the row is the Pod; otherwise, it is a row of the kind `Container`. Images are rows of the
//! kind `Image`, processes rows of the kind `Process`. None of these kinds exists in the API, so no pattern has it.

use super::{
    cells::{is_count, is_name},
    row::Row,
    word_list::WordList,
};
use crate::objects::image_path;

/// The kind of the row of a container whose Pod is not named.
pub const CONTAINER: &str = "Container";
/// The kind of the row of an image. The name is the path of its repository, without the host of the registry, the tag and the digest.
pub const IMAGE: &str = "Image";
/// The kind of the row of a process of a Node.
pub const PROCESS: &str = "Process";

/// Whether rows of a kind are not objects of the API.
#[must_use]
pub fn is_outside_api(kind: &str) -> bool {
    matches!(kind, CONTAINER | IMAGE | PROCESS)
}

/// What the rows below the header of such a table are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RuntimeTable {
    Containers,
    Images,
    Processes,
}

/// The states of containers and of Pods in the output of `crictl`. Source: cmd/crictl of cri-tools 1.0 to 1.33.
pub(super) const CONTAINER_STATES: WordList =
    WordList("Running Exited Created Unknown CONTAINER_RUNNING CONTAINER_EXITED CONTAINER_CREATED CONTAINER_UNKNOWN");
/// The same of Pods.
pub(super) const SANDBOX_STATES: WordList = WordList("Ready NotReady SANDBOX_READY SANDBOX_NOTREADY");

/// The beginnings of the headers of such tables.
pub(super) const TABLES: &[(&[&str], RuntimeTable)] = &[
    (&["CONTAINER", "ID"], RuntimeTable::Containers),
    (&["CONTAINER", "IMAGE"], RuntimeTable::Containers),
    (&["POD", "ID", "CREATED"], RuntimeTable::Containers),
    (&["IMAGE", "TAG"], RuntimeTable::Images),
    (&["IMAGE", "ID"], RuntimeTable::Images),
    (&["REPOSITORY", "TAG"], RuntimeTable::Images),
    (&["REF", "TYPE"], RuntimeTable::Images),
    (&["USER", "PID"], RuntimeTable::Processes),
    (&["UID", "PID"], RuntimeTable::Processes),
    (&["PID", "TTY"], RuntimeTable::Processes),
];

/// The table that begins with a line.
pub(super) fn table(line: &str) -> Option<RuntimeTable> {
    if !line.starts_with(['C', 'P', 'I', 'R', 'U']) {
        return None;
    }
    let cells: Vec<&str> = line.split_whitespace().collect();
    TABLES.iter().find(|(begins, _)| cells.starts_with(begins)).map(|(_, table)| *table)
}

/// The row of a line in such a table, or of a line that only a runtime prints.
pub(super) fn row(table: Option<RuntimeTable>, line: &str) -> Option<Row> {
    let first = line.split_whitespace().next()?;
    let may_be_docker = line.contains("k8s_") || line.contains("k8s://");
    if table.is_none() && !may_be_docker && !is_hex(first) && !is_reference(line) && !line.contains(':') && !line.ends_with('B') {
        return None;
    }
    let cells: Vec<&str> = line.split_whitespace().collect();
    // A sentence can name several containers, which is not a row.
    let mut pods = cells.iter().rev().filter_map(|cell| pod_of_docker(cell));
    if let Some(pod) = pods.next()
        && (table.is_some() || is_hex(first) || (first.starts_with("k8s") && pods.next().is_none()))
    {
        return Some(pod);
    }
    if is_hex(first) {
        return container(table, &cells);
    }
    match table {
        Some(RuntimeTable::Images) => image(first),
        // `ctr images ls` and `ctr containers ls` begin with a name that is not an id.
        Some(RuntimeTable::Containers) => None,
        Some(RuntimeTable::Processes) | None if cells.len() == 1 => image(first).filter(|_| is_reference(first)),
        // A list of images without its header: the name, the tag, the id and the size.
        Some(RuntimeTable::Processes) | None if line.ends_with('B') && cells.get(2).is_some_and(|id| is_hex(id)) => image(first),
        Some(RuntimeTable::Processes) | None => process(&cells),
    }
}

/// Whether a row has the id of a container or a Pod in its first column, or that of an image in the third.
pub(super) fn has_id(line: &str) -> bool {
    let mut cells = line.split_whitespace();
    cells.next().is_some_and(is_hex) || cells.nth(1).is_some_and(is_hex)
}

/// Whether a word is the id of a container, a Pod or an image.
fn is_hex(word: &str) -> bool {
    word.len() >= 10 && word.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The Pod in the name of a container: `k8s_coredns_coredns-5d78c9869d-x8k2p_kube-system_4f1e…_0` of dockershim, `k8s://kube-system/coredns-5d78c9869d-x8k2p/coredns`
/// of `nerdctl`.
pub(super) fn pod_of_docker(name: &str) -> Option<Row> {
    let (namespace, pod) = if let Some(path) = name.strip_prefix("k8s://") {
        let mut parts = path.split('/');
        (parts.next()?, parts.next()?)
    } else {
        let parts: Vec<&str> = name.strip_prefix("k8s_")?.split('_').collect();
        // The name of a sandbox of CRI-O has no container: `k8s_coredns-5d78c9869d-x8k2p_kube-system_4f1e…_0`.
        match parts.as_slice() {
            [pod, namespace, id, ..] if id.len() == UUID => (*namespace, *pod),
            [_, pod, namespace, ..] => (*namespace, *pod),
            _ => return None,
        }
    };
    let row = || Row { namespace: Some(namespace.to_owned()), kind: Some("Pod".to_owned()), name: pod.to_owned(), ..Row::default() };
    (is_name(namespace) && is_name(pod)).then(row)
}

/// The length of a UUID.
pub(super) const UUID: usize = 36;

/// The row of a container, or of a Pod of `crictl pods`.
fn container(table: Option<RuntimeTable>, cells: &[&str]) -> Option<Row> {
    // Docker quotes the command; its status is not a state of crictl.
    let is_docker = cells.iter().any(|cell| cell.starts_with(['"', '“']));
    let is_state = |cell: &&str| CONTAINER_STATES.contains(cell) || SANDBOX_STATES.contains(cell);
    let state = cells.iter().skip(1).position(is_state).map(|at| at + 1).filter(|_| !is_docker);
    let word = |at: usize| cells.get(at).copied().filter(|word| is_name(word) && !is_count(word));
    if let Some(at) = state {
        let name = word(at + 1)?;
        if SANDBOX_STATES.contains(cells[at]) {
            return Some(pod(name, Some(word(at + 2)?)));
        }
        // NAME, ATTEMPT, POD ID, POD, NAMESPACE: the last two since crictl 1.25 and 1.31.
        if let Some(of) = word(at + 4).filter(|_| cells.get(at + 3).is_some_and(|id| is_hex(id))) {
            return Some(pod(of, word(at + 5)));
        }
        return Some(Row {
            kind: Some(CONTAINER.to_owned()),
            name: name.to_owned(),
            image: cells.get(1).and_then(|cell| repository(cell)),
            ..Row::default()
        });
    }
    if table != Some(RuntimeTable::Containers) {
        return None;
    }
    let image = cells.get(1).and_then(|cell| repository(cell));
    // The last column has the names; `ctr` has no names.
    // Docker truncates `k8s_etcd_etcd-node1_…` to `k8s_etcd_etcd-nod...`, which still has the name of the container.
    let of_truncated = || cells.last()?.strip_prefix("k8s_")?.split('_').next().filter(|name| is_name(name));
    match word(cells.len() - 1).or_else(of_truncated).filter(|name| cells.len() > 3 && !name.contains(':')) {
        Some(name) => Some(Row { kind: Some(CONTAINER.to_owned()), name: name.to_owned(), image, ..Row::default() }),
        None => image.map(image_row),
    }
}

fn pod(name: &str, namespace: Option<&str>) -> Row {
    Row { namespace: namespace.map(str::to_owned), kind: Some("Pod".to_owned()), name: name.to_owned(), ..Row::default() }
}

fn image_row(name: String) -> Row {
    Row { kind: Some(IMAGE.to_owned()), name, ..Row::default() }
}

/// The row of an image.
pub(super) fn image(reference: &str) -> Option<Row> {
    repository(reference).map(image_row)
}

/// The path of the repository of an image, without the registry, the tag and the digest; `None` for an id and for other text.
fn repository(reference: &str) -> Option<String> {
    let path = image_path(reference)?;
    (is_repository(path) && !is_hex(path) && path != "sha256").then(|| path.to_owned())
}

/// Whether a text can be the path of a repository.
pub(super) fn is_repository(path: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    path.starts_with(is_letter)
        && path.ends_with(is_letter)
        && path.chars().all(|c| is_letter(c) || matches!(c, '.' | '/' | '_' | '-'))
        && !path.contains("//")
}

/// Whether a text is the name of an image and nothing else: with its registry and a tag or a digest, or of Docker Hub with a version.
pub(super) fn is_reference(text: &str) -> bool {
    let Some((host, path)) = text.split_once('/') else { return false };
    let is_host =
        host.contains('.') && host.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".:-".contains(&byte));
    let has_tag = || path.rsplit('/').next().is_some_and(|last| last.contains([':', '@']));
    (is_host && !text.contains(char::is_whitespace) && has_tag()) || has_version(text)
}

/// Whether a text has the form `rancher/rancher-agent:v2.10.1`. `kube-system/coredns:53` has a port.
fn has_version(text: &str) -> bool {
    let name = text.split_once('@').map_or(text, |(name, _)| name);
    let Some((path, tag)) = name.rsplit_once(':') else { return false };
    let is_digit = |at: usize| tag.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_version = tag == "latest" || (tag.starts_with('v') && is_digit(1)) || (is_digit(0) && tag.contains('.')) || is_hex(tag);
    path.contains('/') && is_repository(path) && is_version && !text.contains(char::is_whitespace)
}

/// The process of a line of `ps`, `top` or `docker top`: the id is in the first or second column, and the column of the processor time comes before the command,
/// which can be part of a tree.
fn process(cells: &[&str]) -> Option<Row> {
    let is_time = |cell: &&str| cell.contains(':') && cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    let is_pid = |at: usize| cells.get(at).is_some_and(|cell| is_count(cell));
    // Not a date, which a log begins with.
    let is_user = |at: usize| cells.get(at).is_some_and(|user| is_name(user) && user.starts_with(|c: char| c.is_ascii_lowercase()));
    // `ps aux`, `ps -ef`; `top` and `docker top`, with the id or without: the reader of lines takes a short number at the beginning for that of the line.
    let columns: &[usize] = if is_pid(1) {
        &[9, 6, 7]
    } else if is_pid(0) && is_user(1) {
        &[8, 2]
    } else if is_user(0) {
        &[1]
    } else {
        &[]
    };
    let at = columns.iter().find(|at| cells.get(**at).is_some_and(is_time))?;
    // The state, which is a capital, and the lines of a tree.
    let is_command = |cell: &&&str| cell.len() > 1 && cell.contains(|c: char| c.is_ascii_alphanumeric());
    let command = cells.get(at + 1..)?.iter().find(is_command)?;
    let name = command.rsplit('/').next().unwrap_or_default().trim_end_matches(':');
    is_name(name).then(|| Row { kind: Some(PROCESS.to_owned()), name: name.to_owned(), ..Row::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_every_runtime() {
        use RuntimeTable::{Containers, Images, Processes};
        for (of, line, expected) in [
            (None, "0a1b2c3d4e5f6 9f76b554c615d 3 days ago Running kube-proxy 6 ab863e4ae6f33", "/Container/kube-proxy"),
            (None, "0a1b2c3d4e5f6 9f76b554c615d 3 days ago Running a 6 ab863e4ae6f33 a-x8k2p kube-system", "kube-system/Pod/a-x8k2p"),
            (None, "0a1b2c3d4e5f6 9f76b554c615d About an hour ago Exited a 6 ab863e4ae6f33 a-x8k2p", "/Pod/a-x8k2p"),
            (None, "ab863e4ae6f33 3 days ago Ready kube-proxy-x8k2p kube-system 0 (default)", "kube-system/Pod/kube-proxy-x8k2p"),
            (
                None,
                "0a1b2c3d4e5f a/b \"/c\" 3 minutes ago Up 3 minutes k8s_c_c-x8k2p_kube-system_d50c2fe2-0660_0",
                "kube-system/Pod/c-x8k2p",
            ),
            (Some(Containers), "0a1b2c3d4e5f a/b:1 \"/c\" 3 minutes ago Exited (0) 3 minutes ago web", "/Container/web a/b"),
            (Some(Containers), "0a1b2c3d4e5f registry.k8s.io/pause:3.9 io.containerd.runc.v2", "/Image/pause"),
            (Some(Images), "registry.k8s.io/coredns/coredns v1.11.1 cbb01a7bd410d 18.2MB", "/Image/coredns/coredns"),
            (Some(Images), "docker.io/a/b:v1@sha256:0a1b application/x sha256:0a1b 3 MiB", "/Image/a/b"),
            (Some(Images), "<none> <none> cbb01a7bd410d 18.2MB", ""),
            (None, "quay.io/a/b v1 cbb01a7bd410d 18.2MB", "/Image/a/b"),
            (Some(Containers), "0a1b2c3d4e5f a/b:1 \"etcd --a\" k8s_etcd_etcd-nod...", "/Container/etcd a/b"),
            (None, "quay.io/a/b:v1", "/Image/a/b"),
            (None, "kubernetes.io/os", ""),
            (None, "rancher/rancher-agent:v2.10.1", "/Image/rancher/rancher-agent"),
            (None, "amazon/aws-efs-csi-driver:1.4.5@sha256:0a1b", "/Image/amazon/aws-efs-csi-driver"),
            (None, "kube-system/coredns:53", ""),
            (None, "shop/web", ""),
            (Some(Processes), "root 812 1.5 2.0 1 2 ? Ssl 10:20 1:02 /usr/local/bin/kube-proxy --v=2", "/Process/kube-proxy"),
            (None, "root 812 1 2 22:56 ? 00:00:01 kubelet --v=2", "/Process/kubelet"),
            (None, "root 5103 0.0 0.0 1024 4 ? Ss 2017 0:00 | \\_ /kube-dns --domain=cluster.local.", "/Process/kube-dns"),
            (None, "root 127:42 kube-apiserver --allow-privileged=true", "/Process/kube-apiserver"),
            (None, "root 20 0 780.5m 23.8m 1.3 2.6 2:09.95 S etcd", "/Process/etcd"),
            (None, "3512 root 127:42 kube-apiserver --allow-privileged=true", "/Process/kube-apiserver"),
            (None, "13646 root 20 0 831.8m 7.6m 0.0 0.8 0:00.77 S `- flanneld", "/Process/flanneld"),
            (None, "Nov 28 10:20:30 node1 kubelet: started", ""),
            (None, "a 1/1 Running 0 3d", ""),
        ] {
            let row = row(of, line).unwrap_or_default();
            let told = format!(
                "{}/{}/{} {}",
                row.namespace.unwrap_or_default(),
                row.kind.unwrap_or_default(),
                row.name,
                row.image.unwrap_or_default()
            );
            assert_eq!(told.trim_end().trim_start_matches("//"), expected, "{line}");
        }
    }
}
