//! What lies in a folder: a site that a build wrote, and files that none did.

use std::{
    collections::BTreeSet,
    fs::{self, Metadata},
    io,
    path::Path,
    time::SystemTime,
};

use rayon::prelude::*;

use super::{New, WriteError};
use crate::site::{GENERATOR, MANIFEST, Manifest};

/// What lies in the output folder.
#[derive(Debug, Default)]
pub(super) struct Earlier {
    /// What an earlier build wrote; `None` if none did.
    pub(super) manifest: Option<Manifest>,
    /// When it was done.
    written: Option<SystemTime>,
    /// What nobody's build wrote: files and links, by their paths.
    pub(super) foreign: BTreeSet<String>,
}

impl Earlier {
    pub(super) fn of(out: &Path) -> Result<Self, WriteError> {
        if !out.is_dir() {
            return Ok(Self::default());
        }
        let Self { manifest, written, .. } = Self::written(out);
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
        Ok(Self { manifest, written, foreign })
    }

    /// The same without a look at what nobody's build wrote.
    pub(super) fn written(out: &Path) -> Self {
        let manifest = fs::read(out.join(MANIFEST)).ok().and_then(|bytes| serde_json::from_slice::<Manifest>(&bytes).ok());
        let written = fs::symlink_metadata(out.join(MANIFEST)).and_then(|metadata| metadata.modified()).ok();
        Self { manifest: manifest.filter(|manifest| manifest.generator == GENERATOR), written, foreign: BTreeSet::new() }
    }

    /// Whether nobody has touched any file of the manifest since it was written. `false` without a manifest.
    pub(super) fn is_untouched(&self, out: &Path) -> bool {
        let Some(manifest) = &self.manifest else { return false };
        let files: Vec<&String> = manifest.files.keys().collect();
        files.par_iter().all(|path| self.is_older(&out.join(path)))
    }

    /// Whether a file was last written before the manifest.
    fn is_older(&self, file: &Path) -> bool {
        let modified = fs::symlink_metadata(file).ok().filter(Metadata::is_file).and_then(|metadata| metadata.modified().ok());
        modified.zip(self.written).is_some_and(|(modified, written)| modified < written)
    }

    /// Whether the manifest has a file with this hash, and nobody has touched it since.
    pub(super) fn knows(&self, out: &Path, path: &str, hash: &str) -> bool {
        let known = self.manifest.as_ref().and_then(|manifest| manifest.files.get(path));
        known.is_some_and(|known| known == hash) && self.is_older(&out.join(path))
    }

    /// Whether the folder holds this file already. What the manifest says is believed of a file that nobody has touched since the manifest was
    /// written; others are read.
    pub(super) fn has(&self, out: &Path, path: &str, bytes: &[u8], hash: &str) -> bool {
        let Some(known) = self.manifest.as_ref().and_then(|manifest| manifest.files.get(path)) else { return false };
        let file = out.join(path);
        let long_enough = |metadata: &Metadata| metadata.is_file() && metadata.len() == bytes.len() as u64;
        let Some(metadata) = fs::symlink_metadata(&file).ok().filter(long_enough) else { return false };
        let untouched = metadata.modified().ok().zip(self.written).is_some_and(|(modified, written)| modified < written);
        if untouched { known == hash } else { fs::read(&file).is_ok_and(|old| old == bytes) }
    }

    /// Files of the build before that the site no longer has.
    pub(super) fn vanished<'a>(&'a self, new: &'a New) -> impl Iterator<Item = &'a str> {
        let files = self.manifest.iter().flat_map(|manifest| manifest.files.keys());
        files.map(String::as_str).filter(|path| !new.files.contains_key(*path))
    }
}
