//! Reads files of another repository at its tags. Only git's objects are read, not the files of the work tree, and nothing of the repository is run.

use std::path::{Path, PathBuf};

use super::{
    MAX_TEXT, ReadError,
    git::WorkTree,
    git_objects::{contents, listed},
    unify,
};

/// A local clone of a repository.
#[derive(Clone, Debug)]
pub struct Checkout {
    folder: PathBuf,
    work_tree: WorkTree,
}

impl Checkout {
    /// The clone in a folder, which has a `.git`.
    ///
    /// # Errors
    /// If there is no `.git` in this very folder: the one of a folder above would be another repository.
    pub fn open(folder: &Path) -> Result<Self, ReadError> {
        let real = folder.canonicalize().map_err(|_| ReadError::NoFolder(folder.to_owned()))?;
        let work_tree = WorkTree::of(&real).filter(|work_tree| work_tree.root() == real);
        let work_tree = work_tree.ok_or_else(|| ReadError::NoCheckout(folder.to_owned()))?;
        Ok(Self { folder: folder.to_owned(), work_tree })
    }

    /// The folder, as it was given.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The names of all tags, in the order of git. As a revision, a tag is `refs/tags/NAME`, because a branch can have the same name.
    ///
    /// # Errors
    /// If git fails.
    pub fn tags(&self) -> Result<Vec<String>, ReadError> {
        let answer = self.git(&["for-each-ref", "--format=%(refname:strip=2)", "refs/tags"], b"")?;
        Ok(String::from_utf8_lossy(&answer).lines().filter(|name| is_argument(name)).map(str::to_owned).collect())
    }

    /// The object id of the commit that is checked out.
    ///
    /// # Errors
    /// If git fails, or there is no commit yet.
    pub fn head(&self) -> Result<String, ReadError> {
        let answer = self.git(&["rev-parse", "--verify", "--end-of-options", "HEAD^{commit}"], b"")?;
        Ok(String::from_utf8_lossy(&answer).trim().to_owned())
    }

    /// The paths of the regular files below a folder at a revision, sorted; empty if the folder does not exist there.
    ///
    /// # Errors
    /// If git fails, or there is no such revision.
    pub fn files(&self, revision: &str, folder: &str) -> Result<Vec<String>, ReadError> {
        require(revision)?;
        let answer = self.git(&["ls-tree", "-r", "-z", "--full-tree", revision, "--", folder], b"")?;
        Ok(listed(&answer).into_iter().map(|object| object.name).filter(|name| is_argument(name)).collect())
    }

    /// The texts of files, given by revision and path, in the same order; `None` if a file does not exist, or has more than [`MAX_TEXT`] bytes. Runs git once.
    ///
    /// # Errors
    /// If git fails, or a revision or path has a control character.
    pub fn contents(&self, files: &[(String, String)]) -> Result<Vec<Option<String>>, ReadError> {
        let mut queries = String::new();
        for (revision, path) in files {
            require(revision).and_then(|()| require(path))?;
            queries.extend([revision, ":", path, "\n"]);
        }
        let answer = self.git(&["cat-file", "--batch"], queries.as_bytes())?;
        let is_small = |bytes: &&[u8]| u64::try_from(bytes.len()).is_ok_and(|length| length <= MAX_TEXT);
        let text = |bytes: &[u8]| unify(&String::from_utf8_lossy(bytes));
        let texts: Vec<Option<String>> = contents(&answer).into_iter().map(|bytes| bytes.filter(is_small).map(text)).collect();
        if texts.len() == files.len() { Ok(texts) } else { Err(ReadError::Git("it did not return every file".to_owned())) }
    }

    fn git(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, ReadError> {
        self.work_tree.git(arguments, input).map_err(|error| ReadError::Git(error.to_string()))
    }
}

/// Whether a name of the repository can be passed to git: it is neither an option nor several lines.
fn is_argument(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && !name.contains(char::is_control)
}

fn require(name: &str) -> Result<(), ReadError> {
    if is_argument(name) {
        Ok(())
    } else {
        Err(ReadError::Git(format!("`{}` cannot be the name of a revision or file", name.escape_debug())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_would_misread_are_rejected() {
        assert!(is_argument("v1.33.0+k3s1") && is_argument("refs/tags/a b"));
        for name in ["", "--output=x", "a\nb", "a\0", "\u{1b}[31m"] {
            assert!(!is_argument(name), "{name:?}");
        }
    }
}
