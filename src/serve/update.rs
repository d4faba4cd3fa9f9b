//! The thread that compiles a new edition for each change on the disk.
#![allow(clippy::disallowed_methods, reason = "the server handles time")]

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::watch as channel;

use super::{
    edition::{Edition, Report},
    watch::{Changes, Watch},
};
use crate::{
    diagnostic::{Diagnostic, Diagnostics, count},
    incremental::{Compilation, Compiler},
    preprocess,
    read::{Difference, History, ReadError, Sources, Tree},
    render::Renderer,
};

/// The time after which an emptied or removed file is considered final. Editors save by renaming, or by emptying and writing.
const IN_FLIGHT: Duration = Duration::from_millis(40);

/// The time without further changes after which errors are shown: in the middle of a checkout, or of an edit of two files, there are often errors.
const BEFORE_ERRORS: Duration = Duration::from_millis(60);

/// The time after which all files are read again if folders were added or removed: files that were written before the folders were watched were not reported.
const SECOND_LOOK: Duration = Duration::from_millis(150);

/// The interval for polling the root folder while it does not exist: the system can't report when it is created.
const FOLDER_POLL: Duration = Duration::from_millis(500);

/// An event that is reported in the terminal.
#[derive(Debug)]
pub enum Event<'a> {
    /// The first build begins.
    Building {
        /// The number of files.
        files: usize,
    },
    /// The first build ended; the site is served if it had no errors.
    Built {
        /// The renderer of the site; `None` if there are errors.
        renderer: Option<&'a Renderer>,
    },
    /// The site has changed.
    Updated {
        /// The edited files; empty if files were added or removed.
        files: Vec<&'a str>,
        /// The time since the change was reported.
        took: Duration,
    },
    /// There are new findings.
    Found {
        /// The new findings.
        new: Vec<Diagnostic>,
        /// The texts that the findings refer to.
        texts: &'a Sources,
        /// The numbers of all errors and warnings.
        all: (usize, usize),
        /// Whether a previous site is served.
        served: bool,
    },
    /// All errors are fixed.
    Fixed,
    /// The system can't report changes.
    Unwatched(notify::Error),
}

/// Watches a knowledge base, and publishes editions.
#[derive(Debug)]
pub struct Updater {
    /// Whether the user allows preprocessors to run.
    runs_commands: bool,
    tree: Tree,
    watch: Watch,
    /// The error that prevents watching, if it is not reported yet.
    refused: Option<notify::Error>,
    history: History,
    compiler: Compiler,
    editions: channel::Sender<Arc<Edition>>,
    /// The findings of the last compilation.
    found: Arc<Vec<Diagnostic>>,
    /// The time at which all files are read again.
    look_again: Option<Instant>,
    /// Whether the root folder did not exist when it was last read.
    is_missing: bool,
}

impl Updater {
    /// Reads a knowledge base and begins to watch it, with its history from git if `with_history`. The first edition is a placeholder; [`Self::run`] compiles
    /// the site.
    ///
    /// # Errors
    /// If there is no knowledge base, or the system can't watch files.
    pub fn open(root: &Path, with_history: bool, runs_commands: bool) -> Result<(Self, channel::Receiver<Arc<Edition>>), OpenError> {
        let (mut watch, refused) = Watch::new()?;
        let tree = Tree::open(root)?;
        let history = if with_history { History::of(tree.root()) } else { History::default() };
        let of_folders = watch.follow(&tree, history.folder());
        let refused = refused.or(of_folders);
        let (editions, receiver) = channel::channel(Arc::new(Edition::building()));
        let (compiler, found) = (Compiler::default(), Arc::default());
        Ok((
            Self { runs_commands, tree, watch, refused, history, compiler, editions, found, look_again: None, is_missing: false },
            receiver,
        ))
    }

    /// Compiles the site, and updates it after each change. Never returns.
    pub fn run(mut self, report: &mut dyn FnMut(Event<'_>)) {
        if let Some(refused) = self.refused.take() {
            report(Event::Unwatched(refused));
        }
        report(Event::Building { files: self.tree.sources().files.len() });
        self.tree.set_history(self.history.ask());
        // A file can change between reading and watching.
        self.look_again = Some(Instant::now());
        let first = self.compile(&Difference::Whole);
        self.publish(&first, report);
        report(Event::Built { renderer: first.renderer.as_deref() });
        loop {
            self.update(report);
        }
    }

    /// Waits for a change, and updates everything.
    fn update(&mut self, report: &mut dyn FnMut(Event<'_>)) {
        let mut changes = match self.look_again {
            None => self.watch.wait(),
            Some(when) => {
                let mut changes = Changes::default();
                if !self.watch.wait_for_more(&mut changes, when.saturating_duration_since(Instant::now())) {
                    changes.second_look = true;
                    self.look_again = None;
                }
                changes
            }
        };
        let started = Instant::now();
        let mut difference = self.read(&mut changes, report);
        let history = self.history.touched_by(&changes.paths).then(|| self.history.ask());
        if history.is_some_and(|history| self.tree.set_history(history)) {
            difference = Difference::Whole;
        }
        if difference == Difference::Nothing {
            return;
        }
        let mut compilation = self.compile(&difference);
        while compilation.has_errors {
            let mut more = Changes::default();
            if !self.watch.wait_for_more(&mut more, BEFORE_ERRORS) {
                break;
            }
            let next = self.read(&mut more, report);
            if next != Difference::Nothing {
                compilation = self.compile(&next);
                difference = difference.and(next);
            }
        }
        self.publish(&compilation, report);
        if compilation.renderer.is_some() {
            let files = match &difference {
                Difference::Edited(files) => files.iter().map(AsRef::as_ref).collect(),
                _ => Vec::new(),
            };
            report(Event::Updated { files, took: started.elapsed() });
        }
    }

    /// Reads the changed files, after they are written completely.
    fn read(&mut self, changes: &mut Changes, report: &mut dyn FnMut(Event<'_>)) -> Difference {
        let deadline = Instant::now() + IN_FLIGHT;
        while !changes.anywhere && self.tree.is_in_flight(&changes.paths) {
            let patience = deadline.saturating_duration_since(Instant::now());
            if patience.is_zero() || !self.watch.wait_for_more(changes, patience) {
                break;
            }
        }
        let folders = self.tree.folders().map(|folder| self.tree.root().join(folder));
        let is_or_holds = |path: &PathBuf| folders.iter().any(|folder| folder.starts_with(path));
        let was_missing = std::mem::replace(&mut self.is_missing, !self.tree.root().exists());
        let replaced = changes.anywhere || was_missing || changes.paths.iter().any(is_or_holds);
        let difference = if changes.anywhere || changes.second_look { self.tree.reread() } else { self.tree.refresh(&changes.paths) };
        if replaced {
            self.watch.renew();
        }
        // A new folder may still be empty, and files that are written to it before it is watched are not reported.
        let has_folder = || changes.paths.iter().any(|path| self.tree.concerns(path) && path.is_dir());
        if replaced || difference == Difference::Whole || has_folder() {
            let polls = self.watch.polls();
            if let Some(refused) = self.watch.follow(&self.tree, self.history.folder()).filter(|_| !polls) {
                report(Event::Unwatched(refused));
            }
            self.look_again = Some(Instant::now() + SECOND_LOOK);
        }
        if self.is_missing {
            self.look_again = Some(Instant::now() + FOLDER_POLL);
        }
        difference
    }

    fn compile(&mut self, difference: &Difference) -> Compilation {
        let edited = if let Difference::Edited(files) = difference { Some(files) } else { None };
        let compilation = if self.runs_commands {
            // A program can depend on any file.
            let (mut sources, mut found) = (self.tree.sources().clone(), Diagnostics::new());
            found.extend(self.tree.found());
            preprocess::run(self.tree.root(), &mut sources, &mut found);
            self.compiler.compile(&sources, &found.all_sorted(), None)
        } else {
            self.compiler.compile(self.tree.sources(), &self.tree.found(), edited)
        };
        let Some(renderer) = &compilation.renderer else { return compilation };
        // A template that compiles can fail where it is used; a change of content does not break a template that works.
        let known = self.editions.borrow().renderer.as_ref().is_some_and(|good| good.has_same_templates(renderer));
        let broken = if known { Vec::new() } else { renderer.check_sample() };
        if broken.is_empty() {
            return compilation;
        }
        let mut all = Diagnostics::new();
        all.extend(compilation.diagnostics.iter().cloned().chain(broken));
        Compilation { diagnostics: Arc::new(all.sorted()), renderer: None, has_errors: true }
    }

    /// Makes a compilation the current edition, and reports what changed.
    fn publish(&mut self, compilation: &Compilation, report: &mut dyn FnMut(Event<'_>)) {
        let texts = self.tree.sources();
        let findings = Report::new(&compilation.diagnostics, texts);
        let before = self.editions.borrow().clone();
        let good = compilation.renderer.clone();
        if good.is_some() || before.report != findings || before.building {
            let version = before.version + u64::from(good.is_some());
            let renderer = good.or_else(|| before.renderer.clone());
            self.editions.send_replace(Arc::new(Edition::new(version, renderer, findings).after(&before)));
        }
        let new = new_findings(&self.found, &compilation.diagnostics);
        let (errors_before, _) = count(&self.found);
        let all = count(&compilation.diagnostics);
        if !new.is_empty() {
            let served = compilation.renderer.is_none() && self.editions.borrow().renderer.is_some();
            report(Event::Found { new, texts, all, served });
        }
        if errors_before > 0 && all.0 == 0 {
            report(Event::Fixed);
        }
        self.found = compilation.diagnostics.clone();
    }
}

/// Findings that did not exist before. Their positions are ignored, because text above them may have been inserted or removed.
fn new_findings(before: &[Diagnostic], now: &[Diagnostic]) -> Vec<Diagnostic> {
    let identity = |found: &Diagnostic| (found.rule, found.place.as_ref().map(|place| place.file.clone()), found.message.clone());
    let mut known: Vec<_> = before.iter().map(identity).collect();
    known.sort();
    let mut new = Vec::new();
    for found in now {
        match known.binary_search(&identity(found)) {
            // Each of several equal findings counts.
            Ok(index) => drop(known.remove(index)),
            Err(_) => new.push(found.clone()),
        }
    }
    new
}

/// The reason why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no knowledge base.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The system can't watch files.
    #[error("cannot watch files")]
    Watch(#[from] notify::Error),
}
