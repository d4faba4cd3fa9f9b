//! Values of facts: enumerations, dates, and scalars that keep their text.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

/// The text of a scalar, quoted or not, so that a release such as `1.10` keeps its digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema)]
// The name is that of `crate::decode::RAW`.
#[serde(rename = "$raw")]
#[schemars(inline, description = "", extend("type" = ["string", "number"]))]
pub struct RawScalar(pub String);

/// A date, `2026-11-20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[schemars(inline, description = "", extend("format" = "date"))]
pub struct Day(#[schemars(with = "String")] pub jiff::civil::Date);

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| de::Error::custom(format!("`{text}` is not a date; write `YYYY-MM-DD`")))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The current state of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "State")]
pub enum LifecycleState {
    /// In use and maintained.
    Active,
    /// Still available, but deprecated by its maintainers.
    Deprecated,
    /// No longer part of current releases.
    Removed,
    /// Its project is archived.
    Archived,
    /// Not known.
    Unknown,
}

impl LifecycleState {
    /// Every state.
    pub const ALL: [Self; 5] = [Self::Active, Self::Deprecated, Self::Removed, Self::Archived, Self::Unknown];

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

    /// Whether new users should choose an alternative.
    #[must_use]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Deprecated | Self::Removed | Self::Archived)
    }
}

/// Can it be deleted?
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Deletion destroys the system or its data.
    Never,
    /// The API server or an admission policy rejects the deletion.
    Blocked,
    /// It is recreated automatically.
    ComesBack,
    /// A feature stops working.
    BreaksFeature,
    /// No effect, unless it is used.
    SafeIfUnused,
    /// No effect.
    Safe,
    /// Not known.
    Unknown,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Self; 7] =
        [Self::Never, Self::Blocked, Self::ComesBack, Self::BreaksFeature, Self::SafeIfUnused, Self::Safe, Self::Unknown];

    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Never => "never",
            Self::Blocked => "blocked",
            Self::ComesBack => "comes-back",
            Self::BreaksFeature => "breaks-feature",
            Self::SafeIfUnused => "safe-if-unused",
            Self::Safe => "safe",
            Self::Unknown => "unknown",
        }
    }
}

/// Whether a provider has something, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// Enabled by default.
    Default,
    /// Available, must be enabled.
    Optional,
    /// Built into another process; not visible on its own.
    BuiltIn,
    /// Managed by the provider; not visible to its users.
    Hidden,
    /// Not available.
    None,
    /// Not known.
    Unknown,
}

impl Presence {
    /// Every presence.
    pub const ALL: [Self; 6] = [Self::Default, Self::Optional, Self::BuiltIn, Self::Hidden, Self::None, Self::Unknown];

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

/// The confidence in a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// Stated in a primary source, or observed.
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

/// A kind of names that a component has outside of listings: in logs, events, metrics, alerts, on Nodes, and as keys of other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum KnownNameKind {
    /// A message in logs, events or errors, with `…` for each variable part.
    Message,
    /// The file, logger or subsystem in log lines of the component.
    LogSource,
    /// An alert about the component.
    Alert,
    /// A metric that the component exposes.
    Metric,
    /// A label that the component sets or reads.
    Label,
    /// An annotation that the component sets or reads.
    Annotation,
    /// A taint that the component sets or reads.
    Taint,
    /// A finalizer that the component removes.
    Finalizer,
    /// A resource in requests and limits, such as `nvidia.com/gpu`.
    Resource,
    /// A container in the Pods of the component.
    Container,
    /// A process on a Node.
    Process,
    /// A systemd unit.
    Unit,
    /// A file or a folder on a Node.
    Path,
    /// An environment variable that the component reads.
    Variable,
    /// A user as which the component authenticates.
    User,
    /// A group of users.
    Group,
    /// An API group that the component serves or defines.
    ApiGroup,
    /// The reason of an event.
    EventReason,
    /// The source of an event.
    EventSource,
}

impl KnownNameKind {
    /// Every kind, in the order of pages.
    pub const ALL: [Self; 19] = [
        Self::Message,
        Self::LogSource,
        Self::Alert,
        Self::Metric,
        Self::Label,
        Self::Annotation,
        Self::Taint,
        Self::Finalizer,
        Self::Resource,
        Self::Container,
        Self::Process,
        Self::Unit,
        Self::Path,
        Self::Variable,
        Self::User,
        Self::Group,
        Self::ApiGroup,
        Self::EventReason,
        Self::EventSource,
    ];

    /// The kinds of names that the objects of users can have too.
    pub const OF_OBJECTS: [Self; 5] = [Self::Label, Self::Annotation, Self::Taint, Self::Finalizer, Self::Resource];

    /// The value as in facts files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::LogSource => "log-source",
            Self::Alert => "alert",
            Self::Metric => "metric",
            Self::Label => "label",
            Self::Annotation => "annotation",
            Self::Taint => "taint",
            Self::Finalizer => "finalizer",
            Self::Resource => "resource",
            Self::Container => "container",
            Self::Process => "process",
            Self::Unit => "unit",
            Self::Path => "path",
            Self::Variable => "variable",
            Self::User => "user",
            Self::Group => "group",
            Self::ApiGroup => "api-group",
            Self::EventReason => "event-reason",
            Self::EventSource => "event-source",
        }
    }

    /// The kind with this name in facts files.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind of the row that such a name becomes in an explanation.
    #[must_use]
    pub const fn row_kind(self) -> &'static str {
        match self {
            Self::Message => "Message",
            Self::LogSource => "LogSource",
            Self::Alert => "Alert",
            Self::Metric => "Metric",
            Self::Label => "Label",
            Self::Annotation => "Annotation",
            Self::Taint => "Taint",
            Self::Finalizer => "Finalizer",
            Self::Resource => "Resource",
            Self::Container => "Container",
            Self::Process => "Process",
            Self::Unit => "Unit",
            Self::Path => "Path",
            Self::Variable => "Variable",
            Self::User => "User",
            Self::Group => "Group",
            Self::ApiGroup => "APIGroup",
            Self::EventReason => "EventReason",
            Self::EventSource => "EventSource",
        }
    }

    /// Whether the component itself prints it: a message, the source of a line, the reason of an event.
    #[must_use]
    pub const fn is_printed(self) -> bool {
        matches!(self, Self::Message | Self::LogSource | Self::EventReason)
    }

    /// Whether words of a text are recognized as names of this kind. The others are words that anybody could use, `controller` or `Killing`, or are found in other ways.
    #[must_use]
    pub const fn is_distinctive(self) -> bool {
        !matches!(self, Self::Message | Self::LogSource | Self::Container | Self::Process | Self::EventReason | Self::EventSource)
    }
}
