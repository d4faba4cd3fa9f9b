//! The checks of single settings.

use std::{collections::BTreeMap, sync::Arc};

use super::{Destination, FoldersTable, MenuEntry, MenuTable, Redirect, RenamedFolder, RuleTable, VariablesTable};
use crate::{
    decode::Spanned,
    diagnostic::{Diagnostic, Diagnostics, FolderLevels, Place, Rule, RuleLevel, RuleLevels},
    directive,
    text::{Span, did_you_mean},
    url::Url,
};

/// Checks settings, and reports mistakes in them.
pub(super) struct Checker<'a> {
    pub(super) file: &'a Arc<str>,
    pub(super) diagnostics: &'a mut Diagnostics,
}

impl Checker<'_> {
    pub(super) fn rules(&mut self, general: &RuleTable, folders: &BTreeMap<Spanned<String>, RuleTable>) -> RuleLevels {
        let mut levels = vec![FolderLevels { folder: String::new(), rules: self.rule_table(general) }];
        for (folder, table) in folders {
            let rules = self.rule_table(table);
            levels.extend(self.inner_path(folder).map(|folder| FolderLevels { folder: format!("{folder}/"), rules }));
        }
        RuleLevels::new(levels)
    }

    pub(super) fn rule_table(&mut self, table: &RuleTable) -> BTreeMap<Rule, RuleLevel> {
        let mut rules = BTreeMap::new();
        for (name, level) in table {
            let Some(rule) = Rule::named(name) else {
                let place = Place::new(self.file.clone(), name.span);
                let meant = did_you_mean(name, Rule::ALL.iter().map(|rule| rule.name()));
                let finding = Diagnostic::new(Rule::BadConfig, place, format!("there is no rule `{}`", name.value));
                self.diagnostics.push(finding.suggest(meant, "run `ksys-docs rule` for a list of all rules"));
                continue;
            };
            rules.insert(rule, *level);
        }
        rules
    }

    pub(super) fn bad(&mut self, span: Span, message: &str, help: &str) {
        self.diagnostics.report(Rule::BadConfig, Place::new(self.file.clone(), span), message, help);
    }

    pub(super) fn redirect(&mut self, from: &Spanned<String>, to: &Spanned<String>) -> Option<Redirect> {
        let path = from.trim_start_matches('/');
        if path.is_empty() || path.contains(['?', '#', '\\', ':']) || path.split('/').any(|part| part == "..") {
            let help = "write an address from the root of the site, such as `\"/old.html\"`, without `?` and `#`";
            self.bad(from.span, &format!("`{}` is not an address of this site", from.value), help);
            return None;
        }
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(Redirect { from: Url::page(path), to: self.destination(to, folder)?, span: to.span })
    }

    pub(super) fn folders(&mut self, written: FoldersTable) -> Vec<RenamedFolder> {
        let FoldersTable { components, providers, concepts } = written;
        let named = [("components", components), ("providers", providers), ("concepts", concepts)];
        let built_in = [named[0].0, named[1].0, named[2].0];
        let mut folders: Vec<RenamedFolder> = Vec::new();
        for (name, address) in named {
            let Some(address) = address.filter(|address| address.value != name) else { continue };
            let is_name = address.starts_with(|first: char| first.is_ascii_alphanumeric())
                && address.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte));
            if !is_name {
                let message = format!("`{}` is not the name of a folder in addresses", address.value);
                self.bad(address.span, &message, "use lower-case letters, digits, `-` and `_`");
            } else if built_in.contains(&address.as_str()) || folders.iter().any(|other| other.address == address.value) {
                self.bad(address.span, &format!("`{}` is the folder of other pages", address.value), "choose another name");
            } else {
                folders.push(RenamedFolder { name, address: address.value, span: address.span });
            }
        }
        folders
    }

    pub(super) fn variables(&mut self, written: VariablesTable) -> BTreeMap<String, String> {
        let mut variables = BTreeMap::new();
        for (name, value) in written {
            if directive::is_variable_name(&name) {
                variables.insert(name.value, value);
            } else {
                let help = "begin with a letter, and use letters, digits, `-`, `_` and `.`";
                self.bad(name.span, &format!("`{}` is not the name of a variable", name.value), help);
            }
        }
        variables
    }

    pub(super) fn menu(&mut self, entry: MenuTable) -> Option<MenuEntry> {
        let MenuTable { link, title, titles } = entry;
        Some(MenuEntry { to: self.destination(&link, "")?, span: link.span, title, titles })
    }

    /// An address, relative to a folder of the site unless it begins with a slash.
    pub(super) fn destination(&mut self, to: &Spanned<String>, folder: &str) -> Option<Destination> {
        let destination = match crate::url::scheme(to).as_deref() {
            Some("http" | "https") => Some(Destination::Web(to.value.clone())),
            None if !to.starts_with("//") && !to.contains('\\') => {
                let (target, fragment) = to.split_at(to.find('#').unwrap_or(to.len()));
                let inner = crate::url::join(if target.starts_with('/') { "" } else { folder }, target);
                inner.map(|inner| Destination::Site { url: Url::page(&inner), fragment: fragment.to_owned() })
            }
            _ => None,
        };
        if destination.is_none() {
            let message = format!("`{}` is not a web address or an address of this site", to.value);
            self.bad(to.span, &message, "write `/page.html` or `https://…`");
        }
        destination
    }

    /// A path that stays inside the knowledge base, without `.` parts and the slash at its end.
    pub(super) fn inner_path(&mut self, path: &Spanned<String>) -> Option<String> {
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
        if parts.is_empty() || path.starts_with('/') || parts.contains(&"..") || path.contains(['\\', ':']) {
            let message = format!("`{}` is not a path inside the folder of book.toml", path.value);
            self.bad(path.span, &message, "write it relative to book.toml, with `/` between folders");
            return None;
        }
        Some(parts.join("/"))
    }
}
