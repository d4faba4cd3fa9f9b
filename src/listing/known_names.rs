//! Names outside of listings: alerts, metrics, labels, taints, units, messages … in alerts and logs, or pasted alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    MAX_NAME, cells::is_age, command::parse_command, known_messages::MessageIndex, mentions::MOST_COLUMNS, parser::ListingLine, row::Row,
};
use crate::{facts::KnownNameKind, id::Id, kb::is_prefix};

/// The components by their names outside of listings.
#[derive(Clone, Debug, Default)]
pub struct KnownNameIndex {
    /// The kinds and components of each whole name.
    names: FxHashMap<String, Vec<(KnownNameKind, Id)>>,
    /// The same of the beginnings of names.
    prefixes: FxHashMap<String, Vec<(KnownNameKind, Id)>>,
    messages: MessageIndex,
}

impl KnownNameIndex {
    /// The index of these names and prefixes.
    pub fn new(names: impl Iterator<Item = (KnownNameKind, String, Id)>) -> Self {
        let mut index = Self::default();
        let mut messages = Vec::new();
        for (kind, name, component) in names {
            if kind == KnownNameKind::Message {
                messages.push((name.clone(), component.clone()));
            }
            let is_prefix = kind != KnownNameKind::Message && is_prefix(&name);
            let of = if is_prefix { &mut index.prefixes } else { &mut index.names };
            of.entry(name).or_default().push((kind, component));
        }
        Self { messages: MessageIndex::new(messages.into_iter()), ..index }
    }

    /// The component of a name, if only one has it: the one with the whole name, or else with its longest prefix. `is_kind` restricts the kinds.
    fn find(&self, name: &str, is_kind: impl Fn(KnownNameKind) -> bool) -> Option<(KnownNameKind, &Id)> {
        if name.len() > MAX_NAME {
            return None;
        }
        let only = |found: &'_ [(KnownNameKind, Id)]| -> Option<(usize, bool)> {
            let mut of_kind = found.iter().enumerate().filter(|(_, (kind, _))| is_kind(*kind));
            let (at, (_, first)) = of_kind.next()?;
            Some((at, of_kind.all(|(_, (_, component))| component == first)))
        };
        let ends = name.char_indices().rev().filter(|(_, c)| matches!(c, '_' | '-' | '/' | '.' | ':')).map(|(at, _)| at + 1);
        // Not `node_1` of `node_`, nor the source file `container_linux.go` of `container_`.
        let is_word = |end: usize| !name[..end].ends_with('_') || is_metric(&name[end..]);
        let prefixes = ends.filter(|end| is_word(*end)).filter_map(|end| self.prefixes.get(&name[..end]));
        let (found, (at, is_only)) = self.names.get(name).into_iter().chain(prefixes).find_map(|found| Some((found, only(found)?)))?;
        found.get(at).filter(|_| is_only).map(|(kind, component)| (*kind, component))
    }

    /// The component of a name of the kind that rows have: `Alert`, `Container`.
    #[must_use]
    pub fn of_row(&self, kind: &str, name: &str) -> Option<&Id> {
        self.find(name, |known| known.row_kind() == kind).map(|(_, component)| component)
    }

    /// The row of a name of any kind.
    #[must_use]
    pub fn row(&self, name: &str) -> Option<Row> {
        Some(row_of(self.find(name, |_| true)?.0, name))
    }

    /// The names and messages in the lines of a text that are not rows, each once, with the indexes of their lines. The source of a log line is left out if the
    /// component is already recognized by a message or another source. `is_searched` restricts the lines, `is_known` the kinds.
    #[must_use]
    pub fn in_text(
        &self,
        text: &str,
        lines: &[ListingLine],
        is_searched: impl Fn(&str) -> bool,
        is_known: impl Fn(KnownNameKind) -> bool,
    ) -> Vec<(usize, Row)> {
        if self.names.is_empty() && self.prefixes.is_empty() {
            return Vec::new();
        }
        let texts = text.lines().zip(lines).enumerate().filter(|(_, (_, parsed))| **parsed == ListingLine::Text);
        let texts =
            texts.map(|(index, (line, _))| (index, line)).filter(|(_, line)| is_searched(line) && parse_command(line.trim()).is_none());
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut printed: FxHashSet<&Id> = FxHashSet::default();
        let mut found: Vec<(usize, KnownNameKind, &str, &Id)> = Vec::new();
        for (index, line) in texts {
            let names = self.messages_in(line).chain(self.reason_in(line)).chain(self.names_in(line));
            for (kind, name, component) in names.filter(|(kind, ..)| is_known(*kind)) {
                let is_new = match kind {
                    KnownNameKind::LogSource => !printed.contains(component),
                    _ => !seen.contains(name),
                };
                if is_new {
                    seen.insert(name);
                    if matches!(kind, KnownNameKind::Message | KnownNameKind::LogSource) {
                        printed.insert(component);
                    }
                    found.push((index, kind, name, component));
                }
            }
        }
        let explained: FxHashSet<&Id> =
            found.iter().filter(|(_, kind, ..)| *kind == KnownNameKind::Message).map(|(.., component)| *component).collect();
        found.retain(|(_, kind, _, component)| *kind != KnownNameKind::LogSource || !explained.contains(component));
        found.into_iter().map(|(index, kind, name, _)| (index, row_of(kind, name))).collect()
    }

    fn messages_in<'a>(&'a self, line: &str) -> impl Iterator<Item = (KnownNameKind, &'a str, &'a Id)> {
        self.messages.in_line(line).into_iter().map(|message| (KnownNameKind::Message, message.text.as_str(), &message.component))
    }

    fn names_in<'a>(&'a self, line: &'a str) -> impl Iterator<Item = (KnownNameKind, &'a str, &'a Id)> {
        words(line).filter_map(|word| {
            let is_source = |kind| kind == KnownNameKind::LogSource;
            let is_plain = |name: &str| !name.contains('/') && !name.ends_with(SOURCE_FILE);
            let source = |name: &'a str| {
                let (kind, component) = self.find(name, is_source)?;
                (!is_plain(name) || is_logger(line, word)).then_some((kind, name, component))
            };
            let distinctive = || {
                let (kind, component) = self.find(word, KnownNameKind::is_distinctive).filter(|_| looks_like_name(word))?;
                Some((kind, word, component))
            };
            source_names(word).find_map(source).or_else(distinctive)
        })
    }

    fn reason_in<'a>(&'a self, line: &'a str) -> Option<(KnownNameKind, &'a str, &'a Id)> {
        let reason = event_reason(line)?;
        let (kind, component) = self.find(reason, |kind| kind == KnownNameKind::EventReason)?;
        Some((kind, reason, component))
    }
}

/// The names that the source of a log line can have: of a file with its folder, and of the file; else the word.
fn source_names(word: &str) -> impl Iterator<Item = &str> {
    let path = word.find(SOURCE_FILE).map_or(word, |at| &word[..at + SOURCE_FILE.len()]);
    let ends: Vec<usize> = path.match_indices('/').map(|(at, _)| at + 1).collect();
    let with_folder = ends.len().checked_sub(2).map(|at| &path[ends[at]..]);
    let file = ends.last().filter(|_| path.ends_with(SOURCE_FILE)).map(|at| &path[*at..]);
    [Some(path), with_folder, file].into_iter().flatten()
}

/// The word of a line that can be the reason of an event: after its type, or the first of several columns.
fn event_reason(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().take(MOST_COLUMNS).collect();
    if let Some(at) = words.iter().position(|word| matches!(*word, "Normal" | "Warning")) {
        // `Failed` is also a word: the age or the object of the event follows its reason.
        let is_column = |word: &&str| is_age(word) || word.contains('/');
        return words.get(at + 1).copied().filter(|reason| looks_like_name(reason) || words.get(at + 2).is_some_and(is_column));
    }
    let first = words.first().filter(|word| looks_like_name(word))?;
    let rest = line.trim_start().strip_prefix(first)?;
    (rest.starts_with('\t') || rest.starts_with("  ")).then_some(first)
}

/// Whether a word of a line is where the name of a logger is: `subsys=identity-cache`, `"logger":"provisioner"`, `I | op-mon: …`. Anywhere else, it could be a word.
/// The level of a log line can be before it: `[INFO]  core.cluster-listener: …`.
fn is_logger(line: &str, word: &str) -> bool {
    // Words are slices of the line.
    let before = &line[..word.as_ptr() as usize - line.as_ptr() as usize];
    let key = before.trim_end_matches(['"', '\\', ' ', '\t', ':', '=']);
    key.len() < before.len() && (key.ends_with(['|', ']']) || LOGGER_KEYS.iter().any(|name| key.ends_with(name)))
}

/// What is before the name of a logger: keys of structured logs, and levels.
const LOGGER_KEYS: [&str; 8] = ["logger", "subsys", "component", "module", "DEBUG", "INFO", "WARN", "ERROR"];

/// The end of the name of a source file, before the number of the line.
const SOURCE_FILE: &str = ".go";

/// Whether a text can follow the prefix of a metric, which ends in an underscore.
fn is_metric(rest: &str) -> bool {
    rest.starts_with(|c: char| c.is_ascii_lowercase())
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':'))
}

fn row_of(kind: KnownNameKind, name: &str) -> Row {
    Row { kind: Some(kind.row_kind().to_owned()), name: name.to_owned(), ..Row::default() }
}

/// The words of a line that can be such names, without punctuation around them.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | ':' | '-');
    let words = line.split(move |c| !is_part(c)).filter(|word| !word.contains("://"));
    words.map(|word| word.trim_start_matches(['.', ':', '-']).trim_end_matches(['.', ':', '-', '/', '_']))
}

/// Whether a word looks like a name, and not like a word of a language: it has a separator other than a hyphen, or two capitals.
#[must_use]
pub fn looks_like_name(word: &str) -> bool {
    word.len() > 3 && (word.contains(['_', '/', '.', ':']) || word.bytes().filter(u8::is_ascii_uppercase).count() > 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::listing::parse_lines;

    fn index() -> KnownNameIndex {
        let names = [
            (KnownNameKind::Alert, "KubeProxyDown", "kube-proxy"),
            (KnownNameKind::Metric, "kube_", "kube-state-metrics"),
            (KnownNameKind::Metric, "kube_apiserver_", "kube-apiserver"),
            (KnownNameKind::Label, "topology.kubernetes.io/zone", "ccm"),
            (KnownNameKind::Annotation, "topology.kubernetes.io/zone", "csi"),
            (KnownNameKind::Path, "/var/lib/kubelet/", "kubelet"),
            (KnownNameKind::Unit, "kubelet.service", "kubelet"),
            (KnownNameKind::Container, "webhook", "cert-manager"),
            (KnownNameKind::EventReason, "FailedMount", "kubelet"),
            (KnownNameKind::EventReason, "Failed", "kubelet"),
            (KnownNameKind::Message, "PLEG is not healthy", "kubelet"),
            (KnownNameKind::LogSource, "eviction_manager.go", "kubelet"),
            (KnownNameKind::LogSource, "ipamd/ipamd.go", "aws-node"),
            (KnownNameKind::LogSource, "plugin/loop", "coredns"),
            (KnownNameKind::LogSource, "op-mon", "rook-ceph"),
        ];
        KnownNameIndex::new(names.into_iter().map(|(kind, name, id)| (kind, name.to_owned(), Id::new(id).unwrap())))
    }

    #[test]
    fn the_whole_name_or_the_longest_prefix_decides() {
        let index = index();
        let find = |name| index.find(name, |_| true).map_or("-", |(_, id)| id.as_str());
        assert_eq!(find("KubeProxyDown"), "kube-proxy");
        assert_eq!(find("kube_pod_info"), "kube-state-metrics");
        assert_eq!(find("kube_apiserver_a_b"), "kube-apiserver");
        assert_eq!(find("kubelet_x"), "-");
        assert_eq!(find("kube_1"), "-");
        assert_eq!(find("kube_linux.go"), "-");
        assert_eq!(find("topology.kubernetes.io/zone"), "-", "two components have it");
        assert_eq!(index.of_row("Label", "topology.kubernetes.io/zone").unwrap().as_str(), "ccm");
        assert_eq!(index.of_row("Container", "webhook").unwrap().as_str(), "cert-manager");
        assert_eq!(index.of_row("Process", "webhook"), None);
        assert_eq!(find(&"kube_".repeat(1_000)), "-");
    }

    #[test]
    fn names_in_every_text() {
        let index = index();
        for (text, expected) in [
            ("[FIRING:1] KubeProxyDown (critical), see KubeProxyDown.", "Alert/KubeProxyDown"),
            ("{\"alertname\":\"KubeProxyDown\"} sum(kube_pod_info{x=\"y\"})", "Alert/KubeProxyDown Metric/kube_pod_info"),
            ("see https://example.com/kube_pod_info", ""),
            ("MountVolume failed for /var/lib/kubelet/pods/1/volumes: FailedMount", "Path//var/lib/kubelet/pods/1/volumes"),
            ("systemd[1]: kubelet.service: Failed with result exit-code", "Unit/kubelet.service"),
            ("the webhook and kube_", ""),
            ("I0330 15:58:27.1 41308 eviction_manager.go:258] \"failed\"", "LogSource/eviction_manager.go"),
            ("eviction_manager.go:258] PLEG is not healthy\neviction_manager.go:2] a", "Message/PLEG is not healthy"),
            ("{\"caller\":\"ipamd/ipamd.go:660\"} pkg/ipamd/ipamd.go:988", "LogSource/ipamd/ipamd.go"),
            ("vendor/pkg/ipamd/ipamd.go 100: a", "LogSource/ipamd/ipamd.go"),
            ("[FATAL] plugin/loop: Loop", "LogSource/plugin/loop"),
            ("W | op-mon: failed", "LogSource/op-mon"),
            ("level=info subsys=op-mon", "LogSource/op-mon"),
            ("{\"logger\": \"op-mon\"}", "LogSource/op-mon"),
            ("2024-01-01T10:00:00Z\tINFO\top-mon\tstarted", "LogSource/op-mon"),
            ("[INFO]  op-mon: started", "LogSource/op-mon"),
            ("the op-mon failed, op-mon: my-op-mon", ""),
            ("Warning  FailedMount  3s  kubelet  failed", "EventReason/FailedMount"),
            ("seen 3s ago: Warning FailedMount failed", "EventReason/FailedMount"),
            ("FailedMount  failed", "EventReason/FailedMount"),
            ("FailedMount is a reason", ""),
            ("  Warning  Failed  11s (x2 over 1m)  kubelet  Error: a", "EventReason/Failed"),
            ("2024-05-01 Warning Failed to load the profile", ""),
        ] {
            let rows = index.in_text(text, &parse_lines(text), |_| true, |_| true).into_iter();
            let rows = rows.map(|(_, row)| format!("{}/{}", row.kind.unwrap(), row.name));
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }
}
