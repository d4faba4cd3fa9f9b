//! Pages and files that are generated from the facts of all components: ports, exemptions, labels and other names of objects.

use crate::support::{check, main_of, over_base, site, with};

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

/// The versions of the boiler at Acme, from two sources.
const VERSIONS: &str = "//- content/providers/acme/versions.yaml
sources:
  releases:
    kind: runs
    url: https://example.org/blob/v{release}/images.txt
    checked: 2026-11-20
    releases: [1.0.9, 1.1.0, 1.1.1, 1.1.2, 1.2.0]
    versions:
      - {component: boiler, image: registry.example/hot/boiler, version: v3.1, from: 1.0.9, to: 1.1.0, line: 7}
      - {component: boiler, image: registry.example/hot/boiler, version: v3.2, from: 1.1.1, to: 1.2.0, line: 8}
      - {image: registry.example/lid, version: \"4\", from: 1.2.0}
  options:
    kind: offered
    url: https://example.org/options
    checked: 2026-11-20
    releases: [1.2.0]
    versions:
      - {image: registry.example/milk, version: \"1\", from: 1.2.0}
  stock:
    kind: cached
    url: https://example.org/stock/{file}
    checked: 2026-11-21
    versions:
      - {component: boiler, image: registry.example/hot/boiler, version: v3.2, file: a.json}
      - {component: boiler, image: registry.example/hot/boiler, version: v3.3, file: b.json}
";

#[test]
fn versions_of_components_by_release() {
    let site = site(&over_base(VERSIONS));
    let overview = main_of(&site, "component-versions/index.html");
    assert!(overview.contains("href=\"./acme/\"") && overview.contains("href=\"./boiler/\""), "{overview}");
    assert!(overview.contains("1.0 – 1.2") && overview.contains("Fixed by the release"), "{overview}");
    let of_component = main_of(&site, "component-versions/boiler/index.html");
    // In a line of releases, the newest version and the oldest, each with the line of its source and the first release of the line that has it.
    let newest = "<a href=\"https://example.org/blob/v1.2.0/images.txt#L8\" rel=\"noopener\">v3.2</a>";
    let oldest = "<a href=\"https://example.org/blob/v1.1.0/images.txt#L7\" rel=\"noopener\">v3.1</a> <span class=\"quiet\">1.1.0</span>";
    assert!(of_component.contains(newest) && of_component.contains(oldest), "{of_component}");
    assert!(of_component.contains("https://example.org/stock/b.json") && of_component.contains("Preloaded on Nodes"), "{of_component}");
    assert!(!of_component.contains("registry.example/lid"), "{of_component}");
    let of_provider = main_of(&site, "component-versions/acme/index.html");
    assert!(of_provider.contains("registry.example/lid") && of_provider.contains("href=\"../boiler/\""), "{of_provider}");
    // What has to be chosen is not in the list of images.
    assert_eq!(of_provider.matches("images/acme/1.2.0.txt").count(), 1, "{of_provider}");
    assert!(main_of(&site, "components/boiler/index.html").contains("href=\"../../component-versions/boiler/\""));
    assert!(site.text("component-versions/boiler/index.md").unwrap().contains("  - 1.1: v3.2, v3.1"));
}

#[test]
fn versions_as_data() {
    let site = site(&over_base(VERSIONS));
    let csv = site.text("api/v1/component-versions.csv").unwrap();
    let first =
        "acme,releases,runs,boiler,registry.example/hot/boiler,,v3.1,1.0.9,1.1.0,https://example.org/blob/v1.1.0/images.txt#L7,2026-11-20";
    assert_eq!(csv.lines().nth(1).unwrap(), first);
    assert_eq!(csv.lines().count(), 7);
    let json: serde_json::Value = serde_json::from_str(site.text("api/v1/component-versions/acme.json").unwrap()).unwrap();
    assert_eq!(json["sources"][0]["versions"][1]["to"], "1.2.0");
    assert_eq!(json["sources"][2]["versions"][0]["from"], serde_json::Value::Null);
    assert_eq!(site.text("api/v1/images/acme/1.2.0.txt").unwrap(), "registry.example/hot/boiler:v3.2\nregistry.example/lid:4\n");
    assert_eq!(site.text("api/v1/images/acme/1.1.2.txt").unwrap(), "registry.example/hot/boiler:v3.2\n");
}

#[test]
fn mistakes_in_versions() {
    let wrong = VERSIONS
        .replace("from: 1.1.1, to: 1.2.0", "from: 1.1.0, to: 1.2.0")
        .replace("{image: registry.example/lid, version: \"4\", from: 1.2.0}", "{version: \"4\", from: 1.20}")
        .replace("    url: https://example.org/stock/{file}\n", "");
    check(
        &over_base(&wrong),
        "
content/providers/acme/versions.yaml:9:9 invalid-value: the release `1.1.0` has the versions `v3.1` and `v3.2` (correct `from` and `to`, or state the image or the name that differs)
content/providers/acme/versions.yaml:10:9 missing-field: this version has neither `component` nor `image` (add the component that it is a version of)
content/providers/acme/versions.yaml:10:30 unknown-id: this source has no release `1.20` (did you mean `1.2.0`?)
content/providers/acme/versions.yaml:18:3 missing-evidence: this source has no address (add `url`, the address of the file or page)",
    );
}
