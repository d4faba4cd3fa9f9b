//! The knowledge base of this repository.

use std::path::Path;

use ksys_docs::{compile, highlight::Highlighter, read};

use crate::support::lines;

#[test]
fn our_own_content_is_free_of_findings() {
    let (sources, found) = read::read(Path::new(env!("CARGO_MANIFEST_DIR")), read::HistoryMode::Skip).unwrap();
    let compiled = compile::compile(&sources, &Highlighter::default(), found);
    assert_eq!(lines(&sources, &compiled.diagnostics), "");
    let site = compiled.site.unwrap();
    for id in ["etcd", "kube-apiserver", "kube-proxy-mode-nftables", "kube2sky", "fluentbit-gke-256pd"] {
        for prefix in ["", "ja/"] {
            assert!(site.get(&format!("{prefix}components/{id}/index.html")).is_some(), "{prefix}{id}");
        }
    }
}

#[test]
fn every_facts_file_begins_with_its_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for entry in walkdir::WalkDir::new(root.join("content")).into_iter().map(Result::unwrap) {
        let kind = match (entry.file_name().to_string_lossy().as_ref(), entry.path().components().nth_back(2)) {
            (name @ ("vocabulary.yaml" | "diagrams.yaml"), _) => format!("../schemas/{}", name.trim_end_matches(".yaml")),
            ("facts.yaml", Some(folder)) => format!("../../../schemas/{}", folder.as_os_str().to_string_lossy().trim_end_matches('s')),
            _ => continue,
        };
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let expected = format!("# yaml-language-server: $schema={kind}.json\n");
        assert!(text.starts_with(&expected), "{} does not begin with {expected}", entry.path().display());
        seen += 1;
    }
    assert!(seen > 25);
}
