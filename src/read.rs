//! The only module that reads the content: an immutable snapshot of a knowledge base.
#![allow(clippy::disallowed_methods, reason = "this module is the reader")]

mod checkout;
mod git;
mod git_objects;
mod history;
mod includes;
mod revision;
mod tree;

use std::{
    collections::BTreeMap,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

pub use checkout::Checkout;
pub use history::History;
pub use revision::{merge_base, read_revision};
pub use tree::{Difference, Tree};

use rayon::prelude::*;
use walkdir::WalkDir;

use crate::{
    config,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, SourceText},
    layout,
    origins::Origins,
    text::{Span, line_column},
};

/// The maximum size of a text file in bytes. A page of one megabyte is already a mistake.
pub const MAX_TEXT: u64 = 4 << 20;

/// The maximum size of an image or download in bytes. Hosts of static sites reject larger files.
pub const MAX_ASSET: u64 = 25 << 20;

/// The folder of a site's templates.
pub const TEMPLATES: &str = "templates";

/// The folder of the interface strings, inside the templates.
pub const STRINGS: &str = "strings";

/// The folder of a site's assets.
pub const STATIC: &str = "static";

/// The content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text: without a byte order mark, with LF line ends.
    Text(Arc<str>),
    /// The unchanged bytes.
    Bytes(Arc<[u8]>),
    /// The file cannot be used; the reason is already reported.
    Unusable,
}

impl Content {
    /// The bytes of the content; empty if it is unusable.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
            Self::Unusable => &[],
        }
    }
}

/// Everything that a build depends on, sorted by path. Paths are relative to the root, with `/` between the parts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files.
    pub files: BTreeMap<Arc<str>, Content>,
    /// The day of the last commit that touched a file, `2026-11-20`; empty without git.
    pub changed: Arc<BTreeMap<Arc<str>, String>>,
    /// The address of the site, which overrides the one in `book.toml`.
    pub site_url: Option<crate::config::SiteUrl>,
    /// The texts of chapters that preprocessors changed, by file.
    pub preprocessed: BTreeMap<Arc<str>, Arc<Preprocessed>>,
    /// Whether the user allows preprocessors to run.
    pub runs_commands: bool,
    /// The date of the build: no evidence can have been checked later. `None` if checks don't depend on it.
    pub today: Option<jiff::civil::Date>,
}

/// The text of a page in which directives have been replaced, and that preprocessors may have changed.
#[derive(Clone, Debug)]
pub struct Preprocessed {
    /// The text.
    pub text: Arc<str>,
    /// Where it comes from.
    pub origins: Origins,
    /// The title that a directive gives the page.
    pub title: Option<String>,
    /// The files that it includes, with their contents; `None` for a file that does not exist.
    pub included: Vec<(Arc<str>, Option<Content>)>,
}

impl Sources {
    /// Creates a snapshot from strings, for tests and examples.
    #[must_use]
    pub fn from_texts<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.into(), Content::Text(unify(text).into()))).collect();
        Self { files, ..Self::default() }
    }

    /// Creates a snapshot from a string in which each file begins with a line `//- path`.
    #[must_use]
    pub fn from_fixture(fixture: &str) -> Self {
        let mut files: Vec<(String, String)> = Vec::new();
        for line in fixture.split_inclusive('\n') {
            match (line.strip_prefix("//- "), files.last_mut()) {
                (Some(path), _) => files.push((path.trim().to_owned(), String::new())),
                (None, Some((_, text))) => text.push_str(line),
                (None, None) => {}
            }
        }
        Self::from_texts(files.iter().map(|(path, text)| (path.as_str(), text.as_str())))
    }

    /// The files below a folder, with their paths relative to it.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a Arc<str>, &'a Content)> + 'a {
        self.files.iter().filter_map(move |(path, content)| {
            let inner = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((inner, path, content))
        })
    }
}

impl SourceText for Sources {
    fn text(&self, file: &str) -> Option<&str> {
        match self.files.get(file)? {
            Content::Text(text) => Some(text),
            Content::Bytes(_) | Content::Unusable => None,
        }
    }
}

/// The reason why a knowledge base could not be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The folder does not exist.
    #[error("`{0}` is not a folder")]
    NoFolder(PathBuf),
    /// The folder has no book.toml.
    #[error("no {file} in `{0}`; change to the folder of a knowledge base, or create a new one with `ksys-docs init DIR`", file = config::FILE)]
    NoBook(PathBuf),
    /// A file is outside of the knowledge base.
    #[error("`{0}` does not belong to this knowledge base")]
    Outside(PathBuf),
    /// The commit does not exist.
    #[error("`{0}` is not a commit; see `git log`, and fetch the whole history if this clone is shallow")]
    NoRevision(String),
    /// The folder is not a clone of a repository.
    #[error("`{0}` has no `.git`; pass the folder of a git checkout, such as one that `git clone` has created")]
    NoCheckout(PathBuf),
    /// The commit has no book.toml.
    #[error("no {file} at the commit `{0}`", file = config::FILE)]
    NoBookAt(String),
    /// Git failed, or is not installed.
    #[error("git failed: {0}")]
    Git(String),
    /// The folder cannot be read.
    #[error("cannot read `{0}`")]
    Io(PathBuf, #[source] io::Error),
}

/// Whether the dates of the last changes are read from git.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryMode {
    /// Git is not run.
    Skip,
    /// The dates are read if the clone is complete.
    Read,
    /// The dates are read, and a shallow clone is reported.
    Require,
}

/// Reads the knowledge base in `root`.
///
/// # Errors
/// If there is no knowledge base. A problem with a single file is a finding.
pub fn read(root: &Path, mode: HistoryMode) -> Result<(Sources, Diagnostics), ReadError> {
    let ask = || {
        let history = root.canonicalize().ok().filter(|_| mode != HistoryMode::Skip).map(|root| History::of(&root))?;
        Some((history.ask(), mode == HistoryMode::Require && history.is_shallow()))
    };
    let (tree, changed) = rayon::join(|| Tree::open(root), ask);
    let mut tree = tree?;
    let mut diagnostics = Diagnostics::new();
    if let Some((changed, is_shallow)) = changed {
        tree.set_history(changed);
        if is_shallow {
            let message = "this clone is shallow: pages can't show when they last changed";
            let help = "fetch the whole history: `git fetch --unshallow`, or `fetch-depth: 0` in a workflow; or build with `--no-git`";
            diagnostics.report(Rule::ShallowHistory, Place::new(config::FILE, Span::at(0)), message, help);
        }
    }
    diagnostics.extend(tree.found());
    Ok((tree.into_sources(), diagnostics))
}

/// Reads only the files that are needed to explain listings: `book.toml`, the vocabulary, the facts of components and providers with their versions, and the interface strings.
/// Files that cannot be read are left out.
///
/// # Errors
/// If there is no `book.toml`.
pub fn read_facts(root: &Path) -> Result<Sources, ReadError> {
    let files = read_texts(root, vec![config::FILE.to_owned()]).files;
    let Some(Content::Text(book)) = files.get(config::FILE) else { return Err(ReadError::NoBook(root.to_owned())) };
    let src = config::parse(&config::FILE.into(), book, &mut Diagnostics::new()).src;
    let inside = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some(format!("{folder}/{}", entry.file_name().to_str()?))).collect()
    };
    let mut names = vec![format!("{src}/{}", layout::VOCABULARY)];
    names.extend(inside(&format!("{TEMPLATES}/{STRINGS}")));
    for kind in [layout::COMPONENTS, layout::PROVIDERS] {
        let files = |folder: String| [layout::FACTS, layout::VERSIONS].map(|file| format!("{folder}/{file}"));
        names.extend(inside(&format!("{src}/{kind}")).into_iter().flat_map(files));
    }
    names.push(config::FILE.to_owned());
    Ok(read_texts(root, names))
}

/// Reads text files of a knowledge base; files that cannot be read are left out.
#[must_use]
pub fn read_texts(root: &Path, names: Vec<String>) -> Sources {
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let read = |name: String| match read_file(&root.join(&name), &name, true) {
        Ok(content @ Content::Text(_)) if is_inside(&real_root, &root.join(&name)) => Some((Arc::from(name), content)),
        _ => None,
    };
    Sources { files: names.into_par_iter().filter_map(read).collect(), ..Sources::default() }
}

/// Reads a file or a stream up to a number of bytes; `None` if it is longer.
///
/// # Errors
/// If it cannot be read.
pub fn read_up_to(source: impl io::Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    source.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Reads the objects in a folder, such as the one that `kubectl cluster-info dump --output-directory` writes: the files in JSON and YAML at any depth, in order
/// of their paths, up to a number of bytes together; `None` if they are longer. Symbolic links are not followed.
///
/// # Errors
/// If a file or folder cannot be read.
pub fn objects_below(folder: &Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        let extension = entry.path().extension().and_then(|extension| extension.to_str());
        if !entry.file_type().is_file() || !extension.is_some_and(|extension| OBJECT_FILES.contains(&extension)) {
            continue;
        }
        let Some(file) = read_up_to(open(entry.path())?, limit.saturating_sub(bytes.len() as u64))? else { return Ok(None) };
        bytes.extend(file);
        // Each file begins in a new line, as a new document of YAML.
        bytes.extend(b"\n---\n");
    }
    Ok(Some(bytes))
}

/// The extensions of files with objects. A dump has large logs beside them.
const OBJECT_FILES: &[&str] = &["json", "yaml", "yml"];

/// Reads a text file that the user specified.
///
/// # Errors
/// If the file does not exist, or is not text.
pub fn text(path: &Path) -> io::Result<String> {
    std::fs::read_to_string(path)
}

/// Opens a file that the user specified.
///
/// # Errors
/// If the file does not exist, or cannot be read.
pub fn open(path: &Path) -> io::Result<std::fs::File> {
    std::fs::File::open(path)
}

/// The path of a file relative to the root, as in [`Sources`]. `file` is relative to the current folder.
///
/// # Errors
/// If the file does not exist, or is outside of the knowledge base.
pub fn name_in(root: &Path, file: &Path) -> Result<String, ReadError> {
    let root = root.canonicalize().map_err(|_| ReadError::NoFolder(root.to_owned()))?;
    let canonical = file.canonicalize().map_err(|error| ReadError::Io(file.to_owned(), error))?;
    relative(&root, &canonical).ok_or_else(|| ReadError::Outside(file.to_owned()))
}

/// Whether the compiler reads a file as text. Everything else is copied.
fn is_text(name: &str, src: &str) -> bool {
    match name.strip_prefix(src).and_then(|inner| inner.strip_prefix('/')) {
        Some(inner) => inner.ends_with(".md") || layout::is_data(inner),
        None => name.starts_with(TEMPLATES),
    }
}

/// A file that belongs to the knowledge base.
struct Listed {
    path: PathBuf,
    name: String,
    /// Whether its path contains a symbolic link.
    linked: bool,
}

/// Adds the files below a folder. Symbolic links are followed if their targets are files of the repository that are not hidden.
fn list(root: &Path, repository: &Path, folder: &str, paths: &mut Vec<Listed>, diagnostics: &mut Diagnostics) {
    let start = root.join(folder);
    if !start.exists() {
        return;
    }
    let mut followed: Vec<PathBuf> = Vec::new();
    let mut walk = WalkDir::new(&start).follow_links(true).sort_by_file_name().into_iter();
    while let Some(entry) = walk.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                diagnostics.push(walk_error(root, &error));
                continue;
            }
        };
        let hidden = entry.depth() > 0 && is_hidden(&entry.file_name().to_string_lossy());
        let outside = !hidden && entry.path_is_symlink() && !includes::is_public(repository, entry.path());
        if hidden || outside {
            if outside {
                diagnostics.push(leads_outside(root, entry.path()));
            }
            if entry.file_type().is_dir() {
                walk.skip_current_dir();
            }
            continue;
        }
        if entry.path_is_symlink() && entry.file_type().is_dir() {
            followed.push(entry.path().to_owned());
        }
        if entry.file_type().is_file() {
            match relative(root, entry.path()) {
                Some(name) => {
                    // Inside a linked folder, the entry itself is not a link.
                    let linked = entry.path_is_symlink() || followed.iter().any(|folder| entry.path().starts_with(folder));
                    paths.push(Listed { path: entry.into_path(), name, linked });
                }
                None => diagnostics.push(
                    Diagnostic::new(Rule::BadName, at(root, entry.path()), "this file name cannot be part of a URL")
                        .help("use UTF-8 without control characters and backslashes"),
                ),
            }
        }
    }
}

/// Whether a file or folder is inside `root` after resolving links. `root` is a canonical path.
fn is_inside(root: &Path, path: &Path) -> bool {
    path.canonicalize().is_ok_and(|target| target.starts_with(root))
}

fn leads_outside(root: &Path, path: &Path) -> Diagnostic {
    let found = Diagnostic::new(Rule::SymlinkOutside, at(root, path), "this link points outside of the repository, or to a hidden file");
    found.help("copy the file here instead of linking to it")
}

/// A folder that is published although its name begins with a dot (RFC 8615).
const WELL_KNOWN: &str = ".well-known";

/// Whether a file is hidden, or a temporary file of an editor or operating system.
fn is_hidden(name: &str) -> bool {
    let is_dotfile = name.starts_with('.') && name != WELL_KNOWN;
    is_dotfile || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#')) || name == "Thumbs.db"
}

fn relative(root: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str()).collect();
    let name = parts?.join("/");
    (!name.contains(|c: char| c.is_control() || c == '\\')).then_some(name)
}

fn at(root: &Path, path: &Path) -> Place {
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/");
    Place::new(name, Span::at(0))
}

fn walk_error(root: &Path, error: &walkdir::Error) -> Diagnostic {
    let path = error.path().unwrap_or(root);
    if let Some(ancestor) = error.loop_ancestor() {
        let target = ancestor.strip_prefix(root).unwrap_or(ancestor).display();
        return Diagnostic::new(Rule::SymlinkLoop, at(root, path), format!("this link points to `{target}`, which contains the link"))
            .help("remove the link");
    }
    if path.is_symlink() {
        return Diagnostic::new(Rule::UnreadableFile, at(root, path), "this link points to a file that does not exist")
            .help("correct the link, or remove it");
    }
    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Diagnostic::new(Rule::UnreadableFile, at(root, path), format!("cannot be read: {reason}")).help("check that it exists and may be read")
}

/// Reads the content of a file, or returns the reason why it cannot be used.
fn read_file(path: &Path, name: &str, text: bool) -> Result<Content, Box<Diagnostic>> {
    let found = |rule, message: String, help| Box::new(Diagnostic::new(rule, Place::new(name, Span::at(0)), message).help(help));
    let unreadable =
        |error: io::Error| found(Rule::UnreadableFile, format!("cannot be read: {error}"), "check that it exists and may be read");
    let limit = if text { MAX_TEXT } else { MAX_ASSET };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(unreadable(io::Error::other("it is not a regular file")));
    }
    // The length is only a hint: files can grow, and on some file systems it is 0.
    let Some(bytes) = std::fs::File::open(path).and_then(|file| read_up_to(file, limit)).map_err(unreadable)? else {
        let message = format!("this file has {} MiB; the limit is {} MiB", metadata.len().div_ceil(1 << 20), limit >> 20);
        let help = if text { "split the page" } else { "host large downloads elsewhere and link to them" };
        return Err(found(Rule::FileTooLarge, message, help));
    };
    if !text {
        return Ok(Content::Bytes(bytes.into()));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let end = error.valid_up_to();
        let at = line_column(&String::from_utf8_lossy(&bytes[..end]), end);
        let (line, column, byte) = (at.line, at.column, bytes[end]);
        let message = format!("this file is not UTF-8: line {line}, column {column} holds the byte 0x{byte:02X}");
        found(Rule::NotUtf8, message, "save it as UTF-8")
    })?;
    Ok(Content::Text(unify(text).into()))
}

/// Removes the byte order mark, and replaces CRLF and CR by LF, so that later stages don't have to handle them.
fn unify(text: &str) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_are_unified() {
        assert_eq!(unify("\u{FEFF}a\r\nb\rc\n"), "a\nb\nc\n");
    }

    #[test]
    fn fixtures_are_files() {
        let sources = Sources::from_fixture("//- book.toml\n[book]\n//- content/en.md\n# Hi\n");
        assert_eq!(sources.text("content/en.md"), Some("# Hi\n"));
        assert_eq!(sources.below("content").map(|(inner, ..)| inner).collect::<Vec<_>>(), ["en.md"]);
    }
}
