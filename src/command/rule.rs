use std::io::{self, Write};

use clap::Args;

use super::{Failure, Outcome};
use crate::{
    diagnostic::Rule,
    id::Lang,
    rules,
    text::{did_you_mean, printable_lines},
};

#[derive(Debug, Args)]
pub(super) struct RuleArguments {
    /// The name of the rule, such as dead-link; without a name, all rules are listed
    name: Option<String>,
    /// The language of the explanation
    #[arg(long, default_value = "en", value_parser = language)]
    lang: Lang,
}

fn language(text: &str) -> Result<Lang, String> {
    let known = rules::languages();
    let lang = Lang::new(text).filter(|lang| known.iter().any(|known| known == lang.as_str()));
    lang.ok_or_else(|| format!("the rules are explained in {}", known.join(" and ")))
}

pub(super) fn run(arguments: &RuleArguments) -> Result<Outcome, Failure> {
    let mut stdout = io::stdout().lock();
    let Some(name) = &arguments.name else {
        let width = Rule::ALL.iter().map(|rule| rule.name().len()).max().unwrap_or_default();
        for rule in Rule::ALL {
            let summary = rules::summary(*rule, &arguments.lang).unwrap_or_else(|| rule.summary().to_owned());
            writeln!(stdout, "{:width$}  {:7}  {summary}", rule.name(), rule.severity().name())?;
        }
        return Ok(Outcome::Fine);
    };
    let Some(rule) = Rule::named(name) else {
        let meant = did_you_mean(name, Rule::ALL.iter().map(|rule| rule.name()));
        let help = meant.map_or_else(|| "`ksys-docs rule` lists all".to_owned(), |meant| format!("did you mean `{meant}`?"));
        anyhow::bail!("no rule `{name}`; {help}")
    };
    let text = rules::explain(rule, &arguments.lang);
    let text = text.unwrap_or_else(|| format!("{}\n", rule.summary()));
    stdout.write_all(printable_lines(&text).as_bytes())?;
    Ok(Outcome::Fine)
}
