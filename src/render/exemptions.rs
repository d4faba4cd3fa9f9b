//! Lists of the workloads that are part of the clusters of a provider, for policy engines and alert rules that leave them out.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    exemption_formats::{ExemptionFormat, exemptions_path},
    generated,
    reader::{LinkView, Reader},
    templates::RenderResult,
};
use crate::{
    facts::Presence,
    kb::{Component, Kb, Listing, Provider},
    layout::GeneratedPage,
    listing::ShownName,
    url::Url,
};

/// The names of the workloads of a provider and of their Pods, by namespace and kind.
pub(super) type SystemWorkloads = BTreeMap<String, BTreeMap<String, BTreeSet<NamePattern>>>;

/// The name of an object, with `None` for each variable part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NamePattern(Vec<Option<String>>);

impl NamePattern {
    fn new(name: &ShownName) -> Self {
        Self(name.pieces.iter().map(|piece| (!piece.variable).then(|| piece.text.clone())).collect())
    }

    /// With `*` for variable parts: `coredns-*-*`.
    pub(super) fn glob(&self) -> String {
        self.0.iter().map(|part| part.as_deref().unwrap_or("*")).collect()
    }

    /// As a regular expression of RE2 for whole names. Kubescape and Alertmanager compare whole names.
    pub(super) fn regex(&self) -> String {
        self.0.iter().map(|part| part.as_ref().map_or_else(|| ".*".to_owned(), |text| text.replace('.', "\\."))).collect()
    }

    /// The text before the first variable part.
    pub(super) fn prefix(&self) -> &str {
        self.0.first().and_then(Option::as_deref).unwrap_or_default()
    }
}

/// The namespace in which users have workloads if they don't choose one.
const USERS: &str = "default";

/// The workloads in the clusters of a provider: of components that run there by default, and not outside of the cluster or in another process. Names that begin
/// with a variable part are left out, because others can have them.
pub(super) fn system_workloads(kb: &Kb, provider: &Provider) -> SystemWorkloads {
    let is_included = |component: &Component| provider.presences(&component.id).any(|presence| presence == Presence::Default);
    let mut workloads = SystemWorkloads::new();
    for component in kb.components.values().filter(|component| !component.is_gone() && is_included(component)) {
        let is_here = |listing: &&Listing| listing.providers.is_empty() || listing.providers.contains(&provider.id);
        for listing in component.listing.iter().filter(|listing| listing.pattern.makes_pods()).filter(is_here) {
            let Some(namespace) = listing.namespace.as_ref().filter(|namespace| *namespace != USERS) else { continue };
            let names = listing.pattern.shown();
            for (kind, name) in names.iter().map(|name| (&name.kind, NamePattern::new(name))).filter(|(_, name)| !name.prefix().is_empty())
            {
                workloads.entry(namespace.clone()).or_default().entry(kind.clone()).or_default().insert(name);
            }
        }
    }
    workloads
}

/// The providers with such workloads.
pub(super) fn providers(kb: &Kb) -> impl Iterator<Item = &Provider> {
    kb.providers.values().map(AsRef::as_ref).filter(|provider| !system_workloads(kb, provider).is_empty())
}

#[derive(Serialize)]
struct ExemptionsView<'a> {
    formats: Vec<FormatUsage<'a>>,
    providers: Vec<ProviderFiles>,
}

#[derive(Serialize)]
struct FormatUsage<'a> {
    name: &'static str,
    /// How to use the file.
    usage: &'a str,
    /// The documentation of the format.
    url: &'static str,
}

#[derive(Serialize)]
struct ProviderFiles {
    provider: LinkView,
    /// The number of workloads.
    number: usize,
    /// The addresses of the files, in the order of the formats.
    files: Vec<ExemptionFile>,
}

#[derive(Serialize)]
struct ExemptionFile {
    name: &'static str,
    href: String,
}

pub(super) fn render(reader: &Reader<'_>) -> RenderResult {
    let kb = reader.kb();
    let formats = ExemptionFormat::ALL.into_iter().map(|format| FormatUsage {
        name: format.name(),
        usage: reader.strings().term("exemptions", format.id()),
        url: format.documentation(),
    });
    let file = |provider: &Provider, format: ExemptionFormat| ExemptionFile {
        name: format.name(),
        href: reader.href_to(&Url::file(&exemptions_path(&provider.id, format))),
    };
    let of_provider = |provider: &Provider| ProviderFiles {
        provider: reader.link(&provider.id),
        number: number(&system_workloads(kb, provider)),
        files: ExemptionFormat::ALL.into_iter().map(|format| file(provider, format)).collect(),
    };
    let view = ExemptionsView { formats: formats.collect(), providers: providers(kb).map(of_provider).collect() };
    generated::render(reader, GeneratedPage::Exemptions, "exemptions.html", &view)
}

/// The kinds of objects that workloads create.
pub(super) const CREATED: [&str; 2] = ["Pod", "ReplicaSet"];

/// The number of workloads, without the objects that they create.
pub(super) fn number(workloads: &SystemWorkloads) -> usize {
    workloads.values().flatten().filter(|(kind, _)| !CREATED.contains(&kind.as_str())).map(|(_, names)| names.len()).sum()
}
