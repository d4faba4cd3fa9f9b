//! Preprocessors of mdBook: programs that change the text of chapters. They run only if the user allows it, because they can do anything that the user can.
//!
//! The protocol is that of mdBook 0.5 (<https://rust-lang.github.io/mdBook/for_developers/preprocessors.html>): a program reads the context and the book as JSON
//! from stdin, and writes the book to stdout. For programs that were built for mdBook 0.4, the chapters are given under both names of the field.
#![allow(clippy::disallowed_methods, reason = "this module runs the programs that the user allows")]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    process::Command,
    sync::Arc,
    time::Duration,
};

use serde_json::{Value, json};

use crate::{
    child_process,
    config::{self, Config},
    diagnostic::{Diagnostics, Place, Rule},
    load,
    read::{Content, Preprocessed, Sources},
    summary::{EntryKind, Summary},
    text::Span,
};

/// The time limit for a program.
const TIMEOUT: Duration = Duration::from_mins(2);

/// The version of mdBook whose protocol this is.
const VERSION: &str = "0.5.4";

/// The name of the renderer, as programs know it.
const RENDERER: &str = "html";

/// Runs the preprocessors of a book in the folder `root`, and adds the text of its chapters to the sources. If one of them fails, the chapters keep their text.
pub fn run(root: &Path, sources: &mut Sources, diagnostics: &mut Diagnostics) {
    let config = load::configuration(sources);
    sources.runs_commands = true;
    let Some((_, span)) = config.preprocessors.first() else { return };
    let Some(summary) = config.summary.clone() else {
        let message = "preprocessors run only for books, and there is no `SUMMARY.md`";
        let help = "list the pages in `SUMMARY.md` at the top of the content folder, or remove the preprocessors";
        diagnostics.report(Rule::UnusedSetting, Place::new(config::FILE, *span), message, help);
        return;
    };
    let settings = match sources.files.get(config::FILE) {
        Some(Content::Text(text)) => toml::from_str::<Value>(text).unwrap_or_default(),
        _ => Value::Null,
    };
    let chapters = Chapters::new(sources, &config, &summary, diagnostics);
    let mut book = json!({ "items": chapters.items(&summary, &mut 0, &[]), "__non_exhaustive": null });
    for (name, span) in in_order(&config, &settings) {
        let place = Place::new(config::FILE, span);
        let preprocessor = &settings["preprocessor"][&name];
        let mut report = |message: String| {
            let help = "run it manually, or remove it from book.toml; the chapters are shown without its changes";
            diagnostics.report(Rule::PreprocessorFailed, place.clone(), message, help);
        };
        let Some(mut command) = command(root, &name, preprocessor) else {
            report(format!("the command of the preprocessor `{name}` can't be read"));
            continue;
        };
        if preprocessor["renderers"].as_array().is_none() && !supports_html(root, &name, preprocessor) {
            continue;
        }
        let context = json!({ "root": root, "config": settings, "renderer": RENDERER, "mdbook_version": VERSION });
        book["sections"] = book["items"].clone();
        let input = json!([context, book]).to_string();
        let output = child_process::run(&mut command, input.as_bytes(), TIMEOUT);
        match output.map(|output| serde_json::from_slice::<Value>(&output)) {
            Ok(Ok(changed)) => match items_of(&changed) {
                Some(items) => book = json!({ "items": items, "__non_exhaustive": null }),
                None => report(format!("the preprocessor `{name}` wrote JSON that is not a book")),
            },
            Ok(Err(error)) => report(format!("the preprocessor `{name}` wrote no JSON: {error}")),
            Err(error) => {
                let message = error.to_string();
                let first = message.lines().next().filter(|line| !line.is_empty()).unwrap_or("it has no message");
                report(format!("the preprocessor `{name}` failed: {first}"));
            }
        }
    }
    let mut contents = BTreeMap::new();
    collect(&book["items"], &mut contents);
    chapters.add_to(sources, contents);
}

/// The texts of the chapters, in which directives have been replaced.
struct Chapters(BTreeMap<Arc<str>, (Arc<str>, Preprocessed)>);

impl Chapters {
    fn new(sources: &Sources, config: &Config, summary: &Summary, diagnostics: &mut Diagnostics) -> Self {
        let chapters = summary.files().filter_map(|chapter| {
            let file: Arc<str> = format!("{}/{chapter}", config.src).into();
            let Some(Content::Text(text)) = sources.files.get(&file) else { return None };
            Some((chapter.clone(), (file.clone(), load::expanded(&file, text, sources, config, diagnostics))))
        });
        Self(chapters.collect())
    }

    /// The chapters at a depth as mdBook writes them, from the entry at `next` on.
    fn items(&self, summary: &Summary, next: &mut usize, parents: &[&str]) -> Vec<Value> {
        let mut items: Vec<Value> = Vec::new();
        while let Some(entry) = summary.entries.get(*next).filter(|entry| entry.depth >= parents.len()) {
            *next += 1;
            match &entry.kind {
                EntryKind::Part(title) => items.push(json!({ "PartTitle": title })),
                EntryKind::Separator => items.push(json!("Separator")),
                EntryKind::Chapter { title, file, number } => {
                    let content = file.as_ref().and_then(|file| self.0.get(file)).map(|(_, chapter)| &*chapter.text);
                    let number: Option<Vec<u32>> =
                        number.as_ref().map(|number| number.split('.').filter_map(|part| part.parse().ok()).collect());
                    let below = [parents, &[&**title]].concat();
                    items.push(json!({ "Chapter": {
                        "name": title, "content": content.unwrap_or_default(), "number": number, "sub_items": self.items(summary, next, &below),
                        "path": file, "source_path": file, "parent_names": parents,
                    }}));
                }
            }
        }
        items
    }

    /// Adds the texts that programs wrote.
    fn add_to(self, sources: &mut Sources, mut contents: BTreeMap<String, String>) {
        for (chapter, (file, before)) in self.0 {
            // Also without a change: directives are replaced already, and findings in them are reported.
            let after = contents.remove(&*chapter).map(|after| after.replace("\r\n", "\n")).filter(|after| *after != *before.text);
            let text = match after {
                Some(after) => {
                    let origins = before.origins.after_edit(&file, &before.text, &after);
                    Preprocessed { text: after.into(), origins, ..before }
                }
                None => before,
            };
            sources.preprocessed.insert(file, Arc::new(text));
        }
    }
}

/// The chapters of a book, under the name of mdBook 0.5 or that of 0.4.
fn items_of(book: &Value) -> Option<&Value> {
    [&book["items"], &book["sections"]].into_iter().find(|items| items.is_array())
}

/// The texts of chapters by file.
fn collect(items: &Value, contents: &mut BTreeMap<String, String>) {
    for item in items.as_array().into_iter().flatten() {
        let chapter = &item["Chapter"];
        let file = chapter["source_path"].as_str().or_else(|| chapter["path"].as_str());
        if let (Some(file), Some(content)) = (file, chapter["content"].as_str()) {
            contents.insert(file.to_owned(), content.to_owned());
        }
        collect(&chapter["sub_items"], contents);
    }
}

/// The preprocessors for HTML in the order in which they run: by name, as far as `before` and `after` allow.
fn in_order(config: &Config, settings: &Value) -> Vec<(String, Span)> {
    let is_for_html = |name: &str| {
        let renderers = settings["preprocessor"][name]["renderers"].as_array();
        renderers.is_none_or(|renderers| renderers.iter().any(|renderer| renderer == RENDERER))
    };
    let names = |name: &str, key: &str| -> Vec<String> {
        let listed = settings["preprocessor"][name][key].as_array().into_iter().flatten();
        listed.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let mut open: Vec<(String, Span)> = config.preprocessors.iter().filter(|(name, _)| is_for_html(name)).cloned().collect();
    open.sort_by(|(one, _), (other, _)| one.cmp(other));
    let mut order = Vec::new();
    while !open.is_empty() {
        let waiting: BTreeSet<&str> = open.iter().map(|(name, _)| name.as_str()).collect();
        let is_ready = |name: &str| {
            let after_another = names(name, "after").iter().any(|other| other != name && waiting.contains(other.as_str()));
            !after_another && !waiting.iter().any(|other| *other != name && names(other, "before").iter().any(|later| later == name))
        };
        // In a cycle, the first by name runs.
        let next = open.iter().position(|(name, _)| is_ready(name)).unwrap_or(0);
        order.push(open.remove(next));
    }
    order
}

/// The program of a preprocessor; `None` if its quotation marks are not closed.
fn command(root: &Path, name: &str, settings: &Value) -> Option<Command> {
    let written = settings["command"].as_str().map_or_else(|| format!("mdbook-{name}"), str::to_owned);
    let mut words = shlex::split(&written)?.into_iter();
    let program = words.next()?;
    // A path is relative to the book; a name is searched in `PATH`.
    let is_path = program.contains('/') && Path::new(&program).is_relative();
    let mut command = if is_path { Command::new(root.join(&program)) } else { Command::new(&program) };
    command.args(words).current_dir(root);
    Some(command)
}

/// Whether a preprocessor supports HTML: mdBook asks each that doesn't name its renderers.
fn supports_html(root: &Path, name: &str, settings: &Value) -> bool {
    command(root, name, settings).is_none_or(|mut command| {
        let answer = child_process::run(command.args(["supports", RENDERER]), b"", TIMEOUT);
        // A program that can't be started is reported when it runs.
        answer.map_or_else(|error| error.raw_os_error().is_some(), |_| true)
    })
}
