//! Rows without a namespace that several components could own, or whose name anybody could choose: the other rows of the listing decide.
//!
//! `csi-rbdplugin-…` is an object of two components. In a table without a NAMESPACE column, next to `rook-ceph-mon-a-…`, it is the one of Rook.
//! `controller-…` can be anybody's. In a table with `speaker-…`, both are objects of MetalLB.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{FittingPatterns, MAX_NAME, OwnedPattern, Pattern, Recogniser, Row, pattern::Fit};
use crate::id::Id;

/// This many objects of a component show that the listing is that of its namespace. One can be a coincidence.
const ENOUGH: usize = 2;

/// This many objects of a component in several of its namespaces show that the listing has objects of all its namespaces, as those of a Node do.
const ENOUGH_IN_SEVERAL: usize = 3;

impl Recogniser {
    /// Decides the rows without a namespace that several components could own, and those that only patterns fit which need a namespace. They go to the component
    /// that has other objects in the listing, if there is one: a table without a NAMESPACE column shows one namespace.
    pub fn decide_by_other_rows<'a>(&'a self, rows: &[&Row], fitting: &mut [FittingPatterns<'a>]) {
        let unnamed = rows.iter().filter(|row| row.namespace.is_none()).count();
        if unnamed == 0 {
            return;
        }
        let candidates: Vec<Candidates<'a>> = rows.par_iter().zip(&*fitting).map(|(row, fitting)| self.candidates(row, fitting)).collect();
        let mut found: BTreeMap<(&Id, &str), Found> = BTreeMap::new();
        for (row, candidates) in rows.iter().zip(&candidates) {
            let places: BTreeSet<(&Id, &str)> = candidates.patterns.iter().map(|(_, owned)| place(owned)).collect();
            for place in places {
                found.entry(place).or_default().rows += 1;
            }
            for (_, owned) in candidates.patterns.iter().filter(|(_, owned)| owned.pattern.makes_pods()) {
                let found = found.entry(place(owned)).or_default();
                let object = owned.pattern.object_of(row).to_owned();
                found.has_own |= candidates.is_one;
                if candidates.are_certain {
                    found.certain.insert(object)
                } else {
                    found.possible.insert(object)
                };
            }
        }
        let in_several = in_several_namespaces(&found);
        for (fitting, candidates) in fitting.iter_mut().zip(candidates).filter(|(_, candidates)| !candidates.are_certain) {
            let is_certain = |place: &(&Id, &str)| found.get(place).is_some_and(|found| found.certain.len() >= ENOUGH);
            // A name that no component has without the namespace may be the user's, so that the component must be in the same namespace.
            let is_rival = !fitting.0.is_empty();
            let is_here = |owned: &OwnedPattern| {
                let here = place(owned);
                is_certain(&here)
                    || (is_rival && is_certain(&(&owned.component, "")))
                    || (!is_rival && found.get(&here).is_some_and(|found| found.is_whole_table(unnamed)))
                    || (!is_rival && in_several.contains(&owned.component))
            };
            let here: Vec<(Fit, &OwnedPattern)> = candidates.patterns.into_iter().filter(|(_, owned)| is_here(owned)).collect();
            let owners: BTreeSet<&Id> = here.iter().map(|(_, owned)| &owned.component).collect();
            if owners.len() == 1 {
                fitting.0 = here;
            }
        }
    }

    /// The patterns that fit a row without a namespace best, and those that fit it at least as well in their namespace; none for a row with a namespace.
    fn candidates<'a>(&'a self, row: &Row, fitting: &FittingPatterns<'a>) -> Candidates<'a> {
        if row.namespace.is_some() || row.name.len() > MAX_NAME {
            return Candidates { patterns: Vec::new(), is_one: false, are_certain: false };
        }
        let best = fitting.0.iter().map(|(fit, _)| *fit).max();
        let mut patterns: Vec<(Fit, &OwnedPattern)> = fitting.0.iter().filter(|(fit, _)| Some(*fit) == best).copied().collect();
        let unnamed = self.fitting_with(row, Pattern::fit_unnamed).into_iter().filter(|(fit, _)| best.is_none_or(|best| *fit >= best));
        patterns.extend(unnamed);
        let is_one = patterns.iter().all(|(_, owned)| owned.component == patterns[0].1.component);
        Candidates { patterns, is_one, are_certain: is_one && best.is_some() }
    }
}

/// The component of a pattern and its namespace; an empty one for any.
fn place(owned: &OwnedPattern) -> (&Id, &str) {
    (&owned.component, owned.pattern.namespace().unwrap_or_default())
}

/// The components that have objects in several of their namespaces.
fn in_several_namespaces<'a>(found: &BTreeMap<(&'a Id, &str), Found>) -> BTreeSet<&'a Id> {
    let mut objects: BTreeMap<&Id, Vec<usize>> = BTreeMap::new();
    for ((component, _), found) in found.iter().filter(|((_, namespace), found)| !namespace.is_empty() && !found.certain.is_empty()) {
        objects.entry(component).or_default().push(found.certain.len());
    }
    let is_enough = |counts: &Vec<usize>| counts.len() > 1 && counts.iter().sum::<usize>() >= ENOUGH_IN_SEVERAL;
    objects.into_iter().filter(|(_, counts)| is_enough(counts)).map(|(component, _)| component).collect()
}

/// The patterns that could fit a row.
struct Candidates<'a> {
    patterns: Vec<(Fit, &'a OwnedPattern)>,
    /// Whether all are of one component.
    is_one: bool,
    /// Whether all are of one component, and some fit without a namespace.
    are_certain: bool,
}

/// What a listing has of a component in a namespace, or, with an empty namespace, of its objects that can be in any.
#[derive(Default)]
struct Found {
    /// The objects that are of no other component, even without the namespace.
    certain: BTreeSet<String>,
    /// The objects that are of the component if the listing is that of the namespace.
    possible: BTreeSet<String>,
    /// Whether one of the names is of no other component.
    has_own: bool,
    /// The number of rows that are, or can be, of the component.
    rows: usize,
}

impl Found {
    /// Whether a listing with this many rows without a namespace is that of the namespace of the component: several of its objects confirm each other, one of them
    /// has a name that no other component has, and most of the rows are its own.
    fn is_whole_table(&self, rows: usize) -> bool {
        self.has_own && self.certain.union(&self.possible).count() >= ENOUGH && self.rows * 2 > rows
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use crate::listing::parse_row;

    /// The component of each Pod of a table without a NAMESPACE column; `-` for none.
    fn owners(names: &[&str]) -> String {
        let pattern = |component: &str, entry, name: &str, namespace: Option<&str>, needs_namespace| {
            let pattern = Pattern::new("DaemonSet", name, namespace).unwrap().needing_namespace(needs_namespace);
            OwnedPattern { component: Id::new(component).unwrap(), entry, providers: Vec::new(), pattern: Arc::new(pattern) }
        };
        let recogniser = Recogniser::new(vec![
            pattern("ceph", 0, "plugin", Some("default"), false),
            pattern("mesh", 0, "mesh-agent", Some("mesh"), false),
            pattern("mesh", 1, "mesh-cni", Some("mesh"), false),
            pattern("mesh", 2, "grafana", Some("mesh"), true),
            pattern("rook", 0, "rook-mon", None, false),
            pattern("rook", 1, "rook-osd", None, false),
            pattern("rook", 2, "plugin", Some("rook"), true),
            pattern("rook", 3, "tools", Some("rook"), true),
            pattern("platform", 0, "platform-dns", Some("platform-dns"), false),
            pattern("platform", 1, "platform-cache", Some("platform-dns"), false),
            pattern("platform", 2, "platform-proxy", Some("platform-net"), false),
            pattern("platform", 3, "router", Some("platform-ingress"), true),
            pattern("balancer", 0, "controller", Some("balancer"), true),
            pattern("balancer", 1, "speaker", Some("balancer"), true),
            pattern("functions", 0, "controller", Some("functions"), true),
            pattern("functions", 1, "webhook", Some("functions"), true),
            pattern("builds", 0, "controller", Some("builds"), true),
            pattern("builds", 1, "webhook", Some("builds"), true),
        ]);
        let parsed: Vec<Row> = names.iter().map(|name| parse_row(&format!("{name}-x8k2p 1/1 Running 0 3m")).unwrap()).collect();
        let rows: Vec<&Row> = parsed.iter().collect();
        let mut fitting: Vec<FittingPatterns<'_>> = rows.iter().map(|row| recogniser.fitting(row)).collect();
        recogniser.decide_by_other_rows(&rows, &mut fitting);
        let owner = |fitting: &FittingPatterns<'_>| fitting.best(None).first().map_or("-", |owned| owned.component.as_str()).to_owned();
        fitting.iter().map(owner).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn other_rows_decide_between_components() {
        assert_eq!(owners(&["plugin"]), "ceph");
        assert_eq!(owners(&["plugin", "rook-mon"]), "ceph rook");
        assert_eq!(owners(&["plugin", "rook-mon", "rook-osd"]), "rook rook rook");
    }

    #[test]
    fn ambiguous_names_need_objects_in_the_same_namespace() {
        assert_eq!(owners(&["grafana"]), "-");
        assert_eq!(owners(&["grafana", "mesh-agent", "mesh-cni"]), "mesh mesh mesh");
        assert_eq!(owners(&["grafana", "rook-mon", "rook-osd"]), "- rook rook");
        assert_eq!(owners(&["tools", "rook-mon", "rook-osd"]), "- rook rook");
    }

    #[test]
    fn a_listing_of_a_node_has_objects_of_all_namespaces() {
        assert_eq!(owners(&["router", "platform-dns", "platform-proxy"]), "- platform platform");
        assert_eq!(owners(&["router", "platform-dns", "platform-cache"]), "- platform platform");
        assert_eq!(owners(&["router", "platform-dns", "platform-cache", "platform-proxy"]), "platform platform platform platform");
    }

    #[test]
    fn ambiguous_names_confirm_each_other() {
        assert_eq!(owners(&["controller"]), "-");
        assert_eq!(owners(&["speaker"]), "-");
        assert_eq!(owners(&["controller", "speaker", "speaker"]), "balancer balancer balancer");
        // Two components have both names, and so may have the user.
        assert_eq!(owners(&["controller", "webhook"]), "- -");
        // Most rows are not its own.
        assert_eq!(owners(&["controller", "speaker", "shop", "cart", "web"]), "- - - - -");
    }
}
