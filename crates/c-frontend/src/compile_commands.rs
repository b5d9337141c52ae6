//! `compile_commands.json`: which files a build compiles, and with which options.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::{Input, Options, compiler};
use diagnostics::Diagnostic;

/// The inputs of a compilation database: those whose file is among `files`, or all C files if `files` is empty.
/// `base` gives the options that a command does not mention. `database` is the file or the folder that holds it.
pub fn read_compile_commands(
    database: &Path,
    files: &[PathBuf],
    base: &Options,
) -> Result<Vec<Input>, Vec<Diagnostic>> {
    let (path, commands) = read(database, base)?;
    let fail = |message: String| vec![Diagnostic::error(format!("{}: {message}", path.display()))];
    let commands: Vec<Input> = commands.into_iter().map(|(input, _)| input).collect();
    if files.is_empty() {
        let inputs: Vec<Input> = commands.into_iter().filter(is_c).collect();
        return if inputs.is_empty() {
            Err(fail("it names no C file".to_owned()))
        } else {
            Ok(inputs)
        };
    }
    let mut inputs = Vec::new();
    for file in files {
        match commands.iter().find(|input| same_file(&input.path, file)) {
            Some(input) => inputs.push(Input {
                path: file.clone(),
                options: input.options.clone(),
            }),
            None => return Err(fail(format!("it has no command for {}", file.display()))),
        }
    }
    Ok(inputs)
}

/// The inputs of one target of a compilation database.
pub fn read_target(database: &Path, target: &str, base: &Options) -> Result<Vec<Input>, Vec<Diagnostic>> {
    let (path, commands) = read(database, base)?;
    let inputs: Vec<Input> = commands
        .into_iter()
        .filter(|(input, of)| is_c(input) && of == target)
        .map(|(input, _)| input)
        .collect();
    match inputs.is_empty() {
        true => Err(vec![Diagnostic::error(format!(
            "{}: it has no C file of a target `{target}`",
            path.display()
        ))]),
        false => Ok(inputs),
    }
}

/// The targets of a compilation database that have C files, with these; in the order of the database.
pub fn targets(database: &Path) -> Result<Vec<(String, Vec<PathBuf>)>, Vec<Diagnostic>> {
    let (path, commands) = read(database, &Options::default())?;
    let mut targets: Vec<(String, Vec<PathBuf>)> = Vec::new();
    for (input, target) in commands.into_iter().filter(|(input, _)| is_c(input)) {
        match targets.iter_mut().find(|(known, _)| *known == target) {
            Some((_, files)) => files.push(input.path),
            None => targets.push((target, vec![input.path])),
        }
    }
    match targets.is_empty() {
        true => Err(vec![Diagnostic::error(format!(
            "{}: it names no C file",
            path.display()
        ))]),
        false => Ok(targets),
    }
}

fn is_c(input: &Input) -> bool {
    input.path.extension().is_some_and(|e| e == "c" || e == "i")
}

/// All commands of the database, each with its target, and the path of the file.
#[allow(clippy::type_complexity)] // Only the three functions above see it.
fn read(database: &Path, base: &Options) -> Result<(PathBuf, Vec<(Input, String)>), Vec<Diagnostic>> {
    let path = if database.is_dir() {
        database.join("compile_commands.json")
    } else {
        database.to_owned()
    };
    let fail = |message: String| vec![Diagnostic::error(format!("{}: {message}", path.display()))];
    let text = std::fs::read_to_string(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => fail("no such file".to_owned()),
        _ => fail(error.to_string()),
    })?;
    let entries: Value = serde_json::from_str(&text).map_err(|error| fail(format!("not JSON: {error}")))?;
    let Value::Array(entries) = entries else {
        return Err(fail("a list of commands is expected".to_owned()));
    };
    let mut commands = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let command = read_entry(entry, base).map_err(|message| fail(format!("entry {index}: {message}")))?;
        commands.push(command);
    }
    Ok((path, commands))
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}

fn read_entry(entry: &Value, base: &Options) -> Result<(Input, String), String> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let directory = PathBuf::from(text("directory").unwrap_or("."));
    let file = text("file").ok_or("`file` is missing")?;
    let arguments: Vec<String> = match (entry.get("arguments"), text("command")) {
        (Some(Value::Array(arguments)), _) => arguments
            .iter()
            .map(|a| a.as_str().map(str::to_owned))
            .collect::<Option<_>>()
            .ok_or("`arguments` must be text")?,
        (_, Some(command)) => split_command(command),
        _ => return Err("`command` or `arguments` is missing".to_owned()),
    };
    let mut options = base.clone();
    let (compiler, flags) = arguments.split_first().ok_or("the command is empty")?;
    compiler::apply(compiler, flags, &directory, &mut options);
    let written = arguments.iter().position(|argument| argument == "-o");
    let written = written.and_then(|at| arguments.get(at + 1)).map(String::as_str);
    let target = text("output").or(written).and_then(target_of_output);
    let input = Input {
        path: directory.join(file),
        options,
    };
    Ok((input, target.unwrap_or(file).to_owned()))
}

/// The target that an object file is made for, as CMake (`CMakeFiles/NAME.dir/…`) and Meson (`NAME.p/…`) lay them out. A file that
/// is compiled for no target that can be told is one of its own.
fn target_of_output(output: &str) -> Option<&str> {
    let folders = || output.rsplit('/').skip(1);
    let of_cmake = folders().find_map(|folder| folder.strip_suffix(".dir"));
    of_cmake.or_else(|| folders().find_map(|folder| folder.strip_suffix(".p")))
}

/// Splits a command as the format says: only quotes and backslashes are special.
fn split_command(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_does_without_expanding() {
        let words = split_command(r#"gcc -DNAME="a b" -I 'x y' -D\"q\" $HOME ""#);
        assert_eq!(words, ["gcc", "-DNAME=a b", "-I", "x y", "-D\"q\"", "$HOME", ""]);
    }

    #[test]
    fn targets_are_told_by_where_objects_are() {
        let cmake = "CMakeFiles/server.dir/src/main.c.o";
        assert_eq!(target_of_output(cmake), Some("server"));
        assert_eq!(target_of_output("tools/dump.p/dump.c.o"), Some("dump"));
        assert_eq!(target_of_output("build/main.o"), None);
    }
}
