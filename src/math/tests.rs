#![allow(clippy::unwrap_used)]
use proptest::prelude::*;
use roxmltree::Document;

use super::{MAX_COMMANDS, MAX_LEN, filter, mathml};

/// The MathML without its annotation and the elements around it.
fn inner(latex: &str) -> String {
    let mathml = mathml(latex, true).unwrap();
    let start = mathml.find("<semantics><mrow>").unwrap() + "<semantics><mrow>".len();
    let end = mathml.find("</mrow><annotation").unwrap();
    mathml[start..end].to_owned()
}

#[test]
fn the_source_is_an_annotation() {
    assert_eq!(
        mathml("a < b", false).unwrap(),
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>\
         <annotation encoding=\"application/x-tex\">a &lt; b</annotation></semantics></math>"
    );
    assert!(mathml("x", true).unwrap().starts_with("<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">"));
}

#[test]
fn common_formulas() {
    for (latex, part) in [
        (r"\frac{1}{2}", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\sum_{i=0}^n i", "∑</mo><mrow><mi>i</mi><mo lspace=\"0\" rspace=\"0\">=</mo><mn>0</mn></mrow><mi>n</mi></munderover>"),
        (r"\sqrt[3]{x}", "<mroot><mi>x</mi><mn>3</mn></mroot>"),
        (r"\alpha \le \Omega", "<mi>α</mi><mo>≤</mo>"),
        (r"\text{if } x", "<mtext>if\u{a0}</mtext><mi>x</mi>"),
        (r"\textbf{b}", "<mtext class=\"math-bold\">b</mtext>"),
        (r"\begin{pmatrix}1 & 0 \\ 0 & 1\end{pmatrix}", "<mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr>"),
        (r"\begin{cases}1 & x \\ 0 & y\end{cases}", "<mtd class=\"math-left math-flush-right math-gap\"><mi>x</mi></mtd>"),
        (r"\begin{align}a &= b\end{align}", "<mtd class=\"math-right math-flush-right\"><mi>a</mi></mtd>"),
        (r"\begin{array}{c|c}a & b\end{array}", "<mtd class=\"math-line-right\"><mi>a</mi></mtd>"),
        (r"\cancel{x}", "<mrow class=\"math-strike-up\"><mi>x</mi></mrow>"),
        (r"a\!b", "<mspace class=\"math-back-thin\"></mspace>"),
        (r"\text{応答時間} > 日", "<mtext>応答時間</mtext>"),
    ] {
        let mathml = inner(latex);
        assert!(mathml.contains(part), "{latex}: {mathml}");
    }
}

#[test]
fn only_tags_are_numbers() {
    assert!(!inner(r"\begin{align}a &= b\end{align}").contains("(1)"));
    assert!(!inner(r"\begin{multline}a \\ b\end{multline}").contains("(1)"));
    assert!(inner(r"\begin{align}a &= b \tag{2}\end{align}").contains("<mtext>(2)</mtext>"));
}

#[test]
fn a_mistake_has_its_place() {
    for (latex, place, message) in [
        (r"x + \foo y", r"\foo", "unknown command"),
        (r"\frac{1}", "", "expected argument"),
        (r"\begin{align}x \foo\end{align}", r"\foo", "unknown command"),
        (r"x}", "}", "unmatched"),
        (r"\href{javascript:alert(1)}{x}", r"\href", "unknown command"),
        ("x\u{1}", "\u{1}", "U+0001"),
        (" ", " ", "empty"),
    ] {
        let error = mathml(latex, false).unwrap_err();
        assert!(error.message.contains(message), "{latex}: {}", error.message);
        assert_eq!(&latex[error.range], place, "{latex}");
    }
}

#[test]
fn limits() {
    let message = |latex: &str| mathml(latex, true).unwrap_err().message;
    assert!(message(&"x".repeat(MAX_LEN + 1)).contains("longer"));
    assert!(message(&format!("{}x{}", "{".repeat(51), "}".repeat(51))).contains("nested"));
    assert!(message(&r"\left(".repeat(51)).contains("nested"));
    assert!(message(&r"\alpha ".repeat(MAX_COMMANDS + 1)).contains("commands"));
    assert!(message(&format!("{}x", r"\sqrt ".repeat(MAX_COMMANDS))).contains("no form"));
    assert!(mathml(&r"\{ ".repeat(200), true).is_ok());
}

#[test]
fn nested_commands_need_little_stack() {
    // Half of what threads have by default.
    let work = || {
        for command in [r"\sqrt ", r"\hat ", r"\sum_", r"\bm ", r"\hat^", r"\frac a", r"\binom a", r"\mathrm ", r"\overset a"] {
            let _ = mathml(&format!("{}x", command.repeat(MAX_COMMANDS)), true);
        }
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn the_filter_keeps_only_what_it_knows() {
    let math = |content: &str| format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\" onclick=\"x\">{content}</math>");
    let filtered = filter::filter(
        &math(
            "<mi href=\"javascript:x\" style=\"color:red\" onclick=\"x\" mathvariant=\"normal\">x</mi><script>y</script><mtext><a href=\"z\">&lt;b&gt;</a></mtext>",
        ),
        "</annotation><script>",
    );
    assert_eq!(
        filtered.unwrap(),
        "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mrow><mi mathvariant=\"normal\">x</mi>y<mtext>&lt;b&gt;</mtext></mrow>\
         <annotation encoding=\"application/x-tex\">&lt;/annotation&gt;&lt;script&gt;</annotation></semantics></math>"
    );
    assert_eq!(filter::filter("<svg/>", ""), None);
    assert_eq!(filter::filter(&math(&format!("{}{}", "<mrow>".repeat(300), "</mrow>".repeat(300))), ""), None);
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "{",
    "}",
    "[",
    "]",
    "&",
    r"\\",
    "^",
    "_",
    "'",
    "x",
    "1",
    "2.5",
    "+",
    "<",
    "\"",
    "日",
    " ",
    "\n",
    "~",
    "#",
    "%",
    "$",
    "\\",
    "é",
    r"\frac",
    r"\sqrt",
    r"\sum",
    r"\int",
    r"\limits",
    r"\left(",
    r"\right)",
    r"\middle|",
    r"\left.",
    r"\text{a}",
    r"\textbf",
    r"\mathbb",
    r"\mathrm",
    r"\operatorname{",
    r"\begin{matrix}",
    r"\end{matrix}",
    r"\begin{cases}",
    r"\end{cases}",
    r"\begin{align}",
    r"\end{align}",
    r"\begin{array}{c|c}",
    r"\end{array}",
    r"\begin{array}",
    r"\begin{",
    r"\end{",
    r"\hline",
    r"\color{red}",
    r"\hspace{1em}",
    r"\mkern3mu",
    r"\overbrace",
    r"\underset",
    r"\binom",
    r"\over",
    r"\genfrac",
    r"\substack",
    r"\alpha",
    r"\not",
    r"\hat",
    r"\vec",
    r"\cancel",
    r"\phantom",
    r"\big(",
    r"\Bigg|",
    r"\mathbin",
    r"\mathop",
    r"\tag{1}",
    r"\label{a}",
    r"\eqref{a}",
    r"\displaystyle",
    r"\bmod",
    r"\pmod",
    r"\xrightarrow[a]",
    r"\unknown",
    r"\def\a{",
    r"\!",
    r"\,",
    r"\quad",
    r"\char",
    "\u{0}",
    "\u{FFFE}",
    "\u{301}",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_formula_gives_safe_mathml_or_an_error(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..25), display: bool) {
        let latex = pieces.concat();
        match mathml(&latex, display) {
            Ok(mathml) => {
                let document = Document::parse(&mathml).unwrap();
                for element in document.descendants().filter(roxmltree::Node::is_element) {
                    let name = element.tag_name();
                    prop_assert_eq!(name.namespace(), Some("http://www.w3.org/1998/Math/MathML"));
                    prop_assert!(name.name().starts_with('m') || ["semantics", "annotation"].contains(&name.name()), "{}", mathml);
                    for attribute in element.attributes() {
                        prop_assert!(!["style", "href", "id"].contains(&attribute.name()) && !attribute.name().starts_with("on"), "{}", mathml);
                    }
                }
                let annotation = document.descendants().find(|node| node.has_tag_name(("http://www.w3.org/1998/Math/MathML", "annotation"))).unwrap();
                prop_assert_eq!(annotation.text().unwrap_or_default(), latex);
            }
            Err(error) => {
                prop_assert!(latex.get(error.range.clone()).is_some(), "{:?}: {:?}", latex, error);
                prop_assert!(!error.message.is_empty());
            }
        }
    }
}
