//! Programs that are run with a time limit and a limit on their output.

use std::{
    io::{self, Read, Write as _},
    process::{Child, Command, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    time::Duration,
};

/// The maximum size of an output in bytes.
const MAX_OUTPUT: u64 = 256 << 20;

/// Runs a program with some input, and returns what it wrote to stdout. Kills it, and the programs that it started, after `timeout`.
///
/// # Errors
/// If it can't be started, fails, does not end in time, or writes too much. The error has its message from stderr, which may be empty.
pub fn run(command: &mut Command, input: &[u8], timeout: Duration) -> io::Result<Vec<u8>> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let output = communicate(&mut child, input, timeout);
    // Also after an error: a process that is not waited for remains in the process table.
    let status = child.wait()?;
    let (stdout, stderr) = output?;
    if status.success() { Ok(stdout) } else { Err(io::Error::other(String::from_utf8_lossy(&stderr).trim().to_owned())) }
}

/// Writes the input and reads both outputs at the same time, because a full pipe blocks the child.
fn communicate(child: &mut Child, input: &[u8], timeout: Duration) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let (ended, end) = channel::<()>();
    std::thread::scope(|scope| {
        // The child may end without reading its input.
        let thread = std::thread::Builder::new;
        let writer = thread().spawn_scoped(scope, move || stdin.map(|mut stdin| stdin.write_all(input)));
        let errors = thread().spawn_scoped(scope, move || stderr.map_or(Ok(Vec::new()), read_limited));
        let watch = thread().spawn_scoped(scope, move || {
            let is_late = end.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout);
            if is_late { kill(child).map(|()| true) } else { Ok(false) }
        });
        // If the system has no more threads, the pipes are closed here, and the child ends.
        let (_, errors, watch) = (writer?, errors?, watch?);
        let read = stdout.map_or(Ok(Vec::new()), read_limited);
        let errors = errors.join().unwrap_or_else(|_| Ok(Vec::new()))?;
        drop(ended);
        if watch.join().unwrap_or(Ok(false))? {
            return Err(io::Error::other(format!("it did not end within {} seconds", timeout.as_secs())));
        }
        Ok((read?, errors))
    })
}

/// Kills a program and those that it started, which may hold its pipes open.
fn kill(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    child.kill()
}

/// Reads everything. After the limit, the pipe is closed, so the program can't continue to write.
fn read_limited(pipe: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.take(MAX_OUTPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_OUTPUT {
        return Err(io::Error::other(format!("it wrote more than {} MiB", MAX_OUTPUT >> 20)));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::disallowed_methods)]
    use super::*;

    #[test]
    fn a_program_that_does_not_end_is_killed() {
        // The shell's child holds the pipe.
        let error = run(Command::new("sh").args(["-c", "sleep 600; true"]), b"", Duration::from_millis(20)).unwrap_err();
        assert!(error.to_string().contains("did not end"), "{error}");
    }

    #[test]
    fn large_input_and_output_do_not_block() {
        let input = vec![b'x'; 1 << 20];
        assert_eq!(run(&mut Command::new("cat"), &input, Duration::from_mins(1)).unwrap(), input);
    }

    #[test]
    fn the_message_of_a_program_that_fails_is_its_error() {
        let error = run(Command::new("sh").args(["-c", "echo no >&2; exit 3"]), b"", Duration::from_mins(1)).unwrap_err();
        assert_eq!(error.to_string(), "no");
    }
}
