//! The first files of a new component, provider, concept or knowledge base: templates in `scaffold/new/` and `scaffold/init/`, filled in with the vocabulary of the
//! knowledge base.

use rust_embed::RustEmbed;

use crate::{
    config::Config,
    facts::Day,
    id::{Id, Lang},
    kb::Kb,
    layout::{EntityKind, FACTS},
};

#[derive(RustEmbed)]
#[folder = "scaffold/new"]
struct EntityTemplates;

#[derive(RustEmbed)]
#[folder = "scaffold/init"]
struct StarterFiles;

/// The language whose templates are used for languages without templates.
const REFERENCE: &str = "en";

/// The path of a file and its content.
pub type ScaffoldFile = (String, Vec<u8>);

/// The files of a new entity, with paths relative to the root. `area` defaults to the first of the vocabulary. `today` is the date of its evidence.
#[must_use]
pub fn entity(kb: &Kb, kind: EntityKind, id: &Id, area: Option<&Id>, today: Day) -> Vec<ScaffoldFile> {
    let folder = format!("{}/{}/{id}", kb.config.src, kind.folder());
    let facts = fill(kb, kind, id, area, today, template(&format!("{}.yaml", kind.name())));
    let pages = kb.config.languages.iter().map(|language| {
        let own = template(&format!("{}.{}.md", kind.name(), language.lang));
        let text = if own.is_empty() { template(&format!("{}.{REFERENCE}.md", kind.name())) } else { own };
        (format!("{folder}/{}.md", language.lang), text.replace("{id}", id.as_str()).into_bytes())
    });
    std::iter::once((format!("{folder}/{FACTS}"), facts.into_bytes())).chain(pages).collect()
}

/// The files of a new page that is not about an entity, with paths relative to the root: one for each language, or one next to the other chapters of a book.
#[must_use]
pub fn page(config: &Config, path: &str) -> Vec<ScaffoldFile> {
    let text = template("page.md").into_bytes();
    match config.languages.as_slice() {
        [_] => vec![(format!("{}/{path}.md", config.src), text)],
        _ if config.summary.is_some() => vec![(format!("{}/{path}.md", config.src), text)],
        languages => languages.iter().map(|language| (format!("{}/{path}/{}.md", config.src, language.lang), text.clone())).collect(),
    }
}

/// The files of a small, complete knowledge base, sorted by path.
#[must_use]
pub fn starter() -> Vec<ScaffoldFile> {
    let files = StarterFiles::iter().filter_map(|path| {
        let data = StarterFiles::get(&path)?.data.into_owned();
        // Under its real name, the file would apply to this repository.
        let is_dotfile = ["gitignore", "github/"].iter().any(|name| path.starts_with(name));
        let path = if is_dotfile { format!(".{path}") } else { path.to_string() };
        Some((path, data))
    });
    let mut files: Vec<ScaffoldFile> = files.collect();
    files.sort();
    files
}

fn template(name: &str) -> String {
    EntityTemplates::get(name).map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
}

fn fill(kb: &Kb, kind: EntityKind, id: &Id, area: Option<&Id>, today: Day, mut text: String) -> String {
    let vocabulary = &kb.vocabulary;
    let ids = |all: Vec<&Id>| all.into_iter().map(Id::as_str).collect::<Vec<_>>().join(", ");
    let first = |all: &[&Id]| all.first().map_or_else(|| "unknown".to_owned(), ToString::to_string);
    let areas: Vec<&Id> = vocabulary.areas.iter().map(|it| &it.id).collect();
    let places: Vec<&Id> = vocabulary.places.iter().map(|it| &it.id).collect();
    let kinds: Vec<&Id> = vocabulary.provider_kinds.iter().map(|it| &it.id).collect();
    if places.is_empty() {
        text = without_lines(&text, "place:");
    }
    if vocabulary.releases.is_empty() {
        // Without releases, a lifecycle has only a state.
        text = without_lines(&text, "  since:");
    }
    if let (Some(area), EntityKind::Component | EntityKind::Concept) = (area, kind) {
        text = text.replace("area: {area} # TODO: one of {areas}, or remove this line", &format!("area: {area}"));
        text = text.replace("area: {area} # TODO: one of {areas}", &format!("area: {area}"));
    }
    let values = [
        ("{listing}", if has_rows(kb) { template("listing.yaml") } else { String::new() }),
        ("{claims}", claims(kb)),
        ("{id}", id.to_string()),
        ("{areas}", ids(areas.clone())),
        ("{area}", first(&areas)),
        ("{places}", ids(places.clone())),
        ("{place}", first(&places)),
        ("{kinds}", ids(kinds.clone())),
        ("{kind}", first(&kinds)),
        ("{roles}", ids(vocabulary.roles.iter().map(|it| &it.id).collect())),
        ("{verbs}", ids(vocabulary.verbs.iter().map(|it| &it.id).collect())),
        ("{today}", today.to_string()),
    ];
    text = values.into_iter().fold(text, |text, (name, value)| text.replace(name, &value));
    texts(&text, &kb.config.languages.iter().map(|language| &language.lang).collect::<Vec<_>>())
}

fn has_rows(kb: &Kb) -> bool {
    kb.components.is_empty() || kb.components.values().any(|component| !component.listing.is_empty())
}

/// One claim for each role, in YAML.
fn claims(kb: &Kb) -> String {
    let lines = kb.vocabulary.roles.iter().map(|role| {
        format!("  - {{role: {}, presence: unknown}} # TODO: component, presence, form, since, what, evidence: [source]\n", role.id)
    });
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { "  []\n".to_owned() } else { lines.concat() }
}

fn without_lines(text: &str, beginning: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with(beginning)).collect()
}

/// Replaces each `<<English|Japanese>>` by a YAML map with a `TODO` in every language of the site.
fn texts(text: &str, languages: &[&Lang]) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (inside, after))) = rest.split_once("<<").and_then(|(before, rest)| Some((before, rest.split_once(">>")?))) {
        let (english, japanese) = inside.split_once('|').unwrap_or((inside, inside));
        let each = languages.iter().map(|lang| format!("{lang}: \"TODO: {}\"", if lang.as_str() == "ja" { japanese } else { english }));
        let each = each.collect::<Vec<_>>().join(", ");
        written.extend([before, "{", &each, "}"]);
        rest = after;
    }
    written + rest
}
