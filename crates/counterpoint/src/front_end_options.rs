//! The options that say which C files to read and how; every subcommand that reads C has them.

use std::path::{Path, PathBuf};

use c_frontend::{Diagnostic, Input, Options};
use clap::Args;
use program::{DataModel, Program};

use crate::exit::Status;

#[derive(Args, Debug)]
pub struct FrontEndOptions {
    /// C files (`.c`, or `.i` after preprocessing); several are linked into one program
    #[arg(value_name = "FILE", required_unless_present = "compile_commands")]
    pub files: Vec<PathBuf>,

    /// Take files and their options from a compilation database (the file or its folder)
    #[arg(short = 'p', long, value_name = "PATH", help_heading = "Reading C")]
    pub compile_commands: Option<PathBuf>,

    /// Of a compilation database, take the files of this target (by CMake's and Meson's folders, else a file's name)
    #[arg(
        long,
        value_name = "NAME",
        requires = "compile_commands",
        conflicts_with = "files",
        help_heading = "Reading C"
    )]
    pub target: Option<String>,

    /// Read the program for ILP32: 32-bit `long` and pointers
    #[arg(
        long = "32",
        visible_alias = "m32",
        conflicts_with = "lp64",
        help_heading = "Reading C"
    )]
    pub ilp32: bool,

    /// Read the program for LP64: 64-bit `long` and pointers (the default)
    #[arg(long = "64", visible_alias = "m64", help_heading = "Reading C")]
    pub lp64: bool,

    /// Define a macro: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO", help_heading = "Reading C")]
    pub define: Vec<String>,

    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = "Reading C")]
    pub undefine: Vec<String>,

    /// Look for headers in this folder
    #[arg(short = 'I', value_name = "DIR", help_heading = "Reading C")]
    pub include_dir: Vec<PathBuf>,

    /// Look for system headers in this folder (also `-isystem`)
    #[arg(long, value_name = "DIR", help_heading = "Reading C")]
    pub isystem: Vec<PathBuf>,

    /// Read this file before the first line of each file (also `-include`)
    #[arg(long, value_name = "FILE", help_heading = "Reading C")]
    pub include: Vec<String>,

    /// The language standard (also `-std=`)
    #[arg(
        long,
        value_name = "STANDARD",
        default_value = "gnu17",
        help_heading = "Reading C"
    )]
    pub std: String,

    /// Show the parser's warnings
    #[arg(long, help_heading = "Reading C")]
    pub warnings: bool,
}

impl FrontEndOptions {
    /// One file, as it is.
    pub fn of_file(file: &Path, ilp32: bool) -> FrontEndOptions {
        FrontEndOptions {
            files: vec![file.to_owned()],
            compile_commands: None,
            target: None,
            ilp32,
            lp64: !ilp32,
            define: Vec::new(),
            undefine: Vec::new(),
            include_dir: Vec::new(),
            isystem: Vec::new(),
            include: Vec::new(),
            std: "gnu17".to_owned(),
            warnings: false,
        }
    }

    /// Reads the program; what is wrong with it goes to standard error, and the notes on it too.
    pub fn load(&self) -> Result<Program, Status> {
        let loaded = self
            .inputs()
            .and_then(|inputs| c_frontend::load(&inputs))
            .map_err(|errors| report(&errors))?;
        if self.warnings {
            report(&loaded.warnings);
        }
        let program = &loaded.program;
        let notes = program.notes.iter().map(|note| ("note", note));
        let warnings = program.warnings.iter().map(|note| ("warning", note));
        for (severity, note) in warnings.chain(notes) {
            match &note.span {
                Some(span) => eprintln!("{}: {severity}: {}", program.sources.describe(span), note.message),
                None => eprintln!("{severity}: {}", note.message),
            }
        }
        Ok(loaded.program)
    }

    /// The files to read and how.
    pub fn inputs(&self) -> Result<Vec<Input>, Vec<Diagnostic>> {
        let options = Options {
            model: if self.ilp32 {
                DataModel::Ilp32
            } else {
                DataModel::Lp64
            },
            standard: self.std.clone(),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            include_dirs: self.include_dir.clone(),
            system_dirs: self.isystem.clone(),
            preincludes: self.include.clone(),
        };
        match (&self.compile_commands, &self.target) {
            (Some(database), Some(target)) => c_frontend::read_target(database, target, &options),
            (Some(database), None) => c_frontend::read_compile_commands(database, &self.files, &options),
            (None, _) => Ok(self
                .files
                .iter()
                .map(|path| Input {
                    path: path.clone(),
                    options: options.clone(),
                })
                .collect()),
        }
    }
}

fn report(diagnostics: &[Diagnostic]) -> Status {
    for diagnostic in diagnostics {
        eprint!("{diagnostic}");
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if errors > 1 {
        eprintln!("{errors} errors");
    }
    Status::BadInput
}

/// Compilers' single-dash spellings of long options, which users know by heart.
pub fn accept_compiler_spellings(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut own = true;
    arguments
        .map(|argument| {
            own &= argument != "--";
            match argument.as_str() {
                "-isystem" | "-include" | "-m32" | "-m64" if own => format!("-{argument}"),
                standard if own && standard.starts_with("-std=") => format!("-{standard}"),
                _ => argument,
            }
        })
        .collect()
}
