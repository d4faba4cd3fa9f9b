//! The values of the site's own fields.

use super::context::FileContext;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Rule},
    facts::{Day, FieldValueFacts, FieldValues},
    kb::{Field, FieldEntry, FieldKind, FieldValue},
    layout::{EntityKind, VOCABULARY},
    text::{Span, did_you_mean, listed},
    url,
};

/// The values of an entity, in the order of the vocabulary; reports unknown fields, values of other types, and required fields without a value. `head` is the
/// place for what is missing.
pub(super) fn check(written: &FieldValues, kind: EntityKind, head: Span, file: &mut FileContext<'_, '_>) -> Vec<FieldEntry> {
    let fields = &file.context.vocabulary.fields;
    let of_kind = || fields.iter().filter(|field| field.of.contains(&kind));
    for (id, _) in &written.0 {
        let Some(field) = fields.iter().find(|field| field.id == id.value) else {
            if file.context.symbols.vocabulary_complete {
                let known = of_kind().map(|field| field.id.as_str());
                let otherwise = match listed(of_kind().map(|field| field.id.as_str())).as_str() {
                    "" => format!("declare it in `fields` of `{VOCABULARY}`"),
                    known => format!("a {} has {known}; a new one goes into `fields` of `{VOCABULARY}`", kind.name()),
                };
                let unknown =
                    Diagnostic::new(Rule::UnknownWord, file.place(id.span), format!("the vocabulary has no field `{}`", id.value));
                let meant = did_you_mean(id.as_str(), known);
                file.push(unknown.suggest(meant, otherwise));
            }
            continue;
        };
        if !field.of.contains(&kind) {
            let message = format!("a {} has no field `{}`", kind.name(), id.value);
            let help = format!("remove it, or add `{}` to `of` of the field in `{VOCABULARY}`", kind.name());
            file.report(Rule::UnknownWord, id.span, message, help);
        }
    }
    let mut entries = Vec::new();
    for field in of_kind() {
        let Some((_, value)) = written.0.iter().find(|(id, _)| id.value == field.id) else {
            if field.required && file.context.thorough {
                let message = format!("the field `{}` is missing", field.id);
                file.report(Rule::MissingField, head, message, format!("add `fields: {{{}: …}}`", field.id));
            }
            continue;
        };
        let values = values(value, field, file);
        if !values.is_empty() {
            entries.push(FieldEntry { field: field.id.clone(), values });
        }
    }
    entries
}

/// The valid values of a field; reports the others.
fn values(written: &Spanned<FieldValueFacts>, field: &Field, file: &mut FileContext<'_, '_>) -> Vec<FieldValue> {
    let many: Vec<(&str, Span)> = match &written.value {
        FieldValueFacts::One(text) => vec![(text, written.span)],
        FieldValueFacts::List(items) => items.iter().map(|item| (item.value.0.as_str(), item.span)).collect(),
        FieldValueFacts::Local(texts) if matches!(field.kind, FieldKind::Text) => {
            let text = file.text(Some(&Spanned::new(texts.clone(), written.span)));
            return text.map(FieldValue::Local).into_iter().collect();
        }
        FieldValueFacts::Local(_) => {
            let message = format!("the field `{}` is of the type `{}`, which is the same in every language", field.id, field.kind.name());
            file.report(Rule::InvalidValue, written.span, message, "write one value");
            return Vec::new();
        }
    };
    if matches!(written.value, FieldValueFacts::List(_)) && matches!(field.kind, FieldKind::Text) {
        let message = format!("the field `{}` is one text, and this is a list", field.id);
        file.report(Rule::InvalidValue, written.span, message, format!("write one text, or declare `type: list` in `{VOCABULARY}`"));
        return Vec::new();
    }
    let value = |(text, span): (&str, Span)| {
        let checked = value(text.trim(), field);
        checked.map_err(|help| file.report(Rule::InvalidValue, span, format!("`{text}` is not a value of `{}`", field.id), help)).ok()
    };
    many.into_iter().filter_map(value).collect()
}

/// The value in the type of a field, else what to write.
fn value(text: &str, field: &Field) -> Result<FieldValue, String> {
    if text.is_empty() {
        return Err("write the value, or leave the key out".to_owned());
    }
    match &field.kind {
        FieldKind::Text | FieldKind::List => Ok(FieldValue::Plain(text.to_owned())),
        FieldKind::Url if is_address(text) => {
            let label = text.split_once(':').map_or(text, |(_, rest)| rest).trim_matches('/');
            Ok(FieldValue::Link { label: label.to_owned(), url: text.to_owned() })
        }
        FieldKind::Url => Err("write a whole address, such as `https://git.example/team/project`".to_owned()),
        FieldKind::Enum(values) => {
            let known = || values.iter().map(|value| value.id.as_str());
            let found = values.iter().find(|value| value.id.as_str() == text).map(|value| FieldValue::Term(value.id.clone()));
            let help = || did_you_mean(text, known()).map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
            found.ok_or_else(|| format!("{}allowed are {}", help(), listed(known())))
        }
        FieldKind::Person => person(text).ok_or_else(|| "write `Name <name@example.org>`, `Name <https://…>` or a name".to_owned()),
        FieldKind::Date => text.parse().map(|day| FieldValue::Day(Day(day))).map_err(|_| "write `YYYY-MM-DD`".to_owned()),
    }
}

/// `Name <address>`, an e-mail address, or a name.
fn person(text: &str) -> Option<FieldValue> {
    let link = |label: &str, address: &str| {
        let url = if is_address(address) { address.to_owned() } else { format!("mailto:{}", is_mail(address).then_some(address)?) };
        Some(FieldValue::Link { label: label.to_owned(), url })
    };
    match text.strip_suffix('>').and_then(|rest| rest.split_once('<')) {
        Some((name, address)) => {
            let (name, address) = (name.trim(), address.trim());
            link(if name.is_empty() { address } else { name }, address)
        }
        None if is_mail(text) => link(text, text),
        None => (!text.contains(['<', '>'])).then(|| FieldValue::Plain(text.to_owned())),
    }
}

/// Whether a text is an address with a scheme that pages can link to.
fn is_address(text: &str) -> bool {
    let rest = |scheme: &str| text.get(scheme.len()..).is_some_and(|rest| !rest.is_empty());
    let has_scheme = match url::scheme(text).as_deref() {
        Some("https") => rest("https://"),
        Some("http") => rest("http://"),
        Some("mailto") => rest("mailto:"),
        _ => false,
    };
    has_scheme && !text.contains(|c: char| c.is_whitespace() || c.is_control())
}

fn is_mail(text: &str) -> bool {
    let is_part = |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c.is_control() || "<>@:/?".contains(c));
    text.split_once('@').is_some_and(|(name, host)| is_part(name) && is_part(host))
}
