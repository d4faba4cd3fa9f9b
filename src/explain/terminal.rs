//! Explanations for a terminal.

mod layout;

use unicode_width::UnicodeWidthStr;

use self::layout::{NARROWEST, Style, WIDEST, cut};
use super::{
    ComparedObject, ExplainedRow, Explanation, ListingComparison, ReportParts, RowOwner, next_command,
    presenter::{self, ComponentRows, Presenter, SectionRows, UnknownObject},
};
use crate::{
    facts::Verdict,
    id::Id,
    kb::{Answer, Component},
    listing::{Controller, Row, STATIC_POD},
    text::{printable, printable_lines},
};

/// The properties of the terminal or file that text is written to.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether rows are truncated at the last column; in a file they are not.
    pub cuts: bool,
    /// Whether there are colours.
    pub colour: bool,
}

/// The maximum width of a column of names. Longer names are possible, but not worth the space in all other rows.
const WIDEST_NAME: usize = 200;

struct TerminalWriter<'a> {
    presenter: Presenter<'a>,
    screen: Screen,
    out: String,
}

/// An explanation as text.
#[must_use]
pub fn terminal(presenter: Presenter<'_>, report: &Explanation, parts: ReportParts, screen: Screen) -> String {
    let mut writer = TerminalWriter { presenter, screen: Screen { width: screen.width.max(NARROWEST), ..screen }, out: String::new() };
    let summary = format!("{} · {}", presenter.provider(&report.guess), presenter.count(report));
    writer.prose(&summary, "", None);
    let groups = presenter.groups(report);
    let (unhealthy_unknown, unknown): (Vec<_>, Vec<_>) =
        presenter::unknown(report).into_iter().partition(|object| object.row.row.is_unhealthy());
    let unhealthy = groups.iter().take_while(|group| group.is_unhealthy()).count();
    let has_unhealthy = unhealthy + unhealthy_unknown.len() > 0;
    if parts.is_default() || parts.health {
        if has_unhealthy {
            writer.heading("explain_unhealthy");
        }
        let (sick, others) = groups.split_at(unhealthy);
        for group in sick {
            writer.group(group, report, parts);
        }
        writer.unknown_unhealthy(&unhealthy_unknown);
        if parts.health && !has_unhealthy {
            writer.out.push('\n');
            writer.prose(presenter.phrase("explain_healthy"), "", None);
        }
        if parts.is_default() && has_unhealthy && !others.is_empty() {
            writer.heading("components");
        }
        if parts.is_default() {
            for group in others {
                writer.group(group, report, parts);
            }
            writer.items("explain_unsupported", &presenter.unsupported(report));
            writer.insights(report, &unknown);
        }
    }
    if parts.is_default() || parts.cost {
        writer.items("explain_cost", &presenter.cost(report));
        if parts.cost {
            presenter.cost_tables(report).iter().for_each(|table| writer.table(table));
        } else if report.cost.is_some() {
            writer.details("--cost");
        }
    }
    if parts.is_default() || parts.scale_down {
        writer.items("explain_scale", &presenter.scale_down(report));
        if parts.scale_down {
            presenter.scale_down_tables(report).iter().for_each(|table| writer.table(table));
            let rules = report.scale_down.iter().map(|_| presenter.scale_down_rules());
            let lines = presenter.scheduling(report).into_iter().chain(rules);
            for line in lines {
                writer.prose(&line, "  ", None);
            }
        } else if report.scale_down.is_some() {
            writer.details("--scale-down");
        }
    }
    writer.out
}

/// The difference between two listings as text.
#[must_use]
pub fn terminal_of_comparison(presenter: Presenter<'_>, changes: &ListingComparison, provider: Option<&Id>, screen: Screen) -> String {
    let mut writer = TerminalWriter { presenter, screen: Screen { width: screen.width.max(NARROWEST), ..screen }, out: String::new() };
    let object = |writer: &mut TerminalWriter<'_>, sign: &str, object: &ComparedObject| writer.object(sign, object, provider);
    for (title, sign, objects) in [("explain_appeared", "+", &changes.appeared), ("explain_vanished", "-", &changes.vanished)] {
        if !objects.is_empty() {
            writer.heading(title);
            for one in objects {
                object(&mut writer, sign, one);
            }
        }
    }
    if !changes.replaced.is_empty() {
        writer.heading("explain_changed_place");
        for (before, after) in &changes.replaced {
            object(&mut writer, "-", before);
            object(&mut writer, "+", after);
        }
    }
    for (title, lines) in presenter.changes(changes) {
        writer.items(title, &lines);
    }
    let unchanged = presenter.words.with("explain_unchanged", &[("n", &changes.unchanged.to_string())]);
    writer.out.push('\n');
    writer.prose(&unchanged, "", None);
    writer.out.trim_start_matches('\n').to_owned()
}

impl TerminalWriter<'_> {
    fn verdict(&self, verdict: Verdict) -> (String, usize) {
        let text = self.presenter.words.verdict(verdict);
        let style = match verdict {
            Verdict::Never | Verdict::Blocked => Style::Red,
            Verdict::BreaksFeature => Style::Yellow,
            Verdict::ComesBack | Verdict::SafeIfUnused => Style::Cyan,
            Verdict::Safe => Style::Green,
            Verdict::Unknown => Style::Quiet,
        };
        (self.styled(text, style), text.width())
    }

    /// The option that shows more.
    fn details(&mut self, option: &str) {
        let line = self.presenter.words.with("explain_details", &[("option", option)]);
        self.prose(&line, "  ", Some(Style::Quiet));
    }

    /// What Kubernetes states about an unhealthy object, the symptom that fits, and the next command.
    fn trouble(&mut self, row: &ExplainedRow, known: &mut Option<String>) {
        let presenter = self.presenter;
        let colon = presenter.phrase("explain_colon");
        if let Some(reason) = row.row.health.as_ref().and_then(|health| health.reason.as_deref()) {
            self.prose(&format!("{}{colon}{reason}", presenter.phrase("explain_reason")), "      ", None);
        }
        if let Some(symptom) = presenter.knowledge.symptom(row, presenter.lang)
            && known.as_ref() != Some(&symptom.symptom)
        {
            self.prose(&format!("{}{colon}{}", presenter.phrase("explain_symptom"), symptom.symptom), "      ", None);
            self.prose(&format!("{}{colon}{}", presenter.phrase("explain_todo"), symptom.action), "      ", None);
            *known = Some(symptom.symptom.clone());
        }
        if let Some(command) = next_command(&row.row) {
            let text = format!("      {}{colon}", presenter.phrase("explain_command"));
            let line = format!("{text}{}", self.styled(&command, Style::Bold));
            self.line(&line);
        }
    }

    fn group(&mut self, group: &ComponentRows<'_>, report: &Explanation, parts: ReportParts) {
        let (presenter, provider) = (self.presenter, report.guess.provider.as_ref());
        let Some(component) = presenter.knowledge.components.get(group.component) else { return };
        // A section can have a different verdict from its component, and all rows may belong to sections.
        let alone = match group.sections.as_slice() {
            [part] if component.section_of_row(&part.owner.entries).is_some() => Some(part),
            _ => None,
        };
        // The answers for the rows without a section; otherwise, for those of the only section.
        let rows = group.sections.iter().flat_map(|part| &part.objects).filter_map(|(row, _)| row.owner.as_ref());
        // The facts state nothing about rows without an entry.
        let rows = rows.filter(|owner| owner.is_copy || !owner.entries.is_empty());
        let owners: Vec<&RowOwner> = rows.filter(|owner| alone.is_some() || component.section_of_row(&owner.entries).is_none()).collect();
        let is_elsewhere = owners.iter().all(|owner| presenter.knowledge.is_elsewhere(owner, provider)) && !owners.is_empty();
        let answers: Vec<Answer<'_>> = owners.iter().filter_map(|owner| presenter.knowledge.answer(owner, provider)).collect();
        let mut verdicts: Vec<Verdict> = answers.iter().filter_map(Answer::verdict).collect();
        verdicts.dedup();
        let verdict = if let [verdict] = verdicts.as_slice() { Some(*verdict) } else { None };
        let case = answers.iter().find_map(|answer| answer.removal);
        let name = alone.map_or_else(|| component.name.clone(), |part| presenter.part_name(component, part));
        let path = format!("{}/{}", crate::layout::COMPONENTS, group.component);
        let url = alone.map_or_else(
            || presenter.knowledge.page_url(&path, presenter.lang),
            |part| presenter.knowledge.url(part.owner, presenter.lang),
        );
        self.head(&name, verdict, &url);
        match alone {
            Some(part) if !part.what.is_empty() => self.prose(part.what, "  ", None),
            _ => self.prose(presenter.knowledge.summary(group.component, presenter.lang), "  ", None),
        }
        let versions = presenter.versions_of(report, group.component);
        if !versions.is_empty() {
            self.prose(&format!("{}{}{versions}", presenter.phrase("explain_version"), presenter.phrase("explain_colon")), "  ", None);
        }
        if group.is_unhealthy() {
            let sick = group.sections.iter().flat_map(|part| &part.objects).filter(|(row, _)| row.row.is_unhealthy());
            self.rows(sick.copied());
            let url = format!("{}#{}", presenter.knowledge.page_url(&path, presenter.lang), crate::layout::SYMPTOMS);
            let line = format!("{}{}{url}", presenter.phrase("explain_check"), presenter.phrase("explain_colon"));
            self.prose(&line, "  ", None);
        }
        if parts.health {
            return;
        }
        self.answers(component, &owners, &answers);
        let who = [
            ("explain_owner", component.installed_by.as_ref().filter(|_| alone.is_none() && !is_elsewhere)),
            ("explain_restored_by", case.and_then(|case| case.restored_by.as_ref()).filter(|_| !is_elsewhere)),
            ("explain_disable", case.and_then(|case| case.disable.as_ref()).filter(|_| !is_elsewhere)),
        ];
        for (key, text) in who {
            if let Some(text) = text {
                let line = format!("{}{}{}", presenter.phrase(key), presenter.phrase("explain_colon"), text.get(presenter.lang));
                self.prose(&line, "  ", Some(Style::Quiet));
            }
        }
        for part in &group.sections {
            let others: Vec<_> = part.objects.iter().filter(|(row, _)| !row.row.is_unhealthy()).copied().collect();
            if alone.is_none() && !others.is_empty() {
                self.part(component, part, provider);
            }
            self.rows(others.into_iter());
        }
    }

    /// Writes the effects of deleting a Pod and the object itself, with the answer for the printed objects first.
    fn answers(&mut self, component: &Component, owners: &[&RowOwner], answers: &[Answer<'_>]) {
        let presenter = self.presenter;
        // After the answer for a Pod or its Deployment, the answer for the ReplicaSet is redundant.
        let has_others = answers.iter().any(|answer| answer.controller.is_none_or(Controller::has_pods));
        let pods = owners.iter().zip(answers).filter_map(|(owner, answer)| {
            if has_others && answer.controller.is_some_and(|controller| !controller.has_pods()) {
                return None;
            }
            let kind = owner.kind(component);
            let recreation = answer.controller.map(|controller| presenter.words.recreation(controller));
            let impact = answer.restart.and_then(|restart| restart.impact.as_ref()).map(|impact| {
                format!("{}{}{}", presenter.phrase("restart_impact"), presenter.phrase("explain_colon"), impact.get(presenter.lang))
            });
            let text: Vec<&str> = recreation.into_iter().chain(impact.as_deref()).collect();
            Some((kind.to_owned(), answer.restart_verdict()?, text.join(presenter.phrase("sentence_separator"))))
        });
        let objects = owners.iter().zip(answers).filter_map(|(owner, answer)| {
            let case = answer.removal?;
            let kind = component.listing.get(*owner.entries.first()?)?.kind.as_str();
            let kind = if kind == STATIC_POD { presenter.phrase("static_pod_manifest") } else { kind };
            let effect = case.effect.as_ref().map(|effect| effect.get(presenter.lang).to_owned()).unwrap_or_default();
            Some((kind.to_owned(), case.verdict, effect))
        });
        let mut lines: Vec<(String, Verdict, String)> = pods.collect();
        lines.extend(objects);
        let mut seen: Vec<(String, Verdict, String)> = Vec::new();
        for line in lines {
            // Objects of the same kind have the same answer, except those of a Deployment and a DaemonSet.
            if !seen.contains(&line) {
                seen.push(line);
            }
        }
        for (kind, verdict, text) in seen {
            let values = [("object", kind.as_str()), ("verdict", presenter.words.verdict(verdict)), ("effect", &text)];
            let line = presenter.words.with("explain_if_deleted", &values);
            self.prose(line.trim_end(), "  ", None);
        }
    }

    /// Writes the name, the verdict, and the address at the end of the line if there is room.
    fn head(&mut self, name: &str, verdict: Option<Verdict>, url: &str) {
        self.out.push('\n');
        let (name, url) = (&*printable(name), &*printable(url));
        let (mut head, mut width) = (self.styled(name, Style::Bold), name.width());
        if let Some((verdict, verdict_width)) = verdict.map(|verdict| self.verdict(verdict)) {
            head = format!("{head}  {verdict}");
            width += 2 + verdict_width;
        }
        let screen = self.screen.width.min(WIDEST);
        if width + 2 + url.width() <= screen {
            let gap = " ".repeat(screen - width - url.width());
            let url = self.styled(url, Style::Quiet);
            self.line(&format!("{head}{gap}{url}"));
        } else {
            self.line(&head);
            self.prose(url, "  ", Some(Style::Quiet));
        }
    }

    /// The verdicts for the objects of a section, with their kinds if they differ.
    fn verdicts(&self, component: &Component, part: &SectionRows<'_>, provider: Option<&Id>) -> String {
        let mut verdicts: Vec<(&str, Verdict)> = Vec::new();
        for owner in part.objects.iter().filter_map(|(row, _)| row.owner.as_ref()) {
            let answer = (owner.kind(component), self.presenter.knowledge.verdict(owner, provider));
            if let (kind, Some(verdict)) = answer
                && !verdicts.contains(&(kind, verdict))
            {
                verdicts.push((kind, verdict));
            }
        }
        let differ = verdicts.iter().any(|(_, verdict)| *verdict != verdicts[0].1);
        verdicts.truncate(if differ { verdicts.len() } else { 1 });
        let shown = verdicts.into_iter().map(|(kind, verdict)| {
            let label = self.verdict(verdict).0;
            if differ { format!("{kind}{}{label}", self.presenter.phrase("explain_colon")) } else { label }
        });
        shown.collect::<Vec<_>>().join(self.presenter.phrase("list_separator"))
    }

    /// Writes the description of some rows of a component; if a section explains them, with its own verdict.
    fn part(&mut self, component: &Component, part: &SectionRows<'_>, provider: Option<&Id>) {
        let section = component.section_of_row(&part.owner.entries);
        let name = section.map(|_| self.presenter.part_name(component, part));
        let own = section.map(|_| self.verdicts(component, part, provider)).filter(|own| !own.is_empty());
        let what = Some(part.what.to_owned()).filter(|what| !what.is_empty()).or(name);
        let what = what.map(|what| printable_lines(&what).into_owned());
        let parts: Vec<String> = [what, own].into_iter().flatten().collect();
        self.wrapped(&parts.join(" · "), "  ", None);
    }

    /// Writes rows as they were printed, with the names below each other, truncated at the last column.
    fn rows<'r>(&mut self, rows: impl Iterator<Item = (&'r ExplainedRow, usize)>) {
        const INDENT: &str = "    ";
        let room = self.screen.width.saturating_sub(INDENT.len());
        let rows: Vec<(&ExplainedRow, (String, String), usize)> = rows.map(|(row, more)| (row, columns(row), more)).collect();
        let widest = rows.iter().map(|(_, (name, _), _)| name.width()).max().unwrap_or(0).min(WIDEST_NAME);
        let mut known = None;
        for (row, (name, rest), more) in rows {
            let is_unhealthy = row.row.is_unhealthy();
            let gap = widest.saturating_sub(name.width()) + 2;
            let text = format!("{name}{}{rest}", " ".repeat(gap));
            let text = if self.screen.cuts { cut(text.trim_end(), room) } else { text.trim_end().to_owned() };
            let text = if is_unhealthy { self.styled(&text, Style::Red) } else { text };
            self.line(&format!("{INDENT}{text}"));
            if more > 0 {
                let more = self.presenter.words.with("explain_more_like_it", &[("n", &more.to_string())]);
                self.prose(&more, "      ", Some(Style::Quiet));
            }
            self.trouble(row, &mut known);
        }
    }

    /// Writes unhealthy objects without a component.
    fn unknown_unhealthy(&mut self, objects: &[UnknownObject<'_>]) {
        if !objects.is_empty() {
            self.heading("explain_unknown");
            self.rows(objects.iter().map(|object| (object.row, object.more)));
        }
    }

    fn insights(&mut self, report: &Explanation, unknown: &[UnknownObject<'_>]) {
        let presenter = self.presenter;
        self.items("explain_outdated", &presenter.outdated(report));
        self.items("explain_missing", &presenter.missing(report));
        self.items("explain_idle", &presenter.idle(report));
        if let (Some(provider), false) = (&report.guess.provider, report.hidden.is_empty()) {
            self.heading("explain_hidden");
            let note = presenter.words.with("explain_hidden_note", &[("provider", presenter.knowledge.name(provider))]);
            self.prose(&note, "  ", None);
            self.prose(&presenter.names(&report.hidden), "  ", None);
        }
        if !unknown.is_empty() {
            self.heading("explain_unknown");
            self.prose(presenter.phrase("explain_unknown_note"), "  ", None);
            self.rows(unknown.iter().map(|object| (object.row, object.more)));
            // One address is enough in a terminal; the page has one for each row.
            if let Some(url) = unknown.iter().find_map(|object| presenter.proposal(object)) {
                let text = format!("{}{}", presenter.phrase("explain_contribute"), presenter.phrase("explain_colon"));
                self.line(&format!("  {}{}", printable(&text), self.styled(&url, Style::Quiet)));
            }
        }
    }

    fn object(&mut self, sign: &str, object: &ComparedObject, provider: Option<&Id>) {
        let (knowledge, owner) = (self.presenter.knowledge, object.owner.as_ref());
        let verdict = owner.and_then(|owner| knowledge.verdict(owner, provider)).map(|verdict| self.verdict(verdict).0);
        let component = owner.map(|owner| printable(knowledge.name(&owner.component)).into_owned());
        let text: Vec<String> =
            [Some(format!("{sign} {}", printable(&presenter::object(object)))), component, verdict].into_iter().flatten().collect();
        self.line(&format!("  {}", text.join(" · ")));
    }
}

/// The width at which a line of a log is cut.
const LONGEST_LINE: usize = 240;

/// The cells up to the name of the object, and those after it. Prefixes of the line are left out, and a kind that only the table header has is added.
fn columns(row: &ExplainedRow) -> (String, String) {
    let Row { namespace, kind, name, .. } = &row.row;
    let text = row.text.shown();
    if presenter::is_line(&row.row) {
        return (cut(&printable(&text), LONGEST_LINE), String::new());
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let at = words.iter().position(|word| word.contains(name.as_str())).filter(|at| *at <= 3 && !row.text.is_of_manifest());
    // The line of a manifest has nothing relevant after the name.
    let rest = at.filter(|at| !words[..*at].iter().any(|word| word.ends_with(':'))).map(|at| &words[at + 1..]).unwrap_or_default();
    let printed = at
        .map(|at| words[at].trim_matches(['"', '`', ',', '|']))
        .filter(|word| word.split_once('/').is_some_and(|(before, _)| Some(before) != namespace.as_deref()));
    let kind = kind.as_deref().map(|kind| format!("{}/", kind.to_lowercase())).unwrap_or_default();
    let own = printed.map_or_else(|| format!("{kind}{name}"), str::to_owned);
    // The namespace of the command above is not repeated in each row.
    let is_printed = |namespace: &&str| at.is_none_or(|at| words[..at].contains(namespace)) || rest.is_empty();
    let namespace = namespace.as_deref().filter(is_printed).map(|namespace| format!("{namespace}  ")).unwrap_or_default();
    let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "|").collect();
    if row.row.object.is_some() {
        return [format!("{namespace}{own}"), state(&row.row)].map(|text| printable(&text).into_owned()).into();
    }
    // The cell `27 (2m ago)` has a space.
    let rest = rest.join("  ").replace("  ago)", " ago)").replace("  (", " (");
    [format!("{namespace}{own}"), rest].map(|text| printable(&text).into_owned()).into()
}

/// The state of a whole object, in the order of the columns of kubectl: `0/1  CrashLoopBackOff  7 (2026-11-28T09:12:44Z)`.
fn state(row: &Row) -> String {
    let Some(health) = &row.health else { return String::new() };
    let ready = health.ready.zip(health.desired).map(|(ready, desired)| format!("{ready}/{desired}"));
    let restarts = health
        .restarts
        .filter(|restarts| *restarts > 0)
        .map(|restarts| health.last_restart.as_ref().map_or_else(|| restarts.to_string(), |time| format!("{restarts} ({time})")));
    [ready, health.status.clone(), restarts].into_iter().flatten().collect::<Vec<_>>().join("  ")
}
