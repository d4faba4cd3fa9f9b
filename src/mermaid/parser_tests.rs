//! What the parsers of flowcharts and state diagrams read, as one line for each node and arrow.
#![allow(clippy::unwrap_used, clippy::panic)]

use super::{
    chart::{ArrowLine, Chart, ChartEnd},
    flowchart,
    label::LabelLine,
    source::{DiagramKind, DiagramSource},
    state,
    svg_writer::Arrowhead,
};

fn chart(source: &str) -> Chart {
    let diagram = DiagramSource::parse(source).unwrap();
    let chart = match diagram.kind {
        DiagramKind::State => state::parse(&diagram),
        _ => flowchart::parse(&diagram),
    };
    chart.unwrap_or_else(|error| panic!("{error:?}\n{source}"))
}

fn text(lines: &[LabelLine]) -> String {
    lines.iter().map(|line| line.iter().map(|run| run.text.as_str()).collect::<String>()).collect::<Vec<_>>().join(" / ")
}

/// Nodes as `group.name Shape label`, and arrows as `from --> to label`.
pub(crate) fn summary(source: &str) -> String {
    let chart = chart(source);
    let place = |group: Option<usize>| {
        let mut path: Vec<String> = chart
            .ancestors(group)
            .map(|group| if chart.groups[group].is_region { "region".to_owned() } else { text(&chart.groups[group].title) })
            .collect();
        path.reverse();
        path.push(String::new());
        path.join(".")
    };
    let end = |end: ChartEnd| match end {
        ChartEnd::Node(node) if chart.nodes[node].name.is_empty() => format!("({:?})", chart.nodes[node].shape),
        ChartEnd::Node(node) => chart.nodes[node].name.clone(),
        ChartEnd::Group(group) => format!("[{}]", text(&chart.groups[group].title)),
    };
    let head = |head: Option<Arrowhead>, marks: [&'static str; 2]| match head {
        None => "",
        Some(Arrowhead::Filled | Arrowhead::Open) => marks[0],
        Some(Arrowhead::Cross) => "x",
        Some(Arrowhead::Circle) => marks[1],
    };
    let mut lines = Vec::new();
    for node in &chart.nodes {
        let body = if node.body.is_empty() { String::new() } else { format!(" | {}", text(&node.body)) };
        let side = |is_left: bool| if is_left { "left" } else { "right" };
        let notes: Vec<String> = node.notes.iter().map(|note| format!(" note {}: {}", side(note.is_left), text(&note.text))).collect();
        let notes = notes.concat();
        lines.push(format!("{}{} {:?} {}{body}{notes}", place(node.group), node.name, node.shape, text(&node.label)).trim().to_owned());
    }
    for edge in &chart.edges {
        let line = match edge.line {
            ArrowLine::Solid => "-",
            ArrowLine::Dashed => ".",
            ArrowLine::Thick => "=",
            ArrowLine::Invisible => "~",
        };
        let arrow = format!("{}{}{}", head(edge.heads[0], ["<", "o"]), line.repeat(edge.rows + 1), head(edge.heads[1], [">", "o"]));
        lines.push(format!("{} {arrow} {} {}", end(edge.from), end(edge.to), text(&edge.label)).trim_end().to_owned());
    }
    lines.join("\n")
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(summary(source), expected.trim(), "{source}");
}

#[test]
fn chains_and_joined_nodes_are_all_connected() {
    check(
        "graph LR; A-->B & C-->|x|D; E",
        "A Rectangle A\nB Rectangle B\nC Rectangle C\nD Rectangle D\nE Rectangle E\nA --> B\nA --> C\nB --> D x\nC --> D x",
    );
    check("flowchart TB\nA\n  --> B\n  -.-> C\n", "A Rectangle A\nB Rectangle B\nC Rectangle C\nA --> B\nB ..> C");
    check("flowchart\nA -->\n B\nA ==> B\nA ~~~ B", "A Rectangle A\nB Rectangle B\nA --> B\nA ==> B\nA ~~ B");
}

#[test]
fn brackets_are_shapes() {
    check(
        "flowchart TD\na[x]\nb(x)\nc([x])\nd[[x]]\ne[(x)]\nf((x))\ng>x]\nh{x}\ni{{x}}\nj[/x/]\nk[\\x\\]\nl[/x\\]\nm[\\x/]\nn(((x)))\no@{ shape: db, label: \"x y\" }\np@{shape: cloud}",
        "a Rectangle x\nb Rounded x\nc Stadium x\nd Subroutine x\ne Cylinder x\nf Circle x\ng Flag x\nh Diamond x\ni Hexagon x\nj LeanRight x\nk LeanLeft x\n\
         l Trapezoid x\nm InvertedTrapezoid x\nn DoubleCircle x\no Cylinder x y\np Rounded p",
    );
}

#[test]
fn names_and_labels_have_many_characters() {
    check(
        "flowchart TD\nkube-apiserver:10250[\"a (b) [c]\"] --> pod/x.y & 箱[\"`**a**\nb`\"]:::k\nA[multi\nline] --o a_b[x #quot;y#quot;]",
        "kube-apiserver:10250 Rectangle a (b) [c]\npod/x.y Rectangle pod/x.y\n箱 Rectangle a / b\nA Rectangle multi / line\na_b Rectangle x \"y\"\n\
         kube-apiserver:10250 --> pod/x.y\nkube-apiserver:10250 --> 箱\nA --o a_b",
    );
    check("flowchart TD\nA-.text.->B\nA--text-->B\nA ---oB", "A Rectangle A\nB Rectangle B\nA ..> B text\nA --> B text\nA ---o B");
}

#[test]
fn nodes_are_in_the_subgraph_that_mentions_them_first() {
    check(
        "flowchart TB\nX --> A\nsubgraph one [The first]\n  A --> B\n  subgraph two\n    direction LR\n    C\n  end\nend\nsubgraph three words\n  B --> D\nend\ntwo --> D\nX --> one",
        "X Rectangle X\nThe first.A Rectangle A\nThe first.B Rectangle B\nThe first.two.C Rectangle C\nthree words.D Rectangle D\nX --> A\nA --> B\nB --> D\n\
         [two] --> D\nX --> [The first]",
    );
    check("flowchart TB\nsubgraph a\nend\na --> B", "B Rectangle B\na EmptyGroup a\na --> B");
}

#[test]
fn what_only_changes_the_look_is_read() {
    check(
        "%%{init: {}}%%\nflowchart TB\n%% comment\nclassDef x fill:#f00,stroke:#fff;\nA:::x --> B@{ shape: rect }\nclass A,B x\nstyle A fill:#fff\nlinkStyle default stroke:red\n\
         e1@--> B\nclick A \"https://x.y\"\n"
            .replace("e1@--> B", "A e1@--> B\ne1@{ animate: true }")
            .as_str(),
        "A Rectangle A\nB Rectangle B\nA --> B\nA --> B",
    );
}

#[test]
fn states_are_described_nested_and_divided() {
    check(
        "stateDiagram-v2\n[*] --> A\nA --> B : words; B --> [*]\nstate \"long name\" as A\nA : more\nstate C {\n  [*] --> D\n  --\n  E --> F\n}\nB --> C\nstate f <<fork>>\nstate c <<choice>>\nf --> c\nnote right of A : text\nnote left of B\n  one\n  two\nend note\n",
        "Start\nA Rounded long name | more note right: text\nB Rounded B note left: one / two\nEnd\nC.region. Start\nC.region.D Rounded D\nC.region.E Rounded E\n\
         C.region.F Rounded F\nf Bar\nc Diamond\n(Start) --> A\nA --> B words\nB --> (End)\n(Start) --> D\nE --> F\nB --> [C]\nf --> c",
    );
}

#[test]
fn states_can_be_used_before_they_are_composite() {
    check(
        "stateDiagram\ndirection LR\nA --> B\nB --> B\nstate B {\n  X --> Y\n}\n%% end\nX --> Z",
        "A Rounded A\nB.X Rounded X\nB.Y Rounded Y\nZ Rounded Z\nA --> [B]\n[B] --> [B]\nX --> Y\nX --> Z",
    );
}
