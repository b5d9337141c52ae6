//! `counterpoint rules`: the rules that come with the program.

use clap::Args;
use property::{library, library_rule};

use crate::exit::Status;

/// List the rules that can be checked, or show one
///
/// A rule says how functions are to be called, for example that a lock is not acquired twice. The text of a rule is a
/// good start for one of your own.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
        counterpoint rules\n  \
        counterpoint rules spin-lock > my.rule")]
pub struct Options {
    /// The rule to show
    #[arg(value_name = "NAME")]
    name: Option<String>,
}

pub fn run(options: &Options) -> Status {
    let text = match &options.name {
        Some(name) => match library_rule(name) {
            Some(rule) => rule.text.to_owned(),
            None => {
                eprintln!("error: there is no rule `{name}`; `counterpoint rules` lists them");
                return Status::BadInput;
            }
        },
        None => list(),
    };
    match crate::output::write(None, &text) {
        Ok(()) => Status::Done,
        Err(message) => {
            eprintln!("error: {message}");
            Status::BadInput
        }
    }
}

/// A line for each rule: its name and what it asks for.
fn list() -> String {
    let width = library().iter().map(|rule| rule.name.len()).max().unwrap_or(0);
    library()
        .iter()
        .map(|rule| {
            let summary = rule.parse().map_or_else(
                |error| format!("cannot be read: {}", error.message()),
                |rule| rule.summary().to_owned(),
            );
            format!("{:width$}  {summary}\n", rule.name)
        })
        .collect()
}
