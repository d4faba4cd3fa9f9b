use std::{
    cell::LazyCell,
    collections::BTreeMap,
    io::{self, IsTerminal, StdoutLock, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use super::{Failure, Outcome, colour};
use crate::{
    config::{self, Language},
    explain::{self, Explanation, InputError, Knowledge, MAX_INPUT, Presenter, Refusal, ReportParts, Screen},
    id::{Id, Lang},
    kb::Text,
    layout::COMPONENTS,
    load::{self, EmbeddedFacts},
    read::{self, Content, Sources},
    text::{did_you_mean, printable_lines},
    theme,
};

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct ExplainArguments {
    /// The output of kubectl, lines of logs and events, or the folder that `kubectl cluster-info dump` has written; `-` or nothing reads standard input
    file: Option<PathBuf>,
    /// The provider of the cluster [default: detected automatically]
    #[arg(long, value_name = "ID")]
    provider: Option<String>,
    /// The language of the explanations [default: the knowledge base's first]
    #[arg(long)]
    lang: Option<String>,
    /// The format of the output
    #[arg(long, value_enum, default_value = "text")]
    format: Form,
    /// Show only the unhealthy objects, with what to do
    #[arg(long)]
    health: bool,
    /// Show what the components of the system request (needs whole objects: `kubectl get pods,nodes -A -o json`)
    #[arg(long)]
    cost: bool,
    /// Show what keeps Nodes from being removed (needs whole objects: `kubectl get pods,nodes,pdb -A -o json`)
    #[arg(long)]
    scale_down: bool,
    /// Print the versions of the components as a part of `versions.yaml`, without any name of yours (needs whole objects: `kubectl get pods -A -o json`)
    #[arg(long, conflicts_with_all = ["before", "format"])]
    observe: bool,
    /// Earlier output, to be compared with `--after`
    #[arg(long, value_name = "FILE", requires = "after", conflicts_with = "file")]
    before: Option<PathBuf>,
    /// Later output
    #[arg(long, value_name = "FILE", requires = "before")]
    after: Option<PathBuf>,
}

/// The form of an explanation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Text for a terminal
    Text,
    /// Markdown for issues, chats and runbooks
    Markdown,
    /// One JSON object
    Json,
}

/// The source of the facts: a knowledge base on the disk, or the one that is embedded in the program.
enum Origin {
    Disk(PathBuf, Sources),
    BuiltIn(EmbeddedFacts),
}

pub(super) fn run(arguments: &ExplainArguments, built_in: EmbeddedFacts) -> Result<Outcome, Failure> {
    // On a terminal, the program would silently wait for input.
    if arguments.file.is_none() && arguments.before.is_none() && io::stdin().is_terminal() {
        anyhow::bail!("no input: pipe the output of kubectl (`kubectl get all -A | ksys-docs explain`), or pass a file");
    }
    let (mut knowledge, origin) = knowledge(built_in);
    let today = jiff::Zoned::now().date();
    knowledge.today = Some(today);
    let language = language(&knowledge, arguments.lang.as_deref())?;
    let provider = arguments.provider.as_deref().map(|id| provider(&knowledge, id)).transpose()?;
    let no_sources = Sources::default();
    let vocabulary = knowledge.vocabulary.clone();
    // JSON output doesn't need interface strings.
    let words = LazyCell::new(|| {
        let strings = theme::load_strings(if let Origin::Disk(_, sources) = &origin { sources } else { &no_sources }, &language);
        vocabulary.in_own_words(&strings, &language.lang)
    });
    let files = match (&arguments.before, &arguments.after) {
        (Some(before), Some(after)) => vec![Some(before), Some(after)],
        _ => vec![arguments.file.as_ref()],
    };
    let results: Result<Vec<_>, Failure> = files.into_iter().map(|file| explain_file(&knowledge, file, provider.as_ref())).collect();
    let explanations: Vec<Explanation> = match results?.into_iter().collect() {
        Ok(explanations) => explanations,
        Err(Refusal { reason, component }) => {
            let line = if let InputError::Message(line) = &reason { line.as_str() } else { "" };
            let megabytes = (MAX_INPUT >> 20).to_string();
            let message = words.with(reason.key(), &[("line", line), ("size", &megabytes)]);
            writeln!(io::stderr(), "error: {}", printable_lines(&message))?;
            if let Some(component) = component {
                let url = knowledge.page_url(&format!("{COMPONENTS}/{component}"), &language.lang);
                let about = words.with("explain_about", &[("component", knowledge.name(&component))]);
                writeln!(io::stderr(), "help: {}: {url}", printable_lines(&about))?;
            }
            return Ok(Outcome::Faulty);
        }
    };
    if let [explanation] = explanations.as_slice()
        && arguments.observe
    {
        let text = explain::observation(explanation, today)
            .ok_or_else(|| anyhow::anyhow!("the input has no images of components: pipe the output of kubectl get pods -A -o json"))?;
        io::stdout().lock().write_all(text.as_bytes())?;
        return Ok(Outcome::Fine);
    }
    summaries(&mut knowledge, &origin, &explanations, &language.lang);
    let parts = ReportParts { health: arguments.health, cost: arguments.cost, scale_down: arguments.scale_down };
    let mut stdout = io::stdout().lock();
    let presenter = || Presenter { knowledge: &knowledge, words: &words, lang: &language.lang };
    let text = match (explanations.as_slice(), arguments.format) {
        ([before, after], format) => {
            let changes = explain::compare(&knowledge, before, after);
            let provider = after.guess.provider.as_ref().or(before.guess.provider.as_ref());
            match format {
                Form::Text => explain::terminal_of_comparison(presenter(), &changes, provider, screen(&stdout)),
                Form::Markdown => explain::markdown_of_comparison(presenter(), &changes, provider),
                Form::Json => explain::json_of_comparison(&knowledge, &changes, provider, &language.lang),
            }
        }
        ([explanation, ..], Form::Text) => explain::terminal(presenter(), explanation, parts, screen(&stdout)),
        ([explanation, ..], Form::Markdown) => explain::markdown(presenter(), explanation, parts),
        ([explanation, ..], Form::Json) => explain::json(&knowledge, explanation, &language.lang),
        ([], _) => String::new(),
    };
    stdout.write_all(text.as_bytes())?;
    stdout.flush()?;
    // The process is about to exit; dropping thousands of facts first would be noticeable.
    std::mem::forget((explanations, knowledge));
    Ok(Outcome::Fine)
}

fn explain_file(knowledge: &Knowledge, file: Option<&PathBuf>, provider: Option<&Id>) -> Result<Result<Explanation, Refusal>, Failure> {
    let Some(bytes) = bytes(file)? else { return Ok(Err(InputError::TooLarge.into())) };
    Ok(explain::decode(&bytes).map_err(Refusal::from).and_then(|text| {
        let explanation = explain::explain(knowledge, &text, provider);
        explain::input_error(knowledge, &text, &explanation).map_or(Ok(explanation), Err)
    }))
}

fn screen(stdout: &StdoutLock<'_>) -> Screen {
    let width = terminal_size::terminal_size_of(stdout).map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0));
    Screen { width, cuts: stdout.is_terminal(), colour: colour(stdout) }
}

/// The width of the output where it is not a terminal.
const DEFAULT_WIDTH: usize = 100;

/// The bytes of a file, or of standard input; `None` if there are too many.
fn bytes(file: Option<&PathBuf>) -> Result<Option<Vec<u8>>, Failure> {
    match file.filter(|file| file.as_os_str() != "-") {
        None => Ok(read::read_up_to(io::stdin().lock(), MAX_INPUT)?),
        Some(path) => {
            // Probably the name of a Pod instead of a file.
            let is_name = path.components().count() <= 2 && path.is_relative() && path.extension().is_none() && !path.exists();
            let help =
                if is_name { format!("; to explain a name, type: echo {} | ksys-docs explain", path.display()) } else { String::new() };
            let named = |error: io::Error| anyhow::anyhow!("cannot read `{}`: {error}{help}", path.display());
            if path.is_dir() {
                return read::objects_below(path, MAX_INPUT).map_err(named);
            }
            read::read_up_to(read::open(path).map_err(named)?, MAX_INPUT).map_err(named)
        }
    }
}

/// The facts of the knowledge base in the current folder or above, if it has name patterns; otherwise, the embedded ones.
fn knowledge(built_in: EmbeddedFacts) -> (Knowledge, Origin) {
    let root = super::root(None);
    if let Ok(sources) = read::read_facts(&root) {
        let draft = load::facts_only(&sources, built_in, &mut crate::diagnostic::Diagnostics::new());
        let knowledge = Knowledge::of_facts(draft);
        if !knowledge.recogniser.patterns().is_empty() {
            return (knowledge, Origin::Disk(root, sources));
        }
    }
    (Knowledge::of_facts(load::embedded_facts(built_in)), Origin::BuiltIn(built_in))
}

fn language(knowledge: &Knowledge, lang: Option<&str>) -> Result<Language, Failure> {
    let languages = &knowledge.config.languages;
    let Some(lang) = lang else {
        let default = knowledge.config.default_language();
        let own = languages.iter().find(|language| language.lang == *default).or(languages.first());
        return own.cloned().ok_or_else(|| anyhow::anyhow!("{} names no language", config::FILE));
    };
    languages.iter().find(|language| language.lang.as_str() == lang).cloned().ok_or_else(|| {
        let known: Vec<&str> = languages.iter().map(|language| language.lang.as_str()).collect();
        anyhow::anyhow!("`{lang}` is not a language of the explanations; use --lang {}", known.join(" or "))
    })
}

fn provider(knowledge: &Knowledge, id: &str) -> Result<Id, Failure> {
    if let Some((id, _)) = knowledge.providers.get_key_value(id) {
        return Ok(id.clone());
    }
    let known: Vec<&str> = knowledge.providers.keys().map(Id::as_str).collect();
    let help = did_you_mean(id, known.iter().copied())
        .map_or_else(|| format!("the providers are {}", known.join(", ")), |meant| format!("did you mean `{meant}`?"));
    Err(anyhow::anyhow!("no provider `{id}`; {help}"))
}

/// Reads the summaries and symptoms of the recognised components; the facts and pages of all other components stay closed.
fn summaries(knowledge: &mut Knowledge, origin: &Origin, reports: &[Explanation], lang: &Lang) {
    let mut seen: Vec<&Id> =
        reports.iter().flat_map(|report| &report.rows).filter_map(|row| Some(&row.owner.as_ref()?.component)).collect();
    seen.sort();
    seen.dedup();
    let mut langs = vec![lang.clone(), knowledge.config.default_language().clone()];
    langs.dedup();
    let file = |id: &Id, lang: &Lang| format!("{}/{COMPONENTS}/{id}/{lang}.md", knowledge.config.src);
    let pages = match origin {
        Origin::Disk(root, _) => read::read_texts(root, seen.iter().flat_map(|id| langs.iter().map(|lang| file(id, lang))).collect()),
        Origin::BuiltIn(_) => Sources::default(),
    };
    let page = |file: &str| match origin {
        Origin::Disk(..) => {
            let text = pages.files.get(file).and_then(|content| if let Content::Text(text) = content { Some(&**text) } else { None });
            (load::summary(&pages, file), explain::symptoms(text.unwrap_or_default()))
        }
        Origin::BuiltIn(packed) => {
            let (summary, symptoms) = load::embedded_page(packed, file);
            (summary.map(str::to_owned), explain::symptoms(symptoms))
        }
    };
    let texts = |id: &&Id| {
        // Decodes the component here, in parallel; its facts are needed soon.
        let _ = knowledge.components.get(id);
        let (mut summaries, mut symptoms) = (BTreeMap::new(), BTreeMap::new());
        for lang in &langs {
            let (summary, table) = page(&file(id, lang));
            summaries.extend(summary.map(|summary| (lang.clone(), summary)));
            symptoms.extend(Some((lang.clone(), table)).filter(|(_, table)| !table.is_empty()));
        }
        ((*id).clone(), Text::new(summaries), symptoms)
    };
    let texts: Vec<_> = seen.par_iter().map(texts).collect();
    for (id, summary, symptoms) in texts {
        knowledge.summaries.insert(id.clone(), summary);
        knowledge.symptoms.insert(id, symptoms);
    }
}
