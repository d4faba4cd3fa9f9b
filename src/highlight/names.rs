//! The names that grammars, authors and our style sheet have for the same things.

/// The class of strings that are keys.
pub(super) const KEY: &str = "hl-name";

/// Scopes and the classes that they become; the first that fits counts. `None` leaves it to the scope around.
pub(super) const CLASSES: [(&str, Option<&str>); 38] = [
    ("comment", Some("hl-comment")),
    ("constant.character.escape", Some("hl-constant")),
    ("constant.numeric", Some("hl-number")),
    ("constant.other.placeholder", Some("hl-constant")),
    ("constant.language", Some("hl-constant")),
    ("constant.character", Some("hl-constant")),
    ("constant", Some("hl-constant")),
    ("string", Some("hl-string")),
    ("keyword.operator.word", Some("hl-keyword")),
    ("keyword.operator.logical.python", Some("hl-keyword")),
    ("keyword.operator", Some("hl-operator")),
    ("keyword.control", Some("hl-keyword")),
    ("keyword.declaration", Some("hl-keyword")),
    ("keyword", Some("hl-keyword")),
    ("storage", Some("hl-keyword")),
    ("entity.name.tag.yaml", Some("hl-name")),
    ("entity.name.tag.toml", Some("hl-name")),
    ("entity.name.tag", Some("hl-tag")),
    ("entity.other.attribute-name", Some("hl-attribute")),
    ("entity.other.inherited-class", Some("hl-name")),
    ("entity", Some("hl-name")),
    ("support.type.property-name", Some("hl-name")),
    ("support.constant", Some("hl-constant")),
    ("support", Some("hl-name")),
    ("variable.function", Some("hl-name")),
    ("variable.language", Some("hl-constant")),
    ("variable.parameter.option", Some("hl-attribute")),
    ("variable.parameter", Some("hl-variable")),
    ("variable.other.readwrite", Some("hl-variable")),
    ("variable.other.member", None),
    ("variable", Some("hl-variable")),
    ("markup.inserted", Some("hl-inserted")),
    ("markup.deleted", Some("hl-deleted")),
    ("markup.heading", Some("hl-keyword")),
    ("markup.raw", Some("hl-string")),
    ("markup.underline.link", Some("hl-string")),
    ("meta.diff.header", Some("hl-comment")),
    ("meta.diff.range", Some("hl-number")),
];

/// What is around the name of a property, which is a string to the grammar.
pub(super) const KEYS: [&str; 3] = ["meta.mapping.key", "meta.structure.dictionary.key", "meta.object-literal.key"];

/// Names that authors use, and the grammar's name.
pub(super) const ALIASES: [(&str, &str); 20] = [
    ("console", "bash"),
    ("shell-session", "bash"),
    ("shellsession", "bash"),
    ("shell", "bash"),
    ("zsh", "bash"),
    ("jsonc", "json"),
    ("json5", "json"),
    ("jsonl", "json"),
    ("golang", "go"),
    ("hcl", "tf"),
    ("terraform", "tf"),
    ("yml", "yaml"),
    ("proto3", "proto"),
    ("protobuf", "proto"),
    ("patch", "diff"),
    ("mjs", "js"),
    ("node", "js"),
    ("docker", "dockerfile"),
    ("systemd", "ini"),
    ("make", "makefile"),
];
