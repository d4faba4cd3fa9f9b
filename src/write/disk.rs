//! What is done to files and folders, without knowing what a site is.

use std::{
    fs::{self, File, TryLockError},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{WriteError, at};

/// Makes a folder inside another, and removes files that are in the way.
pub(super) fn make_folder(root: &Path, folder: &Path) -> io::Result<()> {
    if fs::create_dir_all(folder).is_ok() {
        return Ok(());
    }
    for ancestor in folder.ancestors().take_while(|ancestor| ancestor.starts_with(root)) {
        if fs::symlink_metadata(ancestor).is_ok_and(|metadata| !metadata.is_dir()) {
            fs::remove_file(ancestor)?;
        }
    }
    fs::create_dir_all(folder)
}

pub(super) fn remove_if_there(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes a folder with everything in it, on all cores.
pub(super) fn remove_tree(folder: &Path) -> io::Result<()> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let entry = entry.map_err(|error| error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be listed")))?;
        if entry.file_type().is_dir() { folders.push(entry.into_path()) } else { files.push(entry.into_path()) }
    }
    files.par_iter().try_for_each(fs::remove_file)?;
    folders.iter().try_for_each(fs::remove_dir)
}

/// A file that is hashed while it is written. Small pieces are collected first: large ones are hashed several times as fast.
#[derive(Debug)]
pub(super) struct Hashed(BufWriter<Hashing>);

#[derive(Debug)]
struct Hashing {
    file: File,
    hasher: blake3::Hasher,
}

impl Hashed {
    /// Makes the file, or empties it.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::with_capacity(1 << 18, Hashing { file: File::create(path)?, hasher: blake3::Hasher::new() })))
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// The hash of what was written, in hexadecimal.
    pub(super) fn finish(mut self) -> io::Result<String> {
        self.0.flush()?;
        Ok(self.0.get_ref().hasher.finalize().to_hex().to_string())
    }
}

impl io::Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A file or link under another name: the same file where that is possible.
pub(super) fn carry_over(from: &Path, to: &Path) -> Result<(), WriteError> {
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

/// Files of one folder in another, where they are not yet, by their names.
pub(super) fn link_all<'a>(from: &Path, to: &Path, names: impl Iterator<Item = &'a str>) -> Result<(), WriteError> {
    let folders = open_folder(from).ok().zip(open_folder(to).ok());
    for name in names {
        let is_linked = folders.as_ref().is_some_and(|(from, to)| link(from, to, name));
        if !is_linked {
            carry_over(&from.join(name), &to.join(name))?;
        }
    }
    Ok(())
}

/// A folder to name files from, so that the way there need not be looked up for each.
#[cfg(unix)]
fn open_folder(path: &Path) -> io::Result<rustix::fd::OwnedFd> {
    use rustix::fs::{Mode, OFlags};
    rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()).map_err(io::Error::from)
}

#[cfg(unix)]
fn link(from: &rustix::fd::OwnedFd, to: &rustix::fd::OwnedFd, name: &str) -> bool {
    rustix::fs::linkat(from, name, to, name, rustix::fs::AtFlags::empty()).is_ok()
}

#[cfg(not(unix))]
fn open_folder(path: &Path) -> io::Result<PathBuf> {
    Ok(path.to_owned())
}

#[cfg(not(unix))]
fn link(from: &Path, to: &Path, name: &str) -> bool {
    fs::hard_link(from.join(name), to.join(name)).is_ok()
}

/// Where the old site is for a moment on file systems without an exchange.
pub(super) fn aside(stage: &Path) -> PathBuf {
    stage.with_extension("old")
}

/// The new folder takes the old one's place, and the other way round.
pub(super) fn swap(stage: &Path, out: &Path) -> io::Result<()> {
    if !out.exists() {
        return fs::rename(stage, out);
    }
    match exchange(stage, out) {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => {
            // File systems without an exchange: for a moment there is no folder, and a killed build leaves the old one beside it.
            let aside = aside(stage);
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

/// A lock file that goes away with its owner.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// `Err(None)` if somebody else holds it.
    pub(super) fn take(path: &Path) -> Result<Self, Option<io::Error>> {
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
