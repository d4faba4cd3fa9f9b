//! Chooses claims at random, for an audit against their sources: `cargo run --release --example audit -- SEED COUNT`.
//!
//! Prints one claim per line, tab-separated: the file, what the claim is about, the claim in the default language, and the addresses of its sources. The same seed
//! gives the same claims as long as the content is the same. Claims are the statements of facts that have evidence, and the sentences and table rows of pages that cite
//! a source. Observations without an address are left out, because there is no page to compare them with.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a tool for maintainers")]

use std::{collections::BTreeMap, path::Path};

use ksys_docs::{
    compile,
    diagnostic::Diagnostics,
    id::{Id, Lang},
    kb::{Evidence, Kb, PageKind, RemovalCase, Text},
    read,
};

struct Claim {
    file: String,
    about: String,
    text: String,
    sources: Vec<String>,
}

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>().unwrap());
    let (seed, count) = (arguments.next().unwrap_or(1), arguments.next().unwrap_or(150));
    let (sources, found) = read::read(Path::new(env!("CARGO_MANIFEST_DIR")), read::HistoryMode::Skip).unwrap();
    let mut diagnostics: Diagnostics = found;
    let kb = compile::analyze(&sources, &mut diagnostics).unwrap().kb;
    let mut claims = claims(&kb);
    let mut state = seed;
    for _ in 0..count.min(claims.len() as u64) {
        let index = usize::try_from(random(&mut state) % claims.len() as u64).unwrap();
        let claim = claims.swap_remove(index);
        println!(
            "{}\t{}\t{}\t{}",
            claim.file,
            claim.about,
            claim.text.split_whitespace().collect::<Vec<_>>().join(" "),
            claim.sources.join(" ")
        );
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// All claims with at least one source that has an address, in the order of the files.
fn claims(kb: &Kb) -> Vec<Claim> {
    let lang = kb.config.default_language();
    let mut claims = Vec::new();
    for component in kb.components.values() {
        let mut add =
            |about: &str, text: String, keys: &[Id]| push(&mut claims, &component.file, about, text, addresses(keys, &component.evidence));
        if let Some(lifecycle) = &component.lifecycle {
            add("lifecycle", format!("{} {}: {lifecycle:?}", component.id, lifecycle.state.name()), &lifecycle.evidence);
        }
        for deletion in component.section_deletions.iter().map(|(_, deletion)| deletion).chain([&component.deletion]) {
            if let Some(restart) = &deletion.restart {
                add("restart", text(restart.impact.as_ref(), lang), &restart.evidence);
            }
            if let Some(removal) = &deletion.removal {
                add("removal", case(&removal.general, lang), &removal.general.evidence);
                for (provider, it) in &removal.providers {
                    add("removal", format!("{provider}: {}", case(it, lang)), &it.evidence);
                }
            }
        }
        for relation in &component.relations {
            let what = text(relation.what.as_ref(), lang);
            add("relation", format!("{} {} {} {what}", component.id, relation.verb, relation.to), &relation.evidence);
        }
        for port in &component.ports {
            add("port", format!("{} port {} {}", component.id, port.first, text(port.what.as_ref(), lang)), &port.evidence);
        }
        for flag in &component.flags {
            add("flag", format!("{} {}", flag.flag, text(flag.what.as_ref(), lang)), &flag.evidence);
        }
    }
    for provider in kb.providers.values() {
        for claim in &provider.claims {
            let subject = claim.component.as_ref().or(claim.role.as_ref()).map(Id::as_str).unwrap_or_default();
            let since = claim.since.as_deref().map(|since| format!("since {since}")).unwrap_or_default();
            let claimed = format!("{} {subject}: {} {since} {}", provider.id, claim.presence.name(), text(claim.what.as_ref(), lang));
            push(&mut claims, &provider.file, "provider", claimed, addresses(&claim.evidence, &provider.evidence));
        }
    }
    for page in kb.pages.values() {
        let (PageKind::Entity(kind, id), Some(draft)) = (&page.kind, page.texts.get(lang)) else { continue };
        let evidence: BTreeMap<&str, &Evidence> = kb.evidence_of(*kind, id).iter().map(|entry| (entry.key.as_str(), entry)).collect();
        for sentence in sentences(draft.markdown()) {
            let cited = sentence.split("[[^").skip(1).filter_map(|part| part.split("]]").next());
            let sources = cited.filter_map(|key| evidence.get(key)?.url.clone()).collect();
            push(&mut claims, &draft.file, "page", sentence, sources);
        }
    }
    claims
}

fn push(claims: &mut Vec<Claim>, file: &str, about: &str, text: String, sources: Vec<String>) {
    if !sources.is_empty() && !text.trim().is_empty() {
        claims.push(Claim { file: file.to_owned(), about: about.to_owned(), text, sources });
    }
}

fn addresses(keys: &[Id], evidence: &[Evidence]) -> Vec<String> {
    evidence.iter().filter(|entry| keys.contains(&entry.key)).filter_map(|entry| entry.url.clone()).collect()
}

fn text(text: Option<&Text>, lang: &Lang) -> String {
    text.map(|text| text.get(lang).to_owned()).unwrap_or_default()
}

fn case(case: &RemovalCase, lang: &Lang) -> String {
    let parts = [&case.effect, &case.restored_by, &case.disable].map(|part| text(part.as_ref(), lang));
    format!("{}: {}", case.verdict.name(), parts.join(" | "))
}

/// The sentences and table rows with a citation, outside of code blocks.
fn sentences(markdown: &str) -> Vec<String> {
    let prose: Vec<&str> = markdown.split("```").step_by(2).collect();
    let paragraphs = prose.iter().flat_map(|part| part.split("\n\n"));
    let units = paragraphs.flat_map(|paragraph| {
        let is_table = paragraph.trim_start().starts_with('|');
        let joined = if is_table { paragraph.to_owned() } else { paragraph.replace('\n', " ") };
        let ends = if is_table { "\n" } else { ". " };
        joined.split(ends).map(str::to_owned).collect::<Vec<_>>()
    });
    units.filter(|unit| unit.contains("[[^")).collect()
}
