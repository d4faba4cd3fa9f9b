//! The finished site as a value: an ordered map from path to bytes.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The manifest, which lists the files of a build, at the top of the output folder.
pub const MANIFEST: &str = "manifest.json";

/// The value of `generator` in our manifests. A file `manifest.json` with another value was written by another program.
pub const GENERATOR: &str = "ksys-docs";

/// All files of a site with a hash of their content, for uploading only changed files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The program that wrote it.
    pub generator: String,
    /// The version of this format.
    pub schema_version: u32,
    /// The BLAKE3 hash of each file, in hexadecimal, by its path in the site; without this file.
    pub files: BTreeMap<String, String>,
}

impl Manifest {
    /// Creates the manifest of files, given their paths and [hashes](hash).
    #[must_use]
    pub fn of(files: impl Iterator<Item = (String, String)>) -> Self {
        Self { generator: GENERATOR.to_owned(), schema_version: 1, files: files.collect() }
    }

    /// The text of the file.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).unwrap_or_default();
        text.push(b'\n');
        text
    }
}

/// The BLAKE3 hash of a file's content, in hexadecimal, as in the manifest.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

/// Receives the chunks of a file.
pub type Chunks<'a> = &'a mut dyn FnMut(&[u8]);

/// Receives the files of a site while it is rendered, from any thread.
pub trait Sink: Sync {
    /// Receives a file.
    fn file(&self, path: &str, bytes: &[u8]);

    /// Receives a file that is too large for memory: `write` produces it in chunks.
    fn large_file(&self, path: &str, write: &mut dyn FnMut(Chunks<'_>));
}

impl Sink for Mutex<Site> {
    fn file(&self, path: &str, bytes: &[u8]) {
        self.lock().unwrap_or_else(PoisonError::into_inner).insert(path, bytes);
    }

    fn large_file(&self, path: &str, write: &mut dyn FnMut(Chunks<'_>)) {
        let mut bytes = Vec::new();
        write(&mut |chunk| bytes.extend_from_slice(chunk));
        self.file(path, &bytes);
    }
}

/// Every file of a site, by its path relative to the output folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    files: BTreeMap<String, Arc<[u8]>>,
}

impl Site {
    /// Adds a file. Addresses are validated to be unique before rendering; if two are equal nevertheless, the first is kept.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Arc<[u8]>>) {
        self.files.entry(path.into()).or_insert_with(|| bytes.into());
    }

    /// The bytes of a file.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&[u8]> {
        self.files.get(path).map(AsRef::as_ref)
    }

    /// The shared bytes of a file.
    #[must_use]
    pub fn shared(&self, path: &str) -> Option<&Arc<[u8]>> {
        self.files.get(path)
    }

    /// The text of a file, if it is text.
    #[must_use]
    pub fn text(&self, path: &str) -> Option<&str> {
        std::str::from_utf8(self.get(path)?).ok()
    }

    /// The manifest of the files.
    #[must_use]
    pub fn manifest(&self) -> Manifest {
        Manifest::of(self.files().map(|(path, bytes)| (path.to_owned(), hash(bytes))))
    }

    /// Every file in the order of its path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &Arc<[u8]>)> {
        self.files.iter().map(|(path, bytes)| (path.as_str(), bytes))
    }
}
