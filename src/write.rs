//! The only door to the disk: a site replaces the one before it in one step.
//!
//! The new site is laid out beside the old one, with hard links to every file that did not change, and then the two folders change places
//! (`renameat2` with `RENAME_EXCHANGE`). Whenever the process is killed, the output folder holds the old site or the new one, whole. Files in the output
//! folder that no build has written are carried over.
#![allow(clippy::disallowed_methods, reason = "this module is the writer")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, Metadata, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::SystemTime,
};

use rayon::prelude::*;

use crate::site::{GENERATOR, MANIFEST, Manifest, Site, hash};

/// What a build did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Files that are new or different.
    pub changed: usize,
    /// Files that were left as they are.
    pub unchanged: usize,
    /// Files of the build before that are gone.
    pub removed: usize,
}

/// Why a site was not written. The output folder is as it was.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The folder has files that no build of ours wrote.
    #[error(
        "`{folder}` holds files that ksys-docs did not write, `{first}` among them; nothing was changed. Choose another folder with `-d`, or empty this one"
    )]
    Foreign {
        /// The output folder.
        folder: PathBuf,
        /// One of the files.
        first: String,
    },
    /// The output lies where the sources are.
    #[error("the output folder `{0}` would contain, or lie in, the knowledge base's own files; choose another one with `-d`")]
    AmongSources(PathBuf),
    /// The output is no folder.
    #[error("`{0}` is a file; choose another output folder with `-d`")]
    NotAFolder(PathBuf),
    /// Another build is writing there.
    #[error("another build is writing to `{0}`; wait until it is done")]
    Busy(PathBuf),
    /// The disk refused.
    #[error("the site was not written, and what was there is unchanged: cannot write `{path}`")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
    /// The disk refused, halfway through a folder that cannot be replaced as a whole.
    #[error(
        "some files of the site are new and some old, because the folder itself cannot be replaced; build again when you can write `{path}`"
    )]
    Halfway {
        /// The file.
        path: PathBuf,
        /// What the system says.
        #[source]
        error: io::Error,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |error| WriteError::Io { path, error }
}

/// Makes the output folder hold this site. `sources` are folders that it must neither contain nor lie in.
///
/// # Errors
/// If the folder belongs to somebody else, or the disk refuses. Nothing is changed then.
pub fn write(site: &Site, out: &Path, sources: &[PathBuf]) -> Result<Written, WriteError> {
    let output = Output::begin(out, sources)?;
    let files: Vec<_> = site.files().collect();
    files.par_iter().for_each(|(path, bytes)| output.put(path, bytes));
    output.finish(None)
}

/// How many files the site in a folder has, if it was made of these `inputs` and nobody has touched it since.
#[must_use]
pub fn made_of(out: &Path, inputs: &str) -> Option<usize> {
    let out = resolve(out).ok()?;
    let old = Earlier::of(&out).ok()?;
    let manifest = old.manifest.filter(|manifest| manifest.inputs.as_deref() == Some(inputs))?;
    let files: Vec<&String> = manifest.files.keys().collect();
    let is_untouched = |path: &&String| {
        let modified = fs::symlink_metadata(out.join(path)).ok().filter(Metadata::is_file).and_then(|metadata| metadata.modified().ok());
        modified.zip(old.written).is_some_and(|(modified, written)| modified < written)
    };
    files.par_iter().all(is_untouched).then_some(files.len())
}

/// A site on its way to the disk, file by file from any thread; the output folder changes when it is [finished](Self::finish), and never if it is dropped
/// before.
#[derive(Debug)]
pub struct Output {
    out: PathBuf,
    /// Where the new site is laid out.
    stage: PathBuf,
    old: Earlier,
    new: Mutex<New>,
    /// `None` where nothing may be written beside the folder; then the files that differ are kept in memory until the end.
    lock: Option<Lock>,
}

/// What has been put so far.
#[derive(Debug, Default)]
struct New {
    /// Every file with its hash, and whether the one of the build before is the same.
    files: BTreeMap<String, (String, bool)>,
    folders: BTreeSet<PathBuf>,
    in_memory: BTreeMap<String, Vec<u8>>,
    /// The first thing that went wrong.
    error: Option<WriteError>,
}

impl Output {
    /// Gets ready to write a site. `sources` are folders that it must neither contain nor lie in.
    ///
    /// # Errors
    /// If the folder belongs to somebody else, or the disk refuses. Nothing is changed then.
    pub fn begin(out: &Path, sources: &[PathBuf]) -> Result<Self, WriteError> {
        let out = resolve(out)?;
        guard(&out, sources)?;
        let old = Earlier::of(&out)?;
        let (parent, name) = (out.parent().unwrap_or(Path::new("/")), out.file_name().unwrap_or_default().to_string_lossy().into_owned());
        fs::create_dir_all(parent).map_err(at(parent))?;
        let path = parent.join(format!(".{name}.ksys-docs.lock"));
        let stage = parent.join(format!(".{name}.ksys-docs.new"));
        let lock = match Lock::take(&path) {
            Ok(lock) => Some(lock),
            Err(None) => return Err(WriteError::Busy(out)),
            // Beside the folder nothing may be written, inside it perhaps: a mounted volume, for example.
            Err(Some(error)) if refuses(&error) && out.is_dir() => None,
            Err(Some(error)) => return Err(WriteError::Io { path, error }),
        };
        if lock.is_some() && stage.exists() {
            // A build that was killed left this; the lock says that none is running.
            remove_tree(&stage).map_err(at(&stage))?;
        }
        Ok(Self { out, stage, old, new: Mutex::default(), lock })
    }

    /// Adds a file. Should there be one of that name already, that one stays. What goes wrong is said at the [end](Self::finish).
    pub fn put(&self, path: &str, bytes: &[u8]) {
        let hash = hash(bytes);
        let same = self.old.has(&self.out, path, bytes, &hash);
        {
            let mut new = self.so_far();
            if new.error.is_some() || new.files.contains_key(path) {
                return;
            }
            new.files.insert(path.to_owned(), (hash, same));
            if self.old.foreign.contains(path) {
                new.error = Some(WriteError::Foreign { folder: self.out.clone(), first: path.to_owned() });
            } else if !same && self.lock.is_none() {
                new.in_memory.insert(path.to_owned(), bytes.to_owned());
            }
        }
        if same || self.lock.is_none() {
            return;
        }
        let after = self.stage.join(path);
        let written = self.folder_of(&after).and_then(|()| fs::write(&after, bytes).map_err(at(&after)));
        if let Err(error) = written {
            self.so_far().error.get_or_insert(error);
        }
    }

    fn so_far(&self) -> MutexGuard<'_, New> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the folder in which a file of the stage lies.
    fn folder_of(&self, file: &Path) -> Result<(), WriteError> {
        let folder = file.parent().unwrap_or(&self.stage);
        if !self.so_far().folders.contains(folder) {
            fs::create_dir_all(folder).map_err(at(folder))?;
            self.so_far().folders.insert(folder.to_owned());
        }
        Ok(())
    }

    /// How many files there are so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.so_far().files.len()
    }

    /// Whether there is no file so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Makes the output folder hold just the files that were put, and what nobody's build wrote. `inputs` is what [`made_of`] compares later.
    ///
    /// # Errors
    /// If the disk refuses. Nothing is changed then, but in a folder that cannot be replaced as a whole.
    pub fn finish(self, inputs: Option<String>) -> Result<Written, WriteError> {
        let mut new = std::mem::take(&mut *self.so_far());
        if let Some(error) = new.error.take() {
            return Err(error);
        }
        let written = Written {
            changed: new.files.values().filter(|(_, same)| !same).count(),
            unchanged: new.files.values().filter(|(_, same)| *same).count(),
            removed: self.old.vanished(&new).count(),
        };
        let manifest = Manifest { inputs, ..Manifest::of(new.files.iter().map(|(path, (hash, _))| (path.clone(), hash.clone()))) };
        if written.changed == 0 && self.old.manifest.as_ref().is_some_and(|old| old.files == manifest.files) {
            let path = self.out.join(MANIFEST);
            // It is newer than every file, also than those that somebody has touched without changing them.
            return replace(&path, &manifest_text(&manifest)).map_err(at(&path)).map(|()| written);
        }
        if self.lock.is_none() {
            return in_place(&self.out, &self.old, &new, &manifest, written, |path| {
                Ok(new.in_memory.get(path).cloned().unwrap_or_default())
            });
        }
        *self.so_far() = new;
        self.lay_out_rest(&manifest)?;
        match swap(&self.stage, &self.out) {
            Ok(()) => Ok(written),
            Err(error) if refuses(&error) && self.out.is_dir() => {
                let new = std::mem::take(&mut *self.so_far());
                in_place(&self.out, &self.old, &new, &manifest, written, |path| fs::read(self.stage.join(path)))
            }
            Err(error) => Err(WriteError::Io { path: self.out.clone(), error }),
        }
    }

    /// Adds to the stage what stays as it was, and the manifest.
    fn lay_out_rest(&self, manifest: &Manifest) -> Result<(), WriteError> {
        let same: Vec<String> = self.so_far().files.iter().filter(|(_, (_, same))| *same).map(|(path, _)| path.clone()).collect();
        let stays = same.par_iter().map(String::as_str).chain(self.old.foreign.par_iter().map(String::as_str));
        stays.try_for_each(|path| {
            let after = self.stage.join(path);
            self.folder_of(&after)?;
            carry_over(&self.out.join(path), &after)
        })?;
        let path = self.stage.join(MANIFEST);
        self.folder_of(&path)?;
        fs::write(&path, manifest_text(manifest)).map_err(at(&path))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        // After the swap this is the old site; otherwise, what was laid out so far.
        if self.lock.is_some() && self.stage.exists() {
            let _ = remove_tree(&self.stage);
        }
    }
}

/// Removes a folder with everything in it, on all cores.
fn remove_tree(folder: &Path) -> io::Result<()> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let entry = entry.map_err(|error| error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be listed")))?;
        if entry.file_type().is_dir() { folders.push(entry.into_path()) } else { files.push(entry.into_path()) }
    }
    files.par_iter().try_for_each(fs::remove_file)?;
    folders.iter().try_for_each(fs::remove_dir)
}

/// Whether a refusal is about where a folder lies, not about the disk: another file system, a mount point, no permission beside it.
fn refuses(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, PermissionDenied, ReadOnlyFilesystem, ResourceBusy};
    matches!(error.kind(), CrossesDevices | PermissionDenied | ReadOnlyFilesystem | ResourceBusy)
}

/// The folder itself, if the path leads there by a link; absolute.
fn resolve(out: &Path) -> Result<PathBuf, WriteError> {
    match out.canonicalize() {
        Ok(path) if path.is_dir() => Ok(path),
        Ok(path) => Err(WriteError::NotAFolder(path)),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !out.is_symlink() => {
            // What is not there yet lies below something that is.
            let absolute = std::path::absolute(out).map_err(at(out))?;
            let existing = absolute.ancestors().skip(1).find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
            Ok(match existing {
                Some((ancestor, canonical)) => canonical.join(absolute.strip_prefix(ancestor).unwrap_or(Path::new(""))),
                None => absolute,
            })
        }
        Err(error) => Err(WriteError::Io { path: out.to_owned(), error }),
    }
}

fn guard(out: &Path, sources: &[PathBuf]) -> Result<(), WriteError> {
    let clashes = |source: &PathBuf| {
        let source = source.canonicalize().unwrap_or_else(|_| source.clone());
        out.starts_with(&source) || source.starts_with(out)
    };
    if sources.iter().any(clashes) || out.parent().is_none() { Err(WriteError::AmongSources(out.to_owned())) } else { Ok(()) }
}

/// What lies in the output folder.
#[derive(Debug, Default)]
struct Earlier {
    /// What an earlier build wrote; `None` if none did.
    manifest: Option<Manifest>,
    /// When it was done.
    written: Option<SystemTime>,
    /// What nobody's build wrote: files and links, by their paths.
    foreign: BTreeSet<String>,
}

impl Earlier {
    fn of(out: &Path) -> Result<Self, WriteError> {
        if !out.is_dir() {
            return Ok(Self::default());
        }
        let manifest = fs::read(out.join(MANIFEST)).ok().and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok());
        let manifest = manifest.filter(|manifest| manifest.generator == GENERATOR);
        let mut foreign = BTreeSet::new();
        for entry in walkdir::WalkDir::new(out).min_depth(1) {
            let entry = entry.map_err(|error| WriteError::Io {
                path: error.path().unwrap_or(out).to_owned(),
                error: error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be listed")),
            })?;
            if entry.file_type().is_dir() {
                continue;
            }
            let path = entry.path().strip_prefix(out).unwrap_or(entry.path()).to_string_lossy().replace('\\', "/");
            let ours = manifest.as_ref().is_some_and(|manifest| path == MANIFEST || manifest.files.contains_key(&path));
            if !ours {
                foreign.insert(path);
            }
        }
        if let (None, Some(first)) = (&manifest, foreign.first()) {
            return Err(WriteError::Foreign { folder: out.to_owned(), first: first.clone() });
        }
        let written = fs::symlink_metadata(out.join(MANIFEST)).and_then(|metadata| metadata.modified()).ok();
        Ok(Self { manifest, written, foreign })
    }

    /// Whether the folder holds this file already. What the manifest says is believed of a file that nobody has touched since the manifest was
    /// written; others are read.
    fn has(&self, out: &Path, path: &str, bytes: &[u8], hash: &str) -> bool {
        let Some(known) = self.manifest.as_ref().and_then(|manifest| manifest.files.get(path)) else { return false };
        let file = out.join(path);
        let long_enough = |metadata: &Metadata| metadata.is_file() && metadata.len() == bytes.len() as u64;
        let Some(metadata) = fs::symlink_metadata(&file).ok().filter(long_enough) else { return false };
        let untouched = metadata.modified().ok().zip(self.written).is_some_and(|(modified, written)| modified < written);
        if untouched { known == hash } else { fs::read(&file).is_ok_and(|old| old == bytes) }
    }

    /// Files of the build before that the site no longer has.
    fn vanished<'a>(&'a self, new: &'a New) -> impl Iterator<Item = &'a str> {
        let files = self.manifest.iter().flat_map(|manifest| manifest.files.keys());
        files.map(String::as_str).filter(|path| !new.files.contains_key(*path))
    }
}

fn manifest_text(manifest: &Manifest) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

fn carry_over(from: &Path, to: &Path) -> Result<(), WriteError> {
    let is_link = from.is_symlink();
    #[cfg(unix)]
    if is_link {
        let target = fs::read_link(from).map_err(at(from))?;
        return std::os::unix::fs::symlink(target, to).map_err(at(to));
    }
    if !is_link && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to).map(|_| ()).map_err(at(to))
}

/// The new folder takes the old one's place, and the other way round.
fn swap(stage: &Path, out: &Path) -> io::Result<()> {
    if !out.exists() {
        return fs::rename(stage, out);
    }
    match exchange(stage, out) {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => {
            // File systems without an exchange: for a moment there is no folder, and a killed build leaves the old one beside it.
            let aside = stage.with_extension("old");
            fs::rename(out, &aside)?;
            fs::rename(stage, out)?;
            fs::rename(&aside, stage)
        }
        result => result,
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(stage: &Path, out: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, stage, CWD, out, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Where the folder itself cannot be replaced: each file in one step, the manifest last. A killed build leaves a mixture that the next one mends.
fn in_place(
    out: &Path,
    old: &Earlier,
    new: &New,
    manifest: &Manifest,
    written: Written,
    bytes: impl Fn(&str) -> io::Result<Vec<u8>>,
) -> Result<Written, WriteError> {
    let mut done = 0;
    let refused = |path: PathBuf, error: io::Error, done: usize| match done {
        0 => WriteError::Io { path, error },
        _ => WriteError::Halfway { path, error },
    };
    for (name, _) in new.files.iter().filter(|(_, (_, same))| !same) {
        let path = out.join(name);
        let folder = path.parent().unwrap_or(out);
        let result = fs::create_dir_all(folder).and_then(|()| replace(&path, &bytes(name)?));
        result.map_err(|error| refused(path, error, done))?;
        done += 1;
    }
    for path in old.vanished(new) {
        let path = out.join(path);
        fs::remove_file(&path).map_err(|error| refused(path, error, done))?;
        done += 1;
    }
    let path = out.join(MANIFEST);
    replace(&path, &manifest_text(manifest)).map_err(|error| refused(path, error, done))?;
    Ok(written)
}

/// A lock file that goes away with its owner.
#[derive(Debug)]
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// `Err(None)` if somebody else holds it.
    fn take(path: &Path) -> Result<Self, Option<io::Error>> {
        let file = File::create(path).map_err(Some)?;
        match file.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _file: file }),
            Err(TryLockError::WouldBlock) => Err(None),
            Err(TryLockError::Error(error)) => Err(Some(error)),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Writes a file that is not there yet, and the folders on the way to it.
///
/// # Errors
/// If there is such a file, or the disk refuses.
pub fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    use io::Write as _;
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()));
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(named)?;
    let mut file = File::options().write(true).create_new(true).open(path).map_err(named)?;
    file.write_all(content).map_err(named)
}

/// Replaces one file's content in one step: readers see the old text or the new.
///
/// # Errors
/// If the folder cannot be written to; the old file stays then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.new"));
    let written = fs::write(&temporary, content).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
