#![allow(clippy::unwrap_used)]

use super::*;

#[track_caller]
fn check(language: &str, code: &str, expected: &[&str]) {
    assert_eq!(Highlighter::default().lines(language, code), expected, "{language}");
}

#[test]
fn colours_what_pages_show() {
    check(
        "yaml",
        "kind: Pod # x",
        &["<span class=\"hl-name\">kind</span>: <span class=\"hl-string\">Pod</span> <span class=\"hl-comment\"># x</span>"],
    );
    check("json", "{\"a\": 1}", &["{<span class=\"hl-name\">&quot;a&quot;</span>: <span class=\"hl-number\">1</span>}"]);
    check("diff", "-a\n+b", &["<span class=\"hl-deleted\">-a</span>", "<span class=\"hl-inserted\">+b</span>"]);
}

#[test]
fn knows_the_languages_of_our_field() {
    let grammars = Grammars::unpack();
    for name in [
        "bash",
        "sh",
        "console",
        "json",
        "jsonc",
        "yaml",
        "yml",
        "toml",
        "ini",
        "go",
        "hcl",
        "ts",
        "js",
        "dockerfile",
        "diff",
        "proto",
        "rust",
        "python",
        "xml",
        "html",
        "css",
        "sql",
        "makefile",
        "nginx",
        "markdown",
    ] {
        assert!(grammars.syntax(name).is_some(), "{name}");
    }
}

#[test]
fn text_and_unknown_languages_are_escaped() {
    check("", "a<b\n\n", &["a&lt;b", ""]);
    check("nonsense", "\"&\"", &["&quot;&amp;&quot;"]);
    let long = "[".repeat(600);
    check("json", &format!("1\n{long}\n2"), &["<span class=\"hl-number\">1</span>", &long, "<span class=\"hl-number\">2</span>"]);
}

#[test]
fn lines_are_kept() {
    let code = "/* a\n\n b */ fn x() {}\n";
    assert_eq!(Highlighter::default().lines("rust", code).len(), 3);
}

/// Blocks of code from pages and tests, and pieces of lines, which are combined at random.
const PIECES: &[(&str, &[&str])] = &[
    (
        "yaml",
        &[
            "name",
            ": ",
            ":",
            " ",
            "  ",
            "- ",
            "\n",
            "\n  ",
            "\"web-1\"",
            "'it is'",
            "don't",
            "# a comment",
            " # b",
            "42",
            "007",
            "1.5",
            "2026-11-20",
            "12:30",
            "true",
            "No",
            "null",
            "app.kubernetes.io/name",
            "nginx:1.25",
            "|",
            ">-",
            "&a",
            "*a",
            "[a, b]",
            "{c: d}",
            ", ",
            "---",
            "?",
            "!tag",
            "日本",
            "=",
            "<<",
            "key: value",
            "\"a\\n\"",
            "on",
            "%YAML",
            "x y z",
            "#",
            "\t",
        ],
    ),
    (
        "bash",
        &[
            "tool",
            "get",
            " ",
            "pods",
            "-n",
            "kube-system",
            "--all",
            "--name=x",
            "=",
            "A=b ",
            "\n",
            "echo",
            "if",
            "then",
            "fi",
            "for",
            "in",
            "do",
            "done",
            "export",
            "sudo",
            "test",
            "8080",
            "\"a b\"",
            "'c'",
            "$x",
            "|",
            ">",
            "\\\n",
            "a.b/c",
            "@",
            ":",
            ",",
            "# x",
            "{",
            "}",
            "[",
            "]",
            "<<EOF\n",
            "EOF\n",
            "time",
            "-",
            "--",
            "-1",
            "+x",
            "../x",
            "./run",
            "/usr/bin/x",
        ],
    ),
    (
        "json",
        &[
            "{", "}", "[", "]", ": ", ":", ",", "\n", "\"a\"", "\"b c\"", "\"\\n\"", "12", "-3", "1e5", "true", "null", " ", "// x", "\"",
            "a",
        ],
    ),
    (
        "go",
        &[
            "func ",
            "main",
            "()",
            " {",
            "}",
            "\n",
            "\t",
            "if ",
            "err",
            " := ",
            "f(\"x y\", 999)",
            "; ",
            "\"a\"",
            "\"%d\"",
            "'a'",
            "`raw",
            "`",
            "// note",
            "//go:embed x",
            "/* a",
            " */",
            "12",
            "0x1F",
            "1.5",
            "x[3]",
            "return",
            "<-",
            "+",
            ".",
            "type T struct",
            "\"",
            " = 7",
        ],
    ),
    (
        "rust",
        &[
            "fn ",
            "main",
            "()",
            " {",
            "}",
            "\n",
            "let ",
            "x",
            " = ",
            "\"a b\"",
            "r\"c\"",
            "r#\"",
            "\"#",
            "b\"d\"",
            "'a",
            "'a'",
            "// n",
            "/// d",
            "//! m",
            "/*",
            "*/",
            "12",
            "12u8",
            "1_0",
            "0..9",
            "vec![1, 2]",
            "println!(\"{}\", 3)",
            "#[cfg(x)]",
            ";",
            ", ",
            "&",
            "::",
            "<T>",
            "\"",
        ],
    ),
    (
        "toml",
        &[
            "[a]",
            "[[b]]",
            "\n",
            "key",
            " = ",
            "\"v w\"",
            "'x'",
            "12",
            "1.5",
            "2026-11-20",
            "true",
            "# c",
            ",",
            "[",
            "]",
            "{",
            "}",
            "\"\"\"",
            " ",
        ],
    ),
    (
        "ts",
        &[
            "const ", "x", " = ", "12", "12n", "\"a\"", "'b'", "`c ${", "}`", "// n", "//x", "/*", "*/", "\n", "f(", ")", "{", "}", ": ",
            "/re/g", " + ", "<T>", "=> ", ";", ", ", "1.5", "import ", "from ", "@dec",
        ],
    ),
    (
        "python",
        &[
            "def ", "f", "(", ")", ":", "\n", "    ", "return ", "12", "1_0", "1.5", "\"a\"", "'select'", "\"\"\"", "# c", "#!x", "f\"{",
            "}\"", "=", "+", "@d", ", ", "[", "]", "lambda ", "0", "if ", "else",
        ],
    ),
];

proptest::proptest! {
    /// A cached line has the same classes as a line that a grammar parses.
    #[test]
    fn a_line_like_another_has_its_colours(
        language in 0..PIECES.len(),
        pieces in proptest::collection::vec((0..1000_usize, 0..8_u8), 1..60),
    ) {
        static SHARED: OnceLock<Highlighter> = OnceLock::new();
        let shared = SHARED.get_or_init(Highlighter::default);
        let (language, words) = PIECES[language];
        let mut code = String::new();
        for (piece, blank) in pieces {
            code.push_str(words[piece % words.len()]);
            if blank == 0 {
                code.push(' ');
            }
        }
        let grammars = shared.0.grammars.get_or_init(Grammars::unpack);
        let uncached = grammars.highlight(grammars.syntax(language).unwrap(), &code);
        proptest::prop_assert_eq!(shared.lines(language, &code), uncached, "{}", code);
    }
}

#[test]
fn lines_that_differ_in_a_name_are_parsed_once() {
    for (language, a, b) in [
        ("yaml", "  name: web-1 # the first", "  image: registry.example/x # another one"),
        ("yaml", "- port: 80", "- containerPort: 8443"),
        ("console", "tool get pods -n elsewhere", "tool describe nodes -n default"),
        ("json", "  \"kind\": \"Pod\",", "  \"apiVersion\": \"apps/v1\","),
        ("go", "\tx := call(\"one\", 2)", "\tx := call(\"some other\", 345)"),
    ] {
        let grammars = Grammars::unpack();
        let name = grammars.syntax(language).unwrap().file_extensions[0].as_str();
        let (a, b) = (Skeleton::of(name, a).text, Skeleton::of(name, b).text);
        assert_eq!(a, b, "{language}");
    }
    assert_ne!(Skeleton::of("yaml", "a: b").text, Skeleton::of("yaml", "a: true").text);
    assert_ne!(Skeleton::of("sh", "echo a").text, Skeleton::of("sh", "tool a").text);
}
