//! Diagrams: layout properties, and agreement with the facts.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use expect_test::expect_file;
use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    diagram::{
        Anchor, Caption, Drawing, Edge, EdgeVerb, Graph, GraphNode, LINE_HEIGHT, PlacedText, Rect, Subgraph, layout,
        measure::{LABEL_SIZE, SMALL_SIZE, width},
        narrow_svg, svg,
    },
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

fn text_rect(PlacedText { lines, x, y, anchor }: &PlacedText) -> Rect {
    let widest = lines.iter().map(|line| width(line.trim_end(), SMALL_SIZE)).fold(0.0, f64::max);
    let left = match anchor {
        Anchor::Start => *x,
        Anchor::Middle => x - widest / 2.0,
        Anchor::End => x - widest,
    };
    // From the top of capital letters to the bottom of descenders.
    Rect { x: left, y: y - 10.0, width: widest, height: lines.iter().skip(1).fold(13.0, |height, _| height + LINE_HEIGHT) }
}

/// Checks that a drawing is readable: it has at most this width, boxes and texts do not overlap, lines do not cross them, and the arrows are exactly the
/// edges.
fn assert_readable(graph: &Graph, drawing: &Drawing, max_width: f64) {
    assert!(drawing.width <= max_width, "{} of {max_width}", drawing.width);
    let whole = Rect { x: 0.0, y: 0.0, width: drawing.width, height: drawing.height };
    assert_eq!(drawing.boxes.len(), graph.nodes.len());
    // Each of them has an area without others and without lines.
    let mut areas: Vec<(String, Rect)> = Vec::new();
    for shape in &drawing.boxes {
        assert!(inside(&whole, &shape.rect), "{shape:?} lies outside of {whole:?}");
        assert_eq!(shape.lines.concat(), shape.node.label);
        let room = shape.rect.width - if shape.node.mark.is_empty() { 20.0 } else { 40.0 };
        assert!(shape.lines.iter().all(|line| width(line.trim_end(), LABEL_SIZE) <= room), "{shape:?} is too narrow for its label");
        assert!(shape.lines.iter().map(|_| 16.0).sum::<f64>() <= shape.rect.height, "{shape:?} is too low for its label");
        for ground in &drawing.subgraphs {
            let belongs = shape.node.subgraph.and_then(|at| graph.subgraphs.get(at)) == Some(&ground.subgraph);
            assert_eq!(inside(&ground.rect, &shape.rect), belongs, "{shape:?} on {ground:?}");
        }
        areas.push((shape.node.id.clone(), shape.rect));
    }
    let labels = drawing.subgraphs.iter().map(|shape| &shape.label);
    for text in drawing.arrows.iter().flat_map(|arrow| &arrow.texts).chain(labels) {
        areas.push((text.lines.concat(), text_rect(text)));
    }
    areas.sort_by(|a, b| a.1.y.total_cmp(&b.1.y));
    for (index, (name, area)) in areas.iter().enumerate() {
        assert!(inside(&whole, area), "{name} at {area:?} is not in {whole:?}");
        for (other_name, other) in areas[index + 1..].iter().take_while(|(_, other)| other.y < area.y + area.height) {
            assert!(!overlap(area, other), "{name} at {area:?} covers {other_name} at {other:?}");
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
        let is_at = |(x, y): (f64, f64), rect: &Rect| {
            let (right, bottom) = (rect.x + rect.width, rect.y + rect.height);
            let at_side = ((x - rect.x).abs() < 0.01 || (x - right).abs() < 0.01) && y > rect.y && y < bottom;
            at_side || (((y - rect.y).abs() < 0.01 || (y - bottom).abs() < 0.01) && x > rect.x && x < right)
        };
        // The border of the box, of the frame around it, or of the bus if it is that of the hub.
        for (ids, end) in [(&arrow.from, arrow.points[0]), (&arrow.to, arrow.points[arrow.points.len() - 1])] {
            let is_end = |id: &String| {
                let shape = drawing.boxes.iter().find(|shape| shape.node.id == *id).unwrap();
                let frame = drawing.frames.iter().find(|frame| inside(frame, &shape.rect));
                let rect = if shape.is_hub { drawing.bus.as_ref().unwrap() } else { frame.unwrap_or(&shape.rect) };
                is_at(end, rect)
            };
            assert!(ids.iter().all(is_end), "{arrow:?} does not end at {ids:?}");
        }
        for pair in arrow.points.windows(2) {
            let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
            assert!((x1 - x2).abs().min((y1 - y2).abs()) < 0.01, "{arrow:?} is neither horizontal nor vertical");
            let line = Rect { x: x1.min(x2) + 0.1, y: y1.min(y2) + 0.1, width: (x1 - x2).abs() - 0.2, height: (y1 - y2).abs() - 0.2 };
            let line = Rect { width: line.width.max(0.0), height: line.height.max(0.0), ..line };
            let after = areas.partition_point(|(_, area)| area.y < line.y + line.height + 0.1);
            for (name, area) in &areas[..after] {
                assert!(!overlap(&line, area), "{arrow:?} runs over {name} at {area:?}");
            }
        }
    }
    let meant = graph.edges.iter().filter(|edge| edge.from != edge.to).filter_map(|edge| {
        let (from, to) = (graph.nodes.get(edge.from)?, graph.nodes.get(edge.to)?);
        Some((from.id.as_str(), to.id.as_str()))
    });
    assert_eq!(drawn, meant.collect());
}

/// The widths of drawings on phones, in the column of text and on pages without one.
const WIDTHS: [f64; 3] = [358.0, 688.0, 1024.0];

const CAPTION: Caption<'_> = Caption { name: "d", title: "t", description: "d" };

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
        hub in prop::option::of(0_usize..26),
    ) {
        let mut graph = random_graph(nodes, grounds, &edges, words);
        // A hub.
        let spokes = hub.into_iter().flat_map(|hub| (0..nodes).map(move |other| if other % 3 == 0 { (hub, other) } else { (other, hub) }));
        graph.edges.extend(spokes.map(|(from, to)| Edge { from, to, verbs: vec![EdgeVerb { label: "feeds".to_owned(), ..EdgeVerb::default() }] }));
        for width in WIDTHS {
            let drawing = layout(&graph, width);
            assert_readable(&graph, &drawing, width);
            for text in [svg(&drawing, CAPTION), narrow_svg(&drawing, CAPTION)] {
                prop_assert!(!text.contains("NaN") && !text.contains("inf"));
            }
            prop_assert_eq!(svg(&drawing, CAPTION), svg(&layout(&graph, width), CAPTION));
        }
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
        for width in WIDTHS {
            assert_readable(&graph, &layout(&graph, width), width);
        }
    }
    let many: Vec<(usize, usize, u8)> = (0..6000).map(|_| (next(3000), next(3000), 0)).collect();
    assert_eq!(layout(&random_graph(3000, 3, &many, true), 358.0).boxes.len(), 3000);
    let chain: Vec<(usize, usize, u8)> = (0..2999).map(|at| (at, at + 1, 0)).collect();
    assert_eq!(layout(&random_graph(3000, 1, &chain, false), 688.0).boxes.len(), 3000);
    let star: Vec<(usize, usize, u8)> = (1..3000).map(|at| (at, 0, u8::try_from(at % 3).unwrap())).collect();
    assert_eq!(layout(&random_graph(3000, 1, &star, true), 688.0).boxes.len(), 3000);
}

#[test]
fn the_node_with_most_edges_is_the_hub() {
    let graph = random_graph(5, 0, &[(0, 3, 0), (1, 3, 1), (3, 2, 2), (2, 4, 0)], true);
    for (width, columns) in [(358.0, 1), (1024.0, 2)] {
        let drawing = layout(&graph, width);
        let hubs: Vec<&str> = drawing.boxes.iter().filter(|shape| shape.is_hub).map(|shape| &*shape.node.id).collect();
        assert_eq!(hubs, ["n3"]);
        let lefts: BTreeSet<String> = drawing.boxes.iter().filter(|shape| !shape.is_hub).map(|shape| shape.rect.x.to_string()).collect();
        assert_eq!(lefts.len(), columns, "{width}");
        // Each arrow of the hub is one horizontal line.
        assert_eq!(drawing.arrows.iter().map(|arrow| arrow.points.len()).collect::<Vec<_>>(), [2, 2, 2, 2]);
    }
}

#[test]
fn nodes_with_the_same_arrows_share_them() {
    let graph = random_graph(4, 0, &[(0, 3, 0), (1, 3, 0), (2, 3, 1)], true);
    let drawing = layout(&graph, 688.0);
    let shared: Vec<&[String]> = drawing.arrows.iter().map(|arrow| arrow.from.as_slice()).collect();
    assert_eq!(shared, [&["n0".to_owned(), "n1".to_owned()][..], &["n2".to_owned()]]);
    assert_eq!(drawing.frames.len(), 1);
}

#[test]
fn opposite_arrows_are_one_with_two_heads() {
    let graph = random_graph(2, 0, &[(0, 1, 1), (1, 0, 2)], true);
    let drawing = layout(&graph, 688.0);
    assert_eq!(drawing.arrows.len(), 1);
    assert_eq!((&*drawing.arrows[0].verbs, &*drawing.arrows[0].verbs_back), (&["v1".to_owned()][..], &["v2".to_owned()][..]));
    assert_eq!(drawing.arrows[0].texts.iter().map(|text| text.lines.concat()).collect::<Vec<_>>(), ["↓ feeds :80, ↑ feeds :80feeds :80"]);
    assert_eq!(svg(&drawing, CAPTION).split("class=\"head\"").nth(1).unwrap().matches('z').count(), 2);
}

/// The drawings of a page for wide and for narrow screens, with the ids of their figures.
fn figures(html: &str) -> Vec<(&str, &str)> {
    let figures = html.split("<figure class=\"diagram-figure\" id=\"").skip(1);
    figures
        .flat_map(|figure| {
            let (name, content) = figure.split_once('"').unwrap();
            let starts = content.match_indices("<svg class=\"diagram").map(|(at, _)| &content[at..]);
            starts
                .filter(|svg| !svg.starts_with("<svg class=\"diagram-"))
                .map(move |svg| (name, &svg[..svg.find("</svg>").unwrap() + "</svg>".len()]))
        })
        .collect()
}

fn is_narrow(svg: &str) -> bool {
    svg.starts_with("<svg class=\"diagram narrow\"")
}

fn svgs(html: &str) -> Vec<&str> {
    figures(html).into_iter().map(|(_, svg)| svg).filter(|svg| !is_narrow(svg)).collect()
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
        let drawn: Vec<&str> = figures(site.text(page).unwrap()).into_iter().map(|(_, svg)| svg).collect();
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
    let nodes = svg.split("<a class=\"node").skip(1).flat_map(|node| attribute(node.split('>').next().unwrap(), "data-id"));
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
        let mut wide = "";
        for (name, svg) in figures(std::str::from_utf8(bytes).unwrap()) {
            let (arrows, nodes) = shown(svg);
            if is_narrow(svg) {
                // The ids at the ends of its arrows are those of the wide drawing, in the same order.
                assert_eq!(nodes, shown(wide).1, "{path} {name}");
                let lines =
                    |svg: &str| svg.split("<g class=\"arrow\"").skip(1).map(|arrow| arrow.contains("data-line")).collect::<Vec<_>>();
                assert_eq!(lines(svg), lines(wide), "{path} {name}");
                continue;
            }
            wide = svg;
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
    assert!(
        seen["diagram-relations"] > 300 && seen["diagram-provider"] == 2 * kb.providers.len() && seen["named"] > 40 && seen["chain"] > 4,
        "{seen:?}"
    );
    // Every component with a drawn relation has a diagram.
    for component in kb.components.values() {
        let any = component.relations.iter().any(|relation| drawn(relation.verb.as_str(), &[]))
            || all.iter().any(|(_, verb, to)| to == component.id.as_str() && drawn(verb, &[]));
        let html = site.text(&format!("components/{}/index.html", component.id)).unwrap();
        assert_eq!(html.contains("id=\"diagram-relations\""), any, "{}", component.id);
    }
}
