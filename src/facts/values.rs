//! Values of facts: closed lists of words, days, and scalars that keep their text.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// The text of a scalar, quoted or not, so that a release such as `1.10` keeps its digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
// The name is that of `crate::decode::RAW`.
#[serde(rename = "$raw")]
#[schemars(inline, description = "", extend("type" = ["string", "number"]))]
pub struct RawScalar(pub String);

/// A calendar day, `2026-11-20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(inline, description = "", extend("format" = "date"))]
pub struct Day(#[schemars(with = "String")] pub jiff::civil::Date);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| de::Error::custom(format!("`{text}` is no day; write year, month and day, `YYYY-MM-DD`")))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The state of a component today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "State")]
pub enum LifecycleState {
    /// In use and maintained.
    Active,
    /// Still there; its makers advise against it.
    Deprecated,
    /// No longer part of the releases.
    Removed,
    /// Its project has ended.
    Archived,
    /// Nobody says.
    Unknown,
}

impl LifecycleState {
    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Deprecated => "deprecated",
            Self::Removed => "removed",
            Self::Archived => "archived",
            Self::Unknown => "unknown",
        }
    }

    /// Whether new users should choose something else.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Deprecated | Self::Removed | Self::Archived)
    }
}

/// May I delete it?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The cluster or its data would be lost.
    Never,
    /// Something puts it back.
    ComesBack,
    /// A feature stops working.
    BreaksFeature,
    /// Nothing happens unless it is used.
    SafeIfUnused,
    /// Nothing happens.
    Safe,
    /// Nobody says.
    Unknown,
}

impl Verdict {
    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::ComesBack => "comes-back",
            Self::BreaksFeature => "breaks-feature",
            Self::SafeIfUnused => "safe-if-unused",
            Self::Safe => "safe",
            Self::Unknown => "unknown",
        }
    }
}

/// The protocol of a port.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub enum Protocol {
    /// TCP
    #[default]
    #[serde(rename = "TCP")]
    Tcp,
    /// UDP
    #[serde(rename = "UDP")]
    Udp,
    /// Both
    #[serde(rename = "TCP/UDP", alias = "UDP/TCP")]
    Both,
    /// SCTP
    #[serde(rename = "SCTP")]
    Sctp,
}

/// Whether a provider has something, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// There without asking.
    Default,
    /// There when it is switched on.
    Optional,
    /// Inside another process; no row of its own.
    BuiltIn,
    /// Runs where the user cannot see it.
    Hidden,
    /// Not there.
    None,
    /// Nobody says.
    Unknown,
}

impl Presence {
    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Optional => "optional",
            Self::BuiltIn => "built-in",
            Self::Hidden => "hidden",
            Self::None => "none",
            Self::Unknown => "unknown",
        }
    }

    /// Whether it runs by default, visible or not.
    #[must_use]
    pub const fn is_shipped(self) -> bool {
        matches!(self, Self::Default | Self::BuiltIn | Self::Hidden)
    }
}

/// How sure a claim is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Read in a primary source, or seen.
    #[default]
    High,
    /// Inferred from a primary source.
    Medium,
    /// Secondary sources only.
    Low,
}

impl Confidence {
    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
        }
    }
}
