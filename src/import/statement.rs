//! What a file of a source states about a version.

use std::collections::{BTreeMap, BTreeSet};

use crate::facts::VersionKind;

/// A file of a source at one revision.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceFile<'t> {
    /// Its path in the repository.
    pub(super) path: &'t str,
    /// Its text.
    pub(super) text: &'t str,
}

impl<'t> SourceFile<'t> {
    /// The lines of the text, with their numbers from 1.
    pub(super) fn lines(self) -> impl Iterator<Item = (usize, &'t str)> {
        (1..).zip(self.text.lines())
    }
}

/// What has a version.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Product {
    /// The repository of an image, with its registry.
    Image(String),
    /// A name that only the source uses.
    Name(String),
}

impl Product {
    /// The repository, or the name.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Image(text) | Self::Name(text) => text,
        }
    }
}

/// A version of a product in one release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VersionStatement {
    /// The release, unless it is the one of the tag, or the version doesn't depend on it.
    pub(super) release: Option<String>,
    /// What has the version.
    pub(super) product: Product,
    /// The version, as in the source.
    pub(super) version: String,
    /// What the version means, if it differs from the other versions of the source.
    pub(super) kind: Option<VersionKind>,
    /// The path of the file.
    pub(super) file: String,
    /// The line in the file, from 1.
    pub(super) line: usize,
}

impl VersionStatement {
    /// The version of an image; `None` if these are not the repository and the tag of an image. A digest behind the tag is left out.
    pub(super) fn of_image(file: SourceFile<'_>, line: usize, image: &str, tag: &str) -> Option<Self> {
        let tag = tag.split_once('@').map_or(tag, |(tag, _)| tag);
        let is_image = image.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/:".contains(&byte));
        let is_image = is_image && (1..=MAX_NAME).contains(&image.len()) && !image.starts_with('/');
        is_image.then(|| Self::new(file, line, Product::Image(image.to_owned()), tag)).flatten()
    }

    /// The version of an image, given as `REPOSITORY:TAG`.
    pub(super) fn of_reference(file: SourceFile<'_>, line: usize, reference: &str) -> Option<Self> {
        let reference = reference.split_once('@').map_or(reference, |(reference, _)| reference);
        // A colon before a slash belongs to the port of the registry.
        let (image, tag) = reference.rsplit_once(':').filter(|(_, tag)| !tag.contains('/'))?;
        Self::of_image(file, line, image, tag)
    }

    /// The version of a name that only the source uses.
    pub(super) fn of_name(file: SourceFile<'_>, line: usize, name: &str, version: &str) -> Option<Self> {
        let is_name = (1..=MAX_NAME).contains(&name.len()) && !name.contains(char::is_control);
        is_name.then(|| Self::new(file, line, Product::Name(name.to_owned()), version)).flatten()
    }

    fn new(file: SourceFile<'_>, line: usize, product: Product, version: &str) -> Option<Self> {
        let is_version = (1..=MAX_VERSION).contains(&version.len())
            && version.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+:~".contains(&byte));
        let file = file.path.to_owned();
        is_version.then(|| Self { release: None, product, version: version.to_owned(), kind: None, file, line })
    }

    /// The same version, in a release.
    pub(super) fn in_release(self, release: &str) -> Self {
        Self { release: Some(release.to_owned()), ..self }
    }
}

/// The maximum length of a name in bytes.
const MAX_NAME: usize = 250;

/// The maximum length of a version in bytes, which is that of a tag of an image.
const MAX_VERSION: usize = 128;

/// The statements of one release without those about a product that has several versions there, of which any could be meant.
pub(super) fn unambiguous(statements: Vec<VersionStatement>) -> Vec<VersionStatement> {
    let mut versions: BTreeMap<Product, BTreeSet<String>> = BTreeMap::new();
    for statement in &statements {
        versions.entry(statement.product.clone()).or_default().insert(statement.version.clone());
    }
    let is_one = |statement: &VersionStatement| versions.get(&statement.product).is_some_and(|versions| versions.len() == 1);
    statements.into_iter().filter(is_one).collect()
}

/// Each statement as `RELEASE PRODUCT VERSION KIND :LINE`; parts that are missing are left out.
#[cfg(test)]
pub(super) fn shown(statements: &[VersionStatement]) -> Vec<String> {
    let show = |it: &VersionStatement| {
        let kind = it.kind.map(VersionKind::name);
        let parts = [it.release.as_deref(), Some(it.product.text()), Some(&it.version), kind].into_iter().flatten();
        format!("{} :{}", parts.collect::<Vec<_>>().join(" "), it.line)
    };
    statements.iter().map(show).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_repositories_and_tags() {
        let file = SourceFile { path: "images.txt", text: "" };
        let parse =
            |reference: &str| VersionStatement::of_reference(file, 1, reference).map(|it| (it.product.text().to_owned(), it.version));
        let image = |image: &str, tag: &str| Some((image.to_owned(), tag.to_owned()));
        assert_eq!(parse("docker.io/rancher/pause:3.6"), image("docker.io/rancher/pause", "3.6"));
        assert_eq!(parse("localhost:5000/a/b:v1@sha256:00ff"), image("localhost:5000/a/b", "v1"));
        for wrong in ["localhost:5000/a/b", "a", "a:", ":1", "a:${TAG}", "${A}/b:1", "a b:1", "a:1\n"] {
            assert_eq!(parse(wrong), None, "{wrong:?}");
        }
    }
}
