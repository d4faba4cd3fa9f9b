#![allow(clippy::unwrap_used)]
use super::*;
use crate::text::line_column;

fn parse(text: &str) -> Result<VersionsDocument, Vec<String>> {
    let mut diagnostics = Diagnostics::new();
    let document = VersionsDocument::parse(&"versions.yaml".into(), text, &mut diagnostics);
    document.ok_or_else(|| {
        let found = diagnostics.sorted().into_iter();
        found.map(|found| format!("{}: {}", line_column(text, found.place.unwrap().span.start).line, found.message)).collect()
    })
}

/// The first source of a file.
fn source(text: &str) -> VersionSourceFacts {
    let file = "versions.yaml".into();
    let node = yaml::parse(&file, text, 0, &mut Diagnostics::new()).unwrap();
    let mut facts: VersionsFacts = decode(&file, &node, &mut Diagnostics::new()).unwrap();
    facts.sources.0.remove(0).1
}

const OTHER: &str = "  # Seen by hand.
  seen:
    kind: observed # in Tokyo
    checked: 2026-11-20
    versions: [{component: pump, name: Pump, version: \"1\"}]
";

#[test]
fn other_sources_are_kept_as_they_are() {
    let mut document = parse(&format!("# A comment.\nsources:\n{OTHER}")).unwrap();
    let new = source(
        "sources: {a: {kind: runs, url: 'https://example.org/v{release}/a', checked: 2026-11-29, names: {P 1: pump}, releases: [1.9, 1.10], versions: [{component: pump, image: x/pump, version: 1.10, from: 1.9, to: 1.10, line: 3}]}}",
    );
    document.replace("a", &new);
    let expected = format!(
        "{HEADER}  a:
    kind: runs
    url: https://example.org/v{{release}}/a
    checked: 2026-11-29
    names:
      P 1: pump
    releases:
      [1.9, 1.10]
    versions:
      - {{component: pump, image: x/pump, version: 1.10, from: 1.9, to: 1.10, line: 3}}
{OTHER}"
    );
    assert_eq!(document.to_string(), expected);
    let again = parse(&expected).unwrap();
    assert_eq!(again.to_string(), expected);
    assert_eq!(again.names("a"), [("P 1".to_owned(), Id::new("pump").unwrap())]);
    assert_eq!(again.names("seen"), []);
    document.remove("a");
    assert_eq!(document.to_string(), format!("{HEADER}{OTHER}"));
}

#[test]
fn sources_in_another_form_are_written_again() {
    let text = "sources: {a: {kind: runs, checked: 2026-11-29}, b: {kind: cached, checked: 2026-11-29, own-releases: true}}";
    let expected = format!(
        "{HEADER}  a:\n    kind: runs\n    checked: 2026-11-29\n    versions: []\n  b:\n    kind: cached\n    checked: 2026-11-29\n    own-releases: true\n    versions: []\n"
    );
    assert_eq!(parse(text).unwrap().to_string(), expected);
    assert_eq!(parse("").unwrap().to_string(), HEADER);
}

#[test]
fn mistakes_are_reported() {
    assert_eq!(parse("sources:\n  a: {kind: run, checked: 2026-11-29}\n").unwrap_err(), ["2: `run` is not one of the values allowed here"]);
    assert_eq!(parse("# nothing\n").unwrap_err(), ["1: no `sources` in this file"]);
}

#[test]
fn texts_are_the_same_after_decoding() {
    let texts = [
        "1.10",
        "1e3",
        "0x10",
        "007",
        "true",
        "null",
        "~",
        "a: b",
        "a #b",
        "{a}",
        "[a",
        "a,b",
        "'a'",
        "\"",
        "-",
        "- a",
        "a-",
        "é",
        " a",
        "a ",
        "v1.2-3+4",
        "https://a/{b}",
        "2026-11-29",
        ".5",
        "+1",
        "a\\b",
        "%a",
        "(a) b",
        "a\u{2028}b",
        "yes",
        "K:V",
    ];
    let version = |text: &str| VersionFacts {
        component: None,
        image: Some(text.to_owned()),
        name: Some(text.to_owned()),
        version: RawScalar(text.to_owned()),
        from: Some(Spanned::new(RawScalar(text.to_owned()), Span::at(0))),
        to: None,
        file: Some(text.to_owned()),
        line: Some(7),
    };
    for text in texts {
        let mut written = source("sources: {a: {kind: runs, url: x, checked: 2026-11-29, names: {x: pump}}}");
        written.versions.push(Spanned::new(version(text), Span::at(0)));
        written.url = Some(Spanned::new(text.to_owned(), Span::at(0)));
        written.names.0[0].0.value = text.to_owned();
        written.releases.push(Spanned::new(RawScalar(text.to_owned()), Span::at(0)));
        let mut document = VersionsDocument::default();
        document.replace("a", &written);
        let read = source(&document.to_string());
        let entry = &read.versions[0].value;
        let raw = [&entry.version, &entry.from.as_ref().unwrap().value, &read.releases[0].value];
        assert!(raw.iter().all(|raw| raw.0 == text), "{document}");
        let strings = [entry.image.as_ref(), entry.name.as_ref(), entry.file.as_ref(), read.url.as_deref(), Some(&read.names.0[0].0.value)];
        assert!(strings.iter().all(|string| string.unwrap() == text), "{document}");
    }
}

#[test]
fn long_lists_of_releases_are_wrapped() {
    let releases = vec!["1.33.0+k3s1"; 30].join(", ");
    let written = source(&format!("sources: {{a: {{kind: runs, checked: 2026-11-29, releases: [{releases}]}}}}"));
    let text = block("a", &written);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("k3s1")).collect();
    assert!(lines.len() == 3 && lines.iter().all(|line| line.len() <= WIDTH), "{text}");
    assert_eq!(source(&format!("sources:\n{text}")).releases.len(), 30);
}
