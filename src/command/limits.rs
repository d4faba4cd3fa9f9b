//! Limits on time and memory: templates are programs of the knowledge base, which is not trusted.

use std::{
    collections::BTreeMap,
    io::{self, Write},
    process,
    time::Duration,
};

use clap::Args;

use crate::{render::active_renders, text::printable};

/// How often time and memory are compared with the limits.
const INTERVAL: Duration = Duration::from_millis(50);

/// Options of the commands that render templates.
#[derive(Debug, Args)]
pub(super) struct LimitArguments {
    /// The longest time that a template may take for one page
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    page_timeout: u32,
    /// The most memory that the program may use
    #[arg(long, value_name = "MIB", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(64..))]
    max_memory: u32,
}

impl LimitArguments {
    /// Ends the program with exit code 1 as soon as a limit is exceeded.
    pub(super) fn enforce(&self) {
        let timeout = Duration::from_secs(self.page_timeout.into());
        let max_memory = usize::try_from(u64::from(self.max_memory) << 20).unwrap_or(usize::MAX);
        let watch = move || {
            // The time for which each template has been rendering.
            let mut seen: BTreeMap<u64, Duration> = BTreeMap::new();
            loop {
                std::thread::sleep(INTERVAL);
                let active = active_renders();
                seen.retain(|number, _| active.contains_key(number));
                for (number, template) in &active {
                    let time = seen.entry(*number).or_default();
                    *time += INTERVAL;
                    if *time > timeout {
                        let seconds = timeout.as_secs();
                        end(
                            &format!("the template `{template}` takes more than {seconds} s for one page"),
                            "look for a loop in it and in the templates that it includes; `--page-timeout` allows more time",
                        );
                    }
                }
                if memory_stats::memory_stats().is_some_and(|used| used.physical_mem > max_memory) {
                    let used = format!("this needs more than {} MiB of memory", max_memory >> 20);
                    let rendered =
                        active.values().next().map_or(String::new(), |template| format!(", while rendering the template `{template}`"));
                    end(
                        &format!("{used}{rendered}"),
                        "look for a text that grows in a loop of a template; `--max-memory` allows more memory",
                    );
                }
            }
        };
        // If the system has no more threads, there are no limits: the templates can't be rendered in parallel either.
        let _ = std::thread::Builder::new().name("limits".to_owned()).spawn(watch);
    }
}

fn end(message: &str, help: &str) -> ! {
    let _ = writeln!(io::stderr(), "error[template-error]: {}\n  help: {help}", printable(message));
    process::exit(1)
}
