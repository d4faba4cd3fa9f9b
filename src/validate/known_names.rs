//! Names outside of listings: images, alerts, metrics, labels … Each is a name, and belongs to one component.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use super::{context::FileContext, entity_facts::EntityFacts as _};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::{ComponentFacts, EvidenceKeys, KnownNameFacts, KnownNameKind},
    id::Id,
    kb::{KnownNames, is_prefix},
    listing::{MIN_MESSAGE_WORDS, message_parts},
    load::Draft,
};

/// The maximum length of a known name in bytes: that of a label with its prefix (253 + `/` + 63).
const MAX_KNOWN_NAME: usize = 317;

/// The valid names of an entry; reports the others.
pub(super) fn check(facts: &Spanned<KnownNameFacts>, file: &mut FileContext<'_, '_>) -> KnownNames {
    file.needs_evidence(&facts.evidence, facts.span, "this list of names");
    let mut names: Vec<String> = Vec::new();
    for name in &facts.names {
        let text = name.value.as_str();
        if let Some((message, help)) = in_log_problem(facts.kind, text) {
            file.report(Rule::InvalidValue, name.span, message, help);
            continue;
        }
        // A shorter one, such as `go_`, could be of any program.
        let is_vague =
            facts.kind != KnownNameKind::Message && is_prefix(text) && text.chars().filter(char::is_ascii_alphanumeric).count() < 4;
        let is_part = |c: char| !c.is_control() && (!c.is_whitespace() || facts.kind == KnownNameKind::Message);
        if text.is_empty() || text.len() > MAX_KNOWN_NAME || !text.chars().all(is_part) {
            let help = format!("write one name without spaces, of at most {MAX_KNOWN_NAME} bytes");
            file.report(Rule::InvalidValue, name.span, format!("`{text}` is not a name"), help);
        } else if is_vague {
            let help = "write a longer beginning, or whole names";
            file.report(Rule::InvalidValue, name.span, format!("the prefix `{text}` is too short"), help);
        } else if names.iter().any(|known| known == text) {
            file.report(Rule::InvalidValue, name.span, format!("the name `{text}` is repeated"), "remove one of them");
        } else {
            names.push(text.to_owned());
        }
    }
    KnownNames { kind: facts.kind, names, what: file.text(facts.what.as_ref()), evidence: file.evidence(&facts.evidence) }
}

/// The evidence that a file names only for messages and sources of log lines.
pub(super) fn evidence_of_messages(facts: &ComponentFacts) -> BTreeSet<&Id> {
    let is_of_log = |entry: &&Spanned<KnownNameFacts>| matches!(entry.kind, KnownNameKind::Message | KnownNameKind::LogSource);
    let of_log: Vec<&EvidenceKeys> = facts.names.iter().filter(is_of_log).map(|entry| &entry.evidence).collect();
    let is_other = |keys: &&EvidenceKeys| !of_log.iter().any(|own| std::ptr::eq(*own, *keys));
    let others: BTreeSet<&Id> = facts.citations().into_iter().filter(is_other).flatten().map(|key| &key.value).collect();
    of_log.iter().copied().flatten().map(|key| &key.value).filter(|key| !others.contains(key)).collect()
}

/// Why a message or the source of a log line could be that of any program, with a help text.
fn in_log_problem(kind: KnownNameKind, text: &str) -> Option<(String, String)> {
    match kind {
        KnownNameKind::Message => {
            let parts = message_parts(text);
            let is_specific = parts.iter().map(Vec::len).sum::<usize>() >= MIN_MESSAGE_WORDS && parts.iter().any(|words| words.len() > 1);
            let help =
                format!("write at least {MIN_MESSAGE_WORDS} words as printed, two of them adjacent, with `…` for each variable part");
            (!is_specific).then(|| (format!("the message `{text}` has too few words"), help))
        }
        KnownNameKind::LogSource => {
            let problem = (
                format!("the log source `{text}` could be that of any program"),
                "write the folder with the file: `ipamd/ipamd.go`".to_owned(),
            );
            (!text.contains(['_', '-', '/'])).then_some(problem)
        }
        _ => None,
    }
}

/// Reports images and other names that two components state: a container or an alert would belong to both.
pub(super) fn report_shared(draft: &Draft, diagnostics: &mut Diagnostics) {
    let mut owners: BTreeMap<(&str, Cow<'_, str>), (&Id, Place)> = BTreeMap::new();
    for loaded in &draft.components {
        let Some(facts) = &loaded.facts else { continue };
        let images = facts.images.iter().map(|image| ("image", image));
        let names = facts.names.iter().flat_map(|entry| entry.names.iter().map(|name| (entry.kind.name(), name)));
        for (kind, name) in images.chain(names) {
            let place = Place::new(loaded.file.clone(), name.span);
            // Messages with the same words can't be told apart.
            let key = if kind == KnownNameKind::Message.name() {
                Cow::Owned(message_parts(&name.value).into_iter().map(|words| words.join(" ")).collect::<Vec<_>>().join(" … "))
            } else {
                Cow::Borrowed(name.value.as_str())
            };
            match owners.get(&(kind, key.clone())) {
                Some((owner, first)) if **owner != loaded.id => {
                    let message = format!("`{owner}` and `{}` both have the {kind} `{}`", loaded.id, name.value);
                    let found =
                        Diagnostic::new(Rule::PatternClash, place, message).related(first.clone(), format!("the {kind} of `{owner}`"));
                    diagnostics.push(found.help("keep it in the component whose project builds or defines it"));
                }
                Some(_) => {}
                None => {
                    owners.insert((kind, key), (&loaded.id, place));
                }
            }
        }
    }
}
