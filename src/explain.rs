//! What somebody pasted, explained: whose each row is, in whose cluster it was printed, and what the listing does not say by itself.
//!
//! `web/explain/` does the same in the browser, with the same facts ([`crate::render`] writes them) and by the same rules; `tests/fixtures/listings` holds both to
//! the same answers.

mod beyond;
mod changes;
mod guess;
mod guide;
mod input;
mod json;
mod knowledge;
mod markdown;
mod terminal;
mod view;

use std::collections::BTreeSet;

use rayon::prelude::*;
use rustc_hash::FxHashSet;

pub use beyond::{Idle, Missing, Outdated};
pub use changes::{Changes, Object, changes};
pub use guess::Guess;
pub use guide::Guide;
pub use input::{MAX_INPUT, NoListing, reason, text};
pub use json::{json, json_of_changes, schemas};
pub use knowledge::Knowledge;
pub use markdown::{markdown, markdown_of_changes};
pub use terminal::{Screen, terminal, terminal_of_changes};
pub use view::Teller;

use crate::{
    id::Id,
    kb::Component,
    listing::{Fitting, Owned, Row, clean, parse_listing},
};

/// An explained listing.
#[derive(Clone, Debug)]
pub struct Report {
    /// In whose cluster it was printed, as far as that is known.
    pub guess: Guess,
    /// Its rows, in order.
    pub rows: Vec<Explained>,
    /// Control-plane parts and others that this provider runs where nobody sees them.
    pub hidden: Vec<Id>,
    /// What is usually there at this provider and is not.
    pub missing: Vec<Missing>,
    /// DaemonSets that want no Pods.
    pub idle: Vec<Idle>,
    /// What is deprecated, removed or given up, and still there.
    pub outdated: Vec<Outdated>,
}

/// A row and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The line, counted from 1.
    pub line: usize,
    /// The line as it was printed, without colours and the white space around it.
    pub text: String,
    /// What it says.
    pub row: Row,
    /// The component, if it is one component's.
    pub owner: Option<Owner>,
}

/// The component that a row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Which one.
    pub component: Id,
    /// Which of its listing entries fit the row, in order; at least one.
    pub entries: Vec<usize>,
    /// The name of the object without what was made up for it: `coredns` of `coredns-5d78c9869d-x8k2p`.
    pub object: String,
}

impl Report {
    /// Whether there is any row at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The names that no component claims, each once, in order.
    #[must_use]
    pub fn unknown(&self) -> Vec<&str> {
        let mut seen = FxHashSet::default();
        let nobodys = self.rows.iter().filter(|row| row.owner.is_none());
        nobodys.map(|row| row.row.name.as_str()).filter(|name| seen.insert(*name)).collect()
    }
}

/// Explains a listing. `provider` is in whose cluster it was printed, if somebody says so; else it is guessed.
#[must_use]
pub fn explain(knowledge: &Knowledge, text: &str, provider: Option<&Id>) -> Report {
    let text = clean(text);
    let listing = parse_listing(&text);
    let lines: Vec<(usize, &str, Row)> = text
        .lines()
        .zip(listing.lines)
        .enumerate()
        .flat_map(|(index, (text, line))| line.into_rows().into_iter().map(move |row| (index + 1, text.trim(), row)))
        .collect();
    let fitting: Vec<Fitting<'_>> = lines.par_iter().map(|(_, _, row)| knowledge.recogniser.fitting(row)).collect();
    let best = |provider: Option<&Id>| -> Vec<Vec<&Owned>> { fitting.iter().map(|fitting| fitting.best(provider)).collect() };
    let rows: Vec<&Row> = lines.iter().map(|(_, _, row)| row).collect();
    let anywhere = best(None);
    let seen = beyond::Seen::new(&rows, &anywhere, listing.excerpt);
    let guess = match provider {
        Some(provider) => Guess::asked(provider),
        None => guess::guess(knowledge, &text, &rows, &anywhere, &seen),
    };
    let here = if guess.likely.is_some() { best(guess.likely.as_ref()) } else { anywhere };
    let rows: Vec<Explained> = lines
        .into_iter()
        .zip(here)
        .map(|((line, text, row), best)| Explained { line, text: text.to_owned(), owner: owner(&row, &best), row })
        .collect();
    let present: BTreeSet<&Id> =
        rows.iter().filter_map(|row| row.owner.as_ref()).filter(|owner| owner.runs(knowledge)).map(|owner| &owner.component).collect();
    let provider = guess.provider.as_ref().and_then(|id| knowledge.providers.get(id));
    let (hidden, missing) = match provider {
        Some(provider) => (beyond::hidden(knowledge, provider, &present), beyond::missing(knowledge, provider, &present, &seen)),
        None => Default::default(),
    };
    let (idle, outdated) = (beyond::idle(&rows), beyond::outdated(knowledge, &present));
    Report { guess, rows, hidden, missing, idle, outdated }
}

/// Whose a row is, if its best patterns are of one component.
fn owner(row: &Row, best: &[&Owned]) -> Option<Owner> {
    let first = best.first()?;
    if best.iter().any(|owned| owned.component != first.component) {
        return None;
    }
    let entries = best.iter().map(|owned| owned.entry).collect();
    Some(Owner { component: first.component.clone(), entries, object: first.pattern.object_of(row).to_owned() })
}

impl Owner {
    /// Whether the row is of something that runs. A Service or a ConfigMap may be there for something that runs elsewhere.
    #[must_use]
    pub fn runs(&self, knowledge: &Knowledge) -> bool {
        let patterns = knowledge.recogniser.of(&self.component);
        self.entries.iter().any(|entry| patterns.get(*entry).is_some_and(|owned| owned.pattern.makes_pods()))
    }

    /// The section of the component's page that explains the row.
    #[must_use]
    pub fn section<'a>(&self, component: &'a Component) -> Option<&'a Id> {
        component.section_of_row(&self.entries)
    }

    /// What just this row is, if the facts say so.
    #[must_use]
    pub fn what<'a>(&self, component: &'a Component) -> Option<&'a crate::kb::Text> {
        component.what_of_row(&self.entries)
    }
}
