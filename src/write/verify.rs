//! Compares the files of a site with its manifest.

use std::{
    io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;

use super::{disk::hash_of_file, previous_output::manifest};
use crate::site::MANIFEST;

/// The reason why a site can't be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// There is no manifest.
    #[error("`{0}` has no {MANIFEST} of a site; pass the folder that `ksys-docs build` wrote")]
    NoSite(PathBuf),
}

/// A file of a site that isn't as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The file has other content.
    Changed(String),
    /// The file doesn't exist.
    Missing(String),
    /// The file can't be read; the second value is the reason.
    Unreadable(String, String),
}

/// Compares every file of a site with the manifest. Returns the number of files, and those that differ, by path. Files outside of the manifest are ignored.
///
/// # Errors
/// If the folder has no manifest.
pub fn verify(site: &Path) -> Result<(usize, Vec<Damage>), VerifyError> {
    let manifest = manifest(site).ok_or_else(|| VerifyError::NoSite(site.to_owned()))?;
    let damage = |(path, hash): (&String, &String)| match hash_of_file(&site.join(path)) {
        Ok(found) => (found != *hash).then(|| Damage::Changed(path.clone())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Some(Damage::Missing(path.clone())),
        Err(error) => Some(Damage::Unreadable(path.clone(), error.to_string())),
    };
    Ok((manifest.files.len(), manifest.files.par_iter().filter_map(damage).collect()))
}
