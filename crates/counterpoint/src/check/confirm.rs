//! `--confirm`: compiles the program together with its counterexample and runs it. What the compiler is given is what the
//! front end was given; only where the error is a label, or a function that the program defines itself, a copy of the file
//! is compiled in which it says that it was reached.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use c_frontend::Input;
use program::DataModel;

use super::harness::{Harness, MESSAGE, NOT_MET, REACHED, REACHED_FUNCTION};

/// What has to be told about being reached, because no undefined function is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    pub labels: Vec<String>,
    pub functions: Vec<String>,
}

pub enum Confirmation {
    Confirmed,
    /// The compiled program did something else.
    Contradicted(String),
    /// Nothing can be said, and why.
    Unable(String),
}

/// The compiled program may run for so long.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// `arguments` are those of the compiled program, its name first.
pub fn confirm(inputs: &[Input], harness: &Harness, marks: &Marks, arguments: &[Vec<u8>]) -> Confirmation {
    let folder = match Folder::new() {
        Ok(folder) => folder,
        Err(error) => return Confirmation::Unable(format!("no temporary folder: {error}")),
    };
    match compile(&folder.path, inputs, harness, marks) {
        Ok(program) => run(&folder.path, &program, harness, arguments),
        Err(reason) => Confirmation::Unable(reason),
    }
}

/// A folder that is gone when its owner is.
struct Folder {
    path: PathBuf,
}

impl Folder {
    fn new() -> std::io::Result<Folder> {
        let path = std::env::temp_dir().join(format!("counterpoint-confirm-{}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Folder { path })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left behind; there is nobody to tell.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// The compiled program, or why there is none.
fn compile(folder: &Path, inputs: &[Input], harness: &Harness, marks: &Marks) -> Result<PathBuf, String> {
    let compiler = std::env::var("CC").ok().filter(|name| !name.is_empty());
    let compiler = compiler.unwrap_or_else(|| "cc".to_owned());
    let model = match inputs.first().map(|input| input.options.model) {
        Some(DataModel::Ilp32) => "-m32",
        _ => "-m64",
    };
    let written = |error: std::io::Error| format!("{}: {error}", folder.display());
    let file = folder.join("harness.c");
    std::fs::write(&file, &harness.text).map_err(written)?;
    let mut objects = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let object = folder.join(format!("{number}.o"));
        let mut command = Command::new(&compiler);
        command.args(["-c", "-w", "-fwrapv", "-fno-strict-aliasing", model]);
        options(&mut command, input);
        match marked(input, marks)? {
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
        call(command.arg("-o").arg(&object), &compiler)?;
        objects.push(object);
    }
    let harness = folder.join("harness.o");
    call(
        Command::new(&compiler)
            .args(["-c", "-w", model])
            .arg(&file)
            .arg("-o")
            .arg(&harness),
        &compiler,
    )?;
    let program = folder.join("program");
    call(
        Command::new(&compiler)
            .arg(model)
            .args(&objects)
            .arg(&harness)
            .args(["-lm", "-o"])
            .arg(&program),
        &compiler,
    )?;
    Ok(program)
}

/// What the front end was told, as a compiler is told it.
fn options(command: &mut Command, input: &Input) {
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

fn call(command: &mut Command, compiler: &str) -> Result<(), String> {
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

/// The file's text with calls where the error is reached; `None` if the file has no such place.
fn marked(input: &Input, marks: &Marks) -> Result<Option<String>, String> {
    if *marks == Marks::default() {
        return Ok(None);
    }
    let bytes = std::fs::read(&input.path).map_err(|error| format!("{}: {error}", input.path.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut places: Vec<usize> = Vec::new();
    for label in &marks.labels {
        places.extend(occurrences(&text, label).filter_map(|at| behind_label(&text, at)));
    }
    for function in &marks.functions {
        places.extend(occurrences(&text, function).filter_map(|at| inside_body(&text, at)));
    }
    if places.is_empty() {
        return Ok(None);
    }
    places.sort_unstable();
    let mut changed = format!("void {REACHED_FUNCTION}(void);\n#line 1\n");
    let mut from = 0;
    for at in places {
        changed.push_str(&text[from..at]);
        changed.push_str(&format!(" {REACHED_FUNCTION}();"));
        from = at;
    }
    changed.push_str(&text[from..]);
    Ok(Some(changed))
}

/// Where the name ends each time it occurs as a whole word.
fn occurrences<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    text.match_indices(name)
        .filter(move |&(at, _)| {
            !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word)
        })
        .map(move |(at, _)| at + name.len())
}

fn behind_label(text: &str, end: usize) -> Option<usize> {
    let rest = text[end..].trim_start();
    rest.starts_with(':').then(|| text.len() - rest.len() + 1)
}

/// Behind the brace that opens the body, if the name that ends here is being defined.
fn inside_body(text: &str, end: usize) -> Option<usize> {
    let rest = text[end..].trim_start();
    if !rest.starts_with('(') {
        return None;
    }
    let mut depth = 0;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let rest = rest[at + 1..].trim_start();
            return rest.starts_with('{').then(|| text.len() - rest.len() + 1);
        }
    }
    None
}

fn run(folder: &Path, program: &Path, harness: &Harness, arguments: &[Vec<u8>]) -> Confirmation {
    let Some((name, arguments)) = arguments.split_first() else {
        return Confirmation::Unable("no program is started without a name".to_owned());
    };
    let output = folder.join("output");
    let started = std::fs::File::create(&output).and_then(|file| {
        Command::new(program)
            .arg0(OsStr::from_bytes(name))
            .args(arguments.iter().map(|argument| OsStr::from_bytes(argument)))
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(Stdio::null())
            .spawn()
    });
    let mut child = match started {
        Ok(child) => child,
        Err(error) => {
            return Confirmation::Unable(format!("the compiled program cannot be started: {error}"));
        }
    };
    let deadline = Instant::now() + TIME_LIMIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            Ok(None) | Err(_) => {
                // It may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let printed = std::fs::read(&output).unwrap_or_default();
    let reached = String::from_utf8_lossy(&printed)
        .lines()
        .any(|line| line.ends_with(MESSAGE));
    let otherwise = match status {
        Some(status) if status.code() == Some(REACHED) && reached => return Confirmation::Confirmed,
        Some(status) if status.code() == Some(NOT_MET) => {
            "it meets an assumption that does not hold".to_owned()
        }
        Some(status) => format!("it ends without reaching the error ({status})"),
        None => format!("it does not reach the error within {} s", TIME_LIMIT.as_secs()),
    };
    match harness.missing.as_slice() {
        [] => Confirmation::Contradicted(otherwise),
        missing => Confirmation::Unable(format!(
            "the compiled program need not do the same: {}; {otherwise}",
            missing.join(", ")
        )),
    }
}
