//! The command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    ksys_docs::command::run()
}
