//! Name patterns: each example row matches its component, no counter-example does, and no row matches two components.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::known_names;
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, Place, Rule, Scope},
    facts::ComponentFacts,
    id::Id,
    kb::{Component, EntityMap},
    listing::{OwnedPattern, Pattern, PatternClash, Recognised, Recogniser, ShownPiece, parse_lines, parse_row},
    load::{Draft, Loaded},
};

/// Builds the recogniser of all patterns, and checks the rows of every component with it.
pub(super) fn check(draft: &Draft, components: &EntityMap<Component>, diagnostics: &mut Diagnostics) -> Recogniser {
    let outer = diagnostics.enter(Scope::Rows);
    let recogniser = recogniser(components);
    let clashing = clashes(draft, &recogniser, diagnostics);
    known_names::report_shared(draft, diagnostics);
    let check = |loaded: &Loaded<ComponentFacts>| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.enter(Scope::Rows);
        if let Some(facts) = &loaded.facts {
            let all_valid = components.get(&loaded.id).is_some_and(|component| component.listing.len() == facts.listing.len());
            let complete = all_valid && loaded.whole;
            RowCheck { loaded, facts, complete, recogniser: &recogniser, clashing: &clashing }.check(&mut diagnostics);
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

fn recogniser(components: &EntityMap<Component>) -> Recogniser {
    let patterns = components.values().flat_map(|component| {
        component.listing.iter().enumerate().map(|(entry, listing)| OwnedPattern {
            component: component.id.clone(),
            entry,
            providers: listing.providers.clone(),
            pattern: listing.pattern.clone(),
        })
    });
    let images = components.values().flat_map(|component| component.images.iter().map(|image| (image.clone(), component.id.clone())));
    let names = components.values().flat_map(|component| {
        let names = component.names.iter().flat_map(|entry| entry.names.iter().map(|name| (entry.kind, name.clone())));
        names.map(|(kind, name)| (kind, name, component.id.clone()))
    });
    Recogniser::new(patterns.collect()).with_images(images).with_known_names(names)
}

/// Reports patterns of two components that match the same row; returns the pairs of components, in both orders.
fn clashes(draft: &Draft, recogniser: &Recogniser, diagnostics: &mut Diagnostics) -> BTreeSet<(Id, Id)> {
    let place = |owned: &OwnedPattern| {
        let loaded = draft.components.iter().find(|loaded| loaded.id == owned.component)?;
        // The recogniser numbers valid entries only.
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
        let message = format!("`{}` and `{}` both match `{kind} {}`", a.component, b.component, row.name);
        let found = Diagnostic::new(Rule::PatternClash, b_place, message).related(a_place, format!("the entry of `{}`", a.component));
        diagnostics.push(found.help("make one of the patterns more literal, or remove the entry from one of the two"));
    }
    clashing
}

/// The help for a row that no pattern matches: the names that the component's own patterns match.
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
    format!("its patterns match {}{more}; fix the line, or add a `listing` entry for it", names.join(", "))
}

struct RowCheck<'a> {
    loaded: &'a Loaded<ComponentFacts>,
    facts: &'a ComponentFacts,
    /// Whether every pattern of the file is valid.
    complete: bool,
    recogniser: &'a Recogniser,
    /// Pairs of components whose patterns match a common row, which is already reported.
    clashing: &'a BTreeSet<(Id, Id)>,
}

impl RowCheck<'_> {
    fn check(&self, diagnostics: &mut Diagnostics) {
        diagnostics.extend(self.facts.examples.iter().filter_map(|example| self.example(example)));
        diagnostics.extend(self.facts.not.iter().filter_map(|example| self.counter_example(example)));
        if let (Some(first), true) = (self.facts.listing.first(), self.facts.examples.is_empty()) {
            let place = Place::new(self.loaded.file.clone(), first.span);
            let missing = Diagnostic::new(Rule::MissingExample, place, "no example tests these patterns");
            diagnostics.push(missing.help("add `examples`: lines of kubectl output"));
        }
    }

    fn place(&self, row: &Spanned<String>) -> Place {
        Place::new(self.loaded.file.clone(), row.span)
    }

    /// The finding about an example that is not recognised as this component alone.
    fn example(&self, example: &Spanned<String>) -> Option<Diagnostic> {
        let report =
            |message: String, help: String| Some(Diagnostic::new(Rule::ExampleNotRecognised, self.place(example), message).help(help));
        let own = &self.loaded.id;
        let printed = self.in_text(example);
        if printed.contains(own) {
            return None;
        }
        if let [other, ..] = printed.as_slice() {
            return report(
                format!("this line is recognised as `{other}`"),
                format!("add its message to the `names` of `{own}`, or move the example to `{other}`"),
            );
        }
        let Some(row) = parse_row(example) else {
            return report(
                "this example is neither a line of kubectl output nor one with a known name or message".to_owned(),
                "write a line as kubectl prints it, or add the message to `names`".to_owned(),
            );
        };
        let mut providers = self.facts.listing.iter().flat_map(|entry| &entry.providers);
        match self.recogniser.recognise(&row, None) {
            Recognised::One(id) if id == own => None,
            Recognised::One(id) => report(
                format!("this line is recognised as `{id}`"),
                format!("make the pattern of `{own}` more literal than that of `{id}`, or move the example there"),
            ),
            // The row is unambiguous at a provider that has it.
            Recognised::Several(_) if providers.any(|id| self.recogniser.recognise(&row, Some(&id.value)) == Recognised::One(own)) => None,
            Recognised::Several(ids) if ids.iter().any(|id| self.clashing.contains(&(own.clone(), (*id).clone()))) => None,
            Recognised::Several(ids) => {
                let ids: Vec<String> = ids.into_iter().map(|id| format!("`{id}`")).collect();
                let message = format!("this line matches equally well {}", ids.join(" and "));
                report(message, "make one of their patterns more literal".to_owned())
            }
            // The pattern that should match may be invalid.
            Recognised::Nothing if !self.complete => None,
            Recognised::Nothing => {
                let of_kind = row.kind.as_deref().map(|kind| format!(" of kind {kind}")).unwrap_or_default();
                let message = format!("no pattern recognises the name `{}`{of_kind}", row.name);
                report(message, recognised_names(self.recogniser.of(own)))
            }
        }
    }

    /// The components of the names and messages in a line, unless it is a row.
    fn in_text(&self, line: &str) -> Vec<Id> {
        let names = self.recogniser.known_names();
        let rows = names.in_text(line, &parse_lines(line), |_| true, |_| true).into_iter();
        rows.filter_map(|(_, row)| names.of_row(row.kind.as_deref()?, &row.name).cloned()).collect()
    }

    /// The finding about a counter-example that is recognised as this component.
    fn counter_example(&self, example: &Spanned<String>) -> Option<Diagnostic> {
        let own = &self.loaded.id;
        let of_row = parse_row(example).is_some_and(|row| match self.recogniser.recognise(&row, None) {
            Recognised::One(id) => id == own,
            Recognised::Several(ids) => ids.contains(&own),
            Recognised::Nothing => false,
        });
        let is_own = of_row || self.in_text(example).contains(own);
        let message = format!("this line is recognised as `{own}`, and it must not be");
        let help = "make the pattern narrower: add a namespace, or `{number}` or `{version}` instead of `{word}` or `{node}`";
        is_own.then(|| Diagnostic::new(Rule::CounterExampleRecognised, self.place(example), message).help(help))
    }
}
