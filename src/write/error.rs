//! The errors of writing a site.

use std::{
    io,
    path::{Path, PathBuf},
};

/// The reason why a site was not written. Unless the variant states otherwise, the output folder is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The folder has files that no build wrote.
    #[error(
        "`{folder}` contains files that ksys-docs did not write, such as `{first}`; no files were changed. Choose another folder with `-d`, or empty this one"
    )]
    Foreign {
        /// The output folder.
        folder: PathBuf,
        /// One of the files.
        first: String,
    },
    /// The output folder is, contains or is inside a folder of the knowledge base.
    #[error(
        "the output folder `{0}` contains the files of the knowledge base, or is inside of their folders; choose another one with `-d`"
    )]
    AmongSources(PathBuf),
    /// The output folder that `book.toml` names is not inside the knowledge base.
    #[error("`build-dir` in book.toml is `{0}`, outside of the knowledge base; to write there anyway, pass it with `-d`")]
    OutsideRoot(PathBuf),
    /// The output is a file.
    #[error("`{0}` is a file; choose another output folder with `-d`")]
    NotAFolder(PathBuf),
    /// Another build is writing to the folder.
    #[error("another build is writing to `{0}`; wait until it is done")]
    Busy(PathBuf),
    /// An operation on a file failed.
    #[error("the site was not written, and the previous one is unchanged: cannot write `{path}`")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
    /// An operation on a file failed after others had succeeded, in a folder that can't be replaced as a whole. The output folder is a mixture.
    #[error(
        "some files of the site are new and others old, because the folder itself cannot be replaced; rebuild when `{path}` is writable"
    )]
    Halfway {
        /// The file.
        path: PathBuf,
        /// The system's error.
        #[source]
        error: io::Error,
    },
}

/// Adds the path to an error.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |error| WriteError::Io { path, error }
}
