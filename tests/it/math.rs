//! Formulas of LaTeX, which are converted to MathML at build time.

use ksys_docs::read::Sources;

use crate::support::{BASE, check, files, main_of, over_base, site};

const PAGE: &str = "guide/cleaning/index.html";

/// The base with a setting of `[output.html]` and a text on a page.
fn page(setting: &str, text: &str) -> Sources {
    let book = files(BASE)["book.toml"].clone();
    let book = if book.contains("[output.html]") {
        book.replace("[output.html]", &format!("[output.html]\n{setting}"))
    } else {
        format!("{book}\n[output.html]\n{setting}\n")
    };
    over_base(&format!(
        "//- book.toml\n{book}\n//- content/guide/cleaning/en.md\n# Cleaning\n\n{text}\n//- content/guide/cleaning/ja.md\n# 掃除\n\n文。\n"
    ))
}

#[track_caller]
fn main_with(setting: &str, text: &str) -> String {
    let sources = page(setting, text);
    check(&sources, "");
    main_of(&site(&sources), PAGE)
}

#[test]
fn formulas_are_mathml_everywhere_in_text() {
    let html = main_with(
        "math = true",
        "日本語$x^2$の式と\\$5。\n\n$$\n\\sum_{i=0}^n i\n$$\n\n## Rate $r_0$\n\n- $a$\n\n| A | B |\n| - | - |\n| $|a|$ | $\\{b\\}$ |\n\n[at $c$](#notes) and `$d$`[^1].\n\n## Notes {#notes}\n\n> **$e$**\n> $$f\n> +g$$\n\n[^1]: See $h$.\n"
            .replace("$|a|$", "$\\|a\\|$")
            .as_str(),
    );
    assert_eq!(html.matches("<math ").count(), html.matches("</math>").count());
    for part in [
        "日本語<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><semantics><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>",
        "</math>の式と$5。",
        "<p><span class=\"math-block\" tabindex=\"0\"><math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">",
        "<msub><mi>r</mi><mn>0</mn></msub>",
        "x-tex\">a</annotation>",
        "x-tex\">|a|</annotation>",
        "x-tex\">\\{b\\}</annotation>",
        "<code>$d$</code>",
        "<strong><math",
        "x-tex\">f\n+g</annotation>",
        "x-tex\">h</annotation>",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(!html.contains("style=") && !html.contains("<script"), "{html}");
}

#[test]
fn the_delimiters_of_mathjax_need_its_setting() {
    let text = "A \\\\( x_1 * y_1 \\\\) and `\\\\(z\\\\)`.\n\n\\\\[\n\\begin{cases} a \\\\\\\\ b \\end{cases}\n\\\\]\n";
    let html = main_with("mathjax-support = true", text);
    assert_eq!(html.matches("<math ").count(), 2, "{html}");
    assert!(html.contains("<code>\\\\(z\\\\)</code>") && html.contains("x-tex\">x_1 * y_1</annotation>"), "{html}");
    assert!(html.contains("a \\\\ b \\end{cases}</annotation>"), "{html}");
    assert!(!main_with("math = true", text).contains("<math"));
}

#[test]
fn without_the_setting_dollars_are_text() {
    let sources = page("", "Set $HOME/$USER, where $x^2$ is.");
    check(
        &sources,
        "content/guide/cleaning/en.md:3:24 foreign-syntax: a formula is shown as text (add `math = true` to `[output.html]` of book.toml; write `\\$` for a dollar sign)",
    );
    assert!(main_of(&site(&sources), PAGE).contains("$HOME/$USER, where $x^2$ is."));
}

#[test]
fn a_mistake_is_one_finding_at_its_place() {
    let sources = page("math = true", "日本**「式」**は$x + \\foo{y}$です。\n\n> $$a\n> \\bar$$\n");
    check(
        &sources,
        "
content/guide/cleaning/en.md:3:16 bad-math: this formula can't be converted: unknown command `\\foo` (correct the formula; write `\\$` for a dollar sign, and code between backticks)
content/guide/cleaning/en.md:5:3 bad-math: this formula can't be converted: expected argument but reached end of input (correct the formula; write `\\$` for a dollar sign, and code between backticks)",
    );
    assert!(main_of(&site(&sources), PAGE).contains("<code class=\"math\">x + \\foo{y}</code>です。"));
}
