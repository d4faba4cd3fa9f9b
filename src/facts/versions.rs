//! The format of `versions.yaml`: the versions of components in the releases of a provider.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Day, RawScalar};
use crate::{
    decode::{Ordered, Spanned},
    id::Id,
};

/// `content/providers/<id>/versions.yaml`
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VersionsFacts {
    /// The sources, by key. `ksys-docs import versions` writes a source as a whole, and keeps the others.
    #[serde(default)]
    pub sources: Ordered<Spanned<Id>, VersionSourceFacts>,
}

/// A source of versions: a file in a repository, a page, an observation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VersionSourceFacts {
    /// What the versions mean.
    pub kind: Spanned<VersionKind>,
    /// The address of the file or page. `{release}` stands for the release of a version, `{file}` for the file of its entry. Optional for an observation.
    pub url: Option<Spanned<String>>,
    /// The date on which the source was read.
    pub checked: Spanned<Day>,
    /// The components of the names that the source uses. Names of images are in the facts of their components.
    #[serde(default)]
    pub names: Ordered<Spanned<String>, Spanned<Id>>,
    /// Whether the provider numbers its releases itself. Default: the beginning of a release is one of the vocabulary, as that of `1.33.1+k3s1`.
    #[serde(default)]
    pub own_releases: bool,
    /// The releases of the provider that the source describes, in ascending order. Empty if its versions don't depend on the release.
    #[serde(default)]
    pub releases: Vec<Spanned<RawScalar>>,
    /// The versions.
    #[serde(default)]
    pub versions: Vec<Spanned<VersionFacts>>,
}

/// The version of a component in one release, or in several that follow each other.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct VersionFacts {
    /// The component; not known of some images.
    pub component: Option<Spanned<Id>>,
    /// The repository of the image, with its registry: `registry.k8s.io/coredns/coredns`.
    pub image: Option<String>,
    /// The name in the source, if it isn't an image.
    pub name: Option<String>,
    /// The version, as the source writes it: `v1.12.1`.
    pub version: RawScalar,
    /// The first release of the source that has it. Default: all releases.
    pub from: Option<Spanned<RawScalar>>,
    /// The last release that has it. Default: only the first.
    pub to: Option<Spanned<RawScalar>>,
    /// What `{file}` in the address of the source stands for.
    pub file: Option<String>,
    /// The line in the file, of the last release.
    pub line: Option<u32>,
}

/// What a version of a component means. Versions of different kinds are never compared as if they were the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum VersionKind {
    /// The release has this version, and no other can be chosen.
    Runs,
    /// It is installed unless another version is chosen.
    Default,
    /// It can be chosen.
    Offered,
    /// Its image is on the disk of Nodes before it is used; other versions may be, too.
    Cached,
    /// The provider builds it from this version of the project.
    Upstream,
    /// It was seen in a cluster, and isn't documented.
    Observed,
}

impl VersionKind {
    /// Every kind, the strongest statement first.
    pub const ALL: [Self; 6] = [Self::Runs, Self::Default, Self::Offered, Self::Cached, Self::Upstream, Self::Observed];

    /// The value as in `versions.yaml`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Default => "default",
            Self::Offered => "offered",
            Self::Cached => "cached",
            Self::Upstream => "upstream",
            Self::Observed => "observed",
        }
    }
}
