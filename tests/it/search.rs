//! The search index: the content of its files, and test data on which the program and the script must agree.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
};

use expect_test::expect_file;
use ksys_docs::{
    id::Id,
    listing::{Grammar, OwnedPattern, Pattern, Recogniser, parse_row},
    search::tokenizer,
    site::Site,
};
use serde_json::{Value, json};

use crate::support::{BASE, over_base, site};

/// Compares with a file that the browser tests also read. `UPDATE_EXPECT=1 cargo test` updates it. Review the diff.
fn agrees(name: &str, lines: &[Value]) {
    let text = format!("[\n{}\n]\n", lines.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n"));
    expect_file![format!("{}/tests/fixtures/search/{name}", env!("CARGO_MANIFEST_DIR"))].assert_eq(&text);
}

/// Texts that cover each rule of [`tokenizer`].
const TEXTS: &[&str] = &[
    "kube-proxy kubeproxy Kube Proxy KUBE_PROXY",
    "CoreDNS EndpointSlices APIServer IPv6 PodIPs kubeDNS eBPF GKE's K8sNode",
    "--proxy-mode=iptables --v=4 -n kube-system",
    "/etc/resolv.conf /var/lib/kubelet/pods ../a//b -x- a--b a.-b .hidden. trailing-",
    "metrics.k8s.io v1beta1.metrics.k8s.io system:kube-dns registry.k8s.io/pause:3.9",
    "10250/TCP 1.35 v1.2.3 169.254.169.254 2026-11-21 1/1 0.5.2-gke.1",
    "a I x 5 é",
    "restores restored restoring policies addresses stopped pulling configuration termination status ingress boxes caches pushes copies copied feed need",
    "負荷分散の役割 東京都 京都 再起動 未使用 全国各地域別一覧表示機能",
    "サーバー サーバ ｻｰﾊﾞｰ ユーザー メモリー キー データ コントロールプレーン クラスターオートスケーラー ロードバランサー ヶ月 ッ",
    "消すと消した 動かない 通信がつながらない らーめん ああ のののの なりすましの権限",
    "kubeletの役割、etcdとは？「Pod」（ポッド）ｅｔｃｄ　①Ⅳ㍿㌔",
    "々〆〇 人々 𠮷野家 葛\u{e0100}城 한국어 쿠버네티스 中文没有空格的句子也可以搜索",
    "Ünïcode naïve ÅNGSTRÖM Straße ΣΊΣΥΦΟΣ ΟΔΟΣ İstanbul ǅ ﬁne K",
    "soft\u{ad}hyphen zero\u{200b}width join\u{200d}er \u{feff}bom e\u{301}\u{302}",
    "が\u{3099} か\u{3099} ｶﾞ ゛゜ ー ーー アー あー ヽヾ ゝゞ ㇰㇿ",
    "emoji 😀 kube😀proxy → ← ✓ • — – … « » “quoted”",
    "\u{0}\u{7f}\u{85}\u{a0}\t\n\r \u{2028} \u{e000} \u{10ffff}",
    "ꬰ ﯓ ﷽ ﹰ ﻼ ￼ 𝔸𝕓 🄰 ℃ ½ x² H₂O",
    "averyveryveryveryveryveryveryverylongwordthatisnonameatall short-and-then-some-more-and-then-even-more-parts",
];

/// Ranges of code points that are assigned or will never be: the normalization of other code points may change in a later version of Unicode.
const RANGES: &[(u32, u32)] = &[
    (0x20, 0x7e),
    (0xa0, 0x17f),
    (0x180, 0x24f),
    (0x300, 0x36f),
    (0x391, 0x3a1),
    (0x3a3, 0x3ff),
    (0x400, 0x52f),
    (0x5d0, 0x5ea),
    (0x621, 0x64a),
    (0xe01, 0xe3a),
    (0x1e00, 0x1eff),
    (0x2010, 0x205e),
    (0x2100, 0x218b),
    (0x2190, 0x23ff),
    (0x2460, 0x27bf),
    (0x3001, 0x303f),
    (0x3041, 0x3096),
    (0x3099, 0x30ff),
    (0x31f0, 0x31ff),
    (0x3200, 0x321e),
    (0x3220, 0x33ff),
    (0x4e00, 0x9fef),
    (0xac00, 0xd7a3),
    (0xe000, 0xe0ff),
    (0xf900, 0xfa6d),
    (0xfb50, 0xfbb1),
    (0xfe00, 0xfe0f),
    (0xfe30, 0xfe4f),
    (0xff01, 0xff9f),
    (0x1d400, 0x1d454),
    (0x1f600, 0x1f64f),
    (0x20000, 0x2a6d6),
];

/// Random texts, the same in every run.
fn random_texts() -> Vec<String> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state % u64::from(below)).unwrap()
    };
    let mut texts = Vec::new();
    for number in 0..600 {
        let mut text = String::new();
        // Half of the texts use only a few ranges, so that they contain longer runs.
        let few = [next(32), next(32), 0];
        for _ in 0..4 + next(20) {
            let range = if number % 2 == 0 { next(32) } else { few[next(3) as usize] };
            let (from, to) = RANGES[range as usize];
            text.extend(char::from_u32(from + next(to - from + 1)));
        }
        texts.push(text);
    }
    texts
}

#[test]
fn texts_become_the_terms_that_the_script_makes_of_them() {
    let all = TEXTS.iter().map(ToString::to_string).chain(random_texts());
    let lines: Vec<Value> = all
        .map(|text| {
            let mut terms = Vec::new();
            tokenizer::terms(&text, |term, quality| terms.push(json!([term, quality])));
            json!({"text": text, "key": tokenizer::key(&text), "terms": terms})
        })
        .collect();
    agrees("words.json", &lines);
}

/// Patterns and rows of every kind. The program and the script must find the same best patterns.
#[test]
fn rows_are_recognised_as_the_script_recognises_them() {
    let patterns = [
        ("Deployment", "konnectivity-agent", "kube-system", false),
        ("Deployment", "konnectivity-agent-autoscaler", "kube-system", false),
        ("Deployment", "metrics-server-v{version}", "kube-system", false),
        ("DaemonSet", "gke-metrics-agent-scaling-{number}", "kube-system", false),
        ("DaemonSet", "kube-proxy", "", false),
        ("StaticPod", "kube-proxy", "", false),
        ("StaticPod", "etcd", "kube-system", false),
        ("StaticPod", "etcd-manager-main", "kube-system", false),
        ("StatefulSet", "etcd", "", false),
        ("CronJob", "tidy-{word}", "", false),
        ("ReplicationController", "kube-dns-v{number}", "kube-system", false),
        ("Secret", "default-token-{hash}", "", false),
        ("Service", "nginx", "ingress", true),
        ("APIService", "v1beta1.metrics.k8s.io", "", false),
        ("Lease", "apiserver-{hash}", "kube-system", false),
        ("Node", "{node}-pool.internal", "", false),
    ];
    let rows = [
        "pod/konnectivity-agent-69fc69d588-t67rj",
        "pod/konnectivity-agent-autoscaler-5d9dbcc6d8-2qlgw",
        "konnectivity-agent",
        "deployment.apps/konnectivity-agent",
        "kube-system pod/konnectivity-agent-69fc69d588-t67rj 1/1 Running 0 3m",
        "team-a pod/konnectivity-agent-69fc69d588-t67rj 1/1 Running 0 3m",
        "metrics-server-v0.5.2-1234567890-b8d4f",
        "metrics-server-v0.5..2-1234567890-b8d4f",
        "daemonset.apps/gke-metrics-agent-scaling-20",
        "gke-metrics-agent-scaling-20-x7k2p",
        "kube-proxy-gke-dev-pool-1-f85e8dad-7j7g",
        "kube-proxy-jct8w",
        "ds/kube-proxy",
        "etcd-0",
        "pod/etcd-node1.example.org",
        "pod/etcd-manager-main-i-0ad86f23f13499914",
        "tidy-x1-28391040-5xk2v",
        "job.batch/tidy-x1-28391040",
        "rc/kube-dns-v20",
        "po/kube-dns-v20-jd8hx",
        "default-token-x7k2p",
        "nginx",
        "svc/nginx",
        "ingress service/nginx",
        "apiservice.apiregistration.k8s.io/v1beta1.metrics.k8s.io",
        "lease/apiserver-zqm5b2k4rn",
        "apiserver-abcde12345f",
        "node/worker-3-pool.internal",
        "etcd",
        "unknown-thing-5d9dbcc6d8-2qlgw",
    ];
    let owned = patterns.iter().enumerate().map(|(entry, (kind, name, namespace, needs))| {
        let namespace = Some(*namespace).filter(|namespace| !namespace.is_empty());
        let pattern = Pattern::new(kind, name, namespace).unwrap().needing_namespace(*needs);
        OwnedPattern { component: Id::new(&format!("c{entry}")).unwrap(), entry, providers: Vec::new(), pattern: pattern.into() }
    });
    let recogniser = Recogniser::new(owned.collect());
    let stem = |entry: usize| recogniser.patterns()[entry].pattern.stem().to_owned();
    let entries = patterns.iter().enumerate().map(|(entry, (kind, name, namespace, needs))| {
        json!({"stem": stem(entry), "entry": [entry, "", kind, name, namespace, u8::from(*needs)]})
    });
    let mut lines = vec![json!({"grammar": Grammar::new(), "entries": entries.collect::<Vec<_>>()})];
    for text in rows {
        let row = parse_row(text).unwrap();
        let best: Vec<usize> = recogniser.best(&row, None).into_iter().map(|owned| owned.entry).collect();
        assert!(best.iter().all(|entry| row.name.starts_with(&stem(*entry))), "{text}");
        lines.push(json!({"row": {"kind": row.kind.unwrap_or_default(), "namespace": row.namespace.unwrap_or_default(), "name": row.name}, "best": best}));
    }
    agrees("names.json", &lines);
}

/// The value that a file of the index passes to `ksys.got`.
fn file(site: &Site, path: &str) -> Value {
    let text = site.text(path).unwrap_or_else(|| panic!("no {path}"));
    let value = text.strip_prefix("ksys.got(\"").and_then(|rest| rest.split_once("\",")).map(|(_, value)| value);
    serde_json::from_str(value.and_then(|value| value.strip_suffix(")\n")).unwrap_or_else(|| panic!("{path} is no such script"))).unwrap()
}

/// Every term of a language with its units and levels.
fn dictionary(site: &Site, lang: &str) -> BTreeMap<String, Vec<(usize, usize)>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let root = file(site, &format!("search/{lang}/root.js"));
    let firsts: Vec<&str> = root["firsts"]["t"].as_array().unwrap().iter().map(|first| first.as_str().unwrap()).collect();
    let mut terms = BTreeMap::new();
    for number in 0..firsts.len() {
        let lines = file(site, &format!("search/{lang}/t/{number}.js"));
        for line in lines.as_str().unwrap().lines() {
            let (term, letters) = line.split_once('\t').unwrap();
            assert!(term >= firsts[number], "{term} stands before {}", firsts[number]);
            assert!(firsts.get(number + 1).is_none_or(|next| term < *next), "{term} belongs into the next shard");
            let mut letters = letters.chars().map(|letter| DIGITS.find(letter).unwrap());
            let (mut unit, mut postings) = (0, Vec::new());
            while let Some(first) = letters.next() {
                let (mut value, mut number, mut shift) = (first, 0, 0);
                loop {
                    number += (value & 31) << shift;
                    shift += 5;
                    if value < 32 {
                        break;
                    }
                    value = letters.next().unwrap();
                }
                unit += number;
                postings.push((unit, letters.next().unwrap()));
            }
            assert!(terms.insert(term.to_owned(), postings).is_none(), "{term} stands twice");
        }
    }
    terms
}

/// The page of a unit, with the heading that a hit shows.
fn unit(site: &Site, lang: &str, number: usize) -> (Value, Value) {
    let root = file(site, &format!("search/{lang}/root.js"));
    let firsts = root["packs"].as_array().unwrap();
    let pack = firsts.iter().rposition(|first| first.as_u64().unwrap() <= number as u64).unwrap();
    let entries = file(site, &format!("search/{lang}/p/{pack}.js"));
    for entry in entries.as_array().unwrap() {
        let first = usize::try_from(entry["first"].as_u64().unwrap()).unwrap();
        let units = entry["units"].as_array().unwrap();
        if (first..first + units.len()).contains(&number) {
            let heading = units[..=number - first].iter().rev().find(|heading| !heading.is_null()).unwrap();
            return (entry.clone(), heading.clone());
        }
    }
    panic!("no unit {number}");
}

/// The numbers of the units of each document.
fn counts(site: &Site, lang: &str) -> Vec<usize> {
    let root = file(site, &format!("search/{lang}/root.js"));
    root["units"].as_array().unwrap().iter().map(|count| usize::try_from(count.as_u64().unwrap()).unwrap()).collect()
}

/// The pages that contain a term, the highest level first.
fn pages(site: &Site, lang: &str, term: &str) -> Vec<String> {
    let mut postings = dictionary(site, lang).remove(term).unwrap_or_default();
    postings.sort_by_key(|(_, level)| std::cmp::Reverse(*level));
    let url = |number: usize| unit(site, lang, number).0["url"].as_str().unwrap().to_owned();
    let mut urls: Vec<String> = postings.into_iter().map(|(unit, _)| url(unit)).collect();
    urls.dedup();
    urls
}

#[test]
fn every_page_stands_in_the_index_of_every_language() {
    let site = site(&over_base(""));
    assert_eq!(counts(&site, "en").len(), counts(&site, "ja").len());
    for (lang, prefix) in [("en", ""), ("ja", "ja/")] {
        let units = counts(&site, lang).iter().sum();
        let urls: BTreeSet<String> = (0..units).map(|number| unit(&site, lang, number).0["url"].as_str().unwrap().to_owned()).collect();
        for path in ["", "components/boiler/", "components/pump/", "providers/acme/", "components/", "compare/"] {
            assert!(urls.contains(&format!("{prefix}{path}")), "{lang} {path}: {urls:?}");
        }
        for url in &urls {
            assert!(site.get(&format!("{url}index.html")).is_some(), "{url} is no page");
        }
    }
}

#[test]
fn what_a_page_is_called_weighs_more_than_what_it_says() {
    let site = site(&over_base(
        "//- content/components/valve/facts.yaml
name: valve
area: water
aka: [stop-cock]
ports: [{port: 4711, what: {en: commands, ja: 命令}, evidence: [m]}]
flags: [{flag: --slow-close, what: {en: closes gently, ja: ゆっくり閉じます}, evidence: [m]}]
evidence: {m: {title: M, url: 'https://example.org/', checked: 2026-11-20}}
//- content/components/valve/en.md
---
summary: Lets steam out.
aka: [relief tap]
keywords: [whistling noise]
---
It is near the [[boiler]]. The word kettle stands here, too.

## Reading the gauge {#gauge}
Nothing.
//- content/components/valve/ja.md
---
summary: 蒸気を逃がします。
aka: [安全弁]
---
[[boiler]]の近くにあります。
",
    ));
    for (term, first) in [
        ("kettl", "components/boiler/"),
        ("stopcock", "components/valve/"),
        ("relieftap", "components/valve/"),
        ("whistl", "components/valve/"),
        ("4711", "components/valve/"),
        ("slowclos", "components/valve/"),
        ("gaug", "components/valve/"),
    ] {
        assert_eq!(pages(&site, "en", term).first().map(String::as_str), Some(first), "{term}");
    }
    assert_eq!(pages(&site, "ja", "安全弁"), ["ja/components/valve/"]);
    assert!(pages(&site, "en", "安全弁").is_empty(), "a name of one language is none in the other");
    let level = |term: &str| dictionary(&site, "en")[term].iter().map(|(_, level)| *level).max().unwrap();
    for (more, less) in [("valv", "stopcock"), ("stopcock", "4711"), ("4711", "gaug"), ("gaug", "gently")] {
        assert!(level(more) > level(less), "{more} {} {less} {}", level(more), level(less));
    }
    // Links by id are found by their names.
    assert!(pages(&site, "en", "boiler").contains(&"components/valve/".to_owned()));
    let text: String =
        site.files().filter(|(path, _)| path.starts_with("search/en/p/")).map(|(path, _)| site.text(path).unwrap()).collect();
    assert!(text.contains("Lets steam out."), "{text}");
    assert!(!text.contains("whistling noise"), "keywords are not shown");
}

#[test]
fn a_word_that_is_cut_out_of_another_comes_last() {
    let site = site(&over_base(
        "//- content/a/en.md\n# A\n\nA.\n//- content/a/ja.md\n# 甲\n\n東京都の設備です。東京都に置きます。東京都の図です。\n\
         //- content/b/en.md\n# B\n\nB.\n//- content/b/ja.md\n# 乙\n\n京都の設備です。\n\
         //- content/c/en.md\n# C\n\nC.\n//- content/c/ja.md\n# 丙\n\n負荷分散の設備です。\n",
    ));
    assert_eq!(pages(&site, "ja", "京都"), ["ja/b/", "ja/a/"]);
    assert_eq!(pages(&site, "ja", "分散"), ["ja/c/"]);
}

#[test]
fn a_large_site_has_no_large_file() {
    let mut pages = String::new();
    for number in 0..400 {
        let words: Vec<String> = (0..200).map(|word| format!("w{}", (number * 7 + word * word) % 3000)).collect();
        writeln!(pages, "//- content/guide/p{number}/en.md\n# Page number {number}\n\nEverywhere {}.\n", words.join(" ")).unwrap();
    }
    let site = site(&over_base(&pages));
    let files = || site.files().filter(|(path, _)| path.starts_with("search/") && !path.ends_with("index.html"));
    // At most 0.4 files for each page and language.
    assert!((50..=320).contains(&files().count()), "{}", files().count());
    for (path, bytes) in files() {
        let most = if path.ends_with("root.js") || path.ends_with("facets.js") { 24_000 } else { 33_000 };
        assert!(bytes.len() < most, "{path} has {} bytes", bytes.len());
    }
    let terms = dictionary(&site, "en");
    assert!(!terms["everywher"].iter().any(|(_, level)| *level > 40));
    assert!(terms["everywher"].len() < 50, "what is everywhere says nothing");
    let common = file(&site, "search/en/root.js")["common"].clone();
    assert!(common.as_array().unwrap().contains(&json!("everywher")), "{common}");
}

#[test]
fn a_page_that_is_not_translated_is_found_and_says_so() {
    let site = site(&over_base("//- content/notes/en.md\n# Notes\n\nOnly in English: zanzibar.\n"));
    let page = |lang: &str| unit(&site, lang, dictionary(&site, lang)["zanzibar"][0].0).0;
    assert_eq!(page("en")["lang"], Value::Null);
    assert_eq!((page("ja")["lang"].as_str(), page("ja")["url"].as_str()), (Some("en"), Some("ja/notes/")));
}

#[test]
fn a_row_of_the_table_of_symptoms_is_found_by_itself() {
    let site = site(&over_base(
        "//- content/components/valve/facts.yaml\nname: valve\narea: water\n\
         //- content/components/valve/en.md\n---\nsummary: Lets steam out.\n---\n## Troubleshooting {#symptoms}\n\n\
         | Symptom | Cause | What to do |\n| --- | --- | --- |\n| It whistles | Steam | Wait |\n| Dripping | Limescale | Clean it |\n",
    ));
    let (number, _) = dictionary(&site, "en")["limescal"][0];
    let (page, heading) = unit(&site, "en", number);
    assert_eq!((page["url"].as_str(), heading), (Some("components/valve/"), json!(["symptom-2", "Dripping"])));
    assert!(site.text("components/valve/index.html").unwrap().contains("<tr id=\"symptom-2\"><td>Dripping"));
}

#[test]
fn a_page_is_found_by_synonyms_of_its_words() {
    let (_, vocabulary) = BASE.split_once("//- content/vocabulary.yaml\n").unwrap();
    let (vocabulary, _) = vocabulary.split_once("//- ").unwrap();
    let site = site(&over_base(&format!(
        "//- content/notes/en.md\n# Removing limescale\n\nUse vinegar.\n\
         //- content/vocabulary.yaml\n{vocabulary}synonyms:\n  - {{en: [limescale, calcium deposit], ja: [水あか]}}\n"
    )));
    for (lang, term, url) in [("en", "calcium", "notes/"), ("en", "calciumdeposit", "notes/"), ("ja", "水あ", "ja/notes/")] {
        assert_eq!(pages(&site, lang, term), [url], "{lang} {term}");
    }
}
