//! Reads the files of a source at its revisions.

use super::{
    ImportError, ImportSource, Revisions,
    release::StableRelease,
    statement::{SourceFile, VersionStatement},
};
use crate::read::Checkout;

/// What the files of a source state.
pub(super) struct SourceReading {
    /// The revision in the addresses of files.
    pub(super) revision: String,
    /// The releases, in ascending order.
    pub(super) releases: Vec<StableRelease>,
    /// The statements, with the index of the release of each, unless it doesn't depend on one.
    pub(super) statements: Vec<(Option<usize>, VersionStatement)>,
}

impl ImportSource {
    /// Reads the files at all revisions.
    pub(super) fn read(&self, checkout: &Checkout) -> Result<SourceReading, ImportError> {
        let reading = match self.revisions {
            Revisions::Tags => self.read_tags(checkout),
            Revisions::Head => self.read_head(checkout),
        }?;
        let folder = || checkout.folder().display().to_string();
        if reading.statements.is_empty() {
            return Err(ImportError::NoVersion { folder: folder(), files: self.quoted_files(), source_id: self.id });
        }
        Ok(reading)
    }

    fn read_tags(&self, checkout: &Checkout) -> Result<SourceReading, ImportError> {
        let tags = checkout.tags()?;
        let mut releases: Vec<StableRelease> = tags.iter().filter_map(|tag| StableRelease::of_tag(tag)).collect();
        releases.retain(|release| release.is_since(self.since));
        releases.sort();
        let revision = |release: &StableRelease| format!("refs/tags/v{}", release.name());
        let queries = releases.iter().flat_map(|release| self.files.iter().map(move |path| (revision(release), (*path).to_owned())));
        let texts = checkout.contents(&queries.collect::<Vec<_>>())?;
        let mut reading = SourceReading { revision: "v{release}".to_owned(), releases: Vec::new(), statements: Vec::new() };
        for (release, texts) in releases.into_iter().zip(texts.chunks(self.files.len().max(1))) {
            let files = self.files.iter().zip(texts).filter_map(|(path, text)| Some(SourceFile { path, text: text.as_deref()? }));
            let files: Vec<SourceFile<'_>> = files.collect();
            if !files.is_empty() {
                let index = Some(reading.releases.len());
                reading.releases.push(release);
                reading.statements.extend((self.parse)(&files).into_iter().map(|statement| (index, statement)));
            }
        }
        if reading.releases.is_empty() { Err(self.no_file(checkout)) } else { Ok(reading) }
    }

    fn read_head(&self, checkout: &Checkout) -> Result<SourceReading, ImportError> {
        let commit = checkout.head()?;
        let mut paths = Vec::new();
        for pattern in self.files {
            match pattern.split_once('*') {
                None => paths.push((*pattern).to_owned()),
                Some((before, _)) => {
                    let folder = before.rsplit_once('/').map_or("", |(folder, _)| folder);
                    paths.extend(checkout.files(&commit, folder)?.into_iter().filter(|path| matches(pattern, path)));
                }
            }
        }
        let queries: Vec<_> = paths.iter().map(|path| (commit.clone(), path.clone())).collect();
        let texts = checkout.contents(&queries)?;
        let files = paths.iter().zip(&texts).filter_map(|(path, text)| Some(SourceFile { path, text: text.as_deref()? }));
        let files: Vec<SourceFile<'_>> = files.collect();
        if files.is_empty() {
            return Err(self.no_file(checkout));
        }
        let named = (self.parse)(&files).into_iter().map(|statement| (statement.release.as_deref().map(StableRelease::new), statement));
        // `Some(None)` is a pre-release.
        let mut named: Vec<(Option<Option<StableRelease>>, VersionStatement)> = named.collect();
        named.retain(|(release, _)| release.as_ref().is_none_or(|it| it.as_ref().is_some_and(|it| it.is_since(self.since))));
        let mut releases: Vec<StableRelease> = named.iter().filter_map(|(release, _)| release.clone().flatten()).collect();
        releases.sort();
        releases.dedup();
        let index = |release: Option<StableRelease>| releases.binary_search(&release?).ok();
        let statements = named.into_iter().map(|(release, statement)| (index(release.flatten()), statement)).collect();
        Ok(SourceReading { revision: commit, releases, statements })
    }

    fn no_file(&self, checkout: &Checkout) -> ImportError {
        ImportError::NoFile {
            folder: checkout.folder().display().to_string(),
            files: self.quoted_files(),
            repository: self.repository,
            at_tags: matches!(self.revisions, Revisions::Tags),
        }
    }
}

/// Whether a path fits a pattern, in which a `*` stands for any part of one name.
fn matches(pattern: &str, path: &str) -> bool {
    let fits = |(pattern, name): (&str, &str)| match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after),
    };
    pattern.split('/').count() == path.split('/').count() && pattern.split('/').zip(path.split('/')).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_part_of_one_name() {
        assert!(matches("projects/*/*/1-*/TAG", "projects/a/b/1-33/TAG"));
        for path in ["projects/a/b/2-33/TAG", "projects/a/b/1-33/c/TAG", "projects/a/b/1-33/TAGS", "projects/a/1-33/TAG", "1-"] {
            assert!(!matches("projects/*/*/1-*/TAG", path), "{path}");
        }
        assert!(!matches("ab*ba", "aba"));
    }
}
