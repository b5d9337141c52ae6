//! Compiling a program together with its counterexample. What the compiler is given is what the front end was given. Where the
//! error is a label, a copy of the file is compiled in which the label says that it was reached; where functions that the program
//! defines have to be observed, calls are led elsewhere in what the compiler makes of it. Neither needs to understand C.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use c_frontend::Input;
use program::{DataModel, Label, SourceFile, SourceMap, Span};

use super::harness::REACHED_FUNCTION;
use super::noticing::ADDRESS;
use crate::front_end_options::quoted;

/// What has to be compiled differently, because the program calls nothing undefined where the error is.
#[derive(Default)]
pub struct Changes<'p> {
    /// Labels that say that they were reached.
    pub labels: Vec<&'p Label>,
    pub diversions: Vec<Diversion>,
    /// Functions of which the linker leads calls to `__wrap_…`.
    pub wrapped: Vec<String>,
    /// What the compiler's sanitizers look for; the harness has what they call.
    pub sanitizers: Option<&'static str>,
}

impl Changes<'_> {
    /// Whether no option of a compiler makes them.
    pub fn is_by_hand(&self) -> bool {
        !self.labels.is_empty() || !self.diversions.is_empty()
    }
}

/// A function of the program in whose place another one is called.
pub struct Diversion {
    pub function: String,
    pub to: String,
    /// The name that it can then be called by, where that is needed.
    pub original: Option<String>,
}

/// The compiled program, or why there is none.
pub fn compile(
    folder: &Path,
    inputs: &[Input],
    sources: &SourceMap,
    harness: &str,
    changes: &Changes<'_>,
) -> Result<PathBuf, String> {
    let compiler = compiler();
    let model = match inputs.first().map(|input| input.options.model) {
        Some(DataModel::Ilp32) => "-m32",
        _ => "-m64",
    };
    let written = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut marked = marked(inputs, sources, &changes.labels)?;
    for (text, input) in marked.iter_mut().zip(inputs) {
        let contents = input.options.contents.as_ref();
        *text = text.take().or_else(|| contents.map(|text| text.to_string()));
    }
    let mut objects = Vec::new();
    let mut found = vec![false; changes.diversions.len()];
    for (number, input) in inputs.iter().enumerate() {
        let mut command = Command::new(&compiler);
        command.args(["-S", "-w", "-fno-strict-aliasing", model]);
        match changes.sanitizers {
            // What wraps around is not looked at.
            Some(kinds) => command.arg(format!("-fsanitize={kinds}")),
            None => command.arg("-fwrapv"),
        };
        options(&mut command, input);
        if !changes.diversions.is_empty() {
            // Calls must be there to be led elsewhere.
            command.args([
                "-fno-inline",
                "-Dalways_inline=noinline",
                "-D__always_inline__=__noinline__",
            ]);
        }
        if !changes.wrapped.is_empty() {
            command.arg("-fno-builtin");
        }
        match marked[number].take() {
            None => command.arg(&input.path),
            Some(text) => {
                let ending = input.path.extension().and_then(|e| e.to_str()).unwrap_or("c");
                let copy = folder.join(format!("{number}.{ending}"));
                std::fs::write(&copy, text).map_err(written)?;
                let home = input.path.parent().filter(|home| !home.as_os_str().is_empty());
                command
                    .arg("-iquote")
                    .arg(home.unwrap_or(Path::new(".")))
                    .arg(copy)
            }
        };
        let assembly = folder.join(format!("{number}.s"));
        call(command.arg("-o").arg(&assembly), &compiler)?;
        if !changes.diversions.is_empty() {
            let text = std::fs::read_to_string(&assembly).map_err(written)?;
            let text = diverted(&text, &changes.diversions, &mut found);
            std::fs::write(&assembly, text).map_err(written)?;
        }
        let object = folder.join(format!("{number}.o"));
        assemble(&compiler, model, &assembly, &object)?;
        objects.push(object);
    }
    if let Some((diversion, _)) = changes.diversions.iter().zip(found).find(|(_, found)| !found) {
        return Err(format!(
            "`{compiler}` makes no function `{}` of it that calls can be seen of",
            diversion.function
        ));
    }
    let file = folder.join("harness.c");
    std::fs::write(&file, harness).map_err(written)?;
    let harness = folder.join("harness.o");
    assemble(&compiler, model, &file, &harness)?;
    let program = folder.join("program");
    let wraps = changes.wrapped.iter().map(|name| format!("-Wl,--wrap={name}"));
    call(
        Command::new(&compiler)
            .arg(model)
            .args(wraps)
            // This one has a library of its own.
            .args((changes.sanitizers == Some(ADDRESS)).then_some("-fsanitize=address"))
            .args(&objects)
            .arg(&harness)
            .args(["-lm", "-o"])
            .arg(&program),
        &compiler,
    )?;
    Ok(program)
}

/// The C compiler that the user wants.
pub fn compiler() -> String {
    let compiler = std::env::var("CC").ok().filter(|name| !name.is_empty());
    compiler.unwrap_or_else(|| "cc".to_owned())
}

fn assemble(compiler: &str, model: &str, file: &Path, object: &Path) -> Result<(), String> {
    let mut command = Command::new(compiler);
    command.args(["-c", "-w", "-fwrapv", model]).arg(file);
    call(command.arg("-o").arg(object), compiler)
}

/// What the front end was told, as a compiler is told it.
pub fn options(command: &mut Command, input: &Input) {
    command.args(words(input));
}

fn words(input: &Input) -> Vec<OsString> {
    let options = &input.options;
    let mut words: Vec<OsString> = vec![format!("-std={}", options.standard).into()];
    if options.char_signed != c_frontend::Options::default().char_signed {
        words.push("-funsigned-char".into());
    }
    if options.short_enums {
        words.push("-fshort-enums".into());
    }
    words.extend(options.defines.iter().map(|define| format!("-D{define}").into()));
    words.extend(options.undefines.iter().map(|name| format!("-U{name}").into()));
    let folders = |flag: &'static str, folders: &[PathBuf]| {
        let pairs = folders.iter();
        let pairs = pairs.flat_map(|folder| [flag.into(), folder.clone().into_os_string()]);
        pairs.collect::<Vec<OsString>>()
    };
    words.extend(folders("-I", &options.include_dirs));
    words.extend(folders("-isystem", &options.system_dirs));
    for file in &options.preincludes {
        words.extend(["-include".into(), file.into()]);
    }
    words
}

/// Where a file that is nowhere to be found is written, beside the counterexample.
pub fn beside(test: &Path, input: &Input) -> Option<PathBuf> {
    input.options.contents.as_ref()?;
    Some(test.with_file_name(input.path.file_name()?))
}

/// The command that compiles the program with its counterexample and runs it, as a shell takes it.
pub fn command_line(test: &Path, inputs: &[Input], changes: &Changes<'_>, arguments: &[Vec<u8>]) -> String {
    let mut common = vec!["-w".to_owned(), "-fno-strict-aliasing".to_owned()];
    if inputs.first().map(|input| input.options.model) == Some(DataModel::Ilp32) {
        common.push("-m32".to_owned());
    }
    // What is written beside the counterexample includes a file of the program.
    for input in inputs.iter().filter(|input| input.options.contents.is_some()) {
        let home = input.path.parent().filter(|home| !home.as_os_str().is_empty());
        let home = home.unwrap_or(Path::new("."));
        common.extend(["-iquote".to_owned(), quoted(&home.display().to_string())]);
    }
    let shared = common.clone();
    match changes.sanitizers {
        Some(kinds) => common.push(format!("-fsanitize={kinds}")),
        None => common.push("-fwrapv".to_owned()),
    }
    if !changes.wrapped.is_empty() {
        common.push("-fno-builtin".to_owned());
    }
    let shown = |words: Vec<OsString>| -> Vec<String> {
        words.iter().map(|word| quoted(&word.to_string_lossy())).collect()
    };
    let file = |path: &Path| quoted(&path.display().to_string());
    let source = |input: &Input| match beside(test, input) {
        Some(path) => file(&path),
        None => file(&input.path),
    };
    let program = test.with_extension("");
    // A name alone is looked for elsewhere.
    let started = match program.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new(".").join(&program),
        _ => program.clone(),
    };
    let compiler = quoted(&compiler());
    let mut link: Vec<String> = changes
        .wrapped
        .iter()
        .map(|name| format!("-Wl,--wrap={name}"))
        .collect();
    if changes.sanitizers == Some(ADDRESS) {
        link.push("-fsanitize=address".to_owned());
    }
    let end = ["-lm".to_owned(), "-o".to_owned(), file(&program)];
    let is_alike = inputs.iter().map(words).is_sorted_by(|a, b| a == b);
    let mut commands = Vec::new();
    if is_alike && changes.sanitizers.is_none() {
        let mut command = vec![compiler];
        command.extend(common);
        command.extend(
            inputs
                .first()
                .map(|input| shown(words(input)))
                .unwrap_or_default(),
        );
        command.extend(link);
        command.extend(inputs.iter().map(source));
        command.push(file(test));
        command.extend(end);
        commands.push(command.join(" "));
    } else {
        // What is compiled in different ways is compiled apart.
        let mut objects = Vec::new();
        for (number, input) in inputs.iter().enumerate() {
            let object = quoted(&format!("{}.{number}.o", program.display()));
            let mut command = vec![compiler.clone(), "-c".to_owned()];
            command.extend(common.iter().cloned());
            command.extend(shown(words(input)));
            command.extend([source(input), "-o".to_owned(), object.clone()]);
            commands.push(command.join(" "));
            objects.push(object);
        }
        let mut command = vec![compiler];
        command.extend(shared);
        command.extend(link);
        command.extend(objects);
        command.push(file(test));
        command.extend(end);
        commands.push(command.join(" "));
    }
    let arguments = arguments
        .iter()
        .skip(1)
        .map(|argument| quoted(&String::from_utf8_lossy(argument)));
    let started = std::iter::once(file(&started)).chain(arguments);
    commands.push(started.collect::<Vec<String>>().join(" "));
    commands.join(" && ")
}

pub fn call(command: &mut Command, compiler: &str) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                format!("there is no C compiler `{compiler}`; install one, or name yours in the variable CC")
            }
            _ => format!("`{compiler}` cannot be started: {error}"),
        })?;
    if output.status.success() {
        return Ok(());
    }
    let messages = String::from_utf8_lossy(&output.stderr);
    let is_32_bit = command.get_args().any(|argument| argument == "-m32");
    // The start-up code, the libraries or their headers for 32 bits are missing.
    let lacks = ["skipping incompatible", "crt1.o", "crti.o", "stubs-32.h"];
    if is_32_bit && lacks.iter().any(|what| messages.contains(what)) {
        return Err(format!(
            "`{compiler}` cannot make 32-bit programs here; on Debian and Ubuntu the package gcc-multilib is missing"
        ));
    }
    let first = messages
        .lines()
        .find(|line| line.contains("error") || line.contains("undefined"));
    let first = first.or_else(|| messages.lines().next()).unwrap_or("no message");
    Err(format!("`{compiler}` does not compile the program: {first}"))
}

/// What the compiler made, with a jump at the start of each function that is diverted.
fn diverted(assembly: &str, diversions: &[Diversion], found: &mut [bool]) -> String {
    let mut text = String::with_capacity(assembly.len());
    for line in assembly.lines() {
        text.push_str(line);
        text.push('\n');
        let code = line.split('#').next().unwrap_or_default().trim_end();
        let defined = code.strip_suffix(':');
        let Some(at) = diversions.iter().position(|it| defined == Some(&it.function)) else {
            continue;
        };
        found[at] = true;
        text.push_str(&format!("\tjmp\t{}\n", diversions[at].to));
        if let Some(original) = &diversions[at].original {
            text.push_str(&format!("\t.globl\t{original}\n{original}:\n"));
        }
    }
    text
}

/// Of each file, the text in which its labels say that they are reached; none for files without such a label.
fn marked(inputs: &[Input], sources: &SourceMap, labels: &[&Label]) -> Result<Vec<Option<String>>, String> {
    let mut places: Vec<Vec<usize>> = vec![Vec::new(); inputs.len()];
    let mut files = vec![None; inputs.len()];
    for label in labels {
        let (input, file, at) = place(inputs, sources, label)
            .ok_or_else(|| format!("macros or headers have to do with the label `{}`", label.name))?;
        places[input].push(at);
        files[input] = Some(file);
    }
    let texts = files.into_iter().zip(places).map(|(file, mut places)| {
        let text = file?.text();
        places.sort_unstable();
        let mut changed = format!("void {REACHED_FUNCTION}(void);\n#line 1\n");
        let mut from = 0;
        for at in places {
            changed.push_str(&text[from..at]);
            // Still one statement, and none that an `else` could belong to.
            changed.push_str(&format!(" switch ({REACHED_FUNCTION}(), 0) default: "));
            from = at;
        }
        changed.push_str(&text[from..]);
        Some(changed)
    });
    Ok(texts.collect())
}

/// The file that a label is written in, and where in its text the labelled statement starts. None if macros or other files
/// have to do with it.
fn place<'s>(
    inputs: &[Input],
    sources: &'s SourceMap,
    label: &Label,
) -> Option<(usize, &'s SourceFile, usize)> {
    let (span, statement) = (label.span?, label.statement?);
    let file = sources.file(span.file);
    let input = inputs
        .iter()
        .position(|input| input.path.display().to_string() == file.name)?;
    let offset = |span: Span| Some(file.start(span.line)? + span.column as usize - 1);
    let (start, end) = (offset(span)?, offset(statement)?);
    let between = file.text().get(start..end)?.strip_prefix(label.name.as_str())?;
    (statement.file == span.file && between.contains(':')).then_some((input, file, end))
}
