//! This repository's own knowledge base.

use std::path::Path;

use ksys_docs::{compile, highlight::Highlighter, read};

use crate::support::lines;

#[test]
fn our_own_content_is_free_of_findings() {
    let (sources, found) = read::read(Path::new(env!("CARGO_MANIFEST_DIR")), false).unwrap();
    let compiled = compile::compile(&sources, &Highlighter::default(), found);
    assert_eq!(lines(&sources, &compiled.diagnostics), "");
    let site = compiled.site.unwrap();
    for id in ["etcd", "kube-apiserver", "kube-proxy-mode-nftables", "kube2sky", "fluentbit-gke-256pd"] {
        for prefix in ["", "ja/"] {
            assert!(site.get(&format!("{prefix}components/{id}/index.html")).is_some(), "{prefix}{id}");
        }
    }
}
