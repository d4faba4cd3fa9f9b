use std::io::{self, Write};

use clap::Args;

use super::{Failure, Outcome};
use crate::{diagnostic::Rule, rules, text::did_you_mean};

#[derive(Debug, Args)]
pub(super) struct RuleArguments {
    /// The name of the rule, such as dead-link; without one, all are listed
    name: Option<String>,
}

pub(super) fn run(arguments: &RuleArguments) -> Result<Outcome, Failure> {
    let mut stdout = io::stdout().lock();
    let Some(name) = &arguments.name else {
        let width = Rule::ALL.iter().map(|rule| rule.name().len()).max().unwrap_or_default();
        for rule in Rule::ALL {
            writeln!(stdout, "{:width$}  {:7}  {}", rule.name(), rule.severity().name(), rule.summary())?;
        }
        return Ok(Outcome::Fine);
    };
    let Some(rule) = Rule::named(name) else {
        let meant = did_you_mean(name, Rule::ALL.iter().map(|rule| rule.name()));
        let help = meant.map_or_else(|| "`ksys-docs rule` lists all".to_owned(), |meant| format!("did you mean `{meant}`?"));
        anyhow::bail!("there is no rule `{name}`; {help}")
    };
    stdout.write_all(rules::explain(rule).as_bytes())?;
    Ok(Outcome::Fine)
}
