//! Name patterns: examples are recognised, counter-examples are not, and no row has two owners.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::Things;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::ComponentFacts,
    id::Id,
    kb::Component,
    listing::{OwnedPattern, Pattern, PatternClash, Recognised, Recogniser, ShownPiece, parse_row},
    load::{Draft, Loaded},
};

pub(super) fn check(draft: &Draft, components: &Things<Component>, diagnostics: &mut Diagnostics) -> Recogniser {
    let outer = diagnostics.enter(Scope::Rows);
    let recogniser = recogniser(components);
    let clashing = clashes(draft, &recogniser, diagnostics);
    let check = |loaded: &Loaded<ComponentFacts>| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.enter(Scope::Rows);
        if let Some(facts) = &loaded.facts {
            let understood = components.get(&loaded.id).is_some_and(|component| component.listing.len() == facts.listing.len());
            rows(loaded, facts, understood && loaded.whole, &recogniser, &clashing, &mut diagnostics);
        }
        diagnostics
    };
    let found: Vec<Diagnostics> = draft.components.par_iter().map(|loaded| check(loaded)).collect();
    for found in found {
        diagnostics.append(found);
    }
    diagnostics.enter(outer);
    recogniser
}

/// Whose row is it?
pub(super) fn recogniser(components: &Things<Component>) -> Recogniser {
    let patterns = components.values().flat_map(|component| {
        component.listing.iter().enumerate().map(|(entry, listing)| OwnedPattern {
            component: component.id.clone(),
            entry,
            providers: listing.providers.clone(),
            pattern: listing.pattern.clone(),
        })
    });
    Recogniser::new(patterns.collect())
}

/// Reports patterns of two components that claim the same row; returns the pairs of components.
fn clashes(draft: &Draft, recogniser: &Recogniser, diagnostics: &mut Diagnostics) -> BTreeSet<(Id, Id)> {
    let place = |owned: &OwnedPattern| {
        let loaded = draft.components.iter().find(|loaded| loaded.id == owned.component)?;
        // Entries are counted without those that are no patterns.
        let entries = loaded.facts.as_ref()?.listing.iter();
        let mut entries = entries.filter(|entry| Pattern::new(&entry.kind, &entry.name, entry.namespace.as_deref()).is_ok());
        let listing = entries.nth(owned.entry)?;
        Some(Place::new(loaded.file.clone(), listing.span))
    };
    let mut clashing = BTreeSet::new();
    for PatternClash { first, second, row } in recogniser.clashes() {
        let (a, b) = (&recogniser.patterns()[first], &recogniser.patterns()[second]);
        let (Some(a_place), Some(b_place)) = (place(a), place(b)) else { continue };
        clashing.extend([(a.component.clone(), b.component.clone()), (b.component.clone(), a.component.clone())]);
        let kind = row.kind.unwrap_or_default();
        let message = format!("`{}` and `{}` both claim the row `{kind} {}`", a.component, b.component, row.name);
        let found = Diagnostic::new(Rule::PatternClash, b_place, message).related(a_place, format!("`{}` claims it here", a.component));
        diagnostics.push(found.help("make one of the patterns more literal, or leave the row to one of the two"));
    }
    clashing
}

/// What to do about a row that no pattern fits: which names the component's own patterns stand for.
fn recognised_names(own: &[OwnedPattern]) -> String {
    if own.is_empty() {
        return "add a `listing` entry with its kind, name and namespace; a Deployment's entry covers its ReplicaSets and Pods, too"
            .to_owned();
    }
    const MOST: usize = 6;
    let shown = own.iter().flat_map(|owned| owned.pattern.shown().into_iter().map(|name| (name, owned.pattern.namespace())));
    let mut names: Vec<String> = Vec::new();
    for (name, namespace) in shown {
        let piece = |piece: &ShownPiece| if piece.variable { format!("{{{}}}", piece.text) } else { piece.text.clone() };
        let text: String = name.pieces.iter().map(piece).collect();
        let place = namespace.map(|namespace| format!(" in {namespace}")).unwrap_or_default();
        names.push(format!("{} `{text}`{place}", name.kind));
    }
    let more = if names.len() > MOST { " …" } else { "" };
    names.truncate(MOST);
    format!("its patterns fit {}{more}; correct the row, or add a `listing` entry for it", names.join(", "))
}

/// Checks the rows of one component. `understood`: none of its patterns was left out because of a mistake.
fn rows(
    loaded: &Loaded<ComponentFacts>,
    facts: &ComponentFacts,
    understood: bool,
    recogniser: &Recogniser,
    clashing: &BTreeSet<(Id, Id)>,
    diagnostics: &mut Diagnostics,
) {
    let place = |row: &Spanned<String>| Place::new(loaded.file.clone(), row.span);
    let seen_at = facts.listing.iter().flat_map(|entry| entry.providers.iter().map(|id| &id.value));
    for example in &facts.examples {
        let Some(row) = parse_row(example) else {
            diagnostics.push(
                Diagnostic::new(Rule::ExampleNotRecognised, place(example), "this example is no row")
                    .help("write a row as kubectl prints it"),
            );
            continue;
        };
        let (message, help) = match recogniser.recognise(&row, None) {
            Recognised::One(id) if *id == loaded.id => continue,
            Recognised::One(id) => (
                format!("this row is recognised as `{id}`"),
                format!("make the pattern of `{}` more literal than that of `{id}`, or move the example there", loaded.id),
            ),
            // Where it is seen, no other component has this name.
            Recognised::Several(_) if seen_at.clone().any(|id| recogniser.recognise(&row, Some(id)) == Recognised::One(&loaded.id)) => {
                continue;
            }
            // The clash itself is reported.
            Recognised::Several(ids) if ids.iter().any(|id| clashing.contains(&(loaded.id.clone(), (*id).clone()))) => continue,
            Recognised::Nothing if !understood => continue,
            Recognised::Several(ids) => {
                let ids: Vec<String> = ids.into_iter().map(|id| format!("`{id}`")).collect();
                (format!("this row is claimed equally by {}", ids.join(" and ")), "make one of their patterns more literal".to_owned())
            }
            Recognised::Nothing => {
                let of_kind = row.kind.as_deref().map(|kind| format!(" of kind {kind}")).unwrap_or_default();
                (format!("no pattern recognises the name `{}`{of_kind}", row.name), recognised_names(recogniser.of(&loaded.id)))
            }
        };
        diagnostics.push(Diagnostic::new(Rule::ExampleNotRecognised, place(example), message).help(help));
    }
    for example in &facts.not {
        let claimed = parse_row(example).is_some_and(|row| match recogniser.recognise(&row, None) {
            Recognised::One(id) => *id == loaded.id,
            Recognised::Several(ids) => ids.contains(&&loaded.id),
            Recognised::Nothing => false,
        });
        if claimed {
            let message = format!("this row is recognised as `{}`, and it must not be", loaded.id);
            let help = "make the pattern narrower: add a namespace, or `{number}` or `{version}` instead of `{word}` or `{node}`";
            diagnostics.push(Diagnostic::new(Rule::CounterExampleRecognised, place(example), message).help(help));
        }
    }
    if let (Some(first), true) = (facts.listing.first(), facts.examples.is_empty()) {
        let found =
            Diagnostic::new(Rule::MissingExample, Place::new(loaded.file.clone(), first.span), "no example row proves these patterns");
        diagnostics.push(found.help("add `examples` with rows that kubectl has printed"));
    }
}
