//! Bad input takes linear time and no stack. `cargo test --release --lib speed -- --ignored --nocapture` prints the time for a megabyte.
#![allow(
    clippy::too_many_lines,
    clippy::format_collect,
    clippy::disallowed_methods,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "measures itself"
)]

use std::{collections::BTreeMap, time::Instant};

use super::{Labels, Options, Prose, render};
use crate::highlight::Highlighter;

fn prose(text: &str) -> Prose {
    let labels = Labels::default();
    let glossary = BTreeMap::from([("API".to_owned(), "interface".to_owned())]);
    render(text, &Options::new(&glossary, &labels))
}

/// The length of the HTML, including code.
fn length(prose: &Prose) -> usize {
    let highlighter = Highlighter::default();
    prose.html.text.len() + prose.codes.iter().map(|code| code.html(&highlighter).len()).sum::<usize>()
}

/// Names and texts of about `size` bytes.
fn hostile(size: usize) -> Vec<(&'static str, String)> {
    let many = |piece: &str| piece.repeat(size / piece.len());
    let numbered = |piece: &str| (0..size / (piece.len() + 5)).map(|number| piece.replace("{}", &number.to_string())).collect::<String>();
    let mut cases: Vec<(&'static str, String)> = [
        "[",
        "![",
        "[[",
        "]",
        "[](",
        "[a](<b",
        "[^1]",
        "[[^",
        "*",
        "**a ",
        "*a_ ",
        "~~a ",
        "`a``",
        "<",
        "<a ",
        "<a href=\"",
        "<b>",
        "<div>\n\n",
        "</b>",
        "<!--",
        "<script>",
        "<svg>\n\n",
        "<table>\n",
        "<p><b>\n",
        "<details>\n\n",
        "&",
        "&amp",
        "\\",
        "> ",
        "- ",
        "1. ",
        "* a\n",
        ": a\n",
        "a\n: b\n\n",
        "#",
        "# a\n",
        "```\n",
        "```yaml\na: b\n```\n",
        "    a\n",
        "|",
        "|a|\n|-|\n",
        "| a ",
        "!!! note\n",
        "!!! note\n    a\n",
        "> [!NOTE]\n\n",
        "=== \"a\"\n    b\n\n",
        "=== \"a\"\n",
        "??? tip\n\n",
        "*[a]: b\n",
        "a\n",
        "あ\n",
        "**「あ」**い",
        "あ**",
        "https://a",
        "http://a.b;;",
        "https://a(((",
        "https://a)))",
        "://",
        "[a]: b\n",
        "[a]\n\n",
        "<https://a> ",
        "API ",
        "- [ ] a\n",
        "\n",
        " ",
        "\t",
        "\u{0}",
        "[^a]: b\n\n",
        "a[^b]",
        "[a][b]",
        "![a](b \"c\")\n\n",
        "![a](",
        "<img src=x>",
        "{#a}\n",
        "# a {#b}\n",
        "<b\n",
        "<i>\n</i>",
        "<span id=\"a\">",
        "<ul><li>",
        "a  \n",
        "---\n",
        "[[a|",
        "[[a]]",
        "$ ",
    ]
    .iter()
    .map(|piece| (*piece, many(piece)))
    .collect();
    cases.push(("nested notes", (0..300).map(|depth| format!("{}!!! note\n", "    ".repeat(depth))).collect::<String>()));
    cases.push(("nested lists", (0..1000).map(|depth| format!("{}- a\n", "  ".repeat(depth))).collect::<String>()));
    cases.push(("nested brackets", format!("{}a{}", "[".repeat(size / 2), "]".repeat(size / 2))));
    cases.push(("nested links", format!("{}a{}", "[".repeat(size / 5), "](b)".repeat(size / 5))));
    cases.push(("nested images", format!("{}a{}", "![".repeat(size / 6), "](b)".repeat(size / 6))));
    cases.push(("nested emphasis", format!("{}a{}", "*b ".repeat(size / 6), " b*".repeat(size / 6))));
    cases.push(("footnotes", numbered("a[^{}]\n\n[^{}]: b[^{}]\n\n")));
    cases.push(("terms", format!("{}\n{}", numbered("*[a{}]: b\n"), many("a b "))));
    cases.push(("headings", numbered("# a\n# a-{}\n")));
    cases.push(("marks", format!("```x hl=\"{}\"\n{}```\n", many("1-9,"), many("a\n"))));
    cases.push(("session", format!("```console\n{}```\n", many("$ a <<EOF\n"))));
    cases.push(("continued session", format!("```console\n{}```\n", many("$ a \\\n"))));
    cases.push(("deep json", format!("```json\n{}\n```\n", "[\n".repeat(100_000.min(size / 2)))));
    cases.push(("deep yaml", format!("```yaml\n{}\n```\n", "- [{\n".repeat(40_000.min(size / 5)))));
    cases.push(("deep bash", format!("```bash\n{}\n```\n", "$(( \"$(\n".repeat(20_000.min(size / 8)))));
    cases.push(("list of notes", many("- !!! note\n      a\n\n      > b\n")));
    cases.push(("quotes of lists", many("> - > - ")));
    cases.push(("lazy note", format!("!!! note\n    a\n{}", many("b\n"))));
    cases.push(("tabs in lists", many("- a\n\n\t=== \"b\"\n\t\tc\n")));
    cases
}

#[test]
fn hostile_text_does_not_overflow() {
    for (name, text) in hostile(20_000) {
        let prose = prose(&text);
        assert!(length(&prose) < 200 * text.len() + 1000, "{name:?} makes {} bytes", length(&prose));
    }
}

/// Typical pages, with and without code; no two blocks of code are the same.
fn typical() -> Vec<(&'static str, String)> {
    let english = "## How it works {{}}\n\nEverything that `kubectl apply` changes ends up as a **key** under `/registry` in [[etcd]][^1]: see [the page](../etcd/en.md#how).\nIt is the only client.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| x | `y` |\n\n";
    let japanese = "## しくみ {{}}\n\n**「etcd」**はKubernetesのリソースの永続化に使われる**KVS**です。[[etcd]]に保存されます。\n次の行に続きます。\n\n!!! note \"注釈\"\n    本文です。\n\n";
    let yaml = "```yaml\nkind: Pod # {{}}\nmetadata:\n  name: \"x{{}}\"\nspec:\n  containers:\n    - image: a/b:1.2\n```\n\n";
    let console = "```console\n$ kubectl get pods -n kube-system --selector 'x={{}}' | grep -v y\nNAME   READY\nx      1/1\n```\n\n";
    let pages = |piece: &str| (0..1_000_000 / piece.len()).map(|number| piece.replace("{{}}", &number.to_string())).collect::<String>();
    let mixed = [english, japanese, yaml, english, console].concat();
    vec![
        ("English", pages(english)),
        ("Japanese", pages(japanese)),
        ("YAML", pages(yaml)),
        ("console", pages(console)),
        ("mixed", pages(&mixed)),
        ("one block of code", yaml.to_owned()),
        ("one word", "a".to_owned()),
    ]
}

#[test]
#[ignore = "takes a minute; prints times"]
fn measure() {
    let start = Instant::now();
    let _ = Highlighter::default().lines("yaml", "a: b");
    println!("{:>8.1} ms  grammars and one line", start.elapsed().as_secs_f64() * 1000.0);
    for (name, text) in typical().into_iter().chain(hostile(1_000_000)) {
        let start = Instant::now();
        let length = length(&prose(&text));
        let seconds = start.elapsed().as_secs_f64();
        let slow = if seconds > 0.5 { "  <-- slow" } else { "" };
        println!("{:>8.1} ms  {:>8} KB → {:>8} KB  {name:?}{slow}", seconds * 1000.0, text.len() / 1000, length / 1000);
    }
}

#[test]
#[ignore = "takes a minute; prints times"]
fn measure_grammars() {
    let languages = [
        "bash",
        "yaml",
        "json",
        "go",
        "rust",
        "python",
        "js",
        "ts",
        "html",
        "xml",
        "markdown",
        "toml",
        "ini",
        "dockerfile",
        "tf",
        "sql",
        "css",
        "c",
        "cpp",
        "java",
        "ruby",
        "diff",
        "makefile",
        "nginx",
        "proto",
        "lua",
    ];
    let pieces = [
        "a", "(", "[", "{", "\"", "\\", "a.", "a ", "<a ", "<", "$(", "`", "*", "**a", "a:", "- ", "=", "/", "\"a\\", "0", "&a", "a,b",
        "a(b)", "#", "a<b>", "'\"", "{{", "%",
    ];
    let highlighter = Highlighter::default();
    for language in languages {
        let mut slowest = (0.0, "");
        for piece in pieces {
            let line = piece.repeat(490 / piece.len());
            let code = [line.as_str(); 100].join("\n");
            let start = Instant::now();
            let _ = highlighter.lines(language, &code);
            let seconds = start.elapsed().as_secs_f64();
            if seconds > slowest.0 {
                slowest = (seconds, piece);
            }
        }
        println!("{:>8.1} ms  49 KB  {language} {:?}", slowest.0 * 1000.0, slowest.1);
    }
}
