//! Reports to paste into an issue, a chat, a runbook.

use std::fmt::Write as _;

use super::{
    Changes, Object, Report,
    view::{self, Teller},
};
use crate::id::Id;

/// The report as Markdown: a table of what was printed, then what no row says.
#[must_use]
pub fn markdown(teller: Teller<'_>, report: &Report) -> String {
    let mut out = format!("{} · {}\n\n", escaped(&teller.provider(&report.guess)), teller.count(report));
    let _ = writeln!(
        out,
        "| {} | {} | {} |\n| --- | --- | --- |",
        teller.say("explain_row"),
        teller.say("explain_what"),
        teller.say("explain_verdict")
    );
    let provider = report.guess.provider.as_ref();
    for group in teller.groups(report) {
        for part in &group.parts {
            let summary = teller.knowledge.summary(group.component, teller.lang);
            let what = if part.what.is_empty() { summary } else { part.what };
            let verdict = teller.knowledge.verdict(part.owner, provider).map_or("", |verdict| teller.verdict(verdict));
            let link = format!("[{}]({})", escaped(teller.knowledge.name(group.component)), teller.knowledge.url(part.owner, teller.lang));
            for (row, more) in &part.objects {
                let more = if *more > 0 {
                    format!(" ({})", teller.words.with("explain_more_like_it", &[("n", &more.to_string())]))
                } else {
                    String::new()
                };
                let _ = writeln!(out, "| {}{more} | {link}{}{} | {verdict} |", code(&row.row), teller.say("explain_colon"), escaped(what));
            }
        }
    }
    list(&mut out, teller.say("explain_outdated"), &teller.outdated(report));
    list(&mut out, teller.say("explain_missing"), &teller.missing(report));
    let colon = teller.say("explain_colon");
    let idle: Vec<String> =
        teller.idle(report).into_iter().map(|(reason, names)| format!("{reason}{colon}{}", teller.list(&names))).collect();
    list(&mut out, teller.say("explain_idle"), &idle);
    if !report.hidden.is_empty() {
        list(&mut out, teller.say("explain_hidden"), &[teller.names(&report.hidden)]);
    }
    let unknown = view::unknown(report);
    if !unknown.is_empty() {
        let _ = writeln!(out, "\n**{}**\n", teller.say("explain_unknown"));
        for object in &unknown {
            let proposal =
                teller.proposal(object).map(|url| format!(" ([{}]({url}))", teller.say("explain_contribute"))).unwrap_or_default();
            let _ = writeln!(out, "- {}{proposal}", code(&object.row.row));
        }
    }
    out
}

/// The difference between two listings as Markdown.
#[must_use]
pub fn markdown_of_changes(teller: Teller<'_>, changes: &Changes, provider: Option<&Id>) -> String {
    let mut out = String::new();
    let object = |object: &Object| {
        let name = format!("`{}`", view::object(object).replace('`', ""));
        let Some(owner) = &object.owner else { return name };
        let verdict =
            teller.knowledge.verdict(owner, provider).map(|verdict| format!(" · {}", teller.verdict(verdict))).unwrap_or_default();
        format!("{name} · [{}]({}){verdict}", escaped(teller.knowledge.name(&owner.component)), teller.knowledge.url(owner, teller.lang))
    };
    let mut section = |key, lines: Vec<String>| {
        if !lines.is_empty() {
            let _ = writeln!(out, "**{}**\n", teller.say(key));
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
    let _ = writeln!(out, "{}", teller.words.with("explain_unchanged", &[("n", &changes.unchanged.to_string())]));
    out
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
fn code(row: &crate::listing::Row) -> String {
    let namespace = row.namespace.as_deref().map(|namespace| format!("{namespace} ")).unwrap_or_default();
    let kind = row.kind.as_deref().map(|kind| format!("{}/", kind.to_lowercase())).unwrap_or_default();
    format!("`{namespace}{kind}{}`", row.name)
}

/// Text that means nothing to Markdown.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '[' | ']' | '<' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
