//! Where files are: which role a file of the content folder has, and which addresses of the site the program uses itself.

mod generated;

pub use generated::{GENERATED_FOLDERS, GeneratedFile, GeneratedPage};

use crate::{config::Language, id::Lang};

/// The folder with one folder for each component.
pub const COMPONENTS: &str = "components";
/// The folder with one folder for each provider.
pub const PROVIDERS: &str = "providers";
/// The folder with one folder for each concept.
pub const CONCEPTS: &str = "concepts";
/// The folder of the home page.
pub const HOME: &str = "index";
/// The file of facts in a folder.
pub const FACTS: &str = "facts.yaml";
/// The file of words, at the top of the content folder.
pub const VOCABULARY: &str = "vocabulary.yaml";
/// The file that says what is drawn, at the top of the content folder.
pub const DIAGRAMS: &str = "diagrams.yaml";

/// The three kinds of things that have facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntityKind {
    /// A thing that runs in a cluster.
    Component,
    /// Something that assembles a cluster.
    Provider,
    /// An explanation that is no component.
    Concept,
}

impl EntityKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Component, Self::Provider, Self::Concept];

    /// The folder, which is also the beginning of the URL.
    #[must_use]
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Component => COMPONENTS,
            Self::Provider => PROVIDERS,
            Self::Concept => CONCEPTS,
        }
    }

    /// The word in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Component => "component",
            Self::Provider => "provider",
            Self::Concept => "concept",
        }
    }
}

/// A section that the program adds to the page of a component, provider or concept. Its anchor is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FactSection {
    /// Names as printed.
    Names,
    /// The verdict.
    Removal,
    /// Which providers have it.
    Providers,
    /// What it does to others, and they to it.
    Relations,
    /// States by release.
    Lifecycle,
    /// Ports.
    Ports,
    /// Flags.
    Flags,
    /// What runs where at a provider.
    Architecture,
    /// What a provider ships.
    Claims,
    /// Where all this was seen.
    Sources,
}

impl FactSection {
    /// The anchors of all of them, and of the list of pages that mention a thing.
    pub const ANCHORS: &[&str] =
        &["names", "removal", "providers", "relations", "lifecycle", "ports", "flags", "architecture", "claims", "sources", "mentions"];

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
            Self::Architecture => "architecture",
            Self::Claims => "claims",
            Self::Sources => "sources",
        }
    }
}

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// `vocabulary.yaml`
    Vocabulary,
    /// `diagrams.yaml`
    Diagrams,
    /// `components/<folder>/facts.yaml` and the like; the folder's name is not yet proven to be an id.
    Facts {
        /// Of what.
        kind: EntityKind,
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
    /// A picture or a download.
    Asset,
    /// Nothing that the compiler uses; the text says what was probably meant.
    Stray(String),
}

/// Says what a file of the content folder is, from its path relative to that folder, in a site with these languages.
#[must_use]
pub fn role(path: &str, languages: &[Language]) -> FileRole {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    if path == VOCABULARY {
        return FileRole::Vocabulary;
    }
    if path == DIAGRAMS {
        return FileRole::Diagrams;
    }
    if let Some((kind, entity)) = entity_of(folder)
        && name == FACTS
    {
        return FileRole::Facts { kind, folder: entity.to_owned() };
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match extension {
        "md" => page_role(folder, stem, languages),
        "yaml" | "yml" | "json" | "toml" => FileRole::Stray(stray_data(folder, name)),
        "markdown" | "mdown" | "mdx" => FileRole::Stray(format!("pages end in `.md`: rename it to `{stem}.md`")),
        _ => FileRole::Asset,
    }
}

/// The kind and the name if this folder is `components/<name>` or the like.
#[must_use]
pub fn entity_of(folder: &str) -> Option<(EntityKind, &str)> {
    let (first, rest) = folder.split_once('/')?;
    let kind = EntityKind::ALL.into_iter().find(|kind| kind.folder() == first)?;
    (!rest.contains('/')).then_some((kind, rest))
}

fn page_role(folder: &str, stem: &str, languages: &[Language]) -> FileRole {
    let address = |path: &str| if path == HOME { String::new() } else { path.to_owned() };
    // `fr.md` in a site without French is a mistake to be named; `api.md` and `faq.md` are pages, though three letters can be a language, too.
    let known = |lang: &Lang| languages.iter().any(|language| language.lang == *lang);
    if let Some(lang) = Lang::new(stem).filter(|lang| known(lang) || stem.len() != 3) {
        return FileRole::Page { path: address(folder), lang: Some(lang) };
    }
    if entity_of(folder).is_some() {
        return FileRole::Stray(format!("a page here is named after its language, such as `en.md`; `{stem}.md` is not"));
    }
    // Plain Markdown trees: README.md and index.md stand for their folder, any other name is a page of its own.
    let own = match stem {
        "README" | "index" => folder.to_owned(),
        _ if folder.is_empty() || folder == HOME => stem.to_owned(),
        _ => format!("{folder}/{stem}"),
    };
    FileRole::Page { path: address(&own), lang: None }
}

fn stray_data(folder: &str, name: &str) -> String {
    if name == "facts.yml" {
        return "rename it to `facts.yaml`".to_owned();
    }
    if name == FACTS && EntityKind::ALL.iter().any(|kind| folder.split('/').next() == Some(kind.folder())) {
        return "facts go in the folder of their component, such as `components/my-agent/facts.yaml`".to_owned();
    }
    if name.starts_with("vocabulary.") {
        return format!("the vocabulary is the file `{VOCABULARY}` at the top of the content folder");
    }
    if name.starts_with("diagrams.") {
        return format!("the list of diagrams is the file `{DIAGRAMS}` at the top of the content folder");
    }
    format!("only `{VOCABULARY}`, `{DIAGRAMS}` and `{FACTS}` are data; remove it, or move it out of the content folder")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str, lang: &str) -> FileRole {
        FileRole::Page { path: path.to_owned(), lang: Lang::new(lang) }
    }

    #[test]
    fn roles() {
        let facts = |kind, folder: &str| FileRole::Facts { kind, folder: folder.to_owned() };
        for (path, expected) in [
            ("vocabulary.yaml", FileRole::Vocabulary),
            ("components/etcd/facts.yaml", facts(EntityKind::Component, "etcd")),
            ("concepts/pod creation/facts.yaml", facts(EntityKind::Concept, "pod creation")),
            ("components/etcd/ja.md", page("components/etcd", "ja")),
            ("components/etcd/raft.svg", FileRole::Asset),
            ("index/en.md", page("", "en")),
            ("en.md", page("", "en")),
            ("guide/deep/en.md", page("guide/deep", "en")),
            ("guide/README.md", page("guide", "")),
            ("guide/install.md", page("guide/install", "")),
            ("install.md", page("install", "")),
            ("components/en.md", page("components", "en")),
            ("guide/api.md", page("guide/api", "")),
            ("guide/fr.md", page("guide", "fr")),
        ] {
            assert_eq!(role(path, &[]), expected, "{path}");
        }
        for stray in ["components/facts.yaml", "components/etcd/facts.yml", "components/etcd/notes.md", "vocabulary.yml", "guide/x.json"] {
            assert!(matches!(role(stray, &[]), FileRole::Stray(_)), "{stray}");
        }
    }
}
