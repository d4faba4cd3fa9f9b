//! Ports, flags and names outside of listings of a component.

use schemars::JsonSchema;
use serde::Serialize;

use super::values::{Texts, ids, release, texts};
use crate::{
    facts::KnownNameKind,
    kb::{Flag, Kb, KnownNames, Port},
};

/// A port, or a range of ports.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Port")]
pub(super) struct PortOut<'a> {
    /// The port, or the first of the range.
    first: u16,
    /// The last of the range; the same as `first` for a single port.
    last: u16,
    /// The protocols.
    protocols: Vec<&'a str>,
    /// The purpose, by language.
    what: Texts<'a>,
    /// The first release that includes it.
    since: Option<&'a str>,
    /// The first release without it.
    removed: Option<&'a str>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// A command-line flag.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Flag")]
pub(super) struct FlagOut<'a> {
    /// The flag, such as `--proxy-mode`.
    flag: &'a str,
    /// The effect, by language.
    what: Texts<'a>,
    /// The first release that includes it.
    since: Option<&'a str>,
    /// The release that deprecated it.
    deprecated: Option<&'a str>,
    /// The first release without it.
    removed: Option<&'a str>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

/// Names of one kind outside of listings.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "KnownNames")]
pub(super) struct KnownNamesOut<'a> {
    /// The kind.
    kind: KnownNameKind,
    /// The names. One that ends with `_`, `-`, `/`, `.` or `:` is a prefix.
    names: &'a [String],
    /// What they are, by language.
    what: Texts<'a>,
    /// Keys of `sources`.
    evidence: Vec<&'a str>,
}

pub(super) fn port<'a>(kb: &'a Kb, it: &'a Port) -> PortOut<'a> {
    PortOut {
        first: it.first,
        last: it.last,
        protocols: it.protocols.iter().map(String::as_str).collect(),
        what: texts(it.what.as_ref()),
        since: release(kb, it.since),
        removed: release(kb, it.removed),
        evidence: ids(&it.evidence),
    }
}

pub(super) fn flag<'a>(kb: &'a Kb, it: &'a Flag) -> FlagOut<'a> {
    FlagOut {
        flag: &it.flag,
        what: texts(it.what.as_ref()),
        since: release(kb, it.since),
        deprecated: release(kb, it.deprecated),
        removed: release(kb, it.removed),
        evidence: ids(&it.evidence),
    }
}

pub(super) fn known_names(it: &KnownNames) -> KnownNamesOut<'_> {
    KnownNamesOut { kind: it.kind, names: &it.names, what: texts(it.what.as_ref()), evidence: ids(&it.evidence) }
}
