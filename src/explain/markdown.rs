//! Explanations as Markdown, for issues, chats and runbooks.

use std::fmt::Write as _;

use super::{
    ComparedObject, ExplainedRow, Explanation, ListingComparison, ReportParts, next_command,
    presenter::{self, Presenter},
    sections::ReportTable,
};
use crate::{
    id::Id,
    listing::Row,
    text::{code_spans, printable_lines},
};

/// An explanation as Markdown: a table of the rows, then the other findings.
#[must_use]
pub fn markdown(presenter: Presenter<'_>, report: &Explanation, parts: ReportParts) -> String {
    let mut out = format!("{} · {}\n\n", escaped(&presenter.provider(&report.guess)), presenter.count(report));
    if parts.is_default() || parts.health {
        objects(&mut out, presenter, report, parts);
    }
    if parts.is_default() || parts.cost {
        list(&mut out, presenter.phrase("explain_cost"), &presenter.cost(report));
        if parts.cost {
            presenter.cost_tables(report).iter().for_each(|one| table(&mut out, one));
        }
    }
    if parts.is_default() || parts.scale_down {
        list(&mut out, presenter.phrase("explain_scale"), &presenter.scale_down(report));
        if parts.scale_down {
            presenter.scale_down_tables(report).iter().for_each(|one| table(&mut out, one));
            let rules = report.scale_down.iter().map(|_| presenter.scale_down_rules());
            for line in presenter.scheduling(report).into_iter().map(|line| escaped(&line)).chain(rules) {
                let _ = writeln!(out, "\n{line}");
            }
        }
    }
    printable_lines(&out).into_owned()
}

/// Writes a table, with its numbers to the right.
fn table(out: &mut String, table: &ReportTable) {
    let line = |cells: &[String]| format!("| {} |", cells.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "));
    let rules: Vec<String> = (0..table.titles.len()).map(|at| if at < table.texts { "---" } else { "--:" }.to_owned()).collect();
    let _ = writeln!(out, "\n{}\n| {} |", line(&table.titles), rules.join(" | "));
    for row in &table.rows {
        let _ = writeln!(out, "{}", line(row));
    }
}

/// Writes the rows, all of them or only the unhealthy ones, and what they don't show by themselves.
fn objects(out: &mut String, presenter: Presenter<'_>, report: &Explanation, parts: ReportParts) {
    let _ = writeln!(
        out,
        "| {} | {} | {} |\n| --- | --- | --- |",
        presenter.phrase("explain_row"),
        presenter.phrase("explain_what"),
        presenter.phrase("explain_verdict")
    );
    let provider = report.guess.provider.as_ref();
    for group in presenter.groups(report) {
        for part in &group.sections {
            let summary = presenter.knowledge.summary(group.component, presenter.lang);
            let what = if part.what.is_empty() { summary } else { part.what };
            let link = format!(
                "[{}]({})",
                escaped(presenter.knowledge.name(group.component)),
                presenter.knowledge.url(part.owner, presenter.lang)
            );
            for (row, more) in part.objects.iter().filter(|(row, _)| !parts.health || row.row.is_unhealthy()) {
                // A Pod and its Deployment have different answers.
                let verdict = row.owner.as_ref().and_then(|owner| presenter.knowledge.verdict(owner, provider));
                let verdict = verdict.map_or("", |verdict| presenter.words.verdict(verdict));
                let todo = presenter.knowledge.symptom(row, presenter.lang).filter(|_| presenter::is_line(&row.row));
                let todo = todo.map(|symptom| {
                    format!("<br>{}{}{}", presenter.phrase("explain_todo"), presenter.phrase("explain_colon"), escaped(&symptom.action))
                });
                let more = Some(more.to_string()).filter(|more| more != "0");
                let more =
                    more.map(|more| format!(" ({})", presenter.words.with("explain_more_like_it", &[("n", &more)]))).unwrap_or_default();
                let _ = writeln!(
                    out,
                    "| {}{}{more} | {link}{}{}{} | {verdict} |",
                    code(&row.row),
                    condition(presenter, &row.row),
                    presenter.phrase("explain_colon"),
                    escaped(what),
                    todo.unwrap_or_default()
                );
            }
        }
    }
    troubles(out, presenter, report);
    let mut unknown = presenter::unknown(report);
    if parts.health {
        unknown.retain(|object| object.row.row.is_unhealthy());
    } else {
        list(out, presenter.phrase("explain_unsupported"), &presenter.unsupported(report));
        list(out, presenter.phrase("explain_outdated"), &presenter.outdated(report));
        list(out, presenter.phrase("explain_missing"), &presenter.missing(report));
        list(out, presenter.phrase("explain_idle"), &presenter.idle(report));
        if !report.hidden.is_empty() {
            list(out, presenter.phrase("explain_hidden"), &[presenter.names(&report.hidden)]);
        }
    }
    if !unknown.is_empty() {
        let _ = writeln!(out, "\n**{}**\n", presenter.phrase("explain_unknown"));
        for object in &unknown {
            let proposal =
                presenter.proposal(object).map(|url| format!(" ([{}]({url}))", presenter.phrase("explain_contribute"))).unwrap_or_default();
            let _ = writeln!(out, "- {}{}{proposal}", code(&object.row.row), condition(presenter, &object.row.row));
        }
    }
}

/// Writes what to do about each unhealthy object: the reason, the symptom that fits, the next command.
fn troubles(out: &mut String, presenter: Presenter<'_>, report: &Explanation) {
    let groups = presenter.groups(report);
    let known = groups.iter().flat_map(|group| &group.sections).flat_map(|part| &part.objects).map(|(row, _)| *row);
    let unknown = presenter::unknown(report);
    let rows: Vec<&ExplainedRow> = known.chain(unknown.iter().map(|object| object.row)).filter(|row| row.row.is_unhealthy()).collect();
    if rows.is_empty() {
        return;
    }
    let colon = presenter.phrase("explain_colon");
    let _ = writeln!(out, "\n**{}**\n", presenter.phrase("explain_unhealthy"));
    for row in rows {
        let _ = writeln!(out, "- {}{}", code(&row.row), condition(presenter, &row.row));
        let mut item = |key: &'static str, text: &str| {
            let _ = writeln!(out, "  - {}{colon}{text}", presenter.words.get(key));
        };
        if let Some(reason) = row.row.health.as_ref().and_then(|health| health.reason.as_deref()) {
            item("explain_reason", &escaped(&reason.replace('\n', " ")));
        }
        if let Some(symptom) = presenter.knowledge.symptom(row, presenter.lang) {
            item("explain_symptom", &escaped(&symptom.symptom));
            item("explain_todo", &escaped(&symptom.action));
        }
        if let Some(command) = next_command(&row.row) {
            item("explain_command", &format!("`{command}`"));
        }
    }
}

/// What is wrong with the object of a row, emphasized; empty if it is healthy.
fn condition(presenter: Presenter<'_>, row: &Row) -> String {
    let condition = presenter.condition(row);
    if condition.is_empty() { condition } else { format!(" **{}**", escaped(&condition)) }
}

/// The difference between two listings as Markdown.
#[must_use]
pub fn markdown_of_comparison(presenter: Presenter<'_>, changes: &ListingComparison, provider: Option<&Id>) -> String {
    let mut out = String::new();
    let object = |object: &ComparedObject| {
        let name = format!("`{}`", presenter::object(object).replace('`', ""));
        let Some(owner) = &object.owner else { return name };
        let verdict = presenter
            .knowledge
            .verdict(owner, provider)
            .map(|verdict| format!(" · {}", presenter.words.verdict(verdict)))
            .unwrap_or_default();
        format!(
            "{name} · [{}]({}){verdict}",
            escaped(presenter.knowledge.name(&owner.component)),
            presenter.knowledge.url(owner, presenter.lang)
        )
    };
    let mut section = |key, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(out, "**{}**\n", presenter.phrase(key));
            for line in &lines {
                let _ = writeln!(out, "- {line}");
            }
            out.push('\n');
        }
    };
    section("explain_appeared", changes.appeared.iter().map(object).collect());
    section("explain_vanished", changes.vanished.iter().map(object).collect());
    section(
        "explain_changed_place",
        changes.replaced.iter().map(|(before, after)| format!("{} → {}", object(before), object(after))).collect(),
    );
    for (title, lines) in presenter.changes(changes) {
        section(title, lines.iter().map(|line| escaped(line)).collect());
    }
    let _ = writeln!(out, "{}", presenter.words.with("explain_unchanged", &[("n", &changes.unchanged.to_string())]));
    printable_lines(&out).into_owned()
}

fn list(out: &mut String, title: &str, items: &[String]) {
    if !items.is_empty() {
        let _ = writeln!(out, "\n**{title}**\n");
        for item in items {
            let _ = writeln!(out, "- {}", escaped(item));
        }
    }
}

/// A row's namespace, kind and name as code.
fn code(row: &Row) -> String {
    if presenter::is_line(row) {
        return format!("`{}`", row.name);
    }
    let namespace = row.namespace.as_deref().map(|namespace| format!("{namespace} ")).unwrap_or_default();
    let kind = row.kind.as_deref().map(|kind| format!("{}/", kind.to_lowercase())).unwrap_or_default();
    format!("`{namespace}{kind}{}`", row.name)
}

/// Text with the special characters of Markdown escaped. Code between backticks stays code.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (part, is_code) in code_spans(text) {
        let tick = if is_code { "`" } else { "" };
        out.push_str(tick);
        for c in part.chars() {
            if c == '|' || !is_code && matches!(c, '*' | '_' | '[' | ']' | '<' | '\\') {
                out.push('\\');
            }
            out.push(c);
        }
        out.push_str(tick);
    }
    out
}
