//! The options that say which C files to read and how; every subcommand that reads C has them.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use c_frontend::{Diagnostic, Input, Loaded, Options, ScopedExpression};
use clap::Args;
use program::{DataModel, Program, Stated};

use crate::exit::Status;
use crate::harness::Surroundings;

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

    /// There are devices at these addresses, such as 0x40000000-0x5fffffff: what is read there is an input, what is written there is no
    /// memory [default: where the program spells out the address of something `volatile`]
    #[arg(
        long,
        value_name = "RANGE",
        value_delimiter = ',',
        value_parser = crate::limits::addresses,
        help_heading = "Reading C"
    )]
    pub mmio: Vec<RangeInclusive<u64>>,

    /// An option of compilers, such as `-O2` or `-funsigned-char`, as it is: what changes the program's meaning is followed
    #[arg(long, value_name = "FLAG", hide = true, allow_hyphen_values = true)]
    pub compiler_flag: Vec<String>,

    /// Show the parser's warnings
    #[arg(long, help_heading = "Reading C")]
    pub warnings: bool,

    /// A program around the function that is checked.
    #[arg(skip)]
    pub surroundings: OnceLock<Surroundings>,
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
            mmio: Vec::new(),
            compiler_flag: Vec::new(),
            warnings: false,
            surroundings: OnceLock::new(),
        }
    }

    /// Reads the program; what is wrong with it goes to standard error, and the notes on it too.
    pub fn load(&self) -> Result<Program, Status> {
        self.load_with(&[]).map(|(program, _)| program)
    }

    /// The same, with expressions over its variables.
    pub fn load_with(&self, expressions: &[ScopedExpression]) -> Result<(Program, Vec<Stated>), Status> {
        let inputs = self.inputs().map_err(|errors| report(&errors))?;
        for machine in Self::machines(&inputs) {
            eprintln!("note: {machine}");
        }
        let loaded = Self::loaded(&inputs, expressions);
        let (loaded, expressions) = loaded.map_err(|errors| report(&errors))?;
        if self.warnings {
            report(&loaded.warnings);
        }
        Self::show_notes(&loaded.program);
        Ok((loaded.program, expressions))
    }

    /// The same, of a program that was read before.
    pub fn load_quietly(&self) -> Result<Program, Status> {
        self.load_quietly_with(&[]).map(|(program, _)| program)
    }

    /// The same, with expressions over its variables.
    pub fn load_quietly_with(
        &self,
        expressions: &[ScopedExpression],
    ) -> Result<(Program, Vec<Stated>), Status> {
        let inputs = self.inputs().map_err(|errors| report(&errors))?;
        let loaded = Self::loaded(&inputs, expressions);
        let (loaded, expressions) = loaded.map_err(|errors| report(&errors))?;
        Ok((loaded.program, expressions))
    }

    fn loaded(
        inputs: &[Input],
        expressions: &[ScopedExpression],
    ) -> Result<(Loaded, Vec<Stated>), Vec<Diagnostic>> {
        match expressions {
            [] => c_frontend::load(inputs).map(|loaded| (loaded, Vec::new())),
            _ => c_frontend::load_with_expressions(inputs, expressions),
        }
    }

    fn show_notes(program: &Program) {
        let notes = program.notes.iter().map(|note| ("note", note));
        let warnings = program.warnings.iter().map(|note| ("warning", note));
        for (severity, note) in warnings.chain(notes) {
            match &note.span {
                Some(span) => eprintln!("{}: {severity}: {}", program.sources.describe(span), note.message),
                None => eprintln!("{severity}: {}", note.message),
            }
        }
    }

    /// The files to read and how.
    pub fn inputs(&self) -> Result<Vec<Input>, Vec<Diagnostic>> {
        let mut options = Options {
            standard: self.std.clone(),
            defines: self.define.clone(),
            undefines: self.undefine.clone(),
            include_dirs: self.include_dir.clone(),
            system_dirs: self.isystem.clone(),
            preincludes: self.include.clone(),
            mmio: self.mmio.clone(),
            ..Options::default()
        };
        c_frontend::apply_flags(&self.compiler_flag, Path::new(""), &mut options);
        let mut inputs = match (&self.compile_commands, &self.target) {
            (Some(database), Some(target)) => c_frontend::read_target(database, target, &options)?,
            (Some(database), None) => c_frontend::read_compile_commands(database, &self.files, &options)?,
            (None, _) => self
                .files
                .iter()
                .map(|path| Input {
                    path: path.clone(),
                    options: options.clone(),
                })
                .collect(),
        };
        for input in &mut inputs {
            self.settle(input).map_err(|error| vec![error])?;
        }
        if let Some(surroundings) = self.surroundings.get() {
            surroundings.put_into(&mut inputs);
        }
        Ok(inputs)
    }

    /// What the user says wins over what a compiler is told; what is not followed is not passed over.
    fn settle(&self, input: &mut Input) -> Result<(), Diagnostic> {
        let options = &mut input.options;
        let path = input.path.display();
        let is_said = self.ilp32 || self.lp64;
        if is_said {
            options.model = match self.ilp32 {
                true => DataModel::Ilp32,
                false => DataModel::Lp64,
            };
        } else if let Some(machine) = &options.machine
            && let Some(reason) = machine.unsupported
        {
            return Err(Diagnostic::error(format!(
                "{path}: programs for `{}` are not read: {reason} (--32 and --64 read it all the same, with these data models)",
                machine.name
            )));
        }
        match options.not_followed.first() {
            Some(flag) => Err(Diagnostic::error(format!(
                "{path}: `{flag}` changes what the program means, which is not followed"
            ))),
            None => Ok(()),
        }
    }

    /// The options that say how C is read, as they may be given again.
    pub fn reading_flags(&self) -> Vec<String> {
        let mut flags = Vec::new();
        flags.extend(self.ilp32.then(|| "--32".to_owned()));
        flags.extend(self.define.iter().map(|define| format!("-D{}", quoted(define))));
        flags.extend(self.undefine.iter().map(|name| format!("-U{name}")));
        let folders = self.include_dir.iter();
        flags.extend(folders.map(|folder| format!("-I{}", quoted(&folder.display().to_string()))));
        let folders = self.isystem.iter();
        flags.extend(folders.map(|folder| format!("-isystem {}", quoted(&folder.display().to_string()))));
        flags.extend(
            self.include
                .iter()
                .map(|file| format!("-include {}", quoted(file))),
        );
        let ranges = self.mmio.iter();
        flags.extend(ranges.map(|range| format!("--mmio {:#x}-{:#x}", range.start(), range.end())));
        flags.extend((self.std != "gnu17").then(|| format!("-std={}", self.std)));
        flags
    }

    /// For which machines the program is read, where a compiler's name says so.
    fn machines(inputs: &[Input]) -> Vec<String> {
        let mut machines = Vec::new();
        for input in inputs {
            let options = &input.options;
            let Some(machine) = &options.machine else {
                continue;
            };
            let model = match options.model {
                DataModel::Ilp32 => "ILP32",
                DataModel::Lp64 => "LP64",
            };
            let char_sign = if options.char_signed { "signed" } else { "unsigned" };
            let said = format!("read for `{}`: {model}, `char` is {char_sign}", machine.name);
            if !machines.contains(&said) {
                machines.push(said);
            }
        }
        machines
    }
}

/// A word as a shell reads it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=+:,@%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
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

/// Compilers' single-dash spellings of long options, which users know by heart, and options that only compilers have.
pub fn accept_compiler_spellings(arguments: impl Iterator<Item = String>) -> Vec<String> {
    let mut own = true;
    arguments
        .map(|argument| {
            own &= argument != "--";
            match argument.as_str() {
                _ if !own => argument,
                "-isystem" | "-include" | "-m32" | "-m64" => format!("-{argument}"),
                standard if standard.starts_with("-std=") => format!("-{standard}"),
                flag if is_compiler_flag(flag) => format!("--compiler-flag={flag}"),
                _ => argument,
            }
        })
        .collect()
}

/// Whether it is an option of compilers that takes no other word and none of ours looks like.
fn is_compiler_flag(argument: &str) -> bool {
    const WORDS: [&str; 14] = [
        "-c",
        "-w",
        "-g",
        "-s",
        "-ansi",
        "-pedantic",
        "-pedantic-errors",
        "-pipe",
        "-pthread",
        "-MD",
        "-MMD",
        "-MP",
        "-nostdlib",
        "-nostartfiles",
    ];
    const STARTS: [&str; 8] = ["-O", "-W", "-f", "-m", "-ggdb", "-gdwarf", "-g0", "-g3"];
    WORDS.contains(&argument) || STARTS.iter().any(|start| argument.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::accept_compiler_spellings;

    #[test]
    fn what_only_compilers_know_is_handed_on() {
        let words = "check -O2 -Wall -m32 -mcpu=cortex-m4 -funsigned-char -g a.c --full -- -O2";
        let words = accept_compiler_spellings(words.split(' ').map(str::to_owned));
        assert_eq!(
            words.join(" "),
            "check --compiler-flag=-O2 --compiler-flag=-Wall --m32 --compiler-flag=-mcpu=cortex-m4 \
             --compiler-flag=-funsigned-char --compiler-flag=-g a.c --full -- -O2"
        );
    }
}
