//! `counterpoint completions SHELL`: a completion script on standard output.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::exit::Status;

/// Print a completion script for a shell
#[derive(Args)]
pub struct Options {
    /// The shell to complete for
    shell: Shell,
}

pub fn run(options: &Options) -> Status {
    let mut command = crate::Cli::command();
    clap_complete::generate(
        options.shell,
        &mut command,
        "counterpoint",
        &mut std::io::stdout(),
    );
    Status::Done
}
