//! Rules for the code of this project: the direction of imports, one meaning for each type name, no names of the knowledge base in the program.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

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
        // Tests and comments may refer to any module.
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

/// The code of a file without its tests, comments and string literals.
fn production_code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn is_test_file(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or_default();
    ["tests.rs", "properties.rs", "conformance.rs", "speed.rs"].contains(&name)
}

/// Names that have the same meaning wherever they are defined.
const SHARED_NAMES: [&str; 0] = [];

#[test]
fn a_type_name_has_one_meaning() {
    let mut definitions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in all_sources().iter().filter(|(file, _)| !is_test_file(file)) {
        for line in production_code(text).lines() {
            // Associated types, which are indented, are not separate definitions.
            let is_associated = line.starts_with(' ') && line.trim_start().starts_with("type ");
            let mut words = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
            let mut keyword = words.next().unwrap_or_default();
            while ["pub", "crate", "super", "in"].contains(&keyword) {
                keyword = words.next().unwrap_or_default();
            }
            if let (true, Some(name)) = (["struct", "enum", "trait", "type", "union"].contains(&keyword) && !is_associated, words.next()) {
                definitions.entry(name.to_owned()).or_default().push(file.clone());
            }
        }
    }
    assert!(definitions.len() > 400, "the definitions are found");
    let homonyms: Vec<_> = definitions.iter().filter(|(name, files)| files.len() > 1 && !SHARED_NAMES.contains(&name.as_str())).collect();
    assert!(homonyms.is_empty(), "rename all but one, or state in SHARED_NAMES that they mean the same: {homonyms:#?}");
}

/// The paths of a tree of imports: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str, prefix: &[String], paths: &mut Vec<Vec<String>>) {
    let (mut depth, mut start) = (0, 0);
    let mut parts = Vec::new();
    for (at, letter) in tree.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&tree[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tree[start..]);
    for part in parts.into_iter().map(str::trim).filter(|part| !part.is_empty()) {
        let (path, inner) = part.split_once('{').map_or((part, None), |(path, inner)| (path, inner.rsplit_once('}')));
        let path = path.split(" as ").next().unwrap_or_default();
        let names = path.split("::").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
        let path: Vec<String> = prefix.iter().cloned().chain(names).collect();
        match inner {
            Some((inner, _)) => expand(inner, &path, paths),
            None => paths.push(path),
        }
    }
}

/// The modules of the crate, and their references to each other.
struct ModuleGraph {
    /// The file of each module, by its path.
    modules: BTreeMap<Vec<String>, String>,
    /// The module that defines each re-exported name, by module and name.
    reexports: BTreeMap<(Vec<String>, String), Vec<String>>,
    code: BTreeMap<Vec<String>, String>,
}

impl ModuleGraph {
    fn new() -> Self {
        let module = |file: &str| file.trim_end_matches(".rs").split('/').map(str::to_owned).collect::<Vec<_>>();
        let sources: Vec<(String, String)> = all_sources().into_iter().filter(|(file, _)| !is_test_file(file)).collect();
        let modules = sources.iter().map(|(file, _)| (module(file), file.clone())).collect();
        let code = sources.iter().map(|(file, text)| (module(file), production_code(text))).collect();
        let mut graph = Self { modules, reexports: BTreeMap::new(), code };
        for (module, code) in &graph.code {
            for (is_public, path) in imports(code) {
                let target = graph.absolute(module, &path).and_then(|path| graph.split(&path));
                if let (true, Some((from, Some(name)))) = (is_public, target) {
                    graph.reexports.insert((module.clone(), name), from);
                }
            }
        }
        graph
    }

    /// The absolute path in the crate; `None` if the path leads to another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let from = |base: &[String], path: &[String]| base.iter().chain(path).cloned().collect::<Vec<_>>();
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some(from(module, &path[1..])),
            "super" => Some(from(module.get(..module.len().checked_sub(supers)?)?, &path[supers..])),
            first => self.modules.contains_key(&from(module, &[first.to_owned()])).then(|| from(module, path)),
        }
    }

    /// Splits a path into its longest module path and the name in that module.
    fn split(&self, path: &[String]) -> Option<(Vec<String>, Option<String>)> {
        let length = (1..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length]))?;
        Some((path[..length].to_vec(), path.get(length).cloned()))
    }

    /// The module that defines the item of a path.
    fn target(&self, module: &[String], path: &[String]) -> Option<Vec<String>> {
        let (mut found, name) = self.split(&self.absolute(module, path)?)?;
        while let Some(next) = name.as_ref().and_then(|name| self.reexports.get(&(found.clone(), name.clone()))) {
            found.clone_from(next);
        }
        // An import of a module itself is not a reference; the uses of its items are.
        name.map(|_| found)
    }

    /// The modules that a module refers to.
    fn references(&self, module: &[String]) -> BTreeSet<Vec<String>> {
        let code = &self.code[module];
        let imports = imports(code);
        let mut paths: Vec<Vec<String>> = imports.iter().map(|(_, path)| path.clone()).collect();
        for (at, _) in code.match_indices("::") {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let start = code[..at].rfind(|c: char| !is_name(c)).map_or(0, |before| before + 1);
            let end = code[at + 2..].find(|c: char| !is_name(c)).map_or(code.len(), |end| at + 2 + end);
            let path: Vec<String> = code[start..end].split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
            let Some(first) = path.first() else { continue };
            let imported = imports.iter().find(|(_, import)| import.last() == Some(first));
            paths.push(imported.map_or(path.clone(), |(_, import)| import.iter().chain(&path[1..]).cloned().collect()));
        }
        paths.iter().filter_map(|path| self.target(module, path)).filter(|other| other != module).collect()
    }
}

/// The paths that a file imports, and whether it re-exports them.
fn imports(code: &str) -> Vec<(bool, Vec<String>)> {
    let mut all = Vec::new();
    for (at, _) in code.match_indices("use ") {
        let before = code[..at].rsplit('\n').next().unwrap_or_default().trim();
        let is_import = before.is_empty() || before.starts_with("pub");
        let Some((tree, _)) = code[at + 4..].split_once(';').filter(|_| is_import) else { continue };
        let mut paths = Vec::new();
        expand(tree, &[], &mut paths);
        all.extend(paths.into_iter().map(|path| (!before.is_empty(), path)));
    }
    all
}

/// The files of a folder depend on each other without cycles, so that each can be read after its dependencies. A module file `x.rs`, which declares the files in
/// `x/`, may use them and be used by them.
#[test]
fn no_cycles_between_the_files_of_a_folder() {
    let graph = ModuleGraph::new();
    let is_parent = |a: &[String], b: &[String]| b.len() == a.len() + 1 && b.starts_with(a);
    let references: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> = graph
        .modules
        .keys()
        .map(|module| {
            let others = graph.references(module).into_iter();
            (module, others.filter(|other| !is_parent(module, other) && !is_parent(other, module)).collect())
        })
        .collect();
    assert!(references.values().map(BTreeSet::len).sum::<usize>() > 500, "the references are found");
    let reachable = |from: &Vec<String>| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
        while let Some(module) = open.pop() {
            open.extend(references[&module].iter().filter(|other| seen.insert((*other).clone())).cloned());
        }
        seen
    };
    let reachable: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> = references.keys().map(|module| (*module, reachable(module))).collect();
    let on_cycle = |module: &Vec<String>, other: &Vec<String>| reachable[module].contains(other) && reachable[other].contains(module);
    let cycles: Vec<String> = references
        .iter()
        .flat_map(|(module, others)| others.iter().map(move |other| (*module, other)))
        .filter(|(module, other)| on_cycle(module, other))
        .map(|(module, other)| format!("{} -> {}", graph.modules[module], graph.modules[other]))
        .collect();
    assert!(cycles.is_empty(), "move what they share to a file of its own: {cycles:#?}");
}

#[test]
fn the_tidy_tests_find_what_they_forbid() {
    let paths = |tree: &str| {
        let mut paths = Vec::new();
        expand(tree, &[], &mut paths);
        paths.into_iter().map(|path| path.join("::")).collect::<Vec<_>>()
    };
    assert_eq!(paths("super::{a::{B, self}, c as d}"), ["super::a::B", "super::a::self", "super::c"]);
    let found = imports("use a::b;\npub use c::{D, e::F};\nlet x = because use y;\n");
    assert_eq!(
        found.iter().map(|(is_public, path)| (*is_public, path.join("::"))).collect::<Vec<_>>(),
        [(false, "a::b".to_owned()), (true, "c::D".to_owned()), (true, "c::e::F".to_owned())]
    );
    let graph = ModuleGraph::new();
    let module = |file: &str| graph.modules.iter().find(|(_, known)| *known == file).map(|(module, _)| module.clone()).unwrap();
    assert!(graph.references(&module("compile.rs")).contains(&module("load/cache.rs")), "through a re-export");
    assert!(graph.references(&module("render/frame.rs")).contains(&module("render/routes.rs")), "by `super`");
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
        // `listing` needs names from kubectl output, and some programming languages have the same name as a component. Tests and comments may use real names as
        // examples.
        // The formats of policy engines are named after them.
        if file.starts_with("listing") || ["highlight/names.rs", "render/exemption_formats.rs"].contains(&file.as_str()) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            // A key of facts and of objects, an attribute of HTML and a string of the user interface have the same name as a provider.
            let is_key = |id: &str| {
                id == "kind"
                    && (file.starts_with("markdown/")
                        || file.starts_with("objects")
                        || ["load/facts_only.rs", "render/api/component_versions.rs", "render/markdown_export.rs"].contains(&file.as_str()))
            };
            // A source of versions is named after the program whose repository it is.
            let is_source = file.starts_with("import/") && ["id: ", "provider: "].iter().any(|key| line.trim_start().starts_with(key));
            for id in ids.iter().filter(|id| id.len() > 3 && !is_key(id) && !is_source) {
                assert!(!line.contains(&format!("\"{id}\"")), "src/{file}:{}: `{id}` is data", number + 1);
            }
        }
    }
}

/// A `[target]` table in the middle of `[dependencies]` would capture the dependencies below it, which only a build for another platform would reveal.
#[test]
fn only_one_dependency_is_for_some_platforms() {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = toml::from_str(&text).unwrap();
    let of_platforms = manifest["target"].as_table().unwrap().values();
    let named: Vec<&String> = of_platforms.flat_map(|platform| platform["dependencies"].as_table().unwrap().keys()).collect();
    assert_eq!(named, ["mimalloc"]);
}

/// Pages in languages that are written from right to left use the same styles.
#[test]
fn styles_of_the_site_have_no_left_and_right() {
    let styles = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("static/site.css")).unwrap();
    let physical = |line: &&str| {
        let property = |name: &str| line.match_indices(name).any(|(at, _)| at == 0 || line[..at].ends_with([' ', ';', '{']));
        ["margin-left", "margin-right", "padding-left", "padding-right", "border-left", "border-right", "left:", "right:"]
            .into_iter()
            .any(property)
    };
    let found: Vec<&str> = styles.lines().filter(physical).collect();
    assert!(found.is_empty(), "use `inline-start` and `inline-end`: {found:#?}");
}
