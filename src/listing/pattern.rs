//! Name patterns, and the names that controllers derive from a name.

mod parse;
mod shown;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, sync::OnceLock};

use self::parse::{merge_literals, parse_parts};
pub use self::shown::{ShownName, ShownPiece};
use super::{
    controller::{Controller, POD, STATIC_POD},
    derived::{DERIVED, DerivedRow},
    generated::{MAX_BASE_LENGTH, without_random_suffix},
    kinds::{CLUSTER_SCOPED, ONLY_TYPED, OWN_EFFECT},
    row::Row,
    segment::{Segment, begins, matches},
};
use crate::id::Id;

/// A pattern for the rows of an object and of the objects that controllers create from it.
#[derive(Clone, Debug)]
pub struct Pattern {
    kind: String,
    namespace: Option<String>,
    /// Whether rows without a namespace do not fit.
    needs_namespace: bool,
    /// The name of the object itself.
    parts: Vec<Segment>,
    /// The names of the object itself, its ReplicaSets, its Pods … Computed on first use, because most patterns are never compared with a row.
    names: OnceLock<Box<[DerivedName]>>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        // The names are derived from these fields.
        self.kind == other.kind
            && self.namespace == other.namespace
            && self.needs_namespace == other.needs_namespace
            && self.parts == other.parts
    }
}

impl Eq for Pattern {}

/// The names of one kind of row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DerivedName {
    kind: Cow<'static, str>,
    parts: Vec<Segment>,
    /// The segments that the controller appends, each after a dash.
    appended: &'static [Segment],
}

/// How well a pattern fits; the greatest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    literal: usize,
    /// How narrow the variable parts are.
    narrowness: usize,
}

/// Why a text is not a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

/// The namespace of the cluster itself.
const SYSTEM_NAMESPACE: &str = "kube-system";

/// The segments that a pattern can name.
pub(super) const PLACEHOLDERS: [Segment; 6] =
    [Segment::Version, Segment::Number, Segment::Hash, Segment::PodSuffix, Segment::Word, Segment::Node];

impl Pattern {
    /// Parses a pattern: the kind of the object, its name with `{version}`, `{number}`, `{hash}`, `{random}`, `{word}`, `{node}`, and its namespace.
    ///
    /// # Errors
    /// If the name has an unknown placeholder, or matches too much.
    pub fn new(kind: &str, name: &str, namespace: Option<&str>) -> Result<Self, BadPattern> {
        let parts = parse_parts(name)?;
        Ok(Self { kind: kind.to_owned(), namespace: namespace.map(str::to_owned), needs_namespace: false, parts, names: OnceLock::new() })
    }

    /// The rows that are derived from the object.
    fn derived(&self) -> Option<&'static [DerivedRow]> {
        DERIVED.iter().find(|(of, _)| *of == self.kind).map(|(_, rows)| *rows)
    }

    fn names(&self) -> &[DerivedName] {
        self.names.get_or_init(|| {
            let row = |kind: Cow<'static, str>, suffix: &'static [Segment]| {
                let appended = suffix.iter().flat_map(|part| [Segment::Literal("-".to_owned()), part.clone()]);
                DerivedName { kind, parts: merge_literals(self.parts.iter().cloned().chain(appended)), appended: suffix }
            };
            match self.derived() {
                Some(rows) => rows.iter().map(|(kind, suffix)| row(Cow::Borrowed(kind), suffix)).collect(),
                None => Box::new([row(Cow::Owned(self.kind.clone()), &[])]),
            }
        })
    }

    /// The same pattern, restricted to rows with a namespace: a name such as `nginx` is ambiguous by itself.
    #[must_use]
    pub fn needing_namespace(self, needs_namespace: bool) -> Self {
        Self { needs_namespace, ..self }
    }

    /// How well this pattern fits a row; `None` if it does not.
    #[must_use]
    pub fn fit(&self, row: &Row) -> Option<Fit> {
        self.fit_with(row, |parts| matches(parts, &row.name))
    }

    /// How well this pattern fits a Pod whose name the API server has shortened: of a longer name, it keeps 58 characters before the random suffix
    /// (k8s.io/apiserver, names.SimpleNameGenerator).
    #[must_use]
    pub fn fit_shortened(&self, row: &Row) -> Option<Fit> {
        let (base, _) = row.name.split_at_checked(MAX_BASE_LENGTH).filter(|(_, random)| Segment::PodSuffix.accepts(random))?;
        self.fit_with(row, |parts| {
            // A pattern that begins with a variable segment would match any name.
            let [before @ .., Segment::PodSuffix] = parts else { return false };
            matches!(before.first(), Some(Segment::Literal(_))) && begins(before, base)
        })
    }

    /// How well this pattern fits a row with a truncated name.
    #[must_use]
    pub fn fit_beginning(&self, row: &Row) -> Option<Fit> {
        self.fit_with(row, |parts| matches!(parts.first(), Some(Segment::Literal(_))) && begins(parts, &row.name))
    }

    /// How well this pattern fits a row whose truncated name ends inside the literal prefix of the pattern.
    #[must_use]
    pub fn fit_begun(&self, row: &Row) -> Option<Fit> {
        self.fit_with(row, |parts| matches!(parts, [Segment::Literal(literal), ..] if literal.starts_with(&row.name)))
    }

    /// How well this pattern fits a row whose generated suffixes are masked: its name is that of the object, or of the object that creates the Pod.
    #[must_use]
    pub fn fit_masked(&self, row: &Row) -> Option<Fit> {
        let has_kind = |kind: &String| self.kinds().any(|own| own.eq_ignore_ascii_case(kind));
        if !self.is_in(row) || !row.kind.as_ref().is_none_or(has_kind) {
            return None;
        }
        if matches(&self.parts, &row.name) {
            return Some(fit_of(&self.parts));
        }
        let creators = self.names().iter().filter(|name| name.kind != POD);
        creators.filter(|name| matches(&name.parts, &row.name)).map(DerivedName::fit).max()
    }

    /// How well the name of a workload or a ServiceAccount fits that of a row, whatever its kind.
    #[must_use]
    pub fn fit_object(&self, row: &Row) -> Option<Fit> {
        let is_object = self.makes_pods() || self.kind == "ServiceAccount";
        (is_object && self.is_in(row) && matches(&self.parts, &row.name)).then(|| fit_of(&self.parts))
    }

    /// How well this pattern fits a row whose name has lost the name of a Helm release. Names of fewer than three words are too ambiguous, and so are namespaces
    /// of users: the namespace, if known, must be that of the pattern or of the system, have the name of the release, or begin the name.
    #[must_use]
    pub fn fit_release(&self, row: &Row, release: &str) -> Option<Fit> {
        let [Segment::Literal(own)] = self.parts.as_slice() else { return None };
        let is_own = |namespace: &str| {
            self.namespace.as_deref() == Some(namespace)
                || namespace == SYSTEM_NAMESPACE
                || namespace == release
                || own.starts_with(namespace)
        };
        let is_here = row.namespace.as_deref().is_none_or(is_own);
        let is_certain = is_here && own.matches('-').count() > 1 && self.kind != STATIC_POD;
        if is_certain { self.fit(row) } else { None }
    }

    /// How well this pattern fits a row without a namespace if the object of the row is in the namespace that the pattern needs.
    #[must_use]
    pub fn fit_unnamed(&self, row: &Row) -> Option<Fit> {
        if self.needs_namespace && row.namespace.is_none() { self.best_name(row, |parts| matches(parts, &row.name)) } else { None }
    }

    /// How well this pattern fits a row in the namespace of the pattern; `None` for a pattern or a row without one.
    #[must_use]
    pub fn fit_in_namespace(&self, row: &Row) -> Option<Fit> {
        if self.is_in_own(row) { self.fit(row) } else { None }
    }

    /// How well this pattern fits a row in another namespace. Only a name without variable parts that needs no namespace is evidence there, and only if it consists of several
    /// words, is that of its component, or is in a namespace that is named after one of them, as `team-a-cert-manager` is.
    #[must_use]
    pub fn fit_elsewhere(&self, row: &Row, component: &Id) -> Option<Fit> {
        let [Segment::Literal(own)] = self.parts.as_slice() else { return None };
        let (home, here) = (self.namespace.as_deref()?, row.namespace.as_deref()?);
        let joined = |name: &str| name.replace('-', "");
        let is_named_after = || joined(here).contains(&joined(component.as_str())) || joined(here).contains(&joined(own));
        let is_evidence = own.contains('-') || own == component.as_str() || is_named_after();
        // The name of a Node can be anything.
        let is_workload = self.makes_pods() && self.kind != STATIC_POD && !self.needs_namespace;
        if !is_workload || home == here || !is_evidence {
            return None;
        }
        let at_home = Row { namespace: Some(home.to_owned()), ..row.clone() };
        if row.masked { self.fit_masked(&at_home) } else { self.fit(&at_home) }
    }

    /// How well this pattern fits a row in its namespace whose name has lost a suffix that was edited by hand.
    #[must_use]
    pub fn fit_edited(&self, row: &Row) -> Option<Fit> {
        if self.is_in_own(row) { self.fit_masked(row) } else { None }
    }

    /// Whether it is the pattern of a name.
    #[must_use]
    pub fn is_name(&self, name: &str) -> bool {
        matches(&self.parts, name)
    }

    /// Whether a row is in the namespace of the pattern, and both have one.
    fn is_in_own(&self, row: &Row) -> bool {
        self.namespace.is_some() && self.namespace == row.namespace
    }

    /// Whether a name without a kind is never that of the object, because such objects are named after components.
    #[must_use]
    pub fn needs_kind(&self) -> bool {
        ONLY_TYPED.contains(&self.kind.as_str())
    }

    /// Whether the object can be in the namespace of a row, and can be printed without its kind if the row has none.
    fn is_in(&self, row: &Row) -> bool {
        if row.kind.is_none() && self.needs_kind() {
            return false;
        }
        match (&self.namespace, &row.namespace) {
            (Some(own), Some(seen)) => own == seen,
            (_, None) => !self.needs_namespace,
            (None, Some(_)) => true,
        }
    }

    fn fit_with(&self, row: &Row, matches: impl Fn(&[Segment]) -> bool) -> Option<Fit> {
        if self.is_in(row) { self.best_name(row, matches) } else { None }
    }

    /// The best fit of the names for the kind of a row, whatever its namespace.
    fn best_name(&self, row: &Row, matches: impl Fn(&[Segment]) -> bool) -> Option<Fit> {
        let of_kind = |name: &&DerivedName| match &row.kind {
            Some(kind) => kind.eq_ignore_ascii_case(&name.kind),
            None => row.namespace.is_none() || !CLUSTER_SCOPED.contains(&name.kind.as_ref()),
        };
        self.names().iter().filter(of_kind).filter(|name| matches(&name.parts)).map(DerivedName::fit).max()
    }

    /// One row for each kind that this pattern fits.
    #[must_use]
    pub fn samples(&self) -> Vec<Row> {
        self.names()
            .iter()
            .map(|name| Row {
                namespace: self.namespace.clone(),
                kind: Some(name.kind.to_string()),
                name: name.parts.iter().map(Segment::sample).collect(),
                ..Row::default()
            })
            .collect()
    }

    /// The name of the object itself in the name of a row that this pattern fits: `coredns` of `coredns-5d78c9869d-x8k2p`. For a row that is only derived from
    /// a matching one, or whose name is shortened, it is the name without its random suffix.
    #[must_use]
    pub fn object_of<'r>(&'r self, row: &'r Row) -> &'r str {
        let of_kind = |name: &&DerivedName| row.kind.as_ref().is_none_or(|kind| kind.eq_ignore_ascii_case(&name.kind));
        let fitting = self.names().iter().filter(of_kind).filter(|name| matches(&name.parts, &row.name));
        let Some(best) = fitting.max_by_key(|name| name.fit()) else {
            let own = self.names().first().map(|name| name.parts.as_slice());
            return match own {
                Some([Segment::Literal(own)]) if self.fit_shortened(row).is_some() => own,
                _ => without_random_suffix(row),
            };
        };
        let dashes = || row.name.match_indices('-').map(|(at, _)| &row.name[..at]);
        match best.appended {
            [] => &row.name,
            // The name of a Node contains dashes itself.
            [Segment::Node] => Self::own_parts(best).and_then(|own| dashes().find(|name| matches(&own, name))).unwrap_or(&row.name),
            appended => dashes().nth_back(appended.len() - 1).unwrap_or(&row.name),
        }
    }

    /// The controller that recreates the object of a row that this pattern fits; `None` for an object that was not created by a controller.
    #[must_use]
    pub fn controller_of(&self, row: &Row) -> Option<Controller> {
        let rows = self.names().iter().enumerate();
        let of_kind = |(_, name): &(usize, &DerivedName)| row.kind.as_ref().is_none_or(|kind| kind.eq_ignore_ascii_case(&name.kind));
        let candidates: Vec<(usize, &DerivedName)> = rows.filter(of_kind).collect();
        let fitting = candidates.iter().filter(|(_, name)| matches(&name.parts, &row.name)).max_by_key(|(_, name)| name.fit());
        // A truncated or shortened name matches none of the names. Then the kind determines the row; without a kind, only a shortened name is known to be that
        // of a Pod.
        let (index, _) = fitting.or(match candidates.as_slice() {
            [only] => Some(only),
            [.., last] if self.fit_shortened(row).is_some() => Some(last),
            _ => None,
        })?;
        self.controller_at(*index)
    }

    /// The controller that recreates the Pods of the object; `Some(None)` for Pods that are not recreated, `None` if the object has no Pods.
    #[must_use]
    pub fn pod_controller(&self) -> Option<Option<Controller>> {
        let pods = self.kinds().position(|kind| kind == POD)?;
        Some(self.controller_at(pods))
    }

    /// The controller that creates the objects of the row with this index: the object of the previous row.
    fn controller_at(&self, index: usize) -> Option<Controller> {
        let rows = self.derived()?;
        let creator = match index.checked_sub(1) {
            Some(before) => rows.get(before)?.0,
            None if self.kind == STATIC_POD => Controller::Kubelet.name(),
            None => return None,
        };
        Controller::ALL.into_iter().find(|controller| controller.name() == creator)
    }

    /// The segments of a name before the appended ones.
    fn own_parts(name: &DerivedName) -> Option<Vec<Segment>> {
        let [own @ .., Segment::Literal(last), _] = name.parts.as_slice() else { return None };
        let mut own = own.to_vec();
        own.push(Segment::Literal(last.strip_suffix('-')?.to_owned()));
        Some(merge_literals(own.into_iter()))
    }

    /// Whether it defines a kind: deleting it deletes all objects of that kind.
    #[must_use]
    pub fn is_definition(&self) -> bool {
        self.kind == "CustomResourceDefinition"
    }

    /// Whether the deletion of the object has its own effect, which is not that of deleting the workload of its component.
    #[must_use]
    pub fn has_own_effect(&self) -> bool {
        OWN_EFFECT.contains(&self.kind.as_str())
    }

    /// Whether it creates Pods, so that it is a workload.
    #[must_use]
    pub fn makes_pods(&self) -> bool {
        self.kinds().any(|kind| kind == POD)
    }

    /// Whether the object has its own row, in addition to those of its Pods.
    #[must_use]
    pub fn is_controlled(&self) -> bool {
        self.kinds().any(|kind| kind != POD)
    }

    /// The kind of the object itself.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The namespace of the object; `None` for any.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The kinds of the rows that it fits.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = &str> {
        let (derived, own) = match self.derived() {
            Some(rows) => (rows, None),
            None => (&[][..], Some(self.kind.as_str())),
        };
        derived.iter().map(|(kind, _)| *kind).chain(own)
    }

    /// Whether a row can be in the namespace of both.
    pub(super) fn may_share_a_namespace(&self, other: &Self) -> bool {
        self.namespace.is_none() || other.namespace.is_none() || self.namespace == other.namespace
    }

    /// The literal text that the object's name begins with, and therefore the names of all its rows. If neither of two prefixes begins with the other, their
    /// patterns never fit the same row.
    #[must_use]
    pub fn prefix(&self) -> &str {
        match self.parts.first() {
            Some(Segment::Literal(text)) => text,
            _ => "",
        }
    }

    /// The literal prefix of every name of this pattern, up to the last `-`, `.` or `:` before a variable part: `metrics-server` of
    /// `metrics-server-v{version}`. Empty if the pattern begins with a variable part.
    #[must_use]
    pub fn stem(&self) -> &str {
        let prefix = self.prefix();
        if let [Segment::Literal(_)] = self.parts.as_slice() {
            return prefix.trim_end_matches('-');
        }
        prefix.rfind(['-', '.', ':']).map_or("", |end| &prefix[..end])
    }
}

impl DerivedName {
    fn fit(&self) -> Fit {
        fit_of(&self.parts)
    }
}

/// The fit of a name that consists of these segments.
fn fit_of(parts: &[Segment]) -> Fit {
    let literal = |part: &Segment| if let Segment::Literal(text) = part { text.len() } else { 0 };
    Fit { literal: parts.iter().map(literal).sum(), narrowness: parts.iter().map(Segment::narrowness).sum() }
}
