//! The dates on which files last changed, from git.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::git::WorkTree;

/// The history of a folder; empty if the folder is not in a git repository.
#[derive(Clone, Debug, Default)]
pub struct History {
    work_tree: Option<WorkTree>,
    /// The git directory of the repository.
    folder: Option<PathBuf>,
}

impl History {
    /// The history of the repository that a folder is in.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let work_tree = WorkTree::of(root);
        let folder = work_tree.as_ref().and_then(|work_tree| text(work_tree, &["rev-parse", "--absolute-git-dir"]));
        Self { folder: folder.map(|folder| PathBuf::from(folder.trim_end_matches('\n'))), work_tree }
    }

    /// The git directory, if there is a repository.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether one of these paths is the file that changes with each commit or checkout.
    #[must_use]
    pub fn touched_by<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
        let Some(folder) = &self.folder else { return false };
        let head = folder.join("logs").join("HEAD");
        paths.into_iter().any(|path| *path == head)
    }

    /// Whether it is the history of a shallow clone.
    #[must_use]
    pub fn is_shallow(&self) -> bool {
        self.work_tree.as_ref().and_then(is_shallow).unwrap_or(false)
    }

    /// The date of the last commit of each file, `2026-11-20`. Empty without git, and in a shallow clone, where every file would seem to be new.
    #[must_use]
    pub fn ask(&self) -> BTreeMap<Arc<str>, String> {
        self.work_tree.as_ref().map(last_changes).unwrap_or_default()
    }
}

/// Whether the repository lacks commits.
fn is_shallow(work_tree: &WorkTree) -> Option<bool> {
    text(work_tree, &["rev-parse", "--is-shallow-repository"]).map(|answer| answer.trim() != "false")
}

fn text(work_tree: &WorkTree, arguments: &[&str]) -> Option<String> {
    work_tree.git(arguments, b"").ok().map(|output| String::from_utf8_lossy(&output).into_owned())
}

fn last_changes(work_tree: &WorkTree) -> BTreeMap<Arc<str>, String> {
    if is_shallow(work_tree) != Some(false) {
        return BTreeMap::new();
    }
    // NUL separates names, so they are not quoted; a record begins with \x01 and the date.
    let arguments =
        ["log", "--relative", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "-z", "--format=%x01%cs", "--", "."];
    let log = text(work_tree, &arguments).unwrap_or_default();
    let mut changed = BTreeMap::new();
    let mut day = String::new();
    for field in log.split('\0') {
        let field = field.trim_start_matches('\n');
        match field.strip_prefix('\u{1}') {
            Some(date) => date.trim().clone_into(&mut day),
            None if field.is_empty() => {}
            None => {
                changed.entry(Arc::from(field)).or_insert_with(|| day.clone());
            }
        }
    }
    changed
}
