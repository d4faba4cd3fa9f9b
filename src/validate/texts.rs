//! Texts by language.

use std::sync::Arc;

use super::symbols::SymbolTable;
use crate::{
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::LocalText,
    id::Lang,
    kb::Text,
    text::did_you_mean,
};

/// The text; reports languages of the site that it lacks, and languages that the site does not have.
pub(super) fn local_text(written: &LocalText, symbols: &SymbolTable, file: &Arc<str>, diagnostics: &mut Diagnostics) -> Text {
    let place = || Place::new(file.clone(), written.span);
    let languages = &symbols.languages;
    for lang in written.keys().filter(|lang| symbols.languages_known && !languages.contains(lang)) {
        let found = Diagnostic::new(Rule::UnknownWord, place(), format!("`{lang}` is not a language of this site"));
        let otherwise = format!("remove it, or add `[languages.{lang}]` to book.toml");
        diagnostics.push(found.suggest(did_you_mean(lang.as_str(), languages.iter().map(Lang::as_str)), otherwise));
    }
    let missing: Vec<&str> =
        languages.iter().filter(|lang| written.get(lang.as_str()).is_none_or(|text| text.trim().is_empty())).map(Lang::as_str).collect();
    if !missing.is_empty() {
        let message = format!("this text is missing in `{}`", missing.join("`, `"));
        let help = missing.iter().map(|lang| format!("`{lang}: …`")).collect::<Vec<_>>().join(", ");
        diagnostics.report(Rule::MissingText, place(), message, format!("add {help}"));
    }
    Text::new(written.value.clone())
}
