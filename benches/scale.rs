//! Complete builds of the same pages in one run: ksys-docs, the minimum work of any generator, and other generators that are installed.
//!
//! ```console
//! $ cargo bench --bench scale                  # 1,000 and 10,000 pages
//! $ cargo bench --bench scale -- 100           # 100 pages
//! $ cargo bench --bench scale -- 1000 mdbook   # 1,000 pages, and of the others mdbook only
//! $ cargo bench --bench scale -- corpus /tmp/kb 1000 plain        # only writes the pages
//! $ cargo bench --bench scale -- corpus /tmp/kb 1000 components
//! ```
//!
//! "Floor" is this minimum: it reads the pages, converts them to HTML with pulldown-cmark, wraps them in a constant frame and writes them, on all cores; once
//! without and once with syntax highlighting. It has no links, no navigation and no search. Highlighting is that of syntect with fancy-regex and its generator of
//! classes, one set of grammars for all threads. The set is syntect's own: with the larger one of two-face, which ksys-docs has, the floor takes a third longer, because it
//! also highlights consoles.
//!
//! Each row is the median of [`RUNS`] runs, which alternate with those of the other rows. The pages are on the disk of the target folder, and in memory
//! (`/dev/shm`) if there is such a folder.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, missing_docs)]

mod corpus;

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use corpus::Shape;
use rayon::prelude::*;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [role, from, to, colours] = arguments.as_slice()
        && role == "floor"
    {
        return floor(Path::new(from), Path::new(to), colours == "colours");
    }
    if let [role, to, size, shape] = arguments.as_slice()
        && role == "corpus"
    {
        let shape = if shape == "plain" { Shape::Plain } else { Shape::Knowledge };
        return corpus::write(Path::new(to), shape, size.parse().expect("a number of pages")).expect("a corpus on the disk");
    }
    let mut sizes: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let chosen: Vec<&String> = arguments.iter().filter(|argument| argument.parse::<usize>().is_err()).collect();
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000];
    }
    println!("| pages | of | on | what | wall s | CPU s | peak MB | files | MB written | wall to floor with colours |");
    println!("| ---: | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for medium in [Medium::Disk, Medium::Memory] {
        let Some(folder) = medium.folder() else { continue };
        let _ = fs::remove_dir_all(&folder);
        for size in &sizes {
            for shape in [Shape::Plain, Shape::Knowledge] {
                let bench = Bench::new(*size, shape, medium, &folder);
                bench.run(&|name| chosen.is_empty() || chosen.iter().any(|chosen| *chosen == name));
            }
        }
        let _ = fs::remove_dir_all(&folder);
    }
}

/// The number of runs of which a row is the median.
const RUNS: usize = 5;

/// Where pages and sites are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Medium {
    Disk,
    Memory,
}

impl Medium {
    /// The folder for all corpora and sites.
    fn folder(self) -> Option<PathBuf> {
        match self {
            Self::Disk => Some(Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale")),
            Self::Memory => Some(Path::new("/dev/shm")).filter(|memory| memory.is_dir()).map(|memory| memory.join("ksys-docs-scale")),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Memory => "memory",
        }
    }
}

/// A corpus.
struct Bench {
    size: usize,
    shape: Shape,
    medium: Medium,
    root: PathBuf,
}

/// The cost of a run.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    processor: Duration,
    /// Megabytes.
    peak: u64,
}

/// The runs of a program.
#[derive(Default)]
struct Runs {
    costs: Vec<Cost>,
    /// The sizes of the files that the last run has written, in bytes.
    written: Vec<u64>,
}

impl Bench {
    fn new(size: usize, shape: Shape, medium: Medium, folder: &Path) -> Self {
        let root = folder.join(format!("{}-{size}", shape.name().replace(' ', "-")));
        corpus::write(&root, shape, size).expect("a corpus");
        Self { size, shape, medium, root }
    }

    fn run(&self, is_chosen: &dyn Fn(&str) -> bool) {
        const ROWS: [&str; 6] =
            ["floor", "floor with colours", "ksys-docs build", "the same again", "with one page changed", "ksys-docs check"];
        let (myself, program) = (std::env::current_exe().unwrap(), env!("CARGO_BIN_EXE_ksys-docs"));
        let content = self.root.join("content");
        let mut runs: [Runs; 6] = Default::default();
        for run in 0..RUNS {
            let folder = |name: &str| self.root.join(format!("{name}-{run}"));
            let (plain, colours, site) = (folder("plain"), folder("colours"), folder("site"));
            let floor = |out: &Path, role: &str| measured(Command::new(&myself).arg("floor").arg(&content).arg(out).arg(role));
            let build = || measured(Command::new(program).args(["build", "-d"]).arg(&site).arg(&self.root));
            runs[0].push(floor(&plain, "plain"), &plain);
            runs[1].push(floor(&colours, "colours"), &colours);
            runs[2].push(build(), &site);
            runs[3].push(build(), &site);
            let (file, _) = corpus::middle(&self.root, self.shape, self.size);
            let text = fs::read_to_string(&file).unwrap();
            fs::write(&file, format!("{text}\nOne more sentence.\n")).unwrap();
            runs[4].push(build(), &site);
            fs::write(&file, text).unwrap();
            runs[5].push(measured(Command::new(program).arg("check").arg(&self.root)), Path::new(""));
            // On the disk, nothing is deleted before the end of all measurements: for minutes after a deletion, ext4 avoids recently used inodes, which slows down
            // writing many files. The site of the last run is what Pagefind reads.
            if self.medium == Medium::Memory && run + 1 < RUNS {
                for out in [plain, colours, site] {
                    fs::remove_dir_all(out).unwrap();
                }
            }
        }
        let floor = runs[1].median();
        for (what, runs) in ROWS.into_iter().zip(&runs) {
            self.row(what, runs, (!what.starts_with("floor")).then_some(floor));
        }
        if self.shape == Shape::Plain && self.medium == Medium::Disk {
            for other in OTHERS.iter().filter(|other| is_chosen(other.name)) {
                self.other(other, &self.root.join(format!("site-{}", RUNS - 1)), floor);
            }
        }
        if self.medium == Medium::Memory {
            fs::remove_dir_all(&self.root).unwrap();
        }
    }

    fn other(&self, other: &Other, built: &Path, floor: Cost) {
        let is_installed = Command::new(other.name).arg(other.version).stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok();
        if !is_installed {
            return;
        }
        let root = self.root.join(other.name);
        (other.prepare)(&root, &self.root.join("content"), built);
        let mut command = Command::new(other.name);
        command.args(other.arguments).current_dir(&root);
        let mut runs = Runs::default();
        runs.push(measured(&mut command), &root.join(other.out));
        self.row(other.name, &runs, Some(floor));
    }

    fn row(&self, what: &str, runs: &Runs, floor: Option<Cost>) {
        let cost = runs.median();
        let ratio = floor.map_or_else(|| "–".to_owned(), |floor| format!("{:.2}", cost.wall.as_secs_f64() / floor.wall.as_secs_f64()));
        println!(
            "| {} | {} | {} | {what} | {:.2} | {:.2} | {} | {} | {:.1} | {ratio} |",
            self.size,
            self.shape.name(),
            self.medium.name(),
            cost.wall.as_secs_f64(),
            cost.processor.as_secs_f64(),
            cost.peak,
            runs.written.len(),
            megabytes(runs.written.iter().sum())
        );
    }
}

impl Runs {
    fn push(&mut self, cost: Cost, out: &Path) {
        self.costs.push(cost);
        let entries = walkdir::WalkDir::new(out).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
        self.written = entries.map(|entry| entry.metadata().map_or(0, |metadata| metadata.len())).collect();
    }

    /// The median of each figure.
    fn median(&self) -> Cost {
        fn of<T: Ord + Copy>(costs: &[Cost], figure: fn(&Cost) -> T) -> T {
            let mut figures: Vec<T> = costs.iter().map(figure).collect();
            figures.sort_unstable();
            figures[figures.len() / 2]
        }
        let costs = &self.costs;
        Cost { wall: of(costs, |cost| cost.wall), processor: of(costs, |cost| cost.processor), peak: of(costs, |cost| cost.peak) }
    }
}

#[allow(clippy::cast_precision_loss, reason = "shown with one digit")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Another generator.
struct Other {
    name: &'static str,
    version: &'static str,
    /// Prepares its project in a folder, from the pages or from the site that ksys-docs has built.
    prepare: fn(&Path, &Path, &Path),
    arguments: &'static [&'static str],
    /// The folder of its site.
    out: &'static str,
}

/// Each with syntax highlighting, and with search if it has one. Zola and Hugo use one minimal template.
const OTHERS: &[Other] = &[
    Other { name: "mdbook", version: "--version", prepare: for_mdbook, arguments: &["build"], out: "book" },
    Other { name: "zola", version: "--version", prepare: for_zola, arguments: &["build"], out: "public" },
    Other { name: "hugo", version: "version", prepare: for_hugo, arguments: &["--quiet"], out: "public" },
    Other {
        name: "pagefind",
        version: "--version",
        prepare: for_pagefind,
        arguments: &["--site", "site", "--quiet"],
        out: "site/pagefind",
    },
];

/// Every Markdown file below a folder: its relative path and its text.
fn pages(content: &Path) -> Vec<(PathBuf, String)> {
    let entries = walkdir::WalkDir::new(content).sort_by_file_name().into_iter().filter_map(Result::ok);
    let pages = entries.filter(|entry| entry.path().extension().is_some_and(|extension| extension == "md"));
    pages.map(|page| (page.path().strip_prefix(content).unwrap().to_owned(), fs::read_to_string(page.path()).unwrap())).collect()
}

fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn for_mdbook(root: &Path, content: &Path, _: &Path) {
    let mut summary = "# Summary\n\n".to_owned();
    for (path, text) in pages(content) {
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        let _ = writeln!(summary, "- [{title}]({})", path.display());
        write(&root.join("src").join(path), text);
    }
    write(&root.join("src/SUMMARY.md"), summary);
    write(&root.join("book.toml"), "[book]\ntitle = \"Plain pages\"\n");
}

fn for_zola(root: &Path, content: &Path, _: &Path) {
    for (path, text) in pages(content) {
        let (title, body) = text.split_once('\n').unwrap_or((&text, ""));
        let title = title.trim_start_matches("# ").replace('"', "'");
        write(&root.join("content").join(path), format!("+++\ntitle = \"{title}\"\n+++\n{}", body.replace("](../", "](/")));
    }
    let config = "base_url = \"/\"\nbuild_search_index = true\n[markdown]\nhighlight_code = true\n";
    write(&root.join("config.toml"), config);
    let frame = "<!doctype html><title>{{ page.title }}</title><main>{{ page.content | safe }}</main>";
    write(&root.join("templates/page.html"), frame);
    write(&root.join("templates/index.html"), "<!doctype html><title>Home</title>");
    write(&root.join("templates/section.html"), "<!doctype html><title>Section</title>");
}

fn for_hugo(root: &Path, content: &Path, _: &Path) {
    for (path, text) in pages(content) {
        let (title, body) = text.split_once('\n').unwrap_or((&text, ""));
        let title = title.trim_start_matches("# ").replace('"', "'");
        write(&root.join("content").join(path), format!("+++\ntitle = \"{title}\"\n+++\n{body}"));
    }
    write(&root.join("hugo.toml"), "baseURL = \"/\"\n[markup.highlight]\nnoClasses = false\n");
    let frame = "<!doctype html><title>{{ .Title }}</title><main>{{ .Content }}</main>";
    for kind in ["single", "list"] {
        write(&root.join(format!("layouts/_default/{kind}.html")), frame);
    }
}

fn for_pagefind(root: &Path, _: &Path, built: &Path) {
    for entry in walkdir::WalkDir::new(built).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file()) {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "html") {
            write(&root.join("site").join(path.strip_prefix(built).unwrap()), fs::read(path).unwrap());
        }
    }
}

/// Runs a command to its end. Its peak memory and CPU time are the last values of the kernel, polled every few milliseconds (Linux only).
fn measured(command: &mut Command) -> Cost {
    let started = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a program that starts");
    let (mut peak, mut ticks) = (0, 0);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        peak = kilobytes.map_or(peak, |kilobytes| kilobytes / 1024);
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
        // Fields 14 and 15 of proc(5), in hundredths of a second. The fields follow the name, which may contain anything, but ends with a parenthesis.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let of = |field: usize| fields.get(field - 3).and_then(|ticks| ticks.parse::<u64>().ok());
        ticks = of(14).zip(of(15)).map_or(ticks, |(user, system)| user + system);
        std::thread::sleep(Duration::from_millis(3));
    };
    let wall = started.elapsed();
    assert!(status.success(), "{command:?} failed");
    Cost { wall, processor: Duration::from_millis(ticks * 10), peak }
}

/// The minimum work of a generator.
fn floor(content: &Path, out: &Path, colours: bool) {
    use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd, html};
    use syntect::{
        html::{ClassStyle, ClassedHTMLGenerator},
        parsing::SyntaxSet,
        util::LinesWithEndings,
    };
    let grammars = colours.then(SyntaxSet::load_defaults_newlines);
    let entries = walkdir::WalkDir::new(content).into_iter().filter_map(Result::ok);
    let files: Vec<PathBuf> =
        entries.map(walkdir::DirEntry::into_path).filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect();
    files.par_iter().for_each(|path| {
        let text = fs::read_to_string(path).unwrap();
        let mut code: Option<(String, String)> = None;
        let events = Parser::new_ext(&text, Options::ENABLE_TABLES).filter_map(|event| match (event, &mut code, &grammars) {
            (Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))), _, Some(_)) => {
                code = Some((language.to_string(), String::new()));
                None
            }
            (Event::Text(text), Some((_, code)), _) => {
                code.push_str(&text);
                None
            }
            (Event::End(TagEnd::CodeBlock), Some(_), Some(grammars)) => {
                let (language, text) = code.take()?;
                let syntax = grammars.find_syntax_by_token(&language).unwrap_or_else(|| grammars.find_syntax_plain_text());
                let mut coloured = ClassedHTMLGenerator::new_with_class_style(syntax, grammars, ClassStyle::Spaced);
                LinesWithEndings::from(&text).for_each(|line| coloured.parse_html_for_line_which_includes_newline(line).unwrap());
                Some(Event::Html(format!("<pre><code>{}</code></pre>", coloured.finalize()).into()))
            }
            (event, ..) => Some(event),
        });
        let mut body = String::new();
        html::push_html(&mut body, events);
        let page = format!("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Page</title><main>{body}</main></html>");
        write(&out.join(path.strip_prefix(content).unwrap()).with_extension("html"), page);
    });
}
