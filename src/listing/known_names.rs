//! Names outside of listings: alerts, metrics, labels, taints, units … in alerts, logs and messages, or pasted alone.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{MAX_NAME, command::parse_command, parser::ListingLine, row::Row};
use crate::{facts::KnownNameKind, id::Id, kb::is_prefix};

/// The components by their names outside of listings.
#[derive(Clone, Debug, Default)]
pub struct KnownNameIndex {
    /// The kinds and components of each whole name.
    names: FxHashMap<String, Vec<(KnownNameKind, Id)>>,
    /// The same of the beginnings of names.
    prefixes: FxHashMap<String, Vec<(KnownNameKind, Id)>>,
}

impl KnownNameIndex {
    /// The index of these names and prefixes.
    pub fn new(names: impl Iterator<Item = (KnownNameKind, String, Id)>) -> Self {
        let mut index = Self::default();
        for (kind, name, component) in names {
            let of = if is_prefix(&name) { &mut index.prefixes } else { &mut index.names };
            of.entry(name).or_default().push((kind, component));
        }
        index
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

    /// The names in the lines of a text that are not rows, each once, with the indexes of their lines.
    #[must_use]
    pub fn in_text(&self, text: &str, lines: &[ListingLine]) -> Vec<(usize, Row)> {
        if self.names.is_empty() && self.prefixes.is_empty() {
            return Vec::new();
        }
        let mut seen: FxHashSet<&str> = FxHashSet::default();
        let mut found = Vec::new();
        let texts = text.lines().zip(lines).enumerate().filter(|(_, (_, parsed))| **parsed == ListingLine::Text);
        for (index, (line, _)) in texts.filter(|(_, (line, _))| parse_command(line.trim()).is_none()) {
            for name in words(line).filter(|word| looks_like_name(word)) {
                if let Some((kind, _)) = self.find(name, KnownNameKind::is_distinctive)
                    && seen.insert(name)
                {
                    found.push((index, row_of(kind, name)));
                }
            }
        }
        found
    }
}

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
        ] {
            let rows = index.in_text(text, &parse_lines(text)).into_iter();
            let rows = rows.map(|(_, row)| format!("{}/{}", row.kind.unwrap(), row.name));
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected, "{text}");
        }
    }
}
