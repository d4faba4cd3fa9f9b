//! What git knows about the files.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

/// What git knows about the files.
#[derive(Clone, Debug)]
pub struct History {
    root: PathBuf,
    folder: Option<PathBuf>,
}

impl History {
    /// Asks where git keeps it.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let folder = git(root, &["rev-parse", "--absolute-git-dir"]).map(|folder| PathBuf::from(folder.trim_end_matches('\n')));
        Self { root: root.to_owned(), folder }
    }

    /// The folder of the repository, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether something at one of these paths says that there is another last commit.
    #[must_use]
    pub fn touched_by<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
        let Some(folder) = &self.folder else { return false };
        let head = folder.join("logs").join("HEAD");
        paths.into_iter().any(|path| *path == head)
    }

    /// The day of the last commit of each file, `2026-11-20`. Empty without git, and in a shallow clone, where every file would seem to be new.
    #[must_use]
    pub fn ask(&self) -> BTreeMap<Arc<str>, String> {
        if self.folder.is_some() { last_changes(&self.root) } else { BTreeMap::new() }
    }
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn last_changes(root: &Path) -> BTreeMap<Arc<str>, String> {
    if git(root, &["rev-parse", "--is-shallow-repository"]).is_none_or(|answer| answer.trim() != "false") {
        return BTreeMap::new();
    }
    // NUL separates names, so none needs quoting; a record begins with \x01 and the day.
    let log = git(root, &["log", "--relative", "--name-only", "--no-renames", "-z", "--format=%x01%cs", "--", "."]).unwrap_or_default();
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
