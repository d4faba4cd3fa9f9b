#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{collections::BTreeSet, fmt::Write as _};

use roxmltree::{Document, Node};

use super::*;
use crate::diagram::measure::{LABEL_SIZE, width};

/// The drawing as in a page, with `href` for its links.
pub(super) fn markup(drawing: &MermaidDrawing) -> String {
    let mut out = drawing.opening();
    for part in &drawing.fragments {
        match part {
            SvgFragment::Markup(markup) => out.push_str(markup),
            SvgFragment::OpenNode(link) => write!(out, "<a class=\"{NODE_CLASS}\" href=\"{link}\">").unwrap(),
            SvgFragment::CloseNode(_) => out.push_str("</a>"),
        }
    }
    out + "</svg>"
}

fn drawn(source: &str) -> String {
    markup(&draw(source).unwrap_or_else(|problem| panic!("{problem:?}\n{source}")))
}

fn with_class<'a>(document: &'a Document<'_>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class").is_some_and(|classes| classes.split(' ').any(|one| one == class)))
}

fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect()
}

fn texts(svg: &str, class: &str) -> Vec<String> {
    with_class(&Document::parse(svg).unwrap(), class).map(text_of).collect()
}

fn value(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// Rectangular boxes: label, left, top, right, bottom.
fn boxes(document: &Document<'_>) -> Vec<(String, [f64; 4])> {
    with_class(document, NODE_CLASS)
        .filter_map(|node| {
            let rect = node.children().find(|child| child.has_tag_name("rect"))?;
            let (x, y) = (value(rect, "x"), value(rect, "y"));
            Some((text_of(node), [x, y, x + value(rect, "width"), y + value(rect, "height")]))
        })
        .collect()
}

/// Arrows, by the labels of the boxes at their ends.
fn arrows(svg: &str) -> BTreeSet<(String, String)> {
    let document = Document::parse(svg).unwrap();
    let boxes = boxes(&document);
    let at = |(x, y): (f64, f64)| {
        let near = |[left, top, right, bottom]: [f64; 4]| x > left - 3.0 && x < right + 3.0 && y > top - 3.0 && y < bottom + 3.0;
        boxes.iter().find(|(_, rect)| near(*rect)).map_or_else(|| panic!("nothing at {x} {y}\n{svg}"), |(label, _)| label.clone())
    };
    let numbers = |text: &str| -> Vec<f64> { text.split([' ', ',']).map(|number| number.parse().unwrap()).collect() };
    with_class(&document, "arrow")
        .map(|arrow| {
            let line = arrow.children().find(|child| child.has_tag_name("path")).unwrap().attribute("d").unwrap();
            let from = numbers(line[1..].split(['L', 'C']).next().unwrap());
            let head = arrow.children().find(|child| child.has_tag_name("polygon")).unwrap();
            let to = numbers(head.attribute("points").unwrap());
            (at((from[0], from[1])), at((to[0], to[1])))
        })
        .collect()
}

/// `a > b, c > d`
fn pairs(expected: &str) -> BTreeSet<(String, String)> {
    expected.split(", ").map(|pair| pair.split_once(" > ").unwrap()).map(|(from, to)| (from.to_owned(), to.to_owned())).collect()
}

const SEEDS: [&str; 4] = [
    include_str!("../../tests/fixtures/mermaid/etcd.mmd"),
    include_str!("../../tests/fixtures/mermaid/apiserver.mmd"),
    include_str!("../../tests/fixtures/mermaid/controllers.mmd"),
    include_str!("../../tests/fixtures/mermaid/node.mmd"),
];

#[test]
fn every_box_and_every_arrow_is_there() {
    let [etcd, apiserver, controllers, node] = SEEDS.map(drawn);
    assert_eq!(arrows(&etcd), pairs("kube-apiserver > etcd"));
    assert_eq!(texts(&etcd, "ground-label"), ["master"]);
    let expected = "kubectl > kube-apiserver, kube-apiserver > etcd, kube-scheduler > kube-apiserver, \
                    kube-controller-manager > kube-apiserver, kubelet > kube-apiserver, kube-proxy > kube-apiserver";
    assert_eq!(arrows(&apiserver), pairs(expected));
    assert_eq!(texts(&apiserver, "ground-label").into_iter().collect::<BTreeSet<_>>(), ["master", "node"].map(str::to_owned).into());
    assert_eq!(texts(&apiserver, "label").len(), 7);
    let expected = ["Deployment", "Service", "CronJob", "ReplicaSet", "..."].map(|kind| format!("kube-controller-manager > {kind}"));
    assert_eq!(arrows(&controllers), pairs(&expected.join(", ")));
    assert_eq!(arrows(&node), pairs("kubelet > container-runtime"));
}

#[test]
fn the_same_source_gives_the_same_bytes() {
    let golden = include_str!("../../tests/fixtures/mermaid/node.svg");
    for _ in 0..3 {
        assert_eq!(markup(&draw(SEEDS[3]).unwrap()), golden.trim_end());
    }
}

const SEQUENCE: &str = "sequenceDiagram
    autonumber
    actor U as 利用者
    participant A as とても長い名前のAPIサーバー
    participant D@{ \"type\": \"database\" }
    U->>A: Podを作る
    A-->>U: 201 Created
    Note over A,D: 監視する<br/>二行目
    loop 変更があるたび
        A-)D: 新しいPod
    end
    alt 空きがある
        D-xA: 待つ
    else 空きがない
        A->>A: 自分へ
    end
";

const STATE: &str = "stateDiagram-v2
    [*] --> 待機中
    待機中 --> 実行中 : 割り当てられた
    state 実行中 {
        [*] --> 準備
        準備 --> 完了 : 起動した
    }
    state 分岐 <<fork>>
    実行中 --> 分岐
    分岐 --> [*]
    state \"長い名前の付いた状態\" as long
    long : 説明の行がここにあります
    分岐 --> long
    note right of long : 一行の注記
";

const FLOWCHART: &str = "flowchart LR
    A[四角い箱] -->|はい| B(角の丸い箱)
    B -.-> C{決める}
    C ==> D((円))
    C --o E[(データベース)]
    C --x F>旗]
    F <--> G[[サブルーチン]]
    G --- H{{六角形}}
    H ~~~ W[\"`**太い** *斜めの* 字`\"]
    subgraph s [グループ]
      X[/平行四辺形/] --> Y[\\台形/]
      Z@{ shape: doc, label: \"文書\" }
    end
    W --> V[\"一行目<br/>二行目、controller-manager\"]
    V --> L([とても長い日本語の名前はどこかで折り返されて次の行へ続きますが箱からはみ出しません])
";

#[test]
fn labels_fit_their_boxes() {
    for source in [SEQUENCE, STATE, FLOWCHART].into_iter().chain(SEEDS) {
        let svg = drawn(source);
        let document = Document::parse(&svg).unwrap();
        for node in with_class(&document, NODE_CLASS) {
            let Some(rect) = node.children().find(|child| child.has_tag_name("rect")) else { continue };
            for text in node.children().filter(|child| child.has_tag_name("text")) {
                let rows: Vec<Node<'_, '_>> = text.children().filter(|child| child.has_attribute("y")).collect();
                for row in if rows.is_empty() { vec![text] } else { rows } {
                    let text = text_of(row);
                    assert!(width(&text, LABEL_SIZE) <= value(rect, "width") - 4.0, "{text}\n{svg}");
                    let (top, bottom) = (value(rect, "y"), value(rect, "y") + value(rect, "height"));
                    assert!(value(row, "y") - LABEL_SIZE * 0.9 > top && value(row, "y") + LABEL_SIZE * 0.2 < bottom, "{text}\n{svg}");
                }
            }
        }
        let boxes = boxes(&document);
        for (index, (label, a)) in boxes.iter().enumerate() {
            for (other, b) in &boxes[index + 1..] {
                let apart = a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
                assert!(apart, "{label} and {other}\n{svg}");
            }
        }
    }
}

const SHAPES: &str = include_str!("../../tests/fixtures/mermaid/shapes.mmd");
const STATES: &str = include_str!("../../tests/fixtures/mermaid/states.mmd");
const MESSAGES: &str = include_str!("../../tests/fixtures/mermaid/messages.mmd");
const CLUSTER: &str = include_str!("../../tests/fixtures/mermaid/cluster.mmd");

#[test]
fn nothing_overlaps_in_any_direction() {
    for (source, first) in [
        (SHAPES, "flowchart TB"),
        (CLUSTER, "flowchart LR"),
        (STATES, "stateDiagram-v2"),
        (FLOWCHART, "flowchart LR"),
        (STATE, "stateDiagram-v2"),
    ] {
        for direction in ["TB", "BT", "LR", "RL"] {
            let is_state = first.starts_with("state");
            let line = if is_state { format!("{first}\ndirection {direction}") } else { format!("flowchart {direction}") };
            let source = source.replacen(first, &line, 1);
            draw(&source).unwrap_or_else(|problem| panic!("{problem:?}\n{source}"));
            assert_eq!(geometry::violations(&source), Vec::<String>::new(), "{source}");
        }
    }
}

/// Left, top, right and bottom of the lines of all texts.
fn text_areas(document: &Document<'_>) -> Vec<(String, [f64; 4])> {
    let size = |class: &str| if class.contains("label") && !class.contains('-') { LABEL_SIZE } else { 12.0 };
    let mut areas = Vec::new();
    for text in document.descendants().filter(|node| node.has_tag_name("text")) {
        let size = size(text.attribute("class").unwrap());
        let rows: Vec<Node<'_, '_>> = text.children().filter(|child| child.has_attribute("y")).collect();
        for row in if rows.is_empty() { vec![text] } else { rows } {
            let (wide, x, y) = (width(&text_of(row), size), value(row, "x"), value(row, "y"));
            let left = if text.attribute("text-anchor") == Some("start") { x } else { x - wide / 2.0 };
            areas.push((text_of(row), [left, y - size * 0.75, left + wide, y + size * 0.2]));
        }
    }
    areas
}

#[test]
fn texts_of_sequence_diagrams_are_visible_and_apart() {
    for source in [SEQUENCE, MESSAGES] {
        let svg = drawn(source);
        let document = Document::parse(&svg).unwrap();
        let view: Vec<f64> =
            document.root_element().attribute("viewBox").unwrap().split(' ').map(|number| number.parse().unwrap()).collect();
        let areas = text_areas(&document);
        for (index, (text, area)) in areas.iter().enumerate() {
            let inside = area[0] >= view[0] && area[1] >= view[1] && area[2] <= view[0] + view[2] && area[3] <= view[1] + view[3];
            assert!(inside, "{text} {area:?} {view:?}\n{svg}");
            for (other, b) in &areas[..index] {
                let apart = area[2] <= b[0] || b[2] <= area[0] || area[3] <= b[1] || b[3] <= area[1];
                assert!(apart, "{text} and {other}\n{svg}");
            }
        }
        // Arrows begin and end at lifelines, at their bars or at the box of a new participant.
        let lifelines: Vec<f64> = with_class(&document, "lifeline")
            .map(|line| line.attribute("d").unwrap()[1..].split(' ').next().unwrap().parse().unwrap())
            .collect();
        for arrow in with_class(&document, "arrow") {
            let line = arrow.children().find(|child| child.has_tag_name("path")).unwrap().attribute("d").unwrap();
            let start: f64 = line[1..].split(' ').next().unwrap().parse().unwrap();
            assert!(lifelines.iter().any(|x| (x - start).abs() < 12.0), "{line}\n{svg}");
        }
    }
}

#[test]
fn sequence_diagrams_have_all_their_parts() {
    let svg = drawn(SEQUENCE);
    assert_eq!(
        texts(&svg, "label").into_iter().collect::<BTreeSet<_>>(),
        ["利用者", "とても長い名前のAPIサーバー", "D"].map(str::to_owned).into()
    );
    let expected =
        ["監視する二行目", "[変更があるたび]", "[空きがある]", "[空きがない]", "Podを作る", "201 Created", "新しいPod", "待つ", "自分へ"];
    assert_eq!(texts(&svg, "word").into_iter().collect::<BTreeSet<_>>(), expected.map(str::to_owned).into_iter().collect());
    assert_eq!(texts(&svg, "digit"), ["1", "2", "3", "4", "5"]);
    assert_eq!(texts(&svg, "tab-label"), ["loop", "alt"]);
    let document = Document::parse(&svg).unwrap();
    assert_eq!(with_class(&document, "arrow").count(), 5);
    assert_eq!(with_class(&document, "lifeline").count(), 3);
    assert_eq!(with_class(&document, "note").count(), 1);
}

#[test]
fn state_diagrams_have_all_their_parts() {
    let svg = drawn(STATE);
    assert_eq!(texts(&svg, "ground-label"), ["実行中"]);
    assert_eq!(texts(&svg, "word"), ["割り当てられた", "起動した"]);
    let labels = ["待機中", "準備", "完了", "長い名前の付いた状態", "説明の行がここにあります", "一行の注記"];
    assert_eq!(texts(&svg, "label").into_iter().collect::<BTreeSet<_>>(), labels.map(str::to_owned).into());
    let document = Document::parse(&svg).unwrap();
    assert_eq!((with_class(&document, "start").count(), with_class(&document, "bar").count()), (3, 1));
    assert_eq!(with_class(&document, "arrow").count(), 8);
}

#[test]
fn flowcharts_have_all_their_parts() {
    let svg = drawn(FLOWCHART);
    let document = Document::parse(&svg).unwrap();
    assert_eq!(with_class(&document, NODE_CLASS).count(), 14);
    assert_eq!(with_class(&document, "arrow").count(), 10);
    assert_eq!((with_class(&document, "dashed").count(), with_class(&document, "thick").count()), (1, 1));
    assert_eq!(texts(&svg, "strong"), ["太い"]);
    assert_eq!(texts(&svg, "word"), ["はい"]);
    assert!(draw(FLOWCHART).unwrap().texts.contains(&"一行目 二行目、controller-manager".to_owned()));
}

#[test]
fn a_box_is_drawn_once() {
    let svg = drawn("flowchart LR\nA(((x))) --> B@{ shape: docs, label: \"y\" } --> C[[z]] --> D@{ shape: st-rect } --> E[(db)]\n");
    let document = Document::parse(&svg).unwrap();
    for node in with_class(&document, NODE_CLASS) {
        assert_eq!(node.children().filter(|child| child.attribute("class") == Some("box")).count(), 1, "{svg}");
    }
}

#[test]
fn configuration_changes_nothing() {
    let plain = drawn("flowchart LR\nA[x] --> B[y]\n");
    for source in [
        "%%{init: {\"theme\": \"dark\", \"flowchart\": {\"nodeSpacing\": 900}}}%%\nflowchart LR\nA[x] --> B[y]\n",
        "%%{init: {\"themeCSS\": \"* {display: none}\",\n \"securityLevel\": \"loose\"}}%%\nflowchart LR\nA[x] --> B[y]\n",
        "---\ntitle: T\nconfig:\n  layout: elk\n  look: handDrawn\n---\nflowchart LR\nA[x] --> B[y]\n",
        "flowchart LR\nA[x] --> B[y]\nstyle A fill:#f00\nclassDef c fill:url(http://x/)\nclass B c\nlinkStyle 0 stroke:red\n",
        "flowchart LR\n%% a comment\nA[x] --> B[y]\nclick A call alert(1)\nclick B callback \"tip\"\n",
    ] {
        assert_eq!(drawn(source), plain, "{source}");
    }
    assert_eq!(draw("---\ntitle: \"T\"\n---\nflowchart LR\nA").unwrap().title.as_deref(), Some("T"));
    let drawing = draw("flowchart LR\naccTitle: One\naccDescr: Two words\nA").unwrap();
    assert_eq!((drawing.title.as_deref(), drawing.description.as_deref()), (Some("One"), Some("Two words")));
}

#[test]
fn links_are_the_callers_to_judge() {
    let source = "flowchart LR\nA[x] --> 箱[y]\nclick A href \"javascript:alert(1)\" \"tip\" _blank\n  click 箱 \"[[tank]]\"\n";
    let drawing = draw(source).unwrap();
    let addresses: Vec<&str> = drawing.links.iter().map(|link| link.address.as_str()).collect();
    assert_eq!(addresses, ["javascript:alert(1)", "[[tank]]"]);
    for link in &drawing.links {
        assert_eq!(source[link.span.clone()], link.address);
    }
    let svg = markup(&drawing);
    let document = Document::parse(&svg).unwrap();
    let linked = document.descendants().filter(|node| node.has_tag_name("a"));
    assert_eq!(
        linked.map(|node| (node.attribute("href").unwrap().to_owned(), text_of(node))).collect::<Vec<_>>(),
        [("0".to_owned(), "x".to_owned()), ("1".to_owned(), "y".to_owned())]
    );
    assert!(!svg.contains("script") && !svg.contains("tip"), "{svg}");
}

#[test]
fn mistakes_have_their_place() {
    for (source, marked, message) in [
        ("flowchart TD\n    A --> B\n    B -> C\n", "->", "this arrow is not complete"),
        ("flowchart TD\n    日本 --> B\n    B --> C[x\n", "[x", "the label of `C` is not closed"),
        ("flowchart TD\n    あ --> い\n    A[text (more)] --> B\n    C", "text (more)", "contains brackets"),
        ("flowchart TD\n    A -->|text (more)| B\n", "text (more)", "contains brackets or quotes"),
        ("flowchart TD\n    A --> B C\n", "C", "unexpected `C`"),
        ("flowchart TD\n    A -- text B\n", "-- text B", "not complete"),
        ("flowchart TD\n    A --> end\n", "end", "cannot be the name of a node"),
        ("flowchart TD\n    A --> B\n    end\n", "end", "no `subgraph`"),
        ("flowchart TD\n    subgraph x\n    A --> B\n", "subgraph", "not closed"),
        ("flowchart TD\n    A@{ shape: nope }\n", "@{ shape: nope }", "unknown shape `nope`"),
        ("flowchart XY\n    A\n", "XY", "not a direction"),
        ("flowchart TD\n    subgraph x\n    A\n    end\n    x --> A\n", "x --> A", "connects a group with what is in it"),
        ("sequenceDiagram\n    A->>B: 良い\n    A=>B: no\n", "A=>B:", "unexpected `A=>B:`"),
        ("sequenceDiagram\n    A->>B\n", "A->>B", "this message has no text"),
        ("sequenceDiagram\n    loop x\n    A->>B: ok\n\n", "loop", "this `loop` is not closed"),
        ("sequenceDiagram\n    A->>B: ok\n    else x\n", "else", "`else` is not in `alt`"),
        ("sequenceDiagram\n    Note A: x\n", ": x", "a note is over"),
        ("sequenceDiagram\n    A->>B: ok\n    end\n", "end", "nothing that this `end` could close"),
        ("stateDiagram-v2\n    A --> B\n    [*] -> x\n", "->", "this arrow is not complete"),
        ("stateDiagram-v2\n    state A {\n    B --> C\n", "state A {", "not closed"),
        ("stateDiagram-v2\n    A --> B\n    }\n", "}", "no state"),
        ("stateDiagram-v2\n    note right of A\n    words\n", "note right of A", "not closed"),
        ("flowchart TD\n    A[\"$$x^2$$\"]\n", "$$x^2$$", "formulas in diagrams"),
        ("pie title Pets\n  \"Dogs\" : 386\n", "pie", "diagrams of the kind `pie` are not built in"),
        ("\n  gantt\n", "gantt", "not built in"),
        ("図\n", "図", "not built in"),
        ("", "", "the diagram is empty"),
        ("%% nothing\n\n", "%% nothing", "the diagram is empty"),
    ] {
        let problem = draw(source).expect_err(source);
        assert_eq!(&source[problem.span.clone()], marked, "{problem:?}");
        assert!(problem.message.contains(message), "{problem:?}");
        assert!(!problem.help.is_empty() && !problem.message.contains('\n'), "{problem:?}");
    }
    assert!(draw("pie").unwrap_err().help.contains("`flowchart`, `sequenceDiagram`, `stateDiagram-v2`"));
}

#[test]
fn oversized_sources_are_refused() {
    let join = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    for source in [
        format!("flowchart TD\n{}", join(3_000, &|n| format!("n{n}-->n{}\n", n + 1))),
        format!("flowchart TD\n{}", join(900, &|n| format!("n{}-->n{}\n", n * 7 % 100, n * 13 % 101))),
        format!("flowchart TD\n{} --> {}", join(500, &|n| format!("a{n} & ")) + "a", join(500, &|n| format!("b{n} & ")) + "b"),
        format!("flowchart TD\n{}a-->b\n{}", join(600, &|n| format!("subgraph s{n}\n")), "end\n".repeat(600)),
        format!("stateDiagram-v2\n{}a-->b\n{}", join(600, &|n| format!("state s{n} {{\n")), "}\n".repeat(600)),
        format!("sequenceDiagram\n{}A->>B: x\n{}", "loop x\n".repeat(600), "end\n".repeat(600)),
    ] {
        let problem = draw(&source).expect_err("too large");
        assert!(problem.message.contains("too large") || problem.message.contains("the limit is"), "{problem:?}");
    }
}
