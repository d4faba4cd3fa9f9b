//! Tests of name patterns: which rows fit.
#![allow(clippy::unwrap_used)]
use super::*;
use crate::listing::parse_row;

fn fits(kind: &str, name: &str, row: &str) -> bool {
    Pattern::new(kind, name, Some("kube-system")).unwrap().fit(&parse_row(row).unwrap()).is_some()
}

#[test]
fn what_recreates_an_object_follows_from_its_kind() {
    let node = "{node}";
    for (kind, name, row, expected) in [
        ("Deployment", "coredns", "pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3m", Some(Controller::ReplicaSet)),
        ("Deployment", "coredns", "replicaset.apps/coredns-5d78c9869d 1 1 1 4h5m", Some(Controller::Deployment)),
        ("Deployment", "coredns", "deployment.apps/coredns 1/1 1 1 3m4s", None),
        ("Deployment", "coredns", "coredns-5d78c9869d-x8k2p", Some(Controller::ReplicaSet)),
        ("Deployment", "coredns", "coredns", None),
        ("DaemonSet", "kube-proxy", "kube-proxy-jct8w 1/1 Running 0 3m", Some(Controller::DaemonSet)),
        ("StatefulSet", "prometheus", "pod/prometheus-0 1/1 Running 0 3m", Some(Controller::StatefulSet)),
        ("CronJob", "backup", "job.batch/backup-28000000 1/1 3s 3m", Some(Controller::CronJob)),
        ("CronJob", "backup", "pod/backup-28000000-x8k2p 0/1 Completed 0 3m", Some(Controller::Job)),
        ("StaticPod", "etcd", "pod/etcd-node-1 1/1 Running 0 3m", Some(Controller::Kubelet)),
        ("Pod", &format!("etcd-{node}"), "pod/etcd-node-1 1/1 Running 0 3m", None),
        ("ConfigMap", "coredns", "configmap/coredns 1 3m", None),
    ] {
        let pattern = Pattern::new(kind, name, Some("kube-system")).unwrap();
        let row = parse_row(row).unwrap();
        assert!(pattern.fit(&row).is_some(), "{row:?}");
        assert_eq!(pattern.controller_of(&row), expected, "{row:?}");
    }
    let long = format!("{}-5d78c9869d-x8k2p", "a".repeat(70));
    let shortened = Row { kind: None, name: format!("{}x8k2p", &long[..MAX_BASE_LENGTH]), ..Row::default() };
    let pattern = Pattern::new("Deployment", &"a".repeat(70), None).unwrap();
    assert!(pattern.fit_shortened(&shortened).is_some());
    assert_eq!(pattern.controller_of(&shortened), Some(Controller::ReplicaSet));
    assert_eq!(pattern.pod_controller(), Some(Some(Controller::ReplicaSet)));
    assert_eq!(Pattern::new("Pod", "x", None).unwrap().pod_controller(), Some(None));
    assert_eq!(Pattern::new("Service", "x", None).unwrap().pod_controller(), None);
}

#[test]
fn names_follow_from_the_kind() {
    for (kind, name, row) in [
        ("Deployment", "konnectivity-agent", "pod/konnectivity-agent-69fc69d588-t67rj 1/1 Running 0 3m3s"),
        ("Deployment", "konnectivity-agent", "replicaset.apps/konnectivity-agent-f8d69b8dd 1 1 1 4h5m"),
        ("Deployment", "konnectivity-agent", "deployment.apps/konnectivity-agent 1/1 1 1 3m4s"),
        ("Deployment", "kube-dns", "kube-dns-2425271678-x5k2v 3/3 Running 0 9d"),
        ("Deployment", "metrics-server-v{version}", "pod/metrics-server-v0.5.2-6bf74b5d5f-wvrqq 2/2 Running 0 91s"),
        ("DaemonSet", "fluentbit-gke", "pod/fluentbit-gke-sdpcc 2/2 Running 0 2m14s"),
        ("DaemonSet", "gke-metrics-agent-scaling-{number}", "daemonset.apps/gke-metrics-agent-scaling-20 0 0 0 0 0 <none> 3m"),
        ("ReplicationController", "heapster-v{number}", "heapster-v10-ut5ls 1/1 Running 0 1d"),
        ("StaticPod", "kube-proxy", "pod/kube-proxy-gke-cn-matsuirut-temp-default-pool-14ae721e-qj9s 1/1 Running 0 72s"),
        ("StaticPod", "etcd", "kube-system etcd-multi-pod-cidr-control-plane 1/1 Running 0 3m38s"),
        ("StatefulSet", "web", "web-0 1/1 Running 0 1d"),
        ("CronJob", "tidy", "pod/tidy-28391040-5xk2v 0/1 Completed 0 1d"),
        ("ConfigMap", "kube-root-ca.crt", "kube-root-ca.crt 1 11d"),
    ] {
        assert!(fits(kind, name, row), "{kind} {name}: {row}");
    }
}

#[test]
fn copies_in_other_namespaces() {
    let component = Id::new("coredns").unwrap();
    let node = "{node}";
    for (kind, name, row, expected) in [
        ("Deployment", "coredns", "coredns-edge pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3m", true),
        ("Deployment", "coredns", "team-a pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3m", true),
        ("Deployment", "dns", "team-a pod/dns-5d78c9869d-x8k2p 1/1 Running 0 3m", false),
        ("Deployment", "dns", "team-a-coredns pod/dns-5d78c9869d-x8k2p 1/1 Running 0 3m", true),
        ("Deployment", "coredns", "kube-system pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3m", false),
        ("Deployment", "coredns", "pod/coredns-5d78c9869d-x8k2p 1/1 Running 0 3m", false),
        ("Deployment", "coredns", "coredns service/coredns ClusterIP 10.0.0.1 <none> 80/TCP 1d", false),
        ("Deployment", "dns-proxy", "team-a pod/dns-proxy-5d78c9869d-x8k2p 1/1 Running 0 3m", true),
        ("StaticPod", "coredns", "coredns pod/coredns-x8k2p 1/1 Running 0 3m", false),
        ("DaemonSet", &format!("coredns-{node}"), "coredns pod/coredns-a-x8k2p 1/1 Running 0 3m", false),
    ] {
        let pattern = Pattern::new(kind, name, Some("kube-system")).unwrap();
        let row = parse_row(row).unwrap();
        assert_eq!(pattern.fit_elsewhere(&row, &component).is_some(), expected, "{kind} {name}: {row:?}");
        assert!(pattern.needing_namespace(true).fit_elsewhere(&row, &component).is_none());
    }
    let masked = Row {
        namespace: Some("team-a".to_owned()),
        kind: Some("Pod".to_owned()),
        name: "coredns".to_owned(),
        masked: true,
        ..Row::default()
    };
    assert!(Pattern::new("Deployment", "coredns", Some("kube-system")).unwrap().fit_elsewhere(&masked, &component).is_some());
    let anywhere = Pattern::new("Deployment", "coredns", None).unwrap();
    assert!(anywhere.fit_elsewhere(&parse_row("coredns pod/coredns-5d78c9869d-x8k2p").unwrap(), &component).is_none());
}

#[test]
fn look_alikes_do_not_fit() {
    for (kind, name, row) in [
        ("Deployment", "konnectivity-agent", "pod/konnectivity-agent-autoscaler-5d9dbcc6d8-2qlgw 1/1 Running 0 3m2s"),
        ("DaemonSet", "aws-node", "pod/aws-node-agent 1/1 Running 0 3m2s"),
        ("StaticPod", "etcd", "default pod/etcd-0 1/1 Running 0 5d"),
        ("DaemonSet", "fluentbit-gke", "daemonset.apps/fluentbit-gke-max 0 0 0 0 0 <none> 3m12s"),
        ("DaemonSet", "kube-proxy", "service/kube-proxy ClusterIP 10.0.0.1 <none> 80/TCP 1d"),
        ("Deployment", "coredns", "pod/coredns 1/1 Running 0 1d"),
        ("ClusterOperator", "dns", "dns"),
    ] {
        assert!(!fits(kind, name, row), "{kind} {name}: {row}");
    }
}

#[test]
fn bad_patterns_say_why() {
    for name in ["", "{node}", "a*", "a{vers}", "a{version", "{word}{number}-a", "Etcd", "a b"] {
        assert!(Pattern::new("Pod", name, None).is_err(), "{name}");
    }
}

#[test]
fn the_most_literal_pattern_wins() {
    let fit = |kind: &str, name: &str, row: &str| Pattern::new(kind, name, None).unwrap().fit(&parse_row(row).unwrap()).unwrap();
    let row = "pod/etcd-manager-main-i-0ad86f23f13499914";
    assert!(fit("StaticPod", "etcd-manager-main", row) > fit("StaticPod", "etcd", row));
    let row = "pod/kube-proxy-jct8w";
    assert!(fit("DaemonSet", "kube-proxy", row) > fit("StaticPod", "kube-proxy", row));
}

#[test]
fn samples_fit_their_own_pattern() {
    for kind in ["Deployment", "DaemonSet", "StatefulSet", "StaticPod", "Job", "CronJob", "Service"] {
        let pattern = Pattern::new(kind, "a-v{version}-{word}", None).unwrap();
        for row in pattern.samples() {
            assert!(pattern.fit(&row).is_some(), "{kind}: {row:?}");
        }
    }
}
