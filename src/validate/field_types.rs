//! The declarations of the site's own fields.

use super::{symbols::SymbolTable, texts::local_text};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostics, Place, Rule},
    facts::{FieldFacts, FieldOwner, FieldPlace, FieldType},
    id::Id,
    kb::{Field, FieldKind, FieldTerm},
    layout::EntityKind,
    load::Draft,
    text::Span,
};

/// Names that parameters of filters already have.
const RESERVED: &[&str] = &["q", "area", "state", "verdict", "provider"];

/// The fields that the vocabulary declares; reports contradictions.
pub(super) fn declared(draft: &Draft, symbols: &SymbolTable, diagnostics: &mut Diagnostics) -> Vec<Field> {
    let file = &draft.vocabulary_file;
    let declared = &draft.vocabulary.fields.0;
    let mut field = |(id, facts): &(Spanned<Id>, Spanned<FieldFacts>)| {
        let mut report = |span: Span, message: String, help: &str| {
            diagnostics.report(Rule::InvalidValue, Place::new(file.clone(), span), message, help);
        };
        if RESERVED.contains(&id.as_str()) {
            report(id.span, format!("`{}` is the name of a built-in filter", id.value), "choose another name for the field");
        }
        if facts.kind == FieldType::Enum && facts.values.0.is_empty() {
            report(id.span, format!("the field `{}` has no values", id.value), "add `values: {gold: {en: Gold}, …}`, or another `type`");
        }
        if let Some((value, _)) = facts.values.0.first().filter(|_| facts.kind != FieldType::Enum) {
            report(value.span, format!("the field `{}` is not an enumeration", id.value), "add `type: enum`, or remove `values`");
        }
        let mut text = |written| local_text(written, symbols, file, diagnostics);
        Field {
            id: id.value.clone(),
            label: text(&facts.label),
            kind: match facts.kind {
                FieldType::Text => FieldKind::Text,
                FieldType::Url => FieldKind::Url,
                FieldType::List => FieldKind::List,
                FieldType::Enum => FieldKind::Enum(
                    facts.values.0.iter().map(|(id, label)| FieldTerm { id: id.value.clone(), label: text(label) }).collect(),
                ),
                FieldType::Person => FieldKind::Person,
                FieldType::Date => FieldKind::Date,
            },
            of: facts.of.iter().map(|owner| kind(*owner)).collect(),
            on_page: facts.shown.contains(&FieldPlace::Page),
            in_list: facts.shown.contains(&FieldPlace::List),
            filters: facts.filter,
            required: facts.required,
        }
    };
    declared.iter().map(&mut field).collect()
}

const fn kind(owner: FieldOwner) -> EntityKind {
    match owner {
        FieldOwner::Component => EntityKind::Component,
        FieldOwner::Provider => EntityKind::Provider,
        FieldOwner::Concept => EntityKind::Concept,
    }
}
