//! Names outside of listings: images, alerts, metrics, labels … Each is a name, and belongs to one component.

use std::collections::BTreeMap;

use super::context::FileContext;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule},
    facts::KnownNameFacts,
    id::Id,
    kb::{KnownNames, is_prefix},
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
        // A shorter one, such as `go_`, could be of any program.
        let is_vague = is_prefix(text) && text.chars().filter(char::is_ascii_alphanumeric).count() < 4;
        if text.is_empty() || text.len() > MAX_KNOWN_NAME || text.chars().any(|c| c.is_whitespace() || c.is_control()) {
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

/// Reports images and other names that two components state: a container or an alert would belong to both.
pub(super) fn report_shared(draft: &Draft, diagnostics: &mut Diagnostics) {
    let mut owners: BTreeMap<(&str, &str), (&Id, Place)> = BTreeMap::new();
    for loaded in &draft.components {
        let Some(facts) = &loaded.facts else { continue };
        let images = facts.images.iter().map(|image| ("image", image));
        let names = facts.names.iter().flat_map(|entry| entry.names.iter().map(|name| (entry.kind.name(), name)));
        for (kind, name) in images.chain(names) {
            let place = Place::new(loaded.file.clone(), name.span);
            match owners.get(&(kind, name.value.as_str())) {
                Some((owner, first)) if **owner != loaded.id => {
                    let message = format!("`{owner}` and `{}` both have the {kind} `{}`", loaded.id, name.value);
                    let found =
                        Diagnostic::new(Rule::PatternClash, place, message).related(first.clone(), format!("the {kind} of `{owner}`"));
                    diagnostics.push(found.help("keep it in the component whose project builds or defines it"));
                }
                Some(_) => {}
                None => {
                    owners.insert((kind, &name.value), (&loaded.id, place));
                }
            }
        }
    }
}
