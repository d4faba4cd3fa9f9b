//! Colours that one build leaves to the next, so that it need not unpack grammars for lines that were coloured before.
//!
//! A line of JSON says for each language in which state a block of it begins; then each line has a state, a skeleton, where its colours end, and the state
//! behind it, between tabs, in order, so that a line is found without reading the others.

use std::{collections::BTreeMap, fmt, ops::Range, sync::Arc};

use super::{
    Lines,
    memory::{Coloured, Memory, StateId, Stretch},
    names::CLASSES,
};

/// In which state a block begins, and the first extension of its grammar; `None` if there is no grammar for it.
pub(super) type Begin = Option<(StateId, String)>;

/// What an earlier build has coloured.
#[derive(Debug)]
pub(super) struct Kept {
    begins: BTreeMap<String, Begin>,
    text: String,
    /// Where in the text each line is.
    lines: Vec<Range<usize>>,
}

impl Kept {
    /// Reads what [`write`] has written. `None` if it is something else.
    pub(super) fn read(text: &str) -> Option<Self> {
        let (begins, lines) = text.split_once('\n')?;
        let mut at = 0;
        let range = |line: &str| {
            let start = at;
            at += line.len();
            start..at - 1
        };
        let ranges = lines.split_inclusive('\n').map(range).collect();
        Some(Self { begins: serde_json::from_str(begins).ok()?, text: lines.to_owned(), lines: ranges })
    }

    /// The HTML of each line, if all of them were coloured before.
    pub(super) fn lines(&self, language: &str, code: &str) -> Option<Lines> {
        let Some((begin, name)) = self.begins.get(language)? else { return Some(super::plain(code)) };
        super::walk(name, code, *begin, |state, skeleton| self.coloured(state, &skeleton.text).map(Arc::new))
    }

    fn coloured(&self, state: StateId, skeleton: &str) -> Option<Coloured> {
        let key = key(state, skeleton);
        let line = |range: &Range<usize>| self.text.get(range.clone()).and_then(fields);
        let at = self.lines.binary_search_by(|range| line(range).map(|(known, ..)| known).cmp(&Some(&key))).ok()?;
        let (_, stretches, after) = line(self.lines.get(at)?)?;
        let stretches: Option<Vec<Stretch>> = stretches.split(' ').filter(|stretch| !stretch.is_empty()).map(stretch).collect();
        let after = match after.split_once(' ') {
            Some((state, is_code)) => Some((state.parse().ok()?, is_code == "code")),
            None => None,
        };
        Some(Coloured { stretches: stretches?, after })
    }
}

/// Writes what was coloured.
pub(super) fn write(memory: &Memory, keep: &mut dyn fmt::Write) -> fmt::Result {
    writeln!(keep, "{}", serde_json::to_string(&memory.begins()).map_err(|_| fmt::Error)?)?;
    let line = |state: StateId, skeleton: &str, coloured: &Coloured| {
        let stretches: Vec<String> = coloured.stretches.iter().map(|(end, class)| format!("{end}:{}", class.unwrap_or_default())).collect();
        let after =
            coloured.after.map_or_else(String::new, |(state, is_code)| format!("{state} {}", if is_code { "code" } else { "text" }));
        format!("{}\t{}\t{after}", key(state, skeleton), stretches.join(" "))
    };
    let mut lines = memory.lines(line);
    lines.sort_unstable_by(|a, b| fields(a).map(|(key, ..)| key).cmp(&fields(b).map(|(key, ..)| key)));
    lines.iter().try_for_each(|line| writeln!(keep, "{line}"))
}

/// A state and a skeleton on one line.
fn key(state: StateId, skeleton: &str) -> String {
    format!("{state}\t{}", serde_json::to_string(skeleton).unwrap_or_default())
}

/// The key of a line, where its colours end, the state behind it.
fn fields(line: &str) -> Option<(&str, &str, &str)> {
    let mut fields = line.rsplitn(3, '\t');
    let (after, stretches, key) = (fields.next()?, fields.next()?, fields.next()?);
    Some((key, stretches, after))
}

fn stretch(text: &str) -> Option<Stretch> {
    let (end, class) = text.split_once(':')?;
    let classes = CLASSES.iter().filter_map(|(_, class)| *class).chain([super::KEY]);
    let class = if class.is_empty() { None } else { Some(classes.into_iter().find(|known| *known == class)?) };
    Some((end.parse().ok()?, class))
}
