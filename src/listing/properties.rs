//! Properties of every text.

use proptest::prelude::*;

use super::*;
use cells::is_name;

/// Lines of pasted texts.
const PIECES: &[&str] = &[
    "NAME READY STATUS RESTARTS AGE",
    "NAMESPACE NAME TYPE CLUSTER-IP",
    "LAST SEEN TYPE REASON OBJECT MESSAGE",
    "pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3d",
    "# kube-system etcd-node-1 1/1 Running 0 3d",
    "| kube-proxy-9p2lr | 1/1 |",
    "$ kubectl get pods -n kube-system \\",
    "  -l a=b | grep x",
    "apiVersion: v1",
    "items:",
    "- apiVersion: v1",
    "  kind: Pod",
    "  metadata:",
    "    name: etcd",
    "---",
    "{",
    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"etcd\"}}",
    "\"items\": [",
    "}]",
    "Name:         kube-proxy",
    "Namespace:    kube-system",
    "```",
    "CONTAINER ID IMAGE COMMAND CREATED STATUS PORTS NAMES",
    "IMAGE TAG IMAGE ID SIZE",
    "registry.k8s.io/coredns/coredns:v1.11.1",
    "0a1b2c3d4e5f6 9f76b554c615d 3 days ago Running kube-proxy 6 ab863e4ae6f33 kube-proxy-9p2lr kube-system",
    "<td>coredns-xxxxx</td><br>&nbsp;",
    "│ 0 │ kube-system │ coredns-5d78c9869d-x8k2p │",
    "evicting pod kube-system/coredns-5d78c9869d-x8k2p",
    "\u{1b}[31mred\u{1b}[0m",
    "\u{1b}]0;",
    "これは説明です。",
    "pod/…",
    "pod/a-...",
    "\u{feff}",
    "\r",
    "",
];

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "[ -~\\t\u{3000}\u{a0}あé…]{0,40}",
        1 => prop::sample::select(PIECES).prop_flat_map(|piece| {
            let ends: Vec<usize> = piece.char_indices().map(|(at, _)| at).collect();
            prop::sample::select(if ends.is_empty() { vec![0] } else { ends }).prop_map(move |end| piece[..end].to_owned())
        }),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_line_is_something(text in texts()) {
        let cleaned = clean(&text);
        prop_assert_eq!(cleaned.matches('\n').count(), text.matches('\n').count());
        prop_assert_eq!(&*clean(&cleaned), &*cleaned);
        let lines = parse_lines(&cleaned);
        prop_assert_eq!(lines.len(), cleaned.lines().count());
        for (line, text) in lines.into_iter().zip(cleaned.lines()) {
            for row in line.into_rows() {
                let is_image = row.kind.as_deref() == Some(IMAGE) && runtimes::is_repository(&row.name);
                prop_assert!(is_image || is_name(row.name.trim_end_matches(['-', '.', ':', '_'])), "{:?}", row);
                prop_assert!(is_image || row.cut || is_name(&row.name), "{:?}", row);
                prop_assert!(text.contains(&row.name), "{:?} in {:?}", row, text);
                let namespace = row.namespace.as_deref();
                prop_assert!(namespace.is_none_or(is_name), "{:?}", row);
            }
        }
    }

    #[test]
    fn anything_can_be_read(text in any::<String>()) {
        let cleaned = clean(&text);
        prop_assert_eq!(parse_lines(&cleaned).len(), cleaned.lines().count());
    }

    #[test]
    fn a_sample_of_a_pattern_belongs_to_it(name in "[a-z]{1,12}(-[a-z]{1,20}){0,4}", kind in prop::sample::select(vec!["Deployment", "DaemonSet", "StatefulSet", "CronJob", "StaticPod"])) {
        let pattern = Pattern::new(kind, &name, Some("kube-system")).map_err(|bad| TestCaseError::fail(bad.message))?;
        for row in pattern.samples() {
            prop_assert!(pattern.fit(&row).is_some());
            prop_assert_eq!(pattern.object_of(&row), &name, "{:?}", row);
            // A name that the API server has shortened still fits, and so does a truncated name that contains the whole name of the object.
            if row.kind.as_deref() == Some("Pod") && kind != "StatefulSet" && kind != "StaticPod" && row.name.len() > generated::MAX_BASE_LENGTH + generated::RANDOM_LENGTH {
                let (base, random) = row.name.split_at(row.name.len() - generated::RANDOM_LENGTH);
                let short = Row { name: format!("{}{random}", &base[..generated::MAX_BASE_LENGTH]), ..row.clone() };
                prop_assert!(pattern.fit_shortened(&short).is_some(), "{:?}", short);
            }
            for end in name.len()..=row.name.len() {
                let cut = Row { name: row.name[..end].to_owned(), cut: true, ..row.clone() };
                prop_assert!(pattern.fit_beginning(&cut).is_some(), "{:?}", cut);
            }
        }
    }
}
