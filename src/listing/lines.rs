//! What somebody pasted, line by line: headers, rows, and what stands around them.

use super::{
    header::Header,
    row::{Row, is_cell, parse_row, row_below},
};
use crate::markdown::is_prompt;

/// What a line of a pasted listing is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// Nothing but white space.
    Blank,
    /// The names of the columns; a table begins here.
    Header,
    /// An object.
    Row(Row),
    /// Anything else: a command, a comment, a message.
    Text,
}

/// Sorts the lines of a listing, one for each of [`str::lines`]. The kind and the namespace of a row come from its own prefix, else from the header
/// above it, else from the shape of its cells; a namespace that no column shows is that of the command (`-n kube-system`).
#[must_use]
pub fn parse_lines(text: &str) -> Vec<Line> {
    let mut header = None;
    let mut namespace: Option<String> = None;
    // A command goes on in the next line after a backslash.
    let mut in_command = false;
    text.lines()
        .map(|line| {
            let line = line.trim();
            if line.is_empty() {
                in_command = false;
                return Line::Blank;
            }
            if in_command || is_command(line) {
                if !in_command {
                    namespace = None;
                }
                namespace = namespace_option(line).or(namespace.take());
                in_command = line.ends_with('\\');
                header = None;
                return Line::Text;
            }
            if let Some(found) = Header::parse(line) {
                header = Some(found);
                return Line::Header;
            }
            let row = match &header {
                Some(header) => row_below(header, line),
                None => parse_row(line),
            };
            let row = row.filter(is_possible);
            row.map_or(Line::Text, |row| Line::Row(Row { namespace: row.namespace.or_else(|| namespace.clone()), ..row }))
        })
        .collect()
}

/// The value of `-n` or `--namespace` in a command, up to the first pipe.
fn namespace_option(command: &str) -> Option<String> {
    let mut words = command.split_whitespace().take_while(|word| !matches!(*word, "|" | "&&" | "||" | ";" | ">"));
    let mut found = None;
    while let Some(word) = words.next() {
        let value = match word {
            "-n" | "--namespace" => words.next(),
            word => word.strip_prefix("--namespace=").or_else(|| word.strip_prefix("-n=")).or_else(|| word.strip_prefix("-n")),
        };
        found = value.map(|value| value.trim_matches(['"', '\''])).filter(|value| is_name(value)).or(found);
    }
    found.map(str::to_owned)
}

fn is_command(line: &str) -> bool {
    let mut cells = line.split_whitespace();
    // People leave the prompt out, too. A table has a cell behind its name, a command a word.
    is_prompt(line) || (cells.next() == Some("kubectl") && cells.next().is_some_and(|cell| !is_cell(cell)))
}

fn is_possible(row: &Row) -> bool {
    is_name(&row.name) && row.namespace.as_deref().is_none_or(is_name)
}

/// Whether a word can be the name of an object, as far as it was printed. Sentences begin with a capital or are not ASCII, `...` stands for what was left out,
/// and `#` begins a comment.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.:_/".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `h` for a header, `-` for a blank line, `t` for text, and the row.
    fn shape(text: &str) -> String {
        let shown = parse_lines(text).into_iter().map(|line| match line {
            Line::Blank => "-".to_owned(),
            Line::Header => "h".to_owned(),
            Line::Text => "t".to_owned(),
            Line::Row(row) => format!("{}/{}/{}", row.namespace.unwrap_or_default(), row.kind.unwrap_or_default(), row.name),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn headers_tell_kind_and_namespace() {
        for (text, expected) in [
            ("NAME  DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE\nfluentd  4 4 4 4 4 a=b 30d", "h /DaemonSet/fluentd"),
            ("NAME DATA AGE\ncoredns 1 11d", "h /ConfigMap/coredns"),
            ("NAMESPACE NAME DATA AGE\nkube-system coredns 1 11d", "h kube-system/ConfigMap/coredns"),
            ("NAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system pod/etcd-n 1/1 Running 0 1d", "h kube-system/pod/etcd-n"),
            // The provisioner has a slash and is no kind.
            ("NAME PROVISIONER AGE\nlocal-path rancher.io/local-path 1d", "h /StorageClass/local-path"),
            ("NAME DESIRED CURRENT READY AGE\nkube-dns-v20 2 2 2 1d", "h //kube-dns-v20"),
            // Each table has its own header.
            ("NAME DATA AGE\na 1 1d\n\nNAME READY AGE\nb 1/1 1d", "h /ConfigMap/a - h /StatefulSet/b"),
            // A new command has none until it prints one.
            ("NAME DATA AGE\na 1 1d\n$ kubectl get pods -A --no-headers\nns b 1/1 Running 0 1d", "h /ConfigMap/a t ns/Pod/b"),
            ("pod/a\nservice/b", "/pod/a /service/b"),
            // The command tells the namespace where no column does, until the next one.
            (
                "$ kubectl get pods -n prod\nNAME READY STATUS RESTARTS AGE\na 1/1 Running 0 1d\n$ kubectl get pods\nb 1/1 Running 0 1d",
                "t h prod/Pod/a t /Pod/b",
            ),
            ("$ k get all \\\n  --namespace=kube-system\npod/a", "t t kube-system/pod/a"),
            ("$ kubectl get pods -nkube-system\npod/a", "t kube-system/pod/a"),
            ("$ kubectl --namespace kube-system get all | grep -n x\npod/a", "t kube-system/pod/a"),
            ("$ kubectl get pods -A\nNAMESPACE NAME READY STATUS RESTARTS AGE\nns a 1/1 Running 0 1d", "t h ns/Pod/a"),
        ] {
            assert_eq!(shape(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_no_row_stays_text() {
        for text in [
            "$ kubectl get all -n kube-system",
            "$ kubectl get all \\\n  -n kube-system",
            "kubectl get pods",
            "user@host:~$ kubectl get pods",
            "PS C:\\Users\\x> kubectl get pods",
            "# so many pods",
            "# daemonSet なので 3 つある",
            "...",
            "... and 12 more rows",
            "…",
            "ここに 3 つあります",
            "Warning: v1 ComponentStatus is deprecated in v1.19+",
            "No resources found in default namespace.",
            "NAMESPACE NAME DATA AGE\nkube-system",
        ] {
            assert!(parse_lines(text).iter().all(|line| !matches!(line, Line::Row(_))), "{text}");
        }
        assert_eq!(shape("kubectl 1/1 Running 0 1d"), "/Pod/kubectl");
    }

    #[test]
    fn hostile_text_is_sorted_in_linear_time() {
        assert_eq!(parse_lines(""), []);
        assert_eq!(shape("\n \n\t\n"), "- - -");
        assert_eq!(shape("NAME\tREADY\tSTATUS\tRESTARTS\tAGE\r\na\t1/1\tRunning\t0\t1d\r\n"), "h /Pod/a");
        assert_eq!(shape("pod/coredns-5d9"), "/pod/coredns-5d9");
        assert_eq!(shape("pod/"), "//pod/");
        let long = format!("pod/{}", "a-".repeat(500_000));
        assert_eq!(parse_lines(&long).len(), 1);
        assert_eq!(parse_lines(&"a 1/1 Running 0 1d\n".repeat(100_000)).len(), 100_000);
        assert_eq!(parse_lines(&"NAME ".repeat(100_000)), [Line::Header]);
    }
}
