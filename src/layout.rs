//! The layout of the content folder: the role of each file, and the addresses of the site that are reserved for generated pages.

mod generated;

pub use generated::{DATA_FOLDER, GeneratedFile, GeneratedPage};

use crate::{config::Config, id::Lang, summary};

/// The folder with one subfolder for each component.
pub const COMPONENTS: &str = "components";
/// The folder with one subfolder for each provider.
pub const PROVIDERS: &str = "providers";
/// The folder with one subfolder for each concept.
pub const CONCEPTS: &str = "concepts";
/// The folder of the home page.
pub const HOME: &str = "index";
/// The facts file in the folder of an entity.
pub const FACTS: &str = "facts.yaml";
/// The file in the folder of a provider with the versions of components in its releases.
pub const VERSIONS: &str = "versions.yaml";
/// The file with the vocabulary, at the top of the content folder.
pub const VOCABULARY: &str = "vocabulary.yaml";
/// The file with the diagrams, at the top of the content folder.
pub const DIAGRAMS: &str = "diagrams.yaml";

/// The three kinds of entities, which have facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// A part of a cluster.
    Component,
    /// A distribution, service or tool that creates clusters.
    Provider,
    /// Background knowledge that is not about a single component.
    Concept,
}

impl EntityKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Component, Self::Provider, Self::Concept];

    /// The name of the folder, which is also the beginning of the URL.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Component => COMPONENTS,
            Self::Provider => PROVIDERS,
            Self::Concept => CONCEPTS,
        }
    }

    /// The noun for messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Component => "component",
            Self::Provider => "provider",
            Self::Concept => "concept",
        }
    }
}

/// A section that is generated from the facts, on the page of a component, provider or concept. Its anchor is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactSection {
    /// Names in `kubectl` output.
    Names,
    /// Whether it can be deleted.
    Removal,
    /// The providers that have it.
    Providers,
    /// Relations to other entities, in both directions.
    Relations,
    /// The lifecycle by release.
    Lifecycle,
    /// Ports.
    Ports,
    /// Flags.
    Flags,
    /// Alerts, metrics, labels and other names outside of listings.
    KnownNames,
    /// The architecture diagram of a provider.
    Architecture,
    /// The components of a provider.
    Claims,
    /// The sources of the evidence.
    Sources,
}

impl FactSection {
    /// The anchors of all sections, of the list of pages that mention an entity, of the beginning of a text, and the beginning of those of sources.
    pub const ANCHORS: &[&str] = &[
        "names",
        "removal",
        "providers",
        "relations",
        "lifecycle",
        "ports",
        "flags",
        "other-names",
        "architecture",
        "claims",
        "sources",
        "source-",
        "mentions",
        "overview",
    ];

    /// The anchor.
    #[must_use]
    pub const fn anchor(self) -> &'static str {
        match self {
            Self::Names => "names",
            Self::Removal => "removal",
            Self::Providers => "providers",
            Self::Relations => "relations",
            Self::Lifecycle => "lifecycle",
            Self::Ports => "ports",
            Self::Flags => "flags",
            Self::KnownNames => "other-names",
            Self::Architecture => "architecture",
            Self::Claims => "claims",
            Self::Sources => "sources",
        }
    }
}

/// The id of the heading above the table of symptoms.
pub const SYMPTOMS: &str = "symptoms";

/// The parts of a component's page, in the order of the questions of its readers. Each contains sections of the text and of the facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PagePart {
    /// Symptoms, and how to check the health.
    Troubleshooting,
    /// The text without the sections of other parts, and the relations.
    How,
    /// The providers that have it.
    Providers,
    /// Names in `kubectl` output.
    Names,
    /// What changed in which release.
    Versions,
    /// Ports, flags, names outside of listings, and sources.
    Reference,
}

impl PagePart {
    /// All parts in order.
    pub const ALL: [Self; 6] = [Self::Troubleshooting, Self::How, Self::Providers, Self::Names, Self::Versions, Self::Reference];

    /// The part that a section of the text belongs to, by the id of its heading.
    #[must_use]
    pub fn of_heading(id: &str) -> Self {
        match id {
            SYMPTOMS | "health" => Self::Troubleshooting,
            "listing" => Self::Names,
            "versions" => Self::Versions,
            _ => Self::How,
        }
    }

    /// The part that a section of the facts belongs to; `None` for the answer, which is before all parts, and for sections that components don't have.
    #[must_use]
    pub const fn of_facts(section: FactSection) -> Option<Self> {
        match section {
            FactSection::Removal | FactSection::Architecture | FactSection::Claims => None,
            FactSection::Names => Some(Self::Names),
            FactSection::Providers => Some(Self::Providers),
            FactSection::Relations => Some(Self::How),
            FactSection::Lifecycle => Some(Self::Versions),
            FactSection::Ports | FactSection::Flags | FactSection::KnownNames | FactSection::Sources => Some(Self::Reference),
        }
    }

    /// The name in the strings of the user interface, after `part_`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Troubleshooting => "troubleshooting",
            Self::How => "how",
            Self::Providers => "providers",
            Self::Names => "names",
            Self::Versions => "versions",
            Self::Reference => "reference",
        }
    }
}

/// The role of a file in the content folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// `vocabulary.yaml`
    Vocabulary,
    /// `diagrams.yaml`
    Diagrams,
    /// `components/<folder>/facts.yaml`, or the facts of a provider or concept. The name of the folder is not yet validated as an id.
    Facts {
        /// The kind of the entity.
        kind: EntityKind,
        /// The name of the folder.
        folder: String,
    },
    /// `providers/<folder>/versions.yaml`
    Versions {
        /// The name of the folder.
        folder: String,
    },
    /// The text of a page in one language.
    Page {
        /// The page's address without the language: `components/etcd`, empty for the home page.
        path: String,
        /// The language, as written in the file's name; `None` is the default language.
        lang: Option<Lang>,
    },
    /// The summary of a book.
    Summary,
    /// A page that the summary of a book does not name.
    Unlisted,
    /// A picture or a download.
    Asset,
    /// A file that the compiler does not use. The text suggests the probable intention.
    Stray(String),
}

/// The role of a file. `path` is relative to the content folder.
#[must_use]
pub fn role(path: &str, config: &Config) -> FileRole {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if path == VOCABULARY {
        return FileRole::Vocabulary;
    }
    if path == DIAGRAMS {
        return FileRole::Diagrams;
    }
    if let Some((kind, entity)) = entity_of(folder, config)
        && name == FACTS
    {
        return FileRole::Facts { kind, folder: entity.to_owned() };
    }
    if let Some((EntityKind::Provider, provider)) = entity_of(folder, config)
        && name == VERSIONS
    {
        return FileRole::Versions { folder: provider.to_owned() };
    }
    if let Some(book) = &config.summary
        && path.ends_with(".md")
    {
        return match path {
            summary::FILE => FileRole::Summary,
            path if book.contains(path) => FileRole::Page { path: chapter_address(path), lang: None },
            _ => FileRole::Unlisted,
        };
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match extension {
        "md" => page_role(folder, stem, config),
        "yaml" | "yml" | "json" | "toml" => misplaced_data(folder, name, config).map_or(FileRole::Asset, FileRole::Stray),
        "markdown" | "mdown" | "mdx" => FileRole::Stray(format!("pages end in `.md`: rename it to `{stem}.md`")),
        _ => FileRole::Asset,
    }
}

/// The kind and the name of an entity, if the folder is `components/<name>`, `providers/<name>` or `concepts/<name>`, and the site has entities.
#[must_use]
pub fn entity_of<'a>(folder: &'a str, config: &Config) -> Option<(EntityKind, &'a str)> {
    entity_folder(folder).filter(|_| config.has_entities)
}

fn entity_folder(folder: &str) -> Option<(EntityKind, &str)> {
    let (first, rest) = folder.split_once('/')?;
    let kind = EntityKind::ALL.into_iter().find(|kind| kind.folder() == first)?;
    (!rest.contains('/')).then_some((kind, rest))
}

/// Whether a file means that the site has components, providers or concepts: facts, or the vocabulary. Without such a file, folders like `components/` have no
/// special meaning. `path` is relative to the content folder.
#[must_use]
pub fn implies_entities(path: &str) -> bool {
    path == VOCABULARY || path.strip_suffix(FACTS).and_then(|folder| folder.strip_suffix('/')).and_then(entity_folder).is_some()
}

/// Whether a file is data that the compiler reads as text: facts, versions, the vocabulary or the diagrams. `path` is relative to the content folder.
#[must_use]
pub fn is_data(path: &str) -> bool {
    path == VOCABULARY || path == DIAGRAMS || matches!(path.rsplit('/').next(), Some(FACTS | VERSIONS))
}

/// The address of a chapter, as in mdBook: `guide/install.md` is `guide/install.html`, and `README.md` is the page of its folder.
fn chapter_address(file: &str) -> String {
    let path = file.strip_suffix(".md").unwrap_or(file);
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (&path[..=folder.len()], name));
    let name = if name.eq_ignore_ascii_case("README") { HOME } else { name };
    if folder.is_empty() && name == HOME { String::new() } else { format!("{folder}{name}.html") }
}

fn page_role(folder: &str, stem: &str, config: &Config) -> FileRole {
    let address = |path: &str| if path == HOME { String::new() } else { path.to_owned() };
    let is_entity = entity_of(folder, config).is_some();
    // Other names are pages: `api.md`, `go.md` and `csi-proxy.md` are valid language tags as well. But the pages of an entity are always named after a language.
    let is_known = |lang: &Lang| config.languages.iter().any(|language| language.lang == *lang);
    if let Some(lang) = Lang::new(stem).filter(|lang| is_known(lang) || (is_entity && stem.len() == 2)) {
        return FileRole::Page { path: address(folder), lang: Some(lang) };
    }
    if is_entity {
        return FileRole::Stray(format!("a page here is named after its language, such as `en.md`; `{stem}.md` is not"));
    }
    // Plain Markdown trees: README.md, index.md and _index.md are the page of their folder, any other name is a separate page.
    let own = match stem {
        "README" | "index" | "_index" => folder.to_owned(),
        _ if folder.is_empty() || folder == HOME => stem.to_owned(),
        _ => format!("{folder}/{stem}"),
    };
    FileRole::Page { path: address(&own), lang: None }
}

/// The correction of the name of a data file that the compiler would ignore; `None` for a download.
fn misplaced_data(folder: &str, name: &str, config: &Config) -> Option<String> {
    let is_entity = EntityKind::ALL.iter().any(|kind| folder.split('/').next() == Some(kind.folder()));
    if is_entity && config.has_entities && name == "facts.yml" {
        return Some("rename it to `facts.yaml`".to_owned());
    }
    if is_entity && config.has_entities && name == FACTS {
        return Some("facts go in the folder of their component, such as `components/my-agent/facts.yaml`".to_owned());
    }
    if is_entity && config.has_entities && matches!(name, VERSIONS | "versions.yml") {
        return Some(format!("versions go in the folder of their provider: `{PROVIDERS}/<provider>/{VERSIONS}`"));
    }
    match name {
        "vocabulary.yml" | VOCABULARY => Some(format!("the vocabulary is the file `{VOCABULARY}` at the top of the content folder")),
        "diagrams.yml" | DIAGRAMS => Some(format!("the list of diagrams is the file `{DIAGRAMS}` at the top of the content folder")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, lang: &str) -> FileRole {
        FileRole::Page { path: path.to_owned(), lang: Lang::new(lang) }
    }

    /// The configuration of a site in English and Japanese.
    fn config(has_entities: bool) -> Config {
        let text = "[languages.ja]\n";
        let mut config = crate::config::parse(&crate::config::FILE.into(), text, &mut crate::diagnostic::Diagnostics::new());
        config.has_entities = has_entities;
        config
    }

    #[test]
    fn roles() {
        let facts = |kind, folder: &str| FileRole::Facts { kind, folder: folder.to_owned() };
        for (path, expected) in [
            ("vocabulary.yaml", FileRole::Vocabulary),
            ("components/etcd/facts.yaml", facts(EntityKind::Component, "etcd")),
            ("providers/kind/versions.yaml", FileRole::Versions { folder: "kind".to_owned() }),
            ("concepts/pod creation/facts.yaml", facts(EntityKind::Concept, "pod creation")),
            ("components/etcd/ja.md", page("components/etcd", "ja")),
            ("components/etcd/fr.md", page("components/etcd", "fr")),
            ("components/etcd/raft.svg", FileRole::Asset),
            ("index/en.md", page("", "en")),
            ("en.md", page("", "en")),
            ("guide/deep/en.md", page("guide/deep", "en")),
            ("guide/README.md", page("guide", "")),
            ("guide/_index.md", page("guide", "")),
            ("guide/install.md", page("guide/install", "")),
            ("install.md", page("install", "")),
            ("components/en.md", page("components", "en")),
            ("guide/api.md", page("guide/api", "")),
            ("guide/go.md", page("guide/go", "")),
            ("guide/csi-proxy.md", page("guide/csi-proxy", "")),
            ("guide/fr.md", page("guide/fr", "")),
            ("guide/values.yaml", FileRole::Asset),
            ("guide/x.json", FileRole::Asset),
        ] {
            assert_eq!(role(path, &config(true)), expected, "{path}");
        }
        for stray in [
            "components/facts.yaml",
            "components/etcd/facts.yml",
            "components/etcd/versions.yaml",
            "components/etcd/notes.md",
            "vocabulary.yml",
            "a/diagrams.yaml",
        ] {
            assert!(matches!(role(stray, &config(true)), FileRole::Stray(_)), "{stray}");
        }
    }

    #[test]
    fn without_entities_their_folders_have_no_meaning() {
        for (path, expected) in [
            ("components/etcd.md", page("components/etcd", "")),
            ("components/etcd/notes.md", page("components/etcd/notes", "")),
            ("concepts/pods/ja.md", page("concepts/pods", "ja")),
            ("providers/aws/facts.yml", FileRole::Asset),
        ] {
            assert_eq!(role(path, &config(false)), expected, "{path}");
        }
        assert!(["vocabulary.yaml", "components/etcd/facts.yaml"].into_iter().all(implies_entities));
        assert!(!["a/vocabulary.yaml", "components/facts.yaml", "guide/etcd/facts.yaml"].into_iter().any(implies_entities));
    }
}
