//! The only door from the disk: an immutable snapshot of a knowledge base.
#![allow(clippy::disallowed_methods, reason = "this module is the reader")]

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::SystemTime,
};

use rayon::prelude::*;
use walkdir::WalkDir;

use crate::{
    config,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Texts},
    text::Span,
};

/// The largest text file. A page of a megabyte is a mistake; this is four.
pub const MAX_TEXT: u64 = 4 << 20;

/// The largest picture or download. Hosts of static sites refuse larger ones.
pub const MAX_ASSET: u64 = 25 << 20;

/// The folder of a site's own templates.
pub const TEMPLATES: &str = "templates";

/// The folder of a site's own assets.
pub const STATIC: &str = "static";

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Text: without a byte order mark, with LF line ends.
    Text(Arc<str>),
    /// Bytes as they are.
    Bytes(Arc<[u8]>),
    /// The file cannot be used; why is already reported.
    Unusable,
}

/// Everything a build depends on, sorted by path. Paths are relative to the root, with `/` between the parts.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The files.
    pub files: BTreeMap<Arc<str>, Content>,
    /// The day of the last commit that touched a file, `2026-11-20`; empty without git.
    pub changed: Arc<BTreeMap<Arc<str>, String>>,
}

impl Sources {
    /// Files from strings, for tests and examples.
    #[must_use]
    pub fn from_texts<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let files = files.into_iter().map(|(path, text)| (path.into(), Content::Text(unify(text).into()))).collect();
        Self { files, changed: Arc::default() }
    }

    /// Files from one string in which each begins with a line `//- path`.
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

    /// The files below a folder, with their paths from there.
    pub fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a Arc<str>, &'a Content)> + 'a {
        self.files.iter().filter_map(move |(path, content)| {
            let inner = path.strip_prefix(folder)?.strip_prefix('/')?;
            Some((inner, path, content))
        })
    }
}

impl Texts for Sources {
    fn text(&self, file: &str) -> Option<&str> {
        match self.files.get(file)? {
            Content::Text(text) => Some(text),
            Content::Bytes(_) | Content::Unusable => None,
        }
    }
}

/// Why no knowledge base could be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such folder.
    #[error("`{0}` is no folder")]
    NoFolder(PathBuf),
    /// There is no book.toml.
    #[error("there is no {file} in `{0}`; run this in the folder of a knowledge base, or name it: `ksys-docs build path/to/it`", file = config::FILE)]
    NoBook(PathBuf),
    /// A file lies elsewhere.
    #[error("`{0}` does not belong to this knowledge base")]
    Outside(PathBuf),
    /// The folder cannot be read.
    #[error("cannot read `{0}`")]
    Io(PathBuf, #[source] io::Error),
}

/// Reads the knowledge base in `root`. With `history`, also asks git when each file last changed.
///
/// # Errors
/// Only if there is nothing to read; a problem with one file is a finding.
pub fn read(root: &Path, history: bool) -> Result<(Sources, Diagnostics), ReadError> {
    let mut tree = Tree::open(root)?;
    if history {
        tree.set_history(History::of(&tree.root).ask());
    }
    let mut diagnostics = Diagnostics::new();
    diagnostics.extend(tree.found());
    Ok((tree.sources, diagnostics))
}

/// A knowledge base on the disk that is read again and again.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    sources: Sources,
    stamps: BTreeMap<Arc<str>, Stamp>,
    /// What is wrong with files.
    of_files: BTreeMap<Arc<str>, Diagnostic>,
    /// What is wrong with folders and links.
    of_folders: Vec<Diagnostic>,
    /// The content folder, from the root.
    src: String,
    /// Folders outside the usual ones that hold something that belongs to the knowledge base: targets of links, additional style sheets.
    elsewhere: BTreeSet<PathBuf>,
    /// The real paths of files that are reached through links, and their names.
    aliases: BTreeMap<PathBuf, BTreeSet<Arc<str>>>,
}

/// By what a file is taken for unchanged without being read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

/// How a tree differs from what was read before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Not at all.
    Nothing,
    /// The text of these files.
    Edited(BTreeSet<Arc<str>>),
    /// Files appeared or vanished, or how files are to be read has changed.
    Whole,
}

impl Difference {
    /// This one and a later one.
    #[must_use]
    pub fn and(self, later: Self) -> Self {
        match (self, later) {
            (Self::Whole, _) | (_, Self::Whole) => Self::Whole,
            (Self::Nothing, other) | (other, Self::Nothing) => other,
            (Self::Edited(mut files), Self::Edited(more)) => {
                files.extend(more);
                Self::Edited(files)
            }
        }
    }
}

/// What git knows about the files.
#[derive(Clone, Debug)]
pub struct History {
    root: PathBuf,
    folder: Option<PathBuf>,
}

impl History {
    /// Asks where git keeps it.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        let folder = git(root, &["rev-parse", "--absolute-git-dir"]).map(|folder| PathBuf::from(folder.trim_end_matches('\n')));
        Self { root: root.to_owned(), folder }
    }

    /// The folder of the repository, if there is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether something at one of these paths says that there is another last commit.
    #[must_use]
    pub fn touched_by<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
        let Some(folder) = &self.folder else { return false };
        let head = folder.join("logs").join("HEAD");
        paths.into_iter().any(|path| *path == head)
    }

    /// The day of the last commit of each file, `2026-11-20`. Empty without git, and in a shallow clone, where every file would seem to be new.
    #[must_use]
    pub fn ask(&self) -> BTreeMap<Arc<str>, String> {
        if self.folder.is_some() { last_changes(&self.root) } else { BTreeMap::new() }
    }
}

impl Tree {
    /// Reads all of it.
    ///
    /// # Errors
    /// If there is nothing to read.
    pub fn open(root: &Path) -> Result<Self, ReadError> {
        let canonical = root.canonicalize().map_err(|_| ReadError::NoFolder(root.to_owned()))?;
        if !canonical.is_dir() {
            return Err(ReadError::NoFolder(root.to_owned()));
        }
        if !canonical.join(config::FILE).is_file() {
            return Err(ReadError::NoBook(root.to_owned()));
        }
        let mut tree = Self {
            root: canonical,
            sources: Sources::default(),
            stamps: BTreeMap::new(),
            of_files: BTreeMap::new(),
            of_folders: Vec::new(),
            src: String::new(),
            elsewhere: BTreeSet::new(),
            aliases: BTreeMap::new(),
        };
        tree.reread();
        Ok(tree)
    }

    /// What was read last.
    #[must_use]
    pub const fn sources(&self) -> &Sources {
        &self.sources
    }

    /// What is wrong with it, in a fixed order.
    #[must_use]
    pub fn found(&self) -> Vec<Diagnostic> {
        self.of_folders.iter().chain(self.of_files.values()).cloned().collect()
    }

    /// The folder with book.toml, without links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folders that are read with all that is in them, from the root.
    #[must_use]
    pub fn folders(&self) -> [&str; 3] {
        [self.src.as_str(), TEMPLATES, STATIC]
    }

    /// Other folders in which files lie that are read.
    #[must_use]
    pub const fn elsewhere(&self) -> &BTreeSet<PathBuf> {
        &self.elsewhere
    }

    /// Takes over when files last changed. Whether that is new.
    pub fn set_history(&mut self, changed: BTreeMap<Arc<str>, String>) -> bool {
        let differs = changed != *self.sources.changed;
        if differs {
            self.sources.changed = Arc::new(changed);
        }
        differs
    }

    /// Reads every file that is not the same by its stamp, and forgets those that are gone.
    pub fn reread(&mut self) -> Difference {
        let found_before = self.found();
        let mut edited = BTreeSet::new();
        let book: Arc<str> = config::FILE.into();
        let mut whole = self.reread_file(&book, &self.root.join(config::FILE), true) != Difference::Nothing;
        // Only to learn where the content lies; findings of book.toml are reported when it is loaded.
        let text = self.sources.text(config::FILE).unwrap_or_default();
        let settings = config::parse(&book, text, &mut Diagnostics::new());
        if self.src != settings.src {
            // Which files are text depends on it.
            self.stamps.clear();
            self.src.clone_from(&settings.src);
        }
        let mut diagnostics = Diagnostics::new();
        let mut paths = Vec::new();
        self.elsewhere.clear();
        self.aliases.clear();
        if !self.root.join(&self.src).is_dir() {
            let place = Place::new(book.clone(), Span::at(0));
            let found = Diagnostic::new(Rule::BadConfig, place, format!("there is no folder `{}`", self.src));
            diagnostics.push(found.help("make it and put the pages there, or name their folder: `src = \"…\"` under `[book]`"));
        }
        for folder in [self.src.as_str(), TEMPLATES, STATIC] {
            list(&self.root, folder, &mut paths, &mut diagnostics);
        }
        for file in settings.additional_css.iter().chain(&settings.additional_js) {
            let path = self.root.join(file);
            self.elsewhere.extend(path.parent().map(Path::to_owned));
            if path.is_file() {
                paths.push(Listed { path, name: file.clone(), linked: false });
            }
        }
        for Listed { path, name, .. } in paths.iter().filter(|listed| listed.linked) {
            if let Ok(target) = path.canonicalize() {
                self.elsewhere.extend(target.parent().map(Path::to_owned));
                self.aliases.entry(target).or_default().insert(name.as_str().into());
            }
        }
        self.of_folders = diagnostics.sorted();
        let look = |Listed { path, name, .. }: Listed| {
            let stamp = stamp(&path);
            (Arc::from(name), path, stamp)
        };
        let looked: Vec<(Arc<str>, PathBuf, Option<Stamp>)> = paths.into_par_iter().map(look).collect();
        let there: BTreeSet<Arc<str>> = looked.iter().map(|(name, ..)| name.clone()).chain([book]).collect();
        let new: Vec<_> =
            looked.into_iter().filter(|(name, _, stamp)| stamp.is_none() || self.stamps.get(name) != stamp.as_ref()).collect();
        let src = &self.src;
        let read: Vec<_> =
            new.into_par_iter().map(|(name, path, stamp)| (read_file(&path, &name, is_text(&name, src)), name, stamp)).collect();
        for ((content, found), name, stamp) in read {
            match self.keep(&name, content, found, stamp) {
                Difference::Nothing => {}
                Difference::Edited(names) => edited.extend(names),
                Difference::Whole => whole = true,
            }
        }
        let gone: Vec<Arc<str>> = self.sources.files.keys().filter(|name| !there.contains(*name)).cloned().collect();
        for name in &gone {
            self.forget(name);
        }
        if whole || !gone.is_empty() || self.found() != found_before {
            Difference::Whole
        } else if edited.is_empty() {
            Difference::Nothing
        } else {
            Difference::Edited(edited)
        }
    }

    /// Reads what lies at some paths. Where folders came or went, all of it is looked at.
    pub fn refresh<'a>(&mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Difference {
        let mut edited = BTreeSet::new();
        for path in paths {
            let names = self.names_of(path);
            if names.is_empty() {
                if self.concerns(path) {
                    return self.reread();
                }
                continue;
            }
            if !path.is_file() {
                return self.reread_as_changed();
            }
            for name in names {
                let text = &*name == config::FILE || is_text(&name, &self.src);
                match self.reread_file(&name, path, text) {
                    Difference::Nothing => {}
                    // Where the content lies may have changed.
                    book @ Difference::Edited(_) if &*name == config::FILE => {
                        return book.and(Difference::Edited(edited)).and(self.reread());
                    }
                    Difference::Edited(names) => edited.extend(names),
                    Difference::Whole => return self.reread_as_changed(),
                }
            }
        }
        if edited.is_empty() { Difference::Nothing } else { Difference::Edited(edited) }
    }

    /// Whether a file at one of these paths is not there any more, or is empty and new or was not empty: somebody is just about to write it.
    pub fn is_in_flight<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> bool {
        let was_empty = |name: &Arc<str>| self.stamps.get(name).is_some_and(|stamp| stamp.length == 0);
        paths.into_iter().any(|path| {
            let names = self.names_of(path);
            match std::fs::metadata(path) {
                Err(_) => !names.is_empty() || self.lies_below(path),
                Ok(metadata) if metadata.is_file() && metadata.len() == 0 => !names.iter().any(was_empty) && self.concerns(path),
                Ok(_) => false,
            }
        })
    }

    fn reread_as_changed(&mut self) -> Difference {
        self.reread();
        Difference::Whole
    }

    /// The names of the known file at a path, or through links to it.
    fn names_of(&self, path: &Path) -> Vec<Arc<str>> {
        let own = relative(&self.root, path).and_then(|name| Some(self.sources.files.get_key_value(name.as_str())?.0.clone()));
        own.into_iter().chain(self.aliases.get(path).into_iter().flatten().cloned()).collect()
    }

    /// Whether known files lie below a path.
    fn lies_below(&self, path: &Path) -> bool {
        let Some(name) = relative(&self.root, path) else { return false };
        let folder = format!("{name}/");
        self.sources.files.range(Arc::from(folder.as_str())..).next().is_some_and(|(file, _)| file.starts_with(&folder))
    }

    /// Whether something that came, went or is a folder at a path may matter.
    #[must_use]
    pub fn concerns(&self, path: &Path) -> bool {
        let Some(name) = relative(&self.root, path) else { return self.elsewhere.iter().any(|folder| path.starts_with(folder)) };
        let hidden = name.split('/').any(is_hidden);
        let inside = |folder: &str| name == folder || name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let above = |folder: &str| folder.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let usual = self.folders().into_iter().any(|folder| inside(folder) || above(folder));
        (usual && !hidden && (path.exists() || self.lies_below(path))) || self.elsewhere.iter().any(|folder| path.parent() == Some(folder))
    }

    fn reread_file(&mut self, name: &Arc<str>, path: &Path, text: bool) -> Difference {
        let stamp = stamp(path);
        let (content, found) = read_file(path, name, text);
        self.keep(name, content, found, stamp)
    }

    fn keep(&mut self, name: &Arc<str>, content: Content, found: Option<Diagnostic>, stamp: Option<Stamp>) -> Difference {
        match stamp {
            Some(stamp) => drop(self.stamps.insert(name.clone(), stamp)),
            None => drop(self.stamps.remove(name)),
        }
        let found_before = self.of_files.get(name);
        let same_finding = found_before == found.as_ref();
        match found {
            Some(found) => drop(self.of_files.insert(name.clone(), found)),
            None => drop(self.of_files.remove(name)),
        }
        match self.sources.files.get_mut(name) {
            Some(known) if *known == content && same_finding => Difference::Nothing,
            Some(known) => {
                let was_usable = *known != Content::Unusable;
                *known = content.clone();
                let usable = same_finding && was_usable && content != Content::Unusable;
                if usable { Difference::Edited(BTreeSet::from([name.clone()])) } else { Difference::Whole }
            }
            None => {
                self.sources.files.insert(name.clone(), content);
                Difference::Whole
            }
        }
    }

    fn forget(&mut self, name: &Arc<str>) {
        self.sources.files.remove(name);
        self.stamps.remove(name);
        self.of_files.remove(name);
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
    #[cfg(not(unix))]
    let inode = 0;
    Some(Stamp { length: metadata.len(), modified: metadata.modified().ok(), inode })
}

/// The path of a file from the root, as [`Sources`] names it; the file may be given from anywhere.
///
/// # Errors
/// If there is no such file, or it lies outside the knowledge base.
pub fn name_in(root: &Path, file: &Path) -> Result<String, ReadError> {
    let root = root.canonicalize().map_err(|_| ReadError::NoFolder(root.to_owned()))?;
    let canonical = file.canonicalize().map_err(|error| ReadError::Io(file.to_owned(), error))?;
    relative(&root, &canonical).ok_or_else(|| ReadError::Outside(file.to_owned()))
}

/// Whether the compiler reads a file as text. Everything else is copied.
fn is_text(name: &str, src: &str) -> bool {
    let ends = |suffixes: &[&str]| suffixes.iter().any(|suffix| name.ends_with(suffix));
    if name.starts_with(src) { ends(&[".md", ".yaml"]) } else { name.starts_with(TEMPLATES) }
}

/// A file that belongs to the knowledge base.
struct Listed {
    path: PathBuf,
    name: String,
    /// Whether there is a link on the way to it.
    linked: bool,
}

/// Adds the files below a folder. Links are followed as long as they stay inside the knowledge base.
fn list(root: &Path, folder: &str, paths: &mut Vec<Listed>, diagnostics: &mut Diagnostics) {
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
        let outside = !hidden && entry.path_is_symlink() && !entry.path().canonicalize().is_ok_and(|target| target.starts_with(root));
        if hidden || outside {
            if outside {
                let found = Diagnostic::new(Rule::SymlinkOutside, at(root, entry.path()), "this link leads out of the knowledge base");
                diagnostics.push(found.help("copy the file here instead of linking to it"));
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
                    // Inside a folder that is a link, the entry itself is none.
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

/// Files that editors and systems leave behind, and whatever is hidden.
fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#')) || name == "Thumbs.db"
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
        return Diagnostic::new(Rule::SymlinkLoop, at(root, path), format!("this link leads back to `{target}`, which contains it"))
            .help("remove the link");
    }
    if path.is_symlink() {
        return Diagnostic::new(Rule::UnreadableFile, at(root, path), "this link leads to a file that is not there")
            .help("correct the link, or remove it");
    }
    let reason = error.io_error().map_or_else(|| error.to_string(), ToString::to_string);
    Diagnostic::new(Rule::UnreadableFile, at(root, path), format!("cannot be read: {reason}")).help("check that it exists and may be read")
}

fn read_file(path: &Path, name: &str, text: bool) -> (Content, Option<Diagnostic>) {
    let place = || Place::new(name, Span::at(0));
    let limit = if text { MAX_TEXT } else { MAX_ASSET };
    let unreadable = |error: io::Error| {
        let found = Diagnostic::new(Rule::UnreadableFile, place(), format!("cannot be read: {error}"));
        (Content::Unusable, Some(found.help("check that it exists and may be read")))
    };
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.len() > limit => {
            let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
            let message = format!("this file has {} MiB; the limit is {} MiB", megabytes(metadata.len()), limit >> 20);
            let help = if text { "split the page" } else { "put large downloads elsewhere and link to them" };
            return (Content::Unusable, Some(Diagnostic::new(Rule::FileTooLarge, place(), message).help(help)));
        }
        Ok(_) => {}
        Err(error) => return unreadable(error),
    }
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return unreadable(error),
    };
    if !text {
        return (Content::Bytes(bytes.into()), None);
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => (Content::Text(unify(text).into()), None),
        Err(error) => {
            let (line, column) = position(&bytes[..error.valid_up_to()]);
            let message =
                format!("this file is not UTF-8: line {line}, column {column} holds the byte 0x{:02X}", bytes[error.valid_up_to()]);
            (Content::Unusable, Some(Diagnostic::new(Rule::NotUtf8, place(), message).help("save it as UTF-8")))
        }
    }
}

/// Line and column, from 1, after these bytes.
fn position(before: &[u8]) -> (usize, usize) {
    let text = String::from_utf8_lossy(before);
    let at = crate::text::line_column(&text, text.len());
    (at.line, at.column)
}

/// Drops the byte order mark and turns CRLF and CR into LF, so that no later stage has to think of them.
fn unify(text: &str) -> String {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn last_changes(root: &Path) -> BTreeMap<Arc<str>, String> {
    if git(root, &["rev-parse", "--is-shallow-repository"]).is_none_or(|answer| answer.trim() != "false") {
        return BTreeMap::new();
    }
    // NUL separates names, so none needs quoting; a record begins with \x01 and the day.
    let log = git(root, &["log", "--relative", "--name-only", "--no-renames", "-z", "--format=%x01%cs", "--", "."]).unwrap_or_default();
    let mut changed = BTreeMap::new();
    let mut day = String::new();
    for field in log.split('\0') {
        let field = field.trim_start_matches('\n');
        match field.strip_prefix('\u{1}') {
            Some(date) => date.trim().clone_into(&mut day),
            None if field.is_empty() => {}
            None => {
                changed.entry(Arc::from(field)).or_insert_with(|| day.clone());
            }
        }
    }
    changed
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
