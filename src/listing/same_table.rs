//! Rows without a namespace that several components could own: the other rows of the listing decide.
//!
//! `csi-rbdplugin-…` is an object of two components. In a table without a NAMESPACE column, next to `rook-ceph-mon-a-…`, it is the one of Rook.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use super::{FittingPatterns, MAX_NAME, OwnedPattern, Pattern, Recogniser, Row, pattern::Fit};
use crate::id::Id;

/// This many objects of a component without a rival show that the listing is that of its namespace. One can be a coincidence.
const CERTAIN: usize = 2;

impl Recogniser {
    /// Decides the rows without a namespace that several components could own, and those that only patterns fit which need a namespace. They go to the component
    /// that owns other rows without a namespace for certain, if there is one: a table without a NAMESPACE column shows one namespace.
    pub fn decide_by_other_rows<'a>(&'a self, rows: &[&Row], fitting: &mut [FittingPatterns<'a>]) {
        if rows.iter().all(|row| row.namespace.is_some()) {
            return;
        }
        let candidates: Vec<Candidates<'a>> = rows.par_iter().zip(&*fitting).map(|(row, fitting)| self.candidates(row, fitting)).collect();
        // The objects of a component that certainly are in a namespace, by both; under an empty name those that can be in any.
        let mut certain: BTreeMap<(&Id, &str), BTreeSet<String>> = BTreeMap::new();
        for (row, candidates) in rows.iter().zip(&candidates).filter(|(_, candidates)| candidates.are_certain) {
            for (_, owned) in candidates.patterns.iter().filter(|(_, owned)| owned.pattern.makes_pods()) {
                certain.entry(place(owned)).or_default().insert(owned.pattern.object_of(row).to_owned());
            }
        }
        certain.retain(|_, objects| objects.len() >= CERTAIN);
        for (fitting, candidates) in fitting.iter_mut().zip(candidates).filter(|(_, candidates)| !candidates.are_certain) {
            // A name that no component has without the namespace may be the user's, so that the component must be in the same namespace.
            let is_rival = !fitting.0.is_empty();
            let is_here =
                |owned: &OwnedPattern| certain.contains_key(&place(owned)) || (is_rival && certain.contains_key(&(&owned.component, "")));
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
            return Candidates { patterns: Vec::new(), are_certain: false };
        }
        let best = fitting.0.iter().map(|(fit, _)| *fit).max();
        let mut patterns: Vec<(Fit, &OwnedPattern)> = fitting.0.iter().filter(|(fit, _)| Some(*fit) == best).copied().collect();
        let unnamed = self.fitting_with(row, Pattern::fit_unnamed).into_iter().filter(|(fit, _)| best.is_none_or(|best| *fit >= best));
        patterns.extend(unnamed);
        let are_certain = best.is_some() && patterns.iter().all(|(_, owned)| owned.component == patterns[0].1.component);
        Candidates { patterns, are_certain }
    }
}

/// The component of a pattern and its namespace; an empty one for any.
fn place(owned: &OwnedPattern) -> (&Id, &str) {
    (&owned.component, owned.pattern.namespace().unwrap_or_default())
}

/// The patterns that could fit a row.
struct Candidates<'a> {
    patterns: Vec<(Fit, &'a OwnedPattern)>,
    /// Whether all are of one component, and some fit without a namespace.
    are_certain: bool,
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
}
