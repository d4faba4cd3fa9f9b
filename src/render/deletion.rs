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
    theme::Strings,
};

/// The name of static Pods in texts.
const STATIC_POD_LABEL: &str = "static Pod";
/// Separates the kinds of objects.
const KINDS: &str = " · ";

/// All answers of a page.
#[derive(Serialize)]
pub(super) struct DeletionView<'a> {
    /// For the Pods of the component, then for the object itself.
    own: Vec<AnswerView<'a>>,
    /// The providers that differ, and sections.
    others: Vec<AnswerView<'a>>,
    /// What creates the object again.
    restored_by: &'a str,
    /// How to disable it, or that no way is known; empty if deletion is not described.
    disable: &'a str,
}

impl<'a> DeletionView<'a> {
    /// The facts about the object itself.
    pub(super) const fn facts(&self) -> [&'a str; 2] {
        [self.restored_by, self.disable]
    }
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
    /// The verdict as a sentence about `kinds`.
    sentence: String,
    /// The provider for which this answer replaces the one for the object.
    provider: Option<&'a Id>,
    /// What happens after the deletion; for Pods, first which object creates them again.
    effects: Vec<String>,
    cites: Vec<CiteView>,
    /// The facts that differ from the general ones.
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
    let (mut restored_by, mut disable) = ("", "");
    if let Some(removal) = &component.deletion.removal {
        own.push(AnswerView { details: Vec::new(), ..builder.case(builder.workload_kinds(None), &removal.general) });
        restored_by = reader.optional(removal.general.restored_by.as_ref());
        disable = removal.general.disable.as_ref().map_or_else(|| reader.words("no_disable"), |text| reader.text(text));
        others.extend(builder.providers(removal, None));
    }
    for (id, deletion) in &component.section_deletions {
        // What only follows from the kind is the same as for the component.
        if deletion.restart.is_some() {
            others.extend(builder.pods(Some(id), deletion));
        }
        if let Some(removal) = &deletion.removal {
            others.push(AnswerView { link: Some(reader.link(id)), ..builder.case(String::new(), &removal.general) });
            others.extend(builder.providers(removal, Some(id)));
        }
    }
    component.has_answers().then_some(DeletionView { own, others, restored_by, disable })
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
            let is_one = controllers.len() == 1;
            let recreations = controllers.into_iter().map(|controller| {
                let text = reader.strings().recreation(controller);
                // Which sentence applies depends on the object that the reader has.
                let kind = if controller == Controller::Kubelet { STATIC_POD_LABEL } else { controller.name() };
                if is_one { text.to_owned() } else { format!("{kind}{}{text}", reader.words("explain_colon")) }
            });
            let recreations: Vec<String> = recreations.collect();
            let impact = reader.optional(deletion.restart.as_ref().and_then(|restart| restart.impact.as_ref()));
            let effects = [recreations.join(reader.words("sentence_separator")), impact.to_owned()];
            AnswerView {
                link: section.map(|id| reader.link(id)),
                at: None,
                kinds: POD.to_owned(),
                verdict: labels::verdict(reader, verdict),
                sentence: self.sentence(verdict, POD),
                provider: None,
                effects: effects.into_iter().filter(|text| !text.is_empty()).collect(),
                cites: deletion.restart.as_ref().map(|it| reader.cites(&it.evidence, &self.component.evidence)).unwrap_or_default(),
                details: Vec::new(),
            }
        };
        by_verdict.into_iter().map(answer).collect()
    }

    /// The answer for the object itself, which is of these kinds.
    fn case(&self, kinds: String, case: &'a RemovalCase) -> AnswerView<'a> {
        let texts = [("restored_by", &case.restored_by), ("disable", &case.disable)];
        AnswerView {
            link: None,
            at: None,
            sentence: self.sentence(case.verdict, &kinds),
            kinds,
            verdict: labels::verdict(self.reader, case.verdict),
            provider: None,
            effects: case.effect.iter().map(|effect| self.reader.text(effect).to_owned()).collect(),
            cites: self.reader.cites(&case.evidence, &self.component.evidence),
            details: self.details(texts.map(|(label, text)| (label, self.reader.optional(text.as_ref()).to_owned()))),
        }
    }

    /// The answers of the providers that differ, for the component or for a section's object.
    fn providers(&self, removal: &'a Removal, section: Option<&Id>) -> impl Iterator<Item = AnswerView<'a>> {
        removal.providers.iter().map(move |(provider, case)| {
            let at = Some(self.reader.link(provider));
            match section {
                None => {
                    let answer = self.case(self.workload_kinds(None), case);
                    AnswerView { link: at, at: None, kinds: String::new(), provider: Some(provider), ..answer }
                }
                Some(section) => AnswerView { link: Some(self.reader.link(section)), at, ..self.case(String::new(), case) },
            }
        })
    }

    /// The verdict on objects of these kinds as a sentence.
    fn sentence(&self, verdict: Verdict, kinds: &str) -> String {
        let subject = match kinds.rsplit_once(KINDS) {
            None if kinds.is_empty() => self.reader.words("this_object").to_owned(),
            None => kinds.to_owned(),
            Some((others, last)) => {
                format!("{}{}{last}", others.replace(KINDS, self.reader.words("list_separator")), self.reader.words("or_separator"))
            }
        };
        // A site that has its own words for a verdict is quoted: no sentence of the program has the same meaning.
        if self.reader.kb().vocabulary.strings.contains_key(&Strings::term_key("verdict", verdict.name())) {
            return format!("{subject}{}{}", self.reader.words("explain_colon"), labels::verdict(self.reader, verdict).label);
        }
        self.reader.strings().term("answer", verdict.name()).replace("{object}", &subject)
    }

    fn details<const N: usize>(&self, texts: [(&'static str, String); N]) -> Vec<DetailView<'a>> {
        let filled = texts.into_iter().filter(|(_, text)| !text.is_empty());
        filled.map(|(label, text)| DetailView { label: self.reader.words(label), text }).collect()
    }

    /// The kinds of the objects with Pods, such as `Deployment`.
    fn workload_kinds(&self, section: Option<&Id>) -> String {
        let shown = |kind| if kind == STATIC_POD { self.reader.words("static_pod_manifest") } else { kind };
        self.component.workload_kinds(section).into_iter().map(shown).collect::<Vec<_>>().join(KINDS)
    }
}
