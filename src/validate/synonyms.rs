//! The groups of words with the same meaning, for the search.

use aho_corasick::AhoCorasick;

use super::symbols::SymbolTable;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    id::Lang,
    load::Draft,
    text::did_you_mean,
};

/// Reports unknown languages, and groups of which no page has a word: they find nothing.
pub(super) fn check(draft: &Draft, symbols: &SymbolTable, diagnostics: &mut Diagnostics) -> Vec<Vec<(Lang, Vec<String>)>> {
    let place = |span| Place::new(draft.vocabulary_file.clone(), span);
    for (lang, _) in draft.vocabulary.synonyms.iter().flat_map(|group| &group.value.0) {
        if symbols.languages_known && !symbols.languages.contains(&lang.value) {
            let candidate = did_you_mean(lang.as_str(), symbols.languages.iter().map(Lang::as_str));
            let message = format!("`{}` is not a language of this site", lang.value);
            let found = Diagnostic::new(Rule::UnknownWord, place(lang.span), message);
            let otherwise = format!("remove its synonyms, or add `[languages.{}]` to book.toml", lang.value);
            diagnostics.push(found.suggest(candidate, otherwise));
        }
    }
    for group in &draft.vocabulary.synonyms {
        let words = || group.value.0.iter().flat_map(|(_, words)| words);
        // A group with too many words for an automaton is not reported.
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words().map(|word| word.value.as_str()));
        if words().count() > 0 && automaton.is_ok_and(|words| !draft.pages.iter().any(|page| words.is_match(&*page.source))) {
            let found = Diagnostic::new(Rule::UnusedSynonyms, place(group.span), "no page has any of these synonyms, so they find nothing");
            diagnostics.push(found.help("add a word that a page has, or remove the group"));
        }
    }
    let of_language =
        |(lang, words): &(Spanned<Lang>, Vec<Spanned<String>>)| (lang.value.clone(), words.iter().map(|word| word.value.clone()).collect());
    draft.vocabulary.synonyms.iter().map(|group| group.value.0.iter().map(of_language).collect()).collect()
}
