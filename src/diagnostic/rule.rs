//! The kinds of findings. Each has a page in `content/rules/<name>/` with a description, its reason, an example and the fix.

use super::Severity::{self, Error, Warning};

/// Defines [`Rule`] from one list of variants, names, severities and summaries (the doc comments).
macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal, $severity:ident;)+) => {
        /// A named kind of finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl Rule {
            /// All rules, in the order of the stages that report them.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in reports, URLs and `ksys-docs rule NAME`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)+ }
            }

            /// The severity of its findings.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$variant => $severity,)+ }
            }

            /// One sentence about what is reported.
            #[must_use]
            pub fn summary(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim(),)+ }
            }
        }
    };
}

rules! {
    // Reading files.
    /// A file or folder cannot be read.
    UnreadableFile = "unreadable-file", Error;
    /// A text file is not UTF-8.
    NotUtf8 = "not-utf8", Error;
    /// A file is larger than the compiler accepts.
    FileTooLarge = "file-too-large", Error;
    /// A symbolic link refers to a folder that contains it.
    SymlinkLoop = "symlink-loop", Error;
    /// A symbolic link points outside of the repository, or to a hidden file.
    SymlinkOutside = "symlink-outside", Error;
    /// A name of a file or folder is not valid as an id or in a URL.
    BadName = "bad-name", Error;
    /// A file name is not valid on some operating systems.
    UnportableName = "unportable-name", Warning;
    /// The clone is shallow, so the dates of the last changes are unknown.
    ShallowHistory = "shallow-history", Warning;
    /// A file in `content` has no meaning at its place.
    StrayFile = "stray-file", Warning;
    /// A file that must have content is empty.
    EmptyFile = "empty-file", Error;

    // Reading YAML and TOML.
    /// The text is not YAML.
    YamlSyntax = "yaml-syntax", Error;
    /// The text is not TOML.
    TomlSyntax = "toml-syntax", Error;
    /// A key is repeated in one map.
    DuplicateKey = "duplicate-key", Error;
    /// Nesting or aliases exceed the limits.
    TooComplex = "too-complex", Error;
    /// A key is not part of the format.
    UnknownField = "unknown-field", Error;
    /// A value has the wrong type.
    WrongType = "wrong-type", Error;
    /// A value has the right type but is not valid.
    InvalidValue = "invalid-value", Error;
    /// A required key is missing.
    MissingField = "missing-field", Error;

    // Configuration.
    /// A setting of `book.toml` contradicts another one or the knowledge base.
    BadConfig = "bad-config", Error;

    // Facts.
    /// Two things have the same id.
    DuplicateId = "duplicate-id", Error;
    /// An id does not exist.
    UnknownId = "unknown-id", Error;
    /// A word is not in the vocabulary.
    UnknownWord = "unknown-word", Error;
    /// An evidence key is not in the file's evidence map.
    UnknownEvidence = "unknown-evidence", Error;
    /// A claim has no evidence.
    MissingEvidence = "missing-evidence", Warning;
    /// An evidence entry supports no claim.
    UnusedEvidence = "unused-evidence", Warning;
    /// An evidence entry has no source, or its date is not possible.
    BadEvidence = "bad-evidence", Error;
    /// A text is missing in one of the languages.
    MissingText = "missing-text", Warning;
    /// The same relation is stated twice.
    DuplicateRelation = "duplicate-relation", Error;
    /// Relations or replacements form a cycle.
    RelationCycle = "relation-cycle", Error;
    /// Facts about a deletion contradict each other or a relation.
    ContradictoryDeletion = "contradictory-deletion", Error;
    /// The releases of a lifecycle are out of order.
    LifecycleOrder = "lifecycle-order", Error;
    /// The state of a lifecycle contradicts its releases.
    LifecycleState = "lifecycle-state", Error;
    /// The same claim is made twice.
    DuplicateClaim = "duplicate-claim", Error;
    /// A name pattern is not valid.
    BadPattern = "bad-pattern", Error;
    /// An example is not recognised as its component.
    ExampleNotRecognised = "example-not-recognised", Error;
    /// A counter-example is recognised as the component.
    CounterExampleRecognised = "counter-example-recognised", Error;
    /// Two components match the same name.
    PatternClash = "pattern-clash", Error;
    /// A component has name patterns but no example.
    MissingExample = "missing-example", Warning;
    /// No page has a word of a group of synonyms.
    UnusedSynonyms = "unused-synonyms", Warning;

    // Books.
    /// An entry of `SUMMARY.md` can't be used.
    BadSummary = "bad-summary", Error;
    /// A page is not in `SUMMARY.md`, so it is left out.
    UnlistedPage = "unlisted-page", Warning;
    /// A file that a page includes can't be used.
    BadInclude = "bad-include", Error;
    /// A preprocessor of mdBook fails.
    PreprocessorFailed = "preprocessor-failed", Error;
    /// A setting of mdBook has no effect.
    UnusedSetting = "unused-setting", Warning;

    // Pages.
    /// The front matter has no end.
    FrontMatter = "front-matter", Error;
    /// A page has no title.
    MissingTitle = "missing-title", Warning;
    /// A page has no summary.
    MissingSummary = "missing-summary", Warning;
    /// Something isn't written yet.
    Unfinished = "unfinished", Warning;
    /// Facts have no page in any language.
    MissingPage = "missing-page", Error;
    /// A page of a component or provider has no facts.
    MissingFacts = "missing-facts", Error;
    /// A page has no translation in one of the languages.
    MissingTranslation = "missing-translation", Warning;
    /// The original changed after it was translated.
    StaleTranslation = "stale-translation", Warning;
    /// Two pages have the same URL.
    UrlCollision = "url-collision", Error;
    /// Facts name a section that the page does not have.
    MissingSection = "missing-section", Error;
    /// The target of a link does not exist.
    DeadLink = "dead-link", Error;
    /// A link points to a section that does not exist.
    DeadAnchor = "dead-anchor", Error;
    /// A link has a scheme that can run code.
    UnsafeLink = "unsafe-link", Error;
    /// A picture comes from another site.
    ExternalImage = "external-image", Error;
    /// Syntax of another generator is shown as text.
    ForeignSyntax = "foreign-syntax", Warning;
    /// Raw HTML was dropped or corrected.
    RawHtml = "raw-html", Warning;
    /// A file next to a page can run scripts in the reader's browser.
    ActiveAsset = "active-asset", Warning;
    /// Two headings of a page have the same explicit id.
    DuplicateAnchor = "duplicate-anchor", Error;
    /// A footnote is used but not defined, or defined but not used.
    BadFootnote = "bad-footnote", Warning;
    /// A heading is more than one level below the heading before it.
    SkippedHeading = "skipped-heading", Warning;
    /// The text of a link doesn't show where it leads.
    VagueLink = "vague-link", Warning;
    /// An image has no alternative text.
    MissingAltText = "missing-alt-text", Warning;
    /// A row of a table has more cells than the table has columns.
    ExtraCell = "extra-cell", Warning;
    /// A symptom in the troubleshooting table of a component has no action.
    MissingAction = "missing-action", Warning;
    /// A code fence is not closed, or its options are not valid.
    BadCodeFence = "bad-code-fence", Warning;
    /// A `mermaid` block cannot be drawn.
    BadDiagram = "bad-diagram", Error;
    /// A `mermaid` block is of a kind that is not built in.
    UnknownDiagram = "unknown-diagram", Warning;
    /// A formula can't be converted.
    BadMath = "bad-math", Warning;
    /// A name in a `listing` block belongs to no component, or to several.
    UnknownRow = "unknown-row", Warning;
    /// A note, a tab, a folded block or a table of data is malformed.
    BadBlock = "bad-block", Warning;
    /// A text contains a term that the vocabulary lists as discouraged.
    DiscouragedTerm = "discouraged-term", Warning;
    /// In a Japanese table, a cell is a polite sentence in a column of noun phrases.
    MixedStyle = "mixed-style", Warning;

    // Templates.
    /// A template of the site is broken.
    TemplateError = "template-error", Error;
    /// The user interface lacks strings in a language.
    MissingStrings = "missing-strings", Warning;
}

impl Rule {
    /// The rule of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found_again() {
        for rule in Rule::ALL {
            assert_eq!(Rule::named(rule.name()), Some(*rule));
            assert!(rule.summary().ends_with('.'), "{}", rule.name());
        }
    }
}
