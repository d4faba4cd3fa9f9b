//! The claims of providers: their subjects, and duplicates.

use std::{collections::BTreeMap, sync::Arc};

use super::{context::FileContext, symbols::TermKind};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Rule},
    facts::{ClaimFacts, Presence},
    id::Id,
    kb::{Claim, Component, EntityMap, Provider},
    layout::EntityKind,
};

pub(super) fn check(written: &[Spanned<ClaimFacts>], file: &mut FileContext<'_, '_>) -> Vec<Claim> {
    let mut seen = BTreeMap::new();
    let mut claims = Vec::new();
    for facts in written {
        let role = facts.role.as_ref().filter(|role| file.require_term(role, TermKind::Role));
        let component = facts.component.as_ref().filter(|id| file.require(id, &[EntityKind::Component]));
        if facts.role.is_none() && facts.component.is_none() {
            file.report(Rule::MissingField, facts.span, "this claim has no subject", "add `role`, `component` or both");
        }
        // All fields but confidence and evidence.
        let ClaimFacts { role: of_role, component: of_component, presence, form, since, until, what, .. } = &facts.value;
        let first = *seen.entry((of_role, of_component, presence, form, since, until, what)).or_insert(facts.span);
        if first != facts.span {
            let duplicate = Diagnostic::new(Rule::DuplicateClaim, file.place(facts.span), "this claim is repeated");
            let duplicate = duplicate.related(file.place(first), "first here");
            file.push(duplicate.help("remove one of them, and join their evidence"));
        }
        if facts.presence.value != Presence::Unknown {
            file.needs_evidence(&facts.evidence, facts.span, "this claim");
        }
        claims.push(Claim {
            role: role.map(|role| role.value.clone()),
            component: component.map(|id| id.value.clone()),
            presence: facts.presence.value,
            form: facts.form.clone(),
            since: facts.since.as_ref().map(|since| since.0.clone()),
            until: facts.until.as_ref().map(|until| until.0.clone()),
            what: file.text(facts.what.as_ref()),
            confidence: facts.confidence,
            evidence: file.evidence(&facts.evidence),
        });
    }
    claims
}

/// Sets the references from each component to the claims about it. Components whose claims did not change stay shared with the previous knowledge base.
pub(super) fn attach(components: &mut EntityMap<Component>, providers: &EntityMap<Provider>) {
    let mut claims: BTreeMap<&Id, Vec<(Id, usize)>> = BTreeMap::new();
    for (id, provider) in providers {
        for (index, claim) in provider.claims.iter().enumerate() {
            if let Some(component) = &claim.component {
                claims.entry(component).or_default().push((id.clone(), index));
            }
        }
    }
    for (id, component) in components.iter_mut() {
        let claims = claims.remove(id).unwrap_or_default();
        if component.claims != claims {
            Arc::make_mut(component).claims = claims;
        }
    }
}
