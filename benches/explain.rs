//! The run time of the process `ksys-docs explain` for listings of several sizes. A third of the rows are system components, the others are user workloads.
//!
//! ```console
//! $ cargo bench --bench explain            # 30 runs of each
//! $ cargo bench --bench explain -- 100
//! ```
#![allow(clippy::unwrap_used, clippy::disallowed_methods, missing_docs)]

use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ksys-docs");

fn main() {
    let runs = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(30);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let system: Vec<String> = ["gke-standard-1.29", "aks-1.32", "eks-2025", "kubeadm-calico"]
        .iter()
        .map(|name| fs::read_to_string(root.join(format!("tests/fixtures/listings/{name}.txt"))).unwrap())
        .flat_map(|text| text.lines().filter(|line| line.starts_with("pod/")).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let anywhere = std::env::temp_dir();
    println!("{runs} runs of each; milliseconds from start to end, median (9 of 10)\n");
    println!("| rows | facts from | json | text | `--help` |");
    println!("| ---: | --- | ---: | ---: | ---: |");
    for rows in [1, 100, 1_000, 5_000, 10_000, 50_000] {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("listing-{rows}.txt"));
        fs::write(&file, listing(&system, rows)).unwrap();
        for (origin, folder) in [("the program", anywhere.as_path()), ("this repository", root)] {
            let time = |arguments: &[&str]| shown(&times(folder, runs, arguments));
            let file = file.to_str().unwrap();
            let (json, text) = (time(&["explain", "--format", "json", file]), time(&["explain", file]));
            println!("| {rows} | {origin} | {json} | {text} | {} |", time(&["--help"]));
        }
    }
}

/// A listing, deterministic.
fn listing(system: &[String], rows: usize) -> String {
    const LETTERS: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut text = String::from("NAMESPACE NAME READY STATUS RESTARTS AGE\n");
    for number in 0..rows {
        if number % 3 == 0 {
            let _ = writeln!(text, "kube-system   {}", system[random(system.len())]);
        } else {
            let mut letters = |count: usize| (0..count).map(|_| char::from(LETTERS[random(LETTERS.len())])).collect::<String>();
            let (hash, suffix) = (letters(9), letters(5));
            let _ = writeln!(text, "team-{}   pod/app-{}-{hash}-{suffix}   1/1   Running   0   3d", number % 50, number % 700);
        }
    }
    text
}

fn times(folder: &Path, runs: usize, arguments: &[&str]) -> Vec<Duration> {
    let once = || {
        let started = Instant::now();
        let status = Command::new(PROGRAM).args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).status();
        assert!(status.unwrap().success());
        started.elapsed()
    };
    // The first run reads from the disk and is not counted.
    once();
    let mut times: Vec<Duration> = (0..runs).map(|_| once()).collect();
    times.sort();
    times
}

fn shown(times: &[Duration]) -> String {
    let at = |share: usize| times[times.len() * share / 100].as_secs_f64() * 1000.0;
    format!("{:.1} ({:.1})", at(50), at(90))
}
