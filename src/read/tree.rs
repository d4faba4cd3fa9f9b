//! Reads a folder repeatedly, at the cost of the changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use rayon::prelude::*;

use super::{
    Content, Listed, ReadError, STATIC, Sources, TEMPLATES, includes, is_hidden, is_inside, is_text, leads_outside, list, read_file,
    relative,
};
use crate::{
    config::{self, Config},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, SourceText},
    text::Span,
};

/// A knowledge base on the disk, which can be read repeatedly.
#[derive(Debug)]
pub struct Tree {
    root: PathBuf,
    sources: Sources,
    stamps: BTreeMap<Arc<str>, Stamp>,
    /// Findings about files.
    of_files: BTreeMap<Arc<str>, Diagnostic>,
    /// Findings about folders and links.
    of_folders: Vec<Diagnostic>,
    /// The content folder, relative to the root.
    src: String,
    /// The folder whose files pages can include.
    repository: PathBuf,
    /// The files that pages include.
    included: BTreeSet<Arc<str>>,
    /// Other folders that contain files of the knowledge base: targets of links, included files, additional style sheets.
    elsewhere: BTreeSet<PathBuf>,
    /// The canonical paths of files that are reached through links, and their names in the knowledge base.
    aliases: BTreeMap<PathBuf, BTreeSet<Arc<str>>>,
}

/// The metadata of a file. A file with the same stamp is considered unchanged and is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    inode: u64,
}

/// The difference between a tree and its previous state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// No difference.
    Nothing,
    /// The text of these files changed.
    Edited(BTreeSet<Arc<str>>),
    /// Files were added or removed, or files have to be read in another way.
    Whole,
}

impl Difference {
    /// Combines this difference with a later one.
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

impl Tree {
    /// Reads a knowledge base.
    ///
    /// # Errors
    /// If there is no knowledge base.
    pub fn open(root: &Path) -> Result<Self, ReadError> {
        let canonical = root.canonicalize().map_err(|_| ReadError::NoFolder(root.to_owned()))?;
        if !canonical.is_dir() {
            return Err(ReadError::NoFolder(root.to_owned()));
        }
        if !canonical.join(config::FILE).is_file() {
            return Err(ReadError::NoBook(root.to_owned()));
        }
        let mut tree = Self {
            repository: includes::repository(&canonical),
            included: BTreeSet::new(),
            root: canonical,
            sources: Sources { today: Some(jiff::Zoned::now().date()), ..Sources::default() },
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

    /// The current snapshot.
    #[must_use]
    pub const fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The current snapshot, without the tree.
    #[must_use]
    pub fn into_sources(self) -> Sources {
        self.sources
    }

    /// The findings of reading, in a fixed order.
    #[must_use]
    pub fn found(&self) -> Vec<Diagnostic> {
        self.of_folders.iter().chain(self.of_files.values()).cloned().collect()
    }

    /// The folder with book.toml, as a canonical path.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folders that are read recursively, relative to the root.
    #[must_use]
    pub fn folders(&self) -> [&str; 3] {
        [self.src.as_str(), TEMPLATES, STATIC]
    }

    /// Other folders that contain files of the knowledge base.
    #[must_use]
    pub const fn elsewhere(&self) -> &BTreeSet<PathBuf> {
        &self.elsewhere
    }

    /// Sets the dates of the last changes. Returns whether they differ from the previous ones.
    pub fn set_history(&mut self, changed: BTreeMap<Arc<str>, String>) -> bool {
        let differs = changed != *self.sources.changed;
        if differs {
            self.sources.changed = Arc::new(changed);
        }
        differs
    }

    /// Reads all files with a different stamp, and removes files that no longer exist.
    pub fn reread(&mut self) -> Difference {
        let found_before = self.found();
        let book: Arc<str> = config::FILE.into();
        let path = self.root.join(config::FILE);
        let reread = if path.exists() && !is_inside(&self.root, &path) {
            self.keep(&book, Err(Box::new(leads_outside(&self.root, &path))), stamp(&path))
        } else {
            self.reread_file(&book, &path, true)
        };
        let mut difference = if reread == Difference::Nothing { Difference::Nothing } else { Difference::Whole };
        // Only the location of the content is needed here; findings about book.toml are reported when it is loaded.
        let text = self.sources.text(config::FILE).unwrap_or_default();
        let mut settings = config::parse(&book, text, &mut Diagnostics::new());
        settings.find_src(|path| self.root.join(path).exists());
        if self.src != settings.src {
            // Which files are text depends on the content folder.
            self.stamps.clear();
            self.src.clone_from(&settings.src);
        }
        let files: Vec<(Arc<str>, PathBuf, Option<Stamp>)> = self
            .list_files(&settings)
            .into_par_iter()
            .map(|Listed { path, name, .. }| {
                let stamp = stamp(&path);
                (Arc::from(name), path, stamp)
            })
            .collect();
        let mut names: BTreeSet<Arc<str>> = files.iter().map(|(name, ..)| name.clone()).chain([book]).collect();
        let read: Vec<_> = files
            .into_par_iter()
            .filter(|(name, _, stamp)| stamp.is_none() || self.stamps.get(name) != stamp.as_ref())
            .map(|(name, path, stamp)| (read_file(&path, &name, is_text(&name, &self.src)), name, stamp))
            .collect();
        for (result, name, stamp) in read {
            difference = difference.and(self.keep(&name, result, stamp));
        }
        difference = difference.and(self.read_included(&mut names));
        let gone: Vec<Arc<str>> = self.sources.files.keys().filter(|name| !names.contains(*name)).cloned().collect();
        for name in &gone {
            self.forget(name);
        }
        if !gone.is_empty() || self.found() != found_before { Difference::Whole } else { difference }
    }

    /// Reads the files that pages include and that are not among `names`, and adds them there.
    fn read_included(&mut self, names: &mut BTreeSet<Arc<str>>) -> Difference {
        let mut difference = Difference::Nothing;
        let pages = self.sources.below(&self.src).filter(|(inner, ..)| inner.ends_with(".md")).map(|(_, file, _)| file.clone());
        let mut open: Vec<Arc<str>> = pages.collect();
        self.included.clear();
        while let Some(file) = open.pop() {
            for name in includes::targets(&self.sources, &file).into_iter().map(Arc::<str>::from) {
                if !self.included.insert(name.clone()) {
                    continue;
                }
                if !names.contains(&name) {
                    self.elsewhere.extend(self.root.join(&*name).parent().and_then(|folder| folder.canonicalize().ok()));
                    let Some(path) = includes::includable(&self.root, &self.repository, &name) else { continue };
                    if stamp(&path).is_none_or(|stamp| self.stamps.get(&name) != Some(&stamp)) {
                        difference = difference.and(self.reread_file(&name, &path, true));
                    }
                    names.insert(name.clone());
                    self.aliases.entry(path).or_default().insert(name.clone());
                }
                open.push(name);
            }
        }
        difference
    }

    /// Whether a file names files in directives that have to be read.
    fn includes_others(&self, name: &str) -> bool {
        let targets = includes::targets(&self.sources, name);
        targets.iter().any(|target| {
            let is_known = self.sources.files.contains_key(target.as_str());
            !is_known && includes::includable(&self.root, &self.repository, target).is_some()
        })
    }

    /// Whether a file is read as text.
    fn is_text(&self, name: &str) -> bool {
        let inside = |folder: &str| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        name == config::FILE || is_text(name, &self.src) || (self.included.contains(name) && !self.folders().into_iter().any(inside))
    }

    /// The files of the knowledge base except book.toml. Updates the findings about folders, and the targets of links.
    fn list_files(&mut self, settings: &Config) -> Vec<Listed> {
        let (mut files, mut diagnostics) = (Vec::new(), Diagnostics::new());
        self.elsewhere.clear();
        self.aliases.clear();
        if !self.root.join(&self.src).is_dir() {
            let place = Place::new(config::FILE, Span::at(0));
            let found = Diagnostic::new(Rule::BadConfig, place, format!("the folder `{}` does not exist", self.src));
            diagnostics.push(found.help("create it and put the pages there, or set the folder: `src = \"…\"` under `[book]`"));
        }
        for folder in self.folders() {
            list(&self.root, &self.repository, folder, &mut files, &mut diagnostics);
        }
        for file in settings.additional_css.iter().chain(&settings.additional_js).chain(&settings.logo) {
            let path = self.root.join(file);
            self.elsewhere.extend(path.parent().map(Path::to_owned));
            match path.is_file() {
                true if is_inside(&self.root, &path) => files.push(Listed { path, name: file.clone(), linked: false }),
                true => diagnostics.push(leads_outside(&self.root, &path)),
                false => {}
            }
        }
        for Listed { path, name, .. } in files.iter().filter(|listed| listed.linked) {
            if let Ok(target) = path.canonicalize() {
                self.elsewhere.extend(target.parent().map(Path::to_owned));
                self.aliases.entry(target).or_default().insert(name.as_str().into());
            }
        }
        self.of_folders = diagnostics.sorted();
        files
    }

    /// Reads the files at some paths; if a folder was added or removed, reads all files.
    pub fn refresh<'a>(&mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Difference {
        let mut difference = Difference::Nothing;
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
                let is_book = &*name == config::FILE;
                match self.reread_file(&name, path, self.is_text(&name)) {
                    Difference::Whole => return self.reread_as_changed(),
                    Difference::Edited(_) if self.includes_others(&name) => return self.reread_as_changed(),
                    // The content folder may have changed.
                    edited @ Difference::Edited(_) if is_book => return edited.and(difference).and(self.reread()),
                    other => difference = difference.and(other),
                }
            }
        }
        difference
    }

    /// Whether a file at one of these paths is probably being written: it no longer exists, or it is empty and was not empty before.
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

    /// The names of the known file at a path, including those through links.
    fn names_of(&self, path: &Path) -> Vec<Arc<str>> {
        let own = relative(&self.root, path).and_then(|name| Some(self.sources.files.get_key_value(name.as_str())?.0.clone()));
        own.into_iter().chain(self.aliases.get(path).into_iter().flatten().cloned()).collect()
    }

    /// Whether there are known files below a path.
    fn lies_below(&self, path: &Path) -> bool {
        let Some(name) = relative(&self.root, path) else { return false };
        let folder = format!("{name}/");
        self.sources.files.range(Arc::from(folder.as_str())..).next().is_some_and(|(file, _)| file.starts_with(&folder))
    }

    /// Whether a path that was added or removed, or is a folder, can affect the knowledge base.
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
        self.keep(name, read_file(path, name, text), stamp)
    }

    fn keep(&mut self, name: &Arc<str>, result: Result<Content, Box<Diagnostic>>, stamp: Option<Stamp>) -> Difference {
        let (content, found) = match result {
            Ok(content) => (content, None),
            Err(found) => (Content::Unusable, Some(*found)),
        };
        set(&mut self.stamps, name, stamp);
        let same_finding = self.of_files.get(name) == found.as_ref();
        set(&mut self.of_files, name, found);
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

fn set<T>(map: &mut BTreeMap<Arc<str>, T>, name: &Arc<str>, value: Option<T>) {
    match value {
        Some(value) => drop(map.insert(name.clone(), value)),
        None => drop(map.remove(name)),
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
