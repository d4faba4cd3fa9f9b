//! Files that pages include, in the whole repository.

use std::path::{Path, PathBuf};

use super::{Content, Sources, git::WorkTree, is_hidden};
use crate::directive;

/// The folder whose files pages can include, and symbolic links can point to: the work tree that contains the knowledge base, or the knowledge base itself. `root` is a canonical path.
pub(super) fn repository(root: &Path) -> PathBuf {
    WorkTree::of(root).map_or_else(|| root.to_owned(), |work_tree| work_tree.root().to_owned())
}

/// Whether a file or folder belongs to the repository and is not hidden, after resolving links. Hidden files such as `.env` and `.git/config` often contain
/// credentials.
pub(super) fn is_public(repository: &Path, path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    path.strip_prefix(repository).is_ok_and(|inner| !inner.iter().any(|part| is_hidden(&part.to_string_lossy())))
}

/// The path of a file that a page may include.
pub(super) fn includable(root: &Path, repository: &Path, name: &str) -> Option<PathBuf> {
    let path = root.join(name).canonicalize().ok()?;
    (is_public(repository, &path) && path.is_file()).then_some(path)
}

/// The files that a file names in directives.
pub(super) fn targets(sources: &Sources, file: &str) -> Vec<String> {
    match sources.files.get(file) {
        Some(Content::Text(text)) => directive::targets(file, text).collect(),
        // A download that pages include.
        Some(Content::Bytes(bytes)) => std::str::from_utf8(bytes).map(|text| directive::targets(file, text).collect()).unwrap_or_default(),
        Some(Content::Unusable) | None => Vec::new(),
    }
}
