//! Compiles the content of this repository with a few edits, because real mistakes are close to valid files.
#![no_main]

use std::sync::LazyLock;

use arbitrary::Arbitrary;
use ksys_docs::{
    compile,
    diagnostic::{Diagnostics, Rule, Severity},
    read::{Content, HistoryMode, Sources, read},
};
use ksys_docs_fuzz::{check, findings, repository, with};
use libfuzzer_sys::fuzz_target;

/// The files that are edited. Compiling all of `content/` takes seconds.
const EDITED: [&str; 5] =
    ["book.toml", "content/vocabulary.yaml", "content/components/coredns/", "content/components/etcd/", "content/index/"];

/// A part of the content in which every id exists: missing entities are added with minimal facts.
static OURS: LazyLock<Sources> = LazyLock::new(|| {
    let (mut sources, _) = read(&repository("."), HistoryMode::Skip).expect("the repository is there");
    sources.files.retain(|path, _| EDITED.iter().any(|edited| path.starts_with(edited)));
    loop {
        let found = compile::check(&sources, Diagnostics::new()).diagnostics;
        let missing = found.iter().filter(|found| matches!(found.rule, Rule::UnknownId | Rule::DeadLink));
        let mut texts = Vec::new();
        for found in missing {
            let Some(id) = found.message.split('`').nth(1) else { continue };
            let (folder, facts) =
                if found.message.contains("provider") { ("providers", "kind: managed") } else { ("components", "area: dns") };
            texts.push((format!("content/{folder}/{id}/facts.yaml"), format!("name: {id}\n{facts}\n")));
            texts.push((format!("content/{folder}/{id}/en.md"), "---\nsummary: x\n---\nx\n".to_owned()));
        }
        // An id that is missing as a provider in one finding and as a component in another is added as a provider only.
        texts.retain(|(path, _)| !sources.files.contains_key(path.as_str()));
        let providers: Vec<String> =
            texts.iter().filter_map(|(path, _)| Some(path.strip_prefix("content/providers/")?.to_owned())).collect();
        texts.retain(|(path, _)| path.strip_prefix("content/components/").is_none_or(|path| !providers.iter().any(|other| other == path)));
        if texts.is_empty() {
            let errors: Vec<_> = found.iter().filter(|found| found.severity() == Severity::Error).collect();
            assert!(errors.is_empty(), "{errors:?}");
            return sources;
        }
        texts.iter().for_each(|(path, text)| sources = with(&sources, path, text));
    }
});

/// The files that are edited, with their texts.
static FILES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let edited = OURS.files.iter().filter(|(path, _)| EDITED.iter().any(|edited| path.starts_with(edited)));
    let text = |content: &Content| if let Content::Text(text) = content { text.to_string() } else { String::new() };
    edited.map(|(path, content)| (path.to_string(), text(content))).collect()
});

/// An edit of a line. Numbers are taken modulo the valid range.
#[derive(Arbitrary, Clone, Copy, Debug)]
enum Edit {
    Delete {
        line: u16,
    },
    Duplicate {
        line: u16,
        to: u16,
    },
    Swap {
        line: u16,
        other: u16,
    },
    Indent {
        line: u16,
        by: u8,
    },
    Outdent {
        line: u16,
        by: u8,
    },
    /// Truncates a line at a character, and with `rest` also removes all following lines.
    Cut {
        line: u16,
        at: u8,
        rest: bool,
    },
    /// Swaps two characters of a line.
    Exchange {
        line: u16,
        at: u8,
        with: u8,
    },
    /// Inserts lines of another file.
    Splice {
        line: u16,
        from: u8,
        start: u16,
        count: u8,
    },
    /// Appends a line to another line.
    Join {
        line: u16,
    },
}

#[derive(Arbitrary, Debug)]
struct Edits {
    file: u8,
    first: Edit,
    second: Option<Edit>,
    third: Option<Edit>,
    other: Option<(u8, Edit)>,
}

fn edit(text: &str, edit: Edit) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        lines.push(String::new());
    }
    let count = lines.len();
    let at = |number: u16| usize::from(number) % count;
    match edit {
        Edit::Delete { line } => drop(lines.remove(at(line))),
        Edit::Duplicate { line, to } => {
            let copy = lines[at(line)].clone();
            lines.insert(at(to), copy);
        }
        Edit::Swap { line, other } => lines.swap(at(line), at(other)),
        Edit::Indent { line, by } => lines[at(line)].insert_str(0, &" ".repeat(usize::from(by % 9))),
        Edit::Outdent { line, by } => {
            let line = &mut lines[at(line)];
            let spaces = line.len() - line.trim_start_matches(' ').len();
            line.drain(..spaces.min(usize::from(by % 9)));
        }
        Edit::Cut { line, at: column, rest } => {
            let number = at(line);
            let end = lines[number].char_indices().map(|(at, _)| at).nth(usize::from(column)).unwrap_or(0);
            lines[number].truncate(end);
            if rest {
                lines.truncate(number + 1);
            }
        }
        Edit::Exchange { line, at: one, with: other } => {
            let mut characters: Vec<char> = lines[at(line)].chars().collect();
            if let Some(count) = characters.len().checked_sub(1).filter(|last| *last > 0).map(|last| last + 1) {
                characters.swap(usize::from(one) % count, usize::from(other) % count);
            }
            lines[at(line)] = characters.into_iter().collect();
        }
        Edit::Splice { line, from, start, count: most } => {
            let other: Vec<&str> = FILES[usize::from(from) % FILES.len()].1.lines().collect();
            let start = usize::from(start) % other.len().max(1);
            let taken = other.iter().skip(start).take(usize::from(most % 32)).map(|line| (*line).to_owned());
            let place = at(line);
            lines.splice(place..place, taken);
        }
        Edit::Join { line } => {
            let number = at(line);
            if number + 1 < count {
                let next = lines.remove(number + 1);
                lines[number].push_str(&next);
            }
        }
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fuzz_target!(|edits: Edits| {
    let (path, text) = &FILES[usize::from(edits.file) % FILES.len()];
    let mut text = edit(text, edits.first);
    for next in [edits.second, edits.third].into_iter().flatten() {
        text = edit(&text, next);
    }
    let mut sources = with(&OURS, path, &text);
    if let Some((file, change)) = edits.other {
        let (path, text) = &FILES[usize::from(file) % FILES.len()];
        sources = with(&sources, path, &edit(text, change));
    }
    let mut found = Diagnostics::new();
    let analysis = compile::analyze(&sources, &mut found);
    findings(&sources, &found.sorted());
    if analysis.is_some() {
        check(&sources);
    }
});
