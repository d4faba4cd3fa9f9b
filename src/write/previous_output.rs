//! The content of an output folder: the site that a build wrote, and files that no build wrote.

use std::{
    collections::BTreeSet,
    fs,
    io::{self, Read as _},
    path::{Component, Path},
};

use rayon::prelude::*;

use super::{error::WriteError, lock::lock_name};
use crate::site::{GENERATOR, MANIFEST, Manifest};

#[derive(Debug, Default)]
pub(super) struct PreviousOutput {
    /// The manifest of the last build; `None` if there was none.
    pub(super) manifest: Option<Manifest>,
    /// The paths of files and links that no build wrote.
    pub(super) foreign: BTreeSet<String>,
}

impl PreviousOutput {
    /// Lists the files of an output folder.
    ///
    /// # Errors
    /// If there are files but no manifest: then the folder is not ours.
    pub(super) fn read(out: &Path) -> Result<Self, WriteError> {
        if !out.is_dir() {
            return Ok(Self::default());
        }
        let manifest = manifest(out);
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
            let is_ours = manifest.as_ref().is_some_and(|manifest| path == MANIFEST || manifest.files.contains_key(&path));
            if !is_ours && path != lock_name(out) {
                foreign.insert(path);
            }
        }
        match (&manifest, foreign.first()) {
            (None, Some(first)) => Err(WriteError::Foreign { folder: out.to_owned(), first: first.clone() }),
            _ => Ok(Self { manifest, foreign }),
        }
    }

    /// Whether the last build wrote a file, and it still has this content.
    pub(super) fn has(&self, out: &Path, path: &str, bytes: &[u8]) -> bool {
        let file = out.join(path);
        let is_listed = self.manifest.as_ref().is_some_and(|manifest| manifest.files.contains_key(path));
        let has_length = || fs::symlink_metadata(&file).is_ok_and(|metadata| metadata.is_file() && metadata.len() == bytes.len() as u64);
        is_listed && has_length() && fs::read(&file).is_ok_and(|old| old == bytes)
    }

    /// The same for a file of which only the hash is in memory.
    pub(super) fn has_hash(&self, out: &Path, path: &str, hash: &str) -> bool {
        let listed = self.manifest.as_ref().and_then(|manifest| manifest.files.get(path));
        listed.is_some_and(|listed| listed == hash) && hash_of_file(&out.join(path)).is_some_and(|found| found == hash)
    }

    /// The files of the last build.
    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.manifest.iter().flat_map(|manifest| manifest.files.keys()).map(String::as_str)
    }
}

/// The number of files of the site in a folder, if it was built from these `inputs` and no file has changed since. Cost: reads the whole site.
pub(super) fn current(out: &Path, inputs: &str) -> Option<usize> {
    let manifest = manifest(out).filter(|manifest| manifest.inputs.as_deref() == Some(inputs))?;
    let is_unchanged = |(path, hash): (&String, &String)| hash_of_file(&out.join(path)).is_some_and(|found| found == *hash);
    manifest.files.par_iter().all(is_unchanged).then_some(manifest.files.len())
}

/// The manifest in a folder, if a build wrote it.
fn manifest(out: &Path) -> Option<Manifest> {
    let manifest: Manifest = serde_json::from_slice(&fs::read(out.join(MANIFEST)).ok()?).ok()?;
    // It may have been edited: its paths are used to remove files.
    let is_inside = |path: &String| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (manifest.generator == GENERATOR && manifest.files.keys().all(is_inside)).then_some(manifest)
}

/// The hash of a regular file, as in the manifest.
fn hash_of_file(path: &Path) -> Option<String> {
    fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = fs::File::open(path).ok()?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hasher.finalize().to_hex().to_string()),
            length => hasher.update(buffer.get(..length)?),
        };
    }
}
