//! Resolves the rows of `listing` blocks to components.

use super::Linker;
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Rule},
    id::Id,
    kb::Kb,
    layout::{EntityKind, PROVIDERS},
    listing::{Controller, ListingLine, OwnedPattern, Row, parse_lines},
    markdown::ListingBlock,
    text::{Span, did_you_mean},
};

/// A `listing` block with the components of its rows.
#[derive(Clone, Debug, Default)]
pub struct ExplainedListing {
    /// The provider of the cluster, if the block names it.
    pub provider: Option<Id>,
    /// Its lines, one for each of [`str::lines`].
    pub lines: Vec<ExplainedLine>,
}

/// One line of a `listing` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExplainedLine {
    /// An object with its components: none, one, or several that fit equally.
    Row(Vec<ListingOwner>),
    /// The header of a table.
    Header,
    /// An empty line.
    Blank,
    /// Any other text.
    Text,
}

/// A component that a row belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListingOwner {
    /// The component.
    pub component: Id,
    /// Which of its listing entries fit, in order; at least one.
    pub entries: Vec<usize>,
    /// The controller that recreates the object of the row; `None` for an object that was not created by a controller.
    pub controller: Option<Controller>,
}

/// The longest name in a message, in bytes.
const SHOWN_NAME: usize = 80;

/// The extent to which diagnostics can rely on the patterns of all components.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternReliability {
    /// Whether every pattern could be read, so that a row without a component is an error.
    complete: bool,
    /// Whether there are no errors, so that a row with several components is one.
    valid: bool,
}

impl PatternReliability {
    /// The value for a knowledge base without errors.
    pub(super) const VALID: Self = Self { complete: true, valid: true };

    /// The value for a knowledge base whose other checks are done.
    pub(super) fn of(kb: &Kb, diagnostics: &Diagnostics) -> Self {
        let broken = kb.broken.values().any(|kind| *kind == EntityKind::Component);
        Self { complete: !broken && !diagnostics.has(Rule::BadPattern), valid: !diagnostics.has_errors() }
    }
}

impl Linker<'_> {
    pub(super) fn listing(&mut self, block: &ListingBlock) -> ExplainedListing {
        let provider = block.provider.as_ref().and_then(|(written, span)| self.provider(written, *span));
        let lines = parse_lines(&block.text).into_iter().enumerate().map(|(index, line)| match line {
            ListingLine::Row(row) => {
                let owners = owners(&row, self.kb.recogniser.best(&row, provider.as_ref()));
                self.check_row(&row, &owners, block.lines.get(index).copied().unwrap_or_default());
                ExplainedLine::Row(owners)
            }
            ListingLine::Header => ExplainedLine::Header,
            ListingLine::Blank => ExplainedLine::Blank,
            // A single line of JSON with several objects is not explained.
            ListingLine::Text | ListingLine::Rows(_) => ExplainedLine::Text,
        });
        let lines = lines.collect();
        ExplainedListing { provider, lines }
    }

    fn provider(&mut self, written: &str, span: Span) -> Option<Id> {
        let kb = self.kb;
        if let Some((id, _)) = kb.providers.get_key_value(written) {
            return Some(id.clone());
        }
        if kb.broken.get(written) == Some(&EntityKind::Provider) {
            return None;
        }
        let place = self.text.place(span);
        let kind = EntityKind::Provider.name();
        let found = if let Some(other) = kb.kind_of(written) {
            let message = format!("`{written}` is a {}, and a {kind} is needed here", other.name());
            Diagnostic::new(Rule::UnknownId, place, message).help("name another id")
        } else {
            let shown = shortened(written);
            let found = Diagnostic::new(Rule::UnknownId, place, format!("no {kind} `{shown}`"));
            let known = did_you_mean(shown, kb.providers.keys().map(Id::as_str));
            found.suggest(known, format!("write the id of a provider, the name of a folder in `{PROVIDERS}`"))
        };
        self.diagnostics.push(found);
        None
    }

    /// Reports a row without a component, or with several.
    fn check_row(&mut self, row: &Row, owners: &[ListingOwner], span: Span) {
        let is_wrong = match owners.len() {
            0 => self.claims.complete,
            1 => false,
            _ => self.claims.valid,
        };
        if !is_wrong {
            return;
        }
        let name = shortened(&row.name);
        let found = |message: String| Diagnostic::new(Rule::UnknownRow, self.text.place(span), message);
        let found = if owners.is_empty() {
            let of_kind = row.kind.as_deref().map(|kind| format!(" of kind `{}`", shortened(kind))).unwrap_or_default();
            let in_namespace = row.namespace.as_deref().map(|namespace| format!(" in `{}`", shortened(namespace))).unwrap_or_default();
            found(format!("no component has the name `{name}`{of_kind}{in_namespace}"))
                .help("add the name to `listing` in the facts of the component, or remove the line from the block")
        } else {
            let ids: Vec<String> = owners.iter().map(|owner| format!("`{}`", owner.component)).collect();
            found(format!("`{name}` is a name of {}", ids.join(" and ")))
                .help("add `provider=…` after `listing` to choose the component of that provider")
        };
        self.diagnostics.push(found);
    }
}

fn owners(row: &Row, best: Vec<&OwnedPattern>) -> Vec<ListingOwner> {
    let mut owners: Vec<ListingOwner> = Vec::new();
    for owned in best {
        match owners.iter_mut().find(|owner| owner.component == owned.component) {
            Some(owner) => owner.entries.push(owned.entry),
            None => owners.push(ListingOwner {
                component: owned.component.clone(),
                entries: vec![owned.entry],
                controller: owned.pattern.controller_of(row),
            }),
        }
    }
    owners
}

fn shortened(text: &str) -> &str {
    &text[..text.floor_char_boundary(SHOWN_NAME)]
}
