//! Facts that answer a query by themselves: what a provider has for a role, how it has a component, a flag, a port, whether a component can be deleted.

use std::collections::BTreeMap;

use super::{
    claims::{claims_of, is_over},
    deletion, inline_code,
    labels::{self, join_nonempty, presence},
    reader::Reader,
    routes::{component_versions_path, has_role_page, pair_path, provider_pairs, role_path},
    version_tables::{LineVersions, by_line},
};
use crate::{
    facts::{KnownNameKind, Presence, VersionKind},
    id::Id,
    kb::{Claim, Component, Kb, Provider},
    layout::{COMPONENTS, FactSection},
    search::{SearchAnswer, tokenizer::key},
    url::{Url, encode_fragment},
};

/// The names of roles and providers with what they name. Several can have the same name: GKE is two providers.
pub(super) fn names(reader: &Reader<'_>) -> Vec<(String, String)> {
    let kb = reader.kb();
    let roles = kb.vocabulary.roles.iter().filter(|role| has_role_page(kb, &role.id)).flat_map(|role| {
        let names = [reader.text(&role.label), role.id.as_str()].into_iter().chain(role.aka.iter().map(String::as_str));
        names.map(|name| (key(name), role_key(&role.id))).collect::<Vec<_>>()
    });
    // A first word that several names share names all of these providers, GKE Standard and GKE Autopilot, unless it is the name of one: EKS isn't EKS Anywhere.
    let first_word = |provider: &'_ Provider| provider.name.split(' ').next().unwrap_or_default().to_owned();
    let is_shared = |word: &str| {
        let is_name = kb.providers.values().any(|provider| provider.name == word);
        !is_name && kb.providers.values().filter(|provider| first_word(provider) == word).count() > 1
    };
    let providers = kb.providers.values().flat_map(|provider| {
        let shared = Some(first_word(provider)).filter(|word| is_shared(word));
        let names = [provider.name.as_str(), provider.id.as_str()]
            .into_iter()
            .chain(provider.aka.iter().map(String::as_str))
            .chain(shared.as_deref());
        names.map(|name| (key(name), provider_key(&provider.id))).collect::<Vec<_>>()
    });
    let mut names: Vec<(String, String)> = roles.chain(providers).filter(|(name, _)| !name.is_empty()).collect();
    names.sort();
    names.dedup();
    names
}

/// The numbers of the documents that compare providers by a role, by its id. `numbers` are those of all documents, by path.
pub(super) fn comparisons(kb: &Kb, numbers: &BTreeMap<&str, usize>) -> BTreeMap<String, usize> {
    let number = |id: &Id| Some((id.to_string(), *numbers.get(role_path(id).as_str())?));
    kb.vocabulary.roles.iter().filter_map(|role| number(&role.id)).collect()
}

fn role_key(id: &Id) -> String {
    format!("r:{id}")
}

fn provider_key(id: &Id) -> String {
    format!("p:{id}")
}

/// All answers; of those to the same query, that of the most important page first. `page` returns the number and the importance of the document at a path.
pub(super) fn answers(reader: &Reader<'_>, page: &dyn Fn(&str) -> Option<(usize, u8)>) -> Vec<SearchAnswer> {
    let kb = reader.kb();
    let mut all = Vec::new();
    for provider in kb.providers.values() {
        for role in kb.vocabulary.roles.iter().filter(|role| has_role_page(kb, &role.id)) {
            let claims: Vec<&Claim> = provider.claims.iter().filter(|claim| claim.role.as_ref() == Some(&role.id)).collect();
            all.push(SearchAnswer {
                key: format!("{} {}", provider_key(&provider.id), role_key(&role.id)),
                title: format!("{} · {}", provider.name, reader.text(&role.label)),
                text: claim_texts(reader, provider, &claims, true),
                url: address(reader, &role_path(&role.id), provider.id.as_str()),
                checked: checked(provider, &claims),
            });
        }
    }
    let path = |component: &Component| format!("{COMPONENTS}/{}", component.id);
    let pages = kb.components.values().filter_map(|component| Some((page(&path(component))?, component)));
    let mut pages: Vec<((usize, u8), _)> = pages.collect();
    pages.sort_by_key(|((_, importance), _)| std::cmp::Reverse(*importance));
    for ((number, _), component) in pages {
        let path = path(component);
        all.extend(of_component(reader, component, &path, number));
        all.extend(settings(reader, component, &path));
    }
    for (a, b) in provider_pairs(kb) {
        let (Some(first), Some(second)) = (kb.providers.get(&a), kb.providers.get(&b)) else { continue };
        all.push(SearchAnswer {
            key: format!("{} {}", provider_key(&a), provider_key(&b)),
            title: reader.strings().with("compare_pair", &[("a", &first.name), ("b", &second.name)]),
            text: reader.words("compare_description").to_owned(),
            url: address(reader, &pair_path(&a, &b), ""),
            checked: String::new(),
        });
    }
    all
}

/// How each provider has a component, and whether it can be deleted.
fn of_component(reader: &Reader<'_>, component: &Component, path: &str, number: usize) -> Vec<SearchAnswer> {
    let kb = reader.kb();
    let mut all = Vec::new();
    for provider in kb.providers.values() {
        let claims: Vec<&Claim> = claims_of(kb, component).filter(|(of, _)| of.id == provider.id).map(|(_, claim)| claim).collect();
        if !claims.is_empty() {
            all.push(SearchAnswer {
                key: format!("{} d:{number}", provider_key(&provider.id)),
                title: format!("{} · {}", provider.name, component.name),
                text: claim_texts(reader, provider, &claims, false),
                url: address(reader, path, FactSection::Providers.anchor()),
                checked: checked(provider, &claims),
            });
        }
    }
    all.extend(versions(reader, component, number));
    let verdicts = deletion::verdicts(reader, component, None);
    if !verdicts.is_empty() {
        let colon = reader.words("explain_colon");
        let text = |(kinds, verdict): (String, labels::TermView)| {
            if kinds.is_empty() { verdict.label } else { format!("{kinds}{colon}{}", verdict.label) }
        };
        all.push(SearchAnswer {
            key: format!("v:{number}"),
            title: reader.strings().with("search_deletion", &[("name", &component.name)]),
            text: verdicts.into_iter().map(text).collect::<Vec<_>>().join(" · "),
            url: address(reader, path, FactSection::Removal.anchor()),
            checked: String::new(),
        });
    }
    all
}

/// The versions of a component in each line of releases of a provider.
fn versions(reader: &Reader<'_>, component: &Component, number: usize) -> Vec<SearchAnswer> {
    let kb = reader.kb();
    let answer = |provider: &Provider, line: &str, of: LineVersions<'_>| {
        let text = |(kind, version): (VersionKind, &str)| format!("{version} · {}", labels::version_kind(reader, kind).label);
        let mut texts: Vec<String> = of.versions.into_iter().map(text).collect();
        texts.dedup();
        SearchAnswer {
            key: format!("{} d:{number} {line}", provider_key(&provider.id)),
            title: format!("{} {line} · {}", provider.name, component.name),
            text: texts.join("\n"),
            url: address(reader, &component_versions_path(&component.id), ""),
            checked: super::reader::day(of.checked),
        }
    };
    let providers = kb.providers.values().map(|provider| (provider, by_line(kb, &provider.id, &component.id)));
    providers.flat_map(|(provider, lines)| lines.into_iter().map(move |(line, of)| answer(provider, line, of))).collect()
}

/// The flags and ports of a component, and its names outside of listings.
fn settings(reader: &Reader<'_>, component: &Component, path: &str) -> Vec<SearchAnswer> {
    let answer = |setting: &str, shown: String, what: &str, section: FactSection| SearchAnswer {
        key: format!("s:{}", key(setting)),
        title: format!("{shown} · {}", component.name),
        text: inline_code::plain(what),
        url: address(reader, path, section.anchor()),
        checked: String::new(),
    };
    let flags =
        component.flags.iter().map(|flag| answer(&flag.flag, flag.flag.clone(), reader.optional(flag.what.as_ref()), FactSection::Flags));
    let ports = component.ports.iter().map(|port| {
        let shown = format!("{}/{}", labels::ports(port), port.protocols.join(", "));
        answer(&port.first.to_string(), shown, reader.optional(port.what.as_ref()), FactSection::Ports)
    });
    let known = component
        .names
        .iter()
        .filter(|it| !matches!(it.kind, KnownNameKind::Message | KnownNameKind::LogSource))
        .flat_map(|it| it.names.iter().map(move |name| (it, name)));
    let known = known.map(|(it, name)| {
        let kind = reader.strings().term("known", it.kind.name());
        let text = join_nonempty([kind, &inline_code::plain(reader.optional(it.what.as_ref()))], " · ");
        answer(name, name.clone(), &text, FactSection::KnownNames)
    });
    flags.chain(ports).chain(known).collect()
}

/// Claims in one line each: what holds, before what no longer does.
fn claim_texts(reader: &Reader<'_>, provider: &Provider, claims: &[&Claim], named: bool) -> String {
    let line = |claim: &&Claim| {
        let name = claim.component.as_ref().filter(|_| named).map(|id| reader.kb().name_of(id.as_str(), reader.lang)).unwrap_or_default();
        let version =
            |key, version: Option<&String>| version.map(|version| reader.strings().with(key, &[("v", version)])).unwrap_or_default();
        let (since, until) = (version("from_version", claim.since.as_ref()), version("until_version", claim.until.as_ref()));
        let what = inline_code::plain(reader.optional(claim.what.as_ref()));
        join_nonempty([name.as_str(), &presence(reader, claim.presence).label, &since, &until, &what], " · ")
    };
    let (over, current): (Vec<&Claim>, Vec<&Claim>) = claims.iter().partition(|claim| is_over(reader.kb(), provider, claim));
    let lines: Vec<String> = current.iter().chain(&over).map(line).collect();
    if lines.is_empty() { presence(reader, Presence::Unknown).label } else { lines.join("\n") }
}

/// The day of the last check of these claims.
fn checked(provider: &Provider, claims: &[&Claim]) -> String {
    let keys = || claims.iter().flat_map(|claim| &claim.evidence);
    let days = provider.evidence.iter().filter(|entry| keys().any(|key| *key == entry.key)).map(|entry| entry.checked);
    days.max().map(super::reader::day).unwrap_or_default()
}

/// The address of a section from the site's root.
fn address(reader: &Reader<'_>, path: &str, anchor: &str) -> String {
    let url = Url::encoded(&reader.kb().config.page_url(path, reader.lang)).trim_start_matches('/').to_owned();
    if anchor.is_empty() { url } else { format!("{url}#{}", encode_fragment(anchor)) }
}
