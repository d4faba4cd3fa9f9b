//! Mappings between the names of grammars, authors and the style sheet.

/// The class of strings that are keys.
pub(super) const KEY: &str = "hl-name";

/// Classes and the scopes that get them; the first scope that fits counts. `None` leaves the decision to the enclosing scope.
pub(super) const CLASSES: [(Option<&str>, &str); 15] = [
    (Some("hl-comment"), "comment meta.diff.header"),
    (Some("hl-number"), "constant.numeric meta.diff.range"),
    (Some("hl-constant"), "constant support.constant variable.language"),
    (Some("hl-string"), "string markup.raw markup.underline.link"),
    (Some("hl-keyword"), "keyword.operator.word keyword.operator.logical.python storage markup.heading"),
    (Some("hl-operator"), "keyword.operator"),
    (Some("hl-keyword"), "keyword"),
    (Some("hl-name"), "entity.name.tag.yaml entity.name.tag.toml"),
    (Some("hl-tag"), "entity.name.tag"),
    (Some("hl-attribute"), "entity.other.attribute-name variable.parameter.option"),
    (Some("hl-name"), "entity support variable.function"),
    (None, "variable.other.member"),
    (Some("hl-variable"), "variable"),
    (Some("hl-inserted"), "markup.inserted"),
    (Some("hl-deleted"), "markup.deleted"),
];

/// The scopes around the name of a property, which is a string to the grammar.
pub(super) const KEYS: [&str; 3] = ["meta.mapping.key", "meta.structure.dictionary.key", "meta.object-literal.key"];

/// The names of grammars, and additional names that authors use for them.
pub(super) const ALIASES: [(&str, &str); 11] = [
    ("bash", "console shell-session shellsession shell zsh"),
    ("json", "jsonc json5 jsonl"),
    ("go", "golang"),
    ("tf", "hcl terraform"),
    ("yaml", "yml"),
    ("proto", "proto3 protobuf"),
    ("diff", "patch"),
    ("js", "mjs node"),
    ("dockerfile", "docker"),
    ("ini", "systemd"),
    ("makefile", "make"),
];
