//! Replaces a site file by file, in a folder that can't be exchanged as a whole.
//!
//! First, a manifest with both the old and the new files is written, so that all of them belong to the site if the build is killed; the next build completes
//! the change. New files are flushed to the disk before they get their names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use super::{
    disk::{copy_mode, replace, sync_filesystem},
    error::WriteError,
    paths::{ancestors, has_below},
    previous_output::PreviousOutput,
};
use crate::site::{MANIFEST, Manifest};

/// The changes to a site.
pub(super) struct SiteChanges<'a> {
    /// The output folder.
    pub(super) out: &'a Path,
    /// The folder with the changed files.
    pub(super) stage: &'a Path,
    /// The content of the output folder.
    pub(super) previous: &'a PreviousOutput,
    /// New and changed files.
    pub(super) changed: &'a [String],
    /// Files of the previous site that no longer exist.
    pub(super) removed: &'a [String],
    /// The manifest of the new site.
    pub(super) manifest: &'a Manifest,
    /// Whether everything is flushed to the disk before the function returns.
    pub(super) sync: bool,
}

impl SiteChanges<'_> {
    /// Applies the changes.
    ///
    /// # Errors
    /// If a file can't be written or removed; [`WriteError::Halfway`] if other changes were already made.
    pub(super) fn apply(&self) -> Result<(), WriteError> {
        let mut progress = StepCount { out: self.out, done: 0 };
        if !self.changed.is_empty() || !self.removed.is_empty() {
            let marker = self.union().to_json();
            progress.attempt(MANIFEST, |target| fs::create_dir_all(self.out).and_then(|()| replace(target, &marker)))?;
        }
        // A file can replace a folder of the same name, and vice versa.
        let (in_the_way, others): (Vec<&String>, Vec<&String>) = self.removed.iter().partition(|path| self.is_in_the_way(path));
        self.remove(&in_the_way, &mut progress)?;
        for path in self.changed {
            progress.attempt(path, |target| rename(&self.stage.join(path), target))?;
        }
        self.remove(&others, &mut progress)?;
        if self.sync {
            progress.attempt("", sync_filesystem)?;
        }
        progress.attempt(MANIFEST, |target| replace(target, &self.manifest.to_json()))
    }

    /// The manifest of all files that exist before, after, or while the changes are made.
    fn union(&self) -> Manifest {
        let old = self.previous.manifest.iter().flat_map(|manifest| &manifest.files);
        let all: BTreeMap<String, String> = old.chain(&self.manifest.files).map(|(path, hash)| (path.clone(), hash.clone())).collect();
        Manifest { files: all, ..self.manifest.clone() }
    }

    /// Whether a file of the new site has the path of a folder above this one, or is below this one.
    fn is_in_the_way(&self, removed: &str) -> bool {
        let new = &self.manifest.files;
        ancestors(removed).any(|folder| new.contains_key(folder))
            || has_below(removed, |prefix| new.range(prefix..).next().map(|(path, _)| path))
    }

    /// Removes files, and folders that are empty afterwards.
    fn remove(&self, files: &[&String], progress: &mut StepCount<'_>) -> Result<(), WriteError> {
        let mut folders = BTreeSet::new();
        for path in files {
            progress.attempt(path, |target| match fs::remove_file(target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            })?;
            folders.extend(ancestors(path));
        }
        // Inner folders come after outer ones. Folders that are not empty and mount points are kept.
        for folder in folders.iter().rev() {
            let _ = fs::remove_dir(self.out.join(folder));
        }
        Ok(())
    }
}

/// Counts the operations, to distinguish a failure before any change from a later one.
struct StepCount<'a> {
    out: &'a Path,
    done: usize,
}

impl StepCount<'_> {
    fn attempt(&mut self, path: &str, operation: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), WriteError> {
        let path = self.out.join(path);
        let result = operation(&path);
        let is_first = self.done == 0;
        self.done += 1;
        result.map_err(|error| if is_first { WriteError::Io { path, error } } else { WriteError::Halfway { path, error } })
    }
}

/// Moves a file to its final path, and gives it the mode of the file that it replaces; copies it if the path is on another file system, such as a volume that
/// is mounted inside the output folder.
fn rename(staged: &Path, target: &Path) -> io::Result<()> {
    fs::create_dir_all(target.parent().unwrap_or(target))?;
    copy_mode(target, staged)?;
    match fs::rename(staged, target) {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => replace(target, &fs::read(staged)?),
        result => result,
    }
}
