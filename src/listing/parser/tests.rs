//! Tests of the parser: the shape of short texts.

use super::*;

/// `h` for a header, `-` for a blank line, `t` for text, and the row.
fn shape(text: &str) -> String {
    let shown = parse_lines(text).into_iter().map(|line| match line {
        ListingLine::Blank => "-".to_owned(),
        ListingLine::Header => "h".to_owned(),
        ListingLine::Text => "t".to_owned(),
        ListingLine::Rows(rows) => format!("{} rows", rows.len()),
        ListingLine::Row(row) => format!("{}/{}/{}", row.namespace.unwrap_or_default(), row.kind.unwrap_or_default(), row.name),
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn headers_tell_kind_and_namespace() {
    for (text, expected) in [
        ("NAME  DESIRED CURRENT READY UP-TO-DATE AVAILABLE NODE SELECTOR AGE\nfluentd  4 4 4 4 4 a=b 30d", "h /DaemonSet/fluentd"),
        ("NAME DATA AGE\ncoredns 1 11d", "h /ConfigMap/coredns"),
        ("NAMESPACE NAME DATA AGE\nkube-system coredns 1 11d", "h kube-system/ConfigMap/coredns"),
        ("NAMESPACE NAME READY STATUS RESTARTS AGE\nkube-system pod/etcd-n 1/1 Running 0 1d", "h kube-system/Pod/etcd-n"),
        // The provisioner has a slash but is not a kind.
        ("NAME PROVISIONER AGE\nlocal-path rancher.io/local-path 1d", "h /StorageClass/local-path"),
        ("NAME DESIRED CURRENT READY AGE\nkube-dns-v20 2 2 2 1d", "h //kube-dns-v20"),
        // `istioctl proxy-status`
        ("NAME CLUSTER CDS LDS\nweb-7d4b9c8f6d-x2k9p.shop Kubernetes SYNCED SYNCED", "h shop/Pod/web-7d4b9c8f6d-x2k9p"),
        // Each table has its own header.
        ("NAME DATA AGE\na 1 1d\n\nNAME READY AGE\nb 1/1 1d", "h /ConfigMap/a - h /StatefulSet/b"),
        // After a new command, there is no header until the command prints one.
        ("NAME DATA AGE\na 1 1d\n$ kubectl get pods -A --no-headers\nns b 1/1 Running 0 1d", "h /ConfigMap/a t ns/Pod/b"),
        ("pod/a\nservice/b", "/Pod/a /Service/b"),
        // Without a namespace column, the command determines the namespace, until the next command.
        (
            "$ kubectl get pods -n prod\nNAME READY STATUS RESTARTS AGE\na 1/1 Running 0 1d\n$ kubectl get pods\nb 1/1 Running 0 1d",
            "t h prod/Pod/a t /Pod/b",
        ),
        ("$ k get all \\\n  --namespace=kube-system\npod/a", "t t kube-system/Pod/a"),
        ("$ kubectl get pods -nkube-system\npod/a", "t kube-system/Pod/a"),
        ("$ kubectl --namespace kube-system get all | grep -n x\npod/a", "t kube-system/Pod/a"),
        // In tables of all namespaces, objects without a namespace have an empty cell.
        ("NAMESPACE NAME ROLE AGE\n  clusterrolebinding.rbac.authorization.k8s.io/a ClusterRole/b 3m", "h /ClusterRoleBinding/a"),
        ("$ kubectl get nodes,pods -n prod\nnode/a\npod/b", "t /Node/a prod/Pod/b"),
        // Custom resources with the names of built-in kinds.
        (
            "service.serving.knative.dev/a\njob.batch.volcano.sh/b\njob.batch/c",
            "/service.serving.knative.dev/a /job.batch.volcano.sh/b /Job/c",
        ),
        ("apiVersion: serving.knative.dev/v1\nkind: Service\nmetadata:\n  name: a", "t t t /Service.serving.knative.dev/a"),
        ("{\"apiVersion\": \"batch/v1\", \"kind\": \"Job\", \"metadata\": {\"name\": \"a\"}}", "/Job/a"),
        ("deployment \"a\" created\npod \"b-0\" deleted from prod namespace\npods \"c\" not found", "/Deployment/a prod/Pod/b-0 t"),
        ("1. cilium-9lqbq\n2. 12 of them\n3. a-word", "//cilium-9lqbq t t"),
        ("NAMESPACE NAME READY AGE\nns ├─Pod/a True 1d\nns │ └─Job/b True 1d", "h ns/Pod/a ns/Job/b"),
        ("NAMESPACE NAME DATA AGE\nns **a** 1 1d", "h ns/ConfigMap/a"),
        ("$ kubectl get nodeunit\nNAME TYPE READY AGE\nbeijing edge 3/3 3d", "t h /nodeunit/beijing"),
        ("Name:\t\t\ta\nNamespace:\tdefault\nNode:\tb/10.0.0.1", "default/Pod/a t t"),
        // The order of the outputs is unknown.
        ("kubectl get pods -n a\nkubectl get pods -n b\npod/c", "t t /Pod/c"),
        ("kubectl apply -f x -n a\nkubectl get pods -n b\npod/c", "t t b/Pod/c"),
        ("kubectl get ns\nkubectl get pods -n b\npod/c", "t t b/Pod/c"),
        ("kubectl apply -f x && kubectl get pods -n b\npod/c", "t b/Pod/c"),
        ("kubectx a; kubectl get pods -n b\npod/c", "t b/Pod/c"),
        ("ssh a -- kubectl get pods -n b\npod/c", "t b/Pod/c"),
        ("✗ kubectl get pods -n b\npod/c", "t b/Pod/c"),
        ("kubectl --kubeconfig a \\\n  get pods -n b\npod/c", "t t b/Pod/c"),
        // A heading ends the effect of a command after its output, but not before it.
        ("kubectl get cm -n a\n## Output\nb-c 1d\n## More\nd-e 1d", "t t a/ConfigMap/b-c t //d-e"),
        ("```\nkubectl get cm -n a\n## Output\nb-c 1d\n## More\nd-e 1d", "t t t a/ConfigMap/b-c t a/ConfigMap/d-e"),
        ("kubectl get pods -n a\nNAME READY STATUS\nb 1/1 Running\n...\nc 1/1 Running", "t h a/Pod/b t a/Pod/c"),
        ("kubectl get pods -n a\npod/b\n...\npod/c created", "t a/Pod/b t /Pod/c"),
        // Tables of other programs.
        ("kubectl get pods -n a\nvelero backup get\nNAME STATUS ERRORS WARNINGS\nb Completed 0 0", "t t h /Backup/b"),
        ("helm ls\nNAME NAMESPACE REVISION UPDATED\na b 1 2026-01-01", "t h b/HelmRelease/a"),
        ("NAMESPACE: a\n==> apps/v1/StatefulSet\nNAME DESIRED CURRENT AGE\nb 1 1 0s", "t t h a/StatefulSet/b"),
        ("NAME SYNC STATUS HEALTH STATUS\nkarpenter Synced Healthy", "h /Application/karpenter"),
        // Tables without headers.
        ("a-1 Ready <none> 27s v1.28.3\nb-2 NotReady,SchedulingDisabled worker 1d v1.28.3", "/Node/a-1 /Node/b-2"),
        ("10m Normal Pulled pod/a-x8k2p Successfully pulled image\n2m Warning BackOff nobody knows what", "/Pod/a-x8k2p t"),
        ("kube-system coredns-x8k2p 100m (2%) 0 (0%) 70Mi (0%) 1d", "kube-system/Pod/coredns-x8k2p"),
        ("  Namespace  Name  CPU Requests\n  a  b  1m (1%)\nAllocated resources:\n  cpu  450m (45%)", "h a/Pod/b t t"),
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
        assert!(parse_lines(text).iter().all(|line| !matches!(line, ListingLine::Row(_))), "{text}");
    }
    assert_eq!(shape("kubectl 1/1 Running 0 1d"), "/Pod/kubectl");
}

#[test]
fn hostile_text_is_sorted_in_linear_time() {
    assert_eq!(parse_lines(""), []);
    assert_eq!(shape("\n \n\t\n"), "- - -");
    assert_eq!(shape("NAME\tREADY\tSTATUS\tRESTARTS\tAGE\r\na\t1/1\tRunning\t0\t1d\r\n"), "h /Pod/a");
    assert_eq!(shape("pod/coredns-5d9"), "/Pod/coredns-5d9");
    assert_eq!(shape("pod/"), "t");
    let long = format!("pod/{}", "a-".repeat(500_000));
    assert_eq!(parse_lines(&long).len(), 1);
    assert_eq!(parse_lines(&"a 1/1 Running 0 1d\n".repeat(100_000)).len(), 100_000);
    assert_eq!(parse_lines(&"NAME ".repeat(100_000)), [ListingLine::Header]);
}
