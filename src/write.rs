//! The only module that writes a site, which replaces the previous one in one step.
//!
//! The new site is written to a temporary folder next to the output folder, with hard links for unchanged files, and then the two folders are exchanged
//! (`renameat2` with `RENAME_EXCHANGE`). Whenever the process is killed, the output folder contains the old site or the new one. In a folder that can't be
//! exchanged, because it is a mount point or contains folders that no build wrote, files are replaced one by one, see [`in_place`]. Files that no build wrote
//! are kept.
#![allow(clippy::disallowed_methods, reason = "this module is the writer")]

mod disk;
mod error;
mod in_place;
mod lock;
mod paths;
mod previous_output;
mod verify;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

pub use disk::{create, replace};
pub use error::WriteError;
pub use verify::{Damage, VerifyError, verify};

use disk::{HashedFile, STAGE_PREFIX, copy_mode, have_same_owner, link_or_copy, remove_tree, swap, sync_filesystem, sync_folder};
use error::at;
use in_place::SiteChanges;
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

/// The output folder that the configuration of a knowledge base specifies. It is not trusted: after resolving links, it must be inside `root`.
///
/// # Errors
/// If it is outside of `root`, or the path can't be resolved.
pub fn inside(root: &Path, folder: &str) -> Result<PathBuf, WriteError> {
    let out = resolve(&root.join(folder))?;
    let root = root.canonicalize().map_err(at(root))?;
    // A path that does not exist yet is not resolved, so it can still contain `..`.
    let is_inside = out.strip_prefix(&root).is_ok_and(|inner| inner.components().all(|part| matches!(part, Component::Normal(_))));
    if is_inside && out != root { Ok(out) } else { Err(WriteError::OutsideRoot(out)) }
}

/// Options for writing a site.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// Whether unchanged files are written, too.
    pub fresh: bool,
    /// Whether the site survives a power failure after [`Output::finish`] returns.
    pub sync: bool,
}

/// A site that is being written, file by file from any thread. The output folder changes when it is [finished](Self::finish).
#[derive(Debug)]
pub struct Output {
    out: PathBuf,
    stage: Stage,
    previous: PreviousOutput,
    options: WriteOptions,
    files: Mutex<StagedFiles>,
    /// Dropped last.
    _lock: Lock,
}

/// The files that were passed so far.
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

/// The temporary folder for the new site.
#[derive(Debug)]
struct Stage {
    folder: PathBuf,
    /// Whether it is next to the output folder, so that the two can be exchanged. Otherwise, it is inside the output folder, with only the changed files.
    can_swap: bool,
}

impl Drop for Stage {
    fn drop(&mut self) {
        // A folder that can't be removed now is removed by the next build.
        let _ = remove_tree(&self.folder);
    }
}

impl Output {
    /// Prepares writing a site to `out`, which must neither contain nor be inside any of `sources`.
    ///
    /// # Errors
    /// If the folder has files that no build wrote, another build is writing to it, or it can't be written. Nothing is changed then.
    pub fn begin(out: &Path, sources: &[PathBuf], options: WriteOptions) -> Result<Self, WriteError> {
        let out = resolve(out)?;
        guard(&out, sources)?;
        let parent = out.parent().unwrap_or(&out);
        let created = fs::create_dir_all(parent);
        let lock = match created.map_err(at(parent)).and_then(|()| Lock::take(&parent.join(lock_name(&out)), &out)) {
            // The folder can't be replaced, but its files can: it is a mounted volume, for example.
            Err(WriteError::Io { error, .. }) if is_about_location(&error) && out.is_dir() => Lock::take(&out.join(lock_name(&out)), &out),
            result => result,
        }?;
        let previous = PreviousOutput::read(&out)?;
        let stage = Stage::create(parent, &out, &previous)?;
        Ok(Self { out, stage, previous, options, files: Mutex::default(), _lock: lock })
    }

    fn staged(&self) -> MutexGuard<'_, StagedFiles> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of files that were passed so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.staged().files.len()
    }

    /// Whether no file was passed so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a file to the list. `false` if it must not be written, because there is already a file of that name, or an error occurred.
    fn register(&self, path: &str, file: StagedFile) -> bool {
        let mut staged = self.staged();
        if staged.error.is_some() || staged.files.contains_key(path) {
            return false;
        }
        if let Some(first) = self.previous.obstacle(path) {
            staged.error = Some(WriteError::Foreign { folder: self.out.clone(), first });
        }
        staged.files.insert(path.to_owned(), file);
        true
    }

    fn keep_error(&self, result: Result<(), WriteError>) {
        if let Err(error) = result {
            self.staged().error.get_or_insert(error);
        }
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
        let is_unchanged = !self.options.fresh && self.previous.has_hash(&self.out, path, &hash);
        if self.register(path, StagedFile { hash, is_unchanged }) && is_unchanged {
            fs::remove_file(&staged).map_err(at(&staged))?;
        }
        Ok(())
    }

    /// Completes the output folder: it contains exactly the files that were passed, and the files that no build wrote.
    ///
    /// # Errors
    /// If files can't be written. Nothing is changed then, except in a folder that can't be exchanged as a whole.
    pub fn finish(mut self) -> Result<Written, WriteError> {
        let StagedFiles { files, error } = std::mem::take(&mut *self.staged());
        if let Some(error) = error {
            return Err(error);
        }
        // Other programs may have added files while the site was rendered.
        self.previous = PreviousOutput::read(&self.out)?;
        if let Some(first) = files.keys().find_map(|path| self.previous.obstacle(path)) {
            return Err(WriteError::Foreign { folder: self.out.clone(), first });
        }
        let (unchanged, changed): (Vec<_>, Vec<_>) = files.iter().partition(|(_, file)| file.is_unchanged);
        let paths = |of: &[(&'_ String, &StagedFile)]| -> Vec<String> { of.iter().map(|(path, _)| (*path).clone()).collect() };
        let (unchanged, changed) = (paths(&unchanged), paths(&changed));
        let removed: Vec<String> = self.previous.files.iter().filter(|path| !files.contains_key(*path)).cloned().collect();
        let written = Written { changed: changed.len(), unchanged: unchanged.len(), removed: removed.len() };
        let manifest = Manifest::of(files.into_iter().map(|(path, file)| (path, file.hash)));
        if changed.is_empty() && removed.is_empty() && self.previous.manifest.as_ref() == Some(&manifest) {
            return Ok(written);
        }
        if self.stage.can_swap && !self.previous.must_stay() && self.exchange(&unchanged, &manifest)? {
            return Ok(written);
        }
        if self.options.sync {
            sync_filesystem(&self.stage.folder).map_err(at(&self.stage.folder))?;
        }
        let (out, stage, previous) = (&self.out, &self.stage.folder, &self.previous);
        SiteChanges { out, stage, previous, changed: &changed, removed: &removed, manifest: &manifest, sync: self.options.sync }.apply()?;
        Ok(written)
    }

    /// Adds the unchanged files to the stage, and exchanges it with the output folder. `false` if the system rejects the exchange because of the location.
    fn exchange(&self, unchanged: &[String], manifest: &Manifest) -> Result<bool, WriteError> {
        let link = |path: &String| {
            let staged = self.stage.folder.join(path);
            link_or_copy(&self.out.join(path), &staged).map_err(at(&staged))
        };
        unchanged.par_iter().chain(&self.previous.foreign_files).try_for_each(link)?;
        let manifest_path = self.stage.folder.join(MANIFEST);
        disk::write(&manifest_path, &manifest.to_json()).map_err(at(&manifest_path))?;
        let own = self.previous.files.par_iter().chain(&self.previous.folders);
        own.try_for_each(|path| {
            let staged = self.stage.folder.join(path);
            copy_mode(&self.out.join(path), &staged).map_err(at(&staged))
        })?;
        if self.options.sync {
            sync_filesystem(&self.stage.folder).map_err(at(&self.stage.folder))?;
        }
        match swap(&self.stage.folder, &self.out) {
            Ok(()) => {}
            Err(error) if is_about_location(&error) && self.out.is_dir() => return Ok(false),
            Err(error) => return Err(at(&self.out)(error)),
        }
        let parent = self.out.parent().unwrap_or(&self.out);
        if self.options.sync {
            sync_folder(parent).map_err(at(parent))?;
        }
        Ok(true)
    }
}

impl Sink for Output {
    fn file(&self, path: &str, bytes: &[u8]) {
        let is_unchanged = !self.options.fresh && self.previous.has(&self.out, path, bytes);
        if self.register(path, StagedFile { hash: hash(bytes), is_unchanged }) && !is_unchanged {
            let staged = self.stage.folder.join(path);
            self.keep_error(disk::write(&staged, bytes).map_err(at(&staged)));
        }
    }

    fn large_file(&self, path: &str, write: &mut dyn FnMut(Chunks<'_>)) {
        self.keep_error(self.stage_large_file(path, write));
    }
}

impl Stage {
    /// Creates the folder, and removes the temporary folders of builds that were killed: the lock proves that no other build is running.
    fn create(parent: &Path, out: &Path, previous: &PreviousOutput) -> Result<Self, WriteError> {
        let prefix = format!(".{}{STAGE_PREFIX}", out.file_name().unwrap_or_default().to_string_lossy());
        remove_temporary(parent, &prefix)?;
        remove_temporary(out, STAGE_PREFIX)?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // This folder becomes the output folder, so it gets the mode of the old one; otherwise the default mode, which the system reduces by the umask.
            let mode = fs::metadata(out).map_or(0o777, |metadata| metadata.permissions().mode());
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        if !previous.must_stay() {
            match builder.prefix(&prefix).tempdir_in(parent) {
                Ok(folder) if !out.exists() || have_same_owner(folder.path(), out) => {
                    return Ok(Self { folder: folder.keep(), can_swap: true });
                }
                // A folder with another owner can't become the output folder; it is removed when it is dropped.
                Ok(_) => {}
                Err(error) if is_about_location(&error) && out.is_dir() => {}
                Err(error) => return Err(at(parent)(error)),
            }
        }
        let folder = builder.prefix(STAGE_PREFIX).tempdir_in(out).map_err(at(out))?;
        Ok(Self { folder: folder.keep(), can_swap: false })
    }
}

/// Removes temporary folders and files.
fn remove_temporary(parent: &Path, prefix: &str) -> Result<(), WriteError> {
    let entries = match fs::read_dir(parent) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries.map_err(at(parent))?,
    };
    for entry in entries.flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let removed = if is_folder { remove_tree(&entry.path()) } else { fs::remove_file(entry.path()) };
            removed.map_err(at(&entry.path()))?;
        }
    }
    Ok(())
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
            // The folder does not exist yet, but one of its ancestors does.
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
