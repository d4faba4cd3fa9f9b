//! Watches the disk for changes.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    time::Duration,
};

use notify::{
    Config, ErrorKind, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher,
    event::{AccessKind, AccessMode},
};

use crate::read::Tree;

/// The polling interval if the system can't report changes.
const POLL: Duration = Duration::from_millis(1500);

/// The changes since the last query.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// The paths that changed.
    pub(super) paths: BTreeSet<PathBuf>,
    /// Whether there may be changes at unknown paths, because events were lost.
    pub(super) anywhere: bool,
    /// Whether all files should be read again without a reported change.
    pub(super) second_look: bool,
}

/// Watches the folders of a knowledge base.
pub(super) struct Watch {
    watcher: Box<dyn Watcher + Send>,
    watched: BTreeSet<(PathBuf, bool)>,
    signals: Receiver<Changes>,
    sender: Sender<Changes>,
    polls: bool,
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Watch").field("watched", &self.watched).finish_non_exhaustive()
    }
}

impl Watch {
    /// Begins to watch; [`Self::follow`] sets the folders. If the system can't report changes, also returns the reason; files are polled then.
    pub(super) fn new() -> notify::Result<(Self, Option<notify::Error>)> {
        let (sender, signals) = channel();
        let (watcher, refused): (Box<dyn Watcher + Send>, _) = match RecommendedWatcher::new(handler(sender.clone()), Config::default()) {
            Ok(watcher) => (Box::new(watcher), None),
            Err(refused) => (Box::new(polling(sender.clone())?), Some(refused)),
        };
        Ok((Self { watcher, watched: BTreeSet::new(), signals, sender, polls: refused.is_some() }, refused))
    }

    /// Watches the folders that a tree is read from. Missing folders are watched through their parents. Returns the reason if a folder can't be watched; files
    /// are polled then.
    pub(super) fn follow(&mut self, tree: &Tree, git: Option<&Path>) -> Option<notify::Error> {
        let wanted = wanted(tree, git);
        // A folder that was removed and recreated is a different one, whose old watch ended without an event.
        for (path, _) in self.watched.iter().filter(|it| !wanted.contains(*it) || !it.0.exists()) {
            let _ = self.watcher.unwatch(path);
        }
        self.watched.retain(|it| wanted.contains(it) && it.0.exists());
        let mut refused = None;
        for (path, recursive) in wanted {
            if self.watched.contains(&(path.clone(), recursive)) {
                continue;
            }
            let mode = if recursive { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            match self.watcher.watch(&path, mode) {
                Ok(()) => drop(self.watched.insert((path, recursive))),
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {}
                Err(error) => refused = Some(error),
            }
        }
        if refused.is_some() && !self.polls {
            self.polls = true;
            self.watched.clear();
            if let Ok(watcher) = polling(self.sender.clone()) {
                self.watcher = Box::new(watcher);
                self.follow(tree, git);
            }
        }
        refused
    }

    /// Whether files are polled, because the system can't report changes.
    pub(super) const fn polls(&self) -> bool {
        self.polls
    }

    /// Removes all watches, because folders may have been replaced. The next [`Self::follow`] watches the new ones.
    pub(super) fn renew(&mut self) {
        for (path, _) in std::mem::take(&mut self.watched) {
            let _ = self.watcher.unwatch(&path);
        }
    }

    /// Waits for a change.
    pub(super) fn wait(&self) -> Changes {
        let mut changes = self.signals.recv().unwrap_or_default();
        self.drain(&mut changes);
        changes
    }

    /// Waits for another change, up to a time limit. Returns whether there was one.
    pub(super) fn wait_for_more(&self, changes: &mut Changes, patience: Duration) -> bool {
        match self.signals.recv_timeout(patience) {
            Ok(more) => {
                changes.add(more);
                self.drain(changes);
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }

    fn drain(&self, changes: &mut Changes) {
        while let Ok(more) = self.signals.try_recv() {
            changes.add(more);
        }
    }
}

impl Changes {
    fn add(&mut self, more: Changes) {
        self.paths.extend(more.paths);
        self.anywhere |= more.anywhere;
    }
}

fn polling(sender: Sender<Changes>) -> notify::Result<PollWatcher> {
    PollWatcher::new(handler(sender), Config::default().with_poll_interval(POLL))
}

/// The folders to watch, and whether recursively.
fn wanted(tree: &Tree, git: Option<&Path>) -> BTreeSet<(PathBuf, bool)> {
    let root = tree.root();
    let mut wanted = BTreeSet::from([(root.to_owned(), false)]);
    for folder in tree.folders() {
        wanted.insert((root.join(folder), true));
        wanted.extend(
            Path::new(folder).ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()).map(|above| (root.join(above), false)),
        );
    }
    wanted.extend(tree.elsewhere().iter().map(|folder| (folder.clone(), false)));
    // Each commit appends a line to `logs/HEAD`.
    wanted.extend(git.map(|git| (git.join("logs"), false)));
    // Folders inside a recursively watched folder don't have to be watched.
    let deep: Vec<PathBuf> = wanted.iter().filter(|(_, recursive)| *recursive).map(|(path, _)| path.clone()).collect();
    wanted.retain(|(path, _)| path.exists() && !deep.iter().any(|folder| path != folder && path.starts_with(folder)));
    wanted
}

/// Forwards relevant events. Read access is not a change.
fn handler(sender: Sender<Changes>) -> impl FnMut(notify::Result<notify::Event>) + Send + 'static {
    move |event| {
        let changes = match event {
            Ok(event) if !event.need_rescan() => {
                if matches!(event.kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write)) {
                    return;
                }
                Changes { paths: event.paths.into_iter().collect(), ..Changes::default() }
            }
            _ => Changes { anywhere: true, ..Changes::default() },
        };
        // The receiver no longer exists when the program exits.
        let _ = sender.send(changes);
    }
}
