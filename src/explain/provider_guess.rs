//! The provider of the cluster that a listing comes from.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Knowledge, insights, knowledge::FEW, marks::found_mark, namespaces::PrintedNamespaces};
use crate::{
    facts::Presence,
    id::Id,
    kb::{Claim, Provider},
    listing::{OwnedPattern, Row, STATIC_POD},
};

/// The reasons for the choice of the provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Guess")]
pub struct ProviderGuess {
    /// The provider, if the guess is certain enough.
    #[serde(skip)]
    pub provider: Option<Id>,
    /// The most likely one; it decides between components even where the guess is not certain enough to be shown.
    #[serde(skip)]
    pub(super) likely: Option<Id>,
    /// Whether the provider was given with `--provider`.
    #[serde(rename = "asked")]
    pub given: bool,
    /// Names in the input that only this provider has.
    pub names: Vec<String>,
    /// Texts in the input that only appear in clusters of this provider.
    pub marks: Vec<String>,
    /// Ids of other providers that match.
    #[schemars(with = "Vec<String>")]
    pub others: Vec<Id>,
}

/// Hundredths of a point. Integers, so that the program and the script compute the same result.
type Points = i64;

/// A text that only clusters of this provider print.
const MARK: Points = 200;
/// A row that only this provider has; divided among the providers that have it.
const ROW: Points = 100;
/// A component that the provider installs by default; divided among the providers that do.
const SHIPPED: Points = 60;
/// An optional component; divided in the same way.
const OPTIONAL: Points = 20;
/// A component in the listing that the provider hides, builds in or does not have.
const CONTRADICTED: Points = -80;
/// An object that only other providers have.
const FOREIGN: Points = -40;
/// A missing component.
const MISSING: Points = -40;
/// The minimum number of points of a guess.
const ENOUGH: Points = 100;
/// The minimum lead of a guess over the next provider.
const AHEAD: Points = 30;
/// This many distinctive rows are not a coincidence.
const DISTINCT: usize = 2;
/// The number of names shown as a reason.
const SHOWN: usize = 4;

impl ProviderGuess {
    pub(super) fn given(provider: &Id) -> Self {
        Self { provider: Some(provider.clone()), likely: Some(provider.clone()), given: true, ..Self::default() }
    }
}

/// The running components, and the patterns that fit the rows, each with the first object that fits it.
struct RowEvidence<'a> {
    components: BTreeSet<&'a Id>,
    patterns: BTreeMap<(&'a Id, usize), (&'a OwnedPattern, &'a str)>,
    /// The providers of each distinct object that only some providers have.
    restricted: Vec<BTreeSet<&'a Id>>,
}

impl<'a> RowEvidence<'a> {
    fn of(rows: &[&'a Row], best: &[Vec<&'a OwnedPattern>]) -> Self {
        let (mut components, mut patterns) = (BTreeSet::new(), BTreeMap::new());
        let mut restricted: BTreeMap<(&'a Id, &'a str), BTreeSet<&'a Id>> = BTreeMap::new();
        for (row, best) in rows.iter().zip(best) {
            let Some(first) = best.first() else { continue };
            let runs = best.iter().any(|owned| owned.pattern.makes_pods());
            if runs && best.iter().all(|owned| owned.component == first.component) {
                components.insert(&first.component);
            }
            if runs && best.iter().all(|owned| !owned.providers.is_empty()) {
                let providers = best.iter().flat_map(|owned| &owned.providers).collect();
                restricted.insert((&first.component, first.pattern.object_of(row)), providers);
            }
            for owned in best {
                patterns.entry((&owned.component, owned.entry)).or_insert_with(|| (*owned, owned.pattern.object_of(row)));
            }
        }
        Self { components, patterns, restricted: restricted.into_values().collect() }
    }
}

pub(super) fn guess(
    knowledge: &Knowledge,
    text: &str,
    rows: &[&Row],
    best: &[Vec<&OwnedPattern>],
    seen: &PrintedNamespaces,
) -> ProviderGuess {
    let evidence = RowEvidence::of(rows, best);
    let claims = claims(knowledge, &evidence);
    let mut points: Vec<(Points, &Id)> = Vec::new();
    // Each mark searches the whole text, so this is done in parallel.
    let marks = |provider: &Provider| provider.marks.iter().filter_map(|mark| found_mark(text, mark)).map(str::to_owned).collect();
    let marks: BTreeMap<&Id, Vec<String>> = knowledge.providers.par_iter().map(|(id, provider)| (id, marks(provider))).collect();
    let is_possible = |provider: &Provider| !is_excluded(provider, text, rows, best);
    for (id, provider) in knowledge.providers.iter().filter(|(_, provider)| is_possible(provider)) {
        let marked = i64::try_from(marks.get(id).map_or(0, Vec::len)).unwrap_or_default() * MARK;
        let patterns = evidence.patterns.values().filter(|(owned, _)| owned.providers.contains(id));
        let rows: Points = patterns.map(|(owned, _)| share(ROW, owned.providers.len())).sum();
        let shipped: Points = evidence.components.iter().map(|component| shipped(&claims, component, id)).sum();
        let present = &evidence.components;
        let missing = i64::try_from(insights::missing(knowledge, provider, present, seen).len()).unwrap_or_default() * MISSING;
        let foreign = evidence.restricted.iter().filter(|providers| !providers.contains(id)).count();
        let foreign = i64::try_from(foreign).unwrap_or_default() * FOREIGN;
        points.push((marked + rows + shipped + missing + foreign, id));
    }
    // The most likely first; equally likely ones by id.
    points.sort_by_key(|(points, id)| (-points, *id));
    // A provider with distinctive rows is not a candidate if none of them is in the listing.
    let has_marks = |id: &Id| marks.get(id).is_some_and(|marks| !marks.is_empty());
    points.retain(|(points, id)| {
        *points > 0 && !hides_what_runs(knowledge, &evidence, id) && (has_marks(id) || is_distinct(knowledge, &evidence, id, seen))
    });
    let Some((most, id)) = points.first() else { return ProviderGuess::default() };
    let others: Vec<Id> = points[1..].iter().filter(|(points, _)| points + AHEAD > *most).map(|(_, id)| (*id).clone()).collect();
    let sure = *most >= ENOUGH && others.is_empty() && (has_marks(id) || !lacks_control_plane(knowledge, &evidence, id, seen));
    ProviderGuess {
        provider: sure.then(|| (*id).clone()),
        likely: others.is_empty().then(|| (*id).clone()),
        given: false,
        names: if sure { distinctive_names(&evidence, id) } else { Vec::new() },
        marks: if sure { marks.get(id).cloned().unwrap_or_default() } else { Vec::new() },
        others: if *most >= ENOUGH && !sure { std::iter::once((*id).clone()).chain(others).collect() } else { Vec::new() },
    }
}

/// Whether the listing cannot be of a provider: it has a text that the provider's clusters never print, or a static Pod of the provider on a Node with another
/// name than theirs.
fn is_excluded(provider: &Provider, text: &str, rows: &[&Row], best: &[Vec<&OwnedPattern>]) -> bool {
    provider.unlike.iter().any(|mark| found_mark(text, mark).is_some())
        || (!provider.static_pod_nodes.is_empty() && rows.iter().zip(best).any(|(row, best)| is_on_other_node(provider, row, best)))
}

/// Whether a row is a static Pod of a provider, and the Node in its name is none of the provider's. Truncated and masked names don't have the name of the Node.
fn is_on_other_node(provider: &Provider, row: &Row, best: &[&OwnedPattern]) -> bool {
    let mut own = best.iter().filter(|owned| owned.pattern.kind() == STATIC_POD && owned.providers.contains(&provider.id));
    let Some(owned) = own.next().filter(|_| !row.cut && !row.masked) else { return false };
    let object = owned.pattern.object_of(row);
    let node = row.name.strip_prefix(object).and_then(|rest| rest.strip_prefix('-'));
    node.is_some_and(|node| !provider.static_pod_nodes.iter().any(|name| name.pattern.is_name(node)))
}

/// Whether Pods of the control plane are in the listing that the provider hides.
fn hides_what_runs(knowledge: &Knowledge, evidence: &RowEvidence<'_>, id: &Id) -> bool {
    let Some(provider) = knowledge.providers.get(id) else { return false };
    let hidden = provider.claims.iter().filter(|claim| claim.presence == Presence::Hidden).filter_map(|claim| claim.component.as_ref());
    let mut patterns = hidden.filter(|component| evidence.components.contains(component)).flat_map(|id| knowledge.recogniser.of(id));
    patterns.any(|owned| owned.pattern.kind() == STATIC_POD)
}

/// Whether the listing has distinctive rows of a provider: several, or one if nothing is missing and others confirm it. A provider without distinctive default
/// components qualifies with the others.
fn is_distinct(knowledge: &Knowledge, evidence: &RowEvidence<'_>, id: &Id, seen: &PrintedNamespaces) -> bool {
    let Some(provider) = knowledge.providers.get(id) else { return false };
    let rows = evidence.patterns.values().filter(|(owned, _)| is_distinctive(owned, id)).count();
    let lacks_nothing = || insights::missing(knowledge, provider, &evidence.components, seen).is_empty();
    // A single name is never enough.
    let confirms =
        |claim: &&Claim| claim.presence == Presence::Default && claim.component.as_ref().is_some_and(|id| evidence.components.contains(id));
    let shipped: BTreeSet<_> = provider.claims.iter().filter(confirms).filter_map(|claim| claim.component.as_ref()).collect();
    rows >= DISTINCT || (shipped.len() >= DISTINCT && ((rows > 0 && lacks_nothing()) || !has_own(knowledge, provider)))
}

/// Whether only a few providers have the rows of a pattern, this one among them.
fn is_distinctive(owned: &OwnedPattern, provider: &Id) -> bool {
    owned.providers.len() <= FEW && owned.providers.contains(provider)
}

/// Whether a provider has distinctive default components.
fn has_own(knowledge: &Knowledge, provider: &Provider) -> bool {
    let usual = provider.claims.iter().filter(|claim| claim.presence == Presence::Default);
    let mut patterns = usual.filter_map(|claim| claim.component.as_ref()).flat_map(|id| knowledge.recogniser.of(id));
    patterns.any(|owned| owned.pattern.makes_pods() && is_distinctive(owned, &provider.id))
}

/// Whether a provider without distinctive components lacks one of its static Pods. It is recognized by a control plane that other systems have, too, and theirs
/// is often incomplete: Talos has no Pod of etcd.
fn lacks_control_plane(knowledge: &Knowledge, evidence: &RowEvidence<'_>, id: &Id, seen: &PrintedNamespaces) -> bool {
    let Some(provider) = knowledge.providers.get(id).filter(|provider| !has_own(knowledge, provider)) else { return false };
    let missing = insights::missing(knowledge, provider, &evidence.components, seen);
    let mut patterns = missing.iter().flat_map(|missing| &missing.components).flat_map(|component| knowledge.recogniser.of(component));
    patterns.any(|owned| owned.pattern.kind() == STATIC_POD && owned.providers.contains(id))
}

/// The most providers among which points are divided. What nearly all providers have still adds up to a system, however many providers the facts describe.
const MOST_SHARES: usize = 8;

/// Points divided among several.
fn share(points: Points, among: usize) -> Points {
    points / i64::try_from(among.clamp(1, MOST_SHARES)).unwrap_or(Points::MAX)
}

/// The strongest claim of each provider about each component in the listing.
fn claims<'a>(knowledge: &'a Knowledge, evidence: &RowEvidence<'a>) -> BTreeMap<&'a Id, BTreeMap<&'a Id, Presence>> {
    let mut claims: BTreeMap<&Id, BTreeMap<&Id, Presence>> = BTreeMap::new();
    for (id, provider) in knowledge.providers.iter() {
        for claim in &provider.claims {
            if let Some(component) = claim.component.as_ref().filter(|component| evidence.components.contains(component)) {
                let known = claims.entry(component).or_default().entry(id).or_insert(claim.presence);
                // Presences are ordered from present to absent.
                *known = (*known).min(claim.presence);
            }
        }
    }
    claims
}

/// The points for a provider of a component in the listing.
fn shipped(claims: &BTreeMap<&Id, BTreeMap<&Id, Presence>>, component: &Id, provider: &Id) -> Points {
    let Some(by_provider) = claims.get(component) else { return 0 };
    let like = |presence: Presence| by_provider.values().filter(|other| **other == presence).count();
    match by_provider.get(provider) {
        Some(Presence::Default) => share(SHIPPED, like(Presence::Default)),
        Some(Presence::Optional) => share(OPTIONAL, like(Presence::Optional)),
        Some(Presence::Hidden | Presence::BuiltIn | Presence::None) => CONTRADICTED,
        Some(Presence::Unknown) | None => 0,
    }
}

/// The names that the fewest other providers have, in order.
fn distinctive_names(evidence: &RowEvidence<'_>, provider: &Id) -> Vec<String> {
    let here = evidence.patterns.values().filter(|(owned, _)| owned.providers.contains(provider));
    let mut names: Vec<(usize, String)> = here.map(|(owned, name)| (owned.providers.len(), (*name).to_owned())).collect();
    names.sort();
    let fewest = names.first().map_or(0, |(providers, _)| *providers);
    let mut seen = BTreeSet::new();
    let names = names.into_iter().filter(|(providers, name)| *providers == fewest && seen.insert(name.clone()));
    names.map(|(_, name)| name).take(SHOWN).collect()
}
