//! The only door to the disk.
#![allow(clippy::disallowed_methods, reason = "this module is the writer")]

use std::{fs, io, path::Path};

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
