//! The output of the program and the files of authors, validated against the published schemas by an independent validator.

use std::{
    collections::BTreeMap,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use ksys_docs::site::Site;
use serde_json::Value;

use crate::{
    machines::{OWN, SMALL, text},
    support::Folder,
};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Forbids fields that the schema does not name: other programs must accept them, but this program must not write them.
fn strict(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if map.contains_key("properties") && !map.contains_key("additionalProperties") {
                map.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            map.values_mut().for_each(strict);
        }
        Value::Array(all) => all.iter_mut().for_each(strict),
        _ => {}
    }
}

/// A published format of the API.
struct Format {
    schema: Value,
    validator: jsonschema::Validator,
}

impl Format {
    fn new(schema: &Value) -> Self {
        let mut exact = schema.clone();
        strict(&mut exact);
        let validator = jsonschema::options().should_validate_formats(true).build(&exact).unwrap();
        Self { schema: schema.clone(), validator }
    }

    fn of(name: &str) -> Self {
        Self::new(&read(&root(&format!("schemas/api/v1/{name}.json"))))
    }

    #[track_caller]
    fn holds(&self, value: &Value, whose: &str) {
        let wrong: Vec<String> = self.validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{whose}: {wrong:#?}");
        ordered(&self.schema, &self.schema, value, whose);
    }
}

/// Resolves the reference of a schema, if it is one.
fn resolved<'a>(root_schema: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema["$ref"].as_str().or_else(|| schema["anyOf"][0]["$ref"].as_str());
    reference.map_or(schema, |path| root_schema.pointer(path.trim_start_matches('#')).unwrap())
}

/// Checks that all fields are in the order of the schema, at any depth.
#[track_caller]
fn ordered(root_schema: &Value, schema: &Value, value: &Value, whose: &str) {
    let schema = resolved(root_schema, schema);
    match value {
        Value::Object(fields) => match schema["properties"].as_object() {
            Some(known) => {
                assert_eq!(fields.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>(), "{whose}");
                known.iter().for_each(|(name, schema)| ordered(root_schema, schema, &fields[name], whose));
            }
            // Counts of statements by kind are in the order in which the kinds are shown.
            None => assert!(fields.keys().is_sorted() || fields.contains_key("presence"), "{whose}: a map is in the order of its keys"),
        },
        Value::Array(all) => all.iter().for_each(|one| ordered(root_schema, &schema["items"], one, whose)),
        _ => {}
    }
}

const FORMATS: [&str; 11] =
    ["components", "component", "providers", "compare", "lookup", "names", "component-versions", "manifest", "explain", "changes", "check"];

#[test]
fn data_follows_its_schema() {
    let detail = Format::of("component");
    for site in [&*SMALL, &*OWN] {
        for name in ["components", "providers", "compare", "lookup", "names"] {
            let value: Value = serde_json::from_str(&text(site, &format!("api/v1/{name}.json"))).unwrap();
            assert_eq!(value["schema_version"], 1);
            Format::of(name).holds(&value, name);
        }
        let mut details = 0;
        for (path, bytes) in site.files().filter(|(path, _)| path.starts_with("api/v1/components/")) {
            detail.holds(&serde_json::from_slice(bytes).unwrap(), path);
            details += 1;
        }
        let versions = Format::of("component-versions");
        for (path, bytes) in site.files().filter(|(path, _)| path.starts_with("api/v1/component-versions/")) {
            versions.holds(&serde_json::from_slice(bytes).unwrap(), path);
        }
        let listed: Value = serde_json::from_str(&text(site, "api/v1/components.json")).unwrap();
        let own = listed["components"].as_array().unwrap().iter().filter(|thing| thing["kind"] != "section").count();
        assert_eq!(details, own);
    }
}

#[test]
fn a_schema_would_notice() {
    let detail = Format::of("component");
    let good: Value = serde_json::from_str(&text(&SMALL, "api/v1/components/boiler.json")).unwrap();
    detail.holds(&good, "boiler");
    let spoiled = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        !detail.validator.is_valid(&bad)
    };
    assert!(spoiled(&|it| drop(it.as_object_mut().unwrap().remove("ports"))), "a field is missing");
    assert!(spoiled(&|it| it["colour"] = "red".into()), "a field is new");
    assert!(spoiled(&|it| it["area"] = 1.into()), "a field has another type");
    assert!(spoiled(&|it| it["removal"]["general"]["verdict"] = "perhaps".into()), "a word is unknown");
    assert!(spoiled(&|it| it["sources"][0]["checked"] = "yesterday".into()), "a day is none");
}

#[test]
fn no_field_has_two_types() {
    fn walk(schema: &Value, path: &str) {
        match schema {
            Value::Object(map) => {
                if let Some(types) = map.get("type").and_then(Value::as_array) {
                    assert!(types.len() == 2 && types[1] == "null", "{path}: {types:?}");
                }
                if let Some(choices) = map.get("anyOf").and_then(Value::as_array) {
                    assert!(choices.len() == 2 && choices[1]["type"] == "null", "{path}: {choices:?}");
                }
                if let Some(choices) = map.get("oneOf").and_then(Value::as_array) {
                    assert!(choices.iter().all(|choice| choice["type"] == "string"), "{path}: {choices:?}");
                }
                map.iter().for_each(|(name, schema)| walk(schema, &format!("{path}/{name}")));
            }
            Value::Array(all) => all.iter().for_each(|schema| walk(schema, path)),
            _ => {}
        }
    }
    for name in FORMATS {
        let schema = read(&root(&format!("schemas/api/v1/{name}.json")));
        walk(&schema, name);
        let fields: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert!(fields.iter().any(|field| *field == "schema_version"), "{name}");
    }
}

#[test]
fn the_site_has_its_schemas_and_a_page_that_names_every_field() {
    for (site, folder) in [(&*OWN, ""), (&*OWN, "ja/"), (&*SMALL, ""), (&*SMALL, "ja/")] {
        let html = text(site, &format!("{folder}api/index.html"));
        for name in FORMATS {
            let published = text(site, &format!("api/v1/schema/{name}.json"));
            assert_eq!(published, std::fs::read_to_string(root(&format!("schemas/api/v1/{name}.json"))).unwrap());
            let schema: Value = serde_json::from_str(&published).unwrap();
            let objects = schema["$defs"].as_object().into_iter().flatten().map(|(_, schema)| schema).chain([&schema]);
            for field in objects.filter_map(|schema| schema["properties"].as_object()).flat_map(|fields| fields.keys()) {
                assert!(html.contains(&format!("<code>{field}</code></th>")), "{folder}: {field}");
            }
            assert!(html.contains(&format!("api/v1/schema/{name}.json")) || html.contains(&format!("v1/schema/{name}.json")));
        }
        assert!(!html.contains("<td></td>"), "each field has a type and a meaning");
    }
    // Every page links to the page.
    assert!(text(&OWN, "components/etcd/index.html").contains("href=\"../../api/\""));
    assert!(text(&OWN, "ja/api/index.html").contains("のリスト"));
}

fn manifest(site: &Site) -> Value {
    serde_json::to_value(site.manifest()).unwrap()
}

#[test]
fn the_manifest_names_every_file() {
    let format = Format::of("manifest");
    for site in [&*SMALL, &*OWN] {
        let value = manifest(site);
        format.holds(&value, "manifest.json");
        assert_eq!(value["files"].as_object().unwrap().len(), site.files().count());
    }
}

/// The JSON that the program prints.
fn printed(folder: &Folder, arguments: &[&str], input: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ksys-docs"));
    let mut child =
        command.args(arguments).current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn what_commands_print_follows_its_schema() {
    let folder = Folder::with_base("schemas");
    let explain = Format::of("explain");
    let mut explained = 0;
    for entry in std::fs::read_dir(root("tests/fixtures/explain")).unwrap() {
        let path = entry.unwrap().path();
        // `nothing.txt` is not a listing, which is an error on standard error.
        if path.extension().is_some_and(|extension| extension == "txt") && !path.ends_with("nothing.txt") {
            // Without a book.toml, the program uses its built-in knowledge base.
            let listing = std::fs::read_to_string(&path).unwrap();
            let away = Folder::new(&format!("schemas-{}", path.file_stem().unwrap().to_string_lossy()));
            explain.holds(&printed(&away, &["explain", "--format", "json"], &listing), &path.to_string_lossy());
            explained += 1;
        }
    }
    assert!(explained > 10, "{explained}");
    folder.write("before.txt", b"NAME READY STATUS RESTARTS AGE\nboiler-5d4f8c7b9-abcde 1/1 Running 0 1d\nold-thing 1/1 Running 0 1d\n");
    folder.write("after.txt", b"NAME READY STATUS RESTARTS AGE\nboiler-7b6d5f4c9d-fghij 1/1 Running 0 1m\npump-x 1/1 Running 0 1m\n");
    let changes = printed(&folder, &["explain", "--before", "before.txt", "--after", "after.txt", "--format", "json"], "");
    Format::of("changes").holds(&changes, "changes");
    assert!(!changes["appeared"].as_array().unwrap().is_empty());
    let check = Format::of("check");
    let fine = printed(&folder, &["check", "--format", "json"], "");
    check.holds(&fine, "check");
    assert!(fine["coverage"].is_object());
    folder.write("content/guide/cleaning/en.md", b"# Cleaning\n\n[[nobody]] [gone](/nowhere/)\n");
    let wrong = printed(&folder, &["check", "--format", "json"], "");
    check.holds(&wrong, "check with errors");
    assert!(wrong["diagnostics"].as_array().unwrap().len() >= 2);
    folder.write("book.toml", b"[book]\ntitle = \"x\"\nlanguage = \"en\"\n[output.html]\nsite-url = 5\n");
    check.holds(&printed(&folder, &["check", "--format", "json"], ""), "check without a configuration");
}

/// A YAML file, read by a parser with the types of YAML, like that of editors.
fn yaml(path: &Path) -> Value {
    serde_yaml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn authors(name: &str) -> jsonschema::Validator {
    jsonschema::options().should_validate_formats(true).build(&read(&root(&format!("schemas/{name}.json")))).unwrap()
}

/// Every facts file below a folder, with the name of its schema.
fn authored(folder: &Path) -> BTreeMap<PathBuf, &'static str> {
    let mut all = BTreeMap::new();
    for (kind, schema) in [("components", "component"), ("providers", "provider"), ("concepts", "concept")] {
        let Ok(entries) = std::fs::read_dir(folder.join(kind)) else { continue };
        let files = entries.map(|entry| entry.unwrap().path().join("facts.yaml")).filter(|path| path.exists());
        all.extend(files.map(|path| (path, schema)));
    }
    let single = [("vocabulary.yaml", "vocabulary"), ("diagrams.yaml", "diagrams")];
    all.extend(single.into_iter().map(|(file, schema)| (folder.join(file), schema)).filter(|(path, _)| path.exists()));
    all
}

#[test]
fn editors_accept_what_the_compiler_accepts() {
    let validators: BTreeMap<&str, _> =
        ["component", "provider", "concept", "vocabulary", "diagrams"].into_iter().map(|name| (name, authors(name))).collect();
    let mut seen = 0;
    for (path, schema) in authored(&root("content")) {
        let value = yaml(&path);
        let wrong: Vec<String> =
            validators[schema].iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", path.display());
        seen += 1;
    }
    assert!(seen > 400, "{seen}");
    let book = std::fs::read_to_string(root("book.toml")).unwrap();
    let book = serde_json::to_value(toml::from_str::<toml::Table>(&book).unwrap()).unwrap();
    assert_eq!(authors("book").iter_errors(&book).map(|error| error.to_string()).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn editors_refuse_what_the_compiler_refuses() {
    let component = authors("component");
    let good = yaml(&root("content/components/kube-proxy/facts.yaml"));
    assert!(component.is_valid(&good));
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        !component.is_valid(&bad)
    };
    assert!(refused(&|it| it["nmae"] = "kube-proxy".into()));
    assert!(refused(&|it| drop(it.as_object_mut().unwrap().remove("area"))));
    assert!(refused(&|it| it["area"] = "Control Plane".into()));
    assert!(refused(&|it| it["area"] = "nowhere".into()), "the words of the vocabulary are all there are");
    assert!(refused(&|it| it["relations"][0]["verb"] = "loves".into()));
    assert!(refused(&|it| it["removal"]["verdict"] = "maybe".into()));
    assert!(refused(&|it| it["evidence"].as_object_mut().unwrap().values_mut().for_each(|one| one["checked"] = "today".into())));
}

/// Every field has a description, which editors show during completion.
#[test]
fn every_field_is_described() {
    fn walk(schema: &Value, path: &str) {
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            assert!(field["description"].as_str().is_some_and(|words| !words.is_empty()), "{path}: {name}");
        }
        match schema {
            Value::Object(map) => map.iter().for_each(|(name, schema)| walk(schema, &format!("{path}/{name}"))),
            Value::Array(all) => all.iter().for_each(|schema| walk(schema, path)),
            _ => {}
        }
    }
    let authors = ["component", "provider", "concept", "vocabulary", "diagrams", "book"].map(|name| format!("schemas/{name}.json"));
    for path in authors.into_iter().chain(FORMATS.map(|name| format!("schemas/api/v1/{name}.json"))) {
        walk(&read(&root(&path)), &path);
    }
}

/// Editors find the schema of a file by the comment in its first line.
#[test]
fn every_file_of_facts_names_its_schema() {
    for (path, schema) in authored(&root("content")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap();
        let named = first.strip_prefix("# yaml-language-server: $schema=").unwrap_or_else(|| panic!("{}: {first}", path.display()));
        let target = path.parent().unwrap().join(named).canonicalize().unwrap();
        assert_eq!(target, root(&format!("schemas/{schema}.json")).canonicalize().unwrap(), "{}", path.display());
    }
}

/// The schema of SARIF 2.1.0 as published by OASIS, from the package of the crate `serde-sarif`.
fn sarif_schema() -> Value {
    let about = Command::new("rustc").arg("-vV").output().unwrap();
    let about = String::from_utf8(about.stdout).unwrap();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // Without the platform filter, cargo would require packages for other platforms, which are not downloaded.
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", host, "--manifest-path"])
        .arg(root("Cargo.toml"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let package = metadata["packages"].as_array().unwrap().iter().find(|package| package["name"] == "serde-sarif").unwrap();
    let mut schema = read(&Path::new(package["manifest_path"].as_str().unwrap()).with_file_name("src").join("schema.json"));
    // The pattern for languages has an unbalanced bracket, which strict validators reject. The program does not write this field.
    for whose in ["run", "toolComponent"] {
        schema["definitions"][whose]["properties"]["language"].as_object_mut().unwrap().remove("pattern").unwrap();
    }
    schema
}

#[test]
fn findings_are_sarif() {
    let schema = sarif_schema();
    assert!(schema["$id"].as_str().unwrap().contains("sarif-schema-2.1.0"));
    let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
    let holds = |log: &Value| {
        let wrong: Vec<String> = validator.iter_errors(log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    };
    let folder = Folder::with_base("sarif");
    let fine = printed(&folder, &["check", "--format", "sarif"], "");
    holds(&fine);
    assert!(fine["runs"][0]["results"].as_array().unwrap().is_empty());
    // Findings with and without a place, with related places, with non-ASCII characters, at the end of a file.
    folder.write("content/guide/cleaning/en.md", "# 掃除\n\n[[だれか]] [gone](/nowhere/) <b onclick=x>\n[[nobody]]".as_bytes());
    folder.write(
        "content/components/pump/facts.yaml",
        b"name: Pump\narea: water\narea: water\nrelations: [{verb: feeds, to: boiler}, {verb: feeds, to: boiler}]\n",
    );
    folder.write("content/components/valve/facts.yaml", b"");
    let wrong = printed(&folder, &["check", "--format", "sarif"], "");
    holds(&wrong);
    assert!(wrong["runs"][0]["results"].as_array().unwrap().len() >= 4, "{wrong:#}");
    // The validator is strict: it rejects fields that SARIF does not define.
    let mut bad = wrong.clone();
    bad["runs"][0]["results"][0]["colour"] = "red".into();
    assert!(!validator.is_valid(&bad));
}
