//! The tree of ordinary pages: that of `SUMMARY.md`, or that of the folders.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    kb::{Kb, PageKind},
    layout::{FileRole, role},
    summary::{EntryKind, Summary},
};

/// All ordinary pages, depth first.
#[derive(Debug, Default)]
pub(super) struct Outline {
    entries: Vec<OutlineEntry>,
    /// The entries that are below no other.
    top: Vec<usize>,
    /// The entry of each page.
    positions: BTreeMap<Arc<str>, usize>,
    /// The entries that are pages, in reading order.
    pages: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct OutlineEntry {
    pub(super) kind: OutlineKind,
    parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// The position in [`Outline::pages`].
    reading: usize,
}

#[derive(Debug)]
pub(super) enum OutlineKind {
    Page {
        path: Arc<str>,
        /// The title in the summary.
        title: Option<Arc<str>>,
        number: Option<String>,
    },
    /// A chapter without a page.
    Draft {
        title: Arc<str>,
        number: Option<String>,
    },
    Part(Arc<str>),
    Separator,
}

impl Outline {
    pub(super) fn new(kb: &Kb, folders: &BTreeMap<String, Vec<Arc<str>>>) -> Self {
        let mut outline = Self::default();
        match &kb.config.summary {
            Some(summary) => outline.add_summary(kb, summary),
            None => outline.add_folders(kb, folders),
        }
        outline
    }

    fn add(&mut self, kind: OutlineKind, parent: Option<usize>) -> usize {
        let index = self.entries.len();
        let reading = self.pages.len();
        if let OutlineKind::Page { path, .. } = &kind {
            self.positions.insert(path.clone(), index);
            self.pages.push(index);
        }
        match parent.and_then(|parent| self.entries.get_mut(parent)) {
            Some(parent) => parent.children.push(index),
            None => self.top.push(index),
        }
        self.entries.push(OutlineEntry { kind, parent, children: Vec::new(), reading });
        index
    }

    fn add_summary(&mut self, kb: &Kb, summary: &Summary) {
        // The last entry at each depth.
        let mut branch: Vec<usize> = Vec::new();
        for entry in &summary.entries {
            branch.truncate(entry.depth);
            let kind = match &entry.kind {
                EntryKind::Chapter { title, file, number } => {
                    let number = number.clone().filter(|_| kb.config.section_numbers);
                    match file.as_ref().map(|file| role(file, &kb.config)) {
                        Some(FileRole::Page { path, .. }) if kb.pages.get(path.as_str()).is_some_and(|page| page.is_hidden()) => continue,
                        Some(FileRole::Page { path, .. }) if kb.pages.contains_key(path.as_str()) => {
                            OutlineKind::Page { path: path.into(), title: Some(title.clone()), number }
                        }
                        _ => OutlineKind::Draft { title: title.clone(), number },
                    }
                }
                EntryKind::Part(title) => OutlineKind::Part(title.clone()),
                EntryKind::Separator => OutlineKind::Separator,
            };
            let index = self.add(kind, branch.last().copied());
            branch.push(index);
        }
    }

    /// All pages and folders except entities, introductions of generated pages, and the home page.
    fn add_folders(&mut self, kb: &Kb, folders: &BTreeMap<String, Vec<Arc<str>>>) {
        let is_ordinary = |path: &Arc<str>| kb.pages.get(path).is_none_or(|page| page.kind == PageKind::Ordinary);
        let below = |folder: &str| folders.get(folder).into_iter().flatten().rev();
        let mut open: Vec<(&Arc<str>, Option<usize>)> = below("").map(|path| (path, None)).collect();
        while let Some((path, parent)) = open.pop() {
            let own = is_ordinary(path).then(|| self.add(OutlineKind::Page { path: path.clone(), title: None, number: None }, parent));
            open.extend(below(path).map(|path| (path, own.or(parent))));
        }
    }

    pub(super) fn entry(&self, index: usize) -> Option<&OutlineEntry> {
        self.entries.get(index)
    }

    /// The entries that are below no other.
    pub(super) fn top(&self) -> &[usize] {
        &self.top
    }

    fn path(&self, index: usize) -> Option<&Arc<str>> {
        match &self.entries.get(index)?.kind {
            OutlineKind::Page { path, .. } => Some(path),
            _ => None,
        }
    }

    /// The entry of a page and those above it, outermost first; empty for a page that is not in the outline.
    pub(super) fn branch(&self, path: &str) -> Vec<usize> {
        let mut branch = Vec::new();
        let mut next = self.positions.get(path).copied();
        while let Some(index) = next {
            branch.push(index);
            next = self.entries.get(index).and_then(|entry| entry.parent);
        }
        branch.reverse();
        branch
    }

    /// The pages above a page, outermost first.
    pub(super) fn ancestors(&self, path: &str) -> impl Iterator<Item = &Arc<str>> {
        let branch = self.branch(path);
        let above = branch.len().saturating_sub(1);
        branch.into_iter().take(above).filter_map(|index| self.path(index))
    }

    /// The pages before and after a page in reading order; `None` if it is not in the outline.
    pub(super) fn neighbours(&self, path: &str) -> Option<(Option<&str>, Option<&str>)> {
        let at = self.entries.get(*self.positions.get(path)?)?.reading;
        let page = |at: usize| self.path(*self.pages.get(at)?).map(AsRef::as_ref);
        Some((at.checked_sub(1).and_then(page), page(at + 1)))
    }

    /// The first page.
    pub(super) fn first(&self) -> Option<&Arc<str>> {
        self.path(*self.pages.first()?)
    }
}
