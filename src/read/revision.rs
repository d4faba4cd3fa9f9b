//! Reads a knowledge base at a commit, from git's objects; the files in the work tree are not used.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use super::{
    Content, ReadError, STATIC, Sources, TEMPLATES,
    git::WorkTree,
    git_objects::{self, Object},
    includes, is_text, unify,
};
use crate::{config, diagnostic::Diagnostics};

/// Reads the knowledge base in `root` as it is at a commit.
///
/// # Errors
/// If the commit does not exist, or has no knowledge base.
pub fn read_revision(root: &Path, revision: &str) -> Result<Sources, ReadError> {
    let commit = resolve(root, revision)?;
    let listed = list(root, &commit, &[config::FILE])?;
    let text = |bytes: &[u8]| unify(&String::from_utf8_lossy(bytes));
    let book = contents(root, &listed)?.pop().map(|book| text(&book)).ok_or_else(|| ReadError::NoBookAt(revision.to_owned()))?;
    let mut config = config::parse(&config::FILE.into(), &book, &mut Diagnostics::new());
    config.find_src(|path| list(root, &commit, &[path]).is_ok_and(|listed| !listed.is_empty()));
    let src = config.src;
    let objects = list(root, &commit, &[&src, TEMPLATES, STATIC])?;
    let read = contents(root, &objects)?;
    let read = objects.into_iter().zip(read).map(|(object, bytes)| {
        let content = if is_text(&object.name, &src) { Content::Text(text(&bytes).into()) } else { Content::Bytes(bytes.into()) };
        (Arc::from(object.name), content)
    });
    let mut sources = Sources { files: read.collect(), ..Sources::default() };
    sources.files.insert(config::FILE.into(), Content::Text(book.into()));
    let mut open: Vec<Arc<str>> =
        sources.below(&src).filter(|(inner, ..)| inner.ends_with(".md")).map(|(_, file, _)| file.clone()).collect();
    let mut included = BTreeSet::new();
    while let Some(file) = open.pop() {
        for name in includes::targets(&sources, &file).into_iter().map(Arc::<str>::from) {
            if included.insert(name.clone()) {
                if !sources.files.contains_key(&name) {
                    let bytes = contents(root, &list(root, &commit, &[&name])?)?.pop();
                    sources.files.extend(bytes.map(|bytes| (name.clone(), Content::Text(text(&bytes).into()))));
                }
                open.push(name);
            }
        }
    }
    Ok(sources)
}

/// The merge base of two commits, for `base...head`.
///
/// # Errors
/// If one of them is not a commit, or they have no common ancestor.
pub fn merge_base(root: &Path, one: &str, other: &str) -> Result<String, ReadError> {
    let (one, other) = (resolve(root, one)?, resolve(root, other)?);
    git(root, &["merge-base", &one, &other], b"").map(|hash| String::from_utf8_lossy(&hash).trim().to_owned())
}

/// The object id of a commit.
fn resolve(root: &Path, revision: &str) -> Result<String, ReadError> {
    let hash = git(root, &["rev-parse", "--verify", "--quiet", "--end-of-options", &format!("{revision}^{{commit}}")], b"");
    let hash = hash.map_err(|error| match error {
        // With `--quiet`, git has no message for a name that is not a commit.
        ReadError::Git(message) if message.is_empty() => ReadError::NoRevision(revision.to_owned()),
        error => error,
    })?;
    Ok(String::from_utf8_lossy(&hash).trim().to_owned())
}

/// The regular files at some paths.
fn list(root: &Path, commit: &str, paths: &[&str]) -> Result<Vec<Object>, ReadError> {
    let mut arguments = vec!["ls-tree", "-r", "-z", commit, "--"];
    arguments.extend(paths);
    let listed = git(root, &arguments, b"")?;
    Ok(git_objects::listed(&listed))
}

/// The contents of files, in the same order.
fn contents(root: &Path, objects: &[Object]) -> Result<Vec<Vec<u8>>, ReadError> {
    let mut asked: Vec<&str> = objects.iter().map(|object| object.hash.as_str()).collect();
    asked.push("");
    let answer = git(root, &["cat-file", "--batch"], asked.join("\n").as_bytes())?;
    let contents: Vec<Vec<u8>> = git_objects::contents(&answer).into_iter().flatten().map(<[u8]>::to_owned).collect();
    if contents.len() == objects.len() { Ok(contents) } else { Err(ReadError::Git("it did not return every file".to_owned())) }
}

fn git(root: &Path, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, ReadError> {
    let root = root.canonicalize().map_err(|error| ReadError::Io(root.to_owned(), error))?;
    let work_tree = WorkTree::of(&root).ok_or_else(|| ReadError::Git("not a git repository".to_owned()))?;
    work_tree.git(arguments, input).map_err(|error| ReadError::Git(error.to_string()))
}
