//! Reports for people at a terminal.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm, wrap};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::{
    Changes, Explained, Object, Report,
    view::{self, Group, Part, Teller},
};
use crate::{facts::Verdict, id::Id, kb::Component, listing::Row};

/// Where a text is shown.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// Columns.
    pub width: usize,
    /// Whether rows are cut at the last column; a file keeps them whole.
    pub cuts: bool,
    /// Whether there are colours.
    pub colour: bool,
}

/// The narrowest screen that text is set for.
const NARROWEST: usize = 30;
/// Prose is not set wider than this: the eye loses its line.
const WIDEST: usize = 100;

/// A hyphen after which no line ends.
const FIRM_HYPHEN: &str = "\u{2011}";

/// The sequences of colours that every terminal has.
#[derive(Clone, Copy)]
enum Style {
    Bold,
    Quiet,
    Red,
    Yellow,
    Green,
    Cyan,
}

struct Writer<'a> {
    teller: Teller<'a>,
    screen: Screen,
    out: String,
}

/// The report as text.
#[must_use]
pub fn terminal(teller: Teller<'_>, report: &Report, screen: Screen) -> String {
    let mut writer = Writer { teller, screen: Screen { width: screen.width.max(NARROWEST), ..screen }, out: String::new() };
    let summary = format!("{} · {}", teller.provider(&report.guess), teller.count(report));
    writer.prose(&summary, "", None);
    for group in teller.groups(report) {
        writer.group(&group, report.guess.provider.as_ref());
    }
    writer.beyond(report);
    writer.out
}

/// The difference between two listings as text.
#[must_use]
pub fn terminal_of_changes(teller: Teller<'_>, changes: &Changes, provider: Option<&Id>, screen: Screen) -> String {
    let mut writer = Writer { teller, screen: Screen { width: screen.width.max(NARROWEST), ..screen }, out: String::new() };
    let object = |writer: &mut Writer<'_>, sign: &str, object: &Object| writer.object(sign, object, provider);
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
    let unchanged = teller.words.with("explain_unchanged", &[("n", &changes.unchanged.to_string())]);
    writer.out.push('\n');
    writer.prose(&unchanged, "", None);
    writer.out.trim_start_matches('\n').to_owned()
}

impl Writer<'_> {
    fn styled(&self, text: &str, style: Style) -> String {
        let code = match style {
            Style::Bold => "1",
            Style::Quiet => "2",
            Style::Red => "31",
            Style::Yellow => "33",
            Style::Green => "32",
            Style::Cyan => "36",
        };
        if self.screen.colour && !text.is_empty() { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Sentences, broken where their language breaks lines.
    fn prose(&mut self, text: &str, indent: &str, style: Option<Style>) {
        if text.is_empty() {
            return;
        }
        let width = self.screen.width.min(WIDEST);
        let options = Options::new(width)
            .initial_indent(indent)
            .subsequent_indent(indent)
            .word_separator(WordSeparator::UnicodeBreakProperties)
            .wrap_algorithm(WrapAlgorithm::FirstFit)
            .word_splitter(WordSplitter::NoHyphenation)
            .break_words(true);
        // Names and commands have hyphens, and are not broken there.
        for line in wrap(&text.replace('-', FIRM_HYPHEN), options) {
            let line = line.replace(FIRM_HYPHEN, "-");
            let line = style.map_or(line.clone(), |style| self.styled(&line, style));
            self.line(&line);
        }
    }

    fn verdict(&self, verdict: Verdict) -> (String, usize) {
        let text = self.teller.verdict(verdict);
        let style = match verdict {
            Verdict::Never => Style::Red,
            Verdict::BreaksFeature => Style::Yellow,
            Verdict::ComesBack | Verdict::SafeIfUnused => Style::Cyan,
            Verdict::Safe => Style::Green,
            Verdict::Unknown => Style::Quiet,
        };
        (self.styled(text, style), text.width())
    }

    fn group(&mut self, group: &Group<'_>, provider: Option<&Id>) {
        let teller = self.teller;
        let Some(component) = teller.knowledge.components.get(group.component) else { return };
        // What holds for the component need not hold for a part of it, and there may be nothing but parts.
        let alone = match group.parts.as_slice() {
            [part] if part.owner.section(component).is_some() => Some(part),
            _ => None,
        };
        let case = match alone {
            Some(part) => teller.knowledge.removal(part.owner, provider),
            None => component.removal.as_ref().map(|removal| removal.at(provider)),
        };
        let name = alone.map_or_else(|| component.name.clone(), |part| teller.part_name(component, part));
        let path = format!("{}/{}", crate::layout::COMPONENTS, group.component);
        let url = alone.map_or_else(|| teller.knowledge.page_url(&path, teller.lang), |part| teller.knowledge.url(part.owner, teller.lang));
        self.head(&name, case.map(|case| case.verdict), &url);
        match alone {
            Some(part) if !part.what.is_empty() => self.prose(part.what, "  ", None),
            _ => self.prose(teller.knowledge.summary(group.component, teller.lang), "  ", None),
        }
        let who = [
            ("explain_owner", component.installed_by.as_ref().filter(|_| alone.is_none())),
            ("explain_restored_by", case.and_then(|case| case.restored_by.as_ref())),
            ("explain_off_switch", case.and_then(|case| case.off_switch.as_ref())),
        ];
        for (key, text) in who {
            if let Some(text) = text {
                let line = format!("{}{}{}", teller.say(key), teller.say("explain_colon"), text.get(teller.lang));
                self.prose(&line, "  ", Some(Style::Quiet));
            }
        }
        for part in &group.parts {
            if alone.is_none() {
                self.part(component, part, case.map(|case| case.verdict), provider);
            }
            self.rows(part.objects.iter().copied());
        }
    }

    /// The name, the verdict, and the address at the end of the line if there is room.
    fn head(&mut self, name: &str, verdict: Option<Verdict>, url: &str) {
        self.out.push('\n');
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

    /// What some rows of a component are, and their verdict if it is another one.
    fn part(&mut self, component: &Component, part: &Part<'_>, general: Option<Verdict>, provider: Option<&Id>) {
        let section = part.owner.section(component);
        let name = section.map(|_| self.teller.part_name(component, part));
        let own = self.teller.knowledge.verdict(part.owner, provider).filter(|own| general != Some(*own));
        let own = own.map(|own| self.verdict(own).0);
        let what = Some(part.what.to_owned()).filter(|what| !what.is_empty()).or(name);
        let said: Vec<String> = [what, own].into_iter().flatten().collect();
        if !said.is_empty() {
            self.prose(&said.join(" · "), "  ", None);
        }
    }

    /// Rows as they were printed, with the names below each other, cut at the last column.
    fn rows<'r>(&mut self, rows: impl Iterator<Item = (&'r Explained, usize)>) {
        const INDENT: &str = "    ";
        let room = self.screen.width.saturating_sub(INDENT.len());
        let rows: Vec<(String, String, usize)> = rows
            .map(|(row, more)| {
                let (name, rest) = columns(row);
                (name, rest, more)
            })
            .collect();
        let widest = rows.iter().map(|(name, ..)| name.width()).max().unwrap_or(0);
        for (name, rest, more) in rows {
            let gap = widest - name.width() + 2;
            let text = format!("{name}{}{rest}", " ".repeat(gap));
            let text = if self.screen.cuts { cut(text.trim_end(), room) } else { text.trim_end().to_owned() };
            self.line(&format!("{INDENT}{text}"));
            if more > 0 {
                let more = self.teller.words.with("explain_more_like_it", &[("n", &more.to_string())]);
                self.prose(&more, "      ", Some(Style::Quiet));
            }
        }
    }

    fn heading(&mut self, key: &str) {
        self.out.push('\n');
        let heading = self.styled(self.teller.words.get(key), Style::Bold);
        self.line(&heading);
    }

    fn items(&mut self, key: &str, items: &[String]) {
        if items.is_empty() {
            return;
        }
        self.heading(key);
        for item in items {
            self.prose(item, "  ", None);
        }
    }

    fn beyond(&mut self, report: &Report) {
        let teller = self.teller;
        self.items("explain_outdated", &teller.outdated(report));
        self.items("explain_missing", &teller.missing(report));
        let colon = teller.say("explain_colon");
        let idle: Vec<String> =
            teller.idle(report).into_iter().map(|(reason, names)| format!("{reason}{colon}{}", teller.list(&names))).collect();
        self.items("explain_idle", &idle);
        if let (Some(provider), false) = (&report.guess.provider, report.hidden.is_empty()) {
            self.heading("explain_hidden");
            let note = teller.words.with("explain_hidden_note", &[("provider", teller.knowledge.name(provider))]);
            self.prose(&note, "  ", None);
            self.prose(&teller.names(&report.hidden), "  ", None);
        }
        let unknown = view::unknown(report);
        if !unknown.is_empty() {
            self.heading("explain_unknown");
            self.prose(teller.say("explain_unknown_note"), "  ", None);
            self.rows(unknown.iter().map(|object| (object.row, object.more)));
            // One address for each would be a wall of addresses; the page has one for each row.
            if let Some(url) = unknown.first().and_then(|object| teller.proposal(object)) {
                let text = format!("{}{colon}", teller.say("explain_contribute"));
                self.line(&format!("  {text}{}", self.styled(&url, Style::Quiet)));
            }
        }
    }

    fn object(&mut self, sign: &str, object: &Object, provider: Option<&Id>) {
        let verdict =
            object.owner.as_ref().and_then(|owner| self.teller.knowledge.verdict(owner, provider)).map(|verdict| self.verdict(verdict).0);
        let component = object.owner.as_ref().map(|owner| self.teller.knowledge.name(&owner.component).to_owned());
        let text: Vec<String> = [Some(format!("{sign} {}", view::object(object))), component, verdict].into_iter().flatten().collect();
        self.line(&format!("  {}", text.join(" · ")));
    }
}

/// What was printed up to the name of the object, and behind it. What stood before the row and is none of it is left out, and a kind that only the table's header
/// told is put in.
fn columns(row: &Explained) -> (String, String) {
    let Row { namespace, kind, name, .. } = &row.row;
    let words: Vec<&str> = row.text.split_whitespace().collect();
    let at = words.iter().position(|word| word.contains(name.as_str())).filter(|at| *at <= 3);
    // Of an object printed whole the rest of the line says nothing.
    let rest = at.filter(|at| !words[..*at].iter().any(|word| word.ends_with(':'))).map(|at| &words[at + 1..]).unwrap_or_default();
    let printed = at
        .map(|at| words[at].trim_matches(['"', '`', ',', '|']))
        .filter(|word| word.split_once('/').is_some_and(|(before, _)| Some(before) != namespace.as_deref()));
    let kind = kind.as_deref().map(|kind| format!("{}/", kind.to_lowercase())).unwrap_or_default();
    let own = printed.map_or_else(|| format!("{kind}{name}"), str::to_owned);
    // That of the command above is not repeated in each row.
    let is_printed = |namespace: &&str| at.is_none_or(|at| words[..at].contains(namespace)) || rest.is_empty();
    let namespace = namespace.as_deref().filter(is_printed).map(|namespace| format!("{namespace}  ")).unwrap_or_default();
    let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "|").collect();
    (format!("{namespace}{own}"), rest.join("  "))
}

/// As much of a line as there is room for.
fn cut(text: &str, room: usize) -> String {
    if text.width() <= room {
        return text.to_owned();
    }
    let mut width = 0;
    let fits = |c: &char| {
        width += c.width().unwrap_or(0);
        width < room
    };
    let cut: String = text.chars().take_while(fits).collect();
    format!("{}…", cut.trim_end())
}
