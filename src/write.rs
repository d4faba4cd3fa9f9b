//! The only door to the disk: a site replaces the one before it in one step.
//!
//! The new site is laid out beside the old one, and then the two folders change places (`renameat2` with `RENAME_EXCHANGE`). Whenever the process is killed,
//! the output folder holds the old site or the new one, whole. The old site is kept beside the new one: the next is laid out there, so that a build costs what
//! differs from the site before the last. Files that did not change are one file in both, by hard links. Files in the output folder that no build has written
//! are carried over.
#![allow(clippy::disallowed_methods, reason = "this module is the writer")]

mod beside;
mod disk;
mod earlier;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

pub use beside::{Kept, Memo};
pub use disk::{create, replace};

use beside::Beside;
use disk::{Hashed, aside, carry_over, link_all, make_folder, remove_if_there, remove_tree, swap};
use earlier::Earlier;

use rayon::prelude::*;

use crate::site::{MANIFEST, Make, Manifest, hash};

/// The clock of files moves at least once in so long: 100 times a second is the slowest that Linux is built with.
const TICK: Duration = Duration::from_millis(10);

/// So many files are linked by one thread before it asks for more work.
const LINKED_AT_ONCE: usize = 1_000;

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

/// How many files the site in a folder has, if it was made of these `inputs` and nobody has touched it since.
#[must_use]
pub fn made_of(out: &Path, inputs: &str) -> Option<usize> {
    let out = resolve(out).ok()?;
    let old = Earlier::written(&out);
    let manifest = old.manifest.as_ref().filter(|manifest| manifest.inputs.as_deref() == Some(inputs))?;
    old.is_untouched(&out).then_some(manifest.files.len())
}

/// What a build begins from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// What builds before have left beside the site.
    Before,
    /// Nothing; nothing will be left for the next build either.
    Nothing,
}

/// A site on its way to the disk, file by file from any thread; the output folder changes when it is [finished](Self::finish), and never if it is dropped
/// before.
#[derive(Debug)]
pub struct Output {
    out: PathBuf,
    /// Where the new site is laid out.
    stage: PathBuf,
    /// What lies there already: the site before the last.
    staged: Earlier,
    /// Whether the stage holds a whole site, to begin from the next time, unless it is spoilt.
    is_stage_whole: bool,
    /// Set when the stage begins to be neither the old site nor the new one.
    spoilt: OnceLock<()>,
    old: Earlier,
    new: Mutex<New>,
    beginning: Beginning,
    memos: Mutex<BTreeMap<String, Memo>>,
    /// `None` where nothing may be written beside the folder; then the files that differ are kept in memory until the end.
    beside: Option<Beside>,
}

/// What has been put so far.
#[derive(Debug, Default)]
struct New {
    /// Every file with its hash, and whether the one of the build before is the same.
    files: BTreeMap<String, (String, bool)>,
    folders: BTreeSet<PathBuf>,
    /// When a file was last written to the stage.
    last: Option<Instant>,
    in_memory: BTreeMap<String, Vec<u8>>,
    /// The first thing that went wrong.
    error: Option<WriteError>,
}

impl Output {
    /// Gets ready to write a site. `sources` are folders that it must neither contain nor lie in.
    ///
    /// # Errors
    /// If the folder belongs to somebody else, or the disk refuses. Nothing is changed then.
    pub fn begin(out: &Path, sources: &[PathBuf], beginning: Beginning) -> Result<Self, WriteError> {
        let out = resolve(out)?;
        guard(&out, sources)?;
        let old = Earlier::of(&out)?;
        let beside = match Beside::take(&out) {
            Ok(beside) => Some(beside),
            Err(None) => return Err(WriteError::Busy(out)),
            // Beside the folder nothing may be written, inside it perhaps: a mounted volume, for example.
            Err(Some(error)) if refuses(&error) && out.is_dir() => None,
            Err(Some(error)) => return Err(WriteError::Io { path: Beside::path(&out), error }),
        };
        let stage = beside.as_ref().map(Beside::stage).unwrap_or_default();
        let mut staged = Earlier::default();
        if let Some(beside) = &beside {
            if beginning == Beginning::Nothing {
                beside.clear().map_err(at(&stage))?;
            }
            staged = Earlier::written(&stage);
            // A build that was killed left these; the lock says that none is running.
            let left = [aside(&stage), stage.clone()].into_iter().take(if staged.manifest.is_none() { 2 } else { 1 });
            for folder in left.filter(|folder| folder.exists()) {
                remove_tree(&folder).map_err(at(&folder))?;
            }
        }
        let is_stage_whole = staged.manifest.is_some();
        let (spoilt, new, memos) = (OnceLock::new(), Mutex::default(), Mutex::default());
        Ok(Self { out, stage, staged, is_stage_whole, spoilt, old, new, beginning, memos, beside })
    }

    /// Whether there is a site that nobody has touched since it was written.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        self.old.is_untouched(&self.out)
    }

    /// The files of the site that is there.
    pub fn files_before(&self) -> impl Iterator<Item = &str> {
        self.old.manifest.iter().flat_map(|manifest| manifest.files.keys()).map(String::as_str)
    }

    /// A file to remember something in for the next build, by its name; what was remembered under other names is forgotten. `None` where nothing can be.
    pub fn remember(&self, name: &str) -> Option<Memo> {
        let beside = self.beside.as_ref().filter(|_| self.beginning == Beginning::Before)?;
        let memo = beside.remember(name).ok()?;
        self.memos.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), memo.clone());
        Some(memo)
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
            new.files.insert(path.to_owned(), (hash.clone(), same));
            if self.old.foreign.contains(path) {
                new.error = Some(WriteError::Foreign { folder: self.out.clone(), first: path.to_owned() });
            } else if !same && self.beside.is_none() {
                new.in_memory.insert(path.to_owned(), bytes.to_owned());
            }
        }
        if same || self.beside.is_none() || self.staged.knows(&self.stage, path, &hash) {
            return;
        }
        let after = self.stage.join(path);
        let written = self.room_for(&after).and_then(|()| fs::write(&after, bytes).map_err(at(&after)));
        let mut new = self.so_far();
        new.last = Some(Instant::now());
        if let Err(error) = written {
            new.error.get_or_insert(error);
        }
    }

    /// Adds a file that is made piece by piece, so that it need not fit into memory. Otherwise the same as [`Self::put`].
    pub fn put_pieces(&self, path: &str, make: Make<'_>) {
        if self.beside.is_none() {
            let mut bytes = Vec::new();
            make(&mut |piece| bytes.extend_from_slice(piece));
            return self.put(path, &bytes);
        }
        let after = self.stage.join(path);
        let mut write = || {
            self.room_for(&after)?;
            let mut file = Hashed::create(&after).map_err(at(&after))?;
            let mut result = Ok(());
            make(&mut |piece| {
                if result.is_ok() {
                    result = file.write_all(piece);
                }
            });
            let hash = result.and_then(|()| file.finish()).map_err(at(&after))?;
            let same = self.old.knows(&self.out, path, &hash);
            if same {
                // It stays one file in both sites.
                remove_if_there(&after).map_err(at(&after))?;
            }
            Ok((hash, same))
        };
        let written = write();
        let mut new = self.so_far();
        new.last = Some(Instant::now());
        match written {
            Err(error) => drop(new.error.get_or_insert(error)),
            Ok(_) if self.old.foreign.contains(path) => {
                new.error.get_or_insert(WriteError::Foreign { folder: self.out.clone(), first: path.to_owned() });
            }
            Ok(written) => drop(new.files.entry(path.to_owned()).or_insert(written)),
        }
    }

    /// Adds a file that the site had before, as it is. That it is there and [untouched](Self::is_untouched) is for the caller to know. Should one of that name
    /// have been put, that one stays.
    pub fn stays(&self, path: &str) {
        let mut new = self.so_far();
        if new.files.contains_key(path) {
            return;
        }
        match self.old.manifest.as_ref().and_then(|manifest| manifest.files.get(path)) {
            Some(hash) => drop(new.files.insert(path.to_owned(), (hash.clone(), true))),
            None => drop(new.error.get_or_insert(WriteError::Io { path: self.out.join(path), error: io::ErrorKind::NotFound.into() })),
        }
    }

    fn so_far(&self) -> MutexGuard<'_, New> {
        self.new.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gets ready to make a file of the stage: its folder is there, and the file is not. What was there may be a file of the site at the same time, so it must
    /// not be written to.
    fn room_for(&self, file: &Path) -> Result<(), WriteError> {
        self.spoil()?;
        let folder = file.parent().unwrap_or(&self.stage);
        if !self.so_far().folders.contains(folder) {
            make_folder(&self.stage, folder).map_err(at(folder))?;
            self.so_far().folders.insert(folder.to_owned());
        }
        if self.staged.manifest.is_none() {
            return Ok(());
        }
        match remove_if_there(file) {
            Err(_) if file.is_dir() => remove_tree(file).map_err(at(file)),
            result => result.map_err(at(file)),
        }
    }

    /// From now on the stage is neither the old site nor the new one; should this build be killed, the next one sees that.
    fn spoil(&self) -> Result<(), WriteError> {
        let manifest = self.stage.join(MANIFEST);
        let mut result = Ok(());
        self.spoilt.get_or_init(|| result = remove_if_there(&manifest));
        result.map_err(at(&manifest))
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
    pub fn finish(mut self, inputs: Option<String>) -> Result<Written, WriteError> {
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
        let text = manifest_text(&manifest);
        if written.changed == 0 && self.old.manifest.as_ref().is_some_and(|old| old.files == manifest.files) {
            let path = self.out.join(MANIFEST);
            // It is newer than every file, also than those that somebody has touched without changing them.
            replace(&path, &text).map_err(at(&path))?;
        } else if self.beside.is_none() {
            in_place(&self.out, &self.old, &new, &text, |path| Ok(new.in_memory.get(path).cloned().unwrap_or_default()))?;
        } else {
            self.lay_out_rest(&new, &text)?;
            match swap(&self.stage, &self.out) {
                // In the stage is the old site now. What nobody's build wrote has no place in one that is to come.
                Ok(()) => {
                    self.is_stage_whole = self.old.manifest.is_some() && self.old.foreign.is_empty();
                    self.spoilt = OnceLock::new();
                }
                Err(error) if refuses(&error) && self.out.is_dir() => {
                    in_place(&self.out, &self.old, &new, &text, |path| fs::read(self.stage.join(path)))?;
                    self.spoil()?;
                }
                Err(error) => return Err(WriteError::Io { path: self.out.clone(), error }),
            }
        }
        let memos = std::mem::take(&mut *self.memos.lock().unwrap_or_else(PoisonError::into_inner));
        if let (Some(beside), false) = (&self.beside, memos.is_empty()) {
            // What cannot be remembered makes the next build slower, and this one no worse.
            let _ = beside.believe(&text, memos);
        }
        Ok(written)
    }

    /// Makes the stage hold what stays as it was, and the manifest, and nothing that is gone.
    fn lay_out_rest(&self, new: &New, manifest: &[u8]) -> Result<(), WriteError> {
        let gone: Vec<&str> = self.staged.vanished(new).collect();
        self.spoil()?;
        gone.par_iter().try_for_each(|path| {
            let path = self.stage.join(path);
            // It may be a folder by now, which was made for something else.
            if path.is_dir() { Ok(()) } else { remove_if_there(&path).map_err(at(&path)) }
        })?;
        let folders: BTreeSet<&Path> = gone.iter().flat_map(|path| Path::new(path).ancestors().skip(1)).collect();
        for folder in folders.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            // Those that are not empty stay.
            let _ = fs::remove_dir(self.stage.join(folder));
        }
        let mut same: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        for (path, (hash, _)) in new.files.iter().filter(|(_, (_, same))| *same) {
            let folder = path.rfind('/').map_or("", |end| &path[..end]);
            same.entry(folder).or_default().push((path, hash));
        }
        let pieces = same.iter().flat_map(|(folder, files)| files.chunks(LINKED_AT_ONCE).map(|files| (*folder, files)));
        let mut pieces: Vec<(&str, &[(&str, &str)])> = pieces.collect();
        // The larger ones first, so that no thread is left with one of them at the end.
        pieces.sort_by_key(|(_, files)| std::cmp::Reverse(files.len()));
        pieces.par_iter().with_max_len(1).try_for_each(|(folder, files)| self.carry_over_folder(folder, files))?;
        self.old.foreign.par_iter().try_for_each(|path| self.carry_over(path))?;
        // The clock of files stands still for some milliseconds at a time, and a file that is not older than the manifest is taken for one that somebody has touched.
        std::thread::sleep(new.last.map_or(Duration::ZERO, |last| TICK.saturating_sub(last.elapsed())));
        let path = self.stage.join(MANIFEST);
        self.room_for(&path)?;
        fs::write(&path, manifest).map_err(at(&path))
    }

    /// Files of a folder of the old site, with their hashes, are in the new one.
    fn carry_over_folder(&self, folder: &str, files: &[(&str, &str)]) -> Result<(), WriteError> {
        let missing = files.iter().filter(|(path, hash)| !self.staged.knows(&self.stage, path, hash));
        let missing: Vec<&str> = missing.map(|(path, _)| *path).collect();
        let (Some(first), true) = (missing.first(), self.staged.manifest.is_none()) else {
            return missing.into_iter().try_for_each(|path| self.carry_over(path));
        };
        self.room_for(&self.stage.join(first))?;
        let (from, to) = (self.out.join(folder), self.stage.join(folder));
        link_all(&from, &to, missing.iter().map(|path| &path[folder.len()..]).map(|name| name.trim_start_matches('/')))
    }

    /// A file of the old site is one of the new.
    fn carry_over(&self, path: &str) -> Result<(), WriteError> {
        let after = self.stage.join(path);
        self.room_for(&after)?;
        carry_over(&self.out.join(path), &after)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.beginning == Beginning::Nothing {
            self.beside.take().into_iter().for_each(Beside::vanish);
        } else if self.beside.is_some() && !(self.is_stage_whole && self.spoilt.get().is_none()) && self.stage.exists() {
            let _ = remove_tree(&self.stage);
        }
    }
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

fn manifest_text(manifest: &Manifest) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(manifest).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Where the folder itself cannot be replaced: each file in one step, the manifest last. A killed build leaves a mixture that the next one mends.
fn in_place(out: &Path, old: &Earlier, new: &New, manifest: &[u8], bytes: impl Fn(&str) -> io::Result<Vec<u8>>) -> Result<(), WriteError> {
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
    replace(&path, manifest).map_err(|error| refused(path, error, done))
}
