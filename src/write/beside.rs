//! The folder beside a site: what one build leaves to the next. Without it, the next takes longer and makes the same.
//!
//! `lock` is held by the build that is writing. `before` is the site that was there before this one, whole; the next site is laid out there, at the cost of
//! what differs. `kept` has what a build was told to remember, and `kept.json` says of which site, so that nothing is believed of another.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use super::disk::{Hashed, Lock, remove_tree, replace};
use crate::site::{MANIFEST, hash};

/// See <https://bford.info/cachedir/>: programs that make backups leave such folders out.
const TAG: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# What a build of ksys-docs leaves to the next one. It may be removed at any time.\n";

/// The folder beside a site, held by one build.
#[derive(Debug)]
pub(super) struct Beside {
    folder: PathBuf,
    _lock: Lock,
}

/// What a build remembers, and of which site.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    /// Who wrote it; another program may understand something else by it.
    program: String,
    /// The hash of the site's manifest.
    site: String,
    /// The hash of each file.
    files: BTreeMap<String, String>,
}

impl Beside {
    /// The folder beside an output folder.
    pub(super) fn path(out: &Path) -> PathBuf {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        out.parent().unwrap_or(Path::new("/")).join(format!(".{name}.ksys-docs"))
    }

    /// Takes hold of it. `Err(None)` if another build does.
    pub(super) fn take(out: &Path) -> Result<Self, Option<io::Error>> {
        let folder = Self::path(out);
        if !folder.is_dir() {
            fs::create_dir_all(&folder).map_err(Some)?;
        }
        let lock = Lock::take(&folder.join("lock"))?;
        for (name, text) in [("CACHEDIR.TAG", TAG), (".gitignore", "*\n")] {
            let path = folder.join(name);
            if !path.exists() {
                fs::write(path, text).map_err(Some)?;
            }
        }
        Ok(Self { folder, _lock: lock })
    }

    /// Where the next site is laid out.
    pub(super) fn stage(&self) -> PathBuf {
        self.folder.join("before")
    }

    /// Forgets everything.
    pub(super) fn clear(&self) -> io::Result<()> {
        self.forget()?;
        for folder in [self.stage(), self.folder.join("kept")] {
            if folder.exists() {
                remove_tree(&folder)?;
            }
        }
        Ok(())
    }

    /// Leaves nothing of the folder.
    pub(super) fn vanish(self) {
        if self.clear().is_ok() {
            for name in ["CACHEDIR.TAG", ".gitignore"] {
                let _ = fs::remove_file(self.folder.join(name));
            }
            let folder = self.folder.clone();
            drop(self);
            let _ = fs::remove_dir(folder);
        }
    }

    /// What is remembered is no longer to be believed.
    fn forget(&self) -> io::Result<()> {
        match fs::remove_file(self.folder.join("kept.json")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// A new file to remember something in.
    pub(super) fn remember(&self, name: &str) -> io::Result<Memo> {
        self.forget()?;
        let folder = self.folder.join("kept");
        fs::create_dir_all(&folder)?;
        Ok(Memo { file: Arc::new(Mutex::new(Some(Hashed::create(&folder.join(name))?))) })
    }

    /// What was remembered is to be believed, of the site with this manifest.
    pub(super) fn believe(&self, manifest: &[u8], memos: BTreeMap<String, Memo>) -> io::Result<()> {
        let mut files = BTreeMap::new();
        for (name, memo) in memos {
            files.insert(name, memo.close()?);
        }
        let index = Index { program: env!("KSYS_DOCS_MADE_OF").to_owned(), site: hash(manifest), files };
        replace(&self.folder.join("kept.json"), &serde_json::to_vec_pretty(&index)?)
    }
}

/// A file on its way in which a build remembers something. Copies write to the same file.
#[derive(Clone, Debug)]
pub struct Memo {
    /// `None` after an error.
    file: Arc<Mutex<Option<Hashed>>>,
}

impl Memo {
    fn close(&self) -> io::Result<String> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.take().ok_or_else(|| io::Error::other("could not be written"))?.finish()
    }
}

impl fmt::Write for Memo {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut slot = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = slot.as_mut() else { return Err(fmt::Error) };
        if file.write_all(text.as_bytes()).is_err() {
            *slot = None;
            return Err(fmt::Error);
        }
        Ok(())
    }
}

/// What the last build of a site has remembered.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    files: BTreeMap<String, String>,
}

impl Kept {
    /// What was remembered of the site in a folder, if this very program did, and the site is still that one.
    #[must_use]
    pub fn of(out: &Path) -> Option<Self> {
        let out = super::resolve(out).ok()?;
        let folder = Beside::path(&out);
        let index: Index = serde_json::from_slice(&fs::read(folder.join("kept.json")).ok()?).ok()?;
        let manifest = fs::read(out.join(MANIFEST)).ok()?;
        let is_it = index.program == env!("KSYS_DOCS_MADE_OF") && index.site == hash(&manifest);
        is_it.then(|| Self { folder: folder.join("kept"), files: index.files })
    }

    /// The text in one of its files; `None` if there is none, or it is not as it was written.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        let wanted = self.files.get(name)?;
        let bytes = fs::read(self.folder.join(name)).ok()?;
        (hash(&bytes) == *wanted).then(|| String::from_utf8(bytes).ok())?
    }
}
