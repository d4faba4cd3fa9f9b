//! The text of a `versions.yaml`, of which an import replaces its own sources and keeps the others.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Write as _},
    sync::Arc,
};

use crate::{
    decode::{Spanned, decode},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{RawScalar, VersionFacts, VersionSourceFacts, VersionsFacts},
    id::Id,
    node::{Scalar, ScalarKind},
    text::Span,
    yaml,
};

/// The comment at the beginning of each file.
const HEADER: &str = "# yaml-language-server: $schema=../../../schemas/versions.json
# Written by `ksys-docs import versions`. Correct the importer or the facts of the component, not this file; only `names` is edited by hand.
sources:
";

/// The indentation of the key of a source.
const INDENTATION: &str = "  ";

/// The maximum width of a line of releases in bytes.
const WIDTH: usize = 140;

/// A `versions.yaml`: the text of each of its sources, sorted by key.
#[derive(Clone, Debug, Default)]
pub struct VersionsDocument {
    /// The text of each source, from its key to the next one.
    blocks: BTreeMap<String, String>,
    /// The components of the names of each source, as they are in the file.
    names: BTreeMap<String, Vec<(String, Id)>>,
}

impl VersionsDocument {
    /// Reads a file, which can be empty. Its mistakes are added to `diagnostics`; `None` if there are any.
    #[must_use]
    pub fn parse(file: &Arc<str>, text: &str, diagnostics: &mut Diagnostics) -> Option<Self> {
        if text.is_empty() {
            return Some(Self::default());
        }
        let mut found = Diagnostics::new();
        let facts: Option<VersionsFacts> = yaml::parse(file, text, 0, &mut found).and_then(|node| decode(file, &node, &mut found));
        let is_faulty = found.has_errors();
        diagnostics.append(found);
        let Some(facts) = facts.filter(|_| !is_faulty) else {
            if !is_faulty {
                let help = "remove the file to write a new one";
                diagnostics
                    .push(Diagnostic::new(Rule::YamlSyntax, Place::new(file.clone(), Span::at(0)), "no `sources` in this file").help(help));
            }
            return None;
        };
        let sources = facts.sources.0;
        let starts: Vec<Option<usize>> = sources.iter().map(|(id, _)| block_start(text, id.span.start)).collect();
        let mut document = Self::default();
        for (index, (id, source)) in sources.into_iter().enumerate() {
            let end = if index + 1 < starts.len() { starts[index + 1] } else { Some(text.len()) };
            let as_written = starts[index].zip(end).map(|(start, end)| text[start..end].to_owned());
            let names = source.names.0.iter().map(|(name, id)| (name.value.clone(), id.value.clone()));
            document.names.insert(id.to_string(), names.collect());
            document.blocks.insert(id.to_string(), as_written.unwrap_or_else(|| block(id.as_str(), &source)));
        }
        Some(document)
    }

    /// The components of the names of a source, in the order of the file.
    pub(super) fn names(&self, source: &str) -> &[(String, Id)] {
        self.names.get(source).map_or(&[], Vec::as_slice)
    }

    /// Replaces a source, or adds it.
    pub(super) fn replace(&mut self, id: &str, source: &VersionSourceFacts) {
        self.blocks.insert(id.to_owned(), block(id, source));
    }

    /// Removes a source, if it is there.
    pub(super) fn remove(&mut self, id: &str) {
        self.blocks.remove(id);
    }
}

impl Display for VersionsDocument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HEADER)?;
        self.blocks.values().try_for_each(|block| {
            formatter.write_str(block)?;
            // The last line of a file can have no line feed.
            if block.ends_with('\n') { Ok(()) } else { formatter.write_char('\n') }
        })
    }
}

/// The start of the block of a source, of which `key` is the offset: the start of the line of its key, or of the comment above it. `None` if the key is not
/// indented as in a file that was imported, so that its text can't be next to other blocks.
fn block_start(text: &str, key: usize) -> Option<usize> {
    let mut start = text[..key].strip_suffix(INDENTATION).filter(|before| before.ends_with('\n'))?.len();
    while let Some(before) = text[..start].strip_suffix('\n') {
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        if !before[line..].starts_with("  #") {
            break;
        }
        start = line;
    }
    Some(start)
}

/// The text of a source in its canonical form.
fn block(id: &str, source: &VersionSourceFacts) -> String {
    let mut out = format!("{INDENTATION}{}:\n    kind: {}\n", string(id), source.kind.name());
    if let Some(url) = &source.url {
        let _ = writeln!(out, "    url: {}", address(url));
    }
    let _ = writeln!(out, "    checked: {}", source.checked.value);
    if !source.names.0.is_empty() {
        out.push_str("    names:\n");
        for (name, id) in &source.names.0 {
            let _ = writeln!(out, "      {}: {}", string(name), string(id.as_str()));
        }
    }
    if source.own_releases {
        out.push_str("    own-releases: true\n");
    }
    if !source.releases.is_empty() {
        out.push_str("    releases:\n");
        wrap(source.releases.iter().map(|release| raw(release)), &mut out);
    }
    out.push_str(if source.versions.is_empty() { "    versions: []\n" } else { "    versions:\n" });
    for version in &source.versions {
        let _ = writeln!(out, "      - {}", entry(version));
    }
    out
}

/// Writes a list over several lines.
fn wrap(items: impl Iterator<Item = String>, out: &mut String) {
    let mut line = "      [".to_owned();
    for (index, item) in items.enumerate() {
        if index > 0 {
            line.push(',');
            if line.len() + item.len() + 2 > WIDTH {
                out.push_str(&line);
                out.push('\n');
                line = " ".repeat(6);
            }
            line.push(' ');
        }
        line.push_str(&item);
    }
    out.push_str(&line);
    out.push_str("]\n");
}

/// A version as a map in one line.
fn entry(version: &VersionFacts) -> String {
    let release = |release: &Option<Spanned<RawScalar>>| release.as_ref().map(|release| raw(release));
    let text = |text: &Option<String>| text.as_deref().map(string);
    let values = [
        ("component", version.component.as_ref().map(|component| string(component.as_str()))),
        ("image", text(&version.image)),
        ("name", text(&version.name)),
        ("version", Some(raw(&version.version))),
        ("from", release(&version.from)),
        ("to", release(&version.to)),
        ("file", text(&version.file)),
        ("line", version.line.map(|line| line.to_string())),
    ];
    let values = values.into_iter().filter_map(|(key, value)| Some(format!("{key}: {}", value?)));
    format!("{{{}}}", values.collect::<Vec<_>>().join(", "))
}

/// A value that is decoded with its digits: `1.10` needs no quotes.
fn raw(value: &RawScalar) -> String {
    scalar(&value.0, |kind| matches!(kind, ScalarKind::Text | ScalarKind::Integer | ScalarKind::Float))
}

/// A value that is decoded as text: a number needs quotes.
fn string(text: &str) -> String {
    scalar(text, |kind| kind == ScalarKind::Text)
}

/// A text as a scalar of YAML, which is quoted if it could be read as something else, also in a list or map in one line.
fn scalar(text: &str, is_allowed: impl Fn(ScalarKind) -> bool) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ')')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+/ ()".contains(&byte));
    if is_plain && is_allowed(Scalar::plain(text.to_owned()).kind) { text.to_owned() } else { quoted(text) }
}

/// An address as a scalar of YAML, in a line of its own: its colons are not followed by spaces, and its braces not at the beginning.
fn address(url: &str) -> String {
    let is_plain = url.starts_with("https://") && url.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-+/:{}".contains(&byte));
    if is_plain && !url.ends_with(':') { url.to_owned() } else { quoted(url) }
}

/// A text in double quotes. What JSON escapes, YAML escapes in the same way.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
