//! What changes for readers between two states of a knowledge base, as Markdown for a pull request: statements and their evidence, rows that are claimed or not any
//! more, pages that read differently.
//!
//! Every fact becomes a statement: who says it, about what, and what it says. Two lists of statements are compared, so no kind of fact needs a comparison of its own.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use crate::{
    coverage::coverage,
    diagnostic::Diagnostic,
    facts::{Confidence, Protocol},
    id::{Id, Lang},
    kb::{Claim, Evidence, Kb, Lifecycle, Listing, Relation, ReleaseIndex, Removal, RemovalCase, Since, Text},
    link::Links,
    render::Renderer,
};

/// More pages than this are not named one by one.
const MOST_PAGES: usize = 150;

/// More rows than this are not shown in one table: a comment on GitHub has 65,536 characters at most, and nobody reads more.
const MOST_ROWS: usize = 60;

/// A state of a knowledge base.
#[derive(Debug)]
pub struct Side {
    renderer: Renderer,
}

impl Side {
    /// Gets ready to compare.
    ///
    /// # Errors
    /// What is wrong with the templates.
    pub fn new(kb: Kb, links: Links) -> Result<Self, Vec<Diagnostic>> {
        Ok(Self { renderer: Renderer::new(kb, links, std::sync::Arc::default(), None)? })
    }
}

/// What statements are about, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Topic {
    Thing,
    Verdict,
    Lifecycle,
    Claim,
    Pattern,
    Relation,
    Port,
    Flag,
    Other,
}

impl Topic {
    const ALL: [Self; 9] =
        [Self::Thing, Self::Verdict, Self::Lifecycle, Self::Claim, Self::Pattern, Self::Relation, Self::Port, Self::Flag, Self::Other];

    const fn title(self) -> &'static str {
        match self {
            Self::Thing => "Components, concepts, providers and sections",
            Self::Verdict => "May it be deleted?",
            Self::Lifecycle => "States by release",
            Self::Claim => "What providers have",
            Self::Pattern => "Name patterns",
            Self::Relation => "Relations",
            Self::Port => "Ports",
            Self::Flag => "Flags",
            Self::Other => "Other facts",
        }
    }

    /// Whether a statement needs evidence.
    const fn is_claim(self) -> bool {
        !matches!(self, Self::Thing | Self::Pattern | Self::Other)
    }
}

/// Who says something, and about what.
type Key = (Topic, String, String);

/// What is said, and where it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    text: String,
    evidence: usize,
    /// Nobody knows, so nothing has to be proven.
    unknown: bool,
}

/// Everything that a knowledge base says in a language.
struct Statements<'a> {
    kb: &'a Kb,
    lang: &'a Lang,
    all: BTreeMap<Key, Said>,
}

impl Statements<'_> {
    fn of(kb: &Kb, lang: &Lang) -> BTreeMap<Key, Said> {
        let mut statements = Statements { kb, lang, all: BTreeMap::new() };
        statements.components();
        statements.others();
        statements.all
    }

    fn say(&mut self, topic: Topic, subject: &str, about: String, text: String, evidence: usize) {
        let unknown = text.starts_with("unknown");
        let mut key = (topic, subject.to_owned(), about);
        // Two statements about the same thing are told apart by their order.
        while self.all.contains_key(&key) {
            key.2.push('′');
        }
        self.all.insert(key, Said { text, evidence, unknown });
    }

    fn components(&mut self) {
        let kb = self.kb;
        for it in kb.components.values() {
            let id = it.id.as_str();
            self.say(Topic::Thing, id, "component".to_owned(), it.name.clone(), 0);
            self.lifecycle(id, it.lifecycle.as_ref());
            self.removal(id, it.removal.as_ref());
            for (section, removal) in &it.section_removals {
                self.removal(section.as_str(), Some(removal));
            }
            it.listing.iter().for_each(|listing| self.pattern(id, listing));
            self.relations(id, &it.relations);
            for port in &it.ports {
                let about = if port.first == port.last { port.first.to_string() } else { format!("{}-{}", port.first, port.last) };
                let text =
                    [Some(protocol(port.protocol).to_owned()), self.text(port.what.as_ref()), self.span(port.since, None, port.removed)];
                self.say(Topic::Port, id, about, joined(text), port.evidence.len());
            }
            for flag in &it.flags {
                let text = [self.text(flag.what.as_ref()), self.span(flag.since, flag.deprecated, flag.removed)];
                self.say(Topic::Flag, id, flag.flag.clone(), joined(text), flag.evidence.len());
            }
            self.say(Topic::Other, id, "area".to_owned(), it.area.to_string(), 0);
            let others = [
                ("place", it.place.as_ref().map(Id::to_string)),
                ("roles", list(&it.roles)),
                ("installed by", self.text(it.installed_by.as_ref())),
                ("other names", (!it.aka.is_empty()).then(|| it.aka.join(", "))),
            ];
            for (about, text) in others {
                if let Some(text) = text {
                    self.say(Topic::Other, id, about.to_owned(), text, 0);
                }
            }
        }
    }

    fn others(&mut self) {
        let kb = self.kb;
        for it in kb.concepts.values() {
            let id = it.id.as_str();
            self.say(Topic::Thing, id, "concept".to_owned(), kb.name_of(id, self.lang), 0);
            self.lifecycle(id, it.lifecycle.as_ref());
            self.relations(id, &it.relations);
        }
        for text in kb.pages.values().filter_map(|page| page.texts.get(self.lang)) {
            if let Some(summary) = &text.front.summary {
                self.say(Topic::Other, &format!("/{}", text.path), "summary".to_owned(), summary.clone(), 0);
            }
        }
        for section in kb.sections.values() {
            self.say(Topic::Thing, section.id.as_str(), format!("section of {}", section.owner), section.name.clone(), 0);
        }
        for it in kb.providers.values() {
            self.say(Topic::Thing, it.id.as_str(), "provider".to_owned(), it.name.clone(), 0);
            if !it.marks.is_empty() {
                self.say(Topic::Other, it.id.as_str(), "marks".to_owned(), it.marks.join(", "), 0);
            }
            for claim in &it.claims {
                self.claim(it.id.as_str(), claim);
            }
        }
    }

    fn claim(&mut self, provider: &str, claim: &Claim) {
        let ids = [claim.role.as_ref(), claim.component.as_ref()];
        let about = ids.into_iter().flatten().map(Id::as_str).collect::<Vec<_>>().join(": ");
        let word = |name: &str, text: &Option<String>| text.as_ref().map(|text| format!("{name} {text}"));
        let text = [
            Some(claim.presence.name().to_owned()),
            claim.form.clone(),
            word("since", &claim.since),
            word("until", &claim.until),
            self.text(claim.what.as_ref()),
            (claim.confidence != Confidence::High).then(|| format!("confidence {}", claim.confidence.name())),
        ];
        self.say(Topic::Claim, provider, about, joined(text), claim.evidence.len());
    }

    fn lifecycle(&mut self, id: &str, lifecycle: Option<&Lifecycle>) {
        let Some(it) = lifecycle else { return };
        let since = match it.since {
            Some(Since::Release(since)) => self.span(Some(since), None, None),
            Some(Since::Unknown) => Some("since unknown".to_owned()),
            None => None,
        };
        let replaced = (!it.replaced_by.is_empty()).then(|| list(&it.replaced_by)).flatten().map(|ids| format!("replaced by {ids}"));
        let text = [Some(it.state.name().to_owned()), since, self.span(None, it.deprecated, it.removed), replaced];
        self.say(Topic::Lifecycle, id, String::new(), joined(text), it.evidence.len());
    }

    fn removal(&mut self, id: &str, removal: Option<&Removal>) {
        let Some(removal) = removal else { return };
        self.case(id, String::new(), &removal.general);
        for (provider, case) in &removal.providers {
            self.case(id, format!("at {provider}"), case);
        }
    }

    fn case(&mut self, id: &str, about: String, case: &RemovalCase) {
        let part = |name: &str, text: &Option<Text>| self.text(text.as_ref()).map(|text| format!("{name}: {text}"));
        let text = [
            Some(case.verdict.name().to_owned()),
            self.text(case.effect.as_ref()),
            part("restored by", &case.restored_by),
            part("off switch", &case.off_switch),
        ];
        self.say(Topic::Verdict, id, about, joined(text), case.evidence.len());
    }

    fn pattern(&mut self, id: &str, it: &Listing) {
        let place = it.namespace.as_ref().map(|namespace| format!(" in {namespace}")).unwrap_or_default();
        let providers = list(&it.providers).map(|ids| format!(" at {ids}")).unwrap_or_default();
        let text = [
            it.needs_namespace.then(|| "only with its namespace".to_owned()),
            it.section.as_ref().map(|section| format!("explained by {section}")),
        ];
        self.say(Topic::Pattern, id, format!("{} {}{place}{providers}", it.kind, it.name), joined(text), 0);
    }

    fn relations(&mut self, id: &str, relations: &[Relation]) {
        for it in relations {
            let text = [it.port.as_ref().map(|port| format!("port {port}")), self.text(it.what.as_ref())];
            self.say(Topic::Relation, id, format!("{} {}", it.verb, it.to), joined(text), it.evidence.len());
        }
    }

    /// A text in this language.
    fn text(&self, text: Option<&Text>) -> Option<String> {
        text.map(|text| text.get(self.lang).to_owned()).filter(|text| !text.is_empty())
    }

    fn span(&self, since: Option<ReleaseIndex>, deprecated: Option<ReleaseIndex>, removed: Option<ReleaseIndex>) -> Option<String> {
        let turns = [("since", since), ("deprecated", deprecated), ("removed", removed)];
        let said = turns.into_iter().filter_map(|(word, release)| Some(format!("{word} {}", self.kb.vocabulary.release(release?).name)));
        let said = said.collect::<Vec<_>>().join(", ");
        (!said.is_empty()).then_some(said)
    }
}

const fn protocol(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Tcp => "TCP",
        Protocol::Udp => "UDP",
        Protocol::Both => "TCP and UDP",
        Protocol::Sctp => "SCTP",
    }
}

fn joined(parts: impl IntoIterator<Item = Option<String>>) -> String {
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

fn list(ids: &[Id]) -> Option<String> {
    (!ids.is_empty()).then(|| ids.iter().map(Id::as_str).collect::<Vec<_>>().join(", "))
}

/// What changes from one side to the other, as Markdown; one line if nothing does.
#[must_use]
pub fn markdown(before: &Side, after: &Side) -> String {
    let (old, new, changed) = statements(before.renderer.kb(), after.renderer.kb());
    let mut text = String::from("## What changes for readers\n\n");
    let pages = pages(before, after);
    let sources = sources(before.renderer.kb(), after.renderer.kb());
    if changed.is_empty() && pages.is_empty() && sources.is_empty() {
        text.push_str("Nothing.\n");
        return text;
    }
    let unproven = |key: &&Key| key.0.is_claim() && new.get(*key).is_some_and(|said| said.evidence == 0 && !said.unknown);
    let count = |old_has: bool, new_has: bool| {
        changed.iter().filter(|key| old.contains_key(*key) == old_has && new.contains_key(*key) == new_has).count()
    };
    let counts = [
        ("new", count(false, true)),
        ("changed", count(true, true)),
        ("gone", count(true, false)),
        ("**without evidence**", changed.iter().filter(unproven).count()),
        ("pages that read differently", pages.len()),
    ];
    let said: Vec<String> = counts.into_iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what}: {count}")).collect();
    let _ = writeln!(text, "{}", said.join(" · "));
    for topic in Topic::ALL {
        let own: Vec<&Key> = changed.iter().filter(|key| key.0 == topic).collect();
        if !own.is_empty() {
            table(&mut text, topic, &own, &old, &new);
        }
    }
    if !sources.is_empty() {
        let _ = write!(text, "\n### Evidence\n\n{sources}");
    }
    coverage_line(&mut text, before.renderer.kb(), after.renderer.kb());
    page_list(&mut text, &pages);
    text
}

/// What both sides say, and about what they differ: in text, or in how many sources it names. What differs only in another language than the first is told in that one.
fn statements(before: &Kb, after: &Kb) -> (BTreeMap<Key, Said>, BTreeMap<Key, Said>, BTreeSet<Key>) {
    let (mut old, mut new, mut changed) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::<Key>::new());
    for (number, language) in after.config.languages.iter().enumerate() {
        let (before, after) = (Statements::of(before, &language.lang), Statements::of(after, &language.lang));
        let differ = |key: &&Key| before.get(*key) != after.get(*key);
        let told_already = |key: &&Key| number > 0 && changed.contains(*key);
        let keys = before.keys().chain(after.keys()).filter(|key| differ(key) && !told_already(key));
        for key in keys.cloned().collect::<BTreeSet<Key>>() {
            let told =
                if number == 0 { key.clone() } else { (key.0, key.1.clone(), format!("{} ({})", key.2, language.lang).trim().to_owned()) };
            old.extend(before.get(&key).map(|said| (told.clone(), said.clone())));
            new.extend(after.get(&key).map(|said| (told.clone(), said.clone())));
            changed.insert(told);
        }
    }
    (old, new, changed)
}

fn table(text: &mut String, topic: Topic, keys: &[&Key], old: &BTreeMap<Key, Said>, new: &BTreeMap<Key, Said>) {
    let _ = write!(text, "\n### {}\n\n", topic.title());
    text.push_str(if topic.is_claim() {
        "| | about | before | after | sources |\n| --- | --- | --- | --- | --- |\n"
    } else {
        "| | about | before | after |\n| --- | --- | --- | --- |\n"
    });
    for key in keys.iter().take(MOST_ROWS) {
        let side = |side: &BTreeMap<Key, Said>| match side.get(*key) {
            None => "—".to_owned(),
            Some(said) if said.text.is_empty() => "✓".to_owned(),
            Some(said) => cell(&said.text),
        };
        let _ = write!(text, "| {} | {} | {} | {} |", code(&key.1), cell(key.2.trim_end_matches('′')), side(old), side(new));
        if topic.is_claim() {
            let sources = |said: &Said| if said.evidence == 0 && !said.unknown { "**none**".to_owned() } else { said.evidence.to_string() };
            let sources = match (old.get(*key), new.get(*key)) {
                (_, None) => String::new(),
                (Some(old), Some(new)) if old.evidence != new.evidence => format!("{} → {}", sources(old), sources(new)),
                (_, Some(new)) => sources(new),
            };
            let _ = write!(text, " {sources} |");
        }
        text.push('\n');
    }
    if let Some(more) = keys.len().checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        let _ = write!(text, "\nand {more} more\n");
    }
}

/// Evidence that is new, gone, or was looked at again.
fn sources(before: &Kb, after: &Kb) -> String {
    let all = |kb: &Kb| -> BTreeMap<(String, String), Evidence> {
        let of = |id: &Id, evidence: &[Evidence]| -> Vec<((String, String), Evidence)> {
            evidence.iter().map(|entry| ((id.to_string(), entry.key.to_string()), entry.clone())).collect()
        };
        let components = kb.components.values().flat_map(|it| of(&it.id, &it.evidence));
        let providers = kb.providers.values().flat_map(|it| of(&it.id, &it.evidence));
        components.chain(providers).chain(kb.concepts.values().flat_map(|it| of(&it.id, &it.evidence))).collect()
    };
    let (old, new) = (all(before), all(after));
    let address = |entry: &Evidence| {
        entry.url.as_deref().map_or_else(|| cell(&entry.title), |url| format!("<{}>", url.replace(['<', '>', ' ', '\n'], "")))
    };
    let mut lines: Vec<String> = Vec::new();
    for (key @ (id, _), entry) in &new {
        let (what, known) = (address(entry), old.get(key));
        lines.extend(match known {
            None => Some(format!("- {}: new, {what} ({})", code(id), entry.checked)),
            Some(known) if known.url != entry.url => {
                Some(format!("- {}: {what} instead of {} ({})", code(id), address(known), entry.checked))
            }
            Some(known) if known.checked != entry.checked => {
                Some(format!("- {}: looked at again, {what} ({} after {})", code(id), entry.checked, known.checked))
            }
            Some(_) => None,
        });
    }
    let gone = old.iter().filter(|(key, _)| !new.contains_key(*key));
    lines.extend(gone.map(|((id, _), entry)| format!("- {}: gone, {}", code(id), address(entry))));
    cut_short(lines, MOST_ROWS).into_iter().map(|line| line + "\n").collect()
}

/// So many lines at most, and how many more there are.
fn cut_short(mut lines: Vec<String>, most: usize) -> Vec<String> {
    if let Some(more) = lines.len().checked_sub(most).filter(|more| *more > 0) {
        lines.truncate(most);
        lines.push(format!("- and {more} more"));
    }
    lines
}

/// What became better or worse of what is proven, translated and known.
fn coverage_line(text: &mut String, before: &Kb, after: &Kb) {
    let (old, new) = (coverage(before), coverage(after));
    let stale = |it: &crate::coverage::Coverage| it.languages.iter().map(|language| language.stale.len()).sum::<usize>();
    let missing = |it: &crate::coverage::Coverage| it.languages.iter().map(|language| language.missing.len()).sum::<usize>();
    let counts = [
        ("statements without evidence", old.without_evidence.len(), new.without_evidence.len()),
        ("pairs of a role and a provider unknown", old.unknown_cells.len(), new.unknown_cells.len()),
        ("pages not translated", missing(&old), missing(&new)),
        ("pages behind the original", stale(&old), stale(&new)),
        ("components without an example", old.without_examples.len(), new.without_examples.len()),
    ];
    let said: Vec<String> =
        counts.into_iter().filter(|(_, old, new)| old != new).map(|(what, old, new)| format!("- {what}: {old} → {new}")).collect();
    if !said.is_empty() {
        let _ = write!(text, "\n### Coverage\n\n{}\n", said.join("\n"));
    }
}

/// Pages that read differently: their addresses, what happened to them, and in which languages.
fn pages(before: &Side, after: &Side) -> BTreeMap<(String, &'static str), Vec<String>> {
    let (old, new) = (before.renderer.mains(), after.renderer.mains());
    let changed = new.iter().filter_map(|(path, main)| match old.get(path) {
        None => Some((path, "new")),
        Some(known) => (known != main).then_some((path, "changed")),
    });
    let gone = old.keys().filter(|path| !new.contains_key(*path)).map(|path| (path, "gone"));
    let config = &after.renderer.kb().config;
    let mut pages: BTreeMap<(String, &'static str), Vec<String>> = BTreeMap::new();
    for (path, how) in changed.chain(gone) {
        let (lang, path) = config.language_of(path);
        let address = format!("/{}", path.strip_suffix("index.html").unwrap_or(path));
        pages.entry((address, how)).or_default().push(lang.to_string());
    }
    // In the order of the site.
    let place = |tag: &String| config.languages.iter().position(|language| language.lang.as_str() == tag);
    for languages in pages.values_mut() {
        languages.sort_by_key(place);
    }
    pages
}

fn page_list(text: &mut String, pages: &BTreeMap<(String, &'static str), Vec<String>>) {
    if pages.is_empty() {
        return;
    }
    let _ = write!(text, "\n<details><summary>Pages that read differently: {}</summary>\n\n", pages.len());
    let lines = pages.iter().map(|((address, how), languages)| format!("- {} {how} ({})", code(address), languages.join(", ")));
    for line in cut_short(lines.collect(), MOST_PAGES) {
        let _ = writeln!(text, "{line}");
    }
    text.push_str("\n</details>\n");
}

/// Text in a cell of a table, with nothing in it that Markdown, or the place where it is shown, would take for more than text.
fn cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => cell.push(' '),
            // A name behind it would be told about a change that is none of its business.
            '@' => cell.push_str("&#64;"),
            '&' => cell.push_str("&amp;"),
            '<' => cell.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' | '$' => cell.extend(['\\', c]),
            c => cell.push(c),
        }
    }
    cell
}

/// A name as code.
fn code(text: &str) -> String {
    let text: String = text.chars().filter(|c| !matches!(c, '`' | '|' | '\n' | '\r')).collect();
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_is_text() {
        assert_eq!(cell("a|b @team <img> [x](y) `c`\n#1"), "a\\|b &#64;team &lt;img> \\[x\\](y) \\`c\\` \\#1");
        assert_eq!(code("a`b|c\nd"), "`abcd`");
    }
}
