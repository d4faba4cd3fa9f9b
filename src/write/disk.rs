//! Operations on files and folders, independent of sites.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use rayon::prelude::*;

/// The prefix of the names of temporary files and folders.
pub(super) const STAGE_PREFIX: &str = ".ksys-docs-";

/// Removes a folder with its content, in parallel: a site has thousands of files.
pub(super) fn remove_tree(folder: &Path) -> io::Result<()> {
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in walkdir::WalkDir::new(folder).contents_first(true) {
        let entry = entry.map_err(|error| error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be listed")))?;
        if entry.file_type().is_dir() { folders.push(entry.into_path()) } else { files.push(entry.into_path()) }
    }
    files.par_iter().try_for_each(fs::remove_file)?;
    folders.iter().try_for_each(fs::remove_dir)
}

/// Runs an operation on a new file; if its folder does not exist, creates the folder and tries again.
fn in_folder<T>(path: &Path, operation: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match operation() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            operation()
        }
        result => result,
    }
}

/// Writes a file, and creates its folder.
pub(super) fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    in_folder(path, || fs::write(path, bytes))
}

/// Makes a file or link available at another path, as the same file if possible. Creates its folder.
pub(super) fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if from.is_symlink() {
        let target = fs::read_link(from)?;
        return in_folder(to, || std::os::unix::fs::symlink(&target, to));
    }
    in_folder(to, || fs::hard_link(from, to).or_else(|_| fs::copy(from, to).map(|_| ())))
}

/// A file that is hashed while it is written, in large pieces: these are hashed several times as fast as small ones.
#[derive(Debug)]
pub(super) struct HashedFile(BufWriter<HashingWriter>);

#[derive(Debug)]
struct HashingWriter {
    file: File,
    hasher: blake3::Hasher,
}

impl HashedFile {
    /// Creates the file and its folder.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let file = in_folder(path, || File::create(path))?;
        Ok(Self(BufWriter::with_capacity(1 << 18, HashingWriter { file, hasher: blake3::Hasher::new() })))
    }

    pub(super) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// The hash of the content, in hexadecimal.
    pub(super) fn finish(mut self) -> io::Result<String> {
        self.0.flush()?;
        Ok(self.0.get_ref().hasher.finalize().to_hex().to_string())
    }
}

impl io::Write for HashingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.update(bytes);
        self.file.write_all(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Exchanges two folders in one step, or renames the first if the second does not exist.
pub(super) fn swap(new: &Path, old: &Path) -> io::Result<()> {
    if !old.exists() {
        return fs::rename(new, old);
    }
    match exchange(new, old) {
        Err(error) if matches!(error.kind(), io::ErrorKind::Unsupported | io::ErrorKind::InvalidInput) => {
            // File systems without an exchange: for a moment, the folder does not exist; if the build is killed then, the old folder is next to it.
            let aside = new.with_extension("old");
            fs::rename(old, &aside)?;
            fs::rename(new, old)?;
            fs::rename(&aside, new)
        }
        result => result,
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE).map_err(io::Error::from)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether a folder is a mount point. Before Linux 5.8 and on other systems, only if it is on another device than its parent.
pub(super) fn is_mount_point(folder: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
        if let Ok(found) = statx(CWD, folder, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty())
            && found.stx_attributes_mask.contains(StatxAttributes::MOUNT_ROOT)
        {
            return found.stx_attributes.contains(StatxAttributes::MOUNT_ROOT);
        }
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let device = |path: &Path| fs::symlink_metadata(path).map(|metadata| metadata.dev()).ok();
        folder.parent().is_some_and(|parent| device(parent) != device(folder))
    }
    #[cfg(not(unix))]
    false
}

/// Whether two folders have the same owner and group.
pub(super) fn have_same_owner(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let owner = |path: &Path| fs::metadata(path).map(|metadata| (metadata.uid(), metadata.gid())).ok();
        owner(a) == owner(b)
    }
    #[cfg(not(unix))]
    {
        let _ = (a, b);
        true
    }
}

/// Sets the mode of a file or folder to that of another one, if both exist.
pub(super) fn copy_mode(from: &Path, to: &Path) -> io::Result<()> {
    let (Ok(from), Ok(current)) = (fs::symlink_metadata(from), fs::symlink_metadata(to)) else { return Ok(()) };
    let is_alike = from.file_type() == current.file_type() && !from.is_symlink();
    if is_alike && from.permissions() != current.permissions() { fs::set_permissions(to, from.permissions()) } else { Ok(()) }
}

/// Flushes the cached data of the file system of a folder to the disk.
#[cfg(target_os = "linux")]
pub(super) fn sync_filesystem(folder: &Path) -> io::Result<()> {
    rustix::fs::syncfs(File::open(folder)?).map_err(io::Error::from)
}

/// Flushes the files of a folder to the disk, and its entries.
#[cfg(not(target_os = "linux"))]
pub(super) fn sync_filesystem(folder: &Path) -> io::Result<()> {
    let entries: Vec<PathBuf> = walkdir::WalkDir::new(folder).into_iter().flatten().map(walkdir::DirEntry::into_path).collect();
    // Only Unix can open folders.
    let is_synced = |path: &&PathBuf| path.is_file() || (cfg!(unix) && path.is_dir());
    entries.par_iter().filter(is_synced).try_for_each(|path| File::open(path)?.sync_all())
}

/// Flushes the entries of a folder to the disk; only Unix can open folders.
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// The BLAKE3 hash of a regular file, as in the manifest.
pub(super) fn hash_of_file(path: &Path) -> io::Result<String> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(io::Error::other("is not a regular file"));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(File::open(path)?)?;
    Ok(hasher.finalize().to_hex().to_string())
}

/// Creates a file and its folder.
///
/// # Errors
/// If the file exists, or can't be written.
pub fn create(path: &Path, content: &[u8]) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display()));
    let mut file = in_folder(path, || File::options().write(true).create_new(true).open(path)).map_err(named)?;
    file.write_all(content).map_err(named)
}

/// Replaces a file, or creates it with its folder, in one step that survives a power failure: readers see the old content or the new.
///
/// # Errors
/// If the folder can't be written to; the old content is kept then.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_owned);
    let mut new = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The mode of the old file; a new one gets the default mode, which the system reduces by the umask.
        let mode = fs::metadata(path).map_or(0o666, |metadata| metadata.permissions().mode());
        new.permissions(fs::Permissions::from_mode(mode));
    }
    new.prefix(STAGE_PREFIX);
    let mut new = in_folder(path, || new.tempfile_in(&folder))?;
    new.write_all(content)?;
    new.as_file().sync_all()?;
    new.persist(path)?;
    sync_folder(&folder)
}
