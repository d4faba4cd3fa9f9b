//! Runs git. The repository may be a stranger's, so nothing in it may run a program: its configuration, hooks, signatures and remotes are not trusted.

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

/// Objects that are missing are not fetched, no password is asked for, and nothing is written.
const ENVIRONMENT: [(&str, &str); 3] = [("GIT_NO_LAZY_FETCH", "1"), ("GIT_TERMINAL_PROMPT", "0"), ("GIT_OPTIONAL_LOCKS", "0")];

/// The history of a large repository is read within seconds; git that waits for something never ends.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The work tree that a folder belongs to.
#[derive(Clone, Debug)]
pub(super) struct WorkTree {
    root: PathBuf,
    /// The folder in which git runs.
    folder: PathBuf,
}

impl WorkTree {
    /// The nearest folder above `folder`, or itself, with a `.git`. Git's own search would also accept a bare repository: files that anyone can commit.
    pub(super) fn of(folder: &Path) -> Option<Self> {
        let root = folder.ancestors().find(|ancestor| ancestor.join(".git").exists())?;
        Some(Self { root: root.to_owned(), folder: folder.to_owned() })
    }

    /// Runs git and returns its output.
    ///
    /// # Errors
    /// If it can't be run, fails or does not end: with its message, which may be empty.
    pub(super) fn git(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, io::Error> {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.folder).arg("--no-pager");
        command.arg("--git-dir").arg(self.root.join(".git")).arg("--work-tree").arg(&self.root);
        command.args(SETTINGS.iter().flat_map(|setting| ["-c", setting])).args(arguments).envs(ENVIRONMENT);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdout, stderr) = communicate(&mut child, input)?;
        if child.wait()?.success() { Ok(stdout) } else { Err(io::Error::other(String::from_utf8_lossy(&stderr).trim().to_owned())) }
    }
}

/// Writes the input and reads both outputs at the same time, because a full pipe blocks git. Kills it after [`TIMEOUT`].
fn communicate(child: &mut Child, input: &[u8]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        // Git may end without reading its input.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input)));
        let errors = scope.spawn(move || {
            let mut bytes = Vec::new();
            stderr.map_or(Ok(0), |mut stderr| stderr.read_to_end(&mut bytes)).map(|_| bytes)
        });
        let watch = scope.spawn(move || {
            let is_late = end.recv_timeout(TIMEOUT) == Err(RecvTimeoutError::Timeout);
            if is_late { child.kill().map(|()| true) } else { Ok(false) }
        });
        let mut bytes = Vec::new();
        let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut bytes));
        let errors = errors.join().unwrap_or_else(|_| Ok(Vec::new()))?;
        drop(ended);
        if watch.join().unwrap_or(Ok(false))? {
            return Err(io::Error::other(format!("it did not end within {} seconds", TIMEOUT.as_secs())));
        }
        read.map(|_| (bytes, errors))
    })
}
