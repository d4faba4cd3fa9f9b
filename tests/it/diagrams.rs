//! Diagrams: layout properties, and agreement with the facts.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use expect_test::expect_file;
use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    diagram::{Drawing, Edge, EdgeVerb, Graph, GraphNode, Rect, Subgraph, layout, svg},
    highlight::Highlighter,
    kb::Kb,
    read::{self, Sources},
    site::Site,
};
use proptest::prelude::*;

use crate::support::{check, main_of, over_base, site, with};

const MACHINE: &str = r#"//- content/diagrams.yaml
diagrams:
  machine:
    title: {en: The machine, ja: マシン}
    what: {en: All of it., ja: すべて。}
    by-release: true
    nodes: [valve, pump, boiler, dial]
  steam:
    title: {en: The way of steam, ja: 蒸気の通り道}
    words: true
    nodes: [boiler, valve, dial]
//- content/vocabulary.yaml
platform: Coffee machine
areas:
  water: {mark: W, label: {en: Water, ja: 水}, what: {en: Everything wet., ja: 水の流れ。}}
  power: {label: {en: Power, ja: 電気}}
roles:
  heater: {label: {en: Heater, ja: ヒーター}, what: {en: Makes water hot., ja: 水を温める。}}
places:
  outside: {label: {en: Outside, ja: 外}}
  inside: {label: {en: Inside, ja: 中}}
verbs:
  feeds: {label: {en: feeds, ja: 供給する}, inverse: {en: is fed by, ja: 供給される}}
  shows: {label: {en: shows, ja: 表示する}, inverse: {en: is shown by, ja: 表示される}}
  mentions: {label: {en: mentions, ja: 言及する}, inverse: {en: is mentioned by, ja: 言及される}, drawn: false}
  part-of: {label: {en: is part of, ja: の一部}, inverse: {en: has the part, ja: 部品}, acyclic: true}
provider-kinds:
  maker: {label: {en: Maker, ja: メーカー}}
releases:
  - {release: "1.0", date: 2020-01-01}
  - {release: 1.1, date: 2021-01-01}
  - {release: "1.2", date: 2022-01-01}
  - {release: "1.3"}
//- content/components/valve/facts.yaml
name: Valve <steam> & "more"
area: water
place: inside
lifecycle: {state: active, since: "1.2", evidence: [manual]}
relations:
  - {verb: feeds, to: boiler, port: 81, evidence: [manual]}
  - {verb: mentions, to: dial, evidence: [manual]}
evidence:
  manual: {title: The manual, url: "https://example.org/manual", checked: 2026-11-20}
//- content/components/valve/en.md
---
summary: A valve.
---
Text.
//- content/components/valve/ja.md
---
summary: 部品です。
---
本文。
//- content/components/dial/facts.yaml
name: 圧力ダイヤル
area: power
place: outside
lifecycle: {state: active, since: "1.0", evidence: [manual]}
relations:
  - {verb: shows, to: boiler, evidence: [manual]}
  - {verb: shows, to: valve, evidence: [manual]}
evidence:
  manual: {title: The manual, url: "https://example.org/manual", checked: 2026-11-20}
//- content/components/dial/en.md
---
summary: A dial.
---
Text.
//- content/components/dial/ja.md
---
summary: 部品です。
---
本文。
//- content/components/pump/facts.yaml
name: Pump
area: water
place: inside
lifecycle: {state: removed, since: "1.0", deprecated: "1.1", removed: "1.2", replaced-by: [boiler], evidence: [manual]}
relations:
  - {verb: feeds, to: boiler, port: 80, what: {en: cold water, ja: 冷水}, evidence: [manual]}
evidence:
  manual: {title: The manual, url: "https://example.org/manual", checked: 2026-11-20}
//- content/providers/acme/facts.yaml
name: ACME
kind: maker
claims:
  - {role: heater, component: boiler, presence: hidden, evidence: [shop]}
  - {component: dial, presence: default, evidence: [shop]}
  - {component: valve, presence: optional, evidence: [shop]}
evidence:
  shop: {title: The shop, observed: true, checked: 2026-11-19}
"#;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn inside(outer: &Rect, inner: &Rect) -> bool {
    inner.x >= outer.x
        && inner.y >= outer.y
        && inner.x + inner.width <= outer.x + outer.width
        && inner.y + inner.height <= outer.y + outer.height
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

/// Checks that a drawing is readable: boxes do not overlap, lines do not cross boxes, and the arrows are exactly the edges.
fn assert_readable(graph: &Graph, drawing: &Drawing) {
    let whole = Rect { x: 0.0, y: 0.0, width: drawing.width, height: drawing.height };
    assert_eq!(drawing.boxes.len(), graph.nodes.len());
    for (index, one) in drawing.boxes.iter().enumerate() {
        assert!(inside(&whole, &one.rect), "{one:?} lies outside of {whole:?}");
        for other in &drawing.boxes[index + 1..] {
            assert!(!overlap(&one.rect, &other.rect), "{one:?} covers {other:?}");
        }
        for ground in &drawing.subgraphs {
            let belongs = one.node.subgraph.and_then(|at| graph.subgraphs.get(at)) == Some(&ground.subgraph);
            assert_eq!(inside(&ground.rect, &one.rect), belongs, "{one:?} on {ground:?}");
        }
    }
    // The arrows connect the same pairs of nodes as the edges.
    let mut drawn: BTreeSet<(&str, &str)> = BTreeSet::new();
    for arrow in &drawing.arrows {
        for from in &arrow.from {
            for to in &arrow.to {
                if !arrow.verbs.is_empty() {
                    drawn.insert((from, to));
                }
                if !arrow.verbs_back.is_empty() {
                    drawn.insert((to, from));
                }
            }
        }
        let ends = drawing.boxes.iter().map(|shape| &shape.rect).chain(&drawing.frames);
        let touches = |(x, y): (f64, f64), rect: &Rect| {
            (x - rect.x).abs().min((x - rect.x - rect.width).abs()) < 0.01 && y > rect.y && y < rect.y + rect.height
        };
        for end in [arrow.points.first().unwrap(), arrow.points.last().unwrap()] {
            assert!(ends.clone().any(|rect| touches(*end, rect)), "{arrow:?} ends in nothing");
        }
        for pair in arrow.points.windows(2) {
            // A line is inside the bounding rectangle of its two points. Vertical lines are in columns without boxes.
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            let line = Rect { x: x1.min(x2) + 0.1, y: y1.min(y2) - 0.1, width: (x1 - x2).abs() - 0.2, height: (y1 - y2).abs() + 0.2 };
            for shape in drawing.boxes.iter().filter(|_| line.width > 0.0) {
                assert!(!overlap(&line, &shape.rect), "{arrow:?} runs over {shape:?}");
            }
        }
    }
    let meant = graph.edges.iter().filter(|edge| edge.from != edge.to).filter_map(|edge| {
        let (from, to) = (graph.nodes.get(edge.from)?, graph.nodes.get(edge.to)?);
        Some((from.id.as_str(), to.id.as_str()))
    });
    assert_eq!(drawn, meant.collect());
}

fn random_graph(nodes: usize, grounds: usize, edges: &[(usize, usize, u8)], words: bool) -> Graph {
    Graph {
        subgraphs: (0..grounds).map(|at| Subgraph { label: format!("地面 {at}"), hidden: at % 2 == 1 }).collect(),
        nodes: (0..nodes)
            .map(|at| GraphNode {
                id: format!("n{at}"),
                label: "監視m".repeat(at % 7),
                mark: if at % 3 == 0 { String::new() } else { "W".to_owned() },
                subgraph: (at % (grounds + 1)).checked_sub(1),
                ..GraphNode::default()
            })
            .collect(),
        edges: edges
            .iter()
            .map(|&(from, to, verb)| Edge {
                from,
                to,
                verbs: vec![EdgeVerb {
                    id: format!("v{}", verb % 3),
                    label: "feeds :80".repeat(usize::from(verb % 3)),
                    ..EdgeVerb::default()
                }],
            })
            .collect(),
        show_verbs: words,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Includes cycles, edges from a node to itself, edges to nodes that do not exist, and graphs without nodes.
    #[test]
    fn every_graph_becomes_a_readable_drawing(
        nodes in 0_usize..24,
        grounds in 0_usize..4,
        edges in prop::collection::vec((0_usize..26, 0_usize..26, any::<u8>()), 0..50),
        words in any::<bool>(),
    ) {
        let graph = random_graph(nodes, grounds, &edges, words);
        let drawing = layout(&graph);
        assert_readable(&graph, &drawing);
        let text = svg(&drawing, "d", "t", "d");
        prop_assert_eq!(&text, &svg(&layout(&graph), "d", "t", "d"));
        prop_assert!(!text.contains("NaN") && !text.contains("inf"));
    }
}

#[test]
fn a_large_graph_becomes_a_readable_drawing() {
    // A deterministic pseudorandom sequence.
    let mut state = 7_usize;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let edges: Vec<(usize, usize, u8)> = (0..600).map(|at| (next(300), next(300), u8::try_from(at % 3).unwrap())).collect();
    for (grounds, words) in [(0, false), (4, true)] {
        let graph = random_graph(300, grounds, &edges, words);
        assert_readable(&graph, &layout(&graph));
    }
    let chain: Vec<(usize, usize, u8)> = (0..2999).map(|at| (at, at + 1, 0)).collect();
    assert_eq!(layout(&random_graph(3000, 1, &chain, false)).boxes.len(), 3000);
}

#[test]
fn nodes_with_the_same_arrows_share_them() {
    let graph = random_graph(4, 0, &[(0, 3, 0), (1, 3, 0), (2, 3, 1)], true);
    let drawing = layout(&graph);
    let shared: Vec<&[String]> = drawing.arrows.iter().map(|arrow| arrow.from.as_slice()).collect();
    assert_eq!(shared, [&["n0".to_owned(), "n1".to_owned()][..], &["n2".to_owned()]]);
    assert_eq!(drawing.frames.len(), 1);
}

#[test]
fn opposite_arrows_are_one_with_two_heads() {
    let graph = random_graph(2, 0, &[(0, 1, 1), (1, 0, 2)], true);
    let drawing = layout(&graph);
    assert_eq!(drawing.arrows.len(), 1);
    assert_eq!((&*drawing.arrows[0].verbs, &*drawing.arrows[0].verbs_back), (&["v1".to_owned()][..], &["v2".to_owned()][..]));
    assert_eq!(drawing.arrows[0].texts.iter().map(|text| text.text.as_str()).collect::<Vec<_>>(), ["feeds :80 →", "← feeds :80feeds :80"]);
    assert_eq!(svg(&drawing, "d", "t", "d").matches("class=\"head\"").count(), 2);
}

fn svgs(html: &str) -> Vec<&str> {
    let starts = html.match_indices("<svg class=\"diagram ").map(|(at, _)| at);
    starts.map(|at| &html[at..at + html[at..].find("</svg>").unwrap() + "</svg>".len()]).filter(|svg| svg.contains("data-id=")).collect()
}

/// `UPDATE_EXPECT=1 cargo test` updates the drawings. Review the diff as images.
#[test]
fn drawings_of_a_small_machine() {
    let site = site(&over_base(MACHINE));
    let pages = [
        ("architecture", "architecture/index.html"),
        ("architecture-1.0", "architecture/1.0/index.html"),
        ("architecture-1.1-ja", "ja/architecture/1.1/index.html"),
        ("neighbourhood", "components/boiler/index.html"),
        ("neighbourhood-ja", "ja/components/valve/index.html"),
        ("provider", "providers/acme/index.html"),
    ];
    for (name, page) in pages {
        let drawn = svgs(site.text(page).unwrap());
        assert!(!drawn.is_empty(), "{page}");
        let drawn = drawn.join("\n").replace("><", ">\n<") + "\n";
        expect_file![root().join(format!("tests/fixtures/diagrams/{name}.svg"))].assert_eq(&drawn);
    }
}

#[test]
fn every_published_release_has_a_page_of_its_own_name() {
    let site = site(&over_base(MACHINE));
    let ids = |path: &str| {
        let found = svgs(site.text(path).unwrap())[0];
        found
            .match_indices("data-id=\"")
            .map(|(at, start)| found[at + start.len()..].split('"').next().unwrap().to_owned())
            .collect::<BTreeSet<_>>()
    };
    let set = |ids: &[&str]| ids.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(ids("architecture/1.0/index.html"), set(&["boiler", "dial", "pump"]));
    assert_eq!(ids("architecture/1.2/index.html"), set(&["boiler", "dial", "valve"]));
    assert_eq!(ids("architecture/index.html"), ids("architecture/1.2/index.html"));
    let deprecated = site.text("architecture/1.1/index.html").unwrap();
    assert!(deprecated.contains("data-id=\"pump\" data-status=\"deprecated\""));
    assert!(site.text("architecture/1.3/index.html").is_none(), "planned releases have no page");
    // Without a change in 1.1, its page shows the same as that of 1.0, under its own name.
    let steady = MACHINE.replace("deprecated: \"1.1\", ", "");
    let site = crate::support::site(&over_base(&steady));
    let unchanged = site.text("architecture/1.1/index.html").unwrap();
    assert!(unchanged.contains("<h1>") && unchanged.split("<h1>").nth(1).unwrap().split("</h1>").next().unwrap().contains("1.1"));
    assert!(unchanged.contains("href=\"./#system\" aria-current=\"true\""), "{unchanged}");
}

#[test]
fn the_changes_between_two_releases_are_listed_and_drawn() {
    let site = site(&over_base(MACHINE));
    let page = main_of(&site, "versions/1.0..1.2/index.html");
    let (removed, rest) = page.split_once("data-kind=\"removed\"").unwrap().1.split_once("</section>").unwrap();
    assert!(removed.contains("href=\"../../components/pump/\"") && removed.contains(">1.2<"), "{removed}");
    assert!(removed.contains("replace it with") && removed.contains("href=\"../../components/boiler/\""), "{removed}");
    let deprecated = rest.split_once("data-kind=\"deprecated\"").unwrap().1.split_once("</section>").unwrap().0;
    assert!(deprecated.contains("components/pump/") && deprecated.contains(">1.1<"), "{deprecated}");
    let added = rest.split_once("data-kind=\"added\"").unwrap().1.split_once("</section>").unwrap().0;
    assert!(added.contains("components/valve/") && !added.contains("components/boiler/"), "{added}");
    let drawing = svgs(&page)[0];
    assert!(
        drawing.contains("data-id=\"valve\" data-status=\"added\"") && drawing.contains("data-id=\"pump\" data-status=\"gone\""),
        "{drawing}"
    );
    assert!(site.text("versions/1.2..1.3/index.html").is_none(), "planned releases have no changes yet");
    assert!(site.text("versions/1.2..1.1/index.html").is_none());
    assert!(site.text("ja/versions/1.0..1.1/index.md").unwrap().contains("pump"));
    let all = main_of(&site, "versions/index.html");
    assert!(all.contains("href=\"./1.1..1.2/\"") && all.contains("data-versions=\"./\""), "{all}");
    assert!(site.text("timeline/index.html").unwrap().contains("url=../versions/"));
}

#[test]
fn mistakes_in_the_list_of_diagrams_are_found() {
    let wrong = MACHINE.replace("nodes: [valve, pump, boiler, dial]", "nodes: [valve, pmup, boiler, acme, valve]\n    verbs: [feed]");
    let wrong = wrong.replace("place: outside", "place: outsid");
    check(
        &over_base(&wrong.replace("    words: true", "    words: true\n    by-release: true")),
        "\
content/components/dial/facts.yaml:3:8 unknown-word: the vocabulary has no place `outsid` (did you mean `outside`?)
content/diagrams.yaml:6:20 unknown-id: no component or concept `pmup` (did you mean `pump`?)
content/diagrams.yaml:6:34 unknown-id: `acme` is a provider, and a component or concept is needed here (name another id)
content/diagrams.yaml:6:40 duplicate-id: `valve` is listed twice (remove one of them)
content/diagrams.yaml:7:13 unknown-word: the vocabulary has no verb `feed` (did you mean `feeds`?)
content/diagrams.yaml:8:3 duplicate-id: a second diagram is drawn by release (remove `by-release` from one of them; the pages of the releases show one diagram)
",
    );
}

#[test]
fn a_diagram_may_not_be_called_like_a_part_of_its_page() {
    check(
        &over_base(&MACHINE.replace("  steam:", "  chains:")),
        "content/diagrams.yaml:7:3 duplicate-id: the architecture page already has a section `chains` (give the diagram another id)",
    );
}

#[test]
fn a_release_may_not_lead_out_of_the_site() {
    for name in ["..", "../../evil", "1/2", ".1", "1 0", "1?"] {
        let wrong = MACHINE.replace("- {release: \"1.3\"}", &format!("- {{release: \"{name}\"}}"));
        let found = crate::support::diagnose(&over_base(&wrong));
        let found: Vec<&str> =
            found.iter().filter(|found| found.message.contains("cannot be part of an address")).map(|found| found.rule.name()).collect();
        assert_eq!(found, ["bad-name"], "{name}");
    }
}

#[test]
fn a_knowledge_base_without_diagrams_has_no_architecture_page() {
    let plain = site(&over_base(""));
    assert!(plain.text("architecture/index.html").is_none());
    // The relations of a component are drawn nevertheless.
    assert_eq!(svgs(plain.text("components/boiler/index.html").unwrap()).len(), 2, "what feeds it, what it replaced");
    let alone = site(&with(
        "content/components/pump/facts.yaml",
        &[(", replaced-by: [boiler]", ""), ("verb: feeds, to: boiler", "verb: feeds, to: brewing")],
    ));
    assert_eq!(svgs(alone.text("components/boiler/index.html").unwrap()).len(), 0);
}

/// The source, the verb and the target of a relation.
type Triple = (String, String, String);

/// The relations and the nodes of a drawing.
fn shown(svg: &str) -> (BTreeSet<Triple>, BTreeSet<String>) {
    let attribute = |text: &str, name: &str| -> Vec<String> {
        let Some((_, rest)) = text.split_once(&format!(" {name}=\"")) else { return Vec::new() };
        rest.split('"').next().unwrap().split_whitespace().map(str::to_owned).collect()
    };
    let mut relations = BTreeSet::new();
    for arrow in svg.split("<g class=\"arrow\"").skip(1) {
        let tag = arrow.split('>').next().unwrap();
        let (from, to) = (attribute(tag, "data-from"), attribute(tag, "data-to"));
        for (verbs, from, to) in [(attribute(tag, "data-verbs"), &from, &to), (attribute(tag, "data-verbs-back"), &to, &from)] {
            for (from, to, verb) in
                from.iter().flat_map(|from| to.iter().map(move |to| (from, to))).flat_map(|(a, b)| verbs.iter().map(move |v| (a, b, v)))
            {
                relations.insert((from.clone(), verb.clone(), to.clone()));
            }
        }
    }
    let nodes = svg.split("<a class=\"node\"").skip(1).flat_map(|node| attribute(node.split('>').next().unwrap(), "data-id"));
    (relations, nodes.collect())
}

fn our_site() -> (Kb, Site) {
    let (sources, found): (Sources, _) = read::read(root(), read::HistoryMode::Skip).unwrap();
    let kb = compile::analyze(&sources, &mut Diagnostics::new()).unwrap().kb;
    (kb, compile::compile(&sources, &Highlighter::default(), found).site.unwrap())
}

#[test]
fn every_arrow_of_our_site_is_a_relation_and_every_relation_in_scope_an_arrow() {
    let (kb, site) = our_site();
    // The relations in the API, in both directions.
    let (mut all, mut incoming): (BTreeSet<Triple>, BTreeSet<Triple>) = Default::default();
    for id in kb.components.keys().chain(kb.concepts.keys()) {
        let json: serde_json::Value = serde_json::from_str(site.text(&format!("api/v1/components/{id}.json")).unwrap()).unwrap();
        let list = |direction: &str, other: &str| -> Vec<[String; 2]> {
            let relations = json["relations"][direction].as_array().unwrap().iter();
            relations.map(|relation| ["verb", other].map(|key| relation[key].as_str().unwrap().to_owned())).collect()
        };
        all.extend(list("outgoing", "to").into_iter().map(|[verb, to]| (id.to_string(), verb, to)));
        incoming.extend(list("incoming", "from").into_iter().map(|[verb, from]| (from, verb, id.to_string())));
    }
    assert_eq!(all, incoming);
    let drawn = |verb: &str, verbs: &[ksys_docs::id::Id]| {
        kb.vocabulary.verbs.iter().any(|known| known.id.as_str() == verb && known.drawn)
            && (verbs.is_empty() || verbs.iter().any(|known| known.as_str() == verb))
    };
    let mut seen = BTreeMap::<&str, usize>::new();
    for (path, bytes) in site.files().filter(|(path, _)| path.ends_with(".html")) {
        for svg in svgs(std::str::from_utf8(bytes).unwrap()) {
            let name = svg.split("aria-labelledby=\"").nth(1).unwrap().split("-title\"").next().unwrap();
            let (arrows, nodes) = shown(svg);
            let (kind, in_scope): (&str, BTreeSet<Triple>) = if name.starts_with("diagram-chain") {
                let replaced = |id: &String| kb.components.get(id.as_str()).and_then(|component| component.lifecycle.as_ref());
                let steps = nodes.iter().filter_map(|id| Some((id, replaced(id)?))).flat_map(|(id, lifecycle)| {
                    lifecycle.replaced_by.iter().map(move |to| (id.clone(), "replaced-by".to_owned(), to.to_string()))
                });
                ("chain", steps.filter(|(_, _, to)| nodes.contains(to)).collect())
            } else {
                let verbs = match name {
                    "diagram-relations" => &[][..],
                    "diagram-provider" => &kb.diagrams.provider_verbs,
                    named => {
                        &kb.diagrams.all.iter().find(|diagram| Some(diagram.id.as_str()) == named.strip_prefix("diagram-")).unwrap().verbs
                    }
                };
                let subject = path.trim_end_matches("/index.html").rsplit('/').next().unwrap();
                let of_page = |(from, _, to): &&Triple| name != "diagram-relations" || from == subject || to == subject;
                let both = |(from, verb, to): &&Triple| nodes.contains(from) && nodes.contains(to) && drawn(verb, verbs);
                let kind = if matches!(name, "diagram-relations" | "diagram-provider") { name } else { "named" };
                (kind, all.iter().filter(both).filter(of_page).cloned().collect())
            };
            assert_eq!(arrows, in_scope, "{path} {name}");
            if name == "diagram-relations" {
                let neighbours: BTreeSet<&String> = in_scope.iter().flat_map(|(from, _, to)| [from, to]).collect();
                assert_eq!(nodes.iter().collect::<BTreeSet<_>>(), neighbours, "{path}");
            }
            *seen.entry(kind).or_default() += 1;
        }
    }
    assert!(seen["diagram-relations"] > 300 && seen["diagram-provider"] == 18 && seen["named"] > 40 && seen["chain"] > 4, "{seen:?}");
    // Every component with a drawn relation has a diagram.
    for component in kb.components.values() {
        let any = component.relations.iter().any(|relation| drawn(relation.verb.as_str(), &[]))
            || all.iter().any(|(_, verb, to)| to == component.id.as_str() && drawn(verb, &[]));
        let html = site.text(&format!("components/{}/index.html", component.id)).unwrap();
        assert_eq!(html.contains("diagram-relations-title"), any, "{}", component.id);
    }
}
