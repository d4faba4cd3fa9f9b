//! The versions of components in the releases of providers: every component and release exists, and no release has two versions.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
};

use super::context::{FactsContext, FileContext};
use crate::{
    decode::{Ordered, Spanned},
    diagnostic::{Diagnostic, Rule},
    facts::{RawScalar, VersionFacts, VersionKind, VersionSourceFacts, VersionsFacts},
    id::Id,
    kb::{ComponentVersion, ProviderVersions, VersionSource},
    layout::EntityKind,
    load::{Draft, Loaded},
    text::{Span, did_you_mean},
};

/// Checks the versions of all providers.
pub(super) fn check(draft: &Draft, context: &mut FactsContext<'_>) -> BTreeMap<Id, ProviderVersions> {
    let loaded = draft.versions.iter();
    loaded.filter_map(|loaded| Some((loaded.id.clone(), provider(loaded, loaded.facts.as_ref()?, context)))).collect()
}

/// Checks the versions of a provider.
pub(super) fn provider(loaded: &Loaded<VersionsFacts>, facts: &VersionsFacts, context: &mut FactsContext<'_>) -> ProviderVersions {
    context.file(&loaded.file, &Ordered::default(), loaded.whole, |file| {
        file.require(&Spanned::new(loaded.id.clone(), Span::at(0)), &[EntityKind::Provider]);
        let sources = facts.sources.0.iter().map(|(id, facts)| source(id, facts, file)).collect();
        ProviderVersions { file: loaded.file.clone(), sources }
    })
}

fn source(id: &Spanned<Id>, facts: &VersionSourceFacts, file: &mut FileContext<'_, '_>) -> VersionSource {
    match &facts.url {
        None if facts.kind.value != VersionKind::Observed => {
            file.report(Rule::MissingEvidence, id.span, "this source has no address", "add `url`, the address of the file or page");
        }
        Some(url) if !url.starts_with("https://") => {
            file.report(
                Rule::InvalidValue,
                url.span,
                format!("`{}` is not an address", url.value),
                "write an address that begins with `https://`",
            );
        }
        _ => {}
    }
    for (_, component) in &facts.names.0 {
        file.require(component, &[EntityKind::Component]);
    }
    let releases = releases(&facts.releases, file);
    let mut versions = Vec::new();
    for written in &facts.versions {
        let is_known = is_known(written, file);
        let range = range(written, &releases, file);
        if let (true, Ok(releases)) = (is_known, range) {
            versions.push((written.span, version(written, releases)));
        }
    }
    // Several versions of one image are on a Node, and several containers are in a Pod.
    if !matches!(facts.kind.value, VersionKind::Cached | VersionKind::Observed) {
        report_contradictions(&versions, &facts.releases, file);
    }
    VersionSource {
        id: id.value.clone(),
        kind: facts.kind.value,
        url: facts.url.as_ref().map(|url| url.value.clone()),
        checked: facts.checked.value,
        own_releases: facts.own_releases,
        releases: facts.releases.iter().map(|release| release.value.0.clone()).collect(),
        versions: versions.into_iter().map(|(_, version)| version).collect(),
    }
}

/// Whether the component exists; a version without one needs an image.
fn is_known(facts: &Spanned<VersionFacts>, file: &mut FileContext<'_, '_>) -> bool {
    if let Some(component) = &facts.component {
        return file.require(component, &[EntityKind::Component]);
    }
    if facts.image.is_none() {
        file.report(
            Rule::MissingField,
            facts.span,
            "this version has neither `component` nor `image`",
            "add the component that it is a version of",
        );
    }
    facts.image.is_some()
}

fn version(facts: &VersionFacts, releases: Option<RangeInclusive<usize>>) -> ComponentVersion {
    ComponentVersion {
        component: facts.component.as_ref().map(|component| component.value.clone()),
        image: facts.image.clone(),
        name: facts.name.clone(),
        version: facts.version.0.clone(),
        releases,
        file: facts.file.clone(),
        line: facts.line,
    }
}

/// The indexes of releases by their names; reports repeated ones.
fn releases<'a>(written: &'a [Spanned<RawScalar>], file: &mut FileContext<'_, '_>) -> BTreeMap<&'a str, usize> {
    let mut indexes = BTreeMap::new();
    for (index, release) in written.iter().enumerate() {
        if indexes.insert(release.value.0.as_str(), index).is_some() {
            file.report(Rule::InvalidValue, release.span, format!("the release `{}` is repeated", release.value.0), "remove one of them");
        }
    }
    indexes
}

/// The releases of a version; an error if they are not releases of the source, which is reported.
fn range(
    facts: &Spanned<VersionFacts>,
    releases: &BTreeMap<&str, usize>,
    file: &mut FileContext<'_, '_>,
) -> Result<Option<RangeInclusive<usize>>, Reported> {
    let Some(from) = &facts.from else {
        if let Some(to) = &facts.to {
            file.report(Rule::MissingField, to.span, "`to` requires `from`", "add `from`, the first release that has it");
        }
        return Ok(None);
    };
    let mut index = |release: &Spanned<RawScalar>| {
        let name = release.value.0.as_str();
        releases.get(name).copied().ok_or_else(|| {
            let meant = did_you_mean(name, releases.keys().copied());
            let unknown = Diagnostic::new(Rule::UnknownId, file.place(release.span), format!("this source has no release `{name}`"));
            file.push(unknown.suggest(meant, "add it to `releases` of the source"));
            Reported
        })
    };
    let first = index(from);
    let last = facts.to.as_ref().map_or(first, &mut index);
    let (first, last) = (first?, last?);
    if first > last {
        file.report(Rule::InvalidValue, facts.span, "`to` is before `from`", "`releases` of the source is in ascending order");
        return Err(Reported);
    }
    Ok(Some(first..=last))
}

/// A mistake that is already reported.
#[derive(Clone, Copy)]
struct Reported;

/// Reports releases with two versions of one image or name.
fn report_contradictions(versions: &[(Span, ComponentVersion)], releases: &[Spanned<RawScalar>], file: &mut FileContext<'_, '_>) {
    let all = 0..=releases.len().saturating_sub(1);
    let mut by_subject: BTreeMap<_, Vec<(RangeInclusive<usize>, Span, &str)>> = BTreeMap::new();
    for (span, version) in versions {
        let range = version.releases.clone().unwrap_or_else(|| all.clone());
        let subject = (&version.component, &version.image, &version.name);
        by_subject.entry(subject).or_default().push((range, *span, &version.version));
    }
    let mut seen = BTreeSet::new();
    for ranges in by_subject.values_mut() {
        ranges.sort_by_key(|(range, span, _)| (*range.start(), span.start));
        for pair in ranges.windows(2) {
            let [(first, at, version), (second, span, other)] = pair else { continue };
            if second.start() <= first.end() && seen.insert(span.start) {
                let release = releases.get(*second.start()).map_or("", |release| release.value.0.as_str());
                let message = format!("the release `{release}` has the versions `{version}` and `{other}`");
                let twice = Diagnostic::new(Rule::InvalidValue, file.place(*span), message).related(file.place(*at), "the other version");
                file.push(twice.help("correct `from` and `to`, or state the image or the name that differs"));
            }
        }
    }
}
