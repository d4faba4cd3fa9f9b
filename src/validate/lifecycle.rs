//! Lifecycles: releases in order, and a state that agrees with them.

use super::context::FileContext;
use crate::{
    diagnostic::{Diagnostic, Rule},
    facts::{LifecycleFacts, LifecycleState},
    kb::{Lifecycle, ReleaseIndex, Since},
    layout::EntityKind,
    text::Span,
};

/// The value of `since` where the first release is not known.
const UNKNOWN: &str = "unknown";

/// A release of a lifecycle and the key that states it.
struct LifecycleStage {
    key: &'static str,
    release: ReleaseIndex,
    span: Span,
}

pub(super) fn check(facts: &LifecycleFacts, file: &mut FileContext<'_, '_>) -> Lifecycle {
    let known_since = facts.since.as_ref().filter(|since| since.value.0 != UNKNOWN);
    let stages = [("since", known_since), ("deprecated", facts.deprecated.as_ref()), ("removed", facts.removed.as_ref())]
        .map(|(key, written)| Some(LifecycleStage { key, release: file.release(written)?, span: written?.span }));
    let [since, deprecated, removed] = stages.each_ref().map(|stage| stage.as_ref().map(|stage| stage.release));
    check_order(&stages.iter().flatten().collect::<Vec<_>>(), file);
    check_state(facts, deprecated, removed, file);
    let kinds = [EntityKind::Component, EntityKind::Concept];
    let replaced_by = facts.replaced_by.iter().filter(|id| file.require(id, &kinds)).map(|id| id.value.clone()).collect();
    if facts.state.value != LifecycleState::Unknown || deprecated.is_some() || removed.is_some() {
        file.needs_evidence(&facts.evidence, facts.state.span, "the lifecycle");
    }
    Lifecycle {
        state: facts.state.value,
        since: if facts.since.is_some() && known_since.is_none() { Some(Since::Unknown) } else { since.map(Since::Release) },
        deprecated,
        removed,
        replaced_by,
        evidence: file.evidence(&facts.evidence),
    }
}

/// Reports each stage that comes before the one ahead of it.
fn check_order(stages: &[&LifecycleStage], file: &mut FileContext<'_, '_>) {
    for pair in stages.windows(2) {
        let [earlier, later] = pair else { continue };
        // The release that introduces an entity can also deprecate it, and the one that deprecates it can remove it; only the first release can't remove it.
        let strict = later.key == "removed" && earlier.key == "since";
        if earlier.release > later.release || (strict && earlier.release == later.release) {
            let vocabulary = file.context.vocabulary;
            let (a, b) = (&vocabulary.release(earlier.release).name, &vocabulary.release(later.release).name);
            let message = format!("`{}: {b}` comes before `{}: {a}`", later.key, earlier.key);
            let unordered = Diagnostic::new(Rule::LifecycleOrder, file.place(later.span), message);
            let unordered = unordered.related(file.place(earlier.span), format!("`{}` is here", earlier.key));
            file.push(unordered.help("a lifecycle goes from since to deprecated to removed; correct one of the releases"));
        }
    }
}

/// Reports a state that contradicts the published releases.
fn check_state(facts: &LifecycleFacts, deprecated: Option<ReleaseIndex>, removed: Option<ReleaseIndex>, file: &mut FileContext<'_, '_>) {
    use LifecycleState::{Archived, Deprecated, Removed};
    let vocabulary = file.context.vocabulary;
    let is_out = |index: Option<ReleaseIndex>| index.is_some_and(|index| vocabulary.release(index).date.is_some());
    let state = facts.state.value;
    let why = if is_out(removed) {
        (!matches!(state, Removed | Archived)).then_some("a release that is out has removed it")
    } else if is_out(deprecated) && !matches!(state, Deprecated | Archived | Removed) {
        Some("a release that is out has deprecated it")
    } else {
        (state == Removed && removed.is_some()).then_some("the release that removes it is not out yet")
    };
    if let Some(why) = why {
        let help = if is_out(removed) { "write `state: removed`" } else { "write `state: deprecated`, or correct the release" };
        file.report(Rule::LifecycleState, facts.state.span, format!("the state contradicts the releases: {why}"), help);
    }
}
