//! Runs every command in README.md and CONTRIBUTING.md, and checks the commands and paths that the documents mention.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use crate::support::Folder;

const DOCUMENTS: [&str; 4] = ["README.md", "CONTRIBUTING.md", "scaffold/init/README.md", "deploy/README.md"];

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The commands in `console` blocks, without comments.
fn commands(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line.starts_with("```console");
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| inside) {
            commands.push(command.split(" # ").next().unwrap_or_default().trim().to_owned());
        }
    }
    commands
}

/// The `ksys-docs` commands in inline code.
fn inline(text: &str) -> Vec<String> {
    let mut fence = false;
    let mut found = Vec::new();
    for line in text.lines() {
        fence ^= line.starts_with("```");
        let code = line.split('`').skip(1).step_by(2).filter(|_| !fence);
        found.extend(code.filter_map(|code| {
            code.split('|')
                .map(|part| part.trim().trim_end_matches('\\').trim())
                .find(|part| part.starts_with("ksys-docs "))
                .map(str::to_owned)
        }));
    }
    found
}

fn program(arguments: &[&str], folder: &Path, input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
    let mut child =
        command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that does not read its input may have exited already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout))
}

/// A copy of the knowledge base in a Git repository, as after `git clone`.
fn clone() -> Folder {
    let folder = Folder::new("documents");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in ["content", "schemas"] {
        for entry in walkdir::WalkDir::new(root.join(part)).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
            let name = entry.path().strip_prefix(root).unwrap().to_string_lossy().into_owned();
            folder.write(&name, &std::fs::read(entry.path()).unwrap());
        }
    }
    folder.write("book.toml", read("book.toml").as_bytes());
    for arguments in [&["init", "-q", "-b", "main"][..], &["add", "-A"], &["commit", "-q", "-m", "begin"]] {
        let who = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"];
        assert!(Command::new("git").arg("-C").arg(&folder.0).args(who).args(arguments).status().unwrap().success());
    }
    folder
}

#[test]
fn every_command_of_the_documents_works() {
    let folder = clone();
    let mut typed = 0;
    for command in DOCUMENTS[..2].iter().flat_map(|document| commands(&read(document))) {
        // The command before a pipe prints a listing; `cargo run --release --` is the program.
        let (before, last) = command.rsplit_once('|').unwrap_or(("", &command));
        let last = last.trim().replace("cargo run --release --", "ksys-docs");
        let Some(arguments) = last.strip_prefix("ksys-docs ") else {
            let known = ["git clone", "cargo install --path .", "./test"];
            assert!(known.iter().any(|known| command.starts_with(known)), "nobody tries this command: {command}");
            continue;
        };
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let input = before
            .trim()
            .strip_prefix("echo ")
            .map_or("pod/coredns-5d4f8c7b9-x2k8q 1/1 Running 0 3m\n", |text| text.trim_matches(['\'', ' ']));
        let (code, said) = match arguments[..] {
            // `serve` runs until it is stopped, so only its arguments are checked here. `tests/it/serve.rs` tests it.
            ["serve", ..] => program(&[&arguments[..], &["--help"]].concat(), &folder.0, ""),
            _ => program(&arguments, &folder.0, input),
        };
        // A new page has gaps, which `--strict` reports.
        let expected = if arguments.contains(&"--strict") { Some(1) } else { Some(0) };
        assert_eq!(code, expected, "{command}\n{said}");
        if before.trim().starts_with("echo ") {
            assert!(said.contains("my-agent"), "{said}");
        }
        typed += 1;
    }
    assert!(typed >= 10, "{typed}");
}

#[test]
fn every_command_that_is_mentioned_exists_with_its_flags() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut seen = 0;
    for document in DOCUMENTS {
        let text = read(document);
        let typed = commands(&text).into_iter().filter(|command| command.starts_with("ksys-docs "));
        for command in inline(&text).into_iter().chain(typed) {
            let mut words = command.split_whitespace().skip(1).peekable();
            let name = words.next().unwrap_or_default();
            let (mut code, mut help) = program(&[name, "--help"], here, "");
            if help.contains("\nCommands:\n")
                && let Some(inner) = words.next_if(|word| !word.starts_with(['-', '[']))
            {
                (code, help) = program(&[name, inner, "--help"], here, "");
            }
            assert_eq!(code, Some(0), "{document}: {command}\n{help}");
            for flag in words.map(|word| word.trim_matches(['[', ']', '`'])).filter(|word| word.starts_with('-') && word.len() > 1) {
                let flag = flag.split('=').next().unwrap_or_default();
                let is_there = help.split_whitespace().any(|word| word.trim_end_matches(',') == flag);
                assert!(is_there, "{document}: `{name}` has no {flag}\n{help}");
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

/// The targets of relative links exist.
#[test]
fn paths_in_the_documents_exist() {
    for document in DOCUMENTS {
        let text = read(document);
        let folder = Path::new(document).parent().unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split(')').next().unwrap_or_default();
            // Links in code are only examples.
            let line = text[..at].rsplit('\n').next().unwrap_or_default();
            let in_code = line.matches('`').count() % 2 == 1 && !line.ends_with('`');
            if !in_code && !target.contains("://") && !target.starts_with('#') {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder).join(target.split('#').next().unwrap_or_default());
                assert!(path.exists(), "{document}: {target}");
            }
        }
    }
}

#[test]
fn the_guide_to_the_theme_is_complete() {
    let guide = read("docs/theme.md");
    let listed: std::collections::BTreeSet<&str> = guide.split('`').skip(1).step_by(2).collect();
    let css = read("static/site.css");
    let root = css.split(":root {").nth(1).and_then(|rest| rest.split("\n}").next()).unwrap();
    let variables = root.lines().filter_map(|line| line.trim().strip_prefix("--")?.split(':').next()).map(|name| format!("--{name}"));
    // The numbered ones are listed as a range.
    let numbered = |name: &str| name.starts_with("--area-") || name.starts_with("--space-");
    let missing: Vec<String> = variables.filter(|name| !numbered(name) && !listed.contains(name.as_str())).collect();
    assert!(missing.is_empty() && root.contains("--ink:"), "{missing:?}");
    let base = read("templates/base.html");
    let blocks: Vec<&str> = base.split("block ").skip(1).filter_map(|rest| rest.split([' ', '%']).next()).collect();
    assert!(blocks.len() > 3 && blocks.iter().all(|block| listed.contains(block)), "{blocks:?}");
    let templates = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("templates")).unwrap();
    for file in templates.map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|end| end == "html")) {
        let text = std::fs::read_to_string(&file).unwrap();
        for used in text.split("page.").skip(1) {
            let name = used.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next().unwrap_or_default();
            // The name of a file, such as `page.html`, is not a value.
            assert!(
                ["", "html", "css"].contains(&name) || listed.iter().any(|listed| *listed == format!("page.{name}")),
                "page.{name} in {}",
                file.display()
            );
        }
    }
}
