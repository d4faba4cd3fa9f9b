//! Runs git. The repository is not trusted: its configuration, hooks, signatures and remotes are overridden, so that nothing in it can run a program.

use std::{
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    time::Duration,
};

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
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let output = communicate(&mut child, input, TIMEOUT);
        // Also after an error: a process that is not waited for remains in the process table.
        let status = child.wait()?;
        let (stdout, stderr) = output?;
        if status.success() { Ok(stdout) } else { Err(io::Error::other(String::from_utf8_lossy(&stderr).trim().to_owned())) }
    }
}

/// Writes the input and reads both outputs at the same time, because a full pipe blocks the child. Kills it after `timeout`.
fn communicate(child: &mut Child, input: &[u8], timeout: Duration) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        // Git may end without reading its input.
        let thread = std::thread::Builder::new;
        let writer = thread().spawn_scoped(scope, move || stdin.map(|mut stdin| stdin.write_all(input)));
        let errors = thread().spawn_scoped(scope, move || {
            let mut bytes = Vec::new();
            stderr.map_or(Ok(0), |mut stderr| stderr.read_to_end(&mut bytes)).map(|_| bytes)
        });
        let watch = thread().spawn_scoped(scope, move || {
            let is_late = end.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout);
            if is_late { child.kill().map(|()| true) } else { Ok(false) }
        });
        // If the system has no more threads, the pipes are closed here, and git ends.
        let (_, errors, watch) = (writer?, errors?, watch?);
        let mut bytes = Vec::new();
        let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut bytes));
        let errors = errors.join().unwrap_or_else(|_| Ok(Vec::new()))?;
        drop(ended);
        if watch.join().unwrap_or(Ok(false))? {
            return Err(io::Error::other(format!("it did not end within {} seconds", timeout.as_secs())));
        }
        read.map(|_| (bytes, errors))
    })
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        let piped = || Stdio::piped();
        let mut child = Command::new("sleep").arg("600").stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
        let error = communicate(&mut child, b"", Duration::from_millis(20)).unwrap_err();
        assert!(error.to_string().contains("did not end"), "{error}");
        assert!(!child.wait().unwrap().success());
    }

    #[test]
    fn large_input_and_output_do_not_block() {
        let piped = || Stdio::piped();
        let mut child = Command::new("cat").stdin(piped()).stdout(piped()).stderr(piped()).spawn().unwrap();
        let input = vec![b'x'; 1 << 20];
        assert_eq!(communicate(&mut child, &input, TIMEOUT).unwrap(), (input, Vec::new()));
        assert!(child.wait().unwrap().success());
    }
}
