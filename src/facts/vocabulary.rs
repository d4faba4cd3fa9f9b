//! The format of `vocabulary.yaml`: areas, roles, verbs, releases, terms to avoid.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Day, FieldFacts, LocalText, Presence, RawScalar, Verdict};
use crate::{
    decode::{Ordered, Spanned},
    diagram::LineStyle,
    id::{Id, Lang},
};

/// `content/vocabulary.yaml`: the terms of a knowledge base.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VocabularyFacts {
    /// The name of the system, for example `Kubernetes`.
    pub platform: Option<String>,
    /// Areas of the system, in the order in which they are shown.
    #[serde(default)]
    pub areas: Ordered<Spanned<Id>, Spanned<AreaFacts>>,
    /// Where components run, in the order in which they are drawn, from top to bottom.
    #[serde(default)]
    pub places: Ordered<Spanned<Id>, Spanned<PlaceFacts>>,
    /// Roles that different components can have: the rows of the comparison.
    #[serde(default)]
    pub roles: Ordered<Spanned<Id>, Spanned<RoleFacts>>,
    /// A kind of relation between components.
    #[serde(default)]
    pub verbs: Ordered<Spanned<Id>, VerbFacts>,
    /// The most important components, which every reader should know. The home page shows them in this order, and they come first in their area of the sidebar.
    #[serde(default)]
    pub core: Vec<Spanned<Id>>,
    /// Queries that the home page offers as examples, such as a name with a random suffix, a flag and a port.
    #[serde(default)]
    pub search_examples: Vec<String>,
    /// Groups of words and phrases with the same meaning, by language: a search for one also finds, with less weight, the others, also those of the default
    /// language.
    #[serde(default)]
    pub synonyms: Vec<Spanned<SynonymsFacts>>,
    /// Kinds of providers.
    #[serde(default)]
    pub provider_kinds: Ordered<Spanned<Id>, Spanned<ProviderKindFacts>>,
    /// Releases of the platform, oldest first.
    #[serde(default)]
    pub releases: Vec<Spanned<ReleaseFacts>>,
    /// The protocols of ports. Default: TCP, UDP and SCTP.
    #[serde(default)]
    pub protocols: Vec<Spanned<String>>,
    /// Own labels of the verdicts on deletion, such as `never`. Default: those of the user interface.
    #[serde(default)]
    pub verdicts: Ordered<Spanned<Verdict>, LocalText>,
    /// Own labels of the ways in which providers have components, such as `default`. Default: those of the user interface.
    #[serde(default)]
    pub presences: Ordered<Spanned<Presence>, LocalText>,
    /// Further facts that components, providers and concepts can have, in the order in which they are shown. Facts files state them under `fields`.
    #[serde(default)]
    pub fields: Ordered<Spanned<Id>, Spanned<FieldFacts>>,
    /// What this site calls its components, providers, concepts and printed listings. All texts of the user interface follow from it.
    #[serde(default)]
    pub words: WordsFacts,
    /// Abbreviations and their meanings.
    #[serde(default)]
    pub glossary: BTreeMap<String, LocalText>,
    /// Terms to avoid in texts for readers, by language. `ksys-docs check` reports them.
    #[serde(default)]
    pub terms: TermsFacts,
}

/// What a site calls its components, providers, concepts and printed listings. Default: the words of each language.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WordsFacts {
    /// A part of the system: component, service, application.
    pub component: Option<WordFacts>,
    /// What combines components into a working system: provider, region, customer.
    pub provider: Option<WordFacts>,
    /// Background knowledge: concept, topic.
    pub concept: Option<WordFacts>,
    /// The output of a command that shows components: output, listing.
    pub listing: Option<WordFacts>,
}

/// A noun, as it is written within a sentence.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct WordFacts {
    /// The singular.
    pub one: LocalText,
    /// The plural. Default: the singular.
    pub many: Option<LocalText>,
    /// The description of the page that lists them, as a sentence.
    pub what: Option<LocalText>,
}

/// Terms to avoid, by language.
pub type TermsFacts = Ordered<Spanned<Lang>, Vec<Spanned<TermFacts>>>;

/// Words and phrases with the same meaning, by language.
pub type SynonymsFacts = Ordered<Spanned<Lang>, Vec<Spanned<String>>>;

/// Terms to avoid, and what to write instead.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct TermFacts {
    /// Words and phrases to avoid. Upper and lower case are not distinguished, a space is any white space, and `{word}` is any one word.
    pub avoid: Vec<Spanned<String>>,
    /// What to write instead. Default: the term is left out.
    #[serde(rename = "use")]
    pub replacement: Option<Spanned<String>>,
    /// Why the term is avoided, as a clause or a sentence.
    pub why: Option<String>,
    /// Longer words and phrases in which the term is allowed.
    #[serde(default)]
    pub except: Vec<Spanned<String>>,
}

/// An area of the system.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaFacts {
    /// One or two letters that mark the area where its colour does.
    pub mark: Option<String>,
    /// The name.
    pub label: LocalText,
    /// Its description, as a sentence.
    pub what: Option<LocalText>,
}

/// A place where components run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlaceFacts {
    /// The name.
    pub label: LocalText,
}

/// A role.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RoleFacts {
    /// The name.
    pub label: LocalText,
    /// Other names that readers search for, in any language.
    #[serde(default)]
    pub aka: Vec<String>,
    /// Its description, as a sentence.
    pub what: Option<LocalText>,
}

/// A kind of provider.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderKindFacts {
    /// The name.
    pub label: LocalText,
}

/// A kind of relation between components.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VerbFacts {
    /// The label at the source of a relation.
    pub label: LocalText,
    /// The label at the target of a relation.
    pub inverse: LocalText,
    /// Whether cycles of this verb are errors, as for "is part of".
    #[serde(default)]
    pub acyclic: bool,
    /// Whether it is drawn in diagrams. Default: yes.
    #[serde(default = "yes")]
    pub drawn: bool,
    /// How it is drawn in diagrams.
    #[serde(default)]
    pub line: LineStyle,
    /// Whether the source depends on the target, so that the target can't be safe to delete.
    #[serde(default)]
    pub depends: bool,
}

/// A release of the platform.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ReleaseFacts {
    /// Its name, `1.37`.
    pub release: Spanned<RawScalar>,
    /// The release date; a release without one is planned.
    pub date: Option<Spanned<Day>>,
    /// The planned release date.
    pub planned: Option<Spanned<Day>>,
    /// The date of its end of support.
    pub end: Option<Spanned<Day>>,
}

const fn yes() -> bool {
    true
}
