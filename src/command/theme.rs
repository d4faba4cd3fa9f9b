use std::io::{self, Write};

use clap::{Args, Subcommand};

use super::{Failure, Outcome, root};
use crate::{
    id::Lang,
    read,
    text::{did_you_mean, printable},
    theme, write,
};

#[derive(Debug, Args)]
pub(super) struct ThemeArguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write the file with the strings of the user interface in a language, to be translated
    Strings {
        /// The language, such as pt or zh-TW
        #[arg(value_parser = lang)]
        lang: Lang,
    },
    /// Copy a file of the default theme into the site, to be changed
    Eject {
        /// The file, such as templates/page.html or static/site.css; without a name, all files are listed
        file: Option<String>,
    },
}

fn lang(text: &str) -> Result<Lang, String> {
    Lang::new(text).ok_or_else(|| "a language tag begins with two or three lower-case letters, as in pt or zh-TW".to_owned())
}

pub(super) fn run(arguments: &ThemeArguments) -> Result<Outcome, Failure> {
    let root = root(None);
    if !root.join(crate::config::FILE).is_file() {
        return Err(read::ReadError::NoBook(root).into());
    }
    let mut stdout = io::stdout().lock();
    match &arguments.action {
        Action::Strings { lang } => {
            let name = theme::strings_file(lang);
            let path = root.join(&name);
            let own = read::text(&path).ok();
            write::replace(&path, theme::strings_to_translate(lang, own.as_deref()).as_bytes())?;
            writeln!(stdout, "{name}")?;
        }
        Action::Eject { file: None } => {
            for file in theme::built_in_files() {
                writeln!(stdout, "{file}")?;
            }
        }
        Action::Eject { file: Some(file) } => {
            let Some(content) = theme::built_in_file(file) else {
                let files: Vec<String> = theme::built_in_files().collect();
                let meant = did_you_mean(file, files.iter().map(String::as_str));
                let help =
                    meant.map_or_else(|| "`ksys-docs theme eject` lists them".to_owned(), |meant| format!("did you mean `{meant}`?"));
                anyhow::bail!("the default theme has no file `{}`; {help}", printable(file))
            };
            let path = root.join(file);
            if path.exists() {
                anyhow::bail!("`{file}` already exists; remove it to get the file of the default theme");
            }
            write::create(&path, &content)?;
            writeln!(stdout, "{file}")?;
        }
    }
    Ok(Outcome::Fine)
}
