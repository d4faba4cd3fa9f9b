//! The project's own rules about its code.

use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The modules in the order of `lib.rs`.
fn modules() -> Vec<String> {
    let lib = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';').map(str::to_owned)).collect()
}

fn sources(below: &Path, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(below).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(root().join("src")).unwrap().to_string_lossy().replace('\\', "/");
            files.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

fn all_sources() -> Vec<(String, String)> {
    let mut files = Vec::new();
    sources(&root().join("src"), &mut files);
    files.sort();
    files
}

#[test]
fn imports_point_upwards() {
    let modules = modules();
    let position = |module: &str| modules.iter().position(|known| known == module);
    for (file, text) in all_sources() {
        let module = file.split(['/', '.']).next().unwrap_or_default();
        let Some(own) = position(module) else { continue };
        // Tests may reach for anything, and comments may point anywhere.
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let code: Vec<&str> = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let code = code.join("\n");
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            let named: Vec<String> = match rest.strip_prefix('{') {
                Some(list) => list
                    .lines()
                    .map(str::trim)
                    .take_while(|line| !line.starts_with("};"))
                    .map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned())
                    .collect(),
                None => vec![rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned()],
            };
            for other in named.iter().filter_map(|name| position(name).map(|at| (name, at))) {
                assert!(other.1 <= own, "src/{file} imports `{}`, which stands below `{module}` in lib.rs", other.0);
            }
        }
    }
}

#[test]
fn no_name_of_the_knowledge_base_stands_in_the_program() {
    let ids: Vec<String> = ["components", "providers", "concepts"]
        .iter()
        .flat_map(|kind| fs::read_dir(root().join("content").join(kind)).unwrap())
        .filter(|entry| entry.as_ref().unwrap().path().is_dir())
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(ids.len() > 20);
    for (file, text) in all_sources() {
        // Names of kubectl's rows are what `listing` is about, and some languages are called like a component; tests and comments may use real
        // names as examples.
        if file.starts_with("listing") || file == "highlight/names.rs" {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            // A key of facts and a word of the user interface are called like a provider.
            let is_key = |id: &str| id == "kind" && ["load/facts.rs", "render/twin.rs"].contains(&file.as_str());
            for id in ids.iter().filter(|id| id.len() > 3 && !is_key(id)) {
                assert!(!line.contains(&format!("\"{id}\"")), "src/{file}:{}: `{id}` is data", number + 1);
            }
        }
    }
}

/// A table in the middle of `[dependencies]` takes what stands below it along, and nobody notices before a program for another platform is built.
#[test]
fn only_one_dependency_is_for_some_platforms() {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = toml::from_str(&text).unwrap();
    let of_platforms = manifest["target"].as_table().unwrap().values();
    let named: Vec<&String> = of_platforms.flat_map(|platform| platform["dependencies"].as_table().unwrap().keys()).collect();
    assert_eq!(named, ["mimalloc"]);
}
