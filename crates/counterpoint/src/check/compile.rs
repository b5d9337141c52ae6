//! Compiling a program together with its counterexample. What the compiler is given is what the front end was given. Where the
//! error is a label, a copy of the file is compiled in which the label says that it was reached; where functions that the program
//! defines have to be observed, calls are led elsewhere in what the compiler makes of it. Neither needs to understand C.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use c_frontend::Input;
use program::{DataModel, Label, SourceFile, SourceMap, Span};

use super::harness::REACHED_FUNCTION;
use super::noticing::ADDRESS;

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
    let options = &input.options;
    command.arg(format!("-std={}", options.standard));
    for define in &options.defines {
        command.arg(format!("-D{define}"));
    }
    for undefine in &options.undefines {
        command.arg(format!("-U{undefine}"));
    }
    for folder in &options.include_dirs {
        command.arg("-I").arg(folder);
    }
    for folder in &options.system_dirs {
        command.arg("-isystem").arg(folder);
    }
    for file in &options.preincludes {
        command.arg("-include").arg(file);
    }
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
