//! The time from saving a file until the new page is served, including the file system, the watcher, compilation, rendering and HTTP.
//!
//! ```console
//! $ cargo bench --bench serve              # 200, 1,000 and 10,000 pages
//! $ cargo bench --bench serve -- 1000 30   # 1,000 pages, 30 edits of each kind
//! ```
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, missing_docs)]

mod corpus;
#[path = "../tests/it/http.rs"]
mod http;

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use corpus::Shape;
use http::Server;

fn main() {
    let mut numbers = std::env::args().skip(1).filter_map(|argument| argument.parse::<usize>().ok());
    let sizes = numbers.next().map_or_else(|| vec![200, 1_000, 10_000], |size| vec![size]);
    let edits = numbers.next().unwrap_or(40);
    println!("{edits} edits of each kind; milliseconds from saving to the new page being served\n");
    println!(
        "| pages | of | first build | prose: median | 9 of 10 | new section: median | facts: median | 9 of 10 | memory at first | after all edits |"
    );
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
    for size in sizes {
        for shape in [Shape::Plain, Shape::Knowledge] {
            measure(size, shape, edits);
        }
    }
}

fn measure(size: usize, shape: Shape, edits: usize) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("serve-{}-{size}", shape.name().replace(' ', "-")));
    let _ = fs::remove_dir_all(&root);
    corpus::write(&root, shape, size).expect("a corpus on the disk");
    let started = Instant::now();
    let server = Server::start(&root, &[]);
    let first = started.elapsed();
    let (file, address) = corpus::middle(&root, shape, size);
    // The files that a browser with this page has requested.
    server.get(&address);
    let memory = resident(&server);
    let text = fs::read_to_string(&file).unwrap();
    let prose = times(edits, |number| {
        let marker = format!("Edit number {number}.");
        saved(&server, &file, &text.replacen("## ", &format!("{marker}\n\n## "), 1), &address, &marker)
    });
    let section = times(edits.min(15), |number| {
        let marker = format!("section-new-{number}");
        saved(&server, &file, &format!("{text}\n## New {{#{marker}}}\n\nText.\n"), &address, &format!("id=\"{marker}\""))
    });
    let facts = (shape == Shape::Knowledge).then(|| {
        let facts = file.with_file_name("facts.yaml");
        let text = fs::read_to_string(&facts).unwrap();
        times(edits, |number| {
            let marker = format!("its number {number} and its DaemonSet");
            saved(&server, &facts, &text.replace("its DaemonSet", &marker), &address, &marker)
        })
    });
    let shown = |times: Option<&Vec<Duration>>, tenths: usize| times.map_or_else(|| "–".to_owned(), |times| milliseconds(times, tenths));
    println!(
        "| {size} | {} | {:.1} s | {} | {} | {} | {} | {} | {memory} MB | {} MB |",
        shape.name(),
        first.as_secs_f64(),
        milliseconds(&prose, 5),
        milliseconds(&prose, 9),
        milliseconds(&section, 5),
        shown(facts.as_ref(), 5),
        shown(facts.as_ref(), 9),
        resident(&server),
    );
    drop(server);
    let _ = fs::remove_dir_all(&root);
}

/// Saves a file and requests the page until it has the change.
fn saved(server: &Server, file: &Path, text: &str, address: &str, marker: &str) -> Duration {
    let started = Instant::now();
    fs::write(file, text).unwrap();
    loop {
        if server.get(address).text().contains(marker) {
            return started.elapsed();
        }
        assert!(started.elapsed() < Duration::from_secs(20), "`{marker}` never came:\n{}", server.printed());
        // Constant requests would slow down the measured work.
        std::thread::sleep(Duration::from_micros(300));
    }
}

fn times(count: usize, mut edit: impl FnMut(usize) -> Duration) -> Vec<Duration> {
    let mut times: Vec<Duration> = (0..count)
        .map(|number| {
            // Users pause between saves, and background work after an update must not affect the next one.
            std::thread::sleep(Duration::from_millis(120));
            edit(number)
        })
        .collect();
    times.sort();
    times
}

/// The time that this many tenths of all times do not exceed.
fn milliseconds(times: &[Duration], tenths: usize) -> String {
    let index = times.len() * tenths / 10;
    format!("{:.1}", times[index.min(times.len() - 1)].as_secs_f64() * 1000.0)
}

/// The resident memory of the server in megabytes; Linux only.
fn resident(server: &Server) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or_else(|| "?".to_owned(), |kilobytes| (kilobytes / 1024).to_string())
}
