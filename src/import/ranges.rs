//! Versions of single releases to versions of ranges of releases.

use std::collections::BTreeMap;

use super::{
    release::StableRelease,
    statement::{Product, VersionStatement},
};
use crate::{
    decode::Spanned,
    facts::{RawScalar, VersionFacts},
    id::Id,
    text::Span,
};

/// A version of a component in one release.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReleasedVersion<'a> {
    /// The component; `None` if it is not known.
    pub(super) component: Option<&'a Id>,
    /// The index of the release; `None` if the version doesn't depend on it.
    pub(super) release: Option<usize>,
    /// What the source states.
    pub(super) statement: &'a VersionStatement,
}

/// What has a version: a component, if it is known, and a product. Products without a component are the last.
type Subject<'a> = (bool, Option<&'a Id>, &'a Product);

/// One entry for each run of consecutive releases in which a product has the same version, sorted by component, product and first release. With `names_file`,
/// an entry names the file of its last release.
pub(super) fn ranges(releases: &[StableRelease], versions: &[ReleasedVersion<'_>], names_file: bool) -> Vec<VersionFacts> {
    // The same version twice in one release is stated at the first of its lines.
    let mut places: BTreeMap<(Subject<'_>, &str), BTreeMap<Option<usize>, &VersionStatement>> = BTreeMap::new();
    for version in versions {
        let subject = (version.component.is_none(), version.component, &version.statement.product);
        places.entry((subject, version.statement.version.as_str())).or_default().entry(version.release).or_insert(version.statement);
    }
    let mut entries: BTreeMap<(Subject<'_>, Option<usize>, &str), VersionFacts> = BTreeMap::new();
    for ((subject, version), at) in places {
        let (_, component, product) = subject;
        let mut run: Option<(Option<usize>, usize)> = None;
        for (release, statement) in at {
            let first = match (run, release) {
                (Some((first, last)), Some(release)) if release == last + 1 => first,
                _ => release,
            };
            run = release.map(|release| (first, release));
            let named = |release: Option<usize>| Some(raw(releases.get(release?)?.name()));
            let entry = VersionFacts {
                component: component.map(|component| Spanned::new(component.clone(), Span::at(0))),
                image: matches!(product, Product::Image(_)).then(|| product.text().to_owned()),
                name: matches!(product, Product::Name(_)).then(|| product.text().to_owned()),
                version: RawScalar(version.to_owned()),
                from: named(first),
                to: named(release.filter(|_| release != first)),
                file: names_file.then(|| statement.file.clone()),
                line: u32::try_from(statement.line).ok(),
            };
            // A longer run replaces the shorter one that began with the same release.
            entries.insert((subject, first, version), entry);
        }
    }
    entries.into_values().collect()
}

fn raw(text: &str) -> Spanned<RawScalar> {
    Spanned::new(RawScalar(text.to_owned()), Span::at(0))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{super::statement::SourceFile, *};

    #[test]
    fn consecutive_releases_with_one_version_are_one_entry() {
        let releases: Vec<_> = ["1.1", "1.2", "1.3", "1.9", "1.10"].iter().map(|name| StableRelease::new(name).unwrap()).collect();
        let statement = |image: &str, version: &str, line: usize| {
            VersionStatement::of_image(SourceFile { path: "f", text: "" }, line, image, version).unwrap()
        };
        let stated = [
            (Some(1), statement("pump", "2", 9)),
            (Some(0), statement("pump", "2", 8)),
            (Some(2), statement("pump", "3", 7)),
            (Some(3), statement("pump", "2", 6)),
            (Some(4), statement("pump", "2", 5)),
            (Some(4), statement("pump", "2", 4)),
            (Some(0), statement("other/pump", "1", 3)),
            (Some(2), statement("other/pump", "1", 2)),
            (None, statement("other/pump", "0", 1)),
            (Some(0), statement("a/unknown", "5", 10)),
        ];
        let component = Id::new("pump").unwrap();
        let versions: Vec<_> = stated
            .iter()
            .map(|(release, statement)| {
                let is_known = statement.product.text() != "a/unknown";
                ReleasedVersion { component: is_known.then_some(&component), release: *release, statement }
            })
            .collect();
        let entries: Vec<String> = ranges(&releases, &versions, false)
            .iter()
            .map(|it| {
                let release = |at: &Option<Spanned<RawScalar>>| at.as_ref().map_or("", |at| at.value.0.as_str()).to_owned();
                format!("{} {} {}..{} :{}", it.image.as_ref().unwrap(), it.version.0, release(&it.from), release(&it.to), it.line.unwrap())
            })
            .collect();
        assert_eq!(
            entries,
            [
                "other/pump 0 .. :1",
                "other/pump 1 1.1.. :3",
                "other/pump 1 1.3.. :2",
                "pump 2 1.1..1.2 :9",
                "pump 3 1.3.. :7",
                "pump 2 1.9..1.10 :5",
                "a/unknown 5 1.1.. :10",
            ]
        );
        assert_eq!(ranges(&releases, &versions, true)[0].file.as_deref(), Some("f"));
    }
}
