//! Builds that are killed at a system call, or whose system calls fail. `strace` injects both; if it is missing or not permitted, these tests are skipped with a
//! message.
#![cfg(target_os = "linux")]

use std::{
    collections::BTreeMap,
    fs,
    os::unix::process::ExitStatusExt as _,
    process::{Command, Output, Stdio},
};

use crate::support::{Folder, can_trace};

type Tree = BTreeMap<String, Vec<u8>>;

/// The system calls that change files.
const CALLS: [&str; 10] = ["write", "openat", "mkdir", "link", "linkat", "rename", "renameat2", "unlink", "rmdir", "fsync"];

/// The ordinals of the calls of a thread: the first one, and one in the middle of writing a site.
const NUMBERS: [usize; 2] = [1, 12];

/// Builds with a fault injected at the `number`-th call of a thread.
fn build(folder: &Folder, call: &str, number: usize, injected: &str) -> Output {
    let (trace, inject) = (format!("trace={call}"), format!("inject={call}:{injected}:when={number}"));
    Command::new("strace")
        .args(["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject, env!("CARGO_BIN_EXE_ksys-docs"), "build", "--no-git"])
        .current_dir(&folder.0)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn plain_build(folder: &Folder, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
    let output = command.args(["build", "--no-git", "--no-sync"]).args(arguments).current_dir(&folder.0).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A folder with a site and changed sources that add, remove and edit files; the old site; the new site.
fn changed(name: &str) -> (Folder, Tree, Tree) {
    let folder = Folder::with_base(name);
    plain_build(&folder, &[]);
    let old = folder.tree("book");
    fs::remove_dir_all(folder.path("content/guide/cleaning")).unwrap();
    folder.write("content/index/en.md", b"---\nsummary: New.\n---\nAll new.\n");
    for number in 0..12 {
        folder.write(&format!("content/extra/page{number}.md"), format!("# Page {number}\n\nText.\n").as_bytes());
    }
    plain_build(&folder, &["-d", "reference"]);
    let new = folder.tree("reference");
    fs::rename(folder.path("book"), folder.path("old")).unwrap();
    (folder, old, new)
}

/// Restores the old site in the output folder.
fn reset(folder: &Folder, has_foreign_folder: bool) {
    let _ = fs::remove_dir_all(folder.path("book"));
    let copied = Command::new("cp").args(["-r", "old", "book"]).current_dir(&folder.0).status().unwrap();
    assert!(copied.success());
    if has_foreign_folder {
        folder.write("book/.git/HEAD", b"ref: refs/heads/main\n");
    }
}

fn site(folder: &Folder) -> Tree {
    let mut tree = folder.tree("book");
    tree.retain(|path, _| !path.starts_with(".git/"));
    tree
}

/// Checks that after a kill, a folder that is exchanged atomically has the old site or the new one, and that the next build completes either.
#[track_caller]
fn check_kills(name: &str, has_foreign_folder: bool) {
    if !can_trace() {
        return;
    }
    let (folder, old, new) = changed(name);
    let mut killed = 0;
    for call in CALLS {
        for number in NUMBERS {
            reset(&folder, has_foreign_folder);
            let output = build(&folder, call, number, "signal=SIGKILL");
            let is_killed = output.status.signal() == Some(9) || output.status.code() == Some(128 + 9);
            killed += usize::from(is_killed);
            let now = site(&folder);
            let at = format!("killed at {call} {number}");
            assert!(has_foreign_folder || now == old || now == new, "{at}");
            plain_build(&folder, &[]);
            assert!(site(&folder) == new, "{at}: the next build");
            assert_eq!(has_foreign_folder, folder.path("book/.git/HEAD").exists(), "{at}");
        }
    }
    assert!(killed >= CALLS.len(), "{killed} builds were killed");
}

#[test]
fn a_build_killed_at_a_system_call_leaves_a_whole_site() {
    check_kills("killed-calls", false);
}

#[test]
fn a_build_killed_in_place_is_completed_by_the_next() {
    check_kills("killed-calls-in-place", true);
}

/// A system call that fails is reported as an error or has no effect; it never causes a panic or a mixture of both sites.
#[test]
fn a_system_call_that_fails_is_reported() {
    if !can_trace() {
        return;
    }
    let (folder, old, new) = changed("failing-calls");
    let mut reported = 0;
    for call in CALLS {
        for (number, error) in NUMBERS.into_iter().zip(["EIO", "ENOSPC"]) {
            reset(&folder, false);
            let output = build(&folder, call, number, &format!("error={error}"));
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let at = format!("{error} at {call} {number}");
            assert!(!said.contains("panicked"), "{at}: {said}");
            let now = site(&folder);
            match output.status.code() {
                Some(0) => assert!(now == new, "{at}: success without the new site"),
                // The call failed in the dynamic linker.
                Some(127) => assert!(now == old, "{at}"),
                code => {
                    assert!(matches!(code, Some(1 | 2)), "{at}: {code:?}: {said}");
                    // A write to the terminal itself can fail.
                    assert!(said.contains("error") || call == "write", "{at}: {said}");
                    assert!(now == old || now == new, "{at}: a mixture");
                    reported += 1;
                }
            }
            plain_build(&folder, &[]);
            assert!(site(&folder) == new, "{at}: the next build");
        }
    }
    assert!(reported > 5, "{reported} errors were reported");
}

/// The program works with fewer threads, because containers may limit their number.
#[test]
fn threads_that_cannot_be_started_are_not_needed() {
    if !can_trace() {
        return;
    }
    let folder = Folder::with_base("no-threads");
    for first in 1..6 {
        let inject = format!("inject=clone,clone3:error=EAGAIN:when={first}+");
        let run = |arguments: &[&str]| {
            let mut command = Command::new("strace");
            let command =
                command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=clone,clone3", "-e", &inject, env!("CARGO_BIN_EXE_ksys-docs")]);
            command.args(arguments).current_dir(&folder.0).stdin(Stdio::null()).output().unwrap()
        };
        let output = run(&["build", "--fresh", "--no-git"]);
        assert!(output.status.success(), "from {first}: {}", String::from_utf8_lossy(&output.stderr));
        let output = run(&["serve", "-p", "0"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("allows no more threads"), "from {first}: {said}");
    }
}
