//! Pages and files that are generated from the facts of all components: ports, exemptions, labels and other names of objects.

use crate::support::{main_of, site, with};

const NAMES: &str = "names:
  - {kind: label, names: [boiler.example/hot], what: {en: The water is hot, ja: お湯が沸いた}, evidence: [manual]}
  - {kind: taint, names: [boiler.example/empty], evidence: [manual]}
  - {kind: alert, names: [BoilerDown], evidence: [manual]}
evidence:
  manual";

#[test]
fn ports_of_all_components_and_of_a_provider() {
    let site = site(&with("content/components/boiler/facts.yaml", &[]));
    let page = main_of(&site, "ports/index.html");
    assert!(page.contains("<code>80</code> TCP"), "{page}");
    assert!(page.contains("href=\"../components/boiler/#ports\"") && page.contains("steam"), "{page}");
    // What connects to it, from the relation that states the port.
    assert!(page.contains("href=\"../components/pump/\""), "{page}");
    assert!(page.contains("href=\"./acme/\"") && page.contains("href=\"../api/v1/ports.csv\""), "{page}");
    let own = main_of(&site, "ports/acme/index.html");
    assert!(own.contains("<code>80</code> TCP") && own.contains("Default"), "{own}");
    let csv = site.text("api/v1/ports.csv").unwrap();
    assert_eq!(
        csv,
        "port,protocol,component,place,what,clients,providers,evidence,checked\r\n80,TCP,boiler,,steam,pump,acme,https://example.org/manual,2026-11-20\r\n"
    );
    assert!(site.text("ports/index.md").unwrap().contains("80/TCP"));
}

#[test]
fn labels_and_other_names_of_objects_with_their_owners() {
    let site = site(&with("content/components/boiler/facts.yaml", &[("evidence:\n  manual", NAMES)]));
    let page = main_of(&site, "well-known/index.html");
    assert!(page.contains("<code class=\"name\">boiler.example/hot</code>") && page.contains("The water is hot"), "{page}");
    assert!(page.contains("id=\"taint\"") && !page.contains("BoilerDown"), "alerts are not names of objects: {page}");
    assert!(page.contains("href=\"../components/boiler/#other-names\""), "{page}");
}

#[test]
fn exemptions_in_the_format_of_each_engine() {
    let listing = "listing:
  - {kind: Deployment, name: \"boiler-v{version}\", namespace: machine}
  - {kind: DaemonSet, name: boiler-node, namespace: machine, providers: [acme]}
  - {kind: ConfigMap, name: boiler, namespace: machine}";
    let own = "listing:\n  - {kind: Deployment, name: boiler, namespace: machine, providers: [acme]}";
    let row = ("pod/boiler-5d9dbcc6d8-2qlgw   1/1   Running   0   3m", "configmap/boiler 1 3m");
    let site = site(&with("content/components/boiler/facts.yaml", &[(own, listing), row]));
    let page = main_of(&site, "exemptions/index.html");
    assert!(page.contains("data-providers=\"acme\"") && page.contains("<td>2</td>"), "{page}");
    let file = |name: &str| site.text(&format!("api/v1/exemptions/acme/{name}")).unwrap().to_owned();
    let yaml = |name: &str| serde_yaml::from_str::<serde_json::Value>(&file(name)).unwrap();
    let kyverno = yaml("kyverno.yaml");
    assert_eq!(
        kyverno["exclude"]["any"][1]["resources"],
        serde_json::json!({"kinds": ["Deployment"], "namespaces": ["machine"], "names": ["boiler-v*"]})
    );
    assert_eq!(yaml("gatekeeper.yaml")["spec"]["match"][0]["excludedNamespaces"], serde_json::json!(["machine"]));
    assert_eq!(
        yaml("polaris.yaml")["exemptions"],
        serde_json::json!([{"namespace": "machine", "controllerNames": ["boiler-node", "boiler-v"]}])
    );
    let kubescape: serde_json::Value = serde_json::from_str(&file("kubescape.json")).unwrap();
    let attributes = |at: usize| kubescape[0]["resources"][at]["attributes"].clone();
    assert_eq!(attributes(0), serde_json::json!({"kind": "DaemonSet", "namespace": "machine", "name": "boiler-node"}));
    let alertmanager = yaml("alertmanager.yaml");
    assert_eq!(alertmanager["routes"][0]["matchers"], serde_json::json!(["namespace = \"machine\"", "daemonset =~ \"boiler-node\""]));
}
