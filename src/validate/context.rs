//! The context that the checks of facts share.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    symbols::{SymbolTable, TermKind},
    texts, vocabulary,
};
use crate::{
    decode::{Ordered, Spanned},
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::{EvidenceFacts, EvidenceKeys, LocalText, RawScalar},
    id::Id,
    kb::{ReleaseIndex, Section, Text, Vocabulary},
    layout::EntityKind,
    text::{Span, listed},
};

/// The context of the checks of facts.
pub(super) struct FactsContext<'a> {
    pub(super) symbols: &'a SymbolTable,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) sections: &'a BTreeMap<Id, Section>,
    /// Whether to look for missing evidence and misspelt kinds of objects. Callers that discard the findings skip this.
    pub(super) thorough: bool,
    pub(super) diagnostics: &'a mut Diagnostics,
}

impl<'a> FactsContext<'a> {
    /// Checks one facts file; its findings get the scope of the file. `whole` is whether `evidence` is complete.
    pub(super) fn file<T>(
        &mut self,
        file: &Arc<str>,
        evidence: &Ordered<Spanned<Id>, EvidenceFacts>,
        whole: bool,
        check: impl FnOnce(&mut FileContext<'_, 'a>) -> T,
    ) -> T {
        let outer = self.diagnostics.enter(Scope::Facts(file.clone()));
        let evidence = evidence.0.iter().map(|(key, _)| key.value.clone()).collect();
        let checked = check(&mut FileContext { file: file.clone(), evidence, whole, context: self });
        self.diagnostics.enter(outer);
        checked
    }
}

pub(super) struct FileContext<'a, 'b> {
    file: Arc<str>,
    evidence: Vec<Id>,
    whole: bool,
    pub(super) context: &'a mut FactsContext<'b>,
}

impl FileContext<'_, '_> {
    pub(super) fn place(&self, span: Span) -> Place {
        Place::new(self.file.clone(), span)
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.context.diagnostics.push(diagnostic);
    }

    pub(super) fn report(&mut self, rule: Rule, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.push(Diagnostic::new(rule, self.place(span), message).help(help));
    }

    pub(super) fn require(&mut self, id: &Spanned<Id>, kinds: &[EntityKind]) -> bool {
        self.context.symbols.require(id, kinds, &self.file, self.context.diagnostics)
    }

    pub(super) fn require_term(&mut self, id: &Spanned<Id>, kind: TermKind) -> bool {
        self.context.symbols.require_term(id, kind, &self.file, self.context.diagnostics)
    }

    pub(super) fn text(&mut self, text: Option<&LocalText>) -> Option<Text> {
        Some(texts::local_text(text?, self.context.symbols, &self.file, self.context.diagnostics))
    }

    pub(super) fn release(&mut self, written: Option<&Spanned<RawScalar>>) -> Option<ReleaseIndex> {
        vocabulary::release(written?, self.context.symbols, self.context.vocabulary, &self.file, self.context.diagnostics)
    }

    /// The keys that exist in the file's evidence; reports the others.
    pub(super) fn evidence(&mut self, keys: &EvidenceKeys) -> Vec<Id> {
        let mut found = Vec::new();
        for key in keys {
            if self.evidence.contains(&key.value) {
                found.push(key.value.clone());
            } else if self.whole {
                let message = format!("this file has no evidence `{}`", key.value);
                let of = (Rule::UnknownEvidence, &self.file);
                let meant = self.context.diagnostics.did_you_mean(of, key.as_str(), self.evidence.iter().map(Id::as_str));
                let unknown = Diagnostic::new(Rule::UnknownEvidence, self.place(key.span), message);
                let unknown = unknown.suggest(meant, "add it to the map `evidence` of this file");
                self.push(unknown);
            }
        }
        found
    }

    /// Reports a claim without evidence. `what` names the claim in the message.
    pub(super) fn needs_evidence(&mut self, keys: &EvidenceKeys, span: Span, what: &str) {
        if keys.is_empty() && self.context.thorough {
            let help = match listed(self.evidence.iter().map(Id::as_str)).as_str() {
                "" => "add a map `evidence` to this file, and `evidence: [key]` here".to_owned(),
                known => format!("add `evidence: [key]`; this file has {known}"),
            };
            self.report(Rule::MissingEvidence, span, format!("{what} has no evidence"), help);
        }
    }
}
