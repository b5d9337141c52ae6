//! `counterpoint manual DIR`: man pages, one for the program and one for each subcommand.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::exit::Status;

/// Write man pages into a folder
#[derive(Args)]
pub struct Options {
    /// The folder, which is made if it is missing
    folder: PathBuf,
}

pub fn run(options: &Options) -> Status {
    let folder = &options.folder;
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(crate::Cli::command(), folder));
    match written {
        Ok(()) => Status::Done,
        Err(error) => {
            eprintln!("error: {}: {error}", folder.display());
            Status::BadInput
        }
    }
}
