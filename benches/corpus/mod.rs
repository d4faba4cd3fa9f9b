//! Generated knowledge bases of any size for benchmarks, deterministic for a number of pages.
//!
//! The prose consists of random words, because only its structure matters: a page has about 6 KB, two tables, three code blocks and eight links, and a quarter of
//! its text is Japanese.
#![allow(dead_code, reason = "each benchmark uses its part")]

use std::{
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

/// The kind of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Markdown files in folders of fifty, in one language, which any site generator can build.
    Plain,
    /// Components with facts, relations and listings, each with a page in two languages.
    Knowledge,
}

impl Shape {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain pages",
            Self::Knowledge => "components",
        }
    }
}

/// The number of plain pages in a folder.
const FOLDER: usize = 50;
const AREAS: usize = 8;
const ROLES: usize = 12;
const PROVIDERS: usize = 6;

const NOUNS: &[&str] = &[
    "controller",
    "node",
    "agent",
    "cluster",
    "request",
    "address",
    "volume",
    "route",
    "token",
    "lease",
    "queue",
    "certificate",
    "replica",
    "webhook",
    "endpoint",
    "scheduler",
    "metric",
    "socket",
    "snapshot",
    "manifest",
    "namespace",
    "policy",
    "driver",
    "tunnel",
    "cache",
    "watch",
    "event",
    "label",
    "quota",
    "budget",
    "proxy",
    "resolver",
    "record",
    "bridge",
    "interface",
    "packet",
    "rule",
    "table",
    "chain",
];
const VERBS: &[&str] = &[
    "keeps",
    "writes",
    "reads",
    "replaces",
    "restarts",
    "watches",
    "announces",
    "removes",
    "renews",
    "drains",
    "mounts",
    "resolves",
    "forwards",
    "counts",
    "rejects",
    "accepts",
    "signs",
    "rotates",
    "compares",
    "retries",
];
const REST: &[&str] = &[
    "before the next one starts",
    "on every machine",
    "as soon as it is known",
    "until somebody asks",
    "in the order of arrival",
    "without a restart",
    "once a minute",
    "with its own identity",
    "behind the load balancer",
    "when the old one is gone",
    "unless it is disabled",
    "after the first failure",
    "for each zone",
    "by default",
    "in most installations",
];
const JAPANESE: &[&str] = &[
    "コントローラーは、あるべき状態と実際の状態を比べ、違いがあれば直します。",
    "ノードごとに1つ動き、止まるとすぐに作り直されます。",
    "証明書は期限の前に更新され、古いものはしばらく残ります。",
    "名前解決の問い合わせは、まずローカルのキャッシュに届きます。",
    "この設定を変えても、動いているものは再起動するまで変わりません。",
    "ボリュームは、Podが動くノードに接続されてからマウントされます。",
    "要求が多いときは、順番に処理するために待ち行列に入ります。",
    "メトリクスは1分ごとに集められ、監視サービスに送られます。",
];

/// A deterministic random number generator (PCG-XSH-RR, O'Neill 2014).
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        let state = self.0;
        self.0 = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = u32::try_from(((state >> 18) ^ state) >> 27 & 0xFFFF_FFFF).unwrap_or_default();
        mixed.rotate_right(u32::try_from(state >> 59).unwrap_or_default()) as usize % below
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.next(list.len())]
    }

    fn sentence(&mut self) -> String {
        format!("The {} {} the {} {} {}.", self.of(NOUNS), self.of(VERBS), self.of(NOUNS), self.of(NOUNS), self.of(REST))
    }

    fn paragraph(&mut self, sentences: usize) -> String {
        (0..sentences).map(|_| self.sentence()).collect::<Vec<_>>().join(" ")
    }

    fn japanese(&mut self, sentences: usize) -> String {
        (0..sentences).map(|_| self.of(JAPANESE)).collect()
    }
}

/// Writes a knowledge base of `pages` Markdown files below `root`, which must not exist or be empty.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write(root: &Path, shape: Shape, pages: usize) -> io::Result<()> {
    let mut random = Random(pages as u64);
    let files = match shape {
        Shape::Plain => plain(&mut random, pages),
        Shape::Knowledge => knowledge(&mut random, pages),
    };
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap_or(root))?;
        fs::write(path, text)?;
    }
    Ok(())
}

/// The file and the path of a page in the middle, which benchmarks edit.
pub(crate) fn middle(root: &Path, shape: Shape, pages: usize) -> (PathBuf, String) {
    let (file, address) = match shape {
        Shape::Plain => {
            let page = plain_path(pages / 2);
            (format!("content/{page}.md"), format!("/{page}/"))
        }
        Shape::Knowledge => {
            let id = component(pages / 4);
            (format!("content/components/{id}/en.md"), format!("/components/{id}/"))
        }
    };
    (root.join(file), address)
}

fn plain_path(number: usize) -> String {
    format!("s{:04}/p{number:05}", number / FOLDER)
}

fn component(number: usize) -> String {
    format!("{}-{}-{number}", NOUNS[number % NOUNS.len()], NOUNS[number / 7 % NOUNS.len()])
}

fn plain(random: &mut Random, pages: usize) -> Vec<(String, String)> {
    let mut files = vec![("book.toml".to_owned(), "[book]\ntitle = \"Plain pages\"\n".to_owned())];
    files.push(("content/README.md".to_owned(), format!("# Plain pages\n\n{}\n", random.paragraph(3))));
    for number in 0..pages {
        let title = format!("Page {number}: the {} of a {}", random.of(NOUNS), random.of(NOUNS));
        let mut page = format!("# {title}\n\n");
        body(random, &mut page, &|random| format!("../{}.md", plain_path(random.next(pages))));
        files.push((format!("content/{}.md", plain_path(number)), page));
    }
    files
}

/// Sections with every element of a documentation page.
fn body(random: &mut Random, page: &mut String, address: &dyn Fn(&mut Random) -> String) {
    for section in 0..4 {
        let heading = format!("{} and {}", random.of(NOUNS), random.of(NOUNS));
        let _ = write!(page, "## {heading} {section} {{#section-{section}}}\n\n");
        let _ = write!(page, "{}\n\n", random.paragraph(5));
        let _ = write!(page, "{}\n\n", random.japanese(4));
        for _ in 0..2 {
            let link = format!("[{}]({})", random.of(NOUNS), address(random));
            let _ = write!(page, "{} See the {link}, and **{}** with `--{}`.\n\n", random.paragraph(2), random.of(NOUNS), random.of(NOUNS));
        }
        if section < 2 {
            page.push_str("| name | what | how often |\n| --- | --- | ---: |\n");
            for _ in 0..7 {
                let _ = writeln!(page, "| `{}` | {} | {} |", random.of(NOUNS), random.of(REST), random.next(10_000));
            }
            page.push('\n');
        }
        match section {
            0 => {
                page.push_str("```yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n");
                for _ in 0..8 {
                    let _ = writeln!(page, "  {}-{}: \"{}\" # {}", random.of(NOUNS), random.next(100), random.next(9999), random.of(VERBS));
                }
                page.push_str("```\n\n");
            }
            1 => {
                page.push_str("```console\n");
                for _ in 0..4 {
                    let _ = writeln!(
                        page,
                        "$ kubectl get {} --namespace {}\n{}-{}   Running",
                        random.of(NOUNS),
                        random.of(NOUNS),
                        random.of(NOUNS),
                        random.next(99)
                    );
                }
                page.push_str("```\n\n");
            }
            2 => {
                page.push_str("```go\nfunc main() {\n");
                for _ in 0..6 {
                    let _ = writeln!(
                        page,
                        "\tif err := {}(\"{}\", {}); err != nil {{ return }}",
                        random.of(VERBS),
                        random.of(NOUNS),
                        random.next(999)
                    );
                }
                page.push_str("}\n```\n\n");
            }
            _ => {}
        }
    }
}

fn both(en: &str, ja: &str) -> String {
    format!("{{en: \"{en}\", ja: \"{ja}\"}}")
}

fn knowledge(random: &mut Random, pages: usize) -> Vec<(String, String)> {
    let count = (pages / 2).max(2);
    let book = "[book]\ntitle = \"Components\"\n\n[languages.en]\n\n[languages.ja]\ntitle = \"コンポーネント\"\n";
    let mut files = vec![("book.toml".to_owned(), book.to_owned()), ("content/vocabulary.yaml".to_owned(), vocabulary())];
    for (lang, text) in [("en", random.paragraph(3)), ("ja", random.japanese(3))] {
        files.push((format!("content/index/{lang}.md"), format!("---\nsummary: Everything.\n---\n{text}\n")));
    }
    for number in 0..count {
        let id = component(number);
        let folder = format!("content/components/{id}");
        files.push((format!("{folder}/facts.yaml"), facts(random, number, count)));
        for lang in ["en", "ja"] {
            let summary = if lang == "en" { random.sentence() } else { random.japanese(1) };
            let mut page = format!("---\nsummary: \"{summary}\"\n---\n{}[[^manual]]\n\n", random.paragraph(2));
            body(random, &mut page, &|random| format!("../{}/{lang}.md", component(random.next(count))));
            let _ = writeln!(page, "It works with [[{}]] and [[{}]].", component(random.next(count)), component(random.next(count)));
            files.push((format!("{folder}/{lang}.md"), page));
        }
    }
    for number in 0..PROVIDERS {
        let mut facts = format!("name: Provider {number}\nkind: managed\nclaims:\n");
        for role in 0..ROLES {
            let component = component((number * ROLES + role) % count);
            let _ = writeln!(
                facts,
                "  - {{role: role-{role}, component: {component}, presence: default, form: DaemonSet, evidence: [manual]}}"
            );
        }
        facts.push_str("evidence:\n  manual: {title: The manual, url: \"https://example.org/manual\", checked: 2026-11-20}\n");
        files.push((format!("content/providers/provider-{number}/facts.yaml"), facts));
        for lang in ["en", "ja"] {
            let text = format!("---\nsummary: \"Assembles clusters.\"\n---\n{}[[^manual]]\n", random.paragraph(4));
            files.push((format!("content/providers/provider-{number}/{lang}.md"), text));
        }
    }
    files
}

fn vocabulary() -> String {
    let mut text = "platform: Kubernetes\nareas:\n".to_owned();
    for area in 0..AREAS {
        let _ = writeln!(text, "  area-{area}: {{mark: \"{area}\", label: {}}}", both(&format!("Area {area}"), &format!("領域{area}")));
    }
    text.push_str("roles:\n");
    for role in 0..ROLES {
        let label = both(&format!("Role {role}"), &format!("役割{role}"));
        let _ = writeln!(text, "  role-{role}: {{label: {label}, what: {}}}", both("Does its part.", "役割を果たす。"));
    }
    text.push_str("verbs:\n");
    for (verb, en, ja) in [("calls", "calls", "呼び出す"), ("watches", "watches", "監視する")] {
        let _ =
            writeln!(text, "  {verb}: {{label: {}, inverse: {}}}", both(en, ja), both(&format!("{en} (inverse)"), &format!("{ja}（逆）")));
    }
    text.push_str("provider-kinds:\n");
    let _ = writeln!(text, "  managed: {{label: {}}}", both("Managed service", "マネージドサービス"));
    text.push_str("releases:\n");
    for minor in 0..30 {
        let _ = writeln!(text, "  - {{release: \"1.{minor}\", date: {}-{:02}-01}}", 2015 + minor / 3, minor % 3 * 4 + 1);
    }
    text
}

fn facts(random: &mut Random, number: usize, count: usize) -> String {
    let id = component(number);
    let mut text = format!("name: {id}\narea: area-{}\nroles: [role-{}]\n", number % AREAS, number % ROLES);
    let _ = writeln!(text, "aka: [the {} of {number}]", random.of(NOUNS));
    let _ = writeln!(text, "lifecycle: {{state: active, since: \"1.{}\", evidence: [manual]}}", random.next(30));
    let _ = writeln!(text, "installed-by: {}", both(&random.sentence(), random.of(JAPANESE)));
    let _ = writeln!(text, "listing:\n  - {{kind: DaemonSet, name: {id}, namespace: kube-system}}");
    let _ = writeln!(text, "examples:\n  - kube-system   pod/{id}-x7k2p   1/1   Running   0   3m");
    let _ = writeln!(text, "not:\n  - default   pod/my-{id}-x7k2p   1/1   Running   0   3m");
    let _ = writeln!(text, "removal:\n  verdict: comes-back\n  effect: {}", both(&random.sentence(), random.of(JAPANESE)));
    let _ = writeln!(text, "  restored-by: {}\n  evidence: [manual]", both("its DaemonSet", "DaemonSet"));
    text.push_str("relations:\n");
    // The targets are at increasing distances, so that no two relations have the same verb and target.
    for (verb, step) in [("calls", 1), ("watches", 3), ("watches", 17)] {
        let other = (number + step) % count;
        if other != number {
            let what = both(random.of(REST), "状態");
            let _ = writeln!(
                text,
                "  - {{verb: {verb}, to: {}, port: {}, what: {what}, evidence: [manual]}}",
                component(other),
                1024 + random.next(9999)
            );
        }
    }
    let _ =
        writeln!(text, "ports:\n  - {{port: {}, what: {}, evidence: [manual]}}", 1024 + random.next(9999), both("metrics", "メトリクス"));
    text.push_str("evidence:\n");
    let _ = writeln!(text, "  manual: {{title: The manual, url: \"https://example.org/{id}\", checked: 2026-11-20}}");
    text
}
