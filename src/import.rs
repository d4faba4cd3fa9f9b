//! Imports versions of components from the repositories of providers, for `versions.yaml`.
//!
//! Each source is an [`ImportSource`] in its own file, with a parser that takes the texts of files and returns what they state. Everything else is the same for all
//! sources: which revisions are read, which component an image belongs to, and how releases with the same version become one entry.

mod agentbaker;
mod aks_docs;
mod document;
mod eks_distro;
mod eksctl;
mod go_constants;
mod k0s;
mod k3s;
mod kubespray;
mod minikube;
mod ranges;
mod release;
mod repository;
mod rke2;
mod statement;
mod talos;

use std::collections::{BTreeMap, BTreeSet};

pub use document::VersionsDocument;

use crate::{
    decode::{Ordered, Spanned},
    facts::{Day, RawScalar, VersionKind, VersionSourceFacts},
    id::Id,
    listing::Recogniser,
    read::{Checkout, ReadError},
    text::{Span, listed},
};
use ranges::{ReleasedVersion, ranges};
use statement::{Product, SourceFile, VersionStatement};

/// Every source, sorted by id.
pub const SOURCES: [ImportSource; 10] = [
    agentbaker::SOURCE,
    aks_docs::SOURCE,
    eks_distro::SOURCE,
    eksctl::SOURCE,
    k0s::SOURCE,
    k3s::SOURCE,
    kubespray::SOURCE,
    minikube::SOURCE,
    rke2::SOURCE,
    talos::SOURCE,
];

/// A repository that states versions, and how it is read.
#[derive(Clone, Copy, Debug)]
pub struct ImportSource {
    /// Its key in `versions.yaml`, and its name on the command line.
    pub id: &'static str,
    /// The provider whose versions it states.
    pub provider: &'static str,
    /// What its versions mean. A version of another kind goes to a second source in the file, whose key ends in the name of the kind.
    pub kind: VersionKind,
    /// The address of the repository.
    pub repository: &'static str,
    /// The paths of its files. A name in a path can have a `*`, at HEAD only. At a tag, files that don't exist are left out: paths change over time.
    files: &'static [&'static str],
    /// Whether its releases have other numbers than those of Kubernetes.
    own_releases: bool,
    /// The revisions at which the files are read.
    revisions: Revisions,
    /// The oldest minor release that is imported.
    since: [u64; 2],
    /// Returns what the files of a revision state.
    parse: fn(&[SourceFile<'_>]) -> Vec<VersionStatement>,
}

/// The revisions of a repository that are read.
#[derive(Clone, Copy, Debug)]
enum Revisions {
    /// The tag of each stable release.
    Tags,
    /// The commit that is checked out. Its files state the releases, if versions depend on them.
    Head,
}

/// The reason why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The repository can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is another repository, or the files have moved.
    #[error(
        "`{folder}` has no {files} at {}; pass a clone of {repository} with its tags: `git clone --no-checkout {repository}`",
        if *at_tags { "the tag of any release" } else { "HEAD" }
    )]
    NoFile {
        /// The folder of the clone.
        folder: String,
        /// The paths of the files, quoted.
        files: String,
        /// The address of the repository.
        repository: &'static str,
        /// Whether the files of releases were looked for.
        at_tags: bool,
    },
    /// The form of the files has changed.
    #[error("{files} in `{folder}` has no version that the importer `{source_id}` can read; its form has changed, so correct the importer")]
    NoVersion {
        /// The folder of the clone.
        folder: String,
        /// The paths of the files, quoted.
        files: String,
        /// The source.
        source_id: &'static str,
    },
}

/// What was imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportSummary {
    /// The number of releases that the source describes.
    pub releases: usize,
    /// The number of entries in the file.
    pub versions: usize,
    /// The number of components with a version.
    pub components: usize,
    /// The images and names that belong to no component.
    pub without_component: BTreeSet<String>,
}

/// Replaces a source in the file of its provider by what its repository states now. The names of the source are kept.
///
/// # Errors
/// If the repository can't be read, or states nothing. The document is unchanged then.
pub fn import(
    source: &ImportSource,
    checkout: &Checkout,
    recogniser: &Recogniser,
    document: &mut VersionsDocument,
    checked: Day,
) -> Result<ImportSummary, ImportError> {
    let read = source.read(checkout)?;
    let names = document.names(source.id).to_vec();
    let by_name: BTreeMap<&str, &Id> = names.iter().map(|(name, id)| (name.as_str(), id)).collect();
    let mut products: BTreeMap<&Product, Option<&Id>> = BTreeMap::new();
    let mut versions: BTreeMap<VersionKind, Vec<ReleasedVersion<'_>>> = BTreeMap::new();
    for (release, statement) in &read.statements {
        let component = *products.entry(&statement.product).or_insert_with_key(|product| match product {
            Product::Image(image) => recogniser.of_image(image).filter(|id| may_be_at(recogniser, id, source.provider)),
            Product::Name(name) => by_name.get(name.as_str()).copied(),
        });
        // A name means nothing without a component; an image can be looked up in its registry.
        if component.is_some() || matches!(statement.product, Product::Image(_)) {
            let version = ReleasedVersion { component, release: *release, statement };
            versions.entry(statement.kind.unwrap_or(source.kind)).or_default().push(version);
        }
    }
    let mut summary = ImportSummary { releases: read.releases.len(), ..ImportSummary::default() };
    summary.components = products.values().flatten().collect::<BTreeSet<_>>().len();
    summary.without_component = products.iter().filter(|(_, id)| id.is_none()).map(|(product, _)| product.text().to_owned()).collect();
    // If all versions are in the same file, the entries don't name it.
    let files: BTreeSet<&str> = read.statements.iter().map(|(_, statement)| statement.file.as_str()).collect();
    let file = files.first().filter(|_| files.len() == 1);
    let url = format!("{}/blob/{}/{}", source.repository, read.revision, file.unwrap_or(&"{file}"));
    for kind in VersionKind::ALL {
        let of_kind = versions.remove(&kind).unwrap_or_default();
        let is_main = kind == source.kind;
        let key = if is_main { source.id.to_owned() } else { format!("{}-{}", source.id, kind.name()) };
        if of_kind.is_empty() && !is_main {
            document.remove(&key);
            continue;
        }
        let entries = ranges(&read.releases, &of_kind, file.is_none());
        summary.versions += entries.len();
        let names = names.iter().filter(|_| is_main).map(|(name, id)| (spanned(name.clone()), spanned(id.clone())));
        let facts = VersionSourceFacts {
            kind: spanned(kind),
            url: Some(spanned(url.clone())),
            checked: spanned(checked),
            names: Ordered(names.collect()),
            own_releases: source.own_releases,
            releases: read.releases.iter().map(|release| spanned(RawScalar(release.name().to_owned()))).collect(),
            versions: entries.into_iter().map(spanned).collect(),
        };
        document.replace(&key, &facts);
    }
    Ok(summary)
}

/// Whether the objects of a component can be those of a provider. The same image can be used for another component at another provider.
fn may_be_at(recogniser: &Recogniser, component: &Id, provider: &str) -> bool {
    let patterns = recogniser.of(component);
    patterns.is_empty()
        || patterns.iter().any(|owned| owned.providers.is_empty() || owned.providers.iter().any(|id| id.as_str() == provider))
}

impl ImportSource {
    /// The paths of its files, for messages.
    fn quoted_files(&self) -> String {
        listed(self.files.iter().copied())
    }
}

/// A value that comes from no file of the knowledge base.
fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::at(0))
}
