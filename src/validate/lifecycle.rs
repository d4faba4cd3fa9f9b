//! Lifecycles: releases in order, and a state that agrees with them.

use super::entities::FileContext;
use crate::{
    diagnostic::{Diagnostic, Rule},
    facts::{LifecycleFacts, State},
    kb::{Lifecycle, ReleaseIndex, Since},
    layout::EntityKind,
    text::Span,
};

/// The word for what nobody says.
const UNKNOWN: &str = "unknown";

pub(super) fn check(facts: &LifecycleFacts, file: &mut FileContext<'_, '_>) -> Lifecycle {
    let find = |written: &Option<crate::decode::Spanned<crate::facts::Word>>, file: &mut FileContext<'_, '_>| {
        Some((file.release(written.as_ref())?, written.as_ref()?.span))
    };
    let since = match &facts.since {
        Some(word) if word.value.0 == UNKNOWN => Some((Since::Unknown, word.span)),
        since => find(since, file).map(|(index, span)| (Since::Release(index), span)),
    };
    let deprecated = find(&facts.deprecated, file);
    let removed = find(&facts.removed, file);
    let first = match since {
        Some((Since::Release(index), span)) => Some(("since", index, span)),
        _ => None,
    };
    let stages =
        [first, deprecated.map(|(index, span)| ("deprecated", index, span)), removed.map(|(index, span)| ("removed", index, span))];
    order(&stages.into_iter().flatten().collect::<Vec<_>>(), file);
    state(facts, deprecated.map(|(index, _)| index), removed.map(|(index, _)| index), file);
    let kinds = [EntityKind::Component, EntityKind::Concept];
    let replaced_by = facts.replaced_by.iter().filter(|id| file.require(id, &kinds)).map(|id| id.value.clone()).collect();
    let evidence = file.evidence(&facts.evidence);
    let says_something = facts.state.value != State::Unknown || deprecated.is_some() || removed.is_some();
    if says_something {
        file.needs_evidence(&facts.evidence, facts.state.span, "the lifecycle");
    }
    Lifecycle {
        state: facts.state.value,
        since: since.map(|(since, _)| since),
        deprecated: deprecated.map(|(index, _)| index),
        removed: removed.map(|(index, _)| index),
        replaced_by,
        evidence,
    }
}

/// Each stage comes after the one before it.
fn order(stages: &[(&str, ReleaseIndex, Span)], file: &mut FileContext<'_, '_>) {
    for pair in stages.windows(2) {
        let [(earlier, a, earlier_span), (later, b, later_span)] = pair else { continue };
        // Something may be born deprecated, or removed in the release that deprecates it, but not gone in its first release.
        let wrong = if *later == "removed" && *earlier == "since" { a >= b } else { a > b };
        if wrong {
            let (a, b) = (file.vocabulary().release(*a).name.clone(), file.vocabulary().release(*b).name.clone());
            let found =
                Diagnostic::new(Rule::LifecycleOrder, file.place(*later_span), format!("`{later}: {b}` comes before `{earlier}: {a}`"));
            let found = found.related(file.place(*earlier_span), format!("`{earlier}` is here"));
            file.diagnostics().push(found.help("a lifecycle goes from since to deprecated to removed; correct one of the releases"));
        }
    }
}

/// The state says what the releases say, as of the newest release that is out.
fn state(facts: &LifecycleFacts, deprecated: Option<ReleaseIndex>, removed: Option<ReleaseIndex>, file: &mut FileContext<'_, '_>) {
    let vocabulary = file.vocabulary();
    let is_out = |index: Option<ReleaseIndex>| index.is_some_and(|index| vocabulary.release(index).date.is_some());
    let expected: &[State] = if is_out(removed) {
        &[State::Removed, State::Archived]
    } else if is_out(deprecated) {
        &[State::Deprecated, State::Archived, State::Removed]
    } else {
        &[State::Active, State::Archived, State::Unknown, State::Removed, State::Deprecated]
    };
    let contradiction = if !expected.contains(&facts.state.value) {
        if is_out(removed) { Some("a release that is out has removed it") } else { Some("a release that is out has deprecated it") }
    } else if facts.state.value == State::Removed && removed.is_some() && !is_out(removed) {
        Some("the release that removes it is not out yet")
    } else {
        None
    };
    if let Some(why) = contradiction {
        let found =
            Diagnostic::new(Rule::LifecycleState, file.place(facts.state.span), format!("the state contradicts the releases: {why}"));
        let help = if is_out(removed) { "write `state: removed`" } else { "write `state: deprecated`, or correct the release" };
        file.diagnostics().push(found.help(help));
    }
}
