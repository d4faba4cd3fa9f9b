//! Names of objects in text that is not a table: logs, the output of `kubectl drain`, keys of etcd, lists of names, prose.
//!
//! A name in prose is only a candidate: whether it becomes a row depends on the patterns of components.

use super::{
    cells::{is_name, is_numeric},
    kinds::known_kind,
    messages::service,
    parser::ListingLine,
    row::{Row, kind_and_name},
    runtimes::{CONTAINER, PROCESS, UUID, image, is_reference, pod_of_docker},
    segment::Segment,
};

/// A name in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The index of the line.
    pub line: usize,
    /// The object.
    pub row: Row,
    /// How certain it is that the name is that of an object.
    pub certainty: Certainty,
}

/// How certain it is that a name in a text is that of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// It is that of a Pod in a namespace, whether or not a component has it.
    Pod,
    /// It is, if a component has it.
    OfComponent,
    /// Two words with a slash between; it is, if a component has such an object in this namespace.
    InNamespace,
    /// A word with a hyphen; it is, if a component has a workload of this name.
    OfWorkload,
}

/// The names in the lines of a text that are not rows, in order. A command can name an object: `kubectl logs -n kube-system coredns-5d78c9869d-x8k2p`. `is_searched`
/// restricts the lines.
#[must_use]
pub fn mentions(text: &str, lines: &[ListingLine], is_searched: impl Fn(&str) -> bool) -> Vec<Mention> {
    let texts = text.lines().zip(lines).enumerate().filter(|(_, (_, parsed))| **parsed == ListingLine::Text);
    let texts = texts.map(|(index, (line, _))| (index, line.trim())).filter(|(_, line)| is_searched(line));
    texts.flat_map(|(index, line)| in_line(line).into_iter().map(move |(row, certainty)| Mention { line: index, row, certainty })).collect()
}

/// Whether a line reports that something is wrong: an event of the type Warning, an error.
#[must_use]
pub fn reports_problem(line: &str) -> bool {
    // Without their first letters, which can be capitals.
    ["Warning", "rror", "ailed"].iter().any(|word| line.contains(word))
}

/// The names in a line.
fn in_line(line: &str) -> Vec<(Row, Certainty)> {
    let words: Vec<Word<'_>> = words(line).collect();
    // A list of names: the output of `-o jsonpath`, or a sentence without words.
    let is_list = words.len() > 1 && words.iter().all(|word| word.text.contains('-') && is_object_name(word.text));
    let mut found: Vec<(Row, Certainty)> = Vec::new();
    // Not a flag, the value of a label, or a host name.
    let is_bare = |word: &&Word<'_>| !word.text.starts_with('-') && !word.is_value && !trimmed(word.text).contains('.');
    let several_words = words.iter().filter(is_bare).map(|word| trimmed(word.text)).filter(|name| name.contains('-'));
    let bare: Vec<&str> = if words.len() > MOST_WORDS { Vec::new() } else { several_words.collect() };
    let (mut namespace, mut before) = (None, "");
    found.extend(
        process_of_log(line).or_else(|| process_of_socket(line)).or_else(|| process_of_tree(line)).or_else(|| container_of_heading(line)),
    );
    found.extend(sources_of_event(&words));
    for Word { text: word, is_quoted, is_value } in words {
        let plain = trimmed(word);
        if plain.is_empty() {
            continue;
        }
        // `-n shop`, `namespace="shop"`, but not `the namespace is …`.
        let is_namespace = match before.to_ascii_lowercase().as_str() {
            "-n" | "--namespace" => true,
            "namespace" | "ns" => is_value || plain == "default" || plain.contains('-'),
            _ => false,
        };
        if is_namespace && is_name(plain) {
            namespace = Some(plain);
            before = plain;
            continue;
        }
        // `"pod":{"name":"etcd-node1"` in a log.
        if plain == "name" && kind_before(before).is_some() {
            continue;
        }
        // `"StartContainer" for "coredns"` in a log of the kubelet.
        if plain == "for" && matches!(before, "StartContainer" | "KillContainer") {
            before = "container";
            continue;
        }
        let kind = kind_before(before);
        // `namespace="kube-system" name="coredns"`
        let is_key = is_value && before.eq_ignore_ascii_case("name");
        let of_key = || checked(None, None, plain, Certainty::InNamespace).filter(|_| is_key);
        // A name in quotation marks after its kind, or one of several words.
        let named = || checked(None, kind, plain, Certainty::OfComponent).filter(|_| is_quoted && (kind.is_some() || plain.contains('-')));
        found.extend(mention(plain, kind, is_list).or_else(named).or_else(of_key));
        before = if word.starts_with('-') { word } else { word.trim_end_matches(':') };
    }
    // The Pod of a container says more.
    if found.iter().any(|(row, _)| row.kind.as_deref() == Some("Pod")) {
        found.retain(|(row, _)| row.kind.as_deref() != Some(CONTAINER));
    }
    if namespace.is_none() {
        found.retain(|(row, certainty)| *certainty != Certainty::InNamespace || row.namespace.is_some());
    }
    // A sentence without other names of the same object: `hubble-relay restarts`.
    let is_new = |name: &&str| namespace != Some(*name) && !found.iter().any(|(row, _)| row.name.contains(*name));
    let new: Vec<&str> = bare.into_iter().filter(is_new).collect();
    let mentioned = new.into_iter().filter_map(|name| checked(None, None, name, Certainty::OfWorkload));
    found.extend(mentioned.map(|(row, certainty)| (Row { mentioned: true, ..row }, certainty)));
    for (row, certainty) in &mut found {
        if row.namespace.is_none() && namespace.is_some() {
            row.namespace = namespace.map(str::to_owned);
            if *certainty == Certainty::InNamespace {
                *certainty = Certainty::OfComponent;
            }
            if row.kind.as_deref() == Some("Pod") && is_pod_name(&row.name) {
                *certainty = Certainty::Pod;
            }
        }
    }
    found
}

/// A word of a line.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    /// Whether it is the first in quotation marks or brackets.
    is_quoted: bool,
    /// Whether it is the value of a key: after `=`, or after a colon at the end of the word before.
    is_value: bool,
}

/// The words of a line: what can be a part of a name or a path.
fn words(line: &str) -> impl Iterator<Item = Word<'_>> {
    let is_separator = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | ':' | '@' | '-'));
    let (mut is_quoted, mut is_value) = (false, false);
    let words = line.split_inclusive(is_separator).filter_map(move |part| {
        let text = part.trim_end_matches(is_separator);
        let word = Word { text, is_quoted, is_value };
        is_quoted = part.ends_with(['"', '\'', '`', '“', '‘', '[']);
        is_value = part.ends_with('=') || text.ends_with(':') || (is_value && text.is_empty());
        (!text.is_empty()).then_some(word)
    });
    words
        .flat_map(|word| match key_and_value(word.text) {
            Some((key, value)) => [Some(Word { text: key, ..word }), Some(Word { text: value, is_quoted: false, is_value: true })],
            None => [Some(word), None],
        })
        .flatten()
}

/// The parts of a word such as `namespace:shop` or `Name:etcd-node1`.
fn key_and_value(word: &str) -> Option<(&str, &str)> {
    let (key, value) = word.split_once(':').filter(|(_, value)| !value.is_empty() && !value.contains(':'))?;
    let is_key = matches!(key, "namespace" | "Namespace" | "name" | "Name" | "pod" | "container");
    is_key.then_some((key, value))
}

/// The process that wrote a line of the system's log: `node1 kubelet[812]: …`.
fn process_of_log(line: &str) -> Option<(Row, Certainty)> {
    let (before, after) = line.split_once('[')?;
    let (id, _) = after.split_once("]:")?;
    let name = before.rsplit(char::is_whitespace).next()?;
    if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    checked(None, Some(PROCESS), name, Certainty::OfComponent)
}

/// The process of a socket: `tcp 0 0 :::10256 :::* LISTEN 2155/kube-proxy` of netstat, `users:(("kubelet",pid=812,fd=12))` of ss.
fn process_of_socket(line: &str) -> Option<(Row, Certainty)> {
    let of_ss = || line.split_once("users:((\"").and_then(|(_, rest)| rest.split('"').next());
    let of_netstat = || {
        let (id, name) = line.trim_end().rsplit(char::is_whitespace).next()?.split_once('/')?;
        let is_socket = line.starts_with("tcp") || line.starts_with("udp");
        (is_socket && id.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
    };
    checked(None, Some(PROCESS), of_ss().or_else(of_netstat)?, Certainty::OfComponent)
}

/// The process of a line of a drawn tree: `│ └─1567 /pause`.
fn process_of_tree(line: &str) -> Option<(Row, Certainty)> {
    let command = line.trim_start_matches(['│', '├', '└', '─', ' ']);
    if command.len() == line.len() {
        return None;
    }
    let (id, command) = command.split_once(' ')?;
    let name = command.split_whitespace().next()?.rsplit('/').next()?;
    checked(None, Some(PROCESS), name, Certainty::OfComponent).filter(|_| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The container in a heading of `minikube logs`: `==> coredns [ef877c8fa0f4] <==`.
fn container_of_heading(line: &str) -> Option<(Row, Certainty)> {
    let name = line.strip_prefix("==> ")?.strip_suffix(" <==")?.split(' ').next()?;
    checked(None, Some(CONTAINER), name, Certainty::OfComponent)
}

/// The words that can be the source of an event: `Normal  Scheduled  3m  default-scheduler  Successfully assigned …`.
fn sources_of_event(words: &[Word<'_>]) -> Vec<(Row, Certainty)> {
    let columns = &words[..words.len().min(MOST_COLUMNS)];
    if !columns.iter().any(|word| matches!(word.text, "Normal" | "Warning")) {
        return Vec::new();
    }
    columns.iter().filter_map(|word| checked(None, Some(EVENT_SOURCE), word.text, Certainty::OfComponent)).collect()
}

/// The kind of the row of such a source, as in [`KnownNameKind`](crate::facts::KnownNameKind).
pub(super) const EVENT_SOURCE: &str = "EventSource";

/// The number of words up to which a line is a sentence, in which a name may be a bare word.
const MOST_WORDS: usize = 100;

/// The number of words up to which a line has the columns of an event, and not its message.
pub(super) const MOST_COLUMNS: usize = 8;

/// The kind in the word before a name: `pod`, `deployments.apps`, `container`.
fn kind_before(word: &str) -> Option<&'static str> {
    let (plural, group) = word.trim_end_matches('/').split_once('.').unwrap_or((word.trim_end_matches('/'), ""));
    // `SecretName: kube-dns-token-x8k2p` of a volume.
    if let Some(kind) = plural.strip_suffix("Name").filter(|kind| !kind.is_empty()) {
        return known_kind(kind);
    }
    let is_group = |byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
    if !plural.bytes().all(|byte| byte.is_ascii_lowercase()) || !group.bytes().all(is_group) {
        return None;
    }
    if matches!(plural, "container" | "containers") { Some(CONTAINER) } else { known_kind(plural) }
}

/// A word without punctuation around it.
fn trimmed(word: &str) -> &str {
    word.trim_matches(['.', ':', '-', '_', '@']).trim_end_matches('/')
}

/// The object that a word names. `kind` is the kind before it.
fn mention(word: &str, kind: Option<&str>, is_list: bool) -> Option<(Row, Certainty)> {
    if let Some(pod) = pod_of_docker(word) {
        return Some((pod, Certainty::Pod));
    }
    // A host name inside the cluster: `https://webhook.cert-manager.svc:443/mutate`.
    if let Some(Row { namespace, kind, name, .. }) = service(word.split_once("://").map_or(word, |(_, address)| address)) {
        return checked(namespace.as_deref(), kind.as_deref(), &name, Certainty::OfComponent);
    }
    if is_reference(word) {
        return Some((image(word)?, Certainty::OfComponent));
    }
    if let Some(key) = word.strip_prefix("/registry/") {
        return object(key, true);
    }
    if let Some((_, path)) = word.split_once("/namespaces/") {
        let mut parts = path.split('/');
        let (namespace, plural, name) = (parts.next()?, parts.next()?, parts.next()?);
        return checked(Some(namespace), known_kind(plural), name, Certainty::OfComponent);
    }
    if let Some(found) = applied(word) {
        return Some(found);
    }
    if word.starts_with('/') {
        return None;
    }
    if word.contains('/') {
        return object(word, false);
    }
    // The holder of a lock: `ebs.csi.aws.com_ebs-csi-controller-5954f58674-jggbh_97b2d3af-…`
    let mut parts = word.split('_');
    if let (Some(_), Some(pod), Some(id), None) = (parts.next(), parts.next(), parts.next(), parts.next())
        && id.len() == UUID
        && is_pod_name(pod)
    {
        return checked(None, Some("Pod"), pod, Certainty::OfComponent);
    }
    if let Some((pod, namespace)) = word.split_once('_') {
        let certainty = if is_pod_name(pod) { Certainty::Pod } else { Certainty::InNamespace };
        return checked(Some(namespace), Some("Pod"), pod, certainty);
    }
    let name = word.split(':').next().unwrap_or_default();
    if let Some(kind) = kind_of_dotted(name) {
        return checked(None, Some(kind), name, Certainty::OfComponent);
    }
    let random = name.rsplit_once('-').map(|(_, random)| random);
    if random.is_some_and(|random| Segment::PodSuffix.accepts(random)) {
        return checked(None, kind.or(Some("Pod")), name, Certainty::OfComponent);
    }
    // After its kind, a name of several words: `pod kube-apiserver-node1 is using …`.
    let is_named = kind.is_some() && name.contains('-');
    if is_list || is_named { checked(None, kind, name, Certainty::OfComponent) } else { None }
}

/// The kind of an object whose name is an API: `v1beta1.metrics.k8s.io` is that of an APIService, `ippools.crd.projectcalico.org` of a definition.
fn kind_of_dotted(name: &str) -> Option<&'static str> {
    let (first, group) =
        name.split_once('.').filter(|(_, group)| group.contains('.') && group.ends_with(|c: char| c.is_ascii_lowercase()))?;
    let is_version = first.starts_with('v') && first.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    let is_plural = || first.ends_with('s') && !group.starts_with("svc.") && first.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_version { Some("APIService") } else { is_plural().then_some("CustomResourceDefinition") }
}

/// The object of a path with the version of an API: `apps/v1/DaemonSet/kube-proxy`, `/v1/ConfigMap/coredns`.
fn applied(path: &str) -> Option<(Row, Certainty)> {
    let (rest, name) = path.rsplit_once('/')?;
    let (rest, kind) = rest.rsplit_once('/')?;
    let (_, version) = rest.rsplit_once('/')?;
    let is_version = version.starts_with('v') && version.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    checked(None, Some(known_kind(kind).filter(|_| is_version)?), name, Certainty::OfComponent)
}

/// The object of a path: `kube-system/coredns-5d78c9869d-x8k2p`, `deployment/coredns`, `kube-system/deployment/coredns`; with `is_key`, of a key of etcd:
/// `pods/kube-system/coredns-5d78c9869d-x8k2p`, `services/specs/kube-system/kube-dns`, `apiregistration.k8s.io/apiservices/v1.apps`.
fn object(path: &str, is_key: bool) -> Option<(Row, Certainty)> {
    let parts: Vec<&str> = path.split('/').collect();
    // A container, a port or a key before or after the name: `pod:kube-system/coredns:53`.
    let first = |part: &'_ str| part.rsplit(':').next().map(str::to_owned).unwrap_or_default();
    let last = |part: &'_ str| part.split(':').next().map(str::to_owned).unwrap_or_default();
    if is_key {
        return match parts.as_slice() {
            ["services", "specs" | "endpoints", namespace, name] => checked(Some(namespace), Some("Service"), name, Certainty::OfComponent),
            [plural, namespace, name] if known_kind(plural).is_some() => {
                checked(Some(namespace), known_kind(plural), name, pod_or_component(name))
            }
            [group, plural, name] if group.contains('.') => checked(None, known_kind(plural), name, Certainty::OfComponent),
            [plural, name] => checked(None, Some(known_kind(plural)?), name, Certainty::OfComponent),
            [_, plural, namespace, name] => checked(Some(namespace), known_kind(plural), name, pod_or_component(name)),
            _ => None,
        };
    }
    match parts.as_slice() {
        [before, name] => {
            let name = last(name);
            let prefix = first(before);
            if known_kind(&prefix).is_some() || prefix.contains('.') {
                let (kind, name) = kind_and_name(&format!("{prefix}/{name}"))?;
                return checked(None, Some(&kind), &name, Certainty::OfComponent);
            }
            if is_pod_name(&name) {
                return checked(Some(&prefix), Some("Pod"), &name, Certainty::Pod);
            }
            checked(Some(&prefix), None, &name, Certainty::InNamespace)
        }
        [a, b, c] => match (known_kind(b), known_kind(&first(a))) {
            (Some(kind), _) => checked(Some(&first(a)), Some(kind), &last(c), pod_or_component(c)),
            // `[pod/coredns-5d78c9869d-x8k2p/coredns]` of `kubectl logs --prefix`
            (None, Some("Pod")) if *a == "pod" && (is_pod_name(b) || !is_pod_name(c)) => {
                checked(None, Some("Pod"), b, Certainty::OfComponent)
            }
            (None, Some(kind)) => checked(Some(b), Some(kind), &last(c), pod_or_component(c)),
            // `HelmRelease/kube-system/cilium`
            (None, None) if a.starts_with(|c: char| c.is_ascii_uppercase()) => checked(Some(b), Some(a), &last(c), Certainty::OfComponent),
            (None, None) if is_pod_name(b) => checked(Some(&first(a)), Some("Pod"), b, Certainty::Pod),
            (None, None) => None,
        },
        _ => None,
    }
}

fn pod_or_component(name: &str) -> Certainty {
    if is_pod_name(name) { Certainty::Pod } else { Certainty::OfComponent }
}

/// An object, if the words can be its name and its namespace.
fn checked(namespace: Option<&str>, kind: Option<&str>, name: &str, certainty: Certainty) -> Option<(Row, Certainty)> {
    let is_namespace = |name: &str| is_object_name(name) && !name.contains('.');
    let row = || Row { namespace: namespace.map(str::to_owned), kind: kind.map(str::to_owned), name: name.to_owned(), ..Row::default() };
    (is_object_name(name) && namespace.is_none_or(is_namespace)).then(|| (row(), certainty))
}

/// Whether a word can be the name of an object, and is not a number or an address.
fn is_object_name(word: &str) -> bool {
    is_name(word) && !is_numeric(word) && !word.contains('_')
}

/// Whether a name ends in the random suffix of a Pod: with a digit, or after the hash of a template, so that it is not a word.
pub(super) fn is_pod_name(name: &str) -> bool {
    let Some((before, random)) = name.rsplit_once('-') else { return false };
    let hash = || before.rsplit_once('-').is_some_and(|(_, hash)| Segment::TemplateHash.accepts(hash));
    Segment::PodSuffix.accepts(random) && (random.bytes().any(|byte| byte.is_ascii_digit()) || hash())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_every_text() {
        for (line, expected) in [
            ("evicting pod kube-system/coredns-5d78c9869d-x8k2p", "!kube-system/Pod/coredns-5d78c9869d-x8k2p"),
            ("I1128 10:20:30.1 1 x.go:1] \"SyncLoop\" pod=\"kube-system/etcd-node1\"", "!kube-system/Pod/etcd-node1"),
            ("error when evicting pods/\"a-7d4b9c8f6d-x2k9p\" -n \"my-ns\" (will retry)", "!my-ns/Pod/a-7d4b9c8f6d-x2k9p"),
            ("/registry/pods/kube-system/kube-proxy-x8k2p", "!kube-system/Pod/kube-proxy-x8k2p"),
            ("/registry/services/specs/kube-system/kube-dns", "?kube-system/Service/kube-dns"),
            ("/registry/apiregistration.k8s.io/apiservices/v1.apps", "?/APIService/v1.apps"),
            ("/registry/clusterroles/view", "?/ClusterRole/view"),
            ("created apps/v1/DaemonSet/kube-proxy", "?/DaemonSet/kube-proxy"),
            ("created /v1/ConfigMap/coredns and a/b/ConfigMap/c", "?/ConfigMap/coredns"),
            ("[Kind: /v1:Service | Namespace: shop | Name: heapster-x] and the namespace is", "?shop//heapster-x"),
            ("level=info namespace=\"shop\" name=\"web-server\"", "?shop//web-server"),
            ("{\"namespace\":\"shop\",\"name\":\"web-server\"} name: a-b", "?shop//web-server ?shop//a-b"),
            ("name: web-server", ""),
            (
                "job=\"alertmanager-main\" namespace=\"monitoring\" pod=\"alertmanager-main-0\"",
                "?monitoring/Job/alertmanager-main ?monitoring/Pod/alertmanager-main-0",
            ),
            ("[pod/coredns-5d78c9869d-x8k2p/coredns] [ERROR] plugin/errors", "?/Pod/coredns-5d78c9869d-x8k2p ~plugin//errors"),
            (
                "Normal a.com_ebs-csi-controller-5954f58674-jggbh_97b2d3af-7d52-4d05-9d24-a74255694b6c",
                "?/Pod/ebs-csi-controller-5954f58674-jggbh",
            ),
            ("Starting container [kubelet] on host [10.0.0.1]", "?/Container/kubelet"),
            ("blocked by `metrics-server` and `coredns`", "?//metrics-server"),
            ("$ kubectl logs -n kube-system coredns-5d78c9869d-x8k2p", "!kube-system/Pod/coredns-5d78c9869d-x8k2p"),
            ("GET /api/v1/namespaces/kube-system/pods/etcd-node1/log", "?kube-system/Pod/etcd-node1"),
            ("coredns-5d78c9869d-x8k2p_kube-system(4f1e2c)", "!kube-system/Pod/coredns-5d78c9869d-x8k2p"),
            ("pod has unbound claims: see deployment/coredns, and/or 1/2", "?/Deployment/coredns ~and//or"),
            ("deployments.apps \"coredns\" not found, and the daemonset is", "?/Deployment/coredns"),
            ("\"StartContainer\" for \"coredns\" with CrashLoopBackOff", "?/Container/coredns"),
            (
                "failed to \"StartContainer\" for \"coredns\" pod=\"kube-system/coredns-5d78c9869d-x8k2p\"",
                "!kube-system/Pod/coredns-5d78c9869d-x8k2p",
            ),
            ("Nov 10 14:17:41 node1 kubelet[812]: skipping", "?/Process/kubelet"),
            ("{\"pod\":{\"name\":\"etcd-node1\",\"namespace\":\"kube-system\"}}", "!kube-system/Pod/etcd-node1"),
            ("coredns-5d78c9869d-x8k2p etcd-node1", "?/Pod/coredns-5d78c9869d-x8k2p ?/Pod/etcd-node1"),
            ("Pulling image \"registry.k8s.io/pause:3.9\"", "?/Image/pause"),
            ("see https://kubernetes.io/docs/tasks and /etc/kubernetes/a.yaml at 10.0.0.1:6443", ""),
            ("Post \"https://web-hook.my-ns.svc:443/mutate?timeout=10s\": EOF", "?my-ns/Service/web-hook"),
            ("lookup kube-dns.kube-system.svc.cluster.local: no such host", "?kube-system/Service/kube-dns"),
            ("hubble-relay goes to CrashLoopBackOff with --tls-server -l k8s-app=hubble-ui", "%//hubble-relay %//k8s-app"),
            ("cert-manager/Deployment/cert-manager: cert-manager is old", "?cert-manager/Deployment/cert-manager"),
            ("k8s_web-fb658fd85b-hfl5r_my-ns_2f3b58f7-93ce-7b38-dd9d-0d340fe4cf56_0(8c0c)", "!my-ns/Pod/web-fb658fd85b-hfl5r"),
            ("alertname:A namespace:my-ns pod:web-69b4b5d569-cr64h", "!my-ns/Pod/web-69b4b5d569-cr64h"),
            ("{Name:etcd-node1,Uid:1,Namespace:kube-system}", "!kube-system/Pod/etcd-node1"),
            ("SecretName:  kube-dns-token-w7lbj", "?/Secret/kube-dns-token-w7lbj"),
            ("[HelmRelease/kube-system/cilium status: 'InProgress']", "?kube-system/HelmRelease/cilium"),
            ("tcp 0 0 127.0.0.1:10251 0.0.0.0:* LISTEN 2155/kube-scheduler", "?/Process/kube-scheduler"),
            ("tcp LISTEN 0 4096 *:10250 *:* users:((\"kubelet\",pid=812,fd=12))", "?/Process/kubelet"),
            ("==> coredns [ef877c8fa0f4] <==", "?/Container/coredns"),
            ("│ │   └─1567 /pause", "?/Process/pause"),
            (
                "v1beta1.metrics.k8s.io and ippools.crd.projectcalico.org",
                "?/APIService/v1beta1.metrics.k8s.io ?/CustomResourceDefinition/ippools.crd.projectcalico.org",
            ),
            ("this is a well known bug", ""),
        ] {
            let sign = |certainty| match certainty {
                Certainty::Pod => '!',
                Certainty::OfComponent => '?',
                Certainty::InNamespace => '~',
                Certainty::OfWorkload => '%',
            };
            let told = in_line(line).into_iter().map(|(row, certainty)| {
                format!("{}{}/{}/{}", sign(certainty), row.namespace.unwrap_or_default(), row.kind.unwrap_or_default(), row.name)
            });
            assert_eq!(told.collect::<Vec<_>>().join(" "), expected, "{line}");
        }
    }
}
