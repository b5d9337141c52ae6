//! This program as a campaign sees it: what the arguments of `check` mean without checking anything.

use std::path::{Path, PathBuf};

use campaign::{Failure, Tool};
use clap::{CommandFactory, Parser};
use sha2::{Digest, Sha256};

use crate::check;
use crate::front_end_options::accept_compiler_spellings;
use crate::property_options::NOTHING_TO_CHECK;

/// The arguments of `check` alone.
#[derive(Parser)]
#[command(name = "check", no_binary_name = true)]
struct Line {
    #[command(flatten)]
    options: check::Options,
}

/// The running program itself. Its file may be replaced meanwhile, and an answer of another build is not what was asked for.
const ITSELF: &str = "/proc/self/exe";

pub struct Checker {
    installed: PathBuf,
    writes_pages: bool,
}

impl Checker {
    pub fn new() -> Result<Checker, Failure> {
        let installed = std::env::current_exe()
            .map_err(|error| Failure::new(format!("the program does not know where it is: {error}")))?;
        let line = Line::command();
        Ok(Checker {
            installed,
            writes_pages: line
                .get_arguments()
                .any(|known| known.get_long() == Some("report")),
        })
    }
}

/// Reads arguments; some that are needed may be missing.
fn parse(arguments: &[String]) -> Result<check::Options, Failure> {
    let spelled = accept_compiler_spellings(arguments.iter().cloned());
    let line = Line::try_parse_from(&spelled).or_else(|error| match error.kind() {
        clap::error::ErrorKind::MissingRequiredArgument => {
            Line::try_parse_from(spelled.into_iter().chain(["missing.c".to_owned()]))
        }
        _ => Err(error),
    });
    line.map(|line| line.options).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        Failure::new(format!("the arguments `{}`: {message}", arguments.join(" ")))
    })
}

fn digits(digest: Sha256) -> String {
    digest
        .finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

impl Tool for Checker {
    fn executable(&self) -> &Path {
        ITSELF.as_ref()
    }

    fn installed(&self) -> &Path {
        &self.installed
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn program_digest(&self, arguments: &[String]) -> String {
        let mut digest = Sha256::new();
        let read = parse(arguments)
            .map_err(|failure| failure.to_string())
            .and_then(|options| {
                let inputs = options.front_end.inputs();
                let read = inputs
                    .and_then(|inputs| c_frontend::preprocessed(&inputs, &mut |piece| digest.update(piece)));
                read.map_err(|errors| errors.iter().map(ToString::to_string).collect())
            });
        if let Err(message) = read {
            digest.update(b"\0cannot be read\0");
            digest.update(message.as_bytes());
        }
        digits(digest)
    }

    fn property_digest(&self, arguments: &[String]) -> Result<String, Failure> {
        let property = parse(arguments)?.property;
        let fail = |message: String| {
            let message = message.split(" (os error").next().unwrap_or_default().trim_end();
            Failure::new(message.strip_prefix("error: ").unwrap_or(message))
        };
        property.load().map_err(fail)?;
        let mut digest = Sha256::new();
        for text in property.texts().map_err(fail)? {
            digest.update(text.as_bytes());
            digest.update(b"\0");
        }
        Ok(digits(digest))
    }

    fn accepts(&self, arguments: &[String]) -> Result<(), Failure> {
        parse(arguments).map(|_| ())
    }

    fn targets(&self, database: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, Failure> {
        c_frontend::targets(database).map_err(|errors| {
            let text: String = errors.iter().map(ToString::to_string).collect();
            let text = text.trim_end();
            Failure::new(text.strip_prefix("error: ").unwrap_or(text))
        })
    }

    fn nothing_to_check(&self) -> &str {
        NOTHING_TO_CHECK
    }

    fn writes_pages(&self) -> bool {
        self.writes_pages
    }
}
