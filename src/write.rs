//! The only writer: a site replaces the previous one in one step.
//!
//! The new site is laid out in a temporary folder next to the output folder, with hard links for unchanged files, and then the two folders are exchanged
//! (`renameat2` with `RENAME_EXCHANGE`). Whenever the process is killed, the output folder holds the old site or the new one. Files in the output folder that no
//! build wrote are kept.
#![allow(clippy::disallowed_methods, reason = "this module is the writer")]

mod disk;
mod error;
mod lock;
mod previous_output;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

pub use disk::{create, replace};
pub use error::WriteError;

use disk::{HashedFile, link_or_copy, remove_tree, swap};
use error::at;
use lock::{Lock, lock_name};
use previous_output::PreviousOutput;
use rayon::prelude::*;

use crate::site::{Chunks, MANIFEST, Manifest, Sink, hash};

/// The numbers of files that a build wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// New or changed files.
    pub changed: usize,
    /// Unchanged files.
    pub unchanged: usize,
    /// Files of the previous site that no longer exist.
    pub removed: usize,
}

/// The output folder that a knowledge base names itself. It is not trusted: it has to be inside of `root`, also if links are followed.
///
/// # Errors
/// If it is not, or the path can't be resolved.
pub fn inside(root: &Path, folder: &str) -> Result<PathBuf, WriteError> {
    let out = resolve(&root.join(folder))?;
    let root = root.canonicalize().map_err(at(root))?;
    // What does not exist yet is not resolved: it may still have a `..`.
    let is_inside = out.strip_prefix(&root).is_ok_and(|inner| inner.components().all(|part| matches!(part, Component::Normal(_))));
    if is_inside && out != root { Ok(out) } else { Err(WriteError::OutsideRoot(out)) }
}

/// The number of files of the site in a folder, if it was built from these `inputs` and no file has changed since. Cost: reads the whole site.
#[must_use]
pub fn current(out: &Path, inputs: &str) -> Option<usize> {
    previous_output::current(&resolve(out).ok()?, inputs)
}

/// A site that is being written, file by file from any thread. The output folder changes when it is [finished](Self::finish).
#[derive(Debug)]
pub struct Output {
    out: PathBuf,
    stage: Stage,
    previous: PreviousOutput,
    files: Mutex<StagedFiles>,
    /// Dropped last.
    _lock: Lock,
}

/// The files so far.
#[derive(Debug, Default)]
struct StagedFiles {
    files: BTreeMap<String, StagedFile>,
    /// The first error.
    error: Option<WriteError>,
}

#[derive(Debug)]
struct StagedFile {
    hash: String,
    /// Whether the previous site has the same file.
    is_unchanged: bool,
}

/// The temporary folder in which the new site is laid out.
#[derive(Debug)]
struct Stage {
    folder: PathBuf,
    /// Whether it is next to the output folder, so that the two can be exchanged. Otherwise, it has only the changed files.
    can_swap: bool,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // What can't be removed now is removed by the next build.
        let _ = remove_tree(&self.folder);
    }
}

impl Output {
    /// Prepares writing a site to `out`, which must neither contain nor be inside of any of `sources`.
    ///
    /// # Errors
    /// If the folder has files of others, another build is writing to it, or it can't be written. Nothing is changed then.
    pub fn begin(out: &Path, sources: &[PathBuf]) -> Result<Self, WriteError> {
        let out = resolve(out)?;
        guard(&out, sources)?;
        let parent = out.parent().unwrap_or(&out);
        let created = fs::create_dir_all(parent);
        let lock = match created.map_err(at(parent)).and_then(|()| Lock::take(&parent.join(lock_name(&out)), &out)) {
            // The folder can't be replaced, but its files may: it is a mounted volume, for example.
            Err(WriteError::Io { error, .. }) if is_about_location(&error) && out.is_dir() => Lock::take(&out.join(lock_name(&out)), &out),
            result => result,
        }?;
        let previous = PreviousOutput::read(&out)?;
        let stage = stage(parent, &out)?;
        Ok(Self { out, stage, previous, files: Mutex::default(), _lock: lock })
    }

    fn staged(&self) -> MutexGuard<'_, StagedFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of files so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.staged().files.len()
    }

    /// Whether there is no file so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a file to the list. `false` if it must not be written: there is one of that name already, or there was an error.
    fn register(&self, path: &str, file: StagedFile) -> bool {
        let mut staged = self.staged();
        if staged.error.is_some() || staged.files.contains_key(path) {
            return false;
        }
        if self.previous.foreign.contains(path) {
            staged.error = Some(WriteError::Foreign { folder: self.out.clone(), first: path.to_owned() });
        }
        staged.files.insert(path.to_owned(), file);
        true
    }

    fn keep_error(&self, result: Result<(), WriteError>) {
        if let Err(error) = result {
            self.staged().error.get_or_insert(error);
        }
    }

    /// Makes an unchanged file part of the new site.
    fn link(&self, path: &str) -> Result<(), WriteError> {
        let staged = self.stage.folder.join(path);
        if self.stage.can_swap { link_or_copy(&self.out.join(path), &staged).map_err(at(&staged)) } else { Ok(()) }
    }

    fn stage_large_file(&self, path: &str, write: &mut dyn FnMut(Chunks<'_>)) -> Result<(), WriteError> {
        let staged = self.stage.folder.join(path);
        let mut file = HashedFile::create(&staged).map_err(at(&staged))?;
        let mut result = Ok(());
        write(&mut |chunk| {
            if result.is_ok() {
                result = file.write_all(chunk);
            }
        });
        let hash = result.and_then(|()| file.finish()).map_err(at(&staged))?;
        let is_unchanged = self.previous.has_hash(&self.out, path, &hash);
        if self.register(path, StagedFile { hash, is_unchanged }) && is_unchanged {
            fs::remove_file(&staged).map_err(at(&staged))?;
            self.link(path)?;
        }
        Ok(())
    }

    /// Makes the output folder hold exactly the files that were passed, and those that no build wrote. `inputs` is compared by [`current`] later.
    ///
    /// # Errors
    /// If files can't be written. Nothing is changed then, except in a folder that can't be replaced as a whole.
    pub fn finish(self, inputs: Option<String>) -> Result<Written, WriteError> {
        let StagedFiles { files, error } = std::mem::take(&mut *self.staged());
        if let Some(error) = error {
            return Err(error);
        }
        let changed: Vec<&str> = files.iter().filter(|(_, file)| !file.is_unchanged).map(|(path, _)| path.as_str()).collect();
        let removed: Vec<&str> = self.previous.files().filter(|path| !files.contains_key(*path)).collect();
        let written = Written { changed: changed.len(), unchanged: files.len() - changed.len(), removed: removed.len() };
        let manifest = Manifest { inputs, ..Manifest::of(files.iter().map(|(path, file)| (path.clone(), file.hash.clone()))) };
        let manifest_path = self.out.join(MANIFEST);
        if changed.is_empty() && removed.is_empty() && self.previous.manifest.is_some() {
            if self.previous.manifest.as_ref() != Some(&manifest) {
                replace(&manifest_path, &manifest.to_json()).map_err(at(&manifest_path))?;
            }
            return Ok(written);
        }
        if self.stage.can_swap {
            self.previous.foreign.par_iter().try_for_each(|path| self.link(path))?;
            let staged = self.stage.folder.join(MANIFEST);
            disk::write(&staged, &manifest.to_json()).map_err(at(&staged))?;
            match swap(&self.stage.folder, &self.out) {
                Ok(()) => return Ok(written),
                Err(error) if is_about_location(&error) && self.out.is_dir() => {}
                Err(error) => return Err(at(&self.out)(error)),
            }
        }
        self.replace_in_place(&changed, &removed, &manifest)?;
        Ok(written)
    }

    /// Replaces file by file, the manifest last, in a folder that can't be replaced as a whole. If the build is killed, the next one completes it.
    fn replace_in_place(&self, changed: &[&str], removed: &[&str], manifest: &Manifest) -> Result<(), WriteError> {
        let mut done = 0;
        let mut attempt = |path: &str, operation: &dyn Fn(&Path) -> io::Result<()>| {
            let path = self.out.join(path);
            let result = operation(&path);
            let number = done;
            done += 1;
            result.map_err(|error| if number == 0 { WriteError::Io { path, error } } else { WriteError::Halfway { path, error } })
        };
        for path in changed {
            attempt(path, &|target| {
                fs::create_dir_all(target.parent().unwrap_or(&self.out))?;
                replace(target, &fs::read(self.stage.folder.join(path))?)
            })?;
        }
        for path in removed {
            attempt(path, &|target| match fs::remove_file(target) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            })?;
        }
        attempt(MANIFEST, &|target| replace(target, &manifest.to_json()))
    }
}

impl Sink for Output {
    fn file(&self, path: &str, bytes: &[u8]) {
        let is_unchanged = self.previous.has(&self.out, path, bytes);
        if !self.register(path, StagedFile { hash: hash(bytes), is_unchanged }) {
            return;
        }
        let staged = self.stage.folder.join(path);
        self.keep_error(if is_unchanged { self.link(path) } else { disk::write(&staged, bytes).map_err(at(&staged)) });
    }

    fn large_file(&self, path: &str, write: &mut dyn FnMut(Chunks<'_>)) {
        self.keep_error(self.stage_large_file(path, write));
    }
}

/// Creates the stage, and removes those of builds that were killed: the lock proves that none is running.
fn stage(parent: &Path, out: &Path) -> Result<Stage, WriteError> {
    let prefix = format!(".{}.ksys-docs-", out.file_name().unwrap_or_default().to_string_lossy());
    for entry in fs::read_dir(parent).map_err(at(parent))?.flatten() {
        if entry.file_name().to_string_lossy().starts_with(&prefix) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_tree(&entry.path()).map_err(at(&entry.path()))?;
        }
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // This folder becomes the output folder: it has the mode of the old one; otherwise that of any new folder, which the system reduces by the umask.
        let mode = fs::metadata(out).map_or(0o777, |metadata| metadata.permissions().mode());
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    match builder.tempdir_in(parent) {
        Ok(folder) => Ok(Stage { folder: folder.keep(), can_swap: true }),
        Err(error) if is_about_location(&error) && out.is_dir() => {
            let folder = builder.tempdir().map_err(at(&std::env::temp_dir()))?;
            Ok(Stage { folder: folder.keep(), can_swap: false })
        }
        Err(error) => Err(at(parent)(error)),
    }
}

/// Whether an error comes from the location of a folder: another file system, a mount point, no permission for the parent folder.
fn is_about_location(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// The absolute path of the folder, without links.
fn resolve(out: &Path) -> Result<PathBuf, WriteError> {
    match out.canonicalize() {
        Ok(path) if path.is_dir() => Ok(path),
        Ok(path) => Err(WriteError::NotAFolder(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !out.is_symlink() => {
            // It does not exist yet, but one of the folders above it does.
            let absolute = std::path::absolute(out).map_err(at(out))?;
            let existing = absolute.ancestors().skip(1).find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
            Ok(match existing {
                Some((ancestor, canonical)) => canonical.join(absolute.strip_prefix(ancestor).unwrap_or(Path::new(""))),
                None => absolute,
            })
        }
        Err(error) => Err(at(out)(error)),
    }
}

fn guard(out: &Path, sources: &[PathBuf]) -> Result<(), WriteError> {
    let clashes = |source: &PathBuf| {
        let source = source.canonicalize().unwrap_or_else(|_| source.clone());
        out.starts_with(&source) || source.starts_with(out)
    };
    if sources.iter().any(clashes) || out.parent().is_none() { Err(WriteError::AmongSources(out.to_owned())) } else { Ok(()) }
}
