//! The answers to "Can I delete it?" on the page of a component.

use serde::Serialize;

use super::{
    labels::{self, TermView},
    reader::{CiteView, LinkView, Reader},
};
use crate::{
    facts::Verdict,
    id::Id,
    kb::{Component, Deletion, Removal, RemovalCase},
    listing::{Controller, POD, STATIC_POD},
};

/// All answers of a page.
#[derive(Serialize)]
pub(super) struct DeletionView<'a> {
    /// For the Pods of the component, then for the object itself.
    own: Vec<AnswerView<'a>>,
    /// The providers that differ, and sections.
    others: Vec<AnswerView<'a>>,
}

/// One answer: what is deleted, the verdict, and its details.
#[derive(Serialize)]
struct AnswerView<'a> {
    /// The section or the provider that the answer is for.
    link: Option<LinkView>,
    /// For a section: the provider that differs.
    at: Option<LinkView>,
    /// The kinds of what is deleted; empty for an object without Pods.
    kinds: String,
    verdict: TermView,
    cites: Vec<CiteView>,
    details: Vec<DetailView<'a>>,
}

#[derive(Serialize)]
struct DetailView<'a> {
    label: &'a str,
    text: String,
}

/// The answers for a component; `None` if nothing is known.
pub(super) fn deletion<'a>(reader: &Reader<'a>, component: &'a Component) -> Option<DeletionView<'a>> {
    let builder = AnswerBuilder { reader, component };
    let mut own = builder.pods(None, &component.deletion);
    let mut others = Vec::new();
    if let Some(removal) = &component.deletion.removal {
        let mut general = builder.case(&removal.general);
        if removal.general.disable.is_none() {
            general.details.push(DetailView { label: reader.words("disable"), text: reader.words("no_disable").to_owned() });
        }
        own.push(AnswerView { kinds: builder.workload_kinds(None), ..general });
        others.extend(builder.providers(removal, |provider| (Some(provider), None)));
    }
    for (id, deletion) in &component.section_deletions {
        // What only follows from the kind is the same as for the component.
        if deletion.restart.is_some() {
            others.extend(builder.pods(Some(id), deletion));
        }
        if let Some(removal) = &deletion.removal {
            others.push(AnswerView { link: Some(reader.link(id)), ..builder.case(&removal.general) });
            others.extend(builder.providers(removal, |provider| (Some(reader.link(id)), Some(provider))));
        }
    }
    component.has_answers().then_some(DeletionView { own, others })
}

/// The verdicts for the component, or for the object of a section: the kinds of what is deleted, and the verdict. The kinds are empty for an object without Pods.
pub(super) fn verdicts(reader: &Reader<'_>, component: &Component, section: Option<&Id>) -> Vec<(String, TermView)> {
    let Some(deletion) = component.deletion_of(section) else { return Vec::new() };
    let builder = AnswerBuilder { reader, component };
    let pods = builder.pods(section, deletion).into_iter().map(|answer| (answer.kinds, answer.verdict));
    let object =
        deletion.removal.as_ref().map(|removal| (builder.workload_kinds(section), labels::verdict(reader, removal.general.verdict)));
    pods.chain(object).collect()
}

struct AnswerBuilder<'r, 'a> {
    reader: &'r Reader<'a>,
    component: &'a Component,
}

impl<'a> AnswerBuilder<'_, 'a> {
    /// The answers for the Pods of the component or of a section's object, one for each verdict.
    fn pods(&self, section: Option<&Id>, deletion: &'a Deletion) -> Vec<AnswerView<'a>> {
        let reader = self.reader;
        let mut by_verdict: Vec<(Verdict, Vec<Controller>)> = Vec::new();
        for (controller, verdict) in self.component.pod_answers(section) {
            match by_verdict.iter_mut().find(|(known, _)| *known == verdict) {
                Some((_, controllers)) => controllers.extend(controller),
                None => by_verdict.push((verdict, controller.into_iter().collect())),
            }
        }
        let answer = |(verdict, controllers): (Verdict, Vec<Controller>)| {
            let recreations: Vec<&str> = controllers.into_iter().map(|controller| reader.strings().recreation(controller)).collect();
            let impact = reader.optional(deletion.restart.as_ref().and_then(|restart| restart.impact.as_ref()));
            let details = [("effect", recreations.join(reader.words("sentence_separator"))), ("restart_impact", impact.to_owned())];
            AnswerView {
                link: section.map(|id| reader.link(id)),
                at: None,
                kinds: POD.to_owned(),
                verdict: labels::verdict(reader, verdict),
                cites: deletion.restart.as_ref().map(|it| reader.cites(&it.evidence, &self.component.evidence)).unwrap_or_default(),
                details: self.details(details),
            }
        };
        by_verdict.into_iter().map(answer).collect()
    }

    /// The answer for the object itself.
    fn case(&self, case: &'a RemovalCase) -> AnswerView<'a> {
        let texts = [("effect", &case.effect), ("restored_by", &case.restored_by), ("disable", &case.disable)];
        AnswerView {
            link: None,
            at: None,
            kinds: String::new(),
            verdict: labels::verdict(self.reader, case.verdict),
            cites: self.reader.cites(&case.evidence, &self.component.evidence),
            details: self.details(texts.map(|(label, text)| (label, self.reader.optional(text.as_ref()).to_owned()))),
        }
    }

    /// The answers of the providers that differ; `links` gives the links of an answer from that of its provider.
    fn providers(
        &self,
        removal: &'a Removal,
        links: impl Fn(LinkView) -> (Option<LinkView>, Option<LinkView>),
    ) -> impl Iterator<Item = AnswerView<'a>> {
        removal.providers.iter().map(move |(provider, case)| {
            let (link, at) = links(self.reader.link(provider));
            AnswerView { link, at, ..self.case(case) }
        })
    }

    fn details<const N: usize>(&self, texts: [(&'static str, String); N]) -> Vec<DetailView<'a>> {
        let filled = texts.into_iter().filter(|(_, text)| !text.is_empty());
        filled.map(|(label, text)| DetailView { label: self.reader.words(label), text }).collect()
    }

    /// The kinds of the objects with Pods, such as `Deployment`.
    fn workload_kinds(&self, section: Option<&Id>) -> String {
        let shown = |kind| if kind == STATIC_POD { self.reader.words("static_pod_manifest") } else { kind };
        self.component.workload_kinds(section).into_iter().map(shown).collect::<Vec<_>>().join(" · ")
    }
}
