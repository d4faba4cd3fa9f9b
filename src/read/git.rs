//! Runs git. The repository is not trusted: its configuration, hooks, signatures and remotes are overridden, so that nothing in it can run a program.

use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use crate::child_process;

/// Overrides of settings that make git run programs or connect to hosts.
const SETTINGS: [&str; 7] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.sshCommand=false",
    "log.showSignature=false",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
];

/// Missing objects are not fetched, git does not prompt for a password, and nothing is written.
const ENVIRONMENT: [(&str, &str); 3] = [("GIT_NO_LAZY_FETCH", "1"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_OPTIONAL_LOCKS", "0")];

/// The time limit. Reading the history of a large repository takes seconds; a git process that waits for something would never end.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The work tree that a folder belongs to.
#[derive(Clone, Debug)]
pub(super) struct WorkTree {
    root: PathBuf,
    /// The working directory of git.
    folder: PathBuf,
}

impl WorkTree {
    /// The work tree of the nearest folder with a `.git`, at or above `folder`. Git's own search also accepts bare repositories, whose files anyone can commit.
    pub(super) fn of(folder: &Path) -> Option<Self> {
        let root = folder.ancestors().find(|ancestor| ancestor.join(".git").exists())?;
        Some(Self { root: root.to_owned(), folder: folder.to_owned() })
    }

    /// The folder with `.git`.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Runs git and returns its output.
    ///
    /// # Errors
    /// If git can't be started, fails or does not end. The error has git's message, which may be empty.
    pub(super) fn git(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, io::Error> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-pager");
        command.arg("--git-dir").arg(self.root.join(".git")).arg("--work-tree").arg(&self.root);
        command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting])).args(arguments).envs(ENVIRONMENT);
        child_process::run(&mut command, input, TIMEOUT)
    }
}
