//! The content of an output folder: the site that a build wrote, and everything else.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Component, Path},
};

use walkdir::{DirEntry, WalkDir};

use super::{
    disk::{self, STAGE_PREFIX},
    error::WriteError,
    lock::lock_name,
    paths::{ancestors, has_below},
};
use crate::{
    read::read_up_to,
    site::{GENERATOR, MANIFEST, Manifest},
};

/// The largest manifest that is read, in bytes. A site of a million files has one of about 110 MB.
const MAX_MANIFEST: u64 = 256 << 20;

/// The content of an output folder. It is not trusted, because it can be part of a repository by someone else. The manifest only determines which files may be
/// replaced and removed; whether a file is unchanged is determined by its bytes.
#[derive(Debug, Default)]
pub(super) struct PreviousOutput {
    /// The manifest of the last build; `None` if there was none.
    pub(super) manifest: Option<Manifest>,
    /// The files of the last build that still exist.
    pub(super) files: BTreeSet<String>,
    /// Folders with files of the last build.
    pub(super) folders: BTreeSet<String>,
    /// Files and links that no build wrote.
    pub(super) foreign_files: BTreeSet<String>,
    /// Folders without files of the last build.
    pub(super) foreign_folders: BTreeSet<String>,
    /// Whether the folder or one in it is a mount point.
    has_mounts: bool,
}

impl PreviousOutput {
    /// Lists an output folder.
    ///
    /// # Errors
    /// If there are files but no manifest, so that the folder was not written by this program.
    pub(super) fn read(out: &Path) -> Result<Self, WriteError> {
        let manifest = if out.is_dir() { manifest(out) } else { return Ok(Self::default()) };
        let mut previous = Self { has_mounts: disk::is_mount_point(out), ..Self::default() };
        let is_own = |entry: &DirEntry| {
            let name = entry.file_name().to_string_lossy();
            entry.depth() == 1 && (name == lock_name(out) || name.starts_with(STAGE_PREFIX))
        };
        for entry in WalkDir::new(out).min_depth(1).into_iter().filter_entry(|entry| !is_own(entry)) {
            let entry = entry.map_err(|error| WriteError::Io {
                path: error.path().unwrap_or(out).to_owned(),
                error: error.into_io_error().unwrap_or_else(|| io::Error::other("cannot be listed")),
            })?;
            let path = entry.path().strip_prefix(out).unwrap_or(entry.path()).to_string_lossy().replace('\\', "/");
            previous.add(path, &entry, manifest.as_ref());
        }
        match (&manifest, previous.foreign_files.first()) {
            (None, Some(first)) => Err(WriteError::Foreign { folder: out.to_owned(), first: first.clone() }),
            _ => Ok(Self { manifest, ..previous }),
        }
    }

    fn add(&mut self, path: String, entry: &DirEntry, manifest: Option<&Manifest>) {
        let files = manifest.map(|manifest| &manifest.files);
        if entry.file_type().is_dir() {
            self.has_mounts |= disk::is_mount_point(entry.path());
            let has_files = files.is_some_and(|files| has_below(&path, |prefix| files.range(prefix..).next().map(|(file, _)| file)));
            if has_files {
                self.folders.insert(path)
            } else {
                self.foreign_folders.insert(path)
            };
        } else if files.is_some_and(|files| files.contains_key(&path)) {
            self.files.insert(path);
        } else if files.is_none() || path != MANIFEST {
            self.foreign_files.insert(path);
        }
    }

    /// Whether the folder has to be kept: exchanging it would detach a mounted volume, or lose folders that other programs use, such as the open files and
    /// empty folders of a repository.
    pub(super) fn must_stay(&self) -> bool {
        self.has_mounts || !self.foreign_folders.is_empty()
    }

    /// The path of a file or folder that no build wrote and that conflicts with a new file of the site: the file itself, a link on the way to it, or a folder
    /// at its path.
    pub(super) fn obstacle(&self, path: &str) -> Option<String> {
        let in_the_way = ancestors(path).chain([path]).find(|ancestor| self.foreign_files.contains(*ancestor));
        let below = [&self.foreign_files, &self.foreign_folders];
        let is_folder =
            self.foreign_folders.contains(path) || below.iter().any(|paths| has_below(path, |prefix| paths.range(prefix..).next()));
        in_the_way.or_else(|| is_folder.then_some(path)).map(str::to_owned)
    }

    /// Whether the last build wrote a file that still has this content.
    pub(super) fn has(&self, out: &Path, path: &str, bytes: &[u8]) -> bool {
        let file = out.join(path);
        let has_length = || fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64);
        self.files.contains(path) && has_length() && fs::read(&file).is_ok_and(|old| old == bytes)
    }

    /// Like [`Self::has`], for content of which only the hash is known.
    pub(super) fn has_hash(&self, out: &Path, path: &str, hash: &str) -> bool {
        self.files.contains(path) && disk::hash_of_file(&out.join(path)).is_ok_and(|found| found == hash)
    }
}

/// The manifest in a folder, if a build wrote it.
pub(super) fn manifest(out: &Path) -> Option<Manifest> {
    let path = out.join(MANIFEST);
    fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
    let manifest: Manifest = serde_json::from_slice(&read_up_to(fs::File::open(path).ok()?, MAX_MANIFEST).ok()??).ok()?;
    // It may have been edited: its paths are used to remove files.
    let is_inside = |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (manifest.generator == GENERATOR && manifest.files.keys().all(is_inside)).then_some(manifest)
}
