//! The format of `vocabulary.yaml`: areas, roles, verbs, releases, terms to avoid.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Day, LocalText, RawScalar};
use crate::{
    decode::{Ordered, Spanned},
    id::{Id, Lang},
};

/// `content/vocabulary.yaml`: the words of a knowledge base. The program knows none of them.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VocabularyFacts {
    /// What the components are parts of, for example `Kubernetes`.
    pub platform: Option<String>,
    /// Parts of the system, in the order in which they are shown.
    #[serde(default)]
    pub areas: Ordered<Spanned<Id>, Spanned<AreaFacts>>,
    /// Where components run, in the order in which they are drawn, from top to bottom.
    #[serde(default)]
    pub places: Ordered<Spanned<Id>, Spanned<PlaceFacts>>,
    /// Jobs that several components can fill: the rows of the comparison.
    #[serde(default)]
    pub roles: Ordered<Spanned<Id>, Spanned<RoleFacts>>,
    /// What a component can do to another.
    #[serde(default)]
    pub verbs: Ordered<Spanned<Id>, VerbFacts>,
    /// Kinds of providers.
    #[serde(default)]
    pub provider_kinds: Ordered<Spanned<Id>, Spanned<ProviderKindFacts>>,
    /// Releases of the platform, oldest first.
    #[serde(default)]
    pub releases: Vec<Spanned<ReleaseFacts>>,
    /// Abbreviations and what they stand for.
    #[serde(default)]
    pub glossary: BTreeMap<String, LocalText>,
    /// Terms to avoid in texts for readers, by language. `ksys-docs check` reports them.
    #[serde(default)]
    pub terms: TermsFacts,
}

/// Terms to avoid, by language.
pub type TermsFacts = Ordered<Spanned<Lang>, Vec<Spanned<TermFacts>>>;

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

/// A part of the system.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AreaFacts {
    /// One or two letters that mark the area wherever its colour does.
    pub mark: Option<String>,
    /// Its name.
    pub label: LocalText,
    /// What belongs to it, as a sentence.
    pub what: Option<LocalText>,
}

/// Where components run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlaceFacts {
    /// Its name.
    pub label: LocalText,
}

/// A job.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct RoleFacts {
    /// Its name.
    pub label: LocalText,
    /// What it does, as a sentence.
    pub what: Option<LocalText>,
}

/// A kind of provider.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ProviderKindFacts {
    /// Its name.
    pub label: LocalText,
}

/// What a component can do to another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VerbFacts {
    /// As seen from the one that acts.
    pub label: LocalText,
    /// As seen from the other.
    pub inverse: LocalText,
    /// Whether a circle of this verb is a mistake, as for "is part of".
    #[serde(default)]
    pub acyclic: bool,
    /// Whether it is an arrow in diagrams. Default: yes.
    #[serde(default = "yes")]
    pub drawn: bool,
}

/// A release of the platform.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ReleaseFacts {
    /// Its name, `1.37`.
    pub release: Spanned<RawScalar>,
    /// The day it came out; one without is planned.
    pub date: Option<Spanned<Day>>,
    /// The day on which it is planned to come out.
    pub planned: Option<Spanned<Day>>,
    /// The day on which its support ends or ended.
    pub end: Option<Spanned<Day>>,
}

const fn yes() -> bool {
    true
}
