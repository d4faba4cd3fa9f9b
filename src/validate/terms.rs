//! The terms to avoid: each can be found, its exceptions contain it, and its suggestion is not reported again.

use std::{collections::BTreeMap, sync::Arc};

use super::symbols::SymbolTable;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::TermFacts,
    id::Lang,
    load::Draft,
    terminology::{TermMatcher, folded, is_searchable},
    text::{Span, did_you_mean},
};

pub(super) fn check(draft: &Draft, symbols: &SymbolTable, diagnostics: &mut Diagnostics) {
    for (lang, terms) in &draft.vocabulary.terms.0 {
        let mut check = LanguageCheck { file: &draft.vocabulary_file, seen: BTreeMap::new(), diagnostics };
        check.language(lang, symbols);
        for term in terms {
            check.avoided(term);
            check.exceptions(term);
        }
        check.replacements(terms);
    }
}

/// Checks the terms of one language.
struct LanguageCheck<'a> {
    file: &'a Arc<str>,
    /// Terms and where they were listed first.
    seen: BTreeMap<String, Span>,
    diagnostics: &'a mut Diagnostics,
}

impl LanguageCheck<'_> {
    fn place(&self, span: Span) -> Place {
        Place::new(self.file.clone(), span)
    }

    fn language(&mut self, lang: &Spanned<Lang>, symbols: &SymbolTable) {
        if symbols.languages_known && !symbols.languages.contains(&lang.value) {
            let message = format!("`{}` is not a language of this site", lang.value);
            let candidate = did_you_mean(lang.as_str(), symbols.languages.iter().map(Lang::as_str));
            let found = Diagnostic::new(Rule::UnknownWord, self.place(lang.span), message);
            let otherwise = format!("remove its terms, or add `[languages.{}]` to book.toml", lang.value);
            self.diagnostics.push(found.suggest(candidate, otherwise));
        }
    }

    /// Checks the words and phrases to avoid.
    fn avoided(&mut self, term: &Spanned<TermFacts>) {
        if term.avoid.is_empty() {
            let place = self.place(term.span);
            self.diagnostics.report(
                Rule::InvalidValue,
                place,
                "`avoid` is empty",
                "list the words and phrases to avoid, or remove the entry",
            );
        }
        for avoided in &term.avoid {
            let place = self.place(avoided.span);
            if !is_searchable(avoided) {
                let message =
                    if avoided.trim().is_empty() { "a term to avoid is empty" } else { "a term to avoid has no text besides `{word}`" };
                self.diagnostics.report(Rule::InvalidValue, place, message, "write a word or a phrase, or remove it");
            } else if let Some(first) = self.seen.insert(folded(avoided), avoided.span) {
                let message = format!("the term `{}` is listed twice", avoided.trim());
                let found = Diagnostic::new(Rule::InvalidValue, place, message).related(self.place(first), "first here");
                self.diagnostics.push(found.help("remove one of them; upper and lower case are not distinguished"));
            }
        }
    }

    /// Reports exceptions that have no effect.
    fn exceptions(&mut self, term: &Spanned<TermFacts>) {
        if term.except.is_empty() {
            return;
        }
        let without_exceptions = TermFacts { except: Vec::new(), replacement: None, ..term.value.clone() };
        let matcher = TermMatcher::new(&[Spanned::new(without_exceptions, term.span)]);
        for except in &term.except {
            // `{word}` stands for a word, also in a term.
            let sample = except.replace("{word}", "word");
            if matcher.as_ref().is_some_and(|matcher| !matcher.contains(&sample)) {
                let message = format!("the exception `{}` does not contain a term of this entry", except.trim());
                let help = "write the longer word or phrase in which the term is allowed, or remove the exception";
                self.diagnostics.report(Rule::InvalidValue, self.place(except.span), message, help);
            }
        }
    }

    /// Reports suggestions that contain terms to avoid.
    fn replacements(&mut self, terms: &[Spanned<TermFacts>]) {
        let Some(matcher) = TermMatcher::new(terms) else { return };
        for replacement in terms.iter().filter_map(|term| term.replacement.as_ref()) {
            if let Some(found) = matcher.find(replacement).first() {
                let term = &replacement[found.range.clone()];
                let message = format!("the suggestion `{}` contains the term `{term}`, which is to be avoided", replacement.trim());
                let help = format!("suggest other words, or add `except: [{}]` to the entry of `{term}`", replacement.trim());
                self.diagnostics.report(Rule::InvalidValue, self.place(replacement.span), message, help);
            }
        }
    }
}
