//! The severities that a site gives to rules.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Rule, Severity};

/// The severity of a rule, as written in `book.toml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RuleLevel {
    /// A finding prevents the build.
    Error,
    /// A finding is reported.
    Warning,
    /// A finding is not reported.
    Off,
}

/// The severities of rules, in general and by folder. A rule that is not named has its own severity. A copy shares the settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleLevels(Arc<Vec<FolderLevels>>);

/// The severities of rules for the files in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderLevels {
    /// The folder, relative to the root of the knowledge base, with a slash at the end; empty for the root.
    pub folder: String,
    /// By rule.
    pub rules: BTreeMap<Rule, RuleLevel>,
}

impl RuleLevels {
    /// The settings of several folders. For a file, those of the innermost folder apply first.
    #[must_use]
    pub fn new(mut folders: Vec<FolderLevels>) -> Self {
        folders.retain(|folder| !folder.rules.is_empty());
        folders.sort_by_key(|folder| std::cmp::Reverse(folder.folder.len()));
        Self(Arc::new(folders))
    }

    /// These settings, and warnings for rules that they don't name.
    #[must_use]
    pub fn with_warnings(&self, rules: &[Rule]) -> Self {
        let rules = rules.iter().map(|rule| (*rule, RuleLevel::Warning)).collect();
        let mut folders = self.0.to_vec();
        folders.push(FolderLevels { folder: String::new(), rules });
        Self(Arc::new(folders))
    }

    /// The severity of a finding of a rule in a file; `None` if it is not reported.
    #[must_use]
    pub fn severity(&self, rule: Rule, file: Option<&str>) -> Option<Severity> {
        let applies = |levels: &&FolderLevels| levels.folder.is_empty() || file.is_some_and(|file| file.starts_with(&levels.folder));
        match self.0.iter().filter(applies).find_map(|levels| levels.rules.get(&rule)) {
            None => Some(rule.severity()),
            Some(RuleLevel::Error) => Some(Severity::Error),
            Some(RuleLevel::Warning) => Some(Severity::Warning),
            Some(RuleLevel::Off) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_folder_applies() {
        let of = |folder: &str, level| FolderLevels { folder: folder.to_owned(), rules: BTreeMap::from([(Rule::DeadLink, level)]) };
        let levels =
            RuleLevels::new(vec![of("", RuleLevel::Off), of("content/a/b/", RuleLevel::Error), of("content/a/", RuleLevel::Warning)]);
        let severity = |file| levels.severity(Rule::DeadLink, file);
        assert_eq!(severity(None), None);
        assert_eq!(severity(Some("content/x.md")), None);
        assert_eq!(severity(Some("content/a/x.md")), Some(Severity::Warning));
        assert_eq!(severity(Some("content/a/b/x.md")), Some(Severity::Error));
        assert_eq!(levels.severity(Rule::MissingSummary, Some("content/a/x.md")), Some(Severity::Warning));
    }
}
