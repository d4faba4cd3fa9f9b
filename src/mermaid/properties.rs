//! Properties of every source: it is drawn or rejected, and a drawing contains only the elements and attributes of a fixed list.

use std::fmt::Write as _;

use html5ever::{LocalName, Namespace, ParseOpts, ns, parse_document, tendril::TendrilSink as _};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use proptest::prelude::*;

use super::{draw, geometry, tests::markup};

/// Elements of a drawing.
const ELEMENTS: [&str; 12] = ["svg", "title", "desc", "g", "a", "rect", "circle", "ellipse", "polygon", "path", "text", "tspan"];

/// Their attributes.
const ATTRIBUTES: [&str; 18] = [
    "class",
    "role",
    "width",
    "height",
    "viewBox",
    "text-anchor",
    "x",
    "y",
    "rx",
    "ry",
    "cx",
    "cy",
    "r",
    "d",
    "points",
    "transform",
    "href",
    "rel",
];

/// Class names, for which the style sheet has rules.
const CLASSES: [&str; 37] = [
    "diagram",
    "mermaid",
    "small",
    "medium",
    "wide",
    "vast",
    "node",
    "note",
    "ground",
    "area",
    "region",
    "ground-label",
    "arrow",
    "line",
    "dashed",
    "thick",
    "head",
    "word",
    "inner",
    "label",
    "heading",
    "digit",
    "tab",
    "tab-label",
    "box",
    "rule",
    "over",
    "start",
    "bar",
    "strong",
    "em",
    "lifeline",
    "active",
    "frame",
    "edge",
    "slip",
    "number",
];

/// Describes an element of a drawing that is not allowed.
pub(crate) fn violation(namespace: &Namespace, name: &LocalName, attributes: &[(String, String)]) -> Option<String> {
    if *namespace != ns!(svg) || !ELEMENTS.contains(&&**name) {
        return Some(format!("element `{name}`"));
    }
    attributes.iter().find_map(|(name, value)| {
        let known = ATTRIBUTES.contains(&name.as_str());
        let harmless = match name.as_str() {
            "class" => value.split(' ').all(|class| CLASSES.contains(&class)),
            "role" => matches!(value.as_str(), "img" | "group"),
            "text-anchor" => matches!(value.as_str(), "start" | "middle"),
            // The caller checks addresses.
            "href" | "rel" => true,
            "transform" => value.strip_prefix("translate(").and_then(|rest| rest.strip_suffix(')')).is_some_and(numeric),
            "d" => value.chars().all(|c| c.is_ascii_digit() || " .-".contains(c) || "MLHVCSQTAZ".contains(c.to_ascii_uppercase())),
            _ => numeric(value),
        };
        (!(known && harmless)).then(|| format!("attribute `{name}=\"{value}\"`"))
    })
}

fn numeric(value: &str) -> bool {
    !value.is_empty() && value.split([' ', ',']).all(|number| number.parse::<f64>().is_ok_and(f64::is_finite))
}

fn violations(svg: &str) -> Vec<String> {
    let page = format!("<!DOCTYPE html><html><head><title>x</title></head><body><main>{svg}</main></body></html>");
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(page.as_str());
    let mut found: Vec<String> =
        dom.errors.borrow().iter().filter(|error| !error.contains("Bad character")).map(ToString::to_string).collect();
    let mut todo: Vec<(Handle, bool)> = vec![(dom.document.clone(), false)];
    while let Some((node, inside)) = todo.pop() {
        let mut enters = false;
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                enters = &*name.local == "main";
                if inside {
                    let attributes: Vec<(String, String)> =
                        attrs.borrow().iter().map(|attribute| (attribute.name.local.to_string(), attribute.value.to_string())).collect();
                    found.extend(violation(&name.ns, &name.local, &attributes));
                }
            }
            NodeData::Comment { .. } | NodeData::ProcessingInstruction { .. } if inside => found.push("not an element".to_owned()),
            _ => {}
        }
        todo.extend(node.children.borrow().iter().map(|child| (child.clone(), inside || enters)));
    }
    found
}

/// Draws a source. If that succeeds, the drawing must be harmless; otherwise, the problem must have a place.
fn check(source: &str) -> Vec<String> {
    match draw(source) {
        Ok(drawing) => {
            let svg = markup(&drawing);
            let mut found = violations(&svg);
            if !found.is_empty() {
                found.push(svg);
            }
            found
        }
        Err(problem) if source.get(problem.span.clone()).is_none() => vec![format!("no place: {problem:?}")],
        Err(_) => Vec::new(),
    }
}

const VALID: [&str; 6] = [
    "flowchart LR\n  A[one] -->|words| B(two)\n  B -.-> C{three}\n  subgraph s [ground]\n    D((x)) ==> E[(db)]\n  end\n  C --o D\n  click A href \"https://a.b/\"\n",
    "graph TD;\n  A & B --> C[[x]]:::k;\n  C <--> D{{\"q (r)\"}};\n  style A fill:#f00;\n  A@{ shape: hex, label: \"l\" }\n",
    "sequenceDiagram\n  autonumber\n  actor U as 利用者\n  box Aqua g\n  participant A\n  end\n  U->>+A: 作る\n  A-->>-U: done\n  Note over U,A: n<br/>m\n  alt x\n    A-)U: y\n  else z\n    A-xU: w\n  end\n",
    "stateDiagram-v2\n  direction LR\n  [*] --> A\n  A --> B : 言葉\n  state B {\n    [*] --> C\n    --\n    D --> [*]\n  }\n  state f <<fork>>\n  B --> f\n  note right of A : n\n",
    "%%{init: {\"theme\": \"dark\"}}%%\nflowchart TB\n  A[\"`**b** *i*`\"] --- B@{ img: \"https://a.b/c.png\", label: \"x\" }\n",
    "---\ntitle: t\nconfig:\n  look: handDrawn\n---\nstateDiagram\n  A --> A : self\n  A : described\n",
];

const HOSTILE: [&str; 40] = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<style>*{}</style>",
    "</svg>",
    "</text>",
    "<foreignObject>",
    "]]>",
    "<![CDATA[",
    "&#x3c;script&#x3e;",
    "&lt;b&gt;",
    "#lt;script#gt;",
    "&nbsp;",
    "javascript:alert(1)",
    "\" onload=\"x",
    "' onload='x",
    "url(http://x/)",
    "\u{0}",
    "\u{1}",
    "\u{85}",
    "\u{202e}",
    "\u{feff}",
    "\u{fffe}",
    "e\u{301}",
    "👩‍🔬",
    "%%{",
    "}%%",
    "%%",
    "---\n",
    "@{",
    "}",
    "{",
    "[",
    "\"]",
    "subgraph ",
    "end\n",
    "-->",
    "\n",
    ";",
    "$$x$$",
    "fa:fa-car",
];

/// A valid diagram with snippets inserted, repeated and removed.
fn mutated() -> impl Strategy<Value = String> {
    let edit = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..12_usize, 0..4_u8);
    (prop::sample::select(&VALID[..]), prop::collection::vec(edit, 1..6)).prop_map(|(source, edits)| {
        let mut letters: Vec<char> = source.chars().collect();
        for (at, piece, length, kind) in edits {
            let at = at.index(letters.len() + 1);
            let end = (at + length).min(letters.len());
            match kind {
                0 => drop(letters.splice(at..end, [])),
                1 => drop(letters.splice(at..at, letters[at..end].to_vec())),
                _ => drop(letters.splice(at..at, piece.get(&HOSTILE).chars())),
            }
        }
        letters.into_iter().collect()
    })
}

/// The parts of a random flowchart.
#[derive(Debug)]
struct RandomChart {
    direction: &'static str,
    /// For each group the one that it is in, and its direction, of which most numbers mean none.
    groups: Vec<(Option<usize>, u8)>,
    /// For each node its group, and its shape.
    nodes: Vec<(Option<usize>, usize)>,
    edges: Vec<(usize, usize, usize)>,
}

impl RandomChart {
    fn source(&self) -> String {
        let mut out = format!("flowchart {}\n", self.direction);
        self.write(&mut out, None);
        let name = |end: usize| if end < self.nodes.len() { format!("n{end}") } else { format!("g{}", end - self.nodes.len()) };
        for &(from, to, kind) in &self.edges {
            let arrow = ["-->", "---", "-->|some words|", "-.->", "---->", "-- more<br>words -->"][kind];
            let _ = writeln!(out, "{} {arrow} {}", name(from), name(to));
        }
        out
    }

    /// Writes the nodes of a group and the groups in it.
    fn write(&self, out: &mut String, group: Option<usize>) {
        let shapes = [("[", "]"), ("(", ")"), ("{", "}"), ("((", "))"), ("[(", ")]"), ("[[", "]]"), ("{{", "}}")];
        for (index, (_, shape)) in self.nodes.iter().enumerate().filter(|(_, (place, _))| *place == group) {
            let (open, close) = shapes[shape % shapes.len()];
            let _ = writeln!(out, "n{index}{open}{}{close}", "word ".repeat(shape + 1));
        }
        for (index, (_, direction)) in self.groups.iter().enumerate().filter(|(_, (parent, _))| *parent == group) {
            let direction = ["direction LR\n", "direction TB\n"].get(usize::from(*direction)).copied().unwrap_or_default();
            let _ = write!(out, "subgraph g{index} [title of {index}]\n{direction}");
            self.write(out, Some(index));
            out.push_str("end\n");
        }
    }
}

/// A random flowchart: nodes in groups that may be nested, and arrows between nodes or groups.
fn flowcharts() -> impl Strategy<Value = String> {
    let index = any::<prop::sample::Index>;
    let direction = prop::sample::select(&["TB", "BT", "LR", "RL"][..]);
    let groups = prop::collection::vec((index(), 0..6_u8), 0..5);
    let nodes = prop::collection::vec((index(), 0..14_usize), 1..14);
    let edges = prop::collection::vec((index(), index(), 0..6_usize), 0..22);
    (direction, groups, nodes, edges).prop_map(|(direction, groups, nodes, edges)| {
        let count = nodes.len() + groups.len();
        let chart = RandomChart {
            direction,
            // Each group is in one of those before it, or in none.
            groups: groups.iter().enumerate().map(|(at, (parent, direction))| (parent.index(at + 1).checked_sub(1), *direction)).collect(),
            nodes: nodes.iter().map(|(group, shape)| (group.index(groups.len() + 1).checked_sub(1), *shape)).collect(),
            edges: edges.iter().map(|(from, to, kind)| (from.index(count), to.index(count), *kind)).collect(),
        };
        chart.source()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn layouts_have_no_overlaps(source in flowcharts()) {
        let found = geometry::violations(&source);
        prop_assert!(found.is_empty(), "{}\n{source}", found.join("\n"));
    }

    #[test]
    fn charts_are_harmless(source in flowcharts()) {
        let found = check(&source);
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn any_source_is_drawn_or_refused(source in any::<String>(), kind in prop::sample::select(&["", "flowchart LR\n", "sequenceDiagram\n", "stateDiagram-v2\n"][..])) {
        let found = check(&format!("{kind}{source}"));
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }

    #[test]
    fn mutated_diagrams_are_drawn_or_refused(source in mutated()) {
        let found = check(&source);
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

#[test]
fn hostile_labels_are_text() {
    for piece in HOSTILE {
        for source in [
            format!("flowchart LR\n  A[\"{piece}\"] -->|\"{piece}\"| B\n  subgraph s [\"{piece}\"]\n  C\n  end\n"),
            format!("flowchart LR\n  A[{piece}] --> B({piece})\n"),
            format!("flowchart LR\n  A --> B\n  click A href \"{piece}\" \"{piece}\"\n  style A fill:{piece}\n"),
            format!(
                "sequenceDiagram\n  participant A as {piece}\n  A->>B: {piece}\n  Note over A: {piece}\n  box {piece}\n  participant C\n  end\n"
            ),
            format!("stateDiagram-v2\n  state \"{piece}\" as s\n  s --> t : {piece}\n  note right of s : {piece}\n"),
        ] {
            let found = check(&source);
            assert!(found.is_empty(), "{source}\n{}", found.join("\n"));
        }
    }
}
