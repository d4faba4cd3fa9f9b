//! Loads one file of the content folder as a draft.

use std::{collections::BTreeMap, sync::Arc};

use serde::de::DeserializeOwned;

use super::{
    asset::asset,
    draft::{Asset, Loaded, PageDraft},
    page::page,
    unfinished, wording,
};
use crate::{
    config::Config,
    decode::decode,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{ComponentFacts, ConceptFacts, ProviderFacts, VersionsFacts, VocabularyFacts},
    id::{Id, Lang},
    layout::{self, EntityKind, FactSection, FileRole},
    markdown::{self, Options},
    read::{Content, Sources},
    terminology::Terminology,
    text::{Span, did_you_mean},
    theme::{self, Theme},
    yaml,
};

#[derive(Clone, Debug)]
pub(super) enum FileDraft {
    Component(Arc<Loaded<ComponentFacts>>),
    Provider(Arc<Loaded<ProviderFacts>>),
    Concept(Arc<Loaded<ConceptFacts>>),
    Versions(Arc<Loaded<VersionsFacts>>),
    Page(Arc<PageDraft>),
    Asset(Asset),
    /// A page that is not in the summary.
    Unlisted,
    /// A page in a folder whose name can't be an id.
    Misplaced,
    /// A file that another part of the program reads, or that is reported and left out.
    Nothing,
}

/// Everything except the file itself that its draft depends on.
#[derive(Debug)]
pub(super) struct Environment {
    pub(super) config: Arc<Config>,
    pub(super) languages_known: bool,
    pub(super) markdown: BTreeMap<Lang, MarkdownSettings>,
    pub(super) terminology: Terminology,
}

/// The settings for rendering the Markdown of one language.
#[derive(Debug, PartialEq)]
pub(super) struct MarkdownSettings {
    glossary: BTreeMap<String, String>,
    labels: markdown::Labels,
}

impl Environment {
    pub(super) fn new(config: Arc<Config>, languages_known: bool, vocabulary: &VocabularyFacts, theme: &Theme) -> Self {
        let languages = config.languages.iter().map(|language| &language.lang);
        let markdown = languages.map(|lang| (lang.clone(), MarkdownSettings::new(lang, vocabulary, theme))).collect();
        Self { config, languages_known, markdown, terminology: Terminology::new(&vocabulary.terms) }
    }

    fn languages(&self) -> impl Iterator<Item = &str> {
        self.config.languages.iter().map(|language| language.lang.as_str())
    }
}

impl PartialEq for Environment {
    fn eq(&self, other: &Self) -> bool {
        self.config.src == other.config.src
            && self.config.has_entities == other.config.has_entities
            && self.config.allow_html == other.config.allow_html
            && self.config.summary == other.config.summary
            && self.config.has_smart_punctuation() == other.config.has_smart_punctuation()
            && self.config.math == other.config.math
            && self.config.hidden_lines == other.config.hidden_lines
            && self.config.variables == other.config.variables
            && self.languages().eq(other.languages())
            && self.languages_known == other.languages_known
            && self.markdown == other.markdown
            && self.terminology == other.terminology
    }
}

impl MarkdownSettings {
    fn new(lang: &Lang, vocabulary: &VocabularyFacts, theme: &Theme) -> Self {
        let glossary = vocabulary.glossary.iter().filter_map(|(term, texts)| Some((term.clone(), texts.get(lang)?.clone()))).collect();
        Self { glossary, labels: theme.strings.get(lang).map(theme::Strings::labels).unwrap_or_default() }
    }
}

/// Loads files one by one.
#[derive(Clone, Copy)]
pub(super) struct FileLoader<'a> {
    pub(super) sources: &'a Sources,
    pub(super) environment: &'a Environment,
}

impl FileLoader<'_> {
    /// Loads a file; `inner` is its path below the content folder.
    pub(super) fn load(self, inner: &str, file: &Arc<str>, content: &Content, diagnostics: &mut Diagnostics) -> FileDraft {
        if let Some(reason) = unportable(inner) {
            let message = format!("this name is not valid on Windows: {reason}");
            let help = "rename the file or folder, so that the repository can be cloned on every system";
            diagnostics.report(Rule::UnportableName, Place::new(file.clone(), Span::at(0)), message, help);
        }
        let text = match content {
            Content::Text(text) => Some(text),
            Content::Bytes(_) | Content::Unusable => None,
        };
        match (layout::role(inner, &self.environment.config), content) {
            (FileRole::Facts { kind, folder }, _) => self.entity(kind, &folder, file, text.map(|text| &**text), diagnostics),
            (FileRole::Versions { folder }, _) => self.versions(&folder, file, text.map(|text| &**text), diagnostics),
            (FileRole::Page { path, lang }, _) => self.page(path, lang, file, text, diagnostics),
            (FileRole::Asset, content) => {
                let bytes = match content {
                    Content::Bytes(bytes) => bytes.clone(),
                    Content::Text(text) => text.as_bytes().into(),
                    Content::Unusable => Arc::new([]),
                };
                asset(inner, file, bytes, &self.environment.config, diagnostics).map_or(FileDraft::Nothing, FileDraft::Asset)
            }
            (FileRole::Stray(help), Content::Text(_) | Content::Bytes(_)) => {
                let place = Place::new(file.clone(), Span::at(0));
                diagnostics.report(Rule::StrayFile, place, "this file has no meaning here", help);
                FileDraft::Nothing
            }
            (FileRole::Vocabulary | FileRole::Diagrams, Content::Text(text)) => {
                // The values are read elsewhere, before the terms are known; errors are reported there.
                if let Some(node) = yaml::parse(file, text, 0, &mut Diagnostics::new()) {
                    wording::check_data(file, text, &node, &self.environment.terminology, diagnostics);
                }
                FileDraft::Nothing
            }
            (FileRole::Unlisted, _) => FileDraft::Unlisted,
            (FileRole::Vocabulary | FileRole::Diagrams | FileRole::Summary | FileRole::Stray(_), _) => FileDraft::Nothing,
        }
    }

    fn page(self, path: String, lang: Option<Lang>, file: &Arc<str>, text: Option<&Arc<str>>, diagnostics: &mut Diagnostics) -> FileDraft {
        let place = || Place::new(file.clone(), Span::at(0));
        let Environment { config, languages_known, markdown, terminology } = self.environment;
        if let Some((_, folder)) = layout::entity_of(&path, config)
            && let Err((message, help)) = folder_id(folder)
        {
            // Reported once for the folder: at its facts, or at its pages if it has no facts.
            let facts = format!("{}/{path}/{}", config.src, layout::FACTS);
            if !self.sources.files.contains_key(facts.as_str()) {
                diagnostics.report(Rule::BadName, place(), message, help);
            }
            return FileDraft::Misplaced;
        }
        // With an invalid list of languages, any name of a language may be one.
        let stem = file.rsplit('/').next().and_then(|name| name.strip_suffix(".md")).unwrap_or_default();
        if !languages_known && lang.is_none() && stem.len() == 2 && Lang::new(stem).is_some() {
            return FileDraft::Nothing;
        }
        let lang = lang.unwrap_or_else(|| config.default_language().clone());
        let Some(settings) = markdown.get(&lang) else {
            if *languages_known {
                let known: Vec<&str> = self.environment.languages().collect();
                let message = format!("`{lang}` is not a language of this site");
                let help = format!("its languages are `{}`; add a table `[languages.{lang}]` to book.toml", known.join("`, `"));
                diagnostics.push(Diagnostic::new(Rule::StrayFile, place(), message).suggest(did_you_mean(lang.as_str(), known), help));
            }
            return FileDraft::Nothing;
        };
        let Some(text) = text else { return FileDraft::Page(Arc::new(PageDraft::unreadable(path.into(), lang, file))) };
        let kind = layout::entity_of(&path, config).map(|(kind, _)| kind);
        let options = Options {
            glossary: &settings.glossary,
            labels: &settings.labels,
            allow_html: config.allow_html,
            smart_punctuation: config.has_smart_punctuation(),
            math: config.math,
            hidden_lines: &config.hidden_lines,
            has_facts: config.has_entities,
            reserved: if kind.is_some() { FactSection::ANCHORS } else { &[] },
        };
        let inputs = (self.sources, &config.variables);
        FileDraft::Page(Arc::new(page((path.into(), lang, kind), file, text, inputs, (&options, terminology), diagnostics)))
    }

    fn entity(self, kind: EntityKind, folder: &str, file: &Arc<str>, text: Option<&str>, diagnostics: &mut Diagnostics) -> FileDraft {
        let id = match folder_id(folder) {
            Ok(id) => id,
            Err((message, help)) => {
                diagnostics.report(Rule::BadName, Place::new(file.clone(), Span::at(0)), message, help);
                return FileDraft::Nothing;
            }
        };
        match kind {
            EntityKind::Component => FileDraft::Component(Arc::new(self.loaded(id, file, text, diagnostics))),
            EntityKind::Provider => FileDraft::Provider(Arc::new(self.loaded(id, file, text, diagnostics))),
            EntityKind::Concept => FileDraft::Concept(Arc::new(self.loaded(id, file, text, diagnostics))),
        }
    }

    fn versions(self, folder: &str, file: &Arc<str>, text: Option<&str>, diagnostics: &mut Diagnostics) -> FileDraft {
        // A folder whose name can't be an id is reported at its facts, or else where it has none.
        Id::new(folder).map_or(FileDraft::Nothing, |id| FileDraft::Versions(Arc::new(self.loaded(id, file, text, diagnostics))))
    }

    fn loaded<T: DeserializeOwned>(self, id: Id, file: &Arc<str>, text: Option<&str>, diagnostics: &mut Diagnostics) -> Loaded<T> {
        let terminology = Some(&self.environment.terminology);
        let (facts, whole) = text.map_or((None, false), |text| facts(file, text, terminology, diagnostics));
        Loaded { id, file: file.clone(), facts, whole }
    }
}

/// The reason why Windows rejects a path (Microsoft, "Naming Files, Paths, and Namespaces"); `None` if it accepts the path. Control characters and `\\` are
/// rejected earlier.
fn unportable(path: &str) -> Option<String> {
    const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];
    let reason = |name: &str| {
        let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
        let is_port = |prefix| stem.strip_prefix(prefix).is_some_and(|number| matches!(number.as_bytes(), [b'1'..=b'9']));
        if DEVICES.contains(&stem.as_str()) || is_port("com") || is_port("lpt") {
            return Some(format!("`{stem}` is a device"));
        }
        if let Some(letter) = name.chars().find(|letter| r#"<>:"|?*"#.contains(*letter)) {
            return Some(format!("it has `{letter}`"));
        }
        name.ends_with(['.', ' ']).then(|| "it ends with a dot or a space".to_owned())
    };
    path.split('/').find_map(reason)
}

/// The id of an entity from the name of its folder; otherwise, a message and its help.
fn folder_id(folder: &str) -> Result<Id, (String, String)> {
    Id::new(folder).map_err(|why| {
        let help = match Id::nearest(folder) {
            nearest if nearest.is_empty() => "rename the folder".to_owned(),
            nearest => format!("rename the folder to `{nearest}`"),
        };
        (format!("the folder `{folder}` cannot be an id: {why}"), help)
    })
}

/// Reads a data file and checks its texts with `terminology`. The second value is whether no part was dropped because of an error.
pub(super) fn facts<T: DeserializeOwned>(
    file: &Arc<str>,
    text: &str,
    terminology: Option<&Terminology>,
    diagnostics: &mut Diagnostics,
) -> (Option<T>, bool) {
    let mut found = Diagnostics::new();
    let node = yaml::parse(file, text, 0, &mut found);
    let facts = node.as_ref().and_then(|node| decode(file, node, &mut found));
    if node.is_none() && !found.has_errors() {
        let place = Place::new(file.clone(), Span::at(0));
        found.push(
            Diagnostic::new(Rule::EmptyFile, place, "this file has no content")
                .help("write the facts, or remove the file; `ksys-docs schema` prints the format"),
        );
    }
    let whole = !found.has_errors();
    unfinished::report(file, text, false, &mut found);
    if let (Some(node), Some(terminology)) = (&node, terminology) {
        wording::check_data(file, text, node, terminology, &mut found);
    }
    diagnostics.extend(found.all_sorted());
    (facts, whole)
}

#[cfg(test)]
mod tests {
    use super::unportable;

    #[test]
    fn names_that_windows_refuses() {
        for path in ["con.md", "guide/AUX/en.md", "a/lpt1.txt", "a:b.md", "what?.md", "dot./x", "space /x", "COM9", "nul .txt"] {
            assert!(unportable(path).is_some(), "{path}");
        }
        for path in ["console.md", "guide/auxiliary/en.md", "com.md", "com0.md", "com10.md", ".hidden", "a b/日本.md", "x(1)[2].png"] {
            assert_eq!(unportable(path), None, "{path}");
        }
    }
}
