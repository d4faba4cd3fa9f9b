#![allow(clippy::unwrap_used, clippy::panic)]
use std::collections::BTreeMap;

use super::*;
use crate::{diagnostic::Diagnostics, yaml};

/// The text of the variable `x` in a file.
fn text_of_x(yaml: &str) -> Option<String> {
    let node = yaml::parse(&"x.yml".into(), yaml, 0, &mut Diagnostics::new()).unwrap();
    let NodeValue::Map(entries) = &node.value else { panic!("not a map: {yaml}") };
    let nodes: BTreeMap<&str, &Node> = entries.iter().map(|entry| (entry.key.as_str(), &entry.node)).collect();
    DefaultVariables::from(nodes).text("x")
}

/// The value of an expression, next to some variables.
fn value(expression: &str) -> Option<String> {
    text_of_x(&format!("v: v1.8.6\nm: {{a: 1.0, b: \"{{{{ v }}}}\"}}\nkube_version: v1.30.2\nx: >-\n  {{{{ {expression} }}}}\n"))
}

#[test]
fn expressions_have_values() {
    for (expression, expected) in [
        ("v", "v1.8.6"),
        ("'text'", "text"),
        ("kube_major_version", "v1.30"),
        ("m['b']", "v1.8.6"),
        ("(m | dict2items)[0].key", "a"),
        ("(m.keys())[1]", "b"),
        ("none | default('d')", "d"),
        ("v | default('d')", "v1.8.6"),
        ("v | regex_replace('^v', '')", "1.8.6"),
        ("v is version('1.10', '<')", "True"),
        ("'a' if v == 'v1.8.6' else 'b'", "a"),
        ("'a' if ((v is version('v1.9', '>=')) | bool) else 'b'", "b"),
        ("(v is version('v1.9', '>=')) or (v is version('v1.7', '>='))", "True"),
        ("none or v == 'v1.8.6'", "True"),
        ("v == '1' or v == '2'", "False"),
        ("'a' if v != 'v1.8.6' else none | default('c')", "c"),
        ("'a' if v is version('1.0', '>') else none", "a"),
        ("'a' if 'False' | bool", ""),
    ] {
        assert_eq!(value(expression).as_deref(), Some(expected), "{expression}");
    }
}

#[test]
fn other_expressions_are_unknown() {
    for expression in [
        "none",
        "m",
        "m['c']",
        "m[0]",
        "(m | dict2items)[2].key",
        "lookup('env', 'A')",
        "v | upper",
        "v | regex_replace('a', 'b')",
        "v is defined",
        "v is version('1.0', '~')",
        "'a' if none else 'b'",
        "none or v == '1'",
        "v v",
        "v +",
        "(v",
        "v |",
        "v.",
        "'a",
        "",
        "v[:-1]",
    ] {
        assert_eq!(value(expression), None, "{expression}");
    }
}

#[test]
fn conditions_are_around_texts() {
    assert_eq!(text_of_x("a: amd64\nx: \"1{%- if a != 'amd64' -%}-{{ a }}{%- endif -%}2\"\n").as_deref(), Some("12"));
    assert_eq!(text_of_x("a: arm64\nx: \"1{%- if a != 'amd64' -%}-{{ a }}{%- endif -%}2\"\n").as_deref(), Some("1-arm642"));
    for text in [
        "{% for a in b %}{% endfor %}",
        "{% if x",
        "{% if 'a' %}b",
        "{% if 'a' %}b{% else %}c{% endif %}",
        "{{",
        "{% if none %}{% endif %}",
    ] {
        assert_eq!(text_of_x(&format!("x: \"{text}\"\n")), None, "{text}");
    }
    assert_eq!(text_of_x("x: '{a} }}'\n").as_deref(), Some("{a} }}"));
}

#[test]
fn work_is_limited() {
    assert_eq!(text_of_x("x: '{{ x }}'\n"), None);
    let doubled: Vec<String> = (0..38).map(|level| format!("v{level}: '{{{{ v{0} }}}}{{{{ v{0} }}}}'\n", level + 1)).collect();
    assert_eq!(text_of_x(&format!("{}v38: a\nx: '{{{{ v0 }}}}'\n", doubled.concat())), None);
    let nested = format!("x: \"{{{{ {}'a'{} }}}}\"\n", "(".repeat(1500), ")".repeat(1500));
    assert_eq!(text_of_x(&nested), None);
    assert_eq!(text_of_x(&format!("x: '{}'\n", "a".repeat(5000))), None);
}
