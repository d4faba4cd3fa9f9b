//! Excludes other builds from an output folder.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::error::{WriteError, at};

/// A lock file. It exists only while a build holds it.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock at `path` for the output folder `out`.
    pub(super) fn take(path: &Path, out: &Path) -> Result<Self, WriteError> {
        loop {
            if let Some(lock) = Self::hold(open(path).map_err(at(path))?, path, out)? {
                return Ok(lock);
            }
        }
    }

    /// Locks the open file. `None` if it is no longer the file at `path`: before it was locked, the previous holder may have removed it, and another build may
    /// have created and locked a new one.
    fn hold(file: File, path: &Path, out: &Path) -> Result<Option<Self>, WriteError> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(WriteError::Busy(out.to_owned())),
            Err(TryLockError::Error(error)) => return Err(at(path)(error)),
        }
        let is_at_path = is_same(&file, path).map_err(at(path))?;
        Ok(is_at_path.then(|| Self { path: path.to_owned(), _file: file }))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The lock is still held, so the removed file is this one.
        let _ = fs::remove_file(&self.path);
    }
}

/// The name of the lock of an output folder: next to the folder, or inside if nothing can be created there.
pub(super) fn lock_name(out: &Path) -> String {
    format!(".{}.lock", out.file_name().unwrap_or_default().to_string_lossy())
}

/// Opens or creates the lock file. Fails for a symbolic link, whose target could be any file.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.open(path)
}

/// Whether `file` is still the file at `path`.
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    let file = same_file::Handle::from_file(file.try_clone()?)?;
    match same_file::Handle::from_path(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        at_path => Ok(at_path? == file),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods)]
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_file_that_was_removed_after_it_was_opened_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let take = || Lock::take(&path, folder.path());
        let first = take().unwrap();
        assert!(matches!(take(), Err(WriteError::Busy(_))));
        let (one, other) = (open(&path).unwrap(), open(&path).unwrap());
        drop(first);
        assert!(!path.exists());
        assert!(Lock::hold(one, &path, folder.path()).unwrap().is_none(), "there is no file at the path");
        let second = take().unwrap();
        assert!(Lock::hold(other, &path, folder.path()).unwrap().is_none(), "there is another file at the path");
        drop(second);
        assert!(!path.exists());
    }

    #[test]
    fn the_lock_has_one_holder_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let (holders, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..400 {
                        let Ok(lock) = Lock::take(&path, folder.path()) else { continue };
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        assert_eq!(holders.fetch_sub(1, Ordering::SeqCst), 1);
                        drop(lock);
                        taken.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(taken.into_inner() > 8);
        assert!(!path.exists());
    }
}
