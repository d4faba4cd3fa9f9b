//! The only door to the disk: a site replaces the one before it in one step.
//!
//! The new site is laid out beside the old one, with hard links to every file that did not change, and then the two folders change places
//! (`renameat2` with `RENAME_EXCHANGE`). Whenever the process is killed, the output folder holds the old site or the new one, whole. Files in the output
//! folder that no build has written are carried over.
#![allow(clippy::disallowed_methods, reason = "this module is the writer")]

use std::{
    collections::BTreeSet,
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use crate::site::{GENERATOR, MANIFEST, Manifest, Site};

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
    let out = resolve(out)?;
    guard(&out, sources)?;
    let old = earlier(&out)?;
    let (parent, name) = (out.parent().unwrap_or(Path::new("/")), out.file_name().unwrap_or_default().to_string_lossy().into_owned());
    fs::create_dir_all(parent).map_err(at(parent))?;

    let manifest = site.manifest();
    if old.manifest.as_ref() == Some(&manifest) && site.files().all(|(path, bytes)| same(&out.join(path), bytes)) {
        return Ok(Written { unchanged: site.len(), ..Written::default() });
    }
    for foreign in &old.foreign {
        if site.get(foreign).is_some() {
            return Err(WriteError::Foreign { folder: out, first: foreign.clone() });
        }
    }
    let lock = parent.join(format!(".{name}.ksys-docs.lock"));
    let stage = parent.join(format!(".{name}.ksys-docs.new"));
    let guard = match Lock::take(&lock) {
        Ok(guard) => guard,
        Err(None) => return Err(WriteError::Busy(out)),
        // Beside the folder nothing may be written, inside it perhaps: a mounted volume, for example.
        Err(Some(error)) if refuses(&error) && out.is_dir() => return in_place(site, &out, &old, &manifest),
        Err(Some(error)) => return Err(WriteError::Io { path: lock, error }),
    };
    let written = lay_out(site, &out, &stage, &old, &manifest).and_then(|written| match swap(&stage, &out) {
        Ok(()) => Ok(written),
        Err(error) if refuses(&error) && out.is_dir() => in_place(site, &out, &old, &manifest),
        Err(error) => Err(WriteError::Io { path: out.clone(), error }),
    });
    // After the swap this is the old site; after a failure, what was laid out so far.
    let _ = fs::remove_dir_all(&stage);
    drop(guard);
    written
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
#[derive(Default)]
struct Earlier {
    /// What an earlier build wrote; `None` if none did.
    manifest: Option<Manifest>,
    /// What nobody's build wrote: files and links, by their paths.
    foreign: Vec<String>,
}

fn earlier(out: &Path) -> Result<Earlier, WriteError> {
    if !out.is_dir() {
        return Ok(Earlier::default());
    }
    let manifest = fs::read(out.join(MANIFEST)).ok().and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok());
    let manifest = manifest.filter(|manifest| manifest.generator == GENERATOR);
    let mut foreign = Vec::new();
    for entry in walkdir::WalkDir::new(out).min_depth(1).sort_by_file_name() {
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
            foreign.push(path);
        }
    }
    match (&manifest, foreign.first()) {
        (None, Some(first)) => Err(WriteError::Foreign { folder: out.to_owned(), first: first.clone() }),
        _ => Ok(Earlier { manifest, foreign }),
    }
}

fn manifest_text(manifest: &Manifest) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Whether a file holds just these bytes.
fn same(path: &Path, bytes: &[u8]) -> bool {
    let long_enough = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64);
    long_enough && fs::read(path).is_ok_and(|old| old == bytes)
}

/// Lays the new site out in `stage`.
fn lay_out(site: &Site, out: &Path, stage: &Path, old: &Earlier, manifest: &Manifest) -> Result<Written, WriteError> {
    if stage.exists() {
        // A build that was killed left this; the lock says that none is running.
        fs::remove_dir_all(stage).map_err(at(stage))?;
    }
    let folders: BTreeSet<PathBuf> = site
        .files()
        .map(|(path, _)| path)
        .chain(old.foreign.iter().map(String::as_str))
        .filter_map(|path| Some(stage.join(path).parent()?.to_owned()))
        .chain([stage.to_owned()])
        .collect();
    for folder in &folders {
        fs::create_dir_all(folder).map_err(at(folder))?;
    }
    let files: Vec<_> = site.files().collect();
    let changed: Result<Vec<bool>, WriteError> = files
        .par_iter()
        .map(|(path, bytes)| {
            let (before, after) = (out.join(path), stage.join(path));
            if same(&before, bytes) && fs::hard_link(&before, &after).is_ok() {
                return Ok(false);
            }
            fs::write(&after, bytes).map_err(at(&after))?;
            Ok(true)
        })
        .collect();
    let changed = changed?.into_iter().filter(|changed| *changed).count();
    for path in &old.foreign {
        carry_over(&out.join(path), &stage.join(path))?;
    }
    let path = stage.join(MANIFEST);
    fs::write(&path, manifest_text(manifest)).map_err(at(&path))?;
    Ok(Written { changed, unchanged: site.len() - changed, removed: vanished(old, site).count() })
}

/// Files of the build before that the site no longer has.
fn vanished<'a>(old: &'a Earlier, site: &'a Site) -> impl Iterator<Item = &'a str> {
    let files = old.manifest.iter().flat_map(|manifest| manifest.files.keys());
    files.map(String::as_str).filter(|path| site.get(path).is_none())
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
fn in_place(site: &Site, out: &Path, old: &Earlier, manifest: &Manifest) -> Result<Written, WriteError> {
    let mut written = Written::default();
    let refused = |path: PathBuf, error: io::Error, changed: usize| match changed {
        0 => WriteError::Io { path, error },
        _ => WriteError::Halfway { path, error },
    };
    for (path, bytes) in site.files() {
        let path = out.join(path);
        if same(&path, bytes) {
            written.unchanged += 1;
            continue;
        }
        let folder = path.parent().unwrap_or(out);
        let result = fs::create_dir_all(folder).and_then(|()| replace(&path, bytes));
        result.map_err(|error| refused(path, error, written.changed))?;
        written.changed += 1;
    }
    for path in vanished(old, site) {
        let path = out.join(path);
        fs::remove_file(&path).map_err(|error| refused(path, error, written.changed + written.removed))?;
        written.removed += 1;
    }
    let path = out.join(MANIFEST);
    replace(&path, &manifest_text(manifest)).map_err(|error| refused(path, error, written.changed + written.removed))?;
    Ok(written)
}

/// A lock file that goes away with its owner.
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
